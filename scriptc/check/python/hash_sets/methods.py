"""Methods of sets: each is a function of `stdlib/hash_sets.py`, or tells what the set holds."""

from collections.abc import Callable, Mapping

from scriptc.check.bindings import Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.definitions import Entry
from scriptc.check.open_types import empty_set, is_open
from scriptc.check.python.dicts.displays import may_equal, require_hashable
from scriptc.check.python.hash_sets import operators
from scriptc.check.python.hash_sets.displays import empty, learn, standard
from scriptc.check.python.lists.items import fit_item
from scriptc.check.python.lists.methods import for_the_next_pass
from scriptc_runtime.ops import containers, data
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    STR,
    DictType,
    ListType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
)


def _written(call: LibraryCall) -> Typed:
    base = call.typed("self")
    refuse_borrowed(call.context, call.node, base, "written to")
    return base


def _type(call: LibraryCall) -> SetType:
    base = call.typed("self")
    call.context.require_items(call.node, base)
    assert isinstance(base.type, SetType)
    return base.type


def _function(call: LibraryCall, name: str, *operands: Computation) -> Typed:
    return call.result(standard(call.context, call.node, name, call.operand("self"), *operands))


def _add(call: LibraryCall) -> Typed:
    base, value = _written(call), call.typed("item")
    is_new = learn(call.context, call.node, base, value)
    if is_open(base.type) or is_open(value.type):
        return for_the_next_pass(call)
    if is_new:
        raise call.context.not_known_yet(call.node)
    type_ = _type(call)
    require_hashable(call.context, call.node, type_.item)
    fitting = fit_item(call.context, call.node, call.operand("item"), type_, value)
    return _function(call, "add", fitting)


def _of_item(name: str) -> Callable[[LibraryCall], Typed]:
    def check(call: LibraryCall) -> Typed:
        _written(call)
        item = operators.fit(call.context, call.nodes["item"], call.operand("item"), _type(call))
        return _function(call, name, item)

    return check


def _alone(name: str) -> Callable[[LibraryCall], Typed]:
    def check(call: LibraryCall) -> Typed:
        _written(call)
        _type(call)
        return _function(call, name)

    return check


def _frozen(call: LibraryCall) -> Typed:
    """Check what becomes of the set that a call of frozenset() fills."""
    base = call.typed("self")
    if is_open(base.type):
        call.context.facts.types[call.node] = empty_set(frozen=True)
        return replace(base, type=empty_set(frozen=True))
    type_ = SetType(_type(call).item, frozen=True)
    context, node, whole = call.context, call.node, call.operand("self")
    # Nobody else knows the set: what it is made of is that of the frozenset.
    fields = [
        context.apply(node, data.FIELD, whole, name=name, type=of)
        for name, of in type_.fields.items()
    ]
    made = context.apply(node, containers.CONTAINER, *fields, type=type_)
    return replace(call.result(made), open_list=base.open_list)


def _copy(call: LibraryCall) -> Typed:
    type_ = _type(call)
    if type_.frozen:
        return call.result(call.operand("self"))
    found = _function(call, "copied", empty(call.context, call.node, type_))
    return replace(found, open_list=call.typed("self").open_list)


def _update(call: LibraryCall) -> Typed:
    base = _written(call)
    others = _others(call)
    told = [_tell(call, name, learns=True) for name in others]
    if is_open(base.type) or not all(told):
        return for_the_next_pass(call)
    return _one_by_one(call, "update", others)


def _others(call: LibraryCall) -> list[str]:
    return [name for name in call.nodes if name != "self"]


# What asks for items alone, and takes over none.
_SEARCHING = ("difference", "difference_update", "isdisjoint", "issubset", "issuperset")


def _tell(call: LibraryCall, name: str, *, learns: bool) -> bool:
    """See to it that an argument holds items of the set's type; return whether it is known."""
    context, base, other = call.context, call.typed("self"), call.typed(name)
    if is_open(other.type):
        context.learn_items(other, base)
        return False
    item = _item_of(call, name, other.type)
    if learns and learn(context, call.node, base, Typed(item, other.span)):
        raise context.not_known_yet(call.node)
    if is_open(base.type):
        return False
    assert isinstance(base.type, SetType)
    searches = call.name.rpartition(".")[2] in _SEARCHING and may_equal(item, base.type.item)
    if item != base.type.item and not searches:
        call.refuse(
            f"the set holds {base.type.item} and the other {item}",
            call.nodes[name],
            "convert the items: {float(x) for x in xs}",
        )
    return True


def _item_of(call: LibraryCall, name: str, type_: Type) -> Type:
    match type_:
        case SetType(item) | ListType(item):
            return item
        case DictType(key):
            return key
        case TensorType(dtype, dims) if len(dims) == 1:
            return dtype
        case TupleType(items) if items and len(set(items)) == 1:
            return items[0]
        case PyType.STR:
            return STR
        case _:
            instead = "a set, a list, a dict, a tuple of items of one type"
            call.refuse(f"{type_} has no items for a set", call.nodes[name], instead)


