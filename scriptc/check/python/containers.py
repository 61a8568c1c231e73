"""What Python's syntax does with containers: each kind has functions of its own."""

from scriptc.check import operators
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Write
from scriptc.check.context import Context
from scriptc.check.python.deques import operators as deque_operators
from scriptc.check.python.dicts import missing
from scriptc.check.python.dicts import operators as dict_operators
from scriptc.check.python.hash_sets import operators as set_operators
from scriptc.syntax import nodes as n
from scriptc_runtime.types import ClassType, DequeType, SetType

Side = tuple[Typed, Computation]


def comparison(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return a search in a container, `right`, or a comparison of two."""
    if isinstance(left[1].type, ClassType) and symbol not in ("in", "not in"):
        return operators.comparison(context, at, symbol, left, right)
    if isinstance(right[1].type, SetType):
        return set_operators.comparison(context, at, symbol, left, right)
    if isinstance(right[1].type, DequeType):
        return deque_operators.comparison(context, at, symbol, left, right)
    return dict_operators.comparison(context, at, symbol, left, right)


def binary(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return a new container of the items of two, or what the class of an object makes of both."""
    if isinstance(right[1].type, ClassType):
        return operators.binary(context, at, symbol, left, right)
    if isinstance(left[1].type, SetType):
        return set_operators.binary(context, at, symbol, left, right)
    if isinstance(left[1].type, DequeType):
        return deque_operators.binary(context, at, symbol, left, right)
    return dict_operators.binary(context, at, symbol, left, right)


def join(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation | None:
    """Return what an augmented assignment does to a container; None where it makes a new one."""
    if isinstance(left[1].type, SetType):
        return set_operators.join(context, at, symbol, left, right)
    if isinstance(left[1].type, DequeType):
        return deque_operators.join(context, at, symbol, left, right)
    return dict_operators.join(context, at, symbol, left, right)


def read(
    context: Context, node: n.Expression, base: Typed, whole: Computation, key: Computation
) -> Computation:
    """Return `whole[key]`."""
    if isinstance(whole.type, DequeType):
        return deque_operators.read(context, node, whole, key)
    return missing.read(context, node, base, whole, key)


def write(
    context: Context, node: n.Subscript, sides: tuple[Typed, Typed], key: Computation, value: Typed
) -> Write:
    """Return how `base[key] = value` is done; `sides` are the container and the key."""
    if isinstance(sides[0].type, DequeType):
        return deque_operators.write(context, node, sides[0], key, value)
    return dict_operators.write(context, node, sides, key, value)


def delete(context: Context, node: n.Subscript, base: Typed) -> Write:
    """Check `del base[key]`."""
    if isinstance(base.type, DequeType):
        return deque_operators.delete(context, node, base)
    return dict_operators.delete(context, node, base)
