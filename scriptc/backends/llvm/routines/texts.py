"""Functions in LLVM IR that make texts of characters to come, and count their owners.

A text is a cell, or lies in a block, see `abi`; it has a count of its own. It does not change, but
for one that nobody else owns: that is made longer where it is. What gives a text gives a count of
it, or null with CPython's exception set; `sc.text_in` and `sc.text_new` set none.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.loading.abi import (
    BLOCK_HEADER,
    TEXT_CELL,
    TEXT_DATA,
    TEXT_HASH,
    TEXT_IN_BLOCK,
    TEXT_KIND,
    TEXT_LENGTH,
)
from scriptc.backends.llvm.routines.small import COUNT_BLOCK, Routine, kept_in_place

# A count that no program gets to zero.
_FOR_EVER = 1 << 62

_PAGE = 1 << 16

# Longer texts are refused before their size in bytes is computed.
_LONGEST = 1 << 44

OF_HEAP = frozenset(
    {
        "declare noalias ptr @sc_alloc_small(i64)",
        "declare void @sc_release(ptr)",
        "@sc_live_blocks = external global i64",
    }
)

OF_BYTES = frozenset(
    {
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        "declare i32 @memcmp(ptr, ptr, i64)",
        "declare ptr @memchr(ptr, i32, i64)",
    }
)

OF_NUMBERS = frozenset(
    {
        "declare i64 @llvm.usub.sat.i64(i64, i64)",
        "declare i64 @llvm.uadd.sat.i64(i64, i64)",
        "declare i64 @llvm.umax.i64(i64, i64)",
        "declare i64 @llvm.umin.i64(i64, i64)",
    }
)


def fields(block: str, *names: str) -> str:
    """Return lines that read fields of a text: `%a.length`, `%a.kind`, `%a.shift`, `%a.data`."""
    lines = [f"  %{block}.data = getelementptr i8, ptr %{block}, i64 {TEXT_DATA}"]
    if "length" in names:
        lines += [
            f"  %{block}.length.at = getelementptr i8, ptr %{block}, i64 {TEXT_LENGTH}",
            f"  %{block}.length = load i64, ptr %{block}.length.at",
        ]
    if "kind" in names:
        lines += [
            f"  %{block}.kind.at = getelementptr i8, ptr %{block}, i64 {TEXT_KIND}",
            f"  %{block}.kind.i32 = load i32, ptr %{block}.kind.at",
            f"  %{block}.kind = zext i32 %{block}.kind.i32 to i64",
        ]
    if "shift" in names:
        lines.append(f"  %{block}.shift = call i64 @llvm.usub.sat.i64(i64 %{block}.kind, i64 1)")
    return "\n".join(lines)


MEASURES = ("length", "kind", "shift")

_NEW = Routine(
    f"""\
; A text of characters to come; null where there is no memory.
define internal ptr @sc.text_new(i64 %length, i64 %kind) nounwind {{
  %sane = icmp ule i64 %length, {_LONGEST}
  br i1 %sane, label %measure, label %none
measure:
  %shift = call i64 @llvm.usub.sat.i64(i64 %kind, i64 1)
  %size = shl i64 %length, %shift
  %bytes = add i64 %size, {TEXT_DATA}
  %small = icmp ule i64 %bytes, {TEXT_CELL}
  br i1 %small, label %cell, label %block
cell:
  %short = call ptr @sc.text_cell()
  br label %look
block:
  %long = call ptr @sc.text_block(i64 %bytes)
  br label %look
look:
  %text = phi ptr [ %short, %cell ], [ %long, %block ]
  %in.block = phi i32 [ 0, %cell ], [ 1, %block ]
  %failed = icmp eq ptr %text, null
  br i1 %failed, label %none, label %fill
fill:
  store i64 1, ptr %text
  %hash.at = getelementptr i8, ptr %text, i64 {TEXT_HASH}
  store i64 -1, ptr %hash.at
  %kind.at = getelementptr i8, ptr %text, i64 {TEXT_KIND}
  %kind.i32 = trunc i64 %kind to i32
  store i32 %kind.i32, ptr %kind.at
  %in.block.at = getelementptr i8, ptr %text, i64 {TEXT_IN_BLOCK}
  store i32 %in.block, ptr %in.block.at
  %length.at = getelementptr i8, ptr %text, i64 {TEXT_LENGTH}
  store i64 %length, ptr %length.at
  ret ptr %text
none:
  ret ptr null
}}
""",
    OF_NUMBERS,
    ("text_block", "text_cell"),
    shared=True,
)

_BLOCK = Routine(
    f"""\
