"""What Python puts into fields of objects of scripted classes, and what their types do not hold."""

from scriptc.check.live_values import type_of
from scriptc.check.wider_types import wider_type
from scriptc.classes.scripted_class import ClassState, class_names, state_of
from scriptc.values.kinds import Parameter, classes_in, key_of
from scriptc_runtime.errors import ScriptError


def take_value(state: ClassState, name: str, value: object) -> bool:
    """Give a field a type that holds a value as well; return whether there is one.

    No type of a field that the class declares changes.
    """
    known = state.known[name]
    try:
        told = type_of(value)
    except ScriptError:
        return False
    wider = wider_type(known, told, (), (), may_unite=True, stays=True)
    states = [found for found in map(state_of, classes_in(key_of(value))) if found is not None]
    held = {other.live.__name__ for other in states}
    if wider is None or wider == known or not held.issuperset(class_names(told)):
        return False
    opened = {field: type_ for field, type_ in state.opened.items() if field != name}
    fields = [Parameter(f.name, wider if f.name == name else f.type) for f in state.fields]
    assert state.access is not None  # there is an object with fields
    state.declare(fields, state.access, (*state.others, *states), opened)
    return True
