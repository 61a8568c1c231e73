"""Displays that are declared to hold Python's numbers: they hold those of NumPy that are put in.

losses: list[float] = []
losses.append(np.mean(x))       losses is a list[f64], as a float64 of NumPy is a float
"""

from collections.abc import Iterable

from scriptc.check.bindings import HeldBy, ListKey, Typed
from scriptc.check.context import Context
from scriptc.check.parameter_types import specialised
from scriptc.check.size_names import without_sizes
from scriptc.check.wider_types import wider_type, with_item
from scriptc.syntax import nodes as n
from scriptc_runtime.record import replace
from scriptc_runtime.types import DictType, Type, is_number


def declared_type(context: Context, key: ListKey, declared: Type) -> Type:
    """Return the type of a display as it is declared, with the numbers that are known to be in."""
    known = context.learned.declared.get(key)
    return declared if known is None or specialised(known, declared) != known else known


def as_declared(context: Context, key: ListKey, made: Typed) -> Typed:
    """Return a display that has the type which is declared: it may be told more."""
    context.learned.declared.setdefault(key, made.type)
    return replace(made, open_list=None, held_by=HeldBy("", "", display=key))


def tell_items(
    context: Context,
    key: ListKey,
    whole: Type | None,
    items: Iterable[tuple[n.Node, Typed]],
    part: str,
) -> None:
    """Say what is written in a display that is declared to be `whole`."""
    if whole is None:
        return
    for at, value in items:
        if not value.literal:  # which gives way
            tell_declared(context, at, HeldBy("", "", display=key), whole, value.type, part)


def tell_declared(
    context: Context, at: n.Node, found: HeldBy, whole: Type, value: Type, part: str
) -> None:
    """Say what is put into a display, or into what is in it.

    Raises what gives up this pass where it holds another type of numbers by that.
    """
    if isinstance(whole, DictType) and whole.kind == "defaultdict" and is_number(whole.value):
        return  # the type of the values is what says which number it makes
    told = with_item(whole, found.depth, part, without_sizes(value))
    wider = told and wider_type(whole, told, (), (), may_unite=context.learned.may_unite)
    if wider is None or wider == whole or specialised(wider, whole) != wider:
        return
    assert found.display is not None
    context.learned.declared[found.display] = wider
    raise context.not_known_yet(at)


def learn_declared(context: Context, value: Typed, told: Type) -> bool:
    """Note for the next pass what a declared display holds, as the field does that it is put in.

    Return whether something is new.
    """
    key = value.held_by.display if value.held_by else None
    if key is None or told == context.learned.declared[key]:
        return False
    if specialised(told, context.learned.declared[key]) != told:
        return False
    context.learned.declared[key] = told
    return True
