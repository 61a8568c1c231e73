"""Low ops for products of matrices and vectors: calls of routines that are there already.

What they write is new, or shares no memory with what they read.
"""

from collections.abc import Callable, Sequence

import numpy as np

from scriptc_runtime.ops.arrays import Array, tensor
from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError, TypeRule, pure
from scriptc_runtime.types import DType, TensorType, Type


def _room(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _, vectors = types
    _product(2, tensor(vectors).rank)(types, attrs)
    return (DType.I64,)


def _require_ranks(types: Sequence[Type], ranks: Sequence[int]) -> None:
    for type_, rank in zip(types, ranks, strict=True):
        if tensor(type_).rank != rank:
            raise OpTypeError(f"{type_} has not {rank} axes")


def _product(*ranks: int, several: bool = False) -> TypeRule:
    """Return the rule of an op on arrays of these ranks, and the scale of the matrix if given.

    With `several`, the first and the last array may have an axis more.
    """

    def infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
        given = types[: len(ranks)]
        more = several and tensor(given[-1]).rank == 2
        wanted = (2, *ranks[1:-1], 2) if more else ranks
        _require_ranks(given, wanted)
        scales = types[len(ranks) :]
        dtypes = {*(tensor(t).dtype for t in given), *scales}
        if dtypes not in ({DType.F32}, {DType.F64}) or len(scales) > 1:
            raise OpTypeError("a product takes arrays, and one scale at most, of f32 or of f64")
        return ()

    return infer


def _effects(writes: int) -> Callable[[Sequence[Type], Attrs], Effects]:
    """Return what an op does that writes its first operands and reads the other arrays.

    It raises KeyboardInterrupt, while threads work.
    """

    def find(types: Sequence[Type], attrs: Attrs) -> Effects:
        arrays = {k for k, type_ in enumerate(types) if isinstance(type_, TensorType)}
        written = frozenset(range(writes))
        return Effects(reads=frozenset(arrays - written), writes=written, raises=True)

    return find


def _evaluate_gemm(out: Array, room: Array, lhs: Array, rhs: Array) -> None:
    np.matmul(lhs, rhs, out=out)


def _evaluate_room(matrix: Array, vector: Array) -> np.int64:
    return np.int64(0)


def _evaluate_matvec(
    out: Array, room: Array, matrix: Array, vector: Array, *scale: np.floating
) -> None:
    np.matmul(vector, (matrix * scale[0] if scale else matrix).T, out=out)


def _evaluate_both(
    rows: Array, out: Array, room: Array, matrix: Array, right: Array, left: Array
) -> None:
    np.matmul(matrix, right, out=rows)
    np.matmul(left, matrix, out=out)


def _low(
    name: str,
    doc: str,
    operands: tuple[str, ...],
    ranks: Sequence[int],
    run: Callable[..., object],
    *,
    writes: int = 1,
    several: bool = False,
) -> OpDef:
    return OpDef(
        name=name,
        doc=doc,
        operands=operands,
        infer=_product(*ranks, several=several),
        evaluate=run,
        effects=_effects(writes),
        level=Level.LOW,
    )


MATRIX_ROOM = OpDef(
    name="matrix_room",
    doc="How many elements `gemm` needs room for, beside its result.",
    operands=("lhs", "rhs"),
    infer=_room,
    evaluate=_evaluate_room,
    effects=pure,
    level=Level.LOW,
)
GEMM = _low(
    "gemm",
    "Write the product of two matrices to the C-contiguous `out`; `room` has as many elements as "
    "`matrix_room` says.",
    ("out", "room", "lhs", "rhs"),
    (2, 1, 2, 2),
    _evaluate_gemm,
    writes=2,
)
PRODUCT_ROOM = OpDef(
    name="product_room",
    doc="How many elements `matvec` needs room for, beside its result.",
    operands=("matrix", "vector"),
    infer=_room,
    evaluate=_evaluate_room,
    effects=pure,
    level=Level.LOW,
)
MATVEC = _low(
    "matvec",
    "Write `matrix @ vector`, or `matrix * scale @ vector`, to the C-contiguous `out`, or to each "
    "row of it where `vector` has rows; `room` has as many elements as `product_room` says.",
    ("out", "room", "matrix", "vector", "*scale"),
    (1, 1, 2, 1),
    _evaluate_matvec,
    writes=2,
    several=True,
)
BOTH_PRODUCTS = _low(
    "both_products",
    "Write `matrix @ right` to `rows` and `left @ matrix` to `out`, in one pass; `left` may be "
    "`rows`. There is room for what either of them needs.",
    ("rows", "out", "room", "matrix", "right", "left"),
    (1, 1, 1, 2, 1, 1),
    _evaluate_both,
    writes=3,
)

OPS = (MATRIX_ROOM, GEMM, PRODUCT_ROOM, MATVEC, BOTH_PRODUCTS)
