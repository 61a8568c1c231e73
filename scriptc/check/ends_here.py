"""Refusals of what always raises: the run raises in its place, see `desugar/never_returning.py`."""

from scriptc.check.checked import Arm
from scriptc.check.context import Context
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import TypeCheckError


class EndsHere(TypeCheckError):
    """An operation is refused that raises whenever it is reached, or whose operand does.

    `node` is that operation or operand; `raised` is what it raises, None for a call.  Where it is
    short for loops, of which the first has nothing to run over, `loops` are those.
    """

    node: n.Expression
    raised: Arm | None
    loops: n.Body = ()


def end_of_loops(context: Context, node: n.Expression, loops: n.Body) -> EndsHere | None:
    """Return the refusal of an expression that is short for loops, if these always raise."""
    ends = [s for s in loops if s in context.facts.endings and s in context.refused]
    if context.env is not None or not ends:
        return None
    found = EndsHere(*context.refused[ends[-1]])
    found.node, found.raised, found.loops = node, None, loops
    return found
