"""Ops on constants, tuples, lists, optionals, strings and objects."""

import operator
import re
from collections.abc import Sequence
from typing import cast

from scriptc_runtime.ops.opdef import Attr, Attrs, Effects, Level, OpDef, OpTypeError
from scriptc_runtime.printing import print_with
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    Container,
    DType,
    ListType,
    OptionalType,
    PyType,
    TupleType,
    Type,
    assignable,
    holds_int,
    is_counted,
)
from scriptc_runtime.values import INT_MAX, INT_MIN, Instance

ABSENT = "there is no value: this is None"
_PYTHON_CONSTANTS: dict[type, PyType] = {
    **{bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STR},
}


def _const(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    value, dtype = attrs["value"], attrs.get("dtype")
    if isinstance(dtype, DType):
        if not _holds_exactly(dtype, value):
            raise OpTypeError(f"no {dtype} is {value!r}")
        return (dtype,)
    if value is None:
        return (NONE,)
    if type(value) is int and not INT_MIN <= value <= INT_MAX:
        raise OpTypeError(f"no int is {value}")
    if type(value) not in _PYTHON_CONSTANTS:
        raise OpTypeError(f"no constant of {type(value).__name__}")
    return (_PYTHON_CONSTANTS[type(value)],)


def _holds_exactly(dtype: DType, value: Attr) -> bool:
    match dtype.kind:
        case "b":
            return isinstance(value, bool)
        case "i" | "u":
            return type(value) is int and holds_int(dtype, value)
        case "f":
            return type(value) in (int, float)
        case _:
            return type(value) in (int, float, complex)


def _tuple(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (TupleType(tuple(types)),)


def _item(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    base, index = types[0], attrs["index"]
    items = base.items if isinstance(base, TupleType) else ()
    if not isinstance(index, int) or not 0 <= index < len(items):
        raise OpTypeError(f"{base} has no item {index}")
    return (items[index],)


def _list_item(type_: Type, *, written: bool = False) -> Type:
    if not isinstance(type_, ListType) or (written and type_.frozen):
        raise OpTypeError(f"expected a list, got {type_}")
    return type_.item


def _list(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    item = cast(Type, attrs["item"])
    for type_ in types:
        if not assignable(type_, item):
            raise OpTypeError(f"an item of list[{item}] cannot be {type_}")
    return (ListType(item),)


def _list_length(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _list_item(types[0])
    return (INT,)


def infer_get(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    """Type an item at a place."""
    if types[1] is not INT:
        raise OpTypeError(f"an index must be int, got {types[1]}")
    return (_list_item(types[0]),)


def infer_append(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    """Type an item that is put in."""
    if not assignable(types[1], _list_item(types[0], written=True)):
        raise OpTypeError(f"an item of {types[0]} cannot be {types[1]}")
    return ()


def _list_put(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    infer_get(types, attrs)
    return infer_append([types[0], types[2]], attrs)


def infer_extend(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    """Type the items of another list that are put in."""
    return infer_append([types[0], _list_item(types[1])], attrs)


def infer_room(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    """Type a number of items."""
    _list_pop(types, attrs)
    return ()


def _list_pop(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _list_item(types[0], written=True)
    return infer_get(types, attrs)


def _some(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if types[0] is NONE or isinstance(types[0], OptionalType):
        raise OpTypeError(f"{types[0]} is not wrapped in an optional")
    return (OptionalType(types[0]),)


def _nothing(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    return (OptionalType(cast(Type, attrs["item"])),)


def _has_value(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _unwrap(types, attrs)
    return (BOOL,)


def _unwrap(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not isinstance(types[0], OptionalType):
        raise OpTypeError(f"expected an optional, got {types[0]}")
    return (types[0].item,)


def _concat(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    kind = BYTES if BYTES in types else STR
    if any(t is not kind for t in types):
        raise OpTypeError(f"only {kind} can be joined to {kind}, and str be printed")
    return (kind,)


def _format(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not isinstance(types[0], PyType | DType):
        raise OpTypeError(f"formatting {types[0]} is not built")
    # A file must not ask for a text of a billion characters.
    if re.search(r"\d{5}", cast(str, attrs["spec"])):
        raise OpTypeError("a width or precision has at most four digits")
    return (STR,)


def _print(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _concat((*types, STR), attrs)
    return ()


def _str_length(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _concat(types, attrs)
    return (INT,)


def _new(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    # The verifier compares the field types with the declaration.
    return (ClassType(cast(str, attrs["cls"])),)


def _field(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _require_field(types[0], attrs, attrs["type"])
    return (cast(Type, attrs["type"]),)


def _set_field(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    _require_field(types[0], attrs, types[1])
    return ()


def _require_field(owner: Type, attrs: Attrs, type_: Attr) -> None:
    """Refuse what has no such field; those of classes are the verifier's to compare."""
    known = owner.fields.get(cast(str, attrs["name"])) if isinstance(owner, Container) else type_
    if not isinstance(owner, ClassType | Container) or known != type_:
        raise OpTypeError(f"{owner} has no field {attrs['name']} of {type_}")


def _same(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
    if not isinstance(types[0], ClassType) or types[0] != types[1]:
        raise OpTypeError(f"{types[0]} and {types[1]} are no objects of one class")
    return (BOOL,)


def _allocates(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True)


def _holds(types: Sequence[Type], attrs: Attrs) -> Effects:
    """Return the effects of an op whose result shares its operands."""
    return Effects(allocates=True, aliases=frozenset(range(len(types))))


def _shares(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(aliases=frozenset({0}))


def _unwraps(types: Sequence[Type], attrs: Attrs) -> Effects:
    # A saved file may hold an `unwrap` that no test stands before: no address may come of it.
    return Effects(aliases=frozenset({0}), raises=is_counted(types[0]))


def _reads(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}))


def _reads_item(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), aliases=frozenset({0}), raises=True)


def _writes(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(writes=frozenset({0}))


def _writes_item(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(writes=frozenset({0}), raises=True)


def extends(types: Sequence[Type], attrs: Attrs) -> Effects:
    """Write to a list what another one has."""
    return Effects(reads=frozenset({1}), writes=frozenset({0}))


def _pops(types: Sequence[Type], attrs: Attrs) -> Effects:
    # The item may stand in the list once more.
    first = frozenset({0})
    return Effects(reads=first, writes=first, aliases=first, raises=True)


def _io(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(io=True, raises=True)


def _formats(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(allocates=True, raises=bool(attrs["spec"]) or types[0] is BIGINT)


def _evaluate_const(*, value: Attr, dtype: DType | None = None) -> object:
    return value if dtype is None else dtype.numpy.type(cast(float, value))


def _evaluate_tuple(*items: object) -> object:
    return items


def _evaluate_item(base: tuple[object, ...], *, index: int) -> object:
    return base[index]


def _evaluate_list(*items: object, item: Type) -> object:
    return list(items)


def _evaluate_get(base: list[object], index: int) -> object:
    return base[index]


def _evaluate_set(base: list[object], index: int, value: object) -> None:
    base[index] = value


def _evaluate_append(base: list[object], value: object) -> None:
    base.append(value)


def _evaluate_insert(base: list[object], index: int, value: object) -> None:
    base.insert(index, value)


def _evaluate_extend(base: list[object], more: list[object]) -> None:
    base.extend(more)


def _evaluate_room(base: list[object], count: int) -> None:
    # Python refuses more, and the machine what it does not have.
    _ = [None] * count


def _evaluate_pop(base: list[object], index: int) -> object:
    return base.pop(index)


def _same_object(value: object) -> object:
    return value


def _evaluate_unwrap(value: object) -> object:
    if value is None:
        raise TypeError(ABSENT)
    return value


def _evaluate_nothing(*, item: Type) -> object:
    return None


def _evaluate_has_value(value: object) -> bool:
    return value is not None


def _evaluate_concat(*parts: str) -> str:
    return parts[0][:0].join(parts) if parts else ""  # of bytes, too


def _evaluate_format(value: object, *, spec: str, conversion: str) -> str:
    text = {"": _same_object, "s": str, "r": repr, "a": ascii}[conversion](value)
    return format(text, spec)


def _evaluate_print(*parts: str) -> None:
    print(*parts)


def _evaluate_new(*values: object, cls: str, fields: tuple[str, ...]) -> object:
    return Instance(cls, dict(zip(fields, values, strict=True)))


def _evaluate_field(instance: Instance, *, name: str, type: Type) -> object:
    return instance.fields[name]


def _evaluate_set_field(instance: Instance, value: object, *, name: str) -> None:
    instance.fields[name] = value


CONST = OpDef(
    name="const",
    doc="A constant: Python's `value`, or the NumPy scalar of it where `dtype` is given.",
    operands=(),
    attrs=("value", "dtype"),
    infer=_const,
    evaluate=_evaluate_const,
)
TUPLE = OpDef(
    name="tuple",
    doc="A tuple of `items`.",
    operands=("*items",),
    infer=_tuple,
    evaluate=_evaluate_tuple,
    effects=_holds,
)
ITEM = OpDef(
    name="item",
    doc="Item `index` of a tuple.",
    operands=("tuple",),
    attrs=("index",),
    infer=_item,
    evaluate=_evaluate_item,
    effects=_shares,
)
LIST = OpDef(
    name="list",
    doc="A new list of `items`, each of type `item`.",
    operands=("*items",),
    attrs=("item",),
    infer=_list,
    evaluate=_evaluate_list,
    effects=_holds,
    level=Level.LIBRARY,
)
LIST_LEN = OpDef(
    name="list_len",
    doc="Number of items.",
    operands=("list",),
    infer=_list_length,
    evaluate=len,
    effects=_reads,
    level=Level.LIBRARY,
)
LIST_GET = OpDef(
    name="list_get",
    doc="The item at `index`, negative ones counted from the end.",
    operands=("list", "index"),
    infer=infer_get,
    evaluate=_evaluate_get,
    effects=_reads_item,
    level=Level.LIBRARY,
)
LIST_SET = OpDef(
    name="list_set",
    doc="Replace the item at `index`.",
    operands=("list", "index", "value"),
    infer=_list_put,
    evaluate=_evaluate_set,
    effects=_writes_item,
    level=Level.LIBRARY,
)
LIST_APPEND = OpDef(
    name="list_append",
    doc="Add `value` at the end.",
    operands=("list", "value"),
    infer=infer_append,
    evaluate=_evaluate_append,
    effects=_writes,
    level=Level.LIBRARY,
)
LIST_INSERT = OpDef(
    name="list_insert",
    doc="Put `value` in front of the item at `index`, or at an end of the list.",
    operands=("list", "index", "value"),
    infer=_list_put,
    evaluate=_evaluate_insert,
    effects=_writes,
    level=Level.LIBRARY,
)
LIST_EXTEND = OpDef(
    name="list_extend",
    doc="Add the items of `more` at the end: those that were there, where both are one list.",
    operands=("list", "more"),
    infer=infer_extend,
    evaluate=_evaluate_extend,
    effects=extends,
    level=Level.LIBRARY,
)
LIST_ROOM = OpDef(
    name="list_room",
    doc="Let a list have room for `count` items, of which it is about to have as many.",
    operands=("list", "count"),
    infer=infer_room,
    evaluate=_evaluate_room,
    effects=_writes_item,
    level=Level.LIBRARY,
)
LIST_POP = OpDef(
    name="list_pop",
    doc="Remove the item at `index` and return it.",
    operands=("list", "index"),
    infer=_list_pop,
    evaluate=_evaluate_pop,
    effects=_pops,
    level=Level.LIBRARY,
)
SOME = OpDef(
    name="some",
    doc="`value` as an optional.",
    operands=("value",),
    infer=_some,
    evaluate=_same_object,
    effects=_shares,
)
NOTHING = OpDef(
    name="nothing",
    doc="None as an optional of `item`.",
    operands=(),
    attrs=("item",),
    infer=_nothing,
    evaluate=_evaluate_nothing,
)
HAS_VALUE = OpDef(
    name="has_value",
    doc="Whether an optional is not None.",
    operands=("x",),
    infer=_has_value,
    evaluate=_evaluate_has_value,
)
UNWRAP = OpDef(
    name="unwrap",
    doc="The value of an optional; stands only where `has_value` was seen to be true. TypeError, "
    "or any number, where there is none.",
    operands=("x",),
    infer=_unwrap,
    evaluate=_evaluate_unwrap,
    effects=_unwraps,
)
CONCAT = OpDef(
    name="concat",
    doc="Strings joined in order.",
    operands=("*parts",),
    infer=_concat,
    evaluate=_evaluate_concat,
    effects=_allocates,
)
EXTEND = OpDef(
    name="extend",
    doc="Strings joined in order; the first one is taken over, and made longer where it is if no "
    "one else owns it.",
    operands=("*parts",),
    infer=_concat,
    evaluate=_evaluate_concat,
    effects=_allocates,
    level=Level.LOW,
)
STR_LEN = OpDef(
    name="str_len",
    doc="Number of characters.",
    operands=("x",),
    infer=_str_length,
    evaluate=len,
)
FORMAT = OpDef(
    name="format",
    doc="`x` as text: `conversion` is '', 's', 'r' or 'a'; `spec` as format() takes it.",
    operands=("x",),
    attrs=("spec", "conversion"),
    infer=_format,
    evaluate=_evaluate_format,
    effects=_formats,
)
PRINT = OpDef(
    name="print",
    doc="Write `parts` to sys.stdout with spaces between and a newline after.",
    operands=("*parts",),
    infer=_print,
    evaluate=_evaluate_print,
    effects=_io,
)
PRINT_WITH = OpDef(
    name="print_with",
    doc="Write `parts` to a stream, 'stdout' or 'stderr', with `sep` between and `end` after.",
    operands=("sep", "end", "stream", "flush", "*parts"),
    infer=_print,
    evaluate=print_with,
    effects=_io,
)
NEW = OpDef(
    name="new",
    doc="An instance of the class `cls` whose `fields` hold the operands.",
    operands=("*values",),
    attrs=("cls", "fields"),
    infer=_new,
    evaluate=_evaluate_new,
    effects=_holds,
)
FIELD = OpDef(
    name="field",
    doc="The field `name`, which the class declares with `type`.",
    operands=("object",),
    attrs=("name", "type"),
    infer=_field,
    evaluate=_evaluate_field,
    effects=_reads_item,
)
SET_FIELD = OpDef(
    name="set_field",
    doc="Put `value` into the field `name`.",
    operands=("object", "value"),
    attrs=("name",),
    infer=_set_field,
    evaluate=_evaluate_set_field,
    effects=_writes,
)
SAME = OpDef(
    name="same",
    doc="Whether two objects of a class are one.",
    operands=("x", "y"),
    infer=_same,
    evaluate=operator.is_,
)

OPS = (
    CONST,
    TUPLE,
    ITEM,
    LIST,
    LIST_LEN,
    LIST_GET,
    LIST_SET,
    LIST_APPEND,
    LIST_INSERT,
    LIST_EXTEND,
    LIST_ROOM,
    LIST_POP,
    SOME,
    NOTHING,
    HAS_VALUE,
    UNWRAP,
    CONCAT,
    EXTEND,
    STR_LEN,
    FORMAT,
    PRINT,
    PRINT_WITH,
    NEW,
    FIELD,
    SET_FIELD,
    SAME,
)
