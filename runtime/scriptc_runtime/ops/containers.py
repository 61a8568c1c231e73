"""Ops that containers are made of; what they do is written in `stdlib`."""

from collections.abc import Sequence
from typing import cast

import numpy as np

from scriptc_runtime.collection_classes import label_of
from scriptc_runtime.named_classes import PLAIN_ENUM
from scriptc_runtime.ops.opdef import Attrs, Effects, OpDef, OpTypeError
from scriptc_runtime.types import (
    INT,
    ClassType,
    Container,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TupleType,
    Type,
    UnionType,
    is_hashable,
    is_tuple_of,
)
from scriptc_runtime.values import Instance


def _container(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    type_ = attrs["type"]
    if not isinstance(type_, Container) or list(types) != list(type_.fields.values()):
        raise OpTypeError(f"no {type_} is made of these")
    return (type_,)


def has_hash(type_: Type) -> bool:
    """Whether the op gives the hashes of a type.

    Those of ints of any size, unions, sets, tuples of any length and members of Enum others give.
    """
    match type_:
        case TupleType(items):
            return all(map(has_hash, items))
        case NamedType(base=base):
            return type_.kind != PLAIN_ENUM and has_hash(base)
        case OptionalType() | UnionType() | SetType() | ListType() | PyType.BIGINT:
            return False
        case _:
            return is_hashable(type_)


def _hash(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    has_place = isinstance(types[0], ClassType | ListType | Container) and not is_tuple_of(types[0])
    if not (has_place or has_hash(types[0])):
        raise OpTypeError(f"unhashable: {types[0]}")
    return (INT,)


def _holds(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True, aliases=frozenset(range(len(types))))


def _evaluate_container(*values: object, type: Container) -> object:
    return Instance(label_of(type), dict(zip(type.fields, values, strict=True)))


def _evaluate_hash(x: object) -> int:
    if isinstance(x, list):
        return id(cast(object, x))
    return hash(cast(np.generic, x))


CONTAINER = OpDef(
    name="container",
    doc="A dict or set of the `type`, whose fields are the operands.",
    operands=("*fields",),
    attrs=("type",),
    infer=_container,
    evaluate=_evaluate_container,
    effects=_holds,
)
HASH = OpDef(
    name="hash",
    doc="What Python's hash() gives; of texts as in this process, of what changes by where it is.",
    operands=("x",),
    infer=_hash,
    evaluate=_evaluate_hash,
)

OPS = (CONTAINER, HASH)
