"""Live Python values that become constants of a script."""

from typing import cast

import numpy as np

from scriptc.check.checked import Computation, Literal, Scalar
from scriptc.check.context import Context
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import data
from scriptc_runtime.types import DType, PyType, TupleType, Type


def plain(value: object) -> object:
    """Return a NumPy scalar as Python's number, as constants in IR are; others as they are."""
    return cast(object, value.item()) if isinstance(value, np.generic) else value


def is_scalar(value: object) -> bool:
    """Whether a constant can hold `value`."""
    return value is None or type(value) in (bool, int, float, complex, str)


def constant_of(
    context: Context, node: Node, value: object, type_: Type, code: str, what: str
) -> Computation:
    """Return a scalar, or a tuple of them, as a computation; refuse others with `code`."""
    if isinstance(type_, TupleType) and isinstance(value, tuple):
        pairs = zip(cast("tuple[object, ...]", value), type_.items, strict=True)
        items = [constant_of(context, node, item, t, code, what) for item, t in pairs]
        return context.apply(node, data.TUPLE, *items)
    number = plain(value)
    if isinstance(type_, PyType | DType) and is_scalar(number):
        return Literal(cast(Scalar, number), type_)
    context.fail(
        code,
        f"{what} holds {type_}, which a script cannot keep as a constant",
        node,
        instead="pass it as an argument",
    )
