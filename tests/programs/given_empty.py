"""Objects that are given empty lists, dicts and sets: others, or what is put in, say more."""

# Fields without annotation are what these programs are about.
# ruff: noqa: B007, B905 -- how people write it
# pyright: basic, reportAttributeAccessIssue=false

from dataclasses import dataclass

from tests.programs import Case


class Tree:
    def __init__(self, name, kids):
        self.name = name
        self.kids = kids


def _parsed(tokens, at):
    if tokens[at] != "(":
        return Tree(tokens[at], []), at + 1
    at += 1
    kids = []
    while tokens[at] != ")":
        kid, at = _parsed(tokens, at)
        kids.append(kid)
    return Tree("", kids), at + 1


def _shown(tree):
    if not tree.kids:
        return tree.name
    return "[" + " ".join(_shown(kid) for kid in tree.kids) + "]"


def parsed(text):
    tree, end = _parsed(text.split(), 0)
    return _shown(tree), end


def leaves_first():
    leaf = Tree("leaf", [])
    root = Tree("root", [leaf, Tree("twig", [])])
    root.kids[1].kids.append(leaf)
    return len(root.kids), _shown(root), leaf is root.kids[1].kids[0]


class Marked(Tree):
    def __init__(self, name, kids, marks):
        super().__init__(name, kids)
        self.marks = marks


def inherited(n):
    first = Marked("a", [], set())
    second = Marked("b", [first], {1})
    for i in range(n):
        first.marks.add(i * 2)
    return sorted(first.marks), second.marks, second.kids[0].name


class Box:
    def __init__(self, items, places):
        self.items = items
        self.places = places

    def put(self, key, value):
        self.places[key] = len(self.items)
        self.items.append(value)


def shared():
    items = []
    first, second = Box(items, {}), Box(items, {})
    first.put("a", 1.5)
    second.put("b", 2.5)
    return items, first.items, first.places, second.places


class Total:
    def __init__(self, values):
        self.total = sum(values)
        self.count = len(values)
        self.values = values


def computed_from():
    empty = Total([])
    some = Total([1, 2])
    return empty.total, empty.count, some.total, some.values


class Graph:
    def __init__(self, nodes, edges):
        self.nodes = nodes
        self.edges = edges

    @classmethod
    def empty(cls):
        return cls([], {})

    def add(self, start, end):
        for node in (start, end):
            if node not in self.nodes:
                self.nodes.append(node)
                self.edges[node] = []
        self.edges[start].append(end)


def graph(pairs):
    made = Graph.empty()
    for start, end in pairs:
        made.add(start, end)
    return made.nodes, made.edges


class Memo:
    def __init__(self, function, known):
        self.function = function
        self.known = known

    def get(self, key):
        if key not in self.known:
            self.known[key] = self.function(key)
        return self.known[key]


def memo(n):
    squares = Memo(lambda k: k * k, {})
    return [squares.get(i % 3) for i in range(n)], len(squares.known)


class Failed(Exception):
    def __init__(self, message, notes):
        super().__init__(message)
        self.notes = notes


def noted(message):
    try:
        raise Failed(message, [])
    except Failed as error:
        error.notes.append("late")
        return str(error), error.notes


@dataclass
class Section:
    title: str
    parts: list


def sections():
    inner = Section("inner", [])
    outer = Section("outer", [inner])
    return len(inner.parts), outer.parts[0].title


def only_empty():
    tree = Tree("alone", [])
    return len(tree.kids), bool(tree.kids), tree.name


def watched(n, watchers=()):
    found = [[] for _ in watchers]
    steps = []
    for i in range(n):
        for log, watcher in zip(found, watchers):
            if watcher(i):
                log.append(i)
        else:
            steps.append(i * 0.5)
    return steps, len(found), sum(map(len, found))


def watched_or_not(n):
    return watched(n), watched(n, [lambda i: i > 1, lambda i: i == 0])


def beside_nothing(n, others=()):
    kept, pairs, total = [n], [n, n], 0
    for a, b in zip(kept, others):
        total += a * b
    for a, b in zip(others, pairs):
        total += b
    return total


CASES: list[Case] = [
    (parsed, [("( a ( b c ) d )",), ("x",), ("( )",), ("( a",)]),
    (leaves_first, [()]),
    (inherited, [(3,), (0,)]),
    (shared, [()]),
    (computed_from, [()]),
    (graph, [([("a", "b"), ("b", "c"), ("a", "c")],)]),
    (memo, [(5,)]),
    (noted, [("bad",)]),
    (sections, [()]),
    (only_empty, [()]),
    (watched_or_not, [(3,), (0,)]),
    (watched, [(3,)]),
    (beside_nothing, [(3,), (3, (1, 2))]),
]
