"""One value is written where a mask of some axes is true, whichever axes these are."""

# Results have no annotations.
# pyright: basic

import numpy as np

from tests.programs import Case


def last(s, m):
    s[:, :, m] = -1e30
    return s


def middle(s, m):
    s[1:, m] = 7
    return s


def between(s, m):
    s[::-1, m, 1:] = 4
    return s


def with_a_new_axis(s, m):
    s[None, :, m] = 3
    return s


def behind_a_number(s, m):
    s[1, :, m] = 2
    return s


def behind_an_ellipsis(s, m):
    s[..., m] = np.float32(0.5)
    return s


def of_a_transpose(s, m):
    s.T[:, m] += 1
    s.T[:, m] = 4
    return s


def _cube(*shape: int):
    return np.arange(float(np.prod(shape))).reshape(shape)


LINE, NONE, SQUARE = np.array([True, False, True, True, False]), np.zeros(5, bool), np.eye(5) > 0
CALLS = [(_cube(3, 5, 5), LINE), (_cube(3, 5, 5), NONE), (_cube(0, 5, 5), LINE)]
CASES: list[Case] = [
    (last, [(_cube(2, 3, 5, 5), SQUARE), (_cube(2, 3, 5, 4), SQUARE), (_cube(2, 0, 5, 5), SQUARE)]),
    (middle, [(_cube(3, 5, 5), SQUARE), (np.asfortranarray(_cube(3, 5, 5)), SQUARE)]),
    *((f, CALLS) for f in (middle, between, with_a_new_axis, behind_an_ellipsis, of_a_transpose)),
    (behind_a_number, [*CALLS[:2], (_cube(2, 3, 4), LINE)]),
]
