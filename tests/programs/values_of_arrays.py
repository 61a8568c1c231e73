"""Arrays that are computed once though they are written down twice, or in every iteration.

Each function has a relative for which that would be wrong: something is written in between, two
arrays are seen from outside, or an exception or a print would come at another time.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([4.0, 0.25, 1.0, 16.0, 2.25])
OTHER = np.array([1.0, -2.0, 0.5, 0.0, 3.0])
SPECIAL = np.array([np.nan, -0.0, 0.0, np.inf, 1.0])
EMPTY = np.zeros(0)
TABLE = np.arange(12.0).reshape(3, 4)
READ_ONLY = np.array([1.0, 4.0, 9.0])
READ_ONLY.flags.writeable = False


def twice(x, y):
    return np.sqrt(x) * y, np.sqrt(x) + y


def twice_as_themselves(x):
    a, b = np.sqrt(x), np.sqrt(x)
    b[:1] = 7.0
    return a, b


def written_between(x):
    a = np.sqrt(x)
    x[1:] = 4.0
    return a + np.sqrt(x)


def written_through_a_view(x):
    view = x[::2]
    a = np.sqrt(x)
    view += 1.0
    return a - np.sqrt(x)


def two_parameters_of_one_array(x, y):
    a = np.sqrt(x).sum()
    y[:] = 9.0
    return a, np.sqrt(x).sum()


def in_one_arm(x, flag):
    a = np.sqrt(x)
    if flag:
        x[:] = 1.0
        b = np.sqrt(x)
    else:
        b = np.sqrt(x)
    return a.sum() + b.sum(), np.sqrt(x)


def before_and_in_a_loop(x, n):
    start = (x / 2.0).sum()
    total = np.float64(0.0)
    for i in range(n):
        total += (x / 2.0).sum()
        if i == 1:
            x[:] = 1.0
    return start, total


def one_for_each_iteration(x, n):
    found = [np.sqrt(x)]
    for _ in range(n):
        found.append(np.sqrt(x))
    if n > 0:
        found[0][:1] = -1.0
    return found


def invariant(x, n):
    total = np.float64(0.0)
    for i in range(n):
        total += i * np.sum(np.sqrt(x) * 2.0)
    return total


def invariant_of_a_while(x, n):
    i, total = 0, np.float64(0.0)
    while i < n:
        total += np.sum(x / 4.0)
        i += 2
    return i, total


def invariant_downwards(x, n):
    total = np.float64(0.0)
    for i in range(n, 0, -2):
        total += (x / 2.0).sum() - i
    return total


def invariant_by_steps(x, n, step):
    total = np.float64(0.0)
    for i in range(0, n, step):
        total += (x / 2.0).sum() - i
    return total


def kept_of_the_last_iteration(x, n):
    last = x
    for i in range(n):
        last = np.sqrt(x) + i
    return last


def seen_of_the_last_iteration(x, n):
    last = x.copy()
    for _ in range(n):
        last = np.sqrt(x)
    last[:1] = 3.0
    return last, x


def not_invariant(x, n):
    total = np.float64(0.0)
    for i in range(n):
        total += np.sqrt(x).sum()
        x[i % len(x)] = 4.0
    return total


def only_sometimes(x, n):
    total = np.float64(0.0)
    for i in range(n):
        if i > 2:
            break
        total += np.sqrt(x).sum()
    return total


def largest_of_nothing(x, n):
    total = np.float64(0.0)
    for i in range(n):
        print(i)
        total += np.max(x)
    return total


def largest_first(x, n):
    total = np.float64(0.0)
    for i in range(n):
        total += np.max(x)
        print(i)
    return total


def sizes_that_differ(x, y, n):
    total = np.float64(0.0)
    for i in range(n):
        total += (x / y).sum() + i
    return total


def sizes_that_differ_late(x, y, n):
    done = np.zeros(3)
    try:
        for i in range(n):
            done[i] = 1.0
            done += (x / y).sum()
    except ValueError:
        done[2] = -1.0
    return done


def written_by_the_loop(x, n):
    for _ in range(n):
        y = np.sqrt(x)
        y[:1] += 1.0
        x = y / 2.0
    return x


def of_nested_loops(a, n, m):
    total = np.float64(0.0)
    for i in range(n):
        for j in range(m):
            total += np.sum(a[0] / 2.0) + i * j
    return total


def _smooth(x):
    return (x[1:] + x[:-1]) / 2.0


def calls(x, n):
    total = _smooth(x).sum()
    for _ in range(n):
        total += _smooth(x).sum()
    return total, _smooth(x)


def product_once(a, x, n):
    y = np.zeros(a.shape[0])
    for i in range(n):
        y += a @ x * i
    return y, a @ x


def sorted_once(x, n):
    total = np.float64(0.0)
    for i in range(n):
        total += np.sort(x)[i]
    return total, np.sort(x)


CASES: list[Case] = [
    (
        twice,
        [
            (LINE, OTHER),
            (EMPTY, EMPTY),
            (SPECIAL, OTHER),
            (LINE[::-1], OTHER),
            (LINE, LINE),
            (READ_ONLY, READ_ONLY),
            (LINE, OTHER[:3]),
        ],
    ),
    (twice_as_themselves, [(LINE,), (EMPTY,)]),
    (written_between, [(LINE,), (EMPTY,), (LINE[::2],), (READ_ONLY,)]),
    (written_through_a_view, [(LINE,), (EMPTY,)]),
    (two_parameters_of_one_array, [(LINE, OTHER), (LINE, LINE), (LINE, LINE[::-1])]),
    (in_one_arm, [(LINE, True), (LINE, False), (EMPTY, True)]),
    (before_and_in_a_loop, [(LINE, 0), (LINE, 4), (EMPTY, 3)]),
    (one_for_each_iteration, [(LINE, 0), (LINE, 3), (EMPTY, 2)]),
    (invariant, [(LINE, 0), (LINE, 5), (EMPTY, 3), (LINE[::-2], 3), (LINE, -1)]),
    (invariant_of_a_while, [(LINE, 0), (LINE, 5), (EMPTY, 3)]),
    (invariant_downwards, [(LINE, 0), (LINE, 5), (LINE, 1)]),
    (invariant_by_steps, [(LINE, 5, 2), (LINE, 0, 1), (LINE, -5, -2), (LINE, 3, 0)]),
    (kept_of_the_last_iteration, [(LINE, 0), (LINE, 3)]),
    (seen_of_the_last_iteration, [(LINE, 0), (LINE, 3)]),
    (not_invariant, [(LINE, 0), (LINE, 7)]),
    (only_sometimes, [(LINE, 0), (LINE, 7)]),
    (largest_of_nothing, [(LINE, 2), (EMPTY, 2), (EMPTY, 0)]),
    (largest_first, [(LINE, 2), (EMPTY, 2), (EMPTY, 0)]),
    (sizes_that_differ, [(LINE, OTHER, 3), (LINE, OTHER[:2], 3), (LINE, OTHER[:2], 0)]),
    (sizes_that_differ_late, [(LINE, OTHER, 3), (LINE, OTHER[:2], 2), (LINE, EMPTY, 0)]),
    (written_by_the_loop, [(LINE, 3), (EMPTY, 2), (LINE, 0)]),
    (of_nested_loops, [(TABLE, 2, 3), (TABLE, 2, 0), (TABLE, 0, 2), (TABLE[:0], 1, 1)]),
    (calls, [(LINE, 3), (EMPTY, 1), (LINE[:1], 2)]),
    (product_once, [(TABLE, TABLE[0], 3), (TABLE, LINE, 2), (TABLE, LINE, 0)]),
    (sorted_once, [(LINE, 3), (SPECIAL, 2), (LINE, 9), (LINE, 0)]),
]
