"""Bytearrays: objects of a class with a list of `u8`, whose methods are in `stdlib/byte_arrays.py`.

A loop over one is a loop over that list, whose items are ints.
"""

from functools import cache

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Stored, Write
from scriptc.check.context import Context, operand
from scriptc.check.indices import bound
from scriptc.check.library.standard import standard_function
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import byte_strings, data
from scriptc_runtime.types import ClassType, Type

NAME = "bytearray"
TYPE = ClassType(NAME)
_FIELDS = {"items": byte_strings.ITEMS}
_OPERATORS = {
    "__len__": "length",
    "__getitem__": "item",
    "__setitem__": "set_item",
    "__delitem__": "delete_item",
    "__contains__": "contains",
    "__eq__": "same",
    "__lt__": "before",
    "__le__": "not_behind",
    "__gt__": "behind",
    "__ge__": "not_before",
    "__repr__": "text",
    "__add__": "joined",
    "__radd__": "joined_behind",
    "__iadd__": "extended",
    "__mul__": "repeated",
    "__rmul__": "repeated",
    "__imul__": "repeat",
}
_METHODS = (
    *("append", "capitalize", "center", "clear", "copy", "count", "endswith", "extend", "find"),
    *("hex", "index", "insert", "isalnum", "isalpha", "isascii", "isdigit", "islower", "isspace"),
    *("istitle", "isupper", "ljust", "lower", "lstrip", "partition", "pop", "remove"),
    *("removeprefix", "removesuffix", "replace", "reverse", "rfind", "rindex", "rjust"),
    *("rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "swapcase"),
    *("title", "translate", "upper", "zfill"),
)


@cache
def live_class() -> type:
    """Return the class that bytearrays are objects of in a program."""
    names = {**_OPERATORS, **{name: name for name in _METHODS}}
    methods = {name: standard_function("byte_arrays", known) for name, known in names.items()}
    return type(NAME, (bytearray,), dict(methods))


def is_byte_array(type_: Type) -> bool:
    """Whether values of a type are bytearrays."""
    return type_ == TYPE


def is_decoded(type_: Type, name: str) -> bool:
    """Whether a call of a method decodes a bytearray: of its encoding the checker asks."""
    return type_ == TYPE and name == "decode"


def made(context: Context, at: n.Node, source: Computation) -> Computation:
    """Return a new bytearray with some bytes."""
    context.library_class(live_class(), _FIELDS)
    items = context.apply(at, byte_strings.BYTES_ITEMS, source)
    return context.apply(at, data.NEW, items, cls=NAME, fields=tuple(_FIELDS))


def items_of(context: Context, at: n.Node, whole: Computation) -> Computation:
    """Return the list that a bytearray has."""
    return context.apply(at, data.FIELD, whole, name="items", type=byte_strings.ITEMS)


def bytes_of(context: Context, at: n.Node, whole: Computation) -> Computation:
    """Return the bytes of a bytearray, which are a copy."""
    return context.apply(at, byte_strings.BYTES_OF, items_of(context, at, whole))


def read_slice(context: Context, node: n.Subscript, base: Typed, slice_: n.Slice) -> Typed:
    """Check `b[i:j:k]`, a new bytearray."""
    parts, bounds = _bounds(context, slice_)
    found = _call(context, node, "sliced", operand(node.value, base), *bounds)
    return context.record(node, [node.value, *parts], found)


def write_slice(
    context: Context, node: n.Subscript, base: Typed, slice_: n.Slice, value: Typed
) -> Write:
    """Check `b[i:j:k] = value`."""
    parts, bounds = _bounds(context, slice_)
    whole, stored = operand(node.value, base), Stored(value.type)
    putting = _call(context, node, "set_slice", whole, stored, *bounds)
    return Write((node.value, *parts), None, (putting,), {})


def delete_slice(context: Context, node: n.Subscript, base: Typed, slice_: n.Slice) -> Write:
    """Check `del b[i:j:k]`."""
    parts, bounds = _bounds(context, slice_)
    removing = _call(context, node, "delete_slice", operand(node.value, base), *bounds)
    return Write((node.value, *parts), None, (removing,), {})


def _call(context: Context, at: n.Node, name: str, *operands: Computation) -> Computation:
    return context.call(at, standard_function("byte_arrays", name), operands)


def _bounds(
    context: Context, slice_: n.Slice
) -> tuple[list[n.Expression], tuple[Computation, ...]]:
    found = [bound(context, part) for part in (slice_.lower, slice_.upper, slice_.step)]
    return [part for parts, _ in found for part in parts], tuple(index for _, index in found)
