"""NumPy's products of arrays, and what is made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check import operators
from scriptc.check.bindings import Typed
from scriptc.check.checked import After, Check, Computation
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, common, into_out
from scriptc.check.numpy import array_parts, ufuncs
from scriptc.check.numpy import reductions as numpy_reductions
from scriptc.check.operators import common_dtype
from scriptc_runtime.ops import arrays, data, elementwise, reductions
from scriptc_runtime.types import FLOAT, DType, TensorType, element_of, is_complex, is_number


def product(
    call: LibraryCall, first: Computation, second: Computation, called: str | None = None
) -> Computation:
    """Return the matrix product of two arrays."""
    span = call.context.span(call.node)
    sides = (Typed(first.type, span), first), (Typed(second.type, span), second)
    return operators.product(call.context, call.node, *sides, called)


def turned(call: LibraryCall, value: Computation, order: Sequence[int]) -> Computation:
    """Return an array with its axes in another order."""
    if list(order) == list(range(numpy_reductions.rank_of(value))):
        return value
    return call.context.apply(call.node, arrays.TRANSPOSE, value, order=tuple(order))


def _inner(call: LibraryCall) -> Typed:
    first, second = call.array("a"), call.array("b")
    if (
        numpy_reductions.rank_of(second) > 2
        or numpy_reductions.rank_of(first) == 0
        or numpy_reductions.rank_of(second) == 0
    ):
        call.refuse("arrays with one axis or two are built")
    if numpy_reductions.rank_of(second) == 2:
        second = turned(call, second, (1, 0))
    return call.result(product(call, _aligned(call, first, second), second, "dot"))


def _aligned(call: LibraryCall, first: Computation, second: Computation) -> Computation:
    """Return the first factor once it is known that the sizes of stacks fit; others tell it."""
    if max(numpy_reductions.rank_of(first), numpy_reductions.rank_of(second)) <= 2:
        return first
    check = call.standard("linear", "require_aligned", first, second)
    return After((check,), first, first.type)


def _vdot(call: LibraryCall) -> Typed:
    first, second = (numpy_reductions.flattened(call, call.array(name)) for name in ("a", "b"))
    return call.result(product(call, _conjugated(call, first), second, "vdot"))


def _matvec(call: LibraryCall) -> Typed:
    """Check np.matvec: products of matrices with vectors, which are columns for it."""
    matrices, vectors = call.array("x1"), call.array("x2")
    rank = numpy_reductions.rank_of(vectors)
    if rank == 0:
        call.refuse("a vector has an axis", call.nodes["x2"], "multiply by the number: x1 * x2")
    if rank == 1:
        return call.result(product(call, matrices, vectors))
    columns = array_parts.view(call, vectors, "s" * rank + "n", *array_parts.WHOLE * rank)
    found = product(call, matrices, columns)
    axes = numpy_reductions.rank_of(found) - 1
    return call.result(call.context.apply(call.node, arrays.COPY, _column(call, found, axes)))


def _column(call: LibraryCall, value: Computation, axes: int) -> Computation:
    return array_parts.view(
        call, value, "s" * axes + "i", *array_parts.WHOLE * axes, array_parts.number(0)
    )


def _vecmat(call: LibraryCall) -> Typed:
    """Check np.vecmat: products of vectors, conjugated, with matrices."""
    vectors, matrices = call.array("x1"), call.array("x2")
    if numpy_reductions.rank_of(vectors) != 1:
        call.refuse("one vector is built", call.nodes["x1"], "v.conj()[..., None, :] @ m")
    return call.result(product(call, _conjugated(call, vectors), matrices))


def _conjugated(call: LibraryCall, value: Computation) -> Computation:
    """Return the conjugates of complex numbers, and real ones as they are."""
    if numpy_reductions.dtype_of(value).kind != "c":
        return value
    apply, at = call.context.apply, call.node
    real, imag = (apply(at, op, value) for op in (elementwise.REAL, elementwise.IMAG))
    return apply(at, elementwise.COMPLEX_OF, real, apply(at, elementwise.NEG, imag))


def _vecdot(call: LibraryCall) -> Typed:
    """Check products of vectors, which stand along one axis of each array."""
    names = ("x1", "x2")
    sides = common([call.array(name) for name in names], common_dtype)
    dtype = numpy_reductions.dtype_of(sides[0])
    if dtype in (DType.F16, DType.B1):
        call.refuse(f"{dtype} is not built", call.nodes["x1"], "convert it: x.astype(np.float64)")
    axis = call.constant_int("axis", -1)
    lines: list[Computation] = []
    for name, value in zip(names, sides, strict=True):
        rank = numpy_reductions.rank_of(value)
        if not -rank <= axis < rank:
            call.refuse(f"axis {axis} does not exist in {value.type}", call.nodes[name])
        order = [a for a in range(rank) if a != axis % rank]
        lines.append(turned(call, value, [*order, axis % rank]))
    first, second = lines
    sizes = [array_parts.size_of(call, line, numpy_reductions.rank_of(line) - 1) for line in lines]
    check = call.standard("linear", "require_vectors", *sizes)
    first = _conjugated(call, After((check,), first, first.type))
    whole = call.context.apply(call.node, elementwise.MUL, first, second)
    last = numpy_reductions.rank_of(whole) - 1
    total = call.context.apply(call.node, reductions.SUM, whole, axis=(last,), keepdims=False)
    return call.result(converted(total, dtype))


def _tensordot(call: LibraryCall) -> Typed:
    first, second = call.array("a"), call.array("b")
    one, other = _summed_axes(
        call, numpy_reductions.rank_of(first), numpy_reductions.rank_of(second)
    )
    if len(one) != len(other):
        call.refuse("as many axes of both arrays must be named")
    return call.result(_summed(call, first, second, one, other))


def _summed(
    call: LibraryCall,
    first: Computation,
    second: Computation,
    one: Sequence[int],
    other: Sequence[int],
) -> Computation:
    """Return the sums of products over axes of two arrays; the axes that stay follow each other."""
    apply, at = call.context.apply, call.node
    for a, b in zip(one, other, strict=True):
        same = apply(
            at,
            elementwise.EQ,
            array_parts.size_of(call, first, a),
            array_parts.size_of(call, second, b),
        )
        first = Check(same, "ValueError", "shape-mismatch for sum", first, first.type)
    kept = [a for a in range(numpy_reductions.rank_of(first)) if a not in one]
    others = [b for b in range(numpy_reductions.rank_of(second)) if b not in other]
    own, theirs = array_parts.sizes_of(call, first), array_parts.sizes_of(call, second)
    inner = _total(call, [own[a] for a in one])
    left = array_parts.reshaped(
        call, turned(call, first, [*kept, *one]), [_total(call, [own[a] for a in kept]), inner]
    )
    right = array_parts.reshaped(
        call,
        turned(call, second, [*other, *others]),
        [inner, _total(call, [theirs[b] for b in others])],
    )
    whole = product(call, left, right)
    sizes = [*(own[a] for a in kept), *(theirs[b] for b in others)]
    return array_parts.reshaped(call, whole, sizes, dense=True)


def _dot(call: LibraryCall) -> Typed:
    """Check np.dot, which is no matrix product where the second array is a stack of matrices."""
    first, second = call.array("a"), call.array("b")
    if call.is_given("out"):
        wanted = common([first, second], common_dtype)[0]
        if numpy_reductions.dtype_of(call.array("out")) is not numpy_reductions.dtype_of(wanted):
            call.refuse("out must have the dtype of the product", call.nodes["out"])
    ranks = numpy_reductions.rank_of(first), numpy_reductions.rank_of(second)
    if 0 in ranks:
        # Python's numbers are as strong here as arrays of them.
        found = ufuncs.MEANINGS[np.multiply](call, [first, second])
        if isinstance(found.type, TensorType) and not any(ranks):
            found = call.context.apply(call.node, arrays.INDEX, found)
        return call.result(found)
    first = _aligned(call, first, second)
    if ranks[0] > 1 and ranks[1] > 2:
        return call.result(_summed(call, first, second, [ranks[0] - 1], [ranks[1] - 2]))
    return call.result(product(call, first, second, "dot"))


def _summed_axes(call: LibraryCall, one: int, other: int) -> tuple[list[int], list[int]]:
    if "axes" in call.displays:
        rows = [call.leaves(row) for row in call.rows("axes")]
        known = [[_known(call, item) for item in row] for row in rows]
        if len(known) != 2:
            call.refuse("the axes of both arrays must be named", call.nodes["axes"])
        call.drop("axes")
        for axes, rank in zip(known, (one, other), strict=True):
            if not all(-rank <= axis < rank for axis in axes):
                message = f"axes {axes} do not exist in an array with {rank} axes"
                call.refuse(message, call.nodes["axes"], "count the axes from 0")
        return [a % one for a in known[0]], [b % other for b in known[1]]
    count = call.constant_int("axes", 2)
    if not 0 <= count <= min(one, other):
        message = f"{count} axes are not in both arrays, which have {one} and {other}"
        call.refuse(message, call.nodes.get("axes"), "axes=1")
    return list(range(one - count, one)), list(range(count))


def _known(call: LibraryCall, item: Computation) -> int:
    value = call.known_value(item)
    if type(value) is not int:
        call.refuse("axes must be constant ints", call.nodes["axes"])
    return value


def _total(call: LibraryCall, sizes: Sequence[Computation]) -> Computation:
    total: Computation = array_parts.number(1)
    for k, size in enumerate(sizes):
        total = size if k == 0 else array_parts.times(call, total, size)
    return total


def _kron(call: LibraryCall) -> Typed:
    first, second = call.array("a"), call.array("b")
    rank = max(numpy_reductions.rank_of(first), numpy_reductions.rank_of(second))
    first, second = (
        array_parts.at_least(call, first, rank),
        array_parts.at_least(call, second, rank),
    )
    one, other = array_parts.sizes_of(call, first), array_parts.sizes_of(call, second)
    left = array_parts.view(call, first, "sn" * rank, *array_parts.WHOLE * rank)
    right = array_parts.view(call, second, "ns" * rank, *array_parts.WHOLE * rank)
    pair = common([left, right], common_dtype)
    whole = call.context.apply(call.node, elementwise.MUL, *pair)
    sizes = [array_parts.times(call, a, b) for a, b in zip(one, other, strict=True)]
    return call.result(array_parts.reshaped(call, whole, sizes, dense=True))


# ---------------------------------------------------------------------------------- along a line


def _lines(call: LibraryCall, *names: str) -> list[Computation]:
    lines = [call.array(name) for name in names]
    if any(numpy_reductions.rank_of(line) != 1 for line in lines):
        call.refuse("arrays with one axis are needed")
    return lines


def _folded(*, mirrored: bool) -> ufuncs.Checker:
    """Return the check of np.convolve, or of np.correlate, which does not turn its kernel."""

    def check(call: LibraryCall) -> Typed:
        first, second = common(_lines(call, "a", "v"), common_dtype)
        if numpy_reductions.dtype_of(first) is DType.B1:
            call.refuse("bools are not built", instead="convert them: x * 1")
        modes = ("full", "valid", "same") if mirrored else ("valid", "full", "same")
        mode = call.word("mode", *modes)
        names = ("convolve", "correlate")
        name = names[0] if mirrored else names[1]
        return call.result(call.standard("linear", name, first, second, mode=mode))

    return check


def _interp(call: LibraryCall) -> Typed:
    points, values = _lines(call, "xp", "fp")
    x = call.numeric("x")
    for name, value in (("x", x), ("xp", points), ("fp", values)):
        if is_complex(element_of(value.type)):
            call.refuse("complex numbers are not built", call.nodes[name], "its parts one by one")
    points, values = converted(points, DType.F64), converted(values, DType.F64)
    if call.is_given("period"):
        period = _one_number(call, "period")
        pair = call.standard("linear", "around", points, values, period)
        item = call.context.apply
        points, values, turn = (item(call.node, data.ITEM, pair, index=i) for i in range(3))
        x = item(call.node, elementwise.MOD, converted(x, DType.F64), turn)
        for ignored in ("left", "right"):
            if ignored in call.values:
                del call.values[ignored]
    ends = [_end(call, name, values, place) for name, place in (("left", 0), ("right", -1))]
    single = element_of(x.type) is not None and not numpy_reductions.rank_of(call.as_array(x))
    line = numpy_reductions.flattened(call, converted(call.as_array(x), DType.F64))
    found = call.standard("linear", "interp", line, points, values, *ends)
    if single:
        return call.apply(arrays.INDEX, found, array_parts.number(0))
    return call.result(array_parts.reshaped(call, found, array_parts.sizes_of(call, x), dense=True))


def _one_number(call: LibraryCall, name: str) -> Computation:
    value = call.operand(name)
    if not is_number(value.type) or is_complex(value.type):
        call.refuse(f"{name} is one number, not {value.type}", call.nodes[name], f"{name}=360.0")
    return converted(value, FLOAT)


def _end(call: LibraryCall, name: str, values: Computation, place: int) -> Computation:
    if call.is_given(name):
        return converted(_one_number(call, name), DType.F64)
    some = call.context.apply(
        call.node, elementwise.GT, array_parts.size_of(call, values, 0), array_parts.number(0)
    )
    checked = Check(some, "ValueError", "array of sample points is empty", values, values.type)
    return call.context.apply(call.node, arrays.INDEX, checked, array_parts.number(place))


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.{name}", names, required, check, displays=True)


_INTERP = ("x", "xp", "fp", "left", "right", "period")
TABLE: Mapping[object, Library] = {
    np.inner: _library("inner", _inner, "a", "b", required=2),
    np.dot: _library("dot", into_out(_dot), "a", "b", "out", required=2),
    np.vdot: _library("vdot", _vdot, "a", "b", required=2),
    np.matvec: _library("matvec", _matvec, "x1", "x2", required=2),
    np.vecmat: _library("vecmat", _vecmat, "x1", "x2", required=2),
    np.vecdot: _library("vecdot", _vecdot, "x1", "x2", "axis", required=2),
    np.linalg.vecdot: _library("linalg.vecdot", _vecdot, "x1", "x2", "axis", required=2),
    np.tensordot: _library("tensordot", _tensordot, "a", "b", "axes", required=2),
    np.kron: _library("kron", _kron, "a", "b", required=2),
    np.convolve: _library("convolve", _folded(mirrored=True), "a", "v", "mode", required=2),
    np.correlate: _library("correlate", _folded(mirrored=False), "a", "v", "mode", required=2),
    np.interp: _library("interp", _interp, *_INTERP, required=3),
}
METHODS: Mapping[str, Library] = {
    "dot": Library("array.dot", ("a", "b", "out"), 2, into_out(_dot)),
}
