"""Methods of `struct.Struct` objects, which are the functions of `struct` with their format.

HEADER.pack(a, b)       struct.pack("<HI", a, b)
"""

import struct

from scriptc.check.bindings import Static
from scriptc.check.context import Context, Value
from scriptc.check.desugar import live_calls
from scriptc.syntax import nodes as n

_FUNCTIONS = {
    "pack": struct.pack,
    "unpack": struct.unpack,
    "unpack_from": struct.unpack_from,
}


def check_struct_method(context: Context, node: n.Call, value: object) -> Value | None:
    """Check a call of a method of a format, or that of a format's class; None for any other."""
    if value is struct.Struct:
        return _made(context, node)
    owner: object = getattr(value, "__self__", None)
    function = _FUNCTIONS.get(str(getattr(value, "__name__", "")))
    if not isinstance(owner, struct.Struct) or function is None:
        return None
    form = n.Constant(node.lo, node.hi, owner.format, None)
    return live_calls.check_live_call(context, node, function, (form, *node.args), node.keywords)


def _made(context: Context, node: n.Call) -> Value:
    """Return a format that a program writes down, which is a constant."""
    match node.args:
        case (n.Constant(value=str() | bytes() as text),) if not node.keywords:
            pass
        case _:
            context.fail(
                "argument",
                "struct.Struct: the format is no text that is written down",
                node,
                why="it says of which types the values are",
                instead='struct.Struct("<Hi")',
            )
    try:
        return Static(struct.Struct(text), context.span(node))
    except struct.error as error:
        context.fail("argument", f"struct.Struct: {error}", node)