def _one_by_one(call: LibraryCall, name: str, others: list[str]) -> Typed:
    """Record a call that changes the set, for each of its arguments."""
    context, base = call.context, call.operand("self")
    if len(others) != 1:
        call.refuse(f"{call.name} takes one argument here", instead="one call for each of them")
    given = [call.operand(others[0])]
    if name in _WITH_EMPTY:
        given.append(empty(context, call.node, SetType(_type(call).item)))
    return call.result(standard(context, call.node, name, base, *given))


# What CPython does with further arguments, to the new set.
_GOES_ON: Mapping[str, str] = {"union": "updated", "difference": "reduced"}
_WITH_EMPTY = frozenset({"intersection_update", "symmetric_difference_update"})


def _changed(name: str) -> Callable[[LibraryCall], Typed]:
    def check(call: LibraryCall) -> Typed:
        _written(call)
        _type(call)
        if not all(_tell(call, other, learns=False) for other in _others(call)):
            raise call.context.not_known_yet(call.node)
        return _one_by_one(call, name, _others(call))

    return check


def _combined(name: str) -> Callable[[LibraryCall], Typed]:
    """Return the check of a method that gives a new set, of all of its arguments in turn."""

    def check(call: LibraryCall) -> Typed:
        context, type_ = call.context, _type(call)
        if not all(_tell(call, other, learns=False) for other in _others(call)):
            raise context.not_known_yet(call.node)
        others = _others(call)
        if not others:
            return _copy(call)
        found = call.operand("self")
        for other in others:
            if other != others[0] and name in _GOES_ON:
                found = standard(context, call.node, _GOES_ON[name], found, call.operand(other))
            else:
                into = empty(context, call.node, type_)
                found = standard(context, call.node, name, found, call.operand(other), into)
        return replace(call.result(found), open_list=call.typed("self").open_list)

    return check


def _asked(name: str, *, swapped: bool = False) -> Callable[[LibraryCall], Typed]:
    def check(call: LibraryCall) -> Typed:
        context, type_ = call.context, _type(call)
        others = _others(call)
        if len(others) != 1:
            context.fail("call-arity", f"{call.name}() takes one argument", call.node)
        if not _tell(call, others[0], learns=False):
            raise context.not_known_yet(call.node)
        given, base = call.operand(others[0]), call.operand("self")
        if not isinstance(given.type, SetType) and name != "isdisjoint":
            given = standard(
                context, call.node, "updated", empty(context, call.node, SetType(type_.item)), given
            )
        sides = (given, base) if swapped else (base, given)
        return call.result(standard(context, call.node, name, *sides))

    return check


def _method(
    name: str, required: int, check: Callable[[LibraryCall], Typed], *names: str
) -> Library:
    tells = name in ("add", "update")
    return Library(f"set.{name}", ("self", *names), 1 + required, check, tells_items=tells)


def _of_others(name: str, check: Callable[[LibraryCall], Typed], required: int = 0) -> Library:
    return Library(
        f"set.{name}",
        ("self", "other"),
        1 + required,
        check,
        variadic=True,
        consumes=True,
        tells_items=True,
    )


_READING: Mapping[str, Entry] = {
    "copy": _method("copy", 0, _copy),
    "difference": _of_others("difference", _combined("difference")),
    "intersection": _of_others("intersection", _combined("intersection")),
    "isdisjoint": _of_others("isdisjoint", _asked("isdisjoint"), 1),
    "issubset": _of_others("issubset", _asked("issubset"), 1),
    "issuperset": _of_others("issuperset", _asked("issubset", swapped=True), 1),
    "symmetric_difference": _of_others(
        "symmetric_difference", _combined("symmetric_difference"), 1
    ),
    "union": _of_others("union", _combined("union")),
}
_WRITING: Mapping[str, Entry] = {
    "add": _method("add", 1, _add, "item"),
    "clear": _method("clear", 0, _alone("clear")),
    "difference_update": _of_others("difference_update", _changed("difference_update")),
    "discard": _method("discard", 1, _of_item("discard"), "item"),
    "intersection_update": _of_others("intersection_update", _changed("intersection_update")),
    "pop": _method("pop", 0, _alone("pop")),
    "remove": _method("remove", 1, _of_item("remove"), "item"),
    "symmetric_difference_update": _of_others(
        "symmetric_difference_update", _changed("symmetric_difference_update"), 1
    ),
    "update": _of_others("update", _update),
    # What a call of frozenset() is short for.
    "@frozen": _method("@frozen", 0, _frozen),
}
METHODS: Mapping[str, Entry] = {**_READING, **_WRITING}


def methods_of(type_: SetType) -> Mapping[str, Entry]:
    """Return the methods of sets, or those of frozensets."""
    return _READING if type_.frozen else METHODS
