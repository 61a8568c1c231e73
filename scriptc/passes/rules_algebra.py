"""Algebraic identities, exact on NaN, infinities, -0.0, denormals and the ends of the integers.

Rules for rules: the right side does less work; nothing that can raise is dropped, unless its
operands prove that it does not; what is true only up to rounding carries `fast_math`.
"""

from scriptc.passes.pattern import Call, Const, Rule, Var
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.types import BOOL, FLOAT, INT, DType

_FLOATS = (FLOAT, DType.F32, DType.F64)
_INTS = (INT, DType.I64)
_x = Var("x")


def _cast(pattern: Var | Call, to: object) -> Call:
    assert to in (INT, FLOAT, DType.I64, DType.F64)
    return Call(e.CAST, (pattern,), (("to", to),))  # pyright: ignore[reportArgumentType] -- a type


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
    # int and i64, float and f64 hold the same bits.
    Rule(
        name="int-round-trip",
        find=_cast(_cast(_x, DType.I64), INT),
        put=_x,
        on=(DType.I64,),
    ),
    Rule(
        name="i64-round-trip",
        find=_cast(_cast(_x, INT), DType.I64),
        put=_x,
        on=(INT,),
    ),
    Rule(
        name="float-round-trip",
        find=_cast(_cast(_x, DType.F64), FLOAT),
        put=_x,
        on=(DType.F64,),
    ),
    Rule(
        name="f64-round-trip",
        find=_cast(_cast(_x, FLOAT), DType.F64),
        put=_x,
        on=(FLOAT,),
    ),
)
