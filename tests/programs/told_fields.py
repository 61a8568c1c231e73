"""Fields of which `__init__` does not say all: what methods put in and assign says the rest."""

# Fields without annotation are what these programs are about.
# pyright: basic, reportAttributeAccessIssue=false

import numpy as np

from tests.programs import Case


class Machine:
    def __init__(self):
        self.log = []
        self.last = None
        self.total = 0
        self.seen = {}
        self.tags = set()
        self.rows = []
        self.unused = []

    def fire(self, event, x):
        self.log.append(event)
        self.last = event
        self.total += x
        self.seen[event] = self.seen.get(event, 0) + 1
        self.tags.add(event[0])
        self.rows.append([x, x + 1])

    def report(self):
        found = [event.upper() for event in self.log]
        counts = len(self.unused), sorted(self.tags)
        return found, self.last, self.seen, self.rows, counts


def events(n):
    machine = Machine()
    before = machine.report()
    for i in range(n):
        machine.fire("ab"[i % 2] + str(i), i * 0.5)
    return before, machine.report(), machine.total + 0.5


class Tree:
    def __init__(self, value):
        self.value = value
        self.left = None
        self.right = None

    def insert(self, value):
        if value < self.value:
            if self.left is None:
                self.left = Tree(value)
            else:
                self.left.insert(value)
        elif self.right is None:
            self.right = Tree(value)
        else:
            self.right.insert(value)

    def values(self):
        found = self.left.values() if self.left else []
        found.append(self.value)
        return found + (self.right.values() if self.right else [])

    def height(self):
        left = self.left.height() if self.left else 0
        right = self.right.height() if self.right else 0
        return 1 + max(left, right)


def trees(xs):
    tree = Tree(xs[0])
    for x in xs[1:]:
        tree.insert(x)
    return tree.values(), tree.height()


class Stack:
    def __init__(self, items=()):
        self.items = []
        for item in items:
            self.push(item)

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop()


def stacks():
    one, other = Stack(), Stack([1, 2])
    one.push(3)
    one.push(4)
    return one.pop(), other.pop(), len(one.items)


class Link:
    def __init__(self, value):
        self.value = value
        self.next = None


class Chain:
    def __init__(self):
        self.head = None
        self.size = 0

    def push(self, value):
        link = Link(value)
        link.next = self.head
        self.head = link
        self.size += 1

    def values(self):
        found, link = [], self.head
        while link:
            found.append(link.value)
            link = link.next
        return found


def chains(n):
    chain = Chain()
    before = chain.values()
    for i in range(n):
        chain.push(i)
    return before, chain.values(), chain.size


class Graph:
    def __init__(self, n):
        self.near = [[] for _ in range(n)]
        self.weights = {}

    def join(self, u, v, weight):
        self.near[u].append(v)
        self.weights[u, v] = weight


def graphs():
    graph = Graph(3)
    graph.join(0, 1, 2.5)
    graph.join(1, 2, 1.0)
    return graph.near, graph.weights


class Model:
    def __init__(self):
        self.weights = None

    def fit(self, x):
        self.weights = x.mean(axis=0)
        return self

    def predict(self, x):
        return x @ self.weights


def fitted(x):
    return Model().fit(x).predict(x)


def not_fitted(x):
    model = Model()
    if x[0, 0] > 100.0:
        model.fit(x)
    return model.predict(x)


class Part:
    def __init__(self):
        self.parts = []

    def add(self, part):
        self.parts.append(part)
        return self


class Leaf(Part):
    def __init__(self, value):
        super().__init__()
        self.value = value

    def total(self):
        return self.value + sum(part.total() for part in self.parts)

    def deepest(self):
        depth = 0
        for part in self.parts:
            depth = max(depth, part.deepest())
        return depth + 1


def composed():
    whole = Leaf(1).add(Leaf(2)).add(Leaf(3).add(Leaf(4)))
    return whole.total(), whole.deepest()


