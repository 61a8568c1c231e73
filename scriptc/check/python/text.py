"""Values as text: f-strings, str(), print()."""

from collections.abc import Callable
from typing import NoReturn

from scriptc.check import protocols
from scriptc.check.bindings import Typed
from scriptc.check.checked import Apply, Check, Computation, Literal, Select
from scriptc.check.context import Context
from scriptc.check.library.standard import standard_function
from scriptc.check.member_choices import by_member
from scriptc.check.members import find_member
from scriptc.check.named import enumerations, operators, tuples
from scriptc.check.named_types import is_member, is_records
from scriptc.check.open_types import is_open
from scriptc.check.python import type_errors
from scriptc.syntax.nodes import Node
from scriptc_runtime.collection_classes import factory_name, factory_named
from scriptc_runtime.ops import data, exceptions, texts
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    COMPLEX,
    EXCEPTION_ARGS,
    EXCEPTION_CLASS,
    FLOAT,
    INT,
    NONE,
    OF_EXCEPTIONS,
    STR,
    ClassType,
    Container,
    DequeType,
    DictType,
    DType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_tuple_of,
)


def format_value(
    context: Context, at: Node, value: Computation, spec: str = "", conversion: str = ""
) -> Computation:
    """Return `value` as text, as format() gives it."""
    if conversion == "a" and _may_hold_texts(value.type):
        shown = format_value(context, at, value, "", "r")
        escaped = context.call(at, standard_function("texts", "escaped"), (shown,))
        return format_value(context, at, escaped, spec)
    return _formatted(context, at, value, spec, conversion)


def _may_hold_texts(type_: Type) -> bool:
    """Whether values are no single ones, which know what is not ASCII in their texts."""
    return type_ in OF_EXCEPTIONS or not isinstance(type_, PyType | DType | TensorType)


def _formatted(
    context: Context, at: Node, value: Computation, spec: str, conversion: str
) -> Computation:
    if value.type is EXCEPTION_ARGS or value.type in OF_EXCEPTIONS:
        value = _of_exception(context, at, value, conversion)
        conversion = "" if conversion == "r" else conversion
    if value.type is STR and not spec and conversion in ("", "s"):
        return value
    if spec and conversion and not isinstance(value.type, PyType | DType):
        value, conversion = format_value(context, at, value, "", conversion), ""
    if is_open(value.type):
        raise context.not_known_yet(at)
    if isinstance(value.type, NamedType | ClassType):
        return _own_text(context, at, value, spec, conversion)
    if isinstance(value.type, UnionType | OptionalType):
        return _member_text(context, at, value, spec, conversion)
    if isinstance(value.type, TupleType | ListType | Container) and not spec:
        return _text_of_parts(context, at, value)
    if isinstance(value.type, TensorType) and not spec:
        kind = "repr" if conversion in ("r", "a") else "str"  # NumPy's texts are ASCII
        return context.apply(at, texts.ARRAY_TEXT, value, kind=kind)
    if not isinstance(value.type, PyType | DType):
        _refuse(context, at, value, "format its numbers one by one")
    return context.apply(at, data.FORMAT, value, spec=spec, conversion=conversion)


def format_by(
    context: Context, at: Node, value: Computation, spec: Computation, conversion: str = ""
) -> Computation:
    """Return `value` as text, as format() gives it for a format that may be computed."""
    if isinstance(spec, Literal):
        return format_value(context, at, value, str(spec.value), conversion)
    if conversion and value.type is not STR:
        value, conversion = format_value(context, at, value, "", conversion), ""
    if isinstance(value.type, ClassType) and (
        found := protocols.called(context, at, "__format__", value, spec)
    ):
        return found
    if isinstance(value.type, UnionType | OptionalType):
        return _by_members(context, at, value, lambda member: _member_by(context, at, member, spec))
    if not isinstance(value.type, DType) and value.type not in _FORMATTED:
        context.fail(
            "format-spec",
            f"a format that is computed is not built for {value.type}",
            at,
            instead="write the format as a constant, or format str(x)",
        )
    return context.apply(at, texts.FORMAT_BY, value, spec, conversion=conversion)


