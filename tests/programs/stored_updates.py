"""Updates are stored where they were read: setters, `__setitem__`, values that change the place."""

# What is updated is bound anew while the value is evaluated, which type checkers do not follow.
# pyright: basic

from collections import defaultdict, deque
from functools import cached_property

import numpy as np

from tests.programs import Case


class Counting:
    def __init__(self):
        self._items = [0]
        self.stores = 0
        self.log = [""]

    @property
    def items(self):
        return self._items

    @items.setter
    def items(self, value):
        self.stores += 1
        self._items = value

    def __getitem__(self, key):
        self.log.append(f"get {key}")
        return self._items

    def __setitem__(self, key, value):
        self.log.append(f"set {key}")
        self._items = value


class Short(Counting):
    @property
    def items(self):
        return self._items

    @items.setter
    def items(self, value):
        self._items = value[1:]


def through_methods():
    found = [0]
    for holder in (Counting(), Short()):
        holder.items += [1, 2]
        holder.items *= 2
        holder[3] += [5]
        found += holder.items
        found.append(holder.stores)
        found.append(len(",".join(holder.log)))
    return found


class Held:
    def __init__(self):
        self.items = [1]
        self.rows = [[1], [2]]
        self.seen = {1}
        self.array = np.ones(3)
        self.named = {"a": [1]}
        self.queue = deque([1])

    @cached_property
    def kept(self):
        return [len(self.rows)]

    def other_items(self):
        self.items = [50]
        return [2]

    def other_seen(self):
        self.seen = {9}
        return {4}

    def other_array(self):
        self.array = np.zeros(3)
        return np.full(3, 2.0)

    def no_names(self):
        self.named.clear()
        return [7]

    def other_queue(self):
        self.queue = deque([5])
        return [6]

    def no_rows(self):
        self.rows.clear()
        return [3]

    def row_before(self):
        self.rows.insert(0, [7])
        return [9]

    def values(self):
        yield 1
        self.items = [100]
        yield 2


def fields(n):
    held = Held()
    for i in range(n):
        held.items += [i]
        held.items += held.other_items()
        held.seen |= held.other_seen()
        held.array += held.other_array()
        held.named["a"] += held.no_names()
        held.queue += held.other_queue()
        held.kept += [i]
    held.items += held.values()
    held.items += [value + 1 for value in held.values()]
    return held.items, held.seen, held.array, held.named, list(held.queue), held.kept


def items():
    held = Held()
    held.rows[-1] += held.row_before()
    held.rows[1] += held.row_before()
    made = defaultdict(list)

    def bound(key):
        made[key] = [key]
        return [key + 1]

    made[1] += bound(1)
    weights = [np.ones(2), np.zeros(3)]
    first = weights[0]

    def heavier():
        weights[0] = np.full(2, 5.0)
        return 1.0

    weights[0] += heavier()
    return held.rows, made[1], weights, first


def gone(index):
    held = Held()
    held.rows[index] += held.no_rows()
    return held.rows


def variables(array):
    xs = [1]
    xs += (xs := [5])
    array += (array := np.zeros(3))
    shared = kept = [1]

    def bound():
        nonlocal shared
        shared = [9]
        return [2]

    shared += bound()
    return xs, array, shared, kept


class Places:
    def __init__(self, first: int | float):
        self.numbers: list[int | float] = [first, 2, 3]
        self.place = 0
        self.asked = 0
        self.arrays = [np.ones((2, 2)), np.zeros(3)]

    @property
    def at(self):
        self.asked += 1
        return self.place

    @property
    def moved(self):
        self.place = 1
        return 10

    def next_place(self):
        self.place += 1
        return self.place

    def other_arrays(self):
        self.place = 1
        self.arrays[0] = np.full(2, 9.0)
        return 2.0


class Moving:
    def __init__(self, places):
        self.places = places

    def __add__(self, other):
        self.places.place = 2
        return other


def places_of_unions(first):
    places = Places(first)
    places.numbers[places.place] += places.moved
    places.numbers[places.at] += 1.0
    places.numbers[places.next_place()] *= places.next_place()
    places.place = 0
    places.numbers[places.place] += Moving(places) + 4
    return [x + 0.0 for x in places.numbers], places.place, places.asked


def places_of_arrays():
    places = Places(1)
    first = places.arrays[0]
    places.arrays[places.at] += 1.0
    places.arrays[places.place] += places.other_arrays()
    return places.arrays, first, places.asked


def arrays_by_numbers(number):
    places, array = Places(number), np.ones(3)
    rows = [array]

    def other():
        rows[0] = np.zeros(3)
        return places.numbers[0]

    rows[places.at] += places.numbers[0]
    rows[0] += other()
    return rows, array, places.asked


CASES: list[Case] = [
    (through_methods, [()]),
    (fields, [(1,), (3,)]),
    (items, [()]),
    (gone, [(0,), (-1,)]),
    (places_of_unions, [(1,), (1.5,)]),
    (places_of_arrays, [()]),
    (arrays_by_numbers, [(1,), (1.5,)]),
    (variables, [(np.arange(3.0),)]),
]
