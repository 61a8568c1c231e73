"""Arrays whose sizes are computed of others' sizes, and their slices between computed bounds."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def padded(x):
    """What is inside of a border is as long as what it was put around."""
    n, m = x.shape
    p = np.zeros((n + 2, m + 2))
    p[1 : n + 1, 1:-1] = x
    p[0, 1 : m + 1] = 7.0
    p[n + 1, 1:-1] = p[n, 1 : 1 + m]
    return p, p[2:, 1:-1] - p[:-2, 1:-1], p[1:-1, 2:] + x, p[n:, m:], p[: n + 1, : m - 1 + 1]


def padded_by_numpy(x, steps):
    for _ in range(steps):
        p = np.pad(x, ((1, 2), (2, 1)), mode="edge")
        x = x + 0.25 * (p[1:-2, :-3] + p[1:-2, 3:] - p[:-3, 2:-1] - p[3:, 2:-1])
    return x


def summed_ahead(x):
    """Sums of all beginnings, and with them of all parts of some length."""
    n = len(x)
    sums = np.empty(n + 1)
    sums[0] = 0.0
    for i in range(n):
        sums[i + 1] = sums[i] + x[i]
    return sums[1:] - sums[:-1] - x, sums[3:] - sums[:-3], sums[n:], sums[: n + 1] * 2.0


def asked(k: int, x):
    """Sizes that a caller asks for, which may be below zero."""
    a = np.ones(k)
    b = np.zeros(k + 3)
    b[3:] = a * 2.0
    c = b[1 : k + 1] + a
    return b, c, b[: k - 2], b[k:], b[k + 3 :], b[-k:], b[3 - k :], a[: k + 5], x[:k], x[k:], x[-1:]


def less(k: int):
    """A size may be below zero, whatever is known of those before."""
    a = np.ones(k)
    b = np.zeros(k - 2)
    return b + a[2:], a[1:-1] + b, a[: k - 2] * b, a[3 * k - 2 * k :], a[k - 3 : k - 1]


def far(n: int):
    """Bounds at the ends of 64 bits."""
    a = np.arange(5)
    return a[: n + 2], a[n - 1 :], a[n + 1 : n + 2]


def joined(x, y):
    n = len(x) + len(y)
    z = np.concatenate((x, [1.0], y))
    w = np.zeros(n + 1)
    w[: len(x)] = x
    w[len(x) + 1 :] = y
    return z + w, z[len(x) + 1 :] - y, z[: len(x)] * x, w[1:] + z[:n]


def in_loops(x, count: int):
    """What a loop makes of another size each time has no size of before."""
    out = x
    for k in range(count):
        out = np.concatenate((out, np.zeros(k + 1)))[1:]
        out[: len(x) - 1 + k - k] += x[1:]
        if k % 2:
            half = np.zeros(len(out) - 1)
            half += out[:-1]
            out = half
    return out, out[: len(x)], out[count:]


def turned(x):
    """Transposed, and in steps."""
    n, m = x.shape
    z = np.zeros((m + 1, n + 1))
    z[1:, :n] = x.T
    z.T[n, 1 : m + 1] = np.arange(m)
    return z, z[1:, :n] + x.T, z[: m + 1 : 2, n::-1], z[1 : m + 1, 0:n:1] * 2.0, z[-1 : m + 1]


def that_do_not_fit(x):
    """That two parts have other sizes is known only where they meet."""
    n = len(x)
    none, three = x[n:], np.pad(x[n:], (1, 2))
    return np.where(x > 100.0, x, 2.0), none + three


def that_are_put_where_they_do_not_fit(x):
    n = len(x)
    padded = np.zeros(n + 3)
    padded[n:] = x[n:]
    return padded


def that_fails_behind_work(a, b, table):
    """A table of one column has no second one; what stands before might be shared among threads."""
    n = len(a)
    padded = np.pad(b, (1, 2))
    padded[::-1] = padded.sum()
    square = np.zeros((n, len(a) + 1))
    padded[1:-1] = square.sum()
    twice = np.repeat(b, 2)
    wide = np.zeros((n, len(padded) + 1))
    column = table[:, 1]
    joined = np.concatenate((column, padded))
    return twice, b, column, wide[::2, 1:-1], wide, joined, a.sum()


def written_over(n: int):
    """Parts that overlap, and such that do not."""
    a = np.arange(2.0 * n + 3)
    a[: n + 1] = a[n + 2 :]
    a[1:] = a[:-1]
    a[2 : n + 2] = a[1 : n + 1] * 2.0
    a[: n + 2] = a[1 : n + 3]
    return a


def _x(*shape: int):
    return np.arange(float(np.prod(shape))).reshape(shape) * 1.5 - 2.0


CASES: list[Case] = [
    (padded, [(_x(3, 4),), (_x(1, 1),), (_x(0, 3),), (_x(2, 0),), (_x(5, 2)[::-1],)]),
    (
        padded_by_numpy,
        [(_x(3, 4), 3), (_x(1, 1), 2), (_x(4, 3).T, 2), (_x(0, 3), 0), (_x(0, 3), 1)],
    ),
    (summed_ahead, [(_x(6),), (_x(0),), (_x(1),), (_x(2),), (_x(9)[::-2],)]),
    (asked, [(k, _x(4)) for k in (0, 1, 2, 3, 4, 7, -1, -3, -4)]),
    (less, [(k,) for k in (5, 3, 2, 1, 0, -1)]),
    (far, [(n,) for n in (0, 3, 4, 9223372036854775805, -9223372036854775807)]),
    (joined, [(_x(3), _x(2)), (_x(0), _x(2)), (_x(3), _x(0)), (_x(0), _x(0))]),
    (in_loops, [(_x(4), 5), (_x(2), 0), (_x(1), 3), (_x(3), 1)]),
    (turned, [(_x(3, 2),), (_x(1, 4),), (_x(0, 2),), (_x(2, 0),), (_x(4, 6)[::2, ::-3],)]),
    (that_do_not_fit, [(_x(3),), (_x(0),)]),
    (that_are_put_where_they_do_not_fit, [(_x(3),), (_x(0),)]),
    (that_fails_behind_work, [(_x(5), _x(5), _x(5, m)) for m in (1, 2)]),
    (written_over, [(n,) for n in (0, 1, 2, 5, 40)]),
]
