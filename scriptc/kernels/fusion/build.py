"""Which node an array op becomes: one entry for each op that fusion understands."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, cast

from scriptc.kernels.builder import I64, Code
from scriptc.kernels.fusion import complex_products, products, shapes
from scriptc.kernels.fusion.indexing import gather
from scriptc.kernels.fusion.nodes import (
    Axes,
    Axis,
    Fold,
    Joined,
    Map,
    Node,
    Pick,
    Ramp,
    Rolled,
    Scalar,
    Source,
    is_light,
)
from scriptc.kernels.fusion.reductions import leading_axes
from scriptc.kernels.fusion.sizes import Sizes
from scriptc_runtime.dims import ONE, UNKNOWN, Dim
from scriptc_runtime.ir import Instr, Loc, Value
from scriptc_runtime.ops import arrays, elementary, joining, picking, reductions
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType, TensorType, element_of


class Context(Protocol):
    """What a node builder asks of the walk: nodes of operands, and where to emit checks."""

    @property
    def code(self) -> Code:
        """Where code goes."""
        ...

    @property
    def sizes(self) -> Sizes:
        """What is known of sizes here."""
        ...

    @property
    def routines(self) -> bool:
        """Whether there are routines for products with vectors."""
        ...

    def node(self, value: Value) -> Node:
        """Return the node of an operand."""
        ...

    def array(self, value: Value) -> Value:
        """Return an operand as an array in memory."""
        ...

    def settled(self, value: Value) -> Node:
        """Return the node of an array that may be computed at any place, twice at some."""
        ...

    def passed(self, values: Sequence[Value]) -> Sequence[Node]:
        """Return the nodes of arrays of which each element is read in one place here."""
        ...

    def may_alias(self, first: Value, second: Value) -> bool:
        """Whether two arrays in memory may share elements."""
        ...

    def scalar(self, value: Value) -> Value:
        """Return an operand as a scalar in a register."""
        ...

    def axes(self, array: Value) -> Axes:
        """Return the axes of an array in memory."""
        ...

    def number(self, value: Value) -> int | None:
        """Return the int that an operand is known to be."""
        ...

    def slices(self, view: Value, array: Value, starts: tuple[int, ...]) -> None:
        """Take note where in `array` the elements of `view` stand."""
        ...

    def shares(self, view: Value, array: Value) -> None:
        """Take note that `view` shares the memory of `array`."""
        ...

    def together(self, instr: Instr) -> products.Together | None:
        """Return the pair of products over one matrix that `instr` belongs to."""
        ...


NodeBuilder = Callable[[Context, Instr], Node]
_TOO_LONG = "Maximum allowed size exceeded"


def _dtype(value: Value) -> DType:
    element = element_of(value.type)
    assert isinstance(element, DType)
    return element


def _map(context: Context, instr: Instr) -> Node:
    args = tuple(context.node(v) for v in instr.operands)
    axes = context.sizes.broadcast(context.code.at(instr.loc), [a.axes for a in args])
    is_scalar = not isinstance(instr.result.type, TensorType)
    return Map(instr.op, instr.attrs, args, _dtype(instr.result), axes, instr.loc, is_scalar)


def sized_axes(context: Context, instr: Instr, sizes: tuple[Value, ...]) -> Axes:
    """Return the axes of a new array after checking the sizes that were asked for."""
    code = context.code.at(instr.loc)
    dims = instr.attrs["dims"]
    assert isinstance(dims, tuple)
    axes: list[Axis] = []
    known: list[int | None] = []
    for value, dim in zip(sizes, dims, strict=True):
        number = context.number(value)
        if number is not None and number >= 0:
            axis = context.sizes.constant(code, number)
        else:
            axis = context.sizes.asked(code, context.scalar(value))
        known.append(axis.dim.constant if axis.dim.is_constant else number)
        axes.append(Axis(axis.size, Dim(dim)) if isinstance(dim, int) else axis)
    require_declared(code, instr, [axis.size for axis in axes], known)
    return tuple(axes)


def require_declared(
    code: Code, instr: Instr, sizes: Sequence[Value], known: Sequence[int | None]
) -> None:
    """Check that sizes are what `dims` of an instruction says: its type does, too."""
    dims = instr.attrs["dims"]
    assert isinstance(dims, tuple)
    for size, number, dim in zip(sizes, known, dims, strict=True):
        if isinstance(dim, int) and number != dim:
            message = f"an axis declared as {dim} has size {{}}"
            code.require(code.test(e.EQ, size, code.number(dim)), "ValueError", message, size)


def _full(context: Context, instr: Instr) -> Node:
    value, *sizes = instr.operands
    axes = sized_axes(context, instr, tuple(sizes))
    dtype = _dtype(instr.result)
    _require_bytes(context.code.at(instr.loc), axes, dtype)
    return Map(None, {}, (Scalar(context.scalar(value), dtype),), dtype, axes, instr.loc)


def _require_bytes(code: Code, axes: Axes, dtype: DType) -> None:
    """Check that NumPy could make an array, which may be computed where it is used instead."""
    sizes = [axis.size for axis in axes if not axis.dim.is_constant]
    known = math.prod(axis.dim.constant or 1 for axis in axes if axis.dim.is_constant)
    known = min(known * dtype.itemsize, shapes.MOST_BYTES)
    if not sizes and known < shapes.MOST_BYTES:
        return
    bytes_ = code.cast(code.number(known), DType.F64)
    for size in sizes:
        own = code.op(e.MAXIMUM, size, code.number(1))
        bytes_ = code.op(e.MUL, bytes_, code.cast(own, DType.F64))
    most = code.cast(code.number(shapes.MOST_BYTES), DType.F64)
    code.require(code.test(e.LT, bytes_, most), "ValueError", shapes.TOO_BIG)


def _copy(context: Context, instr: Instr) -> Node:
    arg = context.node(instr.operands[0])
    return Map(None, {}, (arg,), arg.dtype, arg.axes, instr.loc)


_JOINED_DIFFER = (
    "all the input array dimensions except for the concatenation axis must match exactly, but "
    "along dimension {}, the array at index 0 has size {{}} and the array at index {} has size {{}}"
)
_STACKED_DIFFER = "all input arrays must have the same shape"


def _join(context: Context, instr: Instr) -> Node:
    code, axis = context.code.at(instr.loc), cast(int, instr.attrs["axis"])
    new = joining.is_new(instr.attrs)
    parts = tuple(context.passed(instr.operands))
    others = [i for i in range(len(parts[0].axes)) if new or i != axis]
    for place, part in enumerate(parts[1:], start=1):
        for other in others:
            one, size = parts[0].axes[other], part.axes[other]
            if not one.same(size):
                at = other + (new and other >= axis)
                message, numbers = _JOINED_DIFFER.format(at, place), [one.size, size.size]
                if instr.attrs["kind"] == joining.STACK:
                    message, numbers = _STACKED_DIFFER, []
                fits = code.test(e.EQ, one.size, size.size)
                code.require(fits, "ValueError", message, *numbers)
    known = {i: next((p for p in parts if p.axes[i].dim.is_constant), parts[0]) for i in others}
    axes = [known[i].axes[i] for i in others]
    starts, along = _ends(code, parts, axis, new=new)
    # All parts have the sizes of the result along the other axes: the checks have passed.
    spaces = [[*axes[:axis], *(() if new else (p.axes[axis],)), *axes[axis:]] for p in parts]
    parts = tuple(
        _over(p, tuple(space), instr.loc) if isinstance(p, Source) else p
        for p, space in zip(parts, spaces, strict=True)
    )
    axes.insert(axis, along)
    return Joined(parts, axis, new, starts, tuple(axes), instr.loc)


def _ends(
    code: Code, parts: Sequence[Node], axis: int, *, new: bool
) -> tuple[tuple[Value, ...], Axis]:
    """Return where each part begins, and the axis along which they stand behind each other."""
    sizes = [Axis(code.number(1), ONE) if new else part.axes[axis] for part in parts]
    total = Axis(code.number(0), Dim(0))
    starts: list[Value] = []
    fits: list[Value] = []
    for size in sizes:
        starts.append(total.size)
        dim = joining.joined_size(total.dim, size.dim)
        if dim.is_constant:
            total = Axis(code.number(dim.constant), dim)
        elif len(starts) == 1:
            total = size
        else:
            end = code.op(e.ADD, total.size, size.size)
            fits.append(code.test(e.GE, end, total.size))  # or the sum has come around
            total = Axis(end, dim)
    if fits:
        code.require(code.both(fits), "ValueError", shapes.TOO_BIG)
    return tuple(starts), total


def _roll(context: Context, instr: Instr) -> Node:
    code, axis = context.code.at(instr.loc), cast(int, instr.attrs["axis"])
    (arg,) = context.passed(instr.operands[:1])
    size = arg.axes[axis].size
    some = code.op(e.MAXIMUM, size, code.number(1))
    first = code.op(e.MOD, code.to_i64(context.scalar(instr.operands[1])), some)
    return Rolled(arg, axis, first, arg.axes, instr.loc)


def _take(context: Context, instr: Instr) -> Node:
    source = context.settled(instr.operands[0])
    places, count = listed_places(context, instr, instr.operands[1:])
    gather.check_places(context.code.at(instr.loc), source, places, instr)
    return Pick(source, places, (count, *source.axes[len(places) :]), instr.loc)


def _outer_take(context: Context, instr: Instr) -> Node:
    source, *places = map(context.settled, instr.operands)
    code = context.code.at(instr.loc)

    def check() -> Sequence[Value]:
        gather.check_places(code, source, places, instr)
        return ()

    if instr.attrs["full"]:
        check()
    else:
        filled = [code.test(e.NE, p.axes[0].size, code.number(0)) for p in places]
        code.choose(code.both(filled), check, lambda: ())
    axes = (*(p.axes[0] for p in places), *source.axes[len(places) :])
    return Pick(source, tuple(places), axes, instr.loc, crossed=True)


def listed_places(
    context: Context, instr: Instr, lists: Sequence[Value]
) -> tuple[tuple[Node, ...], Axis]:
    """Return lists of places, which have to be of one size, and how many places they list."""
    places = tuple(map(context.settled, lists))
    code, counts = context.code.at(instr.loc), [p.axes[0] for p in places]
    count = next((c for c in counts if c.dim.is_constant), counts[0])
    for other in counts:
        if not other.same(count):
            fits = code.test(e.EQ, other.size, count.size)
            code.require(fits, "IndexError", picking.SHAPES_DIFFER)
    return places, count


def _arange(context: Context, instr: Instr) -> Node:
    start, stop, step = operands = [context.scalar(v) for v in instr.operands]
    code, sizes = context.code.at(instr.loc), context.sizes
    dtype = _dtype(start)
    known = [context.number(v) for v in instr.operands]
    if dtype is I64 and (known[0], known[2]) == (0, 1) and sizes.is_size(stop):
        return Ramp(start, step, dtype, (sizes.asked(code, stop),), instr.loc)

    def length() -> Sequence[Value]:
        zero = leading_axes.identity(code, "sum", dtype)
        code.require(code.test(e.NE, step, zero), "ZeroDivisionError", "division by zero")
        if dtype is not I64:
            return [sizes.at_least_none(code, _float_length(code, start, stop, step))]
        size = code.length_of_range(start, stop, step, known)
        fits = code.test(e.LE, size, code.number(shapes.MOST_BYTES // dtype.itemsize))
        code.require(fits, "ValueError", _TOO_LONG)
        return [sizes.at_least_none(code, size)]

    (size,) = sizes.once(("arange", *operands), length)
    if dtype is not I64:
        # NumPy adds the rounded difference of the first two elements, not `step` itself.
        step = code.op(e.SUB, code.op(e.ADD, start, step), start)
    return Ramp(start, step, dtype, (Axis(size, UNKNOWN),), instr.loc)


def _float_length(code: Code, start: Value, stop: Value, step: Value) -> Value:
    """Return ceil((stop - start) / step), after checking that it is a number of elements."""
    quotient = code.op(e.DIV, code.op(e.SUB, start, stop), step)
    # More elements than this do not fit into memory, and NaN compares false.
    limit = code.cast(code.number(2**48), DType.F64)
    bounded = code.test(e.LT, code.op(e.ABS, quotient), limit)
    code.require(bounded, "ValueError", _TOO_LONG)
    one = code.cast(code.number(1), DType.F64)
    return code.op(e.NEG, code.cast(code.op(e.FLOORDIV, quotient, one), I64))


def _fold(kind: str) -> NodeBuilder:
    def build(context: Context, instr: Instr) -> Node:
        arg = context.node(instr.operands[0])
        type_ = instr.operands[0].type
        assert isinstance(type_, TensorType)
        reduced = reductions.reduced_axes(type_, instr.attrs)
        kept = bool(instr.attrs["keepdims"])
        code = context.code.at(instr.loc)
        wide = reductions.sum_dtype(arg.dtype)
        if isinstance(arg, Joined) and _folds_parts(arg, reduced) and not kept:
            return _fold_of_parts(code, kind, arg, wide)
        if kind == "sum" and wide is not arg.dtype:
            arg = Map(e.CAST, {"to": wide}, (arg,), wide, arg.axes, instr.loc)
        if kind == "sum" and not reduced:
            # Even where nothing is summed up, NumPy starts at 0.0, which turns -0.0 into 0.0.
            start = Scalar(leading_axes.identity(code, kind, arg.dtype), arg.dtype)
            arg = Map(e.ADD, {}, (arg, start), arg.dtype, arg.axes, instr.loc)
        if instr.op in (reductions.MAX, reductions.MIN):
            _require_elements(code, kind, arg, reduced)
        one = Axis(code.number(1), ONE)
        if kept:
            axes = tuple(one if i in reduced else a for i, a in enumerate(arg.axes))
        else:
            axes = tuple(a for i, a in enumerate(arg.axes) if i not in reduced)
        return Fold(kind, arg, reduced, kept, arg.dtype, axes, instr.loc)

    return build


# Fewer numbers than these NumPy adds up one by one. Of other folds the order makes no difference,
# but an expression of many parts is no less code than a stack of them.
_FEW_PARTS = 8


def _folds_parts(stack: Joined, reduced: tuple[int, ...]) -> bool:
    """Whether a few arrays are stacked to be folded, to an array again."""
    few = stack.new and len(stack.parts) < _FEW_PARTS
    return few and reduced == (stack.axis,) and len(stack.axes) > 1


def _fold_of_parts(code: Code, kind: str, stack: Joined, wide: DType) -> Node:
    """Return the sum, product or extreme of arrays, element by element: there is no stack."""
    dtype = wide if kind == "sum" else stack.dtype
    op = leading_axes.COMBINE[kind]
    if dtype is DType.B1:
        op = e.OR if kind == "max" else e.AND
    axes = tuple(a for i, a in enumerate(stack.axes) if i != stack.axis)
    parts = stack.parts
    if dtype is not stack.dtype:
        parts = [Map(e.CAST, {"to": dtype}, (p,), dtype, p.axes, stack.loc) for p in parts]
    # A new array, also of one part alone.
    total: Node = Map(None, {}, (parts[0],), dtype, axes, stack.loc)
    if kind == "sum":
        start = Scalar(leading_axes.identity(code, kind, dtype), dtype)
        total = Map(op, {}, (start, parts[0]), dtype, axes, stack.loc)
    for part in parts[1:]:
        total = Map(op, {}, (total, part), dtype, axes, stack.loc)
    return total


def _require_elements(code: Code, kind: str, arg: Node, reduced: tuple[int, ...]) -> None:
    """Check that no result would be the largest of nothing, even where there is no result."""
    count = shapes.count_of(code, [arg.axes[i] for i in reduced])
    name = "maximum" if kind == "max" else "minimum"
    message = f"zero-size array to reduction operation {name} which has no identity"
    code.require(code.test(e.NE, count, code.number(0)), "ValueError", message)


def _matmul(context: Context, instr: Instr) -> Node:
    """Return the product as a sum over broadcast products; the sum's nest is the product's."""
    lhs, rhs = instr.operands
    assert isinstance(lhs.type, TensorType)
    assert isinstance(rhs.type, TensorType)
    code = context.code.at(instr.loc)
    if context.routines and _dtype(lhs).kind != "c" and lhs.type.rank + rhs.type.rank == 3:
        found = _with_vector(context, code, instr)
        if found is not None:
            return found
    if rhs.type.rank == 1:
        first, second = _factor(context, lhs), _factor(context, rhs)
        axes, reduced = first.axes, lhs.type.rank - 1
        _require_inner(code, instr, first.axes, second.axes)
        second = _over(second, (axes[-1],), instr.loc)
    else:
        left, right = context.axes(context.array(lhs)), context.axes(context.array(rhs))
        _require_inner(code, instr, left, right)
        if _dtype(lhs).kind == "c" and len(left) == 2:
            spaces = (left, right)
            return complex_products.complex_product(
                code, context.array(lhs), context.array(rhs), spaces
            )
        one = Axis(code.number(1), ONE)
        axes, reduced = (*left, right[1]), len(left) - 1
        first = _column(context, code, context.array(lhs), (*left, one))
        second = Source(context.array(rhs), (left[-1], right[1]))
    product = Map(e.MUL, {}, (first, second), _dtype(instr.result), axes, instr.loc)
    result = tuple(a for i, a in enumerate(axes) if i != reduced)
    fold = Fold("sum", product, (reduced,), False, product.dtype, result, instr.loc, product=True)
    if product.dtype.kind == "c":
        return complex_products.complex_sums(code, fold)
    if context.routines and len(axes) == 3 and product.dtype.kind == "f":
        return products.matrix_product(code, fold, context.array(lhs), context.array(rhs))
    if not context.routines and rhs.type.rank > 1 and lhs.type.rank > 1:
        return products.plain_product(code, fold, context.array(lhs), context.array(rhs))
    return fold


def _factor(context: Context, value: Value) -> Node:
    """Return a factor; what both parts of a complex product would compute is computed before."""
    node = context.node(value)
    if node.dtype.kind != "c" or is_light(node):
        return node
    return Source(context.array(value), node.axes)


def _with_vector(context: Context, code: Code, instr: Instr) -> Node | None:
    """Return the product of a matrix and a vector if a routine computes it."""
    lhs, rhs = instr.operands
    left = cast(TensorType, rhs.type).rank == 2
    node = context.node(rhs if left else lhs)
    matrix = products.as_matrix(node)
    if matrix is None:
        return None
    vector = context.array(lhs if left else rhs)
    own = node.axes[1] if left else node.axes[0]
    vector_axes = context.axes(vector)
    pair = (vector_axes, node.axes) if left else (node.axes, vector_axes)
    _require_inner(code, instr, *pair)
    together = context.together(instr)
    if together is not None:
        return Source(together.result(code, instr, vector), (own,))
    return products.product_with_vector(
        code, products.turned(code, matrix) if left else matrix, vector, own
    )


def _over(node: Node, axes: Axes, loc: Loc) -> Node:
    """Return `node` over axes that a check has shown to be the same."""
    if isinstance(node, Source):
        return Source(node.array, axes)
    return Map(None, {}, (node,), node.dtype, axes, loc)


def _column(context: Context, code: Code, array: Value, axes: Axes) -> Source:
    """Return `array` with a last axis of size 1 more."""
    own = axes[:-1]
    numbers = [n for a in own for n in (code.number(0), a.size, code.number(1))]
    type_ = TensorType(_dtype(array), tuple(a.dim for a in axes))
    view = code.subview(array, "s" * len(own) + "n", numbers, type_)
    context.shares(view, array)
    return Source(view, axes)


def _require_inner(code: Code, instr: Instr, lhs: Axes, rhs: Axes) -> None:
    """Raise what NumPy does where the last axis of one side is not as long as the other's first."""
    first, second = lhs[-1], rhs[0]
    if first.same(second):
        return
    sizes = [axis.size for axis in (*lhs, *rhs)]
    match instr.attrs.get("called"):
        case "dot":
            message = _NOT_ALIGNED[len(lhs), len(rhs)]
        case "vdot":
            message = "cannot reshape array of size {1} into shape ({0},)"
        case _:
            message, sizes = _MISMATCH, [second.size, first.size]
    code.require(code.test(e.EQ, first.size, second.size), "ValueError", message, *sizes)


