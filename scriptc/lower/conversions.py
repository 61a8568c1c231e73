"""A value as another type that can hold it."""

from scriptc.lower.context import Lowering
from scriptc.syntax.nodes import Node
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import data, elementwise, unions
from scriptc_runtime.types import (
    NONE,
    DType,
    OptionalType,
    PyType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    assignable,
)


def fit(low: Lowering, value: Value, type_: Type, at: Node) -> Value:
    """Return `value` where `type_` is declared: what is assignable stays as it is."""
    return value if assignable(value.type, type_) else convert(low, value, type_, at)


def convert(low: Lowering, value: Value, type_: Type, at: Node) -> Value:
    """Return `value` as `type_`; sizes of arrays are only forgotten."""
    match type_, value.type:
        case _ if assignable(value.type, type_):
            return value
        case (UnionType(), _) | (_, UnionType()):
            return low.emit(unions.HELD, value, at=at, type=type_)
        case (OptionalType(), _) | (_, OptionalType()):
            return _perhaps(low, value, type_, at)
        case TupleType(items), TupleType():
            parts = [
                convert(low, low.emit(data.ITEM, value, at=at, index=i), item, at)
                for i, item in enumerate(items)
            ]
            return low.emit(data.TUPLE, *parts, at=at)
        case TensorType(dtype), TensorType(other):
            return value if dtype is other else low.emit(elementwise.CAST, value, at=at, to=dtype)
        case PyType() | DType(), PyType() | DType():
            return low.emit(elementwise.CAST, value, at=at, to=type_)
        case _:
            raise AssertionError(f"{value.type} was to become {type_}")


def _perhaps(low: Lowering, value: Value, type_: Type, at: Node) -> Value:
    """Return `value` as `type_`, of which one at least may be None."""
    match type_, value.type:
        case OptionalType(item), PyType.NONE:
            return low.emit(data.NOTHING, at=at, item=item)
        case OptionalType(item), other if not isinstance(other, OptionalType):
            return low.emit(data.SOME, convert(low, value, item, at), at=at)
        case _, OptionalType() if type_ is NONE:
            return low.emit(data.CONST, at=at, value=None)
        case other, OptionalType() if not isinstance(other, OptionalType):
            return convert(low, low.emit(data.UNWRAP, value, at=at), type_, at)
        case OptionalType(TensorType()), OptionalType(TensorType()):
            return value
        case _:
            raise AssertionError(f"{value.type} was to become {type_}")
