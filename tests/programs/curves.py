"""Slopes, areas, polynomials, cross products; arrays padded and repeated, what is unique."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

LINE = np.array([3.0, -1.5, 2.0, 7.25, 0.5, 4.0])
TABLE = np.arange(24.0).reshape(4, 6) ** 2
PLACES = np.array([0.0, 0.5, 1.5, 2.0, 4.0, 4.5])
NANS = np.array([2.0, np.nan, 1.0, np.nan, 2.0, np.inf, -0.0, 0.0])
VECTORS = np.array([[1.0, 2.0, 3.0], [0.0, -1.0, 0.5], [4.0, 4.0, -2.0], [1.0, 0.0, 0.0]])


def crossed(a, b):
    return np.cross(a, b), np.cross(b, a)


def crossed_columns(a, b):
    return np.cross(a, b, axis=0)


def slopes(f):
    return np.gradient(f), np.gradient(f, 0.5, edge_order=2), np.gradient(f, 2, axis=-1)


def slopes_between(f, x):
    return np.gradient(f, x), np.gradient(f, x, edge_order=2)


def slopes_of_table(f, h):
    down, across = np.gradient(f, h, 0.25)
    same, again = np.gradient(f)
    return down, across, same, again


def areas(y, x):
    return np.trapezoid(y), np.trapezoid(y, dx=0.5), np.trapezoid(y, x), np.trapezoid(y, axis=0)


def areas_of_numbers(y, x):
    return np.trapezoid(y), np.trapezoid(y, dx=2), np.trapezoid(y, x)


def polynomials(p, x):
    return np.polyval(p, x), np.polyval(p, 2.5), np.polyval(p, 2), np.polyval([1, 0, -2], x)


def geometric(n):
    return np.geomspace(1, 256, n), np.geomspace(-2, -32, 5), np.geomspace(1.0, 16.0, 4, False)


def geometric_ends(a, b):
    return np.geomspace(a, b, 4)[0]


def powers(n):
    return np.logspace(0, 3, n, base=2), np.logspace(0.0, 4.0, 3, base=4.0, endpoint=False)


def members(a, b):
    return np.isin(a, b), np.isin(a, b, invert=True)


def member(x, b):
    return np.isin(x, b)


def padded(a, n):
    edge = np.pad(a, n, mode="edge")
    return edge, np.pad(a, (n, 1), "wrap"), np.pad(a, (1, n), "symmetric")


def reflected(a, n):
    return np.pad(a, n, mode="reflect")


def padded_table(a):
    return np.pad(a, ((1, 2), (0, 3)), mode="reflect"), np.pad(a, ((0, 1), (2, 0)), "edge")


def repeated(a, n):
    return np.repeat(a, n), a.repeat(n)


def repeated_rows(a, n):
    return np.repeat(a, n, axis=0), np.repeat(a, [2, 0, 1], axis=0), np.repeat(a, [3], axis=1)


def distinct(a):
    values, index = np.unique(a, return_index=True)
    same, inverse = np.unique(a, return_inverse=True)
    again, first, where, counts = np.unique(a, True, True, True)
    return values, index, same, inverse, again, first, where, counts


def finite(a):
    return np.isfinite(a), np.isinf(a)


_WAVES = np.array([[1 + 2j, complex(np.inf, 1)], [complex(0, -np.inf), complex(np.nan, 1)]])


def padded_with_folds(a):
    folds = np.pad(a, 2, "maximum"), np.pad(a, (1, 2), mode="minimum", stat_length=2)
    more = np.pad(a, ((1, 2), (0, 1)), "mean"), np.pad(a, 1, "median", stat_length=((1, 2), (9, 1)))
    return folds, more


def padded_on_the_way(a, end):
    return np.pad(a, 2, "linear_ramp"), np.pad(
        a, ((3, 1), (0, 2)), "linear_ramp", end_values=(end, -4)
    )


def padded_on_many_ways(a, end):
    rows = np.pad(a, ((1, 2), (3, 0)), "linear_ramp", end_values=((end, -4), (2, 7)))
    pairs = np.pad(a, 3, "linear_ramp", end_values=((end,), (1.5,)))
    return (
        rows,
        pairs,
        np.pad(a, 2, "linear_ramp", end_values=((end, 3),)),
        np.pad(a, 7, "linear_ramp"),
    )


def padded_with_another_sign(a, n):
    mirrored = np.pad(a, n, "reflect", reflect_type="odd")
    return mirrored, np.pad(a, (n, 1), "symmetric", reflect_type="odd")


def padded_by_sides(a, first):
    both = np.pad(a, 1, constant_values=((first, 2), (3, 4))), np.pad(a, 1, constant_values=(0, 1))
    return both, np.pad(a, ((1,), (2,))), np.pad(a, ((1,), (2,)), "edge")


def padded_line(a, n, length):
    return np.pad(a, n, "maximum", stat_length=length)


def padded_line_with_folds(a, n):
    folds = np.pad(a, n, "maximum"), np.pad(a, n, "minimum"), np.pad(a, n, "mean")
    return folds, np.pad(a, (n, 1), "median"), np.pad(a, n, "mean", stat_length=2)


def padded_line_on_the_way(a, n, end):
    return np.pad(a, n, "linear_ramp"), np.pad(a, (1, n), "linear_ramp", end_values=(end, 2))


def padded_line_with_copies(a, n):
    copies = np.pad(a, n, "edge"), np.pad(a, n, "wrap"), np.pad(a, n, "symmetric")
    return copies, np.pad(a, n, "reflect"), np.pad(a, n, constant_values=7)


LEVELS = np.array([[3, -7, 4, 1], [20, 5, -2, 9], [0, 0, 11, 6]])
MANY = np.arange(7, 900, 13)[::-1]


def padded_by_tuples(a, k):
    """Widths that are tuples, and computed as such."""
    widths = ((1, 2), (0, k))
    first = np.pad(a, (k,) * 2), np.pad(a, ((k,) * 2, (1,) * 2), mode="edge"), np.pad(a, widths)
    return first, np.pad(a, (widths[0], (k, 1))), np.pad(a, k, constant_values=((k, 3),) * 2)


CASES: list[Case] = [
    (padded_by_tuples, [(LEVELS, 1), (LEVELS / 4, 2), (LEVELS, 0)]),
    (padded_with_folds, [(LEVELS,), (LEVELS / 8,), (LEVELS.T[::-1],), (LEVELS.astype(np.int8),)]),
    (padded_with_folds, [(LEVELS[:, :0],), (LEVELS[:1] + 0.5,), (LEVELS.astype(np.float32) / 4,)]),
    (
        padded_on_the_way,
        [(LEVELS, 5), (LEVELS / 8, 0.5), (LEVELS.astype(np.uint8), 3), (LEVELS * 0, 0)],
    ),
    (
        padded_on_many_ways,
        [
            ((LEVELS / 7).astype(np.float32), 0.3),
            ((LEVELS / 7).astype(np.float16), 5),
            ((LEVELS / 7).astype(np.float32)[::-1, ::2], np.float32(0.1)),
            ((LEVELS / 7).astype(np.float16), np.float16(0.1)),
            (LEVELS.astype(np.int8), np.float16(0.7)),
            (LEVELS.astype(np.uint64), 9),
            (LEVELS.astype(np.float32) * 0 - 0.0, 0.0),
            (np.where(LEVELS > 3, np.inf, LEVELS), 1),
        ],
    ),
    (
        padded_with_another_sign,
        [
            (LEVELS, 2),
            (LEVELS[0].astype(np.uint8), 9),
            ((LEVELS / 7).astype(np.float32), 5),
            (LEVELS[::-1, :2] / 3.0, 7),
            (LEVELS[:1] * 1j, 1),
            (LEVELS[:, :0], 1),
            (LEVELS[0], -1),
        ],
    ),
    (padded_by_sides, [(LEVELS, 7), (LEVELS / 8, -1.5), (LEVELS > 3, True), (LEVELS[:0], 1)]),
    (
        padded_line_with_folds,
        [
            (LEVELS[0], 3),
            (LEVELS[1, ::-1].astype(np.int8), 2),
            (LEVELS[2].astype(np.uint8), 1),
            (LEVELS[2].astype(np.uint64), 0),
            (LEVELS[0] / 8, 2),
            (LEVELS[0, :0], 0),
            (LEVELS[0, :0], 1),
        ],
    ),
    (
        padded_line_on_the_way,
        [
            (LEVELS[0], 3, 5),
            (LEVELS[1, ::-1].astype(np.int8), 2, -7),
            (LEVELS[2].astype(np.uint8), 4, 200),
            (LEVELS[2] * 0, 0, 0),
            (LEVELS[0] / 8, 2, 1),
        ],
    ),
    (padded_line_with_copies, [(LEVELS[0], 3), (LEVELS[1, ::-1].astype(np.uint8), 2)]),
    (
        padded_line,
        [(LEVELS[0], 2, 3), (LEVELS[0], -1, 1), (LEVELS[0], 1, 0), (LEVELS[0, :0], 1, 1)],
    ),
    (padded_line, [(LEVELS[0], 2, -1), (LEVELS[0], 0, -2), (LEVELS[0, :0], 0, -1)]),
    (crossed, [(VECTORS, VECTORS[::-1]), (VECTORS[0], VECTORS[1]), (VECTORS[0], VECTORS)]),
    (crossed, [(np.arange(3), np.array([2, 0, 1])), (VECTORS[:, None], VECTORS[:2])]),
    (
        crossed,
        [(VECTORS.astype(np.float32), np.arange(3)), (LINE, LINE), (VECTORS[:0], VECTORS[0])],
    ),
    (crossed_columns, [(VECTORS.T, VECTORS[::-1].T)]),
    (slopes, [(LINE,), (np.arange(5) ** 2,), (LINE.astype(np.float32),), (LINE[:1],), (LINE[:2],)]),
    (
        slopes_between,
        [(LINE, PLACES), (LINE, np.arange(6.0)), (LINE, PLACES[1:]), (LINE[:1], PLACES)],
    ),
    (slopes_between, [(LINE, np.arange(6) * 3), (LINE, np.float64(0.25)), (LINE[:2], PLACES[:2])]),
    (slopes_of_table, [(TABLE, 0.5), (TABLE[:, ::-2], 3), (TABLE, PLACES[:4])]),
    (areas, [(LINE, PLACES), (np.arange(6), PLACES), (LINE[:0], PLACES[:0]), (LINE, PLACES[1:])]),
    (areas, [(TABLE, PLACES), (TABLE, TABLE * 2)]),
    (
        areas_of_numbers,  # steps and sums of two wrap as those of NumPy
        [
            (np.array([100, 3, 127, 1]).astype(y), np.array([3, 2, 1, 9]).astype(x))
            for y in ("i1", "u1", "i2", "f4", "?", "u8")
            for x in ("u1", "f4", "i8")
        ],
    ),
    (polynomials, [(LINE, PLACES), (LINE, TABLE), (np.arange(3), np.arange(4))]),
    (polynomials, [(LINE, 0.5), (LINE.astype(np.float32), PLACES.astype(np.float32))]),
    (geometric_ends, [(0, 2), (2, 0), (3, 4.5), (-3, -1)]),
    (members, [(LINE, PLACES), (TABLE, PLACES), (NANS, NANS), (np.arange(5), np.array([3, 1]))]),
    (members, [(np.arange(4), PLACES), (LINE, PLACES[:0])]),
    (
        members,
        [
            (np.array([0, -128, 127, 5, 5, 3]).astype(a), np.array([127, 5, -128]).astype(b))
            for a, b in (("i1", "i1"), ("u1", "u1"), ("i8", "i2"), ("u4", "u4"), ("u8", "u8"))
        ],
    ),
    (members, [(np.array([-(2**63), 2**63 - 1, 0]), np.array([2**63 - 1, -(2**63)]))]),
    (members, [(np.arange(4), np.arange(0)), (np.arange(0), np.arange(3)), (np.arange(40), MANY)]),
    (member, [(0.5, PLACES), (7, np.arange(3))]),
    (
        padded,
        [(LINE, 2), (LINE[:2], 5), (LINE[:1], 3), (np.arange(4), 0), (LINE[:0], 1), (LINE, -1)],
    ),
    (reflected, [(LINE, 3), (LINE[:3], 7), (LINE[:1], 2), (TABLE, 2), (TABLE[:0], 1)]),
    (padded_table, [(TABLE,), (TABLE > 30,)]),
    (
        repeated,
        [(LINE, np.array([0, 2, 1, 0, 3, 1])), (LINE, np.array([2])), (LINE, np.array([1, 2]))],
    ),
    (
        repeated,
        [(LINE[:2], np.array([1, -2])), (LINE[:0], LINE[:0].astype(int)), (TABLE[:1], [1] * 6)],
    ),
    (repeated_rows, [(TABLE[:3], np.array([1, 0, 2])), (TABLE[:3, ::-2], np.array([2]))]),
    (distinct, [(LINE,), (NANS,), (np.array([[3, 1, 3], [1, 1, 2]]),), (LINE[:0],)]),
    (finite, [(_WAVES,), (_WAVES[0, 0],), (1j,), (NANS,)]),
]
