"""`type(x).__name__` of what is of several types, None among them."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from tests.programs import Case


class Leaf:
    def __init__(self, held):
        self.held = held


def _name(value):
    return type(value).__name__


def _names(values):
    return [_name(v) for v in values], [v.__class__.__qualname__ for v in values]


def of_items(n: int):
    mixed = [Leaf("a"), None, n]
    nested = [1, "x", [1, 2], {"a": 1}, (1, 2), {3}]
    found = _names(mixed), _names(nested), _names(["x", None])
    return found, _names([1, 2.5, True, None, "x", b"y", 1j]), _name(None)


def of_fields(n: int):
    leaf = Leaf(None if n == 1 else "x")
    maybe = leaf if n == 2 else None
    return f"cannot dump {type(leaf.held).__name__}", type(maybe).__name__, _name(leaf.held)


CASES: list[Case] = [
    (of_items, [(1,)]),
    (of_fields, [(1,), (2,), (3,)]),
]
