"""The functions of `math`: which op computes each, and where CPython raises.

CPython looks at what C's function gives: NaN of a number is a domain error, and an infinity of a
finite number is an overflow, or, where the function has a pole, a domain error too.  Here a domain
error is known of the number alone.
"""

import math
from collections.abc import Callable, Mapping

from scriptc.check import bigints
from scriptc.check.bindings import Typed
from scriptc.check.checked import Apply, Check, Computation, Convert, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.definitions import Definition, Entry
from scriptc.check.library.readers import number, real, whole
from scriptc.check.library.unsafe_functions import of_floats
from scriptc.check.operators import COUNTS, whole_literal
from scriptc.check.python.number_methods import of_objects
from scriptc_runtime.ops import elementary, elementwise, integers
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    FLOAT,
    INT,
    DType,
    TupleType,
    Type,
    is_complex,
    is_number,
)

_DOMAIN = "math domain error"
_RANGE = "math range error"


def _apply(call: LibraryCall, op: OpDef, *operands: Computation) -> Apply:
    return call.context.apply(call.node, op, *operands)


def _computed(call: LibraryCall, op: OpDef, *operands: Computation) -> Computation:
    """Return the result, a Python float, of an op on floats."""
    return of_floats(call.context, call.node, op, *operands)


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
    return lambda call: call.result(_computed(call, op, real(call, "x")))


def _unless(outside: OpDef, limit: float, op: OpDef, *, size: bool = False) -> _Meaning:
    """Return the meaning of a function that raises for numbers `outside` a limit, or their size.

    NaN is none of them.
    """

    def check(call: LibraryCall) -> Typed:
        value = real(call, "x")
        compared = _apply(call, elementwise.ABS, value) if size else value
        refused = _apply(call, outside, compared, Literal(limit, FLOAT))
        return call.result(_domain(_not(call, refused), _computed(call, op, value)))

    return check


def _growing(op: OpDef, *, size: bool = False) -> _Meaning:
    """Return the meaning of a function that is finite for finite numbers, until it is too large.

    Its results are not far below 0, or `size` says that it is what grows.
    """

    def check(call: LibraryCall) -> Typed:
        value = real(call, "x")
        result = _computed(call, op, value)
        large = [_apply(call, elementwise.ABS, v) if size else v for v in (result, value)]
        limits = [_apply(call, elementwise.EQ, v, Literal(math.inf, FLOAT)) for v in large]
        fits = _apply(call, elementwise.OR, _not(call, limits[0]), limits[1])
        return call.result(_range(fits, result))

    return check


def _logarithm(op: OpDef) -> _Meaning:
    def check(call: LibraryCall) -> Typed:
        if call.typed("x").type is BIGINT:
            return call.result(call.standard("bigint_floats", op.name, call.operand("x")))
        return call.result(_log(call, op, real(call, "x")))

    return check


def _log(call: LibraryCall, op: OpDef, value: Computation) -> Computation:
    outside = _apply(call, elementwise.LE, value, Literal(0.0, FLOAT))
    return _domain(_not(call, outside), _computed(call, op, value))


def _log_to_base(call: LibraryCall) -> Typed:
    if call.typed("x").type is BIGINT:
        result = call.standard("bigint_floats", "log", call.operand("x"))
    else:
        result = _log(call, elementwise.LOG, real(call, "x"))
    if "base" not in call.values:
        return call.result(result)
    base = _log(call, elementwise.LOG, real(call, "base"))
    return call.result(_apply(call, elementwise.DIV, result, base))


def _scaled(factor: float) -> _Meaning:
    return lambda call: call.apply(elementwise.MUL, real(call, "x"), Literal(factor, FLOAT))


def _fabs(call: LibraryCall) -> Typed:
    return call.apply(elementwise.ABS, real(call, "x"))


def _test(meaning: Callable[[LibraryCall, Computation], Computation]) -> _Meaning:
    return lambda call: call.result(meaning(call, real(call, "x")))


def _whole(op: OpDef) -> _Meaning:
    """Return the meaning of a rounding that gives an int."""

    def check(call: LibraryCall) -> Typed:
        value = number(call, "x")
        if value.type is BIGINT:
            return call.result(value)
        if op is elementary.TRUNC and value.type not in (INT, BOOL, FLOAT, DType.F64):
            call.refuse(f"NumPy's {value.type} has no __trunc__", call.nodes["x"], "int(x)")
        if value.type in (INT, BOOL) or (isinstance(value.type, DType) and value.type.kind in "iu"):
            return call.result(converted(value, INT))
        rounded = _computed(call, op, converted(value, FLOAT))
        return call.result(Convert(rounded, call.context.whole))

    return check


# ------------------------------------------------------------------------------ of two and more


def _of_two(op: OpDef) -> _Meaning:
    return lambda call: call.result(_computed(call, op, real(call, "x"), real(call, "y")))


def _isqrt(call: LibraryCall) -> Typed:
    if call.typed("n").type is BIGINT:
        return call.result(call.standard("bigint_math", "isqrt", call.operand("n")))
    return call.apply(integers.ISQRT, whole(call, "n"))


