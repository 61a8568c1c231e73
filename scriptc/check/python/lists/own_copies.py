"""Copies of lists that hold more than the lists: `m = [row[:] for row in rows]`, `m[k] = floats`.

Where values may be of several types, a copy is a display of its own: what is put in is learned.
"""

from scriptc.check.bindings import ListKey, Typed, united_types
from scriptc.check.checked import Computation
from scriptc.check.context import Context
from scriptc.check.library.standard import is_standard, standard_function
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data
from scriptc_runtime.types import ListType


def own_copy(
    context: Context, node: n.Expression, base: Typed, found: Computation
) -> tuple[Computation, ListKey | None]:
    """Return a copy of a list with the items that it will hold, and where these are learned."""
    type_ = found.type
    if base.open_list is not None or base.held_by is not None or not context.learned.may_unite:
        return found, base.open_list
    if is_standard(context.function) or not isinstance(type_, ListType) or type_.frozen:
        return found, None
    key = node, context.path
    known = context.learned.items.setdefault(key, Typed(type_.item, context.span(node)))
    # What was learned may begin with what is put in.
    item = united_types(without_sizes(known.type), type_.item)
    if item is not None and item != type_.item:
        context.learned.items[key] = Typed(item, known.span, unites=True)
        new = context.apply(node, data.LIST, item=item)
        found = context.call(node, standard_function("list_methods", "filled"), [new, found])
    return found, key
