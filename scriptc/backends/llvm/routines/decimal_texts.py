"""Functions in LLVM IR that write floats as formats say; see `decimals`, `text_styles`.

Where a number of digits is large, or it is not plain how they are rounded, CPython is asked.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.routines.decimals import OF_TENS, OF_ZEROS, parts_of
from scriptc.backends.llvm.routines.small import Routine
from scriptc.backends.llvm.routines.text_formats import byte_of
from scriptc.backends.llvm.routines.text_styles import (
    CAPITALS_AT,
    DOT_AT,
    SEPARATOR_AT,
    SIGN_AT,
)
from scriptc.backends.llvm.routines.texts import OF_BYTES

# Digits that a float is rounded to here at most, and the characters that all of them need.
_MOST, _ROOM = 17, 96

_OF_SET = frozenset({"declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"})

_FIXED = Routine(
    f"""\
; A float below 2**63 with so many digits behind the point, up to an address; where it begins. The
; product with a power of ten is exact.
define internal ptr @sc.decimal_fixed(ptr %end, double %number, i64 %places, i64 %separator)
    nounwind {{
  %int = fptoui double %number to i64
  %int.float = uitofp i64 %int to double
  %fraction = fsub double %number, %int.float
  %bits = bitcast double %fraction to i64
{parts_of("%bits")}
  %shift.i64 = sub i64 0, %exponent
  %tens.at = getelementptr i64, ptr @sc.decimal_tens, i64 %places
  %tens = load i64, ptr %tens.at
  %near = icmp ult i64 %shift.i64, 127
  br i1 %near, label %scale, label %write
scale:
  %wide = zext i64 %whole to i128
  %tens.wide = zext i64 %tens to i128
  %product = mul i128 %wide, %tens.wide
  %shift = zext i64 %shift.i64 to i128
  %digits.wide = lshr i128 %product, %shift
  %digits = trunc i128 %digits.wide to i64
  %taken = shl i128 %digits.wide, %shift
  %rest = sub i128 %product, %taken
  %below = sub i128 %shift, 1
  %half = shl i128 1, %below
  %beyond = icmp ugt i128 %rest, %half
  %tie = icmp eq i128 %rest, %half
  %none = icmp eq i64 %places, 0
  %last = select i1 %none, i64 %int, i64 %digits
  %is.odd = trunc i64 %last to i1
  %tie.up = and i1 %tie, %is.odd
  %up = or i1 %beyond, %tie.up
  %one = zext i1 %up to i64
  %rounded = add i64 %digits, %one
  %carried = icmp eq i64 %rounded, %tens
  %carry = zext i1 %carried to i64
  %int.more = add i64 %int, %carry
  %left = select i1 %carried, i64 0, i64 %rounded
  br label %write
write:
  %before.point = phi i64 [ %int, %0 ], [ %int.more, %scale ]
  %behind.point = phi i64 [ 0, %0 ], [ %left, %scale ]
  %some = icmp ne i64 %places, 0
  br i1 %some, label %behind, label %before
behind:
  %start = call ptr @sc.decimal_digits(ptr %end, i64 %behind.point, i64 %places)
  %point.at = getelementptr i8, ptr %start, i64 -1
  store i8 {ord(".")}, ptr %point.at
  br label %before
before:
  %until = phi ptr [ %end, %write ], [ %point.at, %behind ]
  %found = call ptr @sc.format_digits(ptr %until, i64 %before.point, i64 0, i64 %separator, i64 0)
  ret ptr %found
}}
""",
    OF_TENS,
    ("decimal_digits", "format_digits"),
    shared=True,
)

_DIGITS = Routine(
    """\
; So many digits of a number, up to an address; where they begin.
define internal ptr @sc.decimal_digits(ptr %end, i64 %number, i64 %count) nounwind {
entry:
  br label %head
head:
  %rest = phi i64 [ %number, %entry ], [ %left, %head ]
  %at = phi ptr [ %end, %entry ], [ %place, %head ]
  %until = phi i64 [ %count, %entry ], [ %until.next, %head ]
  %left = udiv i64 %rest, 10
  %tens = mul i64 %left, 10
  %digit = sub i64 %rest, %tens
  %byte = trunc i64 %digit to i8
  %char = add i8 %byte, 48
  %place = getelementptr i8, ptr %at, i64 -1
  store i8 %char, ptr %place
  %until.next = sub i64 %until, 1
  %more = icmp ne i64 %until.next, 0
  br i1 %more, label %head, label %done
done:
  ret ptr %place
}
""",
    shared=True,
)

_COUNT = Routine(
    """\
