"""Which early exits statements contain."""

from collections.abc import Iterable, Mapping
from typing import cast

from scriptc.syntax import nodes as n


def leaves(body: n.Body) -> Mapping[str, bool]:
    """Return whether statements contain a `return`, and a `break` or `continue` of a loop around.

    The keys are `return`, `break` and `continue`.
    """
    found = {"return": False, "break": False, "continue": False}
    _find_leaves(body, found, False)
    return found


def _find_leaves(body: Iterable[n.Node], found: dict[str, bool], in_loop: bool) -> None:
    for node in body:
        match node:
            case n.Return():
                found["return"] = True
            case n.Break() | n.Continue():
                if not in_loop:
                    found["break" if isinstance(node, n.Break) else "continue"] = True
            case n.For(body=inner, orelse=orelse) | n.While(body=inner, orelse=orelse):
                _find_leaves(inner, found, True)
                _find_leaves(orelse, found, in_loop)
            case n.FunctionDef():
                pass
            case n.Statement() | n.ExceptHandler():
                _find_leaves(n.children(cast(n.Node, node)), found, in_loop)
            case _:
                pass
