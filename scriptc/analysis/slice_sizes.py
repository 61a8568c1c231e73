"""Sizes that the numbers of an instruction tell: of slices between constants, and of new arrays.

    view %x, None, None, None, None, 2, None [axes="ss"]      x: [N, 4]  =>  [N, 2]

Types are inferred of types alone, so what constants tell is an attribute, `dims`, as that of a new
array is.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.induction import constant_int
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import arrays
from scriptc_runtime.ops.opdef import Attrs
from scriptc_runtime.types import NONE, TensorType

_Sizes = tuple[int | None, ...]


def with_dims(instr: Instr, base: TensorType, made: Mapping[Value, Instr]) -> Attrs:
    """Return the attributes of a view of an array of type `base` with the sizes known so far."""
    sizes = slice_sizes(instr, base, made)
    if not any(size is not None for size in sizes):
        return instr.attrs
    return {**instr.attrs, "dims": sizes}


def slice_sizes(view: Instr, base: TensorType, made: Mapping[Value, Instr]) -> _Sizes:
    """Return the size of each slice of a view that is neither whole nor unknown."""
    found: list[int | None] = []
    rest: Sequence[Value] = view.operands[1:]
    letters = str(view.attrs["axes"])
    dims = iter(base.dims)
    for letter in letters:
        if letter == "i":
            next(dims)
            rest = rest[1:]
        elif letter == "s":
            found.append(_slice_size(rest[:3], next(dims), made))
            rest = rest[3:]
    return tuple(found)


def _slice_size(bounds: Sequence[Value], dim: Dim, made: Mapping[Value, Instr]) -> int | None:
    if not dim.is_constant or all(v.type is NONE for v in bounds):
        return None
    numbers = [None if v.type is NONE else constant_int(v, made) for v in bounds]
    if any(n is None and v.type is not NONE for n, v in zip(numbers, bounds, strict=True)):
        return None
    return None if numbers[2] == 0 else len(range(dim.constant)[slice(*numbers)])


def with_sizes(instr: Instr, made: Mapping[Value, Instr]) -> Attrs:
    """Return the attributes of a new array with the sizes that are constants."""
    dims = instr.attrs["dims"]
    assert isinstance(dims, tuple)
    asked = instr.operands[instr.op is arrays.FULL :]
    known = tuple(
        dim if dim is not None else _as_size(constant_int(value, made))
        for dim, value in zip(dims, asked, strict=True)
    )
    return instr.attrs if known == dims else {**instr.attrs, "dims": known}


def _as_size(number: int | None) -> int | None:
    return None if number is None or number < 0 else number
