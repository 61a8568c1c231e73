"""Products of matrices and of vectors: plain nests where they are small, routines elsewhere.

A large product of two matrices is NumPy's BLAS's, one of a matrix and a vector is ours, which reads
the matrix once at the speed of memory.  Routines take their operands from memory, in any layout,
and are told where there is room for what they copy.  A matrix times a number, `alpha * A @ x`, is
scaled while it is read: each element is rounded as if the scaled matrix stood in memory.

The product of a matrix that is computed on the way is a nest, and nothing is stored but its result.
"""

import math
from collections.abc import Sequence

from scriptc.analysis.remarks import Bytes, Kind, Message, Named, Topic, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import shapes
from scriptc.kernels.fusion.nodes import Axis, Fold, Map, Node, Scalar, Source
from scriptc.kernels.loops.fuse_products import Pair
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import arrays, low, products
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record
from scriptc_runtime.types import DType, TensorType

CALLED = Message(
    "fuse",
    Topic.PRODUCTS,
    Kind.DONE,
    "a routine in tiles of registers, where there is AVX-512; BLAS (gemm) for large ones elsewhere",
)
VECTOR = Message(
    "fuse",
    Topic.PRODUCTS,
    Kind.DONE,
    "a routine for a matrix and a vector reads {array} once, along memory",
)
TOGETHER = Message(
    "fuse",
    Topic.PRODUCTS,
    Kind.DONE,
    "two products over one matrix in one pass: it is read once for both",
)
STORED = Message("fuse", Topic.MEMORY, Kind.NOTE, "a new array of {bytes}, for the product")
NEST = Message("fuse", Topic.PRODUCTS, Kind.NOTE, "a product as a loop nest, no routine: {why}")

# Elements of a matrix, and multiplications, of constant number that LLVM had better see.
_INLINE, _UNROLLED = 64, 512
_PRODUCTS = (DType.F32, DType.F64)
_IN_TILES = (*_PRODUCTS, *(d for d in DType if d.kind in "iu"))


def matrix_product(code: Code, fold: Fold, lhs: Value, rhs: Value) -> Node:
    """Emit the product, whose nest is `fold`, and return the new array; or leave it a nest."""
    known = all(axis.dim.is_constant for axis in fold.arg.axes)
    small = known and math.prod(axis.dim.constant for axis in fold.arg.axes) <= _UNROLLED
    if small or fold.dtype not in _PRODUCTS:
        remark(NEST, fold.loc, why="it is small" if small else f"BLAS has none of {fold.dtype}")
        return fold
    remark(CALLED, fold.loc)
    type_ = TensorType(fold.dtype, tuple(a.dim for a in fold.axes))
    remark(STORED, fold.loc, bytes=Bytes(fold.dtype, type_.dims))
    out = code.new_array(type_, [a.size for a in fold.axes])
    product_into(code, out, lhs, rhs)
    return Source(out, fold.axes)


def plain_product(code: Code, fold: Fold, lhs: Value, rhs: Value) -> Node:
    """Emit the product, whose nest is `fold`, as a nest that a device cuts into tiles."""
    if fold.dtype not in _IN_TILES:
        return fold
    remark(NEST, fold.loc, why="a device has a kernel for it")
    type_ = TensorType(fold.dtype, tuple(a.dim for a in fold.axes))
    remark(STORED, fold.loc, bytes=Bytes(fold.dtype, type_.dims))
    out, inner = code.new_array(type_, [a.size for a in fold.axes]), fold.arg.axes[-2].size

    def level(places: tuple[Value, ...]) -> None:
        if len(places) < len(fold.axes):
            size = fold.axes[len(places)].size
            code.loop(size, lambda place: level((*places, place)), parallel=True)
            return
        *rows, column = places

        def factors(k: Value) -> Value:
            pair = code.op(low.LOAD, lhs, *rows, k), code.op(low.LOAD, rhs, k, column)
            first, second = (v if v.type is fold.dtype else code.cast(v, fold.dtype) for v in pair)
            return code.op(e.MUL, first, second)

        total = code.reduce("sum", inner, factors)
        code.builder.effect(low.STORE, out, total, *places, loc=code.loc)

    level(())
    return Source(out, fold.axes)


def product_into(code: Code, out: Value, lhs: Value, rhs: Value) -> None:
    """Emit the writing of the product of two matrices of floats to a new array."""
    assert isinstance(out.type, TensorType)
    room = _new_room(code, out.type.dtype, code.op(products.MATRIX_ROOM, lhs, rhs))
    code.builder.effect(products.GEMM, out, room, lhs, rhs, loc=code.loc)