class State:
    def __init__(self):
        self.state = None
        self.never = []

    def go(self, text):
        if self.state is None:
            self.state = text
        elif isinstance(self.state, str):
            self.state = len(self.state)
        else:
            self.state = None
        return self.state


def of_several_types():
    state = State()
    return [state.go(text) for text in ("abc", "x", "y", "z")]


class Sum:
    def __init__(self):
        self.total = 0
        self.items = []

    def add(self, x):
        self.total += x
        self.items.append(x)
        return self


def nothing_put_in():
    return Sum().total


class Family:
    def __init__(self, value, children=()):
        self.value = value
        self.children = list(children)

    def __iter__(self):
        yield self.value
        for child in self.children:
            yield from child


def families(n):
    first = Family(1, [Family(2), Family(3, [Family(4)])])
    rest = [Family(i) for i in range(n)]
    rest.append(Family(5, rest[:1]))
    return list(first), [list(family) for family in rest], len(Family(6).children)


class Vocabulary:
    def __init__(self, places=None):
        self.places = dict(places) if places else {}

    def add(self, word):
        if word not in self.places:
            self.places[word] = len(self.places)
        return self


def vocabularies(words):
    places = {}
    for word in words:
        if word not in places:
            places[word] = len(places)
    return places, Vocabulary().add("a").add("b").places, Vocabulary({"z": 7}).add("c").places


def assigned_outside():
    part = Part()
    part.parts = [1, 2]
    return part.parts, len(Part().parts)


class Cleared:
    """Fields with a value, of which a method makes None."""

    mark = 3
    name: str | None = "n"

    def __init__(self, part):
        self.total = 2.5
        self.text = "t"
        self.part = part
        self.items = [1]
        self.ready = True

    def clear(self, all_of_them):
        self.mark = None
        self.total = None
        self.text = None
        self.name = None
        if all_of_them:
            self.part = None
            self.items = None
            self.ready = None


class MoreCleared(Cleared):
    def clear(self, all_of_them):
        super().clear(False)
        self.ready = None


def cleared(all_of_them):
    found = []
    for made in (Cleared(Part()), MoreCleared(None)):
        before = made.mark, made.total, made.text, made.name, made.ready
        made.clear(all_of_them)
        after = made.mark, made.total, made.text, made.name, made.ready
        found.append((before, after, made.part is None, made.items))
    return found


X = np.arange(6.0).reshape(3, 2)


class Branch:
    def __init__(self, room, parent=None):
        self.room = room
        self.parent = parent
        self.children = []
        self.visits = 0

    def best(self):
        return max(self.children, key=lambda branch: branch.visits)

    def expand(self):
        child = Branch(self.room - 1, self)
        self.children.append(child)
        return child


def searched(n, rounds):
    root = Branch(n)
    for _ in range(rounds):
        branch = root
        while branch.children and branch.room % 2 == 0:
            branch = branch.best()
        if branch.room > 0:
            branch = branch.expand()
        while branch is not None:
            branch.visits += 1
            branch = branch.parent
    return root.visits, [(child.room, child.visits) for child in root.children]


def searched_once(n):
    root = Branch(n)
    branch = root
    if branch.children:
        branch = branch.best()
    return branch.expand().room, len(root.children)


CASES: list[Case] = [
    (events, [(0,), (3,)]),
    (trees, [([5, 2, 8, 1, 9, 3],), ([1.5],)]),
    (stacks, [()]),
    (chains, [(0,), (4,)]),
    (graphs, [()]),
    (fitted, [(X,)]),
    (not_fitted, [(X,), (X + 200,)]),
    (composed, [()]),
    (assigned_outside, [()]),
    (families, [(2,), (1,)]),
    (vocabularies, [(["a", "b", "a"],), (["z"],)]),
    (of_several_types, [()]),
    (nothing_put_in, [()]),
    (cleared, [(True,), (False,)]),
    (searched, [(4, 6), (0, 2), (3, 3)]),
    (searched_once, [(4,)]),
]
