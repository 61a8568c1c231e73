"""Assignments to attributes of classes, which are the items of lists: see `class_places`."""

from scriptc.check import class_places, outside, subscripts
from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context
from scriptc.check.members import find_member
from scriptc.check.open_types import is_open
from scriptc.check.scopes import look_up
from scriptc.syntax import nodes as n


def stored_class(context: Context, target: n.Attribute) -> type | None:
    """Return the class whose attribute is stored; None where that of an object is."""
    match target.value:
        case n.Name(id=name) if name in context.locals:
            if not isinstance((context.env or {}).get(name), Fixed):
                return None
        case n.Name(id=name):
            # Of a part of another function, names mean what they mean there.
            found = look_up(*context.learned.foreign.get(name, (context.function, name)))
            if found is None or not isinstance(found.value, type):
                return None
        case n.Call(func=n.Name(id="type"), args=(n.Name(),)):
            pass
        case n.Attribute(value=n.Name(), attr="__class__"):
            pass
        case _:
            return None
    value = context.expression(target.value)
    return value.value if isinstance(value, Static) and isinstance(value.value, type) else None


def assign_place(context: Context, target: n.Attribute, live: type, value: Typed) -> None:
    """Check that an attribute of a class takes a value."""
    place = writable_place(context, target, live)
    qualified = f"{class_places.place_name(live, target.attr)} {id(live)}"
    store_item(context, place, f"{live.__name__}.{target.attr}", qualified, value)
    context.facts.writes[target] = context.facts.writes[place]


def store_item(
    context: Context, place: n.Subscript, name: str, qualified: str, value: Typed
) -> None:
    """Check that what has a place during a call takes a value; of another type, too."""
    held = context.typed(place)
    outside.require_pythons(context, place, name, value.type)
    if held.type != value.type and not is_open(value.type):
        context.outside.tell(qualified, held.type, value)
        if context.outside.is_outdated(qualified):
            raise context.not_known_yet(place)
    subscripts.check_target(context, place, value)


def writable_place(context: Context, target: n.Attribute, live: type) -> n.Subscript:
    """Return the item that an attribute of a class is stored in."""
    name = target.attr
    if name not in vars(live):
        member = find_member(live, name)
        whose = f", and its base {member.owner.__name__} has one" if member else ""
        context.fail(
            "class-field",
            f"class {live.__name__} has no attribute {name!r} of its own{whose}",
            target,
            why="it would get one when the call ends, and objects would find that one first",
            instead=f"{name} = ... in the body of {live.__name__}",
        )
    if not class_places.is_stored(live, name):
        context.fail(
            "class-field",
            f"{name!r} of class {live.__name__} is stored where nobody looks for that",
            target,
            why="an attribute of a class changes if a method of it, or a function or class of its "
            "module, stores it by the name of the class, by `cls` or by `type(self)`",
            instead=f"{live.__name__}.{name} = ... in a class method",
        )
    return class_places.class_place(context, target, live)
