"""Functions in LLVM IR that join, cut, search, compare and change texts; see `texts`."""

from collections.abc import Mapping

from scriptc.backends.llvm.loading.abi import (
    BLOCK_CAPACITY,
    BLOCK_HEADER,
    BLOCK_OVERHEAD,
    POLL_ROUNDS,
    TEXT_CELL,
    TEXT_DATA,
    TEXT_HASH,
    TEXT_IN_BLOCK,
    TEXT_KIND,
    TEXT_LENGTH,
    Context,
)
from scriptc.backends.llvm.routines.small import Routine
from scriptc.backends.llvm.routines.texts import MEASURES, OF_BYTES, OF_HEAP, OF_NUMBERS, fields

_POLL = f"""\
  ; Eight characters count as an iteration of a loop, as texts of gigabytes take seconds.
  %rounds = lshr i64 %total, 3
  %left.at = getelementptr i8, ptr %ctx, i64 {Context.POLL}
  %before = load i64, ptr %left.at
  %left = sub i64 %before, %rounds
  store i64 %left, ptr %left.at
  %due = icmp slt i64 %left, 0
  br i1 %due, label %ask, label %done
ask:
  store i64 {POLL_ROUNDS}, ptr %left.at
  %status = call i32 @sc_poll(ptr %ctx)
  %go.on = icmp eq i32 %status, 0
  br i1 %go.on, label %done, label %drop
drop:
  call void @sc.text_release(ptr %text)
  br label %none
done:
  ret ptr %text
none:
  ret ptr null
"""

# Characters that are copied at once: a text has room for them, whatever its length.
_SHORT = 16

_OF_POLL = frozenset({"declare i32 @sc_poll(ptr)"})

_JOINED = Routine(
    f"""\
; Texts one after the other, with another between each two; null stands for nothing between.
define internal ptr @sc.text_joined(ptr %ctx, ptr %between, ptr %items, i64 %count) nounwind {{
  %nothing = icmp eq i64 %count, 0
  br i1 %nothing, label %empty, label %some
empty:
  %no.text = call ptr @sc.text_empty()
  ret ptr %no.text
some:
  %single = icmp eq i64 %count, 1
  br i1 %single, label %only, label %several
only:
  %lone = load ptr, ptr %items
  call void @sc.text_retain(ptr %lone)
  ret ptr %lone
several:
  %none.between = icmp eq ptr %between, null
  br i1 %none.between, label %measure, label %parted
parted:
{fields("between", *MEASURES)}
  br label %measure
measure:
  %gap = phi i64 [ 0, %several ], [ %between.length, %parted ]
  %gap.kind = phi i64 [ 0, %several ], [ %between.kind, %parted ]
  %gap.shift = phi i64 [ 0, %several ], [ %between.shift, %parted ]
  %gap.data = phi ptr [ null, %several ], [ %between.data, %parted ]
  br label %head
head:
  %i = phi i64 [ 0, %measure ], [ %i.next, %one ]
  %length = phi i64 [ 0, %measure ], [ %length.now, %one ]
  %kind = phi i64 [ %gap.kind, %measure ], [ %kind.now, %one ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %one, label %make
one:
  %item.at = getelementptr ptr, ptr %items, i64 %i
  %item = load ptr, ptr %item.at
{fields("item", "length", "kind")}
  %longer = call i64 @llvm.uadd.sat.i64(i64 %length, i64 %item.length)
  %length.now = call i64 @llvm.uadd.sat.i64(i64 %longer, i64 %gap)
  %kind.now = call i64 @llvm.umax.i64(i64 %kind, i64 %item.kind)
  %i.next = add i64 %i, 1
  br label %head
make:
  ; An unsigned number beyond all is left so.
  %total = sub i64 %length, %gap
  %text = call ptr @sc.text_room(i64 %total, i64 %kind)
  %failed = icmp eq ptr %text, null
  br i1 %failed, label %none, label %fill
fill:
  %to = getelementptr i8, ptr %text, i64 {TEXT_DATA}
  %shift = call i64 @llvm.usub.sat.i64(i64 %kind, i64 1)
  %size = shl i64 %total, %shift
  %end = getelementptr i8, ptr %to, i64 %size
  %bytes = icmp eq i64 %shift, 0
  %gap.few = icmp ule i64 %gap, {_SHORT}
  %may.be.short = and i1 %bytes, %gap.few
  %gap.from = select i1 %none.between, ptr %to, ptr %gap.data
  %gap.all = load <{_SHORT} x i8>, ptr %gap.from, align 1
  br label %next.piece
next.piece:
  %k = phi i64 [ 0, %fill ], [ %k.next, %gap.put ], [ %k.short, %short ]
  %at = phi ptr [ %to, %fill ], [ %gap.end, %gap.put ], [ %short.end, %short ]
  %piece.at = getelementptr ptr, ptr %items, i64 %k
  %piece = load ptr, ptr %piece.at
{fields("piece", *MEASURES)}
  %reach = getelementptr i8, ptr %at, i64 {2 * _SHORT}
  %fits = icmp ule ptr %reach, %end
  %piece.few = icmp ule i64 %piece.length, {_SHORT}
  %fits.few = and i1 %fits, %piece.few
  %is.short = and i1 %fits.few, %may.be.short
  br i1 %is.short, label %short, label %long
short:
  ; With what lies behind it, which is written over: so few characters are never the last ones.
  %piece.all = load <{_SHORT} x i8>, ptr %piece.data, align 1
  store <{_SHORT} x i8> %piece.all, ptr %at, align 1
  %gap.at = getelementptr i8, ptr %at, i64 %piece.length
  store <{_SHORT} x i8> %gap.all, ptr %gap.at, align 1
  %short.end = getelementptr i8, ptr %gap.at, i64 %gap
  %k.short = add i64 %k, 1
  br label %next.piece
long:
  call void @sc.text_fill(ptr %at, i64 %shift, ptr %piece.data, i64 %piece.shift,
                          i64 %piece.length)
  %piece.bytes = shl i64 %piece.length, %shift
  %piece.end = getelementptr i8, ptr %at, i64 %piece.bytes
  %k.next = add i64 %k, 1
  %others = icmp ult i64 %k.next, %count
  br i1 %others, label %gap.put, label %poll
gap.put:
  call void @sc.text_fill(ptr %piece.end, i64 %shift, ptr %gap.data, i64 %gap.shift, i64 %gap)
  %gap.bytes = shl i64 %gap, %shift
  %gap.end = getelementptr i8, ptr %piece.end, i64 %gap.bytes
  br label %next.piece
poll:
{_POLL}}}
""",
    OF_HEAP | OF_NUMBERS | _OF_POLL,
    ("text_empty", "text_room", "text_fill"),
    shared=True,
)

