"""Arithmetic, comparisons and conversions as machine code give what the interpreter gives."""

import itertools
import math
from collections.abc import Sequence
from functools import cache
from typing import cast

import numpy as np
import pytest

from scriptc_runtime.ir import Function, Label, Loc, Value, make
from scriptc_runtime.ops import elementary
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.ops.opdef import OpDef, OpTypeError
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    COMPLEX_DTYPES,
    FLOAT,
    INT,
    INTEGERS,
    DType,
    Element,
    PyType,
    int_limits,
)
from tests.support.ir_programs import Body
from tests.support.llvm_calls import Native, interpreted, natives, outcome

I64, U64, B1 = DType.I64, DType.U64, DType.B1
F16, F32, F64 = DType.F16, DType.F32, DType.F64
TYPES: tuple[Element, ...] = (
    *(INT, FLOAT, COMPLEX, BOOL),
    *(*INTEGERS, F64, F32, *COMPLEX_DTYPES, B1),
)
# Within a bound of NumPy's, which `test_elementary_functions_are_close` checks.
ROUNDED = (ops.EXP, ops.LOG, *elementary.ROUNDED)
# `cast` is tried with every target, `where` has no code of its own.
EXACT = [op for op in (*ops.OPS, *elementary.OPS) if op not in (*ROUNDED, ops.CAST, ops.WHERE)]
BINARY = [op for op in EXACT if len(op.operands) == 2]
UNARY = [op for op in EXACT if len(op.operands) == 1]

_INTS = (
    *(0, 1, -1, 2, -2, 3, -3, 7, 10, 62, 63, 64, 100),
    *(2**31, 2**53 - 1, 2**53 + 1, -(2**53) - 1, 2**62, 2**63 - 1, -(2**63), -(2**63) + 1),
    *(3**39, -(3**38), 10**18, 999999999999999989),
)
_FLOATS = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, 3.0, -3.0, 7.25, 1e-300, -1e300, 1e308, 5e-324),
    *(2.0**53, 2.0**63, -(2.0**63), 9.3e18, math.pi, 0.1, 0.3, math.inf, -math.inf, math.nan),
)


