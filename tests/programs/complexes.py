"""Complex numbers: Python's and NumPy's, scalars and arrays."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math

import numpy as np

from tests.programs import Case


def arithmetic(a, b):
    return a + b, a - b, -a, +a


def product(a, b):
    return a * b


def quotient(a, b):
    return a / b


def equal(a, b):
    return a == b, a != b


def with_reals(a):
    return a + 1, 2.5 - a, a * 2, a / 2, a + True, a + 1j, a - 0.5j, a == 1, a != 2.5


def literals():
    return 1j, 2 + 3j, -1j, -(1 + 2j), 3.5e2j, 1j * 1j, (1 + 2j) * (3 - 4j)


def parts(z):
    return z.real, z.imag, z.conjugate()


def parts_of_reals(i, x, p):
    return i.real, i.imag, x.real, x.imag, p.real, p.imag, i.conjugate(), x.conjugate()


def made(x, y):
    return complex(x, y), complex(x), 0j, complex(imag=y), complex(x, 2)


def sizes(z):
    return abs(z)


def powers(z):
    return z**2, z**3


def truth(z):
    return bool(z), not z, 1 if z else 2, z and 3j, z or 3j


def text(z):
    return str(z), repr(z), f"{z} {z!r}", f"{z:.2f}"


def compared_with_an_int(z, n):
    return z == n, n != z


def accumulated(a):
    total = 0
    other = 0.0
    for z in a:
        total += z
        other = other + z * 2
    return total, other


def elements(a, i):
    a[i] = 1.5
    a[0] += 2j
    a[1:] = 1j
    return a[i], a


def in_place(a, b):
    a += b
    a -= 1
    a *= 2
    return a


def array_parts(a):
    real, imag = a.real, a.imag
    imag[0] = 7.0
    return real, imag, a, np.real(a), np.imag(a), real is None


def conjugates(a):
    return np.conj(a), a.conj(), a.conjugate(), np.conj(a[0]), np.conjugate(a.real)


def angles(a):
    return np.angle(a)


def folded(a):
    return np.sum(a), a.sum(), np.mean(a)


def folded_rows(a):
    return np.sum(a, axis=0), np.sum(a, axis=1, keepdims=True), np.mean(a, axis=1)


def summed_rows(a):
    return np.sum(a, axis=1), np.sum(a.real * a.imag, axis=-1), np.sum(a, axis=0, keepdims=True)


def added_rows(a):
    return np.sum(a, axis=0), np.mean(a, axis=0), np.sum(a * (1 + 1j), axis=0)


def added_planes(a):
    both = np.sum(a, axis=(0, 1))
    middle = np.sum(a, axis=1), np.sum(a, axis=(0, 2), keepdims=True)
    return both, middle, np.sum(np.sum(a, axis=2), axis=0), np.sum(np.conj(a) * a[0], axis=0).imag


def added_beside_others(a, b):
    stacked = np.sum(np.stack([a, b, a]), axis=0)
    return stacked, a.sum(axis=0), b.sum(axis=0), np.sum((a - a.mean(axis=0)) ** 2, axis=0)


def dotted(a, b):
    return np.dot(a, b), np.vdot(a, b)


def products(a, b):
    return a @ b, b @ a, np.dot(a, b[:, 0]), a[0] @ b


def matrix_product(a, b):
    return a @ b


def products_with_vectors(m, v, w):
    small = m[:, :2] @ w[:2] + v.real[0]
    return m @ w, v @ m, np.dot(m, w), v.conj() @ m, np.exp(v * 0) @ m, np.vdot(m[0], w), small


def products_of_sizes(v, w):
    return v @ w


def chained_products(total, a, b, scale):
    for i in range(len(a)):
        first = a[i] @ b[i]
        second = b[i] * scale[i]
        total[i] += first @ second
    return total


def product_into_its_operand(a, b):
    a[:] = a @ b
    a += b @ a
    return a


def views(a):
    return a[::-1], a.T, a[:, None], a[1:, 0].real, a.T.imag


def chosen(p, a, b):
    return np.where(p, a, b), np.where(p, a, 0), np.where(a, 1, 2)


def converted(a):
    return a.astype(np.complex64), a.astype(np.complex128), a.astype(np.bool_), a.astype(complex)


def scalar_conversions(x):
    return np.complex64(x), np.complex128(x), complex(x)


def promoted(a, b):
    return a + b, a * b, a == b


def fresh(n):
    a = np.zeros(n, dtype=np.complex128)
    b = np.ones((n, 2), dtype=complex)
    c = np.full(n, 1 - 2j)
    d = np.full(n, 3, dtype=np.complex64)
    return a, b, c, d, np.empty_like(a, dtype=np.complex64).shape


def missing(a):
    return np.isnan(a)


def escape(c, limit: int):
    z = 0j
    for n in range(limit):
        if abs(z) > 2.0:
            return n
        z = z * z + c
    return limit


def mandelbrot(xs, ys, limit):
    c = xs + ys[:, None] * 1j
    z = c * 0
    count = np.zeros(c.shape, dtype=np.int64)
    for n in range(limit):
        small = np.abs(z) < 2.0
        count[:] = np.where(small, n, count)
        z = np.where(small, z**2 + c, z)
    return z, count


def optional(z: complex | None):
    return 0j if z is None else z * 2


def listed(z, w):
    items = [z, w]
    items.append(z + w)
    return items, items[2]


def constant(a):
    return a + UNIT, a * SMALL


def branches(p, z):
    w = 0
    if p:
        w = z
    return w


UNIT, SMALL = 1j, np.complex64(0.5 - 2j)


def with_a_float_of_numpy(z, x):
    quotient = z / x if x != 0 else 0j
    return z + x, x + z, z * x, quotient, z == x, z - x


def added_up(values):
    total = 0j
    for value in values:
        total += value
    return total


def squares_of_bools(b):
    return b**2, ((b**2) * 100 + 100).sum(), b**3, b**2.0, b**0.5, b ** np.float32(2)


Z = np.array([1 + 2j, -0.5 + 0.25j, 3 - 4j, 0j, complex(-0.0, -0.0), 2])
W = np.array([0.5 - 1j, 2j, -1, 4 + 0.5j, 1, complex(0.0, -0.0)])
ODD = np.array(
    [
        complex(a, b)
        for a in (math.nan, math.inf, -math.inf, 0.0, 1.5)
        for b in (1.0, -0.0, math.inf)
    ]
)
GRID = np.array([[1 + 1j, 2 - 1j], [0.5j, -3]])
# Whole numbers, whose sums are exact in any order, and sizes on both sides of what BLAS is for.
WHOLE = (np.arange(144) % 7 - 3 + (np.arange(144) % 5 - 2) * 1j).reshape(12, 12)
MATRIX = ((np.arange(170) * 7 % 33 - 16) / 4 + 1j * (np.arange(170) * 5 % 17 - 8)).reshape(10, 17)
VECTORS = MATRIX, MATRIX[::-1, 3], MATRIX[2, ::-1]
FORTRAN = MATRIX.astype("F", order="F").astype(complex, order="F"), *VECTORS[1:]
FLIPPED = MATRIX[::-1, ::-1], *VECTORS[1:]
SINGLES = tuple(part.astype(np.complex64) for part in VECTORS)
STACK = WHOLE.reshape(-1)[:27].reshape(3, 3, 3)
SIZES = (
    (3, 3, 3),
    (1, 4, 2),
    (2, 0, 3),
    (0, 2, 3),
    (2, 3, 0),
    (5, 7, 4),
    (12, 12, 6),
    (12, 12, 12),
)
F = np.array([1.5, -2.0, 0.0, 4.0, 0.25, -1.0])
FLAGS = np.array([True, False, True, False, True, False])
# Whole numbers: their sums are exact in any order.
LARGE = (np.arange(6150) % 97 - 1j * (np.arange(6150) % 89)).reshape(6, 1025)
SINGLE = Z.astype(np.complex64)
NUMBERS = [(1 + 2j, 3 - 4j), (0j, 1 + 0j), (1j, 0j), (2 + 0j, 1e-3j), (complex(-0.0, 0.0), 2j)]
NUMBERS += [
    (complex(math.inf, 1), 1 + 1j),
    (1 + 1j, complex(math.nan, 0)),
    (1e300 + 1e300j, 2e-300j),
]
NUMPY = [(np.complex128(z), np.complex128(w)) for z, w in NUMBERS]
PAIRS = [(Z, W), (SINGLE, W.astype("F")), (Z[::-1], W), (ODD, ODD[::-1])]


def ordered(x, y):
    return x < y, x <= y, x > y, x >= y


_CORNERS = np.array([complex(a, b) for a in (0.0, 1.0, math.nan) for b in (-0.0, 1.0, math.nan)])


def of_texts(texts):
    found = []
    for text in texts:
        try:
            found.append(complex(text))
        except ValueError as error:
            found.append(str(error))
    return found


CASES: list[Case] = [
    (
        of_texts,
        [
            (["1+2j", "-1j", "j", "+j", "-j", "1", "1e5", "1e-5j", "1e-5+2e3J", "1_0+2j", "5."],),
            (["nan", "inf", "-infj", "nan+infj", "infinity", "(1+2j)", " ( 1+2j ) ", "  7j  "],),
            (
                [
                    "1 + 2j",
                    "",
                    "()",
                    "1+",
                    "x",
                    "1+2",
                    "j1",
                    "--1j",
                    "1++2j",
                    "(1+2j",
                    "2j+1",
                    "0xj",
                ],
            ),
        ],
    ),
    (ordered, [(_CORNERS[:, None], _CORNERS), (_CORNERS, 1.0), (1j, _CORNERS), (_CORNERS, 0)]),
    (ordered, [(z, np.complex128(1 + 1j)) for z in _CORNERS]),
    (ordered, [(np.complex64(1j), np.float32(0)), (np.complex128(2), 3j)]),
    (arithmetic, [*NUMBERS, *NUMPY, *PAIRS]),
    (product, [*NUMBERS, *NUMPY, *PAIRS[:3]]),
    (quotient, [*NUMBERS, *NUMPY, *PAIRS]),
    (equal, [*NUMBERS, *NUMPY, *PAIRS, (1 + 0j, 1.0), (2j, np.complex64(2j))]),
    (with_reals, [(1 + 2j,), (np.complex128(1 - 1j),), (np.complex64(2j),), (Z,), (SINGLE,)]),
    (literals, [()]),
    (parts, [(1 + 2j,), (np.complex128(1 - 1j),), (np.complex64(2j),)]),
    (parts_of_reals, [(3, 1.5, True), (np.int8(3), np.float32(1.5), np.int64(1))]),
    (made, [(1.0, 2.0), (3, 4), (np.float64(1), True), (-0.0, -0.0)]),
    (sizes, [(3 + 4j,), (np.complex128(-3 + 4j),), (1e308 + 1e308j,), (complex(math.inf, 1),)]),
    (sizes, [(np.complex128(1e308 + 1e308j),), (Z,), (complex(math.nan, math.inf),)]),
    (powers, [(1 + 2j,), (0j,), (np.complex128(2 - 1j),), (Z,), (1e200 + 1j,), (-0.5j,)]),
    (truth, [(0j,), (1j,), (1 + 0j,), (complex(math.nan, 0),), (complex(-0.0, 0.0),)]),
    (text, [(1 + 2j,), (-0j,), (np.complex128(1.5 - 1j),), (np.complex64(2j),)]),
    (compared_with_an_int, [(1 + 0j, 1), (complex(2.0**53), 2**53 + 1), (1j, 0), (1 + 0j, True)]),
    (accumulated, [(Z,), (SINGLE,)]),
    (elements, [(Z, 2), (SINGLE, -1), (Z, 9)]),
    (in_place, [(Z, W), (SINGLE, W), (Z, F), (Z, 2j), (Z, np.arange(6))]),
    (array_parts, [(Z,), (SINGLE,), (Z[::-2],)]),
    (conjugates, [(Z,), (SINGLE,)]),
    (angles, [(np.array([1j, -1, 1, -2j]),), (np.complex128(1j),)]),
    (folded, [(Z[:4],), (SINGLE[:4],), (Z[:0],), (Z[:2:-2],)]),
    (folded, [(LARGE,), (LARGE[:, ::-2],), (LARGE.astype(np.complex64),), (LARGE.reshape(-1, 5),)]),
    (summed_rows, [(LARGE,), (LARGE[:, :31].astype(np.complex64),), (LARGE.reshape(-1, 30),)]),
    (added_rows, [(LARGE,), (LARGE.T,), (LARGE[::-2, ::3],), (LARGE.reshape(-1, 3),)]),
    (added_rows, [(np.asfortranarray(LARGE),), (LARGE.astype(np.complex64).T,), (LARGE[:, :0],)]),
    (added_rows, [(LARGE.reshape(2050, 3)[:0],), (np.full((1, 2), complex(-0.0, -0.0)),)]),
    (added_planes, [(STACK,), (STACK.T,), (STACK[:, ::2],), (LARGE.reshape(-1, 5, 6),)]),
    (added_beside_others, [(WHOLE[:8], WHOLE[2:10].T.copy().T), (LARGE[:4], LARGE[2:])]),
    (dotted, [(LARGE[0], LARGE[1]), (LARGE[0].astype(np.complex64), LARGE[1, ::-1])]),
    (folded_rows, [(GRID,), (GRID.T,), (np.zeros((0, 3), complex),)]),
    (products, [(GRID, GRID.T), (GRID.astype("F"), GRID.astype("F"))]),
    (products_with_vectors, [VECTORS, FORTRAN, FLIPPED, SINGLES]),
    (products_of_sizes, [(Z, W), (Z, W[:3]), (Z, W[:1]), (Z[:0], W[:0]), (SINGLE, F)]),
    (products_of_sizes, [(GRID, Z[:2]), (GRID, Z[:1]), (Z[:1], GRID), (np.eye(2), Z[1:3])]),
    (matrix_product, [(WHOLE[:m, :k], WHOLE[:k, :n].T[::-1].T) for m, k, n in SIZES]),
    (matrix_product, [(WHOLE.T, WHOLE[::-1]), (WHOLE[:2, :3], WHOLE[:2, :3]), (WHOLE, WHOLE)]),
    (matrix_product, [(WHOLE.astype("F"), WHOLE.astype("F")[:, ::2])]),
    (chained_products, [(STACK * 0, STACK, STACK[::-1], Z[:3]), (STACK[:0], STACK[:0], STACK, Z)]),
    (product_into_its_operand, [(STACK[0], STACK[1]), (WHOLE, WHOLE.T), (STACK[1], STACK[1])]),
    (views, [(GRID,), (GRID[::-1, ::-1],)]),
    (chosen, [(FLAGS, Z, W), (FLAGS, SINGLE, W)]),
    (converted, [(Z,), (SINGLE,), (F,), (FLAGS,), (np.arange(6, dtype=np.uint8),)]),
    (scalar_conversions, [(1,), (1.5,), (2j,), (True,), (np.int8(3),), (np.complex64(1 - 1j),)]),
    (promoted, [(Z, F), (SINGLE, F), (SINGLE, F.astype("f")), (SINGLE, np.arange(6))]),
    (promoted, [(F.astype("f"), 1j), (F, 1j), (np.arange(6), 1j), (FLAGS, 2j), (SINGLE, 1.5)]),
    (fresh, [(3,), (0,)]),
    (missing, [(ODD,), (np.complex128(complex(0, math.nan)),)]),
    (escape, [(0.25 + 0.5j, 50), (1 + 1j, 50)]),
    (mandelbrot, [(np.array([-2.0, -0.5, 0.25]), np.array([-1.0, 0.0, 0.5]), 6)]),
    (optional, [(1j,), (None,)]),
    (listed, [(1j, 2 + 1j), (np.complex128(1j), np.complex128(2))]),
    (constant, [(Z,), (SINGLE,), (2j,)]),
    (branches, [(True, 2j)]),
]

CASES += [
    (with_a_float_of_numpy, [(z, np.float64(x)) for z in (1 + 2j, 0j) for x in (0.0, -1.0, 2.0)]),
    (with_a_float_of_numpy, [(1e200 + 0j, np.float64(3)), (1j, np.float32(2)), (1j, np.int64(2))]),
    (added_up, [(F,), (F[:0],), (Z,), (SINGLE,)]),
    (squares_of_bools, [(FLAGS,), (FLAGS[:0],)]),
]

MERGED: list[Case] = [
    (branches, [(False, 2j), (False, np.complex64(2j))]),
    (accumulated, [(Z[:0],)]),
]
