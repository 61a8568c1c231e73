"""np.linalg: NumPy computes in double precision and iterations the results of single precision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, int_size
from scriptc.check.numpy import reductions, ufuncs
from scriptc.check.numpy.standard_calls import real
from scriptc_runtime.ops import data, linalg
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.types import FLOAT, DType, TupleType, element_of

# What results of single precision are rounded to.
_SINGLE: Mapping[DType, DType] = {DType.F64: DType.F32, DType.C128: DType.C64}


def _operands(call: LibraryCall, *names: str) -> tuple[list[Computation], bool]:
    """Return arrays of one dtype that LAPACK takes, and whether results are single precision."""
    arrays = [call.array(name) for name in names]
    for name, value in zip(names, arrays, strict=True):
        if reductions.dtype_of(value) is DType.F16:
            call.refuse("half precision is not taken, nor by NumPy", call.nodes[name])
    dtypes = [reductions.dtype_of(value) for value in arrays]
    wide = DType.C128 if any(dtype.kind == "c" for dtype in dtypes) else DType.F64
    single = all(dtype in _SINGLE.values() for dtype in dtypes)
    return [converted(value, wide) for value in arrays], single


def _matrices(call: LibraryCall, name: str = "a") -> tuple[Computation, bool]:
    """Return a stack of matrices, and whether results are single precision."""
    (value,), single = _operands(call, name)
    if reductions.rank_of(value) < 2:
        call.refuse("an array with two axes or more is needed", call.nodes[name])
    return value, single


def _rounded(call: LibraryCall, value: Computation, *, single: bool) -> Computation:
    """Return a result, or a tuple of them, in the precision that NumPy gives it."""
    if isinstance(value.type, TupleType):
        items = [
            _rounded(call, call.context.apply(call.node, data.ITEM, value, index=i), single=single)
            for i in range(len(value.type.items))
        ]
        return call.context.apply(call.node, data.TUPLE, *items)
    element = element_of(value.type)
    if not single or not isinstance(element, DType) or element not in _SINGLE:
        return value
    return converted(value, _SINGLE[element])


def _found(
    call: LibraryCall, op: OpDef, operands: Sequence[Computation], *, single: bool, **attrs: Attr
) -> Typed:
    value = call.context.apply(call.node, op, *operands, **attrs)
    return call.result(_rounded(call, value, single=single))


def in_precision_of(call: LibraryCall, op: OpDef, value: Computation) -> Computation:
    """Return what an op makes of floats, in their precision."""
    wide = DType.C128 if reductions.dtype_of(value).kind == "c" else DType.F64
    found = call.context.apply(call.node, op, converted(value, wide))
    return _rounded(call, found, single=reductions.dtype_of(value) in _SINGLE.values())


def _of_matrices(op: OpDef, name: str = "a") -> ufuncs.Checker:
    """Return the check of a function of matrices that has no other parameter."""

    def check(call: LibraryCall) -> Typed:
        value, single = _matrices(call, name)
        return _found(call, op, [value], single=single)

    return check


def _cholesky(call: LibraryCall) -> Typed:
    value, single = _matrices(call)
    return _found(call, linalg.CHOLESKY, [value], single=single, upper=call.flag("upper"))


def _solve(call: LibraryCall) -> Typed:
    (value, other), single = _operands(call, "a", "b")
    if reductions.rank_of(value) not in (2, 3) or reductions.rank_of(other) not in (1, 2, 3):
        call.refuse("matrices and stacks of them along one axis are built")
    return _found(call, linalg.SOLVE, [value, other], single=single)


def _qr(call: LibraryCall) -> Typed:
    value, single = _matrices(call)
    mode = _text(call, "mode", "reduced", ("reduced", "complete", "r"))
    return _found(call, linalg.QR, [value], single=single, mode=mode)


def _text(call: LibraryCall, name: str, default: str, known: Sequence[str]) -> str:
    """Return a constant string argument, one of those that are built."""
    if name not in call.values:
        return default
    given = call.typed(name).known
    if given is None or given.value not in known:
        call.refuse(f"{name} must be {' or '.join(map(repr, known))}", call.nodes[name])
    call.drop(name)
    return str(given.value)


def _hermitian(op: OpDef) -> ufuncs.Checker:
    """Return the check of np.linalg.eigh or np.linalg.eigvalsh, which read one triangle."""

    def check(call: LibraryCall) -> Typed:
        value, single = _matrices(call)
        triangle = _text(call, "UPLO", "L", ("L", "U", "l", "u"))
        return _found(call, op, [value], single=single, upper=triangle in "Uu")

    return check


def _eigen(op: OpDef) -> ufuncs.Checker:
    """Return the check of np.linalg.eig or np.linalg.eigvals.

    Of a real matrix NumPy gives real or complex numbers, as they turn out: here real ones, and an
    exception where they are not.
    """

    def check(call: LibraryCall) -> Typed:
        value, single = _matrices(call)
        found = call.context.apply(call.node, op, value)
        if reductions.dtype_of(value).kind != "c":
            found = _real(call, found)
        return call.result(_rounded(call, found, single=single))

    return check


def _real(call: LibraryCall, found: Computation) -> Computation:
    """Return eigenvalues of real matrices, and eigenvectors, as floats."""
    if not isinstance(found.type, TupleType):
        return call.standard("linalg", "real_values", found)
    items = [call.context.apply(call.node, data.ITEM, found, index=i) for i in range(2)]
    return call.standard("linalg", "real_vectors", *items)


def _svd(call: LibraryCall) -> Typed:
    value, single = _matrices(call)
    if call.flag("hermitian"):
        call.refuse("hermitian is not built", call.nodes["hermitian"], "use np.linalg.eigh")
    full = call.flag("full_matrices", default=True)
    if not call.flag("compute_uv", default=True):
        return _found(call, linalg.SVDVALS, [value], single=single)
    return _found(call, linalg.SVD, [value], single=single, full=full)


def _lstsq(call: LibraryCall) -> Typed:
    (value, other), single = _operands(call, "a", "b")
    if reductions.rank_of(value) != 2 or reductions.rank_of(other) not in (1, 2):
        call.refuse("a matrix, and a vector or a matrix, are needed")
    if call.is_given("rcond"):
        ratio = converted(_number(call, "rcond"), DType.F64)
    else:
        ratio = call.standard("linalg", "smallest_ratio", value)
    return _found(call, linalg.LSTSQ, [value, other, ratio], single=single)


def _number(call: LibraryCall, name: str) -> Computation:
    """Return an argument that is one real number, as Python's float."""
    value = real(name).read(call, name)
    assert isinstance(value, Computation)
    return value