_EXTENDED = Routine(
    f"""\
; A text, which is taken over, with another one behind it: made longer where it is, if nobody else
; owns it and there is room. A new one gets an eighth more room than it needs.
define internal ptr @sc.text_extended(ptr %ctx, ptr %first, ptr %second) nounwind {{
{fields("first", *MEASURES)}
{fields("second", *MEASURES)}
  %total = add i64 %first.length, %second.length
  %owners = load i64, ptr %first
  %lone = icmp eq i64 %owners, 1
  %holds = icmp uge i64 %first.kind, %second.kind
  %may = and i1 %lone, %holds
  br i1 %may, label %measure, label %copy
measure:
  %in.block.at = getelementptr i8, ptr %first, i64 {TEXT_IN_BLOCK}
  %in.block = load i32, ptr %in.block.at
  %long = icmp ne i32 %in.block, 0
  br i1 %long, label %block, label %compare
block:
  %count.at = getelementptr i8, ptr %first, i64 {-BLOCK_HEADER}
  %count = load i64, ptr %count.at
  %units = lshr i64 %count, 56
  %is.small = icmp ne i64 %units, 0
  br i1 %is.small, label %small, label %large
small:
  %all = shl i64 %units, 4
  %of.small = sub i64 %all, {BLOCK_HEADER}
  br label %compare
large:
  %capacity.at = getelementptr i8, ptr %first, i64 {BLOCK_CAPACITY - BLOCK_HEADER}
  %capacity = load i64, ptr %capacity.at
  %of.large = sub i64 %capacity, {BLOCK_OVERHEAD}
  br label %compare
compare:
  %room.now = phi i64 [ {TEXT_CELL}, %measure ], [ %of.small, %small ],
                    [ %of.large, %large ]
  %size = shl i64 %total, %first.shift
  %bytes = add i64 %size, {TEXT_DATA}
  %fits = icmp ule i64 %bytes, %room.now
  br i1 %fits, label %append, label %copy
append:
  %used = shl i64 %first.length, %first.shift
  %end = getelementptr i8, ptr %first.data, i64 %used
  call void @sc.text_fill(ptr %end, i64 %first.shift, ptr %second.data, i64 %second.shift,
                          i64 %second.length)
  store i64 %total, ptr %first.length.at
  %hash.at = getelementptr i8, ptr %first, i64 {TEXT_HASH}
  store i64 -1, ptr %hash.at
  ret ptr %first
copy:
  %kind = call i64 @llvm.umax.i64(i64 %first.kind, i64 %second.kind)
  %shift = call i64 @llvm.usub.sat.i64(i64 %kind, i64 1)
  %spare = lshr i64 %total, 3
  %room = add i64 %total, %spare
  %text = call ptr @sc.text_room(i64 %room, i64 %kind)
  %failed = icmp eq ptr %text, null
  br i1 %failed, label %let.go, label %fill
let.go:
  call void @sc.text_release(ptr %first)
  br label %none
fill:
  %length.at = getelementptr i8, ptr %text, i64 {TEXT_LENGTH}
  store i64 %total, ptr %length.at
  %to = getelementptr i8, ptr %text, i64 {TEXT_DATA}
  call void @sc.text_fill(ptr %to, i64 %shift, ptr %first.data, i64 %first.shift,
                          i64 %first.length)
  %copied = shl i64 %first.length, %shift
  %behind = getelementptr i8, ptr %to, i64 %copied
  call void @sc.text_fill(ptr %behind, i64 %shift, ptr %second.data, i64 %second.shift,
                          i64 %second.length)
  call void @sc.text_release(ptr %first)
{_POLL}}}
""",
    OF_HEAP | OF_NUMBERS | _OF_POLL,
    ("text_room", "text_fill"),
    shared=True,
)

