"""Checks what stands around the functions of a module: its names, weights, objects and entries."""

import re
from collections.abc import Iterable, Mapping, Sequence

from scriptc_runtime.errors import InvalidIRError
from scriptc_runtime.ir import (
    CORE_ROLES,
    ClassDecl,
    Entry,
    Function,
    Module,
    ObjectDecl,
    Role,
    Weight,
)
from scriptc_runtime.reserved import RESERVED
from scriptc_runtime.types import ClassType, Type, assignable, substitute_dims
from scriptc_runtime.verify.state import check_objects, check_weights, weight_of

# What the text form can hold: `softmax`, `softmax.2`, `Model.forward`, `kernel.0`.
_SYMBOL = re.compile(r"[^\W\d]\w*(\.\w+)*")


def check_declarations(module: Module) -> None:
    """Check everything but the functions' bodies.  Raises InvalidIRError."""
    _check_names("function", module.functions)
    _check_names("class", module.classes)
    _check_names("weight", module.weights)
    _check_names("object", module.objects)
    for declaration in module.classes.values():
        _check_fields(declaration)
    _check_bases(module.classes)
    check_weights(module)
    check_objects(module)
    for entry in module.entries:
        _check_entry(entry, module)
    if len(set(module.entries)) < len(module.entries):
        raise InvalidIRError("an entry stands twice")


def check_not_reserved(module: Module) -> None:
    """Check that no function is one that a pass makes, or called so.  Raises InvalidIRError."""
    for name, function in module.functions.items():
        if name.startswith(RESERVED):
            raise InvalidIRError(f"only a compilation makes functions called as {name!r}")
        if function.role not in CORE_ROLES:
            raise InvalidIRError(f"only a compilation makes a {function.role.value}: @{name}")
    for entry in module.entries:
        if module.functions[entry.function].role is Role.LIBRARY:
            raise InvalidIRError(f"entry {entry.name!r}: @{entry.function} is no one's but ours")


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


def _check_bases(classes: Mapping[str, ClassDecl]) -> None:
    """Check that each base stands before what inherits from it, which starts with its fields."""
    known: dict[str, ClassDecl] = {}
    for name, declaration in classes.items():
        if declaration.base is not None:
            base = known.get(declaration.base)
            if base is None:
                message = f"class @{name}: there is no class @{declaration.base} before it"
                raise InvalidIRError(message)
            if declaration.fields[: len(base.fields)] != base.fields:
                raise InvalidIRError(f"class @{name} does not start with the fields of its base")
        known[name] = declaration


def _check_distinct(names: Sequence[str], where: str) -> None:
    for name in names:
        if not name.isidentifier() or names.count(name) > 1:
            raise InvalidIRError(f"{where}: a field cannot be called {name!r}, or stands twice")


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
    captures = [weight_of(name, module, where).type for name in entry.captures]
    given = [*owners, *captures]
    if len(given) > len(params):
        raise InvalidIRError(f"{where}: @{entry.function} has {len(params)} parameters")
    # Sizes in the parameters' types are bound and compared at the call.
    wanted = [*params[: len(given) - len(captures)], *params[len(params) - len(captures) :]]
    for have, want in zip(given, wanted, strict=True):
        unsized = substitute_dims(want, {})
        if not assignable(have, unsized):
            raise InvalidIRError(f"{where}: {have} does not fit {want}")
