"""Functions that call each other in a ring: each level is checked as often as the others."""

import pytest

from scriptc import script
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


def passes(kind: str, length: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many passes over functions the check of a program takes."""
    text = evaluator(length) if kind == "evaluator" else KINDS[kind].text(length)
    count = 0
    run = FunctionPass.run

    def counted(self: FunctionPass) -> None:
        nonlocal count
        count += 1
        run(self)

    monkeypatch.setattr(FunctionPass, "run", counted)
    main = vars(live_module(text, f"{kind} {length}.py"))["main"]
    names = main.__code__.co_varnames[: main.__code__.co_argcount]
    to_core([root_of(request_of(script(main), arguments(names)))], Options())
    monkeypatch.undo()
    return count


@pytest.mark.parametrize(
    "kind", ["levels of a parser", "ring of functions", "dataclasses", "evaluator"]
)
def test_each_level_is_checked_as_often_as_the_others(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    short, middle, long = (passes(kind, length, monkeypatch) for length in (4, 8, 16))
    assert long - middle <= 3 * (middle - short)
