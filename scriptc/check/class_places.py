"""Attributes of classes that are stored: `Node.count += 1`, `cls.latest = name`.

`Node.count` is short for `Node.count@class[0]`: the call is handed a list with the value, and the
class gets what is in it when the call ends.
"""

from scriptc.check.bindings import CAPTURED, Typed
from scriptc.check.context import Context, operand
from scriptc.syntax import nodes as n
from scriptc.values.class_attributes import ClassAttribute, changing_attributes
from scriptc_runtime.record import replace
from scriptc_runtime.types import Container, ListType

_PLACE = "@class"


def is_stored(live: type, name: str) -> bool:
    """Whether a class has an attribute of its own that the program stores."""
    return name in vars(live) and name in changing_attributes(live)


def read_place(context: Context, node: n.Attribute, live: type) -> Typed:
    """Check an attribute of a class that the program stores, where it is read."""
    return read_item(
        context, node, class_place(context, node, live), f"{live.__name__}.{node.attr}"
    )


def read_item(context: Context, node: n.Expression, place: n.Subscript, name: str) -> Typed:
    """Check what is kept in a place during a call, where it is read under its name outside."""
    value = context.typed(place)
    found = context.record(node, [place], operand(place, value))
    is_lent = isinstance(value.type, ListType | Container)
    return replace(
        found, open_list=value.open_list, borrowed=f"{CAPTURED}{name}" if is_lent else None
    )


def place_name(live: type, name: str) -> str:
    """Return the name of the list that holds an attribute of a class during a call."""
    return f"{live.__module__}.{live.__qualname__}.{name}{_PLACE}"


def class_place(context: Context, node: n.Attribute, live: type) -> n.Subscript:
    """Return the item that an attribute of a class is kept in during a call."""
    name = place_name(live, node.attr)
    place = context.learned.spreads.get((node, (name,)))
    if place is None:
        context.learned.places[name] = ClassAttribute(live, node.attr)
        held, first = n.Name(node.lo, node.hi, name), n.Constant(node.lo, node.hi, 0, None)
        place = n.Subscript(node.lo, node.hi, held, first)
        context.learned.spreads[node, (name,)] = place
    assert isinstance(place, n.Subscript)
    return place
