"""np.linalg.norm: lengths of vectors and sizes of matrices."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import After, Computation, Literal, Select
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.numpy import array_parts
from scriptc.check.numpy import reductions as numpy_reductions
from scriptc.check.numpy.linalg import in_precision_of
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import arrays, elementwise, linalg, reductions
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import FLOAT, INT, DType, TensorType

Order = float | str | None
_NAMES = ("fro", "nuc")
# How a matrix norm folds the sums along one axis, or the singular values.
_FOLDS: Mapping[Order, OpDef] = {
    **{1: reductions.MAX, -1: reductions.MIN, math.inf: reductions.MAX, -math.inf: reductions.MIN},
    **{2: reductions.MAX, -2: reductions.MIN, "nuc": reductions.SUM},
}


def _norm(call: LibraryCall) -> Typed:
    value = call.array("x")
    if numpy_reductions.dtype_of(value).kind in "biu":
        value = converted(value, DType.F64)
    rank = numpy_reductions.rank_of(value)
    axis = call.axis(rank)
    keepdims = call.flag("keepdims")
    axes = axis if isinstance(axis, tuple) else (axis,)
    if axis is None:
        axes = tuple(range(rank))
    known = tuple(a for a in axes if a is not None)
    if len(known) == 1 and (computed := _computed_order(call)) is not None:
        return call.result(_of_order(call, value, known[0], computed, keepdims=keepdims))
    order = _order_of(call, "ord")
    if (axis is None and order is None) or order == {1: 2, 2: "fro"}.get(len(known), ""):
        return call.result(_root(call, value, known, keepdims))
    if len(known) == 1:
        return call.result(_of_vectors(call, value, known[0], order, keepdims=keepdims))
    if len(known) == 2 and known[0] != known[1]:
        return call.result(_of_matrices(call, value, known, order, keepdims=keepdims))
    call.refuse("one axis is needed, or two", call.nodes.get("axis"))


def _computed_order(call: LibraryCall) -> Computation | None:
    """Return the order of a norm that is a number known when it runs; None for constants."""
    if not call.is_given("ord") or isinstance(call.nodes["ord"], n.UnaryOp | n.Constant):
        return None
    given = call.typed("ord")
    if given.known is not None or given.type not in (INT, FLOAT, DType.F64, DType.I64):
        return None
    return call.operand("ord")


def _of_order(
    call: LibraryCall, value: Computation, axis: int, order: Computation, *, keepdims: bool
) -> Computation:
    """Return the norm of vectors whose order is computed, as NumPy chooses what that means."""
    apply, at = call.context.apply, call.node
    sizes = call.as_array(apply(at, elementwise.ABS, value))
    dtype = numpy_reductions.dtype_of(sizes)
    if dtype is not DType.F64 and isinstance(order.type, DType):
        call.refuse(f"an ord of {order.type} and {value.type} are not built", call.nodes["ord"])
    number_, one = converted(order, dtype), Literal(1.0, dtype)
    total = _folded(
        call, reductions.SUM, apply(at, elementwise.POW, sizes, number_), (axis,), keepdims
    )
    found = apply(at, elementwise.POW, total, apply(at, elementwise.DIV, one, number_))
    wide = converted(order, FLOAT)
    for known in (2.0, 1.0, 0.0, -math.inf, math.inf):
        is_it = apply(at, elementwise.EQ, wide, Literal(known, FLOAT))
        special = None if known == 2 else known
        other = _of_vectors(call, value, axis, special, keepdims=keepdims)
        found = Select(is_it, other, found, found.type)
    return found


def _order_of(call: LibraryCall, name: str) -> Order:
    if not call.is_given(name):
        return None
    node = call.nodes[name]
    # `-np.inf` is no literal.
    inner = node.operand if isinstance(node, n.UnaryOp) and node.op == "-" else node
    negated = inner is not node
    known = call.context.typed(inner).known
    value = known.value if known else None
    if isinstance(value, str) and value in _NAMES and not negated:
        call.drop(name)
        return value
    if not isinstance(value, int | float):
        call.refuse("ord must be a constant number, 'fro' or 'nuc'", node)
    call.drop(name)
    return -float(value) if negated else float(value)


def _folded(
    call: LibraryCall, op: OpDef, value: Computation, axes: Sequence[int], keepdims: bool
) -> Computation:
    apply = call.context.apply
    return apply(call.node, op, call.as_array(value), axis=tuple(axes), keepdims=keepdims)


def _root(
    call: LibraryCall, value: Computation, axes: Sequence[int], keepdims: bool
) -> Computation:
    """Return the root of the sum of all squares."""
    apply, at = call.context.apply, call.node
    if numpy_reductions.dtype_of(value).kind == "c":
        parts = [apply(at, op, value) for op in (elementwise.REAL, elementwise.IMAG)]
        squares = apply(at, elementwise.ADD, *(apply(at, elementwise.MUL, p, p) for p in parts))
    else:
        squares = apply(at, elementwise.MUL, value, value)
    return apply(at, elementwise.SQRT, _folded(call, reductions.SUM, squares, axes, keepdims))


def _of_vectors(
    call: LibraryCall, value: Computation, axis: int, order: Order, *, keepdims: bool
) -> Computation:
    if order is None:
        return _root(call, value, (axis,), keepdims)
    if isinstance(order, str):
        call.refuse(f"there is no norm {order!r} of vectors", call.nodes["ord"])
    apply, at = call.context.apply, call.node
    sizes = call.as_array(apply(at, elementwise.ABS, value))
    dtype = numpy_reductions.dtype_of(sizes)
    zero = Literal(0.0, dtype)
    if math.isinf(order):
        op = reductions.MAX if order > 0 else reductions.MIN
        found = _folded(call, op, sizes, (axis,), keepdims)
        if order < 0 or isinstance(found.type, TensorType):
            return found
        some = apply(at, elementwise.GT, array_parts.size_of(call, sizes, 0), array_parts.number(0))
        return Select(some, found, zero, dtype)
    if order == 0:
        sizes = converted(apply(at, elementwise.NE, sizes, zero), dtype)
    elif order != 1:
        sizes = apply(at, elementwise.POW, sizes, Literal(order, dtype))
    total = _folded(call, reductions.SUM, sizes, (axis,), keepdims)
    if order in (0, 1):
        return total
    inverse = float(np.reciprocal(order, dtype=str(dtype.numpy)))
    return apply(at, elementwise.POW, total, Literal(inverse, dtype))


def _of_matrices(
    call: LibraryCall, value: Computation, axes: Sequence[int], order: Order, *, keepdims: bool
) -> Computation:
    if order is None:
        return _root(call, value, axes, keepdims)
    if order not in _FOLDS:
        at = call.nodes.get("ord") or call.nodes.get("p")
        call.refuse("there is no such norm of matrices", at, "one of None, 1, 2, np.inf, 'fro'")
    apply, at = call.context.apply, call.node
    fold = _FOLDS[order]
    if order in (2, -2, "nuc"):
        others = [a for a in range(numpy_reductions.rank_of(value)) if a not in axes]
        turned = apply(at, arrays.TRANSPOSE, value, order=(*others, *axes))
        found = in_precision_of(call, linalg.SVDVALS, turned)
        folded = _folded(call, fold, found, (numpy_reductions.rank_of(found) - 1,), False)
        if not keepdims:
            return folded
        kept = array_parts.sizes_of(call, value)
        sizes = [array_parts.number(1) if a in axes else size for a, size in enumerate(kept)]
        return array_parts.reshaped(call, call.as_array(folded), sizes)
    along = axes[0] if order in (1, -1) else axes[1]
    sums = _folded(call, reductions.SUM, apply(at, elementwise.ABS, value), (along,), True)
    return _folded(call, fold, sums, sorted(axes), keepdims)


def _matrix_norm(call: LibraryCall) -> Typed:
    value = call.array("x")
    rank = numpy_reductions.rank_of(value)
    if rank < 2:
        call.refuse("an array with two axes or more is needed", call.nodes["x"])
    if numpy_reductions.dtype_of(value).kind in "biu":
        value = converted(value, DType.F64)
    order = _order_of(call, "ord")
    axes, keepdims = (rank - 2, rank - 1), call.flag("keepdims")
    order = None if order == "fro" else order
    return call.result(_of_matrices(call, value, axes, order, keepdims=keepdims))


def _vector_norm(call: LibraryCall) -> Typed:
    """Check np.linalg.vector_norm, which without an axis is that of all elements."""
    value = call.array("x")
    if numpy_reductions.dtype_of(value).kind in "biu":
        value = converted(value, DType.F64)
    rows, sizes = array_parts.rows_along(call, value)
    order = _order_of(call, "ord")
    order = None if order == 2 else order
    found = _of_vectors(call, rows, numpy_reductions.rank_of(rows) - 1, order, keepdims=False)
    if sizes is not None:
        found = array_parts.reshaped(call, call.as_array(found), sizes)
    return call.result(found)


def _cond(call: LibraryCall) -> Typed:
    """Check np.linalg.cond: the product of the norms of a matrix and its inverse."""
    value = call.array("x")
    rank = numpy_reductions.rank_of(value)
    if rank < 2 or numpy_reductions.dtype_of(value) is DType.F16:
        call.refuse("matrices of floats are needed", call.nodes["x"])
    if numpy_reductions.dtype_of(value).kind in "biu":
        value = converted(value, DType.F64)
    order = _order_of(call, "p")
    if order in (None, 2, -2):
        found = call.standard("linalg", "cond", value, least=order == -2)
    else:
        found = _product_of_norms(call, value, None if order == "fro" else order)
    name = "endless_for_nans" if isinstance(found.type, TensorType) else "endless_for_nan"
    return call.result(call.standard("linalg", name, found, value))


def _product_of_norms(call: LibraryCall, value: Computation, order: Order) -> Computation:
    """Return the norm of matrices times that of their inverses, which NumPy finds in f64."""
    apply, at = call.context.apply, call.node
    kind = numpy_reductions.dtype_of(value).kind
    check = call.standard("linalg", "require_some", value)
    value = After((check,), value, value.type)
    wide = converted(value, DType.C128 if kind == "c" else DType.F64)
    inverse = call.standard("linalg", "inverses", wide)
    axes = (numpy_reductions.rank_of(value) - 2, numpy_reductions.rank_of(value) - 1)
    norms = [_of_matrices(call, x, axes, order, keepdims=False) for x in (value, inverse)]
    product = apply(at, elementwise.MUL, *(converted(x, DType.F64) for x in norms))
    single = numpy_reductions.dtype_of(value) in (DType.F32, DType.C64)
    return converted(product, DType.F32) if single else product


def _multi_dot(call: LibraryCall) -> Typed:
    """Check np.linalg.multi_dot of arrays that are written in place."""
    if "arrays" not in call.displays:
        call.refuse("the arrays must be written in place", call.nodes["arrays"], "[a, b, c]")
    parts = [item for item, _ in call.items("arrays")]
    if len(parts) < 2 or any(not isinstance(p.type, TensorType) or not p.type.dims for p in parts):
        call.refuse("two arrays or more are needed", call.nodes["arrays"])
    if len(parts) == 3:
        return call.result(call.standard("linalg", "product_of_three", *parts))
    # A vector at the end is multiplied with first: products with it are small.
    from_the_end = numpy_reductions.rank_of(parts[-1]) == 1
    found = parts.pop() if from_the_end else parts.pop(0)
    while parts:
        pair = (parts.pop(), found) if from_the_end else (found, parts.pop(0))
        found = call.standard("linalg", "product_of_two", *pair)
    return call.result(found)


TABLE: Mapping[object, Library] = {
    np.linalg.cond: Library("np.linalg.cond", ("x", "p"), 1, _cond, displays=True),
    np.linalg.matrix_norm: Library(
        "np.linalg.matrix_norm", ("x", "keepdims", "ord"), 1, _matrix_norm, displays=True
    ),
    np.linalg.vector_norm: Library(
        "np.linalg.vector_norm", ("x", "axis", "keepdims", "ord"), 1, _vector_norm, displays=True
    ),
    np.linalg.multi_dot: Library("np.linalg.multi_dot", ("arrays",), 1, _multi_dot, displays=True),
    np.linalg.norm: Library(
        "np.linalg.norm", ("x", "ord", "axis", "keepdims"), 1, _norm, displays=True
    ),
}
