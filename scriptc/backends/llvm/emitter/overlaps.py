"""LLVM code for the test whether two arrays may share memory.

The lowest and the highest address of an array are computed by a function of the module, one for
each rank: written where they are needed they would be half of the text of a stencil.
"""

from typing import cast

from scriptc.backends.llvm.emitter.addresses import parts
from scriptc.backends.llvm.emitter.function import Emitter
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.types import TensorType

_PAIR = "{ ptr, ptr }"
_MINIMUM = "declare i64 @llvm.smin.i64(i64, i64)"
_MAXIMUM = "declare i64 @llvm.smax.i64(i64, i64)"


def may_overlap(e: Emitter, instr: Instr) -> None:
    """Compare the lowest and highest addresses; an array without elements overlaps nothing."""
    (first, first_end), (second, second_end) = (_extent(e, array) for array in instr.operands)
    below = e.let(f"icmp ult ptr {first}, {second_end}")
    above = e.let(f"icmp ult ptr {second}, {first_end}")
    e.bind(instr, e.let(f"and i1 {below}, {above}"))


def _extent(e: Emitter, array: Value) -> tuple[str, str]:
    """Return the lowest address and the one behind the highest; null without elements."""
    described = parts(e, array)
    type_ = cast(TensorType, array.type)
    text = _extent_text(type_.rank)
    if text not in e.state.helpers:
        e.state.helpers.append(text)
        e.declare(_MINIMUM)
        e.declare(_MAXIMUM)
    numbers = (str(type_.dtype.itemsize), *described.sizes, *described.strides)
    given = ", ".join((f"ptr {described.data}", *(f"i64 {number}" for number in numbers)))
    both = e.let(f"call {_PAIR} @sc.extent.{type_.rank}({given})")
    low, high = (e.let(f"extractvalue {_PAIR} {both}, {place}") for place in (0, 1))
    return low, high


def _extent_text(rank: int) -> str:
    params = ["ptr %data", "i64 %itemsize"]
    params += [f"i64 %{what}{axis}" for what in ("size", "stride") for axis in range(rank)]
    lines: list[str] = []
    low, high, some = "0", "1", "true"
    for axis in range(rank):
        lines += [
            f"%last{axis} = sub i64 %size{axis}, 1",
            f"%far{axis} = mul i64 %last{axis}, %stride{axis}",
            f"%down{axis} = call i64 @llvm.smin.i64(i64 %far{axis}, i64 0)",
            f"%up{axis} = call i64 @llvm.smax.i64(i64 %far{axis}, i64 0)",
            f"%low{axis} = add i64 {low}, %down{axis}",
            f"%high{axis} = add i64 {high}, %up{axis}",
            f"%positive{axis} = icmp sgt i64 %size{axis}, 0",
            f"%some{axis} = and i1 {some}, %positive{axis}",
        ]
        low, high, some = f"%low{axis}", f"%high{axis}", f"%some{axis}"
    for name, offset in (("low", low), ("high", high)):
        lines += [
            f"%{name} = mul i64 {offset}, %itemsize",
            f"%{name}.at = getelementptr i8, ptr %data, i64 %{name}",
            f"%{name}.end = select i1 {some}, ptr %{name}.at, ptr null",
        ]
    lines += [
        f"%one = insertvalue {_PAIR} poison, ptr %low.end, 0",
        f"%both = insertvalue {_PAIR} %one, ptr %high.end, 1",
        f"ret {_PAIR} %both",
    ]
    head = f"define internal {_PAIR} @sc.extent.{rank}({', '.join(params)})"
    # Of the arguments alone, so LLVM takes calls out of loops, and one for several.
    head += " noinline nounwind willreturn speculatable memory(none) {"
    return "\n".join((head, *(f"  {line}" for line in lines), "}", ""))