@record(eq=False)
class Matrix:
    """A matrix in memory, times a scale if there is one."""

    array: Value
    scale: tuple[Value, ...] = ()

    @property
    def dtype(self) -> DType:
        """Type of an element."""
        assert isinstance(self.array.type, TensorType)
        return self.array.type.dtype


def as_matrix(node: Node) -> Matrix | None:
    """Return a node as a matrix that the routines of products with vectors take."""
    match node:
        case Source(array):
            matrix = Matrix(array)
        case Map(op=e.MUL, args=(Scalar(scale), Source(array, axes))) if axes == node.axes:
            matrix = Matrix(array, (scale,))
        case Map(op=e.MUL, args=(Source(array, axes), Scalar(scale))) if axes == node.axes:
            matrix = Matrix(array, (scale,))
        case _:
            return None
    known = all(a.dim.is_constant for a in node.axes)
    if known and node.axes[0].dim.constant * node.axes[1].dim.constant <= _INLINE:
        return None
    return matrix if matrix.dtype in _PRODUCTS else None


def product_with_vector(code: Code, matrix: Matrix, vector: Value, result: Axis) -> Source:
    """Emit `matrix @ vector` and return the new array."""
    remark(VECTOR, code.loc, array=Named(matrix.array, {}))
    out = _new_vector(code, matrix.dtype, result)
    _emit_product(code, matrix, vector, out)
    return Source(out, (result,))


def _emit_product(code: Code, matrix: Matrix, vector: Value, out: Value) -> None:
    room = _new_room(code, matrix.dtype, code.op(products.PRODUCT_ROOM, matrix.array, vector))
    operands = (out, room, matrix.array, vector, *matrix.scale)
    code.builder.effect(products.MATVEC, *operands, loc=code.loc)


class Together:
    """Two products over one matrix, the second of which is computed with the first if it can be.

    `vector` is that of the second, None if it is the first result.
    """

    def __init__(
        self, code: Code, pair: Pair, matrix: Source, vector: Value | None, written: Sequence[Value]
    ) -> None:
        for product in (pair.first, pair.second):
            remark(TOGETHER, product.instr.loc)
        self._pair = pair
        self._matrix = Matrix(matrix.array)
        self._vector = vector
        rows, columns = matrix.axes
        outs = [_new_vector(code, matrix.dtype, axis) for axis in (rows, columns)]
        first = pair.first.left
        self._outs = (outs[first], outs[not first])
        fits = [
            code.op(e.NOT, code.op(low.MAY_OVERLAP, value, other))
            for value in written
            for other in (matrix.array, vector)
            if other is not None
        ]
        if vector is not None:
            inner = columns if first else rows
            (own,) = shapes.axes_of(code, vector)
            if not own.same(inner):
                fits.append(code.test(e.EQ, own.size, inner.size))
        self._fits = code.both(fits) if fits else None

    def result(self, code: Code, instr: Instr, vector: Value) -> Value:
        """Emit what is to be done for one of the products, and return its result."""
        is_first = instr is self._pair.first.instr
        out = self._outs[not is_first]

        def alone() -> Sequence[Value]:
            left = (self._pair.first if is_first else self._pair.second).left
            matrix = turned(code, self._matrix) if left else self._matrix
            _emit_product(code, matrix, vector, out)
            return ()

        def both() -> Sequence[Value]:
            if is_first:
                self._both(code, vector)
            return ()

        if self._fits is None:
            both()
        else:
            code.choose(self._fits, both, alone)
        return out

    def _both(self, code: Code, vector: Value) -> None:
        first, second = self._outs
        other = first if self._vector is None else self._vector
        pairs = ((first, vector), (second, other))
        (rows, right), (out, left) = reversed(pairs) if self._pair.first.left else pairs
        array = self._matrix.array
        across = turned(code, self._matrix).array
        size = code.op(
            e.ADD,
            code.op(products.PRODUCT_ROOM, array, right),
            code.op(products.PRODUCT_ROOM, across, left),
        )
        room = _new_room(code, self._matrix.dtype, size)
        operands = (rows, out, room, array, right, left)
        code.builder.effect(products.BOTH_PRODUCTS, *operands, loc=code.loc)


def turned(code: Code, matrix: Matrix) -> Matrix:
    """Return the transpose."""
    order = (1, 0)
    array = code.builder.emit(arrays.TRANSPOSE, matrix.array, loc=code.loc, order=order)
    return Matrix(array, matrix.scale)


def _new_vector(code: Code, dtype: DType, axis: Axis) -> Value:
    remark(STORED, code.loc, bytes=Bytes(dtype, [axis.dim]))
    return code.new_array(TensorType(dtype, (axis.dim,)), [axis.size])


def _new_room(code: Code, dtype: DType, size: Value) -> Value:
    return code.new_array(TensorType(dtype, (UNKNOWN,)), [size])