def _power(call: LibraryCall) -> Typed:
    value = call.array("a")
    if reductions.rank_of(value) != 2 or reductions.dtype_of(value) in (DType.B1, DType.F16):
        call.refuse("a matrix of numbers is needed", call.nodes["a"])
    known = call.known_int("n")
    if reductions.dtype_of(value).kind in "iu":
        # The inverse of integers is made of floats.
        if known is None:
            call.refuse("the exponent beside integers must be constant", call.nodes["n"])
        value = converted(value, DType.F64) if known < 0 else value
    exponent = int_size(call, call.operand("n"), call.nodes["n"])
    inverts = reductions.dtype_of(value).kind in "fc"
    return call.result(call.standard("linalg", "matrix_power", value, exponent, inverts=inverts))


def _matrix(call: LibraryCall, name: str) -> Computation:
    """Return one matrix of floats."""
    value = call.array(name)
    if reductions.rank_of(value) != 2 or reductions.dtype_of(value) is DType.F16:
        call.refuse("a matrix of floats is needed", call.nodes[name])
    return converted(value, DType.F64) if reductions.dtype_of(value).kind in "biu" else value


def _pinv(call: LibraryCall) -> Typed:
    ratio: Computation = Literal(1e-15, FLOAT)
    if call.is_given("rcond"):
        ratio = _number(call, "rcond")
    return call.result(call.standard("linalg", "pinv", _matrix(call, "a"), ratio))


def _floats(call: LibraryCall, name: str) -> Computation:
    """Return matrices of floats."""
    value = call.array(name)
    if reductions.dtype_of(value) is DType.F16:
        call.refuse("half precision is not taken, nor by NumPy", call.nodes[name])
    return converted(value, DType.F64) if reductions.dtype_of(value).kind in "biu" else value


def _rank(call: LibraryCall) -> Typed:
    value = _floats(call, "A")
    if reductions.rank_of(value) < 2:
        return call.result(call.standard("linalg", "is_not_zero", value))
    if call.is_given("tol"):
        if reductions.rank_of(value) != 2:
            call.refuse("tol of several matrices is not built", call.nodes["tol"])
        least = _number(call, "tol")
        return call.result(call.standard("linalg", "rank_above", value, least))
    return call.result(call.standard("linalg", "matrix_rank", value))


def _library(name: str, check: ufuncs.Checker, *names: str, required: int = 1) -> Library:
    return Library(f"np.linalg.{name}", names, required, check, displays=True)


TABLE: Mapping[object, Library] = {
    np.linalg.cholesky: _library("cholesky", _cholesky, "a", "upper"),
    np.linalg.solve: _library("solve", _solve, "a", "b", required=2),
    np.linalg.inv: _library("inv", _of_matrices(linalg.INV), "a"),
    np.linalg.det: _library("det", _of_matrices(linalg.DET), "a"),
    np.linalg.slogdet: _library("slogdet", _of_matrices(linalg.SLOGDET), "a"),
    np.linalg.qr: _library("qr", _qr, "a", "mode"),
    np.linalg.eigh: _library("eigh", _hermitian(linalg.EIGH), "a", "UPLO"),
    np.linalg.eigvalsh: _library("eigvalsh", _hermitian(linalg.EIGVALSH), "a", "UPLO"),
    np.linalg.eig: _library("eig", _eigen(linalg.EIG), "a"),
    np.linalg.eigvals: _library("eigvals", _eigen(linalg.EIGVALS), "a"),
    np.linalg.svd: _library("svd", _svd, "a", "full_matrices", "compute_uv", "hermitian"),
    np.linalg.svdvals: _library("svdvals", _of_matrices(linalg.SVDVALS, "x"), "x"),
    np.linalg.matrix_power: _library("matrix_power", _power, "a", "n", required=2),
    np.linalg.matrix_rank: _library("matrix_rank", _rank, "A", "tol"),
    np.linalg.pinv: _library("pinv", _pinv, "a", "rcond"),
    np.linalg.lstsq: _library("lstsq", _lstsq, "a", "b", "rcond", required=2),
}
