"""Functions in LLVM IR that write ints and texts as formats say; see `texts`, `text_styles`.

They are a part of the support code that programs without formats do not load.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.loading.abi import TEXT_DATA
from scriptc.backends.llvm.routines.small import Routine
from scriptc.backends.llvm.routines.text_styles import (
    ALIGN_AT,
    CAPITALS_AT,
    CENTER,
    FILL_AT,
    INSIDE,
    PREFIX_AT,
    RIGHT,
    SEPARATOR_AT,
    SHIFT_AT,
    SIGN_AT,
    UNSIGNED_AT,
)
from scriptc.backends.llvm.routines.texts import MEASURES, OF_BYTES, OF_NUMBERS, fields

# A sign, a prefix of two, 64 digits in base two and a separator behind each fourth.
_LONGEST = 96
_SET = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"


def byte_of(name: str, style: str, at: int, bits: int = 8) -> str:
    """Return lines that read a part of a style as a number."""
    return f"""\
  %{name}.shifted = lshr i64 {style}, {at}
  %{name} = and i64 %{name}.shifted, {(1 << bits) - 1}"""


def margins(missing: str) -> str:
    """Return lines that say how much is filled at the left: `%before`, by `%align`."""
    return f"""\
  %half = lshr i64 {missing}, 1
  %is.right = icmp eq i64 %align, {RIGHT}
  %is.center = icmp eq i64 %align, {CENTER}
  %of.center = select i1 %is.center, i64 %half, i64 0
  %before = select i1 %is.right, i64 {missing}, i64 %of.center"""


_PADDED = Routine(
    f"""\
; Characters of ASCII, filled up to a width as a style says: also between the first `head`, a sign
; and a prefix, and the others.
define internal ptr @sc.format_padded(ptr %chars, i64 %count, i64 %head, i64 %style, i64 %width)
    nounwind {{
  %total = call i64 @llvm.umax.i64(i64 %count, i64 %width)
  %text = call ptr @sc.text_room(i64 %total, i64 0)
  %failed = icmp eq ptr %text, null
  br i1 %failed, label %none, label %fill
fill:
  %to = getelementptr i8, ptr %text, i64 {TEXT_DATA}
  %missing = sub i64 %total, %count
  %full = icmp eq i64 %missing, 0
  br i1 %full, label %plain, label %place
plain:
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %chars, i64 %count, i1 false)
  ret ptr %text
place:
{byte_of("fill.char", "%style", FILL_AT)}
{byte_of("align", "%style", ALIGN_AT)}
{margins("%missing")}
  %fill.byte = trunc i64 %fill.char to i8
  call void @llvm.memset.p0.i64(ptr %to, i8 %fill.byte, i64 %total, i1 false)
  %at = getelementptr i8, ptr %to, i64 %before
  %is.inside = icmp eq i64 %align, {INSIDE}
  br i1 %is.inside, label %apart, label %whole
apart:
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %chars, i64 %head, i1 false)
  %behind = add i64 %head, %missing
  %rest.to = getelementptr i8, ptr %to, i64 %behind
  %rest = getelementptr i8, ptr %chars, i64 %head
  %rest.count = sub i64 %count, %head
  call void @llvm.memcpy.p0.p0.i64(ptr %rest.to, ptr %rest, i64 %rest.count, i1 false)
  ret ptr %text
whole:
  call void @llvm.memcpy.p0.p0.i64(ptr %at, ptr %chars, i64 %count, i1 false)
  ret ptr %text
none:
  ret ptr null
}}
""",
    OF_BYTES | OF_NUMBERS | {_SET},
    ("text_room",),
    shared=True,
)

_DIGITS = Routine(
    """\
