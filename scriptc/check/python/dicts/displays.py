"""Dicts as they are made: displays, and what those that say nothing turn out to hold.

What is put into an empty dict says what it holds, as for lists: the next pass over the function
knows it. What is known of the values stands where lists keep what is known of their items; what is
known of the keys, beside it.
"""

from itertools import product

from scriptc.check import hashes, meeting_lists
from scriptc.check.bindings import (
    ListKey,
    Typed,
    merge_types,
    united_types,
)
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation, Convert, Literal
from scriptc.check.context import Context, operand
from scriptc.check.conversion import converted
from scriptc.check.declared_displays import as_declared, declared_type, tell_items
from scriptc.check.library.standard import standard_function
from scriptc.check.open_types import EMPTY_DICT, UNTOLD, is_open, key_of
from scriptc.check.python.lists.items import (
    fit_item,
    known_item,
    learn_absent,
    learn_open,
    learn_ring,
)
from scriptc.check.python.type_errors import never_equal
from scriptc.check.size_names import without_sizes
from scriptc.check.told_items import tell_item
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import containers, data
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import (
    BIGINT,
    INT,
    NONE,
    ClassType,
    DictType,
    DType,
    NamedType,
    OptionalType,
    SetType,
    TupleType,
    Type,
    UnionType,
    is_complex,
    is_number,
    is_tuple_of,
)
from scriptc_runtime.unions import members_of

# Types that hold values of others, as they are.
_WIDER = UnionType | OptionalType | ClassType | TupleType
# Ints that 64 bits hold.
_EXACT = (INT, DType.I64, DType.I32, DType.I16, DType.I8, DType.U8, DType.U16, DType.U32)
_WHY = "all keys of a dict have one type, and so have its values"


@record(eq=False)
class Factory:
    """What makes the values of a defaultdict, where the class of them does not.

    `value` is the function as an object; `made` is what it returns, if that is not what is learned
    of the values.
    """

    node: n.Expression
    value: Typed
    made: Type | None = None


def standard(context: Context, at: n.Node, name: str, *operands: Computation) -> Computation:
    """Return a call of a function of `stdlib/dicts.py`."""
    return context.call(at, standard_function("dicts", name), operands)


def empty(
    context: Context, at: n.Node, type_: DictType, like: Computation | None = None
) -> Computation:
    """Return a new dict without items; with the factory of the dict `like`, if that has one."""
    factory = None
    if type_.factory is not None and like is not None:
        factory = context.apply(at, data.FIELD, like, name="factory", type=type_.factory)
    return _empty(context, at, type_, factory)


def _empty(
    context: Context, at: n.Node, type_: DictType, factory: Computation | None
) -> Computation:
    held = (type_.entries, type_.index)
    lists = [context.apply(at, data.LIST, item=whole.item) for whole in held]
    counts = (Literal(0, INT), Literal(0, INT))
    makers = () if factory is None else (factory,)
    return context.apply(at, containers.CONTAINER, *lists, *counts, *makers, type=type_)


def check_empty(
    context: Context,
    node: n.Call,
    kind: str,
    expected: Type | None,
    factory: Factory | None = None,
) -> Typed:
    """Check a call that makes a dict of a class of `collections`, without items."""
    at = (node, context.path)
    made = known_item(context, at) if kind == "defaultdict" else None
    held = UNTOLD if made is None else without_sizes(made.type)
    open_ = DictType(UNTOLD, held, kind, factory and factory.value.type)
    declared = None
    if isinstance(expected, DictType) and expected.kind in (kind, "dict"):
        whole = replace(open_, key=expected.key, value=expected.value)
        declared = declared_type(context, at, whole)
        assert isinstance(declared, DictType)
    type_ = declared or known_type(context, at, open_)
    if type_ is None or is_open(type_):
        context.empty_lists.append(at)
        found = type_ or open_
        context.facts.types[node] = found
        return Typed(found, context.span(node), open_list=at)
    type_ = replace(type_, key=without_sizes(type_.key), value=without_sizes(type_.value))
    require_hashable(context, node, type_.key)
    if factory and factory.made is not None:
        type_ = replace(type_, value=without_sizes(factory.made))
    makers = [factory.node] if factory else []
    new = _empty(context, node, type_, operand(factory.node, factory.value) if factory else None)
    made = context.record(node, makers, new)
    return as_declared(context, at, made) if declared else replace(made, open_list=at)


