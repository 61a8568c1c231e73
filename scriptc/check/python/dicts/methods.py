"""Methods of dicts: each is a function of `stdlib/dicts.py`, or tells what the dict holds."""

from collections.abc import Callable, Mapping

from scriptc.check.bindings import Typed, united_types
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation, Literal
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.definitions import Entry
from scriptc.check.open_types import is_empty, is_open
from scriptc.check.python.dicts.displays import empty, fit_key, learn, standard
from scriptc.check.python.dicts.views import view
from scriptc.check.python.lists.items import fit_item, of_items
from scriptc.check.python.stand_in_defaults import default_beside
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.collection_classes import factory_name
from scriptc_runtime.record import replace
from scriptc_runtime.types import INT, NONE, DictType, ListType


def _written(call: LibraryCall) -> Typed:
    base = call.typed("self")
    refuse_borrowed(call.context, call.node, base, "written to")
    return base


def _type(call: LibraryCall) -> DictType:
    base = call.typed("self")
    call.context.require_items(call.node, base)
    assert isinstance(base.type, DictType)
    return base.type


def _key(call: LibraryCall) -> Computation:
    at, key = call.nodes["key"], call.operand("key")
    return fit_key(call.context, at, key, _type(call), call.typed("self"))


def _function(call: LibraryCall, name: str, *operands: Computation) -> Typed:
    whole = standard(call.context, call.node, name, call.operand("self"), *operands)
    return call.result(whole)


def _value_of(call: LibraryCall, found: Typed) -> Typed:
    """Return a value of the dict with what is known of lists in it."""
    return of_items(call.context, call.typed("self"), found)


def _get(call: LibraryCall) -> Typed:
    if is_open(call.typed("self").type) and "default" in call.values:
        # What is made of the default and put in says in the next pass what the values are.
        default, key = call.typed("default"), call.typed("key")
        if default.type is not NONE and not is_open(default.type):
            if not is_open(key.type):
                fitting = DictType(key.type, without_sizes(default.type))
                call.context.suggest_items(call.typed("self"), fitting)
            call.context.facts.types[call.node] = default.type
            return replace(default, span=call.context.span(call.node), known=None)
    gives_none = "default" not in call.values or call.typed("default").type is NONE
    if is_empty(call.typed("self").type) and gives_none:
        # As far as is known nothing is in it; what follows may tell what is.
        call.context.suggest_items(call.typed("self"), DictType(call.typed("key").type, INT))
        call.context.unknown.append(call.node)
        call.context.facts.types[call.node] = NONE
        return Typed(NONE, call.context.span(call.node))
    if not is_open(call.typed("key").type):
        call.context.suggest_items(call.typed("self"), DictType(call.typed("key").type, INT))
    type_ = _type(call)
    if gives_none:
        if "default" in call.values:
            call.drop("default")
        return _function(call, "get", _key(call), Literal(None, NONE))
    fitting = default_beside(call, type_.value, call.typed("self"), "values")
    return _value_of(call, _function(call, "get", _key(call), fitting))


def _setdefault(call: LibraryCall) -> Typed:
    stored = _stored(call, "default")
    if stored is None:
        value = call.typed("default")
        call.context.facts.types[call.node] = value.type
        return Typed(value.type, call.context.span(call.node), open_list=value.open_list)
    if _is_made_empty(call):
        # It is made where it is missing alone, as that of a defaultdict.
        call.drop("default")
        return _value_of(call, _function(call, "default_item", stored[0]))
    return _value_of(call, _function(call, "setdefault", *stored))


def _is_made_empty(call: LibraryCall) -> bool:
    """Whether the default is `[]` or `{}`, and what it becomes in the dict is one."""
    type_ = _type(call).value
    match call.nodes["default"]:
        case n.List(elts=()):
            return isinstance(type_, ListType)
        case n.Dict(keys=()):
            return isinstance(type_, DictType) and factory_name(type_) == "dict"
        case _:
            return False


def _stored(call: LibraryCall, name: str) -> tuple[Computation, Computation] | None:
    """Return a key and a value that are put into a dict; None where this pass knows no types."""
    base, key, value = _written(call), call.typed("key"), call.typed(name)
    refuse_borrowed(call.context, call.nodes[name], value, "put into a dict")
    is_new = learn(call.context, call.node, base, key, value)
    if is_open(base.type) or is_open(value.type):
        return None
    if is_new:
        raise call.context.not_known_yet(call.node)
    assert isinstance(base.type, DictType)
    return (
        fit_item(call.context, call.nodes["key"], call.operand("key"), base.type, key, "key"),
        fit_item(call.context, call.nodes[name], call.operand(name), base.type, value),
    )


def _set(call: LibraryCall) -> Typed:
    stored = _stored(call, "value")
    if stored is None:
        call.context.facts.types[call.node] = NONE
        return Typed(NONE, call.context.span(call.node))
    return _function(call, "set_item", *stored)


def _pop(call: LibraryCall) -> Typed:
    _written(call)
    key = _key(call)
    if "default" not in call.values:
        return _value_of(call, _function(call, "pop", key))
    default, type_ = call.typed("default"), _type(call)
    if default.type is NONE:
        call.drop("default")
        return _function(call, "pop_or", key, Literal(None, NONE))
    fitting = default_beside(call, type_.value, call.typed("self"), "values")
    return _value_of(call, _function(call, "pop_or", key, fitting))


def _popitem(call: LibraryCall) -> Typed:
    _written(call)
    _type(call)
    return _function(call, "popitem")


def _clear(call: LibraryCall) -> Typed:
    _written(call)
    _type(call)
    return _function(call, "clear")


def _copy(call: LibraryCall) -> Typed:
    type_ = _type(call)
    found = _function(call, "copied", empty(call.context, call.node, type_, call.operand("self")))
    return replace(found, open_list=call.typed("self").open_list)


def _update(call: LibraryCall) -> Typed:
    base, other = _written(call), call.typed("other")
    if not isinstance(other.type, DictType):
        call.refuse(f"{other.type} is no dict", call.nodes["other"], "a loop: for k, v in ...")
    call.context.suggest_items(other, base.type)
    call.context.require_items(call.nodes["other"], other)
    held = (Typed(t, other.span) for t in (other.type.key, other.type.value))
    if learn(call.context, call.node, base, *held):
        raise call.context.not_known_yet(call.node)
    type_ = _type(call)
    pairs = (type_.key, other.type.key), (type_.value, other.type.value)
    if any(united_types(held, given) != held for held, given in pairs):
        call.context.rounds.joins.tell(type_, other.type)
        call.refuse(f"{other.type} does not go into {type_}", call.nodes["other"])
    return _function(call, "update", call.operand("other"))


def _method(
    name: str, required: int, check: Callable[[LibraryCall], Typed], *names: str
) -> Library:
    return Library(f"dict.{name}", ("self", *names), 1 + required, check, tells_items=True)


METHODS: Mapping[str, Entry] = {
    "__setitem__": _method("__setitem__", 2, _set, "key", "value"),
    "clear": _method("clear", 0, _clear),
    "copy": _method("copy", 0, _copy),
    **{name: _method(name, 0, view(name)) for name in ("keys", "values", "items")},
    "get": _method("get", 1, _get, "key", "default"),
    "pop": _method("pop", 1, _pop, "key", "default"),
    "popitem": _method("popitem", 0, _popitem),
    "setdefault": _method("setdefault", 2, _setdefault, "key", "default"),
    "update": _method("update", 1, _update, "other"),
}
