"""Stores of the first lanes of a vector, for targets on which a mask makes a store slow.

With AVX2 alone a store under a mask takes AMD's processors several times as long as a whole one,
and of elements below four bytes LLVM makes a branch for each lane. A function stores half of the
lanes if so many are left, then a quarter, and so on: as many branches as the vector has halves.
"""

from scriptc.backends.llvm.emitter.effort import AS_WRITTEN
from scriptc.backends.llvm.emitter.function import MOSTLY, Emitter
from scriptc.backends.llvm.vectors import reductions
from scriptc_runtime.types import DType


def store_some(e: Emitter, lanes: int, dtype: DType, value: str, at: str, mask: str) -> None:
    """Write the store of the lanes that a mask takes: the first ones, but for rare cases."""
    t = reductions.TYPES[dtype.value]
    v, masks = f"<{lanes} x {t.llvm}>", f"<{lanes} x i1>"
    name = f"@store_some.v{lanes}{t.name}"
    masked = f"@llvm.masked.store.v{lanes}{t.name}.p0"
    text = _function(name, masked, lanes, t.llvm, dtype.itemsize)
    if text not in e.state.helpers:
        e.state.helpers.append(text)
        e.declare(f"declare void {masked}({v}, ptr, {masks})")
        e.declare(f"declare i{lanes} @llvm.ctpop.i{lanes}(i{lanes})")
    bits = e.let(f"bitcast {masks} {mask} to i{lanes}")
    e.write(f"call void {name}({v} {value}, ptr {at}, i{lanes} {bits})")


def _function(name: str, masked: str, lanes: int, type_: str, size: int) -> str:
    """Return the function: where the bits are no first ones, it stores under the mask."""
    v, bits = f"<{lanes} x {type_}>", f"i{lanes}"
    lines = [
        f"define internal void {name}({v} %all, ptr %at, {bits} %bits) {AS_WRITTEN} {{",
        f"  %above = add {bits} %bits, 1",
        f"  %both = and {bits} %above, %bits",
        f"  %are_first = icmp eq {bits} %both, 0",
        f"  br i1 %are_first, label %first, label %others, {MOSTLY}",
        "others:",
        f"  %mask = bitcast {bits} %bits to <{lanes} x i1>",
        f"  call void {masked}({v} %all, ptr align {size} %at, <{lanes} x i1> %mask)",
        "  ret void",
        "first:",
        f"  %count = call {bits} @llvm.ctpop.{bits}({bits} %bits)",
        f"  %are_all = icmp eq {bits} %count, {lanes}",
        "  br i1 %are_all, label %whole, label %halves",
        "whole:",
        f"  store {v} %all, ptr %at, align {size}",
        "  ret void",
        "halves:",
    ]
    rest, place, before = "%all", "%at", "halves"
    left = lanes
    while left > 1:
        half = left // 2
        lines += _half(bits, half, type_, size, (rest, place, before))
        rest, place, before = f"%rest{half}", f"%at{half}", f"next{half}"
        left = half
    return "\n".join([*lines, "  ret void", "}"])


def _half(bits: str, half: int, type_: str, size: int, given: tuple[str, str, str]) -> list[str]:
    """Return the store of half of a vector if so many lanes are left; then the rest is shorter."""
    rest, place, before = given
    v, part = f"<{2 * half} x {type_}>", f"<{half} x {type_}>"
    low, high = (", ".join(f"i32 {k + i}" for i in range(half)) for k in (0, half))
    return [
        f"  %low{half} = shufflevector {v} {rest}, {v} poison, <{half} x i32> <{low}>",
        f"  %bit{half} = and {bits} %count, {half}",
        f"  %is{half} = icmp ne {bits} %bit{half}, 0",
        f"  br i1 %is{half}, label %store{half}, label %next{half}",
        f"store{half}:",
        f"  store {part} %low{half}, ptr {place}, align {size}",
        f"  %high{half} = shufflevector {v} {rest}, {v} poison, <{half} x i32> <{high}>",
        f"  %after{half} = getelementptr i8, ptr {place}, i64 {half * size}",
        f"  br label %next{half}",
        f"next{half}:",
        f"  %rest{half} = phi {part} [ %low{half}, %{before} ], [ %high{half}, %store{half} ]",
        f"  %at{half} = phi ptr [ {place}, %{before} ], [ %after{half}, %store{half} ]",
    ]
