"""Kinds of programs that a device must run: short functions, each with arguments of a given size.

What they do is told by their names.  They have no annotations: arguments say their types.
"""

# Functions without annotations, as users write them.
# pyright: basic

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from scriptc import prange


def fused_broadcasting(x, y):
    return x * y[0] + 2.0 * x - y[:, :1]


def fused_f32(x, y):
    return (x - y) * (x + y) / np.float32(3)


def integers_wrap(i, j):
    return i * j + (i ^ j) - (i >> 3)


def int_floor_division(i, j):
    return i // j, i % j


def sums_over_rows(x, y):
    return np.sum(x, axis=1), np.max(y, axis=1)


def sums_over_columns(x, y):
    return np.sum(x, axis=0), np.min(y, axis=0)


def sums_over_the_middle(b):
    return np.sum(b, axis=1)


def mean_and_variance(x):
    return x.mean(axis=1), x.var(axis=1), x.std(axis=1)


def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def softmax_over_two_axes(b):
    e = np.exp(b - np.max(b, axis=(1, 2), keepdims=True))
    return e / np.sum(e, axis=(1, 2), keepdims=True)


def layer_norm(x, v):
    mean = x.mean(axis=1, keepdims=True)
    spread = np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
    return (x - mean) / spread * v + v


def product(x, y):
    return x @ y.T


def linear_relu(x, y):
    return np.maximum(x @ y.T, 0.0)


def product_of_ints(i, j):
    return i @ j.T


