"""Columns of rows with several types, and methods of dicts and lists as keys of an order."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportCallIssue=false, reportArgumentType=false
# ruff: noqa: B905 -- how people write it

import operator
from collections import Counter

import numpy as np

from tests.programs import Case


def unpacked(people):
    names, ages = zip(*people)
    first, second = zip(*sorted(people, key=lambda p: p[1]))
    lists, numbers = map(list, zip(*people))
    shortest, youngest = map(min, zip(*people))
    counted, total = (len(column) for column in zip(*people))
    a, b = [list(column) for column in zip(*people)]
    c, d = [*zip(*people)]
    whole = (names, ages, first, second, lists, numbers)
    return *whole, shortest, youngest, counted, total, a, b, c, d


def of_containers(d, words):
    keys, values = zip(*d.items())
    sorted_keys, sorted_values = zip(*sorted(d.items()))
    places, texts = zip(*enumerate(words))
    sizes, again, halves = zip(*[(len(w), w, len(w) / 2) for w in words])
    lengths, given = zip(*((len(w), w) for w in words))
    x, y = zip(*((1, "a"), (2, "b")))
    return (
        *(keys, values, sorted_keys, sorted_values, places, texts),
        *(sizes, again, halves, lengths, given, x, y),
    )


def none_left(people):
    try:
        names, ages = zip(*[p for p in people if p[1] > 99])
    except ValueError as error:
        return str(error)
    return str(len(names) + len(ages))


def of_lists(rows):
    a, b = zip(*rows)
    return a, b


def by_values(d, keys):
    return (
        max(keys, key=d.get),
        min(keys, key=d.get),
        sorted(keys, key=d.get),
        sorted(keys, key=d.get, reverse=True),
        max(keys, key=d.__getitem__),
    )


def of_dicts(d, words):
    counts = Counter(words)
    return (
        max(d, key=d.get),
        max(d.items(), key=lambda item: item[1]),
        min(d.items(), key=operator.itemgetter(1)),
        max(counts, key=counts.get),
        max(set(words), key=words.count),
        max(range(len(words)), key=words.__getitem__),
        sorted(words, key=str.lower),
        max(words, key=len),
        max(words[0], words[-1], key=len),
        min(3, -5, 2.5, key=abs),
    )


def with_defaults(xs, least):
    found = [x for x in xs if x > least]
    return (
        max(found, default=None),
        min(found, default=0),
        max(found, key=abs, default=None),
        min((x for x in found), key=lambda x: -x, default=-1),
    )


def perhaps_none(a, b):
    left, right = [None, a], [b, None]
    out = []
    for x in left:
        for y in right:
            try:
                out.append(str(x < y))
            except TypeError as error:
                out.append(str(error))
            try:
                out.append(str(x >= y))
            except TypeError as error:
                out.append(str(error))
    return out


def in_tuples(n, filled):
    xs = [None] * n
    for i in range(filled):
        xs[i] = filled - i
    pairs = [(x, str(i)) for i, x in enumerate(xs)]
    out = []
    for form in range(4):
        try:
            if form == 0:
                out.append(str(sorted(pairs)))
            elif form == 1:
                out.append(str(pairs[0] > pairs[-1]))
            elif form == 2:
                out.append(str(pairs[0] <= pairs[-1]))
            else:
                out.append(str(min(range(n), key=lambda i: (xs[i], -i))))
        except TypeError as error:
            out.append(str(error))
    return out


PEOPLE = [("ann", 31), ("bob", 25), ("cy", 28)]
AGES = {"ann": 31, "bob": 25, "cy": 28}


def as_indices(n, i):
    return (
        operator.index(n),
        operator.index(i),
        operator.index(n > 1),
        type(operator.index(i)) is int,
    )


CASES: list[Case] = [
    (as_indices, [(3, np.int32(-5)), (0, np.uint8(7))]),
    (unpacked, [(PEOPLE,)]),
    (of_containers, [(AGES, ["a", "bb"])]),
    (none_left, [(PEOPLE,)]),
    (of_lists, [([[1, 2], [3, 4]],), ([[1, 2], [3]],), ([[1, 2, 3]],)]),
    (by_values, [(AGES, ["ann", "cy"]), (AGES, ["ann", "z"]), (AGES, ["z", "ann"]), (AGES, ["z"])]),
    (of_dicts, [(AGES, ["b", "A", "b", "cc"])]),
    (with_defaults, [([1, 2], 1), ([1, 2], 5)]),
    (perhaps_none, [(1, 2)]),
    (in_tuples, [(2, 2), (2, 1), (2, 0), (1, 0), (3, 2)]),
]
