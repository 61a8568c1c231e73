"""Displays whose types are joined with those of others in this check of the program."""

from scriptc.check.bindings import Static
from scriptc.check.context import Context, Value
from scriptc.check.library.standard import is_standard
from scriptc.check.meeting_lists import let_hold
from scriptc.syntax import nodes as n


def widened(context: Context, node: n.Expression, found: Value) -> Value:
    """Return what an expression is; a display that holds more in this check is told so."""
    joins = context.rounds.joins
    if not joins.wider or isinstance(found, Static) or found.open_list is None:
        return found
    if is_standard(context.function):
        return found
    whole = joins.widened(found.type)
    if whole == found.type:
        return found
    if not context.learned.may_unite:
        context.fail("type-merge", f"{found.type} is joined with others: {whole}", node)
    if let_hold(context.learned, found, whole):
        raise context.not_known_yet(node)
    return found
