"""Values of the user's classes that are made of others: members of enumerations, named tuples."""

from collections.abc import Sequence

from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpTypeError
from scriptc_runtime.types import NamedType, Type, assignable


def _named(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    type_ = attrs["type"]
    if not isinstance(type_, NamedType) or not assignable(types[0], type_.base):
        raise OpTypeError(f"no {type_} is made of {types[0]}")
    return (type_,)


def _plain(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not isinstance(types[0], NamedType):
        raise OpTypeError(f"{types[0]} is made of nothing else")
    return (types[0].base,)


def _shares(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(aliases=frozenset({0}))


def _same(x: object) -> object:
    return x


def _same_of(x: object, *, type: NamedType) -> object:
    return x


NAMED = OpDef(
    name="named",
    doc="`x` as a value of the `type`, which is made of it.",
    operands=("x",),
    attrs=("type",),
    infer=_named,
    evaluate=_same_of,
    effects=_shares,
)
PLAIN = OpDef(
    name="plain",
    doc="What a member of an enumeration, or a named tuple, is made of.",
    operands=("x",),
    infer=_plain,
    evaluate=_same,
    effects=_shares,
)

OPS = (NAMED, PLAIN)
