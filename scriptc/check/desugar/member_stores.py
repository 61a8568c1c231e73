"""Items of what is of several types that are written, deleted or taken apart: one statement each.

    x[key] = value      into = x
                        index = key
                        if into is a dict:      into[index] = value
                        else:                   into[index] = value     a list

What takes no items raises what CPython does.
"""

from collections.abc import Sequence

from scriptc.check import conditions
from scriptc.check.bindings import Environment
from scriptc.check.context import Context
from scriptc.check.desugar import never_returning
from scriptc.check.library.standard import is_standard
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.errors import ScriptError
from scriptc_runtime.types import Type, UnionType
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
    match node:
        case n.Assign(targets=(n.Tuple(),), value=subject):
            others: n.Expressions = ()
        case n.Assign(targets=(n.Subscript(value=subject, slice=index),), value=value):
            others = (value, index)
        case n.Delete(targets=(n.Subscript(value=subject, slice=index),)):
            others = (index,)
        case _:
            return False
    type_ = context.facts.types.get(subject)
    if not isinstance(type_, UnionType) or is_standard(context.function) or _is_made(subject):
        return False
    kept = context.learned.member_stores
    expansion = kept.get((node, type_))
    if expansion is None:
        expansion = kept[node, type_] = _expanded(node, subject, others, members_of(type_))
    context.env = before
    context.locals |= expansion.names
    context.tolerates += 1
    context.block(expansion.body)
    context.tolerates -= 1
    for name in expansion.names:
        (context.env or {}).pop(name, None)
    context.facts.endings[node] = expansion.body
    return True


def _is_made(node: n.Expression) -> bool:
    """Whether it is a variable of such statements, of which the type is known by now."""
    return isinstance(node, n.Name) and "@" in node.id


def _expanded(
    node: n.Assign | n.Delete,
    subject: n.Expression,
    others: n.Expressions,
    members: Sequence[Type],
) -> Expansion:
    lo, hi = node.lo, node.hi
    # In the order of evaluation: what is put in, and what the target is a part of.
    value, *index = others if isinstance(node, n.Assign) and others else (None, *others)
    held = [part for part in (value, subject, *index) if part is not None]
    names = {
        part: f"part{place}@{lo}.{hi}"
        for place, part in enumerate(held)
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
