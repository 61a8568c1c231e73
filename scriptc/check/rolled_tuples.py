"""Tuples in loops that are not unrolled: a list of their items stands for them.

So do those of more items than a loop is compiled for one by one.

for cell, width in zip(("a", 1), widths)        the list holds a union
"""

from scriptc.check.checked import Convert, ListSource, LoopSource, TupleSource
from scriptc.check.context import Context
from scriptc.syntax.nodes import Call, Expression
from scriptc_runtime.ops import data
from scriptc_runtime.types import Type
from scriptc_runtime.unions import union_of

MOST_UNROLLED = 64


def rolled_source(context: Context, node: Call, source: LoopSource | TupleSource) -> LoopSource:
    """Return what a loop that is not unrolled runs over: for a tuple the list of its items."""
    if not isinstance(source, TupleSource):
        return source
    rolled = _list_of_items(context, node, source)
    if rolled is None:
        context.fail(
            "unrolled-loop",
            "zip() takes this tuple beside other tuples alone",
            node,
            why="its items are of several types, so the loop is unrolled",
            instead="index one of the two",
        )
    return rolled


def rolled_loop(context: Context, node: Expression, source: TupleSource) -> ListSource:
    """Return what a loop over a tuple of too many items runs over: the list of its items."""
    rolled = _list_of_items(context, node, source)
    if rolled is None:
        context.fail(
            "unrolled-loop",
            f"a loop over a tuple of {len(source.iterations)} items of several types",
            node,
            why=f"it is compiled once for each item, up to {MOST_UNROLLED}",
            instead="use an array or a list",
        )
    return rolled


def _list_of_items(context: Context, node: Expression, source: TupleSource) -> ListSource | None:
    """Return the list of the items of a tuple; None where they are of several types."""
    item = _item(context, source)
    if item is None:
        return None
    items = (Convert(c, item) if c.type != item else c for c in source.iterations)
    return ListSource(context.apply(node, data.LIST, *items, item=item), item)


def _item(context: Context, source: TupleSource) -> Type | None:
    """Return the type that holds all items, a union where the function has such."""
    types = [computation.type for computation in source.iterations]
    if len(set(types)) == 1:
        return types[0]
    return union_of(types) if context.learned.may_unite else None
