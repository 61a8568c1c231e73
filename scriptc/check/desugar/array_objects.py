"""`array.array("d", xs)`: an object of the class that stands for arrays of such numbers."""

import sys

from scriptc.check.class_stand_ins import stand_in
from scriptc.check.context import Context, Value
from scriptc.check.desugar import live_calls
from scriptc.syntax import nodes as n

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
    cls = stand_in("number_arrays", "IntArray" if code in _INTS else "FloatArray")
    return live_calls.check_live_call(context, node, cls, node.args, node.keywords)
