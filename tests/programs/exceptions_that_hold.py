"""Exceptions whose arguments and fields are lists, objects, functions and unions of them."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from dataclasses import dataclass

from tests.programs import Case


class Node:
    def __init__(self, name: str, children: list["Node"]):
        self.name = name
        self.children = children

    def __repr__(self):
        return f"Node({self.name!r}, {len(self.children)})"


class Leaf(Node):
    def __init__(self, name: str):
        super().__init__(name, [])


@dataclass
class Point:
    x: int
    y: int


class Found(Exception):
    pass


class Returned(Exception):
    def __init__(self, value):
        self.value = value


class Labelled(ValueError):
    def __init__(self, label, node):
        super().__init__(node, label)
        self.node = node


class Narrower(Labelled):
    pass


def walk(node, name):
    if node.name == name:
        raise Found(node)
    for child in node.children:
        walk(child, name)


def tree():
    return Node("a", [Node("b", [Leaf("c")]), Leaf("d")])


def found_by_raising(name: str):
    root = tree()
    try:
        walk(root, name)
    except Found as found:
        node = found.args[0]
        node.name = node.name.upper()
        return node.name, len(node.children), [child.name for child in root.children]
    return None


def value_of(n: int):
    if n == 0:
        return None
    if n == 1:
        return 2.5
    if n == 2:
        return "text"
    return Point(n, n + 1)


def returned(n: int):
    try:
        raise Returned(value_of(n))
    except Returned as signal:
        value = signal.value
        if isinstance(value, Point):
            value.x += 10
        return str(value), str(signal), repr(signal), signal.args[0] == value


def texts(n: int):
    try:
        if n == 0:
            raise Found([1, 2])
        if n == 1:
            raise Found(Leaf("x"))
        if n == 2:
            raise KeyError(Point(1, 2))
        if n == 3:
            raise KeyError([])
        if n == 4:
            raise ValueError({"a": [1.5]}, "text", None)
        raise TypeError(1 + 2j)
    except Exception as error:
        return str(error), repr(error), f"{error.args}", len(error.args), f"{error}"


def texts_of_classes(n: int):
    try:
        if n == 0:
            raise Labelled("label", Leaf("y"))
        if n == 1:
            raise Narrower("label", Leaf("z"))
        if n == 2:
            raise ValueError("plain")
        raise Found(1, (2, "three"))
    except Exception as error:
        return str(error), repr(error), f"{error.args}", len(error.args), f"{error}"


def is_shared(n: int):
    items = [n]
    error = ValueError(items)
    items.append(2)
    try:
        raise error
    except ValueError as caught:
        caught.args[0].append(3)
    return items


def taken_apart(n: int):
    try:
        raise Labelled(n, Leaf("q"))
    except Labelled as error:
        node, label = error.args
        return node is error.node, error.args[0].name, f"{label}"


def calls_what_it_holds(n: int):
    def add(x: int) -> int:
        return x + n

    try:
        raise Returned(add)
    except Returned as signal:
        return signal.value(10)


def in_a_chain(n: int):
    try:
        try:
            raise Found([n])
        except Found as first:
            raise ValueError(first) from first
    except ValueError as second:
        cause = second.__cause__
        return repr(second), str(second.args[0]), cause is not None


def kept(count: int):
    errors = [Found([k]) for k in range(count)]
    return [error.args[0][0] for error in errors], sum(len(e.args) for e in errors)


def asserted(n: int):
    try:
        assert n > 5, [n, n + 1]
    except AssertionError as error:
        return str(error)
    return "holds"


def leaves_with_a_list(n: int):
    raise ValueError([n, n + 1], {"n": (n, None)})


def leaves_with_a_field(n: int):
    raise Returned([[n], []])


def is_given(n: int):
    return Found([n, 2], "text")


def several_kinds(n: int):
    try:
        if n == 0:
            raise ValueError(Leaf("a"))
        if n == 1:
            raise ValueError("text")
        if n == 2:
            raise ValueError([1])
        raise ValueError(7)
    except ValueError as error:
        value = error.args[0]
        if isinstance(value, Node):
            return value.name
        if isinstance(value, list):
            return f"{len(value)} items"
        return f"{value}"


class Stopped(Exception):
    pass


class Machine:
    def __init__(self, steps: int):
        self.steps = steps
        self.log: list[str] = []

    def step(self):
        self.steps -= 1
        self.log.append(f"step {self.steps}")
        if self.steps == 0:
            raise Stopped(self)


def raises_itself(n: int):
    machine = Machine(n)
    try:
        while True:
            machine.step()
    except Stopped as stopped:
        same = stopped.args[0] is machine
        stopped.args[0].log.append("stopped")
    return same, machine.log


CASES: list[Case] = [
    (found_by_raising, [("a",), ("c",), ("d",), ("?",)]),
    (returned, [(0,), (1,), (2,), (3,)]),
    (texts, [(n,) for n in range(6)]),
    (texts_of_classes, [(n,) for n in range(4)]),
    (is_shared, [(1,)]),
    (taken_apart, [(1,)]),
    (calls_what_it_holds, [(1,)]),
    (in_a_chain, [(1,)]),
    (kept, [(0,), (3,)]),
    (asserted, [(1,), (6,)]),
    (leaves_with_a_list, [(1,)]),
    (leaves_with_a_field, [(1,)]),
    (is_given, [(1,)]),
    (several_kinds, [(0,), (1,), (2,), (3,)]),
    (raises_itself, [(1,), (3,)]),
]
