"""Parameters of live functions: names, declared types, defaults; and fresh names for sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType, NoneType
from typing import NoReturn, cast, get_args

from scriptc.check import annotations as check_annotations
from scriptc.check.hints import names_in
from scriptc.check.library.standard import is_standard, standard_defaults
from scriptc.check.members import class_type, is_users
from scriptc.check.scopes import parameter_names, parameters
from scriptc.check.signatures import Signature
from scriptc.syntax import nodes as n
from scriptc.syntax.functions import parse_function
from scriptc_runtime.errors import Diagnostic, ScriptError, Source, Span, UnsupportedError
from scriptc_runtime.named_classes import kind_of
from scriptc_runtime.types import Type, UnionType, is_number


def signature_of(
    function: FunctionType, source: Source, node: n.FunctionDef, owner: type | None
) -> Signature:
    """Return what the definition declares; `owner` is the class of a method."""
    arguments = node.args
    positional = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    spans = {
        a.arg: Span(source, a.annotation.lo, a.annotation.hi)
        for a in (*parameters(arguments), *filter(None, (arguments.kwarg,)))
        if a.annotation
    }
    declared: dict[str, Type] = {}
    for name, annotation in _annotations(function).items():
        if name in spans:
            type_ = check_annotations.annotated_type(annotation, names_in(function), spans[name])
            if type_:
                declared[name] = beside_default(function, name, type_)
    if owner is not None and positional and kind_of(owner) is None:
        declared[positional[0]] = class_type(owner)
    result = None
    annotations = _annotations(function)
    if node.returns is not None and "return" in annotations:
        span = Span(source, node.returns.lo, node.returns.hi)
        result = check_annotations.annotated_type(annotations["return"], names_in(function), span)
    return Signature(
        tuple(parameter_names(node)),
        declared,
        _defaults(function, positional),
        len(positional),
        frozenset(a.arg for a in (*arguments.args, *arguments.kwonlyargs)),
        result,
        starred=arguments.vararg.arg if arguments.vararg else None,
        keywords=arguments.kwarg.arg if arguments.kwarg else None,
        expected=_expected(function) if result is None else None,
    )


def beside_default(function: FunctionType, name: str, type_: Type) -> Type:
    """Return the type of a parameter for which an annotation stands: `k: int = None` may be None.

    Programs were written so before annotations had a short way to say it.
    """
    code, values = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount]
    defaults: dict[str, object] = dict(zip(names[len(names) - len(values) :], values, strict=True))
    defaults |= function.__kwdefaults__ or {}
    is_none = name in defaults and defaults[name] is None
    return check_annotations.or_none(type_) if is_none else type_


def _expected(function: FunctionType) -> Type | None:
    """Return what a result is declared as that may be of several types, of which few are numbers.

    That is a hint: the function says which of them there are, and whether numbers are one type.
    """
    annotation = _annotations(function).get("return")
    if annotation is None:
        return None
    try:
        found = check_annotations.annotated_type(annotation, names_in(function), unions=True)
    except ScriptError:
        return None
    members = found.members if isinstance(found, UnionType) else ()
    return found if sum(map(is_number, members)) < 2 else None


def _defaults(function: FunctionType, positional: Sequence[str]) -> Mapping[str, object]:
    if is_standard(function):
        return standard_defaults(function)
    values = function.__defaults__ or ()
    first = len(positional) - len(values)
    found: dict[str, object] = dict(zip(positional[first:], values, strict=True))
    return found | cast("dict[str, object]", function.__kwdefaults__ or {})


def refuse_at_its_place(function: FunctionType, owner: type | None) -> None:
    """Refuse an annotation that was found wrong without the source, which knows where it stands."""
    source, node = parse_function(function)
    if isinstance(node, n.FunctionDef):
        signature_of(function, source, node, owner)


def refuse_keywords(function: FunctionType) -> NoReturn:
    """Refuse a function that takes any name where no call says which."""
    source, node = parse_function(function)
    keywords = node.args.kwarg
    assert keywords is not None
    raise UnsupportedError(
        Diagnostic(
            "variadic",
            "this function takes arguments of any name",
            Span(source, keywords.lo, keywords.hi),
            why="a call alone says which names it is given",
            instead="call it, or name each parameter",
        )
    )


def _annotations(function: FunctionType) -> Mapping[str, object]:
    return cast("dict[str, object]", function.__annotations__)


def classes_in_annotations(
    function: FunctionType,
    annotations: Mapping[str, object] | None = None,
    *,
    unions: bool = False,
) -> Iterator[type]:
    """Yield the classes that annotations name: a function's own, or others that stand around it."""
    look_up = names_in(function)
    found = _annotations(function) if annotations is None else annotations
    for annotation in found.values():
        # A hint declares none of the classes that it names.
        if check_annotations.annotated_type(annotation, look_up, unions=unions) is not None:
            yield from classes_named(annotation, look_up)


def classes_named(annotation: object, look_up: check_annotations.LookUp) -> Iterator[type]:
    """Yield the classes that one annotation names."""
    meant = check_annotations.annotation_object(annotation, look_up)
    if isinstance(meant, type) and kind_of(meant) is not None:
        yield meant
        for field in check_annotations.field_annotations(meant).values():
            yield from classes_named(field, check_annotations.names_around(meant))
        return
    if isinstance(meant, type) and is_users(meant):
        yield meant
        return
    for argument in cast("tuple[object, ...]", get_args(meant)):
        yield from classes_named(argument, look_up)


def declared_parameters(init: Signature) -> int | None:
    """Return how many parameters a constructor has; None if something else says what one may be."""
    told = {name for name, value in init.defaults.items() if _says_type(value)}
    known = {*init.declared, *told} - {init.starred}
    if not known.issuperset(init.names) or init.keywords:
        return None
    return len(init.names) - 1


def _says_type(default: object) -> bool:
    """Whether a default says what a parameter of a constructor may be given.

    None, as (), is given where there is nothing yet; where 0 is the default, calls may give floats.
    A function has the class of its own.
    """
    if callable(default) and not is_users(type(default)):
        return False
    return type(default) not in (NoneType, int) and not (type(default) is tuple and default == ())
