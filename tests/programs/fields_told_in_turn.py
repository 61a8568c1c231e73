"""Fields that get their types one after the other: what asks for their classes is checked again."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportAttributeAccessIssue=false, reportOptionalMemberAccess=false, reportOperatorIssue=false

import numpy as np

from tests.programs import Case


def spread(xs):
    """Ask for no class: it is checked once."""
    out = [abs(x - xs[0]) for x in xs]
    return sorted(out)[-1] if out else 0.0


class Scaler:
    def __init__(self):
        self.mean = None
        self.width = None

    def fit(self, x):
        self.mean = x.mean()
        self.width = spread([float(v) for v in x])
        return self

    def apply(self, x):
        return (x - self.mean) / (self.width or 1.0)


class Centre:
    """Its fields are known once those of Scaler are."""

    def __init__(self):
        self.values = None
        self.rows = []

    def fit(self, scaler, x):
        self.values = scaler.apply(x)
        self.rows.append(self.values.sum())
        self.first, self.last, self.count = self.values[0], self.values[-1], len(self.rows)
        return self


def in_turn(x):
    scaler = Scaler().fit(x)
    centre = Centre().fit(scaler, x).fit(scaler, x + 1)
    return centre.values, centre.rows, centre.first, centre.last, centre.count, spread([1.0, 4.0])


class Box:
    def __init__(self, value):
        self.value = value


class Kept(Box):
    def __init__(self, value, name):
        super().__init__(value)
        self.name = name


def boxed(scaler):
    return Box(scaler.width)


def made_before(x):
    """What is made of a field holds what the field turns out to hold."""
    scaler = Scaler()
    before = boxed(scaler).value is None
    scaler.fit(x)
    return before, boxed(scaler).value, Kept(scaler.mean, "mean").value, Kept(None, "none").value


class Node:
    def __init__(self, value):
        self.value = value
        self.next = None
        self.seen = 0


class Chain:
    def __init__(self):
        self.head = None
        self.last = None

    def add(self, value):
        node = Node(value)
        if self.last is None:
            self.head = node
        else:
            self.last.next = node
        self.last = node

    def total(self):
        total, node = 0.0, self.head
        while node is not None:
            node.seen += 1
            total += node.value
            node = node.next
        return total


def linked(n):
    chain = Chain()
    for k in range(n):
        chain.add(k * 0.5 if k % 2 else k)
    return (
        chain.total(),
        chain.total(),
        chain.head.seen if chain.head else -1,
        spread([2.0, n + 0.5]),
    )


class Cell:
    """Each call says that the fields hold something else, too, when others have read them."""

    def __init__(self):
        self.value = self.shown = self.first = None

    def put(self, value):
        self.value = value
        self.shown, self.first = f"{self.value}", self.first or self.value
        return self


def of_several_types(n):
    cells = [Cell().put(n), Cell().put(str(n)), Cell().put(n + 0.5), Cell()]
    cells[0].put(n + 1)
    return [(cell.value, cell.shown, cell.first) for cell in cells]


class Holder:
    def __init__(self):
        self.held = None

    def hold(self, value):
        self.held = value
        return self.held

    def text(self):
        return f"{self.held}"


def of_literals(x):
    first = Holder()
    texts = [first.hold(0), first.text()]
    first.hold(x)
    return texts, first.text(), [first.held]


CASES: list[Case] = [
    (in_turn, [(np.array([1.0, 2.0, 4.0]),), (np.array([3.0, 3.0]),)]),
    (made_before, [(np.array([1.0, 2.0, 4.0]),), (np.array([0.5]),)]),
    (linked, [(0,), (1,), (6,)]),
    (of_several_types, [(0,), (7,)]),
    (of_literals, [(1.5,)]),
]
