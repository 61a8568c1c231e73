"""The fields of objects that are raised, as Python's objects: what an exception leaves with."""

from scriptc.backends.llvm.emitter.box import Boxer
from scriptc.backends.llvm.emitter.function import Emitter, ModuleState
from scriptc.backends.llvm.emitter.layout import verify_layout
from scriptc.backends.llvm.entry.lists import list_out
from scriptc.backends.llvm.loading.machine_code import fields_symbol
from scriptc.backends.llvm.rules.objects import field_place, load_value
from scriptc_runtime import raised_objects
from scriptc_runtime.types import ClassType, TupleType


def emit_fields(state: ModuleState) -> dict[str, str]:
    """Return functions that give the fields of an object as a tuple, by their symbols."""
    return {
        fields_symbol(number): _fields(state, name, number)
        for number, name in enumerate(state.raised)
    }


def _fields(state: ModuleState, name: str, number: int) -> str:
    function = next(iter(state.module.functions.values()))
    e = Emitter(state, function, function.file)
    type_ = ClassType(name)
    fields = shown_fields(state, name)
    components: list[str] = []
    for field in fields:
        place = field_place(e, type_, "%block", field)
        value = load_value(e, place)
        e.retain(place.type, value)
        components += value
    types = TupleType(tuple(field_place(e, type_, "%block", field).type for field in fields))
    boxer = Boxer(e, verify_layout(), list_out)
    obj = boxer.box(types, tuple(components))
    e.write(f"ret ptr {obj}")
    head = f"define ptr @{fields_symbol(number)}(ptr %block) {{"
    return "\n".join((head, "entry:", *e.allocas, *e.lines, *e.cold, "}", ""))


def shown_fields(state: ModuleState, name: str) -> list[str]:
    """Return the fields of a class that Python sees."""
    return [f for f, type_ in state.module.classes[name].fields if raised_objects.leaves(f, type_)]
