"""What a `return` gives: a value, or NotImplemented, with which a method of an operator declines.

return NotImplemented
return self.__add__(other)          which declines for the types of its arguments
"""

from scriptc.check.bindings import Typed
from scriptc.check.context import Context, Declined
from scriptc.check.desugar import declined
from scriptc.syntax import nodes as n


def value_returned(context: Context, node: n.Return, value: n.Expression) -> Typed | None:
    """Check the value of a `return`; None where it is NotImplemented."""
    if not (isinstance(value, n.Name) and value.id == "NotImplemented"):
        try:
            return context.typed(value, context.declared_result)
        except Declined:
            # What an argument declines is given to the function, as a value that no script has.
            if not isinstance(value, n.Call) or _has_calls(value):
                raise
    declined.check_declined(context, node)
    return None


def _has_calls(call: n.Call) -> bool:
    """Whether arguments of a call, or what it is called on, are calls."""
    waiting = list(n.children(call))
    for inner in waiting:
        waiting += n.children(inner)
    return any(isinstance(inner, n.Call | n.BinOp | n.Compare) for inner in waiting)
