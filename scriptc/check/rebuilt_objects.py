"""Calls that make objects like those outside: see `outside_makers`."""

from scriptc.check import outside_fields
from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.check.outside_makers import Rebuilt
from scriptc.check.scripted_calls import check_scripted
from scriptc.check.signatures import Signature
from scriptc.syntax import nodes as n


def check_rebuilt(context: Context, node: n.Call, rebuilt: object) -> Typed | None:
    """Check the call that makes an object like one outside; None for any other call."""
    if not isinstance(rebuilt, Rebuilt):
        return None
    live, init = type(rebuilt.owner), rebuilt.init
    for place, name in zip(node.args, rebuilt.fields, strict=True):
        if isinstance(place, n.Name):
            outside_fields.suppose_type(context, place, rebuilt.owner, name)
    whole = context.signature(init, live)
    names = whole.names[1:]
    rest = Signature(names, {}, {}, len(names), frozenset(names))
    return check_scripted(context, node, live.__name__, rest, init, (), live)