def _member_by(context: Context, at: Node, value: Computation, spec: Computation) -> Computation:
    """Return the text of a member by a computed format: some take none but the empty one."""
    raised = type_errors.of_format(value.type, "x")
    if raised is None:
        return format_by(context, at, value, spec)
    sides = ((Typed(STR, context.span(at)), text) for text in (spec, Literal("", STR)))
    is_empty = context.compared(at, "==", *sides)
    return Check(is_empty, *raised, format_value(context, at, value), STR)


# What a format may be computed for.
_FORMATTED = (BIGINT, BOOL, COMPLEX, FLOAT, INT, NONE, STR)


def _member_text(
    context: Context, at: Node, value: Computation, spec: str, conversion: str
) -> Computation:
    """Return the text of what may be of several types: that of the member that it is of."""

    def text(member: Computation) -> Computation:
        raised = type_errors.of_format(member.type, spec) if spec and not conversion else None
        if raised is not None:
            return Check(Literal(False, BOOL), *raised, Literal("", STR), STR)
        return format_value(context, at, member, spec, conversion)

    return _by_members(context, at, value, text)


def _by_members(
    context: Context, at: Node, value: Computation, text: Callable[[Computation], Computation]
) -> Computation:
    found = by_member(context, at, value, text)
    if found is None:  # all of them are texts, but for one that a function has not given yet
        raise context.not_known_yet(at)
    return found


def _text_of_items(
    context: Context, at: Node, value: Computation, type_: ListType | Container
) -> Computation:
    if isinstance(type_, DequeType):
        return context.call(at, standard_function("deques", "deque_text"), (value,))
    if isinstance(type_, DictType) and type_.kind != "dict":
        return _text_of_dict(context, at, value, type_)
    if not isinstance(type_, SetType):
        kind = "tuple_text" if is_tuple_of(type_) else "list_text"
        place = ("texts", kind) if isinstance(type_, ListType) else ("dicts", "dict_text")
        return context.call(at, standard_function(*place), (value,))
    around = ("frozenset({", "})") if type_.frozen else ("{", "}")
    given = (value, *(Literal(text, STR) for text in (type_.name, *around)))
    return context.call(at, standard_function("collection_texts", "set_text"), given)


def _text_of_dict(context: Context, at: Node, value: Computation, type_: DictType) -> Computation:
    """Return the text of a dict of a class of `collections`."""
    given: tuple[Computation, ...] = ()
    if type_.kind == "defaultdict":
        name = factory_name(type_.value)
        factory = factory_named(name) if name and type_.factory is None else None
        if not isinstance(factory, type):
            _refuse(context, at, value, "dict(x), as this text has an address in memory")
        given = (Literal(repr(factory), STR),)
    place = standard_function("collection_texts", f"{type_.kind.lower()}_text")
    return context.call(at, place, (value, *given))


def _of_exception(context: Context, at: Node, value: Computation, conversion: str) -> Computation:
    if value.type is EXCEPTION_ARGS:
        plain = context.apply(at, exceptions.ARGUMENTS_TEXT, value)
        if not context.rounds.arguments.are_held():
            return plain
        text = context.call(at, standard_function("exceptions", "arguments_text"), (value,))
        return Select(context.apply(at, exceptions.HOLDS_VALUES, value), text, plain, STR)
    return _exception_text(context, at, value, conversion)


