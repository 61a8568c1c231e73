"""Defaultdicts that call a function for what is missing."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportArgumentType=false

from collections import Counter, OrderedDict, defaultdict
from functools import partial

import numpy as np

from tests.programs import Case


class Node:
    def __init__(self):
        self.count = 0


class Trie:
    def __init__(self):
        self.children = defaultdict(Trie)
        self.is_word = False

    def add(self, word: str):
        node = self
        for letter in word:
            node = node.children[letter]
        node.is_word = True

    def has(self, word: str):
        node = self
        for letter in word:
            if letter not in node.children:
                return False
            node = node.children[letter]
        return node.is_word


class Graph:
    def __init__(self, base: int):
        self.base = base
        self.near = defaultdict(lambda: [base])
        self.weights = defaultdict(lambda: defaultdict(int))

    def add(self, a: str, b: int):
        self.near[a].append(b)
        self.weights[a][b] += self.base


def make_node():
    return {"n": 1}


def add_to(table, key):
    table[key] += 1
    return table


def put_into(table, key):
    table[key][0] += 1


def declared_plain(table: dict[str, int]) -> int:
    return table["k"] + len(table)


def declared(table: defaultdict[str, int]) -> int:
    return table["k"] + len(table)


def of_literals(words: list[str]):
    pairs = defaultdict(lambda: [0, 0])
    for i, word in enumerate(words):
        pairs[word][0] += 1
        pairs[word][1] += i
    far = defaultdict(lambda: float("inf"))
    far["a"] = 0.0
    half = defaultdict(lambda: 0.5)
    half[1] += 1
    nothing = defaultdict(lambda: None)
    nothing[1] = "a"
    text = defaultdict(lambda: "N/A")
    text[1] = "x"
    mean = defaultdict(lambda: (0, 0.0))
    for word in words:
        count, total = mean[word]
        mean[word] = (count + 1, total + len(word))
    found = [far["a"], far["b"], half[1], half[2]]
    return sorted(pairs.items()), found, nothing[1], nothing[2], text[1] + text[2], dict(mean)


def of_open_literals(edges: list[tuple[str, str]]):
    sides = defaultdict(lambda: {"in": [], "out": []})
    for a, b in edges:
        sides[a]["out"].append(b)
        sides[b]["in"].append(a)
    both = defaultdict(lambda: [[], []])
    both["a"][0].append(1)
    both["b"][1].append(2)
    deep = defaultdict(lambda: defaultdict(lambda: [0, 1]))
    deep["a"][1].append(2)
    return (
        {k: (v["in"], v["out"]) for k, v in sides.items()},
        dict(both),
        deep["a"][1],
        deep["b"][2],
    )


def of_captured(n: int):
    rows = defaultdict(lambda: np.zeros(n))
    rows[1][n - 1] += 4
    late = defaultdict(lambda: n)
    before = late[0]
    n = 7
    lists = defaultdict(lambda m=n: [m] * m)
    return rows[1].sum(), rows[2].sum(), before, late[0], late[1], lists[0]


def of_functions():
    made = defaultdict(make_node)
    made[3]["n"] += 1
    nodes = defaultdict(Node)
    nodes["x"].count += 2
    powers = defaultdict(partial(pow, 2, 3))
    trie = Trie()
    for word in ("ab", "abc", "b"):
        trie.add(word)
    known = [trie.has(word) for word in ("ab", "a", "abc", "zz")]
    return made[3]["n"], made[4]["n"], nodes["x"].count, nodes["y"].count, powers[1], known


def in_fields(base: int):
    graph = Graph(base)
    graph.add("x", 2)
    graph.add("x", 3)
    return graph.near["x"], graph.near["y"], graph.weights["x"][3], len(graph.weights["q"])


def passed_on():
    counts = defaultdict(lambda: 4)
    add_to(add_to(counts, "a"), "b")
    plain = defaultdict(int)
    add_to(plain, "a")
    lists = defaultdict(lambda: [10])
    put_into(lists, "a")
    put_into(lists, "a")
    found = declared_plain(counts), declared(counts)
    return found, dict(counts), dict(plain), dict(lists)


def changed():
    table = defaultdict(lambda: 3, {"a": 1}, b=2)
    copy = table.copy()
    joined = table | {"z": 9}
    found = copy["q"], joined["r"], len(table), len(copy), len(joined)
    table.setdefault("z", 4)
    first = table.pop("a"), table.get("q"), table.get("q", 9), "q" in table
    plain = {"b": 2, "z": 4}
    same = table == plain, plain == table
    grown = defaultdict(lambda: [0])
    grown[0].append(1)
    text = ""
    try:
        for key in grown:
            grown[key + 1].append(key)
    except RuntimeError as error:
        text = str(error)
    return found, first, same, sorted(table), {k: v for k, v in grown.items() if k}, text


def given(table: dict[str, tuple[int, int]], key: str):
    made = defaultdict(lambda: (0, 1), table)
    return made[key], made["a"], len(made), len(table)


def raising(limit: int):
    made = [0]

    def make():
        made.append(len(made))
        if len(made) > limit:
            raise ValueError("no more")
        return made[-1] * 10

    table = defaultdict(make)
    try:
        found = table["a"] + table["b"] + table["a"]
    except ValueError as error:
        return str(error), len(table), made
    return str(found), len(table), made


class Rows:
    def __init__(self, count: int):
        self.rows = [defaultdict(float) for _ in range(count)]

    def add(self, i: int, j: int, value):
        self.rows[i][j] += value


def of_numpy(values, halves, turns):
    """Sums of NumPy's numbers by keys: what is missing is a zero to which one is added."""
    sums = defaultdict(float)
    small = defaultdict(float)
    nested = defaultdict(lambda: defaultdict(float))
    spun = defaultdict(complex)
    for i in range(len(values)):
        sums[i % 2] += values[i]
        small[i % 2] += halves[i]
        nested["a"][i % 2] += values[i] * 0.5
        spun[i % 2] += turns[i]
    rows = Rows(3)
    rows.add(1, 2, values[1])
    for i in (0,):
        rows.rows[i] = defaultdict(float, {i: 1.0})
    held = [sorted(row.items()) for row in rows.rows]
    return dict(sums), dict(small), dict(nested["a"]), dict(spun), held[1], len(rows.rows[0])


