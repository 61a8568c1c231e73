"""Tuples of any length: what a list holds, which nothing changes any more."""

from collections.abc import Sequence

from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpTypeError
from scriptc_runtime.types import ListType, Type


def _tuple_of(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not isinstance(types[0], ListType):
        raise OpTypeError(f"expected a list, got {types[0]}")
    return (ListType(types[0].item, frozen=True),)


def _copies(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True, reads=frozenset({0}), aliases=frozenset({0}))


TUPLE_OF = OpDef(
    name="tuple_of",
    doc="A tuple of any length: the items of a list, as they are now.",
    operands=("list",),
    infer=_tuple_of,
    evaluate=tuple,
    effects=_copies,
)

OPS = (TUPLE_OF,)