_MISMATCH = (
    "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
    "(n?,k),(k,m?)->(n?,m?) (size {} is different from {})"
)
# By the numbers of axes; the sizes are those of both sides.
_NOT_ALIGNED: Mapping[tuple[int, int], str] = {
    (1, 1): "shapes ({0},) and ({1},) not aligned: {0} (dim 0) != {1} (dim 0)",
    (1, 2): "shapes ({0},) and ({1},{2}) not aligned: {0} (dim 0) != {1} (dim 0)",
    (2, 1): "shapes ({0},{1}) and ({2},) not aligned: {1} (dim 1) != {2} (dim 0)",
    (2, 2): "shapes ({0},{1}) and ({2},{3}) not aligned: {1} (dim 1) != {2} (dim 0)",
}


BUILDERS: Mapping[OpDef, NodeBuilder] = {
    **{op: _map for op in (*e.OPS, *elementary.OPS)},
    arrays.FULL: _full,
    arrays.COPY: _copy,
    arrays.ARANGE: _arange,
    joining.JOIN: _join,
    joining.ROLL: _roll,
    picking.TAKE: _take,
    picking.OUTER_TAKE: _outer_take,
    arrays.MATMUL: _matmul,
    reductions.SUM: _fold("sum"),
    reductions.PROD: _fold("product"),
    reductions.ANY: _fold("max"),
    reductions.ALL: _fold("min"),
    reductions.MAX: _fold("max"),
    reductions.MIN: _fold("min"),
}