def of_several_types():
    best = defaultdict(float)
    for k in range(3):
        best[k] = max(best[k], k)
    seen = defaultdict(int)
    seen["a"] += 1
    seen["b"] = None
    return dict(best), best[7], dict(seen), seen["c"]


def of_displays():
    counts = Counter({"a": 2, "b": 0})
    counts["z"] -= 1
    ordered = OrderedDict({"x": 1, "y": 2}, z=3)
    filled = defaultdict(float, {1: 2.0, 3: 4.5})
    return filled[1] + filled[2], counts, ordered, OrderedDict({"a": 2, "b": 3, **ordered})


def of_counters_beside_numbers(words):
    stats = defaultdict(lambda: {"n": 0, "ms": 0.0, "codes": Counter()})
    for word in words:
        s = stats[word]
        s["n"] += 1
        s["ms"] += len(word) / 4
        s["codes"][len(word)] += 1
    out = []
    for key, s in sorted(stats.items(), key=lambda item: item[1]["ms"], reverse=True):
        out.append({"route": key, "n": s["n"], "codes": dict(s["codes"].most_common())})
    return {"routes": out, "bad": len(words)}


def of_counters_updated(key):
    held = {"n": 1, "codes": Counter("aab")}
    try:
        held[key] += 1
    except AttributeError as error:
        return str(error), held["codes"]
    return held["n"], held["codes"]


CASES: list[Case] = [
    (of_counters_beside_numbers, [(["a", "bb", "a"],), (["abc"],)]),
    (of_counters_updated, [("n",), ("codes",)]),
    (of_numpy, [(np.arange(3.0) + 0.1, np.arange(3, dtype=np.float32), np.arange(3) * 1j)]),
    (of_several_types, [()]),
    (of_displays, [()]),
    (of_literals, [(["a", "bb", "a"],), ([],)]),
    (of_open_literals, [([("x", "y"), ("y", "z"), ("x", "z")],)]),
    (of_captured, [(3,)]),
    (of_functions, [()]),
    (in_fields, [(5,)]),
    (passed_on, [()]),
    (changed, [()]),
    (given, [({"a": (1, 2)}, "q")]),
    (raising, [(9,), (1,), (2,)]),
]
