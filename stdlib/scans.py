"""Scans along an axis, in the script language.

`cumsum` and `cumprod` run along the first axis, `diff` along the last: the caller turns the array.
Rows without elements may be more than anybody could count: nobody walks over them.
"""

import numpy as np

TIMES = 1
UNEQUAL = False
FIRST = False
KIND = "sum"
UFUNC = "add"


def cumsum(x):
    """Return the sums of the rows up to each one, added in their order."""
    out = np.empty_like(x)
    if x.size > 0:
        out[0] = x[0]
        for i in range(1, len(x)):
            out[i] = out[i - 1] + x[i]
    return out


def cumprod(x):
    """Return the products of the rows up to each one, multiplied in their order."""
    out = np.empty_like(x)
    if x.size > 0:
        out[0] = x[0]
        for i in range(1, len(x)):
            out[i] = out[i - 1] * x[i]
    return out


def cumsum_of_rows(x):
    """Return the sums of the elements of each row of the last axis up to each one."""
    return scan_rows(x, lambda so_far, element: so_far + element)


def cumprod_of_rows(x):
    """Return the products of the elements of each row up to each one."""
    return scan_rows(x, lambda so_far, element: so_far * element)


def cummax_of_rows(x):
    """Return the largest of the elements of each row up to each one."""
    return scan_rows(x, lambda so_far, element: np.maximum(so_far, element))


def cummin_of_rows(x):
    """Return the smallest of the elements of each row up to each one."""
    return scan_rows(x, lambda so_far, element: np.minimum(so_far, element))


def scan_rows(x, combine):
    """Combine the elements of each row of the last axis in turn: what has come so far is kept.

    As columns that are combined the same would take five times as long.
    """
    out = np.empty_like(x)
    length = x.shape[-1]
    count = x.size // max(length, 1)
    rows = x.reshape(count, length)
    found = out.reshape(count, length)
    for r in range(count):
        so_far = rows[r, 0]
        found[r, 0] = so_far
        for i in range(1, length):
            so_far = combine(so_far, rows[r, i])
            found[r, i] = so_far
    return out


def cumsum_from(x, first):
    """Return what no row adds up to, and the sums of the rows up to each one."""
    out = np.empty((len(x) + 1,) + x.shape[1:], x.dtype)
    out[0] = first
    if x.size > 0:
        for i in range(len(x)):
            out[i + 1] = out[i] + x[i]
    return out


def cumprod_from(x, first):
    """Return the product of no row, and the products of the rows up to each one."""
    out = np.empty((len(x) + 1,) + x.shape[1:], x.dtype)
    out[0] = first
    if x.size > 0:
        for i in range(len(x)):
            out[i + 1] = out[i] * x[i]
    return out


def cummax(x):
    """Return the largest of the rows up to each one; NaN from the first NaN on."""
    out = np.empty_like(x)
    if x.size > 0:
        out[0] = x[0]
        for i in range(1, len(x)):
            out[i] = np.maximum(out[i - 1], x[i])
    return out


def cummin(x):
    """Return the smallest of the rows up to each one; NaN from the first NaN on."""
    out = np.empty_like(x)
    if x.size > 0:
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
    """Return the differences of neighbours along the last axis, or along the first one if FIRST."""
    later = x[1:] if FIRST else x[..., 1:]
    sooner = x[:-1] if FIRST else x[..., :-1]
    return later != sooner if UNEQUAL else later - sooner


def put_before(more, x):
    """Return an array with a number, or with rows, before it along the last axis."""
    count = 1 if more.ndim == 0 else more.shape[-1]
    out = np.empty(x.shape[:-1] + (count + x.shape[-1],), x.dtype)
    out[..., :count] = more
    out[..., count:] = x
    return out


def put_behind(x, more):
    """Return an array with a number, or with rows, behind it along the last axis."""
    count = x.shape[-1]
    out = np.empty(x.shape[:-1] + (count + (1 if more.ndim == 0 else more.shape[-1]),), x.dtype)
    out[..., :count] = x
    out[..., count:] = more
    return out


def folded_at(x, places):
    """Return the rows from each place to the next folded by KIND; one row where that is behind."""
    out = np.empty((len(places),) + x.shape[1:], x.dtype)
    size = len(x)
    for i in range(len(places)):
        if places[i] < 0 or places[i] >= size:
            raise IndexError(f"index {places[i]} out-of-bounds in {UFUNC}.reduceat [0, {size})")
    for i in range(len(places)):
        start = int(places[i])
        stop = int(places[i + 1]) if i + 1 < len(places) else size
        out[i] = x[start] if stop <= start else folded(x[start:stop])
    return out


def folded(rows):
    """Return what rows make together."""
    if KIND == "sum":
        return np.sum(rows, axis=0)
    if KIND == "prod":
        return np.prod(rows, axis=0)
    if KIND == "max":
        return np.max(rows, axis=0)
    return np.min(rows, axis=0)
