"""Types from annotations: live objects, or strings evaluated where the function was defined."""

import builtins
import sys
import types
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import (
    Annotated,
    Final,
    ForwardRef,
    Literal,
    NewType,
    Protocol,
    Union,
    cast,
    get_args,
    get_origin,
    is_typeddict,
    runtime_checkable,
)

import numpy as np

from scriptc.check.class_stand_ins import class_meant
from scriptc.check.close_names import close_name
from scriptc.check.container_classes import as_class
from scriptc.check.generics import has_generic_base, instance_of, parameters_of
from scriptc.check.hints import HINT, alias_of, is_hint
from scriptc.check.members import class_type, is_users
from scriptc.check.named_types import enumeration, named_tuple
from scriptc.check.refusals import is_scripted, refuse
from scriptc.check.scopes import Found
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc.syntax.parser import parse_expression
from scriptc_runtime.collection_classes import is_dict
from scriptc_runtime.conversions import class_conversion
from scriptc_runtime.dims import Dim
from scriptc_runtime.errors import Diagnostic, NameLookupError, Source, Span, TypeCheckError
from scriptc_runtime.named_classes import NAMED_TUPLE, kind_of
from scriptc_runtime.random_generators import source_type
from scriptc_runtime.types import (
    BOOL,
    BYTES,
    COMPLEX,
    EXCEPTION,
    EXCEPTION_CLASS,
    FLOAT,
    FROM_NUMPY,
    INT,
    NONE,
    STR,
    TRACEBACK,
    DequeType,
    DictType,
    DType,
    ListType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    element_of,
)
from scriptc_runtime.unions import members_of, union_of
from scriptc_runtime.values import EXCEPTIONS

_PYTHON: Mapping[object, PyType] = {
    int: INT,
    float: FLOAT,
    complex: COMPLEX,
    bool: BOOL,
    str: STR,
    bytes: BYTES,
    None: NONE,
    type(None): NONE,
}


@runtime_checkable
class ScalarAnnotation(Protocol):
    """`f64` of scriptc.types, without brackets, and `bigint`."""

    scalar_type: DType | PyType


LookUp = Callable[[str], Found | None]
_Read = Callable[[object], Type | None]  # of a part of an annotation


def annotated_type(
    annotation: object,
    look_up: LookUp,
    span: Span | None = None,
    *,
    unions: bool = False,
    inside: frozenset[str] = frozenset(),
) -> Type | None:
    """Return the type an annotation stands for, None where it says less than a type does.

    `look_up` finds the names of those that are text.  A union of several types is a hint, as
    each call and each variable may know more, but where `unions` are asked for.  `inside` are the
    names whose meaning it is a part of: a type that holds itself is a hint.  Raises ScriptError for
    a mistake.
    """
    name = annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation
    if isinstance(name, str) or alias_of(annotation) is not None:
        if str(name) in inside:
            return None
        inside |= {str(name)}
    meant = annotation_object(annotation, look_up, span)
    if isinstance(meant, Type):
        return meant
    if isinstance(meant, ScalarAnnotation):
        return meant.scalar_type
    if meant is None or (isinstance(meant, type) and meant in _PYTHON):
        return _PYTHON[meant]
    if meant is bytearray:
        return None  # its objects live in a program alone, which knows them by what makes them
    if meant in (any, callable):
        return None  # written for Any and Callable
    if get_origin(meant) is not None:

        def read(part: object) -> Type | None:
            return annotated_type(part, look_up, span, unions=unions, inside=inside)

        return _generic(meant, read, span, unions)
    return _class(meant, span)


def or_none(type_: Type) -> Type:
    """Return the type of what is declared to be of a type and is None by default: or None."""
    return union_of((type_, NONE)) or type_


def is_of_numbers(type_: Type) -> bool:
    """Whether a type is a union of numbers and arrays alone: what holds one of them is faster."""
    members = members_of(type_)
    return len(members) > 1 and all(element_of(member) is not None for member in members)


