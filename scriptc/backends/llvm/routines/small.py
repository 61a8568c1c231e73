"""Small functions in LLVM IR that scripted code calls; a module holds those that it uses."""

from collections.abc import Iterable, Mapping

from scriptc.backends.llvm.emitter.memory_kinds import COUNTS
from scriptc.backends.llvm.loading.abi import (
    BLOCK_COUNT_BITS,
    BLOCK_DELETER,
    BLOCK_ENTERED,
    BLOCK_HEADER,
)
from scriptc_runtime.record import record

_DEFINE = "define internal "
# Counts a block that was made; who counts names nothing else so.
COUNT_BLOCK = """\
  %live = load i64, ptr @sc_live_blocks
  %live.more = add i64 %live, 1
  store i64 %live.more, ptr @sc_live_blocks
  %total = load i64, ptr @sc_total_allocs
  %total.more = add i64 %total, 1
  store i64 %total.more, ptr @sc_total_allocs"""
# The data of a list without its items, and the bytes of items that stand behind them at most.
LIST_BYTES, OWN_ITEMS = 24, 128


@record
class Routine:
    """The text of a function, and what else it needs.

    A shared one is not part of the modules that call it, but of the support code.
    """

    text: str
    declarations: frozenset[str] = frozenset()
    calls: tuple[str, ...] = ()
    shared: bool = False

    @property
    def head(self) -> str:
        """The declaration of a shared routine."""
        _, _, rest = self.text.partition(_DEFINE)
        head, _, _ = rest.partition("{\n")
        return f"declare {head}"

    @property
    def shared_text(self) -> str:
        """The definition of a shared routine, for other objects to use."""
        return self.text.replace(_DEFINE, "define ", 1)


def with_callees(names: Iterable[str], routines: Mapping[str, Routine]) -> list[Routine]:
    """Return the routines of `names` and all that they call, in a fixed order."""
    wanted: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting.extend(() if routines[name].shared else routines[name].calls)
    return [routines[name] for name in sorted(wanted)]


def _declared(*lines: str) -> frozenset[str]:
    return frozenset(lines)


def _array_counter(action: str, python: str) -> Routine:
    """Return what counts an array's owner: a block, null, or an ndarray with its lowest bit set."""
    return Routine(
        f"""\
define internal void @sc.{action}_array(ptr %owner) nounwind {{
  %bits = ptrtoint ptr %owner to i64
  %tagged = trunc i64 %bits to i1
  br i1 %tagged, label %object, label %block
object:
  %array = getelementptr i8, ptr %owner, i64 -1
  call void @{python}(ptr %array)
  ret void
block:
  call void @sc_{action}(ptr %owner)
  ret void
}}
""",
        _declared(f"declare void @{python}(ptr)", f"declare void @sc_{action}(ptr)"),
        shared=True,
    )


# A list's block: size, room and the address of the items. Those that it is made with room for stand
# behind, if they are small together; others are the data of a block of theirs.
def _new_list(name: str, allocator: str) -> Routine:
    return Routine(
        f"""\
define internal ptr @sc.{name}(i64 %capacity, i64 %itemsize, ptr %deleter) nounwind {{
  %few = icmp ule i64 %capacity, {OWN_ITEMS}
  %bytes = mul i64 %capacity, %itemsize
  %short = icmp ule i64 %bytes, {OWN_ITEMS}
  %own = and i1 %few, %short
  %behind = select i1 %own, i64 %bytes, i64 0
  %all = add i64 %behind, {LIST_BYTES}
  %list = call ptr @{allocator}(i64 %all)
  %failed = icmp eq ptr %list, null
  br i1 %failed, label %none, label %fill
fill:
  %size.at = getelementptr i8, ptr %list, i64 {BLOCK_HEADER}
  store i64 0, ptr %size.at
  %room = select i1 %own, i64 %capacity, i64 0
  %room.at = getelementptr i8, ptr %list, i64 {BLOCK_HEADER + 8}
  store i64 %room, ptr %room.at
  %items = getelementptr i8, ptr %list, i64 {BLOCK_HEADER + LIST_BYTES}
  %items.at = getelementptr i8, ptr %list, i64 {BLOCK_HEADER + 16}
  store ptr %items, ptr %items.at
  %deleter.at = getelementptr i8, ptr %list, i64 {BLOCK_DELETER}
  store ptr %deleter, ptr %deleter.at
  br i1 %own, label %made, label %apart
apart:
  %done = call i1 @sc.list_grow(ptr %list, i64 %capacity, i64 %itemsize)
  br i1 %done, label %made, label %drop
made:
  ret ptr %list
drop:
  call void @sc_block_release(ptr %list)
  ret ptr null
none:
  ret ptr null
}}
""",
        _declared(
            f"declare noalias ptr @{allocator}(i64)",
            "declare void @sc_block_release(ptr)",
        ),
        ("list_grow",),
        shared=True,
    )


