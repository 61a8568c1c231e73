"""The types of what objects outside hold."""

from scriptc.check import captures
from scriptc.check.context import Context
from scriptc.check.members import line_of
from scriptc.check.open_types import is_open
from scriptc.check.refusals import is_scripted
from scriptc.check.scopes import look_up
from scriptc.check.wider_types import wider_type
from scriptc.syntax import nodes as n
from scriptc.values.outside_places import is_compiled_in, is_container, is_empty
from scriptc_runtime.types import (
    FLOAT,
    INT,
    ClassType,
    OptionalType,
    Type,
    UnionType,
    all_parts,
    parts_of,
)
from scriptc_runtime.unions import members_of


def type_in_object(
    context: Context, node: n.Expression, owner: object, name: str, held: object
) -> Type:
    """Return the type of what a field of an object outside holds: the field's, where that fits."""
    live = type(owner)
    known = context.class_of(live, node).fields.get(name)
    if is_empty(held) and known is not None and not is_open(known):
        return known
    given = captures.type_outside(context, node, held, name)
    if known is None or is_open(known):
        return given
    is_declared = any(name in vars(cls).get("__annotations__", {}) for cls in line_of(live))
    fits = wider_type(known, given, (), (), may_unite=True) == known
    return known if fits or (is_declared and _converts(given, known)) else given


def _converts(given: Type, known: Type) -> bool:
    """Whether a value is taken for one of a type that is declared: ints are floats there."""
    if given == known or (given is INT and known is FLOAT):
        return True
    if isinstance(known, OptionalType | UnionType):
        return any(_converts(given, member) for member in members_of(known))
    parts, others = list(parts_of(given)), list(parts_of(known))
    is_alike = type(given) is type(known) and len(parts) == len(others) > 0
    return is_alike and all(map(_converts, parts, others))


def suppose_type(context: Context, place: n.Name, owner: object, name: str) -> None:
    """Note what type a list or the like has that an object outside holds, if the field has one."""
    found = look_up(context.function, place.id)
    if found is None or not is_container(found.value) or is_compiled_in(found.value):
        return
    known = context.class_of(type(owner), place).fields.get(name)
    is_silent = known is None or is_open(known)
    if is_silent and is_empty(found.value):
        return
    type_ = type_in_object(context, place, owner, name, found.value)
    for part in all_parts(type_):
        if isinstance(part, ClassType) and not is_scripted(context.class_named(part.name).live):
            kind, of = type(found.value).__name__, type(owner).__name__
            is_function = context.function_called(part.name) is not None
            held = "functions" if is_function else f"objects of {part.name}"
            scripted = "" if is_function else f"@script for the class {part.name}, "
            context.fail(
                "captured-value",
                f"the {kind} {name!r} of a {of} outside is empty, and is to hold {held}",
                place,
                why="it outlives the call, and Python would hold what is compiled for a call alone",
                instead=f"{scripted}a tuple, or make the {of} in the script",
            )
    context.outside.suppose(f"{found.name} {id(found.value)}", type_)
