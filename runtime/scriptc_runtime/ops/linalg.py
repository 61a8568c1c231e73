"""Ops of linear algebra on matrices, and on stacks of them along leading axes.

Each is the function of `np.linalg` of its name, for float64 and complex128: NumPy computes every
other dtype in one of these two.  Their bodies in `stdlib/linalg.py` call LAPACK by `gufunc`.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from scriptc_runtime import gufuncs
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ops.arrays import tensor
from scriptc_runtime.ops.opdef import (
    Attrs,
    EffectRule,
    Effects,
    Level,
    OpDef,
    OpTypeError,
    TypeRule,
)
from scriptc_runtime.types import BOOL, DType, TensorType, TupleType, Type

_TAKEN = (DType.F64, DType.C128)


def _matrices(type_: Type) -> TensorType:
    base = tensor(type_)
    if base.dtype not in _TAKEN or base.rank < 2:
        raise OpTypeError(f"{base} is no stack of matrices of f64 or c128")
    return base


def _square(type_: Type) -> TensorType:
    base = _matrices(type_)
    rows, columns = base.dims[-2:]
    if rows.is_constant and columns.is_constant and rows != columns:
        raise OpTypeError(f"the matrices of {base} are not square")
    return base


def _shaped(dtype: DType, rank: int) -> Type:
    """Return the type of a scalar, or of a new array of some shape."""
    return TensorType(dtype, (UNKNOWN,) * rank) if rank else dtype


def _same(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (_square(types[0]),)


def _solution(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base, other = _square(types[0]), tensor(types[1])
    if base.dtype is not other.dtype or base.rank > 3 or not 1 <= other.rank <= 3:
        raise OpTypeError(f"no solution of {base} for {other}")
    if base.rank == 2:
        return (other,)
    return (_shaped(base.dtype, 2 if other.rank == 1 else 3),)


def _determinant(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base = _square(types[0])
    return (_shaped(base.dtype, base.rank - 2),)


def _signed(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base = _square(types[0])
    rank = base.rank - 2
    return (TupleType((_shaped(base.dtype, rank), _shaped(DType.F64, rank))),)


def _factors(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base = _matrices(types[0])
    factor = _shaped(base.dtype, base.rank)
    match attrs["mode"]:
        case "r":
            return (factor,)
        case "reduced" | "complete":
            return (TupleType((factor, factor)),)
        case mode:
            raise OpTypeError(f"no mode of qr is called {mode!r}")


def _real_eigenvalues(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (_shaped(DType.F64, _square(types[0]).rank - 1),)


def _real_eigenvectors(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (TupleType((*_real_eigenvalues(types, attrs), types[0])),)


def _eigenvalues(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (_shaped(DType.C128, _square(types[0]).rank - 1),)


def _eigenvectors(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    vectors = _shaped(DType.C128, _square(types[0]).rank)
    return (TupleType((*_eigenvalues(types, attrs), vectors)),)


def _singular_values(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (_shaped(DType.F64, _matrices(types[0]).rank - 1),)


def _singular_vectors(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base = _matrices(types[0])
    vectors = _shaped(base.dtype, base.rank)
    return (TupleType((vectors, *_singular_values(types, attrs), vectors)),)


def _least_squares(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base, other = _matrices(types[0]), tensor(types[1])
    if base.rank != 2 or other.rank not in (1, 2) or base.dtype is not other.dtype:
        raise OpTypeError(f"no least squares of {base} for {other}")
    if types[2] is not DType.F64:
        raise OpTypeError(f"the smallest ratio must be f64, not {types[2]}")
    line = _shaped(DType.F64, 1)
    return (TupleType((_shaped(base.dtype, other.rank), line, DType.I32, line)),)


def _gufunc(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    signature = gufuncs.SIGNATURES.get(cast(str, attrs["routine"]))
    if signature is None or len(signature.operands) != len(types):
        raise OpTypeError(f"{attrs['routine']} does not take {len(types)} arrays")
    for place, (letters, type_) in enumerate(zip(signature.operands, types, strict=True)):
        more = tensor(type_).rank - len(letters)
        if more != 1 and (more != 0 or place >= len(signature.inputs)):
            raise OpTypeError(f"{type_} is no stack of what has {len(letters)} axes")
    return (BOOL,)


def _sized_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    rows, columns = tensor(types[0]).dims[-2:]
    return Effects(reads=frozenset({0}), raises=not rows.same(columns), allocates=True)


def _library_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset(range(len(types))), raises=True, allocates=True)


def _gufunc_effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    signature = gufuncs.SIGNATURES[cast(str, attrs["routine"])]
    count = len(signature.inputs)
    written = {0} if signature.updated else set[int]()
    return Effects(
        reads=frozenset(range(count)),
        writes=frozenset(written.union(range(count, len(types)))),
        raises=True,  # where there is no memory to work in
    )


def _cholesky(x: Any, *, upper: bool) -> object:
    return cast(object, np.linalg.cholesky(x, upper=upper))


def _slogdet(x: Any) -> object:
    return tuple(np.linalg.slogdet(x))


def _qr(x: Any, *, mode: Any) -> object:
    found = cast("tuple[object, ...]", np.linalg.qr(x, mode))
    return found if mode == "r" else tuple(found)


def _eigvalsh(x: Any, *, upper: bool) -> object:
    return np.linalg.eigvalsh(x, "U" if upper else "L")


def _eigh(x: Any, *, upper: bool) -> object:
    return tuple(np.linalg.eigh(x, "U" if upper else "L"))


def _eigvals(x: Any) -> object:
    return np.asarray(np.linalg.eigvals(x), np.complex128)


def _eig(x: Any) -> object:
    return tuple(found.astype(np.complex128) for found in np.linalg.eig(x))


def _svd(x: Any, *, full: bool) -> object:
    return tuple(np.linalg.svd(x, full))


def _svdvals(x: Any) -> object:
    return np.linalg.svd(x, compute_uv=False)


def _lstsq(x: Any, y: Any, ratio: Any) -> object:
    return tuple(cast("tuple[object, ...]", np.linalg.lstsq(x, y, ratio)))


def _run(*arrays: Any, routine: str) -> bool:
    return gufuncs.run(routine, *arrays)


def _library(
    name: str,
    doc: str,
    operands: tuple[str, ...],
    infer: TypeRule,
    evaluate: Callable[..., object],
    *attrs: str,
    effects: EffectRule = _library_effects,
) -> OpDef:
    return OpDef(
        name=name,
        doc=doc,
        operands=operands,
        infer=infer,
        evaluate=evaluate,
        attrs=attrs,
        effects=effects,
        level=Level.LIBRARY,
    )


_ONE = ("x",)
CHOLESKY = _library(
    "cholesky", "The Cholesky factor, the lower or upper one.", _ONE, _same, _cholesky, "upper"
)
SOLVE = _library("solve", "What `x` times gives `y`.", ("x", "y"), _solution, np.linalg.solve)
INV = _library("inv", "The inverse.", _ONE, _same, np.linalg.inv)
DET = _library("det", "The determinant.", _ONE, _determinant, np.linalg.det, effects=_sized_effects)
SLOGDET = _library(
    "slogdet",
    "The sign of the determinant and its logarithm.",
    _ONE,
    _signed,
    _slogdet,
    effects=_sized_effects,
)
QR = _library(
    "qr", "An orthogonal and a triangular factor, or that alone.", _ONE, _factors, _qr, "mode"
)
EIGVALSH = _library(
    "eigvalsh", "The eigenvalues of `x` = x^H.", _ONE, _real_eigenvalues, _eigvalsh, "upper"
)
EIGH = _library(
    "eigh",
    "The eigenvalues and eigenvectors of `x` = x^H.",
    _ONE,
    _real_eigenvectors,
    _eigh,
    "upper",
)
EIGVALS = _library(
    "eigvals", "The eigenvalues of a matrix, complex ones always.", _ONE, _eigenvalues, _eigvals
)
EIG = _library(
    "eig", "The eigenvalues and eigenvectors, complex ones always.", _ONE, _eigenvectors, _eig
)
SVDVALS = _library("svdvals", "The singular values.", _ONE, _singular_values, _svdvals)
SVD = _library(
    "svd", "Singular vectors, values and vectors.", _ONE, _singular_vectors, _svd, "full"
)
LSTSQ = _library(
    "lstsq",
    "The least squares solution of `x` times it = `y`, the sums of squares that are left, the rank "
    "of `x` and its singular values.",
    ("x", "y", "ratio"),
    _least_squares,
    _lstsq,
)
GUFUNC = OpDef(
    name="gufunc",
    doc="Run a loop of NumPy's (LAPACK, Fourier transforms) on arrays that it reads and then "
    "arrays that it writes, each a matrix or a stack of them; whether it failed.",
    operands=("*arrays",),
    attrs=("routine",),
    infer=_gufunc,
    evaluate=_run,
    effects=_gufunc_effects,
    level=Level.LOW,
)

LIBRARY_OPS = (
    CHOLESKY,
    SOLVE,
    INV,
    DET,
    SLOGDET,
    QR,
    EIGVALSH,
    EIGH,
    EIGVALS,
    EIG,
    SVDVALS,
    SVD,
    LSTSQ,
)
LOW_OPS = (GUFUNC,)
OPS = (*LIBRARY_OPS, *LOW_OPS)
