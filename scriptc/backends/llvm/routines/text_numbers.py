"""Functions in LLVM IR that read numbers in texts; see `texts`."""

from collections.abc import Mapping

from scriptc.backends.llvm.routines.small import Routine
from scriptc.backends.llvm.routines.texts import fields

# Digits that make a whole number which a float holds, as it does ten to the power of as many.
_DIGITS = 15
_POWERS = ", ".join(f"double 1.0e{exponent}" for exponent in range(_DIGITS + 1))
_NAN = "0x7FF8000000000000"

_DECIMAL = Routine(
    f"""\
; The float that a text of few digits is, with a point or a minus sign perhaps; NaN for others. Both
; the digits and the power of ten are exact, so the quotient is rounded once, as Python does.
@sc.text.powers = internal constant [{_DIGITS + 1} x double] [{_POWERS}]
define internal double @sc.text_decimal(ptr %text) nounwind {{
{fields("text", "length", "kind")}
  %ascii = icmp eq i64 %text.kind, 0
  %some = icmp ne i64 %text.length, 0
  %few = icmp ule i64 %text.length, {_DIGITS + 2}
  %short = and i1 %some, %few
  %may = and i1 %ascii, %short
  br i1 %may, label %look, label %none
look:
  %first = load i8, ptr %text.data
  %minus = icmp eq i8 %first, {ord("-")}
  %start = zext i1 %minus to i64
  br label %head
head:
  %i = phi i64 [ %start, %look ], [ %i.next, %digit ], [ %i.next, %point ]
  %whole = phi i64 [ 0, %look ], [ %longer, %digit ], [ %whole, %point ]
  %point.at = phi i64 [ -1, %look ], [ %point.at, %digit ], [ %i, %point ]
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
  br label %head
other:
  %is.point = icmp eq i8 %byte, {ord(".")}
  %no.point = icmp slt i64 %point.at, 0
  %only.point = and i1 %is.point, %no.point
  br i1 %only.point, label %point, label %none
point:
  br label %head
end:
  %has.point = icmp sge i64 %point.at, 0
  %points = zext i1 %has.point to i64
  %marks = add i64 %start, %points
  %digits = sub i64 %text.length, %marks
  %less.one = sub i64 %digits, 1
  %fits = icmp ult i64 %less.one, {_DIGITS}
  br i1 %fits, label %divide, label %none
divide:
  %from.point = sub i64 %text.length, %point.at
  %behind.point = sub i64 %from.point, 1
  %exponent = select i1 %has.point, i64 %behind.point, i64 0
  %power.at = getelementptr double, ptr @sc.text.powers, i64 %exponent
  %power = load double, ptr %power.at
  %number = uitofp i64 %whole to double
  %size = fdiv double %number, %power
  %negative = fneg double %size
  %found = select i1 %minus, double %negative, double %size
  ret double %found
none:
  ret double {_NAN}
}}
""",
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {"text_decimal": _DECIMAL}
