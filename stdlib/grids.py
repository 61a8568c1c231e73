"""Lines of `np.mgrid`, `np.ogrid` and `np.r_`, in the script language."""

import math

import numpy as np

DENSE = True


def count_of(step: complex):
    """Return how many points a complex step asks for."""
    return int(abs(step))


def points_between(start: float, stop: float, step: complex):
    """Return as many points as the complex step says, from start to stop, as np.mgrid has them."""
    count = count_of(step)
    width = 1.0 if count == 1 else (stop - start) / (count - 1)
    return np.arange(count) * width + start


def points_apart(start: float, stop: float, step: float):
    """Return start, start + step, ... below stop, as np.mgrid has them beside other axes."""
    return np.arange(size_of(start, stop, step)) * step + start


def ints_apart(start: int, stop: int, step: int):
    """Return start, start + step, ... below stop, where all axes are of ints."""
    return np.arange(size_of(start, stop, step)) * step + start


def size_of(start, stop, step):
    """Return how many numbers there are; an axis of an array that is DENSE has no fewer than 0."""
    size = math.ceil((stop - start) / step)
    if DENSE and size < 0:
        raise ValueError("negative dimensions are not allowed")
    return size
