"""Stores to what a mask picks, of values that are computed from what the same mask picks."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def step(z, c, n, limit, k):
    inside = np.less(abs(z), limit)
    n[inside] = k
    z[inside] = z[inside] ** 2 + c[inside]
    return z, n


def scaled(a, m, s):
    a[m] = a[m] * s + 1
    return a


def updated(a, b, m):
    a[m] += b[m]
    a[m] *= 2
    return a


def moved(a, b, m):
    a[m] = b[m]
    return a


def of_two(a, b, m):
    a[m] = np.maximum(b[m], a[m]) - b[m] / 2
    return a


def divided(a, m):
    a[m] = 1 / a[m]
    return a


def whole_numbers(a, m):
    a[m] = a[m] // 2 - 7 % a[m]
    return a


def elementary(a, m):
    a[m] = np.exp(-a[m]) + np.sqrt(a[m])
    return a


def to_the_power(a, m):
    a[m] = a[m] ** -1.5
    return a


def converted(a, b, m):
    a[m] = b[m] + 1
    return a


def picked_is_used_again(a, m):
    v = a[m] * 2
    a[m] = v
    return a, v, v.sum()


def mask_is_written(a, m):
    v = a[m] * 2
    m[0] = not m[0]
    a[m] = v
    return a


def source_is_written(a, b, m):
    v = b[m] + 0
    b[0] = 99
    a[m] = v
    return a


def another_mask(a, m, o):
    a[m] = a[o] + 1
    return a


def values(a, m, v):
    a[m] = v
    return a


def shifted(a, m):
    a[1:][m] = a[:-1][m] * 2
    return a


def reversed_(a, m):
    a[m] = a[::-1][m] + 1
    return a


def onto_the_mask(m):
    m[m] = ~m[m]
    return m


def columns(a, m):
    a.T[m] = a.T[m] * 3
    a[:, ::2][m.T[:, ::2]] = -1.5
    return a


def caught(a, b, m):
    try:
        a[m] = b[m] + 1
    except IndexError as error:
        return str(error), a
    return "fine", a


def in_a_loop(a, m, rounds):
    for k in range(rounds):
        m = np.logical_and(m, a < 50)
        a[m] = a[m] * 2 + k
    return a


def own(a, b):
    a[a > b] = a[a > b] - b[a > b]
    return a


def own_positive(a):
    a[a > 0] = 1.0 / a[a > 0]
    return a


def own_reversed(a):
    a[a > 0] = a[::-1][a > 0] * 2
    return a


def own_of_a_sum(a, b):
    a[a + b > 0] = b[a + b > 0] - a[a + b > 0]
    return a


def own_with_a_write_between(a, b):
    v = a[a > b] * 2
    a[0] = 99
    a[a > b] = v
    return a


def a_row_that_was_copied(a):
    row = a.ravel()
    a += 1.0
    a[a < 2.0] = row[a.ravel() < 2.0] * 2.0
    return a


def a_row_that_is_written(a):
    row = a.ravel()
    row += 1.0
    a[a < 2.0] *= row[a.ravel() < 2.0]
    return a, row


def a_row_of_the_mask_that_was_copied(a):
    mask = a < 2.0
    row = mask.ravel()
    mask[:1] = True
    a[mask] = a.ravel()[row].sum()
    return a


def own_with_a_mask_changed(a, b):
    v = a[b > 0] + 1
    b[0] = -b[0]
    a[b > 0] = v
    return a


def own_of_two_bounds(a):
    a[a > 0] = a[a > 1]
    return a


GAPS = np.array([np.nan, -0.0, 3.0, np.inf, -np.inf, 0.0, 1e308])
LINE = np.array([4.0, -0.5, 3.0, 0.0, 9.0, -7.0, 0.25])
MASK = np.array([True, False, True, True, False, False, True])
NONE, ALL = np.zeros(7, bool), np.ones(7, bool)
MASKS = (MASK, ~MASK, NONE, ALL)
TABLE = np.arange(12.0).reshape(3, 4) - 3
HALF = TABLE % 2 == 0
Z = np.array([0.5 + 1j, 2, -1j, 3 + 4j, 0, complex(np.nan, 1), complex(-0.0, -0.0)])
COUNTS = np.zeros(7, np.int64)
LONG = np.random.default_rng(3).integers(-4096, 4096, 5003) / 1024

CASES: list[Case] = [
    (step, [(Z, Z[::-1] / 2, COUNTS, 2.5, 3), (Z[:0], Z[:0], COUNTS[:0], 1.0, 1)]),
    (step, [(Z[:6].reshape(2, 3), Z[1:].reshape(3, 2).T, COUNTS[:6].reshape(2, 3), 9.0, 1)]),
    (scaled, [(LINE, m, 2.5) for m in MASKS] + [(TABLE, HALF, 3), (TABLE.T, HALF.T, 3)]),
    (
        scaled,
        [(LINE[:0], NONE[:0], 2), (LINE, MASK[1:], 2), (TABLE, HALF.T, 2), (LINE[:1], ALL, 1)],
    ),
    (scaled, [(np.arange(7, dtype=np.int8), MASK, 100), (LONG, LONG > 0.5, 0.5), (GAPS, MASK, 0)]),
    (updated, [(LINE, GAPS, m) for m in MASKS] + [(TABLE, TABLE[::-1], HALF)]),
    (updated, [(LINE, LINE, MASK), (LINE, LINE[1:], MASK), (LONG, LONG[::-1], LONG < 0)]),
    (moved, [(LINE, GAPS, m) for m in MASKS] + [(LINE, LINE[::-1], MASK), (TABLE, -TABLE, HALF)]),
    (of_two, [(LINE, GAPS, MASK), (TABLE, TABLE[:, ::-1], HALF), (LINE, GAPS[:3], MASK)]),
    (divided, [(LINE, MASK), (GAPS, MASK), (np.zeros(7), ALL)]),
    (whole_numbers, [(np.arange(7), MASK), (np.arange(7), np.arange(7) > 0)]),
    (converted, [(LINE, np.arange(7), MASK), (Z, LINE, MASK), (LINE.astype("f"), LINE, MASK)]),
    (picked_is_used_again, [(LINE, MASK), (TABLE, HALF)]),
    (mask_is_written, [(LINE, MASK), (LINE, ~MASK)]),
    (source_is_written, [(LINE, GAPS, MASK), (LINE, GAPS, NONE)]),
    (another_mask, [(LINE, MASK, ~MASK), (LINE, MASK, MASK), (LINE, MASK, LINE > 0)]),
    (values, [(LINE, MASK, np.arange(4.0)), (LINE, MASK, np.ones(1)), (LINE, MASK, np.ones(3))]),
    (values, [(LINE, NONE, np.ones(0)), (LINE, NONE, np.ones(1)), (LINE, NONE, np.ones(2))]),
    (
        values,
        [(TABLE, HALF, np.arange(6.0)), (TABLE.T, HALF.T, np.arange(6.0)), (LINE, MASK, LINE)],
    ),
    (values, [(LINE[::-2], MASK[::2], LINE[:3]), (TABLE, HALF[:2], LINE[:4])]),
    (shifted, [(LINE, MASK[1:]), (LINE, MASK), (LONG, LONG[1:] > 0)]),
    (reversed_, [(LINE, MASK), (LONG, LONG > 0)]),
    (onto_the_mask, [(MASK,), (ALL,), (HALF,)]),
    (columns, [(TABLE, HALF.T)]),
    (caught, [(LINE, GAPS, MASK), (LINE, GAPS[1:], MASK), (LINE, GAPS, MASK[1:])]),
    (in_a_loop, [(LINE, MASK, 6), (TABLE, HALF, 6), (LINE, MASK, 0)]),
    (own, [(LINE, GAPS), (LINE, LINE[::-1]), (TABLE, -TABLE), (LONG, LONG[::-1])]),
    (own_positive, [(LINE,), (GAPS,), (TABLE,), (TABLE.T,), (TABLE[:, ::2],), (LINE[:0],)]),
    (own_positive, [(np.zeros((2, 0)),), (TABLE.reshape(3, 2, 2),), (LONG,)]),
    (own_reversed, [(LINE,), (TABLE,), (LONG,)]),
    (own_of_a_sum, [(LINE, GAPS), (TABLE, TABLE[::-1]), (TABLE, TABLE.T), (LINE, LINE[:3])]),
    (own_with_a_write_between, [(LINE, GAPS), (LINE, np.zeros(7)), (LONG, LONG[::-1])]),
    *(
        (f, [(LINE,), (LINE[::-1],), (GAPS[::2],), (TABLE,), (TABLE.T,), (LINE[:0],)])
        for f in (a_row_that_was_copied, a_row_that_is_written)
    ),
    (a_row_of_the_mask_that_was_copied, [(LINE,), (LINE[::-1],), (GAPS[::2],), (TABLE,)]),
    (own_with_a_mask_changed, [(LINE, GAPS), (LINE, LINE[::-1]), (LINE, np.ones(7))]),
    (own_of_two_bounds, [(LINE,), (TABLE,), (np.array([3.0, -1.0, 5.0]),)]),
]
