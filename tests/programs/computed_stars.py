"""Stars in front of what has as many items as the run says: in displays, calls and zip."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportArgumentType=false
# ruff: noqa: B905 -- how people write it

import math

from tests.programs import Case


def displays(xs, ys):
    return (
        [*xs, 3],
        [0, *xs, *ys],
        (*xs, 1),
        (*range(len(xs)), *ys),
        [*range(3), *sorted(xs)],
        [*["ab"], *(str(x) for x in xs)],
        [*{1: 2}.items()],
        (*sorted(xs), *reversed(ys)),
    )


def turned(rows):
    out = []
    for column in zip(*rows):
        out.append(sum(column))
    return (
        list(zip(*rows)),
        [list(c) for c in zip(*rows)],
        out,
        [*zip(*rows)],
        list(zip(*rows[::-1])),
    )


def total(*args):
    result = 0
    for x in args:
        result += x
    return result, len(args), args


def scaled(factor, *args):
    return [factor * x for x in args]


def pair(a, b):
    return a - b


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y


def calls(xs):
    return total(*xs), total(1, *xs, 2), total(*[x * 2 for x in xs]), scaled(3, *xs)


def fixed(xs):
    p = Point(*xs)
    return pair(*xs), p.x, pair(1, *xs[1:])


def to_a_nested_one(xs):
    def pair(a, b):
        def inner(c):
            return c * b

        return inner(*xs[:-1]) + a

    return pair(*xs)


def from_text(line):
    p = Point(*map(int, line.split()))
    return p.x, p.y, max(*[p.x, p.y]), min(*sorted([3, p.x, p.y]))


def largest(xs):
    return max(*xs)


def printed(xs):
    print(*xs)
    print(*xs, sep=", ")
    print("a", *xs, 2.5, sep="", end="!\n")
    print(*(x * x for x in xs))
    print(*xs[:0])
    return len(xs)


class Scale:
    def __init__(self, factor, offset=0):
        self.factor = factor
        self.offset = offset

    def of(self, x, y=1, *, places=0):
        return self.factor * x + self.offset * y + places

    def total(self, *args):
        return self.factor * sum(args)


def padded(a, b=2, c=3):
    return (a, b, c)


def of_methods(xs, ys):
    scale = Scale(*xs)
    return (
        scale.of(*ys),
        scale.of(*ys, places=7),
        scale.of(1, *ys[1:]),
        scale.total(*xs),
        scale.total(1, *xs, *ys),
    )


def with_defaults(xs):
    return padded(*xs), padded(0, *xs[1:]), padded(*"ab")


def extremes(xs):
    return max(*xs, 3), min(0, *xs), max(*xs, *xs), max(*xs)


def of_none(n, filled):
    texts, numbers = [None] * n, [None] * n
    for i in range(filled):
        texts[i] = str(i)
        numbers[i] = i / 2
    out = []
    for number in range(4):
        try:
            match number:
                case 0:
                    out.append("-".join(texts))
                case 1:
                    out.append(str(sum(numbers)))
                case 2:
                    out.append(str(max(numbers)))
                case _:
                    out.append(str(sorted(numbers)))
        except TypeError as error:
            out.append(str(error))
    return out


def looped(table, xs):
    found = []
    for x in (0, *xs, 9):
        found.append(x)
    keys = [key for key in ("first", *table)]
    return found, keys, [value * 2 for value in (0.5, *table.values())]


class Pair:
    def __init__(self, table):
        self.table = table

    def __len__(self):
        return 2

    def __getitem__(self, k):
        return k * 10

    def __iter__(self):
        return iter([1, 2])


def _two(x, y=7):
    return x, y


def looped_over(table, numbers):
    """A loop gives other items than an index."""
    pair = Pair(table)
    found = _two(*pair), "{} {}".format(*pair), "{} {}".format(*table)
    return found, _two(*table), _two(*numbers), _two(*pair.table)


def triple(a, b, c=9):
    return a, b, c


def several_stars(pair, xs, ys):
    return (
        triple(*xs, *ys),
        triple(*pair, *ys),
        triple(*ys, *pair),
        triple(0, *xs, *[n + 1 for n in ys]),
        total(*xs, 7, *pair, *ys),
        total(*pair, *xs),
    )


def of_the_library(xs, rows):
    return (
        math.hypot(*xs),
        math.hypot(*xs, 2),
        math.gcd(*[int(x) for x in xs]),
        math.lcm(*map(int, xs)),
        set.union(*[set(row) for row in rows]),
        set.intersection(*map(set, rows)),
        set().union(*rows),
        {0, 1}.union([7], *rows),
        set(rows[0]).intersection(*rows[1:]),
    )


def sorted_at_once(rows):
    sets = [set(row) for row in rows]
    return sorted(set.union(*sets)), list(set.intersection(*sets)), [x for x in set.union(*sets)]


def of_nothing(rows, k):
    if k == 0:
        return math.hypot(*[0.5][:0]), math.gcd(*[1][:0]), math.lcm(*[1][:0])
    if k == 1:
        return set.union(*[set(row) for row in rows[:0]])
    return triple(*rows[:0], *rows[:0])


def updated_by_all(rows):
    found = {100}
    found.update(*rows)
    found.update([5], *rows)
    return found


def keyed(xs, words):
    return max(*xs, key=lambda x: -x), min(*xs, 3, key=abs), max(*words), min(*words, key=len)


def with_rest(a=1, b=2, *rest, k=3):
    return a, b, rest, k


def defaults_and_rest(xs: list[int]):
    return with_rest(*xs), with_rest(7, *xs, k=5), with_rest(7, 8, *xs)


CASES: list[Case] = [
    (defaults_and_rest, [([],), ([4],), ([4, 5],), ([4, 5, 6],)]),
    (several_stars, [((1, 2), [3], [4]), ((1, 2), [3, 4], [5])]),
    (of_the_library, [([3.0, 4.0, 12.0], [[1, 2], [2, 3]]), ([2.5], [[1]])]),
    (sorted_at_once, [([[3, 1], [1, 2]],), ([[5]],)]),
    (of_nothing, [([[1]], 0), ([[1]], 1), ([[1]], 2)]),
    (updated_by_all, [([[1, 2], [3]],), ([[5]],)]),
    (keyed, [([1, -5, 2], ["ab", "c"]), ([1], ["ab"]), ([1, 2], ["ba"])]),
    (looped_over, [({0: 1, 1: 0}, {4}), ({0: 1, 1: 0, 2: 3}, {5, 6}), ({3: 1, 0: 2}, {1, 2, 3})]),
    (of_methods, [([2, 3], [5]), ([2], [5, 1]), ([1, 2, 3], [4]), ([1], [2, 3, 4])]),
    (with_defaults, [([5],), ([5, 6],), ([5, 6, 7],), ([5, 6, 7, 8],)]),
    (extremes, [([1, 5],), ([4],)]),
    (of_none, [(2, 2), (2, 1), (2, 0), (1, 0)]),
    (looped, [({"a": 1.5, "b": 2.5}, [1, 2])]),
    (displays, [([1, 2], [5])]),
    (turned, [([[1, 2, 3], [4, 5, 6]],), ([[1, 2], [3]],)]),
    (calls, [([1, 2],)]),
    (fixed, [([5, 2],), ([5],), ([1, 2, 3],)]),
    (to_a_nested_one, [([5, 2],), ([5],), ([1, 2, 3],)]),
    (from_text, [("3 4",), ("3",)]),
    (largest, [([1, 3, 2],), ([1],)]),
    (printed, [([1, 2],)]),
]
