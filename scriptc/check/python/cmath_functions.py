"""The functions of `cmath`: which op computes each, and where CPython raises.

They take any number.  What NumPy's functions give for infinities and NaN is what C's Annex G says,
and CPython's tables say the same; only CPython raises besides, as `stdlib/complexes.py` has it.
"""

import cmath
from collections.abc import Callable, Mapping, Sequence

from scriptc.check.bindings import Typed
from scriptc.check.checked import After, Computation, Convert, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall
from scriptc_runtime.ops import data, elementary, elementwise
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import COMPLEX, FLOAT, DType, TensorType, is_complex, is_number

_Meaning = Callable[[LibraryCall], Typed]


def _number(call: LibraryCall, name: str) -> Computation:
    value = call.operand(name)
    if isinstance(value.type, TensorType) or not is_number(value.type):
        instead = "NumPy's function of that name takes arrays"
        call.refuse(f"{name} must be a number, not {value.type}", call.nodes[name], instead)
    return converted(value, COMPLEX)


def _real(call: LibraryCall, name: str) -> Computation:
    value = call.operand(name)
    if not is_number(value.type) or is_complex(value.type):
        message = f"{name} must be a real number, not {value.type}"
        call.refuse(message, call.nodes[name], "give one int or float: x[0], z.real")
    return converted(value, FLOAT)


def _parts(call: LibraryCall, value: Computation) -> list[Computation]:
    return [_apply(call, op, value) for op in (elementwise.REAL, elementwise.IMAG)]


def _apply(call: LibraryCall, op: OpDef, *operands: Computation) -> Computation:
    return call.context.apply(call.node, op, *operands)


def _computed(call: LibraryCall, op: OpDef, value: Computation) -> Computation:
    """Return the result, Python's, of an op that takes NumPy's scalars."""
    wide = DType.C128 if value.type is COMPLEX else DType.F64
    return Convert(_apply(call, op, Convert(value, wide)), value.type)


def _function(
    op: OpDef, *checks: str, turned: bool = False, may_overflow: bool = False
) -> _Meaning:
    """Return the meaning of a function with its checks; `turned` gives them x for the angle."""

    def check(call: LibraryCall) -> Typed:
        return call.result(_checked(call, op, _number(call, "z"), checks, turned, may_overflow))

    return check


def _checked(
    call: LibraryCall,
    op: OpDef,
    value: Computation,
    checks: Sequence[str],
    turned: bool = False,
    may_overflow: bool = False,
) -> Computation:
    parts = _parts(call, value)
    given = parts[::-1] if turned else parts
    effects = [call.standard("complexes", name, *given) for name in checks]
    result = _computed(call, op, value)
    if may_overflow:
        found = _parts(call, result)
        effects.append(call.standard("complexes", "require_finite", *parts, *found))
    return After(tuple(effects), result, result.type) if effects else result


def _log(call: LibraryCall) -> Typed:
    checks = ("require_not_zero",)
    value = _number(call, "z")
    if "base" not in call.values:
        return call.result(_checked(call, elementwise.LOG, value, checks))
    # CPython looks at the base alone; dividing by its logarithm is a domain error at 1.
    base = _checked(call, elementwise.LOG, _number(call, "base"), checks)
    not_one = call.standard("complexes", "require_not_zero", *_parts(call, base))
    quotient = _apply(call, elementwise.DIV, _computed(call, elementwise.LOG, value), base)
    return call.result(After((not_one,), quotient, COMPLEX))


def _phase(call: LibraryCall) -> Typed:
    return call.result(_angle(call, _number(call, "z")))


def _angle(call: LibraryCall, value: Computation) -> Computation:
    real, imag = (Convert(part, DType.F64) for part in _parts(call, value))
    return Convert(_apply(call, elementary.ARCTAN2, imag, real), FLOAT)


