"""Lists, dicts and sets from Python that hold nothing: code for items of some type takes them."""

# Functions without annotation are what these programs are about.
# pyright: basic

from tests.programs import Case

TABLE = {0: 1}


def counted(items):
    return len(items), TABLE[0]


def total(items):
    return sum(items), max(items, default=None), sorted(items), items[::-1]


def joined(words):
    return ",".join(words), [word.upper() for word in words]


def put(items, item):
    items.append(item)
    return len(items), items


def stored(table, key, value):
    table[key] = value
    return len(table)


def found(table):
    return table.get("a"), len(table), list(table.items())


def added(numbers):
    numbers.add(3)
    return sorted(numbers)


def lengths(rows):
    return [len(row) for row in rows]


def first(items):
    return items[0]


def in_pairs(firsts, seconds):
    return [a + b for a, b in zip(firsts, seconds, strict=False)]


def of_pair(pair):
    items, number = pair
    return len(items) + number


def histogram(words):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts


def given_back(items):
    return items


def filled_in_turn(items, others):
    for item in others:
        items.append(item)
    others.clear()
    return items, others


def raising(items):
    items.append(1)
    raise ValueError(len(items))


CASES: list[Case] = [
    (counted, [([],), ([3, 1],), ([],), (["a"],), ([],)]),
    (total, [([],), ([3, 1],), ([],)]),
    (joined, [([],), (["a", "b"],), ([],)]),
    (put, [([], 2), ([], 2.5), ([], "a"), ([7], 2), ([], 2)]),
    (stored, [({}, 1, 2), ({}, "a", 2), ({}, 1, "a"), ({}, "a", "b"), ({}, "a", 2.5)]),
    (found, [({},), ({"a": 1},), ({},)]),
    (added, [(set(),), ({5},)]),
    (lengths, [([],), ([[]],), ([[], [1]],), ([[], ["a"]],)]),
    (first, [([],), ([2],), ([],)]),
    (in_pairs, [([], []), ([], [1]), ([1.5], []), ([1], [2])]),
    (of_pair, [(([], 1),), (([2], 1),)]),
    (histogram, [([],), (["a", "a"],), ([],)]),
    (given_back, [([],), ({},), (set(),), (["a"],)]),
    (filled_in_turn, [([], []), ([], [1, 2]), ([], ["a"])]),
    (raising, [([],)]),
]
