"""What Python's syntax does with deques: subscripts, searches, comparisons, joins."""

from typing import NoReturn

from scriptc.check.bindings import Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation, Operand, Stored, Write
from scriptc.check.context import Context, operand
from scriptc.check.conversion import converted
from scriptc.check.operators import INDEX_TYPES
from scriptc.check.python.deques.displays import empty, standard
from scriptc.check.python.lists.items import fit_item, learn
from scriptc.check.python.lists.operators import characters
from scriptc.check.told_items import tell_item
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import elementwise
from scriptc_runtime.types import INT, DequeType, ListType

Side = tuple[Typed, Computation]


def read(
    context: Context, node: n.Expression, whole: Computation, index: Computation
) -> Computation:
    """Return `whole[index]`."""
    context.require_items(node, Typed(whole.type, context.span(node)))
    return standard(context, node, "get_item", whole, _index(context, node, index))


def write(
    context: Context, node: n.Subscript, base: Typed, index: Computation, value: Typed
) -> Write:
    """Return how `base[index] = value` is done."""
    refuse_borrowed(context, node, base, "written to")
    refuse_borrowed(context, node, value, "put into a deque")
    if learn_item(context, node, base, value):
        raise context.not_known_yet(node)
    context.require_items(node, base)
    context.require_items(node, value)
    assert isinstance(base.type, DequeType)
    stored = fit_item(context, node, Stored(value.type), base.type, value)
    whole = Operand(node.value, base.type)
    putting = standard(context, node, "set_item", whole, _index(context, node, index), stored)
    return Write((node.value, node.slice), None, (putting,), {})


def delete(context: Context, node: n.Subscript, base: Typed) -> Write:
    """Check `del base[index]`."""
    refuse_borrowed(context, node, base, "written to")
    context.require_items(node, base)
    given = operand(node.slice, context.typed(node.slice))
    place = _index(context, node, given)
    removing = standard(context, node, "delete_item", operand(node.value, base), place)
    return Write((node.value, node.slice), None, (removing,), {})


def _index(context: Context, at: n.Node, index: Computation) -> Computation:
    if index.type not in INDEX_TYPES:
        context.fail(
            "index-type",
            f"the index of a deque is an int, not {index.type}",
            at,
            instead="an int; for a slice, list(items)[a:b]",
        )
    return converted(index, INT)


def learn_item(context: Context, at: n.Node, base: Typed, value: Typed) -> bool:
    """Note for the next pass that a deque holds an item; return whether something is new."""
    assert isinstance(base.type, DequeType)
    if base.open_list is None:
        if context.learn_items(value, Typed(base.type.item, base.span)):
            return True
        tell_item(context, at, base, value)
        return False
    return learn(context, at, base, value)


def comparison(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return `item in items`, or how two deques compare."""
    if symbol in ("in", "not in"):
        context.require_items(at, right[0])
        found = standard(context, at, "contains", right[1], left[1])
        return context.apply(at, elementwise.NOT, found) if symbol == "not in" else found
    if symbol not in ("==", "!=") or not isinstance(right[1].type, DequeType):
        _require_alike(context, at, symbol, left, right)
    if symbol in (">", ">="):
        left, right, symbol = right, left, "<" if symbol == ">" else "<="
    names = {"==": "same", "!=": "same", "<": "is_less", "<=": "is_less_or_same"}
    found = standard(context, at, names[symbol], left[1], right[1])
    return context.apply(at, elementwise.NOT, found) if symbol == "!=" else found


def binary(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return `a + b` or `a * n`, a new deque."""
    if symbol == "*" and right[1].type in INDEX_TYPES:
        context.require_items(at, left[0])
        assert isinstance(left[1].type, DequeType)
        into = empty(context, at, left[1].type)
        return standard(context, at, "repeated", left[1], converted(right[1], INT), into)
    if symbol != "+":
        _refuse(context, at, symbol, left, right)
    type_ = _require_alike(context, at, symbol, left, right)
    return standard(context, at, "joined", left[1], right[1], empty(context, at, type_))


def join(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return `a += b` or `a *= n`, which change the deque."""
    refuse_borrowed(context, at, left[0], "written to")
    if symbol == "*" and right[1].type in INDEX_TYPES:
        context.require_items(at, left[0])
        return standard(context, at, "repeat", left[1], converted(right[1], INT))
    if symbol != "+":
        _refuse(context, at, symbol, left, right)
    right = characters(context, at, *right)
    if isinstance(right[1].type, ListType):
        if learn_item(context, at, left[0], Typed(right[1].type.item, right[0].span)):
            raise context.not_known_yet(at)
        context.require_items(at, left[0])
        assert isinstance(left[1].type, DequeType)
        if left[1].type.item == right[1].type.item:
            return standard(context, at, "extend", left[1], right[1])
    _require_alike(context, at, symbol, left, right)
    return standard(context, at, "extend", left[1], standard(context, at, "listed", right[1]))


def _require_alike(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> DequeType:
    one, two = left[1].type, right[1].type
    if context.learn_items(left[0], right[0]):
        raise context.not_known_yet(at)
    context.require_items(at, left[0])
    context.require_items(at, right[0])
    if not isinstance(one, DequeType) or one != two:
        _refuse(context, at, symbol, left, right)
    return one


def _refuse(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> NoReturn:
    context.fail(
        "operand-type",
        f"{symbol!r} is not defined for {left[1].type} and {right[1].type}",
        at,
        instead="deques have +, * and comparisons, with deques of the same items",
    )
