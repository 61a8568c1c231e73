"""Loops over what nothing is ever put into: their bodies are not checked, as no item says a type.

    for task in tasks or []:            for none@ in tasks or []:
        run(task.name)                      assert False

In a call that gives no tasks, `tasks` is None.

    for log, event in zip(logs, events):    for none@ in events:
        log.append(event(t))                    assert False

In a call that gives no events, `events` is `()`.
"""

from scriptc.check.bindings import Static, Typed
from scriptc.check.context import Context
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import Container, ListType, TupleType

_NONE = "none@"
_VIEWS = ("items", "keys", "values")


def as_unfilled(context: Context, node: n.For) -> Expansion | None:
    """Return what a loop is short for that runs over such a list or container; None for others."""
    is_made = isinstance(node.target, n.Name) and node.target.id.startswith(_NONE)
    if is_made:
        return None
    source = _empty_beside(context, node.iter)
    if source is None and context.learned.unfilled and _is_unfilled(context, node.iter):
        source = node.iter
    if source is None:
        return None
    known = context.learned.expansions.get(node)
    if known is None:
        lo, hi = node.lo, node.hi
        name = f"{_NONE}{lo}:{hi}"
        never = n.Assert(lo, hi, n.Constant(lo, hi, False, None), None)
        target = n.Name(lo, hi, name)
        loop = n.For(lo, hi, target, source, (never,), node.orelse, False)
        known = context.learned.expansions[node] = Expansion((loop,), source, frozenset({name}))
    context.locals |= known.names
    return known


def _empty_beside(context: Context, node: n.Expression) -> n.Name | None:
    """Return the tuple without items for which `zip` takes none of the lists beside it."""
    if not (isinstance(node, n.Call) and isinstance(node.func, n.Name) and not node.keywords):
        return None
    names = [arg for arg in node.args if isinstance(arg, n.Name)]
    known = [(context.env or {}).get(name.id) for name in names]
    types = [found.type for found in known if isinstance(found, Typed)]
    if TupleType(()) not in types or len(types) < len(node.args):
        return None
    found = context.expression(node.func)
    is_zip = isinstance(found, Static) and found.value is zip
    are_looped = all(isinstance(type_, ListType | TupleType | Container) for type_ in types)
    return names[types.index(TupleType(()))] if is_zip and are_looped else None


def _is_unfilled(context: Context, node: n.Expression) -> bool:
    unfilled = context.learned.unfilled
    match node:
        case n.Call(func=n.Attribute(value=whole, attr=attr), args=(), keywords=()):
            return attr in _VIEWS and _is_unfilled(context, whole)
        case n.Call(func=n.Name() as function, args=args) if args:
            found = context.expression(function)
            live = found.value if isinstance(found, Static) else None
            if live is zip:
                return any(_is_unfilled(context, arg) for arg in args)
            return (live is enumerate or live is reversed) and _is_unfilled(context, args[0])
        case n.Name(id=name):
            known = (context.env or {}).get(name)
            return isinstance(known, Typed) and known.open_list in unfilled
        case n.BoolOp() | n.IfExp() | n.List() | n.Dict():
            found = context.attempt(node)
            return found is not None and found.open_list in unfilled
        case _:
            return False
