"""Scans along an axis, in the script language.

`cumsum` and `cumprod` run along the first axis, `diff` along the last: the caller turns the array.
"""

import numpy as np

TIMES = 1
UNEQUAL = False


def cumsum(x):
    """Return the sums of the rows up to each one, added in their order."""
    out = np.empty_like(x)
    if len(x) > 0:
        out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = out[i - 1] + x[i]
    return out


def cumprod(x):
    """Return the products of the rows up to each one, multiplied in their order."""
    out = np.empty_like(x)
    if len(x) > 0:
        out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = out[i - 1] * x[i]
    return out


def cumsum_from(x, first):
    """Return what no row adds up to, and the sums of the rows up to each one."""
    out = np.empty((len(x) + 1,) + x.shape[1:], x.dtype)
    out[0] = first
    for i in range(len(x)):
        out[i + 1] = out[i] + x[i]
    return out


def cumprod_from(x, first):
    """Return the product of no row, and the products of the rows up to each one."""
    out = np.empty((len(x) + 1,) + x.shape[1:], x.dtype)
    out[0] = first
    for i in range(len(x)):
        out[i + 1] = out[i] * x[i]
    return out


def cummax(x):
    """Return the largest of the rows up to each one; NaN from the first NaN on."""
    out = np.empty_like(x)
    if len(x) > 0:
        out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = np.maximum(out[i - 1], x[i])
    return out


def cummin(x):
    """Return the smallest of the rows up to each one; NaN from the first NaN on."""
    out = np.empty_like(x)
    if len(x) > 0:
        out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = np.minimum(out[i - 1], x[i])
    return out


def diff(x):
    """Return the differences of neighbours, taken TIMES times; of bools, whether they differ."""
    for _ in range(TIMES):
        x = difference(x)
    return x


def difference(x):
    """Return the differences of neighbours along the last axis."""
    if UNEQUAL:
        return x[..., 1:] != x[..., :-1]
    return x[..., 1:] - x[..., :-1]