def required_type(annotation: object) -> Type:
    """Return the type of an annotation that is given as a type.  Raises TypeCheckError."""
    found = annotated_type(annotation, lambda _: None, unions=True)
    if found is None:
        raise _unknown(annotation, None)
    return found


def annotation_object(annotation: object, look_up: LookUp, span: Span | None = None) -> object:
    """Return what an annotation is: what its text, its alias or a wrapping means."""
    match annotation:
        case str():
            expression = parse_expression(Source("<annotation>", annotation))
            return annotation_object(evaluate(expression, look_up, span), look_up, span)
        case ForwardRef():
            return annotation_object(annotation.__forward_arg__, look_up, span)
        case _ if is_typeddict(annotation):
            return any  # a dict, whose keys have types of their own
        case NewType():
            return annotation_object(annotation.__supertype__, look_up, span)
        case _ if get_origin(annotation) in (Annotated, Final):
            return annotation_object(get_args(annotation)[0], look_up, span)
        case _ if (alias := alias_of(annotation)) is not None:
            return annotation_object(alias, look_up, span)
        case _ if (origin := template_of(annotation)) is not None:
            return instance(origin, get_args(annotation), look_up, span)
        case _:
            origin = get_origin(annotation)
            # `Queue[int]`: what a program puts in says what one holds.
            whole = annotation if class_meant(origin) is origin else origin
            meant = class_meant(whole)
            return as_class(meant) if isinstance(meant, type) else meant


def template_of(annotation: object) -> type | None:
    """Return the class that `Stack[int]`, or a class that inherits from it, is made of."""
    origin: object = get_origin(annotation)
    if isinstance(origin, type):
        return origin if parameters_of(origin) and is_users(origin) else None
    if not isinstance(annotation, type) or not is_users(annotation):
        return None
    return annotation if has_generic_base(annotation) else None


def instance(
    origin: type, arguments: Sequence[object], look_up: LookUp, span: Span | None = None
) -> object:
    """Return the class that a generic class is with arguments, or what leaves it open."""
    values = [annotation_object(argument, look_up, span) for argument in arguments]

    def read(value: object) -> Type | None:
        return annotated_type(value, look_up, span, unions=True)

    return instance_of(origin, values, read) or HINT


def evaluate(node: n.Expression, look_up: LookUp, span: Span | None) -> object:
    """Return the object that the text of an annotation means; only what annotations are made of."""
    match node:
        case n.Name(id=name):
            found = look_up(name)
            if found is None:
                raise _not_defined(f"names {name!r}, which is not defined", span)
            return found.value
        case n.Constant(value=value):
            return annotation_object(value, look_up, span)
        case n.Attribute(value=base, attr=attr):
            owner = evaluate(base, look_up, span)
            if owner is not HINT and not hasattr(owner, attr):
                close = close_name(attr, dir(owner))
                what = f"names {attr!r}, which {_written(owner)} does not have"
                raise _not_defined(what, span, close and f"did you mean {close!r}?")
            return HINT if owner is HINT else cast(object, getattr(owner, attr))
        case n.Tuple(elts=elts):
            return tuple(evaluate(e, look_up, span) for e in elts)
        case n.List(elts=elts):
            return [evaluate(e, look_up, span) for e in elts]
        case n.Subscript(value=base, slice=index):
            return _subscripted(evaluate(base, look_up, span), index, look_up, span)
        case n.BinOp(left=left, op="|", right=right):
            return Union[evaluate(left, look_up, span), evaluate(right, look_up, span)]  # pyright: ignore[reportInvalidTypeForm] # noqa: UP007 -- a union of live objects
        case _:
            raise _unknown("this expression", span)


def _not_defined(what: str, span: Span | None, instead: str | None = None) -> NameLookupError:
    way = instead or "import it, or define it before the function"
    return NameLookupError(Diagnostic("unknown-name", f"the annotation {what}", span, instead=way))


