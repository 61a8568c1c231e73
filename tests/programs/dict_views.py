"""Keys, values and items of dicts as values: kept, passed on, given by methods, as sets."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from collections import Counter, OrderedDict, defaultdict
from collections.abc import KeysView, Set

from tests.programs import Case


class Store:
    """A class that hands out the views of its dict."""

    def __init__(self):
        self._items = {}

    def put(self, name, count):
        self._items[name] = count

    def keys(self):
        return self._items.keys()

    def values(self):
        return self._items.values()

    def items(self):
        return self._items.items()


class Marks:
    """Operators beside sets of Python's."""

    def __init__(self):
        self.held = {1, 2}

    def __eq__(self, other):
        return self.held == other

    def __le__(self, other):
        return self.held <= other

    def __and__(self, other):
        return self.held & other

    def __rsub__(self, other):
        return other - self.held


def given_by_methods(n):
    store = Store()
    store.put("b", 1)
    store.put("a", n)
    names = store.keys()
    before = len(names), "a" in names, sorted(names), list(store.values()), max(store.values())
    texts = repr(names), str(store.items()), repr(store.values()), ",".join(names)
    store.put("c", 9)
    found = [f"{name}{count}" for name, count in store.items()]
    for name, count in store.items():
        found.append(f"{count}{name}")
    ends = list(reversed(names)), min(names), sum(store.values()), sorted(store.items())[0]
    return before, texts, found, len(names), ends, dict(store.items()), set(names)


def as_sets(n):
    one, other = {"a": 1, "b": 2}, {"b": 3, "c": n}
    keys, items = one.keys(), one.items()
    made = keys & other.keys(), keys - other.keys(), keys & {"a"}, {"a", "z"} - keys
    more = sorted(keys | other.keys()), sorted(keys ^ other.keys()), sorted({"q"} | keys)
    tests = keys == other.keys(), keys == {"a", "b"}, keys <= {"a", "b", "c"}, keys < {"a", "b"}
    others = {"a"} <= keys, {"a", "b"} == keys, ("a", 1) in items, ("a", n) in items
    return made, more, tests, others, keys.isdisjoint(other), sorted(items & {"a": 1}.items())


def beside_sets(n):
    marks = Marks()
    return marks == {1, 2}, marks <= {1, 2, n}, marks & {n}, {1, 5} - marks, {1, 2} == marks


def kept(n):
    counts = {"b": 1, "a": n}
    views = [counts.keys(), counts.keys()]
    lists = {1: [2], 3: [4]}
    rows = lists.values()
    for row in rows:
        row.append(n)
    tests = any(count > 2 for count in counts.values()), isinstance(views[0], list)
    return [len(view) for view in views], lists, tests, type(rows).__name__


def taken(view):
    return sorted(view)


def passed_on(n):
    counts = {"b": 1, "a": n}
    return taken(counts), taken(counts.keys()), taken(counts.values()), taken(counts.items())


def of_a_parameter(counts):
    keys, values = counts.keys(), counts.values()
    counts["c"] = 5
    return len(keys), sum(values), list(keys)


def changed_in_a_loop(n):
    counts = {1: 2, 3: 4}
    keys = counts.keys()
    for key in keys:
        counts[key + n] = 1
    return counts


def filled_later(n):
    counts = {}
    keys = counts.keys()
    counts["x"] = n
    return list(keys)


def of_other_dicts(n):
    counter, ordered, rows = Counter("aab"), OrderedDict(a=n), defaultdict(list)
    rows[1].append(n)
    keys, items, values = counter.keys(), ordered.items(), rows.values()
    return sorted(keys), list(items), [list(row) for row in values], repr(keys)


def beside_other_values(n):
    counts = {1: 2}
    keys, items, values = counts.keys(), counts.items(), counts.values()
    lists = keys == [n], keys != [n], [n] == keys, keys == (n,), keys == None  # noqa: E711
    dicts = keys == {1: 5}, items == counts, items != counts, counts == items
    views = keys == items, keys == values, values == keys, keys == {7: n, 1: n}.keys()
    sets = keys == frozenset([n]), items == {(n, 2)}, items >= {(n, 2)}, items != {(n, 3)}
    kinds = isinstance(keys, KeysView), isinstance(items, Set), isinstance(values, Set)
    return lists, dicts, views, sets, kinds


def is_in(item, view):
    return item in view


def searched(n):
    floats, lists, rows = {1.0: 2, 5.5: n}, {"a": [1], "b": [n]}, defaultdict(list)
    pairs, more = floats.items(), lists.items()
    rows["a"].append(n)
    found = (
        (n, 2) in pairs,
        is_in(5, pairs),
        is_in((1, 2, 3), pairs),
        (5.5, True) in pairs,
        (1.0, 2.0) in pairs,
    )
    keys, large = floats.keys(), {2.0**53: 1}.keys()
    numbers = n in keys, True in keys, 2**53 + n in large, keys == {1}, "a" in keys
    others = ("a", [n]) in more, ("b", [7]) in more, ("q", [1]) in more, ("z", [n]) in rows.items()
    kinds = (1, "a") in {1: 2}.items(), ("a", 2) in {1: 2}.items(), (1, None) in {(1, 2): n}.items()
    return found, numbers, others, kinds, len(rows), ((1, 2), None) in {(1, n): None}.items()


CASES: list[Case] = [
    (given_by_methods, [(3,), (0,)]),
    (as_sets, [(3,), (1,)]),
    (beside_sets, [(2,), (7,)]),
    (kept, [(3,)]),
    (passed_on, [(2,)]),
    (of_a_parameter, [({"a": 1, "b": 2},)]),
    (changed_in_a_loop, [(2,), (0,), (10,)]),
    (filled_later, [(1,)]),
    (of_other_dicts, [(3,)]),
    (beside_other_values, [(1,), (2,)]),
    (searched, [(1,), (2,)]),
]
