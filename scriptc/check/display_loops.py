"""Loops over tuples that are written down, a round for each item, and over what has stars."""

from typing import cast

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal, TupleSource
from scriptc.check.context import Context, operand
from scriptc.check.desugar import computed_stars, starred_zips
from scriptc.check.desugar.stars import has_star
from scriptc.syntax import nodes as n
from scriptc_runtime.types import BOOL, FLOAT, INT, STR, TupleType


def without_known_stars(context: Context, node: n.Expression) -> n.Expression:
    """Return a tuple without its stars, one of a list where the run says how many items there are.

    So is `zip(*pair)`. What is neither stays as it is.
    """
    if not (isinstance(node, n.Tuple | n.Call) and has_star(node)):
        return node
    if isinstance(node, n.Tuple):
        return computed_stars.spread_display(context, node)
    return starred_zips.spread(context, node) or node


def is_over_a_set(node: n.For) -> bool:
    """Whether a loop of the program is over a set that is written down, as none of `list({1})` is.

    The variable of what stands for a call has the place of the whole call.
    """
    return isinstance(node.iter, n.Set) and node.target.hi <= node.iter.lo


def rounds(context: Context, node: n.Tuple) -> TupleSource:
    """Return what a loop runs over that has a round for each item of a display."""
    values = [context.typed(elt) for elt in node.elts]
    each = (_round(e, v) for e, v in zip(node.elts, values, strict=True))
    return TupleSource(tuple(each), TupleType(()))


def _round(node: n.Expression, value: Typed) -> Computation:
    """Return what a variable is in one iteration over a tuple: a constant can be an axis."""
    known = value.known.value if value.known else None
    if type(known) in (bool, int, float, str) and value.type in (BOOL, INT, FLOAT, STR):
        return Literal(cast("bool | int | float | str", known), value.type)
    return operand(node, value)