def _numbers(call: LibraryCall, name: str, *, real: bool = False) -> Type:
    """Return the type of the items of an argument, which must be numbers."""
    item = call.one_by_one(name)
    if not (is_number(item) or item is BIGINT) or (real and is_complex(item)):
        call.refuse(f"the items must be numbers, not {item}", call.nodes[name])
    return item


def _prod(call: LibraryCall) -> Typed:
    if isinstance(call.typed("iterable").type, TupleType):
        start = call.operand("start") if "start" in call.values else Literal(1, INT)
        items = call.operand("iterable")
        return call.result(call.standard("arithmetic", "items_prod", items, start))
    item = _numbers(call, "iterable")
    if item is BIGINT:
        first = call.operand("start") if "start" in call.values else Literal(1, INT)
        given = (call.operand("iterable"), bigints.of_any_size(first))
        return call.result(call.standard("arithmetic", "items_prod", *given))
    total = COUNTS.get(item, item)
    start = whole_literal(1, total) if "start" not in call.values else number(call, "start")
    if start.type is not total:
        call.refuse(f"the start is {start.type}, the items are {item}", instead="convert the start")
    return call.result(call.standard("arithmetic", "items_prod", call.operand("iterable"), start))


def _one(name: str, check: _Meaning) -> Library:
    return Library(f"math.{name}", ("x",), 1, check)


def _two(name: str, check: _Meaning, names: tuple[str, ...] = ("x", "y")) -> Library:
    return Library(f"math.{name}", names, len(names), check)


OF_FLOATS: Mapping[str, Entry] = {"is_integer": Definition("float.is_integer", "arithmetic")}
# Programs, in stdlib/arithmetic.py.
_DEFINED = (
    *("dist", "fmod", "frexp", "fsum", "gamma", "hypot", "isclose"),
    *("ldexp", "lgamma", "modf", "nextafter", "pow", "remainder", "ulp"),
)
TABLE: Mapping[object, Entry] = {
    math.sqrt: _one("sqrt", _unless(elementwise.LT, 0.0, elementwise.SQRT)),
    math.cbrt: _one("cbrt", _total(elementary.CBRT)),
    math.exp: _one("exp", _growing(elementwise.EXP)),
    math.exp2: _one("exp2", _growing(elementary.EXP2)),
    math.expm1: _one("expm1", _growing(elementary.EXPM1)),
    math.log: Library("math.log", ("x", "base"), 1, _log_to_base),
    math.log2: _one("log2", _logarithm(elementary.LOG2)),
    math.log10: _one("log10", _logarithm(elementary.LOG10)),
    math.log1p: _one("log1p", _unless(elementwise.LE, -1.0, elementary.LOG1P)),
    math.sin: _one("sin", _unless(elementwise.EQ, math.inf, elementary.SIN, size=True)),
    math.cos: _one("cos", _unless(elementwise.EQ, math.inf, elementary.COS, size=True)),
    math.tan: _one("tan", _unless(elementwise.EQ, math.inf, elementary.TAN, size=True)),
    math.asin: _one("asin", _unless(elementwise.GT, 1.0, elementary.ARCSIN, size=True)),
    math.acos: _one("acos", _unless(elementwise.GT, 1.0, elementary.ARCCOS, size=True)),
    math.atan: _one("atan", _total(elementary.ARCTAN)),
    math.sinh: _one("sinh", _growing(elementary.SINH, size=True)),
    math.cosh: _one("cosh", _growing(elementary.COSH, size=True)),
    math.tanh: _one("tanh", _total(elementary.TANH)),
    math.asinh: _one("asinh", _total(elementary.ARCSINH)),
    math.acosh: _one("acosh", _unless(elementwise.LT, 1.0, elementary.ARCCOSH)),
    math.atanh: _one("atanh", _unless(elementwise.GE, 1.0, elementary.ARCTANH, size=True)),
    math.erf: _one("erf", _total(elementary.ERF)),
    math.erfc: _one("erfc", _total(elementary.ERFC)),
    math.fabs: _one("fabs", _fabs),
    math.floor: of_objects(_one("floor", _whole(elementary.FLOOR)), ("__floor__",)),
    math.ceil: of_objects(_one("ceil", _whole(elementary.CEIL)), ("__ceil__",)),
    math.trunc: of_objects(_one("trunc", _whole(elementary.TRUNC)), ("__trunc__",)),
    math.degrees: _one("degrees", _scaled(180.0 / math.pi)),
    math.radians: _one("radians", _scaled(math.pi / 180.0)),
    math.isnan: _one("isnan", _test(_is_nan)),
    math.isinf: _one("isinf", _test(_is_infinite)),
    math.isfinite: _one("isfinite", _test(_is_finite)),
    math.isqrt: Library("math.isqrt", ("n",), 1, _isqrt),
    math.atan2: _two("atan2", _of_two(elementary.ARCTAN2)),
    math.copysign: _two("copysign", _of_two(elementary.COPYSIGN)),
    math.prod: Library("math.prod", ("iterable", "start"), 1, _prod, consumes=True),
    **{getattr(math, name): Definition(f"math.{name}", "arithmetic") for name in _DEFINED},
    **{
        getattr(math, name): Definition(f"math.{name}", "arithmetic", any_size="bigint_math")
        for name in ("comb", "factorial", "gcd", "lcm", "perm")
    },
}
