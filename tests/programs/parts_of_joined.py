"""What is read of arrays behind each other, or of stacks, is read of the arrays themselves.

So are folds of them that do not depend on the order of the elements. Each function has a relative
for which that would be wrong: an array is written in between, the part is written or returned,
arrays are empty, sizes do not fit, or a sum of floats would be rounded in another way.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([4.0, 0.25, 1.0, 16.0, 2.25])
OTHER = np.array([1.0, -2.0, 0.5, 0.0, 3.0])
SPECIAL = np.array([np.nan, -0.0, 0.0, np.inf, 1.0])
LONG = np.arange(300.0) / 7.0
EMPTY = np.zeros(0)
WHOLE = np.array([3, -1, 2**62, 2**62, 7])
FEW = np.array([-5, 2**62])
NARROW = np.array([100, -128, 27], np.int8)
TABLE = np.arange(12.0).reshape(3, 4) - 5.0
NONE = np.zeros((0, 4))


def extremes(x, y):
    both = np.concatenate((x, y))
    return np.max(np.concatenate((np.abs(x), y * 2.0))), np.min(np.concatenate((y, x))), len(both)


def extremes_of_three(x, y, z):
    return np.concatenate((x, y, z)).max(), np.append(x, np.append(y, z)).min()


def extremes_of_one(x):
    return np.max(np.concatenate((x,))), np.min(np.concatenate((x, x)))


def extremes_of_tables(a, b):
    return np.max(np.concatenate((a, b))), np.min(np.concatenate((a, b), axis=1))


def extremes_of_a_stack(x, y):
    return np.max(np.stack((x, y, x + y))), np.min(np.stack((x, y), axis=1))


def extremes_with_constants(x):
    return np.max(np.concatenate((np.zeros(1), x))), np.min(np.concatenate((x, np.full(2, 7.0))))


def extremes_raise_in_order(x, y):
    done = np.zeros(3)
    try:
        done[0] = np.max(np.concatenate((x, y)))
        done[1] = np.min(x)
    except ValueError:
        done[2] = 1.0
    return done


def truths(x, y):
    return np.any(np.concatenate((x > 3.0, y < 0.0))), np.all(np.stack((x > 0.0, y > 0.0)))


def sums_of_ints(n, m):
    both = np.concatenate((n, m))
    return np.sum(both), np.sum(np.concatenate((n, m * 3))), np.prod(np.concatenate((m, n)))


def sums_of_truths(x, y):
    return np.sum(np.hstack((x > 1.0, y > 1.0))), np.sum(np.stack((x > y, y > x)))


def sums_of_floats(x, y):
    return np.sum(np.concatenate((x, y))), np.mean(np.concatenate((y, x)))


def largest_of_rearranged(x, a):
    return np.max(np.sort(x)), np.min(np.roll(x, 2)), np.max(a.T), np.min(np.sort(a, axis=0))


def sums_of_rearranged(n, x):
    return np.sum(np.roll(n, 1)), np.sum(np.sort(n)), np.sum(np.roll(x, 3)), np.any(n[::-1] > 3)


def fold_after_a_write(x, y):
    both = np.concatenate((x, y))
    ordered = np.sort(x)
    x[:2] = 99.0
    return np.max(both), np.max(ordered), np.max(np.concatenate((x, y)))


def fold_with_dims(a, b):
    both = np.concatenate((a, b))
    alone = np.max(np.concatenate((a, b)), axis=0), np.sum(np.roll(a > 0.0, 1, axis=0), axis=1)
    return np.max(both, keepdims=True), np.max(both, axis=0), np.max(both, axis=(0, 1)), alone


def part_of_a_stack(x, y):
    rows = np.stack((np.sqrt(np.abs(x)), y))
    columns = np.stack((x, y), axis=1)
    return np.sum(rows[0] - rows[-1]), columns[:, 1] * 2.0


def part_of_a_stack_that_is_not_there(x, y):
    return np.sum(np.stack((x, y))[2])


def part_that_is_written(x, y):
    rows = np.stack((x, y))
    first, other = rows[0], np.stack((y, x))[1]
    first[1:] = 0.0
    other[:1] = 7.0
    return np.sum(rows), np.sum(x), first.sum(), other.sum()


def part_after_a_write(x, y):
    rows = np.stack((x, y))
    x[1:] = 0.0
    return np.sum(rows[0] + 0.5), np.sum(x)


def part_that_is_returned(x, y):
    first = np.stack((x, y))[0]
    second = np.stack((x, y), axis=1)[:, 1]
    return first, second, x


def parts_that_are_unpacked(x, y):
    first, second = np.stack((x * 2.0, y))
    return np.sum(first) - np.max(second)


def pieces_of_a_concatenation(x):
    padded = np.concatenate((np.zeros(1), x))
    ended = np.concatenate((np.zeros(2), np.ones(3), x))
    return np.sum(padded[1:] * 2.0), padded[3:].sum(), ended[2:5].sum(), ended[:1] + ended[6:].sum()


def pieces_that_overlap(x):
    padded = np.concatenate((np.zeros(1), x))
    return padded[1:] - padded[:-1], np.concatenate((x, np.zeros(1)))[1:] + 1.0


def pieces_of_columns(a):
    wide = np.concatenate((np.zeros((len(a), 1)), a), axis=1)
    return np.sum(wide[:, 1:], axis=0), np.sum(wide[:, :1])


def pieces_of_one_twice(x, table):
    """The first part is the last one, too."""
    y = x * 2.0
    z = np.concatenate((y, y))
    w = np.concatenate((y, x, y))
    t = np.concatenate((table, table), axis=1)
    s = np.stack((x, y, x))
    return z[0:], z[1:] - 1.0, z[3:], w[1:] * 2.0, t[:, 1:] + 1.0, s[2] - s[0], s[-1:], s[1:] * 2.0


CASES: list[Case] = [
    (
        extremes,
        [
            (LINE, OTHER),
            (LINE, EMPTY),
            (EMPTY, OTHER),
            (EMPTY, EMPTY),
            (SPECIAL, OTHER),
            (LONG, SPECIAL),
            (LONG[::-3], LINE),
        ],
    ),
    (extremes_of_three, [(LINE, EMPTY, OTHER), (EMPTY, EMPTY, LINE), (EMPTY, EMPTY, EMPTY)]),
    (extremes_of_one, [(LINE,), (EMPTY,), (SPECIAL,)]),
    (extremes_of_tables, [(TABLE, TABLE + 1.0), (TABLE, NONE), (NONE, NONE), (TABLE.T, TABLE.T)]),
    (extremes_of_a_stack, [(LINE, OTHER), (EMPTY, EMPTY), (LINE, EMPTY), (SPECIAL, LINE)]),
    (extremes_with_constants, [(LINE,), (EMPTY,), (SPECIAL,)]),
    (extremes_raise_in_order, [(LINE, OTHER), (EMPTY, OTHER), (EMPTY, EMPTY), (LINE, EMPTY)]),
    (truths, [(LINE, OTHER), (EMPTY, EMPTY), (LINE, LINE), (LINE, EMPTY)]),
    (sums_of_ints, [(WHOLE, FEW), (WHOLE[:0], FEW), (NARROW, NARROW), (FEW[:0], FEW[:0])]),
    (sums_of_truths, [(LINE, OTHER), (EMPTY, EMPTY), (LINE, OTHER[:1])]),
    (sums_of_floats, [(LINE, OTHER), (LINE, EMPTY), (EMPTY, OTHER)]),
    (largest_of_rearranged, [(LINE, TABLE), (SPECIAL, TABLE.T), (EMPTY, NONE), (LINE, NONE)]),
    (sums_of_rearranged, [(WHOLE, LONG), (FEW[:0], EMPTY), (NARROW, LINE[::-1])]),
    (fold_after_a_write, [(LINE, OTHER), (LINE, LINE), (EMPTY, OTHER)]),
    (fold_with_dims, [(TABLE, TABLE), (TABLE, NONE)]),
    (part_of_a_stack, [(LINE, OTHER), (EMPTY, EMPTY), (LINE, OTHER[:2]), (LINE[::-1], LINE)]),
    (part_of_a_stack_that_is_not_there, [(LINE, OTHER), (LINE, OTHER[:2])]),
    (part_that_is_written, [(LINE, OTHER), (LINE, LINE)]),
    (part_after_a_write, [(LINE, OTHER), (LINE, LINE)]),
    (part_that_is_returned, [(LINE, OTHER), (EMPTY, EMPTY)]),
    (parts_that_are_unpacked, [(LINE, OTHER), (EMPTY, EMPTY), (LINE, SPECIAL)]),
    (pieces_of_a_concatenation, [(LINE,), (EMPTY,), (LINE[::2],)]),
    (pieces_that_overlap, [(LINE,), (EMPTY,)]),
    (pieces_of_one_twice, [(LINE, TABLE), (EMPTY, NONE), (LINE[::2], TABLE.T)]),
    (pieces_of_columns, [(TABLE,), (NONE,), (TABLE.T,)]),
]
