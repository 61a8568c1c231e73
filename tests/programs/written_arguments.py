"""Lists, dicts and sets of the caller's that a function writes to, keeps or returns."""

from tests.programs import Case


def counted(counts: dict[str, int], words: list[str]) -> int:
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return len(counts)


def moved(prices: dict[str, float], first: str, last: str) -> float:
    held = prices.pop(first)
    for name in prices:
        prices[name] *= 2.0
    prices[last] = held
    prices[first] = held + 1.0
    return prices[last]


def one_dict_twice(first: dict[int, int], second: dict[int, int]) -> bool:
    first[1] = 2
    second[2] = 3
    return first == second


def same_twice(n: int) -> tuple[bool, dict[int, int]]:
    d = {n: n}
    return one_dict_twice(d, d), d


def grouped(groups: dict[str, list[str]], key: str, item: str) -> list[str]:
    found = groups.setdefault(key, [])
    found.append(item)
    groups["all"] = found
    return found


def added(seen: set[int], items: list[int]) -> list[int]:
    new: list[int] = []
    for item in items:
        if item not in seen:
            seen.add(item)
            new.append(item)
    return new


def emptied(seen: set[str]) -> int:
    total = 0
    while seen:
        total += len(seen.pop())
    seen |= {"last"}
    return total


def rows_changed(rows: list[list[int]], row: list[int]) -> int:
    rows[0].append(1)
    first = rows.pop(0)
    rows.append(row)
    rows.append(first)
    rows.append([len(rows)])
    first.append(2)
    row.append(3)
    return sum(len(r) for r in rows)


def deep(tree: dict[str, dict[str, list[int]]]) -> list[int]:
    inner = tree["a"]["b"]
    inner.append(9)
    tree["c"] = {"d": inner}
    del tree["a"]["b"]
    return inner


def raised_after(counts: dict[str, int], items: list[int], seen: set[int]) -> int:
    counts["a"] = counts.pop("a") + 1
    items.sort()
    seen.discard(1)
    if len(items) > 2:
        raise ValueError("after")
    return counts["b"]


class Box:
    def __init__(self, items: list[int]):
        self.items = items


def in_an_object(items: list[int], other: list[int]) -> tuple[int, list[int]]:
    box = Box(items)
    box.items.append(5)
    box.items = other
    box.items.append(6)
    return len(items), box.items


def in_containers(items: list[int], d: dict[str, int]) -> tuple[list[list[int]], dict[str, int]]:
    held = [items, [1], items]
    pair = (items, d)
    pair[0].append(7)
    pair[1]["x"] = 8
    return held, pair[1]


def optional(items: list[int] | None = None, d: dict[str, int] | None = None) -> int:
    if items is None:
        return -1
    items.append(len(items))
    if d is not None:
        d["n"] = len(items)
    return items[-1]


def in_a_tuple(pair: tuple[list[int], dict[str, set[int]]]) -> int:
    items, sets = pair
    for s in sets.values():
        s.add(len(items))
    items.clear()
    return len(sets)


def list_of_pairs(pairs: list[tuple[list[int], list[str]]]) -> int:
    for numbers, names in pairs:
        names.append(str(len(numbers)))
        numbers += [1]
    return len(pairs)


def only_read(d: dict[str, list[int]], s: set[int]) -> tuple[dict[str, list[int]], list[int]]:
    return d, d["a"] if 1 in s else []


def in_a_closure(items: list[int]) -> int:
    def add(n: int) -> int:
        items.append(n)
        return len(items)

    return add(1) + add(2)


def kept_keys(d: dict[tuple[int, str], float], s: set[tuple[int, int]]) -> int:
    for key in list(d):
        if key[0] > 1:
            d[key[0] - 1, key[1]] = d.pop(key)
    s |= {(b, a) for a, b in s}
    return len(d) + len(s)


_SHARED = [1, 2]

CASES: list[Case] = [
    (counted, [({}, ["a", "b", "a"]), ({"b": 3}, ["a"]), ({"b": 3}, [])]),
    (moved, [({"a": 1.0, "b": 2.0, "c": 3.0}, "a", "c"), ({"a": 1.0}, "b", "c")]),
    (one_dict_twice, [({1: 1}, {5: 1})]),
    (same_twice, [(3,)]),
    (grouped, [({"a": ["x"]}, "a", "y"), ({"a": ["x"]}, "b", "y")]),
    (added, [({1, 2}, [2, 3, 100, 3]), ({7}, [])]),
    (emptied, [({"a", "bcd", "ef"},)]),
    (rows_changed, [([[1], [2]], [3]), ([_SHARED, _SHARED], _SHARED)]),
    (deep, [({"a": {"b": [1]}},), ({"a": {"x": [1]}},)]),
    (raised_after, [({"a": 1, "b": 2}, [3, 1, 2], {1, 5}), ({"a": 1}, [2, 1], {5})]),
    (in_an_object, [([1], [2]), (_SHARED, _SHARED)]),
    (in_containers, [([1], {"a": 1})]),
    (optional, [([1],), (None,), ([1, 2], {"a": 1}), ()]),
    (in_a_tuple, [(([1, 2], {"a": {1}, "b": {5}}),)]),
    (list_of_pairs, [([([1], ["a"]), ([2, 3], ["b"])],)]),
    (only_read, [({"a": [1], "b": [2]}, {1}), ({"a": [1]}, {2})]),
    (in_a_closure, [([4],)]),
    (kept_keys, [({(1, "a"): 0.5, (2, "a"): 1.5, (3, "b"): 2.5}, {(1, 2), (3, 3)})]),
]
