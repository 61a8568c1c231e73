"""Low ops that give ints, of which something was proven: that they fit 64 bits, or their signs.

A proof holds where the op stood when it was proven; moved before a loop without iterations it may
meet any operands, and must not trap there.
"""

import operator
from collections.abc import Callable, Sequence

from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError, pure
from scriptc_runtime.types import FLOAT, INT, DType, Type
from scriptc_runtime.values import checked_int


def _two_ints(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if types[0] is not types[1] or types[0] not in (INT, DType.I64):
        raise OpTypeError(f"expected two ints of one type, got {types[0]} and {types[1]}")
    return (types[0],)


def _evaluate_floordiv(lhs: int, rhs: int) -> int:
    # Nobody looks at the quotient by zero.
    return lhs // rhs if rhs else lhs


def _evaluate_mod(lhs: int, rhs: int) -> int:
    return lhs % rhs if rhs else lhs


def _evaluate_scale(lhs: int, rhs: int) -> int:
    return checked_int(lhs * rhs)


def _int_of_float(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if types[0] not in (FLOAT, DType.F64):
        raise OpTypeError(f"expected a float, got {types[0]}")
    return (INT,)


def _evaluate_int(x: float, small: bool = False) -> int:
    # Nobody looks at what stands for another number.
    return int(x) if -(2.0**63) <= x < 2.0**63 else 0


def _raises(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(raises=True)


def _exact(name: str, doc: str, evaluate: Callable[..., object]) -> OpDef:
    return OpDef(
        name=name,
        doc=doc,
        operands=("lhs", "rhs"),
        infer=_two_ints,
        evaluate=evaluate,
        effects=pure,
        level=Level.LOW,
    )


EXACT_ADD = _exact("exact_add", "Sum of ints, which fits 64 bits.", operator.add)
EXACT_SUB = _exact("exact_sub", "Difference of ints, which fits 64 bits.", operator.sub)
EXACT_MUL = _exact("exact_mul", "Product of ints, which fits 64 bits.", operator.mul)
EXACT_FLOORDIV = _exact(
    "exact_floordiv",
    "Floor of the quotient of an int that is not negative by one above 0.",
    _evaluate_floordiv,
)
EXACT_MOD = _exact(
    "exact_mod", "Remainder of an int that is not negative by one above 0.", _evaluate_mod
)

EXACT_INT = OpDef(
    name="exact_int",
    doc="The whole part of a float, which fits 64 bits; a `small` one is below 2**31 in magnitude.",
    operands=("x",),
    infer=_int_of_float,
    evaluate=_evaluate_int,
    effects=pure,
    attrs=("small",),
    level=Level.LOW,
)

SCALE = OpDef(
    name="scale",
    doc="Product of an int that is not negative by one above 0; OverflowError beyond 64 bits.",
    operands=("lhs", "rhs"),
    infer=_two_ints,
    evaluate=_evaluate_scale,
    effects=_raises,
    level=Level.LOW,
)

OPS = (EXACT_ADD, EXACT_SUB, EXACT_MUL, EXACT_FLOORDIV, EXACT_MOD, EXACT_INT, SCALE)