; How many digits a number has.
define internal i64 @sc.decimal_count(i64 %number) nounwind {
  %some = or i64 %number, 1
  %zeros = call i64 @llvm.ctlz.i64(i64 %some, i1 true)
  %bits = sub i64 64, %zeros
  %scaled = mul i64 %bits, 1233
  %guess = lshr i64 %scaled, 12
  %at = getelementptr i64, ptr @sc.decimal_tens, i64 %guess
  %tens = load i64, ptr %at
  %reached = icmp uge i64 %some, %tens
  %one = zext i1 %reached to i64
  %count = add i64 %guess, %one
  ret i64 %count
}
""",
    OF_TENS | OF_ZEROS,
    shared=True,
)

_LAID = Routine(
    f"""\
; Digits with a point where it belongs, or with an exponent if that is below -4 or has reached a
; limit; where they end.
define internal ptr @sc.decimal_laid(ptr %out, i64 %digits, i64 %count, i64 %exponent, i64 %limit,
                                     i64 %style) nounwind {{
entry:
  %buffer = alloca [24 x i8]
  %end = getelementptr i8, ptr %buffer, i64 %count
  %first = call ptr @sc.decimal_digits(ptr %end, i64 %digits, i64 %count)
  %from.least = icmp sge i64 %exponent, -4
  %to.limit = icmp slt i64 %exponent, %limit
  %is.fixed = and i1 %from.least, %to.limit
  br i1 %is.fixed, label %fixed, label %scientific
fixed:
  %below.one = icmp slt i64 %exponent, 0
  br i1 %below.one, label %small, label %large
small:
  %zeros = sub i64 0, %exponent
  %all.zeros = add i64 %zeros, 1
  call void @llvm.memset.p0.i64(ptr %out, i8 {ord("0")}, i64 %all.zeros, i1 false)
  %small.point = getelementptr i8, ptr %out, i64 1
  store i8 {ord(".")}, ptr %small.point
  %small.at = getelementptr i8, ptr %out, i64 %all.zeros
  call void @llvm.memcpy.p0.p0.i64(ptr %small.at, ptr %first, i64 %count, i1 false)
  %small.end = getelementptr i8, ptr %small.at, i64 %count
  ret ptr %small.end
large:
  %before = add i64 %exponent, 1
  %broken = icmp slt i64 %before, %count
  br i1 %broken, label %within, label %whole
within:
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %first, i64 %before, i1 false)
  %point.at = getelementptr i8, ptr %out, i64 %before
  store i8 {ord(".")}, ptr %point.at
  %rest.at = getelementptr i8, ptr %point.at, i64 1
  %rest = getelementptr i8, ptr %first, i64 %before
  %rest.count = sub i64 %count, %before
  call void @llvm.memcpy.p0.p0.i64(ptr %rest.at, ptr %rest, i64 %rest.count, i1 false)
  %rest.end = getelementptr i8, ptr %rest.at, i64 %rest.count
  ret ptr %rest.end
whole:
  call void @llvm.memset.p0.i64(ptr %out, i8 {ord("0")}, i64 %before, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %first, i64 %count, i1 false)
  %whole.end = getelementptr i8, ptr %out, i64 %before
{byte_of("dotted", "%style", DOT_AT, 1)}
  %dot = icmp ne i64 %dotted, 0
  br i1 %dot, label %point, label %plain
plain:
  ret ptr %whole.end
point:
  store i8 {ord(".")}, ptr %whole.end
  %zero.at = getelementptr i8, ptr %whole.end, i64 1
  store i8 {ord("0")}, ptr %zero.at
  %zero.end = getelementptr i8, ptr %whole.end, i64 2
  ret ptr %zero.end
scientific:
  %head = load i8, ptr %first
  store i8 %head, ptr %out
  %after = getelementptr i8, ptr %out, i64 1
  %others = sub i64 %count, 1
  %has.others = icmp ne i64 %others, 0
  br i1 %has.others, label %tail, label %power
tail:
  store i8 {ord(".")}, ptr %after
  %tail.at = getelementptr i8, ptr %out, i64 2
  %tail.from = getelementptr i8, ptr %first, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %tail.at, ptr %tail.from, i64 %others, i1 false)
  %tail.end = getelementptr i8, ptr %tail.at, i64 %others
  br label %power
