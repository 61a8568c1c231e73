"""Work on whole arrays that is not done: of parts, of copies, of views that are undone.

Each function has a relative for which that would be wrong: what it is computed of is written in
between, the array is used elsewhere, a caller sees that two arrays are two, or an exception would
be another one.
"""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([4.0, 0.25, 1.0, 16.0, 2.25])
OTHER = np.array([1.0, -2.0, 0.5, 0.0, 3.0])
SPECIAL = np.array([np.nan, -0.0, 0.0, np.inf, 1.0])
EMPTY = np.zeros(0)
WHOLE = np.array([3, -1, 2**62, 0, 7])
TABLE = np.arange(12.0).reshape(3, 4) - 5.0
NONE = np.zeros((0, 4))
READ_ONLY = np.array([1.0, 4.0, 9.0])
READ_ONLY.flags.writeable = False


def part_of_a_root(x):
    return np.sqrt(x)[1:4] + 1.0


def part_of_a_sum(x, y):
    return np.sum((x + y * 2.0)[1:-1] / 3.0)


def part_with_a_step(x):
    return (x * 2.0)[::2]


def part_alone(x):
    return np.sqrt(x)[1:]


def part_that_is_written(x):
    part = np.sqrt(x)[1:]
    part[:1] = -1.0
    return part, x


def part_and_whole(x):
    roots = np.sqrt(x)
    return roots[1:] - roots[:-1], roots.sum()


def part_after_a_write(x):
    roots = np.sqrt(x)
    x[1:] = 1.0
    return roots[1:] * 2.0


def part_after_a_write_to_another(x, y):
    roots = np.sqrt(x)
    y[1:] = 1.0
    return roots[1:] * 2.0


def part_in_a_loop(x, n):
    roots = np.sqrt(x)
    total = np.float64(0.0)
    for i in range(n):
        total += roots[i:].sum()
    return total


def part_of_broadcast(x, a):
    return (a * x)[1:].sum() + (a - 1.0)[1].sum()


def part_of_sizes_that_differ(x, y):
    return (x * y)[1:2].sum()


def element_of_a_quotient(x, y, i):
    return (x / y)[i]


