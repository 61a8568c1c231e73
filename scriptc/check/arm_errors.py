"""What stands for an operation that the language does not have for one member of a union.

CPython is asked what it raises, with a value of each type.
"""

import operator
from collections.abc import Sequence

from scriptc.check.arm_operands import operands
from scriptc.check.asked_calls import end_of_call, examples
from scriptc.check.checked import Arm
from scriptc.check.class_stand_ins import name_in_messages
from scriptc.check.context import Context
from scriptc.check.present import NOT_CALLABLE, class_without, object_like, only_read, only_reads
from scriptc.check.python import type_errors
from scriptc.syntax import nodes as n
from scriptc_runtime.types import (
    BOOL,
    INT,
    NONE,
    STR,
    ClassType,
    DictType,
    DType,
    TensorType,
    TupleType,
    Type,
)
from scriptc_runtime.unions import members_of

_BY_THE_FIRST = n.Subscript | n.Call


def otherwise(context: Context, member: Type, arm: n.Expression) -> Arm | None:
    """Return what stands for an operation that the language does not have; None for a refusal."""
    # Where the first operand is what is wrong, the others have not been looked at.
    types = [context.facts.types.get(part) for part in operands(context, arm)]
    known = [type_ or INT for type_ in types]
    end = end_of_call(context, arm, member) if isinstance(arm, n.Call) else None
    if isinstance(end, bool):
        return Arm(member, _constant(arm, end))
    if end is not None:
        return Arm(member, None, *end)
    if not types or types[0] is None or (None in types and not isinstance(arm, _BY_THE_FIRST)):
        return None
    match arm:
        case n.Compare(ops=("==" | "!=",)) if known == [NONE, NONE]:
            return Arm(member, _constant(arm, arm.ops[0] == "=="))
        case n.Compare(ops=("==" | "!=",)) if type_errors.never_equal(*known):
            return Arm(member, _constant(arm, arm.ops[0] == "!="))
        case n.Compare(ops=("==" | "!=",), left=n.Name(), comparators=(n.Name(),)) if (
            array := _beside_none(arm, known)
        ):
            return Arm(member, _all(array, arm.ops[0] == "!="))
        case n.Compare(ops=("in" | "not in",)) if type_errors.never_in(*known):
            return Arm(member, _constant(arm, arm.ops[0] == "not in"))
        case n.Subscript(slice=n.Constant(value=str() | int() | float() | None as key)) if (
            _is_no_key(known)
        ):
            context.rounds.arguments.note(KeyError, 0, known[-1])
            return Arm(member, None, "KeyError", key)
        case _:
            raised = _raised_by(context, arm, known)
            return raised and Arm(member, None, *raised)


def _is_no_key(known: Sequence[Type]) -> bool:
    """Whether no key of a dict equals one of this type, and the dict makes none."""
    whole, key = known[0], known[-1]
    if not isinstance(whole, DictType) or whole.kind not in ("dict", "OrderedDict"):
        return False
    return all(type_errors.never_equal(key, member) for member in members_of(whole.key))


def _raised_by(
    context: Context, arm: n.Expression, known: Sequence[Type]
) -> type_errors.Error | None:
    """Return what CPython raises where an operation has operands of some types."""
    match arm:
        case n.BinOp(op="%", left=left, right=right) if known[0] is STR:
            return _of_format(context, left, right)
        case n.BinOp(op=op, left=left, right=right):
            updates = f"{op}=" in context.source.text[left.hi : right.lo]
            return _of_operator(context, arm, f"{op}=" if updates else op, known)
        case n.Compare(ops=(op,)) | n.UnaryOp(op=op):
            return _of_operator(context, arm, op, known)
        case n.Subscript(slice=index) if isinstance(index, n.Slice) or (
            isinstance(known[0], ClassType)
        ):
            return _of_no_items(context, arm, index, known[0])
        case n.Subscript(slice=n.Constant(value=int()) | n.UnaryOp()) if (
            isinstance(known[0], TupleType) and known[1] is INT
        ):
            return "IndexError", "tuple index out of range"  # an int in range is no error
        case n.Subscript(slice=n.Tuple(elts=index)) if isinstance(known[0], TensorType):
            count = sum(_axes_taken(context, part) for part in index)
            return type_errors.of_rank(len(known[0].dims), count)
        case n.Subscript():
            return type_errors.of_operator("[]", *known) if len(known) == 2 else None
        case n.Call(func=n.Name() | n.Call() | n.Subscript() as func) if known[0] is NONE:
            is_called = func in context.facts.types  # functions are no values
            return NOT_CALLABLE if is_called and only_reads(arm) else None
        case n.Attribute(attr=name) | n.Call(func=n.Attribute(attr=name)):
            return of_attribute(context, arm, name, known[0])
        case _:
            return None


