"""LLVM code for arrays seen in another shape."""

from collections.abc import Mapping, Sequence
from typing import cast

from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.rules.memory import parts, product
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import reshaping
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import TensorType


def _call(e: Emitter, instr: Instr) -> tuple[str, str]:
    """Call the routine that finds strides; return whether there are any, and where they lie."""
    base, *asked = instr.operands
    described = parts(e, base)
    old = _numbers(e, [*described.sizes, *described.strides], len(described.strides))
    sizes = [e.one(v) for v in asked]
    new = _numbers(e, sizes, 2 * len(sizes))
    e.state.routines.add("reshape")
    rank = len(described.sizes)
    call = f"call i1 @sc.reshape(ptr {old}, i64 {rank}, ptr {new}, i64 {len(sizes)})"
    return e.let(call), new


def _numbers(e: Emitter, values: Sequence[str], room: int) -> str:
    """Return memory with `values` at its start, and room for at least that many numbers."""
    place = e.alloca(f"[{max(room, len(values), 1)} x i64]")
    for index, value in enumerate(values):
        at = e.let(f"getelementptr i64, ptr {place}, i64 {index}")
        e.write(f"store i64 {value}, ptr {at}")
    return place


def _can_reshape(e: Emitter, instr: Instr) -> None:
    if instr.attrs["dense"]:
        e.bind(instr, _is_dense(e, instr.operands[0]))
    else:
        e.bind(instr, _call(e, instr)[0])


def _is_dense(e: Emitter, array: Value) -> str:
    """Return whether an array is C-contiguous: one without elements is."""
    described = parts(e, array)
    dense, empty, stride = "true", "false", "1"
    for size, own in zip(reversed(described.sizes), reversed(described.strides), strict=True):
        same = e.let(f"icmp eq i64 {own}, {stride}")
        single = e.let(f"icmp eq i64 {size}, 1")
        dense = e.let(f"and i1 {dense}, {e.let(f'or i1 {same}, {single}')}")
        empty = e.let(f"or i1 {empty}, {e.let(f'icmp eq i64 {size}, 0')}")
        stride = product(e, stride, size)
    return e.let(f"or i1 {dense}, {empty}")


def _reshaped(e: Emitter, instr: Instr) -> None:
    base, *asked = instr.operands
    described = parts(e, base)
    sizes = [e.one(v) for v in asked]
    strides: list[str] = []
    if instr.attrs["dense"]:
        stride = "1"
        for size in reversed(sizes):
            strides.insert(0, stride)
            stride = product(e, stride, size)
    else:
        _, new = _call(e, instr)
        for index in range(len(sizes), 2 * len(sizes)):
            at = e.let(f"getelementptr i64, ptr {new}, i64 {index}")
            strides.append(e.let(f"load i64, ptr {at}"))
    dims = cast(TensorType, instr.result.type).dims
    known = [str(d.constant) if d.is_constant else s for d, s in zip(dims, sizes, strict=True)]
    e.bind(instr, described.data, described.owner, *known, *strides)


RULES: Mapping[OpDef, Rule] = {
    reshaping.CAN_RESHAPE: _can_reshape,
    reshaping.RESHAPED: _reshaped,
}
