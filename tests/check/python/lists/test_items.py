"""Items of lists that do not say yet what they hold, wherever they come from and go to."""

from collections.abc import Iterator
from itertools import product

import pytest

from scriptc import script
from tests.support.live_source import live_module

LISTS = {
    "comprehension": "ys = [v * 2.0 for v in xs]",
    "loop": "ys = []\n    for v in xs:\n        ys.append(v * 2.0)",
}
ITEMS = (
    *("ys.pop(1)", "ys.pop()", "ys[0]", "ys[-1]", "max(ys)", "min(ys)", "sum(ys)"),
    *("sorted(ys)[0]", "ys[1:][0]", "ys.copy()[0]", "list(ys)[0]", "(ys + ys)[0]", "(ys * 2)[1]"),
    *("[v for v in ys][0]", "[v for v in reversed(ys)][0]", "[a for a, b in zip(ys, ys)][0]"),
    *("[a for i, a in enumerate(ys)][0]", "heapq.heappop(ys)", "heapq.heappushpop(ys, 0.5)"),
    *("heapq.heapreplace(ys, 0.5)", "heapq.nsmallest(2, ys)[0]", "same(ys)[0]", "first(ys)"),
    *("last(ys)", "(ys if len(ys) > 1 else ys)[0]", "max(ys, key=lambda v: -v)", "[ys][0].pop()"),
)
USES = (
    "zs = [ys, [p]]\n    return len(zs), p",
    "q = None\n    if len(ys) > 1:\n        q = p\n    return q, [p, p], ys",
)
BEFORE = """
import heapq
def same(a):
    return a
def first(a):
    return a[0]
def last(a):
    return a.pop()
"""


def _functions() -> Iterator[tuple[str, str, str]]:
    for (name, made), item, use in product(LISTS.items(), ITEMS, USES):
        number = ITEMS.index(item) * len(USES) + USES.index(use)
        yield f"{name}_{number}", made, f"p = {item}\n    {use}"


def _text(name: str, made: str, use: str) -> str:
    return f"def {name}(xs: list[float]):\n    {made}\n    {use}\n"


@pytest.mark.parametrize("made", LISTS)
def test_an_item_has_the_type_that_the_list_turns_out_to_hold(made: str) -> None:
    functions = [row for row in _functions() if row[0].startswith(made)]
    module = live_module(BEFORE + "".join(_text(*row) for row in functions), f"{made}.py")
    for name, _, use in functions:
        function = getattr(module, name)
        compiled = script(function, backend="interp")
        assert repr(compiled([1.0, 2.0, 3.0])) == repr(function([1.0, 2.0, 3.0])), use
