"""What Python's syntax does with dicts: subscripts, searches, comparisons, joins."""

from collections.abc import Sequence

from scriptc.check.bindings import Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import (
    Computation,
    Convert,
    Literal,
    Operand,
    Select,
    Stored,
    Write,
)
from scriptc.check.context import Context, operand
from scriptc.check.open_types import key_of
from scriptc.check.python.dicts import counters
from scriptc.check.python.dicts.displays import (
    empty,
    fit_key,
    found_key,
    learn,
    learn_length,
    may_equal,
    standard,
)
from scriptc.check.python.lists.items import fit_item
from scriptc.check.python.type_errors import never_equal, never_in
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data, elementwise
from scriptc_runtime.types import BOOL, INT, NONE, DictType, OptionalType
from scriptc_runtime.unions import members_of

Side = tuple[Typed, Computation]


def write(
    context: Context, node: n.Subscript, sides: tuple[Typed, Typed], key: Computation, value: Typed
) -> Write:
    """Return how `base[key] = value` is done; `sides` are the dict and the key."""
    base, typed_key = sides
    type_ = base.type
    assert isinstance(type_, DictType)
    refuse_borrowed(context, node, base, "written to")
    refuse_borrowed(context, node, value, "put into a dict")
    if learn(context, node, base, typed_key, value):
        raise context.not_known_yet(node)
    context.require_items(node, base)
    context.require_items(node, value)
    fitting = fit_item(context, node, key, type_, typed_key, "key")
    stored = fit_item(context, node, Stored(value.type), type_, value)
    putting = standard(context, node, "set_item", Operand(node.value, type_), fitting, stored)
    return Write((node.value, node.slice), None, (putting,), {})


def delete(context: Context, node: n.Subscript, base: Typed) -> Write:
    """Check `del base[key]`."""
    refuse_borrowed(context, node, base, "written to")
    context.require_items(node, base)
    assert isinstance(base.type, DictType)
    fit = fit_key if base.type.kind == "Counter" else found_key
    key = fit(context, node, operand(node.slice, context.typed(node.slice)), base.type, base)
    name = "discard_item" if base.type.kind == "Counter" else "delete_item"
    removing = standard(context, node, name, operand(node.value, base), key)
    return Write((node.value, node.slice), None, (removing,), {})


def comparison(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return `key in items`, or whether two dicts have the same items."""
    if symbol in ("in", "not in"):
        context.suggest_items(right[0], DictType(left[1].type, INT))
        context.require_items(at, right[0])
        assert isinstance(right[1].type, DictType)
        if never_in(left[1].type, right[1].type):
            return Literal(symbol == "not in", BOOL)
        if right[0].open_list:
            place = key_of(right[0].open_list)
            learn_length(context, at, place, right[1].type.key, left[1].type)
        found = _contains(context, at, left[1], right[1], right[1].type)
    elif counters.is_counter(left[1].type) and counters.is_counter(right[1].type):
        return counters.comparison(context, at, symbol, left, right)
    else:
        found = standard(
            context, at, _comparing(context, at, symbol, left, right), left[1], right[1]
        )
    negated = symbol in ("not in", "!=")
    return context.apply(at, elementwise.NOT, found) if negated else found


def _comparing(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> str:
    """Return the name of the function that says whether two dicts have the same items."""
    _require_items(context, at, left, right)
    one, two = left[1].type, right[1].type
    if symbol in ("==", "!=") and isinstance(one, DictType) and isinstance(two, DictType):
        if never_equal(one.key, two.key):
            return "are_empty"
        if one.key == two.key or may_equal(one.key, two.key):
            return "same_in_order" if one.kind == two.kind == "OrderedDict" else "same"
    _require_alike(context, at, symbol, ("==", "!="), left, right)
    return "same"


def _contains(
    context: Context, at: n.Node, key: Computation, whole: Computation, type_: DictType
) -> Computation:
    if not isinstance(key.type, OptionalType) or NONE in members_of(type_.key):
        return standard(context, at, "contains", whole, fit_key(context, at, key, type_))
    # None is no key.
    present = context.apply(at, data.HAS_VALUE, key)
    found = _contains(context, at, Convert(key, key.type.item), whole, type_)
    return Select(present, found, Literal(False, BOOL), BOOL)


def binary(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return `a | b`, a new dict."""
    if counters.is_counter(left[1].type):
        return counters.binary(context, at, symbol, left, right)
    type_ = _require_alike(context, at, symbol, ("|",), left, right)
    copy = standard(context, at, "copied", left[1], empty(context, at, type_, left[1]))
    return standard(context, at, "updated", copy, right[1])


def join(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return `a |= b`, which changes the dict."""
    if counters.is_counter(left[1].type):
        return counters.join(context, at, symbol, left, right)
    refuse_borrowed(context, at, left[0], "written to")
    _require_alike(context, at, symbol, ("|",), left, right)
    return standard(context, at, "update", left[1], right[1])


def _require_alike(
    context: Context, at: n.Node, symbol: str, known: Sequence[str], left: Side, right: Side
) -> DictType:
    _require_items(context, at, left, right)
    one, two = left[1].type, right[1].type
    alike = isinstance(one, DictType) and isinstance(two, DictType) and _plain(one) == _plain(two)
    if symbol not in known or not alike or not isinstance(one, DictType):
        context.fail(
            "operand-type",
            f"{symbol!r} is not defined for {one} and {two}",
            at,
            instead="dicts have |, == and !=, with dicts of the same types of keys and values",
        )
    return one


def _require_items(context: Context, at: n.Node, left: Side, right: Side) -> None:
    context.require_items(at, left[0])
    context.require_items(at, right[0])
    if context.learn_items(left[0], right[0]):
        raise context.not_known_yet(at)


def _plain(type_: DictType) -> DictType:
    return DictType(type_.key, type_.value)
