"""Several items of lists at once: moved, copied, released, repeated."""

from collections.abc import Mapping
from typing import cast

from scriptc.backends.llvm.emitter.function import Components, Emitter, Rule
from scriptc.backends.llvm.emitter.memory_kinds import ITEMS
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.rules.objects import (
    LIST_SIZE,
    each_below,
    item_place,
    load_i64,
    load_value,
    new_list,
    size_of,
    store_i64,
    store_value,
    whole,
)
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import list_items, tuples
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import ListType, Type, is_counted


def _list_move(e: Emitter, instr: Instr) -> None:
    block, to, first, count = e.operands(instr)
    item = cast(ListType, instr.operands[0].type).item
    places = [item_place(e, item, block, index).at for index in (to, first)]
    _move_items(e, item, places[0], places[1], count)


def _move_items(e: Emitter, item: Type, to: str, first: str, count: str) -> None:
    size = e.let(f"mul i64 {count}, {size_of(abi.struct_of(item))}")
    name = "@llvm.memmove.p0.p0.i64"
    e.declare(f"declare void {name}(ptr, ptr, i64, i1)")
    e.write(f"call void {name}(ptr {to}, ptr {first}, i64 {size}, i1 false)")


def _list_copy(e: Emitter, instr: Instr) -> None:
    block, to, source, first, count = e.operands(instr)
    item = cast(ListType, instr.operands[0].type).item
    _copy_items(e, item, (block, to), (source, first), count)


def _copy_items(
    e: Emitter, item: Type, to: tuple[str, str], first: tuple[str, str], count: str
) -> None:
    """Copy items from one list and place in it to another; each has an owner more."""
    at, given = item_place(e, item, *to).at, item_place(e, item, *first).at
    _move_items(e, item, at, given, count)
    if is_counted(item):
        with each_below(e, count) as index:
            place = e.let(f"getelementptr {abi.struct_of(item)}, ptr {at}, i64 {index}")
            e.retain(item, load_value(e, whole(item, place, ITEMS)))


def _list_drop(e: Emitter, instr: Instr) -> None:
    block, first, count = e.operands(instr)
    item = cast(ListType, instr.operands[0].type).item
    if is_counted(item):
        at = item_place(e, item, block, first).at
        with each_below(e, count) as index:
            place = e.let(f"getelementptr {abi.struct_of(item)}, ptr {at}, i64 {index}")
            e.release(item, load_value(e, whole(item, place, ITEMS)))


def _list_pad(e: Emitter, instr: Instr) -> None:
    base, to, times, value = instr.operands
    item = cast(ListType, base.type).item
    at = item_place(e, item, e.one(base), e.one(to)).at
    components, after = e.components(value), e.label()
    if len(components) == 1 and not is_counted(item):
        _set_bytes(e, item, at, e.one(times), components, after)
    with each_below(e, e.one(times)) as index:
        place = e.let(f"getelementptr {abi.struct_of(item)}, ptr {at}, i64 {index}")
        store_value(e, whole(item, place, ITEMS), components)
        if is_counted(item):
            e.retain(item, components)
    e.jump(after)
    e.start(after)


def _set_bytes(
    e: Emitter, item: Type, at: str, times: str, components: Components, after: str
) -> None:
    """Write a number at places behind each other, and go on, if all its bytes are the same."""
    (part,) = abi.flatten(item)
    size = abi.bytes_of(item)
    bits = components[0]
    if part == "i1":
        bits = e.let(f"zext i1 {bits} to i8")
    elif not part.startswith("i"):
        bits = e.let(f"bitcast {part} {bits} to i{8 * size}")
    byte = bits if size == 1 else e.let(f"trunc i{8 * size} {bits} to i8")
    alike = "true"
    if size > 1:
        again = e.let(f"zext i8 {byte} to i{8 * size}")
        again = e.let(f"mul i{8 * size} {again}, {int.from_bytes(bytes([1] * size))}")
        alike = e.let(f"icmp eq i{8 * size} {bits}, {again}")
    fill, each = e.label(), e.label()
    e.branch(alike, fill, each)
    e.start(fill)
    name = "@llvm.memset.p0.i64"
    e.declare(f"declare void {name}(ptr, i8, i64, i1)")
    bytes_ = e.let(f"mul i64 {times}, {size}")
    e.write(f"call void {name}(ptr {at}, i8 {byte}, i64 {bytes_}, i1 false)")
    e.jump(after)
    e.start(each)


def _tuple_of(e: Emitter, instr: Instr) -> None:
    type_, source = cast(ListType, instr.result.type), e.one(instr.operands[0])
    size = load_i64(e, source, LIST_SIZE)
    block = new_list(e, instr, type_, size)
    _copy_items(e, type_.item, (block, "0"), (source, "0"), size)
    store_i64(e, block, LIST_SIZE, size)
    e.bind(instr, block)


RULES: Mapping[OpDef, Rule] = {
    list_items.LIST_MOVE: _list_move,
    list_items.LIST_COPY: _list_copy,
    list_items.LIST_DROP: _list_drop,
    list_items.LIST_PAD: _list_pad,
    tuples.TUPLE_OF: _tuple_of,
}