power:
  %letter.at = phi ptr [ %after, %scientific ], [ %tail.end, %tail ]
{byte_of("capital", "%style", CAPITALS_AT, 1)}
  %less = shl i64 %capital, 5
  %letter = sub i64 {ord("e")}, %less
  %letter.byte = trunc i64 %letter to i8
  store i8 %letter.byte, ptr %letter.at
  %is.negative = icmp slt i64 %exponent, 0
  %opposite = sub i64 0, %exponent
  %size = select i1 %is.negative, i64 %opposite, i64 %exponent
  %sign = select i1 %is.negative, i8 {ord("-")}, i8 {ord("+")}
  %sign.at = getelementptr i8, ptr %letter.at, i64 1
  store i8 %sign, ptr %sign.at
  %is.long = icmp ugt i64 %size, 99
  %width = select i1 %is.long, i64 3, i64 2
  %size.at = getelementptr i8, ptr %letter.at, i64 2
  %size.end = getelementptr i8, ptr %size.at, i64 %width
  %written = call ptr @sc.decimal_digits(ptr %size.end, i64 %size, i64 %width)
  ret ptr %size.end
}}
""",
    OF_BYTES | _OF_SET,
    ("decimal_digits",),
    shared=True,
)

_TEXT = Routine(
    f"""\
