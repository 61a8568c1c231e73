"""Images and tables whose last axis is short: colours, coordinates. Their rows are read as one."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

IMAGE = (np.arange(60.0).reshape(4, 5, 3) * 7) % 32 - 9.0
TABLE = (np.arange(39.0).reshape(13, 3) * 5) % 16
WIDE = (np.arange(6 * 7 * 4.0).reshape(6, 7, 4) * 3) % 64
PLANE = (np.arange(38.0).reshape(19, 2) * 7) % 32
ROWS = WIDE.reshape(-1, 4)
LONG = np.arange(2 * 3 * 300.0).reshape(2, 3, 300)


def brighter(a):
    return a * 2.0 + 1.0, np.max(a, initial=-50.0), np.sum(a), np.min(np.abs(a), initial=9.0)


def brighter_here(a):
    a /= 4.0
    a[a > 3.0] = 3.0
    return a


def edges(a):
    out = np.abs(4 * a[1:-1, 1:-1] - a[:-2, 1:-1] - a[2:, 1:-1] - a[1:-1, :-2] - a[1:-1, 2:])
    largest = np.max(out, initial=1.0)
    out /= largest
    return out


def added(a, b):
    return a + b, np.sum(a * b), a > b


def into(out, a, b):
    out[:] = a * 3 - b


def filled(out, value):
    out[:] = value  # no array is read
    return np.full((out.shape[0], 3), value) + out


def smoothed(a, rounds):
    for _ in range(rounds):
        a[1:-1] = 0.25 * (a[:-2] + 2 * a[1:-1] + a[2:])
    return a


def smoothed_columns(a):
    a[:, 1:-1] = 0.25 * (a[:, :-2] + 2 * a[:, 1:-1] + a[:, 2:])
    a[:, 1:] = a[:, :-1] + 1.0
    return a


def written(out, a):
    out[:] = a * 0.5
    out[1:-1] -= a[2:]
    return np.sum(out)


def counted(a):
    return np.sum(a > 2), np.any(a == 31), np.all(a < 99), np.prod(a * 0 + 1), np.sum(a, axis=-1)


def folded(a):
    longest = np.sqrt(np.sum(a * a, axis=-1))
    return (
        longest,
        a.sum(axis=-1),
        a.max(axis=-1),
        np.prod(a, axis=-1),
        a.mean(axis=-1, keepdims=True),
    )


def folded_apart(a, b):
    """Two folds of a row, and a row divided by what it folds to."""
    apart = np.sum(np.abs(a - b), axis=-1) + np.min(a * b, axis=-1)
    return apart, a / (1.0 + np.sum(b * b, axis=-1, keepdims=True)), np.any(a > b, axis=-1)


def of_a_batch(a, n):
    total = 0.0
    for i in range(n):
        total += np.sum(a[i] * 2.0)
        a[i] *= 0.5
    return total


def shifted(a, k):
    """The rows are an axis in the middle, and the last axis is moved in one of the reads."""
    return a[k:, :, 1:] + a[: a.shape[0] - k, :, :-1], a[:, k:] - a[:, : a.shape[1] - k]


def indices(a):
    """The numbers of rows and columns count: these loops cannot be one."""
    i, j = np.indices(a.shape)
    return a + i * 10 + j


def parts(w):
    """Rows of a part of an array do not lie one behind the other."""
    a, b = w[1:5, 1:6, :3], w[:4, 2:, 1:]
    c = w[::2, :, 2:]
    w[2:, 1:3, :2] += 1.0
    return np.max(a), a * 2.0, a + b, np.sum(b * a), np.sum(c), c - 1.0


def halved_by_loops(a):
    h, w, channels = a.shape
    for y in range(h):
        for x in range(w):
            for k in range(channels):
                a[y, x, k] = a[y, x, k] * 0.5 + 1.0


def clipped_by_loops(out, a, most):
    """Three colours, of rows that may be longer; a choice is no branch."""
    h, w, _ = a.shape
    for y in range(h):
        for x in range(w):
            for k in range(3):
                v = a[y, x, k] * 2.0
                if v > most:
                    v = most
                elif not v >= -most:
                    v = -most
                out[y, x, k] = v
    return out


def moved_by_loops(p, v, step):
    n, axes = p.shape
    for i in range(n):
        for k in range(axes):
            p[i, k] += v[i, k] * step
    return p


def upside_down_by_loops(out, a):
    h, w, channels = a.shape
    for y in range(h):
        for x in range(w):
            for k in range(channels):
                out[y, x, k] = a[h - 1 - y, x, k]
    return out


def each_from_the_row_before(a):
    """Rounds need others, so the loops stay as they are."""
    n, m = a.shape
    for i in range(n - 1):
        for k in range(m):
            a[i + 1, k] = a[i + 1, k] + a[i, k] * 0.5
    return a


def numbered_by_loops(out):
    """The numbers of rows and columns count, and so does a table of one row."""
    n, m = out.shape
    for i in range(n):
        for k in range(m):
            out[i, k] = 10 * i + k + out[0, k] * 0.0
    return out


def within_bounds(out, n, m):
    """Loops end before the array does, behind it, or have no rounds at all."""
    for i in range(n):
        for k in range(m):
            out[i, k] = out[i, k] * 3.0
    return out


def of_few_rounds(a, n):
    square = np.zeros((3, 3))
    total = 0.0
    for r in range(n):
        for i in range(3):
            for k in range(3):
                square[i, k] = a[r, i] * a[r, k]
        total += square[1, 2] - square[0, 0]
    return total, square


LAYOUTS = (
    IMAGE,
    WIDE[1:5, 1:6, :3],  # rows do not adjoin
    WIDE[:, ::2],
    WIDE[::-1],
    WIDE[:, ::-1],
    WIDE[..., ::-1],
    np.asfortranarray(IMAGE),
    IMAGE.transpose(1, 0, 2),
    IMAGE[:, :, :1],
    IMAGE[:, :, 1],
    IMAGE[:1],
    IMAGE[:, :1],
    np.zeros((0, 5, 3)),
    np.zeros((4, 0, 3)),
    np.zeros((4, 5, 0)),
    TABLE,
    TABLE[::2],
    TABLE[:1],
    np.broadcast_to(TABLE[0], (5, 3)),
    LONG,
    LONG.astype(np.float32)[:, :, :5],
)

# Of which sums of squares and products are exact.
FOLDED = [a for a in LAYOUTS if 0 < a.shape[-1] < 9 and a.dtype == np.float64]

CASES: list[Case] = [
    (brighter, [(a,) for a in LAYOUTS]),
    (
        brighter_here,
        [
            *((a,) for a in (IMAGE, TABLE, TABLE[:0], LONG)),
            (WIDE[1:5, 1:6, :3],),
            (WIDE[:, ::-2],),
            (WIDE.astype(np.float32),),
        ],
    ),
    (edges, [(a,) for a in LAYOUTS if a.ndim == 3]),
    (
        added,
        [
            (IMAGE, IMAGE[::-1]),
            (IMAGE, IMAGE + 1),
            (IMAGE, IMAGE[0]),
            (IMAGE, np.array([1.0, 2.0, 4.0])),
            (IMAGE, IMAGE[:, :, :1]),
            (TABLE, TABLE[:, :1]),
            (TABLE, TABLE[:1]),
            (TABLE, ROWS[:13, :3]),
            (ROWS[:13, :3], ROWS[13:26, 1:]),
            (IMAGE.astype(np.int32), np.float32(2.5)),
        ],
    ),
    (filled, [(TABLE, 2.5), (TABLE[:0], 2.5), (TABLE[:1], -1.0)]),
    (smoothed, [(IMAGE, 3), (TABLE, 2), (LONG, 1), (WIDE[:, :, 1:3], 2)]),
    (smoothed_columns, [(IMAGE,), (WIDE[:, :, 1:],), (LONG,)]),
    (
        written,
        [
            (np.zeros((13, 3)), TABLE),
            (np.zeros((13, 4))[:, :3], TABLE),
            (np.zeros((3, 13)).T, TABLE),
            (np.zeros((4, 5, 3)), IMAGE),
            (WIDE[1:5, 1:6, :3], IMAGE),
        ],
    ),
    (counted, [*((a,) for a in LAYOUTS), (IMAGE.astype(np.int8),)]),
    (folded, [*((a,) for a in FOLDED), (PLANE,), (-0.0 * PLANE,)]),
    (
        folded_apart,
        [(TABLE, TABLE[::-1]), (PLANE, PLANE * 0.5), (IMAGE, IMAGE[::-1]), (ROWS, ROWS)],
    ),
    (folded_apart, [(PLANE, np.where(PLANE > 3, np.nan, PLANE)), (PLANE[:0], PLANE[:0])]),
    (of_a_batch, [(IMAGE, 4), (WIDE[:, 2:, :3], 5)]),
    (shifted, [(IMAGE, 1), (WIDE, 2), (LONG, 1)]),
    (parts, [(WIDE,), (WIDE[:, :, ::-1],)]),
    (indices, [(TABLE,), (ROWS[:, :3],)]),
    (halved_by_loops, [(a,) for a in LAYOUTS if a.ndim == 3]),
    (
        clipped_by_loops,
        [
            (np.zeros_like(IMAGE), IMAGE, 9.0),
            (np.zeros_like(WIDE), WIDE, 9.0),
            (np.zeros((4, 5, 4)), IMAGE, 9.0),
            (np.zeros((4, 5, 4))[:, :, 1:], IMAGE[::-1], 9.0),
            (np.zeros((4, 5, 3)), np.where(IMAGE > 5.0, np.nan, -0.0 * IMAGE), 0.0),
            (np.zeros((4, 5, 2)), IMAGE, 9.0),
            (np.zeros((4, 4, 3)), IMAGE, 9.0),
            (np.zeros((0, 5, 3)), IMAGE[:0], 9.0),
            (np.zeros((4, 0, 2)), IMAGE[:, :0, :2], 9.0),
            (np.zeros((4, 5, 3), np.float32), IMAGE.astype(np.float32), np.float32(7.0)),
        ],
    ),
    (
        moved_by_loops,
        [
            (TABLE, TABLE[::-1], 0.5),
            (PLANE, PLANE * 2, -1.0),
            (ROWS[:, :3], ROWS[:, 1:], 2.0),
            (LONG[0], LONG[1], 2.0),
            (TABLE, ROWS[:13], 2.0),
            (TABLE, TABLE[:, :2], 2.0),
            (TABLE[:0], TABLE, 2.0),
            (TABLE.astype(np.int64), TABLE.astype(np.int64), 3),
        ],
    ),
    (
        upside_down_by_loops,
        [(np.zeros_like(a), a) for a in (IMAGE, WIDE[:, ::2], LONG, IMAGE[:0], IMAGE[:, :, :1])],
    ),
    (each_from_the_row_before, [(TABLE,), (PLANE,), (ROWS[:, 1:],), (TABLE[:0],)]),
    (numbered_by_loops, [(TABLE,), (ROWS[:, 1:],), (TABLE.astype(np.int32),)]),
    (
        within_bounds,
        [(TABLE, n, m) for n, m in ((13, 3), (12, 3), (13, 2), (0, 3), (3, 0), (-2, 3), (3, -1))],
    ),
    (within_bounds, [(TABLE, 13, 4), (TABLE, 14, 3), (LONG[0], 3, 256), (LONG[0], 3, 300)]),
    (of_few_rounds, [(TABLE, 13), (TABLE, 1), (ROWS[:, 1:], 5), (TABLE, 14)]),
]
