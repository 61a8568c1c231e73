"""Products of two matrices: a plain nest where they are small, NumPy's BLAS where they are not."""

from collections.abc import Sequence

from scriptc.kernels.code import Code
from scriptc.kernels.nodes import Fold, Map, Source
from scriptc.kernels.schedule import materialise
from scriptc.kernels.shapes import axes_of, count_of
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.types import TensorType

# Multiplications below which the call of BLAS costs more than it gains: 20 x 20 x 20.
SMALL = 8000


def matrix_product(code: Code, fold: Fold, lhs: Value, rhs: Value) -> Source:
    """Emit the product, whose nest is that of `fold`, and return the new array."""
    large = code.test(e.GE, count_of(code, fold.arg.axes), code.number(SMALL))

    def by_blas() -> Sequence[Value]:
        type_ = TensorType(fold.dtype, tuple(a.dim for a in fold.axes))
        out = code.new_array(type_, [a.size for a in fold.axes])
        operands = (_dense(code, lhs), _dense(code, rhs))
        code.builder.effect(low.GEMM, out, *operands, loc=code.loc)
        return (out,)

    (product,) = code.choose(large, by_blas, lambda: materialise(code, [fold]))
    dense = code.op(low.ASSUME_CONTIGUOUS, product)  # new, whichever way it was made
    return Source(code.made(dense, [a.size for a in fold.axes]), fold.axes)


def _dense(code: Code, matrix: Value) -> Value:
    """Return `matrix` in a layout that BLAS takes: itself, or a copy."""
    assert isinstance(matrix.type, TensorType)
    axes = axes_of(code, matrix)
    copy = Map(None, {}, (Source(matrix, axes),), matrix.type.dtype, axes, code.loc)
    fits = code.op(low.IS_MATRIX, matrix)
    (dense,) = code.choose(
        fits, lambda: (matrix,), lambda: materialise(code, [copy], versions=False)
    )
    return dense
