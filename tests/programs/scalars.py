"""Python's numbers: operators, conversions, comparisons."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math
import numbers

import numpy as np

from tests.programs import Case

BIG = 2**62
INTS = [(7, 3), (-7, 3), (7, -3), (-7, -3), (0, 5), (5, 0), (2**62, 3), (-(2**63), 1)]
FLOATS = [
    (7.5, 2.0),
    (-7.5, 2.0),
    (7.5, -2.0),
    (0.0, 3.0),
    (-0.0, 3.0),
    (1.0, 0.0),
    (math.inf, 2.0),
    (1.0, math.inf),
    (math.nan, 1.0),
    (1e308, 10.0),
]


def int_arithmetic(a, b):
    return a // b, a % b, a & b, a | b, a ^ b


def int_sum(a, b):
    return a + 1 - b, -a // 2, +b, ~a


def int_product(a, b):
    return (a % 1000) * (b % 1000)


def true_division(a, b):
    return a / b


def float_arithmetic(a, b):
    return a + b, a - b, a * b


def float_division(a, b):
    return a / b, a // b, a % b


def negated(x):
    return -x, +x, abs(x)


def mixed(i, x):
    return i + x, x - i, i * x, x / (i + 1), i < x, i == x, x >= i


def bools(p, q):
    return p & q, p | q, p ^ q, p + q, p * 3, -p, ~p, p == q, p < q, p / 2


def shifts(a, n):
    return a >> n, (a & 255) << n


def powers(a, n):
    return a**2, (a % 10) ** n, 2**n, a**0


def float_powers(x, y):
    return x**2, x**0.5, abs(x) ** y


def negative_power(n):
    return n**-1, 2**-2


def int_power_zero():
    return 0**-1


def chained(a, b, c):
    return a < b < c, a <= b <= c, a == b == c, a < b > c, a != b != c


def chained_numpy(x):
    """A chain is the last comparison made, so it is NumPy's bool."""
    inside = 0.0 < x[0] < x[1]
    return inside, ~inside, ~(0.0 < x[0] < 1.0), x[0] < x[1] < x[0] < 3


def chained_mixed(x, a):
    count = 0
    while 0 < count + a < x[1] < 4.0:
        count += 1
    return 0 < a < x[0], x[0] < a < 2, count


def exact_starts(x):
    """Each literal is exactly an f32, and takes that type."""
    zero, half, big, (pair, low) = 0, -0.5, 16777216, (1, -0.0)
    items = [x[0], 2, 0.25]
    for v in x:
        zero, half, big, pair = zero + v, half * v, big - v, pair / v
        if v < low:
            low = v
        items.append(-3)
    return zero, half, big, pair, low, len(items), min(x[0], 2.5)


def chained_order(a, b, c):
    return (p := a) < (q := b) < c, p, q


def compare(a, b):
    return a == b, a != b, a < b, a <= b, a > b, a >= b


def logic(a, b):
    return a and b, a or b, not a


def logic_values(x, y):
    return x or y, x and y


def nested_logic(a, b, c):
    return ((a or b) and not (b and c)) or c


def conditional(x):
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0


def conditional_literal(p, x):
    return 0 if p else x


def conversions(x):
    return int(x), float(x), bool(x)


def int_of(x):
    return int(x)


def float_of_int(n):
    return float(n), n / 1, float(n + 1)


def extremes(a, b, c):
    return min(a, b, c), max(a, b, c), min(b, a), max(c, a)


def extremes_nan(x, y):
    return min(x, y), max(x, y), min(y, x)


def extremes_literal(x):
    return max(0.0, x), min(x, 1)


def walrus(a):
    if (b := a * 2) > 10:
        return b
    return (c := b + 1) + c


def walrus_late(a, b):
    ok = a > 0 and (t := b * 2) > a
    return t if ok else -1


def math_functions(x):
    return math.sqrt(x), math.fabs(-x), math.isnan(x), math.pi * x


def math_logs(x):
    return math.log(x)


def math_exp(x):
    return math.exp(x)


def order(a):
    b = a
    b += 1
    b -= 3
    b *= 2
    b //= 3
    b %= 7
    b **= 2
    b <<= 1
    b >>= 2
    b |= 8
    b &= 12
    b ^= 5
    return b


def float_order(x):
    x += 1
    x -= 0.5
    x *= 2
    x /= 3
    x //= 0.25
    x %= 5
    x **= 2
    return x


def int_becomes_float(n):
    n = n + 1
    x = n / 2
    return n, x


def quotients_by_constants(n):
    total = 0.0
    for k in range(2**53, 2**53 + 40):
        total += k / 7 - k // 7
    return n / 7, n / -3, n / 10, 7 / n if n else 0.0, total


def exact_quotient(a, b):
    return a / b, (a * 2 + 1) / b


def exact_compare(i, x):
    return i == x, i < x, i > x


def overflow_add(a):
    return a + a


def isinstance_of_kinds(x):
    """Classes are named one by one, in tuples of tuples, by unions and by abstract classes."""
    one = isinstance(x, complex), isinstance(x, object), isinstance(x, numbers.Number)
    return (
        one,
        isinstance(x, int | float),
        isinstance(x, (complex, (str, bool))),
        isinstance(x, np.generic),
    )


def isinstance_known(x):
    if isinstance(x, int):
        return 1
    if isinstance(x, (float, str)):
        return 2
    return 3


TRIPLES = [(1, 2, 3), (3, 2, 1), (2, 2, 2), (1, 3, 2), (0, 0, 1)]


def methods_of_arrays(x):
    one = x[0]
    folded = one.all(), one.any(), (one == 2).all(), one.sum(), one.prod(), one.mean(), one.std()
    chosen = one.min(), one.max(), one.argmax(), one.argmin(), one.clip(0, 1), one.tolist()
    return folded, chosen, one.cumsum(), one.ravel(), one.reshape(1, 1), one.repeat(2)


