"""Keys and items of one type of number that are searched for as another; methods by their class."""

# Without annotations the types come from the call.
# pyright: basic

from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np

from tests.programs import Case


def read(d, k):
    try:
        found = d[k]
    except KeyError as error:
        found = -1
        print(repr(error))
    return found, k in d, d.get(k), d.get(k, 3), d.pop(k, 9), d


def removed(d, s, k):
    try:
        del d[k]
    except KeyError as error:
        print(repr(error))
    try:
        s.remove(k)
    except KeyError as error:
        print(repr(error))
    s.discard(k)
    return len(d), len(s)


def sets(s, t):
    before = s - t, s == t, s != t, s <= t, s < t, s >= t, s.difference(t)
    asked = s.isdisjoint(t), s.issubset(t), s.issuperset(t)
    s -= t
    return before, asked, s


def counted(k):
    c, d = Counter([1, 2, 1]), defaultdict(int, {1: 4})
    return c.get(k), d.get(k), k in c, k in d


def by_class(xs, a):
    list.append(xs, 4)
    list.sort(xs)
    list.extend(xs, [1])
    list.insert(xs, 0, 9)
    d, s, q, o = {1: 2}, {1}, deque([1]), OrderedDict([(1, 2), (3, 4)])
    dict.update(d, {3: 4})
    set.add(s, 5)
    deque.append(q, 4)
    OrderedDict.move_to_end(o, 1)
    numbers = (
        int.bit_length(5),
        float.is_integer(2.0),
        (2.5).is_integer(),
        float("inf").is_integer(),
    )
    arrays = np.ndarray.sum(a), np.ndarray.reshape(a, (2, 2))
    kept = dict.copy(d), list(dict.keys(d)), set.copy(s), list.copy(xs), list.count(xs, 1)
    return xs, kept, q, o, dict.get(o, 1), numbers, arrays, dict.pop(d, 1), list.pop(xs)


def searched(t, x):
    try:
        place = t.index(x)
    except ValueError as error:
        place = -1
        print(error)
    return place, t.count(x)


class Money:
    def __init__(self, units):
        self.units = units

    def __add__(self, other):
        return type(self)(self.units + other.units)


def of_its_type(a, b, xs):
    kind = type(a)
    total = Money(a) + Money(2) + Money(b)
    items = type(xs)(x for x in xs)
    return kind(b), isinstance(b, kind), type(a)(b) + 1, type(b)(), total.units, items


CASES: list[Case] = [
    (
        read,
        [
            *(({1: 2}, 1.0), ({1: 2}, 1.5), ({1: 2}, float("nan")), ({1: 2}, float("inf"))),
            *(({1.0: 2}, 1), ({1.5: 2}, 3), ({1: 2}, True), ({True: 2}, 1), ({False: 2}, 0.0)),
            *(({2**53: 2}, 2.0**53), ({2**53 + 1: 2}, 2.0**53), ({-(2**63): 1}, -(2.0**63))),
            *(({1: 2}, np.float64(1)), ({1.5: 2}, np.float32(1.5)), ({1: 2}, np.int64(1))),
        ],
    ),
    (
        removed,
        [({1: 2, 3: 4}, {1, 2}, 1.0), ({1: 2, 3: 4}, {1, 2}, 1.5), ({1.0: 2}, {2.5, 1.0}, 1)],
    ),
    (
        sets,
        [
            *(({1, 2}, {1.0, 3.5}), ({1, 2}, {1.0, 2.0}), ({1, 2}, {1.0, 2.0, 3.0})),
            *(({1.0, 2.0, 2.5}, {1, 2}), ({1, 2}, {7.0})),
        ],
    ),
    (counted, [(1.0,), (1.5,), (1,)]),
    (by_class, [([3, 1], np.arange(4.0))]),
    (searched, [((1, 2, 1), 1), ((1, 2), 3), (("a", "b"), "b"), ((1, 2.5), 2.5)]),
    (of_its_type, [(1, 2.5, [1, 2]), (1.5, 2, (1, 2)), (1, 2.0, {1, 2})]),
]
