"""Functions in LLVM IR that find the decimal digits of floats.

What they find is exact, as in CPython: where 128 bits of a power of ten do not tell how a number is
rounded, which is rare, they say so. They are a part of the support code that few programs load;
`powers_text` is its table.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.routines.small import Routine

# The powers of ten in the table, whose highest bit is set in 128 bits; others are cut off. Those
# from 0 to `_LAST_EXACT` are exact.
_FIRST_POWER, _LAST_POWER, _LAST_EXACT = -342, 341, 55
_POWERS = f"[{_LAST_POWER - _FIRST_POWER + 1} x i128]"

# Digits that a word holds whatever they are.
_OF_WORD = 19
_TENS = ", ".join(f"i64 {10**exponent}" for exponent in range(_OF_WORD + 1))

_MANTISSA = (1 << 52) - 1

_OF_POWERS = frozenset({f"@sc.decimal_powers = external constant {_POWERS}"})
OF_TENS = frozenset({f"@sc.decimal_tens = external constant [{_OF_WORD + 1} x i64]"})
OF_ZEROS = frozenset({"declare i64 @llvm.ctlz.i64(i64, i1)"})


def powers_text() -> str:
    """Return the tables that the routines read."""
    rows: list[str] = []
    for exponent in range(_FIRST_POWER, _LAST_POWER + 1):
        power = 10 ** abs(exponent)
        bits = power.bit_length()
        if exponent < 0:
            power = (1 << bits + 127) // power
            power >>= power.bit_length() - 128
        else:
            power = power << 128 >> bits
        rows.append(f"i128 {power}")
    powers = f"@sc.decimal_powers = constant {_POWERS} [{', '.join(rows)}]"
    return f"{powers}\n@sc.decimal_tens = constant [{_OF_WORD + 1} x i64] [{_TENS}]\n"


def parts_of(bits: str) -> str:
    """Return lines that take a float apart: `%whole` times two to the power of `%exponent`."""
    return f"""\
  %mantissa = and i64 {bits}, {_MANTISSA}
  %field.shifted = lshr i64 {bits}, 52
  %field = and i64 %field.shifted, 2047
  %is.small = icmp eq i64 %field, 0
  %highest = select i1 %is.small, i64 0, i64 {_MANTISSA + 1}
  %whole = or i64 %mantissa, %highest
  %at.least = select i1 %is.small, i64 1, i64 %field
  %exponent = sub i64 %at.least, 1075"""


def _log2_of_ten(name: str, power: str) -> str:
    """Return lines that say how often two is a factor of ten to a power, rounded down."""
    return f"""\
  %{name}.scaled = mul i64 {power}, 1741647
  %{name} = ashr i64 %{name}.scaled, 19"""


_POWER = Routine(
    f"""\
define internal i128 @sc.decimal_power(i64 %power) alwaysinline nounwind {{
  %row = sub i64 %power, {_FIRST_POWER}
  %at = getelementptr i128, ptr @sc.decimal_powers, i64 %row
  %found = load i128, ptr %at
  ret i128 %found
}}
""",
    _OF_POWERS,
    shared=True,
)

_PRODUCT = Routine(
    """\
; The highest 128 of the 192 bits of a product.
define internal i128 @sc.decimal_product(i128 %factor, i64 %number) alwaysinline nounwind {
  %wide = zext i64 %number to i128
  %low.part = trunc i128 %factor to i64
  %low.factor = zext i64 %low.part to i128
  %high.factor = lshr i128 %factor, 64
  %low = mul i128 %wide, %low.factor
  %carry = lshr i128 %low, 64
  %high = mul i128 %wide, %high.factor
  %sum = add i128 %high, %carry
  ret i128 %sum
}
""",
    shared=True,
)

_SCALED = Routine(
    """\
