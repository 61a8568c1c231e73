"""Named tuples as values: how they are made, their fields and methods, their text."""

from collections.abc import Sequence
from typing import cast

from scriptc.check import declared_types
from scriptc.check.bindings import Static, Typed
from scriptc.check.checked import Computation, Convert, Literal
from scriptc.check.constants import constant_of
from scriptc.check.context import Context, Value, operand
from scriptc.check.live_values import type_of
from scriptc.check.named import methods
from scriptc.check.named_types import is_index_part, named_tuple
from scriptc.check.signatures import Signature
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.ops import data
from scriptc_runtime.types import STR, NamedType, TupleType, Type


def fields_of(type_: NamedType) -> Sequence[str]:
    """Return the names of the fields."""
    return cast("tuple[str, ...]", type_.labels)


def signature_of(cls: type, declared: Type | None) -> Signature:
    """Return the parameters of what makes a named tuple, as its class has them."""
    names = cast("tuple[str, ...]", getattr(cls, "_fields"))  # noqa: B009 -- no known attribute
    items = (
        declared.base.items
        if isinstance(declared, NamedType) and isinstance(declared.base, TupleType)
        else ()
    )
    defaults = cast("dict[str, object]", getattr(cls, "_field_defaults", {}))
    told = dict(zip(names, items, strict=True)) if items else {}
    return Signature(names, told, defaults, len(names), frozenset(names))


def made(
    context: Context,
    node: n.Node,
    cls: type,
    items: Sequence[Computation],
    declared: Type | None = None,
) -> Computation:
    """Return a named tuple of the values of its fields."""
    context.declare_named(cls)
    whole = context.apply(node, data.TUPLE, *items)
    type_ = declared or named_tuple(cls, [without_sizes(item.type) for item in items])
    return Convert(whole, type_)


def attribute(context: Context, node: n.Attribute, base: Typed) -> Value:
    """Check an attribute of a named tuple."""
    type_ = base.type
    assert isinstance(type_, NamedType)
    cls, fields = context.named_class(type_), fields_of(type_)
    whole = operand(node.value, base)
    if node.attr in fields and methods.function_of(cls, node.attr) is None:
        item = field(context, node, whole, fields.index(node.attr))
        return context.record(node, [node.value], item)
    if node.attr == "_fields" and not is_index_part(type_):
        type_of_names = type_of(fields, "_fields", context.span(node))
        names = constant_of(context, node, fields, type_of_names, "class-member", "_fields")
        return context.record(node, [node.value], names)
    if isinstance(_member(cls, node.attr), property):
        found = methods.call(context, node, cls, node.attr, whole)
        return context.record(node, [node.value], found)
    return Static(node.attr, context.span(node), (node.value, base))


def _member(cls: type, name: str) -> object:
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


def field(context: Context, at: n.Node, whole: Computation, index: int) -> Computation:
    """Return one field of a named tuple."""
    type_ = whole.type
    assert isinstance(type_, NamedType)
    return context.apply(at, data.ITEM, Convert(whole, type_.base), index=index)


def replaced(
    context: Context, node: n.Call, base: Typed, at: n.Expression
) -> tuple[list[n.Expression], Computation]:
    """Check `p._replace(x=1)`; return what is evaluated, and the new named tuple."""
    type_ = base.type
    assert isinstance(type_, NamedType)
    fields = fields_of(type_)
    assert isinstance(type_.base, TupleType)
    held, whole = type_.base.items, operand(at, base)
    parts: list[n.Expression] = [at]
    given: dict[str, Computation] = {}
    for keyword in node.keywords:
        if keyword.arg not in fields or node.args:
            context.fail(
                "call-arity",
                f"_replace() takes fields of {type_.name} by name",
                keyword,
                why="Python raises ValueError: Got unexpected field names",
                instead=f"its fields are {', '.join(fields)}",
            )
        assert keyword.arg
        told = held[fields.index(keyword.arg)]
        value = context.typed(keyword.value, told)
        parts.append(keyword.value)
        whole_value, what = operand(keyword.value, value), f"the field {keyword.arg!r}"
        given[keyword.arg] = whole_value
        if value.type != told:
            given[keyword.arg] = declared_types.declare(
                context, keyword, value, whole_value, told, what
            )
    items = [given.get(name) or field(context, node, whole, i) for i, name in enumerate(fields)]
    return parts, made(context, node, context.named_class(type_), items, type_)


def as_dict(context: Context, node: n.Call, base: Typed, at: n.Expression) -> Typed:
    """Check `p._asdict()`, where all fields are of one type."""
    type_ = base.type
    assert isinstance(type_, NamedType)
    known = context.learned.patterns.get((node, "fields"))
    if known is None:
        names = fields_of(type_)
        keys = tuple(n.Constant(node.lo, node.hi, name, None) for name in names)
        items = tuple(n.Attribute(node.lo, node.hi, at, name) for name in names)
        known = context.learned.patterns[node, "fields"] = n.Dict(node.lo, node.hi, keys, items)
    assert isinstance(known, n.Dict)
    if not isinstance(at, n.Name):
        context.fail(
            "starred", "_asdict() is called on what is computed", at, instead="give it a name first"
        )
    value = context.typed(known)
    context.facts.expanded[node] = Expansion((), known, frozenset())
    context.facts.types[node] = value.type
    return value


def text(context: Context, at: n.Node, value: Computation) -> Computation:
    """Return `Point(x=1, y=2)`."""
    type_ = value.type
    assert isinstance(type_, NamedType)
    texts: list[Computation] = [Literal(f"{type_.name}(", STR)]
    for place, name in enumerate(fields_of(type_)):
        texts.append(Literal(f"{', ' if place else ''}{name}=", STR))
        texts.append(context.text(at, field(context, at, value, place), "r"))
    return context.apply(at, data.CONCAT, *texts, Literal(")", STR))
