"""Counters, defaultdicts and OrderedDicts: what is missing, operators, order, the boundary."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportArgumentType=false

from collections import Counter, OrderedDict, defaultdict, deque
from functools import partial

import numpy as np

from tests.programs import Case


def counted(text: str, xs: list[int]):
    c = Counter(text)
    d = Counter()
    for x in xs:
        d[x] += 1
    d.update(xs[:2])
    d.update({7: 3})
    e = Counter(x % 3 for x in xs)
    e.subtract(xs)
    f = Counter({"a": 3, "b": -1}, z=4)
    return (
        c,
        d,
        e,
        f,
        c["a"],
        c["?"],
        "?" in c,
        len(c),
        d.total(),
        c.most_common(),
        c.most_common(2),
    )


def counter_operators(a: Counter[str], b: Counter[str]):
    c = a.copy()
    c += b
    d = a.copy()
    d -= b
    e = a.copy()
    e |= b
    f = a.copy()
    f &= b
    tests = (a == b, a != b, a <= b, a < b, a >= b, a > b)
    return a + b, a - b, a | b, a & b, c, d, e, f, tests, str(a), f"{a + b}"


def counter_changes(text: str):
    c = Counter(text)
    del c["a"]
    c["b"] = 10
    first = c.pop("b")
    words = Counter(["the", "dog", "and", "the", "cat", "and", "the", "fox"])
    best = max(words, key=lambda w: words[w])
    return (
        c,
        first,
        words,
        best,
        sorted(words.items()),
        list(words.values()),
        words.get("x"),
        dict(words),
    )


def missing_made(words: list[str]):
    sizes = defaultdict(int)
    places = defaultdict(list)
    unique = defaultdict(set)
    texts = defaultdict(str)
    sums = defaultdict(float)
    for i, word in enumerate(words):
        sizes[len(word)] += 1
        places[word].append(i)
        unique[word[:1]].add(word)
        texts[len(word)] += word
        sums[word] += i * 0.5
    before = len(sizes)
    seen = sizes[99], sizes.get(98), 97 in sizes, len(sizes) - before
    return sizes, places, unique, texts, sums, seen, str(sizes), repr(places)


def missing_of_missing(pairs: list[tuple[str, str, int]]):
    table = defaultdict(lambda: defaultdict(int))
    lists = defaultdict(lambda: defaultdict(list))
    zero = defaultdict(lambda: 0)
    counts = defaultdict(Counter)
    queues = defaultdict(deque)
    dicts = defaultdict(dict)
    for a, b, x in pairs:
        table[a][b] += x
        lists[a][b].append(x)
        zero[a] += x
        counts[a][b] += x
        queues[a].append(b)
        dicts[a][b] = x
    kept = {a: dict(inner) for a, inner in table.items()}
    other = {a: [(b, xs) for b, xs in inner.items()] for a, inner in lists.items()}
    return kept, other, dict(zero), counts, queues, dicts, table["?"]["?"], len(table)


def graph(edges: list[tuple[int, int]]):
    g: defaultdict[int, list[int]] = defaultdict(list)
    degrees: dict[int, int] = defaultdict(int)
    for a, b in edges:
        g[a].append(b)
        g[b].append(a)
        degrees[a] += 1
    for k in sorted(g):
        g[k].sort()
    return g, sorted(degrees.items()), sum(len(v) for v in g.values())


def default_of(d: dict[str, int]):
    made = defaultdict(int, d)
    made["new"] += 2
    more = defaultdict(int, [(1, 2), (3, 4)])
    again = made.copy()
    again["b"] = 1
    made.update({"c": 5})
    lists = defaultdict(list)
    lists["a"] += [1]
    lists["a"] += [2]
    return (
        made,
        more,
        again,
        made == again,
        made | {"z": 1},
        lists,
        made.pop("new"),
        made.setdefault("q", 4),
    )


def ordered(keys: list[str]):
    o = OrderedDict()
    for i, key in enumerate(keys):
        o[key] = i
    if len(o) > 1:
        o.move_to_end(keys[0])
        o.move_to_end(keys[-1], last=False)
    first = list(o)
    taken = o.popitem(last=False) if o else ("", 0)
    last = o.popitem() if o else ("", 0)
    pairs = OrderedDict([("b", 1), ("a", 2)])
    other = OrderedDict([("a", 2), ("b", 1)])
    same = pairs == other, pairs == {"a": 2, "b": 1}, pairs == OrderedDict(b=1, a=2), pairs != other
    return o, first, taken, last, same, str(pairs), pairs


class Recent:
    def __init__(self, size: int):
        self.size = size
        self.kept: OrderedDict[int, int] = OrderedDict()

    def get(self, key: int) -> int:
        if key not in self.kept:
            return -1
        self.kept.move_to_end(key)
        return self.kept[key]

    def put(self, key: int, value: int) -> None:
        if key in self.kept:
            self.kept.move_to_end(key)
        self.kept[key] = value
        if len(self.kept) > self.size:
            self.kept.popitem(last=False)


def recent(n: int, size: int):
    cache = Recent(size)
    hits = 0
    for i in range(n):
        key = i * 7 % 13
        if cache.get(key) >= 0:
            hits += 1
        else:
            cache.put(key, i)
    return hits, cache.kept, list(cache.kept)


def absent(kind: int):
    o: OrderedDict[str, int] = OrderedDict()
    c = Counter("ab")
    if kind == 0:
        o.popitem()
    if kind == 1:
        o.popitem(last=False)
    if kind == 2:
        o.move_to_end("x")
    if kind == 3:
        return o["x"]
    if kind == 4:
        del c["x"]
    if kind == 5:
        for key in c:
            c[key + "x"] = 1
    if kind == 6:
        return c.pop("zz")
    return 0


def passed(
    c: Counter[str],
    d: defaultdict[str, list[int]],
    o: OrderedDict[int, float],
    n: defaultdict[str, defaultdict[str, int]],
):
    return (
        sum(c.values()),
        {key: len(held) for key, held in d.items()},
        list(o.items()),
        sum(x for inner in n.values() for x in inner.values()),
        c.copy(),
        o.copy(),
        isinstance(c, dict),
        isinstance(o, Counter),
    )


def written(
    d: deque[int],
    c: Counter[str],
    e: defaultdict[str, list[int]],
    o: OrderedDict[str, float],
):
    d.append(5)
    d.popleft()
    c["z"] += 2
    e["new"].append(1)
    e["a"].append(7)
    o.move_to_end("b")
    o["q"] = 2.5
    o.move_to_end("q", last=False)
    return d, e["zz"]


def elements_and_signs(text: str, less: Counter[str]):
    c = Counter(text)
    c.subtract(less)
    first = next(c.elements())
    d = Counter(less, zz=2)
    d.update(a=1)
    d.update("ab", q=5)
    negative = len(list(Counter({7: -1}).elements()))
    return sorted(c.elements()), first, list(d.elements()), +c, -c, negative


def updated(pairs: list[tuple[str, int]]):
    d = {}
    d.update(a=1)
    d.update(pairs)
    d.update(pairs[:1], b=2)
    d.update(zip("cd", [3, 4], strict=True))
    d.update((key, len(key)) for key, _ in pairs)
    inner = {"x": {"n": 1}}
    inner["x"].update(m=2)
    inner["x"].update({"n": 3}, k=4)
    made = defaultdict(list)
    made.update({key: [value] for key, value in pairs})
    ordered = OrderedDict()
    ordered.update(pairs)
    return d, inner, dict(made), ordered


def of_kinds(flag: bool):
    held = [Counter("a"), Counter("bb")]
    made = defaultdict(int)
    made["k"] += 1
    pair = OrderedDict(a=[1]), made
    total = Counter()
    for c in held:
        total += c
    found = total if flag else None
    return held, pair, found, {"c": Counter([1, 1])}


def most_of_many(text: str, n: int) -> tuple[list[tuple[str, int]], list[tuple[int, int]]]:
    """The first few of many counts, of which some are equal, below zero, or nothing."""
    found: Counter[int] = Counter()
    for place, letter in enumerate(text):
        found[place % 23] += ord(letter) % 5 - 2
    return Counter(text).most_common(n), found.most_common(n)


def empty_defaults(words: list[str]) -> tuple[dict[str, list[str]], dict[int, dict[str, int]]]:
    """What `setdefault` puts in is what it returns, and nothing is put in where something is."""
    by_letter: dict[str, list[str]] = {}
    counts: dict[int, dict[str, int]] = {}
    nested: dict[int, defaultdict[str, int]] = {}
    for word in words:
        same = by_letter.setdefault(word[:1], [])
        same.append(word)
        row = counts.setdefault(len(word), {})
        row[word] = row.get(word, 0) + 1
        nested.setdefault(len(word), defaultdict(int))[word] += 1
    assert all(dict(nested[size]) == row for size, row in counts.items())
    last = by_letter.setdefault("none", [])
    by_letter.setdefault("none", []).append("late")
    last.append("last")
    return by_letter, counts


def counted_bytes(data: bytes):
    c = Counter(data)
    c.update(b"zz")
    c.subtract(bytearray(b"az"))
    return c, c.most_common(1), Counter(bytearray(data)), Counter(b"")


def weights(words, weight):
    c = Counter()
    for word in words:
        c[word] += weight
    return c.most_common(2), c.most_common(), c.most_common(1)


CASES: list[Case] = [
    (counted, [("abracadabra", [3, 1, 3, 7, 7, 7]), ("", [2])]),
    (
        counter_operators,
        [
            (Counter("aab"), Counter("bcc")),
            (Counter(a=2, b=-3), Counter(a=2, b=-3, c=0)),
            (Counter(a=1), Counter(a=2, d=1)),
        ],
    ),
    (counter_changes, [("aabbb",)]),
    (missing_made, [(["a", "bb", "a", "ccc", "bb"],), (["x"],)]),
    (missing_of_missing, [([("a", "x", 1), ("b", "y", 2), ("a", "x", 3)],)]),
    (graph, [([(0, 1), (1, 2), (0, 2)],)]),
    (default_of, [({"a": 1},)]),
    (ordered, [(["a", "b", "c", "d"],), (["a"],), ([str(i) for i in range(40)],)]),
    (recent, [(200, 5), (300, 40)]),
    (absent, [(kind,) for kind in range(8)]),
    (
        passed,
        [
            (
                Counter("aab"),
                defaultdict(list, a=[1, 2]),
                OrderedDict([(5, 1.5), (2, 0.5)]),
                defaultdict(partial(defaultdict, int), {"k": defaultdict(int, z=3)}),
            )
        ],
    ),
    (
        written,
        [
            (
                deque([1, 2, 3], 5),
                Counter("aab"),
                defaultdict(list, a=[1]),
                OrderedDict(b=1.0, a=2.0),
            )
        ],
    ),
    (elements_and_signs, [("hello", Counter("hezz")), ("a", Counter(a=1, b=2))]),
    (updated, [([("x", 1), ("yy", 2), ("x", 3)],)]),
    (of_kinds, [(True,), (False,)]),
    (
        most_of_many,
        [(t, n) for t in ("", "abcab", "abcdefghijklmnopqrst" * 3 + "zyx") for n in range(-1, 19)],
    ),
    (empty_defaults, [([],), (["a", "ab", "", "b", "ab", "a"],)]),
    (weights, [(["a", "b", "a"], w) for w in (0.5, 1, -1.5, np.float64(2))]),
    (counted_bytes, [(b"abca",), (b"",)]),
]
