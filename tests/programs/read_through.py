"""Concatenations, stacks and rolls in expressions, which read their parts where they are."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def scaled_ends(x, y):
    return np.exp(np.concatenate((x * 2, y + 1))), 1 - np.concatenate((x, y, x)) / 2


def with_whole_numbers(x, y):
    z = np.concatenate((x, y)) * np.arange(len(x) + len(y))
    return z, np.concatenate((y, x)) + np.arange(0.1, 1.0, 0.3)[0] * np.arange(len(z))


def ghost_cells(u):
    cells = np.concatenate((u[:1] * 0, u, u[-1:]))
    return cells[1:-1] * 2 - cells[:-2] - cells[2:], cells.sum(), cells[::-1]


def framed(u, edge):
    rows = np.concatenate((np.full((1, u.shape[1]), edge), u, np.full((2, u.shape[1]), edge)))
    sides = np.full((len(rows), 1), edge)
    return np.concatenate((sides, rows, sides), axis=1) * 3 + 1


def differences(x):
    return x - np.roll(x, 1), np.roll(x, -3) * np.roll(x, 4) - x, np.roll(x, 2**62) + x


def five_point(u):
    ahead = np.roll(u, -1, axis=0) + np.roll(u, -1, axis=1)
    return np.roll(u, 1, axis=0) + np.roll(u, 1, axis=1) + ahead - 4 * u


def many_rolls(x):
    total = x * 0
    for shift in (1, 2, 3, 5, 8, -1, -2):
        total = total + np.roll(x, shift) * shift
    return total, np.roll(np.roll(x, 2), -3) + x


def rolled_rows(m):
    means = np.roll(m, 1, axis=0).mean(axis=1)
    scaled = np.roll(m, 1, axis=0) / (1 + np.abs(np.roll(m, 1, axis=0)).max(axis=1, keepdims=True))
    return means, scaled, np.roll(m, 1, axis=1).sum(axis=1), np.roll(m, 2, axis=1).sum(axis=0)


def rolled_through_broadcast(m, row):
    return m + np.roll(row, 1), m * np.roll(row, 1)[None, :], np.roll(m, 1, axis=0) - row


def repeated_columns(m, column):
    return np.roll(m, 1, axis=1) - column, np.roll(column, 1, axis=0) * m


def folded_stacks(x, y):
    table = np.stack((x, y, x * y), axis=-1)
    return table.sum(axis=-1), np.stack((x, y)).max(axis=0), np.stack((x, y)).mean(axis=0)


def folded_truths(x, y):
    both = np.stack((x > y, y > 0))
    return both.all(axis=0), both.any(axis=0), both.sum(axis=0), np.stack((x, y)).prod(axis=0)


def many_folded(x):
    table = np.stack((x, -x, x * 2, x, x, x - 1, x, x + 1, x))
    return table.sum(axis=0), np.max(np.stack((x, x + 1, x * 3)), axis=0, keepdims=True)


def kept_under_a_stack(x, m):
    s = np.stack((x, x * 2, x), axis=-1)
    total = np.stack((x, x, x + 1), axis=-1) - m.sum(axis=-1, keepdims=True)
    return s - s.max(axis=-1, keepdims=True), s.std(axis=-1), total


def kept_twice_under_a_stack(x, m):
    s = np.stack((x, x + 1, x), axis=-1)
    return s * m.max(axis=1, keepdims=True), s - m.min(axis=(0, 1), keepdims=True)


def stacks_of_one(x):
    a, b = np.stack((x,)).max(axis=0), np.stack((x,), axis=-1).prod(axis=-1)
    c, d = np.stack((x > 0,)).all(axis=0), np.vstack((x[0],)).min(axis=0)
    x[0] = 99
    a[0] = -5
    return a, b + 1, c, d, x


def beside_a_roll(x, places):
    z = np.zeros(len(x))
    return np.roll(x, 1) * 2, x[places] + z, x[x.argsort()] + 1


def floats_beside_a_roll(n, step):
    a = np.arange(0.1, n, step)
    return np.roll(np.zeros(len(a)) + n, 1) * 2, a * 2


def tables_beside_a_roll(t, i):
    both = np.stack((t[i], t[i] + 1), axis=2).sum(axis=2)
    return np.roll(t[i], 1, axis=1) * 2, both, np.roll(both, 1, axis=0) + both


def many_results(x):
    a, b, c = np.roll(x, 1) * 2, np.roll(x, 2) + x, np.roll(x, 3) - x
    d, e, f = np.roll(x, 4) * x, np.roll(x, 5) / 2, np.roll(x, 6) + 1
    g, h, i = np.concatenate((x[1:], x[:1])) + x, np.concatenate((x[2:], x[:2])) - x, x * 3
    return a, b, c, d, e, f, g, h, i


def rows_of_both(a, b):
    e = np.exp(np.concatenate((a, b), axis=0))
    return e / e.max(axis=1, keepdims=True)


def columns_of_both(a, b):
    joined = np.concatenate((a, b), axis=1)
    return joined.sum(axis=1), joined.max(axis=0), (joined * 2).mean(axis=0)


def scalars(x):
    return np.stack((x.min(), x.max())) * 2, np.stack((np.stack((x, x)), np.stack((x, -x)))) + 1


def into_itself(x):
    x[:] = np.roll(x, 1) + x
    x[1:] = np.concatenate((x[:2], x[3:])) * 2
    x[::-1] = np.concatenate((x[2:], x[:2]))
    return x


def written_later(x, y):
    z = np.concatenate((x, y))
    w = np.roll(x, 1)
    x[:1] = 100
    return z * 2, w + 1, x


def parts_written_later(x):
    z = np.concatenate((x * 2, x))
    total = z + 1
    z[0] = -1
    return z, total


def seen(x, y):
    z = np.concatenate((x, y))
    both = [z, z]
    z += 1
    return z * 2, both[0] + both[1], np.floor(both[0]).sum()


def in_a_loop(x, n):
    for _ in range(n):
        x = 0.5 * (np.roll(x, 1) + np.roll(x, -1)) + np.concatenate((x[1:], x[:1])) * 0.1
    return x


def advected(c, v):
    ahead, behind = np.roll(c, -1, axis=0) - c, c - np.roll(c, 1, axis=1)
    c = c - 0.25 * np.where(v > 0, v * ahead, v * behind)
    return c, np.sum(c * 4), np.max(np.abs(c)), np.min(np.roll(v, 1, axis=0) + c)


def turned(x, angle):
    left, right = x[:, :2], x[:, 2:]
    c, s = np.cos(angle), np.sin(angle)
    return np.concatenate((left * c - right * s, left * s + right * c), axis=-1)


def from_lists(x, k):
    rows = [x + i for i in range(k)]
    joined = np.concatenate(rows), np.concatenate(rows, axis=1)
    return np.stack(rows, axis=1), np.stack(rows, axis=-1), joined


def unlike_in_a_list(a, b):
    rows = [a]
    rows.append(b)
    return np.concatenate(rows, axis=1)


def picked(x, y, places):
    return np.concatenate((x, y))[places] * 2, np.roll(x, 1)[x.argsort()] + 1


def picked_beside(x, places, k):
    z = np.concatenate((x[places], x)) + np.roll(x[places], 1).sum()
    return z * 2, np.roll(x[places], 1) + x[places], np.stack((x[places], x[places] * 2))[0]


def stacked_numbers(x, k):
    return x + np.sum(np.stack((-1, -k, k * 2))), np.max(np.stack((x[0], x[1]))), np.stack((k, 2))


def costly_parts(x, y):
    z = np.concatenate((np.exp(x), np.log1p(y)))
    return z - z.max(), np.roll(np.exp(x), 1) - np.exp(x)


def which_comes_first(x, y):
    try:
        return np.concatenate((x, y), axis=1) + np.concatenate((x, x))
    except ValueError as error:
        return np.full((1, 1), len(str(error)) * 1.0)


def unlike_rows(a, b):
    return np.stack((a, b)) * 2


def unlike_columns(a, b):
    return np.column_stack((a, b)) + np.vstack((a, b)).T


def divided(x, y):
    return np.concatenate((x // y, x % 3)) + np.roll(x // y, 1).sum()


_R = np.random.default_rng(5)
_X, _Y = _R.standard_normal(11), _R.standard_normal(6) + 3
_M = np.floor(_R.standard_normal((7, 9)) * 8)  # which sums are exact of
_ENDS = np.array([-0.0, np.nan, np.inf, -np.inf, 0.0, -1.5])
_LOCKED = _R.standard_normal(8)
_LOCKED.flags.writeable = False
_F32, _INT = _X.astype(np.float32), np.arange(5)

CASES: list[Case] = [
    (scaled_ends, [(_X, _Y), (_X[:0], _Y), (_ENDS, _ENDS[::-1]), (_X[5:1:-1], _X[::2])]),
    (scaled_ends, [(_F32, _Y), (_LOCKED, _LOCKED), (_X[:0], _X[:0])]),
    (with_whole_numbers, [(_X, _Y), (_INT, _INT[::-2]), (_X[:0], _X[:0])]),
    (ghost_cells, [(_X,), (_X[::-3],), (_X[:1],), (_X[:0],)]),
    (framed, [(_M, 1.5), (_M.T, 0.0), (_M[:0], 2.0), (_M[:, :0], 2.0), (_M[::-2, ::3], -0.0)]),
    (differences, [(_X,), (_X[:1],), (_X[:2],), (_X[:0],), (_X[::-2],), (_INT,), (_ENDS,)]),
    (five_point, [(_M,), (_M.T,), (_M[:1, :1],), (_M[:2, :1],), (_M[:0],), (_M[::2, ::-1],)]),
    (many_rolls, [(_X,), (_X[:2],), (_X[:0],), (_F32[::-1],)]),
    (rolled_rows, [(_M,), (_M.T,), (_M[:1],), (_M[:, :1],)]),
    (rolled_through_broadcast, [(_M, _M[0]), (_M[:, :1], _M[0]), (_M, _M[0, :1]), (_M, _M[1])]),
    (rolled_through_broadcast, [(_M[:1], _M[0]), (_M[:0], _M[0]), (_M, _X)]),
    (repeated_columns, [(_M, _M[:, 1:2]), (_M[:, :1], _M), (_M, _M), (_M[:1], _M), (_M, _M[:1])]),
    (folded_stacks, [(_X, _X[::-1]), (_ENDS, _ENDS[::-1]), (_M, _M * 2), (_X[:0], _X[:0])]),
    (folded_stacks, [(_F32, _F32), (_INT.astype(np.int8), _INT.astype(np.int8) * 30)]),
    (folded_truths, [(_X, _X[::-1]), (_ENDS, _ENDS), (_INT, _INT * 2)]),
    (many_folded, [(_ENDS,), (_M.T,), (_INT,)]),
    (kept_under_a_stack, [(_M, _M[:, :, None]), (_M.astype(np.int8), _M[:, :1, None] * 2)]),
    (kept_under_a_stack, [(_X[:3], np.arange(9).reshape(3, 3)), (_M[:0], _M[:0, :, None])]),
    (kept_twice_under_a_stack, [(_M, _M[:, :3]), (_X[:3], _M[:2, :3])]),
    (stacks_of_one, [(_M,), (_M.T,), (_M[::-2, ::3],), (_M.astype(np.int32),)]),
    (beside_a_roll, [(_X, np.arange(11)[::-1]), (_M[:, 0], np.zeros(7, np.int64))]),
    (floats_beside_a_roll, [(3, 0.25), (1, 0.3)]),
    (tables_beside_a_roll, [(_X, np.array([[1, 2, -1], [0, 3, 3]]))]),
    (many_results, [(_X,), (_X[:1],), (_X[:0],), (_INT,)]),
    (rows_of_both, [(_M, _M[:2]), (_M[:0], _M), (_M.T, _M.T[:, ::-1])]),
    (columns_of_both, [(_M, _M[:, :2]), (_M[:, 1:], _M[:, ::-1]), (_M.T, _M.T)]),
    (scalars, [(_X,), (_ENDS,), (_INT,)]),
    (into_itself, [(_X,), (_F32,), (_INT,)]),
    (written_later, [(_X, _Y), (_X, _X), (_X[::2], _X[1:])]),
    (parts_written_later, [(_X,), (_INT,)]),
    (seen, [(_X, _Y)]),
    (in_a_loop, [(_X, 0), (_X, 5), (_X[:1], 3)]),
    (advected, [(_M, _M[::-1]), (_M.T, _M.T * 2), (_M[:1], _M[1:2]), (_M, _M[:, ::-1])]),
    (turned, [(_M[:, :4], np.arange(7.0)[:, None]), (_M[:, 1:5], np.arange(2.0))]),
    (from_lists, [(_M, 3), (_M.T[::2], 1), (_M[:0], 2)]),
    (unlike_in_a_list, [(_M, _M[:, 1:]), (_M, _M[1:])]),
    (picked, [(_X, _Y, np.array([0, -1, 12])), (_X, _Y, np.array([17]))]),
    (picked_beside, [(_INT * 1.0, np.array([0, -1, 2]), 1), (_INT, np.array([5]), 1)]),
    (stacked_numbers, [(_INT, 3), (_INT * 0.5, -2)]),
    (costly_parts, [(_X, _Y), (_X[::-1], _Y[:1])]),
    (which_comes_first, [(_M, _M[:, 1:]), (_M, _M[1:]), (_M, _M)]),
    (unlike_rows, [(_X, _X), (_X, _Y), (_M, _M[1:]), (_M, _M[:, 1:])]),
    (unlike_columns, [(_X, _X), (_X, _Y), (_Y, _X)]),
    (divided, [(_INT, _INT + 1), (_INT * 1.0, _X[:5])]),
]
