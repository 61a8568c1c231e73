"""Saved files that mutants are made of, and arguments to call their entries with."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import numpy as np

import scriptc
from scriptc import script
from scriptc.types import D, K, M, N, f64
from scriptc_runtime.errors import InvalidIRError, ScriptError
from scriptc_runtime.ir import Builder, Entry, Function, Label, Module, Value, make
from scriptc_runtime.ops import arrays, control, data
from scriptc_runtime.ops.opdef import Attr, Level, OpTypeError
from scriptc_runtime.saved.file import EntryPoint, SavedModule, read_saved, write_saved
from scriptc_runtime.types import (
    BIT_GENERATOR,
    INT,
    RANDOM_STATE,
    CellType,
    DType,
    ListType,
    OptionalType,
    PyType,
    TensorType,
    TupleType,
    Type,
)
from scriptc_runtime.verify.module import verify
from tests import programs
from tests.support.ir_programs import signature
from tests.support.op_samples import accepted, samples
from tests.support.sample_operands import Sample
from tests.support.saved_mutants import Seed

SCALE = np.array([1.0, 10.0, 100.0])


@script
def table(x: f64[N], limit: int) -> f64[N]:
    y = x * SCALE + np.sum(x)
    for i in range(limit):
        if y[i] > 2.0:
            y[i] = y[i] // 2.0
    return np.maximum(y, 0.0)


@script
def words(xs: list[int], name: str, more: float | None) -> tuple[str, int]:
    total = 0
    seen = [0]
    for x in xs:
        try:
            total += 10 // x
            seen.append(x)
        except ZeroDivisionError:
            seen[0] += 1
    if more is not None:
        total += int(more)
    while total > 100:
        total -= 7
    return f"{name}: {total}", seen[-1]


@script
def rounds(x: f64[N], n: int, stop: int) -> tuple[int, float, f64[N]]:
    count, total, best = 0, 0.0, x
    for i in range(n % 5):
        rest = i + 3
        while rest > 0:
            rest //= 2
            if rest == stop:
                break
            count += rest
        if count > stop:
            more = count / 2.0
            total += more
            best = best * more
        else:
            less = total - i
            total = less
    return count, total, best


@script
def caught(xs: list[float], at: int, more: f64[N] | None) -> float:
    total = 0.0
    for i in range(len(xs)):
        try:
            total += xs[at + i] / xs[i]
        except IndexError:
            lost = float(i)
            total -= lost
        except ZeroDivisionError:
            continue
    if more is None:
        return total
    least = np.min(more) if len(more) > 0 else 0.0
    return total + least


@script
def sizes(x: f64[N], rows: int, at: int) -> tuple[f64[K, D], f64[M]]:
    y = np.zeros((rows, 2))
    z = x.reshape((rows, at)) if at > 0 else y
    w = np.full(rows, 2.0)
    w[1:] = w[:-1] + x[at]
    return z, w + y[:, 0]


@script
class Counter:
    def __init__(self, weights: f64[N], step: float) -> None:
        self.weights = weights
        self.step = step
        self.turns = np.uint8(3)

    def bump(self, by: float) -> float:
        self.step += by if self.turns > 2 else 0.0
        self.weights *= self.step
        return float(np.mean(self.weights)) if len(self.weights) > 1 else self.step


@script
class Part:
    def __init__(self, x: f64[N]) -> None:
        self.x = x


@script
class Whole:
    best: f64[N] | None
    parts: list[Part]
    pair: tuple[int, list[float]]

    def __init__(self, x: f64[N]) -> None:
        self.best = None
        self.parts = [Part(x), Part(x[::-1])]
        self.pair = (3, [0.5])

    def step(self, by: float) -> float:
        part = self.parts[0]
        part.x += by
        self.best = self.parts[1].x
        self.pair[1].append(by)
        return float(np.sum(part.x)) + self.pair[1][0]


@script
class Maker:
    last: Part
    kept: Part | None
    made: int

    def __init__(self, x: f64[N]) -> None:
        self.last = Part(x)
        self.kept = None
        self.made = 1

    def make(self, by: float) -> float:
        part = Part(np.ones(self.made) * by)
        kept = self.kept
        self.kept = self.last
        self.last = part
        self.made += 1
        return by if kept is None else float(np.sum(kept.x)) + self.made

    def both(self, other: float) -> f64[N]:
        self.last.x[0] = other
        return self.last.x


def write_seeds(folder: Path, *, with_programs: bool) -> None:
    """Write the files: what stands above, every op alone, and the tests' programs if asked for."""
    things: Mapping[str, Any] = {
        "code.table": {"table": table},
        "code.words": {"words": words},
        "code.rounds": {"rounds": rounds},
        "code.caught": {"caught": caught},
        "code.sizes": {"sizes": sizes},
        "state.counter": Counter(np.ones(3), 0.5),
        "state.whole": Whole(np.arange(5.0)),
        "state.maker": Maker(np.arange(3.0)),
    }
    for name, thing in things.items():
        scriptc.save(thing, folder / name)
    for number, function in enumerate(_ops()):
        entry = (Entry(function.name, function.name),)
        points = (EntryPoint(function.name, (signature(function),)),)
        module = Module({function.name: function}, entries=entry)
        write_saved(folder / f"op.{function.name}.{number}", SavedModule(module, points))
    if with_programs:
        _write_programs(folder)