def _of_no_items(
    context: Context, arm: n.Expression, index: n.Expression, owner: Type
) -> type_errors.Error | None:
    """Return the TypeError for an item, or a slice, of what has none."""
    if not isinstance(owner, ClassType):
        return type_errors.of_slice(owner)
    parts = (index.lower, index.upper, index.step) if isinstance(index, n.Slice) else (index,)
    is_read = only_read([part for part in parts if part is not None])
    found = _example(context, arm, owner) if is_read else ()
    if not found or class_without(context, arm, owner, "__getitem__") is None:
        return None
    return type_errors.of_values("[]", *found, 0)


def _axes_taken(context: Context, index: n.Expression) -> int:
    """Return how many axes an index is for: None, `...` and bools none, a mask all of its own."""
    type_ = context.facts.types.get(index)
    if isinstance(type_, TensorType) and type_.dtype is DType.B1:
        return len(type_.dims)
    is_new = isinstance(index, n.Constant) and index.value in (None, ...)
    return int(not is_new and type_ not in (BOOL, DType.B1))


def of_attribute(
    context: Context, arm: n.Expression, name: str, owner: Type
) -> type_errors.Error | None:
    """Return the AttributeError for what values of a type do not have."""
    if not isinstance(owner, ClassType):
        return type_errors.of_attribute(owner, name)
    lacking = class_without(context, arm, owner, name)
    if lacking is None:
        return None
    return "AttributeError", f"{name_in_messages(lacking)!r} object has no attribute {name!r}"


def _of_operator(
    context: Context, arm: n.Expression, symbol: str, known: Sequence[Type]
) -> type_errors.Error | None:
    """Return what CPython raises for two operands, of which one may be an object.

    That no class has a method for it is why it is refused: an object without any stands for it.
    """
    if not any(isinstance(type_, ClassType) for type_ in known):
        return type_errors.of_operator(symbol, *known)
    values = [_example(context, arm, type_) for type_ in known]
    if not all(values):
        return None
    return type_errors.of_values(symbol, *(value for (value,) in values))


def _example(context: Context, arm: n.Expression, type_: Type) -> tuple[object, ...]:
    if isinstance(type_, ClassType):
        return object_like(context, arm, type_)
    values = type_errors.values_of(type_)
    return values if len(values) == 1 else ()


def _of_format(
    context: Context, text: n.Expression, given: n.Expression
) -> type_errors.Error | None:
    """Return what CPython raises for what is shown by a format that is known, `"%d" % x`."""
    known = context.typed(text).known
    if known is None or not isinstance(known.value, str):
        return None  # what is said depends on the text
    rows = ((known.value, value) for value in examples(context, given))
    return type_errors.common(operator.mod, rows)


def _beside_none(arm: n.Compare, known: Sequence[Type]) -> n.Expression | None:
    """Return an array that is compared with None, none of whose elements equals it."""
    for part, type_, other in zip((arm.left, *arm.comparators), known, known[::-1], strict=True):
        if isinstance(type_, TensorType) and other is NONE:
            return part
    return None


def _all(array: n.Expression, value: bool) -> n.Expression:
    """Return an array of the shape of another, each element of which is `value`."""
    lo, hi = array.lo, array.hi
    same, other = (n.Compare(lo, hi, array, (op,), (array,)) for op in ("==", "!="))
    return n.BinOp(lo, hi, same, "|" if value else "&", other)


def _constant(at: n.Node, value: bool) -> n.Constant:
    return n.Constant(at.lo, at.hi, value, None)
