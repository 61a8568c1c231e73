"""Methods of Counters and OrderedDicts, beside those of all dicts."""

from collections.abc import Callable, Mapping

from scriptc.check.bindings import Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation, Literal
from scriptc.check.library.call import Library, LibraryCall, int_size
from scriptc.check.library.definitions import Entry
from scriptc.check.open_types import is_open
from scriptc.check.python import byte_arrays
from scriptc.check.python.dicts import counters, displays, methods
from scriptc.check.python.dicts.displays import fit_key
from scriptc_runtime.types import (
    BOOL,
    BYTES,
    INT,
    NONE,
    STR,
    DequeType,
    DictType,
    ListType,
    SetType,
    TensorType,
    TupleType,
    Type,
)


def methods_of(type_: DictType) -> Mapping[str, Entry]:
    """Return the methods of dicts of a class."""
    return _OF_KINDS.get(type_.kind, methods.METHODS)


def _known(call: LibraryCall) -> DictType:
    base = call.typed("self")
    call.context.require_items(call.node, base)
    assert isinstance(base.type, DictType)
    return base.type


def _written(call: LibraryCall) -> Typed:
    base = call.typed("self")
    refuse_borrowed(call.context, call.node, base, "written to")
    return base


def _counting(call: LibraryCall, name: str, *operands: Computation) -> Typed:
    whole = counters.standard(call.context, call.node, name, call.operand("self"), *operands)
    return call.result(whole)


def _counted(of_items: str, of_counts: str) -> Callable[[LibraryCall], Typed]:
    """Return the check of a method that counts items, or takes the counts of a dict."""

    def check(call: LibraryCall) -> Typed:
        context, base = call.context, _written(call)
        if not call.is_given("other"):
            context.facts.types[call.node] = NONE
            return Typed(NONE, context.span(call.node))
        other = call.typed("other")
        context.require_items(call.nodes["other"], other)
        item = _item_of(call, other.type)
        is_new = displays.learn_key(context, call.node, base, Typed(item, other.span))
        if is_open(base.type):
            context.facts.types[call.node] = NONE
            return Typed(NONE, context.span(call.node))
        type_ = _known(call)
        if is_new:
            raise context.not_known_yet(call.node)
        if item != type_.key:
            call.refuse(f"{type_} does not count {item}", call.nodes["other"])
        name = of_counts if isinstance(other.type, DictType) else of_items
        return _counting(call, name, call.operand("other"))

    return check


def _item_of(call: LibraryCall, type_: Type) -> Type:
    match type_:
        case DictType(key, value) if value is INT:
            return key
        case ListType(item) | SetType(item) | DequeType(item):
            return item
        case TensorType(dtype, dims) if len(dims) == 1:
            return dtype
        case TupleType(items) if items and len(set(items)) == 1:
            return items[0]
        case _ if type_ is STR:
            return STR
        case _ if type_ is BYTES or byte_arrays.is_byte_array(type_):
            return INT
        case _:
            instead = "a list, a text, a dict of ints, a tuple of items of one type"
            call.refuse(f"{type_} has nothing to count", call.nodes["other"], instead)


def _most_common(call: LibraryCall) -> Typed:
    _known(call)
    if not call.is_given("n"):
        return _counting(call, "most_common")
    count = int_size(call, call.operand("n"), call.nodes["n"])
    return _counting(call, "most_common_of", count)


def _total(call: LibraryCall) -> Typed:
    _known(call)
    return _counting(call, "total")


def _elements(call: LibraryCall) -> Typed:
    _known(call)
    return _counting(call, "elements")


def _move_to_end(call: LibraryCall) -> Typed:
    _written(call)
    type_ = _known(call)
    key = fit_key(call.context, call.nodes["key"], call.operand("key"), type_)
    last = _flag(call) if "last" in call.values else Literal(True, BOOL)
    return _of_dict(call, "move_to_end", key, last)


def _flag(call: LibraryCall) -> Computation:
    if call.typed("last").type is not BOOL:
        call.refuse("last is a bool", call.nodes["last"], "True or False")
    return call.operand("last")


def _popitem(call: LibraryCall) -> Typed:
    _written(call)
    _known(call)
    if "last" not in call.values:
        return _of_dict(call, "popitem_last")
    known = call.typed("last").known
    if known is None:
        call.refuse("whether it is the last one is known when it is compiled", call.nodes["last"])
    call.drop("last")
    return _of_dict(call, "popitem_last" if known.value else "popitem_first")


def _of_dict(call: LibraryCall, name: str, *operands: Computation) -> Typed:
    whole = displays.standard(call.context, call.node, name, call.operand("self"), *operands)
    return call.result(whole)


def _method(
    kind: str, name: str, required: int, check: Callable[[LibraryCall], Typed], *names: str
) -> Library:
    takes = "other" in names
    return Library(
        f"{kind}.{name}",
        ("self", *names),
        1 + required,
        check,
        consumes=takes,
        tells_items=takes,
    )


_OF_KINDS: Mapping[str, Mapping[str, Entry]] = {
    "Counter": {
        **methods.METHODS,
        "most_common": _method("Counter", "most_common", 0, _most_common, "n"),
        "subtract": _method(
            "Counter", "subtract", 0, _counted("uncount", "subtract_counts"), "other"
        ),
        "@elements": _method("Counter", "@elements", 0, _elements),
        "total": _method("Counter", "total", 0, _total),
        "update": _method("Counter", "update", 0, _counted("count", "add_counts"), "other"),
    },
    "OrderedDict": {
        **methods.METHODS,
        "move_to_end": _method("OrderedDict", "move_to_end", 1, _move_to_end, "key", "last"),
        "popitem": _method("OrderedDict", "popitem", 0, _popitem, "last"),
    },
}