; The highest 128 bits of a number, whose highest bit is set, times a power of ten. The product is
; less than two of their last place above them.
define internal i128 @sc.decimal_scaled(i64 %number, i64 %power) nounwind {
  %factor = call i128 @sc.decimal_power(i64 %power)
  %sum = call i128 @sc.decimal_product(i128 %factor, i64 %number)
  ret i128 %sum
}
""",
    calls=("decimal_power", "decimal_product"),
    shared=True,
)

_ROUNDED = Routine(
    f"""\
; The first digits of a float that is not zero, and the power of ten that they are times; -1 where
; it is not plain how they are rounded.
define internal i64 @sc.decimal_rounded(i64 %bits, i64 %count, ptr %power.at) nounwind {{
entry:
{parts_of("%bits")}
  %zeros = call i64 @llvm.ctlz.i64(i64 %whole, i1 true)
  %number = shl i64 %whole, %zeros
  %its.power = sub i64 %exponent, %zeros
  ; As few digits before the point as there may be: with one more, what comes is too large.
  %log2 = add i64 %its.power, 63
  %log2.scaled = mul i64 %log2, 1262611
  %log10 = ashr i64 %log2.scaled, 22
  %behind = sub i64 %count, 1
  %first = sub i64 %behind, %log10
  %tens.at = getelementptr i64, ptr @sc.decimal_tens, i64 %count
  %beyond = load i64, ptr %tens.at
  br label %try
try:
  %power = phi i64 [ %first, %entry ], [ %less, %again ]
  ; Half of it: what is below one, and becomes a digit, would be shifted by all its bits.
  %product.twice = call i128 @sc.decimal_scaled(i64 %number, i64 %power)
  %product = lshr i128 %product.twice, 1
{_log2_of_ten("twos", "%power")}
  %sum = add i64 %its.power, %twos
  %shift.i64 = sub i64 62, %sum
  %shift = zext i64 %shift.i64 to i128
  %digits.wide = lshr i128 %product, %shift
  %digits = trunc i128 %digits.wide to i64
  %taken = shl i128 %digits.wide, %shift
  %rest = sub i128 %product, %taken
  %below = sub i128 %shift, 1
  %half = shl i128 1, %below
  %to.half = sub i128 %half, %rest
  %unclear = icmp ult i128 %to.half, 2
  br i1 %unclear, label %none, label %round
round:
  %up = icmp ugt i128 %rest, %half
  %one = zext i1 %up to i64
  %found = add i64 %digits, %one
  %too.many = icmp uge i64 %found, %beyond
  br i1 %too.many, label %again, label %done
again:
  %less = sub i64 %power, 1
  br label %try
done:
  %opposite = sub i64 0, %power
  store i64 %opposite, ptr %power.at
  ret i64 %found
none:
  ret i64 -1
}}
""",
    OF_TENS | OF_ZEROS,
    ("decimal_scaled",),
    shared=True,
)

_ODD = Routine(
    """\
; The highest bits of a product, the last of which says whether it has others.
define internal i64 @sc.decimal_odd(i128 %factor, i64 %number) nounwind {
  %sum = call i128 @sc.decimal_product(i128 %factor, i64 %number)
  %top = lshr i128 %sum, 64
  %found = trunc i128 %top to i64
  %rest = trunc i128 %sum to i64
  %others = icmp ugt i64 %rest, 1
  %odd = zext i1 %others to i64
  %all = or i64 %found, %odd
  ret i64 %all
}
""",
    calls=("decimal_product",),
    shared=True,
)

_SHORTEST = Routine(
    f"""\
