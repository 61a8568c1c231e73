"""Functions that call each other in a ring: each level is checked as often as the others."""

from contextlib import nullcontext

import pytest

from scriptc import ScriptError, script
from scriptc.check.functions import FunctionPass
from scriptc.driver import to_core
from scriptc.function_types import request_of
from scriptc.options import Options
from scriptc.specialise.specialise import root_of
from tests.benchmarks.growth_programs import KINDS, arguments
from tests.support.live_source import live_module


def evaluator(arms: int) -> str:
    """Return an evaluator of nodes of so many classes, whose values are of several types.

    Some are lists of others: what the dict holds is told by what is put in.
    """
    classes = "".join(
        f"class Node{k}:\n    def __init__(self, left, right):\n"
        f"        self.left, self.right = left, right\n\n\n"
        for k in range(arms)
    )
    tests = "".join(
        f"    if isinstance(node, Node{k}):\n"
        f"        value = evaluate(node.left, env)\n"
        f"        env['{k}'] = value if value is not None else evaluate(node.right, env)\n"
        f"        return [value, env['{k}']] if env['{k}'] == '{k}' else value\n"
        for k in range(arms)
    )
    tree = "Leaf(n)"
    for k in range(arms):
        tree = f"Node{k}({tree}, Leaf({('None', repr('text'), '2.5', 'True')[k % 4]}))"
    return (
        f"class Leaf:\n    def __init__(self, value):\n        self.value = value\n\n\n{classes}"
        f"def evaluate(node, env):\n    if isinstance(node, Leaf):\n        return node.value\n"
        f"{tests}    return None\n\n\n"
        f"def main(n):\n    return str(evaluate({tree}, {{}}))\n"
    )


def refused_parser(levels: int) -> str:
    """Return a parser of so many levels that puts nodes, and nodes or None, into lists of a field.

    No union helps, which is found out for each level.
    """
    below = [*(f"rule{k}" for k in range(1, levels)), "atom"]
    rules = "".join(
        f"    def rule{k}(self):\n"
        f"        left = self.{below[k]}()\n"
        f"        while self.peek() == {'+-*/%'[k % 5]!r}:\n"
        f"            op = self.take()\n"
        f"            left = Node(op, [left, self.{below[k]}()])\n"
        f"        return left\n\n"
        for k in range(levels)
    )
    return f"""class Node:
    def __init__(self, kind, nodes):
        self.kind, self.nodes = kind, nodes


class Parser:
    def __init__(self, text):
        self.text, self.at = text, 0

    def peek(self):
        return self.text[self.at : self.at + 1]

    def take(self):
        self.at += 1
        return self.text[self.at - 1]

    def atom(self):
        letter = self.take()
        if letter == "(":
            return self.rule0()
        if letter == "-":
            negated = self.atom()
            return Node("-", [negated]) if negated is not None else None
        return Node(letter, []) if letter.isdigit() else None

{rules}
def main(n):
    return Parser("1+2*-3").rule0() is None
"""


def states(count: int) -> str:
    """Return a program with objects of so many classes, each of which makes one of the next."""
    classes = "".join(
        f"class State{k}(State):\n"
        f"    def next(self, seen):\n        seen.append({k})\n"
        f"        return State{(k + 1) % count}()\n\n\n"
        for k in range(count)
    )
    return (
        f"class State:\n    def next(self, seen):\n        return self\n\n\n{classes}"
        f"def main(n):\n    seen = []\n    state: State = State0()\n    for _ in range(9):\n"
        f"        state = state.next(seen)\n    return seen, n\n"
    )


_TEXTS = {"states": states, "evaluator": evaluator, "refused parser": refused_parser}


def passes(kind: str, length: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many passes over functions the check of a program takes."""
    text = (_TEXTS.get(kind) or KINDS[kind].text)(length)
    count = 0
    run = FunctionPass.run

    def counted(self: FunctionPass) -> None:
        nonlocal count
        count += 1
        run(self)

    monkeypatch.setattr(FunctionPass, "run", counted)
    main = vars(live_module(text, f"{kind} {length}.py"))["main"]
    names = main.__code__.co_varnames[: main.__code__.co_argcount]
    with pytest.raises(ScriptError) if kind.startswith("refused") else nullcontext():
        to_core([root_of(request_of(script(main), arguments(names)))], Options())
    monkeypatch.undo()
    return count


@pytest.mark.parametrize(
    "kind", ["levels of a parser", "ring of functions", "dataclasses", *_TEXTS]
)
def test_each_level_is_checked_as_often_as_the_others(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    short, middle, long = (passes(kind, length, monkeypatch) for length in (4, 8, 16))
    assert long - middle <= 3 * (middle - short)
