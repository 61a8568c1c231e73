"""Arrays rearranged, in the script language."""

import numpy as np

LABEL, OPERAND = "i", "single operand"
AXIS = 0


def require_items(count: int, wanted: int):
    """Refuse to unpack another number of items than there are targets."""
    if count > wanted:
        raise ValueError(f"too many values to unpack (expected {wanted})")
    if count < wanted:
        raise ValueError(f"not enough values to unpack (expected {wanted}, got {count})")


def rest(items, before: int, behind: int):
    """Return a list of the items that other targets leave."""
    if len(items) < before + behind:
        raise ValueError(
            f"not enough values to unpack (expected at least {before + behind}, got {len(items)})"
        )
    return [items[i] for i in range(before, len(items) - behind)]


def given_or(value, other: int):
    """Return a number that may be None, or the other one in its place."""
    return other if value is None else int(value)


def lower_bound(bound, step: int):
    """Return where a slice begins, also where None leaves it to the step."""
    if bound is not None:
        return int(bound)
    return 0 if step > 0 else 2**63 - 1  # which no array reaches


def upper_bound(bound, step: int):
    """Return where a slice ends, also where None leaves it to the step."""
    if bound is not None:
        return int(bound)
    return 2**63 - 1 if step > 0 else -(2**63)


def require_one_size(size: int, other: int):
    """Refuse the diagonal of axes that are not of one size."""
    if size != other:
        raise ValueError(
            f"dimensions in {OPERAND} for collapsing index '{LABEL}' don't match "
            f"({size} != {other})"
        )


def diagonal(x, offset: int):
    """Return the elements x[i, i + offset]."""
    first = max(-offset, 0)
    count = max(min(x.shape[0] - first, x.shape[1] - max(offset, 0)), 0)
    out = np.empty(count, x.dtype)
    for i in range(count):
        out[i] = x[first + i, first + i + offset]
    return out


def diagonals(x, offset: int):
    """Return the elements x[..., i, i + offset]."""
    first = max(-offset, 0)
    count = max(min(x.shape[-2] - first, x.shape[-1] - max(offset, 0)), 0)
    out = np.empty(x.shape[:-2] + (count,), x.dtype)
    for i in range(count if out.size > 0 else 0):
        out[..., i] = x[..., first + i, first + i + offset]
    return out


def again(x, count: int):
    """Return so many elements, again from the first where there are fewer; zeros of none."""
    if len(x) == 0:
        return np.zeros(count, x.dtype)
    return x[np.arange(count) % len(x)]


def diagonal_matrix(x, offset: int):
    """Return a square matrix whose elements [i, i + offset] are those of x, the others zero."""
    size = len(x) + abs(offset)
    out = np.zeros((size, size), x.dtype)
    first = max(-offset, 0)
    for i in range(len(x)):
        out[first + i, first + i + offset] = x[i]
    return out


def windows(x, size: int):
    """Return the neighbours from each place on along the last axis, which come last."""
    if size < 0:
        raise ValueError("`window_shape` cannot contain negative values")
    count = x.shape[-1] - size + 1
    if count <= 0:
        raise ValueError("window shape cannot be larger than input array shape")
    out = np.empty(x.shape[:-1] + (count, size), x.dtype)
    for k in range(size if out.size > 0 else 0):
        out[..., k] = x[..., k : k + count]
    return out


def split_evenly(x, count: int):
    """Return a list of so many parts along AXIS, of one size each."""
    if x.shape[AXIS] % count != 0:
        raise ValueError("array split does not result in an equal division")
    return split_nearly_evenly(x, count)


def split_nearly_evenly(x, count: int):
    """Return a list of so many parts along AXIS; the first ones have one more where they differ."""
    if count <= 0:
        raise ValueError("number sections must be larger than 0.")
    size = x.shape[AXIS] // count
    more = x.shape[AXIS] % count
    rows = np.moveaxis(x, AXIS, 0)
    start = 0
    parts = [x] * count  # where no memory holds as many, that is known at once
    for k in range(count):
        stop = start + size + (1 if k < more else 0)
        parts[k] = np.moveaxis(rows[start:stop], 0, AXIS)
        start = stop
    return parts
