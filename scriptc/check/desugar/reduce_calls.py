"""`functools.reduce(f, xs, start)`: short for a loop, so that `start` is a literal as in a loop.

function@ = f; value@ = start
for item@ in xs: value@ = function@(value@, item@)
"""

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion


def check_reduce(context: Context, node: n.Call) -> Typed:
    """Check a call that is given a function, what has items, and a value to start with."""
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        expansion = context.learned.expansions[node] = _expansion(node)
    context.locals |= expansion.names
    context.block(expansion.body)
    value = context.typed(expansion.value)
    left = context.reached() or {}
    for name in expansion.names:
        left.pop(name, None)
    context.facts.expanded[node] = expansion
    context.facts.types[node] = value.type
    return value


def _expansion(node: n.Call) -> Expansion:
    lo, hi = node.lo, node.hi
    names = [f"{word}@{lo}:{hi}" for word in ("function", "items", "value", "item")]

    def name(place: int) -> n.Name:
        return n.Name(lo, hi, names[place])

    function, items, start = node.args
    call = n.Call(lo, hi, name(0), (name(2), name(3)), ())
    step = n.Assign(lo, hi, (name(2),), call)
    # What has no name is left to the loop, as a generator expression is nothing else: `start` comes
    # before it, which calls alone could tell.
    over = name(1) if isinstance(items, n.Name) else items
    body: list[n.Statement] = [n.Assign(lo, hi, (name(0),), function)]
    if isinstance(items, n.Name):
        body.append(n.Assign(lo, hi, (name(1),), items))
    body.append(n.Assign(lo, hi, (name(2),), start))
    body.append(n.For(lo, hi, name(3), over, (step,), (), False))
    return Expansion(tuple(body), name(2), frozenset(names))
