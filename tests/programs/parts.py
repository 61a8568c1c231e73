"""Arrays taken apart and spread; quantiles, bins and correlations."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([3.0, -1.5, 2.0, 7.25, 0.5, 4.0])
TABLE = np.arange(24.0).reshape(4, 6)
CUBE = np.arange(24).reshape(2, 3, 4)
NANS = np.array([[1.0, np.nan, 3.0], [2.0, 5.0, 4.0], [0.5, 1.0, np.inf]])
ENDS = np.array([-np.inf, np.nan, np.nan, np.nan])
SPREAD = np.array([[1.0, np.nan, 3.0], [3.0, np.nan, 5.0], [1.0, 1.5, np.inf], [3.0, 0.5, 1.0]])
EDGES = np.array([0.0, 1.0, 2.5, 4.0])


def halves(a):
    first, second = np.split(a, 2)
    second[...] = 0
    return first, second, a


def thirds(a):
    x, y, z = np.split(a, 3, axis=-1)
    p, q, r, s = np.array_split(a, 4, axis=-1)
    return x, y, z, p, q, r, s


def split_at(a, i):
    x, y, z = np.split(a, [i, 4])
    p, q = np.array_split(a, (i,), 0)
    return x, y, z, p, q


def split_sides(a):
    left, right = np.hsplit(a, 2)
    upper, lower = np.vsplit(a, [1])
    return left, right, upper, lower


def split_depth(a):
    near, far = np.dsplit(a, 2)
    left, _ = np.hsplit(a, (1,))
    return near, far, left


def split_line(a):
    total = a[0] * 0
    for k, part in enumerate(np.hsplit(a, 3)):
        total += (k + 1) * part.sum()
    return total


def spread(a, n):
    return np.broadcast_to(a, (2, n, a.shape[0])), np.broadcast_to(a[:1], n)


def spread_number(x):
    return np.broadcast_to(x, (2, 3))


def sizes(a):
    n = 0
    if np.ndim(a) == 2:
        n = np.size(a, 1)
    return np.shape(a), np.size(a), np.ndim(a), n


def sizes_of_number(x):
    return np.shape(x), np.size(x), np.ndim(x)


def contiguous(a):
    b = np.ascontiguousarray(a)
    b[0] = 7
    c = np.ascontiguousarray(a.T)
    c[0] = 9
    return a, b, c


def quantiles(a, q):
    return np.quantile(a, q), np.quantile(a, q, axis=0), np.quantile(a, q, axis=-1, keepdims=True)


def percentiles(a):
    low, middle, high = np.percentile(a, [25, 50, 75])
    return low, middle, high, np.percentile(a, 10), np.percentile(a, 99.5, method="linear")


def percentiles_of_rows(a, q):
    return np.percentile(a, q, axis=1), np.percentile(a, q, axis=0), np.percentile(a, q)


def quantile_of_all(a, q):
    return np.quantile(a, q), np.quantile(a, q, keepdims=True)


def bins(x, edges):
    found = np.digitize(x, edges), np.digitize(x, edges, right=True)
    return found, np.digitize(x, edges[::-1]), np.digitize(x, edges[::-1], right=True)


def bin_of_number(x, edges):
    return np.digitize(x, edges)


def related(x, y):
    return np.corrcoef(x, y), np.cov(x, y), np.cov(x, y, bias=True)


def related_rows(a):
    return np.corrcoef(a), np.cov(a, rowvar=False), np.corrcoef(a, rowvar=False)


def spread_of_one(x):
    return np.cov(x), np.cov(x, ddof=0)


_EXACT = np.array([[1.0, 3.0, 5.0, 7.0], [3.0, -1.0, 3.0, -1.0], [0.0, 0.0, 4.0, 4.0]])


def spread_without_nan(a):
    return np.nanvar(a, axis=1), np.nanstd(a, axis=0, keepdims=True), np.nanvar(a)


def least_without_nan(a):
    try:
        return np.nanmin(a), np.nanmax(a)
    except ValueError:
        return np.sum(a), np.sum(a) - 1


def means_of_no_columns(a):
    return np.average(a, axis=0), np.average(a, axis=1, keepdims=True)


def bins_of(x, edges):
    return np.digitize(x, edges), np.digitize(x, edges, right=True)


def interpolated(x, points):
    return np.interp(x, points, points)


def put_into_itself(a, places):
    np.put(a, places, a, mode="wrap")
    return a


def quantiles_that_are_there(a, q):
    ends = np.quantile(a, q, method="lower"), np.quantile(a, q, method="higher")
    cdf = np.quantile(a, q, method="inverted_cdf"), np.quantile(a, q, method="nearest")
    return ends, cdf, np.percentile(a, q * 100, axis=0, method="closest_observation")


def quantiles_between(a, q):
    means = np.quantile(a, q, method="midpoint"), np.quantile(a, q, method="averaged_inverted_cdf")
    more = np.quantile(a, q, method="interpolated_inverted_cdf"), np.quantile(a, q, method="hazen")
    unbiased = np.percentile(a, q * 100, axis=0, method="median_unbiased")
    normal = np.quantile(a, q, axis=-1, method="normal_unbiased", keepdims=True)
    return means, more, unbiased, normal, np.quantile(a, q, method="weibull")


_SCORES = np.array([3.5, -1.25, 8.0, 0.125, 2.0, -7.5])
_QUANTILES = [
    *((_SCORES, q) for q in (0.0, 0.25, 0.5, 0.9, 1.0, 1.5)),
    (_SCORES[:5].astype(np.float32), 0.3),
    (_SCORES[:5].astype(np.float32), np.float64(0.5)),
    (_SCORES.astype(np.int8), 0.5),
    (np.array([1.0, np.nan, 2.0]), 0.5),
    (_SCORES[:1], 0.7),
    (_SCORES, np.array([0.1, 0.5, 0.77])),
    (_SCORES.reshape(3, 2)[:, ::-1], 0.4),
]


CASES: list[Case] = [
    (quantiles_that_are_there, _QUANTILES),
    (quantiles_between, _QUANTILES),
    (halves, [(LINE,), (TABLE,), (CUBE,), (LINE[:3],), (LINE[:0],)]),
    (thirds, [(LINE,), (TABLE,), (TABLE[:, :3],), (TABLE[:, :4],)]),
    (split_at, [(LINE, 2), (LINE, -1), (LINE, 0), (TABLE, 3), (LINE[:2], 5)]),
    (split_sides, [(TABLE,), (TABLE[:1, ::2],), (CUBE[:, :2],)]),
    (split_depth, [(CUBE,), (CUBE[::-1, 1:],)]),
    (split_line, [(LINE,), (LINE[:5],)]),
    (spread, [(LINE, 3), (LINE[::2], 0), (LINE[:0], 2)]),
    (spread_number, [(2.5,), (np.float32(1),), (True,)]),
    (sizes, [(LINE,), (TABLE,), (CUBE,), (TABLE[:0],)]),
    (sizes_of_number, [(3,), (2.5,)]),
    (contiguous, [(TABLE,), (TABLE[:, ::2],), (TABLE.T,), (np.eye(3),)]),
    (quantiles, [(TABLE, 0.3), (TABLE, 0), (TABLE, 1), (NANS, 0.5), (CUBE, 0.25), (NANS, 1.0)]),
    (quantiles, [(TABLE.astype(np.float32), 0.4), (TABLE, np.float64(0.7)), (TABLE, 1.5)]),
    (quantiles, [(TABLE[:0], 0.5), (LINE, 0.1), (LINE[:1], 0.9)]),
    (percentiles, [(LINE,), (TABLE,), (NANS,), (LINE.astype(np.float32),), (CUBE,)]),
    (percentiles_of_rows, [(TABLE, np.array([5.0, 95.0])), (NANS, np.array([50.0]))]),
    (percentiles_of_rows, [(TABLE, np.array([5.0, -1.0])), (TABLE, EDGES[:0])]),
    (quantile_of_all, [(TABLE, 0.5), (CUBE, 0.75), (LINE, np.nan)]),
    (bins, [(LINE, EDGES), (TABLE, EDGES), (CUBE, EDGES), (NANS, EDGES), (LINE, EDGES[:1])]),
    (bins, [(LINE, LINE), (LINE, EDGES[:0]), (np.arange(4), np.array([1, 1, 3]))]),
    (bin_of_number, [(1.0, EDGES), (-3, EDGES)]),
    (related, [(_EXACT[0], _EXACT[1]), (_EXACT, _EXACT[:2]), (np.arange(4), np.arange(4) * 2)]),
    (related_rows, [(_EXACT,), (_EXACT[:2].astype(np.float32),)]),
    (spread_of_one, [(_EXACT[0],), (np.arange(5),)]),
    (spread_without_nan, [(SPREAD,), (SPREAD[:2],), (np.full_like(SPREAD, np.nan),), (-SPREAD,)]),
    (least_without_nan, [(NANS,), (NANS[:, 1],), (NANS[0, 1:2],), (LINE[:0],), (TABLE[:0],)]),
    (least_without_nan, [(ENDS,), (-ENDS[::-1],), (ENDS[:2].astype(np.float32),), (ENDS[2:],)]),
    (means_of_no_columns, [(TABLE,), (TABLE[:0],), (TABLE[:, :0],), (TABLE[:, 1:2],)]),
    (
        bins_of,
        [(LINE, e) for e in (EDGES, EDGES[::-1], EDGES[[1, 1, 2, 0]], EDGES[:0], EDGES[[1, 1]])]
        + [(LINE, np.array(e)) for e in ([0.0, 1.0, np.nan], [np.nan, 0.0, 1.0], [1.0, 1.0, 0.0])],
    ),
    (interpolated, [(LINE, EDGES), (LINE[:0], EDGES), (LINE[:0], EDGES[:0]), (LINE, EDGES[:0])]),
    (put_into_itself, [(LINE, np.array([1, 0, 8, 1])), (TABLE, np.array([3, -2, 0]))]),
]