def _exception_text(context: Context, at: Node, value: Computation, conversion: str) -> Computation:
    """Return the text of an exception: by a method of its class, if that is the program's."""
    shown = "repr" if conversion == "r" else "str"
    kind = "class_text" if value.type is EXCEPTION_CLASS else shown
    found: Computation = context.apply(at, exceptions.EXCEPTION_TEXT, value, kind=kind)
    if value.type is EXCEPTION_CLASS:
        return _class_text(context, at, value, found)
    found = _text_of_held(context, at, value, shown, found)
    if isinstance(value, Apply):
        return found  # of an object it is known that there is no such method
    for live in context.made_of():
        if find_member(live, f"__{shown}__") is None:
            continue
        name = live.__name__
        test = context.apply(at, exceptions.IS_OBJECT, value, classes=(name,))
        own = context.apply(at, exceptions.OBJECT_OF, value, cls=name, classes=(name,))
        found = Select(test, format_value(context, at, own, "", conversion), found, STR)
    return found


def _text_of_held(
    context: Context, at: Node, value: Computation, shown: str, plain: Computation
) -> Computation:
    """Return the text of an exception whose arguments Python may not look into."""
    if not context.rounds.arguments.are_held():
        return plain
    args = context.apply(at, exceptions.ABOUT_EXCEPTION, value, kind="args")
    is_key = context.apply(at, exceptions.IS_EXCEPTION, value, kind="KeyError")
    name = context.apply(at, exceptions.EXCEPTION_TEXT, value, kind="name")
    place = standard_function("exceptions", f"exception_{shown}")
    text = context.call(at, place, (args, is_key) if shown == "str" else (args, name))
    holds = context.apply(at, exceptions.HOLDS_VALUES, args)
    return Select(holds, text, plain, STR)


def _class_text(
    context: Context, at: Node, value: Computation, built_in: Computation
) -> Computation:
    """Return the text of the class of an exception: one of the program's is known by its name."""
    found, span = built_in, context.span(at)
    name = context.apply(at, exceptions.EXCEPTION_TEXT, value, kind="class")
    for live in context.made_of():
        own = Literal(live.__name__, STR)
        same = context.compared(at, "==", (Typed(STR, span), name), (Typed(STR, span), own))
        found = Select(same, Literal(str(live), STR), found, STR)
    return found


def _text_of_parts(context: Context, at: Node, value: Computation) -> Computation:
    if isinstance(value.type, TupleType):
        return _tuple_text(context, at, value, value.type)
    assert isinstance(value.type, ListType | Container)
    return _text_of_items(context, at, value, value.type)


def _own_text(
    context: Context, at: Node, value: Computation, spec: str, conversion: str
) -> Computation:
    """Return the text of an object, a member or a named tuple."""
    if isinstance(value.type, ClassType):
        return _object_text(context, at, value, spec, conversion)
    if is_member(value.type):
        found = enumerations.text(context, at, value, spec, conversion)
        return found or format_value(
            context, at, operators.plain_computation(value), spec, conversion
        )
    if is_records(value.type):
        _refuse(context, at, value, "write its fields one by one")
    if spec:
        _refuse(context, at, value, "format its items one by one")
    for name in ("__repr__",) if conversion == "r" else ("__str__", "__repr__"):
        if (found := protocols.called(context, at, name, value)) is not None:
            return found
    return tuples.text(context, at, value)


def _object_text(
    context: Context, at: Node, value: Computation, spec: str, conversion: str
) -> Computation:
    found = protocols.text_of(context, at, value, spec, conversion)
    if found is None:
        _refuse(context, at, value, "write its __str__ or __repr__, or its fields one by one")
    return found


def _refuse(context: Context, at: Node, value: Computation, instead: str) -> NoReturn:
    context.fail("format", f"formatting {value.type} is not built", at, instead=instead)


def _tuple_text(context: Context, at: Node, value: Computation, type_: TupleType) -> Computation:
    """Return what Python shows of a tuple: its items as repr() gives them."""
    texts: list[Computation] = []
    for index in range(len(type_.items)):
        texts.append(Literal(", " if index else "(", STR))
        item = context.apply(at, data.ITEM, value, index=index)
        texts.append(format_value(context, at, item, "", "r"))
    end = {0: "()", 1: ",)"}.get(len(type_.items), ")")
    return context.apply(at, data.CONCAT, *texts, Literal(end, STR))