def _write_programs(folder: Path) -> None:
    for info in iter_modules(programs.__path__):
        cases = getattr(import_module(f"tests.programs.{info.name}"), "CASES", ())
        for function, calls in cases:
            try:
                made = script(function).sig(*calls[0])
                scriptc.save({"f": made}, folder / f"{info.name}.{function.__name__}")
            except (ScriptError, TypeError, ValueError):
                continue  # what is not to be saved, as it takes a function or refuses by intention


def read_seeds(folder: Path, files: str = "*") -> list[Seed]:
    """Return the modules of the files, in the order of their names."""
    found: list[Seed] = []
    for path in sorted(folder.glob(files)):
        saved = read_saved(path)
        found.append(Seed(path.name, saved.module, saved.weights))
    return found


def _ops() -> Iterator[Function]:
    """Yield functions that run one op each, for some types of operands."""
    seen: dict[str, set[object]] = {}
    for sample in chain.from_iterable(samples().values()):
        types = seen.setdefault(sample.op.name, set())
        kinds = tuple(map(str, sample.types))
        if sample.op.level is Level.LOW or kinds in types or len(types) == 3:
            continue
        if accepted(sample):
            types.add(kinds)
            # Objects have classes, which stand in the other files.
            with suppress(OpTypeError, InvalidIRError):
                function = function_of(sample, sample.attrs, sample.op.name)
                verify(Module({function.name: function}))
                yield function


def function_of(sample: Sample, attrs: Mapping[str, Attr], name: str) -> Function:
    """Return a function that runs an op, and gives its result with its sizes and an element of it.

    Which element is said by parameters behind the operands.  Raises OpTypeError.
    """
    code, label = Builder(), Label("return")
    params = [Value(t, f"p{i}") for i, t in enumerate(sample.types)]
    code.open()
    kept: list[Value] = []
    places: list[Value] = []
    for made in code.append(make(sample.op, params, attrs)).results:
        if isinstance(made.type, TensorType):
            places = [Value(INT, f"i{axis}") for axis in range(made.type.rank)]
            sizes = [code.emit(arrays.DIM, made, axis=a) for a in range(len(places))]
            kept += [made, *sizes, code.emit(arrays.INDEX, made, *places)]
        elif isinstance(made.type, CellType):
            kept.append(code.emit(control.CELL_GET, made, name="x", free=False))
        elif made.type not in (RANDOM_STATE, BIT_GENERATOR):
            kept.append(made)
    code.exit(label, code.emit(data.TUPLE, *kept))
    result = TupleType(tuple(v.type for v in kept))
    return Function(name, (*params, *places), result, code.close(), label)


