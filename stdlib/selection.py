"""What sorting puts at some places, and rows parted there, in the script language.

Routines of the support code do it row by row.
"""

import numpy as np

from scriptc_runtime import unsafe


def order_statistics(x, places):
    """Return the elements at some places of each sorted row; NaN in each where the row has one."""
    out = np.empty(x.shape[:-1] + (len(places),), x.dtype)
    if x.ndim == 1:
        unsafe.select_row(x, places, out)
    elif out.size > 0:
        count = out.size // len(places)
        rows = x.copy().reshape(count, x.shape[-1])
        found = out.reshape(count, len(places))
        for i in range(count):
            unsafe.select_row(rows[i], places, found[i])
    return out


def partition(x, places):
    """Return each row with what sorting puts at the places there, lesser elements before it."""
    out = x.copy()
    if out.size > 0 and x.ndim == 1:
        unsafe.part_row(out, places)
    elif out.size > 0:
        rows = out.reshape(-1, x.shape[-1])
        for i in range(len(rows)):
            unsafe.part_row(rows[i], places)
    return out


def argpartition(x, places):
    """Return the indices that part each row as `partition` does."""
    keys = x.copy()
    # Zeros over the sizes of x.
    out = np.where(x != x, 0, 0)
    if out.size > 0 and x.ndim == 1:
        unsafe.order_parts(keys, out, places)
    elif out.size > 0:
        lines = keys.reshape(-1, x.shape[-1])
        rows = out.reshape(-1, x.shape[-1])
        for i in range(len(rows)):
            unsafe.order_parts(lines[i], rows[i], places)
    return out
