"""Members of enumerations as values: names, values, texts, operators, and the class itself."""

from collections.abc import Callable
from enum import Enum
from types import DynamicClassAttribute
from typing import cast

from scriptc.check.bindings import Known, Static, Typed
from scriptc.check.checked import Check, Computation, Convert, Literal
from scriptc.check.constants import constant_of
from scriptc.check.context import Context, Value, operand
from scriptc.check.live_values import type_of
from scriptc.check.named import methods, tables
from scriptc.check.named_types import enumeration, is_member, number_of, plain_type
from scriptc.syntax import nodes as n
from scriptc_runtime.named_classes import PLAIN_ENUM, members_of
from scriptc_runtime.ops import data, elementwise
from scriptc_runtime.types import BOOL, INT, STR, NamedType

_FLAGS = ("Flag", "IntFlag")
_OPERATORS = {"&": elementwise.AND, "|": elementwise.OR, "^": elementwise.XOR}


def constant(context: Context, node: n.Expression, member: Enum) -> Typed:
    """Return a member that is written down."""
    cls = type(member)
    type_ = enumeration(cls, context.span(node))
    assert type_ is not None
    context.declare_named(cls)
    number = number_of(member)
    known = None if type_.kind == PLAIN_ENUM else Known(number)
    return context.constant(
        node, Literal(number, type_), Typed(type_, context.span(node), known=known)
    )


def attribute(context: Context, node: n.Attribute, base: Typed) -> Value:
    """Check an attribute of a member."""
    type_ = base.type
    assert isinstance(type_, NamedType)
    cls = context.named_class(type_)
    member = _own(cls, node.attr)
    whole = operand(node.value, base)
    if node.attr in ("name", "_name_") and (member is None or node.attr == "_name_"):
        return context.record(node, [node.value], name_of(context, node, whole))
    if node.attr in ("value", "_value_") and (member is None or node.attr == "_value_"):
        return context.record(node, [node.value], value_of(context, node, whole))
    if isinstance(member, property):
        found = methods.call(context, node, cls, node.attr, whole)
        return context.record(node, [node.value], found)
    found = tables.attribute_table(cls, node.attr) if member is None else None
    if found is not None:
        value = context.call(node, found, (plain_value(type_, whole),))
        return context.record(node, [node.value], value)
    if member is None and type_.kind != "StrEnum":
        context.fail(
            "unknown-attribute",
            f"{cls.__name__} has no attribute {node.attr!r} that can be read in scripts",
            node,
            instead="its name, its value, and the methods and properties of its class",
        )
    return Static(node.attr, context.span(node), (node.value, base))


def _own(cls: type, name: str) -> object:
    """Return a method or a property that the class of a member has in its text."""
    member = cast("object | None", vars(cls).get(name))
    return None if isinstance(member, DynamicClassAttribute | Enum) else member


def plain_value(type_: NamedType, value: Computation) -> Computation:
    """Return what a member is made of."""
    if isinstance(value, Literal):
        return Literal(value.value, type_.base)
    return Convert(value, type_.base)


def name_of(context: Context, node: n.Node, value: Computation) -> Computation:
    """Return the name of a member."""
    type_ = cast(NamedType, value.type)
    if type_.kind in _FLAGS:
        return context.call(
            node,
            tables.table(context.named_class(type_), "flag_name"),
            (plain_value(type_, value),),
        )
    return context.call(
        node, tables.table(context.named_class(type_), "name_of"), (plain_value(type_, value),)
    )


def value_of(context: Context, node: n.Node, value: Computation) -> Computation:
    """Return the value of a member."""
    type_ = cast(NamedType, value.type)
    if type_.kind != PLAIN_ENUM:
        return plain_value(type_, value)
    cls = context.named_class(type_)
    if isinstance(value, Literal):
        return _written_value(context, node, members_of(cls)[cast(int, value.value)])
    kinds = {type(cast(object, member.value)) for member in members_of(cls)}
    if not kinds <= {bool, int, float, complex, str} and kinds != {tuple}:
        context.fail(
            "class-member",
            f"the values of {cls.__name__} are no numbers, texts or tuples",
            node,
            instead="a function with a match over the members",
        )
    return context.call(node, tables.table(cls, "value_of"), (plain_value(type_, value),))


def _written_value(context: Context, node: n.Node, member: Enum) -> Computation:
    value = cast(object, member.value)
    what = f"the value of {member.name}"
    type_ = type_of(value, what, context.span(node))
    return constant_of(context, node, value, type_, "class-member", what)


def made_of(context: Context, node: n.Node, cls: type, value: Computation) -> Computation:
    """Return `Color(value)`; ValueError where there is no such member."""
    type_ = enumeration(cls, context.span(node))
    assert type_ is not None
    context.declare_named(cls)
    if value.type == type_:
        return value
    if is_member(value.type):
        value = Convert(value, plain_type(value.type))
    if type_.kind in _FLAGS:
        return _flag_of(context, node, cls, value)
    return Convert(context.call(node, tables.table(cls, "number_of"), (value,)), type_)


