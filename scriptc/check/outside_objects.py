"""Objects outside that scripts work with: `KG = Unit((1, 0, 0), "kg")`, `SHAPES = [Circle(1.0)]`.

Of a class with `@script` the call is handed the object.  Others are made at the beginning of each
call, of what their fields hold then, one for each object outside: all functions of the program are
handed the same ones.  Python sees what is put into lists and the like that they hold; fields of
theirs are not stored.
"""

from collections.abc import Sequence

from scriptc.check import outside_fields
from scriptc.check.bindings import OUTSIDE_OBJECTS, Static, Typed
from scriptc.check.captures import captured
from scriptc.check.checked import CheckedFunction, MadeOutside
from scriptc.check.context import Context, Value
from scriptc.check.desugar.inits import init_of
from scriptc.check.members import (
    PROPERTIES,
    Member,
    class_type,
    exception_base,
    find_member,
    foreign_trait,
    line_of,
)
from scriptc.check.outside_makers import first_ring
from scriptc.syntax import nodes as n
from scriptc.values.outside_places import (
    ObjectField,
    fields_held,
    is_compiled_in,
    is_container,
    is_empty,
    is_object,
    is_scripted,
    items_held,
)
from scriptc_runtime.errors import Diagnostic, Span, TypeCheckError
from scriptc_runtime.ops import data
from scriptc_runtime.record import replace
from scriptc_runtime.types import ClassType, Container, ListType

_MOST = 300  # with 400 machine code takes 10 s to compile


def attribute_of(context: Context, node: n.Attribute, base: Static) -> Typed | None:
    """Return an object outside whose attribute is read there; None where that is a constant.

    What a plain object holds itself is one, but for what is empty: the field says what it holds.
    """
    value = base.value
    if base.receiver or not (is_object(value) or is_scripted(value)):
        return None
    held = dict(fields_held(value)) if is_object(value) else {}
    if node.attr in held:
        part, live = held[node.attr], type(value)
        if not is_empty(part):
            return None
        if foreign_trait(live) or init_of(live, None) is None or first_ring(value) is not None:
            return None
    elif constant_of_class(value, node.attr) is not None:
        return None
    return context.as_typed(node.value, base)


def constant_of_class(value: object, name: str) -> Member | None:
    """Return the constant that an object outside has from its class; None for anything else."""
    if not is_object(value) or name in dict(fields_held(value)):
        return None
    member = find_member(type(value), name)
    held = member and member.value
    is_more = callable(held) or isinstance(held, (classmethod, staticmethod, *PROPERTIES))
    return None if is_more else member


def value_outside(context: Context, node: n.Expression, value: object) -> Value:
    """Return what stands outside: an object, which may be a constant, or what holds some."""
    if isinstance(value, ObjectField):
        held = value.current
        type_ = outside_fields.type_in_object(context, node, value.live, value.name, held)
        qualified = f"{value.name} of {type(value.live).__qualname__} {id(value.live)}"
        return captured(context, node, value, value.name, qualified, type_)
    return Static(value, context.span(node)) if is_object(value) else as_value(context, node, value)


def default_outside(context: Context, node: n.Node, parameter: str, value: object) -> n.Expression:
    """Return a name for an object outside that is the default of a parameter."""
    name = f"{parameter}={id(value)}"
    context.learned.outside[name] = value
    place = n.Name(node.lo, node.hi, name)
    return context.learned.spreads.setdefault((node, (name,)), place)


def as_value(context: Context, node: n.Expression, value: object) -> Typed:
    """Return an object outside, or a list or the like that holds some, as a value."""
    live = type(value)
    short = live.__name__.lower()
    qualified = f"{live.__qualname__} {id(value)}"
    if is_scripted(value):
        context.note_objects(live, node)
        return captured(context, node, value, short, qualified, class_type(live))
    _require_makable(context, node, value)
    made = context.rounds.makers.of(value, lambda cls: context.class_of(cls, node).names)
    if len(context.rounds.makers) > _MOST:
        what = f"the script works with more than {_MOST} objects outside"
        context.fail("captured-value", what, node, instead="make them in the script")
    if is_object(value):
        context.note_objects(live, node)
    result = context.call(node, made.maker, ())
    found = captured(context, node, made, short, qualified, result.type)
    is_list = isinstance(found.type, ListType | Container)
    return replace(found, borrowed=f"{OUTSIDE_OBJECTS}{short}") if is_list else found


def _require_makable(context: Context, node: n.Expression, value: object) -> None:
    """Refuse objects that nothing can be made of which is the same."""
    ring = first_ring(value)
    if ring is not None:
        context.fail(
            "captured-value",
            f"this {type(ring).__name__} outside leads back to itself",
            node,
            why="a call makes objects like those outside one by one, each of what it holds",
            instead="make the objects in the script",
        )
    if not is_object(value):
        _require_flat(context, node, value)
        return
    known = context.class_of(type(value), node)
    for name in dict(fields_held(value)):
        if name not in known.names and find_member(type(value), name) is not None:
            context.fail(
                "captured-value",
                f"this {type(value).__name__} outside has a {name!r} of its own, as its class has",
                node,
                why="a call makes an object like it, which has that of the class",
                instead=f"set {name!r} in __init__",
            )
    beside = [name for name in dict(fields_held(value)) if name not in known.names]
    if beside and not exception_base(type(value)):
        # Python has set them of this object: others of the class may have none.
        for name in beside:
            context.rounds.fields.note_late(type(value), name)
        raise context.not_known_yet(node)
    missing = [f for f in known.names if f not in dict(fields_held(value)) and f not in known.late]
    if exception_base(type(value)) or missing:
        what = f"has no {missing[0]!r}" if missing else "is an exception"
        context.fail(
            "captured-value",
            f"this {type(value).__name__} outside {what}",
            node,
            instead="make the object in the script, or set all fields in __init__",
        )


def _require_flat(context: Context, node: n.Expression, value: object) -> None:
    """Refuse lists of lists of objects: what is put into an inner one is not always seen."""
    held = items_held(value)
    if any(is_container(part) and is_compiled_in(part) for part in held):
        kind = type(value).__name__
        context.fail(
            "captured-value",
            f"a {kind} outside has lists or dicts in it that hold objects or functions",
            node,
            why="Python would not see what is put into these",
            instead="tuples in their place, or make them in the script",
        )


def require_unchanged(functions: Sequence[CheckedFunction]) -> None:
    """Refuse that fields are stored of what is outside: Python would not see it."""
    captured = [c.value for f in functions for c in f.captures]
    objects = [c.value for c in captured if isinstance(c, MadeOutside) and is_object(c.value)]
    names = {cls.__name__: type(value) for value in objects for cls in line_of(type(value))}
    if not names:
        return
    for function in functions:
        for node, write in function.facts.writes.items():
            owner = write.operands[0].type if write.op is data.SET_FIELD else None
            if isinstance(owner, ClassType) and owner.name in names:
                field, lo = str(write.attrs["name"]), function.offset(node)
                span = Span(function.source, lo, lo + max(node.hi - node.lo, 1))
                raise stored_outside(field, names[owner.name].__name__, span)


def stored_outside(field: str, name: str, span: Span) -> TypeCheckError:
    """Return the refusal of what is stored in a field of an object outside, of a class `name`."""
    return TypeCheckError(
        Diagnostic(
            "captured-value",
            f"the field {field!r} is stored, and the script works with a {name} outside",
            span,
            why="a call makes an object like it, and Python would not see what is stored there",
            instead=f"put @script on class {name}, or make the object in the script",
        )
    )
