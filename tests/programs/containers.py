"""Lists, tuples, strings and None."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: B007

import numpy as np

from tests.programs import Case


def build(n):
    xs = []
    for i in range(n):
        xs.append(i * 2)
    return xs


def build_floats(n):
    xs = [0]
    for i in range(n):
        xs.append(i / 2)  # pyright: ignore[reportArgumentType] -- the list starts with a literal
    return len(xs), xs[-1], sum_list(xs)


def sum_list(xs):
    total = 0.0
    for x in xs:
        total += x
    return total


def list_index(xs, i):
    return xs[i]


def list_write(n, i):
    xs = [1, 2, 3]
    xs.append(n)
    xs[i] = 10
    xs[-1] += 5
    return xs


def list_pop(n):
    xs = [1.5, 2.5, 3.5]
    a = xs.pop()
    b = xs.pop(0)
    if n > 0:
        xs.append(a + b)
    xs.pop(n)
    return a, b, xs


def grow_while_iterating(n):
    xs = [1]
    total = 0
    for x in xs:
        total += x
        if len(xs) < n:
            xs.append(x + total)
    return total, xs


def shrink_while_iterating():
    xs = [1, 2, 3, 4, 5]
    seen = []
    for x in xs:
        seen.append(x)
        if x % 2:
            xs.pop()
    return seen, xs


def aliases():
    a = [1, 2]
    b = a
    b.append(3)
    return len(a), a[2]


def nested(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(i * j)
        rows.append(row)
    total = 0
    for row in rows:
        for x in row:
            total += x
    return total, len(rows)


def list_of_tuples(n):
    pairs = []
    for i in range(n):
        pairs.append((i, i * 0.5))
    best = (-1, -1.0)
    for i, x in pairs:
        if x > best[1]:
            best = (i, x)
    return best


def list_of_arrays(n):
    rows = []
    for i in range(n):
        rows.append(np.zeros(i) + i)
    total = 0.0
    for row in rows:
        total += np.sum(row)
    return total


def enumerate_list(xs):
    out = 0
    for i, x in enumerate(xs):
        out += i * x
    for i, x in enumerate(xs, 10):
        out += i - x
    return out


def zip_lists(xs, ys):
    out = 0.0
    for x, y in zip(xs, ys, strict=False):
        out += x * y
    for i, (x, y) in enumerate(zip(xs, ys, strict=False)):
        if y > 2:
            break
        out += i
    else:
        out = -out
    return out


def list_truth(xs):
    if xs:
        return xs[0]
    return -1


def annotated_list(n):
    xs: list[float] = []
    for i in range(n):
        xs.append(i * 0.5)
        xs.append(1)
    return xs


def passes_list(n):
    xs = [1.0]
    xs.append(2.5)
    return sum_list(xs), list_index(xs, n)


def sieve(n):
    composite = np.zeros(n + 1, dtype=np.bool_)
    primes = []
    for i in range(2, n + 1):
        if not composite[i]:
            primes.append(i)
            for j in range(i * i, n + 1, i):
                composite[j] = True
    return primes


def texts(name, n):
    s = "Hello, " + name
    s += "!"
    return s, len(s), s == "Hello, x!", s < "I", f"{n}"


def formats(i, x, p):
    return f"{i:5d}|{i:<4}|{x:.3f}|{x:10.2e}|{p}|{x!r}|{i:+}|{{}}|{'a' + 'b'}"


def plain_formats(v):
    return f"{v}", str(v), f"{v!s:>8}", repr(v)


def bad_format(x):
    return f"{x:d}"


def text_truth(s):
    return 1 if s else 0


def prints(i, x):
    print("values:", i, x, i > x, None)
    print()
    print(f"{x:.2f}")
    print(i, x, sep=", ")
    print(x, end="")
    print("a", "b", sep="", end=f"{i}\n")
    print(i, sep=None, end=None)


def text_loop(n):
    s = ""
    for i in range(n):
        s = s + f"{i},"
    return s


def optional(n):
    best = None
    for i in range(n):
        x = (i * 7) % 5
        if best is None or x > best:
            best = x
    return best


def optional_result(x):
    if x > 0:
        return x
    return None


def optional_use(x):
    y = optional_result(x)
    if y is None:
        return -1.0
    z = optional_result(y - 1)
    return y if z is None else z + y


def optional_parameter(x, y=None):
    if y is not None:
        x = x + y
    return x


def optional_calls(a, b):
    return optional_parameter(a), optional_parameter(a, b)


def optional_truth(x: float | None, y: int | None) -> float:
    total = 0.0
    if x:
        total += x
    if not y:
        return total
    return total + y


def optional_or(x: float | None):
    return x or 2.5


def optional_while(n: int | None):
    steps = 0
    while n is not None and steps < 20:
        steps += n
        n = None if n == 0 else n - 1
    return steps


def optional_walrus(x):
    if (y := optional_result(x)) is not None and y > 1:
        return y
    return 0


def optional_assert(x: float | None):
    assert x is not None, "x is needed"
    return x * 2


def optional_tuple(p):
    pair = None
    if p:
        pair = (1, "a")
    if pair is None:
        return "none"
    return f"{pair[0]}{pair[1]}"


def tuple_index(t):
    a, b = t
    return t[0], t[-1], a + b, len(t)


def tuple_slices(a, b, c):
    t = (a, b, c, 1.5)
    i = t[(j := 1)]
    return t[:2], t[1:], t[-2:], t[::-1], t[::2], t[3:1], t[-9:9], t[(k := 2) :], i, j, k


def tuple_texts(a, b, x):
    t = (a, b, (x[0], None), ("it's", "\n\u00e9"), (), (True,))
    print(t, x.shape, (a,))
    return f"{t} {t!s:} {t!r} {t!a}", str(x.shape[1:]), repr((t, b)), str(())


def slice_of_shape(x):
    total = 0
    for n in x.shape[1:]:
        total += n
    return x.shape[:-1], total, np.zeros(x.shape[:1])


def in_a_row(x):
    """More than 30 parts, which CPython joins by a method."""
    return f"{x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x}"


CASES: list[Case] = [
    (in_a_row, [(1.5,), (-0.0,)]),
    (tuple_slices, [(1, "a", None), (0.5, 2, 3)]),
    (tuple_texts, [(1, 0.1, np.array([1.5, 2.0])), (-0.0, "a", np.array([[True]])[0])]),
    (slice_of_shape, [(np.zeros((2, 3)),), (np.zeros((0, 4, 1)),)]),
    (build, [(0,), (4,)]),
    (build_floats, [(3,)]),
    (list_index, [([1, 2, 3], 0), ([1, 2, 3], -1), ([1, 2, 3], 3), ([1.5], -2)]),
    (list_write, [(4, 0), (4, -2), (4, 9), (4, -5)]),
    (list_pop, [(0,), (1,), (2,), (-1,)]),
    (grow_while_iterating, [(1,), (6,)]),
    (shrink_while_iterating, [()]),
    (aliases, [()]),
    (nested, [(0,), (5,)]),
    (list_of_tuples, [(0,), (4,)]),
    (list_of_arrays, [(4,)]),
    (enumerate_list, [([3, 1, 2],), ([5],)]),
    (zip_lists, [([1.0, 2.0, 3.0], [1, 2, 3]), ([1.0], [1, 1]), ([0.5, 1.5], [2, 2, 2])]),
    (list_truth, [([1, 2],)]),
    (passes_list, [(0,), (1,), (2,)]),
    (sieve, [(30,), (2,)]),
    (texts, [("x", 3), ("", -1)]),
    (formats, [(42, 3.14159, True), (-7, 1e-5, False), (0, float("nan"), True)]),
    (plain_formats, [(1,), (2.5,), (True,), ("text",), (np.float64(2.5),), (np.int64(3),)]),
    (plain_formats, [(None,), (np.float32(0.1),), (np.bool_(True),), (float("inf"),)]),
    (bad_format, [(1.5,), (2,)]),
    (text_truth, [("",), ("a",)]),
    (prints, [(1, 2.5), (-3, float("-inf"))]),
    (text_loop, [(0,), (3,)]),
    (optional, [(0,), (6,)]),
    (optional_use, [(0.0,), (0.5,), (3.0,)]),
    (optional_calls, [(1.0, 2.0), (1, 5)]),
    (optional_truth, [(1.5, 2), (None, 0), (0.0, None), (2.0, 1)]),
    (optional_or, [(None,), (0.0,), (1.0,)]),
    (optional_while, [(5,), (None,), (0,)]),
    (optional_walrus, [(0,), (1,), (3,)]),
    (optional_assert, [(1.5,), (None,)]),
    (optional_tuple, [(True,), (False,)]),
    (tuple_index, [((1, 2),), ((0.5, 3),)]),
]
# A literal takes the type it is merged with: equal in value to what CPython has.
MERGED: list[Case] = [
    (build_floats, [(0,)]),
    (list_of_arrays, [(0,)]),
    (annotated_list, [(0,), (3,)]),
]
