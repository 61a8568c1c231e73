"""Elements taken out, put in and chosen, and places in several axes."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([1.0, -2.0, 0.5, 4.0, -0.0, np.nan])
TABLE = np.arange(12.0).reshape(3, 4) - 5
WHOLE = np.array([[3, -1, 4], [1, -5, 9]])
CUBE = np.arange(24).reshape(2, 3, 4)
PICK = np.array([2, 0, -1, 2])


def along(a, i):
    order = np.argsort(a, axis=1, kind="stable")
    largest = np.expand_dims(np.argmax(a, axis=0), 0)
    return (
        np.take_along_axis(a, order, axis=1),
        np.take_along_axis(a, largest, axis=0),
        np.take_along_axis(a, i, axis=-1),
    )


def along_lines(a, i):
    return np.take_along_axis(a, i, 0), np.take_along_axis(a, i, axis=None)


def along_cubes(a):
    return np.take_along_axis(a, np.argsort(-a, axis=1), axis=1)


def put_along(a, i, v):
    np.put_along_axis(a, i, v, axis=1)
    np.put_along_axis(a, np.argmin(a, axis=0)[None, :], 100, axis=0)
    return a


def chosen_slices(a, c):
    return np.compress(c, a, axis=0), np.compress([True, False, True], a, axis=1), a.compress(c, 0)


def chosen(a):
    return np.extract(a > 0, a), np.compress(a.ravel() > 0, a), np.extract(a, a)


def placed(a, m, v):
    b = a.copy()
    np.place(a, m, v)
    np.putmask(b, m, v)
    return a, b


def put(a, i, v):
    b = a[::-1]
    np.put(b, i, v, mode="wrap")
    np.put(a, [-3, 50], v, mode="clip")
    a.put(i, v)
    return a


def copied(a, b):
    c = np.empty_like(a)
    np.copyto(c, b)
    np.copyto(a, 0, where=np.isnan(a))
    np.copyto(a, b, where=a > 2)
    return a, c


def deleted(a, i):
    return np.delete(a, i), np.delete(a, 1), np.delete(a, [0, -1, 0]), np.delete(a, a > 3)


def deleted_slices(a, i):
    return np.delete(a, i, axis=0), np.delete(a, [1, 2], axis=1), np.delete(a, -1, axis=-1)


def deleted_elements(a, i):
    return np.delete(a, i), np.delete(a, i, 1)


def inserted(a, i, v):
    return (
        np.insert(a, 1, v),
        np.insert(a, i, 7),
        np.insert(a, [2, 0], [10, 20]),
        np.insert(a, len(a), a),
        np.insert(a, -1, [v, v]),
    )


def inserted_slices(a, v):
    return (
        np.insert(a, 1, v, axis=0),
        np.insert(a, 2, 5, axis=1),
        np.insert(a, [0, 2], a[:, :2], axis=1),
        np.insert(a, 1, a[:, 0], axis=1),
    )


def choices(i, a):
    return (
        np.choose(i, [a, a * 10, -a]),
        np.choose(i, (a, 0, a[0]), mode="wrap"),
        np.choose(i, [1, 2, 3], mode="clip"),
        i.choose([a]) if len(a) == 0 else a,
    )


def selected(a):
    return (
        np.select([a < 0, a > 2], [a, a**2], default=-1),
        np.select([a < 0, a > 2], [1, 2]),
        np.select([a > 0], [np.sqrt(np.abs(a))], np.nan),
    )


def crossings(a, i, j):
    b = a[np.ix_(i, j)]
    a[np.ix_([0, 1], [2, 0])] = 100
    return b, a[np.ix_(a[:, 0] > 2, [1])], np.ix_(i, j)


def unravelled(a, i):
    place = np.unravel_index(np.argmax(a), a.shape)
    rows, columns = np.unravel_index(i, a.shape)
    return place, rows, columns, a[place], np.ravel_multi_index((rows, columns), a.shape)


def ravelled(i, j):
    return (
        np.ravel_multi_index((i, j), (3, 4), mode="wrap"),
        np.ravel_multi_index((i, j), (3, 4), mode="clip"),
        np.ravel_multi_index((1, 2, 3), (2, 3, 4)),
        np.ravel_multi_index((i, j), (3, 4)),
    )


def diagonals(a, v):
    b = np.zeros((4, 3))
    np.fill_diagonal(a, v)
    np.fill_diagonal(b, [1, 2])
    c = np.zeros((7, 3), np.int32)
    np.fill_diagonal(c, 4, wrap=True)
    b[np.diag_indices(2)] += 10
    return a, b, c


def deep_diagonals(a):
    np.fill_diagonal(a, 7)
    return a, np.diag_indices(3, 3), np.diag_indices_from(a)


def triangles(a, k):
    i = np.tril_indices(3)
    j, m = np.triu_indices(3, k, 5)
    a[np.triu_indices_from(a, k)] = -1
    return i, j, m, a, a[np.tril_indices_from(a)], np.tril_indices(len(a), k)


def taken(a, i):
    y, x = np.ogrid[0:3, 1:9:2]
    return a.take(i, mode="wrap"), np.take(a, i, 0, mode="clip"), np.take(a, 99, mode="wrap"), y * x


EVEN = np.arange(2.0)


def without_slices(x, part):
    n = len(x)
    return np.delete(x, part, axis=0), np.delete(x, slice(1, n, 2)), np.delete(x, slice(2))


CASES: list[Case] = [
    (
        without_slices,
        [
            (np.arange(12.0).reshape(4, 3), slice(1, 3)),
            (np.arange(12.0).reshape(4, 3).T, slice(None, None, -2)),
            (np.arange(5), slice(7, 9)),
            (np.arange(0), slice(None)),
        ],
    ),
    (
        along,
        [(TABLE, np.array([[0], [-1], [2]])), (-TABLE, np.array([[1, 1]])), (WHOLE, PICK[None])],
    ),
    (along, [(TABLE, np.array([[9]])), (TABLE[:, :0], np.zeros((3, 0), int))]),
    (along_lines, [(LINE, PICK), (LINE, PICK[:0]), (LINE[:0], PICK)]),
    (along_cubes, [(CUBE,), (CUBE.T * 0.5,)]),
    (put_along, [(TABLE, np.array([[0], [1], [2]]), 50.0), (WHOLE, np.array([[0, 1], [1, 1]]), 7)]),
    (put_along, [(TABLE, np.array([[0], [1], [4]]), 50.0)]),
    (chosen_slices, [(TABLE, np.array([True, False, True])), (TABLE, [1, 0]), (TABLE[:, :3], [0])]),
    (chosen_slices, [(TABLE, np.ones(7, bool)), (CUBE, np.array([0.0, 2.0]))]),
    (chosen, [(TABLE,), (LINE,), (TABLE[:0],)]),
    (placed, [(LINE, LINE > 0, EVEN), (TABLE, TABLE > 2, EVEN), (TABLE.T, TABLE.T < 0, TABLE)]),
    (
        placed,
        [(WHOLE, WHOLE > 2, np.arange(2)), (LINE, LINE > 0, EVEN[:0]), (LINE, EVEN > 0, EVEN)],
    ),
    (put, [(LINE, PICK, EVEN), (TABLE, PICK * 3, EVEN), (TABLE.T, np.array([1, 2, 99]), EVEN)]),
    (put, [(WHOLE[:, ::2], PICK, np.array([7])), (LINE, PICK, EVEN[:0]), (LINE[:0], PICK, EVEN)]),
    (
        copied,
        [(LINE, 3.0), (TABLE, TABLE[1]), (LINE, LINE[::-1]), (TABLE, TABLE.astype(np.float32))],
    ),
    (deleted, [(LINE, PICK), (WHOLE[0], PICK[1:]), (LINE, PICK[:0]), (LINE, PICK * 3), (LINE, 9)]),
    (deleted, [(LINE, -7), (LINE[:1], 0), (np.array([True, False, True]), 2)]),
    (deleted_slices, [(TABLE, 1), (TABLE, PICK), (TABLE, 3), (TABLE, PICK[:1] + 3)]),
    (deleted_elements, [(TABLE, PICK), (WHOLE, 0), (TABLE, 5)]),
    (inserted, [(LINE, PICK, 0.5), (WHOLE[0], 2, 9), (LINE, PICK[:1], 1), (LINE, PICK[:0], 2)]),
    (inserted, [(LINE, PICK * 9, 1.0), (LINE, 7, 1.0)]),
    (inserted_slices, [(TABLE, TABLE[0]), (TABLE, TABLE[:2]), (WHOLE, [1, 2, 3])]),
    (inserted_slices, [(TABLE, EVEN)]),
    (choices, [(np.array([0, 2, 1, 1]), TABLE), (np.array([[2], [0], [1]]), TABLE), (PICK, TABLE)]),
    (choices, [(np.zeros(0, int), TABLE[:0, :0]), (np.array([0, 3]), TABLE[:, :2])]),
    (selected, [(TABLE,), (WHOLE,), (LINE,), (LINE.astype(np.float32),), (TABLE[:0],)]),
    (crossings, [(TABLE, [0, 2], [1, 3]), (TABLE, TABLE[:, 1] > 0, PICK), (WHOLE, [1], [0, 0])]),
    (taken, [(TABLE, PICK * 9), (LINE, np.array([[7, -9]])), (LINE, -3), (LINE[:0], PICK)]),
    (unravelled, [(TABLE, np.array([0, 7, 11])), (WHOLE, 4), (TABLE, 12), (TABLE, [-1])]),
    (unravelled, [(TABLE, np.array([[0, 7], [11, 2]])), (TABLE, PICK[:0])]),
    (
        ravelled,
        [(PICK, PICK), (PICK % 3, PICK % 4), (2, 3), (np.array([[1], [2]]), np.array([0, 3]))],
    ),
    (diagonals, [(TABLE, 0.5), (TABLE.T, EVEN), (WHOLE, 7)]),
    (deep_diagonals, [(np.zeros((3, 3, 3)),), (np.zeros((2, 2, 2), int),), (CUBE,)]),
    (triangles, [(TABLE, 1), (WHOLE, -1), (TABLE, 0)]),
]