def _polar(call: LibraryCall) -> Typed:
    value = _number(call, "z")
    real, imag = (Convert(part, DType.F64) for part in _parts(call, value))
    # abs() raises an OverflowError with other words.
    size = Convert(_apply(call, elementary.HYPOT, real, imag), FLOAT)
    zero = Literal(0.0, FLOAT)
    check = call.standard("complexes", "require_finite", *_parts(call, value), size, zero)
    modulus = After((check,), size, FLOAT)
    return call.apply(data.TUPLE, modulus, _angle(call, value))


def _rect(call: LibraryCall) -> Typed:
    r, phi = _real(call, "r"), _real(call, "phi")
    return call.result(call.standard("complexes", "rect", r, phi))


def _inverse(name: str) -> _Meaning:
    """Return the meaning of a function that `stdlib/complex_inverses.py` computes."""

    def check(call: LibraryCall) -> Typed:
        parts = _parts(call, _number(call, "z"))
        return call.result(call.standard("complex_inverses", name, *parts))

    return check


def _isclose(call: LibraryCall) -> Typed:
    numbers = [_number(call, name) for name in ("a", "b")]
    tolerances = [
        _real(call, name) if name in call.values else Literal(default, FLOAT)
        for name, default in (("rel_tol", 1e-9), ("abs_tol", 0.0))
    ]
    return call.result(call.standard("complex_inverses", "isclose", *numbers, *tolerances))


def _test(op: OpDef, joined: OpDef, limit: Computation | None) -> _Meaning:
    """Return a test of both parts: whether they compare with `limit`, or with themselves."""

    def check(call: LibraryCall) -> Typed:
        parts = _parts(call, _number(call, "z"))
        if limit is None:
            tests = [_apply(call, op, part, part) for part in parts]
        else:
            sizes = [_apply(call, elementwise.ABS, part) for part in parts]
            tests = [_apply(call, op, size, limit) for size in sizes]
        return call.apply(joined, *tests)

    return check


def _one(name: str, check: _Meaning) -> Library:
    return Library(f"cmath.{name}", ("z",), 1, check)


_INFINITY = Literal(cmath.inf, FLOAT)
TABLE: Mapping[object, Library] = {
    cmath.exp: _one("exp", _function(elementwise.EXP, "require_growth", may_overflow=True)),
    cmath.log: Library("cmath.log", ("z", "base"), 1, _log),
    cmath.log10: _one("log10", _function(elementary.LOG10, "require_not_zero")),
    cmath.sqrt: _one("sqrt", _function(elementwise.SQRT)),
    cmath.sin: _one(
        "sin", _function(elementary.SIN, "require_angle", turned=True, may_overflow=True)
    ),
    cmath.cos: _one(
        "cos", _function(elementary.COS, "require_angle", turned=True, may_overflow=True)
    ),
    cmath.tan: _one("tan", _function(elementary.TAN, "require_finite_angle", turned=True)),
    cmath.sinh: _one("sinh", _function(elementary.SINH, "require_angle", may_overflow=True)),
    cmath.cosh: _one("cosh", _function(elementary.COSH, "require_angle", may_overflow=True)),
    cmath.tanh: _one("tanh", _function(elementary.TANH, "require_finite_angle")),
    cmath.phase: _one("phase", _phase),
    cmath.polar: _one("polar", _polar),
    **{
        getattr(cmath, name): _one(name, _inverse(name))
        for name in ("acos", "acosh", "asin", "asinh", "atan", "atanh")
    },
    cmath.isclose: Library("cmath.isclose", ("a", "b", "rel_tol", "abs_tol"), 2, _isclose),
    cmath.rect: Library("cmath.rect", ("r", "phi"), 2, _rect),
    cmath.isnan: _one("isnan", _test(elementwise.NE, elementwise.OR, None)),
    cmath.isinf: _one("isinf", _test(elementwise.EQ, elementwise.OR, _INFINITY)),
    cmath.isfinite: _one("isfinite", _test(elementwise.LT, elementwise.AND, _INFINITY)),
}