def _subscripted(
    generic: object, index: n.Expression, look_up: LookUp, span: Span | None
) -> object:
    """Return a generic class with its arguments, of which some are no types."""
    if generic is HINT or generic is Literal:
        return HINT
    if generic is Annotated and isinstance(index, n.Tuple):
        return evaluate(index.elts[0], look_up, span)
    arguments = evaluate(index, look_up, span)
    try:
        return cast(_Generic, generic)[arguments]
    except TypeError:
        raise _unknown("this expression", span) from None


class _Generic(Protocol):
    def __getitem__(self, key: object) -> object: ...


# By library and class: naming a class of np.ma would import it.
_WAYS_OUT: Mapping[str, str] = {
    "numpy.ndarray": "f64[N, M], which says what it holds and how many axes there are",
    "numpy.matrix": "f64[N, M], where x @ y is the product of matrices and x * y is not",
    "numpy.SeedSequence": "an int, or a np.random.Generator made of it outside",
    "numpy.BitGenerator": "np.random.Generator: np.random.Generator(bits), made outside",
    "numpy.MaskedArray": "two arrays: f64[N] for the data and b1[N] for the mask",
    "numpy.recarray": "an array for each field, or a @script class with arrays as fields",
    "numpy.dtype": "an array of that dtype, whose x.dtype a script reads",
    "numpy.datetime64": "i64 with x.view(np.int64), which counts its units",
    "numpy.timedelta64": "i64 with x.view(np.int64), which counts its units",
    "numpy.longdouble": "f64",
    "builtins.dict": "dict[str, float], which says what it holds",
    "collections.Mapping": "lists or arrays of its keys and of its values, or a @script class",
    "builtins.set": "set[str], which says what it holds",
    "builtins.frozenset": "frozenset[str], which says what it holds",
    "collections.Set": "set[str], which says what it holds",
}


def _unknown(annotation: object, span: Span | None) -> TypeCheckError:
    origin: object = get_origin(annotation) or annotation
    bases = origin.__mro__ if isinstance(origin, type) else ()
    names = (f"{base.__module__.partition('.')[0]}.{base.__name__}" for base in bases)
    ways = [_WAYS_OUT[name] for name in names if name in _WAYS_OUT]
    foreign = _way_of_foreign(origin)
    if not ways and foreign:
        ways = [foreign]
    kinds = "numbers, str, tuple[...], list[T], T | None, f64[N, M]"
    return refuse(
        "annotation",
        f"{_written(annotation)} stands for no type of the language",
        f"use {ways[0]}" if ways else f"use {kinds} or a scripted class",
        span,
        f"its types are {kinds} and scripted classes" if ways else "",
    )


def _way_of_foreign(cls: object) -> str:
    """Say what stands for a class of another library: what its objects become, and how."""
    if not isinstance(cls, type) or is_scripted(cls):
        return ""
    conversion = class_conversion(cls)
    if not conversion:
        return ""
    made = {"float(x)": "float", "str(x)": "str", "list(x)": "list[T]"}
    return f"{made.get(conversion, 'f64[N] or its like')}, and pass {conversion}"


def _written(annotation: object) -> str:
    """Return an annotation as a program writes it."""
    if isinstance(annotation, types.ModuleType):
        return f"the module {annotation.__name__}"
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


def _class(annotation: object, span: Span | None) -> Type | None:
    for dtype in FROM_NUMPY.values():
        if annotation is dtype.numpy.type:
            return dtype
    if isinstance(annotation, type) and (source := source_type(annotation)):
        return source
    if annotation in EXCEPTIONS.values():
        return EXCEPTION
    if annotation is types.TracebackType:
        return TRACEBACK
    if isinstance(annotation, type) and kind_of(annotation) is not None:
        return declared_named(annotation, span)
    if is_hint(annotation):
        return None
    if isinstance(annotation, type) and is_users(annotation):
        if _way_of_foreign(annotation):
            raise _unknown(annotation, span)
        return None if parameters_of(annotation) else class_type(annotation)
    raise _unknown(annotation, span)


