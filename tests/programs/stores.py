"""Numbers put into arrays of another dtype: what raises, what is cut off, what wraps around."""

# pyright: basic

import numpy as np

from tests.programs import Case

NAN, INF = float("nan"), float("inf")
KINDS = ("i1", "u1", "i4", "u4", "i8", "f4", "?")


def element(a, value):
    a[1] = value
    return a


def part(a, value):
    a[1:] = value
    return a


def filled(a, value):
    a.fill(value)
    return a


def picked(a, value):
    a[a == 0] = value
    return a


def made(a, value):
    return np.full_like(a, value), np.full(3, value, dtype=a.dtype)


def built(a, value):
    return np.array([[value, 1], [True, value]], dtype=a.dtype)


def scaled(a, x):
    for i in range(len(a)):
        a[i] = x[i] * 2.5
    return a


def scaled_at_once(a, x):
    a[:] = x * 2.5
    return np.array(x, dtype=a.dtype), np.asarray(x, a.dtype)


def added(a, x):
    for i in range(len(a)):
        a[i] += x
    return a


def of_items(a, items):
    made = np.array(items, dtype=a.dtype), np.asarray(items, a.dtype)
    a[:] = items
    return made


def of_rows(rows):
    return np.array(rows, dtype=np.uint8)


def of_squares(n):
    return np.array([i * i for i in range(n)], dtype=np.uint8)


def words(n):
    return np.array([0xFFFFFFFF, n, 0x80000000], np.uint32), np.array([1, 2, 255], np.uint8)


def _zeros(kinds):
    return [np.zeros(3, kind) for kind in kinds]


_PYTHON = (True, 7, 300, -1, 3.7, 300.7, -1.5, NAN, INF, -0.0)
_NUMPY = (
    *(
        kind(value)
        for kind in (np.float64, np.float32, np.float16)
        for value in (3.7, 300.7, -1.5, NAN, -INF)
    ),
    np.int64(300),
    np.uint8(200),
    np.True_,
)
_ALL = [(a, value) for a in _zeros(KINDS) for value in (*_PYTHON, *_NUMPY)]
_SOME = [(a, value) for a in _zeros(("i1", "u1", "i8", "?")) for value in (7, 300, 3.7, NAN)]
_FLOATS = np.array([1.5, -2.0, 100.0])


def full_of_large():
    return np.full(2, NAN, np.int8), np.full(2, -1e10, np.int8), np.full(2, -1e10, np.int64)


def repeated(text, n):
    return text * n, n * text


CASES: list[Case] = [
    (full_of_large, [()]),
    (repeated, [("ab", 3), ("ab", 2**62), ("", 2**62), ("a", -1)]),
    (element, _ALL),
    (part, _ALL),
    (filled, _SOME),
    (picked, _SOME),
    (made, [(a, v) for a, v in _SOME if v == v]),
    (built, _SOME),
    (scaled, [(a, x) for a in _zeros(("i1", "i8", "f4", "?")) for x in (_FLOATS, _FLOATS + 1e3)]),
    (scaled, [(np.zeros(3, "i8"), np.array([1.0, NAN, 2.0])), (np.zeros(0, "i8"), _FLOATS)]),
    (
        scaled_at_once,
        [(a, x) for a in _zeros(("i1", "i8", "u2", "f2", "?")) for x in (_FLOATS, _FLOATS[::-1])],
    ),
    (added, [(np.arange(3), 0.75), (np.arange(3), 2), (np.arange(3, dtype="u1"), 0.75)]),
    (
        of_items,
        [
            (a, items)
            for a in _zeros(("i1", "u1", "i8", "f4", "?"))
            for items in ([1, 2, 3], [1, 300, 2], [0.5, 2.5, -0.5], (1, 2, -3), (1, 2.5, True))
        ],
    ),
    (of_rows, [([[1, 2], [3, 4]],), ([[1, 2], [3, 400]],), ([(1, 2.5), (3, 4.5)],)]),
    (of_squares, [(5,), (50,), (0,)]),
    (words, [(3,), (-1,), (2**32,)]),
]
