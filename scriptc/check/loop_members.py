"""Whether a loop is over what is of several types, and stands for one loop for each."""

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.syntax import nodes as n
from scriptc_runtime.types import UnionType


def is_of_members(context: Context, node: n.For) -> bool:
    """Check a loop over several kinds of iterables; return whether it is one."""
    found = None
    if isinstance(node.iter, n.Name):
        found = (context.env or {}).get(node.iter.id)
    elif isinstance(node.iter, n.Subscript):
        found = context.expression(node.iter)
    if not (isinstance(found, Typed) and isinstance(found.type, UnionType)):
        return False
    # Inside a function: few programs have unions.
    from scriptc.check.desugar.member_loops import check_member_loop

    return check_member_loop(context, node, found.type)
