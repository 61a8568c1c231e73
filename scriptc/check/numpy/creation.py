"""NumPy's functions that make arrays: of what is written in place, of indices, of diagonals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check import element_conversion
from scriptc.check.bindings import Typed
from scriptc.check.checked import After, Apply, Check, Computation, Convert, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, as_numpy, common, int_size
from scriptc.check.numpy import array_parts, layouts, reductions, sequences, structured, ufuncs
from scriptc.check.operators import common_dtype
from scriptc_runtime.ops import arrays, data, elementary, elementwise
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    DType,
    ListType,
    PyType,
    TensorType,
    TupleType,
    element_of,
    is_complex,
)


def _array(call: LibraryCall) -> Typed:
    """Check np.array: a new array, unless `copy` is False or None and it is one already."""
    if (dtype := structured.dtype_asked(call)) is not None:
        return call.result(structured.of_items(call, "object", dtype))
    if len(call.values) == 1 and (copied := structured.copied(call, "object")) is not None:
        return call.result(copied)
    copies = call.is_given("copy") and call.flag("copy")
    made = _made(call, "object", copies=copies or "copy" not in call.values)
    call.flag("subok")
    missing = call.constant_int("ndmin", 0) - reductions.rank_of(made)
    if missing > 0:
        letters = "n" * missing + "s" * reductions.rank_of(made)
        made = array_parts.view(call, made, letters, *array_parts.WHOLE * reductions.rank_of(made))
    return call.result(layouts.in_order(call, made, *layouts.KEPT))


def _asarray(call: LibraryCall) -> Typed:
    """Check np.asarray: an array of the wanted dtype is itself the result."""
    copies = call.is_given("copy") and call.flag("copy")
    made = _made(call, "a", copies=copies)
    if call.is_given("order") and call.word("order", *layouts.KEPT, "C", "F") == "C":
        return call.result(layouts.in_rows(call, made))
    return call.result(layouts.in_order(call, made, *layouts.KEPT))


def _made(call: LibraryCall, name: str, *, copies: bool) -> Computation:
    wanted = call.dtype("dtype", DType.F64) if call.is_given("dtype") else None
    at = call.nodes[name]
    if name in call.displays:
        return sequences.array_of(call, call.displays[name], at, wanted)
    given = call.operand(name)
    if wanted is None and isinstance(given.type, ListType):
        value = changed = sequences.array_with_dtype(call, given, at)
    elif wanted is None:
        value = changed = call.array(name)
    elif isinstance(given.type, ListType | TupleType):
        value = changed = sequences.array_of_sequence(call, given, at, wanted)
    elif isinstance(given.type, PyType):
        value = changed = element_conversion.stored(call.context, at, given, wanted)
    else:
        value = call.numeric(name)
        changed = element_conversion.cast_into(call.context, at, value, wanted)
    if copies and changed is value and isinstance(given.type, TensorType):
        return call.context.apply(call.node, arrays.COPY, value)
    return call.as_array(changed)


def filling(call: LibraryCall, name: str, dtype: DType | None) -> Computation:
    """Return a number that fills an array, of its own dtype where none is asked for."""
    value = call.operand(name)
    element = element_of(as_numpy(value).type)
    if not isinstance(element, DType) or isinstance(value.type, TensorType):
        call.refuse(f"the value must be a number, not {value.type}", call.nodes[name])
    return element_conversion.cast_into(call.context, call.nodes[name], value, dtype or element)


def _ndarray(call: LibraryCall) -> Typed:
    dtype = call.dtype("dtype", DType.F64)
    return call.result(array_parts.empty(call, dtype, array_parts.asked_sizes(call, "shape")))


# --------------------------------------------------------------------------------- of their index


def count_to(call: LibraryCall, stop: Computation, start: Computation | None = None) -> Computation:
    """Return start, start + 1, ... below stop."""
    bounds = [
        converted(bound, DType.I64)
        for bound in (start or array_parts.number(0), stop, array_parts.number(1))
    ]
    return call.context.apply(call.node, arrays.ARANGE, *bounds)


def _size(call: LibraryCall, name: str) -> Computation:
    """Return an argument that is one size, which must not be negative."""
    return _no_negative(call, _number(call, name))


def _number(call: LibraryCall, name: str) -> Computation:
    return int_size(call, call.operand(name), call.nodes[name])


def _no_negative(call: LibraryCall, size: Computation) -> Computation:
    return array_parts.no_negative(call, [size], "negative dimensions are not allowed")[0]


def _offset(call: LibraryCall) -> Computation:
    return _number(call, "k") if "k" in call.values else array_parts.number(0)


def _compared(
    call: LibraryCall,
    rows: Computation,
    columns: Computation,
    offset: Computation,
    *,
    below: bool,
    less: int = 0,
) -> Computation:
    """Return whether column - row is `offset - less`, or at most that, for each place."""
    apply, at = call.context.apply, call.node
    row = array_parts.view(call, count_to(call, rows), "sn", *array_parts.WHOLE)
    most = _diagonal_within(call, rows, columns, offset)
    if less:
        most = apply(at, elementwise.SUB, most, converted(array_parts.number(less), DType.I64))
    op = elementwise.GE if below else elementwise.EQ
    return apply(at, op, apply(at, elementwise.ADD, row, most), count_to(call, columns))


def _diagonal_within(
    call: LibraryCall, rows: Computation, columns: Computation, offset: Computation
) -> Computation:
    """Return the number of a diagonal, or that of one just outside: added to a row it fits."""
    wide = converted(offset, DType.I64)
    if isinstance(offset, Literal):
        return wide
    apply, at = call.context.apply, call.node
    zero, height, width = (
        converted(size, DType.I64) for size in (array_parts.number(0), rows, columns)
    )
    # There is nothing of negative sizes, which np.tri takes.
    lowest = apply(at, elementwise.NEG, apply(at, elementwise.MAXIMUM, height, zero))
    highest = apply(at, elementwise.MAXIMUM, width, zero)
    return apply(at, elementwise.MINIMUM, apply(at, elementwise.MAXIMUM, wide, lowest), highest)


def _eye(call: LibraryCall) -> Typed:
    rows = _size(call, "N")
    columns = _size(call, "M") if call.is_given("M") else rows
    found = _compared(call, rows, columns, _offset(call), below=False)
    return call.result(layouts.in_order(call, converted(found, call.dtype("dtype", DType.F64))))


def _identity(call: LibraryCall) -> Typed:
    size = _size(call, "n")
    found = _compared(call, size, size, array_parts.number(0), below=False)
    return call.result(converted(found, call.dtype("dtype", DType.F64)))


def _tri(call: LibraryCall) -> Typed:
    # Of negative sizes there is nothing, as NumPy makes it of two ranges.
    rows = _number(call, "N")
    columns = _number(call, "M") if call.is_given("M") else rows
    found = _compared(call, rows, columns, _offset(call), below=True)
    return call.result(converted(found, call.dtype("dtype", DType.F64)))


def _triangle(*, lower: bool) -> ufuncs.Checker:
    """Return the check of np.tril or np.triu."""

    def check(call: LibraryCall) -> Typed:
        value = call.array("m")
        if reductions.rank_of(value) == 0:
            call.refuse("an array with axes is needed", call.nodes["m"])
        dtype, rank = reductions.dtype_of(value), reductions.rank_of(value)
        columns = array_parts.size_of(call, value, rank - 1)
        rows = array_parts.size_of(call, value, rank - 2) if rank > 1 else columns
        less = 0 if lower else 1
        below = _compared(call, rows, columns, _offset(call), below=True, less=less)
        zeros: Mapping[str, bool | float] = {"b": False, "f": 0.0}
        zero = Literal(zeros.get(dtype.kind, 0), dtype)
        sides = (value, zero) if lower else (zero, value)
        return call.apply(elementwise.WHERE, below, *sides)

    return check


def _diag(call: LibraryCall) -> Typed:
    value = call.array("v")
    match reductions.rank_of(value):
        case 1:
            return call.result(call.standard("shapes", "diagonal_matrix", value, _offset(call)))
        case 2:
            return call.result(call.standard("shapes", "diagonal", value, _offset(call)))
        case rank:
            call.refuse(f"an array with one axis or two is needed, not {rank}", call.nodes["v"])


def _diagonal(call: LibraryCall) -> Typed:
    return call.result(reductions.diagonal_of(call, call.array("a")))


def _diagflat(call: LibraryCall) -> Typed:
    line = reductions.flattened(call, call.array("v"))
    return call.result(call.standard("shapes", "diagonal_matrix", line, _offset(call)))


def _linspace(call: LibraryCall) -> Typed:
    ends = [call.numeric(name) for name in ("start", "stop")]
    dtype = _point_dtype(call, ends)
    num = int_size(call, call.operand("num"), call.nodes["num"]) if "num" in call.values else None
    endpoint = call.flag("endpoint", default=True)
    wanted = call.dtype("dtype", dtype)
    if wanted.kind not in "fi":
        call.refuse(f"points of {wanted} are not built", call.nodes["dtype"], "convert them after")
    if dtype is DType.F64 and not any(isinstance(end.type, TensorType) for end in ends):
        ends = [converted(end, FLOAT) for end in ends]
        points = call.standard(
            "making", "linspace", *ends, num or array_parts.number(50), endpoint=endpoint
        )
        _point_axis(call, 1)
    else:
        if call.flag("retstep"):
            message = f"the step between points of {ends[0].type} and {ends[1].type} is not built"
            call.refuse(message, call.nodes["retstep"], "subtract two points")
        ends = [converted(end, dtype) for end in ends]
        points = call.standard(
            "making", "points", *ends, num or array_parts.number(50), endpoint=endpoint
        )
        points = reductions.moved_back(
            call, points, 0, _point_axis(call, reductions.rank_of(points))
        )
    found = converted(points, wanted)
    if wanted.kind == "i":
        # NumPy rounds down before it converts.
        points = converted(points, DType.F64)
        assert isinstance(points.type, TensorType)
        whole = call.context.apply(call.node, elementary.FLOOR, points)
        found = Convert(whole, TensorType(wanted, points.type.dims))
    if not call.flag("retstep"):
        return call.result(found)
    step = call.standard(
        "making", "step_of", *ends, num or array_parts.number(50), endpoint=endpoint
    )
    return call.apply(data.TUPLE, found, step)


def _point_axis(call: LibraryCall, rank: int) -> int:
    """Return the axis of the points, the first one where none is asked for."""
    axis = call.constant_int("axis", 0)
    if not -rank <= axis < rank:
        message = f"axis {axis} is out of bounds for array of dimension {rank}"
        call.refuse(message, call.nodes["axis"], f"one from {-rank} to {rank - 1}")
    return axis % rank


def _point_dtype(call: LibraryCall, ends: Sequence[Computation]) -> DType:
    """Return the dtype in which NumPy computes points between two numbers or arrays."""
    first, last = (element_of(end.type) for end in ends)
    if isinstance(first, PyType) and isinstance(last, PyType):
        dtype = DType.F64
    else:
        dtype = common_dtype(ends[0].type, ends[1].type)
    for end, name in zip(ends, ("start", "stop"), strict=True):
        if is_complex(element_of(end.type)):
            message = f"{name} must be real, not {end.type}"
            call.refuse(message, call.nodes[name], "add points of both parts: x + y * 1j")
    return dtype if dtype.kind == "f" else DType.F64


# ------------------------------------------------------------------------------------------ grids


def _meshgrid(call: LibraryCall) -> Typed:
    lines = [call.array(name) for name in call.values if name not in _GRID]
    if any(reductions.rank_of(line) != 1 for line in lines):
        call.refuse("the arrays must have one axis each")
    crossed = call.word("indexing", "xy", "ij") == "xy" and len(lines) > 1
    order = [1, 0, *range(2, len(lines))] if crossed else list(range(len(lines)))
    call.flag("copy", default=True)
    if call.flag("sparse"):
        count = len(lines)
        places = [order.index(i) for i in range(count)]
        open_lines = [
            array_parts.view(
                call, line, "n" * place + "s" + "n" * (count - 1 - place), *array_parts.WHOLE
            )
            for line, place in zip(lines, places, strict=True)
        ]
        # They are copies, as NumPy's are.
        copies = [call.context.apply(call.node, arrays.COPY, line) for line in open_lines]
        return call.apply(data.TUPLE, *copies)
    sizes = [array_parts.size_of(call, lines[i], 0) for i in order]
    grids = [
        _spread(
            call, array_parts.empty(call, reductions.dtype_of(line), sizes), line, order.index(i)
        )
        for i, line in enumerate(lines)
    ]
    return call.result(call.context.apply(call.node, data.TUPLE, *grids))


def _spread(
    call: LibraryCall, whole: Computation, line: Computation, axis: int, first: int | None = None
) -> Computation:
    """Return `whole` once each element of `line` has been written along one of its axes.

    With `first` that is done to the part of `whole` at this index alone.
    """
    part = whole if first is None else array_parts.view(call, whole, "i", array_parts.number(first))
    column = array_parts.view(
        call, line, "s" + "n" * (reductions.rank_of(part) - 1 - axis), *array_parts.WHOLE
    )
    call.context.check_op(call.node, arrays.ASSIGN, part, column)
    effect = Apply(arrays.ASSIGN, (part, column), {}, NONE)
    return After((effect,), whole, whole.type)


def _indices(call: LibraryCall) -> Typed:
    sizes = [_no_negative(call, size) for size in array_parts.asked_sizes(call, "dimensions")]
    if not sizes:
        call.refuse("it needs a size at least", call.nodes["dimensions"], "np.indices((3, 4))")
    return call.result(grid(call, [count_to(call, size) for size in sizes]))


def grid(call: LibraryCall, lines: Sequence[Computation]) -> Computation:
    """Return an array that holds, for each line, its elements along an axis of their own."""
    sizes = [array_parts.size_of(call, line, 0) for line in lines]
    lines = common(lines, common_dtype)
    whole: Computation = array_parts.empty(
        call, reductions.dtype_of(lines[0]), [array_parts.number(len(lines)), *sizes]
    )
    for axis, line in enumerate(lines):
        whole = _spread(call, whole, line, axis, axis)
    return whole


# ---------------------------------------------------------------------------- methods of elements


def _fill(call: LibraryCall) -> Typed:
    array, value = call.array("a"), call.operand("value")
    if isinstance(value.type, TensorType):
        call.refuse(f"the value must be a number, not {value.type}", call.nodes["value"])
    source = element_conversion.stored(
        call.context, call.nodes["value"], value, reductions.dtype_of(array)
    )
    effect = Apply(arrays.ASSIGN, (array, source), {}, NONE)
    return call.result(After((effect,), Literal(None, NONE), NONE))


def _item(call: LibraryCall) -> Typed:
    """Check `a.item()` and `a.item(i, j)`: the element as a Python number."""
    array = call.array("a")
    names = [name for name in call.values if name != "a"]
    indices = [int_size(call, call.operand(name), call.nodes[name]) for name in names]
    rank = reductions.rank_of(array)
    if not indices and rank:
        total = array_parts.size_of(call, array, 0)
        for axis in range(1, rank):
            size = array_parts.size_of(call, array, axis)
            total = call.context.apply(call.node, elementwise.MUL, total, size)
        single = call.context.apply(call.node, elementwise.EQ, total, array_parts.number(1))
        message = "can only convert an array of size 1 to a Python scalar"
        array = Check(single, "ValueError", message, array, array.type)
        indices = [array_parts.number(0)] * rank
    if len(indices) != rank:
        call.refuse(f"{len(indices)} indices for an array with {rank} axes")
    element = call.context.apply(call.node, arrays.INDEX, array, *indices)
    kinds: Mapping[str, PyType] = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}
    kind = reductions.dtype_of(array).kind
    return call.result(converted(element, kinds[kind]))


def _tolist(call: LibraryCall) -> Typed:
    """Check `a.tolist()`: Python's numbers in lists, one in the other."""
    value = call.array("a")
    if reductions.rank_of(value) == 0:
        call.refuse(f"{value.type} has one element, which is no list", instead="x.item()")
    return call.result(call.standard("making", "list_of_array", value))


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


