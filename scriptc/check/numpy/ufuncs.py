"""NumPy's functions of elements: which op, or which few ops, compute them, and in which dtype.

NumPy itself is asked for the dtypes, so the rules of promotion are those of the version that runs.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np

from scriptc.check import operators
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, as_numpy, into_out
from scriptc.check.numpy.complex_ufuncs import complex_meaning, complex_truth
from scriptc.check.python import complex_operators
from scriptc_runtime.ops import arrays, elementary, elementwise
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import BOOL, FROM_NUMPY, DType, Element, PyType, TensorType, element_of

# What a call of a function computes.
Checker = Callable[[LibraryCall], Typed]
# A function of elements: takes the call and the operands, gives the result.
Meaning = Callable[[LibraryCall, Sequence[Computation]], Computation]

_WEAK: Mapping[Element, type] = {PyType.INT: int, PyType.FLOAT: float, PyType.COMPLEX: complex}
_ONE, _TWO = ("x",), ("x1", "x2")


@cache
def _resolved(ufunc: np.ufunc, elements: tuple[Element, ...]) -> tuple[DType | None, ...] | None:
    """Return the dtypes of operands and result that NumPy computes with, None where it refuses."""
    given = [e.numpy if isinstance(e, DType) else _WEAK[e] for e in elements]
    try:
        results = (None,) * ufunc.nout
        found = ufunc.resolve_dtypes((*given, *results))  # pyright: ignore[reportArgumentType]
    except TypeError:
        return None
    return tuple(map(FROM_NUMPY.get, found))


def promoted(
    call: LibraryCall, ufunc: np.ufunc, values: Sequence[Computation]
) -> tuple[list[Computation], DType]:
    """Return the operands in the dtypes that NumPy computes with, and that of the results."""
    strong = [v for v in values if isinstance(element_of(v.type), DType)]
    if not strong:
        values = [as_numpy(v) for v in values]
    # A Python bool is as strong as NumPy's.
    values = [as_numpy(v) if element_of(v.type) is BOOL else v for v in values]
    elements = tuple(e for v in values if (e := element_of(v.type)) is not None)
    dtypes = _resolved(ufunc, elements)
    if dtypes is None:
        types = " and ".join(str(v.type) for v in values)
        call.refuse(f"NumPy does not define it for {types}", instead="convert the operands first")
    for dtype in dtypes:
        if dtype is None:
            call.refuse("NumPy computes it in a dtype that the language does not have")
    known = [d for d in dtypes if d is not None]
    pairs = zip(values, known, strict=False)
    return [converted(v, d) for v, d in pairs], known[-1]


def _float_function(op: OpDef, ufunc: np.ufunc) -> Meaning:
    """Return the meaning of a function of floats; integers that NumPy leaves alone stay."""

    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        operands, dtype = promoted(call, ufunc, values)
        if dtype.kind in "biu":
            return unchanged(call, operands)
        if dtype.kind == "c" and (found := complex_meaning(call, ufunc, operands[0])):
            return found
        if dtype is not DType.F16:
            return call.context.apply(call.node, op, *operands)
        single = [converted(v, DType.F32) for v in operands]
        return converted(call.context.apply(call.node, op, *single), dtype)

    return compute


def in_single(ufunc: np.ufunc, compute: Meaning) -> Meaning:
    """Return a meaning that is computed in single precision for half, as NumPy does."""

    def narrowed(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        operands, dtype = promoted(call, ufunc, values)
        if all(element_of(v.type) is not DType.F16 for v in operands):
            return compute(call, values)
        found = compute(call, [converted(v, DType.F32) for v in operands])
        return converted(found, DType.F16) if dtype is DType.F16 else found

    return narrowed


def copied(call: LibraryCall, value: Computation) -> Computation:
    """Return a copy of an array, or the number itself: what a ufunc gives that changes nothing."""
    if isinstance(value.type, TensorType):
        return call.context.apply(call.node, arrays.COPY, value)
    return value


def unchanged(call: LibraryCall, values: Sequence[Computation]) -> Computation:
    """Return the meaning of floor and the like of integers."""
    (value,) = values
    return copied(call, value)


def _positive(call: LibraryCall, values: Sequence[Computation]) -> Computation:
    operands, _ = promoted(call, np.positive, values)
    return unchanged(call, operands)


def _ufunc(op: OpDef, ufunc: np.ufunc) -> Meaning:
    """Return the meaning of an op on the dtypes that NumPy resolves."""

    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        operands, dtype = promoted(call, ufunc, values)
        if dtype.kind == "c" and (found := complex_meaning(call, ufunc, operands[0])):
            return found
        return call.context.apply(call.node, op, *operands)

    return compute


def _operator(symbol: str) -> Meaning:
    """Return the meaning of a ufunc that is NumPy's operator `symbol`."""

    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        left, right = _strong(values)
        sides = (_side(call, left), _side(call, right))
        if symbol in ("==", "!=", "<", "<=", ">", ">="):
            return operators.comparison(call.context, call.node, symbol, *sides)
        return operators.binary(call.context, call.node, symbol, *sides)

    return compute


