"""What Python puts into fields of objects of scripted classes, and what their types do not hold."""

from collections.abc import Sequence

from scriptc.check.live_values import type_of
from scriptc.check.wider_types import wider_type
from scriptc.classes.declaring import Declared, declare_all
from scriptc.classes.scripted_class import (
    ClassState,
    class_names,
    line_of_states,
    state_of,
)
from scriptc.values.kinds import Parameter, classes_in, key_of
from scriptc_runtime.errors import ScriptError
from scriptc_runtime.named_classes import kind_of
from scriptc_runtime.types import Type


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
    live = list(classes_in(key_of(value)))
    found = [state for state in map(state_of, live) if state is not None]
    # Several classes may be told as a base that they have in common.
    states = list(dict.fromkeys(of for state in found for of in line_of_states(state.live)))
    held = {other.live.__name__ for other in states}
    if wider is None or wider == known or not held.issuperset(class_names(told)):
        return False
    assert state.access is not None  # there is an object with fields
    for of in _with_field(state, name):
        named = [cls for cls in live if kind_of(cls) is not None]
        of.named = list(dict.fromkeys((*of.named, *named)))
    declared = [_with(of, name, wider) for of in _with_field(state, name)]
    declare_all(declared, state.access, (*state.others, *states))
    return True


def _with(state: ClassState, name: str, type_: Type) -> Declared:
    """Return the fields of a class with another type of one that is not open from now on."""
    fields = [Parameter(f.name, type_ if f.name == name else f.type) for f in state.fields]
    opened = {field: type_ for field, type_ in state.opened.items() if field != name}
    return Declared(state, tuple(fields), opened)


def _with_field(state: ClassState, name: str) -> Sequence[ClassState]:
    """Return the classes that have a field: it has one type in all that inherit it."""
    line = [of for of in line_of_states(state.live) if any(f.name == name for f in of.fields)]
    heirs = [heir for heir in map(state_of, line[-1].known_heirs) if heir is not None]
    return [line[-1], *heirs]
