"""Branches, loops and early exits."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: SIM108, B007

import numpy as np

from tests.programs import Case


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def sign(x):
    if x > 0:
        return 1
    elif x < 0:
        return -1
    else:
        return 0


def early(x):
    if x > 10:
        return "big"
    if x > 5:
        if x == 7:
            return "seven"
        x = x + 100
    else:
        x = -x
    return f"{x}"


def for_sum(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def ranges(a, b, c):
    total = 0
    for i in range(a, b, c):
        total = total * 3 + i
    return total


def for_else(n, stop):
    for i in range(n):
        if i == stop:
            found = i
            break
    else:
        found = -1
    return found


def while_else(n):
    i = 0
    while i < n:
        if i * i == 49:
            break
        i += 1
    else:
        return -1
    return i


def continue_for(n):
    total = 0
    for i in range(n):
        if i % 2:
            continue
        if i == 8:
            break
        total += i
    return total


def nested_break(n):
    count = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            if (i + j) % 3 == 0:
                continue
            count += 1
        else:
            count += 100
        if count > 1000:
            return -count
    return count


def return_from_loops(n):
    for i in range(n):
        j = 0
        while True:
            if i * j == 42:
                return i, j
            j += 1
            if j > n:
                break
    return -1, -1


def infinite(n):
    i = 0
    while True:
        i += 3
        if i > n:
            return i


def loop_variable_after(n):
    i = -5
    for i in range(n):
        pass
    return i


def loop_variable_unset(n):
    for i in range(n):
        last = i * 2
    return last


def maybe_unset(p):
    if p:
        x = 1.5
    return x


def changed_in_body(n):
    out = 0
    for i in range(n):
        out += i
        i = i * 100
        out += i
    return out


def bounds_once(n):
    count = 0
    for i in range(n):
        n = n - 1
        count += 1
    return count, n


def literal_start(x, n):
    total = 0
    best = 0
    for i in range(n):
        total = total + x
        if x * i > best:
            best = x * i
    return total, best


def swap(a, b, c):
    a, b, c = c, a, b
    a, (b, c) = b, (c, a)
    return a, b, c


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def is_prime(n):
    if n < 2:
        return False
    i = 2
    while i * i <= n:
        if n % i == 0:
            return False
        i += 1
    return True


def constant_conditions(x):
    if False:
        return x.no_such_thing
    while False:
        x = "never"
    if True:
        y = x
    else:
        y = "never"
    return y


def while_true_break(n):
    while True:
        n = n * 2
        if n > 100:
            x = n
            break
    return x


def tuple_loop(a, b):
    total = 0.0
    for item in (a, b, 2.5, True):
        total += item
    return total


def tuple_loop_exits(a):
    count = 0
    for item in (1, 2.5, a, 4):
        if item == 2.5:
            continue
        if item == a:
            break
        count += 1
    else:
        count = 100
    return count


def zip_tuples(a, b):
    out = 0.0
    for x, y in zip((a, 1, 2), (b, 0.5, 1.5), strict=False):
        out = out * 2 + x * y
    for i, z in enumerate((a, b)):
        out += i * z
    return out


def enumerate_steps(n, step):
    out = 0
    for i, j in enumerate(range(1, n, step)):
        out = out * 7 + i * j
    return out


def enumerate_range(n):
    out = 0
    for i, j in enumerate(range(10, 10 + n), 5):
        out = out * 7 + i * j
    for i, (j, k) in enumerate(zip(range(n), range(20, 0, -3), strict=False)):
        out += i * j - k
    return out


def zip_ranges(a, b):
    out = 0
    for i, j in zip(range(a), range(3, b, 2), strict=False):
        out = out * 10 + i + j
    return out


def unused_conflict(n):
    x = n
    total = x + 1
    for i in range(3):
        x = 0.5 * i
        total += i
    return total


def numpy_scalar_loop(n):
    total = np.int64(0)
    for i in range(n):
        total = total + np.int64(i)
    return total


def mandelbrot(cr, ci, limit):
    zr, zi = 0.0, 0.0
    n = 0
    while n < limit and zr * zr + zi * zi <= 4.0:
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
        n += 1
    return n


def condition_order(a, b):
    calls = 0
    if a > 0 and 10 // a > b:
        calls += 1
    if a == 0 or 10 // a < b:
        calls += 10
    while calls < 50 and not (calls % 7 == 3 or calls > 40):
        calls += 1
    return calls


def widened_one_a_round(x):
    a = b = c = d = e = f = g = h = i = j = k = m = n = o = p = q = r = s = t = u = v = w = 0
    for y in x:
        a, b, c, d, e, f, g, h, i, j = b, c, d, e, f, g, h, i, j, k
        k, m, n, o, p, q, r, s, t, u, v, w = m, n, o, p, q, r, s, t, u, v, w, y
    return a, k, w


SMALL = [(0,), (1,), (5,), (10,)]


def returns_in_its_first_round(x, n):
    count = 0
    total = x[0]
    for i in range(n):
        count += 1
        total += x[i]
        return count
    return int(total) + count


def raises_in_its_first_round(x, n):
    count = 0
    total = x[0]
    for i in range(n):
        count = i
        total += x[i]
        raise ValueError("one")
    return total, count


def counted_twice(n):
    """The end of a loop that counts is where the one before has ended."""
    i = 0
    while i < n:
        i += 1
    j = 0
    while j < i:
        j += 1
    k = 5
    while k > j:
        k -= 1
    return i, j, k


def three_or_two(n):
    return two_or_three(n - 1) if n > 1 else 3


def two_or_three(n):
    return three_or_two(n - 1) if n > 1 else 2


def three():
    return three_or_two(3)


def called_in_a_loop(n):
    """A call without arguments, of which nothing is known."""
    s = 0
    for i in range(n):
        s += three() * i
    return s


CASES: list[Case] = [
    (returns_in_its_first_round, [(np.arange(2.0, 5.0), n) for n in (0, 1, 9)]),
    (raises_in_its_first_round, [(np.arange(2.0, 5.0), n) for n in (0, 1, 9)]),
    (counted_twice, [(3,), (0,), (-2,), (9,)]),
    (called_in_a_loop, [(4,), (0,)]),
    (widened_one_a_round, [(np.arange(1.0, 30.0),)]),
    (gcd, [(12, 18), (0, 5), (7, 0), (-12, 18)]),
    (collatz, [(1,), (27,), (6,)]),
    (sign, [(3,), (-3,), (0,), (0.5,), (-0.0,)]),
    (early, [(20,), (7,), (6,), (1,)]),
    (for_sum, SMALL),
    (ranges, [(0, 5, 1), (5, 0, -1), (0, 10, 3), (10, 0, -4), (3, 3, 1), (0, 5, -1), (0, 5, 0)]),
    (for_else, [(5, 3), (5, 9), (0, 0)]),
    (while_else, [(3,), (10,), (0,)]),
    (continue_for, [*SMALL, (20,)]),
    (nested_break, [(3,), (12,), (0,), (40,)]),
    (return_from_loops, [(3,), (10,), (50,)]),
    (infinite, [(0,), (10,)]),
    (loop_variable_after, SMALL),
    (loop_variable_unset, SMALL),
    (maybe_unset, [(True,), (False,)]),
    (changed_in_body, SMALL),
    (bounds_once, SMALL),
    (literal_start, [(1.5, 3), (2, 3)]),
    (swap, [(1, 2, 3)]),
    (fibonacci, [(0,), (1,), (50,)]),
    (is_prime, [(n,) for n in (0, 1, 2, 9, 97, 91)]),
    (constant_conditions, [(1,), (2.5,)]),
    (while_true_break, [(1,), (99,), (200,)]),
    (tuple_loop, [(1, 2.0), (0, -1.5)]),
    (tuple_loop_exits, [(7,), (1,), (4,)]),
    (zip_tuples, [(1, 2.0), (3, 0.5)]),
    (enumerate_steps, [(9, 2), (9, 4), (-9, -2), (9, 0)]),
    (enumerate_range, [(0,), (1,), (4,), (9,)]),
    (zip_ranges, [(3, 9), (0, 5), (5, 4), (2, 100)]),
    (unused_conflict, [(3,)]),
    (numpy_scalar_loop, SMALL),
    (mandelbrot, [(0.0, 0.0, 50), (1.0, 1.0, 50), (-0.75, 0.1, 100)]),
    (condition_order, [(0, 3), (2, 3), (5, 1), (-1, 0)]),
]
# A literal takes the type it is merged with: equal in value to what CPython has.
MERGED: list[Case] = [
    (literal_start, [(-1.0, 2)]),
]