def _strong(values: Sequence[Computation]) -> Sequence[Computation]:
    if any(isinstance(element_of(v.type), DType) for v in values):
        return values
    return [as_numpy(v) for v in values]


def _side(call: LibraryCall, value: Computation) -> tuple[Typed, Computation]:
    return Typed(value.type, call.context.span(call.node)), value


def _square(call: LibraryCall, values: Sequence[Computation]) -> Computation:
    (value,), _ = promoted(call, np.square, values)
    return call.context.apply(call.node, elementwise.MUL, value, value)


def _reciprocal(call: LibraryCall, values: Sequence[Computation]) -> Computation:
    (value,), dtype = promoted(call, np.reciprocal, values)
    if dtype.kind == "c":
        return complex_operators.reciprocal(call.context, call.node, value)
    if dtype.kind != "f":
        call.refuse(f"the reciprocal of {dtype} is an integer", instead="write 1 / x")
    return call.context.apply(call.node, elementwise.DIV, Literal(1.0, dtype), value)


def _scaled(ufunc: np.ufunc, numerator: float, denominator: float) -> Meaning:
    """Return the meaning of a product with a quotient, which is rounded to the dtype first."""

    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        (value,), dtype = promoted(call, ufunc, values)
        parts = np.array([numerator, denominator], str(dtype.numpy))
        factor = float(parts[0] / parts[1])
        return call.context.apply(call.node, elementwise.MUL, value, Literal(factor, dtype))

    return compute


def _unary(symbol: str) -> Meaning:
    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        (value,) = map(as_numpy, values)
        return operators.unary(call.context, call.node, symbol, _side(call, value))

    return compute


def _fabs(call: LibraryCall, values: Sequence[Computation]) -> Computation:
    (value,), _ = promoted(call, np.fabs, values)
    return call.context.apply(call.node, elementwise.ABS, value)


def _size_test(op: OpDef) -> Meaning:
    """Return the meaning of a comparison of the size with infinity."""

    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        (value,) = map(as_numpy, values)
        element = element_of(value.type)
        assert isinstance(element, DType)
        apply, at = call.context.apply, call.node
        if element.kind == "c":
            parts = (apply(at, part, value) for part in (elementwise.REAL, elementwise.IMAG))
            first, second = (compute(call, [part]) for part in parts)
            both = elementwise.AND if op is elementwise.LT else elementwise.OR
            return apply(at, both, first, second)
        if element.kind != "f":  # every integer is finite
            same = elementwise.EQ if op is elementwise.LT else elementwise.NE
            return apply(at, same, value, value)
        size = apply(at, elementwise.ABS, value)
        return apply(at, op, size, Literal(math.inf, element))

    return compute


def _signbit(call: LibraryCall, values: Sequence[Computation]) -> Computation:
    (value,), _ = promoted(call, np.signbit, values)
    element = element_of(value.type)
    assert isinstance(element, DType)
    apply, at = call.context.apply, call.node
    if element.kind == "f":
        # -0.0 and NaNs have a sign that no comparison tells.
        value = apply(at, elementary.COPYSIGN, Literal(1.0, element), value)
    return apply(at, elementwise.LT, value, Literal(0.0 if element.kind == "f" else 0, element))


def truth(call: LibraryCall, value: Computation) -> Computation:
    """Return whether each element counts as true: it is not zero."""
    value = as_numpy(value)
    element = element_of(value.type)
    assert isinstance(element, DType)
    if element is DType.B1:
        return value
    if element.kind == "c":
        return complex_truth(call, value)
    zero = Literal(0.0 if element.kind == "f" else 0, element)
    return call.context.apply(call.node, elementwise.NE, value, zero)


def _logical(op: OpDef) -> Meaning:
    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        operands = [truth(call, v) for v in values]
        return call.context.apply(call.node, op, *operands)

    return compute


def _checker(names: Sequence[str], compute: Meaning) -> Checker:
    def check(call: LibraryCall) -> Typed:
        return call.result(compute(call, [call.numeric(name) for name in names]))

    return check


def _library(ufunc: np.ufunc, names: tuple[str, ...], compute: Meaning) -> Library:
    check = _checker(names, compute)
    return Library(f"np.{ufunc.__name__}", names, len(names), check, displays=True)


_PARTS = elementwise.REAL, elementwise.IMAG


def _round(call: LibraryCall) -> Typed:
    value = as_numpy(call.numeric("a"))
    return call.result(rounded(call, value, call.constant_int("decimals", 0)))


def rounded(call: LibraryCall, value: Computation, decimals: int) -> Computation:
    """Return numbers of NumPy's rounded: a scaled `rint`, which is what NumPy computes."""
    dtype = element_of(value.type)
    assert isinstance(dtype, DType)
    if dtype.kind in "iu" and decimals >= 0:
        return unchanged(call, [value])
    if dtype.kind == "c":
        parts = [call.context.apply(call.node, op, value) for op in _PARTS]
        whole = [rounded(call, part, decimals) for part in parts]
        return call.context.apply(call.node, elementwise.COMPLEX_OF, *whole)
    if dtype.kind != "f" or dtype is DType.F16:
        call.refuse(f"rounding {value.type} is not built", instead="convert to float64 first")
    apply, at = call.context.apply, call.node
    scale = Literal(float(dtype.numpy.type(10.0 ** abs(decimals))), dtype)
    first, second = elementwise.MUL, elementwise.DIV
    if decimals < 0:
        first, second = second, first
    if decimals:
        value = apply(at, first, value, scale)
    value = apply(at, elementary.RINT, value)
    return apply(at, second, value, scale) if decimals else value


