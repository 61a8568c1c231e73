"""Functions in LLVM IR that give the caller's sets what was written to the copies.

They do what those of `written_lists` do, slot by slot: what matters of the entries is the order in
which the index has them.
"""

from collections.abc import Callable

from scriptc.backends.llvm.emitter.function import Components, Emitter
from scriptc.backends.llvm.entry import written_lists
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.rules.objects import (
    LIST_SIZE,
    field_place,
    item_place,
    load_value,
    store_value,
)
from scriptc_runtime.types import DType, SetType


def write_set_before(e: Emitter, type_: SetType) -> None:
    """Write the body of the function that keeps the entries of a set, which have new owners."""
    size = written_lists.size_of_list(e, _lists(e, type_)[0])
    copy = written_lists.new_list(e, type_.entries, size)

    def keep(parts: Components, count: str) -> None:
        e.retain(type_.entries.item, parts)
        store_value(e, item_place(e, type_.entries.item, copy, count), parts)

    count = _each_slot(e, type_, keep)
    size_at = e.let(f"getelementptr i8, ptr {copy}, i64 {LIST_SIZE}")
    e.write(f"store i64 {count}, ptr {size_at}")
    e.write(f"ret ptr {copy}")


def write_set_back(e: Emitter, type_: SetType, made: str) -> None:
    """Write the body of the function that gives a set what was written to its block."""
    entry = type_.entries.item
    size = written_lists.size_of_list(e, _lists(e, type_)[0])
    looked, same, changed = (e.label() for _ in range(3))
    e.branch(
        e.let(f"icmp eq i64 {size}, {written_lists.size_of_list(e, '%before')}"), looked, changed
    )
    e.start(looked)

    def compare(now: Components, count: str) -> None:
        then = load_value(e, item_place(e, entry, "%before", count))
        like = e.label()
        e.branch(written_lists.same_bits(e, abi.flatten(entry), now, then), like, changed)
        e.start(like)

    count = _each_slot(e, type_, compare)
    e.branch(e.let(f"icmp eq i64 {count}, {size}"), same, changed)
    e.start(same)
    e.write("ret i1 true")
    e.start(changed)
    written_lists.give_back(e, type_, made)


def _lists(e: Emitter, type_: SetType) -> tuple[str, str]:
    """Return the entries and the index of a set."""
    entries, index = (
        load_value(e, field_place(e, type_, "%block", name))[0] for name in ("entries", "index")
    )
    return entries, index


def _each_slot(e: Emitter, type_: SetType, act: Callable[[Components, str], None]) -> str:
    """Do something with each entry in the order of the slots; return how many there are.

    A file may state any places, and any number of them: what lies outside is left out.
    """
    entries, places = _lists(e, type_)
    size, slots = written_lists.size_of_list(e, entries), written_lists.size_of_list(e, places)
    head, look, some, done = (e.label() for _ in range(4))
    before = e.block
    e.jump(head)
    e.start(head)
    (slot, count), phis = e.open_phis(("i64", "i64"))
    e.branch(e.let(f"icmp ult i64 {slot}, {slots}"), look, done)
    e.start(look)
    after = e.let(f"add i64 {slot}, 1")
    (short,) = load_value(e, item_place(e, DType.I32, places, slot))
    place = e.let(f"zext i32 {short} to i64")
    inside = e.let(f"icmp ult i64 {place}, {size}")
    room = e.let(f"icmp ult i64 {count}, {size}")
    e.branch(e.let(f"and i1 {inside}, {room}"), some, head)
    e.start(some)
    act(load_value(e, item_place(e, type_.entries.item, entries, place)), count)
    more = e.let(f"add i64 {count}, 1")
    e.jump(head)
    for at, (name, ended) in enumerate(((slot, after), (count, more))):
        kept = after if name == slot else count
        ways = f"[ 0, %{before} ], [ {kept}, %{look} ], [ {ended}, %{e.block} ]"
        e.lines[phis + at] = f"  {name} = phi i64 {ways}"
    e.start(done)
    return count
