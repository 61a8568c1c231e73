"""Algebraic identities, exact on NaN, infinities, -0.0, denormals and the ends of the integers.

Rules for rules: the right side does less work; nothing that can raise is dropped, unless its
operands prove that it does not; what is true only up to rounding carries `fast_math`.
"""

from collections.abc import Mapping, Sequence

from scriptc.passes.pattern import Call, Const, Rule, Var
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.types import BOOL, FLOAT, INT, DType, PyType

_FLOATS = (FLOAT, DType.F32, DType.F64)
_INTS = (INT, DType.I64)
_x, _y, _z = Var("x"), Var("y"), Var("z")


def _cast(pattern: Var | Call, to: PyType | DType) -> Call:
    return Call(e.CAST, (pattern,), (("to", to),))


# Types of which each value is one of another, and of no other value of its own: a cast there and
# back changes nothing. Types that hold the same bits stand here in both orders.
_HELD_BY: Mapping[PyType | DType, Sequence[PyType | DType]] = {
    INT: (DType.I64,),
    DType.I64: (INT,),
    FLOAT: (DType.F64,),
    DType.F64: (FLOAT,),
    DType.F32: (DType.F64, FLOAT),
    DType.I32: (DType.I64, INT, DType.F64),
}
_ROUND_TRIPS = tuple(
    Rule(name=f"{held}-in-{wide}", find=_cast(_cast(_x, wide), held), put=_x, on=(wide,))
    for held, by in _HELD_BY.items()
    for wide in by
)

RULES = (
    Rule(name="mul-one", find=_x * 1.0, put=_x, on=_FLOATS),
    Rule(name="mul-one-int", find=_x * 1, put=_x, on=_INTS),
    Rule(name="div-one", find=_x / 1.0, put=_x, on=_FLOATS),
    Rule(name="neg-neg", find=Call(e.NEG, (-_x,)), put=_x, on=_FLOATS),
    # Not `x + 0.0`: -0.0 + 0.0 is 0.0.
    Rule(name="add-minus-zero", find=_x + -0.0, put=_x, on=_FLOATS),
    Rule(name="sub-zero", find=_x - 0.0, put=_x, on=_FLOATS),
    Rule(name="add-zero-int", find=_x + 0, put=_x, on=_INTS),
    Rule(name="sub-zero-int", find=_x - 0, put=_x, on=_INTS),
    # Not `x * 0.0`: NaN, infinities and -0.0 differ.
    Rule(name="mul-zero-int", find=_x * 0, put=Const(0), on=_INTS),
    Rule(name="sub-self-int", find=_x - _x, put=Const(0), on=_INTS),
    Rule(
        name="not-not",
        find=Call(e.NOT, (Call(e.NOT, (_x,)),)),
        put=_x,
        on=(BOOL, DType.B1),
    ),
    Rule(name="and-self", find=Call(e.AND, (_x, _x)), put=_x, on=(BOOL, DType.B1, *_INTS)),
    Rule(name="or-self", find=Call(e.OR, (_x, _x)), put=_x, on=(BOOL, DType.B1, *_INTS)),
    Rule(name="and-true", find=Call(e.AND, (_x, Const(True))), put=_x, on=(BOOL,)),
    Rule(name="or-false", find=Call(e.OR, (_x, Const(False))), put=_x, on=(BOOL,)),
    *_ROUND_TRIPS,
    Rule(
        name="common-factor",
        find=_x * _y + _x * _z,
        put=_x * (_y + _z),
        on=_FLOATS,
        fast_math=True,
    ),
)
