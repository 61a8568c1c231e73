"""LLVM code for NumPy's integers, of every width: they wrap around, and nothing traps or raises.

Division by zero gives 0, a shift by the width or more shifts everything out. Python's int shares
what its checks leave to compute: floor division and modulo of i64.
"""

from collections.abc import Callable, Mapping

from scriptc.backends.llvm.emitter.function import Emitter, literal
from scriptc.backends.llvm.loading import abi
from scriptc_runtime.ir import Instr
from scriptc_runtime.types import INTEGERS, DType, Type

# A rule for operands of one type: takes the emitter, the instruction and the operands' components.
Scalar = Callable[[Emitter, Instr, str, str], str]
Unary = Callable[[Emitter, Instr, str], str]


def binary_table(make: Callable[[DType], Scalar]) -> Mapping[Type, Scalar]:
    """Return the rule of each dtype."""
    return {dtype: make(dtype) for dtype in INTEGERS}


def unary_table(make: Callable[[DType], Unary]) -> Mapping[Type, Unary]:
    """Return the rule of each dtype."""
    return {dtype: make(dtype) for dtype in INTEGERS}


def _is_signed(dtype: DType) -> bool:
    return dtype.kind == "i"


# Division.


def _safe_divisor(e: Emitter, llvm: str, b: str, *, signed: bool) -> str:
    """Return a divisor that cannot trap: 1 for 0, and for -1, whose results are special anyway."""
    if (known := literal(b)) is not None and known not in (0, -1):
        return b
    # With one added, 0 and -1 are the only ones below 2 (below 1 without the sign: 0 is alone).
    up = e.let(f"add {llvm} {b}, 1") if signed else b
    special = e.let(f"icmp ult {llvm} {up}, {2 if signed else 1}")
    return e.let(f"select i1 {special}, {llvm} 1, {llvm} {b}")


def _quotient_and_rest(e: Emitter, llvm: str, a: str, b: str) -> tuple[str, str, str]:
    """Return sdiv, srem, and whether rounding down instead of to zero takes one off."""
    quotient = e.let(f"sdiv {llvm} {a}, {b}")
    rest = e.let(f"srem {llvm} {a}, {b}")
    some = e.let(f"icmp ne {llvm} {rest}, 0")
    signs = e.let(f"xor {llvm} {rest}, {b}")
    apart = e.let(f"icmp slt {llvm} {signs}, 0")
    return quotient, rest, e.let(f"and i1 {some}, {apart}")


def floor_quotient(e: Emitter, a: str, b: str, llvm: str = "i64") -> str:
    """Return a // b of signed integers; the least one by -1 wraps to itself, by 0 it is open."""
    if (known := literal(b)) is not None and known > 0:
        return _floor_by_positive(e, a, known, llvm)
    divisor = _safe_divisor(e, llvm, b, signed=True)
    quotient, _, adjust = _quotient_and_rest(e, llvm, a, divisor)
    floor = e.let(f"sub {llvm} {quotient}, {e.let(f'zext i1 {adjust} to {llvm}')}")
    if divisor == b:
        return floor
    minus = e.let(f"icmp eq {llvm} {b}, -1")
    negative = e.let(f"sub {llvm} 0, {a}")
    return e.let(f"select i1 {minus}, {llvm} {negative}, {llvm} {floor}")


def _floor_by_positive(e: Emitter, a: str, number: int, llvm: str) -> str:
    """Return a // number: a >> k for 2**k, else ~(~a // number) where a is negative.

    Neither operand has a sign then, so one product computes it and nothing is put right.
    """
    if number & (number - 1) == 0:
        return e.let(f"ashr {llvm} {a}, {number.bit_length() - 1}")
    sign = e.let(f"ashr {llvm} {a}, {int(llvm[1:]) - 1}")
    size = e.let(f"xor {llvm} {a}, {sign}")
    return e.let(f"xor {llvm} {e.let(f'udiv {llvm} {size}, {number}')}, {sign}")


def floor_remainder(e: Emitter, a: str, b: str, llvm: str = "i64") -> str:
    """Return a % b of signed integers; by 1 and -1 that is 0, by 0 it is open."""
    divisor = _safe_divisor(e, llvm, b, signed=True)
    _, rest, adjust = _quotient_and_rest(e, llvm, a, divisor)
    shift = e.let(f"select i1 {adjust}, {llvm} {divisor}, {llvm} 0")
    return e.let(f"add {llvm} {rest}, {shift}")


def _division(
    signed: Callable[[Emitter, str, str, str], str], unsigned: str, dtype: DType
) -> Scalar:
    llvm = abi.element(dtype)

    def scalar(e: Emitter, instr: Instr, a: str, b: str) -> str:
        if _is_signed(dtype):
            value = signed(e, a, b, llvm)
        else:
            divisor = _safe_divisor(e, llvm, b, signed=False)
            value = e.let(f"{unsigned} {llvm} {a}, {divisor}")
        if literal(b) not in (None, 0):
            return value
        zero = e.let(f"icmp eq {llvm} {b}, 0")
        return e.let(f"select i1 {zero}, {llvm} 0, {llvm} {value}")

    return scalar