; A float as a style says, or as CPython does by a format. The letter r stands for repr().
define internal ptr @sc.decimal_text(double %value, i64 %style, i64 %width, i64 %places,
                                     i64 %letter, ptr %format) nounwind {{
entry:
  %buffer = alloca [{_ROOM} x i8]
  %power.at = alloca i64
  %room.end = getelementptr i8, ptr %buffer, i64 {_ROOM - 1}
  %out = getelementptr i8, ptr %buffer, i64 1
  %bits = bitcast double %value to i64
  %size.bits = and i64 %bits, {2**63 - 1}
  %size = bitcast i64 %size.bits to double
  %is.percent = icmp eq i64 %letter, {ord("%")}
  %hundreds = fmul double %size, 100.0
  %number = select i1 %is.percent, double %hundreds, double %size
  %is.f = icmp eq i64 %letter, {ord("f")}
  %is.fixed = or i1 %is.f, %is.percent
  %few = icmp ule i64 %places, {_MOST - 1}
  %is.shortest = icmp eq i64 %letter, {ord("r")}
  %any.places = or i1 %few, %is.shortest
  %in.word = fcmp olt double %number, 0x43E0000000000000
  %finite = icmp ult i64 %size.bits, {0x7FF << 52}
  %held = select i1 %is.fixed, i1 %in.word, i1 %finite
  %here = and i1 %held, %any.places
  br i1 %here, label %which, label %ask
which:
  br i1 %is.fixed, label %fixed, label %floating
fixed:
{byte_of("separator", "%style", SEPARATOR_AT)}
  %fixed.start = call ptr @sc.decimal_fixed(ptr %room.end, double %number, i64 %places,
                                            i64 %separator)
  store i8 {ord("%")}, ptr %room.end
  %one.more = zext i1 %is.percent to i64
  %fixed.end = getelementptr i8, ptr %room.end, i64 %one.more
  br label %sign
floating:
  %is.e = icmp eq i64 %letter, {ord("e")}
  %first = zext i1 %is.e to i64
  %with.first = add i64 %places, %first
  %none = icmp eq i64 %with.first, 0
  %wanted = select i1 %none, i64 1, i64 %with.first
  %limit.of.g = select i1 %is.shortest, i64 16, i64 %wanted
  %limit = select i1 %is.e, i64 -4, i64 %limit.of.g
  %is.zero = icmp eq i64 %size.bits, 0
  br i1 %is.zero, label %zero, label %some
zero:
  %zero.count = select i1 %is.e, i64 %wanted, i64 1
  br label %lay
some:
  br i1 %is.shortest, label %shortest, label %round
shortest:
  %short = call i64 @sc.decimal_shortest(i64 %size.bits, ptr %power.at)
  br label %strip
round:
  %near = call i64 @sc.decimal_rounded(i64 %size.bits, i64 %wanted, ptr %power.at)
  %unclear = icmp eq i64 %near, -1
  br i1 %unclear, label %ask, label %rounded
rounded:
  br i1 %is.e, label %counted, label %strip
strip:
  %with.zeros = phi i64 [ %short, %shortest ], [ %near, %rounded ], [ %stripped, %shorter ]
  %stripped = udiv i64 %with.zeros, 10
  %tens = mul i64 %stripped, 10
  %has.zero = icmp eq i64 %tens, %with.zeros
  br i1 %has.zero, label %shorter, label %counted
shorter:
  %power.before = load i64, ptr %power.at
  %power.more = add i64 %power.before, 1
  store i64 %power.more, ptr %power.at
  br label %strip
counted:
  %digits.found = phi i64 [ %near, %rounded ], [ %with.zeros, %strip ]
  %count.found = call i64 @sc.decimal_count(i64 %digits.found)
  %power = load i64, ptr %power.at
  %behind.first = sub i64 %count.found, 1
  %exponent.found = add i64 %power, %behind.first
  br label %lay
lay:
  %digits = phi i64 [ 0, %zero ], [ %digits.found, %counted ]
  %count = phi i64 [ %zero.count, %zero ], [ %count.found, %counted ]
  %exponent = phi i64 [ 0, %zero ], [ %exponent.found, %counted ]
  %laid.end = call ptr @sc.decimal_laid(ptr %out, i64 %digits, i64 %count, i64 %exponent,
                                        i64 %limit, i64 %style)
  br label %sign
sign:
  %start = phi ptr [ %fixed.start, %fixed ], [ %out, %lay ]
  %end = phi ptr [ %fixed.end, %fixed ], [ %laid.end, %lay ]
{byte_of("plus", "%style", SIGN_AT)}
  %negative = icmp slt i64 %bits, 0
  %shown = select i1 %negative, i64 {ord("-")}, i64 %plus
  %sign.byte = trunc i64 %shown to i8
  %sign.at = getelementptr i8, ptr %start, i64 -1
  store i8 %sign.byte, ptr %sign.at
  %marked = icmp ne i64 %shown, 0
  %head = zext i1 %marked to i64
  %back = sub i64 0, %head
  %chars = getelementptr i8, ptr %start, i64 %back
  %end.bits = ptrtoint ptr %end to i64
  %chars.bits = ptrtoint ptr %chars to i64
  %length = sub i64 %end.bits, %chars.bits
  %text = call ptr @sc.format_padded(ptr %chars, i64 %length, i64 %head, i64 %style, i64 %width)
  ret ptr %text
ask:
  %object = call ptr @PyFloat_FromDouble(double %value)
  %failed = icmp eq ptr %object, null
  br i1 %failed, label %no.memory, label %show
show:
  %of.python = call ptr @PyObject_Format(ptr %object, ptr %format)
  call void @Py_DecRef(ptr %object)
  %taken = call ptr @sc.text_taken(ptr %of.python)
  ret ptr %taken
no.memory:
  ret ptr null
}}
""",
    frozenset(
        {
            "declare ptr @PyFloat_FromDouble(double)",
            "declare ptr @PyObject_Format(ptr, ptr)",
            "declare void @Py_DecRef(ptr)",
        }
    ),
    (
        "decimal_count",
        "decimal_fixed",
        "decimal_laid",
        "decimal_rounded",
        "decimal_shortest",
        "format_padded",
        "text_taken",
    ),
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {
    "decimal_fixed": _FIXED,
    "decimal_digits": _DIGITS,
    "decimal_count": _COUNT,
    "decimal_laid": _LAID,
    "decimal_text": _TEXT,
}
