"""Long expressions of views whose elements lie apart: one of several in the last axis."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def limited(u, v):
    a, b = u[..., 0], v[..., 1]
    up, here, down = a[2:] - a[1:-1], a[1:-1] - a[:-2], a[2:] - a[:-2]
    ratio = np.where(b[1:-1] > 0.0, up, down) / np.where(np.abs(here) < 0.5, 0.5, here)
    part = np.maximum(0.0, np.maximum(np.minimum(1.0, 2 * ratio), np.minimum(2.0, ratio)))
    return b[1:-1] * (a[2:] + a[1:-1]) * 0.5 - np.abs(b[1:-1]) * (1.0 - part + part * 0.25)


def with_a_row(u, w):
    a = u[:, :, 1]
    return (a * a + 2.0 * a * w - w) / (1.0 + a * a) - (a - w) / (2.0 + np.abs(a * w))


def into_another_part(u):
    a, b = u[..., 0], u[..., 1]
    u[..., 2] = (a * b + a - b) / (1.0 + a * a) - (a + 2.0) * (b - 3.0) / (2.0 + b * b)
    return u


def into_a_row_of_its_own(u):
    a = u[:, 0]
    u[0] = (a * a + a - 3.0) / (1.0 + a * a) - (a + 2.0) * (a - 3.0) / (2.0 + a * a)
    return u


def several(u, out):
    a = u[..., -1]
    first = (a * a - 2.0 * a + 1.0) / (1.0 + a * a) + (a - 1.0) / (2.0 + a * a)
    second = (a * a + 2.0 * a + 1.0) / (1.0 + a * a) + (a + 1.0) / (2.0 + a * a)
    out[...] = first - second
    a[...] = second
    return first, second, out, np.sum(first), u


def cubes(*sizes):
    """Small whole numbers, of which all that is computed is the same everywhere."""
    count = int(np.prod(sizes))
    return ((np.arange(count) * 7 % 23) - 11.0).reshape(sizes)


SQUARE = cubes(9, 9)
CASES: list[Case] = [
    (limited, [(cubes(n, m, 3), cubes(n, m, 2)) for n, m in ((5, 4), (9, 40), (3, 1), (4, 0))]),
    (limited, [(cubes(7, 5, 3, 4), cubes(7, 5, 3, 2)), (cubes(8, 3)[::-1], cubes(8, 3))]),
    (
        limited,
        [(np.asfortranarray(cubes(6, 5, 2)), cubes(6, 5, 2)), (cubes(6, 5, 1), cubes(6, 5, 2))],
    ),
    (
        limited,
        [(cubes(6, 5, 2).astype(np.float32), cubes(6, 5, 2)), (cubes(6, 1, 2), cubes(6, 5, 2))],
    ),
    (
        with_a_row,
        [
            (cubes(5, 7, 3), cubes(7)),
            (cubes(5, 7, 2), cubes(5, 1)),
            (cubes(1, 7, 2), SQUARE[:, :7]),
        ],
    ),
    (into_another_part, [(cubes(6, 7, 3),), (cubes(3),), (cubes(40, 3),)]),
    (into_a_row_of_its_own, [(SQUARE,), (cubes(3, 3),), (cubes(70, 70),)]),
    (several, [(cubes(6, 7, 3), cubes(6, 7)), (cubes(50, 2), cubes(50)), (cubes(0, 2), cubes(0))]),
]
