"""Random array programs, as functions of NumPy arrays: straight lines of expressions and writes.

NumPy itself says what is possible: each line is run on small samples while it is drawn, and drawn
anew where NumPy refuses it or where rounding would depend on the order of a sum. Floats are small
multiples of 1/8, so sums and products of them are exact in any order, and compared bit for bit.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from scriptc_runtime.types import DType

Array = npt.NDArray[Any]

_NAMES = {str(d): d.numpy for d in DType if d.kind in "biuf"}
_ELEMENT = {dtype: name for name, dtype in _NAMES.items()}
# Sizes of the samples; distinct, so that a size tells its axis.
_SIZES = (3, 5, 4)
_LARGEST = 1 << 12  # of samples: what is larger is not used in sums
_TRIES = 40


class Parameter(NamedTuple):
    """A parameter: an array of any layout, or with rank 0 a Python number."""

    name: str
    element: str
    axes: tuple[int, ...]  # which of the sizes of a call each axis has

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.axes)

    @property
    def annotation(self) -> str:
        """Its annotation in the source; each axis has a size of its own."""
        sizes = ", ".join(f"dim('{self.name}{axis}')" for axis in range(self.rank))
        return f"{self.element}[{sizes}]" if self.rank else self.element


class ArrayProgram(NamedTuple):
    """One function."""

    seed: int
    name: str
    parameters: tuple[Parameter, ...]
    lines: tuple[str, ...]
    result: str

    @property
    def text(self) -> str:
        """The function as source text."""
        head = ", ".join(f"{p.name}: {p.annotation}" for p in self.parameters)
        body = "".join(f"    {line}\n" for line in self.lines)
        return f"def {self.name}({head}):\n{body}    return {self.result}\n"


def module_text(programs: Sequence[ArrayProgram]) -> str:
    """Return the source of a module with these functions."""
    names = ", ".join(sorted(_NAMES))
    head = f"import numpy as np\nfrom scriptc.types import dim, {names}\n"
    return head + "".join(f"\n\n{program.text}" for program in programs)


class _Writer:
    """Draws one program; `_values` are what its variables hold for the samples."""

    def __init__(self, rng: random.Random, parameters: Sequence[Parameter]) -> None:
        self._rng = rng
        self._values: dict[str, Any] = {p.name: _sample(p, rng) for p in parameters}
        self._parameters = {p.name for p in parameters}
        self._lines: list[str] = []

    def lines(self, count: int) -> tuple[str, ...]:
        """Draw that many statements."""
        for _ in range(count):
            self._try(self._rng.choice((self._new, self._new, self._write, self._write, self._add)))
        return tuple(self._lines)

    def result(self) -> str:
        """Return what the function gives: variables, some of them as views."""
        arrays = self._arrays()
        count = self._rng.choice((1, 1, 2))
        made = [name for name in arrays if name not in self._parameters] or arrays
        chosen = [self._rng.choice(made) for _ in range(count)]
        return ", ".join(chosen)

    def _try(self, draw: Callable[[], str]) -> None:
        for _ in range(_TRIES):
            line = draw()
            # The line may write: to the samples only once it is known to work on copies of them.
            if _runs(line, {name: _copy(value) for name, value in self._values.items()}):
                _runs(line, self._values)
                self._lines.append(line)
                return

    def _arrays(self) -> list[str]:
        return [name for name, value in self._values.items() if isinstance(value, np.ndarray)]

    # -------------------------------------------------------------------------------- statements

    def _new(self) -> str:
        return f"v{len(self._lines)} = {self._expression(self._rng.randint(1, 3))}"

    def _write(self) -> str:
        name = self._rng.choice(self._arrays())
        symbol = self._rng.choice(("=", "=", "=", "+=", "*=", "-="))
        value = self._expression(2)
        if symbol == "=" and not self._keeps(value, name):
            return "raise ValueError"  # NumPy cuts it off, which the language refuses to do
        return f"{name}[{self._place(name)}] {symbol} {value}"

    def _add(self) -> str:
        name = self._rng.choice(self._arrays())
        return f"{name} {self._rng.choice(('+=', '-=', '*='))} {self._expression(1)}"

    # ------------------------------------------------------------------------------- expressions

    def _expression(self, depth: int) -> str:
        if depth == 0 or self._rng.random() < 0.15:
            return self._leaf()
        draw = self._rng.choice(
            (self._binary, self._binary, self._binary, self._unary, self._choice, self._reduced)
        )
        return draw(depth - 1)

    def _leaf(self) -> str:
        if self._rng.random() < 0.2:
            return self._rng.choice(("2", "-1", "0.5", "1", "3", "-1.5"))
        names = list(self._values)
        name = self._rng.choice(names)
        return self._view(name) if self._rng.random() < 0.5 else name

    def _binary(self, depth: int) -> str:
        symbol = self._rng.choice(("+", "+", "-", "*", "*", "<", ">=", "==", "/", "//", "%"))
        left, right = self._expression(depth), self._expression(depth)
        if self._rng.random() < 0.15:
            name = self._rng.choice(("maximum", "minimum"))
            return f"np.{name}({left}, {right})"
        return f"({left} {symbol} {right})"

    def _unary(self, depth: int) -> str:
        inner = self._expression(depth)
        return self._rng.choice((f"(-{inner})", f"np.abs({inner})", f"np.sqrt({inner})"))

    def _choice(self, depth: int) -> str:
        low, high = self._expression(0), self._expression(0)
        first, second = self._expression(depth), self._expression(depth)
        return f"np.where({low} < {high}, {first}, {second})"

    def _reduced(self, depth: int) -> str:
        name = self._rng.choice(self._arrays())
        rank = cast(Array, self._values[name]).ndim
        inner = self._view(name) if depth == 0 or self._rng.random() < 0.5 else name
        function = self._rng.choice(("sum", "max", "min"))
        if rank == 0 or self._rng.random() < 0.3:
            return f"np.{function}({inner})"
        axis = self._rng.randrange(-rank, rank)
        keep = self._rng.choice(("", "", ", keepdims=True"))
        return f"np.{function}({inner}, axis={axis}{keep})"

    def _view(self, name: str) -> str:
        value: Any = self._values[name]
        if not isinstance(value, np.ndarray):
            return name
        if self._rng.random() < 0.2:
            return f"{name}.T"
        return f"{name}[{self._place(name)}]"

    def _keeps(self, text: str, name: str) -> bool:
        """Whether an array takes a value without losing part of it."""
        try:
            with np.errstate(all="ignore"):
                value = eval(text, {"np": np}, dict(self._values))
        except (TypeError, ValueError, IndexError, ZeroDivisionError, OverflowError):
            return False
        return np.can_cast(np.asarray(value).dtype, self._values[name].dtype, "same_kind")

    def _place(self, name: str) -> str:
        rank = cast(Array, self._values[name]).ndim
        count = self._rng.randint(min(rank, 1), rank)
        parts = [self._index() for _ in range(count)]
        if parts and self._rng.random() < 0.1:
            parts.insert(self._rng.randrange(len(parts) + 1), "None")
        if rank == 0:
            return "..."
        return ", ".join(parts)

    def _index(self) -> str:
        if self._rng.random() < 0.2:
            return self._rng.choice(("0", "-1", "1"))
        low, high = (self._rng.choice(("", "", "1", "-1", "2", "-2")) for _ in range(2))
        step = self._rng.choice(("", "", "", ":2", ":-1", ":-2"))
        return f"{low}:{high}{step}"


def _copy(value: Any) -> Any:
    return cast(Array, value).copy() if isinstance(value, np.ndarray) else value


def _sample(parameter: Parameter, rng: random.Random) -> Any:
    if not parameter.rank:
        return {"int": 3, "float": 0.75}[parameter.element]
    return values(rng, parameter.element, [_SIZES[axis] for axis in parameter.axes])


def values(rng: random.Random, element: str, shape: Sequence[int]) -> Array:
    """Return an array of small numbers that are exact in every type."""
    count = int(np.prod(shape))
    numbers = np.array([rng.randint(-24, 24) for _ in range(count)]).reshape(shape)
    dtype = _NAMES[element]
    match dtype.kind:
        case "b":
            return numbers > 0
        case "i":
            return numbers.astype(dtype)
        case "u":
            return np.abs(numbers).astype(dtype)
        case _:
            return (numbers / 8).astype(dtype)


def _runs(line: str, values: dict[str, Any]) -> bool:
    """Run a line; say whether NumPy takes it, and what it gives is a value of the language."""
    before = {name: _bits_needed(value) for name, value in values.items()}
    try:
        with np.errstate(all="ignore"):
            exec(line, {"np": np}, values)
    except (TypeError, ValueError, IndexError, ZeroDivisionError, OverflowError):
        return False
    if "np.sum" in line and any(before[name] is None for name in before if name in line):
        return False
    return all(_is_value(value) for value in values.values())


def _is_value(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        array = cast(Array, value)
        return array.dtype in _ELEMENT and array.ndim <= 3 and array.size <= _LARGEST
    return isinstance(value, int | float | np.generic)


def _bits_needed(value: Any) -> int | None:
    """Return how many bits the numbers need; None where sums of them might round."""
    array = np.asarray(value)
    if array.dtype.kind != "f":
        return 0
    with np.errstate(all="ignore"):
        scaled = np.abs(array.astype(np.float64)) * 64
        whole = np.all(np.isfinite(scaled) & (scaled == np.floor(scaled)))
    largest = float(np.max(scaled, initial=0.0))
    # f16 is summed in f32 by NumPy, f32 in f32.
    return None if not whole or largest >= 2.0**14 else int(largest).bit_length()


def draw_program(seed: int) -> ArrayProgram:
    """Return the program of a seed."""
    rng = random.Random(seed)
    elements = [name for name in _NAMES if name not in ("f16",)]
    favourites = ["f64", "f64", "f64", "f32", "i64", "i32", "b1"]
    arrays = [
        Parameter(
            f"{'abc'[i]}",
            rng.choice([e for e in (*favourites, rng.choice(elements)) if e in _NAMES]),
            tuple(rng.randrange(2 + i // 2) for _ in range(rng.choice((1, 1, 2, 2, 3)))),
        )
        for i in range(rng.randint(1, 3))
    ]
    if rng.random() < 0.5 and len(arrays) > 1:
        arrays[1] = arrays[0]._replace(name="b")
    scalars = [Parameter("k", rng.choice(("int", "float")), ())] if rng.random() < 0.4 else []
    parameters = (*arrays, *scalars)
    writer = _Writer(rng, parameters)
    lines = writer.lines(rng.randint(1, 5))
    return ArrayProgram(seed, f"p{seed}", parameters, lines, writer.result())


def draw_arguments(program: ArrayProgram, number: int) -> list[Any]:
    """Return arguments of one call: of other sizes and layouts each time, some sharing memory."""
    rng = random.Random(program.seed * 64 + number)
    sizes = [rng.choice((0, 1, 2, 4, 7, 9)) for _ in _SIZES] if number > 1 else list(_SIZES)
    arguments: list[Any] = []
    for parameter in program.parameters:
        if not parameter.rank:
            small = rng.randint(-3, 5)
            arguments.append(small if parameter.element == "int" else small / 4)
            continue
        shared = _alias(parameter, program, arguments, rng) if number % 2 else None
        if shared is None:
            shape = [sizes[axis] if rng.random() < 0.95 else 1 for axis in parameter.axes]
            shared = _laid_out(rng, parameter.element, shape)
        arguments.append(shared)
    return arguments


def _alias(
    parameter: Parameter, program: ArrayProgram, arguments: Sequence[Any], rng: random.Random
) -> Array | None:
    """Return a view of an argument before, shifted by one where its size allows."""
    for other, given in zip(program.parameters, arguments, strict=False):
        if (other.element, other.rank) == (parameter.element, parameter.rank):
            base = cast(Array, given)
            return rng.choice((base, base[1:], base[::-1]))
    return None


def _laid_out(rng: random.Random, element: str, shape: Sequence[int]) -> Array:
    """Return an array that is contiguous, transposed, or every second of a larger one."""
    layout = rng.randrange(4)
    if layout == 0:
        return np.asfortranarray(values(rng, element, shape))
    if layout == 1:
        wide = values(rng, element, [2 * size for size in shape])
        return wide[tuple(slice(None, None, rng.choice((2, -2))) for _ in shape)]
    return values(rng, element, shape)
