"""Generic classes where they are called: with types in brackets, or types that are inferred."""

from collections.abc import Sequence
from types import FunctionType
from typing import NoReturn, cast

from scriptc.check.annotations import annotation_object, evaluate, instance
from scriptc.check.bindings import Static
from scriptc.check.context import Context
from scriptc.check.generics import (
    annotation_of,
    inferred,
    meaning_of,
    origin_of,
    parameters_of,
)
from scriptc.check.hints import names_in
from scriptc.check.library.binding import bind
from scriptc.check.open_types import is_open
from scriptc.check.signatures import Signature
from scriptc.syntax import nodes as n
from scriptc_runtime.types import ClassType, Type


def subscripted(context: Context, node: n.Subscript, cls: type) -> Static:
    """Check `Stack[int]`, a class."""
    span, look_up = context.span(node), names_in(context.function)
    given = evaluate(node.slice, look_up, span)
    arguments = cast("tuple[object, ...]", given) if isinstance(given, tuple) else (given,)
    found = instance(cls, arguments, look_up, span)
    if not isinstance(found, type):
        _refuse_open(context, node, cls)
    return Static(found, span)


def class_called(
    context: Context,
    node: n.Call,
    cls: type,
    init: FunctionType,
    signature: Signature,
    expected: Type | None,
) -> type:
    """Return the class of the object that a call of a generic class makes."""
    variables = parameters_of(cls)
    look_up = names_in(context.function)
    if not variables:
        found = instance(cls, (), look_up, context.span(node))
        return found if isinstance(found, type) else cls
    given = _given(context, node, cls, signature)
    types = inferred(cls, _annotations(context, node, init), given)
    if types is not None:
        values = [annotation_of(t, lambda name: context.class_named(name).live) for t in types]
        found = instance(cls, values, look_up, context.span(node))
        if isinstance(found, type):
            return found
    if isinstance(expected, ClassType):
        live = context.class_named(expected.name).live
        if origin_of(live) is cls:
            return live
    own = [meaning_of(context.function, variable.__name__) for variable in variables]
    found = instance(cls, own, look_up) if all(value is not None for value in own) else None
    # What nothing is said of are hints: all such objects are of one class.
    return found if isinstance(found, type) else cls


def _annotations(context: Context, node: n.Call, init: FunctionType) -> dict[str, object]:
    """Return the annotations of a constructor, read where they are text."""
    look_up, span = names_in(init), context.span(node)
    written = cast("dict[str, object]", init.__annotations__)
    return {name: annotation_object(value, look_up, span) for name, value in written.items()}


def _given(context: Context, node: n.Call, cls: type, signature: Signature) -> dict[str, Type]:
    """Return the types of the arguments of a constructor."""
    own = Signature(
        signature.names[1:],
        {},
        signature.defaults,
        signature.positional - 1,
        signature.by_name,
        starred=signature.starred,
        keywords=signature.keywords,
    )
    found: dict[str, Type] = {}
    for name, argument in bind(context, node, cls.__name__, own, 0):
        value = context.expression(argument)
        if not isinstance(value, Static) and not is_open(value.type):
            found[name] = value.type
    return found


def _refuse_open(context: Context, at: n.Node, cls: type) -> NoReturn:
    names: Sequence[str] = [variable.__name__ for variable in parameters_of(cls)]
    context.fail(
        "class-field",
        f"nothing says what {' and '.join(names)} of the generic class {cls.__name__} mean",
        at,
        why="a generic class is compiled for the types that stand for its parameters",
        instead=f"{cls.__name__}[int](...), or annotate the variable",
    )
