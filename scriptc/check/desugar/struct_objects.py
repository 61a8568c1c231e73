"""Methods of `struct.Struct` objects, which are the functions of `struct` with their format.

HEADER.pack(a, b)       struct.pack("<HI", a, b)
"""

import struct

from scriptc.check.context import Context, Value
from scriptc.check.desugar.live_calls import check_live_call
from scriptc.syntax import nodes as n

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
    form = n.Constant(node.lo, node.hi, owner.format, None)
    return check_live_call(context, node, function, (form, *node.args), node.keywords)