_SLICE = Routine(
    f"""\
; What `text[start:stop:step]` is; the step is not zero.
define internal ptr @sc.text_slice(ptr %text, i64 %start, i64 %stop, i64 %step) nounwind {{
{fields("text", *MEASURES)}
  ; A few characters of ASCII, as most slices are, become a cell without more questions.
  %its.count = sub i64 %stop, %start
  %beyond.one = sub i64 %its.count, 2
  %is.few = icmp ule i64 %beyond.one, {TEXT_CELL - TEXT_DATA - 2}
  %is.inside = icmp ule i64 %start, %text.length
  %is.before = icmp ule i64 %stop, %text.length
  %each = icmp eq i64 %step, 1
  %ascii = icmp eq i64 %text.kind, 0
  %inside = and i1 %is.inside, %is.before
  %all.each = and i1 %each, %ascii
  %few.inside = and i1 %is.few, %inside
  %is.quick = and i1 %few.inside, %all.each
  %is.part = icmp ult i64 %its.count, %text.length
  %quick = and i1 %is.quick, %is.part
  br i1 %quick, label %take, label %other
other:
  ; What `strip` and the like leave as it was.
  %at.start = icmp eq i64 %start, 0
  %to.end = icmp sge i64 %stop, %text.length
  %at.ends = and i1 %at.start, %to.end
  %is.whole = and i1 %at.ends, %each
  br i1 %is.whole, label %same, label %any
take:
  %cell = call ptr @sc.text_cell()
  %no.cell = icmp eq ptr %cell, null
  br i1 %no.cell, label %any, label %describe
describe:
  store i64 1, ptr %cell
  %cell.hash = getelementptr i8, ptr %cell, i64 {TEXT_HASH}
  store i64 -1, ptr %cell.hash
  %cell.kind = getelementptr i8, ptr %cell, i64 {TEXT_KIND}
  store i64 0, ptr %cell.kind                       ; in no block, too
  %cell.length = getelementptr i8, ptr %cell, i64 {TEXT_LENGTH}
  store i64 %its.count, ptr %cell.length
  %cell.data = getelementptr i8, ptr %cell, i64 {TEXT_DATA}
  %its.data = getelementptr i8, ptr %text.data, i64 %start
  %reach = add i64 %start, {TEXT_CELL - TEXT_DATA}
  %readable = icmp ule i64 %reach, %text.length
  br i1 %readable, label %whole.cell, label %these
whole.cell:
  %chars = load <{TEXT_CELL - TEXT_DATA} x i8>, ptr %its.data, align 1
  store <{TEXT_CELL - TEXT_DATA} x i8> %chars, ptr %cell.data, align 1
  ret ptr %cell
these:
  call void @llvm.memcpy.p0.p0.i64(ptr %cell.data, ptr %its.data, i64 %its.count, i1 false)
  ret ptr %cell
any:
  %down = icmp slt i64 %step, 0
  %lowest = sext i1 %down to i64
  %highest = add i64 %text.length, %lowest
  %first = call i64 @sc.text_bound(i64 %start, i64 %text.length, i64 %lowest, i64 %highest)
  %end = call i64 @sc.text_bound(i64 %stop, i64 %text.length, i64 %lowest, i64 %highest)
  %up.gap = sub i64 %end, %first
  %down.gap = sub i64 %first, %end
  %gap = select i1 %down, i64 %down.gap, i64 %up.gap
  %nothing = icmp sle i64 %gap, 0
  br i1 %nothing, label %empty, label %some
empty:
  %no.text = call ptr @sc.text_empty()
  ret ptr %no.text
some:
  ; The size of the least int is right as an unsigned one.
  %turned = sub i64 0, %step
  %size = select i1 %down, i64 %turned, i64 %step
  %below = sub i64 %gap, 1
  %steps = udiv i64 %below, %size
  %count = add i64 %steps, 1
  %single = icmp eq i64 %count, 1
  br i1 %single, label %char, label %several
char:
  %code = call i64 @sc.text_get(ptr %text.data, i64 %text.shift, i64 %first)
  %lone = call ptr @sc.text_char(i64 %code)
  ret ptr %lone
several:
  %dense = icmp eq i64 %step, 1
  %all = icmp eq i64 %count, %text.length
  %whole = and i1 %dense, %all
  br i1 %whole, label %same, label %part
same:
  call void @sc.text_retain(ptr %text)
  ret ptr %text
part:
  %skipped = shl i64 %first, %text.shift
  %from = getelementptr i8, ptr %text.data, i64 %skipped
  %plain = icmp eq i64 %text.kind, 0
  br i1 %plain, label %make, label %look
look:
  %found = call i64 @sc.text_widest(ptr %from, i64 %text.shift, i64 %count, i64 %step)
  br label %make
make:
  %kind = phi i64 [ 0, %part ], [ %found, %look ]
  %new = call ptr @sc.text_room(i64 %count, i64 %kind)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %none, label %fill
none:
  ret ptr null
fill:
  %to = getelementptr i8, ptr %new, i64 {TEXT_DATA}
  %shift = call i64 @llvm.usub.sat.i64(i64 %kind, i64 1)
  br i1 %dense, label %copy, label %apart
apart:
  %bytes = icmp eq i64 %text.shift, 0
  br i1 %bytes, label %byte, label %head
byte:
  %b = phi i64 [ 0, %apart ], [ %b.next, %byte ]
  %b.place = mul i64 %b, %step
  %b.from = getelementptr i8, ptr %from, i64 %b.place
  %b.code = load i8, ptr %b.from
  %b.to = getelementptr i8, ptr %to, i64 %b
  store i8 %b.code, ptr %b.to
  %b.next = add i64 %b, 1
  %b.more = icmp ult i64 %b.next, %count
  br i1 %b.more, label %byte, label %done
copy:
  call void @sc.text_fill(ptr %to, i64 %shift, ptr %from, i64 %text.shift, i64 %count)
  ret ptr %new
head:
  %i = phi i64 [ 0, %apart ], [ %next, %head ]
  %place = mul i64 %i, %step
  %char.code = call i64 @sc.text_get(ptr %from, i64 %text.shift, i64 %place)
  call void @sc.text_put(ptr %to, i64 %shift, i64 %i, i64 %char.code)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %head, label %done
done:
  ret ptr %new
}}
""",
    OF_HEAP | OF_NUMBERS | OF_BYTES,
    (
        "text_bound",
        "text_cell",
        "text_char",
        "text_empty",
        "text_fill",
        "text_get",
        "text_put",
        "text_room",
        "text_widest",
    ),
    shared=True,
)

