"""What new users write: bits of ints, texts repeated, points and windows of all kinds."""

import numpy as np

from tests.programs import Case

# The types come from the calls.
# pyright: basic


def bits(n):
    return n.bit_length(), n.bit_count(), (n > 3).bit_length(), (-n // 2).bit_length()


def number_of_bits(x):
    return x.bit_count()


def large_literals(x):
    return x & np.uint64(0x9E3779B97F4A7C15), x * np.uint64(18446744073709551615)


def ruled(n, text):
    print("=" * n, n * text, sep="|")
    return "-" * n + text * 2, (n > 2) * text, text * (n > 2)


def least_so_far(x):
    best, least = np.inf, -np.inf
    for v in x:
        if v < best:
            best = v
        least = max(least, v)
    return best * 1, least * 1


def beside_constants(x):
    return x * np.pi, x + np.nan, np.where(x > 0, np.inf, x), np.maximum(x, -np.inf), np.e - x


def of_tuples(a, b, c):
    t = (a, b, c)
    return min(t), max(t), sum(t), sum(t, 10), min((a,)), max(a, b, c)


def of_shapes(x):
    return min(x.shape), max(x.shape), sum(x.shape), sum(x.shape[1:])


def points(a, b, n):
    some = np.linspace(a, b, n), np.linspace(0, b, n), np.linspace(a, 1.5, n, endpoint=False)
    return some, np.linspace(a, b, n, dtype=np.float64), np.linspace(a, b, n, dtype=np.float32)


def rows_of_points(a, b, n):
    some = np.linspace(a, b, n), np.linspace(a, 2, n, endpoint=False), np.linspace(b, a, n, axis=-1)
    return some, np.linspace(a, b, n, dtype=np.int64)


def windows(x, n, m):
    view = np.lib.stride_tricks.sliding_window_view
    rows = view(x, n, axis=0), view(x, (n,), axis=(-1,)), view(x, (n, m), axis=(1, 0))
    return view(x, (n, m)), view(x, (n, m)).sum(axis=(2, 3)), rows, view(x, (n, m), axis=(0, 0))


def windows_of_line(x, n):
    return np.lib.stride_tricks.sliding_window_view(x, (n,)).max(axis=-1)


def or_default(x, y):
    some = max(x, default=y), min(x, default=y), max([v * 2 for v in x], default=y)
    return some, min((v for v in x if v > 1), default=y)


_HALVES = np.array([0.1, -3.0, 0.7, np.inf])
_TABLE = np.arange(30.0).reshape(5, 6)

CASES: list[Case] = [
    (or_default, [([1, 3, 2], 7), (np.zeros(0), np.float64(2)), ([0.5, np.nan, 1.5], 2.0)]),
    (bits, [(n,) for n in (0, 1, 37, -1, 2**62, 2**63 - 1, -(2**62))]),
    (number_of_bits, [(np.int64(-(2**63)),), (np.int8(-128),), (np.uint32(2**32 - 1),), (True,)]),
    (large_literals, [(np.uint64(7),), (np.arange(4, dtype=np.uint64),)]),
    (ruled, [(0, "ab"), (1, ""), (5, "xyz"), (-3, "a"), (64, "\u00e4")]),
    (
        beside_constants,
        [(np.float32(2),), (_HALVES.astype(np.float32),), (np.array([1, -2], np.float16),)],
    ),
    (of_tuples, [(3, 4, 1), (0.5, -0.0, 0.0), (np.nan, 1.0, 2.0), (1, 1, 1)]),
    (of_tuples, [(np.float32(2), np.float32(0.1), np.float32(7)), (-(2**62), 2**62, 0)]),
    (of_shapes, [(np.zeros((3, 4)),), (np.zeros((0, 2, 5)),)]),
    (
        points,
        [
            (np.float32(0.1), np.float32(1.7), 7),
            (np.float32(-3), np.float32(0.3), 1),
            (np.float32(2), np.float32(2), 4),
            (np.float16(0.1), np.float16(90), 6),
            (np.int32(3), np.float32(0.7), 5),
            (np.float64(0.1), np.float32(0.7), 0),
            (np.float32(0.1), np.float32(0.7), -1),
            (np.int8(-3), np.uint64(5), 4),
        ],
    ),
    (
        rows_of_points,
        [
            (_HALVES[:3], _HALVES[2::-1] * 3, 4),
            (_HALVES[:3].astype(np.float32), _HALVES[2::-1].astype(np.float32), 5),
            (_TABLE[::2, ::-3].astype(np.float32), np.float32(0.1), 3),
            (np.arange(3), np.arange(3)[::-1] * 7, 1),
            (np.arange(3, dtype=np.int8), np.float16(0.1), 2),
            (_HALVES[:0], _HALVES[:0], 3),
        ],
    ),
    (windows, [(_TABLE, 2, 3), (_TABLE[::-1, ::2], 1, 3), (_TABLE, 6, 1), (_TABLE, -1, 2)]),
    (windows, [((_TABLE > 7), 2, 2), (_TABLE[:, :0], 1, 1)]),
    (windows_of_line, [(np.arange(7)[::-1], 3), (np.arange(2), 3)]),
]
# np.inf is a float in CPython where no round has given another one.
MERGED: list[Case] = [
    (least_so_far, [(_HALVES.astype(np.float32),), (np.zeros(0, np.float32),), ([0.5, 1.5],)]),
]
