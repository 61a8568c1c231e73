"""Methods of lists: each is an op, or a function of `stdlib/list_methods.py`."""

from collections.abc import Callable, Mapping, Sequence

from scriptc.check.bindings import Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.definitions import Definition, Entry
from scriptc.check.open_types import is_open
from scriptc.check.operators import INDEX_TYPES
from scriptc.check.orders import has_order
from scriptc.check.python.lists.items import fit_item, learn, of_items
from scriptc.check.python.lists.operators import characters, extended
from scriptc.check.python.lists.own_copies import own_copy
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    ListType,
    TensorType,
    TupleType,
    Type,
)

Checker = Callable[[LibraryCall], Typed]


def _append(call: LibraryCall) -> Typed:
    item = stored_item(call)
    if item is None:
        return for_the_next_pass(call)
    return call.apply(data.LIST_APPEND, call.operand("list"), item)


def stored_item(call: LibraryCall) -> Computation | None:
    """Return what goes into the list; None where this pass does not know the type of its items."""
    base, value, at = written(call), call.typed("value"), call.nodes["value"]
    refuse_borrowed(call.context, at, value, "put into a list")
    learn(call.context, at, base, value)
    return None if is_open(base.type) or is_open(value.type) else _item(call, base, value)


def for_the_next_pass(call: LibraryCall) -> Typed:
    """Return the result of a call on a list or container whose items this pass does not know."""
    call.context.facts.types[call.node] = NONE
    return Typed(NONE, call.context.span(call.node))


def _item(call: LibraryCall, base: Typed, value: Typed) -> Computation:
    assert isinstance(base.type, ListType)
    return fit_item(call.context, call.node, call.operand("value"), base.type, value)


def written(call: LibraryCall) -> Typed:
    """Return the list that is written to, which must be the script's to write."""
    base = call.typed("list")
    refuse_borrowed(call.context, call.node, base, "written to")
    return base


def _index(call: LibraryCall, default: int) -> Computation:
    index = call.operand("index") if "index" in call.values else Literal(default, INT)
    if index.type not in INDEX_TYPES:
        call.refuse(f"the index must be int, not {index.type}", call.nodes["index"])
    return converted(index, INT)


def _pop(call: LibraryCall) -> Typed:
    base = written(call)
    index = _index(call, -1)
    popped = call.apply(data.LIST_POP, call.operand("list"), index)
    return of_items(call.context, base, popped)


def _insert(call: LibraryCall) -> Typed:
    item = stored_item(call)
    if item is None:
        return for_the_next_pass(call)
    index = _index(call, 0)
    return call.apply(data.LIST_INSERT, call.operand("list"), index, item)


def _extend(call: LibraryCall) -> Typed:
    base, more = written(call), call.typed("items")
    if _nested(more):
        refuse_borrowed(call.context, call.nodes["items"], more, "put into a list")
    more, given = characters(call.context, call.node, more, call.operand("items"))
    if isinstance(more.type, ListType):
        sides = (base, call.operand("list")), (more, given)
        return call.result(extended(call.context, call.node, *sides))
    for item in _items_of(more.type):
        learn(call.context, call.nodes["items"], base, Typed(item, more.span))
    if is_open(base.type) and _items_of(more.type):
        return for_the_next_pass(call)
    call.context.require_items(call.node, base)
    if isinstance(more.type, TensorType | TupleType):
        return _done(call, "extend_by", given)
    call.refuse(f"{more.type} has no items", call.nodes["items"], "a list, a tuple or an array")


def _items_of(type_: Type) -> Sequence[Type]:
    """Return the types of what an array or a tuple gives one by one."""
    if isinstance(type_, TensorType) and type_.rank:
        return [type_.dtype if type_.rank == 1 else TensorType(type_.dtype, type_.dims[1:])]
    return type_.items if isinstance(type_, TupleType) else ()


def _nested(value: Typed) -> bool:
    return isinstance(value.type, ListType) and isinstance(value.type.item, ListType)


def _done(call: LibraryCall, name: str, *operands: Computation) -> Typed:
    """Record a call of a standard function on the list."""
    return call.result(call.standard("list_methods", name, call.operand("list"), *operands))


def _copy(call: LibraryCall) -> Typed:
    base = call.typed("list")
    borrowed = base.borrowed if _nested(base) else None
    found = call.standard("list_methods", "copied", call.operand("list"))
    found, key = own_copy(call.context, call.node, base, found)
    return replace(call.result(found), open_list=key, borrowed=borrowed)


def _sort(call: LibraryCall) -> Typed:
    written(call)
    list_type, base = call.typed("list").type, call.nodes["list"]
    call.context.require_items(base, call.typed("list"))
    item = list_type.item if isinstance(list_type, ListType) else None
    is_object = isinstance(item, ClassType)
    if isinstance(item, TensorType) or (is_object and not has_order(call.context, item)):
        # `sorted` is the sort of a list that has no name.
        is_new = isinstance(base, n.Name) and "@" in base.id
        call.context.fail(
            "argument",
            f"{'sorted' if is_new else 'list.sort'}: values of {item} have no order",
            call.node,
            instead="say what orders them, key=lambda item: ...; np.sort sorts each row",
        )
    name = "sort" if item is None else _SORTS.get(item, "sort")
    return call.result(call.standard("list_sorting", name, call.operand("list"), descending(call)))


_SORTS: Mapping[Type, str] = {INT: "sort_ints", FLOAT: "sort_floats", STR: "sort_texts"}


def descending(call: LibraryCall) -> Computation:
    """Return the argument `reverse` of what sorts."""
    if call.is_given("key"):
        call.refuse("a key is given by name", call.nodes["key"], "xs.sort(key=f)")
    if "reverse" not in call.values:
        return Literal(False, BOOL)
    value = call.operand("reverse")
    if value.type is not BOOL:
        call.refuse(
            f"reverse must be a bool, not {value.type}", call.nodes["reverse"], "reverse=True"
        )
    return value


def _method(
    name: str, required: int, check: Callable[[LibraryCall], Typed], *names: str
) -> Library:
    return Library(
        f"list.{name}",
        ("list", *names),
        1 + required,
        check,
        consumes=name == "extend",
        tells_items=name in ("append", "extend", "insert"),
    )


METHODS: Mapping[str, Entry] = {
    "append": _method("append", 1, _append, "value"),
    "clear": Definition("list.clear", "list_methods"),
    "copy": _method("copy", 0, _copy),
    "count": Definition("list.count", "list_methods"),
    "extend": _method("extend", 1, _extend, "items"),
    "index": Definition("list.index", "list_methods"),
    "insert": _method("insert", 2, _insert, "index", "value"),
    "pop": _method("pop", 0, _pop, "index"),
    "remove": Definition("list.remove", "list_methods"),
    "reverse": Definition("list.reverse", "list_methods"),
    "sort": _method("sort", 0, _sort, "key", "reverse"),
}

# What a tuple of any length has of them.
_OF_TUPLES: Mapping[str, Entry] = {
    "count": Definition("tuple.count", "list_methods"),
    "index": Definition("tuple.index", "list_methods"),
}

# What a tuple of known length has, whose items may be of different types.
_OF_SHORT_TUPLES: Mapping[str, Entry] = {
    "count": Definition("tuple.count", "list_methods", prefix="each_"),
    "index": Definition("tuple.index", "list_methods", prefix="each_"),
}


def methods_of(type_: ListType | TupleType) -> Mapping[str, Entry]:
    """Return the methods of a list, or of a tuple."""
    if isinstance(type_, TupleType):
        return _OF_SHORT_TUPLES
    return _OF_TUPLES if type_.frozen else METHODS
