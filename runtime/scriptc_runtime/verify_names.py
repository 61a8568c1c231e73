"""Checks what stands around the functions of a module: its names, weights, objects and entries."""

import re
from collections.abc import Iterable, Mapping, Sequence

from scriptc_runtime.errors import InvalidIRError
from scriptc_runtime.ir import ClassDecl, Entry, Function, Module, ObjectDecl, Weight, WeightRef
from scriptc_runtime.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    DType,
    OptionalType,
    PyType,
    TensorType,
    Type,
    assignable,
    substitute_dims,
)
from scriptc_runtime.values import INT_MAX, INT_MIN

# What the text form can hold: `softmax`, `softmax.2`, `Model.forward`, `kernel.0`.
_SYMBOL = re.compile(r"[^\W\d]\w*(\.\w+)*")
_CONSTANTS: Mapping[type, PyType] = {
    bool: BOOL,
    int: INT,
    float: FLOAT,
    str: STR,
    type(None): NONE,
}


def check_declarations(module: Module) -> None:
    """Check everything but the functions' bodies.  Raises InvalidIRError."""
    _check_names("function", module.functions)
    _check_names("class", module.classes)
    _check_names("weight", module.weights)
    _check_names("object", module.objects)
    for declaration in module.classes.values():
        _check_fields(declaration)
    for weight in module.weights.values():
        _check_weight(weight)
    for instance in module.objects.values():
        _check_object(instance, module)
    for entry in module.entries:
        _check_entry(entry, module)
    if len(set(module.entries)) < len(module.entries):
        raise InvalidIRError("an entry stands twice")


Declaration = Function | ClassDecl | Weight | ObjectDecl


def _check_names(kind: str, table: Mapping[str, Declaration]) -> None:
    for key, declaration in table.items():
        if key != declaration.name:
            raise InvalidIRError(f"{kind} @{declaration.name} stands under the name {key}")
        if not _SYMBOL.fullmatch(key):
            raise InvalidIRError(f"a {kind} cannot be called {key!r}")


def _check_fields(declaration: ClassDecl) -> None:
    names = [name for name, _ in declaration.fields]
    _check_distinct(names, f"class @{declaration.name}")


def _check_distinct(names: Sequence[str], where: str) -> None:
    for name in names:
        if not name.isidentifier() or names.count(name) > 1:
            raise InvalidIRError(f"{where}: a field cannot be called {name!r}, or stands twice")


def _check_weight(weight: Weight) -> None:
    if not isinstance(weight.type, TensorType):
        raise InvalidIRError(f"weight @{weight.name} is a {weight.type}, not an array")
    if any(not d.is_constant or d.constant < 0 for d in weight.type.dims):
        raise InvalidIRError(f"weight @{weight.name}: the sizes of a weight are numbers")


def _weight(name: str, module: Module, where: str) -> Weight:
    if name not in module.weights:
        raise InvalidIRError(f"{where}: there is no weight @{name}")
    return module.weights[name]


def _check_object(instance: ObjectDecl, module: Module) -> None:
    where = f"object @{instance.name}"
    if instance.class_name not in module.classes:
        raise InvalidIRError(f"{where}: there is no class @{instance.class_name}")
    declared = module.classes[instance.class_name].fields
    if [name for name, _ in instance.fields] != [name for name, _ in declared]:
        raise InvalidIRError(f"{where}: its fields are not those of its class, in order")
    for (name, type_), (_, value) in zip(declared, instance.fields, strict=True):
        outside = substitute_dims(type_, {})
        if isinstance(value, WeightRef):
            fits = assignable(_weight(value.name, module, where).type, outside)
        else:
            fits = constant_fits(value, outside)
        if not fits:
            raise InvalidIRError(f"{where}: field {name} is declared as {type_}")


def constant_fits(value: bool | int | float | str | None, type_: Type) -> bool:
    """Whether a constant can be the value of a field of `type_`; NumPy scalars are kept as ours."""
    match type_:
        case OptionalType(item):
            return value is None or constant_fits(value, item)
        case DType():
            wanted = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT}.get(type_.kind)
            return _CONSTANTS[type(value)] is wanted and _in_range(value)
        case _:
            return _CONSTANTS[type(value)] is type_ and _in_range(value)


def _in_range(value: object) -> bool:
    return not isinstance(value, int) or INT_MIN <= value <= INT_MAX


def _check_entry(entry: Entry, module: Module) -> None:
    where = f"entry {entry.name!r}"
    if entry.function not in module.functions:
        raise InvalidIRError(f"{where}: there is no function @{entry.function}")
    params = [p.type for p in module.functions[entry.function].params]
    owners: Iterable[Type] = []
    if entry.object is not None:
        if entry.object not in module.objects:
            raise InvalidIRError(f"{where}: there is no object @{entry.object}")
        owners = [ClassType(module.objects[entry.object].class_name)]
    captures = [_weight(name, module, where).type for name in entry.captures]
    given = [*owners, *captures]
    if len(given) > len(params):
        raise InvalidIRError(f"{where}: @{entry.function} has {len(params)} parameters")
    # Sizes in the parameters' types are bound and compared at the call.
    wanted = [*params[: len(given) - len(captures)], *params[len(params) - len(captures) :]]
    for have, want in zip(given, wanted, strict=True):
        unsized = substitute_dims(want, {})
        if not assignable(have, unsized):
            raise InvalidIRError(f"{where}: {have} does not fit {want}")
