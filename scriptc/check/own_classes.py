"""`type(x)` and `x.__class__` that are called, or whose attributes are read.

If an object may be of several classes, what stands in its class is read as the object would do it.
"""

from scriptc.check.bindings import Static, Typed
from scriptc.check.class_tests import object_of_type
from scriptc.check.context import Context, Value, operand
from scriptc.check.members import find_member, is_users
from scriptc.syntax import nodes as n
from scriptc_runtime.types import ClassType


def own_class(context: Context, node: n.Expression) -> Static | None:
    """Return the class that `type(x)` or `x.__class__` stands for; None where it may be several."""
    place = object_of_type(node)
    if place is None:
        return None
    if context.constructs is not None and isinstance(place, n.Name) and place.id == context.owner:
        return Static(context.constructs, context.span(node))
    value = context.typed(place)
    if not isinstance(value.type, ClassType) or not is_users(
        context.class_named(value.type.name).live
    ):
        return None
    possible = context.possible_classes(node, value.type.name)
    return Static(possible[0], context.span(node)) if len(possible) == 1 else None


def attribute_of_class(context: Context, node: n.Attribute) -> Value | None:
    """Check `type(x).name` of an object that may be of several classes; None for anything else."""
    place = object_of_type(node.value)
    if place is None or own_class(context, node.value) is not None:
        return None
    value = context.typed(place)
    if not isinstance(value.type, ClassType):
        return None
    known = context.class_named(value.type.name)
    member = find_member(known.live, node.attr)
    if member is None or callable(member.value) or node.attr in known.names:
        return None
    if isinstance(member.value, property | staticmethod | classmethod):
        return None
    part = context.learned.spreads.setdefault(
        (node, ("class",)), n.Attribute(node.lo, node.hi, place, node.attr)
    )
    found = context.expression(part)
    if not isinstance(found, Typed):
        return found
    return context.record(node, [part], operand(part, found))
