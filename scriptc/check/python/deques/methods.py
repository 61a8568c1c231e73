"""Methods of deques: each is a function of `stdlib/deques.py`, or tells what the deque holds."""

from collections.abc import Callable, Mapping

from scriptc.check.bindings import Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation, Literal
from scriptc.check.library.call import Library, LibraryCall, int_size
from scriptc.check.library.definitions import Entry
from scriptc.check.open_types import is_open
from scriptc.check.python.deques.displays import empty, standard
from scriptc.check.python.deques.operators import learn_item
from scriptc.check.python.lists.items import fit_item, of_items
from scriptc.check.python.lists.methods import for_the_next_pass
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    INT,
    STR,
    DequeType,
    DictType,
    ListType,
    SetType,
    TensorType,
    TupleType,
    Type,
)
from scriptc_runtime.values import INT_MAX


def _written(call: LibraryCall) -> Typed:
    base = call.typed("self")
    refuse_borrowed(call.context, call.node, base, "written to")
    return base


def _type(call: LibraryCall) -> DequeType:
    base = call.typed("self")
    call.context.require_items(call.node, base)
    assert isinstance(base.type, DequeType)
    return base.type


def _function(call: LibraryCall, name: str, *operands: Computation) -> Typed:
    return call.result(standard(call.context, call.node, name, call.operand("self"), *operands))


def _stored(call: LibraryCall) -> Computation | None:
    """Return an item that is put into a deque; None where this pass knows no types."""
    base, value, at = _written(call), call.typed("x"), call.nodes["x"]
    refuse_borrowed(call.context, at, value, "put into a deque")
    is_new = learn_item(call.context, call.node, base, value)
    if is_open(base.type) or is_open(value.type):
        return None
    if is_new:
        raise call.context.not_known_yet(call.node)
    return fit_item(call.context, call.node, call.operand("x"), _type(call), value)


def _adding(name: str) -> Callable[[LibraryCall], Typed]:
    def check(call: LibraryCall) -> Typed:
        item = _stored(call)
        return for_the_next_pass(call) if item is None else _function(call, name, item)

    return check


def _insert(call: LibraryCall) -> Typed:
    item = _stored(call)
    if item is None:
        return for_the_next_pass(call)
    index = int_size(call, call.operand("index"), call.nodes["index"])
    return _function(call, "insert", index, item)


def _taken(name: str) -> Callable[[LibraryCall], Typed]:
    def check(call: LibraryCall) -> Typed:
        base = _written(call)
        _type(call)
        return of_items(call.context, base, _function(call, name))

    return check


def _alone(name: str) -> Callable[[LibraryCall], Typed]:
    def check(call: LibraryCall) -> Typed:
        _written(call)
        _type(call)
        return _function(call, name)

    return check


def _rotate(call: LibraryCall) -> Typed:
    _written(call)
    _type(call)
    if not call.is_given("n"):
        return _function(call, "rotate", Literal(1, INT))
    return _function(call, "rotate", int_size(call, call.operand("n"), call.nodes["n"]))


def _extending(name: str) -> Callable[[LibraryCall], Typed]:
    def check(call: LibraryCall) -> Typed:
        base, other, context = _written(call), call.typed("other"), call.context
        assert isinstance(base.type, DequeType)
        if is_open(other.type):
            context.learn_items(other, Typed(ListType(base.type.item), base.span))
            return for_the_next_pass(call)
        is_new = learn_item(context, call.node, base, Typed(_item_of(call, other.type), other.span))
        if is_open(base.type):
            return for_the_next_pass(call)
        if is_new:
            raise context.not_known_yet(call.node)
        given = call.operand("other")
        if isinstance(other.type, DequeType):
            given = standard(context, call.node, "listed", given)
        return _function(call, name, given)

    return check


def _item_of(call: LibraryCall, type_: Type) -> Type:
    match type_:
        case ListType(item) | DequeType(item) | SetType(item) | DictType(item):
            return item
        case TensorType(dtype, dims) if len(dims) == 1:
            return dtype
        case TupleType(items) if items and len(set(items)) == 1:
            return items[0]
        case _ if type_ is STR:
            return STR
        case _:
            instead = "a list, a deque, a text, a tuple of items of one type"
            call.refuse(f"{type_} has no items for a deque", call.nodes["other"], instead)


def _searched(name: str) -> Callable[[LibraryCall], Typed]:
    def check(call: LibraryCall) -> Typed:
        if name == "remove":
            _written(call)
        _type(call)
        if name != "index":
            return _function(call, name, call.operand("x"))
        bounds = {"start": Literal(0, INT), "stop": Literal(INT_MAX, INT)}
        given = (
            int_size(call, call.operand(n), call.nodes[n]) if n in call.nodes else default
            for n, default in bounds.items()
        )
        return _function(call, name, call.operand("x"), *given)

    return check


def _copy(call: LibraryCall) -> Typed:
    found = _function(call, "copied", empty(call.context, call.node, _type(call)))
    return replace(found, open_list=call.typed("self").open_list)


def _method(
    name: str, required: int, check: Callable[[LibraryCall], Typed], *names: str
) -> Library:
    return Library(
        f"deque.{name}",
        ("self", *names),
        1 + required,
        check,
        consumes="other" in names,
        tells_items="x" in names or "other" in names,
    )


METHODS: Mapping[str, Entry] = {
    "append": _method("append", 1, _adding("append"), "x"),
    "appendleft": _method("appendleft", 1, _adding("appendleft"), "x"),
    "clear": _method("clear", 0, _alone("clear")),
    "copy": _method("copy", 0, _copy),
    "count": _method("count", 1, _searched("count"), "x"),
    "extend": _method("extend", 1, _extending("extend"), "other"),
    "extendleft": _method("extendleft", 1, _extending("extendleft"), "other"),
    "index": _method("index", 1, _searched("index"), "x", "start", "stop"),
    "insert": _method("insert", 2, _insert, "index", "x"),
    "pop": _method("pop", 0, _taken("pop")),
    "popleft": _method("popleft", 0, _taken("popleft")),
    "remove": _method("remove", 1, _searched("remove"), "x"),
    "reverse": _method("reverse", 0, _alone("reverse")),
    "rotate": _method("rotate", 0, _rotate, "n"),
}
