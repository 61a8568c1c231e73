"""`next` of an `itertools.count` that stands outside: `_ids = itertools.count(1)`.

The call is handed a list with the number that comes next.  When it ends, as many numbers are taken
of the counter as the call has taken.
"""

from scriptc.check.bindings import Static, Typed
from scriptc.check.checked import Literal
from scriptc.check.context import Context, operand
from scriptc.check.library.standard import standard_function
from scriptc.syntax import nodes as n
from scriptc.values.outside_places import OutsideCount, is_count
from scriptc_runtime.types import ListType

_PLACE = "itertools.count@"


def check_next_number(context: Context, node: n.Call) -> Typed | None:
    """Check `next(counter)`; None for anything else."""
    if len(node.args) != 1 or node.keywords:
        return None
    found = context.expression(node.args[0])
    if not isinstance(found, Static) or found.receiver is not None or not is_count(found.value):
        return None
    counter = OutsideCount(found.value)
    name = f"{_PLACE}{id(found.value)}"
    context.learned.places[name] = counter
    place = context.learned.spreads.setdefault((node, (name,)), n.Name(node.lo, node.hi, name))
    held = context.typed(place)
    assert isinstance(held.type, ListType)
    step = Literal(counter.step, held.type.item)
    taken = standard_function("iterators", "next_number")
    return context.record(node, [place], context.call(node, taken, (operand(place, held), step)))