_OF_INT = Routine(
    f"""\
; The digits of an int, from the last one on.
define internal ptr @sc.text_of_int(i64 %value) nounwind {{
entry:
  %buffer = alloca [24 x i8]
  %end = getelementptr i8, ptr %buffer, i64 24
  %negative = icmp slt i64 %value, 0
  %turned = sub i64 0, %value
  %size = select i1 %negative, i64 %turned, i64 %value
  br label %head
head:
  %rest = phi i64 [ %size, %entry ], [ %left, %head ]
  %at = phi ptr [ %end, %entry ], [ %place, %head ]
  %left = udiv i64 %rest, 10
  %tens = mul i64 %left, 10
  %digit = sub i64 %rest, %tens
  %byte = trunc i64 %digit to i8
  %char = add i8 %byte, 48
  %place = getelementptr i8, ptr %at, i64 -1
  store i8 %char, ptr %place
  %more = icmp ne i64 %left, 0
  br i1 %more, label %head, label %sign
sign:
  br i1 %negative, label %minus, label %make
minus:
  %before = getelementptr i8, ptr %place, i64 -1
  store i8 45, ptr %before
  br label %make
make:
  %start = phi ptr [ %place, %sign ], [ %before, %minus ]
  %end.bits = ptrtoint ptr %end to i64
  %start.bits = ptrtoint ptr %start to i64
  %length = sub i64 %end.bits, %start.bits
  %text = call ptr @sc.text_room(i64 %length, i64 0)
  %failed = icmp eq ptr %text, null
  br i1 %failed, label %none, label %fill
fill:
  %data = getelementptr i8, ptr %text, i64 {TEXT_DATA}
  call void @llvm.memcpy.p0.p0.i64(ptr %data, ptr %start, i64 %length, i1 false)
  ret ptr %text
none:
  ret ptr null
}}
""",
    OF_BYTES,
    ("text_room",),
    shared=True,
)

