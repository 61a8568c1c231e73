"""Calls of enumerations and of classes of named tuples, and of what their objects have."""

from types import FunctionType

from scriptc.check import annotations, declared_types
from scriptc.check.bindings import Known, Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.constants import constant_of
from scriptc.check.context import Context, operand
from scriptc.check.library.binding import bind
from scriptc.check.live_values import type_of
from scriptc.check.named import enumerations, methods, tuples
from scriptc.check.named_types import is_member, is_named_tuple
from scriptc.syntax import nodes as n
from scriptc_runtime.named_classes import members_of
from scriptc_runtime.types import BOOL, INT, NamedType


def made(context: Context, node: n.Call, cls: type) -> Typed:
    """Check `Color(1)` or `Point(1, y=2)`."""
    if tuple in cls.__mro__:
        return _named_tuple(context, node, cls)
    if len(node.args) != 1 or node.keywords:
        instead = f"{cls.__name__}(value)"
        context.fail("call-arity", f"{cls.__name__}() takes a value", node, instead=instead)
    value = context.typed(node.args[0])
    known = value.known.value if value.known and value.literal else None
    given = operand(node.args[0], value)
    if type(known) is int:
        given = Literal(known, INT)
    found = enumerations.made_of(context, node, cls, given)
    return context.record(node, [node.args[0]], found)


def _named_tuple(context: Context, node: n.Call, cls: type) -> Typed:
    if "__new__" in vars(cls) and not _is_made(cls):
        context.fail("class-member", f"{cls.__name__} has a __new__ of its own", node)
    declared = annotations.declared_named(cls, context.span(node))
    signature = tuples.signature_of(cls, declared)
    parts: list[n.Expression] = []
    values: dict[str, Computation] = {}
    for name, given in bind(context, node, cls.__name__, signature, 0):
        told = signature.declared.get(name)
        value = context.typed(given, told)
        context.require_items(given, value)
        parts.append(given)
        values[name] = operand(given, value)
        if told is not None:
            what = f"the field {name!r}"
            values[name] = declared_types.declare(context, given, value, values[name], told, what)
    for name in signature.names:
        if name not in values:
            what = f"the default of {name!r}"
            default = signature.defaults[name]
            type_ = type_of(default, what, context.span(node))
            value = constant_of(context, node, default, type_, "captured-value", what)
            values[name] = value
            if name in signature.declared:
                known = Typed(type_, context.span(node))
                told = signature.declared[name]
                values[name] = declared_types.declare(context, node, known, value, told, what)
    items = [values[name] for name in signature.names]
    return context.record(node, parts, tuples.made(context, node, cls, items, declared))


def _is_made(cls: type) -> bool:
    """Whether `__new__` is the one that collections.namedtuple writes."""
    code = getattr(vars(cls)["__new__"], "__code__", None)
    return getattr(code, "co_filename", "").startswith("<string>") or code is None


def method(
    context: Context, node: n.Call, base: n.Expression, receiver: Typed, name: str
) -> Typed | None:
    """Check a call of a method that named tuples have from Python; None for any other."""
    if not is_named_tuple(receiver.type):
        return None
    if name == "_replace":
        parts, found = tuples.replaced(context, node, receiver, base)
        return context.record(node, parts, found)
    if name == "_asdict" and not node.args and not node.keywords:
        return tuples.as_dict(context, node, receiver, base)
    return None


def written_method(context: Context, type_: NamedType, name: str) -> FunctionType | None:
    """Return a method that a class has in its text."""
    return methods.function_of(context.named_class(type_), name)


def count(context: Context, node: n.Call) -> Typed | None:
    """Check `len(Color)`; None for the length of anything else."""
    if not isinstance(node.args[0], n.Name | n.Attribute):
        return None
    cls = enumerations.enumeration_of(context.expression(node.args[0]))
    if cls is None:
        return None
    size = len(members_of(cls))
    typed = Typed(INT, context.span(node), known=Known(size))
    return context.constant(node, Literal(size, INT), typed)


def among(context: Context, node: n.Compare, whole: n.Expression) -> Typed | None:
    """Check `x in Color`, which types decide; None for what is no enumeration."""
    cls = enumerations.enumeration_of(context.expression(whole))
    if cls is None:
        return None
    value = context.typed(node.left)
    if not is_member(value.type):
        context.fail(
            "operator",
            f"'in' asks whether {value.type} is in {cls.__name__}",
            node,
            why="what Python says of values that are no members differs by version",
            instead=f"any(m.value == x for m in {cls.__name__})",
        )
    assert isinstance(value.type, NamedType)
    is_in = (context.named_class(value.type) is cls) is (node.ops[0] == "in")
    return context.record(node, [node.left], Literal(is_in, BOOL))
