"""Values that are reshaped: a first axis that is several, and lists of places with several axes."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def looked_up(table, ids):
    return table[ids] * 2


def pooled(table, ids, weights):
    rows = table[ids] * weights[:, :, None]
    return rows.sum(axis=1), rows.max(axis=0), rows.sum(axis=(0, 1))


def greatest(table, ids):
    return np.abs(table[ids]).max(axis=-1), (table[ids] * 2)[1:, ::2]


def written_afterwards(table, ids):
    rows = table[ids]
    flat = rows.reshape(-1, rows.shape[2])
    flat[0] = 100
    table[0] = 50
    return rows * 2, flat + 1


def seen_twice(table, ids):
    rows = table[ids]
    return rows, rows + 1


def halves(x):
    return (x * 2).reshape(2, -1, 3) + 1, (x + 1).reshape(-1, 1, 3).sum(axis=0)


def asked(x, a, b):
    y = (x + 1).reshape(a, b)
    return y * 2, y.sum(axis=0), y.T - 1


def named(x, n):
    y = np.sqrt(x * 4).reshape(n, len(x) // n, x.shape[1])
    return np.concatenate((y, y * 2)), np.roll(y, 1, axis=2) + 1


def two_lists(table, rows, columns):
    return table[rows, columns] + 1, table.T[columns, rows] * 2


_R = np.random.default_rng(3)
_TABLE = np.floor(_R.standard_normal((12, 6)) * 8)
_IDS, _BAD = _R.integers(-12, 12, (4, 5)), np.array([[0, 12], [1, 2]])
_WEIGHTS = np.floor(_R.standard_normal((4, 5)) * 4)

CASES: list[Case] = [
    (looked_up, [(_TABLE, _IDS), (_TABLE[:, :0], _IDS), (_TABLE, _IDS[:0]), (_TABLE, _IDS[:, :0])]),
    (looked_up, [(_TABLE[:, 0], _IDS), (_TABLE, _BAD), (_TABLE[:0], _IDS), (_TABLE.T, _IDS % 6)]),
    (pooled, [(_TABLE, _IDS, _WEIGHTS), (_TABLE[::-1], _IDS[:1], _WEIGHTS[:1])]),
    (pooled, [(_TABLE, _IDS, _WEIGHTS[:, :1]), (_TABLE, _IDS, _WEIGHTS[1:])]),
    (greatest, [(_TABLE, _IDS), (_TABLE.astype(np.int32), _IDS.astype(np.int8))]),
    (written_afterwards, [(_TABLE, _IDS)]),
    (seen_twice, [(_TABLE, _IDS)]),
    (halves, [(_TABLE,), (_TABLE.T[:, :6].copy(),), (_TABLE[:0],), (_TABLE[:7],)]),
    (asked, [(_TABLE[:, 0], 3, 4), (_TABLE[:, 0], -1, 4), (_TABLE[:, 0], 5, 2)]),
    (asked, [(_TABLE[:0, 0], 0, 4), (_TABLE[:, 0], -1, -1)]),
    (named, [(np.abs(_TABLE), 3), (np.abs(_TABLE), 5), (np.abs(_TABLE[:, :0]), 2)]),
    (two_lists, [(_TABLE, _IDS, _IDS[::-1] % 6), (_TABLE, _IDS, _IDS[0] % 6)]),
]