def floordiv(dtype: DType) -> Scalar:
    """Return the rule of `//`."""
    return _division(floor_quotient, "udiv", dtype)


def mod(dtype: DType) -> Scalar:
    """Return the rule of `%`."""
    return _division(floor_remainder, "urem", dtype)


def fmod(dtype: DType) -> Scalar:
    """Return the rule of the remainder with the sign of the left operand."""
    llvm = abi.element(dtype)

    def scalar(e: Emitter, instr: Instr, a: str, b: str) -> str:
        # By 0 and by -1, which would trap, the remainder is 0, as it is by 1.
        divisor = _safe_divisor(e, llvm, b, signed=_is_signed(dtype))
        return e.let(f"{'s' if _is_signed(dtype) else 'u'}rem {llvm} {a}, {divisor}")

    return scalar


# Powers and shifts.


def power_parts(e: Emitter, a: str, b: str) -> tuple[str, str]:
    """Return the power of two i64, which wraps, and whether it did."""
    e.state.routines.add("power_ints")
    both = e.let(f"call {{ i64, i1 }} @sc.power_ints(i64 {a}, i64 {b})")
    value = e.let(f"extractvalue {{ i64, i1 }} {both}, 0")
    return value, e.let(f"extractvalue {{ i64, i1 }} {both}, 1")


def power(dtype: DType) -> Scalar:
    """Return the rule of `**`: what wraps in fewer bits are the low bits of what wraps in 64."""
    llvm = abi.element(dtype)

    def scalar(e: Emitter, instr: Instr, a: str, b: str) -> str:
        if _is_signed(dtype):
            negative = e.let(f"icmp slt {llvm} {b}, 0")
            message = "Integers to negative integer powers are not allowed."
            e.raise_if(negative, "ValueError", message, instr)
        if llvm == "i64":
            return power_parts(e, a, b)[0]
        extend = "sext" if _is_signed(dtype) else "zext"
        wide = [e.let(f"{extend} {llvm} {x} to i64") for x in (a, b)]
        return e.let(f"trunc i64 {power_parts(e, *wide)[0]} to {llvm}")

    return scalar


def shift_left(dtype: DType) -> Scalar:
    """Return the rule of `<<`; a negative count is a large one."""
    llvm = abi.element(dtype)

    def scalar(e: Emitter, instr: Instr, a: str, b: str) -> str:
        inside = e.let(f"icmp ult {llvm} {b}, {8 * dtype.itemsize}")
        shifted = e.let(f"shl {llvm} {a}, {b}")
        # The shift by too much is poison, which the select does not take over.
        return e.let(f"select i1 {inside}, {llvm} {shifted}, {llvm} 0")

    return scalar


def shift_right(dtype: DType) -> Scalar:
    """Return the rule of `>>`, which keeps the sign."""
    llvm, bits = abi.element(dtype), 8 * dtype.itemsize

    def scalar(e: Emitter, instr: Instr, a: str, b: str) -> str:
        if not _is_signed(dtype):
            inside = e.let(f"icmp ult {llvm} {b}, {bits}")
            shifted = e.let(f"lshr {llvm} {a}, {b}")
            return e.let(f"select i1 {inside}, {llvm} {shifted}, {llvm} 0")
        most = f"{llvm} {bits - 1}"
        shift = e.intrinsic(llvm, f"@llvm.umin.{llvm}", f"{llvm} {b}", most)
        return e.let(f"ashr {llvm} {a}, {shift}")

    return scalar


# What an instruction or an intrinsic computes.


def plain(name: str) -> Callable[[DType], Scalar]:
    """Return the rules of an LLVM instruction."""

    def make(dtype: DType) -> Scalar:
        llvm = abi.element(dtype)
        return lambda e, instr, a, b: e.let(f"{name} {llvm} {a}, {b}")

    return make


def extreme(name: str) -> Callable[[DType], Scalar]:
    """Return the rules of `max` or `min`."""

    def make(dtype: DType) -> Scalar:
        llvm = abi.element(dtype)
        intrinsic = f"@llvm.{'s' if _is_signed(dtype) else 'u'}{name}.{llvm}"
        return lambda e, instr, a, b: e.intrinsic(llvm, intrinsic, f"{llvm} {a}", f"{llvm} {b}")

    return make


def negative(dtype: DType) -> Unary:
    """Return the rule of `-x`."""
    llvm = abi.element(dtype)
    return lambda e, instr, x: e.let(f"sub {llvm} 0, {x}")


def absolute(dtype: DType) -> Unary:
    """Return the rule of `abs`; the least integer stays what it is."""
    llvm = abi.element(dtype)
    if not _is_signed(dtype):
        return lambda e, instr, x: x
    return lambda e, instr, x: e.intrinsic(llvm, f"@llvm.abs.{llvm}", f"{llvm} {x}", "i1 false")


def complement(dtype: DType) -> Unary:
    """Return the rule of `~x`."""
    llvm = abi.element(dtype)
    return lambda e, instr, x: e.let(f"xor {llvm} {x}, -1")
