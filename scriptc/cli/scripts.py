"""Functions and classes of an imported file, as the roots that the checker starts from."""

import inspect
from collections.abc import Mapping, Sequence
from types import FunctionType, ModuleType
from typing import cast

from scriptc.cache.plain_functions import plain_function
from scriptc.check.roots import Root
from scriptc.classes.scripted_class import state_of
from scriptc.function_types import request_of
from scriptc.inspection.target import UsageError, live_object, public_names
from scriptc.scripted_function import ScriptFunction
from scriptc.specialise.arguments import is_open
from scriptc.values.dataclass_members import is_made_by_dataclasses
from scriptc_runtime.record import record
from scriptc_runtime.types import Type

Types = Sequence[Type] | None


@record
class Untyped:
    """A function with parameters without a type, which only a call would give, and which."""

    functions: tuple[FunctionType]
    lacking: str


def scripted_names(module: ModuleType) -> list[str]:
    """Return the names of the scripted functions and classes that a module defines."""
    found = ((name, vars(module)[name]) for name in public_names(module))
    return [name for name, value in found if _is_script(value)]


def root_of(module: ModuleType, name: str, types: Types) -> Root:
    """Return one function or method; `types` are those of its parameters without `self`.

    Raises UsageError.
    """
    value, owner = live_object(module, name)
    function = plain_function(value)
    owner = None if _is_static(value) else owner
    if isinstance(value, type):
        methods = ", ".join(f"{name}.{method}" for method in _methods(value))
        raise UsageError(f"{name} is a class: name one of its methods ({methods})")
    if function is None:
        raise UsageError(f"{name} is {type(value).__name__!r}, not a function")
    bigint = False
    if isinstance(value, ScriptFunction):
        scripted = cast("ScriptFunction[..., object]", value)
        bigint = request_of(scripted, ()).options.bigint
    return _root(name, function, owner, types, bigint)


def starts_of(module: ModuleType, name: str, types: Types) -> Mapping[str, "Root | Untyped"]:
    """Return what checking a function, or each method of a class, starts from, by name.

    Where the constructor of a class has no types, nothing says what its fields are, so no method
    has any. Raises UsageError.
    """
    value, _ = live_object(module, name)
    if not isinstance(value, type):
        return {name: _start(module, name, types)}
    starts = {f"{name}.{m}": _start(module, f"{name}.{m}", types) for m in _methods(value)}
    first = starts.get(f"{name}.__init__")
    if not isinstance(first, Untyped):
        return starts
    fields = f"the fields of {name} have no types"
    functions = {f"{name}.{method}": f for method, f in _written(value).items()}
    return {
        own: start if isinstance(start, Untyped) else Untyped((functions[own],), fields)
        for own, start in starts.items()
        if own in functions
    }


def _start(module: ModuleType, name: str, types: Types) -> "Root | Untyped":
    value, owner = live_object(module, name)
    function = plain_function(value)
    if function is not None and types is None:
        lacking = _lacking(function, _own(function, None if _is_static(value) else owner))
        if lacking:
            return Untyped((function,), lacking)
    return root_of(module, name, types)


def _is_script(value: object) -> bool:
    return isinstance(value, ScriptFunction) or (
        isinstance(value, type) and state_of(value) is not None
    )


def _is_static(member: object) -> bool:
    return isinstance(member, staticmethod)


def _methods(cls: type) -> list[str]:
    """Return the names of the constructor, which comes first, and of the written methods."""
    constructor = ["__init__"] if "__init__" in vars(cls) else []
    return [*constructor, *(name for name in _written(cls) if name != "__init__")]


def _written(cls: type) -> dict[str, FunctionType]:
    """Return the methods that the author of a class wrote: not what dataclasses made."""
    functions = {name: plain_function(value) for name, value in vars(cls).items()}
    return {
        name: function
        for name, function in functions.items()
        if function
        and function.__module__ == cls.__module__
        and not is_made_by_dataclasses(cls, name, inspect.unwrap(function))
    }


def _root(
    name: str, function: FunctionType, owner: type | None, types: Types, bigint: bool
) -> Root:
    constructs = owner is not None and function.__name__ == "__init__"
    own = _own(function, owner)
    if types is not None and len(types) != len(own):
        wanted = ", ".join(p.name for p in own) or "none"
        raise UsageError(f"{name} has {len(own)} parameters ({wanted}); --args has {len(types)}")
    lacking = _lacking(function, own) if types is None else ""
    if lacking:
        raise UsageError(f"{name}: {lacking}")
    given: list[Type | None] = list(types) if types is not None else [None] * len(own)
    if owner and not constructs:
        given.insert(0, None)
    return Root(function, given, owner, constructs, sized=True, bigint=bigint)


def _own(function: FunctionType, owner: type | None) -> Sequence[inspect.Parameter]:
    """Return the parameters that a caller gives."""
    parameters = list(inspect.signature(function, follow_wrapped=False).parameters.values())
    return parameters[1:] if owner else parameters


def _lacking(function: FunctionType, parameters: Sequence[inspect.Parameter]) -> str:
    """Say which parameters have no types, and how to give some; nothing where all have."""
    silent = [p for p in parameters if p.default is p.empty and is_open(function, p.name)]
    if not silent:
        return ""
    example = ", ".join(["f64[N]", "int", "float"][i % 3] for i in range(len(parameters)))
    one = len(silent) == 1
    lacking = "no annotation and no default"
    if any(p.annotation is not p.empty for p in silent):
        lacking = "no annotation that is a type of the language, and no default"
    return (
        f"the parameter{'' if one else 's'} {_listed([p.name for p in silent])} "
        f"{'has' if one else 'have'} {lacking}, so nothing says what type "
        f"{'it is' if one else 'they are'}: annotate {'it' if one else 'them'}, or give the "
        f'types of all parameters, for instance --args "{example}"'
    )


def _listed(names: Sequence[str]) -> str:
    *most, last = map(repr, names)
    return f"{', '.join(most)} and {last}" if most else last
