"""Products of arrays beyond matrices, and functions along lines."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

# Dyadic, so that sums are exact in any order.
LINE = np.array([1.0, -2.0, 0.5, 4.0])
TABLE = np.arange(12.0).reshape(3, 4) / 4 - 1
SQUARE = np.arange(9.0).reshape(3, 3) / 2 - 2
CUBE = np.arange(24.0).reshape(2, 3, 4) / 8 - 1
WHOLE = np.array([[3, -1, 4], [1, -5, 9]])


def inner(a, b):
    return np.inner(a, b), np.vdot(a, b)


def stacks(a, b):
    return a @ b, np.matmul(a, b)


def in_place(a, b):
    """The product has the shape of what it is written to, or is refused as NumPy does."""
    try:
        a @= b
    except ValueError:
        return a * 0
    return a


def mismatched(a, b):
    try:
        total = (a @ b).sum()
    except ValueError:
        total = a.sum() * 0 - 1
    return total


def products_of_stacks(a, b):
    return a @ b, np.matmul(a, b)


def stack_and_vector(a, v):
    return a @ v, np.dot(a, v)


def vector_and_stack(v, a):
    return v @ a


def contracted(a, b):
    return (
        np.tensordot(a, b, axes=1),
        np.tensordot(a, b, axes=([2], [0])),
        np.tensordot(a, b, 0).sum(),
    )


def contracted_twice(a, b):
    return np.tensordot(a, b), np.tensordot(a, b, axes=((1, 2), (0, 1)))


def summed(a, b, v):
    return (
        np.einsum("ij,jk->ik", a, b),
        np.einsum("ij,kj->ki", a, a),
        np.einsum("ij->j", a),
        np.einsum("ij->ji", a),
        np.einsum("ij,j->i", a, v),
        np.einsum("ij,ij", a, a),
        np.einsum("i,j->ij", v, v),
        np.einsum("ij,jk,k->i", a, b, b[0]),
    )


def summed_stacks(a):
    return np.einsum("bij,bkj->bik", a, a), np.einsum("bij->b", a), np.einsum("bij,j", a, a[0, 0])


def blocks(a, b):
    return np.kron(a, b)


def covariances(a):
    return np.cov(a), np.cov(a, rowvar=False), np.cov(np.transpose(a)), np.cov(a, bias=True)


def lengths(a, v):
    return np.linalg.norm(v), np.linalg.norm(a), np.linalg.norm(v, 1), np.linalg.norm(v, np.inf)


def lengths_of_rows(a):
    return (
        np.linalg.norm(a, axis=1),
        np.linalg.norm(a, axis=0, keepdims=True),
        np.linalg.norm(a, 1, 0),
    )


def convolved(a, v):
    return np.convolve(a, v), np.convolve(a, v, "same"), np.convolve(a, v, mode="valid")


def correlated(a, v):
    return np.correlate(a, v), np.correlate(a, v, "full"), np.correlate(a, v, "same")


def interpolated(x, xp, fp):
    return np.interp(x, xp, fp), np.interp(x, xp, fp, left=-1.0, right=9), np.interp(0.5, xp, fp)


def close(a, b):
    return (
        np.isclose(a, b),
        np.allclose(a, b),
        np.isclose(a, b, rtol=0.1),
        np.allclose(a, b, atol=1),
    )


def close_nan(a, b):
    return np.isclose(a, b, equal_nan=True), np.allclose(a, b, equal_nan=True)


def equal(a, b):
    return np.array_equal(a, b), np.array_equal(a, a), np.array_equal(a, b[0])


def without_nan(a):
    return (
        np.nansum(a),
        np.nansum(a, axis=0),
        np.nanprod(a, axis=1),
        np.nanmean(a),
        np.nanmean(a, axis=0),
    )


def extremes_without_nan(a):
    return np.nanmax(a), np.nanmin(a, axis=0), np.nanmax(a, axis=1, keepdims=True)


def spread_without_nan(a):
    return np.nanvar(a), np.nanvar(a, axis=0)


_AXES = np.array([[3.0, 0.0], [0.0, 4.0]])
_ENDS = np.array([np.inf, np.nan, -np.inf])
_PAIRS = WHOLE[0].repeat(2)[:4]
_NANS = np.array([[1.0, np.nan, 3.0, np.nan], [2.0, 4.0, np.nan, np.nan]])
_SOME = np.array([[1.0, np.nan, 3.0], [2.0, 2.0, np.nan]])
_EVEN = np.array(
    [[1.0, 2.0, 3.0, 6.0], [2.0, 0.0, 1.0, -3.0], [0.0, 0.0, 4.0, 4.0], [1.0, 2.0, 0.0, 1.0]]
)
_POINTS = np.array([0.0, 1.0, 2.5, 4.0])


def of_vectors(a, b):
    last = np.linalg.vecdot(a, b, axis=-1)  # pyright: ignore[reportCallIssue] -- an int in NumPy
    return np.vecdot(a, b), last, np.vecdot(a[0], b), np.vecdot(a, a[:1])


def of_columns(a, b):
    first = np.linalg.vecdot(a, b, axis=0)  # pyright: ignore[reportCallIssue] -- an int in NumPy
    return first, np.vecdot(a[0], a[1]), np.vecdot(a[:, :1], b)


def dots(a, b):
    return np.dot(a, b), a.dot(b)


def dot_of_sizes(a, b):
    return np.dot(a, b)


def inner_of_sizes(a, b):
    return np.inner(a, b)


def vdot_of_sizes(a, b):
    return np.vdot(a, b)


def dot_in_a_loop(a, b):
    total = np.zeros(len(a))
    for i in range(len(a)):
        total[i] = np.dot(a[i], b)
    return total


def einsum_of_products(a, b):
    return np.einsum("i,i->i", a, b), np.einsum("i,j->ij", a, b), np.einsum("i,i,i->i", a, b, b)


def dots_into(a, b, out):
    np.dot(a, b, out)
    return out, a.dot(b, out=out[::1])


def dots_of_numbers(a):
    return np.dot(a, 2), np.dot(0.5, a), np.dot(3, 4), np.dot(a[0], a[1])


def narrow(v, m, s):
    return v @ s, np.dot(v, s), m @ s, np.matmul(s, s), s @ v, np.dot(s, s), np.inner(m, v)


def narrow_sums(v, m, s):
    return (
        np.einsum("ij,ij->i", m, m),
        np.einsum("ij->j", m),
        np.einsum("ij,ij", m, m),
        np.einsum("ij,jk->ik", m, m),
        np.einsum("ij,j,k->ki", m, v, v),
        np.einsum("i,j->ij", v, v),
        np.einsum("bij,bjk->bik", s, s),
    )


def _of_dtype(dtype):
    """Return a vector, a matrix and a stack of numbers whose products overflow narrow dtypes."""
    numbers = np.arange(18) * 7919 % 255 - 100
    stack = (numbers > 60 if dtype is bool else numbers.astype(dtype)).reshape(2, 3, 3)
    return stack[0, 1], stack[1], stack


INTEGERS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
NARROW = [_of_dtype(dtype) for dtype in (bool, *INTEGERS)]
GRID = np.arange(24.0).reshape(2, 3, 4)


def diagonals_by_labels(x):
    traces = np.einsum("ii", x), np.einsum("ii->", x), np.einsum("ij,jj->i", x, x)
    return np.einsum("ii->i", x), traces, np.einsum("ij,jj", x, x)


def diagonals_of_stacks(x):
    some = np.einsum("iij->ij", x), np.einsum("iji->j", x), np.einsum("ijj", x)
    return some, np.einsum("...ii->...i", x), np.einsum("iii", x), np.einsum("ii...->...", x)


def ellipses(x, y):
    products = (
        np.einsum("...ij,...jk->...ik", x, y),
        np.einsum("...i,i", x, x.reshape(-1, x.shape[-1])[0]),
    )
    sums = np.einsum("...i,...i", x, x), np.einsum("i...->...", x), np.einsum("... -> ...", x)
    return products, sums, np.einsum("...ij->...ji", x), np.einsum("i...", x)


def ellipses_that_stretch(x, y):
    return np.einsum("...j,...j->...", x, y), np.einsum("b...,...->b...", x, y)


SIZES = [np.ones(shape) for shape in ((3,), (2, 3), (4, 5), (2, 2, 3), (2, 4, 2))]

DEEP = (np.arange(2 * 3 * 25 * 24) * 7 % 33 - 16.0).reshape(2, 3, 25, 24) / 4

CASES: list[Case] = [
    (
        diagonals_by_labels,
        [
            (np.arange(9.0).reshape(3, 3)[::-1],),
            (np.arange(9, dtype=np.int8).reshape(3, 3).T * 9,),
            (np.eye(3, dtype=bool),),
            (np.zeros((0, 0)),),
            (np.ones((2, 3)),),
            (np.ones((1, 3)),),
        ],
    ),
    (diagonals_of_stacks, [(np.arange(27).reshape(3, 3, 3),), (np.ones((2, 2, 3)),)]),
    (
        ellipses,
        [
            (np.arange(24.0).reshape(2, 3, 4), np.arange(24).reshape(2, 4, 3)),
            (np.arange(6).reshape(2, 3), np.arange(6).reshape(3, 2)[:, ::-1]),
        ],
    ),
    (
        ellipses_that_stretch,
        [(np.arange(24.0).reshape(2, 3, 4), np.arange(12).reshape(3, 4))],
    ),
    (in_place, [(TABLE[:, :3].copy(), SQUARE)]),
    (
        in_place,
        [
            (CUBE[:, :, :3].copy(), SQUARE),
            (TABLE.copy(), np.ones((4, 3))),
            (TABLE.copy(), np.ones((4, 1))),
        ],
    ),
    (narrow, NARROW),
    (narrow, [(line[:0], table[:, :0], stack[:, :0, :0]) for line, table, stack in NARROW[:2]]),
    (narrow, [(line[::-1], table.T, stack[::-1, ::-1]) for line, table, stack in NARROW[:3]]),
    (narrow, [(NARROW[0][0], NARROW[2][1], NARROW[1][2])]),
    (narrow_sums, NARROW),
    (
        narrow_sums,
        [(line[:0], table[:0, :0], stack[:, :0, :0]) for line, table, stack in NARROW[:2]],
    ),
    (
        dots,
        [(GRID[0], GRID.transpose(0, 2, 1)), (GRID[:, :, :2], GRID.transpose(2, 0, 1)[:, :, ::-1])],
    ),
    (dots, [(GRID[0, 0], GRID.transpose(0, 2, 1)), (GRID, GRID[0].T), (GRID, GRID[0, 0])]),
    (dots, [(GRID[:0], GRID.transpose(0, 2, 1)), (GRID[0] * 1j, GRID[:1].transpose(0, 2, 1))]),
    (dot_of_sizes, [(first, second) for first in SIZES for second in SIZES]),
    (inner_of_sizes, [(first, second) for first in SIZES for second in SIZES[:3]]),
    (vdot_of_sizes, [(first, second) for first in SIZES[:3] for second in SIZES[:3]]),
    (dot_of_sizes, [(np.ones(3, np.int8), np.ones(4, np.int8)), (TABLE + 0j, TABLE * 1j)]),
    (dot_in_a_loop, [(TABLE, np.ones(7)), (TABLE, LINE), (TABLE[:0], np.ones(7))]),
    (
        einsum_of_products,
        [
            (zeros.astype(dtype), -np.ones(3, dtype))
            for zeros in (np.array([-0.0, 0.0, np.nan]), np.array([0, 2, 3]))
            for dtype in (np.float16, np.float32, np.float64, np.complex128)
        ],
    ),
    (einsum_of_products, [(np.arange(3), np.arange(-1, 2))]),
    (dots_into, [(GRID[0], GRID[1].T, np.zeros((3, 3)))]),
    (dots_of_numbers, [(GRID[0],), (GRID[0].astype(np.float32),)]),
    (
        of_vectors,
        [
            (np.arange(6.0).reshape(2, 3), np.array([1.5, -2.0, 0.5])),
            (np.arange(6, dtype=np.int8).reshape(2, 3) * 40, np.array([3, 100, -7], np.int8)),
            (np.arange(6, dtype=np.int32).reshape(2, 3), np.array([0.5, 2.0, 1.0], np.float32)),
            (np.zeros((2, 0)), np.zeros(0)),
            (np.ones((2, 3)), np.ones(1)),
        ],
    ),
    (of_columns, [(np.arange(6.0).reshape(2, 3), np.arange(6.0)[::-1].reshape(2, 3))]),
    (inner, [(LINE, LINE), (TABLE, TABLE), (WHOLE, WHOLE * 2)]),
    (stacks, [(CUBE, TABLE.T), (CUBE, CUBE.transpose(0, 2, 1)), (TABLE, CUBE.transpose(0, 2, 1))]),
    (stacks, [(CUBE[:0], TABLE.T), (CUBE[None], CUBE[0].T)]),
    (mismatched, [(CUBE, CUBE), (CUBE[..., :1], CUBE), (LINE, CUBE), (CUBE, TABLE)]),
    (products_of_stacks, [(DEEP, DEEP.swapaxes(-1, -2)), (DEEP[:1], DEEP[:, :1, :24])]),
    (
        products_of_stacks,
        [(DEEP[:, 0], DEEP[1:, 1].swapaxes(1, 2)), (DEEP[:0], DEEP[:1, :, :24])],
    ),
    (
        products_of_stacks,
        [(DEEP[0].astype("f"), DEEP[0, :, :24].astype("f")), (DEEP[:, 0], DEEP[0, :, :24])],
    ),
    (products_of_stacks, [(DEEP, DEEP), (DEEP[:, :2], DEEP[:, :, :24]), (DEEP[0], DEEP[0])]),
    (products_of_stacks, [(DEEP[0, :, :2], DEEP[1, :, :24, :3]), (DEEP[0], DEEP[0, :, :9])]),
    (stack_and_vector, [(CUBE, LINE), (CUBE[::-1, :, ::2], LINE[:2])]),
    (vector_and_stack, [(LINE[:3], CUBE)]),
    (contracted, [(CUBE, TABLE.T), (CUBE, LINE[:, None])]),
    (contracted_twice, [(CUBE, CUBE.transpose(1, 2, 0)), (CUBE, TABLE.T[None])]),
    (summed, [(TABLE, TABLE.T[:, ::-1].copy(), LINE)]),
    (summed_stacks, [(CUBE,), (CUBE[:0],)]),
    (blocks, [(TABLE, SQUARE), (LINE, TABLE), (WHOLE, np.eye(2, dtype=int))]),
    (covariances, [(_EVEN,), (np.array([[1.0, 3.0], [5.0, 1.0]]),)]),
    (
        lengths,
        [
            (_AXES, np.array([3.0, -4.0])),
            (WHOLE[:, :0], np.array([-2])),
        ],
    ),
    (lengths_of_rows, [(np.array([[3.0, -4.0], [0.0, 0.0]]),)]),
    (
        convolved,
        [
            (LINE, LINE[:2]),
            (LINE[:3], LINE),
            (LINE, LINE[1:]),
            (WHOLE[0], WHOLE[1]),
            (LINE, LINE[:0]),
        ],
    ),
    (
        correlated,
        [
            (LINE, LINE[:2]),
            (LINE[:3], LINE),
            (LINE, LINE[1:]),
            (LINE, LINE),
            (WHOLE[0], WHOLE[1, :1]),
        ],
    ),
    (
        interpolated,
        [
            (TABLE * 3, _POINTS, LINE),
            (_NANS, _POINTS, LINE),
            (_POINTS, _POINTS, _PAIRS),
        ],
    ),
    (
        close,
        [
            (LINE, LINE + 1e-9),
            (LINE, 1.0),
            (WHOLE, WHOLE + 1),
            (_ENDS, np.inf),
        ],
    ),
    (close_nan, [(_NANS, _NANS), (_NANS, _SOME[:, :1])]),
    (equal, [(TABLE, TABLE), (TABLE, TABLE[:2]), (WHOLE, WHOLE * 1.0), (_NANS, _NANS)]),
    (without_nan, [(_NANS,), (TABLE,), (WHOLE,), (_SOME,)]),
    (extremes_without_nan, [(_NANS,), (TABLE,), (WHOLE,), (_NANS * -np.inf,), (_NANS[::-1, 2:],)]),
    (extremes_without_nan, [(np.full((2, 3), -np.inf),), (_NANS.astype(np.float32).T,)]),
    (spread_without_nan, [(_SOME,)]),
]