def jacobi(x):
    out = np.zeros_like(x)
    out[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    return out


def columns_moved(x):
    for i in range(x.shape[1]):
        x[1:, i] = x[:-1, i]
    return x


def stencil_in_place(v):
    v[1:-1] = 0.5 * (v[:-2] + v[2:])


def mask_assignment(v):
    v[v > 0.5] = -1.0
    return v


def masked_update(v, w):
    v[w < 0] += w[w < 0]
    return v


def black_scholes(v, w):
    s, k = 90 + 10 * np.abs(v), 95 + np.abs(w)
    d = (np.log(s / k) + 0.02) / 0.2
    return s * (1 / (1 + np.exp(-d))) - k * np.exp(-0.01) * (1 / (1 + np.exp(0.2 - d)))


def bodies_by_broadcasting(v, w):
    dx, dy = v[:, None] - v, w[:, None] - w
    inverse = 1.0 / (dx * dx + dy * dy + 0.1)
    return np.sum(dx * inverse, axis=1), np.sum(dy * inverse, axis=1)


def until_it_converges(v):
    rounds = 0
    while np.max(np.abs(v)) > 0.1 and rounds < 4:
        v = v * 0.25
        rounds += 1
    return v, rounds


def transposed_and_joined(x, y):
    return np.concatenate((x.T, y.T), axis=1)


def einsum_of_matrices(x, y):
    return np.einsum("ij,ij->i", x, y)


def clip_diff_roll(v):
    return np.clip(v, -0.5, 0.5), np.diff(v), np.roll(v, 3)


def any_and_all(x):
    return np.any(x > 2.0), np.all(x > -9.0), np.any(x > 1.0, axis=1)


def steps_in_place(v):
    v[::2] *= 2.0
    v[1::3] -= 1.0


def list_of_arrays(pieces):
    total = pieces[0] * 0.0
    for piece in pieces:
        total = total + piece
    return total


def conjugate_gradient(x, v):
    a = x[:8, :8] @ x[:8, :8].T + 8.0 * np.eye(8)
    b = v[:8]
    found, rest = np.zeros(8), b.copy()
    way, size = rest.copy(), np.sum(rest * rest)
    for _ in range(3):
        image = a @ way
        step = size / np.sum(way * image)
        found += step * way
        rest -= step * image
        new = np.sum(rest * rest)
        way = rest + new / size * way
        size = new
    return found


def inverse_by_rows(x):
    a = x[:6, :6] + 9.0 * np.eye(6)
    b = np.eye(6)
    for k in range(6):
        pivot = a[k, k]
        a[k] /= pivot
        b[k] /= pivot
        for i in range(6):
            if i != k:
                factor = a[i, k]
                a[i] -= factor * a[k]
                b[i] -= factor * b[k]
    return b


def rank_four(b):
    return (b[:, None] * b[None]).sum(axis=2)


def image_slices(u):
    return u[::2, 1:-1] // 2 + u[::2, :-2] // 4 + u[::2, 2:] // 4


def sum_of_all(x):
    return np.sum(x)


def masked_sum(x):
    return np.sum(np.where(x > 0, x, 0.0)), np.count_nonzero(x > 0)


def compress(v):
    return v[v > 0.5]


def gather(v, at):
    return v[at]


def scatter(v, at):
    v[at] = np.arange(len(at)) * 0.5
    return v


def add_at(v, at):
    np.add.at(v, at, 1.5)
    return v


def argmax_of_all(v):
    return np.argmax(v), np.argmin(v)


def argmax_of_rows(s):
    rows = s.reshape(len(s) // 14, 14)
    return np.argmax(rows, axis=1), np.argmin(rows, axis=1)


def cumulative_sum(v, i):
    return np.cumsum(v), np.cumsum(i, axis=1)


def bincount(at):
    return np.bincount(at, minlength=5)


def histogram(v):
    return np.histogram(v, bins=8, range=(-2.0, 2.0))


def sorted_rows(x, v):
    return np.sort(v), np.sort(x, axis=1), np.argsort(v)


def prange_scalars(v):
    out = np.empty(len(v))
    for i in prange(len(v)):
        t = v[i]
        for _ in range(3):
            t = t * 0.5 + 1.0
        out[i] = t
    return out


def prange_sum(i):
    total = 0
    for k in prange(len(i)):
        total += int(i[k, 0]) * 3
    return total


def plain_loops(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        for j in range(x.shape[1]):
            out[i] += x[i, j] * x[i, j]
    return out


def lu_in_place(x):
    a = x[:6, :6] + 9.0 * np.eye(6)
    for k in range(6):
        for i in range(k + 1, 6):
            a[i, k] /= a[k, k]
            for j in range(k + 1, 6):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def mandelbrot(v, w):
    out = np.zeros(len(v), np.int64)
    for i in prange(len(v)):
        a, b, count = 0.0, 0.0, 0
        while a * a + b * b < 4.0 and count < 20:
            a, b = a * a - b * b + v[i], 2.0 * a * b + w[i]
            count += 1
        out[i] = count
    return out


def mandelbrot_of_complex(v, w):
    out = np.zeros(len(v), np.int64)
    for i in prange(len(v)):
        z, count = 0j, 0
        while abs(z) < 2.0 and count < 20:
            z = z * z + complex(v[i], w[i])
            count += 1
        out[i] = count
    return out


def quotients_of_complex(c, v):
    out = np.zeros(len(c), np.complex128)
    for i in prange(len(c)):
        z = complex(c[i])
        out[i] = z / complex(v[i], 1.0) + complex(v[i], 0.5) / (z + 0.3j)
    return out


def division_by_complex_zero(c):
    out = np.zeros(len(c), np.complex128)
    for i in prange(len(c)):
        out[i] = complex(c[i]) / (complex(c[i]) - complex(c[5]))
    return out


def absolute_that_overflows(c):
    out = np.zeros(len(c))
    for i in prange(len(c)):
        out[i] = abs(complex(c[i]) * 1e308 + 1e308j)
    return out


def sums_in_iterations(x):
    out = np.zeros(len(x))
    for i in prange(len(x)):
        out[i] = np.sum(x[i, :i]) + np.max(x[i]) - np.mean(x[i] * x[i])
    return out


def sums_of_slices(v, at):
    out = np.zeros(len(at))
    for i in prange(len(at)):
        out[i] = np.sum(v[at[i] :])
    return out


def ints_beside_floats(v, at):
    out = np.zeros(len(v), np.int64)
    for i in prange(len(v)):
        if int(at[i]) - 5 < float(v[i]) * 8.0:
            out[i] = 1
        elif int(at[i]) != float(v[i]) + 2.0:
            out[i] = 2
    return out


def signed_beside_unsigned(g):
    u = g.astype(np.uint64)
    return u > g, u == g, g <= u, u[::-1] != g


def early_exit(v):
    for i in range(len(v)):
        if v[i] > 1.0:
            return i
    return -1


def found_with_break(v):
    at = -1
    for i in range(len(v)):
        if v[i] < -1.0:
            at = i
            break
    return at


def random_numbers(v):
    return v + np.random.default_rng(3).random(len(v))


def list_of_sums(x):
    return [np.sum(row) for row in x[:3]]


def list_to_array(numbers, v):
    return np.array(numbers)[: len(v)] * v[: len(numbers)]


def loop_over_a_list(numbers):
    total = 0.0
    for number in numbers:
        total += number * 2.0
    return total


def caught_error(v, at):
    try:
        return v[at[0] + 10_000_000]
    except IndexError:
        return v[0]


def printing(v):
    print("first", len(v))
    return v + 1.0


def index_error(v, at):
    return v[at + len(v)]


def shapes_differ(v, x):
    return v[:3] + x[0, :4]


def users_error(v):
    if np.sum(v * v) > 0.0:
        raise ValueError("no zeros")
    return v


def negative_power(i):
    return i ** -(np.abs(i) + 1)


def one_array_twice(v):
    return _shifted(v, v)


def _shifted(a, b):
    a[1:] = b[:-1] + 1.0
    return a


def shifted_views(v):
    w = v[1:]
    w += v[:-1]
    return v


def negative_strides(v, x):
    return v[::-1] - v, x[::-1, ::-2] * 2.0


def fortran_order(t):
    return t + 1.0, np.sum(t, axis=0)


def empty_arrays(v):
    e = v[:0]
    return e + 1.0, np.sum(e), np.cumsum(e)


def special_values(s):
    return s + 1.0, np.maximum(s, 1.0), s * s, np.sum(s[:3]), s == s


def ends_of_integers(g):
    return g + g, g * 2, g - 1, np.sum(g), np.max(g)


def halves(h):
    return h * h + np.float16(1), np.sum(h.astype(np.float32))


def small_ints(u):
    return u + u, u * np.uint8(3), ~u, ~u >> 1


def ints_of_32_bits(k):
    return k * k - k, np.sum(k), np.cumsum(k)


def complex_numbers(c):
    return c * c + 1j, np.abs(c), np.sum(c), c.real - c.imag


def complex_of_64_bits(d):
    return d * d, d + np.complex64(2)


def bool_arrays(x):
    m = x > 0
    return m & (x < 1), m ^ m, np.sum(m, axis=0), ~m


def normalised_without_wait(v):
    return v / np.sqrt(np.sum(v * v))


def scalar_functions(v):
    return math.sqrt(float(np.sum(v * v))), len(v)


def matrix_vector(x, v):
    return x @ v[: x.shape[1]]


def outer_products(v, w):
    return np.outer(v, w)


def time_steps(v):
    u = v.copy()
    for _ in range(5):
        u[1:-1] += 0.1 * (u[:-2] - 2.0 * u[1:-1] + u[2:])
    return u


def stacked(v, w):
    return np.stack((v, w)), np.where(v > w, v, w)


# Products of matrices, which a device adds in an order of its own.
ROUNDED = frozenset(
    ("product", "linear_relu", "conjugate_gradient", "einsum_of_matrices", "matrix_vector")
)

KINDS: list[Callable[..., Any]] = [
    function
    for name, function in list(globals().items())
    if not name.startswith("_") and getattr(function, "__module__", "") == __name__
]


def arguments(function: Any, size: int) -> tuple[Any, ...]:
    """Return what a function is called with, where arrays have about so many rows."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    single = function.__name__ == "fused_f32"
    found = [_ARGUMENTS[name](np.random.default_rng([size, ord(name[0])]), size) for name in names]
    return tuple(a.astype(np.float32) if single else a for a in found)


def _exact(rng, n):
    """Return multiples of 1/8, whose sums are exact in any order, but where they are divided."""
    return np.round(rng.standard_normal((n, n + 3)) * 8) / 8


def _integers(rng, n):
    return np.where((found := rng.integers(-40, 40, (n, n + 3))) == 0, 7, found)


def _complex(rng, n):
    return _exact(rng, n)[0] + 1j * _exact(rng, n)[0]


# By the names of parameters.
_ARGUMENTS = {
    **dict.fromkeys(("x", "y"), _exact),
    **dict.fromkeys(("v", "w"), lambda rng, n: _exact(rng, n)[0]),
    **dict.fromkeys(("i", "j"), _integers),
    "t": lambda rng, n: np.asfortranarray(_exact(rng, n)),
    "b": lambda rng, n: _exact(rng, n)[:6, :5, None] + _exact(rng, n)[0],
    "at": lambda rng, n: rng.integers(0, n, 2 * n),
    "k": lambda rng, n: _integers(rng, n)[0].astype(np.int32) * 50_000,
    "u": lambda rng, n: rng.integers(0, 256, (n, n)).astype(np.uint8),
    "h": lambda rng, n: _exact(rng, n)[0].astype(np.float16),
    "c": _complex,
    "d": lambda rng, n: _complex(rng, n).astype(np.complex64),
    "s": lambda _, n: np.array([0.0, -0.0, 1e308, math.inf, -math.inf, math.nan, 5e-324] * n),
    "g": lambda _, n: np.array([2**62, -(2**63), 2**63 - 1, -1, 0] * n),
    "pieces": lambda rng, n: [*_exact(rng, n)[:3]],
    "numbers": lambda rng, n: _exact(rng, n)[0].tolist(),
}
