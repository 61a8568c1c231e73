"""What Python's syntax does with dicts: subscripts, searches, comparisons, joins."""

from collections.abc import Sequence

from scriptc.check.bindings import Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation, Operand, Stored, Write
from scriptc.check.context import Context, operand
from scriptc.check.python.dicts.displays import empty, fit_key, learn, standard
from scriptc.check.python.lists.items import fit_item
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import elementwise
from scriptc_runtime.types import DictType

Side = tuple[Typed, Computation]


def read(context: Context, node: n.Expression, whole: Computation, key: Computation) -> Computation:
    """Return `whole[key]`."""
    type_ = whole.type
    assert isinstance(type_, DictType)
    context.require_items(node, Typed(type_, context.span(node)))
    return standard(context, node, "get_item", whole, fit_key(context, node, key, type_))


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
    fitting = fit_item(context, node, key, type_.key, typed_key)
    stored = fit_item(context, node, Stored(value.type), type_.value, value)
    putting = standard(context, node, "set_item", Operand(node.value, type_), fitting, stored)
    return Write((node.value, node.slice), None, (putting,), {})


def delete(context: Context, node: n.Subscript, base: Typed) -> Write:
    """Check `del base[key]`."""
    refuse_borrowed(context, node, base, "written to")
    context.require_items(node, base)
    assert isinstance(base.type, DictType)
    key = fit_key(context, node, operand(node.slice, context.typed(node.slice)), base.type)
    removing = standard(context, node, "delete_item", operand(node.value, base), key)
    return Write((node.value, node.slice), None, (removing,), {})


def comparison(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return `key in items`, or whether two dicts have the same items."""
    if symbol in ("in", "not in"):
        context.require_items(at, right[0])
        assert isinstance(right[1].type, DictType)
        key = fit_key(context, at, left[1], right[1].type)
        found = standard(context, at, "contains", right[1], key)
    else:
        _require_alike(context, at, symbol, ("==", "!="), left, right)
        found = standard(context, at, "same", left[1], right[1])
    negated = symbol in ("not in", "!=")
    return context.apply(at, elementwise.NOT, found) if negated else found


def binary(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return `a | b`, a new dict."""
    type_ = _require_alike(context, at, symbol, ("|",), left, right)
    copy = standard(context, at, "copied", left[1], empty(context, at, type_))
    return standard(context, at, "updated", copy, right[1])


def join(context: Context, at: n.Node, left: Side, right: Side) -> Computation:
    """Return `a |= b`, which changes the dict."""
    refuse_borrowed(context, at, left[0], "written to")
    _require_alike(context, at, "|", ("|",), left, right)
    return standard(context, at, "update", left[1], right[1])


def _require_alike(
    context: Context, at: n.Node, symbol: str, known: Sequence[str], left: Side, right: Side
) -> DictType:
    one, two = left[1].type, right[1].type
    context.require_items(at, left[0])
    context.require_items(at, right[0])
    if symbol not in known or not isinstance(one, DictType) or one != two:
        context.fail(
            "operand-type",
            f"{symbol!r} is not defined for {one} and {two}",
            at,
            instead="dicts have |, == and !=, with dicts of the same types of keys and values",
        )
    return one
