"""Classes that nothing but an annotation inside of a function names, and attributes of others."""

# Without annotations the types come from the call.
# pyright: basic

import math

import pytest

from scriptc import ScriptError, script
from scriptc.timeline import Timeline, watched_by


@script
class Node:
    def __init__(self, value: int):
        self.value = value


@script
class Stack:
    def __init__(self):
        self.head: Node | None = None
        self.others: list[Node] = []


@script
class Line:
    def __init__(self): self.ends: tuple[int, Node | None] = (1, None)  # fmt: skip


class Settings:
    number = 0


def test_a_field_is_declared_of_a_class_that_nobody_made_yet() -> None:
    stack = Stack()
    assert stack.head is None
    assert stack.others == []
    assert Line().ends == (1, None)

    @script
    def pushed(stack: Stack, value: int):
        stack.head = Node(value)
        return stack.head.value

    assert pushed(stack, 4) == 4
    assert stack.head is not None
    assert stack.head.value == 4


def test_a_variable_is_declared_of_a_class_that_nobody_made_yet() -> None:
    @script
    def count():
        nodes: list[Node] = []
        return len(nodes)

    assert count() == 0


def test_what_is_no_object_has_no_fields_to_update() -> None:
    @script
    def of_a_module():
        math.pi += 1
        return 1

    with pytest.raises(ScriptError, match="'math' is a module"):
        of_a_module()


@script
class Scaled:
    def __init__(self, by: float):
        self.by = by

    def of(self, x):
        return x * self.by


@script
def of_first(items: list[Scaled], x: float):
    return items[0].of(x)


@script
def of_pair(pair: "tuple[Scaled, float]", other: "Scaled | None" = None):
    return pair[0].of(pair[1]) if other is None else other.of(pair[1])


def test_what_is_compiled_ahead_serves_calls_with_objects() -> None:
    Scaled.of.compile(float)
    of_first.compile()
    of_pair.compile()
    scaled, timeline = Scaled(2.0), Timeline()
    with watched_by(timeline):
        assert scaled.of(3.0) == of_first([scaled], 3.0) == of_pair((scaled, 3.0)) == 6.0
        assert of_pair((scaled, 1.0), scaled) == 2.0
    assert not timeline.entries