def element_of_an_integer_quotient(x, i):
    return (x // (x - x))[i], (x * 3 - 1)[i]


def element_of_powers_that_raise(x, n):
    return (x**n)[0], (x**n)[1:2].sum()


def element_of_a_choice(x, i):
    return np.where(x > 1.0, x, -x)[i]


def element_of_two_axes(a, i, j):
    return (a * a + 1.0)[i, j]


def row_of_a_product(a, i):
    return (a * 2.0)[i].sum(), (a - 1.0)[:, i].sum()


def element_that_is_not_there(x, i):
    done = np.zeros(2)
    try:
        done[0] = (x * 2.0)[i]
    except IndexError:
        done[1] = 1.0
    return done


def transposed_and_back(a):
    return (np.sqrt(a * a).T * 2.0).T.sum(axis=0), a.T.T


def transposed_of_computed(a):
    return np.max((a * 3.0).T), (a + 1.0).T


def other_shape(a):
    return np.max((a * 3.0).ravel()), (a - 1.0).reshape(-1)[2:].sum()


def other_shape_that_does_not_fit(a, n):
    return (a * 3.0).reshape(n, -1).sum(axis=1)


def casts_that_lose_nothing(x):
    narrow = x.astype(np.float32)
    return narrow.astype(np.float64).astype(np.float32), x.astype(np.float32).astype(np.float64)


def casts_of_ints(n):
    narrow = n.astype(np.int32)
    wide = narrow.astype(np.int64)
    return wide.astype(np.int32), n.astype(np.int32).astype(np.int64), (n != 0).astype(np.int8)


def copy_of_sorted(x):
    return np.sort(x).copy()


def copy_that_is_written(x):
    ordered = np.sort(x)
    other = ordered.copy()
    other[:1] = 9.0
    return other


def copy_beside_its_source(x):
    ordered = np.sort(x)
    other = ordered.copy()
    other[:1] = 9.0
    return ordered, other


def copy_before_a_write(x):
    ordered = np.sort(x)
    other = ordered.copy()
    ordered[:1] = 9.0
    return other


def copies_of_a_loop(x, n):
    ordered = np.sort(x)
    found = [x]
    for _ in range(n):
        found.append(ordered.copy())
    found[-1][:1] = 5.0
    return found


def copy_whose_part_is_taken(x):
    other = np.sort(x).copy()
    part = np.sqrt(other)[1:]
    other[1:] = 1.0
    return part + 1.0


def copy_of_a_product(a, b):
    return (a @ b).copy(), np.array(a @ b)


def copy_of_a_parameter(x):
    other = x.copy()
    other[:1] = 7.0
    return other, x.sum()


def contiguous(x):
    return np.ascontiguousarray(np.sort(x)).sum(), np.ascontiguousarray(x[::2])


def contiguous_that_is_written(x):
    y = np.ascontiguousarray(x)
    y[:1] = 9.0
    return y, x


def flipped_and_back(x, a):
    return x[::-1][::-1] * 2.0, a[::-1, ::-1][::-1, ::-1] + 1.0, a[::-1][:, ::-1] - 1.0


def whole_view_that_is_written(x):
    view = x[:]
    view[:1] = 3.0
    return x.sum() + view.sum()


def whole_view_of_a_choice(x):
    """A branch gives the array, which one of its arms makes anew, and a number beside it."""
    if np.sum(x) > 3.0:
        least = np.min(x)
    else:
        x = x + 0.25
        least = np.max(x, initial=-9.0)
    x[:] = x * 0.5
    return least, x


def whole_view_of_a_changed_one(x):
    if np.sum(x) > 3.0:
        least = np.min(x)
    else:
        x += 0.25
        least = np.max(x, initial=-9.0)
    x[:] = x * 0.5
    return least


def views_of_a_parameter(x, a):
    return x[:], x[::-1][::-1], a.T.T, x.reshape(-1)


def sizes(x, a):
    return len(x * 2.0), (a + 1.0).T.shape, np.zeros((2, len(x))).shape, (a.T - 1.0).copy().shape


CASES: list[Case] = [
    (part_of_a_root, [(LINE,), (EMPTY,), (LINE[::-2],), (READ_ONLY,)]),
    (part_of_a_sum, [(LINE, OTHER), (LINE, LINE), (EMPTY, EMPTY), (SPECIAL, OTHER)]),
    (part_with_a_step, [(LINE,), (EMPTY,), (LINE[::-1],)]),
    (part_alone, [(LINE,), (EMPTY,), (LINE[::-1],)]),
    (part_that_is_written, [(LINE,), (EMPTY,)]),
    (part_and_whole, [(LINE,), (EMPTY,)]),
    (part_after_a_write, [(LINE,), (EMPTY,)]),
    (part_after_a_write_to_another, [(LINE, OTHER), (LINE, LINE), (LINE, LINE[::-1])]),
    (part_in_a_loop, [(LINE, 0), (LINE, 7)]),
    (part_of_broadcast, [(TABLE[0], TABLE), (TABLE[0], TABLE[:1]), (TABLE[0], NONE)]),
    (part_of_sizes_that_differ, [(LINE, OTHER), (LINE, OTHER[:2]), (LINE[:1], OTHER)]),
    (element_of_a_quotient, [(LINE, OTHER, 3), (LINE, OTHER, -6), (LINE, OTHER[:1], 4)]),
    (element_of_an_integer_quotient, [(WHOLE, 0), (WHOLE, 2), (WHOLE, 5)]),
    (
        element_of_powers_that_raise,
        [(WHOLE, WHOLE * 0 + 3), (WHOLE, WHOLE), (WHOLE[:0], WHOLE[:0])],
    ),
    (element_of_a_choice, [(SPECIAL, 0), (SPECIAL, 1), (SPECIAL, -2), (EMPTY, 0)]),
    (element_of_two_axes, [(TABLE, 1, -1), (TABLE, 3, 9), (TABLE, 0, 4), (TABLE.T, 0, 2)]),
    (row_of_a_product, [(TABLE, 1), (TABLE, -3), (TABLE, 3), (NONE, 0)]),
    (element_that_is_not_there, [(LINE, 1), (LINE, 5), (EMPTY, 0)]),
    (transposed_and_back, [(TABLE,), (TABLE.T,), (NONE,)]),
    (transposed_of_computed, [(TABLE,), (TABLE[::-1, ::2],), (NONE,)]),
    (other_shape, [(TABLE,), (TABLE.T,), (TABLE[::2],), (NONE,)]),
    (other_shape_that_does_not_fit, [(TABLE, 2), (TABLE, 5), (TABLE.T, 6), (TABLE, 0)]),
    (casts_that_lose_nothing, [(LINE,), (SPECIAL,), (LINE / 3.0,), (EMPTY,)]),
    (casts_of_ints, [(WHOLE,), (WHOLE[:0],), (WHOLE[::-1],)]),
    (copy_of_sorted, [(LINE,), (SPECIAL,), (EMPTY,), (LINE[::2],)]),
    (copy_that_is_written, [(LINE,), (EMPTY,)]),
    (copy_beside_its_source, [(LINE,), (EMPTY,)]),
    (copy_before_a_write, [(LINE,), (EMPTY,)]),
    (copies_of_a_loop, [(LINE, 0), (LINE, 2), (EMPTY, 1)]),
    (copy_whose_part_is_taken, [(LINE,), (EMPTY,)]),
    (copy_of_a_product, [(TABLE, TABLE.T), (TABLE.T, TABLE), (NONE, TABLE.T)]),
    (copy_of_a_parameter, [(LINE,), (EMPTY,), (READ_ONLY,)]),
    (contiguous, [(LINE,), (EMPTY,), (LINE[::-1],)]),
    (contiguous_that_is_written, [(LINE,), (LINE[::2],), (EMPTY,)]),
    (flipped_and_back, [(LINE, TABLE), (EMPTY, NONE), (LINE[::2], TABLE.T)]),
    (whole_view_that_is_written, [(LINE,), (EMPTY,), (READ_ONLY,)]),
    (whole_view_of_a_choice, [(LINE,), (OTHER,), (EMPTY,)]),
    (whole_view_of_a_changed_one, [(LINE,), (OTHER,), (EMPTY,)]),
    (views_of_a_parameter, [(LINE, TABLE), (EMPTY, NONE), (LINE[::-2], TABLE.T)]),
    (sizes, [(LINE, TABLE), (EMPTY, NONE)]),
]
