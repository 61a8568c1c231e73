"""Displays whose types are joined with those of others in this check of the program."""

from scriptc.check import meeting_lists
from scriptc.check.bindings import Static, Typed
from scriptc.check.context import Context, Value
from scriptc.check.library.standard import is_standard
from scriptc.syntax import nodes as n
from scriptc_runtime import type_graphs
from scriptc_runtime.types import DType, PyType


def widened(context: Context, node: n.Expression, found: Value) -> Value:
    """Return what an expression is; a display that holds more in this check is told so."""
    joins = context.rounds.joins
    if not joins.wider or isinstance(found, Static) or found.open_list is None:
        return found
    if is_standard(context.function) or (_is_plain(found) and not joins.also_computed):
        return found
    whole = joins.widened(found.type)
    if whole == found.type:
        return found
    if not context.learned.may_unite:
        context.fail("type-merge", f"{found.type} is joined with others: {whole}", node)
    if meeting_lists.let_hold(context.learned, found, whole):
        raise context.not_known_yet(node)
    return found


def _is_plain(found: Typed) -> bool:
    """Whether it is a list of numbers or texts that is computed: what is written down is data.

    That the items of others are of several types is no reason for these to be, too, unless a
    program is refused otherwise.
    """
    assert found.open_list is not None
    display = found.open_list[0]
    if isinstance(display, n.List | n.Set) and display.elts:
        return False
    if isinstance(display, n.Dict) and display.keys:
        return False
    return all(isinstance(part, PyType | DType) for part in type_graphs.places_of(found.type))
