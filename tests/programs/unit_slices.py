"""Slices of one element, `x[:, 2:3]`, met by longer axes; and rows that lie scattered in memory."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def distances(p):
    x, y = p[:, 0:1], p[:, 1:2]
    dx = x.T - x
    dy = y.T - y
    return dx * dx + dy * dy, dx


def scaled_rows(a, b):
    return a * b[:, 1:2] + b[0:1, :]


def of_units(a):
    return a[:, 0:1] + a[:, 1:2], a[0:1] * a[1:2], a[1:2, 2:3] - a


def sums(a, b):
    c = a[:, 0:1]
    return (
        np.sum(a - c, axis=0),
        np.sum((a - c) * b[1:2], axis=1),
        np.sum(c.T + b, axis=0),
        np.max(a[1:2] * 2, axis=0),
    )


def into(a, b):
    a[:, 1:3] = b[:, 2:3]
    a[0:1] = b[1:2] + a[:, 0:1]
    return a


def scattered(a, line):
    return a + line[::2], a * line[::-2], np.maximum(a, line[::2][None, :])


def stays(a, line):
    a += line[::2]
    a[1:, :] = a[:-1, :] - a[0:1, ::-1]
    return a


TABLE = np.arange(12.0).reshape(3, 4) - 5
CUBE = np.arange(9.0).reshape(3, 3) * 2
MANY = np.random.default_rng(5).integers(-99, 99, (300, 3)).astype(float)
LINE = np.arange(8.0) ** 2

CASES: list[Case] = [
    (distances, [(TABLE,), (TABLE[:, :2],), (TABLE[:, :1],), (TABLE[:, :0],), (TABLE[:1],)]),
    (distances, [(TABLE.T,), (TABLE[::-1, ::-1],), (TABLE[:0],), (MANY[:70],), (MANY[::7],)]),
    (scaled_rows, [(TABLE, TABLE), (TABLE, TABLE[:, :1]), (CUBE, CUBE.T), (TABLE[:, :1], TABLE)]),
    (scaled_rows, [(TABLE[:0], TABLE[:0]), (TABLE, TABLE[1:]), (MANY, MANY[::-1])]),
    (of_units, [(TABLE,), (CUBE,), (TABLE[:1],), (TABLE[:, :1],), (TABLE[:, 1:2],), (CUBE.T,)]),
    (sums, [(TABLE, TABLE), (CUBE, CUBE), (MANY, MANY), (TABLE[:, :1], TABLE[:, :1])]),
    (sums, [(CUBE, CUBE[:1]), (MANY[:, :1], MANY), (TABLE[:0], TABLE), (MANY.T, MANY.T)]),
    (into, [(TABLE, TABLE + 1), (TABLE, TABLE[:, :3]), (CUBE, CUBE), (TABLE, TABLE[:1])]),
    (scattered, [(TABLE, LINE), (TABLE, LINE[:6]), (CUBE, LINE[:6]), (TABLE.T, LINE[:6])]),
    (scattered, [(TABLE[:, :1], LINE), (TABLE[:0], LINE), (TABLE, np.arange(8))]),
    (stays, [(TABLE, LINE), (TABLE, TABLE.ravel()[:8]), (TABLE, TABLE.reshape(-1)[2:10])]),
]
