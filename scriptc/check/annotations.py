"""Types from annotations: live objects, or strings evaluated where the function was defined."""

import types
from collections.abc import Callable, Mapping
from typing import Annotated, Protocol, Union, cast, get_args, get_origin, runtime_checkable

import numpy as np

from scriptc.check.scopes import Found
from scriptc.check.values import refuse
from scriptc.syntax import nodes as n
from scriptc.syntax.parser import parse_expression
from scriptc_runtime.dims import Dim
from scriptc_runtime.errors import Diagnostic, NameLookupError, Source, Span, TypeCheckError
from scriptc_runtime.generators import source_type
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    FROM_NUMPY,
    INT,
    NONE,
    STR,
    ClassType,
    DType,
    ListType,
    OptionalType,
    PyType,
    TensorType,
    TupleType,
    Type,
)

_PYTHON: Mapping[object, PyType] = {
    int: INT,
    float: FLOAT,
    complex: COMPLEX,
    bool: BOOL,
    str: STR,
    None: NONE,
    type(None): NONE,
}


@runtime_checkable
class ScalarAnnotation(Protocol):
    """`f64` of scriptc.types, without brackets."""

    scalar_type: DType


def type_from_annotation(annotation: object, span: Span | None = None) -> Type:
    """Return the type an annotation stands for.  Raises TypeCheckError."""
    if isinstance(annotation, TensorType | DType | OptionalType | TupleType | ListType | ClassType):
        return annotation
    if isinstance(annotation, ScalarAnnotation):
        return annotation.scalar_type
    if annotation is None or (isinstance(annotation, type) and annotation in _PYTHON):
        return _PYTHON[annotation]
    if get_origin(annotation) is not None:
        return _generic(annotation, span)
    return _class(annotation, span)


def annotated_type(
    annotation: object, look_up: Callable[[str], Found | None], span: Span | None = None
) -> Type:
    """Return the type of an annotation that may be a string, whose names `look_up` finds."""
    return type_from_annotation(annotation_object(annotation, look_up, span), span)


def annotation_object(
    annotation: object, look_up: Callable[[str], Found | None], span: Span | None = None
) -> object:
    """Return what an annotation is, after evaluating it if it is a string."""
    if not isinstance(annotation, str):
        return annotation
    expression = parse_expression(Source("<annotation>", annotation))
    return evaluate(expression, look_up, span)


def evaluate(
    node: n.Expression, look_up: Callable[[str], Found | None], span: Span | None
) -> object:
    """Return the object that the text of an annotation means; only what annotations are made of."""
    match node:
        case n.Name(id=name):
            found = look_up(name)
            if found is None:
                raise NameLookupError(
                    Diagnostic(
                        "unknown-name",
                        f"the annotation names {name!r}, which is not defined",
                        span,
                        instead="import it, or define it before the function",
                    )
                )
            return found.value
        case n.Constant(value=str(text)):
            return evaluate(parse_expression(Source("<annotation>", text)), look_up, span)
        case n.Constant(value=value):
            return value
        case n.Attribute(value=base, attr=attr):
            return cast(object, getattr(evaluate(base, look_up, span), attr))
        case n.Tuple(elts=elts):
            return tuple(evaluate(e, look_up, span) for e in elts)
        case n.Subscript(value=base, slice=index):
            generic = cast(_Generic, evaluate(base, look_up, span))
            return generic[evaluate(index, look_up, span)]
        case n.BinOp(left=left, op="|", right=right):
            return Union[evaluate(left, look_up, span), evaluate(right, look_up, span)]  # pyright: ignore[reportInvalidTypeForm] # noqa: UP007 -- a union of live objects
        case _:
            raise _unknown("this expression", span)


class _Generic(Protocol):
    def __getitem__(self, key: object) -> object: ...


# By library and class: naming a class of np.ma would import it.
_WAYS_OUT: Mapping[str, str] = {
    "numpy.ndarray": "f64[N, M], which says how many axes there are, or no annotation",
    "numpy.matrix": "f64[N, M], where x @ y is the product of matrices and x * y is not",
    "numpy.SeedSequence": "an int, or a np.random.Generator made of it outside",
    "numpy.BitGenerator": "np.random.Generator: np.random.Generator(bits), made outside",
    "numpy.MaskedArray": "two arrays: f64[N] for the data and b1[N] for the mask",
    "numpy.recarray": "an array for each field, or a @script class with arrays as fields",
    "numpy.dtype": "an array of that dtype, whose x.dtype a script reads",
    "numpy.datetime64": "i64 with x.view(np.int64), which counts its units",
    "numpy.timedelta64": "i64 with x.view(np.int64), which counts its units",
    "numpy.longdouble": "f64",
    "builtins.dict": "lists or arrays of its keys and of its values, or a @script class",
    "builtins.set": "a list or an array of its items",
}


