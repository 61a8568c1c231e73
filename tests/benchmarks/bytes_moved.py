"""How many bytes of arrays a program moves, and how many it has to move at least.

    python -m tests.benchmarks.bytes_moved SIZE [names]     prints a table of the array programs

The interpreter runs low IR, so every load and store of a program is seen. A kernel moves each
element of an array that it reads once, and each that it writes: what it meets again stays in a
cache. Rows that a kernel keeps for itself are no arrays. What is not opened into loops, as products
and sorts, reads its operands and writes its results.

At least, each element of an argument that is read at all is read once, what is returned or changed
is written once, and what a product, a sort or the like takes and gives is in memory then. A program
that computes arrays in steps, each from those of the one before, moves them in each step.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scriptc.driver import Core, inlined, to_low, to_optimised
from scriptc.lower.program import lower_program
from scriptc.options import Options
from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.ir import Instr, Module, Role, walk
from scriptc_runtime.ops import low, reshaping
from tests.benchmarks.array_programs.program import Program
from tests.benchmarks.array_programs.suite import PROGRAMS
from tests.support.program_cases import checked

Array = NDArray[Any]
# What else is an op on arrays and looks at no element of them.
_LOOKS = (*low.OPS, *reshaping.CORE_OPS, *reshaping.LOW_OPS)


@dataclass(slots=True)
class Traffic:
    """Bytes that a program has moved so far; addresses are those of elements."""

    moved: int = 0
    needed: int = 0  # by what is not opened into loops
    inputs: set[int] = field(default_factory=set[int])  # addresses that are read of arguments
    changed: set[int] = field(default_factory=set[int])
    _read: dict[int, int] = field(default_factory=dict[int, int])
    _written: dict[int, int] = field(default_factory=dict[int, int])

    def read(self, address: int, size: int) -> None:
        """Note an element that the kernel reads."""
        self._read[address] = size

    def write(self, address: int, size: int) -> None:
        """Note an element that the kernel writes."""
        self._written[address] = size

    def ends(self) -> None:
        """Note that a kernel ends: the caches hold nothing of it."""
        self.moved += sum(self._read.values()) + sum(self._written.values())
        self._read.clear()
        self._written.clear()

    def call(self, size: int) -> None:
        """Note what an op reads or writes as a whole."""
        self.moved += size
        self.needed += size


class Counter(Interpreter):
    """Runs low IR and notes what it reads and writes of arrays."""

    def __init__(self, module: Module, arguments: Sequence[Any]) -> None:
        super().__init__(module)
        self.traffic = Traffic()
        self._functions = module.functions
        self._spans = [_span(array) for array in _arrays(tuple(arguments))]
        self._kept: list[object] = []  # so that no address is given twice
        self._given: set[int] = set()  # memory of what ops gave that are no loops
        self._own: set[int] = set()  # memory of rows that a kernel keeps for itself
        kernels = [f for f in module.functions.values() if f.role is Role.KERNEL]
        self._inside = {i for kernel in kernels for i in walk(kernel.body)}

    def _called(self, callers: Any) -> Any:
        site = callers[-1].code.calls[callers[-1].step]
        if self._functions[site.callee].role is Role.KERNEL:
            self.traffic.ends()
        return super()._called(callers)

    def _evaluator(self, instr: Instr) -> Callable[..., object]:
        evaluate = super()._evaluator(instr)
        match instr.op:
            case low.LOAD:
                return self._load(evaluate)
            case low.STORE:
                return self._store(evaluate)
            case low.NEW_ARRAY:
                return self._new(evaluate, own=instr in self._inside or "scratch" in instr.attrs)
            case _:
                return self._whole(instr, evaluate)

    def _load(self, evaluate: Callable[..., object]) -> Callable[..., object]:
        def run(array: Array, *index: int) -> object:
            if (base := _start(array)) not in self._own:
                address = _address(array, index)
                self.traffic.read(address, array.itemsize)
                if self._is_argument(base):
                    self.traffic.inputs.add(address)
            return evaluate(array, *index)

        return run

    def _store(self, evaluate: Callable[..., object]) -> Callable[..., object]:
        def run(array: Array, value: object, *index: int) -> object:
            if (base := _start(array)) not in self._own:
                address = _address(array, index)
                self.traffic.write(address, array.itemsize)
                if self._is_argument(base):
                    self.traffic.changed.add(address)
            return evaluate(array, value, *index)

        return run

    def _new(self, evaluate: Callable[..., object], *, own: bool) -> Callable[..., object]:
        def run(*sizes: int, **attrs: Any) -> object:
            made = _array(evaluate(*sizes, **attrs))
            self._kept.append(made)
            if own:
                self._own.add(_start(made))
            return made

        return run

    def _whole(self, instr: Instr, evaluate: Callable[..., object]) -> Callable[..., object]:
        types = [v.type for v in instr.operands]
        effects = instr.op.effects(types, instr.attrs)
        if not (effects.reads or effects.writes) or instr.op in _LOOKS:
            return evaluate

        def run(*operands: object, **attrs: Any) -> object:
            self.traffic.ends()
            for place in effects.reads:
                if isinstance(operands[place], np.ndarray):
                    self._take(_array(operands[place]))
            for place in effects.writes:
                if isinstance(operands[place], np.ndarray):
                    self._give(_array(operands[place]))
            result = evaluate(*operands, **attrs)
            if not effects.aliases:
                for array in _arrays(result):
                    self._give(array)
            return result

        return run

    def _take(self, array: Array) -> None:
        size = array.nbytes
        if not self._is_argument(base := _start(array)) and base not in self._given:
            self.traffic.needed += size  # a kernel had to write it before
        self.traffic.call(size)

    def _give(self, array: Array) -> None:
        self._kept.append(array)
        self._given.add(_start(array))
        self.traffic.call(array.nbytes)

    def _is_argument(self, address: int) -> bool:
        return any(first <= address < end for first, end in self._spans)


def _array(value: object) -> Array:
    assert isinstance(value, np.ndarray)
    return cast(Array, value)


def _start(array: Array) -> int:
    """Return where the memory of an array begins, of which it may be a view."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return cast(int, array.__array_interface__["data"][0])


