"""Slices, `...` and tuples that hold some: as arguments, results, and items of lists."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case

TABLE = np.arange(30.0).reshape(5, 6)
CUBE = np.arange(24).reshape(2, 3, 4)
CUT = slice(1, None, 2)


def read(x, index):
    return x[index]


def written(x, index, value):
    x = x.copy()
    x[index] = value
    x[index] += 1
    return x


def of_lists(xs, part):
    ys = xs[:]
    ys[part] = [7, 8]
    del ys[part]
    return xs[part], ys


def told(part, n):
    start, stop, step = part.indices(n)
    bounds = part.start, part.stop, part.step
    return start, stop, step, bounds, str(part), f"{part}", part == slice(1, 3), part != part


def asked(part):
    if isinstance(part, slice):
        return type(part) is slice
    return part + 1


def declared(x, part: slice):
    return x[part]


def made(low, high):
    part = slice(low, high)
    first = slice(1)
    if low > 2:
        first = slice(high, low, -1)
    return part, first, (first, 3), [slice(low, None), slice(None, high)], CUT


def of_items(x, parts):
    return [x[part] for part in parts], len(parts)


def beside_an_int(x, i):
    both = (slice(None), i)
    return x[both], both


def passed_on(x, index):
    return read(x, index), read(x.T, index)


def unpacked(x, index):
    rows, column = index
    return x[rows, column], x[rows], index[1]


def any_of_two(x, n):
    part = slice(n, None) if n > 1 else slice(None, 4)
    return x[part], part


TABLE_OF_PARTS = {"head": slice(2), "tail": slice(2, None), "none": slice(None)}
PAIR = (slice(1), slice(2, 3))


class Window:
    def __init__(self, part, index):
        self.part = part
        self.index = index
        self.parts = [part, slice(None)]

    def of(self, x):
        return x[self.part], x[self.index], x[self.parts[1]], x[self.parts[0]]

    def moved(self, by):
        return Window(slice(by, self.part.stop), (slice(None), self.part))


def of_fields(x, part, by):
    one = Window(part, (part, slice(1)))
    other = one.moved(by)
    x[other.part] *= 2
    x[other.index] += 1
    return one.of(x), other.of(x), other.part


def of_tables(x, key, place):
    return x[TABLE_OF_PARTS[key]], x[PAIR[1]], x[PAIR], [x[part] for part in PAIR], PAIR[place]


def _sums(*parts):
    return [TABLE[part].sum() for part in parts]


def starred(one, other):
    return _sums(one), _sums(one, slice(1), other), _sums(*(one, other))


def out_of_range(x, parts, place):
    return x[parts[place]]


def matched(part):
    match part:
        case slice(start=None):
            return "from the start"
        case slice():
            return "a slice"
        case _:
            return "an index"


def counts_as(part, n):
    found = "yes" if part else "no"
    while part:
        try:
            return found, not part, bool(part), any([part]), part.indices(n)
        except TypeError as error:
            return str(error)


CASES: list[Case] = [
    (
        counts_as,
        [(slice(3), 2), (slice(0, 0), np.int8(3)), (slice(1), 5.0), (slice(1), True), (CUT, -1)],
    ),
    (of_fields, [(TABLE.copy(), slice(1, 3), 2), (TABLE.copy(), slice(None), 0)]),
    (of_tables, [(TABLE, "head", 0), (TABLE, "none", -1), (TABLE, "body", 0), (TABLE, "tail", 2)]),
    (starred, [(slice(1), slice(2, 3)), (slice(None), slice(None, None, -1))]),
    (out_of_range, [(TABLE, [slice(None)], 0), (TABLE, [slice(None)], 1)]),
    (matched, [(slice(3),), (slice(1, 3),), (7,)]),
    (
        read,
        [
            (TABLE, CUT),
            (TABLE, slice(None)),
            (TABLE, slice(None, None, -1)),
            (TABLE, slice(-99, 99, 3)),
            (TABLE, slice(4, 1)),
            (TABLE, slice(np.int64(1), np.uint8(3))),
            (TABLE, slice(None, None, 0)),
            (TABLE, (slice(1, 3), 0)),
            (TABLE, (slice(1, 3), -1, None)),
            (TABLE, (slice(1, 3), None, slice(None, 2))),
            (TABLE, (7, slice(1, 3))),
            (TABLE, ...),
            (CUBE, (..., 1)),
            (CUBE, (1, ..., slice(None, None, 2))),
            (CUBE, (slice(0, 1), np.array([2, 0]))),
            ("a text", CUT),
            (b"bytes", slice(-2, None)),
            ([1, 2, 3, 4], CUT),
            ((1, 2, 3, 4), CUT),
        ],
    ),
    (
        written,
        [
            (TABLE, CUT, 0.5),
            (TABLE, (slice(None), slice(2, 0, -1)), TABLE[:, :2]),
            (TABLE, ..., 1.5),
            (TABLE, (..., 2), TABLE[:, 0]),
            (TABLE, slice(0, 2), TABLE[:3]),
        ],
    ),
    (of_lists, [([1, 2, 3, 4], slice(1, 3)), ([1.5, 2.5], slice(None, None, -1))]),
    (told, [(slice(1, 3), 9), (slice(-1, None, -2), 4), (slice(None), 0), (slice(2), -1)]),
    (asked, [(slice(1),), (4,)]),
    (declared, [(TABLE, slice(2)), (CUBE, CUT)]),
    (made, [(1, 4), (5, 2)]),
    (
        of_items,
        [(TABLE, [slice(1), slice(2)]), (TABLE, [slice(1), slice(2, None)]), (TABLE, (CUT,))],
    ),
    (beside_an_int, [(TABLE, 2), (TABLE, -7)]),
    (passed_on, [(TABLE, CUT), (TABLE, (slice(1, 3), 0))]),
    (unpacked, [(TABLE, (slice(1, 3), 0)), (TABLE, (slice(None), slice(2)))]),
    (any_of_two, [(TABLE, 2), (TABLE, 0)]),
]
