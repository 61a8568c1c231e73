"""How statements go on: their early exits, and the arms of a chain of tests."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from scriptc.syntax import nodes as n
from scriptc.syntax.blocks import LeaveTo

# What is decided by more tests than these, one after the other, is not nested in the IR: blocks
# inside of blocks cost more the deeper they are.
MOST_NESTED = 8


def arms_of(node: n.If) -> Sequence[n.If]:
    """Return an `if` with every `elif` after it; the `if` alone where these are few."""
    arms = [node]
    while len(arms[-1].orelse) == 1 and isinstance(following := arms[-1].orelse[0], n.If):
        arms.append(following)
    return arms if len(arms) > MOST_NESTED else arms[:1]


def leaves(body: n.Body) -> Mapping[str, bool]:
    """Return whether statements contain a `return`, and a `break` or `continue` of a loop around.

    The keys are `return`, `break` and `continue`.
    """
    found = {"return": False, "break": False, "continue": False}
    _find_leaves(body, found)
    return found


def left_labels(body: n.Body) -> Sequence[str]:
    """Return the labels that statements leave, each once."""
    found: dict[str, None] = {}
    waiting: list[n.Node] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, LeaveTo):
            found[node.label] = None
        elif isinstance(node, n.Statement | n.ExceptHandler | n.match_case):
            waiting += n.children(node)
    return list(found)


def _find_leaves(body: Iterable[n.Node], found: dict[str, bool]) -> None:
    waiting = [(node, False) for node in body]
    while waiting:
        node, in_loop = waiting.pop()
        match node:
            case n.Return():
                found["return"] = True
            case n.Break() | n.Continue():
                if not in_loop:
                    found["break" if isinstance(node, n.Break) else "continue"] = True
            case n.For(body=inner, orelse=orelse) | n.While(body=inner, orelse=orelse):
                waiting += ((statement, True) for statement in inner)
                waiting += ((statement, in_loop) for statement in orelse)
            case n.FunctionDef():
                pass
            case n.Statement() | n.ExceptHandler() | n.match_case():
                waiting += ((child, in_loop) for child in n.children(cast(n.Node, node)))
            case _:
                pass
