"""`*` and `**` in calls and displays: `f(*t, x)` is short for `f(t[0], t[1], x)` of a pair `t`."""

from typing import TypeGuard

from scriptc.check.bindings import Typed
from scriptc.check.context import Context, Value
from scriptc.check.desugar.keywords import names_of, spread
from scriptc.check.named_types import plain
from scriptc.check.scopes import assigned_names
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import TupleType, Type

Spread = n.Call | n.List | n.Tuple


def has_star(node: n.Expression) -> bool:
    """Whether something with a `*` or `**` stands among the arguments or items."""
    match node:
        case n.Call(keywords=keywords) if any(keyword.arg is None for keyword in keywords):
            return True
        case n.Call(args=items) | n.List(elts=items) | n.Tuple(elts=items):
            return any(isinstance(item, n.Starred) for item in items)
        case _:
            return False


def written_items(item: n.Expression) -> tuple[n.Expression, ...]:
    """Return an argument, or the items of the display that stands behind its `*`."""
    match item:
        case n.Starred(value=n.Tuple(elts=elts) | n.List(elts=elts) as display) if not has_star(
            display
        ):
            return elts
        case _:
            return (item,)


def check(context: Context, node: Spread, expected: Type | None) -> Value:
    """Check a call or a display as the one without `*` that it is short for."""
    plain = without_stars(context, node)
    value = context.expression(plain, expected)
    if isinstance(value, Typed):
        context.facts.expanded[node] = Expansion((), plain, frozenset())
        context.facts.types[node] = value.type
    return value


def without_stars(context: Context, node: Spread) -> Spread:
    """Return a call or a display with an expression for each item of what has a `*`."""
    items = node.args if isinstance(node, n.Call) else node.elts
    bound = assigned_names(item for item in items if not isinstance(item, n.Starred))
    counts = tuple(_count(context, node, item, bound) for item in items)
    keywords = node.keywords if isinstance(node, n.Call) else ()
    named = tuple(names_of(context, keyword) for keyword in keywords)
    # One node for all checks: what is learned of it stays known.
    plain = context.rounds.spreads.get((node, (*counts, *named)))
    if plain is None:
        every = tuple(
            part for item, count in zip(items, counts, strict=True) for part in _parts(item, count)
        )
        if isinstance(node, n.Call):
            pairs = zip(keywords, named, strict=True)
            by_name = tuple(part for keyword, names in pairs for part in spread(keyword, names))
            plain = n.Call(node.lo, node.hi, node.func, every, by_name)
        else:
            plain = type(node)(node.lo, node.hi, every)
        context.rounds.spreads[node, (*counts, *named)] = plain
    assert isinstance(plain, n.Call | n.List | n.Tuple)
    return plain


def _count(context: Context, node: Spread, item: n.Expression, bound: frozenset[str]) -> int:
    """Return how many items an argument stands for; others bind the variables `bound`."""
    if not isinstance(item, n.Starred):
        return 1
    if isinstance(item.value, n.Tuple | n.List):
        return len(item.value.elts)
    base = item.value
    while isinstance(base, n.Attribute) or is_part(base):
        base = base.value
    if not isinstance(base, n.Name):
        of_call = plain(context.typed(item.value)).type
        if isinstance(of_call, TupleType) and of_call.items:
            context.locals |= {_kept(item).id}
            return len(of_call.items)
        context.fail(
            "starred",
            "`*` stands in front of an expression that must be computed",
            item,
            why="its items are read one by one",
            instead="give it a name first: t = ...; f(*t)",
        )
    if base.id in bound:
        context.fail(
            "starred",
            f"`*` stands in front of {base.id!r}, which is given a value beside it",
            item,
            why="how many items it has is looked at before the others are computed",
            instead="give it the value in a statement before",
        )
    value = plain(context.typed(item.value))
    if not isinstance(value.type, TupleType):
        context.fail(
            "starred",
            f"`*` stands in front of {value.type}",
            item,
            why="how many values it stands for is not known when the program is compiled",
            instead="use a tuple, whose length is known, or name the values one by one",
        )
    return len(value.type.items)


def known_items(context: Context, item: n.Expression) -> tuple[n.Expression, ...]:
    """Return an expression for each item of a variable behind a `*`, if it has so many always."""
    if not isinstance(item, n.Starred):
        return (item,)
    found = context.expression(item.value)
    type_ = plain(found).type if isinstance(found, Typed) else None
    return _parts(item, len(type_.items)) if isinstance(type_, TupleType) else (item,)


def is_part(node: n.Expression) -> TypeGuard[n.Subscript]:
    """Whether something is `t[1:]`: constant places of what has a name."""
    if not (isinstance(node, n.Subscript) and isinstance(node.slice, n.Slice)):
        return False
    places = (node.slice.lower, node.slice.upper, node.slice.step)
    signed = (p.operand if isinstance(p, n.UnaryOp) else p for p in places if p is not None)
    return all(isinstance(place, n.Constant) for place in signed)


def _parts(item: n.Expression, count: int) -> tuple[n.Expression, ...]:
    if not isinstance(item, n.Starred):
        return (item,)
    if isinstance(item.value, n.Tuple | n.List):
        return item.value.elts
    at = item.lo, item.hi
    places = (n.Constant(*at, index, None) for index in range(count))
    base = item.value
    while isinstance(base, n.Attribute) or is_part(base):
        base = base.value
    if isinstance(base, n.Name):
        return tuple(n.Subscript(*at, item.value, place) for place in places)
    kept = _kept(item)
    first: n.Expression = n.NamedExpr(*at, kept, item.value)
    return tuple(n.Subscript(*at, first if i == 0 else kept, p) for i, p in enumerate(places))


def _kept(item: n.Starred) -> n.Name:
    """Return the variable that holds what is computed once for all its items."""
    return n.Name(item.lo, item.hi, f"star@{item.lo}:{item.hi}")
