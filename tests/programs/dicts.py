"""Dicts: displays, items read and written, methods, loops, keys of every kind, nested ones."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from scriptc.types import N, f64
from tests.programs import Case


def counted(words: list[str]):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    most = ""
    for word, count in counts.items():
        if most == "" or count > counts[most]:
            most = word
    return counts, most, len(counts), list(counts), "a" in counts, "z" not in counts


def filled_and_emptied(n: int, step: int):
    found: dict[int, float] = {}
    for i in range(n):
        found[i * step] = i + 0.5
    for i in range(0, n, 3):
        del found[i * step]
    for i in range(n // 2):
        found[-i] = float(i)
    while len(found) > 3:
        found.popitem()
    again = {}
    for i in range(n):
        again[i % 7, str(i % 2)] = i
    return found, again, sum(found.values(), 0.0)


def methods(n: int):
    d = {1: 2.0, 3: 4.0}
    missing = d.get(n), d.get(n, -1.0), d.get(n, 0.5)
    kept = d.setdefault(n, 9.0)
    copy = d.copy()
    copy[n] += 1.0
    popped = copy.pop(1), copy.pop(77, 0.5)
    both = d | {n: 1.0, 100: 3.0}
    both |= {5: 5.0}
    d.update(both)
    same = d == both, d != copy, copy == {3: 4.0}
    d.clear()
    return missing, kept, copy, popped, both, same, d, bool(d), not both


def taken_out(n: int):
    d = {1: "a"}
    return d.pop(n)


def last_of_none(n: int):
    d = {n: n}
    first = d.popitem()
    return first, d.popitem()


def missing_key(d: dict[str, int], key: str):
    return d[key]


def missing_pair(n: int):
    d = {(1, 2.5): n}
    return d[1, 2.5], d[n, 2.5]


def removed(n: int):
    d = {n: 1}
    del d[1]
    return d


def caught(d: dict[str, int], key: str):
    try:
        return d[key]
    except KeyError as error:
        return len(str(error))


def loops(d: dict[str, float]):
    total = 0.0
    keys = ""
    for key in d:
        if key == "skip":
            continue
        if key == "stop":
            break
        keys += key
        total += d[key]
    else:
        keys += "!"
    values = [v for v in d.values()]
    pairs = sorted((k, v) for k, v in d.items())
    return keys, total, values, pairs, max(d.values()), [k for k in d.keys()]  # noqa: SIM118


def changed_in_loop(n: int):
    d = {1: 1, 2: 2}
    total = 0
    for key in d:
        d[key] += 10
        total += d[key]
        if key == n:
            d[50 + key] = 0
    return total


def comprehensions(n: int):
    squares = {i: i * i for i in range(n)}
    turned = {v: k for k, v in squares.items() if k % 2 == 0}
    nested = {i: {j: i * j for j in range(2)} for i in range(n)}
    return squares, turned, nested


def grouped(words: list[str]):
    groups = {}
    for word in words:
        if len(word) not in groups:
            groups[len(word)] = []
        groups[len(word)].append(word)
    lists = {}
    for i, word in enumerate(words):
        lists.setdefault(word, []).append(i)
    return groups, lists, {k: len(v) for k, v in groups.items()}


def keys_of_numbers(x: float, n: int):
    floats = {x: 1, -0.0: 2, 0.5: 3}
    floats[0.0] += 10
    floats[2.0] = 4
    bools = {True: 1}
    bools[n > 0] = 2
    large = {2**62: 1, -(2**63): 2, -1: 3, -2: 4}
    return floats, bools, large[-1] + large[-2], large[2**62], hash(n), hash(x), hash((n, x, True))


def numpys_keys(x: f64[N], places: np.ndarray):
    d = {}
    for i in places:
        d[i] = x[i]
    return d, np.int64(1) in d


def arrays_in_dicts(x: f64[N]):
    parts = {"whole": x, "half": x[: len(x) // 2]}
    parts["double"] = 2.0 * x
    return parts["double"], np.sum(parts["half"]), len(parts)


def shown(n: int):
    d = {"a": [n, 2], "b": [3]}
    return f"{d} {({1: 0.5}, 2)}", str({n: "x"}), repr({"q": {1: (2, None)}})


def given_and_returned(d, k):
    if k in d:
        return d[k]
    return d[k]


def many(n: int):
    d = {i * i: i for i in range(n)}
    hits = 0
    for i in range(n * n):
        if i in d:
            hits += d[i]
    return hits, len(d)


def put_in_and_taken_out(n: int):
    d = {i: i for i in range(20)}
    for i in range(n):
        d[1000 + i * 37] = i
        d.popitem()
    return d, 5 in d, 1037 in d


class Cache:
    def __init__(self, size: int):
        self.size = size
        self.items = {0: 0.0}
        self.hits = 0

    def square(self, x: int) -> float:
        if x in self.items:
            self.hits += 1
            return self.items[x]
        found = float(x * x)
        if len(self.items) < self.size:
            self.items[x] = found
        return found


def cached(n: int):
    cache = Cache(5)
    total = 0.0
    for i in range(n):
        total += cache.square(i % 7)
    return total, cache.hits, cache.items


def made_by_calls(d: dict[str, int], words: list[str], n: int):
    copy = dict(d)
    copy["z"] = n
    pairs = (
        dict(zip(words, range(9), strict=False)),
        dict(enumerate(words)),
        dict([("x", 1.5), ("y", 2.5)]),
    )
    more = dict(a=1, b=n), dict(d, b=n), dict((w, len(w)) for w in words), dict.fromkeys(words, n)
    empty: dict[str, int] = dict()
    unique = list(dict.fromkeys(words))
    return copy, pairs, more, {**d, **copy}, {**d, "q": n, **{"a": 7}}, len(empty), unique


def nested(n: int):
    table = {i: {j: i * j for j in range(3)} for i in range(n)}
    table[1][2] += 5
    for key in list(table):
        if key % 2 == 0:
            del table[key]
    same = {1: [1, n]} == {1: [1, n]}, {1: {2: n}} != {1: {2: 3}}
    return table, same, [k for k in reversed(table)], {frozenset((1, n)): {n}}


def zipped(d: dict[str, int]):
    found = []
    for i, key in enumerate(d):
        found.append((i, key))
    for value, key in zip(d.values(), d, strict=True):
        found.append((value, key))
    for i, (key, value) in enumerate(d.items(), 1):
        found.append((i + value, key))
    return found, sorted(d.items(), key=lambda item: item[1]), max(d.items()), min(d.values())


PRICES = {"apple": 2, "pear": 3}
VOWELS = {"a", "e", "i", "o", "u"}
FIXED = frozenset([1, 2])


def captured(name: str):
    total = 0
    for key, price in PRICES.items():
        if name not in VOWELS and len(key) > 4:
            total += price
    return total, PRICES.get(name, 0), name in PRICES, sorted(VOWELS), 1 in FIXED, PRICES.copy()


class Box:
    def __init__(self, counts: dict[str, int]) -> None:
        self.counts = counts

    def put(self, word: str, count: int) -> None:
        self.counts[word] = count


def dropped(counts: dict[str, int], word: str) -> int:
    found = 0
    while word in counts:
        del counts[word]
        found += 1
    return found


def steps(counts: dict[str, int], word: str) -> int:
    found = 0
    while found < counts[word]:
        found += 2
    return found


def searched_again(words: list[str]) -> list[int]:
    counts: dict[str, int] = {}
    box = Box(counts)
    same = box.counts
    out: list[int] = []
    for word in words:
        out.append(counts.get(word, -1))
        same[word] = counts.get(word, 0) + 3
        box.put(word, counts[word] + counts.get(word, -1))
        out.append(counts[word] + (1 if word in counts else 0) + steps(counts, word))
        box.counts[word] += 1
        out.append(steps(counts, word) + steps(same, word))
        if len(counts) > 2:
            out.append(dropped(same, word))
            out.append(counts.get(word, -7))
        rows = [counts, same]
        rows[1][word] = counts.get(word, 5) + 1
        out.append(counts.get(word, 5))
    return out


CASES: list[Case] = [
    # Searches for one key, some of which are the same, and what is written in between.
    (searched_again, [(["a", "b", "a", "c", "b", "a", "dd", "c"],), ([],)]),
    (made_by_calls, [({"a": 3, "b": 1}, ["x", "y", "x"], 4)]),
    (nested, [(2,), (6,)]),
    (zipped, [({"a": 3, "b": 1},)]),
    (captured, [("a",), ("pear",)]),
    (counted, [(["a", "b", "a", "cc", "b", "a"],), (["x"],)]),
    (filled_and_emptied, [(0, 1), (5, 1), (40, 1), (100, 8), (200, 1024)]),
    (methods, [(1,), (2,), (5,)]),
    (taken_out, [(1,), (2,)]),
    (last_of_none, [(3,)]),
    (missing_key, [({"a": 1}, "a"), ({"a": 1}, "b")]),
    (missing_pair, [(1,), (2,)]),
    (removed, [(1,), (2,)]),
    (caught, [({"a": 1}, "a"), ({"a": 1}, "bb")]),
    (loops, [({"a": 1.0, "b": 2.0},), ({"a": 1.0, "skip": 5.0, "c": 0.0, "stop": 1.0, "d": 3.0},)]),
    (changed_in_loop, [(0,), (1,), (2,)]),
    (comprehensions, [(0,), (4,), (30,)]),
    (grouped, [(["a", "bb", "c", "bb"],)]),
    (keys_of_numbers, [(1.5, 1), (0.0, 0), (float("inf"), -1), (1e300, 2**61), (-2.0, -(2**61))]),
    (numpys_keys, [(np.arange(4.0), np.array([1, 3, 1]))]),
    (arrays_in_dicts, [(np.arange(4.0),), (np.zeros(0),)]),
    (shown, [(1,)]),
    (given_and_returned, [({1: 2.5}, 1), ({1: 2.5}, 3), ({"a": "b"}, "q"), ({(1, 2): 3}, (1, 2))]),
    (many, [(0,), (40,)]),
    (put_in_and_taken_out, [(0,), (500,)]),
    (cached, [(0,), (20,)]),
]
