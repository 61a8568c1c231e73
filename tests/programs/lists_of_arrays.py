"""Arrays made of lists of arrays, points in grids, and the order of columns."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([3.0, -1.0, 2.5, 8.0])
TABLE = np.arange(6).reshape(2, 3)
CUBE = np.arange(24).reshape(2, 3, 4)


def rows(a, n):
    items = [a * i for i in range(n)]
    return np.array(items), np.stack(items), np.sum(items, axis=0), np.vstack(items), len(items)


def joined(a, n):
    items = []
    for i in range(n):
        items.append(a[i:])
    return np.concatenate(items), np.concatenate(items, axis=-1) if a.ndim == 1 else a


def along(a):
    items = [a, a * 2]
    items.append(a[::-1])
    return (
        np.stack(items, axis=1),
        np.stack(items, axis=-1),
        np.hstack(items),
        np.column_stack(items),
        np.vstack(items),
        np.max(items, axis=0),
    )


def uneven(a):
    items = [a, a[1:]]
    return np.hstack(items), np.array(items)


def uneven_stack(a):
    items = [a, a[1:]]
    return np.stack(items)


def grids(n):
    return (
        np.mgrid[0:1:5j, -1:1:3j],
        np.mgrid[0:n, 0:2:3j],
        np.meshgrid(np.arange(n), [1.5, 2], sparse=True),
        np.meshgrid([1, 2], [3], np.arange(n), [5, 6], indexing="ij", copy=False),
        np.linspace(0, 10, n, dtype=int),
        np.linspace(-3, 4, n, retstep=True),
        np.linspace(1, 2, n, endpoint=False, retstep=True),
    )


def columns(a):
    return (
        a.ravel("F"),
        np.ravel(a, order="F"),
        a.flatten(order="F"),
        a.reshape(-1, 2, order="F"),
        np.reshape(a, (3, -1), order="F"),
        a.reshape((a.size,), order="C"),
    )


def put_between(n):
    rows = [np.zeros(2)]
    names = ["a"]
    parts = [[1, 2]]
    for i in range(n):
        rows.insert(0, np.full(2, float(i)))
        rows.extend([np.ones(2), np.ones(2) * i])
        names.insert(-1, f"{i}")
        parts.insert(i // 2, [i])
    last = rows.pop(0)
    rows.extend(rows)
    rows += rows[:2]
    last[0] = 5.0
    names.extend(names)
    parts[0].extend(parts[-1])
    parts[0].extend(parts[0])
    gone = names.pop(n)
    total = 0.0
    while len(rows) > 3:
        total = total * 1.1 + float(rows.pop(1)[0])
    return rows, total, names, gone, parts


def of_rows(a, b):
    both = np.asarray([a, b]), np.array([[a, b], [b, a]]), np.stack([a, b])
    return both, np.array([a, b], dtype=np.float32), np.sum([a, b], axis=0)


def of_tuple(pair):
    return np.array(pair), np.asarray(pair, dtype=np.float32), np.sum(pair, axis=0)


def extended_by_rows(a):
    """The items of an array, and of a tuple, say what an empty list holds."""
    places, values, pairs = [], [], []
    for row in a:
        found = np.nonzero(row)[0]
        places.extend(found)
        values.extend(row[found])
        pairs.extend((len(found), 7))
    return places, values, pairs


CASES: list[Case] = [
    (extended_by_rows, [(np.eye(2),), (np.array([[0, 3], [4, 5]], np.int8),), (np.zeros((0, 2)),)]),
    (of_rows, [(np.arange(3), np.arange(3.0)), (np.arange(3)[::-1], np.arange(6)[::2])]),
    (of_rows, [([1, 2], [3, 4]), ([1, 2], (3, 4.5)), (np.arange(2), [5, 6]), ([1.5], [True])]),
    (of_tuple, [((np.arange(3), np.arange(3.0)),), (([1, 2], (3, 4.5)),), (((1, 2), [3, 4]),)]),
    (of_rows, [(np.zeros((2, 0)), np.zeros((2, 0), bool)), ([[1], [2]], [[3], [4]])]),
    (of_rows, [(np.arange(3), np.arange(2)), ([1, 2], [3]), (np.zeros(0), np.zeros(0))]),
    (put_between, [(0,), (1,), (2,), (9,)]),
    (rows, [(LINE, 3), (TABLE, 2), (LINE, 1), (LINE[:0], 2)]),
    (joined, [(LINE, 3), (TABLE, 2), (LINE, 0)]),
    (along, [(LINE,), (TABLE,)]),
    (uneven, [(LINE,)]),
    (uneven_stack, [(LINE,)]),
    (grids, [(4,), (2,)]),
    (columns, [(TABLE,), (CUBE,), (CUBE.T,), (CUBE[:, :, ::2],)]),
]