; The data of a new block.
define internal ptr @sc.text_block(i64 %bytes) nounwind {{
  %block = call ptr @sc_alloc_small(i64 %bytes)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %none, label %made
made:
  %data = getelementptr i8, ptr %block, i64 {BLOCK_HEADER}
  ret ptr %data
none:
  ret ptr null
}}
""",
    OF_HEAP,
    shared=True,
)

_CELL = Routine(
    f"""\
; A cell: one that was let go, or the next of a page of them. Cells are never given back.
@sc.text.free = internal global ptr null
@sc.text.next = internal global ptr null
@sc.text.end = internal global ptr null
define internal ptr @sc.text_cell() nounwind {{
  %free = load ptr, ptr @sc.text.free
  %none.free = icmp eq ptr %free, null
  br i1 %none.free, label %fresh, label %reuse
reuse:
  %behind = load ptr, ptr %free
  store ptr %behind, ptr @sc.text.free
  br label %count
fresh:
  %next = load ptr, ptr @sc.text.next
  %end = load ptr, ptr @sc.text.end
  %full = icmp eq ptr %next, %end
  br i1 %full, label %page, label %take
page:
  %new = call ptr @aligned_alloc(i64 64, i64 {_PAGE})
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %none, label %begin
none:
  ret ptr null
begin:
  %new.end = getelementptr i8, ptr %new, i64 {_PAGE}
  store ptr %new.end, ptr @sc.text.end
  br label %take
take:
  %cell = phi ptr [ %next, %fresh ], [ %new, %begin ]
  %after = getelementptr i8, ptr %cell, i64 {TEXT_CELL}
  store ptr %after, ptr @sc.text.next
  br label %count
count:
  %found = phi ptr [ %free, %reuse ], [ %cell, %take ]
{COUNT_BLOCK}
  ret ptr %found
}}
""",
    OF_HEAP
    | {
        "declare ptr @aligned_alloc(i64, i64)",
        "@sc_total_allocs = external global i64",
    },
    shared=True,
)

_RETAIN = Routine(
    """\
define internal void @sc.text_retain(ptr %text) nounwind {
  %none = icmp eq ptr %text, null
  br i1 %none, label %done, label %count
count:
  %n = load i64, ptr %text
  %more = add i64 %n, 1
  store i64 %more, ptr %text
  br label %done
done:
  ret void
}
""",
    shared=True,
)

_RELEASE = Routine(
    """\
define internal void @sc.text_release(ptr %text) nounwind {
  %none = icmp eq ptr %text, null
  br i1 %none, label %done, label %count
count:
  %n = load i64, ptr %text
  %less = sub i64 %n, 1
  store i64 %less, ptr %text
  %last = icmp eq i64 %less, 0
  br i1 %last, label %dead, label %done
dead:
  call void @sc.text_free(ptr %text)
  br label %done
done:
  ret void
}
""",
    calls=("text_free",),
    shared=True,
)

_FREE = Routine(
    f"""\
; Let go of a text that nobody owns.
define internal void @sc.text_free(ptr %text) nounwind {{
  %in.block.at = getelementptr i8, ptr %text, i64 {TEXT_IN_BLOCK}
  %in.block = load i32, ptr %in.block.at
  %large = icmp ne i32 %in.block, 0
  br i1 %large, label %block, label %cell
block:
  %owner = getelementptr i8, ptr %text, i64 {-BLOCK_HEADER}
  call void @sc_release(ptr %owner)
  ret void
cell:
  %behind = load ptr, ptr @sc.text.free
  store ptr %behind, ptr %text
  store ptr %text, ptr @sc.text.free
  %live = load i64, ptr @sc_live_blocks
  %live.less = sub i64 %live, 1
  store i64 %live.less, ptr @sc_live_blocks
  ret void
}}
""",
    OF_HEAP,
    ("text_cell",),
    shared=True,
)

_ROOM = Routine(
    """\
; The same; where there is no memory, MemoryError is set.
define internal ptr @sc.text_room(i64 %length, i64 %kind) nounwind {
  %block = call ptr @sc.text_new(i64 %length, i64 %kind)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %none, label %done
none:
  %ignored = call ptr @PyErr_NoMemory()
  ret ptr null
done:
  ret ptr %block
}
""",
    frozenset({"declare ptr @PyErr_NoMemory()"}),
    ("text_new",),
    shared=True,
)

_IMMORTAL = Routine(
    f"""\
