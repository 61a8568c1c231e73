"""Ops on tagged unions: which member a value is of, and that value as another type.

An optional is the union of its item and None to them, and any other type one of a single member.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpTypeError
from scriptc_runtime.types import BOOL, Type, assignable, is_counted
from scriptc_runtime.unions import is_value_of, itself, kind_of, members_of

OTHER_MEMBER = "a value of a union is of another member"


@lru_cache(maxsize=1024)  # asked several times for each instruction, of types with many members
def shared(source: Type, target: Type) -> Mapping[Type, Type]:
    """Return the members of one type that another one has, each with what it is there."""
    there = {kind_of(member): member for member in members_of(target)}
    pairs = {member: there.get(kind_of(member)) for member in members_of(source)}
    return {m: t for m, t in pairs.items() if t is not None and assignable(m, t)}


def _holds(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _held(types, attrs)
    return (BOOL,)


def _held(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    type_ = cast(Type, attrs["type"])
    if not shared(types[0], type_):
        raise OpTypeError(f"no {types[0]} is a {type_}")
    return (type_,)


def _shares(types: Sequence[Type], attrs: Attrs) -> Effects:
    # A saved file may hold a `held` that no test stands before: no address may come of it.
    type_ = cast(Type, attrs["type"])
    lacks = len(shared(types[0], type_)) < len(members_of(types[0]))
    return Effects(aliases=frozenset({0}), raises=lacks and is_counted(type_), guards=True)


def _evaluate_holds(
    x: object, *, type: Type, line_of: Callable[[str], Sequence[str]] = itself
) -> bool:
    return any(is_value_of(x, member, line_of) for member in members_of(type))


def _evaluate_held(
    x: object, *, type: Type, line_of: Callable[[str], Sequence[str]] = itself
) -> object:
    if not _evaluate_holds(x, type=type, line_of=line_of):
        raise TypeError(OTHER_MEMBER)
    return x


HOLDS = OpDef(
    name="holds",
    doc="Whether a value of a union is of `type`, or of one of its members.",
    operands=("x",),
    attrs=("type",),
    infer=_holds,
    evaluate=_evaluate_holds,
)
HELD = OpDef(
    name="held",
    doc="The value as `type`, which has its member; where that is not known, it stands only where "
    "`holds` was seen to be true. TypeError, or any number, where `type` lacks the member.",
    operands=("x",),
    attrs=("type",),
    infer=_held,
    evaluate=_evaluate_held,
    effects=_shares,
)

OPS = (HOLDS, HELD)
