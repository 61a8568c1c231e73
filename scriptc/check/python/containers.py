"""What Python's syntax does with containers: each kind has functions of its own."""

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation
from scriptc.check.context import Context
from scriptc.check.python.dicts import operators as dict_operators
from scriptc.check.python.hash_sets import operators as set_operators
from scriptc.syntax import nodes as n
from scriptc_runtime.types import SetType

Side = tuple[Typed, Computation]


def comparison(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return a search in a container, `right`, or a comparison of two."""
    if isinstance(right[1].type, SetType):
        return set_operators.comparison(context, at, symbol, left, right)
    return dict_operators.comparison(context, at, symbol, left, right)


def binary(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation:
    """Return a new container of the items of two."""
    if isinstance(left[1].type, SetType):
        return set_operators.binary(context, at, symbol, left, right)
    return dict_operators.binary(context, at, symbol, left, right)


def join(context: Context, at: n.Node, symbol: str, left: Side, right: Side) -> Computation | None:
    """Return what an augmented assignment does to a container; None where it makes a new one."""
    if isinstance(left[1].type, SetType):
        return set_operators.join(context, at, symbol, left, right)
    return dict_operators.join(context, at, left, right) if symbol == "|" else None
