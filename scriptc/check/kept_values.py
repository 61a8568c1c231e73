"""Constants that stand for values: as one, where a value is needed."""

from scriptc.check.bindings import Kept, KeptKeywords, Typed
from scriptc.check.context import Context
from scriptc.check.desugar import keywords
from scriptc.check.python import slices
from scriptc.syntax import nodes as n


def as_value(context: Context, node: n.Expression, kept: Kept) -> Typed:
    """Return the arguments of `**kwargs` as a dict, a slice, or a tuple that holds one."""
    if isinstance(kept, KeptKeywords):
        return keywords.whole(context, node, kept)
    return slices.whole(context, node, kept)
