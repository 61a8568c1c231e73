"""Whether a loop is over what is of several types, and stands for one loop for each."""

from collections.abc import Callable
from typing import TypeVar

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.check.desugar import member_loops
from scriptc.check.named_types import is_records
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.types import Type, UnionType

_Found = TypeVar("_Found")


def of_one_type(
    context: Context, node: n.For, find: Callable[[Context, n.Expression], _Found]
) -> _Found | None:
    """Return what is found of what a loop runs over; None where it was one over several kinds."""
    try:
        return find(context, node.iter)
    except TypeCheckError:
        is_several = is_of_members(context, node, context.facts.types.get(node.iter))
        if not (is_several or member_loops.check_held_sources(context, node)):
            raise
        return None


def is_of_members(context: Context, node: n.For, type_: Type | None = None) -> bool:
    """Check a loop over several kinds of iterables; return whether it is one."""
    if isinstance(node.iter, n.Name | n.Subscript):
        type_ = _known(context, node.iter) or type_
    if not isinstance(type_, UnionType):
        return False
    return member_loops.check_member_loop(context, node, type_)


def is_of_records(context: Context, node: n.For) -> bool:
    """Whether a loop is over a structured array."""
    type_ = _known(context, node.iter)
    return type_ is not None and is_records(type_)


def _known(context: Context, node: n.Expression) -> Type | None:
    """Return the type of a variable, an attribute or an item; None of others."""
    found = None
    if isinstance(node, n.Name):
        found = (context.env or {}).get(node.id)
    elif isinstance(node, n.Attribute | n.Subscript):
        found = context.expression(node)
    return found.type if isinstance(found, Typed) else None
