"""`a, b = map(f, (x, y))`: short for `a, b = f(x), f(y)`, as nothing else sees the iterator."""

from collections.abc import Sequence

from scriptc.check.bindings import Static, Typed
from scriptc.check.context import Context
from scriptc.check.desugar import unpacked_columns
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion


def taken_apart(
    context: Context, targets: Sequence[n.Expression], node: n.Expression
) -> Typed | None:
    """Return the tuple that variables get from a map of names; None for anything else."""
    if not all(isinstance(target, n.Tuple) for target in targets):
        return None
    if _has_star(node):
        return unpacked_columns.columns_unpacked(context, targets, node)
    if not _maps_names(node):
        return None
    assert isinstance(node, n.Call)
    callee = context.callee(node)
    if len(targets) > 1 or not (isinstance(callee, Static) and callee.value is map):
        return None
    # One node for all passes: what is learned of it stays known.
    plain = context.learned.spreads.get((node, ()))
    if plain is None:
        function, display = node.args
        assert isinstance(display, n.Tuple | n.List)
        calls = (n.Call(item.lo, item.hi, function, (item,), ()) for item in display.elts)
        plain = context.learned.spreads[node, ()] = n.Tuple(node.lo, node.hi, tuple(calls))
    value = context.typed(plain)
    context.facts.expanded[node] = Expansion((), plain, frozenset())
    context.facts.types[node] = value.type
    return value


def _has_star(node: n.Expression) -> bool:
    """Whether something may be `zip(*rows)`, or what is made of its items in turn."""
    match node:
        case n.Call(args=(n.Starred(),)):
            return True
        case n.Call(args=(*_, inner)) if isinstance(inner, n.Call):
            return _has_star(inner)
        case n.List(elts=(n.Starred(value=inner),)) | n.Tuple(elts=(n.Starred(value=inner),)):
            return _has_star(inner)
        case n.ListComp(generators=(single,)) | n.GeneratorExp(generators=(single,)):
            return _has_star(single.iter)
        case _:
            return False


def _maps_names(node: n.Expression) -> bool:
    """Whether something looks like `map(f, (x, y))`, whose items are computed before any call."""
    match node:
        case n.Call(
            func=n.Name(),
            args=(n.Name() | n.Attribute(), n.Tuple(elts=items) | n.List(elts=items)),
            keywords=(),
        ):
            return all(isinstance(item, n.Name | n.Constant) for item in items)
        case _:
            return False
