"""A value as another type that can hold it."""

from collections.abc import Collection, Mapping, Sequence

from scriptc.check.checked import CheckedClass
from scriptc.lower.context import Lowering
from scriptc.syntax.nodes import Node
from scriptc_runtime.ir import (
    Block,
    Label,
    Value,
)
from scriptc_runtime.ops import (
    bigints,
    classes,
    control,
    data,
    elementwise,
    exceptions,
    named,
    tuples,
    unions,
)
from scriptc_runtime.ops.classes import classes_widened
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    FLOAT,
    INT,
    NONE,
    ClassType,
    DType,
    NamedType,
    OptionalType,
    PyType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    assignable,
    is_tuple_of,
    parts_of,
)
from scriptc_runtime.unions import base_among, kind_of, members_of, without_dims


def fit(low: Lowering, value: Value, type_: Type, at: Node) -> Value:
    """Return `value` where `type_` is declared: what is assignable stays as it is."""
    return value if assignable(value.type, type_) else convert(low, value, type_, at)


def convert(low: Lowering, value: Value, type_: Type, at: Node) -> Value:
    """Return `value` as `type_`; sizes of arrays are only forgotten."""
    members = members_of(value.type)
    heirs = [m for m in members if base_among(m, members_of(type_))] if members[1:] else []
    if heirs or any(_is_changed(member, type_) for member in members):
        kinds = {kind_of(without_dims(member)) for member in (*members_of(type_), *heirs)}
        kept = [member for member in members if _is_among(member, kinds)]
        return _by_member(low, value, kept, type_, at)
    return _converted(low, value, type_, at)


def _is_changed(type_: Type, whole: Type) -> bool:
    """Whether a member is a tuple that is another one in a union, or is of any length in a type."""
    if not isinstance(type_, TupleType):
        return False
    there = members_of(whole)
    if any(map(is_tuple_of, there)):
        return True
    length = len(type_.items)
    same = [m for m in there if isinstance(m, TupleType) and len(m.items) == length]
    return isinstance(whole, UnionType) and bool(same) and type_ not in same


def _is_among(type_: Type, kinds: Collection[object]) -> bool:
    """Whether a member is one of a union of such kinds: a narrowed value is of no other."""
    kind = kind_of(without_dims(type_))
    return kind in kinds or (isinstance(type_, TupleType) and ("tuple", -1) in kinds)


def _converted(low: Lowering, value: Value, type_: Type, at: Node) -> Value:
    match type_, value.type:
        case _ if assignable(value.type, type_):
            return value
        case (UnionType(), _) | (_, UnionType()):
            base = base_among(value.type, members_of(type_))
            held = convert(low, value, base, at) if base else value
            return low.emit(unions.HELD, held, at=at, type=type_)
        case (OptionalType(), _) | (_, OptionalType()):
            return _perhaps(low, value, type_, at)
        case NamedType(base=base), other if not isinstance(other, NamedType):
            return low.emit(named.NAMED, convert(low, value, base, at), at=at, type=type_)
        case _, NamedType():
            return convert(low, low.emit(named.PLAIN, value, at=at), type_, at)
        case TupleType(items), TupleType():
            parts = [
                convert(low, low.emit(data.ITEM, value, at=at, index=i), item, at)
                for i, item in enumerate(items)
            ]
            return low.emit(data.TUPLE, *parts, at=at)
        case TensorType(dtype), TensorType(other):
            return value if dtype is other else low.emit(elementwise.CAST, value, at=at, to=dtype)
        case (PyType.BIGINT, _) | (_, PyType.BIGINT):
            return _of_any_size(low, value, type_, at)
        case PyType() | DType(), PyType() | DType():
            return low.emit(elementwise.CAST, value, at=at, to=type_)
        case _:
            return _as_class(low, value, type_, at)


_OF_BIGINTS: Mapping[Type, OpDef] = {
    INT: bigints.BIGINT_INT,
    FLOAT: bigints.BIGINT_FLOAT,
    BOOL: bigints.BIGINT_TRUTH,
}


