"""Functions of Python's ints that are loops: divisors, roots, powers of a remainder."""

import math
from collections.abc import Sequence

from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError, TypeRule
from scriptc_runtime.types import INT, Type
from scriptc_runtime.values import INT_MIN, checked_int


def _ints(count: int) -> TypeRule:
    def infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
        if len(types) != count or any(t is not INT for t in types):
            raise OpTypeError(f"{count} ints are needed")
        return (INT,)

    return infer


def _raises(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(raises=True)


def _gcd(x: int, y: int) -> int:
    return checked_int(math.gcd(x, y))


def _lcm(x: int, y: int) -> int:
    return checked_int(math.lcm(x, y))


def _pow_mod(base: int, exponent: int, modulus: int) -> int:
    if modulus == INT_MIN:
        raise OverflowError("integer result does not fit in 64 bits")
    return pow(base, exponent, modulus)


GCD = OpDef(
    name="gcd",
    doc="Greatest common divisor, never negative.",
    operands=("x", "y"),
    infer=_ints(2),
    evaluate=_gcd,
    effects=_raises,
    level=Level.LIBRARY,
)
LCM = OpDef(
    name="lcm",
    doc="Least common multiple, never negative.",
    operands=("x", "y"),
    infer=_ints(2),
    evaluate=_lcm,
    effects=_raises,
    level=Level.LIBRARY,
)
ISQRT = OpDef(
    name="isqrt",
    doc="Largest int whose square is not above `n`; ValueError below 0.",
    operands=("n",),
    infer=_ints(1),
    evaluate=math.isqrt,
    effects=_raises,
    level=Level.LIBRARY,
)
POW_MOD = OpDef(
    name="pow_mod",
    doc="Power modulo `modulus`, of the inverse where the exponent is negative.",
    operands=("base", "exponent", "modulus"),
    infer=_ints(3),
    evaluate=_pow_mod,
    effects=_raises,
    level=Level.LIBRARY,
)

OPS = (GCD, LCM, ISQRT, POW_MOD)
