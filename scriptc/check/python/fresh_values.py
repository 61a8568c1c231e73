"""Values that a defaultdict makes: 0, or an empty container, as their type says.

`unsafe.fresh_value(items)` makes one in code of the library.
"""

from collections.abc import Mapping

from scriptc.check.bindings import Typed, merge_types
from scriptc.check.checked import Computation, Convert, Literal
from scriptc.check.context import Context
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.python.deques import displays as deques
from scriptc.check.python.dicts import displays as dicts
from scriptc.check.python.hash_sets import displays as hash_sets
from scriptc.syntax import nodes as n
from scriptc_runtime import unsafe
from scriptc_runtime.collection_classes import factory_name
from scriptc_runtime.ops import data
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    STR,
    DequeType,
    DictType,
    DType,
    ListType,
    SetType,
    Type,
)

_ZEROS: Mapping[Type, bool | int | float | complex | str] = {
    BIGINT: 0,
    BOOL: False,
    INT: 0,
    FLOAT: 0.0,
    COMPLEX: 0j,
    STR: "",
}


def _fresh_value(call: LibraryCall) -> Typed:
    type_ = call.typed("items").type
    call.drop("items")
    assert isinstance(type_, DictType)
    if not factory_name(type_.value):
        call.refuse(f"nothing says what {type_} makes for a key that is missing", call.node)
    return call.result(_fresh(call.context, call.node, type_.value))


def _fresh(context: Context, at: n.Node, type_: Type) -> Computation:
    """Return what calling the class of values of this type gives."""
    match type_:
        case ListType(item):
            return context.apply(at, data.LIST, item=item)
        case DictType():
            return dicts.empty(context, at, type_)
        case SetType():
            return hash_sets.empty(context, at, type_)
        case DequeType():
            return deques.empty(context, at, type_)
        case DType():
            return Literal(type_.numpy.type(0).item(), type_)
        case _:
            return Literal(_ZEROS[type_], type_)


def _made_value(call: LibraryCall) -> Typed:
    type_, value = call.typed("items").type, call.operand("value")
    call.drop("items")
    assert isinstance(type_, DictType)
    if value.type == type_.value:
        return call.result(value)
    if merge_types(type_.value, value.type) != type_.value:
        call.refuse(
            f"the values of {type_} are not what the factory makes, a {value.type}", call.node
        )
    return call.result(Convert(value, type_.value))


TABLE: Mapping[object, Library] = {
    unsafe.fresh_value: Library("unsafe.fresh_value", ("items",), 1, _fresh_value),
    unsafe.made_value: Library("unsafe.made_value", ("items", "value"), 2, _made_value),
}
