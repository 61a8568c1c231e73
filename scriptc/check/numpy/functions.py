"""Functions of NumPy, by the object: what `np.f` computes and in which dtype."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from scriptc.check import operators
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Convert, Literal, Select
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, as_numpy, common, int_size, into_out
from scriptc.check.numpy import array_parts, creation, layouts, structured, ufuncs
from scriptc.check.numpy import reductions as numpy_reductions
from scriptc.check.operators import INDEX_TYPES, common_dtype
from scriptc.check.python import complex_numbers
from scriptc_runtime.ops import arrays, elementwise, reductions
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import (
    BOOL,
    FLOAT,
    INT,
    INTEGERS,
    NONE,
    DType,
    TensorType,
    element_of,
    holds_int,
    int_limits,
    is_complex,
    is_number,
)
from scriptc_runtime.values import INT_MAX, INT_MIN

Checker = Callable[[LibraryCall], Typed]


def _filled(value: bool | int | float) -> Checker:
    """Return the check of np.zeros and np.ones."""

    def check(call: LibraryCall) -> Typed:
        if (dtype := structured.dtype_asked(call)) is not None:
            sizes = _asked_shape(call, columns=False)
            call.drop("dtype")
            return call.result(structured.full(call, dtype, sizes, value))
        dtype = call.dtype("dtype", DType.F64)
        return _full(call, Literal(_exactly(value, dtype), dtype))

    return check


def _exactly(value: float, dtype: DType) -> bool | int | float | complex:
    kinds = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
    return kinds[dtype.kind](value)


def _full(call: LibraryCall, value: Computation) -> Typed:
    columns = layouts.columns_first(call)
    sizes, dims = _asked_shape(call, columns)
    found = call.context.apply(call.node, arrays.FULL, value, *sizes, dims=dims)
    return call.result(layouts.transposed(call, found) if columns else found)


def _asked_shape(
    call: LibraryCall, columns: bool
) -> tuple[Sequence[Computation], tuple[int | None, ...]]:
    """Return the sizes of a new array, and those that are known."""
    sizes = call.items("shape")
    if columns:
        sizes = sizes[::-1]
    at = call.nodes["shape"]
    dims = tuple(None if known is None or known < 0 else known for _, known in sizes)
    return [int_size(call, size, at) for size, _ in sizes], dims


def _np_full(call: LibraryCall) -> Typed:
    wanted = call.dtype("dtype", DType.F64) if call.is_given("dtype") else None
    return _full(call, creation.filling(call, "fill_value", wanted))


def _empty(call: LibraryCall) -> Typed:
    if (wanted := structured.dtype_asked(call)) is not None:
        sizes = _asked_shape(call, columns=False)
        call.drop("dtype")
        return call.result(structured.full(call, wanted, sizes, 0))
    dtype, columns = call.dtype("dtype", DType.F64), layouts.columns_first(call)
    sizes, dims = _asked_shape(call, columns)
    found = call.context.apply(call.node, arrays.EMPTY, *sizes, dtype=dtype, dims=dims)
    return call.result(layouts.transposed(call, found) if columns else found)


def _like(value: float) -> Checker:
    """Return the check of np.zeros_like and np.ones_like."""

    def check(call: LibraryCall) -> Typed:
        if (made := structured.like(call, "a", value)) is not None:
            return call.result(made)
        dtype = call.dtype("dtype", numpy_reductions.dtype_of(call.array("a")))
        return call.result(_one_like(call, "a", Literal(_exactly(value, dtype), dtype)))

    return check


def _full_like(call: LibraryCall) -> Typed:
    dtype = call.dtype("dtype", numpy_reductions.dtype_of(call.array("a")))
    return call.result(_one_like(call, "a", creation.filling(call, "fill_value", dtype)))


def _one_like(call: LibraryCall, model: str, value: Computation) -> Computation:
    """Return an array of one number in the shape of another one, or in one that is asked for."""
    columns, sizes, dims = _shape_like(call, model)
    found = call.context.apply(call.node, arrays.FULL, value, *sizes, dims=dims)
    return layouts.transposed(call, found) if columns else found


def _shape_like(
    call: LibraryCall, name: str
) -> tuple[bool, Sequence[Computation], tuple[int | None, ...]]:
    columns, model = layouts.columns_first(call, *layouts.KEPT), call.array(name)
    call.flag("subok", default=True)  # there are no subclasses of arrays
    if call.is_given("shape"):
        return columns, *_asked_shape(call, columns)
    sizes = array_parts.sizes_of(call, model)
    return columns, sizes[::-1] if columns else sizes, (None,) * len(sizes)


def _empty_like(call: LibraryCall) -> Typed:
    if (made := structured.like(call, "prototype", 0)) is not None:
        return call.result(made)
    dtype = call.dtype("dtype", numpy_reductions.dtype_of(call.array("prototype")))
    columns, sizes, dims = _shape_like(call, "prototype")
    found = call.context.apply(call.node, arrays.EMPTY, *sizes, dtype=dtype, dims=dims)
    return call.result(layouts.transposed(call, found) if columns else found)


def _arange(call: LibraryCall) -> Typed:
    given = [name for name in ("start", "stop", "step") if name in call.values]
    values = {name: call.operand(name) for name in given}
    # None is what is not given, but for the start; one bound, by position, is the end.
    values = {k: v for k, v in values.items() if k == "start" or v.type is not NONE}
    if "stop" not in values:
        if not call.node.args:
            call.refuse("stop is missing")
        values["stop"] = values.pop("start")
    dtype = DType.I64
    for name, value in values.items():
        # NumPy has no integer for numbers of u64 and int.
        as_float = value.type is DType.U64 and not call.is_given("dtype")
        if value.type in (FLOAT, DType.F64) or as_float:
            dtype = DType.F64
        elif value.type not in (BOOL, *INDEX_TYPES):
            call.refuse(f"{name} must be int or float, not {value.type}")
    zero, one = (Literal(_exactly(v, dtype), dtype) for v in (0, 1))
    bounds = [
        converted(values.get(name, default), dtype)
        for name, default in (("start", zero), ("stop", zero), ("step", one))
    ]
    wanted = call.dtype("dtype", dtype)
    if wanted in INTEGERS and len(values) > 1:
        start = call.known_int("start") if "start" in values else 0
        step = call.known_int("step") if "step" in values else 1
        _refuse_start_that_wraps(call, wanted, start, step)
    result = call.context.apply(call.node, arrays.ARANGE, *bounds)
    if wanted is not dtype and dtype is DType.F64:
        call.refuse("a dtype other than that of the bounds is not built", call.nodes["dtype"])
    return call.result(converted(result, wanted))


def _refuse_start_that_wraps(
    call: LibraryCall, dtype: DType, start: int | None, step: int | None
) -> None:
    """Refuse what NumPy may: of a range it checks the first two elements, the others wrap."""
    if dtype is DType.I64:
        return
    if start is None or step is None or not holds_int(dtype, start):
        fits = False
    else:
        fits = holds_int(dtype, start + step)
    if not fits:
        call.refuse(
            f"a start and a step that are not known to fit {dtype} are not built",
            call.nodes["dtype"],
            "write np.arange(start, stop).astype(dtype)",
        )


def _float_function(op: OpDef) -> Checker:
    """Return the check of a ufunc that computes on floats."""

    def check(call: LibraryCall) -> Typed:
        value = as_numpy(call.numeric("x"))
        element = element_of(value.type)
        assert isinstance(element, DType)
        return call.apply(op, converted(value, float_dtype(element)))

    return check


def float_dtype(dtype: DType) -> DType:
    """Return the dtype in which NumPy computes exp(x) and the like."""
    if dtype.kind not in "biu":
        return dtype
    return {1: DType.F16, 2: DType.F32}.get(dtype.itemsize, DType.F64)


def _absolute(call: LibraryCall) -> Typed:
    value = as_numpy(call.numeric("x"))
    if element_of(value.type) is DType.B1:
        return call.result(ufuncs.copied(call, value))
    return call.apply(elementwise.ABS, value)


def _isnan(call: LibraryCall) -> Typed:
    value = as_numpy(call.numeric("x"))
    return call.apply(elementwise.NE, value, value)


def _pair(op: OpDef) -> Checker:
    """Return the check of a ufunc of two operands of one dtype."""

    def check(call: LibraryCall) -> Typed:
        values = [call.numeric("x1"), call.numeric("x2")]
        return call.apply(op, *common(values, common_dtype))

    return check


def common_pair(values: Sequence[Computation]) -> list[Computation]:
    """Return two operands converted to the dtype in which NumPy combines them."""
    return common(values, common_dtype)


def where(call: LibraryCall) -> Typed:
    """Check np.where of a condition and two values."""
    condition = as_numpy(call.numeric("condition"))
    if element_of(condition.type) is not DType.B1:
        element = element_of(condition.type)
        assert isinstance(element, DType)
        zero = Literal(_exactly(0, element), element)
        condition = call.context.apply(call.node, elementwise.NE, condition, zero)
    chosen = [call.numeric("x"), call.numeric("y")]
    values = common(chosen, common_dtype)
    dtype = element_of(values[0].type)
    if dtype in INTEGERS:
        # An int that the dtype beside it does not hold wraps here, where elsewhere it raises.
        assert isinstance(dtype, DType)
        values = [
            converted(converted(v, DType.I64), dtype) if v.type is INT else fitting
            for v, fitting in zip(chosen, values, strict=True)
        ]
    return call.apply(elementwise.WHERE, condition, *values)


def _clip(call: LibraryCall) -> Typed:
    """Check np.clip, whose bounds have two names each and may be None."""
    low, high = (_bound(call, names) for names in (("a_min", "min"), ("a_max", "max")))
    value = call.numeric("a")
    given = [bound for bound in (low, high) if bound is not None]
    first, *bounds = common([value, *given], common_dtype)
    dtype = element_of(first.type)
    if dtype in INTEGERS:
        # Bounds beyond the dtype on the side where they do not matter are no error.
        assert isinstance(dtype, DType)
        least, greatest = int_limits(dtype)
        low = low and _not_beyond(call, low, ">", least)
        high = high and _not_beyond(call, high, "<", greatest)
        bounds = [converted(bound, dtype) for bound in (low, high) if bound is not None]
    if not given:
        return call.result(ufuncs.copied(call, first))
    if low and high:
        return call.apply(reductions.CLIP, first, *bounds)
    op = elementwise.MAXIMUM if low else elementwise.MINIMUM
    return call.apply(op, first, *bounds)


def _bound(call: LibraryCall, names: Sequence[str]) -> Computation | None:
    given = [name for name in names if call.is_given(name)]
    if len(given) > 1:
        call.refuse(f"{names[0]} and {names[1]} are one bound", call.nodes[given[1]])
    return call.numeric(given[0]) if given else None


def _not_beyond(call: LibraryCall, value: Computation, symbol: str, end: int) -> Computation:
    """Return an int, or `end` unless the int lies on that side of it."""
    if value.type is not INT or not INT_MIN < end < INT_MAX:
        return value
    limit = Literal(end, INT)
    op = elementwise.GT if symbol == ">" else elementwise.LT
    return Select(call.context.apply(call.node, op, value, limit), value, limit, INT)


def _matmul(call: LibraryCall) -> Typed:
    left, right = call.array("a"), call.array("b")
    known = call.typed("a"), call.typed("b")
    sides = (known[0], left), (known[1], right)
    return call.result(operators.binary(call.context, call.node, "@", *sides))


def _copy(call: LibraryCall) -> Typed:
    call.flag("subok")
    return call.result(layouts.copied(call, call.array("a"), *layouts.KEPT))


def _scalar(dtype: DType) -> Checker:
    """Return the check of np.float64(x) and its like."""

    def check(call: LibraryCall) -> Typed:
        if "x" not in call.values:
            return call.result(Literal(_exactly(0, dtype), dtype))
        value = call.operand("x")
        if isinstance(value.type, TensorType):
            return _converted_array(call, value, dtype)
        if not is_number(value.type):
            call.refuse(f"x must be a number, not {value.type}", call.nodes["x"])
        if is_complex(value.type) and dtype.kind not in "cb":
            call.refuse(f"{value.type} has two parts", call.nodes["x"], "write x.real")
        if dtype is DType.B1:
            value = operators.truth(call.context, call.node, value)
        return call.result(converted(value, dtype))

    return check


def _converted_array(call: LibraryCall, value: Computation, dtype: DType) -> Typed:
    """Return np.float64(array): a new array, and of one without axes its number."""
    assert isinstance(value.type, TensorType)
    if not value.type.dims:
        call.refuse("an array without axes is not converted here", call.nodes["x"], "write x[()]")
    if value.type.dtype is dtype:
        return call.apply(arrays.COPY, value)
    return call.result(_converted(call, value, dtype, "x"))


def _astype(call: LibraryCall) -> Typed:
    value = call.array("a")
    assert isinstance(value.type, TensorType)
    dtype = call.dtype("dtype", value.type.dtype)
    call.word("casting", "unsafe")
    call.flag("subok", default=True)
    copies = call.flag("copy", default=True)
    if dtype is not value.type.dtype:
        return call.result(
            layouts.in_order(call, _converted(call, value, dtype, "dtype"), *layouts.KEPT)
        )
    if copies:
        return call.result(layouts.copied(call, value, *layouts.KEPT))
    return call.result(layouts.in_order(call, value, *layouts.KEPT))


def _converted(call: LibraryCall, value: Computation, dtype: DType, name: str) -> Computation:
    """Return an array of another dtype, which the argument `name` asks for."""
    assert isinstance(value.type, TensorType)
    if is_complex(value.type.dtype) and dtype.kind not in "cb":
        call.refuse("NumPy would drop the imaginary parts", call.nodes[name], "write x.real")
    if dtype is DType.B1:
        zero = Literal(_exactly(0, value.type.dtype), value.type.dtype)
        return call.context.apply(call.node, elementwise.NE, value, zero)
    return Convert(value, TensorType(dtype, value.type.dims))


def _library(name: str, check: Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


_MADE = ("shape", "dtype", "order")
_FULL = ("shape", "fill_value", "dtype", "order")
_LIKE = ("dtype", "order", "subok", "shape")
_ASTYPE = ("a", "dtype", "order", "casting", "subok", "copy")
_PAIR = ("x1", "x2")
_CLIP = ("a", "a_min", "a_max", "out", "min", "max")
TABLE: Mapping[object, Library] = {
    np.zeros: _library("zeros", _filled(0), *_MADE),
    np.ones: _library("ones", _filled(1), *_MADE),
    np.empty: _library("empty", _empty, *_MADE),
    np.full: _library("full", _np_full, *_FULL, required=2),
    np.zeros_like: _library("zeros_like", _like(0), "a", *_LIKE),
    np.ones_like: _library("ones_like", _like(1), "a", *_LIKE),
    np.empty_like: _library("empty_like", _empty_like, "prototype", *_LIKE),
    np.full_like: _library("full_like", _full_like, "a", "fill_value", *_LIKE, required=2),
    np.arange: _library("arange", _arange, "start", "stop", "step", "dtype"),
    np.exp: _library("exp", _float_function(elementwise.EXP), "x"),
    np.log: _library("log", _float_function(elementwise.LOG), "x"),
    np.sqrt: _library("sqrt", _float_function(elementwise.SQRT), "x"),
    np.absolute: _library("abs", _absolute, "x"),
    np.isnan: _library("isnan", _isnan, "x"),
    np.maximum: _library("maximum", _pair(elementwise.MAXIMUM), *_PAIR, required=2),
    np.minimum: _library("minimum", _pair(elementwise.MINIMUM), *_PAIR, required=2),
    np.clip: _library("clip", into_out(_clip), *_CLIP),
    np.matmul: _library("matmul", _matmul, "a", "b", required=2),
    np.copy: _library("copy", _copy, "a", "order", "subok"),
    **{d.numpy.type: _library(d.numpy.type.__name__, _scalar(d), "x", required=0) for d in DType},
}

ARRAY_METHODS: Mapping[str, Library] = {
    **complex_numbers.METHODS,
    "copy": Library("array.copy", ("a", "order"), 1, _copy),
    "astype": Library("array.astype", _ASTYPE, 2, _astype),
    "clip": Library("array.clip", ("a", "min", "max", "out"), 1, into_out(_clip), displays=True),
}
