"""Scans along an axis, in the script language.

`diff` runs along the last axis: the caller turns the array.
Rows without elements may be more than anybody could count: nobody walks over them.
"""

import numpy as np

from scriptc.parallel import prange
from scriptc_runtime import unsafe

TIMES = 1
UNEQUAL = False
FIRST = False
KIND = "sum"
LAST = False
ON_DEVICE = False
UFUNC = "add"


def scan(x):
    """Return what the elements come to so far, along the last axis if LAST, or else the first."""
    if ON_DEVICE:
        return scan_by_many(x)
    return scan_rows(x) if LAST else scan_columns(x)


def combined(so_far, element):
    """Return what has come so far and one element together: a NaN stays."""
    if KIND == "max":
        return np.maximum(so_far, element)
    if KIND == "min":
        return np.minimum(so_far, element)
    return so_far * element if KIND == "prod" else so_far + element


def scan_columns(x):
    """Combine the rows of the first axis in turn."""
    out = np.empty_like(x)
    if x.size > 0:
        out[0] = x[0]
        for i in range(1, len(x)):
            out[i] = combined(out[i - 1], x[i])
    return out


def scan_rows(x):
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
            so_far = combined(so_far, rows[r, i])
            found[r, i] = so_far
    return out


def scan_by_many(x):
    """Return the same; sums and products of floats, which are rounded, by one thread a row."""
    out = x.copy()
    if x.size == 0:
        return out
    line = out.reshape(-1)
    size = x.shape[-1] if LAST else x.shape[0]
    rows = x.size // size
    step, across = (1, size) if LAST else (rows, 1)
    if np.issubdtype(x.dtype, np.inexact) and (KIND == "sum" or KIND == "prod"):
        scan_groups(line, rows, size, step, across, 1, size)
        return out
    # Groups of neighbours, then of the last ones of groups, and so on.
    apart, width = 1, 16
    while apart < size:
        scan_groups(line, rows, size, step, across, apart, width)
        apart *= width
    while apart > 1:
        apart //= width
        add_groups(line, rows, size, step, across, apart, width)
    return out


def scan_groups(line, rows: int, size: int, step: int, across: int, apart: int, width: int):
    """Combine those in a group in turn, for all groups: so many that lie so far apart in a row."""
    groups = (size // apart - 1) // width + 1
    # Not in a kernel: whether a number overflows there, the host would ask in each round.
    reach = np.int64((width - 1) * apart)
    for k in prange(rows * groups):
        group = np.int64(k) % groups
        first = np.int64(k) // groups * across
        place = (group * width + 1) * apart - 1
        stop = np.minimum(place + reach, size - 1)
        so_far = unsafe.load(line, first + place * step)
        while place + apart <= stop:
            place += apart
            so_far = combined(so_far, unsafe.load(line, first + place * step))
            unsafe.store(line, so_far, first + place * step)


def add_groups(line, rows: int, size: int, step: int, across: int, apart: int, width: int):
    """Combine the last one of the group before with those of each group but its last."""
    groups = (size // apart - 1) // width
    reach = np.int64((width - 1) * apart)
    for k in prange(rows * groups):
        group = np.int64(k) % groups + 1
        first = np.int64(k) // groups * across
        place = group * width * apart - 1
        stop = np.minimum(place + reach, size - 1)
        before = unsafe.load(line, first + place * step)
        while place + apart <= stop:
            place += apart
            at = first + place * step
            unsafe.store(line, combined(before, unsafe.load(line, at)), at)


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
