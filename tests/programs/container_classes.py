"""Classes that inherit from `dict` and `list`, and other objects with `keys()`."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from typing import Optional

from tests.programs import Case


class Env(dict):
    def __init__(self, names=(), values=(), outer=None):
        self.update(zip(names, values))  # noqa: B905 -- as they are written
        self.outer = outer

    def find(self, name):
        if name in self:
            return self
        if self.outer is None:
            raise NameError(name)
        return self.outer.find(name)


def environments(n):
    top = Env(["a", "b"], [n, 2])
    inner = Env(("x",), (5,), top)
    inner["y"] = 7
    inner.find("a")["a"] += 100
    try:
        inner.find("q")
    except NameError as error:
        told = str(error), str(inner), type(inner).__name__
        return top["a"], sorted(inner.items()), inner.get("b", -1), told, bool(Env())
    return None


class Stack(list):
    def peek(self):
        return self[-1]

    def swap(self):
        self[-1], self[-2] = self[-2], self[-1]

    @property
    def empty(self):
        return len(self) == 0


class Named(Stack):
    def __init__(self, name, items=()):
        super().__init__(items)
        self.name = name

    def pop(self):
        if self.empty:
            raise IndexError(f"{self.name} is empty")
        return super().pop()


def stacks(n):
    stack = Named("s", [1, n])
    stack.append(3)
    stack.swap()
    found = [stack.pop(), stack.peek(), stack[0], stack[1:], list(stack), 3 in stack, sum(stack)]
    stack.extend([9, 8])
    stack.sort(key=lambda x: -x)
    stack.insert(0, 50)
    stack.reverse()
    told = list(stack), str(stack), stack.index(50), stack.count(9), max(stack), stack + [1]  # noqa: RUF005 -- `__add__`
    same = stack == Named("t", list(stack)), stack == [1], isinstance(stack, list)
    while stack:
        stack.pop()
    try:
        stack.pop()
    except IndexError as error:
        return found, told, same, str(error), stack == []
    return None


class Checked(dict):
    """Methods of the container are overridden, and called by `super()`."""

    def __init__(self, *given, **more):
        dict.__init__(self, *given)
        self.reads = 0

    def __getitem__(self, key):
        self.reads += 1
        return super().__getitem__(key)

    def __setitem__(self, key, value):
        if value < 0:
            raise ValueError(key)
        super().__setitem__(key, value)


def checked(n):
    values = Checked({"a": 1})
    try:
        values["b"] = n
        del values["a"]
        return values["a"], values.reads
    except (ValueError, KeyError) as error:
        return str(error), values.reads, len(values), list(values), values == {"a": 1}


class Lengths(dict):
    def __missing__(self, key):
        self[key] = len(key)
        return self[key]


def missing(text):
    lengths = Lengths()
    lengths["abc"] = 1
    return lengths[text], lengths["abc"], len(lengths), dict(lengths), {**lengths, "z": 0}


class Scope(dict):
    def __init__(self, outer: Optional["Scope"] = None):
        super().__init__()
        self.outer: Scope | None = outer
        for name in ("p", "q"):
            self[name] = 0

    def look_up(self, name: str) -> int:
        if name in self or self.outer is None:
            return self[name]
        return self.outer.look_up(name)


def scopes(n):
    outer = Scope()
    outer["r"] = n
    return Scope(outer).look_up("r"), outer.look_up("p"), len(outer)


class Pairs:
    def __init__(self, n):
        self.held = {"a": n, "b": 2}

    def keys(self):
        return self.held.keys()

    def __getitem__(self, key):
        return self.held[key] * 10

    def __iter__(self):
        return iter([("x", 1)])


def mapped(n):
    pairs, found = Pairs(n), {"c": 0}
    found.update(pairs)
    return dict(pairs), found, {**pairs, "d": 1}


class Bag(list):
    def __eq__(self, other):
        return True


class Twice(dict):
    def __getitem__(self, key):
        return super().__getitem__(key) * 2


class Listed(Twice):
    def __iter__(self):
        return iter(["a"])


def taken(n):
    """Python takes the items of a dict, not what its methods say; `+=` is of the list itself."""
    bag = Bag([n])
    same = bag
    same += (2, 3)
    twice, listed, found = Twice({"a": n, "b": 1}), Listed({"a": n, "b": 1}), {"c": 0}
    found.update(twice)
    whole = dict(twice), {**twice}, found, dict(listed), twice["a"]
    last = twice.popitem()
    compared = bag == [n], bag != [n, 2, 3], bag != [n], bag != Bag([n]), twice != {"a": n}
    return list(bag), same is bag, type(bag).__name__, whole, last, len(twice), compared


CASES: list[Case] = [
    (environments, [(1,)]),
    (stacks, [(2,)]),
    (checked, [(5,), (-1,)]),
    (missing, [("abc",), ("xy",)]),
    (scopes, [(4,)]),
    (mapped, [(3,)]),
    (taken, [(4,)]),
]