; The digits of a number, and separators, up to an address; where they begin. `%shift` is that of a
; base which is a power of two; zero is base ten.
define internal ptr @sc.format_digits(ptr %end, i64 %number, i64 %shift, i64 %separator,
                                      i64 %letter) nounwind {
entry:
  %is.ten = icmp eq i64 %shift, 0
  %group = select i1 %is.ten, i64 3, i64 4
  %base = shl i64 1, %shift
  %mask = sub i64 %base, 1
  %mark = trunc i64 %separator to i8
  %apart = icmp ne i64 %separator, 0
  br label %head
head:
  %rest = phi i64 [ %number, %entry ], [ %left, %on ]
  %at = phi ptr [ %end, %entry ], [ %next, %on ]
  %until = phi i64 [ %group, %entry ], [ %until.next, %on ]
  br i1 %is.ten, label %ten, label %two
ten:
  %tenth = udiv i64 %rest, 10
  %tens = mul i64 %tenth, 10
  %last = sub i64 %rest, %tens
  br label %put
two:
  %low = and i64 %rest, %mask
  %high = lshr i64 %rest, %shift
  br label %put
put:
  %digit = phi i64 [ %last, %ten ], [ %low, %two ]
  %left = phi i64 [ %tenth, %ten ], [ %high, %two ]
  %is.letter = icmp ugt i64 %digit, 9
  %start = select i1 %is.letter, i64 %letter, i64 48
  %code = add i64 %digit, %start
  %byte = trunc i64 %code to i8
  %place = getelementptr i8, ptr %at, i64 -1
  store i8 %byte, ptr %place
  %more = icmp ne i64 %left, 0
  br i1 %more, label %part, label %done
part:
  %until.less = sub i64 %until, 1
  %is.whole = icmp eq i64 %until.less, 0
  %marked = and i1 %is.whole, %apart
  br i1 %marked, label %separate, label %on
separate:
  %mark.at = getelementptr i8, ptr %place, i64 -1
  store i8 %mark, ptr %mark.at
  br label %on
on:
  %next = phi ptr [ %place, %part ], [ %mark.at, %separate ]
  %until.next = phi i64 [ %until.less, %part ], [ %group, %separate ]
  br label %head
done:
  ret ptr %place
}
""",
    shared=True,
)

_INT = Routine(
    f"""\
; An int as a style says.
define internal ptr @sc.format_int(i64 %value, i64 %style, i64 %width) nounwind {{
entry:
  %buffer = alloca [{_LONGEST} x i8]
  %end = getelementptr i8, ptr %buffer, i64 {_LONGEST}
{byte_of("unsigned", "%style", UNSIGNED_AT, 1)}
{byte_of("capitals", "%style", CAPITALS_AT, 1)}
{byte_of("shift", "%style", SHIFT_AT)}
{byte_of("separator", "%style", SEPARATOR_AT)}
{byte_of("prefix", "%style", PREFIX_AT)}
{byte_of("sign", "%style", SIGN_AT)}
  %is.signed = icmp eq i64 %unsigned, 0
  %below = icmp slt i64 %value, 0
  %negative = and i1 %below, %is.signed
  %turned = sub i64 0, %value
  %number = select i1 %negative, i64 %turned, i64 %value
  %less = shl i64 %capitals, 5
  %letter = sub i64 {ord("a") - 10}, %less
  %digits = call ptr @sc.format_digits(ptr %end, i64 %number, i64 %shift, i64 %separator,
                                       i64 %letter)
  %has.prefix = icmp ne i64 %prefix, 0
  br i1 %has.prefix, label %name, label %mark
name:
  %prefix.byte = trunc i64 %prefix to i8
  %prefix.at = getelementptr i8, ptr %digits, i64 -1
  store i8 %prefix.byte, ptr %prefix.at
  %zero.at = getelementptr i8, ptr %digits, i64 -2
  store i8 {ord("0")}, ptr %zero.at
  br label %mark
mark:
  %unmarked = phi ptr [ %digits, %entry ], [ %zero.at, %name ]
  %shown = select i1 %negative, i64 {ord("-")}, i64 %sign
  %marked = icmp ne i64 %shown, 0
  br i1 %marked, label %put, label %make
put:
  %sign.byte = trunc i64 %shown to i8
  %sign.at = getelementptr i8, ptr %unmarked, i64 -1
  store i8 %sign.byte, ptr %sign.at
  br label %make
make:
  %start = phi ptr [ %unmarked, %mark ], [ %sign.at, %put ]
  %end.bits = ptrtoint ptr %end to i64
  %digits.bits = ptrtoint ptr %digits to i64
  %start.bits = ptrtoint ptr %start to i64
  %count = sub i64 %end.bits, %start.bits
  %head = sub i64 %digits.bits, %start.bits
  %text = call ptr @sc.format_padded(ptr %start, i64 %count, i64 %head, i64 %style, i64 %width)
  ret ptr %text
}}
""",
    calls=("format_digits", "format_padded"),
    shared=True,
)

_TEXT = Routine(
    f"""\
