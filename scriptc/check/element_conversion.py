"""What an element of an array takes: NumPy's rules for a number that is put into one."""

from collections.abc import Callable

from scriptc.check import bigints
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context
from scriptc.check.conversion import converted
from scriptc.check.member_choices import by_member
from scriptc.check.named_types import plain_type
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import elementwise
from scriptc_runtime.types import (
    BOOL,
    FLOAT,
    INT,
    INTEGERS,
    SIGNED,
    DType,
    TensorType,
    UnionType,
    element_of,
    is_complex,
)


def stored(context: Context, at: Node, value: Computation, dtype: DType) -> Computation:
    """Return a number or an array as it is written to elements of `dtype`.

    One number goes through Python's int on its way into signed integers, and one of Python's into
    all of them: what does not fit raises. Other numbers and arrays are cast.
    """
    if isinstance(value.type, UnionType):
        return _of_each_member(context, at, value, dtype, stored)
    value = bigints.as_machine_number(value, dtype)
    _require_held(context, at, value, dtype)
    if dtype.kind in "iu" and value.type is FLOAT:
        if dtype is DType.U64:
            context.fail(
                "dtype",
                "a float is not stored in an array of u64",
                at,
                why="NumPy stores those beyond 2**63 as well, which int holds none of",
                instead="convert it first: np.uint64(x)",
            )
        return converted(converted(value, INT), dtype)
    if dtype in SIGNED and (value.type in INTEGERS or value.type in _FLOATS):
        return converted(converted(value, INT), dtype)
    return _cast(context, at, value, dtype)


def cast_into(context: Context, at: Node, value: Computation, dtype: DType) -> Computation:
    """Return a number or an array as np.full and np.array(x, dtype) put it into elements."""
    if isinstance(value.type, UnionType):
        return _of_each_member(context, at, value, dtype, cast_into)
    value = bigints.as_machine_number(value, dtype)
    _require_held(context, at, value, dtype)
    if value.type is FLOAT and dtype.kind in "iu":
        value = converted(value, DType.F64)
    return _cast(context, at, value, dtype)


def _of_each_member(
    context: Context,
    at: Node,
    value: Computation,
    dtype: DType,
    put: Callable[[Context, Node, Computation, DType], Computation],
) -> Computation:
    """Return what one number of several types is as an element, whichever it is of."""
    found = by_member(context, at, value, lambda member: put(context, at, member, dtype))
    if found is None or isinstance(found.type, TensorType):
        _require_held(context, at, value, dtype)
        raise AssertionError(value.type)
    return found


_FLOATS = (DType.F16, DType.F32, DType.F64)


def _require_held(context: Context, at: Node, value: Computation, dtype: DType) -> None:
    element = element_of(plain_type(value.type))
    if element is None:
        context.fail(
            "dtype", f"an array of {dtype} cannot hold {value.type}", at, instead="store numbers"
        )
    if is_complex(element) and dtype.kind != "c":
        context.fail(
            "dtype",
            f"an array of {dtype} cannot take {value.type} without losing part of it",
            at,
            why="NumPy raises for Python's complex and warns for its own",
            instead="store the part that is meant, x.real or abs(x), or x != 0",
        )


def _cast(context: Context, at: Node, value: Computation, dtype: DType) -> Computation:
    element = element_of(plain_type(value.type))
    if dtype is not DType.B1 or element in (BOOL, DType.B1) or element is None:
        return converted(value, dtype)
    zero = Literal(0.0 if element is FLOAT or element in _FLOATS else 0, element)
    return converted(context.apply(at, elementwise.NE, value, zero), dtype)