def _span(array: Array) -> tuple[int, int]:
    first = _start(array)
    return first, first + max(array.nbytes, 1)


def _address(array: Array, index: Sequence[int]) -> int:
    first: int = array.__array_interface__["data"][0]
    return first + sum(int(i) * s for i, s in zip(index, array.strides, strict=True))


@dataclass(frozen=True, slots=True)
class Moved:
    """What a call of a program has moved, and what it has to move, in bytes."""

    program: str
    moved: int
    least: int

    @property
    def ratio(self) -> float:
        """How many times more than has to be."""
        return self.moved / max(self.least, 1)


def moved(name: str, function: Callable[..., Any], arguments: Sequence[Any]) -> Moved:
    """Run a program once and return what it moves."""
    program = checked(function, tuple(arguments))
    core = inlined(Core(program, lower_program(program)), Options())
    module = to_low(to_optimised(core, Options()).module, Options())
    root = program.functions[program.roots[0]]
    counter = Counter(module, arguments)
    result = counter.call(root.name, list(arguments))
    traffic = counter.traffic
    traffic.ends()
    read = _bytes(traffic.inputs, arguments)
    written = _bytes(traffic.changed, arguments) + sum(a.nbytes for a in _arrays(result))
    return Moved(name, traffic.moved, read + written + traffic.needed)


def _bytes(addresses: set[int], arguments: Sequence[Any]) -> int:
    total = 0
    for array in arguments:
        if isinstance(array, np.ndarray):
            first, end = _span(cast(Array, array))
            total += sum(first <= a < end for a in addresses) * array.itemsize
    return total


def _arrays(value: object) -> Iterator[Array]:
    if isinstance(value, np.ndarray):
        yield cast(Array, value)
    elif isinstance(value, tuple | list):
        for item in cast("Sequence[object]", value):
            yield from _arrays(item)


def table(programs: Sequence[Program], size: str) -> Iterator[Moved]:
    """Yield what each program moves."""
    for program in programs:
        arguments = program.inputs(size, np.random.default_rng(0))
        yield moved(program.name, program.function, arguments)


def main(size: str, names: Sequence[str]) -> None:
    """Print a table."""
    ratios: list[float] = []
    for row in table([p for p in PROGRAMS if not names or p.name in names], size):
        ratios.append(row.ratio)
        print(f"{row.program:24} {row.moved:12,} {row.least:12,} {row.ratio:6.2f}", flush=True)
    print(f"median {np.median(ratios):.2f}; over 1.5: {sum(r > 1.5 for r in ratios)}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
