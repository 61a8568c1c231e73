"""Loops in loops: what was found out about one is tried first where it is checked again.

A loop is checked until the types of its variables stay, and each time so are the loops in it: each
level of a nest would double what is checked.
"""

from scriptc.check.bindings import Binding, Environment, Maybe, Typed, join, same_types
from scriptc.check.context import Context
from scriptc.syntax.nodes import Node
from scriptc_runtime.bits import bits_of


def likely_head(context: Context, node: Node) -> Environment | None:
    """Return what the variables are at the head of a loop, most likely; None where nobody knows."""
    known = context.settled_loops.get((node, context.path))
    if known is None or context.env is None:
        return None
    before, head = known
    return join(context.env, head) if _is_weaker(context.env, before) else None


def note_head(context: Context, node: Node, before: Environment, head: Environment) -> None:
    """Note what the variables are before a loop, and at its head when they stay so."""
    context.settled_loops[node, context.path] = before, head


def _is_weaker(new: Environment, old: Environment) -> bool:
    """Whether all variables have the types that they had, and no more is known of any value.

    Else what was found out may be wrong now. There may be variables that had no value then, and
    need not have one now.
    """
    return old.keys() <= new.keys() and all(
        binding is old.get(name) or _knows_no_more(binding, old.get(name))
        for name, binding in new.items()
    )


def _knows_no_more(new: Binding, old: Binding | None) -> bool:
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
