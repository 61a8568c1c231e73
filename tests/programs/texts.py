"""Texts of lists, and formats that are no f-strings."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: UP030, UP031, UP032

import math

import numpy as np

from tests.programs import Case


def lists(n, xs: list[int], x):
    print(xs, str(xs), f"{xs}|{xs!r}", (xs[:1], n), [x, x * 2], [(n, x), (1, 2.0)], [[1], [2, 3]])
    print(["a'b", 'c"'], [True, False], [x > 1], [str(n)])
    return repr(xs), str([i for i in range(n)])


def grown(n):
    xs = []
    print(xs)
    xs.append(n)
    return f"{xs}"


def many(n):
    text = str([i * i for i in range(n)])
    return len(text), text


def elements(a, b, c):
    return f"{[a]} {[b, b]} {[c]}", "%d %.3f %s %d %r %s %g" % (a, a, a, b, a, c, c)


def percent(n, x):
    print("%d of %i, %.2f%% %5d|%-5d|%05d|%+d|% d" % (n, n, x, n, n, n, n, n))
    print("%8.3f|%-8.3f|%08.3f|%e|%g|%G|%F|%.0f|%+.1e|%5.f" % (x, x, x, x, x, x, x, x, x, x))
    print("%s %r" % (x, "s"), "%5s|%-5s|%.1s|%05s" % ("ab", "ab", "ab", n), "%i" % True)
    return "%s" % ([n],), "100%%" % (), "%s" % x, "%5s|" % x


def cut(x):
    return "%d" % x


def braces(n, x):
    print("{} and {:.2f} {{}} {!r:>5}".format(n, x, "a"), "{1} {0}".format(n, x))
    return "plain".format(), "{:5d}|{:<8.3f}|".format(n, x), "{}".format([n])


def failing(n):
    if n < 0:
        raise ValueError("negative: %d, %s" % (n, [n]))
    assert n > 5, "n = {}".format(n)
    return n


def dtypes(x, y):
    print(x.dtype, y.dtype, sep="|")
    name = f"{x.dtype} {y.dtype!r} {x.dtype!s}" + "%s, 100%%" % x.dtype + "%-9s|" % y.dtype
    return name, str(x.dtype) + repr(y.dtype), x.dtype.name


CASES: list[Case] = [
    (dtypes, [(np.ones(2), np.int8(3)), (np.zeros(0, np.complex64), np.array([True]))]),
    (lists, [(3, [1, 2], 0.1), (0, [5], 1e22), (1, [0] * 20, -math.inf)]),
    (grown, [(3,)]),
    (many, [(0,), (1,), (2,), (700,)]),
    (elements, [(np.float64(3.7), np.int32(4), np.float32(0.1))]),
    (percent, [(3, 0.1), (-3, 1e22), (12345, math.nan), (0, -math.inf), (7, -0.0)]),
    (cut, [(3.7,), (-3.7,), (math.nan,), (math.inf,), (np.float32(2.5),), (True,)]),
    (braces, [(3, 0.1), (-7, math.inf)]),
    (failing, [(7,), (3,), (-1,)]),
]
