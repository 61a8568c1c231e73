"""Numbers in CUDA C++: the types of all dtypes, and constants."""

import math
from collections.abc import Mapping

import numpy as np

from scriptc_runtime.ops.opdef import Attr
from scriptc_runtime.types import BOOL, COMPLEX, FLOAT, INT, DType, Type, int_limits

B1, I64, U32, U64 = DType.B1, DType.I64, DType.U32, DType.U64
F16, F32, F64 = DType.F16, DType.F32, DType.F64
C64, C128 = DType.C64, DType.C128
C_TYPES: Mapping[Type, str] = {
    BOOL: "bool",
    B1: "bool",
    DType.I8: "signed char",
    DType.I16: "short",
    DType.I32: "int",
    INT: "long long",
    I64: "long long",
    DType.U8: "unsigned char",
    DType.U16: "unsigned short",
    U32: "unsigned int",
    U64: "unsigned long long",
    FLOAT: "double",
    F64: "double",
    F32: "float",
    F16: "sc_half",
    C64: "sc_c64",
    COMPLEX: "sc_c128",
    C128: "sc_c128",
}
BOOLS: tuple[Type, ...] = (BOOL, B1)
SIGNED: tuple[Type, ...] = (DType.I8, DType.I16, DType.I32, I64)
NUMPY_INTEGERS: tuple[Type, ...] = (*SIGNED, DType.U8, DType.U16, U32, U64)
INTEGERS: tuple[Type, ...] = (INT, *NUMPY_INTEGERS)
FLOATS: tuple[Type, ...] = (F16, F32, F64)
COMPLEX_TYPES: tuple[Type, ...] = (C64, COMPLEX, C128)


def literal(value: Attr, type_: Type) -> str:
    """Return a constant in C++; negative ones in parentheses, so that any operator may precede."""
    if type_ in BOOLS:
        return "true" if value else "false"
    assert isinstance(value, int | float | complex)  # the verifier compared it with its type
    if type_ in COMPLEX_TYPES:
        part, number = F32 if type_ is C64 else F64, complex(value)
        parts = _float_literal(number.real, part), _float_literal(number.imag, part)
        return f"{C_TYPES[type_]}({', '.join(parts)})"
    assert not isinstance(value, complex)
    if type_ in INTEGERS:
        return int_literal(int(value), type_)
    return _float_literal(float(value), type_)


def int_literal(number: int, type_: Type) -> str:
    """Return an integer in C++, as `literal` does."""
    if number == -(2**63):
        return "SC_MIN_I64"
    if type_ is INT or type_ is I64:
        return f"{number}LL" if number >= 0 else f"({number}LL)"
    return f"{number}ULL" if type_ is U64 else f"(({C_TYPES[type_]}){number})"


_NEUTRAL: Mapping[str, int] = {"sum": 0, "product": 1}


def identity(kind: str, type_: Type) -> str:
    """Return what a reduction of nothing gives."""
    if kind in _NEUTRAL:
        return literal(_NEUTRAL[kind], type_)
    if isinstance(type_, DType) and type_.kind in "iu":
        return literal(int_limits(type_)[kind == "min"], type_)
    if type_ in (BOOL, DType.B1):
        return literal(kind == "min", type_)
    return literal(math.inf if kind == "min" else -math.inf, type_)


def _float_literal(value: float, type_: Type) -> str:
    if type_ is F16:
        return f"sc_half({_float_literal(value, F32)})"
    width, suffix = ("F32", "f") if type_ is F32 else ("F64", "")
    if math.isnan(value):
        return f"SC_NAN_{width}"
    # str() of NumPy's own scalar has the digits that its precision needs.
    digits = str(np.float32(value)) if type_ is F32 else repr(value)
    text = f"SC_INF_{width}" if "inf" in digits else digits.lstrip("-") + suffix
    return f"(-{text})" if math.copysign(1.0, value) < 0 else text