def check_display(context: Context, node: n.Dict, expected: Type | None) -> Typed:
    """Check `{key: value, ...}`."""
    at = (node, context.path)
    declared = expected if isinstance(expected, DictType) and expected.kind == "dict" else None
    if declared is not None:
        declared = declared_type(context, at, declared)
    assert declared is None or isinstance(declared, DictType)
    keys = [key for key in node.keys if key is not None]
    given_keys = [context.typed(key) for key in keys]
    given = [context.typed(value, declared and declared.value) for value in node.values]
    for place, value in zip(node.values, given, strict=True):
        refuse_borrowed(context, place, value, "put into a dict")
    if declared is None:
        for key, value in zip(given_keys, given, strict=True):
            _learn(context, node, at, key, value, is_display=True)
    else:
        tell_items(context, at, declared, zip(keys, given_keys, strict=True), "key")
        tell_items(context, at, declared, zip(node.values, given, strict=True), "item")
    type_ = declared or known_type(context, at)
    if type_ is None or is_open(type_):
        if not keys:
            context.empty_lists.append(at)
        context.facts.types[node] = type_ or EMPTY_DICT
        return Typed(type_ or EMPTY_DICT, context.span(node), open_list=at)
    type_ = DictType(without_sizes(type_.key), without_sizes(type_.value))
    require_hashable(context, node, type_.key)
    pairs: list[Computation] = []
    parts: list[n.Expression] = []
    for key, value, typed_key, typed in zip(keys, node.values, given_keys, given, strict=True):
        if is_open(typed.type):
            context.learn_items(typed, Typed(type_.value, context.span(node)))
            raise context.not_known_yet(value)
        fitting = fit_item(context, key, operand(key, typed_key), type_, typed_key, "key")
        stored = fit_item(context, value, operand(value, typed), type_, typed)
        pairs.append(context.apply(node, data.TUPLE, fitting, stored))
        parts += [key, value]
    result = empty(context, node, type_)
    if pairs:
        item = pairs[0].type
        whole = context.apply(node, data.LIST, *pairs, item=item)
        result = standard(context, node, "filled", result, whole)
    found = replace(context.record(node, parts, result), open_list=at)
    return as_declared(context, at, found) if declared else found


def require_hashable(context: Context, at: n.Node, key: Type) -> None:
    """Refuse keys that have no hash, or none that is built."""
    if not hashes.may_be_key(context, key):
        context.fail(
            "dict",
            f"{key} cannot be a key, nor an item of a set",
            at,
            why="those are numbers that are not complex, texts, objects, functions of modules, and"
            " tuples and frozensets of them",
            instead="a tuple of numbers, or a number of the object",
        )


def known_type(context: Context, key: ListKey, open_: DictType = EMPTY_DICT) -> DictType | None:
    """Return the type of a display as far as it is known; `open_` is it where nothing is."""
    keys, values = context.learned.items.get(key_of(key)), known_item(context, key)
    if keys is None or values is None:
        return None
    return replace(open_, key=keys.type, value=values.type)


def learn(context: Context, at: n.Node, base: Typed, key: Typed, value: Typed) -> bool:
    """Note for the next pass that a dict holds an item; return whether something is new."""
    if base.open_list is None:
        if not isinstance(base.type, DictType):
            return False
        if context.learn_items(value, Typed(base.type.value, base.span)):
            return True
        tell_item(context, at, base, key, "key")
        tell_item(context, at, base, value)
        return False
    return _learn(context, at, base.open_list, key, value)


def _learn(
    context: Context,
    at: n.Node,
    key_: ListKey,
    key: Typed,
    value: Typed,
    *,
    is_display: bool = False,
) -> bool:
    known_key = context.learned.items.get(key_of(key_))
    if is_open(key.type):
        new = known_key is not None and context.learn_items(key, known_key)
    else:
        new = _learn_one(context, at, key_of(key_), key, "keys")
    if meeting_lists.is_ring(context.learned, key_, value):
        whole = known_type(context, key_) or EMPTY_DICT
        base = Typed(whole, context.span(at), open_list=key_)
        return learn_ring(context, at, base, value) or new
    if learn_absent(context, key_, value):
        return True
    known = known_item(context, key_)
    if known is not None and (is_open(value.type) or is_open(known.type)):
        new = learn_open(context, known, value) or new
        if new or not is_display or _may_be_one(known.type, value.type):
            return new
    return _learn_one(context, at, key_, value, "values") or new


def _may_be_one(known: Type, type_: Type) -> bool:
    """Whether what says nothing yet is perhaps a list or container of a type that is known."""
    kinds = {type(member) for member in members_of(known)}
    return not kinds.isdisjoint(map(type, members_of(type_)))


def learn_value(context: Context, at: n.Node, key: ListKey, value: Typed) -> None:
    """Note for the next pass what a dict holds, whose keys are not known."""
    known = known_item(context, key)
    if known is None:
        context.learned.items[key] = value
    elif is_open(value.type) or is_open(known.type):
        context.learn_items(value, known)
    else:
        _learn_one(context, at, key, value, "values")


