"""Keys, values and items of dicts as values: objects that hold the dict.

Where a loop takes them apart they are a part of it.  Elsewhere they are objects of a class for the
type of the dict, whose methods are in `stdlib/dict_views.py`.
"""

from collections.abc import Callable, ItemsView, KeysView, Mapping, ValuesView
from functools import cache
from numbers import Number
from zlib import crc32

from scriptc.check.bindings import Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.generics import ORIGIN
from scriptc.check.library.call import LibraryCall
from scriptc.check.library.standard import standard_function
from scriptc_runtime.ops import data
from scriptc_runtime.types import FLOAT, INT, STR, DictType, TupleType, Type, is_mutable

_FIELD = "held"
_SETS: Mapping[str, str] = {
    "__eq__": "same",
    "__and__": "common",
    "__rand__": "common",
    "__or__": "united",
    "__ror__": "united",
    "__sub__": "rest",
    "__rsub__": "rest_of_other",
    "__xor__": "either",
    "__rxor__": "either",
    "__le__": "is_within",
    "__ge__": "holds_all",
    "__lt__": "is_less",
    "__gt__": "is_more",
    "isdisjoint": "is_apart",
}
_METHODS: Mapping[str, Mapping[str, str]] = {
    "keys": {"__iter__": "each_key", "__contains__": "has_key", "__repr__": "keys_text", **_SETS},
    "values": {"__iter__": "each_value", "__repr__": "values_text"},
    "items": {
        **{"__iter__": "each_item", "__contains__": "has_item", "__repr__": "items_text"},
        **_SETS,
    },
}
_OF_ALL: Mapping[str, str] = {"__len__": "size", "__reversed__": "backwards"}
_NONE: dict[str, int] = {}
_PYTHONS: Mapping[str, type[object]] = {
    "keys": type(_NONE.keys()),
    "values": type(_NONE.values()),
    "items": type(_NONE.items()),
}
# What `isinstance` takes a view for.
_ABSTRACT = {"keys": KeysView, "values": ValuesView, "items": ItemsView}


@cache
def _live_class(name: str, type_: DictType) -> type:
    """Return the class that such views are objects of in a program."""
    known = {**_METHODS[name], **_OF_ALL}
    constants = (
        *(("KeysView", KeysView), ("ItemsView", ItemsView)),
        *(("FLOAT_KEYS", type_.key is FLOAT), ("NoKey", _never_equal(type_.key))),
    )
    methods = {
        method: standard_function("dict_views", of, constants) for method, of in known.items()
    }
    number = crc32(str(type_).encode())
    live = type(f"dict_{name}_{number:08x}", (), {**methods, ORIGIN: _PYTHONS[name]})
    return _ABSTRACT[name].register(live)


def _never_equal(key: Type) -> type:
    """Return a class whose values no key of this type equals."""
    if key in (INT, FLOAT):
        return str
    return Number if key is STR or isinstance(key, TupleType) else type(NotImplemented)


def view(name: str) -> Callable[[LibraryCall], Typed]:
    """Return the check of `d.keys()`, `d.values()` or `d.items()` where it is a value."""

    def check(call: LibraryCall) -> Typed:
        base = call.typed("self")
        call.context.require_items(call.node, base)
        assert isinstance(base.type, DictType)
        if name != "keys" and is_mutable(base.type.value):
            refuse_borrowed(call.context, call.node, base, "put into an object")
        live = _live_class(name, base.type)
        call.context.library_class(live, {_FIELD: base.type})
        attrs = {"cls": live.__name__, "fields": (_FIELD,)}
        return call.result(call.context.apply(call.node, data.NEW, call.operand("self"), **attrs))

    return check
