"""Random array programs, as functions of NumPy arrays.

One in five has expressions and writes alone, two have loops and two rearranged arrays.
Arguments of each call differ in sizes and layouts, and some share memory.
"""

import random
import re
import textwrap
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from tests.support.array_expressions import (
    HELPERS_TEXT,
    NUMPY,
    SIZES,
    Array,
    Parameter,
    Writer,
    is_exact,
    values,
)
from tests.support.array_loops import LoopWriter
from tests.support.array_rearranging import RearrangingWriter


class ArrayProgram(NamedTuple):
    """One function."""

    seed: int
    name: str
    parameters: tuple[Parameter, ...]
    statements: tuple[str, ...]
    result: str

    @property
    def text(self) -> str:
        """The function as source text."""
        head = ", ".join(f"{p.name}: {p.annotation}" for p in self.parameters)
        body = textwrap.indent("\n".join((*self.statements, f"return {self.result}\n")), "    ")
        return f"def {self.name}({head}):\n{body}"


# An assignment of a view, and no more.
_OF_A_VIEW = re.compile(r"(?m)^(\s*\w+\[.*\]) = (\w+\[.*\]|\w+\.T)$")

# Programs take turns at these.
_WRITERS = (Writer, LoopWriter, RearrangingWriter, LoopWriter, RearrangingWriter)
_OF_ONE_AXIS = 6  # of so many programs one has arrays of one axis alone
# What may make more elements of an array with one axis, and loops, which the interpreter takes
# one step after the other.
_GROWING = re.compile(
    r"\b(None|for|mgrid|outer|stack|reshape|tile|repeat|shift|exchange|smooth|scan)\b"
)
# More elements than a strip, and than two chunks have.
_LARGE = (2049, 4096, 9000)


def has_one_result(program: ArrayProgram, arguments: Sequence[Any], same: Sequence[Any]) -> bool:
    """Whether no sum and no product is rounded in a call, and no view is copied piece by piece.

    NumPy copies some overlapping views wrong: "Overlapping views" in docs/language/differences.md.
    The arguments and those that are the `same` may be changed.
    """
    text = "\n".join(program.statements)
    names = [p.name for p in program.parameters]
    found, apart = (dict(zip(names, given, strict=True)) for given in (arguments, same))
    if not is_exact(text, found):
        return False
    is_exact(_OF_A_VIEW.sub(r"\1 = (\2).copy()", text), apart)
    return all(_are_equal(value, apart[name]) for name, value in found.items())


def _are_equal(one: Any, other: Any) -> bool:
    first, second = np.asarray(one), np.asarray(other)
    return np.array_equal(first, second, equal_nan=first.dtype.kind == "f")


def module_text(programs: Sequence[ArrayProgram]) -> str:
    """Return the source of a module with these functions."""
    names = ", ".join(sorted(NUMPY))
    head = f"import numpy as np\nfrom scriptc.types import dim, {names}\n\n{HELPERS_TEXT}"
    return head + "".join(f"\n\n{program.text}" for program in programs)


def draw_program(seed: int) -> ArrayProgram:
    """Return the program of a seed."""
    rng = random.Random(seed)
    elements = [name for name in NUMPY if name not in ("f16",)]
    favourites = ["f64", "f64", "f64", "f32", "i64", "i32", "b1"]
    ranks = (1,) if seed % _OF_ONE_AXIS == 0 else (1, 1, 2, 2, 3)
    arrays = [
        Parameter(
            f"{'abc'[i]}",
            rng.choice([e for e in (*favourites, rng.choice(elements)) if e in NUMPY]),
            tuple(rng.randrange(2 + i // 2) for _ in range(rng.choice(ranks))),
        )
        for i in range(rng.randint(1, 3))
    ]
    if rng.random() < 0.5 and len(arrays) > 1:
        arrays[1] = arrays[0]._replace(name="b")
    scalars = [Parameter("k", rng.choice(("int", "float")), ())] if rng.random() < 0.4 else []
    parameters = (*arrays, *scalars)
    writer = _WRITERS[seed % len(_WRITERS)](rng, parameters)
    statements = writer.lines(rng.randint(1, 5))
    return ArrayProgram(seed, f"p{seed}", parameters, statements, writer.result())


def draw_arguments(program: ArrayProgram, number: int) -> list[Any]:
    """Return arguments of one call: of other sizes and layouts each time, some sharing memory."""
    rng = random.Random(program.seed * 64 + number)
    sizes = [rng.choice((0, 1, 2, 4, 7, 9)) for _ in SIZES] if number > 1 else list(SIZES)
    if number > 2 and rng.random() < 0.5 and _is_linear(program):
        sizes = [rng.choice(_LARGE)] * len(SIZES)
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


def _is_linear(program: ArrayProgram) -> bool:
    """Whether a program computes no more elements than a few times those that it is given."""
    is_flat = all(parameter.rank <= 1 for parameter in program.parameters)
    return is_flat and not _GROWING.search(program.text)


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