; Let a new text live as long as the process. It is not among the blocks that are to be released.
define internal ptr @sc.text_immortal(ptr %text) nounwind {{
  %none = icmp eq ptr %text, null
  br i1 %none, label %done, label %keep
keep:
  %count = load i64, ptr %text
  %new = icmp ult i64 %count, {_FOR_EVER >> 1}
  br i1 %new, label %first, label %done
first:
  store i64 {_FOR_EVER}, ptr %text
  %live = load i64, ptr @sc_live_blocks
  %less = sub i64 %live, 1
  store i64 %less, ptr @sc_live_blocks
  br label %done
done:
  ret ptr %text
}}
""",
    OF_HEAP,
    shared=True,
)

_CHAR = Routine(
    f"""\
; The text of one character. Those of bytes are made once.
@sc.text.chars = internal global [256 x ptr] zeroinitializer
define internal ptr @sc.text_char(i64 %code) nounwind {{
  %low = icmp ult i64 %code, 256
  %slot = getelementptr ptr, ptr @sc.text.chars, i64 %code
  br i1 %low, label %look, label %make
look:
  %known = load ptr, ptr %slot
  %missing = icmp eq ptr %known, null
  br i1 %missing, label %make, label %found
found:
  %count = load i64, ptr %known
  %more = add i64 %count, 1
  store i64 %more, ptr %known
  ret ptr %known
make:
  %kind = call i64 @sc.text_kind(i64 %code)
  %text = call ptr @sc.text_room(i64 1, i64 %kind)
  %failed = icmp eq ptr %text, null
  br i1 %failed, label %none, label %fill
fill:
  %data = getelementptr i8, ptr %text, i64 {TEXT_DATA}
  %shift = call i64 @llvm.usub.sat.i64(i64 %kind, i64 1)
  call void @sc.text_put(ptr %data, i64 %shift, i64 0, i64 %code)
  br i1 %low, label %keep, label %done
keep:
  %kept = call ptr @sc.text_immortal(ptr %text)
  store ptr %text, ptr %slot
  br label %done
done:
  ret ptr %text
none:
  ret ptr null
}}
""",
    OF_HEAP | OF_NUMBERS,
    ("text_kind", "text_room", "text_put", "text_immortal"),
    shared=True,
)

_EMPTY = Routine(
    """\
@sc.text.empty = internal global ptr null
define internal ptr @sc.text_empty() nounwind {
  %known = load ptr, ptr @sc.text.empty
  %missing = icmp eq ptr %known, null
  br i1 %missing, label %make, label %found
found:
  call void @sc.text_retain(ptr %known)
  ret ptr %known
make:
  %text = call ptr @sc.text_room(i64 0, i64 0)
  %kept = call ptr @sc.text_immortal(ptr %text)
  store ptr %text, ptr @sc.text.empty
  ret ptr %text
}
""",
    OF_HEAP,
    ("text_room", "text_immortal"),
    shared=True,
)

_KIND = Routine(
    """\
; The kind of a text whose widest character this is.
define internal i64 @sc.text_kind(i64 %code) nounwind {
  %over.ascii = icmp ugt i64 %code, 127
  %over.latin = icmp ugt i64 %code, 255
  %over.basic = icmp ugt i64 %code, 65535
  %a = zext i1 %over.ascii to i64
  %b = zext i1 %over.latin to i64
  %c = zext i1 %over.basic to i64
  %ab = add i64 %a, %b
  %abc = add i64 %ab, %c
  ret i64 %abc
}
""",
    shared=True,
)

_POINT = """\
; A character among those at an address.
define internal i64 @sc.text_{name}(ptr %data, i64 %shift, i64 %index) alwaysinline nounwind {{
  %offset = shl i64 %index, %shift
  %at = getelementptr i8, ptr %data, i64 %offset
  %is.byte = icmp eq i64 %shift, 0
  br i1 %is.byte, label %byte, label %wide
byte:
  %one = load i8, ptr %at
  %from.one = zext i8 %one to i64
  ret i64 %from.one
wide:
  %is.two = icmp eq i64 %shift, 1
  br i1 %is.two, label %two, label %four
two:
  %pair = load i16, ptr %at
  %from.pair = zext i16 %pair to i64
  ret i64 %from.pair
four:
  %word = load i32, ptr %at
  %from.word = zext i32 %word to i64
  ret i64 %from.word
}}
"""

_PUT = Routine(
    """\