def learn_key(context: Context, at: n.Node, base: Typed, key: Typed) -> bool:
    """Note for the next pass what the keys of a dict are; return whether something is new."""
    if base.open_list is None or is_open(key.type):
        return False
    return _learn_one(context, at, key_of(base.open_list), key, "keys")


def _learn_one(context: Context, at: n.Node, place: ListKey, value: Typed, what: str) -> bool:
    known = known_item(context, place) if what == "values" else context.learned.items.get(place)
    merged = value if known is None else context.merge_or_unite(known, value)
    if merged is None:
        assert known is not None
        context.refuse_merge(
            f"the {what} of the dict are {known.type} and {value.type}", at, known, value, why=_WHY
        )
    is_new = known is None or merged.type != known.type
    if is_new or not merged.literals:
        context.learned.items[place] = merged
    return is_new


def fit_key(
    context: Context, at: n.Node, key: Computation, type_: DictType, base: Typed | None = None
) -> Computation:
    """Return a key as one of a dict, which `base` is, that is searched for it."""
    if may_equal(key.type, type_.key) or is_told_apart(context, key.type, type_.key):
        return key
    return own_key(context, at, key, type_, base)


def own_key(
    context: Context, at: n.Node, key: Computation, type_: DictType, base: Typed | None = None
) -> Computation:
    """Return a key as one of a dict, which `base` is, that may be put into it."""
    if base is not None and base.open_list:
        learn_length(context, at, key_of(base.open_list), type_.key, key.type)
    return fit_hashed(context, at, key, type_.key, f"the keys of {type_}")


def found_key(
    context: Context, at: n.Node, key: Computation, type_: DictType, base: Typed | None = None
) -> Computation:
    """Return a key whose item there must be: where it is None, and no key is, the run raises."""
    if isinstance(key.type, OptionalType) and NONE not in members_of(type_.key):
        key = standard(context, at, "present_key", key)
    return fit_key(context, at, key, type_, base)


def learn_length(context: Context, at: n.Node, place: ListKey, held: Type, key: Type) -> None:
    """Note that a dict or set of tuples is searched for others.  Raises what gives up this pass."""
    if held == key or not all(isinstance(t, TupleType) or is_tuple_of(t) for t in (held, key)):
        return
    kind = united_types(held, key)
    if kind is not None and kind != held:
        context.learned.items[place] = Typed(kind, context.span(at))
        raise context.not_known_yet(at)


def may_equal(first: Type, second: Type) -> bool:
    """Whether both are numbers of different types: equal ones have one hash, as `==` finds them."""
    is_converted = first in _EXACT and second in (INT, DType.I64)
    return first != second and not is_converted and _is_real(first) and _is_real(second)


def is_told_apart(context: Context, key: Type, held: Type) -> bool:
    """Whether a key of several types is searched for as it is: its types tell what it may equal.

    So is a function, which has a type of its own.
    """
    is_told = isinstance(key, UnionType | OptionalType) or _is_function(context, key)
    if not is_told or united_types(held, key) == held:
        return False
    pairs = product(members_of(key), members_of(held))
    return all(
        one == two or may_equal(one, two) or _is_other(context, one, two) for one, two in pairs
    )


def _is_other(context: Context, key: Type, held: Type) -> bool:
    """Whether no key equals one that is held; what an object says of None is compared."""
    if key is NONE and isinstance(held, ClassType | NamedType | SetType):
        return True
    are_functions = _is_function(context, key), _is_function(context, held)
    if any(are_functions):  # beside an object, that says what it equals
        return all(are_functions) or not isinstance((held, key)[are_functions[1]], ClassType)
    return never_equal(key, held)


def _is_function(context: Context, type_: Type) -> bool:
    return isinstance(type_, ClassType) and context.function_called(type_.name) is not None


def _is_real(type_: Type) -> bool:
    return type_ is BIGINT or (is_number(type_) and not is_complex(type_))


def fit_hashed(
    context: Context, at: n.Node, key: Computation, held: Type, what: str
) -> Computation:
    """Return a value as one of the type `held`, among which it is searched for."""
    if key.type == held:
        return key
    if isinstance(held, _WIDER) and merge_types(held, key.type) == held:
        return Convert(key, held)
    if is_tuple_of(held) and united_types(held, key.type) == held:
        return Convert(key, held)
    if key.type in _EXACT and held in (INT, DType.I64):
        return converted(key, held)
    context.fail(
        "dict",
        f"{what} are {held}, not {key.type}",
        at,
        instead="convert the key",
    )
