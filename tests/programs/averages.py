"""The functions of `statistics`: exact sums, rounded once; and its errors."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import math
import statistics
from statistics import StatisticsError, fmean, mean

from tests.programs import Case


def of_samples(xs):
    return mean(xs), fmean(xs), statistics.variance(xs), statistics.stdev(xs)


def of_populations(xs):
    middle = mean(xs)
    return statistics.pvariance(xs), statistics.pstdev(xs), statistics.pvariance(xs, middle)


def at_the_edge(xs, kind):
    if kind == 0:
        return mean(xs)
    return statistics.variance(xs) if kind == 1 else statistics.stdev(xs)


def about_a_mean(xs, middle):
    return statistics.variance(xs, middle), statistics.stdev(xs, xbar=middle)


def middles(xs):
    low, high = statistics.median_low(xs), statistics.median_high(xs)
    return statistics.median(xs), low, high, statistics.median_grouped(xs, 2)


def commonest(words):
    return statistics.mode(words), statistics.multimode(words)


def cuts(xs, n, method):
    return statistics.quantiles(xs), statistics.quantiles(xs, n=n, method=method)


def weighted(xs, weights):
    return fmean(xs, weights), statistics.geometric_mean(xs)


def two_samples(xs, ys):
    line = statistics.linear_regression(xs, ys)
    through = statistics.linear_regression(xs, ys, proportional=True)
    return statistics.covariance(xs, ys), statistics.correlation(xs, ys), line.slope, line, through


def of_all_kinds(n):
    squares = mean(x * x for x in range(n))
    scores = {"a": 1.5, "b": 2.5, "c": 3}
    text = f"{mean([1, 2]):.2f} {statistics.stdev([1, 2.5, 3]):.3f}"
    return squares, mean(scores.values()), mean((1, 2, 4)), mean({1, 2, 3}), text


def caught(xs):
    found = []
    try:
        found.append(statistics.stdev(xs))
    except StatisticsError as error:
        print(error)
    try:
        statistics.quantiles(xs, n=0)
    except ValueError as error:
        found.append(len(str(error)))
    return found


def raised(xs, kind):
    if kind == 0:
        return statistics.median([x for x in xs if x > 100.0])
    if kind == 1:
        return statistics.correlation(xs, xs[1:])
    if kind == 2:
        return statistics.stdev(xs[:1])
    if kind == 3:
        return statistics.linear_regression([1.0 for _ in xs], xs).slope
    if kind == 4:
        raise statistics.StatisticsError("of our own")
    if kind == 5:
        return statistics.mode([x for x in xs if x > 100.0])
    if kind == 6:
        return statistics.correlation([2.0 for _ in xs], xs)
    return statistics.geometric_mean([3.0 - x for x in xs])


_LARGE = [1.7e308, 1.6e308, 1.5e308]
_SMALL = [5e-324, 1e-320, 2.2250738585072014e-308, 3e-310]
CASES: list[Case] = [
    (
        of_samples,
        [
            ([3, 1, 4, 1, 5, 9, 2, 6],),
            ([1.5, 2.25, 9.0, 3.5, 0.1],),
            ([1e16, 1.0, -1e16, 0.1, 0.7],),
            ([2**62, -(2**62), 12345, 7],),
            ([1.0],),
        ],
    ),
    (
        of_populations,
        [([0.1] * 10,), (_SMALL,), ([1, 2, 3, 4],), ([-7],), ([2.5, 2.5],)],
    ),
    (
        at_the_edge,
        [
            (_LARGE, 0),
            ([1.0, math.inf], 0),
            ([math.inf, -math.inf], 0),
            ([-(2**63), 2**63 - 1], 0),
            ([1e200, -1e200], 1),
            ([1.0, math.nan], 1),
            ([1.0, math.inf], 2),
            ([1e-170, 3e-170, 1e-165], 2),
        ],
    ),
    (about_a_mean, [([1.5, 2.5, 4.0], 2.5), ([1, 2, 4], 2), ([1, 2, 4], 2.5)]),
    (middles, [([3, 1, 2],), ([4, 1, 3, 2],), ([0.5, 1.5, 1.5, 9.0],)]),
    (commonest, [(["b", "a", "b", "a", "c"],), ([1, 2, 2],)]),
    (
        cuts,
        [
            ([3, 1, 4, 1, 5, 9], 10, "inclusive"),
            ([0.1, 0.7, 0.2], 3, "exclusive"),
            ([0.1, 0.7], 5, "none"),
            ([1], 4, "inclusive"),
        ],
    ),
    (weighted, [([1.0, 2.5, 4.0], [2.0, 1.0, 0.5]), ([1, 2], [3, 1]), ([1.0, 2.0], [0.0, 0.0])]),
    (two_samples, [([1.5, 2.25, 9.0], [1.0, 2.0, 3.5]), ([1, 2, 3, 4], [2, 4, 5, 9])]),
    (of_all_kinds, [(7,)]),
    (caught, [([1.0],), ([1.0, 2.0],)]),
    (raised, [([1.0, 2.0, 4.0], kind) for kind in range(8)]),
]
