"""What a script may be handed of objects outside, and of lists and the like that hold some."""

from collections.abc import Iterator

from scriptc.cache.guards import SIZE, ContainerGuard, FieldGuard, Guard, HeldGuard
from scriptc.values.kinds import key_of
from scriptc.values.outside_places import (
    fields_held,
    is_compiled_in,
    is_container,
    is_object,
    is_scripted,
    items_held,
)

_SCALARS = (bool, int, float, complex, str, bytes, type(None))
# The text that stands for a part, its kind and its guard, with what that belongs to; or a part that
# is looked at, too.
Part = tuple[str, object, Guard | None, object]


def parts_of(value: object) -> Iterator[Part]:
    """Yield what of an object, or a list or the like, is handed over or compiled in."""
    if is_scripted(value):
        yield "handed", "", Guard({SIZE: value}, SIZE, value), value
        return
    yield "held", "", HeldGuard(value), value
    if not is_object(value):
        for part in items_held(value):
            if not isinstance(part, _SCALARS) and not is_compiled_in(part):
                yield "item", "", Guard({SIZE: part}, SIZE, part), part
            yield "item", "", None, part
        return
    for name, part in fields_held(value):
        if is_compiled_in(part):
            yield name, "", None, part
        elif is_container(part) or is_scripted(part):
            yield name, key_of(part), ContainerGuard(value, name), value
            yield name, "", None, part
        else:
            yield name, key_of(part), FieldGuard(value, name), value
