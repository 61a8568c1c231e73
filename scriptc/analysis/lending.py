"""Which values that are loaded from an object, a list or a cell need no count of their own.

A field holds a count of its value, and the value lives while the object does and the field is not
written. So what is loaded from there may be borrowed, if between the load and the last use of the
value nothing writes a field of that name, or an item of such a list, and nothing runs code of which
this is not known: no call but of a function that only reads, and no loop that looks for signals,
whose handlers are Python's. What else is released meanwhile can only let go of what it holds.
"""

from collections.abc import Callable, Iterator, MutableMapping, Sequence
from typing import cast

from scriptc_runtime.ir import Block, Instr, Value
from scriptc_runtime.ops import (
    classes,
    containers,
    control,
    data,
    elementwise,
    exact,
    list_items,
    low,
    named,
    texts,
    unions,
)
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record
from scriptc_runtime.types import CellType, ListType, Type, is_counted

# What a value is loaded from: fields of a name, items of a type, or cells of one.
_Place = tuple[str, str | Type]

_WRITES_ITEMS = frozenset(
    {
        list_items.LIST_STORE,
        list_items.LIST_MOVE,
        list_items.LIST_COPY,
        list_items.LIST_PAD,
        list_items.LIST_SET_SIZE,
    }
)
# Ops that write no place and run no code but their own; blocks of theirs are looked into.
_HARMLESS = frozenset(
    {
        *(op for op in vars(elementwise).values() if isinstance(op, OpDef)),
        *(op for op in vars(exact).values() if isinstance(op, OpDef)),
        *(op for op in vars(classes).values() if isinstance(op, OpDef)),
        *(op for op in vars(unions).values() if isinstance(op, OpDef)),
        *(op for op in vars(named).values() if isinstance(op, OpDef)),
        *(data.CONST, data.TUPLE, data.ITEM, data.SOME, data.NOTHING, data.HAS_VALUE, data.UNWRAP),
        *(data.NEW, data.FIELD, data.SAME, data.STR_LEN, containers.CONTAINER),
        *(control.IF, control.BLOCK, control.EXIT, control.RAISE, control.CELL, control.CELL_GET),
        *(list_items.LIST_SIZE, list_items.LIST_CAPACITY, list_items.LIST_LOAD),
        *(list_items.LIST_ALLOC, list_items.LIST_RESERVE),
        *(texts.STR_GET, texts.STR_CODE, low.SELECT, low.RETAIN),
    }
)


@record
class _Loaded:
    """A value, and the place that it is loaded from."""

    value: Value
    place: _Place
    base: Callable[[Value], Value]
    only_reads: Callable[[Instr], bool]

    def uses_in(self, block: Block) -> Sequence[int]:
        """Return the places of what needs the value in a block, or what may live in it.

        That is what is loaded from it, too, which may turn out to be borrowed from it later: outer
        blocks are looked at before inner ones.
        """
        held = {self.value}
        return [k for k, instr in enumerate(block.body) if self._is_needed_by(instr, held)]

    def _is_needed_by(self, instr: Instr, held: set[Value]) -> bool:
        found = not held.isdisjoint(map(self.base, instr.operands))
        for block in instr.blocks:
            for inner in block.body:
                found = self._is_needed_by(inner, held) or found
        if found and instr.op is not control.CALL:
            held.update(result for result in instr.results if is_counted(result.type))
        return found


def lent(
    block: Block,
    last_uses: MutableMapping[Value, int],
    base: Callable[[Value], Value],
    only_reads: Callable[[Instr], bool],
) -> Iterator[tuple[Value, Value]]:
    """Yield the values loaded in a block that may be borrowed, each with what it is loaded from.

    `last_uses` has the index of the last instruction that needs a value, of those in the block; it
    is moved on for what others are loaded from. `base` gives what a value itself is borrowed from;
    `only_reads` says of a call, or of a loop without its block, that it runs no code which writes.
    """
    # The last loads first: what is loaded from a value, and borrowed, needs it for longer.
    for index in range(len(block.body) - 1, -1, -1):
        instr = block.body[index]
        place = _place(instr)
        if place is None or not is_counted(instr.result.type):
            continue
        last = last_uses.get(instr.result, index)
        loaded = _Loaded(instr.result, place, base, only_reads)
        if _is_left_alone(loaded, block.body, index + 1, last):
            source = base(instr.operands[0])
            last_uses[source] = max(last_uses.get(source, -1), last)
            yield instr.result, source


def _place(instr: Instr) -> _Place | None:
    """Return what an instruction loads from."""
    if instr.op is data.FIELD:
        return "field", str(instr.attrs["name"])
    if instr.op is list_items.LIST_LOAD:
        return "item", cast(ListType, instr.operands[0].type).item
    if instr.op is control.CELL_GET:
        return "cell", cast(CellType, instr.operands[0].type).item
    return None


def _written(instr: Instr) -> _Place | None:
    """Return what an instruction writes, of those that write one place."""
    if instr.op is data.SET_FIELD:
        return "field", str(instr.attrs["name"])
    if instr.op in _WRITES_ITEMS:
        return "item", cast(ListType, instr.operands[0].type).item
    if instr.op is control.CELL_SET:
        return "cell", cast(CellType, instr.operands[0].type).item
    return None


def _is_left_alone(loaded: _Loaded, body: Sequence[Instr], first: int, last: int) -> bool:
    """Whether nothing writes a place from one instruction to the last that needs its value.

    That one may, as it has the value before. Of its blocks, if it runs them once, and of branches
    that leave the body, the part counts after which they need the value no more.
    """
    for index in range(first, min(last, len(body) - 1) + 1):
        instr = body[index]
        if index == last:
            if _written(instr) is not None or instr.op is low.RELEASE:
                return True
            if instr.op in (control.IF, control.BLOCK):
                return all(_is_left_until_used(loaded, block) for block in instr.blocks)
        if _leaves_alone(instr, loaded):
            continue
        if instr.op is not control.IF or not all(
            _is_left_until_used(loaded, block)
            if _leaves(block, instr)
            else all(_leaves_alone(inner, loaded) for inner in block.body)
            for block in instr.blocks
        ):
            return False
    return True


def _leaves(block: Block, instr: Instr) -> bool:
    """Whether what follows an instruction is not reached from the end of one of its blocks."""
    target = block.body[-1].target
    return target is not None and target.label is not instr.label


def _is_left_until_used(loaded: _Loaded, block: Block) -> bool:
    """Whether nothing in a block writes a place before the last use of its value there."""
    uses = loaded.uses_in(block)
    return not uses or _is_left_alone(loaded, block.body, 0, uses[-1])


def _leaves_alone(instr: Instr, loaded: _Loaded) -> bool:
    written = _written(instr)
    if written is not None:
        return written != loaded.place
    if not _is_harmless(instr, loaded):
        return False
    return all(_leaves_alone(inner, loaded) for block in instr.blocks for inner in block.body)


def _is_harmless(instr: Instr, loaded: _Loaded) -> bool:
    if instr.op is low.RELEASE:
        return not is_counted(instr.operands[0].type)  # generic code used with numbers
    if instr.op in (control.CALL, control.FOR, control.WHILE):
        return loaded.only_reads(instr)
    return instr.op in _HARMLESS