def _integers(dtype: DType) -> tuple[object, ...]:
    """Return what of the ints a dtype holds, and its ends."""
    least, greatest = int_limits(dtype)
    ends = {least, least + 1, greatest - 1, greatest, greatest // 2 + 1}
    held = [n for n in _INTS if least <= n <= greatest]
    return tuple(dtype.numpy.type(n) for n in sorted({*held, *ends}))


_PARTS = (0.0, -0.0, 1.0, -2.5, 1e30, math.inf, math.nan)
_COMPLEXES = tuple(complex(real, imag) for real in _PARTS for imag in _PARTS)
VALUES: dict[Element, Sequence[object]] = {
    INT: _INTS,
    FLOAT: _FLOATS,
    BOOL: (True, False),
    **{dtype: _integers(dtype) for dtype in INTEGERS},
    F64: tuple(map(np.float64, _FLOATS)),
    F32: tuple(np.float32(x) for x in _FLOATS if not 1e39 < abs(x) < math.inf),
    F16: tuple(np.float16(x) for x in (*_FLOATS, 65504.0, 6e-8, 0.333) if abs(x) < 7e4 or x != x),
    B1: (np.True_, np.False_),
    COMPLEX: _COMPLEXES,
    **{dtype: tuple(map(dtype.numpy.type, _COMPLEXES)) for dtype in COMPLEX_DTYPES},
}
MIXED: tuple[tuple[Element, Element], ...] = (
    *((INT, FLOAT), (FLOAT, INT)),
    *((I64, U64), (U64, I64)),
)


def binary(op: OpDef, lhs: Element, rhs: Element) -> Function | None:
    b, label = Body(), Label()
    x, y = Value(lhs, "x"), Value(rhs, "y")
    b.open()
    try:
        result = b.emit(op, x, y, loc=Loc(3, 5))
    except OpTypeError:
        return None
    b.exit(label, result)
    name = f"{op.name}_{lhs}_{rhs}"
    return Function(name, (x, y), result.type, b.close(), label, Loc(2, 1), "numbers.py")


def unary(op: OpDef, type_: Element, to: Element | None = None) -> Function | None:
    b, label, x = Body(), Label(), Value(type_, "x")
    b.open()
    try:
        result = b.append(make(op, [x], {"to": to} if to else {}, Loc(3, 5))).result
    except OpTypeError:
        return None
    b.exit(label, result)
    name = f"{op.name}_{type_}_{to}" if to else f"{op.name}_{type_}"
    return Function(name, (x,), result.type, b.close(), label, Loc(2, 1), "numbers.py")


def _functions() -> list[Function]:
    pairs = [*((t, t) for t in TYPES), *MIXED]
    found = [binary(op, a, b) for op in BINARY for a, b in pairs]
    found += [unary(op, t) for op in UNARY for t in TYPES]
    # Other ops on half precision are computed in single precision; see `element_types`.
    found += [binary(op, F16, F16) for op in ops.COMPARISONS]
    kinds = (*TYPES, F16)
    found += [unary(ops.CAST, a, to=b) for a in kinds for b in kinds]
    return [function for function in found if function]


FUNCTIONS = {function.name: function for function in _functions()}


@cache
def compiled() -> dict[str, Native]:
    return natives(list(FUNCTIONS.values()))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_op_gives_what_the_interpreter_gives(name: str) -> None:
    function = FUNCTIONS[name]
    types = [param.type for param in function.params]
    wrong: list[str] = []
    for args in itertools.product(*(VALUES[t] for t in types if isinstance(t, PyType | DType))):
        expected = outcome(interpreted, function, *args)
        found = outcome(compiled()[name], *args)
        if found != expected and not _open(name, args):
            wrong.append(f"{args}: {found}, not {expected}")
    assert not wrong, "\n".join(wrong[:10])


def _open(name: str, args: tuple[object, ...]) -> bool:
    """Return whether a result is not fixed to the bit.

    The sign of the maximum of zeros is open, and np.power is a function of bounded error, whose
    special values for an exponent of 0.5 differ between NumPy's arrays and its scalars.
    """
    if name == "cast_float_u32":
        # NumPy's message alone tells an int beyond 64 bits from one beyond 63.
        return 2.0**63 <= cast(float, args[0]) < 2.0**64
    if name in ("pow_f64_f64", "pow_f32_f32"):
        x, y = (np.float64(cast(float, a)) for a in args)
        found = compiled()[name](*args)
        return bool(y == 0.5 or np.isclose(found, np.power(x, y), rtol=1e-6, equal_nan=True))
    if name in ("pow_c64_c64", "sqrt_c64"):
        # Computed in double precision, where NumPy computes in single precision.
        z, *exponents = (np.complex128(cast(complex, a)) for a in args)
        wide = np.power(z, exponents[0]) if exponents else np.sqrt(z)
        found = compiled()[name](*args)
        return bool(np.array_equal(found, np.complex64(wide), equal_nan=True))
    if name == "sqrt_c128":
        (z,) = (np.complex128(cast(complex, a)) for a in args)
        found = np.complex128(compiled()[name](z))
        return bool(np.isclose(found, np.sqrt(z), rtol=1e-15, equal_nan=True))
    return name.startswith(("maximum_f", "minimum_f")) and all(a == 0 for a in args)


@pytest.mark.parametrize(
    ("op", "type_"),
    [
        *((op, type_) for op in ROUNDED if op is not elementary.C_POW for type_ in (F64, F32)),
        *((op, FLOAT) for op in elementary.LIKE_PYTHON),
    ],
)
def test_elementary_functions_are_close(op: OpDef, type_: PyType | DType) -> None:
    function = unary(op, type_) if len(op.operands) == 1 else binary(op, type_, type_)
    assert function is not None
    call = natives([function])[function.name]
    for args in itertools.product(VALUES[type_], repeat=len(op.operands)):
        found, expected = call(*args), interpreted(function, *args)
        assert type(found) is type(expected)
        assert np.allclose(found, expected, rtol=1e-6 if type_ is F32 else 1e-14, equal_nan=True)
