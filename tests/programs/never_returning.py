"""Functions that always raise: `return self.fail(...)` tells nothing of the result."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import numpy as np

from tests.programs import Case


def refuse(text, place=0):
    """Raise on both paths."""
    place += 1
    if place > 2:
        raise ValueError(f"{text} at {place}")
    else:
        raise KeyError(text)


class Reader:
    def __init__(self, text):
        self.text = text
        self.place = 0

    def fail(self, what):
        raise SyntaxError(f"{what} at {self.place}")

    def number(self):
        if self.place < len(self.text) and self.text[self.place].isdigit():
            self.place += 1
            return int(self.text[self.place - 1])
        if self.place < len(self.text) and self.text[self.place] == "(":
            self.place += 1
            found = self.sum()
            if self.text[self.place : self.place + 1] != ")":
                self.fail("no )")
            self.place += 1
            return found
        return self.fail("no number")

    def sum(self):
        found = self.number()
        while self.text[self.place : self.place + 1] == "+":
            self.place += 1
            found += self.number()
        return found


def read(text):
    reader = Reader(text)
    return reader.sum() * 2, reader.place


def chosen(n):
    if n == 0:
        found = 1.5
    elif n == 1:
        refuse("one")
    else:
        refuse("more", n)
    return found * 2


def caught(n):
    said = []
    for i in range(n):
        try:
            refuse(f"x{i}", i)
            said.append("never")
        except (KeyError, ValueError) as error:
            said.append(str(error))
        finally:
            said.append("end")
    return said


def nested(n):
    def fail():
        raise IndexError(str(n))

    if n > 2:
        return fail()
    return n + 1


def always(n):
    """Nothing else tells the result."""
    return refuse("all", n)


class Node:
    def __init__(self, value):
        self.value = value


class Number(Node):
    pass


class Negative(Node):
    pass


class Visitor:
    def visit(self, node):
        method = getattr(self, "visit_" + type(node).__name__, self.generic)
        return method(node)

    def generic(self, node):
        raise NotImplementedError(f"no visit_{type(node).__name__}")

    def visit_Number(self, node):
        return node.value


def visited(n):
    """What one class of nodes never gives is added to what another one gives."""
    visitor = Visitor()
    total = 0
    for node in [Number(3), Number(n)]:
        total += visitor.visit(node)
    if n > 4:
        total += visitor.visit(Negative(n))
    return total


class Stage:
    def step(self, x):
        raise NotImplementedError

    def name(self):
        raise NotImplementedError("a stage has a name")

    def run(self, n):
        x = 1
        for _ in range(n):
            x = self.step(x) + 1
        return x


class Doubling(Stage):
    def step(self, x):
        return x * 2

    def name(self):
        return "doubling"


def staged(n):
    stages = [Doubling(), Stage()]
    return stages[n % 2].run(n), stages[0].name(), len(stages[0].name())


def of_base(n):
    """Nothing overrides what the base raises."""
    return Stage().run(n)


def add(a, b):
    return a + b


def unknown(a, b):
    raise ValueError(f"no operation for {a} and {b}")


TABLE = {"+": add, "-": lambda a, b: a - b, "?": unknown}


def from_table(symbol, a, b):
    return TABLE.get(symbol, unknown)(a, b) * 2


def said(seen, text):
    seen.append(text)
    return len(text)


def in_order(n):
    """What stands before a call that never returns is evaluated, and nothing behind it."""
    seen = []
    try:
        if n == 0:
            seen.append([said(seen, "a"), refuse("b", n), said(seen, "c")])
        elif n == 1:
            seen.append(said(seen, "ab") + refuse("b", n) * said(seen, "c"))
        elif n == 2:
            print(said(seen, "abc"), refuse("b", n))
        else:
            for _ in range(said(seen, "a") + refuse("b", n)):
                seen.append("never")
    except (KeyError, ValueError) as error:
        seen.append(str(error))
    return seen


def either(n, table):
    found = table[n] if n in table else refuse("nothing")
    return found + 1.5, table.get(n) or refuse("zero", n)


def deep(n):
    def outer(x):
        return inner(x)

    def inner(x):
        refuse("deep", x)

    return n if n < 3 else outer(n) + 1  # pyright: ignore[reportOperatorIssue]


def under_names(n):
    """What stands before such a call are functions and modules, which are not evaluated."""
    if n > 2:
        return np.linalg.norm(refuse("norm", n)), 0.0
    return np.linalg.norm(refuse("sides", n)) if n else 1.5, abs(refuse("abs")) + 1 if n else 2.5


def of_arrays(x, n):
    y = x[1:] if n < 2 else x + refuse("sum", n)
    z = np.zeros(2) if n < 1 else refuse("zeros", n)
    return y, z


class Shape:
    def corners(self):
        raise NotImplementedError("corners")

    def sizes(self):
        raise NotImplementedError("sizes")


class Square(Shape):
    def corners(self):
        return np.ones(4) * 2

    def sizes(self):
        return 4, np.ones(4)


class Line(Shape):
    def corners(self):
        return np.zeros(2)


def arrays_of_classes(n):
    shapes = [Square(), Line(), Shape()]
    return shapes[n].corners() + 1, shapes[n].sizes()


CASES: list[Case] = [
    (arrays_of_classes, [(0,), (1,), (2,)]),
    (under_names, [(0,), (1,), (3,)]),
    (of_arrays, [(np.arange(3.0), 0), (np.arange(3.0), 1), (np.arange(3.0), 2)]),
    (visited, [(1,), (5,)]),
    (staged, [(2,), (4,), (3,)]),
    (of_base, [(0,), (1,)]),
    (from_table, [("+", 1, 2), ("-", 1, 2), ("?", 1, 2), ("!", 1, 2)]),
    (in_order, [(0,), (1,), (2,), (3,)]),
    (either, [(1, {1: 2}), (2, {1: 2}), (1, {1: 0})]),
    (deep, [(1,), (3,)]),
    (read, [("1+(2+3)",), ("1+",), ("(1",), ("",)]),
    (chosen, [(0,), (1,), (5,)]),
    (caught, [(4,), (0,)]),
    (nested, [(1,), (3,)]),
    (always, [(0,), (3,)]),
]
