"""Arithmetic of Python and NumPy that takes more than an instruction, as LLVM IR."""

from collections.abc import Mapping

from scriptc.backends.llvm.routines.small import Routine

# The quotient of two ints is the float nearest to the exact one. Up to 2**53 the operands are
# floats already and a division rounds once. Beyond, both are shifted to 64 bits, divided with 63
# more bits, and what is lost sets the lowest bit, so that rounding the quotient is right.
_DIVIDE_INTS = Routine(
    """\
define internal double @sc.divide_ints(i64 %a, i64 %b) alwaysinline nounwind {
  %a.up = add i64 %a, 9007199254740992
  %b.up = add i64 %b, 9007199254740992
  %a.small = icmp ule i64 %a.up, 18014398509481984
  %b.small = icmp ule i64 %b.up, 18014398509481984
  %small = and i1 %a.small, %b.small
  br i1 %small, label %plain, label %exact, !prof !1
plain:
  %x = sitofp i64 %a to double
  %y = sitofp i64 %b to double
  %quotient = fdiv double %x, %y
  ret double %quotient
exact:
  %rounded = call double @sc.divide_long_ints(i64 %a, i64 %b)
  ret double %rounded
}
define internal double @sc.divide_long_ints(i64 %a, i64 %b) cold noinline nounwind {
entry:
  %zero = icmp eq i64 %a, 0
  br i1 %zero, label %nothing, label %divide
nothing:
  %b.negative = icmp slt i64 %b, 0
  %signed.zero = select i1 %b.negative, double -0.0, double 0.0
  ret double %signed.zero
divide:
  %x = call i64 @llvm.abs.i64(i64 %a, i1 false)
  %y = call i64 @llvm.abs.i64(i64 %b, i1 false)
  %x.shift = call i64 @llvm.ctlz.i64(i64 %x, i1 true)
  %y.shift = call i64 @llvm.ctlz.i64(i64 %y, i1 true)
  %x.full = shl i64 %x, %x.shift
  %y.full = shl i64 %y, %y.shift
  %x.wide = zext i64 %x.full to i128
  %x.wider = shl i128 %x.wide, 63
  %y.wide = zext i64 %y.full to i128
  %q = udiv i128 %x.wider, %y.wide
  %back = mul i128 %q, %y.wide
  %lost = icmp ne i128 %back, %x.wider
  %lost.bit = zext i1 %lost to i64
  %q.low = trunc i128 %q to i64
  %q.sticky = or i64 %q.low, %lost.bit
  %mantissa = uitofp i64 %q.sticky to double
  %shift = sub i64 %y.shift, %x.shift
  %exponent = add i64 %shift, 960
  %bits = shl i64 %exponent, 52
  %scale = bitcast i64 %bits to double
  %size = fmul double %mantissa, %scale
  %signs = xor i64 %a, %b
  %negative = icmp slt i64 %signs, 0
  %minus = fneg double %size
  %result = select i1 %negative, double %minus, double %size
  ret double %result
}
""",
    frozenset(
        {
            "declare i64 @llvm.abs.i64(i64, i1)",
            "declare i64 @llvm.ctlz.i64(i64, i1)",
        }
    ),
)

# -1, 0, 1, or 2 where the float is NaN. An int beyond 2**53 is not rounded: the float's whole part
# is compared with it, then the fraction decides.
_COMPARE_INT_FLOAT = Routine(
    """\
define internal i32 @sc.compare_int_float(i64 %a, double %b) alwaysinline nounwind {
  %up = add i64 %a, 9007199254740992
  %small = icmp ule i64 %up, 18014398509481984
  %x = sitofp i64 %a to double
  br i1 %small, label %compare, label %large, !prof !1
large:
  %above = fcmp oge double %b, 0x43E0000000000000
  %below = fcmp olt double %b, 0xC3E0000000000000
  %nan = fcmp uno double %b, 0.0
  %far.a = or i1 %above, %below
  %far = or i1 %far.a, %nan
  br i1 %far, label %beyond, label %exact
beyond:
  %beyond.low = select i1 %above, i32 -1, i32 1
  %beyond.result = select i1 %nan, i32 2, i32 %beyond.low
  ret i32 %beyond.result
exact:
  %whole = call double @llvm.trunc.f64(double %b)
  %b.int = fptosi double %whole to i64
  %equal = icmp eq i64 %a, %b.int
  %greater = icmp sgt i64 %a, %b.int
  %fraction = fsub double %b, %whole
  %fraction.up = fcmp ogt double %fraction, 0.0
  %fraction.down = fcmp olt double %fraction, 0.0
  %tie.low = select i1 %fraction.down, i32 1, i32 0
  %tie = select i1 %fraction.up, i32 -1, i32 %tie.low
  %apart = select i1 %greater, i32 1, i32 -1
  %exact.result = select i1 %equal, i32 %tie, i32 %apart
  ret i32 %exact.result
compare:
  %less = fcmp olt double %x, %b
  %more = fcmp ogt double %x, %b
  %same = fcmp oeq double %x, %b
  %r.same = select i1 %same, i32 0, i32 2
  %r.more = select i1 %more, i32 1, i32 %r.same
  %r = select i1 %less, i32 -1, i32 %r.more
  ret i32 %r
}
""",
    frozenset({"declare double @llvm.trunc.f64(double)"}),
)