# Arguments.

_INTS = (0, 1, 2, 3, 4, 6, -1, -2, 5, 7, 10, 2**31, 2**63 - 1, -(2**63))
_REALS = (0.0, -0.0, 1.0, 0.5, 2.0, -3.25, 1e-3, 1e6, float("inf"), float("nan"))
_TEXTS = ("", "a", "text", "é\n", "7")


class Arguments:
    """Draws arguments of types; equal names of sizes mostly stand for equal sizes."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._sizes: dict[str, int] = {}

    def draw(self, type_: Type) -> object:
        """Return an argument of a type.  Raises ValueError where none can be given."""
        rng = self._rng
        match type_:
            case PyType():
                return self._of_python(type_)
            case DType():
                return self._array(TensorType(type_))[()]
            case TensorType():
                return self._array(type_)
            case TupleType(items):
                return tuple(map(self.draw, items))
            case OptionalType(item):
                return None if rng.random() < 0.3 else self.draw(item)
            case ListType(item):
                return [self.draw(item) for _ in range(rng.randrange(4))]
            case _:
                raise ValueError(f"no {type_} comes from outside")

    def _of_python(self, type_: PyType) -> object:
        rng = self._rng
        match type_:
            case PyType.INT:
                return rng.choice(_INTS)
            case PyType.FLOAT:
                return rng.choice(_REALS)
            case PyType.COMPLEX:
                return complex(rng.choice(_REALS), rng.choice(_REALS))
            case PyType.BOOL:
                return rng.random() < 0.5
            case PyType.STR:
                return rng.choice(_TEXTS)
            case PyType.NONE:
                return None
            case PyType.GENERATOR:
                return np.random.default_rng(rng.randrange(100))
            case PyType.RANDOM_STATE:
                return np.random.RandomState(rng.randrange(100))
            case PyType.PYTHON_RANDOM:
                return random.Random(rng.randrange(100))
            case _:
                raise ValueError(f"no {type_} comes from outside")

    def _array(self, type_: TensorType) -> np.ndarray[Any, Any]:
        rng = self._rng
        shape = [self._size(dim.constant if dim.is_constant else str(dim)) for dim in type_.dims]
        layout: int = rng.randrange(5)
        whole = [2 * n for n in shape] if layout == 1 else shape[::-1] if layout == 2 else shape
        count = int(np.prod(whole, dtype=object))
        values = [self._element(type_.dtype) for _ in range(count)]
        array = np.array(values, type_.dtype.numpy).reshape(whole)
        match layout:
            case 1:
                return array[(*[slice(None, None, 2)] * len(shape), ...)]
            case 2:
                return array.T
            case 3:
                return array[(*[slice(None, None, -1)] * len(shape), ...)]
            case 4 if rng.random() < 0.3:
                array.flags.writeable = False
                return array
            case _:
                return array

    def _size(self, dim: int | str) -> int:
        rng = self._rng
        if isinstance(dim, int) and dim <= 4 and rng.random() < 0.95:
            return dim
        if isinstance(dim, int) or dim == "?" or rng.random() < 0.05:
            return rng.choice((0, 1, 2, 3, 3, 4))
        return self._sizes.setdefault(dim, rng.choice((0, 1, 2, 3, 3, 4)))

    def _element(self, dtype: DType) -> Any:
        rng = self._rng
        match dtype.kind:
            case "b":
                return rng.random() < 0.5
            case "i" | "u":
                return rng.randrange(8)
            case "f":
                return rng.choice(_REALS) if rng.random() < 0.1 else rng.randrange(-8, 8) / 4
            case _:
                return complex(rng.randrange(-8, 8) / 4, rng.randrange(-8, 8) / 4)


def arguments_of(types: Sequence[Type], number: int) -> list[object] | None:
    """Return arguments of types, the same ones for each number; None where there are none."""
    made = Arguments(random.Random(number))
    try:
        return [made.draw(type_) for type_ in types]
    except ValueError:
        return None