# Traces of exceptions are lists as well. They have a copy of the next two that is not optimised, as
# programs without lists need no other.
def _list_room(name: str, allocator: str, free: str) -> Routine:
    return Routine(
        f"""\
define internal i1 @sc.{name}(ptr %list, i64 %capacity, i64 %itemsize)
    cold noinline nounwind {{
  %room.at = getelementptr i8, ptr %list, i64 {BLOCK_HEADER + 8}
  %room = load i64, ptr %room.at
  %enough = icmp sge i64 %room, %capacity
  br i1 %enough, label %done, label %grow
grow:
  %both = call {{ i64, i1 }} @llvm.umul.with.overflow.i64(i64 %capacity, i64 %itemsize)
  %bytes = extractvalue {{ i64, i1 }} %both, 0
  %over = extractvalue {{ i64, i1 }} %both, 1
  br i1 %over, label %none, label %allocate
allocate:
  %block = call ptr @{allocator}(i64 %bytes)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %none, label %move
move:
  %new = getelementptr i8, ptr %block, i64 {BLOCK_HEADER}
  %size.at = getelementptr i8, ptr %list, i64 {BLOCK_HEADER}
  %size = load i64, ptr %size.at
  %used = mul i64 %size, %itemsize
  %items.at = getelementptr i8, ptr %list, i64 {BLOCK_HEADER + 16}
  %old = load ptr, ptr %items.at
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %old, i64 %used, i1 false)
  call void @sc.{free}(ptr %list)
  store ptr %new, ptr %items.at
  store i64 %capacity, ptr %room.at
  br label %done
done:
  ret i1 true
none:
  ret i1 false
}}
""",
        _declared(
            f"declare noalias ptr @{allocator}(i64)",
            "declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)",
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        ),
        (free,),
        shared=True,
    )


def _free_items(name: str, release: str) -> Routine:
    return Routine(
        f"""\
define internal void @sc.{name}(ptr %list) nounwind {{
  %items.at = getelementptr i8, ptr %list, i64 {BLOCK_HEADER + 16}
  %items = load ptr, ptr %items.at
  %behind = getelementptr i8, ptr %list, i64 {BLOCK_HEADER + LIST_BYTES}
  %own = icmp eq ptr %items, %behind
  %none = icmp eq ptr %items, null                  ; of a trace that has none
  %kept = or i1 %own, %none
  br i1 %kept, label %done, label %free
free:
  %block = getelementptr i8, ptr %items, i64 {-BLOCK_HEADER}
  call void @{release}(ptr %block)
  br label %done
done:
  ret void
}}
""",
        _declared(f"declare void @{release}(ptr)"),
        shared=True,
    )


# Counts of blocks in the code that calls for them: few releases are the end of a block.
def kept_in_place(name: str) -> Routine:
    """Return what counts one more owner of a block or text, as a part of the code that keeps it."""
    return Routine(
        f"""\
define internal void @sc.{name}(ptr %kept) alwaysinline nounwind {{
  %none = icmp eq ptr %kept, null
  br i1 %none, label %done, label %count
count:
  %n = load i64, ptr %kept{COUNTS}
  %more = add i64 %n, 1
  store i64 %more, ptr %kept{COUNTS}
  br label %done
done:
  ret void
}}
"""
    )


_DROP_BLOCK = Routine(
    f"""\
define internal void @sc.block_drop(ptr %owner) alwaysinline nounwind {{
  %none = icmp eq ptr %owner, null
  br i1 %none, label %done, label %count
count:
  %n = load i64, ptr %owner{COUNTS}
  %less = sub i64 %n, 1
  store i64 %less, ptr %owner{COUNTS}
  %owners = shl i64 %less, {64 - BLOCK_COUNT_BITS}
  %last = icmp eq i64 %owners, 0
  br i1 %last, label %dead, label %done
dead:
  call void @sc_block_end(ptr %owner)
  br label %done
done:
  ret void
}}
""",
    _declared("declare void @sc_block_end(ptr)"),
)

# Whether the collector of rings has a block already.
_TRACK = Routine(
    f"""\
define internal void @sc.track(ptr %block) alwaysinline nounwind {{
  %word = load i64, ptr %block
  %bit = and i64 %word, {BLOCK_ENTERED}
  %new = icmp eq i64 %bit, 0
  br i1 %new, label %enter, label %done
enter:
  call void @sc_track(ptr %block)
  br label %done
done:
  ret void
}}
""",
    _declared("declare void @sc_track(ptr)"),
)

# Inlined: most functions that keep a buffer have it on the stack.
_DROP = Routine(
    """\
define internal void @sc.drop(ptr %owner) nounwind {
  %none = icmp eq ptr %owner, null
  br i1 %none, label %done, label %give
give:
  call void @sc_release(ptr %owner)
  br label %done
done:
  ret void
}
""",
    _declared("declare void @sc_release(ptr)"),
)

ROUTINES: Mapping[str, Routine] = {
    "block_drop": _DROP_BLOCK,
    "block_keep": kept_in_place("block_keep"),
    "drop": _DROP,
    "new_list": _new_list("new_list", "sc_block_new"),
    "new_ring_list": _new_list("new_ring_list", "sc_block_new_ring"),
    "list_grow": _list_room("list_grow", "sc_block_new", "list_free"),
    "list_free": _free_items("list_free", "sc_block_release"),
    "list_reserve": _list_room("list_reserve", "sc_alloc_small", "free_items"),
    "free_items": _free_items("free_items", "sc_release"),
    "track": _TRACK,
    "retain_array": _array_counter("retain", "Py_IncRef"),
    "release_array": _array_counter("release", "Py_DecRef"),
}
