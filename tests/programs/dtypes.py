"""Every dtype of NumPy's numbers: promotion, wrapping, conversions, scalars and arrays."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math

import numpy as np

from tests.programs import Case

INTEGERS = tuple(np.dtype(code) for code in "bhilBHIL")
SIGNED, UNSIGNED = INTEGERS[:4], INTEGERS[4:]
FLAGS = np.array([True, False, True, False, True])


def edges(dtype):
    """An array with the ends of an integer dtype, every second element of a longer one."""
    limits = np.iinfo(dtype)
    values = [1, 3, 0, limits.max, limits.min, 7, limits.max - 1]
    return np.array([[v, 9] for v in values], dtype)[:, 0]


def small(dtype, *values):
    return np.array(values, dtype)


def arithmetic(a, b):
    return a + b, a - b, a * b


def division(a, b):
    return a / b, a // b, a % b


def with_ints(a):
    return a + 1, 2 * a, a - 3, a // 2, a % 3, 100 // a, a**2, a**3, a / 2


def with_floats(a):
    return a + 0.5, 2.0 * a, a / 2.5, a // 1.5


def with_bools(a, p):
    return a + p, a * p, a + True, np.maximum(a, p), p < a


def bits(a, b):
    return a & b, a | b, a ^ b, ~a, a & 1, a | 2


def shifted(a, n):
    return a << n, a >> n, a << 1, a >> 2


def unary(a):
    return -a, +a, abs(a), np.abs(a)


def compared(a, b):
    return a < b, a <= b, a == b, a != b, a > b, a >= b


def compared_with_an_int(a, n):
    return a < n, a == n, n <= a, n != a, a > 300, a >= -1


def added_int(a, n):
    return a + n


def raised_to(a, n):
    return a**n


def folded(a):
    return np.sum(a), np.max(a), np.min(a), a.sum(), np.mean(a), np.argmax(a)


def folded_rows(a):
    return np.sum(a, axis=0), np.max(a, axis=1), np.min(a, axis=0, keepdims=True), a.sum(axis=1)


def means(a):
    return np.mean(a, axis=0), np.var(a % 2)


def extremes(a, b):
    return np.maximum(a, b), np.minimum(a, b), np.where(a > b, a, b), np.clip(a, 1, 5)


def clipped(a, low, high):
    return np.clip(a, low, high)


def chosen(p, a, n):
    return np.where(p, a, n), np.where(p, n, a)


def products(a, b):
    return a @ b, np.dot(b, a), a @ b[:, 0], a[0] @ b


def converted(a):
    return (
        (a.astype(np.int8), a.astype(np.int16), a.astype(np.int32), a.astype(np.int64)),
        (a.astype(np.uint8), a.astype(np.uint16), a.astype(np.uint32), a.astype(np.uint64)),
        (a.astype(np.float32), a.astype(np.float64), a.astype(np.bool_)),
    )


def converted_floats(a):
    return (
        (a.astype(np.int8), a.astype(np.int16), a.astype(np.int32), a.astype(np.int64)),
        (a.astype(np.uint8), a.astype(np.uint16), a.astype(np.uint64)),
    )


def scalar_conversions(x):
    return (
        (np.int8(x), np.int16(x), np.int32(x), np.int64(x)),
        (np.uint8(x), np.uint16(x), np.uint32(x), np.uint64(x)),
        (np.float32(x), np.float64(x), np.bool_(x), float(x), bool(x)),
    )


def to_python(x):
    return int(x), float(x), bool(x), str(x), repr(x)


def as_int8(x):
    return np.int8(x)


def as_uint64(x):
    return np.uint64(x)


def scalars(x, y):
    return x + y, x - y, x * y, x // y, x % y, -x, ~x, x & y, x < y, x == y, x + 1, x / y


def scalar_shifts(x, y):
    return x << y, x >> y


def elements(a, i):
    first = a[i]
    a[i] = first + 1
    a[0] = 7
    return first, a[i] * 2, a[0] == 7


def accumulated(a):
    total = 0
    product = a.dtype.type(1)
    largest = a[0]
    for x in a:
        total += x
        product = product * x
        if x > largest:
            largest = x
    return total, product, largest


def counted(a, limit):
    count = 0
    for i in range(a.shape[0]):
        if a[i] < limit:
            count += 1
    return count


def stored(a, i, value):
    a[i] = value
    return a


def stored_rows(a, value):
    a[1:] = value
    return a


def in_place(a, b):
    a += b
    a *= 2
    a -= 1
    a //= 3
    return a


def in_place_bits(a):
    a |= 4
    a &= 7
    a ^= 1
    a <<= 1
    a >>= 1
    return a


def in_place_wide(a, b):
    a += b
    a[1:] *= b[1:]
    a[0] += 1
    return a


def made(n):
    a = np.zeros(n, dtype=np.int32)
    b = np.ones((n, 2), np.uint8)
    c = np.full(n, 7, dtype=np.int16)
    d = np.arange(n, dtype=np.uint16)
    return a, b, c, d, np.arange(2, n, dtype=np.int8), np.full(n, np.int64(300), np.int8)


def made_like(a):
    b = np.zeros(a.shape[0], dtype=a.dtype)
    c = np.ones_like(a)
    d = np.empty_like(a, dtype="uint8")
    d[:] = 3
    return b, c, d, np.zeros_like(a, dtype=np.dtype("int16"))


def by_dtype(a):
    if a.dtype == np.float64:
        return "double"
    if a.dtype == "int32" or np.uint8 == a.dtype:
        return "small"
    return "other"


def limits(a):
    x = a[0]
    return np.iinfo(np.int16).max, np.iinfo(a.dtype).min, x.dtype.itemsize, a.dtype.type(3)


def limits_of_floats(x):
    return np.finfo(np.float64).eps, np.finfo(np.float32).max, np.finfo(x.dtype).eps


def indexed(a, i):
    return a[i], a[i:], a[:i], i


def loop_bounds(n):
    total = 0
    for i in range(n):
        total += i
    return total, np.zeros(n)


def constants(a):
    return a + SMALL, a * BIG, a == BIG


SMALL, BIG = np.int8(-3), np.uint64(2**64 - 1)


def bool_arithmetic(p, q):
    return p + q, p * q, p // q, p % q, p**q, p << q, p >> q, p / q, p + True, p * 3, p & q


def bool_in_place(p, q):
    p |= q
    p &= True
    p += q
    p *= q
    return p


def elementary(a):
    return np.sqrt(a), np.exp(a * 0)


def optional(a, n: np.int16 | None):
    return a[0] + 1 if n is None else a[0] + np.int8(n)


def pairs(a, x: np.uint8):
    both = (x, a[0])
    items = [a[0], a[1]]
    items.append(a[0])
    return both, items, items[1] + both[0]


def half_arithmetic(a, b):
    return a + b, a - b, a * b, a / b, a // b, a % b, -a, abs(a), a < b, a == b, a >= b


def half_extremes(a, b):
    return np.maximum(a, b), np.minimum(a, b), np.where(a > b, a, b), np.clip(a, -1, 2), a**2


def half_with_numbers(a):
    return a + 1, a * 0.1, a / 3, 2.5 - a, a + 100000, a * np.float32(2), a + np.int8(1), a + 1j


def half_folded(a):
    return np.sum(a), np.mean(a), np.max(a), np.min(a), np.argmax(a), np.var(a)


def half_rows(a):
    return np.sum(a, axis=0), np.mean(a, axis=1), np.max(a, axis=0), a @ a.T, a.sum(axis=1)


def half_scalars(x, y):
    return x + y, x * y, x / y, -x, x < y, float(x), int(y), bool(x), str(x), repr(y), x + 1.5


def half_elements(a, i):
    a[i] = 0.1
    a[0] += 1
    a[1:] *= 2
    return a[i], a


def to_half(a):
    return a.astype(np.float16)


def from_half(a):
    return (
        (a.astype(np.float32), a.astype(np.float64), a.astype(np.bool_), a.astype(np.complex64)),
        (a.astype(np.int8), a.astype(np.int32), a.astype(np.int64), a.astype(np.uint64)),
    )


def one_half(x):
    return np.float16(x)


def half_made(n):
    a = np.zeros(n, np.float16)
    return a, np.ones(n, "f2"), np.full(n, 0.1, np.float16), np.arange(n, dtype=np.float16)


def half_functions(a):
    return np.sqrt(a), np.isnan(a), np.sqrt(np.int8(4)), np.floor(a)


HALVES = np.array(
    [
        *(0.0, -0.0, 1.0, -1.5, 0.1, 3.0, 1000.0, -2049.0, 65504.0, -65504.0, 6e-8, -6e-8, 6.1e-5),
        *(math.inf, -math.inf, math.nan, 0.333, 2.0, 7.0, -7.0),
    ],
    np.float16,
)
ROUNDING = np.array(
    [
        *(1 + 2**-11, 1 + 2**-11 + 2**-40, 1 + 3 * 2**-11, 65519.99, 65520.0, -65520.0, 1e300),
        *(2.0**-25, 2.0**-25 + 2.0**-60, 2.0**-26, -(2.0**-24), 3 * 2.0**-26, 1e-300, -0.0),
        *(math.nan, math.inf, 2049.0, 2051.0, 2050.0000001, 0.1, 5e-324),
    ]
)
with np.errstate(over="ignore"):
    SINGLE_ROUNDING = ROUNDING.astype("f")
CUBE = np.arange(24).reshape(2, 3, 4)
GRID = np.array([[1, -2, 3], [100, 0, -7]])
FLOATS = np.array(
    [0.0, -0.0, 1.5, -1.5, 127.9, 300.7, -300.7, 70000.5, -2147483648.5, 2.0**31, 1e10, 2.0**63]
)
ODD = np.array([math.nan, math.inf, -math.inf, 1e20, -1e20, 1.9e19, -(2.0**63), 2.0**64])
EDGES = tuple(edges(dtype) for dtype in INTEGERS)
MIXED = [(a, b) for a in EDGES for b in EDGES if np.result_type(a, b).kind != "f"]
SCALARS = [(a[i], a[j]) for a in EDGES for i, j in ((0, 1), (3, 1), (4, 1), (1, 2), (4, 3))]
ONES = [(dtype.type(v),) for dtype in INTEGERS for v in (0, 1, 100)]
GRIDS = [(GRID.astype(dtype),) for dtype in INTEGERS]
EMPTIES = [(np.zeros((0, 3), dtype),) for dtype in (np.int8, np.uint32)]


def written_ints(x):
    least, most = -(2**63), 2**63 - 1
    mask = np.uint64(2**64 - 1), np.uint64((1 << 64) - 1), np.uint64(~0 & 0xFFFFFFFFFFFFFFFF)
    parts = 2**64 >> 4, -(2**64) // 2**60, 2**64 % 1000, np.uint64(2**65 >> 2)
    return least, most, -9223372036854775808, mask, x & np.uint64(2**63), np.int64(2**63 - 1), parts


def counted_to(n):
    return np.arange(n), np.arange(1, n, 2), np.arange(n, dtype=np.uint64)


CASES: list[Case] = [
    (written_ints, [(np.uint64(5),), (np.arange(3, dtype=np.uint64) << np.uint64(62),)]),
    (counted_to, [(np.uint64(5),), (np.uint32(4),), (np.int8(3),), (4,)]),
    (arithmetic, [(a, b) for a in EDGES for b in EDGES]),
    (division, [(a, b) for a, b in zip(EDGES, EDGES[::-1], strict=True)]),
    (division, [(a, a[::-1]) for a in EDGES]),
    (with_ints, [(a,) for a in EDGES]),
    (with_floats, [(a,) for a in EDGES]),
    (with_bools, [(a[:5], FLAGS) for a in EDGES]),
    (bits, MIXED[::3]),
    (shifted, [(a, b) for a, b in MIXED if a.dtype == b.dtype]),
    (shifted, [(a, small(a.dtype, 0, 1, 7, 8, 31, 64, 100)) for a in EDGES]),
    (unary, [(a,) for a in EDGES]),
    (compared, [(a, b) for a in EDGES for b in EDGES]),
    (compared_with_an_int, [(a, n) for a in EDGES for n in (3, -1, 255, 2**40, -(2**63))]),
    (added_int, [(a, n) for a in EDGES for n in (1, -1, 128, 70000, -(2**31) - 1)]),
    (raised_to, [(a, 5) for a in EDGES] + [(a, -1) for a in EDGES]),
    (raised_to, [(a, small(a.dtype, *range(7))) for a in EDGES]),
    (folded, [(a,) for a in EDGES]),
    (folded_rows, GRIDS),
    (folded_rows, EMPTIES),
    (means, GRIDS),
    (extremes, [(a, a[::-1]) for a in EDGES]),
    (clipped, [(a, -5, 3) for a in EDGES] + [(a, 2, 2**40) for a in EDGES[:6]]),
    (clipped, [(EDGES[0], 200, 300), (EDGES[4], -9, -3)]),
    (chosen, [(FLAGS, a[:5], n) for a in EDGES for n in (3, 300, -1)]),
    (products, [(g, g.T) for (g,) in GRIDS]),
    (converted, [(a,) for a in EDGES]),
    (converted, [(FLAGS,)]),
    (converted_floats, [(FLOATS,), (FLOATS.astype(np.float32),), (ODD,), (ODD.astype("f"),)]),
    (scalar_conversions, ONES),
    (scalar_conversions, [(0,), (100,), (True,), (np.True_,), (1.5,), (np.float32(99.9),)]),
    (as_int8, [(127,), (128,), (-129,), (np.int16(300),), (np.uint64(2**63 + 5),), (99.9,)]),
    (as_int8, [(300.7,), (math.nan,), (math.inf,), (1e30,), (np.float64(300.7),), (False,)]),
    (as_uint64, [(-1,), (2**63 - 1,), (np.int8(-1),), (np.float64(1e19),), (np.float32(-1.5),)]),
    (to_python, [*ONES, (np.int8(-128),), (np.uint64(2**63 - 1),)]),
    (scalars, SCALARS),
    (scalar_shifts, [(x, y) for x, y in SCALARS if y < 2**30]),
    (elements, [(a, i) for a in EDGES for i in (1, -1, 3)]),
    (accumulated, [(a,) for a in EDGES]),
    (counted, [(a, 5) for a in EDGES]),
    (stored, [(a, 0, n) for a in EDGES for n in (5, 200, -1, np.int64(300), np.uint8(7))]),
    (stored_rows, [(a, n) for a in EDGES[:3] for n in (5, 200, np.int64(300), a[:-1] * 2)]),
    (stored_rows, [(EDGES[0], small(np.int64, 300)), (EDGES[4], small(np.int16, -1))]),
    (in_place, [(a, a[::-1]) for a in EDGES]),
    (in_place_bits, [(a,) for a in EDGES]),
    (in_place_wide, [(EDGES[i], EDGES[3]) for i in range(4)] + [(EDGES[4], EDGES[7])]),
    (in_place_wide, [(EDGES[1], EDGES[4])]),
    (made, [(5,), (0,), (300,)]),
    (made_like, [(a,) for a in EDGES]),
    (by_dtype, [(EDGES[2],), (EDGES[4],), (EDGES[3],), (FLOATS,)]),
    (limits, [(a,) for a in EDGES[:7]]),
    (limits_of_floats, [(FLOATS,), (np.float32(1),)]),
    (indexed, [(FLOATS, dtype.type(2)) for dtype in INTEGERS] + [(FLOATS, np.int8(-1))]),
    (loop_bounds, [(dtype.type(5),) for dtype in INTEGERS]),
    (constants, [(a,) for a in EDGES]),
    (bool_arithmetic, [(FLAGS, ~FLAGS), (np.True_, np.False_), (np.True_, True)]),
    (bool_in_place, [(FLAGS, FLAGS[::-1])]),
    (elementary, [(small("i4", 1, 4, 9),), (small("u8", 1, 4, 9),), (small("h", 1, 4),)]),
    (optional, [(EDGES[0], np.int16(3)), (EDGES[0], None)]),
    (pairs, [(a, np.uint8(255)) for a in EDGES]),
    (half_arithmetic, [(HALVES, np.roll(HALVES, n)) for n in range(20)]),
    (half_arithmetic, [(HALVES[3], HALVES), (HALVES[:, None], HALVES[::3])]),
    (half_extremes, [(HALVES, np.roll(HALVES, n)) for n in (2, 3, 5)]),
    (half_with_numbers, [(HALVES,)]),
    (half_folded, [(np.array([1, 2, 3, 6], np.float16),)]),
    (half_rows, [(np.array([[1, 2, 3], [4, 5, 60]], np.float16),)]),
    (half_scalars, [(HALVES[i], HALVES[j]) for i, j in ((2, 3), (4, 5), (8, 6), (10, 2))]),
    (half_elements, [(HALVES[2:7], 2)]),
    (to_half, [(ROUNDING,), (SINGLE_ROUNDING,), (FLAGS,), (np.arange(2**24, 2**24 + 20),)]),
    (to_half, [(a,) for a in EDGES]),
    (from_half, [(HALVES,)]),
    (
        one_half,
        [(x,) for x in (*map(float, ROUNDING), 3, 2**60 + 1, True, np.int32(2049), np.True_)],
    ),
    (half_made, [(5,)]),
    (half_functions, [(HALVES,)]),
]
