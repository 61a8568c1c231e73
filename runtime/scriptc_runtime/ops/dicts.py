"""Ops that dicts are made of; what they do is written in `stdlib/dicts.py`."""

from collections.abc import Sequence
from typing import cast

import numpy as np

from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpTypeError
from scriptc_runtime.types import INT, DictType, Type, is_hashable
from scriptc_runtime.values import Instance


def _dict(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    type_ = attrs["type"]
    if not isinstance(type_, DictType) or list(types) != list(type_.fields.values()):
        raise OpTypeError(f"no {type_} is made of these")
    return (type_,)


def _hash(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not is_hashable(types[0]):
        raise OpTypeError(f"unhashable: {types[0]}")
    return (INT,)


def _holds(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True, aliases=frozenset(range(len(types))))


def _evaluate_dict(*values: object, type: DictType) -> object:
    return Instance("dict", dict(zip(type.fields, values, strict=True)))


def _evaluate_hash(x: object) -> int:
    return hash(cast(np.generic, x))


DICT = OpDef(
    name="dict",
    doc="A dict of the `type`, which holds the operands.",
    operands=("entries", "index", "used", "taken"),
    attrs=("type",),
    infer=_dict,
    evaluate=_evaluate_dict,
    effects=_holds,
)
HASH = OpDef(
    name="hash",
    doc="What Python's hash() gives; of texts as in this process.",
    operands=("x",),
    infer=_hash,
    evaluate=_evaluate_hash,
)

OPS = (DICT, HASH)
