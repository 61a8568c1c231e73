"""Tuples that grow from call to call of a recursive function: there they are of any length."""

from collections.abc import Iterable, Sequence

from scriptc.check.bindings import any_length
from scriptc.check.checked import Computation, Convert
from scriptc_runtime.types import TupleType, Type, is_tuple_of


def grown(
    arguments: Sequence[Computation], around: Iterable[Sequence[Type]]
) -> Sequence[Computation]:
    """Return the arguments of a call; `around` are the types in calls that wait for this one."""
    found = list(arguments)
    for types in around:
        if len(types) != len(found):
            continue
        for place, type_ in enumerate(types):
            if kind := _grown(found[place].type, type_):
                found[place] = Convert(found[place], kind)
    return found


def _grown(given: Type, before: Type) -> Type | None:
    """Return the type of a tuple that is longer than before, as one of any length."""
    if not isinstance(given, TupleType):
        return None
    is_longer = isinstance(before, TupleType) and len(before.items) < len(given.items)
    return any_length(given, before) if is_longer or is_tuple_of(before) else None
