"""Counters: what their operators and comparisons do, by functions of `stdlib/counters.py`."""

from typing import NoReturn

from scriptc.check.bindings import Typed
from scriptc.check.borrowed_lists import refuse_borrowed
from scriptc.check.checked import Computation
from scriptc.check.context import Context
from scriptc.check.library.standard import standard_function
from scriptc.check.python.dicts.displays import empty
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import elementwise
from scriptc_runtime.types import DictType, Type

Side = tuple[Typed, Computation]

_BINARY = {"+": "added", "-": "subtracted", "|": "largest", "&": "smallest"}

_UNARY = {"+": "positive", "-": "negative"}


def is_counter(type_: Type) -> bool:
    """Whether values of a type are Counters."""
    return isinstance(type_, DictType) and type_.kind == "Counter"


def standard(context: Context, at: n.Node, name: str, *operands: Computation) -> Computation:
    """Return a call of a function of `stdlib/counters.py`."""
    return context.call(at, standard_function("counters", name), operands)


def binary(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return `a + b` and its like: a new Counter of what is above zero."""
    type_ = _require_alike(context, at, symbol, left, right)
    if symbol not in _BINARY:
        _refuse(context, at, symbol, left, right)
    return standard(context, at, _BINARY[symbol], left[1], right[1], empty(context, at, type_))


def unary(context: Context, at: n.Node, symbol: str, value: Computation) -> Computation | None:
    """Return `+c` or `-c`, a new Counter of what is above zero, or below; None for others."""
    type_ = value.type
    if not isinstance(type_, DictType) or not is_counter(type_) or symbol not in _UNARY:
        return None
    return standard(context, at, _UNARY[symbol], value, empty(context, at, type_))


def join(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return `a += b` and its like, which keep what is above zero."""
    refuse_borrowed(context, at, left[0], "written to")
    type_ = _require_alike(context, at, symbol, left, right)
    if symbol not in _BINARY:
        _refuse(context, at, symbol, left, right)
    name = f"become_{_BINARY[symbol]}"
    return standard(context, at, name, left[1], right[1], empty(context, at, type_))


def comparison(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return how two Counters compare, where what is missing counts as 0."""
    _require_alike(context, at, symbol, left, right)
    if symbol in (">", ">="):
        left, right, symbol = right, left, "<" if symbol == ">" else "<="
    names = {"==": "same", "!=": "same", "<=": "is_part", "<": "is_proper_part"}
    found = standard(context, at, names[symbol], left[1], right[1])
    return context.apply(at, elementwise.NOT, found) if symbol == "!=" else found


def _require_alike(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> DictType:
    if context.learn_items(left[0], right[0]):
        raise context.not_known_yet(at)
    context.require_items(at, left[0])
    context.require_items(at, right[0])
    one, two = left[1].type, right[1].type
    if not isinstance(one, DictType) or one != two:
        _refuse(context, at, symbol, left, right)
    return one


def _refuse(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> NoReturn:
    context.fail(
        "operand-type",
        f"{symbol!r} is not defined for {left[1].type} and {right[1].type}",
        at,
        instead="Counters have +, -, |, & and comparisons, with Counters of the same items",
    )
