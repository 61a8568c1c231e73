"""Sets, orders by several keys, parts in order, histograms, and what leaves out NaN."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([1.0, -2.0, 0.5, 4.0, 0.5, 3.0, -7.25])
OTHER = np.array([0.5, 9.0, -2.0, 0.5, 3.0])
NANS = np.array([[3.0, np.nan, 4.5, 1.0], [np.nan] * 4, [np.inf, -np.inf, 1.0, np.nan]])
TABLE = np.array([[3, -1, 4, 1], [5, -9, 2, 6], [5, 3, 5, 8]])
NONE = np.zeros(0)


def sets(a, b):
    return np.union1d(a, b), np.intersect1d(a, b), np.setdiff1d(a, b), np.setxor1d(a, b)


def places_in_sets(a, b):
    c, d = np.unique(a), np.unique(b)
    return (
        np.intersect1d(a, b, return_indices=True),
        np.intersect1d(c, d, assume_unique=True),
        np.setdiff1d(a, b, assume_unique=True),
        np.setxor1d(c, d, True),
        np.intersect1d(c, d, assume_unique=True, return_indices=True),
    )


def trimmed(a):
    return np.trim_zeros(a), np.trim_zeros(a, "f"), np.trim_zeros(a, trim="b")


def steps(a):
    return np.ediff1d(a), np.ediff1d(a, to_end=9), np.ediff1d(a, to_begin=a[:1], to_end=[7, 8])


def orders(a, b):
    i = np.lexsort((a, b))
    return i, a[i], np.lexsort([b[::-1], a > 1, b]), np.lexsort(np.stack((a, b)))


def parted(a, k):
    b = a.copy()
    b.partition(k)
    i = np.argpartition(a, k)
    return np.partition(a, k)[k], b[k], a[i][k], np.sort(a[i[:k]]), np.sort(np.partition(a, k)[:k])


def parted_rows(a):
    return np.partition(a, 1, axis=0)[1], np.partition(a, (1, -1))[:, [1, -1]]


def counted(a, edges, w):
    return (
        np.histogram(a, edges),
        np.histogram(a, bins=[-8, 0, 0.5, 0.5, 4]),
        np.histogram(a, edges, weights=w),
        np.histogram(a, edges, density=True),
        np.histogram(a, 4, density=True),
        np.histogram(a, 3, (-2, 4), weights=w, density=True),
        np.histogram_bin_edges(a, 3),
    )


def counted_pairs(x, y, n):
    return (
        np.histogram2d(x, y, n),
        np.histogram2d(x, y, bins=[2, n], range=[[-8, 4], [0, 3]]),
        np.histogram2d(x, y, 2, weights=y, density=True),
        np.histogram2d(x, y, bins=[np.array([-8.0, 0.5, 4.0]), 2]),
    )


def pairs_on_edges(x, y, edges):
    return (
        np.histogram2d(x, y, bins=[edges, 7], range=[[0, 1], [-1, 1]]),
        np.histogram2d(y, x, bins=[3, edges], range=[[-0.3, 0.6], [0, 1]], weights=y * 0.25)[0],
    )


def places_of_numbers(a):
    return np.nanargmax(a, axis=0), np.nanargmin(a), np.nanargmax(a, 1, keepdims=True)


def scans_of_numbers(a):
    return np.nancumsum(a), np.nancumprod(a, axis=0), np.nancumsum(a, 1)


def sums_so_far(a):
    return (
        np.cumulative_sum(a, axis=0),
        np.cumulative_sum(a, axis=1, include_initial=True),
        np.cumulative_prod(a[0], include_initial=True),
        np.cumulative_sum(a.ravel()),
    )


def middles_of_numbers(a):
    return (
        np.nanmedian(a),
        np.nanmedian(a, axis=0),
        np.nanmedian(a, axis=1, keepdims=True),
        np.nanquantile(a, 0.25),
        np.nanpercentile(a, 40, axis=0),
        np.nanquantile(a, 0.5, axis=1, keepdims=True),
    )


def quantiles_of_numbers(a, q):
    return np.nanquantile(a, q, axis=1), np.nanpercentile(a, [10, 75])


EDGES = np.array([-2.0, 0.5, 1.0, 4.0])


def narrow_histograms(a, w):
    one = np.histogram(a, 5), np.histogram(a, 7, (-1.5, 2.3)), np.histogram(a, 3, weights=w)
    return one, np.histogram(a, [-1, 0, 1]), np.histogram_bin_edges(a, 4)


POINTS = np.array([0.1, -2.3, 0.1, 1.7, 2.3, -0.7, 1.1, 0.3], np.float32)
NUMBERS = np.array([3, -7, 4, 1, 1, 0, 2, 2])
CASES: list[Case] = [
    (
        narrow_histograms,
        [(POINTS, POINTS[::-1]), (POINTS[:0], POINTS[:0]), (POINTS[:1], POINTS[:1])],
    ),
    (narrow_histograms, [(POINTS * 1e30, NUMBERS.astype(np.int32)), (POINTS * np.nan, POINTS)]),
    (narrow_histograms, [(NUMBERS.astype(np.int16), NUMBERS), (NUMBERS.astype(np.uint8), POINTS)]),
    (sets, [(LINE, OTHER), (NANS, NANS[0]), (NONE, LINE), (TABLE, LINE)]),
    (places_in_sets, [(LINE, OTHER), (NONE, NONE)]),
    (trimmed, [(np.array([0, 0, 1, 0, 2, 0]),), (np.zeros(3),), (NONE,)]),
    (steps, [(LINE,), (TABLE,), (NONE,), (LINE.astype(np.float32),)]),
    (orders, [(LINE[:5], OTHER), (TABLE[2], TABLE[0]), (NANS[2], NANS[0])]),
    (parted, [(LINE, 2), (NANS[0], 1), (TABLE[1], 3), (LINE, 7), (NONE, 0)]),
    (parted_rows, [(TABLE,), (TABLE[::-1, ::-1] * 0.5,), (TABLE[:1],)]),
    (counted, [(LINE, EDGES, LINE * 2), (LINE, -EDGES, LINE)]),
    (counted, [(LINE, EDGES[:1], LINE), (TABLE, np.array([1, 3, 5]), TABLE), (LINE, EDGES, OTHER)]),
    (
        pairs_on_edges,
        [
            (np.linspace(-1, 1, 22), np.linspace(-2, 2, 22)[::-1], np.linspace(-1, 1, 11)),
            (np.array([0.1, np.nan, np.inf, -np.inf, 0.3]), np.arange(5.0), np.array([0.1, 0.3])),
            (np.array([0.5, 1.0, 2.0]), np.zeros(3), np.array([0.5, 0.5, 1.0, 1.0, 2.0, 2.0])),
            (np.array([1.0, -1e308]), np.ones(2), np.array([-1e308, 1.0, 1e308])),
            (np.array([0, 1, 2]), np.array([1, 0, 1]), np.array([1, 0])),
        ],
    ),
    (counted_pairs, [(LINE, LINE[::-1], 3), (TABLE[0], TABLE[1] * 0.5, 2), (LINE, LINE, 0)]),
    (counted_pairs, [(LINE, OTHER, 2)]),
    (places_of_numbers, [(NANS[::2],), (NANS,), (TABLE,), (NANS[:0],)]),
    (scans_of_numbers, [(NANS,), (TABLE,), (TABLE > 2,), (NANS[:, :0].astype(np.float32),)]),
    (sums_so_far, [(TABLE,), (TABLE * 0.5,), (TABLE[:, :0],), (TABLE.astype(np.int8),)]),
    (middles_of_numbers, [(NANS,), (NANS.astype(np.float32),), (NANS[1:2],), (TABLE * 0.25,)]),
    (quantiles_of_numbers, [(NANS, np.array([0.25, 0.5, 1.0])), (TABLE * 1.0, [0.0, 0.125])]),
    (quantiles_of_numbers, [(NANS, np.array([0.25, 1.5]))]),
]
