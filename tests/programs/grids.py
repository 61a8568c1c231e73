"""`np.mgrid`, `np.ogrid` and `np.r_`: slices of ints and floats, and steps that count points."""

# pyright: basic

import numpy as np

from tests.programs import Case


def of_ints(n):
    return np.mgrid[0:n, 0:2], np.mgrid[n:0:-1], np.mgrid[5:1:-2, 0:3], np.ogrid[:n, 1:3]


def of_floats(a, b):
    return np.mgrid[a:b:0.25], np.mgrid[a:b:0.1, :3], np.ogrid[0:2, a:b:0.3], np.r_[a:b:0.25, 7]


def of_points(a, b, h, w):
    y, x = np.ogrid[a : b : h * 1j, -2 : 0.8 : w * 1j]
    return y, x, np.mgrid[a:b:11j], np.mgrid[0:3, a:b:3j], np.r_[a:b:7j], np.r_[a : b : h * 1j]


CASES: list[Case] = [
    (of_ints, [(3,), (0,)]),
    (of_floats, [(0.1, 0.7), (-0.3, 0.7), (1.0, 0.0)]),
    (of_points, [(0.1, 0.7, 5, 6), (-1.4, 1.4, 1, 2), (0, 1, 2, 1), (1.0, 0.5, 3, 0)]),
]