def _nan_to_num(call: LibraryCall) -> Typed:
    value = as_numpy(call.numeric("x"))
    dtype = element_of(value.type)
    assert isinstance(dtype, DType)
    if dtype.kind in "biu":
        return call.result(unchanged(call, [value]))
    if dtype.kind == "c":
        call.refuse(f"{value.type} is not built")
    if not isinstance(value.type, TensorType):
        call.refuse("a number is not built", call.nodes["x"], "use math.isnan and `if`")
    if "copy" in call.values and not call.flag("copy"):
        call.refuse("copy=False is not built", call.nodes["copy"], "assign the result: x[:] = ...")
    apply, at = call.context.apply, call.node
    largest = float(np.finfo(str(dtype.numpy)).max)
    nan = apply(at, elementwise.NE, value, value)
    above = apply(at, elementwise.EQ, value, Literal(math.inf, dtype))
    below = apply(at, elementwise.EQ, value, Literal(-math.inf, dtype))
    for name, default, where in (
        ("neginf", -largest, below),
        ("posinf", largest, above),
        ("nan", 0.0, nan),
    ):
        given = call.operand(name) if name in call.values else Literal(default, dtype)
        value = apply(at, elementwise.WHERE, where, converted(given, dtype), value)
    return call.result(value)


_FLOAT_FUNCTIONS: Mapping[np.ufunc, OpDef] = {
    **{getattr(np, op.name): op for op in elementary.ROUNDED if op not in elementary.SPECIAL},
    np.floor: elementary.FLOOR,
    np.ceil: elementary.CEIL,
    np.trunc: elementary.TRUNC,
    np.rint: elementary.RINT,
    np.copysign: elementary.COPYSIGN,
}
_OPERATORS: Mapping[np.ufunc, str] = {
    np.add: "+",
    np.subtract: "-",
    np.multiply: "*",
    np.divide: "/",
    np.floor_divide: "//",
    np.remainder: "%",
    np.power: "**",
    np.bitwise_and: "&",
    np.bitwise_or: "|",
    np.bitwise_xor: "^",
    np.left_shift: "<<",
    np.right_shift: ">>",
    np.equal: "==",
    np.not_equal: "!=",
    np.less: "<",
    np.less_equal: "<=",
    np.greater: ">",
    np.greater_equal: ">=",
}

# What each ufunc computes; `functions` has a few more.
MEANINGS: Mapping[np.ufunc, Meaning] = {
    **{ufunc: _float_function(op, ufunc) for ufunc, op in _FLOAT_FUNCTIONS.items()},
    **{ufunc: _operator(symbol) for ufunc, symbol in _OPERATORS.items()},
    np.fmod: in_single(np.fmod, _ufunc(elementary.FMOD, np.fmod)),
    np.sign: in_single(np.sign, _ufunc(elementary.SIGN, np.sign)),
    np.square: _square,
    np.reciprocal: _reciprocal,
    np.positive: _positive,
    np.negative: _unary("-"),
    np.invert: _unary("~"),
    np.fabs: _fabs,
    np.degrees: in_single(np.degrees, _scaled(np.degrees, 180.0, math.pi)),
    np.rad2deg: in_single(np.rad2deg, _scaled(np.rad2deg, 180.0, math.pi)),
    np.radians: in_single(np.radians, _scaled(np.radians, math.pi, 180.0)),
    np.deg2rad: in_single(np.deg2rad, _scaled(np.deg2rad, math.pi, 180.0)),
    np.isfinite: _size_test(elementwise.LT),
    np.isinf: _size_test(elementwise.EQ),
    np.signbit: in_single(np.signbit, _signbit),
    np.logical_and: _logical(elementwise.AND),
    np.logical_or: _logical(elementwise.OR),
    np.logical_xor: _logical(elementwise.XOR),
    np.logical_not: _logical(elementwise.NOT),
}

_ROUND = ("a", "decimals", "out")
TABLE: Mapping[object, Library] = {
    **{
        ufunc: _library(ufunc, _ONE if ufunc.nin == 1 else _TWO, meaning)
        for ufunc, meaning in MEANINGS.items()
    },
    np.round: Library("np.round", _ROUND, 1, into_out(_round), displays=True),
    np.around: Library("np.around", _ROUND, 1, into_out(_round), displays=True),
    np.nan_to_num: Library(
        "np.nan_to_num", ("x", "copy", "nan", "posinf", "neginf"), 1, _nan_to_num
    ),
}
METHODS: Mapping[str, Library] = {
    "round": Library("array.round", _ROUND, 1, into_out(_round)),
}
