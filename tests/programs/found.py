"""What random programs have found, each as small as it could be made."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def product_with_an_array_without_axes(k):
    """Overflow is impossible here, but the second factor is no number."""
    return 2 * np.where(k < 3, 4, 5), -np.where(k < 3, 4, 5), np.where(k < 3, 6, 7) // 2


def size_of_bools(x):
    """It is a new array though nothing changes."""
    first, second = np.abs(x), abs(x)
    x[0] = not x[0]
    return first, second, np.abs(x[1])


CASES: list[Case] = [
    (product_with_an_array_without_axes, [(1,), (3,)]),
    (size_of_bools, [(np.array([True, False]),)]),
]
