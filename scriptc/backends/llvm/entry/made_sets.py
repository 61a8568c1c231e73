"""What makes a set of CPython's with the same slots as a script's."""

from collections.abc import Callable, Sequence

from scriptc.backends.llvm.emitter.box import Boxer
from scriptc.backends.llvm.emitter.function import SELDOM, Emitter, ModuleState
from scriptc.backends.llvm.emitter.layout import Layout
from scriptc.backends.llvm.rules.objects import LIST_SIZE, field_place, item_place, load_value
from scriptc_runtime.types import Container, DType, ListType, SetType

# Returns the function that gives a list or container, for items that hold some.
ListOut = Callable[[ModuleState, Layout, ListType | Container], str]


def write_set_made(e: Emitter, layout: Layout, type_: SetType, list_out: ListOut) -> None:
    """Write the function that makes a set with the same slots: its order is that of the script."""
    entries, places, finger = (
        load_value(e, field_place(e, type_, "%block", name))[0]
        for name in ("entries", "index", "finger")
    )
    sizes_at = (e.let(f"getelementptr i8, ptr {p}, i64 {LIST_SIZE}") for p in (places, entries))
    size, count = [e.let(f"load i64, ptr {at}") for at in sizes_at]
    made = "@PyFrozenSet_New" if type_.frozen else "@PySet_New"
    e.state.routines.add("set_room")
    offsets = (layout.set_mask, layout.set_table, layout.set_finger)
    numbers = ", ".join(f"i64 {number}" for number in (size, finger, *offsets))
    result = e.intrinsic("ptr", made, "ptr null")
    slots = e.let(f"call ptr @sc.set_room(ptr {result}, {numbers})")
    head, body, held, removed, some, done, none = (e.label() for _ in range(7))
    failed = e.label()
    e.branch(e.let(f"icmp eq ptr {slots}, null"), failed, head, SELDOM)
    before = e.block
    e.start(head)
    (index,), place = e.open_phis(("i64",))
    e.branch(e.let(f"icmp ult i64 {index}, {size}"), body, done)
    e.start(body)
    after = e.let(f"add i64 {index}, 1")
    slot = e.let(f"getelementptr [2 x i64], ptr {slots}, i64 {index}")
    (entry,) = load_value(e, item_place(e, DType.I32, places, index))
    absent = e.block
    e.branch(e.let(f"icmp eq i32 {entry}, -1"), head, held)
    e.start(held)
    looked, full = e.label(), e.label()
    e.branch(e.let(f"icmp eq i32 {entry}, -2"), removed, looked)
    e.start(looked)
    # A file may state any places.
    at = e.let(f"zext i32 {entry} to i64")
    e.branch(e.let(f"icmp ult i64 {at}, {count}"), some, full)
    e.start(some)
    code, *parts = load_value(e, item_place(e, type_.entries.item, entries, at))
    e.retain(type_.item, tuple(parts))
    obj = Boxer(e, layout, list_out).box(type_.item, tuple(parts))
    kept = e.label()
    e.branch(e.let(f"icmp eq ptr {obj}, null"), failed, kept, SELDOM)
    e.start(kept)
    _put_into_slot(e, result, slot, (obj, code), (layout.set_fill, layout.set_used))
    e.jump(head)
    from_some = e.block
    e.start(removed)
    mark = e.python_object("removed_item")
    _put_into_slot(e, result, slot, (mark, "-1"), (layout.set_fill,))
    e.jump(head)
    ways = [(after, block) for block in (absent, from_some, e.block)]
    steps = ", ".join(f"[ {value}, %{block} ]" for value, block in (("0", before), *ways))
    e.lines[place] = f"  {index} = phi i64 {steps}"
    e.start(done)
    # A file may state a table without a free slot, in which CPython would search for ever.
    fill_at = e.let(f"getelementptr i8, ptr {result}, i64 {layout.set_fill}")
    fill = e.let(f"load i64, ptr {fill_at}")
    most = e.intrinsic("i64", "@llvm.umax.i64", f"i64 {size}", "i64 8")
    right = e.label()
    e.branch(e.let(f"icmp ult i64 {fill}, {most}"), right, full)
    e.start(full)
    e.declare("declare void @PyErr_BadInternalCall()")
    e.write("call void @PyErr_BadInternalCall()")
    e.jump(failed)
    e.start(failed)
    e.declare("declare void @Py_DecRef(ptr)")
    e.write(f"call void @Py_DecRef(ptr {result})")
    e.jump(none)
    e.start(none)
    e.write("ret ptr null")
    e.start(right)
    e.write(f"ret ptr {result}")


def _put_into_slot(
    e: Emitter, made: str, slot: str, held: tuple[str, str], counts: Sequence[int]
) -> None:
    """Write an object and a hash into a slot of a new set, and count it."""
    e.write(f"store ptr {held[0]}, ptr {slot}")
    code_at = e.let(f"getelementptr i8, ptr {slot}, i64 8")
    e.write(f"store i64 {held[1]}, ptr {code_at}")
    for offset in counts:
        at = e.let(f"getelementptr i8, ptr {made}, i64 {offset}")
        count = e.let(f"load i64, ptr {at}")
        e.write(f"store i64 {e.let(f'add i64 {count}, 1')}, ptr {at}")
