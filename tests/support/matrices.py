"""Matrices and rows for linear algebra and Fourier transforms: singular, empty, of any layout."""

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import product

import numpy as np

from scriptc_runtime.ops import fourier, linalg
from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.ops.opdef import Attr, OpDef

REGULAR = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -0.25], [0.5, -0.25, 2.0]])
HERMITIAN = REGULAR + 1j * np.array([[0, 1, 2], [-1, 0, 3], [-2, -3, 0]]) / 8
# Right sides: vectors, matrices and stacks, some of which do not fit.
_SIDES = ((3,), (3, 2), (3, 0), (2,), (3, 3, 1), (1, 3, 1), (2, 3, 1), (0, 3, 1))

Call = tuple[OpDef, tuple[Callable[[], Array], ...], Mapping[str, Attr]]


def _stack(a: Array) -> Array:
    return np.stack([a, a.T, a[::-1]])[::-1].transpose(0, 2, 1)


MATRICES: tuple[Array, ...] = (
    *(
        part
        for a in (REGULAR, HERMITIAN)
        for part in (a, -a, 0 * a, a[::-1].T, a[:2], a[:, 1:], a[:0, :0], a[:0], _stack(a))
    ),
    REGULAR[None],
    np.zeros((0, 2, 2)),
    np.full((2, 2), np.nan),
    np.full((2, 2), np.nan + 0j),
    np.ones((2, 1, 3, 3)) + np.eye(3),
)
_PLAIN = (
    *(linalg.INV, linalg.DET, linalg.SLOGDET),
    *(linalg.SVDVALS, linalg.EIG, linalg.EIGVALS),
)
_TRIANGLES = (linalg.CHOLESKY, linalg.EIGH, linalg.EIGVALSH)


def calls() -> Iterator[Call]:
    """Yield an op, what makes its operands, and its attributes, for each case."""
    for matrix in MATRICES:
        x = _maker(matrix)
        for op in _PLAIN:
            yield op, (x,), {}
        for op, upper in product(_TRIANGLES, (False, True)):
            yield op, (x,), {"upper": upper}
        for mode in ("reduced", "complete", "r"):
            yield linalg.QR, (x,), {"mode": mode}
        for full in (False, True):
            yield linalg.SVD, (x,), {"full": full}
        for shape in _SIDES:
            y = np.arange(math.prod(shape), dtype=matrix.dtype).reshape(shape)
            yield linalg.SOLVE, (x, _maker(y)), {}
            yield linalg.LSTSQ, (x, _maker(y), lambda: np.array(1e-15)[()]), {}
    for routine, *arrays in (
        ("svd", REGULAR[:2], np.zeros((1, 2))),
        ("det", _stack(REGULAR), np.zeros(3)),
        ("qr_r_raw", REGULAR[:2], np.zeros((1, 2))),
        ("cholesky_lo", -REGULAR, np.zeros((1, 3, 3))),
    ):
        yield linalg.GUFUNC, tuple(map(_maker, arrays)), {"routine": routine}


def transforms() -> Iterator[tuple[OpDef, Callable[[], Array], int, str]]:
    """Yield a Fourier transform, what makes its operand, the number of elements and the norm."""
    line = np.array([1.0, -2.0, 0.5, 4.0, 0.25, 7.0, -1.5])
    table = np.stack([line, line[::-1] * 2])
    for norm, real in product(fourier.NORMS, (np.float32, np.float64)):
        for whole, count in product((line, table, table[:0], table[None, :, :6]), (7, 4, 10, 1, 0)):
            x = whole.astype(real)
            yield fourier.RFFT, _maker(x), count, norm
            waves = (x * (1 + 0.5j)).astype((x[..., :0] * 1j).dtype)
            for op, y in product((fourier.FFT, fourier.IFFT, fourier.IRFFT), (x, waves)):
                yield op, _maker(y), count, norm


def _maker(array: Array) -> Callable[[], Array]:
    """Return what makes an array anew, its elements backwards with gaps between them."""

    def make() -> Array:
        room = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
        view = room[..., ::-2]
        view[...] = array
        return view

    return make
