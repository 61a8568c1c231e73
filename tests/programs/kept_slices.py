"""Slices that variables stand for, bounds that may be None, and unpacked generator expressions."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

TABLE = np.arange(30.0).reshape(5, 6)
LINE = np.arange(7.0)
EMPTY = np.zeros((0, 6))

INNER = slice(1, -1)
CORNER = (slice(None, None, -2), slice(3), None)


def of_a_variable(x):
    inner, all_but_two = slice(1, -1), slice(2, None)
    both = (inner, all_but_two)
    return x[inner], x[inner, 0], x[both], x[all_but_two, inner], x[slice(None, None, 2)]


def of_the_module(x):
    return x[INNER], x[INNER, INNER], x[CORNER]


def of_makers(x):
    even, last = np.s_[::2, 1:], np.s_[-1:]
    return x[even], x[last], x[np.s_[..., 0]], x[np.index_exp[1:]], x[np.s_[1:3, None]]


def written_through(x):
    head, edge = slice(2), (slice(None), slice(-1, None))
    x[head] = -1.0
    x[edge] *= 2.0
    x[slice(3, None), 0] += x[slice(3, None), 1]
    return x


def of_lists_and_tuples(x):
    middle = slice(1, 3)
    items = [1, 2, 3, 4]
    items[middle] = [7, 8, 9]
    return items[middle], (1, 2.5, x.size)[middle]


def _part(x, place):
    return x[place].sum()


def passed_on(x):
    return _part(x, slice(1, 3)), _part(x, (slice(None), slice(0, 1))), _part(x, INNER)


def computed_from_constants(x):
    total = 0.0
    for shift in (-1, 0, 1):
        moved = slice(1 + shift, -1 + shift or None)
        total += x[moved].sum()
    return total


def bounds_perhaps(x, start, stop, step, has_start, has_stop, has_step):
    low = start if has_start else None
    high = stop if has_stop else None
    by = step if has_step else None
    y = x.copy()
    y[low:high:by] = 0.5
    y[low:high] += 1.0
    return x[low:high:by], y, x[low:], x[:high], [1, 2, 3, 4][low:high]


def bounds_of_numpy(x, n):
    return x[: n[0] - 1 or None], x[n[1] or None :]


def _doubled(x):
    return x * 2.0


def unpacked(x, y):
    a, b, c = (x * n for n in range(-1, 2))
    p, q = (_doubled(v) for v in (x, y))
    x, y = (v + 1.0 for v in (y, x))
    both = (p, q)
    r, s = (v.sum() for v in both)
    return a, b, c, p, q, x, y, r, s


def unpacked_pairs(x):
    a, b = (x[i] * w for i, w in ((0, 0.5), (1, 2.0)))
    first, second = (slice(1 + n, -2 + n or None) for n in range(1, 3))
    return a, b, x[first], x[second]


def unpacked_in_a_loop(x, n):
    total = 0.0
    for i in range(n):
        low, high = (v * i for v in (x[0], x[1]))
        total += high - low
    return total


def unpacked_raises(x, i):
    a, b = (x[k] for k in (0, i))
    return a + b


def sizes_in_a_list(x):
    shape = list(x.shape)
    shape[1] += 2
    out = np.zeros(shape, x.dtype)
    out[:, 1:-1] = x
    return out, np.ones(shape), tuple(shape), len(shape), x.reshape([x.size])


def sizes_chosen(n, wide):
    shape = [n, 1]
    if wide:
        shape = [n, 2]
    for axis in range(2):
        shape[axis] += axis
    return np.full(shape, 3.0)


def _scaled(x, axis):
    factor = 1
    if axis == 1:
        factor = x[:, None] * 1.0
    return factor * x


def number_then_array(x):
    return _scaled(x, 0), _scaled(x, 1)


_BOUNDS = (0, 2, -1, -9, 9, 2**63 - 1, -(2**63))

CASES: list[Case] = [
    (of_a_variable, [(TABLE,), (TABLE.T,), (TABLE[::-1, ::2],), (EMPTY,)]),
    (of_the_module, [(TABLE,), (EMPTY,)]),
    (of_makers, [(TABLE,), (EMPTY,)]),
    (written_through, [(TABLE,), (TABLE.T,)]),
    (of_lists_and_tuples, [(TABLE,)]),
    (passed_on, [(TABLE,)]),
    (computed_from_constants, [(LINE,), (LINE[:1],)]),
    (
        bounds_perhaps,
        [
            (LINE, low, high, by, True, True, True)
            for low in _BOUNDS
            for high in _BOUNDS
            for by in (1, -2, 2**63 - 1, -(2**63))
        ],
    ),
    (
        bounds_perhaps,
        [(LINE, 1, -1, by, k > 3, k % 2 > 0, True) for by in (2, -1) for k in range(8)],
    ),
    (bounds_perhaps, [(LINE, 1, -1, 0, True, False, False), (LINE, 1, -1, 0, True, True, True)]),
    (bounds_of_numpy, [(LINE, np.array([3, 2])), (LINE, np.array([1, 0], np.int8))]),
    (unpacked, [(LINE, LINE[::-1]), (TABLE, TABLE * 0.5), (EMPTY, EMPTY)]),
    (unpacked_pairs, [(LINE,)]),
    (unpacked_in_a_loop, [(LINE, 1), (LINE, 4)]),
    (unpacked_raises, [(LINE, 2), (LINE, 7)]),
    (sizes_in_a_list, [(TABLE,), (EMPTY,)]),
    (sizes_chosen, [(3, True), (0, False)]),
    (number_then_array, [(LINE,)]),
]
