"""Comparisons and texts that `dataclasses` writes, made of the fields: they have no source.

    a == b      (a.x, a.y) == (b.x, b.y) if both are of one class

Objects of several classes are equal if they are of the same class and their fields are.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import cast

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal, Select
from scriptc.check.context import Context
from scriptc.check.dispatch import Case, narrowed
from scriptc.check.generics import origin_of
from scriptc.check.library.standard import standard_function
from scriptc.check.members import find_member, untyped_field
from scriptc.syntax.nodes import Node
from scriptc.values import dataclass_members
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.ops import classes, data
from scriptc_runtime.types import BOOL, STR, ClassType, Type

Side = tuple[Typed, Computation]
_SYMBOLS: Mapping[str, str] = {
    **{"__eq__": "==", "__lt__": "<", "__le__": "<="},
    **{"__gt__": ">", "__ge__": ">="},
}


def fields_compared(live: type, name: str) -> list[str] | None:
    """Return the fields that a comparison written by `dataclasses` is about; None if it is none."""
    return fields_told(live, name, _is_compared)


def _is_compared(told: object) -> bool:
    return bool(getattr(told, "compare", True))


def _is_shown(told: object) -> bool:
    return bool(getattr(told, "repr", True))


def dataclass_comparison(
    context: Context, at: Node, name: str, one: Computation, two: Computation
) -> Computation | None:
    """Return the comparison that a dataclass has: that of the tuples of its fields."""
    if not isinstance(one.type, ClassType) or not isinstance(two.type, ClassType):
        return None
    if name not in _SYMBOLS:
        return None
    if one.type != two.type and _are_of_one_class(context, one.type, two.type):
        fields = fields_compared(context.class_named(one.type.name).live, name)
        written = partial(_of_fields, context, at, name, fields or [], one, two)
        return None if fields is None else once(context, at, name, (one, two), written)
    lefts, rights = (context.possible_classes(at, t.name) for t in (one.type, two.type))
    common = [live for live in lefts if live in rights]
    found = {live: fields_compared(live, name) for live in dict.fromkeys((*lefts, *rights))}
    if not common or all(found[live] is None for live in lefts):
        return None
    is_lone = len(found) == 1
    if not is_lone and (name != "__eq__" or None in found.values()):
        context.fail(
            "operator",
            f"a dataclass writes {name} for objects of one class, and these may be of several",
            at,
            why=f"they may be {' or '.join(live.__name__ for live in found)}",
            instead=f"write {name}, or test isinstance before",
        )

    def written() -> Computation:
        if is_lone:
            return _compared(context, at, name, lefts[0], one, two)
        return _equal(context, at, common, one, two)

    return once(context, at, name, (one, two), written)


def _compared(
    context: Context, at: Node, name: str, live: type, one: Computation, two: Computation
) -> Computation:
    """Return the comparison of objects of one class."""
    fields = fields_compared(live, name)
    assert fields is not None
    first, second = (_as_one_of(side, live) for side in (one, two))
    return _of_fields(context, at, name, fields, first, second)


def _of_fields(
    context: Context, at: Node, name: str, fields: list[str], one: Computation, two: Computation
) -> Computation:
    """Return the comparison of the fields of two objects."""
    left, right = (tuple_of(context, at, owner, fields) for owner in (one, two))
    return context.compared(at, _SYMBOLS[name], left, right)


def _are_of_one_class(context: Context, first: ClassType, second: ClassType) -> bool:
    """Whether two types are those of a generic class, of which Python knows but one."""
    origins = {origin_of(context.class_named(type_.name).live) for type_ in (first, second)}
    return len(origins) == 1


def _as_one_of(owner: Computation, live: type) -> Computation:
    assert isinstance(owner.type, ClassType)
    return narrowed(owner, live, (live.__name__,), owner.type)


def _equal(
    context: Context, at: Node, common: Sequence[type], one: Computation, two: Computation
) -> Computation:
    """Return whether two objects are of the same class, one of a few, and equal."""
    no: Computation = Literal(False, BOOL)
    found = no
    for live in reversed(common):
        names = (live.__name__,)
        tests = [context.apply(at, classes.IS_INSTANCE, side, classes=names) for side in (one, two)]
        equal = _compared(context, at, "__eq__", live, one, two)
        found = Select(tests[0], Select(tests[1], equal, no, BOOL), found, BOOL)
    return found


def fields_told(live: type, name: str, is_told: Callable[[object], bool]) -> list[str] | None:
    """Return the fields of which a method written by `dataclasses` makes use; None if it is not."""
    member = find_member(live, name)
    if member is None or not isinstance(member.value, FunctionType):
        return None
    if not dataclass_members.is_made_by_dataclasses(member.owner, name, member.value):
        return None
    fields = cast("Mapping[str, object]", vars(member.owner)[dataclass_members.FIELDS])
    return [f for f, told in fields.items() if dataclass_members.is_field(told) and is_told(told)]


def once(
    context: Context,
    at: Node,
    name: str,
    given: tuple[Computation, ...],
    written: Callable[[], Computation],
) -> Computation:
    """Return what a method does that dataclasses have, written out, or as a call of it.

    It is written out where objects are of one class.  In fields, and for several classes, it is a
    call of a function for all objects of these types: written out along each way through the
    fields it would have no end, or be of a size that grows with each class as many times.
    """
    function = standard_function("dataclass_methods", name)
    is_of_several = any(_is_of_several(context, at, value.type) for value in given)
    if context.writes_out or (is_of_several and context.function is not function):
        return context.call(at, function, given)
    context.writes_out = True
    try:
        return written()
    finally:
        context.writes_out = False


def _is_of_several(context: Context, at: Node, type_: Type) -> bool:
    return isinstance(type_, ClassType) and len(context.possible_classes(at, type_.name)) > 1


def tuple_of(context: Context, at: Node, owner: Computation, fields: list[str]) -> Side:
    """Return the tuple of some fields of an object."""
    items = [_field(context, at, owner, field) for field in fields]
    whole = context.apply(at, data.TUPLE, *items)
    return Typed(whole.type, context.span(at)), whole


def _field(context: Context, at: Node, owner: Computation, name: str) -> Computation:
    assert isinstance(owner.type, ClassType)
    declared = context.class_named(owner.type.name)
    if name in declared.outdated:
        raise context.not_known_yet(at)
    type_ = declared.fields.get(name)
    if type_ is None:
        raise TypeCheckError(untyped_field(declared.name, name, context.span(at)))
    return context.apply(at, data.FIELD, owner, name=name, type=type_)


def fields_shown(live: type, name: str) -> list[str] | None:
    """Return the fields in a text written by `dataclasses`; None if it is none."""
    return fields_told(live, name, _is_shown)


def dataclass_text(context: Context, at: Node, name: str, case: Case) -> Computation | None:
    """Return `Point(x=1.0, y=2.0)`, as the `__repr__` of a dataclass does."""
    fields = fields_shown(case.live, name)
    if fields is None:
        return None
    texts: list[Computation] = [Literal(f"{case.live.__qualname__}(", STR)]
    for place, field in enumerate(fields):
        texts.append(Literal(f"{', ' if place else ''}{field}=", STR))
        texts.append(context.text(at, _field(context, at, case.owner, field), "r"))
    return context.apply(at, data.CONCAT, *texts, Literal(")", STR))
