"""Quantiles over several axes, norms by their newer names, windows of arrays, kinds of dtypes."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

TABLE = np.array([[3.0, -1.5, 2.0, 0.5], [0.0, 7.25, 1.0, 4.0], [2.0, 2.0, 4.0, -8.0]])
CUBE = (np.arange(24.0).reshape(2, 3, 4) * 7) % 11
NANS = np.where(CUBE > 9, np.nan, CUBE)


def middles(a):
    return (
        np.median(a, axis=(0, 1)),
        np.median(a, axis=(-1, 0), keepdims=True),
        np.median(a, keepdims=True, overwrite_input=False),
        np.quantile(a, 0.25, axis=(0, 1)),
        np.percentile(a, [25, 75], axis=1, keepdims=True),
        np.quantile(a, 0.5, axis=(0, -1), keepdims=True),
    )


def middles_of_numbers(a):
    return np.nanmedian(a, axis=(0, 2)), np.nanquantile(a, 0.5, axis=(1, 0), keepdims=True)


def norms(a):
    return (
        np.linalg.matrix_norm(a, ord=1),
        np.linalg.matrix_norm(a, ord=np.inf, keepdims=True),
        np.linalg.vector_norm(a, ord=1),
        np.linalg.vector_norm(a, axis=0, ord=np.inf),
        np.linalg.vector_norm(a, axis=(0, 1), keepdims=True, ord=0),
    )


def products(a, v):
    return (
        np.linalg.multi_dot([a, a.T, a]),
        np.linalg.multi_dot((v, a)),
        np.linalg.multi_dot([v, a, a.T, v]),
        np.linalg.multi_dot([a.T, a, a.T, a]),
        np.linalg.multi_dot([v, a, a.T]),
    )


def windows(a, n):
    w = np.lib.stride_tricks.sliding_window_view(a, n, axis=0)
    return w, w.sum(axis=-1), np.lib.stride_tricks.sliding_window_view(a[0], (2,))


def halves(x):
    if np.issubdtype(x.dtype, np.integer):
        return x // 2
    if np.issubdtype(x.dtype, np.floating):
        return x / 2
    return x


def equal(a, b):
    return np.array_equal(a, b, equal_nan=True), np.array_equal(a, b)


def angles(z):
    return np.angle(z, deg=True), np.angle(z[0], deg=False)


def written_through(a, i):
    """New arrays are in C order as NumPy's are: what is written to `ravel` is written to them."""
    arrays = (
        np.sort(a, axis=0),
        np.partition(a, 1, axis=0),
        np.cumsum(a, axis=1),
        np.cumulative_sum(a, axis=1, include_initial=True),
        np.nancumprod(a, axis=1),
        np.add.reduceat(a, i, axis=1),
        np.maximum.accumulate(a, axis=1),
        np.diff(a, axis=0),
        np.diff(a, axis=0, prepend=a[:1]),
        np.gradient(a, axis=1),
        np.take(a, i, axis=1),
        np.delete(a, 1, axis=1),
        np.insert(a, 1, 7.5, axis=1),
        np.insert(a, i, 7.5, axis=1),
        np.compress([True, False, True], a, axis=1),
        np.repeat(a, [2, 0, 1, 1], axis=1),
        np.pad(a, 1, mode="edge"),
        np.unwrap(a, axis=0),
        np.stack([a[k] for k in range(len(a))], axis=1),
        np.concatenate([a[k : k + 1] for k in range(len(a))], axis=1),
    )
    for array in arrays:
        array.ravel()[0] = 99
    spectrum = np.fft.fft(a, axis=0)
    spectrum.ravel()[0] = 99
    differs = np.diff(a > 1, n=2, axis=0)
    return arrays, spectrum[0, 0], differs


def parts_of_flat(a):
    """What is read from `x.flat` is no view."""
    found = a.flat[1:3], a.T.flat[1:3], a.flat[[0, 1]], a.flat[-1]
    a[...] = -1
    return found


def sums_of_outer_sums(a, b):
    """Of the axes that are summed, one stands before those that are kept and one behind."""
    whole = a[:, :, None, None] + b
    return whole.sum((1, 3)), whole.max((3, 1)), (whole == 2).any((1, 3)).all(1)


def axes_in_turn(a):
    """In each round over numbers that are written down the axis is a constant, until it changes."""
    total, turned = 0.0, a
    for k in (0, -1, 1):
        total += a.sum(axis=k)[0] * k
        turned = np.flip(turned, axis=k)
    for scale in (1, 2.5, True):
        total = total * 3 + scale
    for name in ("ab", "c"):
        if len(name) == 1:
            break
        name += name
    return total, turned, scale, name, k, [np.cumsum(a, axis=axis) for axis in (1, 0)]


AXIS = np.array([1 + 0j, -2, 0, 3])
CASES: list[Case] = [
    (middles, [(CUBE,), (CUBE[:, :1] * np.nan,)]),
    (middles_of_numbers, [(NANS,), (NANS[:, :, ::-2],)]),
    (norms, [(TABLE,), (TABLE.astype(int),)]),
    (products, [(TABLE, TABLE[0, :3])]),
    (windows, [(TABLE, 2), (TABLE.T, 4), (TABLE, 9)]),
    (halves, [(TABLE,), (CUBE.astype(int),), (TABLE > 2,), (CUBE.astype(np.uint8),)]),
    (equal, [(NANS, NANS), (NANS, CUBE), (TABLE, TABLE[:2])]),
    (sums_of_outer_sums, [(TABLE.T.copy(), TABLE), (TABLE[:, :0].copy(), TABLE)]),
    (sums_of_outer_sums, [(np.arange(57.0).reshape(3, 19) % 4, TABLE)]),
    (angles, [(AXIS,)]),
    (written_through, [(TABLE, np.array([1, 3]))]),
    (parts_of_flat, [(TABLE,)]),
    (axes_in_turn, [(TABLE,), (TABLE.T > 1,)]),
]