define internal void @sc.text_put(ptr %data, i64 %shift, i64 %index, i64 %code) nounwind {
  %offset = shl i64 %index, %shift
  %at = getelementptr i8, ptr %data, i64 %offset
  %is.byte = icmp eq i64 %shift, 0
  br i1 %is.byte, label %byte, label %wide
byte:
  %one = trunc i64 %code to i8
  store i8 %one, ptr %at
  ret void
wide:
  %is.two = icmp eq i64 %shift, 1
  br i1 %is.two, label %two, label %four
two:
  %pair = trunc i64 %code to i16
  store i16 %pair, ptr %at
  ret void
four:
  %word = trunc i64 %code to i32
  store i32 %word, ptr %at
  ret void
}
""",
    shared=True,
)

_FILL = Routine(
    """\
; Copy characters to where each takes as many bytes, or another number of them.
define internal void @sc.text_fill(ptr %to, i64 %shift, ptr %from, i64 %its.shift, i64 %count)
    nounwind {
  %same = icmp eq i64 %shift, %its.shift
  br i1 %same, label %copy, label %head
copy:
  %bytes = shl i64 %count, %shift
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void
head:
  %i = phi i64 [ 0, %0 ], [ %next, %one ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %one, label %done
one:
  %code = call i64 @sc.text_get(ptr %from, i64 %its.shift, i64 %i)
  call void @sc.text_put(ptr %to, i64 %shift, i64 %i, i64 %code)
  %next = add i64 %i, 1
  br label %head
done:
  ret void
}
""",
    OF_BYTES,
    ("text_get", "text_put"),
    shared=True,
)

_WIDEST = Routine(
    """\
; The kind of a text of these characters: each `step`-th of `count`.
define internal i64 @sc.text_widest(ptr %data, i64 %shift, i64 %count, i64 %step) nounwind {
  %bytes = icmp eq i64 %shift, 0
  %dense = icmp eq i64 %step, 1
  %quick = and i1 %bytes, %dense
  br i1 %quick, label %eight, label %slow
eight:
  %j = phi i64 [ 0, %0 ], [ %j.next, %eight.on ]
  %j.next = add i64 %j, 8
  %fits = icmp ule i64 %j.next, %count
  br i1 %fits, label %look, label %slow
look:
  %at = getelementptr i8, ptr %data, i64 %j
  %word = load i64, ptr %at, align 1
  %high = and i64 %word, -9187201950435737472
  %plain = icmp eq i64 %high, 0
  br i1 %plain, label %eight.on, label %latin
eight.on:
  br label %eight
latin:
  ret i64 1
slow:
  %first = phi i64 [ 0, %0 ], [ %j, %eight ]
  br label %head
head:
  %i = phi i64 [ %first, %slow ], [ %next, %one ]
  %most = phi i64 [ 0, %slow ], [ %most.now, %one ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %one, label %done
one:
  %place = mul i64 %i, %step
  %code = call i64 @sc.text_get(ptr %data, i64 %shift, i64 %place)
  %most.now = call i64 @llvm.umax.i64(i64 %most, i64 %code)
  %next = add i64 %i, 1
  br label %head
done:
  %kind = call i64 @sc.text_kind(i64 %most)
  ret i64 %kind
}
""",
    OF_NUMBERS,
    ("text_get", "text_kind"),
    shared=True,
)

# The same in the code that calls them: what comes of it is seldom the end of a text.
_DROP = Routine(
    """\
define internal void @sc.text_drop(ptr %text) alwaysinline nounwind {
  %none = icmp eq ptr %text, null
  br i1 %none, label %done, label %count
count:
  %n = load i64, ptr %text
  %less = sub i64 %n, 1
  store i64 %less, ptr %text
  %last = icmp eq i64 %less, 0
  br i1 %last, label %dead, label %done
dead:
  call void @sc.text_free(ptr %text)
  br label %done
done:
  ret void
}
""",
    calls=("text_free",),
)

ROUTINES: Mapping[str, Routine] = {
    "text_keep": kept_in_place("text_keep"),
    "text_drop": _DROP,
    "text_free": _FREE,
    "text_block": _BLOCK,
    "text_cell": _CELL,
    "text_char": _CHAR,
    "text_empty": _EMPTY,
    "text_fill": _FILL,
    "text_get": Routine(_POINT.format(name="get"), shared=True),
    "text_point": Routine(_POINT.format(name="point")),
    "text_immortal": _IMMORTAL,
    "text_kind": _KIND,
    "text_new": _NEW,
    "text_put": _PUT,
    "text_release": _RELEASE,
    "text_retain": _RETAIN,
    "text_room": _ROOM,
    "text_widest": _WIDEST,
}
