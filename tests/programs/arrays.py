"""Arrays: elements, views, writes, elementwise expressions, reductions."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: SIM113

import numpy as np

from scriptc.types import f64
from tests.programs import Case

A = np.array([[1.0, -2.0, 3.5], [0.25, 5.0, -6.0]])
V = np.array([1.0, -2.0, 0.5, 4.0])
W = np.array([3, -1, 4, 1, -5])
F = np.array([0.5, 1.5, -2.5], dtype=np.float32)
P = np.array([True, False, True])
EMPTY = np.zeros(0)
CUBE = np.arange(24.0).reshape(2, 3, 4)


def element(a, i):
    return a[i]


def element_2d(a, i, j):
    return a[i, j], a[i][j], a[-1, j]


def sum_elements(a):
    total = 0.0
    for i in range(len(a)):
        total += a[i]
    return total


def iterate(a):
    total = 0
    for x in a:
        total = total + x
    return total


def iterate_rows(a):
    out = np.zeros(a.shape[1])
    count = 0
    for row in a:
        out += row * count
        count += 1
    return out


def enumerate_array(a):
    best, where = a[0], 0
    for i, x in enumerate(a):
        if x > best:
            best, where = x, i
    return best, where


def zip_arrays(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=False):
        total += x * y
    return total


def slices(a):
    return a[1:3], a[:-1], a[::2], a[::-1], a[3:0:-2], a[-2:], a[10:], a[:], a[2:1]


def slice_bounds(a, i, j, k):
    return a[i:j:k]


def slices_2d(a):
    return a[0], a[:, 1], a[1:, ::-1], a[:, None, 0], a[..., -1], a[0, ...], a[None], a[-1:, 1:]


def slices_3d(a):
    return a[1, :, 2], a[:, 1:, ::2], a[0][1], a[..., 0], a[1, ..., 1]


def transposed(a):
    return a.T, a.T[0], np.transpose(a)


def attributes(a):
    rows, columns = a.shape
    return rows, columns, a.ndim, a.size, len(a), a.shape[-1]


def write(a, i, x):
    a[i] = x
    a[0] += 2
    a[-1] *= 3
    return a[i]


def write_slices(a):
    a[1:3] = 7
    a[::2] = a[::2] * 2
    a[:] += 1
    a[-1:] -= 0.5
    return a


def write_overlap(a):
    a[1:] = a[:-1]
    a[:-1] = a[1:] * 2
    return a


def write_2d(a):
    a[0, 1:] = a[1, :-1]
    a[:, 0] = 9
    a[1] = a[0] + 1
    a[..., -1] = -1
    return a


def write_wrong_shape(a, b):
    a[:] = b


def alias_write(a):
    b = a
    c = a[1:]
    b[0] = 10
    c[0] = 20
    return a[0] + a[1]


def in_place(a, b):
    a += b
    a *= 2
    a -= 1
    return a


def rebind(a):
    b = a
    b = b + 1
    return a, b


def augmented_view(a):
    b = a[1:]
    b *= 10
    return a


def elementwise(a, b):
    return a + b * 2 - 1, a / b, -a, abs(a), a**2, a > b, (a > 0) & (b > 0), ~(a < b)


def integers(a):
    return a // 2, a % 3, a & 3, a | 1, a ^ 5, a << 1, a >> 1, a * a, a / 2, a + 0.5, -a, ~a


def int_division_by_zero(a):
    return a // 0, a % 0, a / 0


def broadcasting(a, v):
    return a + v, a * v[None, :], a - a[:, :1], v[:, None] * v, a[0] + 1


def broadcast_error(a, b):
    return a + b


def weak_scalars(a, x, n):
    return a * x, a + n, a > x, n - a, a / n, a * True


def mixed_dtypes(a, b):
    return a + b, a * b, a < b


def scalar_dtypes(x, y):
    return x + y, x * y, x < y, x / 2, x + 1, x * 0.5


def numpy_scalar_math(a, i):
    x = a[i]
    return x * 2, x / 0, x + 1.5, -x, abs(x), x > 0, x == x, int(x), float(x), bool(x), not x


def wrap(x, y):
    return x * y, x + y


def float32_math(a):
    s = np.float32(0)
    for x in a:
        s = s + x * 2.0
    t = 0.0
    for x in a:
        t += x
    return s, t, a * 2.5


def ufuncs(a):
    return np.sqrt(a * a), np.exp(a * 0), np.log(a * 0 + 1), np.abs(a), np.maximum(a, 0)


def ufunc_scalars(x):
    return np.sqrt(x), np.abs(x), np.maximum(x, 2), np.minimum(x, 2.5), np.isnan(x)


def sqrt_negative(a):
    return np.sqrt(a), np.log(a)


def where(a):
    return np.where(a > 0, a, 0), np.where(a > 0, 1, -1), np.where(a, 1.5, a)


def where_scalar(x):
    return np.where(x > 0, 1.0, 2.0)


def reductions(a):
    return np.sum(a), np.max(a), np.min(a), a.sum(), a.max(), a.min(), np.mean(a), np.var(a)


def reductions_axis(a):
    return (
        np.sum(a, axis=0),
        np.sum(a, axis=-1),
        a.max(axis=1),
        np.min(a, axis=0, keepdims=True),
        a.mean(axis=1, keepdims=True),
        np.argmax(a, axis=1),
        np.argmax(a),
        np.var(a, axis=0),
        np.sum(a, axis=(0, 1)),
    )


def reduction_empty(a):
    return np.sum(a), np.mean(a)


def max_empty(a):
    return np.max(a)


def reduced_without_axes(c):
    x = np.where(c, 1.5, 2.5)
    return np.mean(x), np.var(x), np.argmax(x), np.sum(x), np.max(x)


def argmax_of_many_axes(a):
    return np.argmax(a, axis=0), np.argmax(a, axis=2), np.argmax(a)


def argmax_of_columns(a):
    return np.argmax(a, axis=0)


def argmax_nan(a):
    b = a * 1
    b[1] = np.nan
    return np.argmax(b), np.max(b), np.min(b), np.argmax(a)


def clip(a):
    return np.clip(a, -1, 2), np.clip(a, a[0], 3)


def clip_sized(a: f64[2, 3], low: f64[1, 3], high: f64[3], one: f64[2, 1]):  # pyright: ignore
    return np.clip(np.clip(a, low, high), 0.25, high) + np.clip(one, low, high)


def create(n, m):
    z = np.zeros((n, m))
    o = np.ones(n, dtype=np.int64)
    f = np.full((m, n), 2.5)
    g = np.full(3, n)
    e = np.empty(n)
    e[:] = 1
    return z, o, f, g, e, np.zeros(3), np.zeros((), dtype=np.float32), np.ones((2, 2), np.bool_)


def create_like(a):
    return np.zeros_like(a), np.ones_like(a), np.empty_like(a).shape, np.zeros(a.shape)


def create_negative(n):
    return np.zeros(n)


def ranges(n, x):
    return np.arange(n), np.arange(2, n), np.arange(n, 0, -2), np.arange(0.0, x, 0.25)


def ranges_of_one_bound(n, x):
    """One bound is the end, whatever follows it."""
    by_step = np.arange(n, step=2), np.arange(n, step=-1), np.arange(x, step=0.5)
    by_none = np.arange(n, None, 3), np.arange(2, n, None), np.arange(2, n, step=None)
    return by_step, by_none, np.arange(n, None, dtype=np.int8)


def products(a, v):
    return a @ v, v @ a.T, a @ a.T, a.T @ a, v @ v, np.dot(a, v), a.dot(v), np.matmul(a, v)


def product_mismatch(a, b):
    return a @ b


def copies(a):
    b = a.copy()
    b[0] = 100
    c = np.copy(a)
    return a, b, c


def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def blur(a):
    out = a.copy()
    out[1:-1] = 0.5 * (a[:-2] + a[2:])
    return out


def matrix_loop(a):
    n, m = a.shape
    out = np.zeros((m, n))
    for i in range(n):
        for j in range(m):
            out[j, i] = a[i, j] * (i + 1)
    return out


def histogram(a, bins):
    counts = np.zeros(bins, dtype=np.int64)
    for x in a:
        counts[int(abs(x)) % bins] += 1
    return counts


def precise_error(a, n):
    for i in range(n):
        a[i] = a[i] + 1
    return a


def conditions(a):
    count = 0
    if (a[0] > 0 and a[1] > 0) or a[2] > 0:
        count += 1
    if not a[0] < 0:
        count += 10
    found = False
    for x in a:
        found = x > 3
        if found:
            break
    return count, found


def ndim_specialised(a):
    if a.ndim == 1:
        return np.sum(a)
    return np.sum(a[0])


def bool_arrays(p):
    return p & True, ~p, p | ~p, np.sum(p), p * 2, p == p, np.max(p), np.where(p, 1, 2)


def index_types(a, i):
    j = np.int64(1)
    return a[j], a[i % 2], a[-j]


def rank_zero(x):
    z = np.zeros(())
    z[...] = x
    return z, z + 1, z.ndim


def empty_loops(a):
    total = 1.0
    for x in a:
        total *= x
    return total, a[1:], a * 2


MATRIX = [(A,), (np.array([[1.0]]),)]
CASES: list[Case] = [
    (element, [(V, 0), (V, -1), (V, 4), (V, -5), (W, 2), (P, 1), (F, 0)]),
    (element_2d, [(A, 0, 1), (A, -1, -3), (A, 2, 0), (A, 0, 3)]),
    (sum_elements, [(V,), (W,)]),
    (iterate, [(V,), (W,), (F,)]),
    (iterate_rows, [(A,), (CUBE[0],)]),
    (enumerate_array, [(V,), (W,)]),
    (zip_arrays, [(V, W), (F, V)]),
    (slices, [(V,), (W,), (EMPTY,), (F,)]),
    (slice_bounds, [(W, 0, 5, 2), (W, 4, 0, -1), (W, -10, 10, 3), (W, 1, 3, 0)]),
    (slices_2d, [(A,), (A.T,)]),
    (slices_3d, [(CUBE,)]),
    (transposed, [(A,), (A.T,)]),
    (attributes, [(A,), (A.T,)]),
    (write, [(V, 1, 2.5), (V, -1, 3), (V, 9, 1.0), (W, 2, 7), (F, 0, 0.1)]),
    (write_slices, [(V,), (F,)]),
    (write_overlap, [(V,), (W,)]),
    (write_2d, [(A,), (A.T.copy(),)]),
    (write_wrong_shape, [(V, np.ones(3)), (V, np.ones(1)), (V, np.ones(4))]),
    (alias_write, [(V,)]),
    (in_place, [(V, V), (V, 2), (W, 3), (F, 0.5), (V, np.ones(3)), (V, np.ones(1))]),
    (rebind, [(V,)]),
    (augmented_view, [(V,), (W,)]),
    (elementwise, [(V, V[::-1]), (A, A * 2)]),
    (integers, [(W,)]),
    (int_division_by_zero, [(W,)]),
    (broadcasting, [(A, np.array([1.0, 2.0, 3.0]))]),
    (broadcast_error, [(V, np.ones(3)), (V, np.ones(1)), (A, V)]),
    (weak_scalars, [(V, 0.5, 2), (F, 0.1, 3), (W, 1.5, -2)]),
    (mixed_dtypes, [(V, W[:4]), (F, W[:3]), (F, V[:3]), (W, W)]),
    (scalar_dtypes, [(np.float32(0.1), 2), (np.float32(0.1), np.float64(2)), (np.int64(7), 2)]),
    (scalar_dtypes, [(np.int64(7), np.float32(2)), (np.float64(3), 1.5), (np.int64(2), 2.5)]),
    (numpy_scalar_math, [(V, 0), (W, 1), (F, 2)]),
    (wrap, [(np.int64(2**62), np.int64(4)), (np.int64(2**62), 3)]),
    (float32_math, [(F,)]),
    (ufuncs, [(V,), (A,), (F,)]),
    (ufunc_scalars, [(4.0,), (9,), (np.float32(2),), (np.int64(16),)]),
    (sqrt_negative, [(V,)]),
    (where, [(V,), (W,), (F,)]),
    (where_scalar, [(V,), (1.0,), (np.float64(-1),)]),
    (reductions, [(V,), (A,), (W,), (A.T,)]),
    (reductions_axis, [(A,), (A.T,)]),
    (reduction_empty, [(EMPTY,)]),
    (max_empty, [(EMPTY,), (V,)]),
    (argmax_nan, [(V,)]),
    (reduced_without_axes, [(True,), (False,)]),
    (argmax_of_many_axes, [(CUBE.reshape(2, 3, 2, 2) % 7,)]),
    (argmax_of_columns, [(A,), (np.zeros((2, 0)),), (np.zeros((0, 2)),)]),
    (clip, [(V,), (W,)]),
    (clip_sized, [(A, A[:1], A[1] + 2.0, A[:, 1:2]), (A, A[1:], A[0], A[:, :1])]),
    (create, [(2, 3), (0, 2)]),
    (create_like, [(V,), (A,), (W,)]),
    (create_negative, [(2,), (-1,)]),
    (ranges, [(5, 1.0), (0, 0.0)]),
    (ranges_of_one_bound, [(5, 1.0), (-8, -1.5), (0, 0.0)]),
    (products, [(A, np.array([1.0, 2.0, 4.0]))]),
    (product_mismatch, [(A, V), (A, A)]),
    (copies, [(V,)]),
    (softmax, [(np.zeros((2, 4)),)]),
    (blur, [(V,), (EMPTY,)]),
    (matrix_loop, MATRIX),
    (histogram, [(V, 3), (V, 5)]),
    (precise_error, [(V, 4), (V, 6)]),
    (conditions, [(V,), (W,)]),
    (ndim_specialised, [(V,), (A,)]),
    (bool_arrays, [(P,)]),
    (index_types, [(V, 3)]),
    (rank_zero, [(2.5,)]),
    (empty_loops, [(V,)]),
]
# A literal takes the type it is merged with: equal in value to what CPython has.
MERGED: list[Case] = [
    (sum_elements, [(EMPTY,)]),
    (iterate, [(EMPTY,)]),
    (zip_arrays, [(V, EMPTY)]),
]
