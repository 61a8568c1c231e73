"""Ops on ints of any size.

Each of the library ones is a function of `stdlib/bigints.py`, and its like, of the same name. What
such a number is made of the low ones say: a small one is a word, another one is the limbs of its
size, of 64 bits each and the lowest first, and a sign.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError, TypeRule, pure
from scriptc_runtime.types import BIGINT, BOOL, FLOAT, INT, STR, DType, ListType, TupleType, Type
from scriptc_runtime.values import checked_int

U64 = DType.U64
LIMBS = ListType(U64)
# Numbers below this size, and the one of this size that is negative, are small.
SMALL = 2**62
NEGATIVE_POWER = "a negative exponent that is not a literal: use float(x) ** y"


def _rule(operands: Sequence[Type], result: Type) -> TypeRule:
    def infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
        if list(types) != list(operands):
            raise OpTypeError(f"expected {list(operands)}, got {list(types)}")
        return (result,)

    return infer


def _makes(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True)


def _may_make(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True, raises=True)


def _raises(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(raises=True)


def _shares(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(aliases=frozenset({0}))


def _op(
    name: str,
    doc: str,
    operands: Sequence[Type],
    result: Type,
    evaluate: Callable[..., object],
    effects: Callable[[Sequence[Type], Attrs], Effects] = _makes,
    level: Level = Level.LIBRARY,
) -> OpDef:
    return OpDef(
        name=name,
        doc=doc,
        operands=("x", "y", "z")[: len(operands)],
        infer=_rule(operands, result),
        evaluate=evaluate,
        effects=effects,
        level=level,
    )


def _itself(x: int) -> int:
    return x


def _power(x: int, y: int) -> int:
    if y < 0:
        raise ValueError(NEGATIVE_POWER)
    return x**y


def _order(x: int, y: int) -> int:
    return (x > y) - (x < y)


def is_small(x: int) -> bool:
    """Whether a number is a word."""
    return -SMALL <= x < SMALL


def _is_negative(x: int) -> bool:
    return x < 0


def limbs_of(x: int) -> list[np.uint64]:
    """Return the limbs of the size of a number."""
    size = abs(x)
    return [np.uint64(size >> at & 2**64 - 1) for at in range(0, size.bit_length(), 64)]


def made(limbs: Sequence[np.uint64], negative: bool) -> int:
    """Return the number that limbs and a sign stand for."""
    size = sum(int(limb) << 64 * place for place, limb in enumerate(limbs))
    return -size if negative else size


def high_product(x: np.uint64, y: np.uint64) -> np.uint64:
    """Return the upper half of a product of 128 bits."""
    return np.uint64(int(x) * int(y) >> 64)


_ONE, _TWO, _THREE = (BIGINT,), (BIGINT,) * 2, (BIGINT,) * 3

BIGINT_OF = _op(
    "bigint_of", "An int as one of any size.", (INT,), BIGINT, _itself, level=Level.CORE
)
BIGINT_INT = _op(
    "bigint_int",
    "An int of any size as one of 64 bits; OverflowError where these do not hold it.",
    _ONE,
    INT,
    checked_int,
    _raises,
    Level.CORE,
)
BIGINT_OF_TEXT = _op(
    "bigint_of_text",
    "The int that a text says in a base; ValueError where it says none.",
    (STR, INT),
    BIGINT,
    int,
    _may_make,
    Level.CORE,
)
BIGINT_TRUTH = _op(
    "bigint_truth", "Whether an int of any size is not 0.", _ONE, BOOL, bool, pure, Level.CORE
)
BIGINT_ADD = _op("bigint_add", "Sum of ints of any size.", _TWO, BIGINT, int.__add__)
BIGINT_SUB = _op("bigint_sub", "Difference of ints of any size.", _TWO, BIGINT, int.__sub__)
BIGINT_MUL = _op("bigint_mul", "Product of ints of any size.", _TWO, BIGINT, int.__mul__)
BIGINT_FLOORDIV = _op(
    "bigint_floordiv",
    "Floor of the quotient of ints of any size; ZeroDivisionError by 0.",
    _TWO,
    BIGINT,
    int.__floordiv__,
    _may_make,
)
BIGINT_MOD = _op(
    "bigint_mod",
    "Remainder with the sign of the divisor; ZeroDivisionError by 0.",
    _TWO,
    BIGINT,
    int.__mod__,
    _may_make,
)
BIGINT_DIVMOD = _op(
    "bigint_divmod",
    "Floor of the quotient, and the remainder; ZeroDivisionError by 0.",
    _TWO,
    TupleType(_TWO),
    divmod,
    _may_make,
)
BIGINT_DIV = _op(
    "bigint_div",
    "The float next to a quotient; OverflowError where it is too large.",
    _TWO,
    FLOAT,
    int.__truediv__,
    _raises,
)
BIGINT_POW = _op(
    "bigint_pow",
    "Power of ints of any size; ValueError for a negative exponent.",
    _TWO,
    BIGINT,
    _power,
    _may_make,
)
BIGINT_POW_MOD = _op(
    "bigint_pow_mod",
    "Power modulo `z`, of the inverse where the exponent is negative.",
    _THREE,
    BIGINT,
    pow,
    _may_make,
)
BIGINT_SHL = _op(
    "bigint_shl",
    "An int of any size times a power of two.",
    (BIGINT, INT),
    BIGINT,
    int.__lshift__,
    _may_make,
)
BIGINT_SHR = _op(
    "bigint_shr",
    "Floor of an int of any size by a power of two.",
    (BIGINT, INT),
    BIGINT,
    int.__rshift__,
    _may_make,
)
BIGINT_AND = _op("bigint_and", "Bits that are in both.", _TWO, BIGINT, int.__and__)
BIGINT_OR = _op("bigint_or", "Bits that are in one or both.", _TWO, BIGINT, int.__or__)
BIGINT_XOR = _op("bigint_xor", "Bits that are in one alone.", _TWO, BIGINT, int.__xor__)
BIGINT_NEG = _op("bigint_neg", "An int of any size with the other sign.", _ONE, BIGINT, int.__neg__)
BIGINT_ABS = _op("bigint_abs", "The size of an int of any size.", _ONE, BIGINT, abs)
BIGINT_ORDER = _op(
    "bigint_order",
    "A sign: -1 where x is less, 0 where both are equal, 1.",
    _TWO,
    INT,
    _order,
    pure,
)
BIGINT_EQUAL = _op("bigint_equal", "Whether ints are equal.", _TWO, BOOL, int.__eq__, pure)
BIGINT_HASH = _op("bigint_hash", "What hash() gives of an int of any size.", _ONE, INT, hash, pure)
BIGINT_BITS = _op("bigint_bits", "How many bits the size takes.", _ONE, INT, int.bit_length, pure)
BIGINT_ONES = _op("bigint_ones", "How many bits of the size are 1.", _ONE, INT, int.bit_count, pure)
BIGINT_FLOAT = _op(
    "bigint_float",
    "The float next to an int of any size; OverflowError where it is too large.",
    _ONE,
    FLOAT,
    float,
    _raises,
)
BIGINT_OF_FLOAT = _op(
    "bigint_of_float",
    "The whole part of a float; of infinities OverflowError, of NaN ValueError.",
    (FLOAT,),
    BIGINT,
    int,
    _may_make,
)

BIGINT_GCD = _op("bigint_gcd", "Greatest common divisor, never negative.", _TWO, BIGINT, math.gcd)

LIBRARY_OPS = (
    BIGINT_GCD,
    BIGINT_ADD,
    BIGINT_SUB,
    BIGINT_MUL,
    BIGINT_FLOORDIV,
    BIGINT_MOD,
    BIGINT_DIVMOD,
    BIGINT_DIV,
    BIGINT_POW,
    BIGINT_POW_MOD,
    BIGINT_SHL,
    BIGINT_SHR,
    BIGINT_AND,
    BIGINT_OR,
    BIGINT_XOR,
    BIGINT_NEG,
    BIGINT_ABS,
    BIGINT_ORDER,
    BIGINT_EQUAL,
    BIGINT_HASH,
    BIGINT_BITS,
    BIGINT_ONES,
    BIGINT_FLOAT,
    BIGINT_OF_FLOAT,
)
# Those whose bodies are in `bigint_bits.py` of `stdlib`; `bigint_powers.py` and `bigint_gcd.py`
# have those of a few others.
OF_BITS = (
    BIGINT_DIV,
    BIGINT_SHL,
    BIGINT_SHR,
    BIGINT_AND,
    BIGINT_OR,
    BIGINT_XOR,
    BIGINT_HASH,
    BIGINT_BITS,
    BIGINT_ONES,
    BIGINT_FLOAT,
    BIGINT_OF_FLOAT,
)
OF_POWERS = (BIGINT_POW, BIGINT_POW_MOD)

# What bodies are made of.
BIGINT_IS_SMALL = _op(
    "bigint_is_small", "Whether it is a word.", _ONE, BOOL, is_small, pure, Level.LOW
)
BIGINT_SMALL = _op(
    "bigint_small", "The number that a small one is.", _ONE, INT, _itself, pure, Level.LOW
)
BIGINT_LIMBS = _op(
    "bigint_limbs", "The limbs of one that is not small.", _ONE, LIMBS, limbs_of, _shares, Level.LOW
)
BIGINT_NEGATIVE = _op(
    "bigint_negative",
    "Whether one that is not small is below 0.",
    _ONE,
    BOOL,
    _is_negative,
    pure,
    Level.LOW,
)
BIGINT_MADE = _op(
    "bigint_made",
    "The number of limbs that nothing else will change: the last is not 0, and it is not small.",
    (LIMBS, BOOL),
    BIGINT,
    made,
    _shares,
    Level.LOW,
)
HIGH_PRODUCT = _op(
    "high_product",
    "The upper 64 bits of a product of 128.",
    (U64, U64),
    U64,
    high_product,
    pure,
    Level.LOW,
)
LOW_OPS = (
    BIGINT_IS_SMALL,
    BIGINT_SMALL,
    BIGINT_LIMBS,
    BIGINT_NEGATIVE,
    BIGINT_MADE,
    HIGH_PRODUCT,
)

CORE_OPS = (BIGINT_OF, BIGINT_OF_TEXT, BIGINT_INT, BIGINT_TRUTH, *LIBRARY_OPS)
OPS = (*CORE_OPS, *LOW_OPS)
