"""The functions of `math`: which op computes each, and where CPython raises.

CPython looks at what C's function gives: NaN of a number is a domain error, and an infinity of a
finite number is an overflow, or, where the function has a pole, a domain error too.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Apply, Check, Computation, Convert, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.operators import COUNTS, whole_literal
from scriptc_runtime.ops import elementary, elementwise, integers
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    DType,
    OptionalType,
    TensorType,
    Type,
    is_complex,
    is_number,
)

_DOMAIN = "math domain error"
_RANGE = "math range error"


def _apply(call: LibraryCall, op: OpDef, *operands: Computation) -> Apply:
    return call.context.apply(call.node, op, *operands)


def number(call: LibraryCall, name: str = "x") -> Computation:
    """Return an argument that must be one number."""
    value = call.operand(name)
    complex_ = value.type is COMPLEX or (isinstance(value.type, DType) and value.type.kind == "c")
    if is_number(value.type) and not complex_:
        return value
    instead = "test `is not None` first" if isinstance(value.type, OptionalType) else ""
    if isinstance(value.type, TensorType):
        function = call.name.removeprefix("math.")
        numpys = f"np.{function}(x), which takes arrays"
        instead = numpys if hasattr(np, function) else "a loop over the elements"
    call.refuse(f"{name} must be a number, not {value.type}", call.nodes[name], instead)


def _float(call: LibraryCall, name: str = "x") -> Computation:
    return converted(number(call, name), FLOAT)


def _integer(call: LibraryCall, name: str) -> Computation:
    value = number(call, name)
    if value.type in (INT, BOOL) or (isinstance(value.type, DType) and value.type.kind in "iu"):
        return converted(value, INT)
    call.refuse(f"{name} must be an int, not {value.type}", call.nodes[name])


def _computed(call: LibraryCall, op: OpDef, *operands: Computation) -> Computation:
    """Return the result, a Python float, of an op on floats."""
    if op in elementary.LIKE_PYTHON:
        return _apply(call, op, *operands)
    return Convert(_apply(call, op, *(Convert(v, DType.F64) for v in operands)), FLOAT)


def _all(call: LibraryCall, *conditions: Computation) -> Computation:
    total, *rest = conditions
    for condition in rest:
        total = _apply(call, elementwise.AND, total, condition)
    return total


def _any(call: LibraryCall, *conditions: Computation) -> Computation:
    total, *rest = conditions
    for condition in rest:
        total = _apply(call, elementwise.OR, total, condition)
    return total


def _is_nan(call: LibraryCall, value: Computation) -> Computation:
    return _apply(call, elementwise.NE, value, value)


def _not(call: LibraryCall, value: Computation) -> Computation:
    return _apply(call, elementwise.NOT, value)


def _is_finite(call: LibraryCall, value: Computation) -> Computation:
    size = _apply(call, elementwise.ABS, value)
    return _apply(call, elementwise.LT, size, Literal(math.inf, FLOAT))


def _is_infinite(call: LibraryCall, value: Computation) -> Computation:
    size = _apply(call, elementwise.ABS, value)
    return _apply(call, elementwise.EQ, size, Literal(math.inf, FLOAT))


def _domain(condition: Computation, value: Computation) -> Computation:
    return Check(condition, "ValueError", _DOMAIN, value, value.type)


def _range(condition: Computation, value: Computation) -> Computation:
    return Check(condition, "OverflowError", _RANGE, value, value.type)


# ------------------------------------------------------------------------ functions of one float

_Meaning = Callable[[LibraryCall], Typed]
_Number = Callable[[LibraryCall, str], Computation]


def _total(op: OpDef) -> _Meaning:
    """Return the meaning of a function that never raises."""
    return lambda call: call.result(_computed(call, op, _float(call)))


def _inside(op: OpDef) -> _Meaning:
    """Return the meaning of a function that raises where a number has no finite result."""

    def check(call: LibraryCall) -> Typed:
        value = _float(call)
        result = _computed(call, op, value)
        fine = _any(
            call,
            _is_finite(call, result),
            _is_nan(call, value),
            _all(call, _is_infinite(call, value), _not(call, _is_nan(call, result))),
        )
        return call.result(_domain(fine, result))

    return check


def _root(call: LibraryCall) -> Typed:
    value = _float(call)
    negative = _apply(call, elementwise.LT, value, Literal(0.0, FLOAT))
    return call.result(_domain(_not(call, negative), _computed(call, elementwise.SQRT, value)))


def _growing(op: OpDef) -> _Meaning:
    """Return the meaning of a function that is finite for numbers, until it is too large."""

    def check(call: LibraryCall) -> Typed:
        value = _float(call)
        result = _computed(call, op, value)
        fits = _any(call, _not(call, _is_infinite(call, result)), _is_infinite(call, value))
        return call.result(_range(fits, result))

    return check


def _logarithm(op: OpDef) -> _Meaning:
    def check(call: LibraryCall) -> Typed:
        return call.result(_log(call, op, _float(call)))

    return check


def _log(call: LibraryCall, op: OpDef, value: Computation) -> Computation:
    outside = _apply(call, elementwise.LE, value, Literal(0.0, FLOAT))
    return _domain(_not(call, outside), _computed(call, op, value))


def _log_to_base(call: LibraryCall) -> Typed:
    result = _log(call, elementwise.LOG, _float(call))
    if "base" not in call.values:
        return call.result(result)
    base = _log(call, elementwise.LOG, _float(call, "base"))
    return call.result(_apply(call, elementwise.DIV, result, base))


def _gamma(call: LibraryCall) -> Typed:
    value = _float(call)
    result = _computed(call, elementary.GAMMA, value)
    whole = _apply(call, elementwise.EQ, _computed(call, elementary.FLOOR, value), value)
    negative = _apply(call, elementwise.LE, value, Literal(0.0, FLOAT))
    pole = _all(call, whole, negative)
    fits = _any(call, _not(call, _is_infinite(call, result)), _is_infinite(call, value))
    return call.result(_domain(_not(call, pole), _range(fits, result)))


def _lgamma(call: LibraryCall) -> Typed:
    value = _float(call)
    result = _computed(call, elementary.LGAMMA, value)
    whole = _apply(call, elementwise.EQ, _computed(call, elementary.FLOOR, value), value)
    nonpositive = _apply(call, elementwise.LE, value, Literal(0.0, FLOAT))
    pole = _all(call, whole, nonpositive, _is_finite(call, value))
    fits = _any(call, _not(call, _is_infinite(call, result)), _is_infinite(call, value))
    return call.result(_domain(_not(call, pole), _range(fits, result)))


def _scaled(factor: float) -> _Meaning:
    return lambda call: call.apply(elementwise.MUL, _float(call), Literal(factor, FLOAT))


def _fabs(call: LibraryCall) -> Typed:
    return call.apply(elementwise.ABS, _float(call))


def _test(meaning: Callable[[LibraryCall, Computation], Computation]) -> _Meaning:
    return lambda call: call.result(meaning(call, _float(call)))


def _whole(op: OpDef) -> _Meaning:
    """Return the meaning of a rounding that gives an int."""

    def check(call: LibraryCall) -> Typed:
        value = number(call)
        if op is elementary.TRUNC and value.type not in (INT, BOOL, FLOAT, DType.F64):
            call.refuse(f"NumPy's {value.type} has no __trunc__", call.nodes["x"], "int(x)")
        if value.type in (INT, BOOL) or (isinstance(value.type, DType) and value.type.kind in "iu"):
            return call.result(converted(value, INT))
        return call.result(converted(_computed(call, op, converted(value, FLOAT)), INT))

    return check


# ------------------------------------------------------------------------------ of two and more


def _of_two(op: OpDef) -> _Meaning:
    return lambda call: call.result(_computed(call, op, _float(call, "x"), _float(call, "y")))


def _pow(call: LibraryCall) -> Typed:
    base, exponent = _float(call, "x"), _float(call, "y")
    result = _computed(call, elementary.C_POW, base, exponent)
    plain = _any(
        call,
        _is_finite(call, result),
        _not(call, _is_finite(call, base)),
        _not(call, _is_finite(call, exponent)),
    )
    zero = _apply(call, elementwise.EQ, base, Literal(0.0, FLOAT))
    outside = _any(call, _is_nan(call, result), zero)
    inside = _any(call, plain, _not(call, outside))
    return call.result(_domain(inside, _range(plain, result)))


def _fmod(call: LibraryCall) -> Typed:
    x, y = _float(call, "x"), _float(call, "y")
    result = _computed(call, elementary.FMOD, x, y)
    fine = _any(call, _not(call, _is_nan(call, result)), _is_nan(call, x), _is_nan(call, y))
    return call.result(_domain(fine, result))


def _hypot(call: LibraryCall) -> Typed:
    names = list(call.values)
    if not names:
        return call.result(Literal(0.0, FLOAT))
    first, *rest = (_float(call, name) for name in names)
    total: Computation = _apply(call, elementwise.ABS, first)
    for value in rest:
        total = _computed(call, elementary.HYPOT, total, value)
    return call.result(total)


def _of_ints(op: OpDef, none: int) -> _Meaning:
    """Return the meaning of gcd and lcm, which take any number of ints."""

    def check(call: LibraryCall) -> Typed:
        names = list(call.values)
        if not names:
            return call.result(Literal(none, INT))
        first, *rest = (_integer(call, name) for name in names)
        total: Computation = _apply(call, elementwise.ABS, first)
        for value in rest:
            total = _apply(call, op, total, value)
        return call.result(total)

    return check


def _isqrt(call: LibraryCall) -> Typed:
    return call.apply(integers.ISQRT, _integer(call, "n"))


def _isclose(call: LibraryCall) -> Typed:
    a, b = _float(call, "a"), _float(call, "b")
    relative = _float(call, "rel_tol") if "rel_tol" in call.values else Literal(1e-9, FLOAT)
    absolute = _float(call, "abs_tol") if "abs_tol" in call.values else Literal(0.0, FLOAT)
    zero = Literal(0.0, FLOAT)
    negative = _any(
        call,
        _apply(call, elementwise.LT, relative, zero),
        _apply(call, elementwise.LT, absolute, zero),
    )
    apart = _apply(call, elementwise.ABS, _apply(call, elementwise.SUB, b, a))
    near = _any(
        call,
        _apply(call, elementwise.LE, apart, _relative(call, relative, b)),
        _apply(call, elementwise.LE, apart, _relative(call, relative, a)),
        _apply(call, elementwise.LE, apart, absolute),
    )
    finite = _all(call, _is_finite(call, a), _is_finite(call, b))
    close = _any(call, _apply(call, elementwise.EQ, a, b), _all(call, finite, near))
    message = "tolerances must be non-negative"
    return call.result(Check(_not(call, negative), "ValueError", message, close, BOOL))


def _relative(call: LibraryCall, tolerance: Computation, value: Computation) -> Computation:
    return _apply(call, elementwise.ABS, _apply(call, elementwise.MUL, tolerance, value))


# ------------------------------------------------------------------------ bodies in the library


def _body(*numbers: _Number) -> Callable[[str], _Meaning]:
    """Return what makes the meaning of a function with a body in stdlib/arithmetic.py."""

    def of_name(name: str) -> _Meaning:
        def check(call: LibraryCall) -> Typed:
            arguments = [read(call, key) for read, key in zip(numbers, call.values, strict=True)]
            return call.result(call.standard("arithmetic", name, *arguments))

        return check

    return of_name


def _perm(call: LibraryCall) -> Typed:
    if not call.is_given("k"):
        return call.result(call.standard("arithmetic", "factorial", _integer(call, "n")))
    n, k = _integer(call, "n"), _integer(call, "k")
    return call.result(call.standard("arithmetic", "perm", n, k))


def _dist(call: LibraryCall) -> Typed:
    points = [converted(call.array(name), DType.F64) for name in ("p", "q")]
    for name, point in zip(("p", "q"), points, strict=True):
        if not (isinstance(point.type, TensorType) and point.type.rank == 1):
            message = f"{name} must hold the coordinates of one point, not be {point.type}"
            call.refuse(message, call.nodes[name], "a tuple, a list or an array with one axis")
    return call.result(call.standard("arithmetic", "dist", *points))


def _numbers(call: LibraryCall, name: str, *, real: bool = False) -> Type:
    """Return the type of the items of an argument, which must be numbers."""
    item = call.one_by_one(name)
    if not is_number(item) or (real and is_complex(item)):
        call.refuse(f"the items must be numbers, not {item}", call.nodes[name])
    return item


def _fsum(call: LibraryCall) -> Typed:
    _numbers(call, "seq", real=True)
    return call.result(call.standard("arithmetic", "fsum", call.operand("seq")))


def _prod(call: LibraryCall) -> Typed:
    item = _numbers(call, "iterable")
    total = COUNTS.get(item, item)
    start = whole_literal(1, total) if "start" not in call.values else number(call, "start")
    if start.type is not total:
        call.refuse(f"the start is {start.type}, the items are {item}", instead="convert the start")
    return call.result(call.standard("arithmetic", "items_prod", call.operand("iterable"), start))


_OF_FLOAT, _OF_INT = _body(_float), _body(_integer)
_OF_FLOATS = _body(_float, _float)


def _one(name: str, check: _Meaning) -> Library:
    return Library(f"math.{name}", ("x",), 1, check)


def _two(name: str, check: _Meaning, names: tuple[str, ...] = ("x", "y")) -> Library:
    return Library(f"math.{name}", names, len(names), check)


def _many(name: str, check: _Meaning) -> Library:
    return Library(f"math.{name}", ("value",), 0, check, variadic=True)


TABLE: Mapping[object, Library] = {
    math.sqrt: _one("sqrt", _root),
    math.cbrt: _one("cbrt", _total(elementary.CBRT)),
    math.exp: _one("exp", _growing(elementwise.EXP)),
    math.exp2: _one("exp2", _growing(elementary.EXP2)),
    math.expm1: _one("expm1", _growing(elementary.EXPM1)),
    math.log: Library("math.log", ("x", "base"), 1, _log_to_base),
    math.log2: _one("log2", _logarithm(elementary.LOG2)),
    math.log10: _one("log10", _logarithm(elementary.LOG10)),
    math.log1p: _one("log1p", _inside(elementary.LOG1P)),
    math.sin: _one("sin", _inside(elementary.SIN)),
    math.cos: _one("cos", _inside(elementary.COS)),
    math.tan: _one("tan", _inside(elementary.TAN)),
    math.asin: _one("asin", _inside(elementary.ARCSIN)),
    math.acos: _one("acos", _inside(elementary.ARCCOS)),
    math.atan: _one("atan", _total(elementary.ARCTAN)),
    math.sinh: _one("sinh", _growing(elementary.SINH)),
    math.cosh: _one("cosh", _growing(elementary.COSH)),
    math.tanh: _one("tanh", _total(elementary.TANH)),
    math.asinh: _one("asinh", _total(elementary.ARCSINH)),
    math.acosh: _one("acosh", _inside(elementary.ARCCOSH)),
    math.atanh: _one("atanh", _inside(elementary.ARCTANH)),
    math.erf: _one("erf", _total(elementary.ERF)),
    math.erfc: _one("erfc", _total(elementary.ERFC)),
    math.gamma: _one("gamma", _gamma),
    math.lgamma: _one("lgamma", _lgamma),
    math.fabs: _one("fabs", _fabs),
    math.floor: _one("floor", _whole(elementary.FLOOR)),
    math.ceil: _one("ceil", _whole(elementary.CEIL)),
    math.trunc: _one("trunc", _whole(elementary.TRUNC)),
    math.degrees: _one("degrees", _scaled(180.0 / math.pi)),
    math.radians: _one("radians", _scaled(math.pi / 180.0)),
    math.isnan: _one("isnan", _test(_is_nan)),
    math.isinf: _one("isinf", _test(_is_infinite)),
    math.isfinite: _one("isfinite", _test(_is_finite)),
    math.isclose: Library("math.isclose", ("a", "b", "rel_tol", "abs_tol"), 2, _isclose),
    math.pow: _two("pow", _pow),
    math.fmod: _two("fmod", _fmod),
    math.atan2: _two("atan2", _of_two(elementary.ARCTAN2)),
    math.copysign: _two("copysign", _of_two(elementary.COPYSIGN)),
    math.hypot: _many("hypot", _hypot),
    math.gcd: _many("gcd", _of_ints(integers.GCD, 0)),
    math.lcm: _many("lcm", _of_ints(integers.LCM, 1)),
    math.isqrt: Library("math.isqrt", ("n",), 1, _isqrt),
    math.factorial: Library("math.factorial", ("n",), 1, _OF_INT("factorial")),
    math.comb: _two("comb", _body(_integer, _integer)("comb"), ("n", "k")),
    math.perm: Library("math.perm", ("n", "k"), 1, _perm),
    math.dist: Library("math.dist", ("p", "q"), 2, _dist, displays=True),
    math.prod: Library("math.prod", ("iterable", "start"), 1, _prod),
    math.fsum: Library("math.fsum", ("seq",), 1, _fsum),
    math.frexp: _one("frexp", _OF_FLOAT("frexp")),
    math.ldexp: _two("ldexp", _body(_float, _integer)("ldexp"), ("x", "i")),
    math.modf: _one("modf", _OF_FLOAT("modf")),
    math.nextafter: _two("nextafter", _OF_FLOATS("nextafter")),
    math.remainder: _two("remainder", _OF_FLOATS("remainder")),
    math.ulp: _one("ulp", _OF_FLOAT("ulp")),
}
