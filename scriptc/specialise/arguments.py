"""The arguments of a request: what annotations and values, or explicit types, say of each."""

import inspect
from collections.abc import Sequence
from types import FunctionType, GenericAlias, UnionType
from typing import cast

from scriptc.cache.request import ExplicitType, Request
from scriptc.check import annotations
from scriptc.check.hints import names_in
from scriptc.check.live_values import type_of
from scriptc.check.parameter_types import declared_for, parameter_type
from scriptc.check.parameters import (
    beside_default,
    classes_named,
    refuse_at_its_place,
    refuse_keywords,
)
from scriptc.check.whole_types import with_bigints
from scriptc.classes.scripted_class import class_names
from scriptc.values.kinds import Parameter, classes_in, is_static, key_of
from scriptc_runtime.errors import Diagnostic, NameLookupError, ScriptError, TypeCheckError
from scriptc_runtime.named_classes import named_types
from scriptc_runtime.records import is_structured, opened
from scriptc_runtime.types import (
    BIGINT,
    INT,
    NONE,
    ClassType,
    OptionalType,
    PyType,
    TupleType,
    Type,
    assignable,
)


def parameters_of(request: Request) -> tuple[Parameter, ...]:
    """Return each parameter with its type.  Raises ScriptError where the arguments give none."""
    if request.function.__code__.co_flags & inspect.CO_VARKEYWORDS:
        refuse_keywords(request.function)  # before the dict that it is
    pairs = zip(_own_parameters(request), request.arguments, strict=True)
    return tuple(Parameter(name, argument_type(request, name, value)) for name, value in pairs)


def declared_types(
    request: Request, *, unions: bool = False
) -> tuple[tuple[str, Type | None], ...]:
    """Return the parameters that a caller gives, with the types of their annotations."""
    return tuple(
        # How many values `*args` takes is known from a call alone.
        (
            name,
            None
            if _is_starred(request.function, name)
            else _declared(request, name, unions=unions),
        )
        for name in _own_parameters(request)
    )


def is_open(function: FunctionType, name: str) -> bool:
    """Whether nothing declares the type of a parameter; a mistake there is told where it is met."""
    if name not in function.__annotations__:
        return True
    try:
        return (
            annotations.annotated_type(function.__annotations__[name], names_in(function)) is None
        )
    except ScriptError:
        return False


def _own_parameters(request: Request) -> list[str]:
    # Of the function itself: what it wraps may have others.
    names = list(inspect.signature(request.function, follow_wrapped=False).parameters)
    return names[1:] if request.constructs else names


def explicit_arguments(request: Request, types: Sequence[object]) -> tuple[ExplicitType, ...]:
    """Return what stands for arguments of which only types, or examples, are given.

    Without any, the annotations say. The object that a method is called on may be left out.  Raises
    ScriptError where types are lacking, or where there are too many or too few.
    """
    declared = declared_types(request, unions=not types)
    own = [request.owner] if request.owner is not None and not request.constructs else []
    if types:
        if len(types) == len(declared) - len(own):
            types = (*own, *types)
        if len(types) != len(declared):
            raise _miscounted(request, len(declared) - len(own), len(types))
        pairs = zip(declared, types, strict=True)
        return tuple(explicit_type(t, name) for (name, _), t in pairs)
    missing = [name for name, type_ in declared if type_ is None]
    if missing:
        raise _untyped(request, missing[0])
    find, written = names_in(request.function), request.function.__annotations__
    said = (
        ExplicitType(type_, tuple(classes_named(written[name], find)))
        for name, type_ in declared[len(own) :]
        if type_ is not None
    )
    return (*(explicit_type(cls, "self") for cls in own), *said)


def _miscounted(request: Request, count: int, given: int) -> TypeCheckError:
    """Return the refusal of too many or too few types."""
    what = f"{request.name}() has {count} parameter{'s' if count != 1 else ''}, not {given}"
    why = "each parameter has a type of its own"
    way = f"give {count}, separated by commas" if count else "give none"
    return TypeCheckError(Diagnostic("signature", what, None, why, way))


def _untyped(request: Request, name: str) -> TypeCheckError:
    """Return the refusal of a parameter whose type is not declared."""
    what, why = f"parameter {name!r} has no annotation", "without one its type comes from a call"
    if name in request.function.__annotations__:
        what = f"the annotation of parameter {name!r} leaves its type open"
        why = "what says less than a type of the language does is a hint; the type is a call's"
    way = (
        "annotate it as f64[N] or the like, or give the types, as in f.compile(f64[N], int), "
        "and as in --args 'f64[N], int' on the command line"
    )
    return TypeCheckError(Diagnostic("signature", f"{request.name}(): {what}", None, why, way))