; The fewest digits that a float which is not zero is read from, and the power of ten that they are
; times: R. Giulietti, "The Schubfach way to render doubles" (2020).
define internal i64 @sc.decimal_shortest(i64 %bits, ptr %power.at) nounwind {{
{parts_of("%bits")}
  %places = sub i64 0, %exponent
  %some = icmp ult i64 %places, 53
  %mask.up = shl i64 1, %places
  %mask = sub i64 %mask.up, 1
  %broken = and i64 %whole, %mask
  %is.int = icmp eq i64 %broken, 0
  %quick = select i1 %some, i1 %is.int, i1 false
  br i1 %quick, label %int, label %any
int:
  %as.int = lshr i64 %whole, %places
  store i64 0, ptr %power.at
  ret i64 %as.int
any:
  %no.mantissa = icmp eq i64 %mantissa, 0
  %has.smaller = icmp ugt i64 %field, 1
  %closer = and i1 %no.mantissa, %has.smaller
  %nearer = zext i1 %closer to i64
  %last = and i64 %whole, 1
  %log10.exact = mul i64 %exponent, 1262611
  %three.quarters = select i1 %closer, i64 524031, i64 0
  %log10.scaled = sub i64 %log10.exact, %three.quarters
  %power = ashr i64 %log10.scaled, 22
  %its.power = sub i64 0, %power
{_log2_of_ten("twos", "%its.power")}
  %shift.less = add i64 %exponent, %twos
  %shift = add i64 %shift.less, 1
  %cut = call i128 @sc.decimal_power(i64 %its.power)
  %is.cut = icmp ugt i64 %its.power, {_LAST_EXACT}
  %more = zext i1 %is.cut to i128
  %factor = add i128 %cut, %more
  %middle = shl i64 %whole, 2
  %left.far = sub i64 %middle, 2
  %left = add i64 %left.far, %nearer
  %right = add i64 %middle, 2
  %left.up = shl i64 %left, %shift
  %middle.up = shl i64 %middle, %shift
  %right.up = shl i64 %right, %shift
  %from = call i64 @sc.decimal_odd(i128 %factor, i64 %left.up)
  %at = call i64 @sc.decimal_odd(i128 %factor, i64 %middle.up)
  %to = call i64 @sc.decimal_odd(i128 %factor, i64 %right.up)
  %lower = add i64 %from, %last
  %upper = sub i64 %to, %last
  %digits = lshr i64 %at, 2
  %several = icmp uge i64 %digits, 10
  br i1 %several, label %fewer, label %same
fewer:
  %tenth = udiv i64 %digits, 10
  %forty = mul i64 %tenth, 40
  %forty.on = add i64 %forty, 40
  %low.inside = icmp ule i64 %lower, %forty
  %high.inside = icmp ule i64 %forty.on, %upper
  %one.inside = xor i1 %low.inside, %high.inside
  br i1 %one.inside, label %shorter, label %same
shorter:
  %above = zext i1 %high.inside to i64
  %short = add i64 %tenth, %above
  %next.power = add i64 %power, 1
  store i64 %next.power, ptr %power.at
  ret i64 %short
same:
  store i64 %power, ptr %power.at
  %four = shl i64 %digits, 2
  %four.on = add i64 %four, 4
  %down.inside = icmp ule i64 %lower, %four
  %up.inside = icmp ule i64 %four.on, %upper
  %only.one = xor i1 %down.inside, %up.inside
  %half = add i64 %four, 2
  %beyond = icmp ugt i64 %at, %half
  %tie = icmp eq i64 %at, %half
  %is.odd = trunc i64 %digits to i1
  %tie.up = and i1 %tie, %is.odd
  %nearest.up = or i1 %beyond, %tie.up
  %up = select i1 %only.one, i1 %up.inside, i1 %nearest.up
  %one = zext i1 %up to i64
  %found = add i64 %digits, %one
  ret i64 %found
}}
""",
    calls=("decimal_power", "decimal_odd"),
    shared=True,
)

ROUTINES: Mapping[str, Routine] = {
    "decimal_power": _POWER,
    "decimal_product": _PRODUCT,
    "decimal_scaled": _SCALED,
    "decimal_rounded": _ROUNDED,
    "decimal_odd": _ODD,
    "decimal_shortest": _SHORTEST,
}
