"""Calls of what no name of the program stands for: a class or function that is known here."""

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context, Value
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion


def check_live_call(
    context: Context,
    node: n.Expression,
    live: object,
    args: tuple[n.Expression, ...],
    keywords: tuple[n.keyword, ...] = (),
) -> Value:
    """Check an expression that is short for the call of a live class or function."""
    lo, hi = node.lo, node.hi
    name = n.Name(lo, hi, f"{getattr(live, '__name__', '')}@live")
    assert context.env is not None
    context.locals |= {name.id}
    context.env[name.id] = Fixed(Static(live, context.span(node)))
    # One node for all passes: what is learned of it stays known.
    made = n.Call(lo, hi, name, args, keywords)
    whole = context.learned.spreads.setdefault((node, ("live",)), made)
    found = context.expression(whole)
    if isinstance(found, Typed):
        context.facts.expanded[node] = Expansion((), whole, frozenset())
        context.facts.types[node] = found.type
    return found
