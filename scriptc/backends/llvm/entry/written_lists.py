"""Functions in LLVM IR that give the caller's lists and dicts what was written to the copies.

`@sc.list_before_K(block)` gives a list of what a block holds when the call begins. After the call
`@sc.list_back_K(object, block, before, memo)` compares it with what the block holds then, bit by
bit, and where they differ gives the object what CPython would have made of it.
"""

from scriptc.backends.llvm.emitter.function import SELDOM, Components, Emitter
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.rules.objects import (
    LIST_ITEMS,
    LIST_SIZE,
    field_place,
    item_place,
    list_or_null,
    load_value,
    size_of,
)
from scriptc.backends.llvm.rules.rings import track
from scriptc_runtime.types import Container, DequeType, DictType, ListType, is_counted

Held = ListType | DictType | DequeType
# Integers that are as wide as floats.
_INTEGERS = {"half": "i16", "float": "i32", "double": "i64"}


def rows_of(type_: Held) -> ListType:
    """Return the type of the list that the block of a list or container is, or holds."""
    match type_:
        case ListType():
            return type_
        case DictType():
            return type_.entries
        case DequeType():
            return ListType(type_.item)


def _rows(e: Emitter, type_: Held) -> str:
    """Return the list that the block is, or holds."""
    match type_:
        case ListType():
            return "%block"
        case DictType():
            return load_value(e, field_place(e, type_, "%block", "entries"))[0]
        case DequeType():
            return load_value(e, field_place(e, type_, "%block", "items"))[0]


def size_of_list(e: Emitter, rows: str) -> str:
    """Return how many items a list has."""
    at = e.let(f"getelementptr i8, ptr {rows}, i64 {LIST_SIZE}")
    return e.let(f"load i64, ptr {at}")


def new_list(e: Emitter, type_: ListType, size: str) -> str:
    """Return a list without items that has room for some; where there is none, null is returned."""
    block = list_or_null(e, type_, size)
    made, none = e.label(), e.label()
    e.branch(e.let(f"icmp eq ptr {block}, null"), none, made, SELDOM)
    e.start(none)
    e.write("ret ptr null")
    e.start(made)
    track(e, type_, block)
    return block


def write_before(e: Emitter, type_: Held) -> None:
    """Write the body of the function that keeps what a block holds: its items have new owners."""
    listed = rows_of(type_)
    rows = _rows(e, type_)
    size = size_of_list(e, rows)
    copy = new_list(e, listed, size)
    width = e.let(f"mul i64 {size}, {size_of(abi.struct_of(listed.item))}")
    parts = [
        e.let(f"load ptr, ptr {e.let(f'getelementptr i8, ptr {block}, i64 {LIST_ITEMS}')}")
        for block in (copy, rows)
    ]
    e.declare("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    given = ", ".join(f"ptr {part}" for part in parts)
    e.write(f"call void @llvm.memcpy.p0.p0.i64({given}, i64 {width}, i1 false)")
    size_at = e.let(f"getelementptr i8, ptr {copy}, i64 {LIST_SIZE}")
    e.write(f"store i64 {size}, ptr {size_at}")
    if is_counted(listed.item):
        head, body, done = e.label(), e.label(), e.label()
        before = e.block
        e.jump(head)
        e.start(head)
        (index,), place = e.open_phis(("i64",))
        e.branch(e.let(f"icmp ult i64 {index}, {size}"), body, done)
        e.start(body)
        e.retain(listed.item, load_value(e, item_place(e, listed.item, copy, index)))
        after = e.let(f"add i64 {index}, 1")
        e.jump(head)
        e.lines[place] = f"  {index} = phi i64 [ 0, %{before} ], [ {after}, %{e.block} ]"
        e.start(done)
    e.write(f"ret ptr {copy}")


def write_back(e: Emitter, type_: Held, made: str) -> None:
    """Write the body of the function that gives an object what was written to its block.

    `made` is the function that makes a new object of a block.
    """
    item = rows_of(type_).item
    rows = _rows(e, type_)
    size = size_of_list(e, rows)
    head, body, more, same, changed = (e.label() for _ in range(5))
    equal = e.let(f"icmp eq i64 {size}, {size_of_list(e, '%before')}")
    if isinstance(type_, DequeType):
        # Items that were taken from the start are still there.
        start = load_value(e, field_place(e, type_, "%block", "start"))[0]
        equal = e.let(f"and i1 {equal}, {e.let(f'icmp eq i64 {start}, 0')}")
    first = e.block
    e.branch(equal, head, changed)
    e.start(head)
    (index,), place = e.open_phis(("i64",))
    e.branch(e.let(f"icmp ult i64 {index}, {size}"), body, same)
    e.start(body)
    now, then = (load_value(e, item_place(e, item, block, index)) for block in (rows, "%before"))
    after = e.let(f"add i64 {index}, 1")
    e.branch(same_bits(e, abi.flatten(item), now, then), more, changed)
    e.start(more)
    e.jump(head)
    e.lines[place] = f"  {index} = phi i64 [ 0, %{first} ], [ {after}, %{more} ]"
    e.start(same)
    e.write("ret i1 true")
    e.start(changed)
    give_back(e, type_, made)


def give_back(e: Emitter, type_: ListType | Container, made: str) -> None:
    """Write the end of a function that gives an object what its block holds."""
    new = e.let(f"call ptr {made}(ptr %block, ptr %memo)")
    made, none = e.label(), e.label()
    e.branch(e.let(f"icmp eq ptr {new}, null"), none, made, SELDOM)
    e.start(none)
    e.write("ret i1 false")
    e.start(made)
    if isinstance(type_, ListType):
        e.state.routines.add("put_items")
        done = e.let(f"call i1 @sc.put_items(ptr %object, ptr {new})")
    else:
        e.state.routines.add("put_back")
        function = e.python_object("put_back")
        done = e.let(f"call i1 @sc.put_back(ptr {function}, ptr %object, ptr {new})")
    e.write(f"ret i1 {done}")


def same_bits(e: Emitter, types: Components, first: Components, second: Components) -> str:
    """Return whether two values are the same: texts and objects by where they are."""
    result = "true"
    for type_, one, other in zip(types, first, second, strict=True):
        whole = _INTEGERS.get(type_, type_)
        if whole != type_:
            one, other = (e.let(f"bitcast {type_} {part} to {whole}") for part in (one, other))
        equal = e.let(f"icmp eq {whole} {one}, {other}")
        result = equal if result == "true" else e.let(f"and i1 {result}, {equal}")
    return result