_GRID = ("indexing", "sparse", "copy")
_LINSPACE = ("start", "stop", "num", "endpoint", "retstep", "dtype", "axis")
_PLACES = ("offset", "axis1", "axis2")
TABLE: Mapping[object, Library] = {
    np.array: _library("array", _array, "object", "dtype", "copy", "order", "subok", "ndmin"),
    np.asarray: _library("asarray", _asarray, "a", "dtype", "order", "copy"),
    np.asanyarray: _library("asanyarray", _asarray, "a", "dtype", "order", "copy"),
    np.ndarray: _library("ndarray", _ndarray, "shape", "dtype"),
    np.eye: _library("eye", _eye, "N", "M", "k", "dtype", "order"),
    np.identity: _library("identity", _identity, "n", "dtype"),
    np.tri: _library("tri", _tri, "N", "M", "k", "dtype"),
    np.tril: _library("tril", _triangle(lower=True), "m", "k"),
    np.triu: _library("triu", _triangle(lower=False), "m", "k"),
    np.diag: _library("diag", _diag, "v", "k"),
    np.diagflat: _library("diagflat", _diagflat, "v", "k"),
    np.diagonal: _library("diagonal", _diagonal, "a", *_PLACES),
    np.linspace: _library("linspace", _linspace, *_LINSPACE, required=2),
    np.meshgrid: Library(
        "np.meshgrid", ("xi",), 1, _meshgrid, variadic=True, options=_GRID, displays=True
    ),
    np.indices: _library("indices", _indices, "dimensions"),
}
METHODS: Mapping[str, Library] = {
    "tolist": Library("array.tolist", ("a",), 1, _tolist),
    "fill": Library("array.fill", ("a", "value"), 2, _fill),
    "item": Library("array.item", ("a", "index"), 1, _item, variadic=True),
    "diagonal": Library("array.diagonal", ("a", *_PLACES), 1, _diagonal),
}
