"""Defaults of calls that may find nothing: `d.get(key, 0.5)`, `max(xs, default=None)`.

A default of another type than what is found is the result as it is, which is then a union; one that
is written down takes the type of what is found, if that represents it.
"""

from scriptc.check.bindings import Typed, merge
from scriptc.check.checked import Computation
from scriptc.check.library.call import LibraryCall
from scriptc.check.open_types import block_in, is_open
from scriptc.check.python.lists.items import fit_item
from scriptc_runtime.record import replace
from scriptc_runtime.types import ListType, Type


def alone(call: LibraryCall) -> Typed:
    """Return what a call gives as far as is known, where nothing is known yet to be found.

    What is made of the default and put in says in the next pass what there is.
    """
    default, at = call.typed("default"), call.node
    call.context.unknown.append(at)
    call.context.facts.types[at] = default.type
    return replace(default, span=call.context.span(at), known=None)


def default_beside(call: LibraryCall, found: Type, whole: Typed, what: str) -> Computation:
    """Return the default of a call that finds values of a type in `whole`, its items or values."""
    default, at = call.typed("default"), call.nodes["default"]
    held = Typed(found, whole.span)
    merged = merge(held, default)
    if merged is not None and merged.type == found and not is_open(default.type):
        return fit_item(call.context, at, call.operand("default"), ListType(found), default)
    if is_open(default.type):
        # Of what is of several types, as items of JSON, the list says what is in one.
        one = block_in(found, type(default.type))
        call.context.learn_items(default, held if one is None else replace(held, type=one))
        raise call.context.not_known_yet(call.node)
    if merged is None and call.context.unite(held, default) is None:
        call.context.refuse_merge(
            f"{call.name}: the default is {default.type}, the {what} are {found}",
            at,
            held,
            default,
            why="the result has one type",
        )
    return call.operand("default")