def _flag_of(context: Context, node: n.Node, cls: type, value: Computation) -> Computation:
    number = value.value if isinstance(value, Literal) else None
    if type(number) is not int:
        context.fail(
            "argument",
            f"{cls.__name__}() takes an int that is written down",
            node,
            instead="flags by their names, joined by |",
        )
    type_ = enumeration(cls)
    assert type_ is not None
    make = cast("Callable[[int], object]", cls)
    try:
        member = make(number)
    except ValueError as error:
        found = Literal(0, INT)
        return Check(Literal(False, BOOL), "ValueError", str(error), Convert(found, type_), type_)
    return Convert(Literal(cast(int, getattr(member, "_value_", 0)), INT), type_)


def by_name(context: Context, node: n.Node, cls: type, name: Computation) -> Computation:
    """Return `Color[name]`; KeyError where there is no such member."""
    type_ = enumeration(cls, context.span(node))
    assert type_ is not None
    context.declare_named(cls)
    return Convert(context.call(node, tables.table(cls, "by_name"), (name,)), type_)


def text(
    context: Context, node: n.Node, value: Computation, spec: str, conversion: str
) -> Computation | None:
    """Return a member as text; None where it is that of what it is made of."""
    type_ = cast(NamedType, value.type)
    cls = context.named_class(type_)
    names = ("__repr__",) if conversion == "r" else ("__str__",)
    if not conversion:
        names = ("__format__", "__str__")
    for name in names:
        given = (Literal(spec, STR),) if name == "__format__" else ()
        if methods.function_of(cls, name) is not None:
            return methods.call(context, node, cls, name, value, *given)
    if conversion != "r" and plain_type(type_) is not type_:
        return None
    if spec:
        context.fail(
            "format", "a member of an enumeration takes no format", node, instead="its name"
        )
    if type_.kind in _FLAGS:
        shown = "flag_repr" if conversion == "r" else "flag_text"
        return context.call(node, tables.table(cls, shown), (plain_value(type_, value),))
    plain_text: list[Computation] = [
        Literal(f"{cls.__name__}.", STR),
        name_of(context, node, value),
    ]
    if conversion != "r":
        return context.apply(node, data.CONCAT, *plain_text)
    shown = context.text(node, value_of(context, node, value), "r")
    parts = (Literal("<", STR), *plain_text, Literal(": ", STR), shown, Literal(">", STR))
    return context.apply(node, data.CONCAT, *parts)


def truth(context: Context, node: n.Node, value: Computation) -> Computation | None:
    """Return whether a member counts as true; None where what it is made of says so."""
    type_ = cast(NamedType, value.type)
    cls = context.named_class(type_)
    if methods.function_of(cls, "__bool__") is not None:
        return methods.call(context, node, cls, "__bool__", value)
    return Literal(True, BOOL) if type_.kind == PLAIN_ENUM else None


def equal(
    context: Context, node: n.Node, left: Computation, right: Computation
) -> Computation | None:
    """Return whether two values, one of them a member, are equal; None if as what they are."""
    if left.type == right.type:
        type_ = cast(NamedType, left.type)
        sides = (plain_value(type_, side) for side in (left, right))
        return context.apply(node, elementwise.EQ, *sides)
    for side in (left, right):
        if is_member(side.type) and plain_type(side.type) is side.type:
            return Literal(False, BOOL)  # a member of Enum or Flag equals nothing else
    return None


def operator(
    context: Context, node: n.Node, symbol: str, left: Computation, right: Computation
) -> Computation | None:
    """Return `left symbol right` of flags of one class; None for anything else."""
    type_ = left.type if is_member(left.type) else right.type
    assert isinstance(type_, NamedType)
    if type_.kind not in _FLAGS or symbol not in _OPERATORS:
        return None
    sides: list[Computation] = []
    for side in (left, right):
        if side.type == type_:
            sides.append(plain_value(type_, side))
        elif type_.kind == "IntFlag" and side.type is INT:
            if not (isinstance(side, Literal) and type(side.value) is int and side.value >= 0):
                context.fail(
                    "operand-type",
                    f"{type_} {symbol} an int, which may be negative",
                    node,
                    why="the bits that Python keeps depend on the number",
                    instead="members of the class, or the value of the flag: flag.value",
                )
            sides.append(side)
        else:
            return None
    return Convert(context.apply(node, _OPERATORS[symbol], *sides), type_)


def inverted(context: Context, node: n.Node, value: Computation) -> Computation | None:
    """Return `~flag`: all other bits that the class has."""
    type_ = cast(NamedType, value.type)
    if type_.kind not in _FLAGS:
        return None
    every = 0
    for number in tables.numbers_of(context.named_class(type_)):
        every |= cast(int, number)
    found = context.apply(node, elementwise.XOR, plain_value(type_, value), Literal(every, INT))
    return Convert(found, type_)


def members(context: Context, node: n.Expression, cls: type) -> n.Expression:
    """Return a display of the members of a class, which a loop over it meets."""
    context.declare_named(cls)
    known = context.learned.patterns.get((node, "members"))
    if known is None:
        names = [m.name for m in list(cast("type[Enum]", cls))]
        items = tuple(n.Attribute(node.lo, node.hi, node, name) for name in names)
        known = context.learned.patterns[node, "members"] = n.List(node.lo, node.hi, items)
    assert isinstance(known, n.Expression)
    return known


def enumeration_of(value: Value) -> type | None:
    """Return the enumeration that a name stands for; None for any other value."""
    if isinstance(value, Static) and value.receiver is None and isinstance(value.value, type):
        return value.value if issubclass(value.value, Enum) else None
    return None
