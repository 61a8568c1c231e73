"""Rows of two to four elements, parts of them that have nothing in common, and lists that cross."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def overlaps(a, b):
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    sides = np.clip(high - low, 0, None)
    return sides[..., 0] * sides[..., 1]


def parts_of_products(x, w):
    y = x * w
    z = y + 1
    return z[:, 0] - z[:, 1], z[:, 2:] * 2


def parts_that_meet(x):
    y = np.sqrt(x)
    return y[:, 0] + y[:, 1], y[:, :2].sum()


def parts_out_of_reach(x, i):
    y = x * 2
    return y[:, 0] + y[:, i]


def first_and_last(x):
    y = x * x
    return y[0] + y[-1]


def written_parts(x):
    y = x * 2
    a = y[:, 0]
    a += 1
    return a, y[:, 1]


def of_scalars(x, w):
    y = x - w
    return y[0], y[1], y[2]


def broadcast_parts(x, s):
    y = x / np.sqrt((x * x).sum(axis=1, keepdims=True)) + s
    return y[:, :1] * 2, y[:, 1:]


def views_of_views(x):
    y = x[:, 1:]
    return (
        y[:, None, 0] * 2,
        y[:, -1][None],
        y[1:][0],
        y[:, ::-1][:, 0] + y[:, :1][:, 0],
        x[None][0] + 1,
    )


def stacked(x):
    c, s = x[:, 0] * x[:, 1], x[:, 0] - x[:, 1]
    first, second = np.stack((c, -s), axis=1), np.stack((s, c), axis=1)
    return np.stack((first, second), axis=1) / (1 + x[:, :1, None])


def stacked_in_front(x):
    rows = np.stack((np.stack((x[0], x[1])), np.stack((x[1] * 2, x[0] - x[1]))))
    return rows * 0.5, rows.sum()


def crossed(a, i, j):
    return (
        a[i][:, j] + 1,
        a[i[:, None], j],
        a[np.ix_(i, j)] * 2,
        (a[i][:, j] * a[i][:, j]).sum(axis=0),
    )


def crossed_behind(a, i, j):
    return (
        a[:, i[:, None], j],
        a[i[:, None], :, j],
        a[i][:, j][..., 0],
        a[i[:, None, None], j[:, None], i],
    )


def printed_between(a, i, j):
    b = a[i]
    print(len(b))
    return b[:, j].sum()


def written_between(a, i, j):
    a = a.copy()
    b = a[i]
    a[0] = 7
    return b[:, j] * 1.0


def raises_though_unused(x, k):
    seen = 0
    for i in range(k):
        _ = x[i][None][0]
        seen += 1
    return seen


def raises_in_try(x, k):
    found = []
    for way in range(6):
        try:
            if way == 0:
                _ = x[k][None, :][0]
            elif way == 1:
                _ = x[k][:]
            elif way == 2:
                _ = x[:, k][:]
            elif way == 3:
                _ = x[k].reshape(-1)
            elif way == 4:
                _ = x[k][...]
            else:
                w = x[1:]
                u = w[k]
                _ = u[:]
            found.append(way)
        except IndexError:
            found.append(-1)
    return found


def stepped_by_nothing(x, k):
    try:
        t = x[::k]
        t = t[:]
    except ValueError as e:
        return str(e)
    return "fine"


def crossing_in_a_branch(a, i, j, wanted):
    b = a[i]
    if wanted:
        return b[:, j] + 0
    return b + 0


_RNG = np.random.default_rng(3)
_BOXES, _MORE = _RNG.random((9, 4)).round(2), _RNG.random((11, 4)).round(2)
_WITH_NAN = np.where(_BOXES > 0.8, np.nan, _BOXES - 0.4)
_PAIRS = _RNG.random((12, 2)).round(3)
_TABLE, _CUBE = np.arange(20.0).reshape(4, 5), np.arange(60.0).reshape(4, 5, 3)


def _list(*places: int) -> np.ndarray:
    return np.array(places, np.int64)


_LISTS = [
    (_list(0, 2), _list(3, 0, -1)), (_list(), _list(1)), (_list(1), _list()), (_list(), _list()),
    (_list(9), _list(1)), (_list(1), _list(-6)), (_list(9), _list()), (_list(), _list(9)),
    (np.array([2, 1], np.uint8), np.array([0], np.int32)),
]  # fmt: skip

CASES: list[Case] = [
    (
        overlaps,
        [(_BOXES, _MORE), (_MORE[:1], _BOXES[::-1]), (_WITH_NAN, _MORE), (_BOXES[:0], _MORE)],
    ),
    (
        parts_of_products,
        [
            (_BOXES, _BOXES),
            (_BOXES, _MORE[0]),
            (_BOXES, _BOXES[:, :1]),
            (_BOXES[:2], _MORE[:1]),
            (_BOXES, 2.0),
            (_BOXES[:, :3], _BOXES[:, :3]),
            (np.asfortranarray(_BOXES), _BOXES),
        ],
    ),
    (parts_that_meet, [(_BOXES,), (_BOXES[:, :2],), (_BOXES[:, :1],), (_WITH_NAN,)]),
    (parts_out_of_reach, [(_BOXES, 1), (_BOXES, -1), (_BOXES, 4), (_BOXES[:0], 7)]),
    (first_and_last, [(_BOXES,), (_BOXES[:1],), (_BOXES[:0],)]),
    (written_parts, [(_BOXES,), (_PAIRS,), (_PAIRS[:0],)]),
    (of_scalars, [(_MORE[0], _MORE[1]), (_MORE[0], 1.0), (_PAIRS[0], _PAIRS[1])]),
    (
        broadcast_parts,
        [(_BOXES, 1.0), (_BOXES, _BOXES[:, :1]), (_BOXES, _BOXES[0]), (_BOXES * 0, 0.0)],
    ),
    (views_of_views, [(_BOXES,), (_BOXES[:, :3],), (_BOXES[:, :2],), (_BOXES[:1],), (_TABLE.T,)]),
    (stacked, [(_PAIRS,), (_PAIRS[:1],), (_PAIRS[:0],), (-_PAIRS[::2],)]),
    (stacked_in_front, [(_PAIRS,), (_PAIRS[:1],), (_TABLE,)]),
    (
        crossed,
        [(_TABLE, *lists) for lists in _LISTS] + [(_TABLE[::2, ::-1], _list(1, 0), _list(4))],
    ),
    (crossed_behind, [(_CUBE, *lists) for lists in _LISTS] + [(_CUBE, _list(0, 2), _list(2, 1))]),
    (printed_between, [(_TABLE, *lists) for lists in _LISTS]),
    (written_between, [(_TABLE, *lists) for lists in _LISTS]),
    (
        crossing_in_a_branch,
        [(_TABLE, *_LISTS[0], True), (_TABLE, *_LISTS[0], False), (_TABLE, *_LISTS[5], False)],
    ),
    (raises_though_unused, [(_BOXES, 9), (_BOXES, 10), (_BOXES[:0], 1), (_BOXES[:, :2], 12)]),
    (raises_in_try, [(_BOXES, k) for k in (0, 5, 8, 9, -9)] + [(_BOXES[:1], 0)]),
    (stepped_by_nothing, [(_BOXES, 1), (_BOXES, 0), (_BOXES[0], 0)]),
]
