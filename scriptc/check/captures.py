"""What functions are handed of what stands outside: hidden arguments, and their types."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from scriptc.check.bindings import Typed
from scriptc.check.checked import Capture
from scriptc.check.context import Context
from scriptc.check.live_values import type_of
from scriptc.check.size_names import with_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.named_classes import kind_of
from scriptc_runtime.types import ClassType, NamedType, TensorType, Type, all_parts


def captured(
    context: Context, node: n.Expression, value: object, short: str, qualified: str, type_: Type
) -> Typed:
    """Return what each call is handed, or makes at its beginning."""
    capture = context.captures.get(qualified)
    if capture is None:
        others = sum(c.name == short for c in context.captures.values())
        prefix = f"{short}{others or ''}_"
        sized = type_
        if isinstance(type_, TensorType):
            sized = with_sizes(type_, prefix, context.size_names)
        capture = context.captures[qualified] = Capture(short, sized, value, qualified)
    context.facts.captures[node] = qualified
    context.facts.types[node] = capture.type
    return Typed(capture.type, context.span(node))


def type_outside(context: Context, node: n.Expression, value: object, name: str) -> Type:
    """Return the type of what is outside, whose classes are used.  Raises TypeCheckError."""

    def find() -> tuple[Type, Sequence[type]]:
        found = type_of(value, repr(name), context.span(node), context.whole)
        of_classes = any(isinstance(part, ClassType | NamedType) for part in all_parts(found))
        return found, tuple(dict.fromkeys(_classes_in(value))) if of_classes else ()

    type_, classes = context.outside.held(value, find)
    names = {part.name for part in all_parts(type_) if isinstance(part, ClassType)}
    for live in classes:
        if live.__name__ in names:
            context.note_objects(live, node)
    _declare_named(context, type_, classes)
    return type_


def declare_named(context: Context, type_: Type, value: object) -> None:
    """Declare the enumerations and the classes of named tuples whose values are held."""
    if any(isinstance(part, NamedType) for part in all_parts(type_)):
        _declare_named(context, type_, _classes_in(value))


def _declare_named(context: Context, type_: Type, classes: Iterable[type]) -> None:
    if any(isinstance(part, NamedType) for part in all_parts(type_)):
        for live in classes:
            if kind_of(live) is not None:
                context.declare_named(live)


def _classes_in(value: object) -> Iterator[type]:
    """Yield the classes of what is held, at any depth."""
    if isinstance(value, tuple) and kind_of(type(cast(object, value))) is not None:
        yield type(cast(object, value))
    if isinstance(value, Mapping):
        held = cast("Mapping[object, object]", value)
        parts: Iterable[object] = (*held.keys(), *held.values())
    elif isinstance(value, list | tuple | set | frozenset | deque):
        parts = cast("Iterable[object]", value)
    else:
        yield type(value)
        return
    for part in parts:
        yield from _classes_in(part)