def declared_named(cls: type, span: Span | None) -> Type | None:
    """Return the type of an enumeration, or of named tuples all of whose fields say theirs."""
    found = enumeration(cls, span)
    if found is not None or kind_of(cls) != NAMED_TUPLE:
        return found
    written = field_annotations(cls)
    names = cast("tuple[str, ...]", getattr(cls, "_fields", ()))
    types = [annotated_type(written.get(name), names_around(cls), span) for name in names]
    known = [without_sizes(type_) for type_ in types if type_ is not None]
    if len(known) < len(names) or not written.keys() >= set(names):
        return None
    return named_tuple(cls, known)


def field_annotations(cls: type) -> Mapping[str, object]:
    """Return what a class of named tuples says of its fields."""
    if not issubclass(cls, tuple):
        return {}
    owners = [base for base in cls.__mro__ if "__annotations__" in vars(base)]
    return cast("Mapping[str, object]", owners[0].__annotations__) if owners else {}


def names_around(cls: type) -> LookUp:
    """Return what finds the names in the annotations of a class."""
    variables = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}

    def look_up(name: str) -> Found | None:
        missing = object()
        value = variables.get(name, getattr(builtins, name, missing))
        return None if value is missing else Found(value, f"{cls.__module__}.{name}")

    return look_up


def _generic(annotation: object, read: _Read, span: Span | None, unions: bool) -> Type | None:
    origin: object = get_origin(annotation)
    arguments = cast("tuple[object, ...]", get_args(annotation))
    if origin is type and isinstance(arguments[0], type):
        return EXCEPTION_CLASS if arguments[0] in EXCEPTIONS.values() else None
    if origin is list and arguments:
        item = _held(arguments[0], read)
        return ListType(item) if item else None
    if is_dict(origin) and arguments:
        held = arguments if len(arguments) == 2 else (*arguments, int)
        key, value = (_held(part, read) for part in held)
        kind = cast(type, origin).__name__
        return DictType(key, value, kind) if key and value else None
    if origin is deque and arguments:
        item = _held(arguments[0], read)
        return DequeType(item) if item else None
    if (origin is set or origin is frozenset) and arguments:
        item = _held(arguments[0], read)
        return SetType(item, origin is frozenset) if item else None
    # A bare `typing.Tuple` has none.
    if origin is tuple and hasattr(annotation, "__args__"):
        return _tuple(arguments, read)
    if origin is Union or origin is types.UnionType:
        return _union(arguments, read, unions=unions)
    if origin is np.ndarray:
        return _ndarray(arguments)
    if origin is Literal or is_hint(origin):
        return None
    raise _unknown(annotation, span)


def _held(annotation: object, read: _Read) -> Type | None:
    """Return what a container holds: `tuple[int, ...]` by itself is a hint, as lengths differ."""
    arguments = cast("tuple[object, ...]", get_args(annotation))
    if get_origin(annotation) is tuple and len(arguments) == 2 and arguments[1] is ...:
        item = _held(arguments[0], read)
        return ListType(item, frozen=True) if item else None
    return read(annotation)


def _tuple(arguments: Sequence[object], read: _Read) -> Type | None:
    if ... in arguments:
        return None
    items = [read(a) for a in arguments if a != ()]
    known = tuple(item for item in items if item is not None)
    return TupleType(known) if len(known) == len(items) else None


def _union(arguments: Sequence[object], read: _Read, *, unions: bool) -> Type | None:
    members = [a for a in arguments if a is not type(None)]
    if len(members) > 1 and not unions:
        return None
    types = [read(a) for a in arguments]
    known = [type_ for type_ in types if type_ is not None]
    return union_of(known) if len(known) == len(types) else None


def _ndarray(arguments: Sequence[object]) -> Type | None:
    """Return the type of an array whose axes and dtype are all said."""
    shape, dtype = arguments if len(arguments) == 2 else (None, None)
    sizes = get_args(shape)
    scalars = get_args(dtype)
    if get_origin(shape) is not tuple or not sizes or ... in sizes or len(scalars) != 1:
        return None
    element = next((d for d in FROM_NUMPY.values() if scalars[0] is d.numpy.type), None)
    if element is None:
        return None
    return TensorType(element, tuple(Dim(known=False) for _ in sizes))
