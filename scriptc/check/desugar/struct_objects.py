"""Methods of `struct.Struct` objects, which are the functions of `struct` with their format.

HEADER.pack(a, b)       struct.pack("<HI", a, b)
"""

import struct

from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context, Value
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion

_FUNCTIONS = {
    "pack": struct.pack,
    "unpack": struct.unpack,
    "unpack_from": struct.unpack_from,
}


def check_struct_method(context: Context, node: n.Call, value: object) -> Value | None:
    """Check a call of a method of a format outside; None for any other."""
    owner: object = getattr(value, "__self__", None)
    function = _FUNCTIONS.get(str(getattr(value, "__name__", "")))
    if not isinstance(owner, struct.Struct) or function is None:
        return None
    lo, hi = node.lo, node.hi
    name = f"{function.__name__}@struct"
    assert context.env is not None
    context.locals |= {name}
    context.env[name] = Fixed(Static(function, context.span(node)))
    args = (n.Constant(lo, hi, owner.format, None), *node.args)
    made = n.Call(lo, hi, n.Name(lo, hi, name), args, node.keywords)
    # One node for all passes: what is learned of it stays known.
    whole = context.learned.spreads.setdefault((node, ("struct",)), made)
    found = context.expression(whole)
    if isinstance(found, Typed):
        context.facts.expanded[node] = Expansion((), whole, frozenset())
        context.facts.types[node] = found.type
    return found