# By squaring. Every intermediate product is a part of the result, so its overflow is the result's.
_POWER_INTS = Routine(
    """\
define internal { i64, i1 } @sc.power_ints(i64 %base, i64 %exponent) nounwind {
entry:
  br label %head
head:
  %e = phi i64 [ %exponent, %entry ], [ %e.half, %square ]
  %b = phi i64 [ %base, %entry ], [ %b.squared, %square ]
  %r = phi i64 [ 1, %entry ], [ %r.next, %square ]
  %over = phi i1 [ false, %entry ], [ %over.square, %square ]
  %odd = trunc i64 %e to i1
  %product = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %r, i64 %b)
  %product.value = extractvalue { i64, i1 } %product, 0
  %product.over = extractvalue { i64, i1 } %product, 1
  %counts = and i1 %odd, %product.over
  %over.product = or i1 %over, %counts
  %r.next = select i1 %odd, i64 %product.value, i64 %r
  %e.half = lshr i64 %e, 1
  %done = icmp eq i64 %e.half, 0
  br i1 %done, label %exit, label %square
square:
  %squared = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %b, i64 %b)
  %b.squared = extractvalue { i64, i1 } %squared, 0
  %squared.over = extractvalue { i64, i1 } %squared, 1
  %over.square = or i1 %over.product, %squared.over
  br label %head
exit:
  %partly = insertvalue { i64, i1 } poison, i64 %r.next, 0
  %result = insertvalue { i64, i1 } %partly, i1 %over.product, 1
  ret { i64, i1 } %result
}
""",
    frozenset({"declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)"}),
)


# A double is rounded to the float that keeps, in its last bit, that something was cut off; then the
# second rounding is that of the exact value.
_DOUBLE_TO_HALF = Routine(
    """\
define internal half @sc.double_to_half(double %x) alwaysinline nounwind {
  %near = fptrunc double %x to float
  %back = fpext float %near to double
  %exact = fcmp ueq double %back, %x
  %size = call double @llvm.fabs.f64(double %x)
  %size.back = call double @llvm.fabs.f64(double %back)
  %above = fcmp ogt double %size.back, %size
  %bits = bitcast float %near to i32
  %less = zext i1 %above to i32
  %cut = sub i32 %bits, %less
  %odd = or i32 %cut, 1
  %kept = select i1 %exact, i32 %bits, i32 %odd
  %single = bitcast i32 %kept to float
  %half = fptrunc float %single to half
  ret half %half
}
""",
    frozenset({"declare double @llvm.fabs.f64(double)"}),
)


def _divmod(name: str, llvm: str) -> Mapping[str, Routine]:
    """Return floor division and modulo of floats, as CPython and NumPy compute them.

    They are given C's remainder, which is exact; that of Python takes the sign of the divisor. The
    quotient comes from the remainder, so it must be snapped to the integer it nearly is. A divisor
    of zero gives what NumPy gives; Python's ops refuse it before.
    """
    modulo = Routine(
        f"""\
define internal {llvm} @sc.mod_{name}({llvm} %a, {llvm} %b, {llvm} %mod) alwaysinline nounwind {{
  %some = fcmp une {llvm} %mod, 0.0
  %b.negative = fcmp olt {llvm} %b, 0.0
  %mod.negative = fcmp olt {llvm} %mod, 0.0
  %signs = xor i1 %b.negative, %mod.negative
  %shifted = fadd {llvm} %mod, %b
  %right = select i1 %signs, {llvm} %shifted, {llvm} %mod
  %zero = call {llvm} @llvm.copysign.{name}({llvm} 0.0, {llvm} %b)
  %result = select i1 %some, {llvm} %right, {llvm} %zero
  %by.zero = fcmp oeq {llvm} %b, 0.0
  %final = select i1 %by.zero, {llvm} %mod, {llvm} %result
  ret {llvm} %final
}}
""",
        frozenset({f"declare {llvm} @llvm.copysign.{name}({llvm}, {llvm})"}),
    )
    floor = Routine(
        f"""\
define internal {llvm} @sc.floordiv_{name}({llvm} %a, {llvm} %b, {llvm} %mod)
  alwaysinline nounwind {{
  %ratio = fdiv {llvm} %a, %b
  %by.zero = fcmp oeq {llvm} %b, 0.0
  %rest = fsub {llvm} %a, %mod
  %div = fdiv {llvm} %rest, %b
  %some = fcmp une {llvm} %mod, 0.0
  %b.negative = fcmp olt {llvm} %b, 0.0
  %mod.negative = fcmp olt {llvm} %mod, 0.0
  %signs = xor i1 %b.negative, %mod.negative
  %adjust = and i1 %some, %signs
  %less = fsub {llvm} %div, 1.0
  %quotient = select i1 %adjust, {llvm} %less, {llvm} %div
  %floor = call {llvm} @llvm.floor.{name}({llvm} %quotient)
  %gap = fsub {llvm} %quotient, %floor
  %high = fcmp ogt {llvm} %gap, 0.5
  %next = fadd {llvm} %floor, 1.0
  %snapped = select i1 %high, {llvm} %next, {llvm} %floor
  %nothing = fcmp oeq {llvm} %quotient, 0.0
  %signed.zero = call {llvm} @llvm.copysign.{name}({llvm} 0.0, {llvm} %ratio)
  %result = select i1 %nothing, {llvm} %signed.zero, {llvm} %snapped
  %final = select i1 %by.zero, {llvm} %ratio, {llvm} %result
  ret {llvm} %final
}}
""",
        frozenset(
            {
                f"declare {llvm} @llvm.copysign.{name}({llvm}, {llvm})",
                f"declare {llvm} @llvm.floor.{name}({llvm})",
            }
        ),
    )
    return {f"mod_{name}": modulo, f"floordiv_{name}": floor}


ROUTINES: Mapping[str, Routine] = {
    "divide_ints": _DIVIDE_INTS,
    "compare_int_float": _COMPARE_INT_FLOAT,
    "power_ints": _POWER_INTS,
    "double_to_half": _DOUBLE_TO_HALF,
    **_divmod("f64", "double"),
    **_divmod("f32", "float"),
}
