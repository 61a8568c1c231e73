"""`array.array("d", xs)`: an object of the class that stands for arrays of such numbers."""

import sys

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context, Value
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion

_INTS = frozenset("bBhHiIlLqQ")


def check_array(context: Context, node: n.Call, value: object) -> Value | None:
    """Check a call that makes an array of Python's; None for any other."""
    module = sys.modules.get("array")  # which a program that mentions it has loaded
    if module is None or value is not module.array:
        return None
    match node.args[:1]:
        case (n.Constant(value=str(code)),) if code in _INTS | {"f", "d"}:
            pass
        case _:
            context.fail(
                "argument",
                "array.array: the kind of its numbers is no letter that is written down",
                node,
                why="it says of which type they are",
                instead=f"one of {' '.join(sorted(_INTS))} f d, or a list",
            )
    # Inside a function: few programs have such arrays.
    from scriptc.stand_ins.number_arrays import FloatArray, IntArray

    cls = IntArray if code in _INTS else FloatArray
    lo, hi = node.lo, node.hi
    name = n.Name(lo, hi, f"{cls.__name__}@array")
    assert context.env is not None
    context.locals |= {name.id}
    context.env[name.id] = Fixed(Static(cls, context.span(node)))
    made = n.Call(lo, hi, name, node.args, node.keywords)
    # One node for all passes: what is learned of it stays known.
    whole = context.learned.spreads.setdefault((node, ("array",)), made)
    found = context.expression(whole)
    if isinstance(found, Typed):
        context.facts.expanded[node] = Expansion((), whole, frozenset())
        context.facts.types[node] = found.type
    return found