def _unknown(annotation: object, span: Span | None) -> TypeCheckError:
    origin: object = get_origin(annotation) or annotation
    bases = origin.__mro__ if isinstance(origin, type) else ()
    names = (f"{base.__module__.partition('.')[0]}.{base.__name__}" for base in bases)
    ways = [_WAYS_OUT[name] for name in names if name in _WAYS_OUT]
    kinds = "numbers, str, tuple[...], list[T], T | None, f64[N, M]"
    return refuse(
        "annotation",
        f"{_written(annotation)} stands for no type of the language",
        f"use {ways[0]}" if ways else f"use {kinds} or a scripted class",
        span,
        f"its types are {kinds} and scripted classes" if ways else "",
    )


def _written(annotation: object) -> str:
    """Return an annotation as a program writes it."""
    if not isinstance(annotation, type) or get_origin(annotation) is not None:
        return annotation if isinstance(annotation, str) else repr(annotation)
    path = (*annotation.__module__.split("."), *annotation.__qualname__.split("."))
    if path[0] != "numpy":
        return f"the class {annotation.__qualname__}"
    # A class is made in a file that is no part of its name: numpy.random.bit_generator.
    for part in (["np"], ["np", path[1]]):
        module = np if len(part) == 1 else getattr(np, path[1], None)
        if getattr(module, path[-1], None) is annotation:
            return ".".join([*part, path[-1]])
    return ".".join(path)


def _class(annotation: object, span: Span | None) -> Type:
    for dtype in FROM_NUMPY.values():
        if annotation is dtype.numpy.type:
            return dtype
    if annotation is list or annotation is tuple:
        raise refuse(
            "annotation",
            f"{annotation.__name__} does not say what it holds",
            "write list[int], tuple[int, float] and the like, or leave the parameter unannotated",
            span,
        )
    if isinstance(annotation, type) and (source := source_type(annotation)):
        return source
    if isinstance(annotation, type) and has_written_init(annotation):
        return ClassType(annotation.__name__)
    raise _unknown(annotation, span)


_NO_SCRIPTS = ("builtins", "numpy")


def has_written_init(cls: type) -> bool:
    """Whether a class may be a scripted one: its `__init__` is not built in."""
    return "__init__" in cls.__dict__ and cls.__module__.partition(".")[0] not in _NO_SCRIPTS


def _generic(annotation: object, span: Span | None) -> Type:
    origin: object = get_origin(annotation)
    arguments = cast("tuple[object, ...]", get_args(annotation))
    if origin is Annotated:
        return type_from_annotation(arguments[0], span)
    if origin is list and len(arguments) == 1:
        return ListType(type_from_annotation(arguments[0], span))
    if origin is tuple and ... not in arguments:
        return TupleType(tuple(type_from_annotation(a, span) for a in arguments if a != ()))
    if origin is Union or origin is types.UnionType:
        return _union(arguments, annotation, span)
    if origin is np.ndarray:
        return _ndarray(arguments, annotation, span)
    raise _unknown(annotation, span)


def _union(arguments: tuple[object, ...], annotation: object, span: Span | None) -> Type:
    members = [a for a in arguments if a is not type(None)]
    if len(members) == 1:
        return OptionalType(type_from_annotation(members[0], span))
    raise refuse(
        "annotation",
        f"a union of several types is not built yet: {' | '.join(map(_shown, members))}",
        "float alone takes ints too, and makes floats of them"
        if {*members} == {int, float}
        else "leave the parameter unannotated: each call is compiled for the types it is given",
        span,
    )


def _shown(annotation: object) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _ndarray(arguments: tuple[object, ...], annotation: object, span: Span | None) -> Type:
    shape, dtype = arguments if len(arguments) == 2 else (None, None)
    sizes = get_args(shape)
    scalars = get_args(dtype)
    if get_origin(shape) is tuple and sizes and ... not in sizes and len(scalars) == 1:
        element = type_from_annotation(scalars[0], span)
        if isinstance(element, DType):
            return TensorType(element, tuple(Dim(known=False) for _ in sizes))
    raise refuse(
        "annotation",
        f"{annotation} does not say how many axes the array has",
        "write f64[N, M], or leave the parameter unannotated",
        span,
    )