; The first `most` characters of a text, filled up to a width as a style says.
define internal ptr @sc.format_text(ptr %text, i64 %style, i64 %width, i64 %most) nounwind {{
{fields("text", *MEASURES)}
  %count = call i64 @llvm.umin.i64(i64 %text.length, i64 %most)
  %total = call i64 @llvm.umax.i64(i64 %count, i64 %width)
  %same.count = icmp eq i64 %count, %text.length
  %same.total = icmp eq i64 %total, %text.length
  %same = and i1 %same.count, %same.total
  br i1 %same, label %whole, label %measure
whole:
  call void @sc.text_retain(ptr %text)
  ret ptr %text
measure:
  %plain = icmp eq i64 %text.kind, 0
  %kept = or i1 %plain, %same.count
  br i1 %kept, label %make, label %look
look:
  %found = call i64 @sc.text_widest(ptr %text.data, i64 %text.shift, i64 %count, i64 1)
  br label %make
make:
  %kind = phi i64 [ %text.kind, %measure ], [ %found, %look ]
  %shift = call i64 @llvm.usub.sat.i64(i64 %kind, i64 1)
  %new = call ptr @sc.text_room(i64 %total, i64 %kind)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %none, label %fill
fill:
  %to = getelementptr i8, ptr %new, i64 {TEXT_DATA}
  %missing = sub i64 %total, %count
{byte_of("fill.char", "%style", FILL_AT)}
{byte_of("align", "%style", ALIGN_AT)}
{margins("%missing")}
  %end = add i64 %before, %count
  %bytes = icmp eq i64 %shift, 0
  br i1 %bytes, label %quick, label %head
quick:
  %fill.byte = trunc i64 %fill.char to i8
  %behind = sub i64 %missing, %before
  call void @llvm.memset.p0.i64(ptr %to, i8 %fill.byte, i64 %before, i1 false)
  %end.at = getelementptr i8, ptr %to, i64 %end
  call void @llvm.memset.p0.i64(ptr %end.at, i8 %fill.byte, i64 %behind, i1 false)
  br label %copy
head:
  ; All of it: what lies in the middle is written over.
  %i = phi i64 [ 0, %fill ], [ %next, %one ]
  %more = icmp ult i64 %i, %total
  br i1 %more, label %one, label %copy
one:
  call void @sc.text_put(ptr %to, i64 %shift, i64 %i, i64 %fill.char)
  %next = add i64 %i, 1
  br label %head
copy:
  %skipped = shl i64 %before, %shift
  %at = getelementptr i8, ptr %to, i64 %skipped
  call void @sc.text_fill(ptr %at, i64 %shift, ptr %text.data, i64 %text.shift, i64 %count)
  ret ptr %new
none:
  ret ptr null
}}
""",
    OF_BYTES | OF_NUMBERS | {_SET},
    ("text_fill", "text_put", "text_retain", "text_room", "text_widest"),
    shared=True,
)

_QUOTED = Routine(
    f"""\
; What repr() shows of a text: characters of ASCII of which none is escaped between quotes, or what
; Python says.
define internal ptr @sc.format_quoted(ptr %text) nounwind {{
{fields("text", "length", "kind")}
  %ascii = icmp eq i64 %text.kind, 0
  br i1 %ascii, label %head, label %ask
head:
  %i = phi i64 [ 0, %0 ], [ %i.next, %one ]
  %more = icmp ult i64 %i, %text.length
  br i1 %more, label %one, label %make
one:
  %at = getelementptr i8, ptr %text.data, i64 %i
  %byte = load i8, ptr %at
  %i.next = add i64 %i, 1
  %above = sub i8 %byte, {ord(" ")}
  %hidden = icmp ugt i8 %above, {ord("~") - ord(" ")}
  %quote = icmp eq i8 %byte, {ord("'")}
  %backslash = icmp eq i8 %byte, {ord(chr(92))}
  %either = or i1 %quote, %backslash
  %escaped = or i1 %either, %hidden
  br i1 %escaped, label %ask, label %head
make:
  %total = add i64 %text.length, 2
  %new = call ptr @sc.text_room(i64 %total, i64 0)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %none, label %fill
fill:
  %to = getelementptr i8, ptr %new, i64 {TEXT_DATA}
  store i8 {ord("'")}, ptr %to
  %first = getelementptr i8, ptr %to, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %first, ptr %text.data, i64 %text.length, i1 false)
  %last = getelementptr i8, ptr %first, i64 %text.length
  store i8 {ord("'")}, ptr %last
  ret ptr %new
ask:
  %object = call ptr @sc.text_out(ptr %text)
  %unmade = icmp eq ptr %object, null
  br i1 %unmade, label %none, label %show
show:
  %shown = call ptr @PyObject_Repr(ptr %object)
  call void @Py_DecRef(ptr %object)
  %taken = call ptr @sc.text_taken(ptr %shown)
  ret ptr %taken
none:
  ret ptr null
}}
""",
    OF_BYTES | {"declare ptr @PyObject_Repr(ptr)", "declare void @Py_DecRef(ptr)"},
    ("text_room", "text_out", "text_taken"),
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {
    "format_padded": _PADDED,
    "format_digits": _DIGITS,
    "format_int": _INT,
    "format_text": _TEXT,
    "format_quoted": _QUOTED,
}