_REPEATED = Routine(
    f"""\
; A text so many times; what is there already is copied behind it.
define internal ptr @sc.text_repeated(ptr %text, i64 %count) nounwind {{
{fields("text", *MEASURES)}
  %never = icmp sle i64 %count, 0
  %blank = icmp eq i64 %text.length, 0
  %nothing = or i1 %never, %blank
  br i1 %nothing, label %empty, label %some
empty:
  %no.text = call ptr @sc.text_empty()
  ret ptr %no.text
some:
  %once = icmp eq i64 %count, 1
  br i1 %once, label %same, label %make
same:
  call void @sc.text_retain(ptr %text)
  ret ptr %text
make:
  %total = mul i64 %text.length, %count
  %new = call ptr @sc.text_room(i64 %total, i64 %text.kind)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %none, label %fill
none:
  ret ptr null
fill:
  %to = getelementptr i8, ptr %new, i64 {TEXT_DATA}
  %unit = shl i64 %text.length, %text.shift
  %size = shl i64 %total, %text.shift
  %single = icmp eq i64 %unit, 1
  br i1 %single, label %byte, label %first
byte:
  %char = load i8, ptr %text.data
  call void @llvm.memset.p0.i64(ptr %to, i8 %char, i64 %size, i1 false)
  ret ptr %new
first:
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %text.data, i64 %unit, i1 false)
  br label %more
more:
  %done = phi i64 [ %unit, %first ], [ %done.now, %more ]
  %left = sub i64 %size, %done
  %part = call i64 @llvm.umin.i64(i64 %left, i64 %done)
  %at = getelementptr i8, ptr %to, i64 %done
  call void @llvm.memcpy.p0.p0.i64(ptr %at, ptr %to, i64 %part, i1 false)
  %done.now = add i64 %done, %part
  %again = icmp ult i64 %done.now, %size
  br i1 %again, label %more, label %ready
ready:
  ret ptr %new
}}
""",
    frozenset(
        {
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
            "declare i64 @llvm.umin.i64(i64, i64)",
        }
    ),
    ("text_room", "text_empty", "text_retain"),
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {
    "text_of_int": _OF_INT,
    "text_extended": _EXTENDED,
    "text_joined": _JOINED,
    "text_repeated": _REPEATED,
    "text_slice": _SLICE,
}
