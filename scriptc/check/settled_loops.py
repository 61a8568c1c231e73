"""Loops in loops: what was found out about one is tried first where it is checked again.

A loop is checked until the types of its variables stay, and each time so are the loops in it: each
level of a nest would double what is checked.
"""

from scriptc.check.bindings import Binding, Environment, Maybe, Typed, join, same_types
from scriptc.check.context import Context
from scriptc.check.scopes import bound_by, once_a_function, walk
from scriptc.syntax import nodes as n
from scriptc_runtime.bits import bits_of


def likely_head(context: Context, node: n.For | n.While) -> Environment | None:
    """Return what the variables are at the head of a loop, most likely; None where nobody knows."""
    known = context.settled_loops.get((node, context.path))
    if known is None or context.env is None:
        return None
    before, head = known
    # The types of others make no difference, most likely, nor do those that were not there then.
    names = {name for name in {**before, **head} if _concerns(context, node, name)}
    now = {name: value for name, value in context.env.items() if name in names}
    if not (before.keys() & names <= now.keys()):
        return None
    if not all(_knows_no_more(value, before.get(name)) for name, value in now.items()):
        return None
    others = {name: value for name, value in context.env.items() if name not in names}
    # Fields that are written in the loop are not known at its head.
    here = {v: value for v, value in now.items() if v in head or not _is_field(value)}
    there = {name: value for name, value in head.items() if name in names}
    return join({**others, **here}, {**others, **there})


def _is_field(value: Binding) -> bool:
    return isinstance(value, Typed) and value.is_path


def note_head(context: Context, node: n.Node, before: Environment, head: Environment) -> None:
    """Note what the variables are before a loop, and at its head when they stay so."""
    # Copies: what the statement around is found to raise comes into its variables later.
    context.settled_loops[node, context.path] = dict(before), dict(head)


def _concerns(context: Context, node: n.For | n.While, name: str) -> bool:
    """Whether a loop mentions a variable, or may call a function that does."""
    name = name.partition(".")[0]
    if "@" in name or context.definition is None:
        return True
    return name in _names_in(node) or name in _names_in_functions(context.definition)


@once_a_function
def _names_in(node: n.Node) -> frozenset[str]:
    every = list(walk((node,)))
    read = (inner.id for inner in every if isinstance(inner, n.Name))
    return frozenset((*read, *(name for inner in every for name in bound_by(inner))))


@once_a_function
def _names_in_functions(node: n.FunctionDef) -> frozenset[str]:
    nested = (inner for inner in walk(node.body) if isinstance(inner, n.FunctionDef | n.Lambda))
    return frozenset(name for inner in nested for name in _names_in(inner))


def _knows_no_more(new: Binding, old: Binding | None) -> bool:
    if new is old:
        return True
    match new, old:
        case Typed(), Typed():
            return _kind(new) == _kind(old) and _forgets(new, old)
        case Maybe(), None:
            return True
        case Maybe(last), Maybe(before):
            return _knows_no_more(last, before)
        case _:
            return old is not None and same_types({"": new}, {"": old})


def _kind(value: Typed) -> tuple[object, ...]:
    """Return what no iteration may change."""
    more = value.borrowed, value.open_list, value.held_by
    return value.type, value.is_path, value.unites, *more


def _forgets(new: Typed, old: Typed) -> bool:
    """Whether the value of `new` may be any that `old` may be."""
    if new.literals:
        values = set(map(bits_of, new.literals))
        if not old.literals or not values.issuperset(map(bits_of, old.literals)):
            return False
    return new.known in (None, old.known) and new.length in (None, old.length)