def _of_any_size(low: Lowering, value: Value, type_: Type, at: Node) -> Value:
    """Return an int of any size as another number, or a number as one."""
    if value.type is BIGINT and type_ in _OF_BIGINTS:
        return low.emit(_OF_BIGINTS[type_], value, at=at)
    if type_ is not BIGINT:
        between = FLOAT if isinstance(type_, DType) and type_.kind in "fc" else INT
        return convert(low, _of_any_size(low, value, between, at), type_, at)
    if value.type in (INT, FLOAT):
        op = bigints.BIGINT_OF if value.type is INT else bigints.BIGINT_OF_FLOAT
        return low.emit(op, value, at=at)
    return low.emit(bigints.BIGINT_OF, convert(low, value, INT, at), at=at)


def _by_member(
    low: Lowering, value: Value, members: Sequence[Type], type_: Type, at: Node
) -> Value:
    """Return a value as `type_` by the member that it is of.

    In `type_` tuples may be of any length, and objects of a class of which theirs inherits.
    """
    if isinstance(value.type, TupleType):
        length = len(value.type.items)
        fixed = (member for member in members_of(type_) if isinstance(member, TupleType))
        same = next((member for member in fixed if len(member.items) == length), None)
        if same is not None:
            return _converted(low, _converted(low, value, same, at), type_, at)
        (kind,) = filter(is_tuple_of, members_of(type_))
        (item,) = parts_of(kind)
        parts = (low.emit(data.ITEM, value, at=at, index=i) for i in range(len(value.type.items)))
        items = [convert(low, part, item, at) for part in parts]
        made = low.emit(data.LIST, *items, at=at, item=item)
        return _converted(low, low.emit(tuples.TUPLE_OF, made, at=at), type_, at)
    first, *rest = members
    if not rest:
        return convert(low, low.emit(unions.HELD, value, at=at, type=first), type_, at)
    holds = low.emit(unions.HOLDS, value, at=at, type=first)
    label, blocks = Label("if"), list[Block]()
    for arm in ((first,), rest):
        low.builder.open()
        low.builder.exit(label, _by_member(low, value, arm, type_, at))
        blocks.append(low.builder.close())
    (result,) = low.builder.region(control.IF, [holds], blocks, label, [type_], low.loc(at))
    return result


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
        case OptionalType(TupleType() as item), OptionalType(TupleType()):
            return _behind_none(low, value, item, at)
        case _:
            return _as_class(low, value, type_, at)


def _behind_none(low: Lowering, value: Value, item: Type, at: Node) -> Value:
    """Return what may be None, and holds an `item` otherwise."""
    has_value = low.emit(data.HAS_VALUE, value, at=at)
    label, blocks = Label("if"), list[Block]()
    low.builder.open()
    held = convert(low, low.emit(data.UNWRAP, value, at=at), item, at)
    low.builder.exit(label, low.emit(data.SOME, held, at=at))
    blocks.append(low.builder.close())
    low.builder.open()
    low.builder.exit(label, low.emit(data.NOTHING, at=at, item=item))
    blocks.append(low.builder.close())
    type_ = OptionalType(item)
    (found,) = low.builder.region(control.IF, [has_value], blocks, label, [type_], low.loc(at))
    return found


def _as_class(low: Lowering, value: Value, type_: Type, at: Node) -> Value:
    """Return an object as one of a class that it inherits from, or as what a test has shown."""
    if isinstance(type_, ClassType) and isinstance(value.type, ClassType | PyType):
        known = low.program.classes
        inheriting = tuple(name for name in known if type_.name in _line(known, name))
        if isinstance(value.type, PyType):  # an exception
            op = exceptions.OBJECT_OF
            return low.emit(op, value, at=at, cls=type_.name, classes=inheriting)
        if type_.name not in _line(known, value.type.name):
            return low.emit(classes.DOWNCAST, value, at=at, cls=type_.name, classes=inheriting)
    assert classes_widened(value.type, type_), f"{value.type} was to become {type_}"
    return low.emit(classes.UPCAST, value, at=at, type=type_)


def _line(known: Mapping[str, CheckedClass], name: str) -> Sequence[str]:
    """Return a class and those that it inherits from."""
    base = known[name].base
    return (name,) if base is None else (name, *_line(known, base))
