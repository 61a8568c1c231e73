"""Tuples in loops that are not unrolled: a list of their items stands for them.

for cell, width in zip(("a", 1), widths)        the list holds a union
"""

from scriptc.check.checked import Convert, ListSource, LoopSource, TupleSource
from scriptc.check.context import Context
from scriptc.syntax.nodes import Call
from scriptc_runtime.ops import data
from scriptc_runtime.types import Type
from scriptc_runtime.unions import union_of


def rolled_source(context: Context, node: Call, source: LoopSource | TupleSource) -> LoopSource:
    """Return what a loop that is not unrolled runs over: for a tuple the list of its items."""
    if not isinstance(source, TupleSource):
        return source
    item = _item(context, source)
    if item is None:
        context.fail(
            "unrolled-loop",
            "zip() takes this tuple beside other tuples alone",
            node,
            why="its items are of several types, so the loop is unrolled",
            instead="index one of the two",
        )
    items = (Convert(c, item) if c.type != item else c for c in source.iterations)
    return ListSource(context.apply(node, data.LIST, *items, item=item), item)


def _item(context: Context, source: TupleSource) -> Type | None:
    """Return the type that holds all items, a union where the function has such."""
    types = [computation.type for computation in source.iterations]
    if len(set(types)) == 1:
        return types[0]
    return union_of(types) if context.learned.may_unite else None