def of_no_axes(x):
    """An array without axes is a number where Python asks for one."""
    n = 1 if x else 2
    while not x:
        n += 2
        break
    parts = int(x), float(x), bool(x), complex(x), math.sqrt(x), math.floor(x)
    return n, parts, not x, x and 3, round(float(x), 1), f"{float(x):.2f}"


def as_of_arrays(x, i):
    """Numbers of NumPy have the sizes of an array without axes."""
    y = x[i]
    total = sum(n for n in y.shape) + len(y.shape)
    sizes = y.shape, y.ndim, y.size, y.nbytes, y.itemsize, y.T
    return sizes, total, y.shape == (), np.zeros(y.shape) + y, x.sum().shape


def product_of_either(xs, flag):
    """`@` of what has no axes on one path raises what NumPy does."""
    a = xs if flag else xs.sum()
    try:
        return str(a @ xs)
    except ValueError as e:
        return str(e)


CASES: list[Case] = [
    (of_no_axes, [(np.array(2.5),), (np.array(0),), (np.array(True),), (np.array(3, np.int8),)]),
    (as_of_arrays, [(np.arange(3.0), 1), (np.array([True]), 0), (np.ones(2, np.float32), 1)]),
    (product_of_either, [(np.arange(3.0), True), (np.arange(3.0), False)]),
    (methods_of_arrays, [(np.array([2.5]),), (np.array([0, 1], np.int8),), (np.array([True]),)]),
    (int_arithmetic, INTS),
    (int_sum, [(7, 3), (-7, 3), (0, 0)]),
    (int_product, INTS),
    (true_division, INTS),
    (float_arithmetic, FLOATS),
    (float_division, FLOATS),
    (negated, [(1,), (-5,), (0,), (-0.0,), (2.5,), (True,), (math.nan,)]),
    (mixed, [(3, 1.5), (-2, 0.0), (7, math.inf), (-1, 1.0)]),
    (bools, [(p, q) for p in (False, True) for q in (False, True)]),
    (shifts, [(100, 2), (-100, 3), (1, 0), (5, 20), (1, -1)]),
    (powers, [(3, 4), (-2, 5), (10, 0), (7, 1)]),
    (float_powers, [(2.0, 3.0), (0.25, -1.5), (0.0, 0.0), (9.0, 0.5)]),
    (negative_power, [(2,), (-4,), (0,)]),
    (int_power_zero, [()]),
    (chained, TRIPLES),
    (chained_numpy, [(np.array(x),) for x in ([0.5, 2.0], [2.0, 0.5], [-1.0, 1.0])]),
    (chained_numpy, [(np.array([math.nan, 1.0]),), (np.zeros(1),), (np.zeros(0),)]),
    (chained_order, TRIPLES),
    (exact_starts, [(np.array([1.5, -3.0, math.nan], np.float32),)]),
    (compare, [(1, 2), (2, 1), (1, 1), (1.0, 1.0), (math.nan, math.nan), (True, False), (1, 1.0)]),
    (compare, [("a", "b"), ("b", "a"), ("a", "a"), ("", "a")]),
    (logic, [(True, False), (False, True), (0, 5), (3, 4), (0.0, 1.0)]),
    (logic_values, [(0.0, 2.0), (1.5, 0.0), (0, 0), (1, 2)]),
    (
        nested_logic,
        [(p, q, r) for p in (True, False) for q in (True, False) for r in (True, False)],
    ),
    (conditional, [(1.0,), (-1.0,), (0.0,), (math.nan,), (3,)]),
    (conditional_literal, [(False, 2), (True, 3)]),
    (conversions, [(2.75,), (-2.75,), (3,), (0,), (True,)]),
    (int_of, [(math.nan,), (math.inf,), (1e15,), (-0.5,)]),
    (float_of_int, [(3,), (-1,), (2**60,)]),
    (extremes, [*TRIPLES, (1.5, 2.5, -0.5)]),
    (extremes_nan, [(math.nan, 1.0), (1.0, math.nan), (0.0, -0.0)]),
    (extremes_literal, [(0.5,), (-2.0,)]),
    (walrus, [(1,), (10,)]),
    (walrus_late, [(1, 5), (0, 5), (3, 1)]),
    (math_functions, [(2.0,), (0.0,), (-1.0,), (math.inf,), (math.nan,), (9,)]),
    (math_logs, [(1.0,), (0.0,), (-1.0,), (math.inf,)]),
    (math_exp, [(0.0,), (1000.0,), (-1000.0,), (math.inf,)]),
    (order, [(5,), (0,), (123,)]),
    (float_order, [(5.0,), (0.25,), (-3.0,)]),
    (int_becomes_float, [(3,), (-4,)]),
    (quotients_by_constants, [(n,) for n in (2**53 + 1, 2**63 - 1, -(2**62) - 7, 5, 0)]),
    (exact_quotient, [(2**53 + 1, 3), (10**18, 7), (1, 3)]),
    (exact_compare, [(2**53 + 1, 2.0**53), (2**53, 2.0**53), (5, 4.5), (0, -0.0)]),
    (
        isinstance_of_kinds,
        [(1,), (1.5,), (2j,), (True,), (np.complex128(1j),), (np.float32(2),), ("a",)],
    ),
    (isinstance_known, [(1,), (1.5,), ("a",), (True,), (None,)]),
]
# A literal takes the type it is merged with: equal in value to what CPython has.
MERGED: list[Case] = [
    (chained_mixed, [(np.array([1.5, 3.0]), a) for a in (-1, 0, 1, 2)]),
    (extremes_literal, [(3.0,)]),
]
