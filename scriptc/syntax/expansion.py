"""What a comprehension, or a loop over indices, is short for, as statements.

They are made by expand.py and inline.py.
"""

from scriptc.syntax import nodes as n
from scriptc_runtime.record import record

Comprehension = n.ListComp | n.SetComp | n.DictComp | n.GeneratorExp


@record
class Expansion:
    """Statements, the expression that has the value after them, and the variables they bind."""

    body: n.Body
    value: n.Expression
    names: frozenset[str]


def own_names(node: Comprehension) -> list[str]:
    """Return the variables of a comprehension, in the order in which they are bound."""
    found: dict[str, None] = {}
    pending: list[n.Node] = [generator.target for generator in reversed(node.generators)]
    while pending:
        target = pending.pop()
        if isinstance(target, n.Name):
            found[target.id] = None
        elif isinstance(target, n.Tuple | n.List | n.Starred):
            pending += reversed(list(n.children(target)))
    return list(found)
