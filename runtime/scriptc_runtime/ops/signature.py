"""What an instruction must look like before its op's type rule may run.

The type rules trust the number of operands and the kinds of attributes.  Where an instruction
comes from a file or from a pass, `result_types` checks both first.  An attribute's name decides
what it may hold, for every op.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from scriptc_runtime.ops.arrays import MATMUL, VIEW
from scriptc_runtime.ops.control import FOR, GROWTH
from scriptc_runtime.ops.data import CONST
from scriptc_runtime.ops.exact import EXACT_INT
from scriptc_runtime.ops.low import LAUNCH, LOOP, NEW_ARRAY, REDUCE, SELECT
from scriptc_runtime.ops.opdef import Attr, Attrs, OpDef, OpTypeError
from scriptc_runtime.types import (
    CellType,
    ClassType,
    DequeType,
    DictType,
    DType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.values import INT_MAX, INT_MIN, UINT_MAX

TYPES = (
    PyType,
    DType,
    TensorType,
    TupleType,
    DictType,
    SetType,
    DequeType,
    ListType,
    OptionalType,
    UnionType,
    ClassType,
    NamedType,
    CellType,
)


def result_types(op: OpDef, types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    """Return the result types after checking operand count and attributes.  Raises OpTypeError."""
    _check_count(op, len(types))
    check_attrs(op, attrs)
    return op.infer(list(types), attrs)


def _check_count(op: OpDef, count: int) -> None:
    fixed, variadic = _operands(op)
    if count < fixed or (count > fixed and not variadic):
        least = "at least " if variadic else ""
        raise OpTypeError(f"{op.name} takes {least}{fixed} operands, not {count}")


@cache
def _operands(op: OpDef) -> tuple[int, bool]:
    """Return how many operands an op needs, and whether it takes more."""
    fixed = sum(not name.startswith("*") for name in op.operands)
    return fixed, fixed < len(op.operands)


def check_attrs(op: OpDef, attrs: Attrs) -> None:
    """Check that exactly the op's attributes are there, each of its kind.  Raises OpTypeError."""
    if missing := _needed_attrs(op) - attrs.keys():
        raise OpTypeError(f"{op.name} needs the attribute {min(missing)}")
    for name, value in attrs.items():
        if name not in op.attrs:
            raise OpTypeError(f"{op.name} has no attribute {name}")
        if not _ACCEPTS[name](value):
            raise OpTypeError(f"the attribute {name} of {op.name} cannot be {value!r}")


@cache
def _needed_attrs(op: OpDef) -> AbstractSet[str]:
    return frozenset(op.attrs) - _OPTIONAL.get(op, set())


def _is_str(value: Attr) -> bool:
    return isinstance(value, str)


def _is_bool(value: Attr) -> bool:
    return isinstance(value, bool)


def _is_int(value: Attr) -> bool:
    return type(value) is int and INT_MIN <= value <= INT_MAX


def _is_type(value: Attr) -> bool:
    return isinstance(value, TYPES)


def _is_element(value: Attr) -> bool:
    return isinstance(value, PyType | DType)


def _is_dtype(value: Attr) -> bool:
    return isinstance(value, DType)


def _is_axis(value: Attr) -> bool:
    return value is None or _is_int(value) or _are_ints(value)


def _are_ints(value: Attr) -> bool:
    return isinstance(value, tuple) and all(map(_is_int, value))


def _are_strs(value: Attr) -> bool:
    return isinstance(value, tuple) and all(map(_is_str, value))


def _is_size(value: Attr) -> bool:
    return value is None or (type(value) is int and 0 <= value <= INT_MAX)


def _are_sizes(value: Attr) -> bool:
    return isinstance(value, tuple) and all(map(_is_size, value))


def _is_constant(value: Attr) -> bool:
    # Python's own types: the text of NumPy's scalars, which are floats too, cannot be read back.
    if type(value) is int:
        return INT_MIN <= value <= UINT_MAX  # what its type holds, the op says
    return value is None or type(value) in (bool, float, complex, str)


def _is_conversion(value: Attr) -> bool:
    return value in ("", "s", "r", "a")


def _are_growths(value: Attr) -> bool:
    return isinstance(value, tuple) and all(kind in GROWTH for kind in value)


# The attributes that an op may go without.
_OPTIONAL: Mapping[OpDef, set[str]] = {
    CONST: {"dtype"}, FOR: {"grows"}, LOOP: {"polls"}, REDUCE: {"parallel", "chunk", "polls"},
    NEW_ARRAY: {"scratch"}, LAUNCH: {"tasks"}, SELECT: {"seldom"}, MATMUL: {"called"},
    EXACT_INT: {"small"}, VIEW: {"dims"},
}  # fmt: skip
_ACCEPTS: Mapping[str, Callable[[Attr], bool]] = {
    "axes": _is_str,
    "axis": _is_axis,
    "slot": _is_int,
    "offset": _is_int,
    "shape": _are_sizes,
    "called": _is_str,
    "callee": _is_str,
    "chunk": _is_bool,
    "classes": _are_strs,
    "path": _are_ints,
    "closed": _is_bool,
    "cls": _is_str,
    "conversion": _is_conversion,
    "dense": _is_bool,
    "dims": _are_sizes,
    "dtype": _is_dtype,
    "encoding": _is_str,
    "errors": _is_str,
    "fields": _are_strs,
    "free": _is_bool,
    "full": _is_bool,
    "grows": _are_growths,
    "index": _is_int,
    "item": _is_type,
    "keepdims": _is_bool,
    "kind": _is_str,
    "last": _is_bool,
    "maker": _is_str,
    "message": _is_str,
    "mode": _is_str,
    "name": _is_str,
    "norm": _is_str,
    "once": _is_bool,
    "order": _are_ints,
    "parallel": _is_bool,
    "polls": _is_bool,
    "traced": _is_bool,
    "result": _is_type,
    "routine": _is_str,
    "scratch": _is_bool,
    "seldom": _is_bool,
    "tasks": _is_bool,
    "small": _is_bool,
    "summed": _is_bool,
    "spec": _is_str,
    "to": _is_element,
    "type": _is_type,
    "upper": _is_bool,
    "value": _is_constant,
}
