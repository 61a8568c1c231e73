"""`functools.reduce(f, xs, start)`: short for a loop, so that `start` is a literal as in a loop.

function@ = f; value@ = start
for item@ in xs: value@ = function@(value@, item@)
"""

from scriptc.check.bindings import Static, Typed
from scriptc.check.context import Context
from scriptc.check.desugar.stars import has_star
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import ClassType, TupleType


def check_reduce(context: Context, node: n.Call) -> Typed | None:
    """Check a call that starts with a value, or is about functions; None for any other."""
    given = None if node.keywords else _given(context, node)
    if given is None:
        return None
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        expansion = context.learned.expansions[node] = _expansion(node, *given)
    context.locals |= expansion.names
    context.block(expansion.body)
    value = context.typed(expansion.value)
    left = context.reached() or {}
    for name in expansion.names:
        left.pop(name, None)
    context.facts.expanded[node] = expansion
    context.facts.types[node] = value.type
    return value


def _given(
    context: Context, node: n.Call
) -> tuple[n.Expression, n.Expression, n.Expression] | None:
    """Return the function, what has items, and what it starts with: of functions the first one.

    What is made of these is another function after each, so that the loop is one for each.
    """
    lo, hi = node.lo, node.hi
    match node.args:
        case (function, items, start):
            return function, items, start
        case (function, n.List(elts=(first, *rest)) | n.Tuple(elts=(first, *rest)) as items):
            if not has_star(items) and any(_is_function(context, item) for item in items.elts):
                return function, n.Tuple(lo, hi, tuple(rest)), first
        case (function, n.Name() as items) if _are_functions(context, items):
            zero, one = (n.Constant(lo, hi, place, None) for place in range(2))
            rest = n.Subscript(lo, hi, copied(items, {}, 0), n.Slice(lo, hi, one, None, None))
            return function, rest, n.Subscript(lo, hi, items, zero)
        case _:
            pass
    return None


def _is_function(context: Context, node: n.Expression) -> bool:
    if isinstance(node, n.Lambda):
        return True
    return isinstance(node, n.Name) and isinstance(context.expression(node), Static)


def _are_functions(context: Context, node: n.Name) -> bool:
    """Whether a variable holds a tuple of functions, of which there is one at least."""
    found = context.expression(node)
    if not isinstance(found, Typed) or not isinstance(found.type, TupleType):
        return False
    items = found.type.items
    return any(isinstance(t, ClassType) and context.function_called(t.name) for t in items)


def _expansion(
    node: n.Call, function: n.Expression, items: n.Expression, start: n.Expression
) -> Expansion:
    lo, hi = node.lo, node.hi
    names = [f"{word}@{lo}:{hi}" for word in ("function", "items", "value", "item")]

    def name(place: int) -> n.Name:
        return n.Name(lo, hi, names[place])

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
