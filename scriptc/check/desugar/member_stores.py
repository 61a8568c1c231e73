"""What is written into, deleted from or taken apart is of several types: one statement for each.

    x[key] = value      into = x
                        index = key
                        if into is a dict:      into[index] = value
                        else:                   into[index] = value     a list

What takes no items, and has no such attribute, raises what CPython does.
"""

from collections.abc import Sequence

from scriptc.check import conditions
from scriptc.check.bindings import Environment
from scriptc.check.context import Context
from scriptc.check.desugar import never_returning
from scriptc.check.desugar.never_returning import is_made
from scriptc.check.library.standard import is_standard
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.errors import ScriptError
from scriptc_runtime.types import NONE, Type, UnionType
from scriptc_runtime.unions import members_of


def in_other_words(
    context: Context, node: n.Statement, refusal: ScriptError, before: Environment
) -> bool:
    """Check a statement that was refused as one that raises, or as one for each of several types.

    Returns whether it is such a statement.
    """
    found = never_returning.end_statement(context, node, refusal, before)
    return found or _store_in_each(context, node, before)


def _store_in_each(context: Context, node: n.Statement, before: Environment) -> bool:
    """Check a statement for each type of what it writes to, or takes apart, if there are any."""
    parts, several = _parts(node)
    types = context.facts.types
    subject = next((p for p in parts[-several:] if isinstance(types.get(p), UnionType)), None)
    if subject is None or is_standard(context.function) or is_made(subject):
        return False
    type_ = types[subject]
    kept = context.learned.member_stores
    expansion = kept.get((node, type_))
    if expansion is None:
        # Where the index is, a None may be left out of its type, as it raises.
        members = dict.fromkeys((NONE, *members_of(type_)))
        expansion = kept[node, type_] = _expanded(node, subject, parts, tuple(members))
    context.env = before
    context.locals |= expansion.names
    context.tolerates += 1
    context.block(expansion.body)
    context.tolerates -= 1
    for name in expansion.names:
        (context.env or {}).pop(name, None)
    context.facts.endings[node] = expansion.body
    return True


def _parts(node: n.Statement) -> tuple[n.Expressions, int]:
    """Return what is evaluated before a statement writes, and how many of the last may be unions.

    The container and the index are the last, or the object.
    """
    match node:
        case n.Assign(targets=(n.Tuple(),), value=value):
            return (value,), 1
        case n.Assign(targets=(n.Subscript(value=whole, slice=index),), value=value):
            return (value, whole, index), 2
        case n.Assign(targets=(n.Attribute(value=owner),), value=value):
            return (value, owner), 1
        case n.AugAssign(target=n.Attribute(value=owner)):
            return (owner,), 1
        case (
            n.Delete(targets=(n.Subscript(value=whole, slice=index),))
            | n.AugAssign(target=n.Subscript(value=whole, slice=index))
        ):
            return (whole, index), 2
        case _:
            return (), 1


def _expanded(
    node: n.Statement, subject: n.Expression, parts: n.Expressions, members: Sequence[Type]
) -> Expansion:
    lo, hi = node.lo, node.hi
    names = {
        part: f"part{place}@{lo}.{hi}"
        for place, part in enumerate(parts)
        if not isinstance(part, n.Slice | n.Tuple | n.Constant)
    }

    def named(part: n.Expression) -> n.Name:
        return n.Name(part.lo, part.hi, names[part])

    def each(place: int) -> n.Statement:
        again = with_parts(node, {part: named(part) for part in names})
        if place == len(members) - 1:
            return again
        told = named(subject), n.Constant(lo, hi, str(members[place]), None)
        test = n.Call(lo, hi, n.Name(lo, hi, conditions.MEMBER_TEST), told, ())
        return n.If(lo, hi, test, (again,), (each(place + 1),))

    before = (n.Assign(part.lo, part.hi, (named(part),), part) for part in names)
    return Expansion((*before, each(0)), subject, frozenset(names.values()))
