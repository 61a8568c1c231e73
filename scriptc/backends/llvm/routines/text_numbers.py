"""Functions in LLVM IR that read numbers in texts; see `texts`, `decimals`."""

from collections.abc import Mapping

from scriptc.backends.llvm.routines.small import Routine
from scriptc.backends.llvm.routines.texts import fields

# Digits that a word holds, and the greatest power of ten that a float holds.
_DIGITS, _EXACT = 19, 22
_POWERS = ", ".join(f"double 1.0e{exponent}" for exponent in range(_EXACT + 1))
# The powers of ten that the table has, and for which a float may be no infinity.
_LEAST, _GREATEST = -342, 308
_NAN = "0x7FF8000000000000"
_MINUS, _PLUS = ord("-"), ord("+")

_READ = Routine(
    f"""\
; The float that a text of digits says, with a sign, a point or an exponent perhaps; NaN for others,
; and where it is not plain how the number is rounded. Where both the digits and the power of ten
; are exact floats, one operation rounds as Python does.
@sc.decimal.floats = internal constant [{_EXACT + 1} x double] [{_POWERS}]
define internal double @sc.decimal_read(ptr %text) nounwind {{
{fields("text", "length", "kind")}
  %ascii = icmp eq i64 %text.kind, 0
  %some = icmp ne i64 %text.length, 0
  %may = and i1 %ascii, %some
  br i1 %may, label %look, label %none
look:
  %first = load i8, ptr %text.data
  %minus = icmp eq i8 %first, {_MINUS}
  %plus = icmp eq i8 %first, {_PLUS}
  %signed = or i1 %minus, %plus
  %start = zext i1 %signed to i64
  br label %head
head:
  %i = phi i64 [ %start, %look ], [ %i.next, %digit ], [ %i.next, %point ]
  %whole = phi i64 [ 0, %look ], [ %longer, %digit ], [ %whole, %point ]
  %count = phi i64 [ 0, %look ], [ %count.now, %digit ], [ %count, %point ]
  %all = phi i64 [ 0, %look ], [ %all.now, %digit ], [ %all, %point ]
  %before.point = phi i64 [ -1, %look ], [ %before.point, %digit ], [ %all, %point ]
  %more = icmp ult i64 %i, %text.length
  br i1 %more, label %one, label %end
one:
  %at = getelementptr i8, ptr %text.data, i64 %i
  %byte = load i8, ptr %at
  %i.next = add i64 %i, 1
  %value.i8 = sub i8 %byte, {ord("0")}
  %is.digit = icmp ult i8 %value.i8, 10
  br i1 %is.digit, label %digit, label %other
digit:
  %value = zext i8 %value.i8 to i64
  %tens = mul i64 %whole, 10
  %longer = add i64 %tens, %value
  ; Zeros in front do not count.
  %is.some = icmp ne i64 %value, 0
  %has.some = icmp ne i64 %count, 0
  %counts = or i1 %is.some, %has.some
  %counted = zext i1 %counts to i64
  %count.now = add i64 %count, %counted
  %all.now = add i64 %all, 1
  br label %head
other:
  %is.point = icmp eq i8 %byte, {ord(".")}
  %no.point = icmp slt i64 %before.point, 0
  %only.point = and i1 %is.point, %no.point
  br i1 %only.point, label %point, label %letter
point:
  br label %head
letter:
  %small = or i8 %byte, 32
  %is.letter = icmp eq i8 %small, {ord("e")}
  %has.first = icmp ult i64 %i.next, %text.length
  %may.follow = and i1 %is.letter, %has.first
  br i1 %may.follow, label %exponent, label %none
exponent:
  %sign.at = getelementptr i8, ptr %text.data, i64 %i.next
  %sign = load i8, ptr %sign.at
  %down = icmp eq i8 %sign, {_MINUS}
  %up = icmp eq i8 %sign, {_PLUS}
  %has.sign = or i1 %down, %up
  %skipped = zext i1 %has.sign to i64
  %from = add i64 %i.next, %skipped
  %length = sub i64 %text.length, %from
  %from.one = sub i64 %length, 1
  %few = icmp ult i64 %from.one, 4
  br i1 %few, label %next, label %none
next:
  %k = phi i64 [ %from, %exponent ], [ %k.next, %figure ]
  %size = phi i64 [ 0, %exponent ], [ %size.now, %figure ]
  %k.more = icmp ult i64 %k, %text.length
  br i1 %k.more, label %figure.look, label %turned
figure.look:
  %k.at = getelementptr i8, ptr %text.data, i64 %k
  %k.byte = load i8, ptr %k.at
  %figure.i8 = sub i8 %k.byte, {ord("0")}
  %is.figure = icmp ult i8 %figure.i8, 10
  br i1 %is.figure, label %figure, label %none
figure:
  %k.value = zext i8 %figure.i8 to i64
  %k.tens = mul i64 %size, 10
  %size.now = add i64 %k.tens, %k.value
  %k.next = add i64 %k, 1
  br label %next
turned:
  %opposite = sub i64 0, %size
  %said = select i1 %down, i64 %opposite, i64 %size
  br label %end
end:
  %shown = phi i64 [ 0, %head ], [ %said, %turned ]
  %has.digits = icmp ne i64 %all, 0
  %held = icmp ule i64 %count, {_DIGITS}
  %is.number = and i1 %has.digits, %held
  br i1 %is.number, label %scale, label %none
scale:
  %has.point = icmp sge i64 %before.point, 0
  %behind = sub i64 %all, %before.point
  %broken = select i1 %has.point, i64 %behind, i64 0
  %power = sub i64 %shown, %broken
  %fits = icmp ult i64 %whole, {2**53}
  %from.least = add i64 %power, {_EXACT}
  %near = icmp ule i64 %from.least, {2 * _EXACT}
  %is.zero = icmp eq i64 %whole, 0
  %exact = and i1 %fits, %near
  %quick = or i1 %exact, %is.zero
  br i1 %quick, label %exactly, label %scaled
exactly:
  %number = uitofp i64 %whole to double
  %is.up = icmp sge i64 %power, 0
  %power.down = sub i64 0, %power
  %power.size = select i1 %is.up, i64 %power, i64 %power.down
  %row = select i1 %near, i64 %power.size, i64 0
  %ten.at = getelementptr double, ptr @sc.decimal.floats, i64 %row
  %ten = load double, ptr %ten.at
  %times = fmul double %number, %ten
  %over = fdiv double %number, %ten
  %of.exact = select i1 %is.up, double %times, double %over
  br label %done
scaled:
  %above.least = sub i64 %power, {_LEAST}
  %known = icmp ule i64 %above.least, {_GREATEST - _LEAST}
  br i1 %known, label %multiply, label %none
multiply:
  %zeros = call i64 @llvm.ctlz.i64(i64 %whole, i1 true)
  %high = shl i64 %whole, %zeros
  %product = call i128 @sc.decimal_scaled(i64 %high, i64 %power)
  %top = lshr i128 %product, 64
  %top.word = trunc i128 %top to i64
  %lead = call i64 @llvm.ctlz.i64(i64 %top.word, i1 true)
  %shift.i64 = sub i64 75, %lead
  %shift = zext i64 %shift.i64 to i128
  %bits.wide = lshr i128 %product, %shift
  %taken = shl i128 %bits.wide, %shift
  %rest = sub i128 %product, %taken
  %below = sub i128 %shift, 1
  %half = shl i128 1, %below
  %to.half = sub i128 %half, %rest
  %unclear = icmp ult i128 %to.half, 2
  %log.scaled = mul i64 %power, 1741647
  %log = ashr i64 %log.scaled, 19
  %raised = add i64 %log, %shift.i64
  %lowered = sub i64 %raised, %zeros
  %field = add i64 %lowered, {1075 - 63}
  %from.normal = sub i64 %field, 1
  %normal = icmp ult i64 %from.normal, 2045
  %is.clear = xor i1 %unclear, true
  %sure = and i1 %normal, %is.clear
  br i1 %sure, label %round, label %none
round:
  %is.above = icmp ugt i128 %rest, %half
  %one.up = zext i1 %is.above to i64
  %bits = trunc i128 %bits.wide to i64
  %mantissa = sub i64 %bits, {2**52}
  %field.up = shl i64 %field, 52
  %below.one = add i64 %field.up, %mantissa
  %all.bits = add i64 %below.one, %one.up
  %of.scaled = bitcast i64 %all.bits to double
  br label %done
done:
  %found = phi double [ %of.exact, %exactly ], [ %of.scaled, %round ]
  %negative = fneg double %found
  %result = select i1 %minus, double %negative, double %found
  ret double %result
none:
  ret double {_NAN}
}}
""",
    frozenset({"declare i64 @llvm.ctlz.i64(i64, i1)"}),
    ("decimal_scaled",),
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {"decimal_read": _READ}
