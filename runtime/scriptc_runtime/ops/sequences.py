"""What Python's builtin functions take from the items of a list, or of an array with one axis.

They go from item to item, as Python does: the sum of floats is rounded after each of them.
"""

from collections.abc import Iterable, Sequence
from typing import cast

from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError
from scriptc_runtime.types import FLOAT, INT, DType, ListType, TensorType, Type
from scriptc_runtime.values import checked_int

# Of other items there are functions of the standard library, which are no ops.
NUMBERS = (INT, FLOAT, DType.I64, DType.F32, DType.F64)


def _item(type_: Type) -> Type:
    match type_:
        case ListType(item) if item in NUMBERS:
            return item
        case TensorType(dtype, dims) if len(dims) == 1 and dtype in NUMBERS:
            return dtype
        case _:
            raise OpTypeError(f"{type_} has no items that are numbers")


def _extreme(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (_item(types[0]),)


def _sum(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    item = _item(types[0])
    if types[1] is not item:
        raise OpTypeError(f"the start is {types[1]}, the items are {item}")
    return (item,)


def _effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), raises=True)


def _evaluate_sum(items: Iterable[int], start: int) -> int:
    total = start
    for item in items:
        total = total + item
        if type(total) is int:
            checked_int(total)
    return total


def _evaluate_min(items: Sequence[object]) -> object:
    if len(items) == 0:
        raise ValueError("min() arg is an empty sequence")
    return min(cast("Sequence[int]", items))


def _evaluate_max(items: Sequence[object]) -> object:
    if len(items) == 0:
        raise ValueError("max() arg is an empty sequence")
    return max(cast("Sequence[int]", items))


ITEMS_SUM = OpDef(
    name="items_sum",
    doc="`start` and every item, added from the first to the last.",
    operands=("items", "start"),
    infer=_sum,
    evaluate=_evaluate_sum,
    effects=_effects,
    level=Level.LIBRARY,
)
ITEMS_MIN = OpDef(
    name="items_min",
    doc="The first item that none is less than; ValueError without items.",
    operands=("items",),
    infer=_extreme,
    evaluate=_evaluate_min,
    effects=_effects,
    level=Level.LIBRARY,
)
ITEMS_MAX = OpDef(
    name="items_max",
    doc="The first item that is less than none; ValueError without items.",
    operands=("items",),
    infer=_extreme,
    evaluate=_evaluate_max,
    effects=_effects,
    level=Level.LIBRARY,
)

OPS = (ITEMS_SUM, ITEMS_MIN, ITEMS_MAX)
