"""Elementary functions, rounding and the like, element by element, on NumPy's numbers.

They work on scalars and, with broadcasting, on tensors, as all ops of `elementwise` do; the
operands have one dtype, which is that of the result.

Some take Python's `float`, too, with the result that C's function has: `math` gives it to the bit,
and NumPy's numbers take vector code that may round otherwise.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.ops.elementwise import broadcast_dims, shaped
from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpTypeError, Trait
from scriptc_runtime.type_lists import join_types
from scriptc_runtime.types import FLOAT, DType, TensorType, Type, element_of


def _one_dtype(
    kinds: str, *, python: bool = False
) -> Callable[[Sequence[Type], Attrs], tuple[Type, ...]]:
    """Return the type rule of operands that all have one dtype of these kinds, or are floats."""

    def infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
        elements = {element_of(t) for t in types}
        if len(elements) != 1:
            raise OpTypeError(f"operands must have one element type, got {join_types(types)}")
        (element,) = elements
        if element is FLOAT and python:
            return (FLOAT,)
        if not _is_built(element, kinds):
            raise OpTypeError(f"not defined on {types[0]}")
        return (shaped(cast(DType, element), broadcast_dims(types)[0]),)

    return infer


def _is_built(element: object, kinds: str) -> bool:
    if not isinstance(element, DType):
        return False
    # Half precision is computed in single precision and rounded once, as NumPy does.
    return element.kind in kinds and element is not DType.F16


def _effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    tensors = frozenset(i for i, t in enumerate(types) if isinstance(t, TensorType))
    return Effects(reads=tensors, raises=broadcast_dims(types)[1], allocates=bool(tensors))


def _with_python(ufunc: Callable[..., Any]) -> Callable[..., Any]:
    """Return a ufunc that makes a float of floats."""

    def evaluate(*operands: object) -> object:
        result = ufunc(*operands)
        return float(result) if type(operands[0]) is float else result

    return evaluate


def _function(
    name: str, doc: str, ufunc: Callable[..., Any], kinds: str = "f", *, python: bool = False
) -> OpDef:
    return OpDef(
        name=name,
        doc=doc,
        operands=("x",),
        infer=_one_dtype(kinds, python=python),
        evaluate=_with_python(ufunc) if python else ufunc,
        effects=_effects,
        traits=Trait.ELEMENTWISE,
    )


def _function_of_two(
    name: str, doc: str, ufunc: Callable[..., Any], kinds: str = "f", *, python: bool = False
) -> OpDef:
    return OpDef(
        name=name,
        doc=doc,
        operands=("lhs", "rhs"),
        infer=_one_dtype(kinds, python=python),
        evaluate=_with_python(ufunc) if python else ufunc,
        effects=_effects,
        traits=Trait.ELEMENTWISE,
    )


def _by_element(function: Callable[[float], float]) -> Callable[..., Any]:
    """Return a function of Python's floats as one of NumPy's scalars and arrays."""

    def evaluate(x: Array) -> object:
        if x.ndim == 0:
            return x.dtype.type(function(float(x.item())))
        values = [function(float(item)) for item in x.reshape(-1).tolist()]
        return np.array(values, x.dtype).reshape(x.shape)

    return evaluate


def c_gamma(x: float) -> float:
    """Return the gamma function as C does: an infinity or NaN where CPython raises."""
    if x == 0.0:
        return math.copysign(math.inf, x)
    try:
        return math.gamma(x)
    except ValueError:
        return math.nan
    except OverflowError:
        return math.inf


def c_lgamma(x: float) -> float:
    """Return the logarithm of the gamma function as C does: an infinity where CPython raises."""
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):
        return math.inf


def c_power(x: float, y: float) -> float:
    """Return the power as C does: an infinity or NaN where CPython raises."""
    odd = math.isfinite(y) and abs(math.fmod(y, 2.0)) == 1.0
    endless = math.copysign(math.inf, x) if odd else math.inf
    try:
        return math.pow(x, y)
    except OverflowError:
        return endless
    except ValueError:
        return endless if x == 0.0 else math.nan


EXP2 = _function("exp2", "Two to the power `x`.", np.exp2)
EXPM1 = _function("expm1", "e to the power `x`, less 1, precise near 0.", np.expm1)
LOG2 = _function("log2", "Logarithm to base 2; NaN below zero.", np.log2, "fc", python=True)
LOG10 = _function("log10", "Logarithm to base 10; NaN below zero.", np.log10, "fc", python=True)
LOG1P = _function("log1p", "Natural logarithm of 1 + `x`, precise near 0.", np.log1p)
CBRT = _function("cbrt", "Cube root.", np.cbrt, python=True)
SIN = _function("sin", "Sine.", np.sin, "fc")
COS = _function("cos", "Cosine.", np.cos, "fc")
TAN = _function("tan", "Tangent.", np.tan, "fc", python=True)
ARCSIN = _function("arcsin", "Inverse sine; NaN outside of [-1, 1].", np.arcsin, "fc", python=True)
ARCCOS = _function(
    "arccos", "Inverse cosine; NaN outside of [-1, 1].", np.arccos, "fc", python=True
)
ARCTAN = _function("arctan", "Inverse tangent.", np.arctan, "fc")
SINH = _function("sinh", "Hyperbolic sine.", np.sinh, "fc", python=True)
COSH = _function("cosh", "Hyperbolic cosine.", np.cosh, "fc", python=True)
TANH = _function("tanh", "Hyperbolic tangent.", np.tanh, "fc")
ARCSINH = _function("arcsinh", "Inverse hyperbolic sine.", np.arcsinh, "fc", python=True)
ARCCOSH = _function(
    "arccosh", "Inverse hyperbolic cosine; NaN below 1.", np.arccosh, "fc", python=True
)
ARCTANH = _function(
    "arctanh",
    "Inverse hyperbolic tangent; NaN outside of [-1, 1].",
    np.arctanh,
    "fc",
    python=True,
)
ARCTAN2 = _function_of_two("arctan2", "Angle of the point (`rhs`, `lhs`).", np.arctan2)
HYPOT = _function_of_two("hypot", "Square root of the sum of both squares.", np.hypot, python=True)
C_POW = _function_of_two(
    "c_pow", "Power; an infinity or NaN where Python raises.", c_power, "", python=True
)

ERF = _function("erf", "Error function.", _by_element(math.erf))
ERFC = _function(
    "erfc", "What erf(`x`) lacks of 1, precise where that is small.", _by_element(math.erfc)
)
GAMMA = _function("gamma", "Gamma function; NaN below zero at integers.", _by_element(c_gamma))
LGAMMA = _function(
    "lgamma", "Logarithm of the gamma function's absolute value.", _by_element(c_lgamma)
)

FLOOR = _function("floor", "Largest integer that is not above `x`.", np.floor)
CEIL = _function("ceil", "Smallest integer that is not below `x`.", np.ceil)
TRUNC = _function("trunc", "`x` without its fraction.", np.trunc)
RINT = _function("rint", "Nearest integer, the even one of two that are as near.", np.rint)
SIGN = _function("sign", "The sign of `x` as -1, 0 or 1; NaN of NaN.", np.sign, "iuf")
FMOD = _function_of_two("fmod", "Remainder with the sign of `lhs`.", np.fmod, "iuf")
COPYSIGN = _function_of_two("copysign", "`lhs` with the sign of `rhs`.", np.copysign)

INVERSES = (ARCSIN, ARCCOS, ARCTAN, ARCSINH, ARCCOSH, ARCTANH)
# What of `math` takes Python's floats as they are.
LIKE_PYTHON = (
    *(LOG2, LOG10, CBRT, TAN, ARCSIN, ARCCOS, SINH, COSH, ARCSINH, ARCCOSH, ARCTANH),
    *(HYPOT, C_POW),
)
# Functions of `math` that NumPy does not have.
SPECIAL = (C_POW, ERF, ERFC, GAMMA, LGAMMA)
# The last bit of the result depends on who computes it.
ROUNDED = (
    *(EXP2, EXPM1, LOG2, LOG10, LOG1P, CBRT),
    *(SIN, COS, TAN, ARCSIN, ARCCOS, ARCTAN, ARCTAN2, HYPOT),
    *(SINH, COSH, TANH, ARCSINH, ARCCOSH, ARCTANH),
    *SPECIAL,
)
OPS = (*ROUNDED, FLOOR, CEIL, TRUNC, RINT, SIGN, FMOD, COPYSIGN)
