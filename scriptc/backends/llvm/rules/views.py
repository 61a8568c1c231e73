"""LLVM code for basic indexing of arrays: a part that shares the memory of the whole."""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from scriptc.backends.llvm.emitter.addresses import parts, total
from scriptc.backends.llvm.emitter.function import Emitter, Rule, literal
from scriptc.backends.llvm.emitter.overlaps import may_overlap
from scriptc.backends.llvm.loading import abi
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import arrays, low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import NONE, TensorType


def _view(e: Emitter, instr: Instr) -> None:
    base, *operands = instr.operands
    described = parts(e, base)
    sizes: list[str] = []
    strides: list[str] = []
    offset = "0"
    axis = 0
    for letter in cast(str, instr.attrs["axes"]):
        if letter == "n":
            sizes.append("1")
            strides.append("0")
            continue
        size, stride = described.sizes[axis], described.strides[axis]
        if letter == "i":
            place = _place(e, instr, e.one(operands.pop(0)), size, axis)
        else:
            place, length, step = _slice(e, instr, size, operands[:3])
            del operands[:3]
            sizes.append(length)
            strides.append(_scaled(e, stride, step))
        offset = total(e, offset, _scaled(e, place, stride))
        axis += 1
    sizes += described.sizes[axis:]
    strides += described.strides[axis:]
    _bind_view(e, instr, offset, sizes, strides)


def _scaled(e: Emitter, a: str, b: str) -> str:
    if a in ("0", "1"):
        return b if a == "1" else "0"
    return a if b == "1" else e.let(f"mul i64 {a}, {b}")


def _place(e: Emitter, instr: Instr, index: str, size: str, axis: int) -> str:
    """Return an index counted from the start, or raise IndexError in NumPy's words."""
    negative = e.let(f"icmp slt i64 {index}, 0")
    shifted = e.let(f"add i64 {index}, {size}")
    place = e.let(f"select i1 {negative}, i64 {shifted}, i64 {index}")
    outside = e.let(f"icmp uge i64 {place}, {size}")
    message = f"index {{}} is out of bounds for axis {axis} with size {{}}"
    e.raise_if(outside, "IndexError", message, instr, (index, size))
    return place


def _slice(e: Emitter, instr: Instr, size: str, operands: list[Value]) -> tuple[str, str, str]:
    """Return the first index of a slice, its length and its step, as slice.indices() has them."""
    start, stop, step = (None if v.type is NONE else e.one(v) for v in operands)
    step = step or "1"
    if start is None and stop is None and step == "1":
        return "0", size, "1"
    known = literal(step)
    if known is None or known == 0:
        zero = e.let(f"icmp eq i64 {step}, 0")
        e.raise_if(zero, "ValueError", "slice step cannot be zero", instr)
    if known is not None:
        rising = "true" if known > 0 else "false"
    else:
        rising = e.let(f"icmp sgt i64 {step}, 0")
    # Walking down, positions are 0 to size-1, and -1 is the end.
    low = _choose(e, rising, "0", "-1")
    high = _choose(e, rising, size, lambda: e.let(f"sub i64 {size}, 1"))
    first = _choose(e, rising, low, high) if start is None else _clamp(e, start, size, low, high)
    last = _choose(e, rising, high, low) if stop is None else _clamp(e, stop, size, low, high)
    return first, _length(e, rising, first, last, step), step


def _choose(e: Emitter, condition: str, yes: str, no: str | Callable[[], str]) -> str:
    if condition == "true":
        return yes
    other = no if isinstance(no, str) else no()
    return (
        other if condition == "false" else e.let(f"select i1 {condition}, i64 {yes}, i64 {other}")
    )


def _clamp(e: Emitter, bound: str, size: str, low: str, high: str) -> str:
    negative = e.let(f"icmp slt i64 {bound}, 0")
    shifted = e.let(f"add i64 {bound}, {size}")
    place = e.let(f"select i1 {negative}, i64 {shifted}, i64 {bound}")
    place = e.intrinsic("i64", "@llvm.smax.i64", f"i64 {place}", f"i64 {low}")
    return e.intrinsic("i64", "@llvm.smin.i64", f"i64 {place}", f"i64 {high}")


def _length(e: Emitter, rising: str, first: str, last: str, step: str) -> str:
    forth, back = e.let(f"sub i64 {last}, {first}"), e.let(f"sub i64 {first}, {last}")
    distance = _choose(e, rising, forth, back)
    distance = e.intrinsic("i64", "@llvm.smax.i64", f"i64 {distance}", "i64 0")
    pace = e.intrinsic("i64", "@llvm.abs.i64", f"i64 {step}", "i1 false") if step != "1" else "1"
    if pace == "1":
        return distance
    # Unsigned: the least int is its own absolute value.
    some = e.let(f"icmp ne i64 {distance}, 0")
    whole = e.let(f"udiv i64 {e.let(f'sub i64 {distance}, 1')}, {pace}")
    return e.let(f"select i1 {some}, i64 {e.let(f'add i64 {whole}, 1')}, i64 0")


def _subview(e: Emitter, instr: Instr) -> None:
    """Select a part without checks; every number is known to be in range."""
    base, *operands = instr.operands
    described = parts(e, base)
    numbers = [e.one(v) for v in operands]
    sizes: list[str] = []
    strides: list[str] = []
    offset = "0"
    axis = 0
    for letter in cast(str, instr.attrs["axes"]):
        if letter == "n":
            sizes.append("1")
            strides.append("0")
            continue
        offset = total(e, offset, _scaled(e, numbers.pop(0), described.strides[axis]))
        if letter == "s":
            sizes.append(numbers.pop(0))
            strides.append(_scaled(e, described.strides[axis], numbers.pop(0)))
        axis += 1
    sizes += described.sizes[axis:]
    strides += described.strides[axis:]
    _bind_view(e, instr, offset, sizes, strides)


def _bind_view(
    e: Emitter, instr: Instr, offset: str, sizes: Sequence[str], strides: Sequence[str]
) -> None:
    described = parts(e, instr.operands[0])
    type_ = cast(TensorType, instr.result.type)
    data = described.data
    if offset != "0":
        data = e.let(f"getelementptr {abi.element(type_.dtype)}, ptr {data}, i64 {offset}")
    known = [
        str(dim.constant) if dim.is_constant else size
        for dim, size in zip(type_.dims, sizes, strict=True)
    ]
    e.bind(instr, data, described.owner, *known, *strides)


RULES: Mapping[OpDef, Rule] = {
    arrays.VIEW: _view,
    low.SUBVIEW: _subview,
    low.MAY_OVERLAP: may_overlap,
}