def says_all_types(request: Request) -> bool:
    """Whether annotations give the types of all parameters."""
    return all(type_ is not None for _, type_ in declared_types(request))


def choices_of(explicit: ExplicitType) -> Sequence[ExplicitType]:
    """Return the types for which calls are compiled where an argument is of this one."""
    if not isinstance(explicit.type, OptionalType):
        return (explicit,)
    given = (NONE, explicit.type.item)
    types = dict.fromkeys(declared_for(explicit.type, type_) for type_ in given)
    return [ExplicitType(type_, explicit.classes) for type_ in types]


def explicit_type(value: object, name: str) -> ExplicitType:
    """Return the type that an annotation stands for, or that of an example, with its classes."""
    described = isinstance(
        value, type | Type | annotations.ScalarAnnotation | GenericAlias | UnionType
    )
    if described:
        return ExplicitType(
            annotations.required_type(value), tuple(classes_named(value, lambda _: None))
        )
    if is_structured(value):
        value = opened(value)
    return ExplicitType(type_of(value, name), tuple(classes_in(key_of(value))), value)


def classes_given(request: Request, parameters: Sequence[Parameter]) -> Sequence[type]:
    """Return the classes of the objects that the arguments are, or hold."""
    found: list[type] = []
    for parameter, argument in zip(parameters, request.arguments, strict=True):
        explicit = isinstance(argument, ExplicitType)
        classes = argument.classes if explicit else classes_in(key_of(argument))
        named = (type_.name for type_ in named_types(parameter.type))
        names = {*class_names(parameter.type), *named}
        line = dict.fromkeys(base for live in classes for base in live.__mro__)
        found += (live for live in line if live.__name__ in names)
    return found


def _declared(request: Request, name: str, *, unions: bool = False) -> Type | None:
    function = request.function
    if name in function.__annotations__:
        try:
            annotation = function.__annotations__[name]
            declared = annotations.annotated_type(annotation, names_in(function), unions=unions)
            if declared is None:
                return None
            declared = beside_default(function, name, declared)
            return with_bigints(declared) if request.options.bigint else declared
        except (TypeCheckError, NameLookupError):
            refuse_at_its_place(function, request.owner)
            raise
    is_self = request.owner is not None and name == _own_parameters(request)[0]
    if is_self and request.owner is not None and not request.constructs:
        return ClassType(request.owner.__name__)
    return None


def argument_type(request: Request, name: str, argument: object) -> Type:
    """Return the type of a parameter for an argument.  Raises ScriptError where it has none."""
    declared = _declared(request, name)
    if declared is not None and _is_starred(request.function, name):
        given = argument.type if isinstance(argument, ExplicitType) else argument
        count = len(given.items if isinstance(given, TupleType) else cast("tuple[object]", given))
        declared = TupleType((declared,) * count)  # each item is declared
    if not isinstance(argument, ExplicitType):
        if declared is None and is_static(argument):
            return NONE  # compiled code is given nothing in its place
        what = f"parameter {name!r} of {request.name}()"
        whole = BIGINT if request.options.bigint else INT
        if declared is not None:
            return _refined(declared, argument, what, whole)
        # A union says what an empty list holds; the types of other values say more.
        union = _declared(request, name, unions=True)
        if union is None:
            return type_of(argument, what, whole=whole)
        return _told(union, argument, what, whole)
    given = with_bigints(argument.type) if request.options.bigint else argument.type
    if declared is None or _narrows(given, declared):
        return given
    message = f"parameter {name!r} of {request.name}() is annotated {declared}, not {argument.type}"
    raise TypeCheckError(Diagnostic("signature", message, instead=f"give it {declared}"))


def _is_starred(function: FunctionType, name: str) -> bool:
    """Whether a parameter is `*name`, which takes all other positional arguments as a tuple."""
    code = function.__code__
    place = code.co_argcount + code.co_kwonlyargcount
    return bool(code.co_flags & inspect.CO_VARARGS) and code.co_varnames[place] == name


def _narrows(given: Type, declared: Type) -> bool:
    """Whether a parameter may be compiled as `given`; names of sizes are the annotation's."""
    specific = parameter_type(declared, given)
    return assignable(given, declared) or specific == given


def _refined(declared: Type, value: object, what: str, whole: PyType) -> Type:
    """Return the type of a parameter that is given `value`."""
    given = _told(declared, value, what, whole)
    return parameter_type(declared, given) or declared


def _told(declared: Type, value: object, what: str, whole: PyType) -> Type:
    """Return the type of a value; what is declared, where it does not say its own."""
    try:
        return type_of(value, what, whole=whole)
    except TypeCheckError:
        # An empty list, or what `adapt` will refuse, knowing what was expected.
        return declared
