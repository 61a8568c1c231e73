"""Values outside of functions: what live objects mean in a script, and their attributes."""

import builtins
import enum
import math
import re
import struct
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator, Mapping
from types import BuiltinMethodType, FunctionType, ModuleType
from typing import ClassVar, Final, NoReturn, cast, get_args, get_origin

import numpy as np

from scriptc.check import annotations as check_annotations
from scriptc.check import captures, class_places, function_tables, outside_objects
from scriptc.check.bindings import (
    CAPTURED,
    KeptSlice,
    Known,
    Static,
    Typed,
)
from scriptc.check.checked import (
    Literal,
    Scalar,
)
from scriptc.check.class_stand_ins import class_meant, parts_of_object
from scriptc.check.close_names import close_name
from scriptc.check.constants import constant_of, is_classes, is_scalar, of_bytes, plain
from scriptc.check.context import Context, Value
from scriptc.check.desugar import bound_methods, live_calls
from scriptc.check.desugar.slice_variables import kept
from scriptc.check.global_places import read_global
from scriptc.check.hints import names_in
from scriptc.check.library.standard import is_standard
from scriptc.check.live_values import type_of
from scriptc.check.members import find_member, is_users
from scriptc.check.named import enumerations
from scriptc.check.open_parameters import open_outside, type_told
from scriptc.check.open_types import EMPTY_DICT, EMPTY_LIST, UNTOLD, empty_set, is_open
from scriptc.check.parameters import classes_named
from scriptc.check.refusals import is_scripted
from scriptc.syntax import nodes as n
from scriptc.values.outside_places import (
    ObjectField,
    OutsidePlace,
    is_method_of_constant,
    is_outside,
)
from scriptc_runtime.errors import Diagnostic, NameLookupError, TypeCheckError
from scriptc_runtime.named_classes import BOUNDS
from scriptc_runtime.random_generators import source_type
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    DequeType,
    DictType,
    DType,
    ListType,
    Type,
    all_parts,
)

# Marks what is captured among the things that do not say yet what they hold.
OUTSIDE = "outside "
_EMPTY: Mapping[type, Type] = {
    list: EMPTY_LIST,
    dict: EMPTY_DICT,
    set: empty_set(),
    deque: DequeType(UNTOLD),
    **{kind: DictType(UNTOLD, UNTOLD, kind.__name__) for kind in (Counter, OrderedDict)},
}
# What a defaultdict makes, by its function.
_MADE: Mapping[object, Type] = {
    **{int: INT, float: FLOAT, str: STR, bool: BOOL},
    **{kind: _EMPTY[kind] for kind in (list, dict, set)},
}
_OF_CLASS = re.compile(r"^(?:\w+\.)?(?:ClassVar|Final)\[(.*)\]$")


def live_value(
    context: Context, node: n.Expression, value: object, name: str, short: str, owner: object = None
) -> Value:
    """Return what a live object means in a script: a constant, a hidden argument, or itself.

    `owner` is the class that holds it; None for what names outside stand for.
    """
    if (found := _of_program(context, node, value, name)) is not None:
        return found
    match value:
        case None | bool() | int() | float() | complex() | str() | bytes() | np.generic():
            return _captured_scalar(context, node, cast(object, value), name)
        case tuple():
            return _captured_tuple(context, node, cast("tuple[object, ...]", value), name)
        case np.ndarray():
            return _captured_object(context, node, value, name, short)
        case list() | dict() | set() | frozenset() | deque():
            found = _captured_object(context, node, cast(object, value), name, short, owner)
            return replace(found, borrowed=f"{CAPTURED}{short}")
        case _ if source_type(type(value)):
            return _captured_object(context, node, value, name, short)
        case _:
            return _object_outside(context, node, value, name)


def _of_program(context: Context, node: n.Expression, value: object, name: str) -> Value | None:
    """Return what is of a class of the program, or holds such or functions; None for the rest."""
    if isinstance(value, enum.Enum):
        depend_on(context, name, value)
        return enumerations.constant(context, node, value)
    index = kept(value)
    if index is not None:
        depend_on(context, name, index)
        return Static(index, context.span(node))
    if isinstance(value, dict | tuple):
        found = _of_functions(context, node, cast(object, value), name)
        if found is not None:
            return found
    if isinstance(value, ObjectField) or is_outside(cast(object, value)):
        return outside_objects.value_outside(context, node, cast(object, value))
    return None


def _object_outside(context: Context, node: n.Expression, value: object, name: str) -> Value:
    """Return what a live object stands for: one that never changes, for an equal one."""
    if isinstance(value, BuiltinMethodType) and is_method_of_constant(value):
        depend_on(context, name, value)
        return bound_methods.method_of_constant(context, node, value)
    parts = parts_of_object(value)
    if parts is None:
        return Static(class_meant(value), context.span(node))
    cls, arguments = parts
    depend_on(context, name, value)
    args = tuple(n.Constant(node.lo, node.hi, argument, None) for argument in arguments)
    return live_calls.check_live_call(context, node, cls, args)


def _of_functions(context: Context, node: n.Expression, value: object, name: str) -> Value | None:
    """Return what a tuple or dict of functions or classes means; None for any other."""
    if is_classes(value, BaseException):
        depend_on(context, name, value)
        return Static(value, context.span(node))
    return function_tables.table_of(context, node, value, name)


def _captured_scalar(context: Context, node: n.Expression, value: object, name: str) -> Typed:
    type_ = type_of(value, repr(name), context.span(node), context.whole)
    depend_on(context, name, value)
    if isinstance(value, bytes):
        return context.record(node, [], of_bytes(context, node, value))
    number = cast(Scalar, plain(value))
    known = None if isinstance(type_, DType) else Known(number)
    typed = Typed(type_, context.span(node), known=known)
    if isinstance(number, float) and type_ is FLOAT and not math.isfinite(number):
        # There is no other way to write np.inf and np.nan down: they give way as literals do.
        typed = replace(typed, literals=(number,))
    return context.constant(node, Literal(number, type_), typed)


def depend_on(context: Context, name: str, value: object) -> None:
    """Note that the program has been compiled with a value that a name outside has."""
    module = name.partition(".")[0]
    if module not in ("numpy", "math", "cmath") and not is_standard(context.function):
        context.depend("constant", name, value)


def _captured_tuple(
    context: Context, node: n.Expression, value: tuple[object, ...], name: str
) -> Typed:
    if hasattr(value, "n_sequence_fields"):
        value = tuple(iter(value))  # as of sys.version_info, whose class nobody can make
    type_ = type_of(value, repr(name), context.span(node), context.whole)
    captures.declare_named(context, type_, value)
    depend_on(context, name, value)
    what = f"the tuple {name!r}"
    constant = constant_of(context, node, value, type_, "captured-value", what)
    result = context.record(node, [], constant)
    if not all(map(is_scalar, value)):
        return result
    return replace(result, known=Known(cast("tuple[Scalar, ...]", value)))


def _captured_object(
    context: Context, node: n.Expression, value: object, name: str, short: str, owner: object = None
) -> Typed:
    # Two closures may have different objects under one name.
    qualified = f"{name} {id(value)}"
    _require_known(context, node, qualified)
    type_ = context.outside.told(qualified)
    if type_ is None and type(value) in _EMPTY:
        type_ = declared_outside(context, node, owner, short)
    if type_ is None:
        type_ = _type_or_open(context, node, value, name, qualified)
    type_ = context.rounds.joins.widened(type_)
    return _captured(context, node, value, short, qualified, type_)


def is_shared(default: object) -> bool:
    """Whether all calls share what the default of a parameter is, as what is outside."""
    return type(default) in (*_EMPTY, np.ndarray)


def shared_default(
    context: Context, at: n.Node, name: str, value: object, declared: Type | None
) -> tuple[n.Name, Typed]:
    """Return what stands for the default of a parameter that all calls share, and its type."""
    place = n.Name(at.lo, at.hi, f"{name}@default")
    node = context.learned.spreads.setdefault((at, ("default", name)), place)
    assert isinstance(node, n.Name)
    qualified = f"{name} {id(value)}"
    _require_known(context, node, qualified)
    type_ = context.outside.told(qualified)
    is_list = type(value) in _EMPTY
    if type_ is None and is_list and not value and declared is not None:
        require_pythons(context, node, name, declared)
        type_ = declared
    type_ = type_ or _type_or_open(context, node, value, name, qualified)
    found = _captured(context, node, value, name, qualified, type_)
    return node, replace(found, borrowed=f"{CAPTURED}{name}") if is_list else found


def captured_place(context: Context, node: n.Expression, text: str, place: OutsidePlace) -> Typed:
    """Return the list that holds what is stored outside during a call."""
    name, live = place.name, place.live
    qualified = f"{text} {id(live)}"
    _require_known(context, node, qualified)
    type_ = context.outside.told(qualified)
    if type_ is None and isinstance(live, type | dict):
        owner = live if isinstance(live, type) else None
        type_ = declared_outside(context, node, owner, name)
    if type_ is None:
        type_ = _type_or_open(context, node, place.current, name, qualified)
        type_ = context.outside.note_none(qualified) if type_ is NONE else type_
    return _captured(context, node, place, name, qualified, ListType(type_))


def _require_known(context: Context, node: n.Expression, qualified: str) -> None:
    """Give up for this check where the next one knows another type."""
    if context.outside.is_outdated(qualified):
        raise context.not_known_yet(node)


def _captured(
    context: Context, node: n.Expression, value: object, short: str, qualified: str, type_: Type
) -> Typed:
    """Return what is handed over at each call."""
    found = captures.captured(context, node, value, short, qualified, type_)
    if not is_open(type_):
        return found
    return open_outside(context, node, f"{OUTSIDE}{qualified}", found)


def require_pythons(context: Context, node: n.Node, name: str, type_: Type) -> None:
    """Refuse objects outside that Python has no objects for."""
    for part in all_parts(type_):
        if not isinstance(part, ClassType) or is_scripted(context.class_named(part.name).live):
            continue
        is_function = context.class_named(part.name).is_function
        context.fail(
            "captured-value",
            f"{name!r} holds {'functions' if is_function else f'objects of {part.name}'} when the "
            "call ends",
            node,
            why="it outlives the call, and Python would hold objects of a class that is "
            "compiled for a call alone",
            instead="a list that is passed on"
            if is_function
            else f"@script for the class {part.name}, or a list that is passed on",
        )


def _type_or_open(
    context: Context, node: n.Expression, value: object, name: str, qualified: str
) -> Type:
    """Return the type of what is captured; one that says nothing of what is empty."""
    try:
        return captures.type_outside(context, node, value, name)
    except TypeCheckError:
        empty = _empty_type(value)
        if empty is None or value:
            raise
        context.outside.note_open(qualified, empty)
        return empty


def _empty_type(value: object) -> Type | None:
    """Return the type of an empty container that does not say what it holds; None for others."""
    if isinstance(value, defaultdict):
        made = _MADE.get(cast("defaultdict[object, object]", value).default_factory)
        return DictType(UNTOLD, made, "defaultdict") if made else None
    return _EMPTY.get(type(value))


def declared_outside(context: Context, node: n.Expression, owner: object, name: str) -> Type | None:
    """Return the type that a class, or the module, declares of a name."""
    function = context.function
    if isinstance(node, n.Name):  # a generator that is a part of this function has its own module
        function = context.learned.foreign.get(node.id, (function, name))[0]
    if owner is None and name in function.__code__.co_freevars:
        return None  # a variable of the function around
    variables = vars(owner) if isinstance(owner, type) else function.__globals__
    annotations = cast("Mapping[str, object]", variables.get("__annotations__", {}))
    annotation = annotations.get(name)
    if isinstance(annotation, str):
        annotation = _OF_CLASS.sub(r"\1", annotation)
    elif get_origin(annotation) in (ClassVar, Final):
        annotation = get_args(annotation)[0]
    if annotation is None or annotation in (ClassVar, Final, "ClassVar", "Final"):
        return None
    found = names_in(function)
    type_ = check_annotations.annotated_type(annotation, found, context.span(node), unions=True)
    if type_ is None:
        return None
    if variables.get(name, ()) is None:
        type_ = check_annotations.or_none(type_)
    for live in classes_named(annotation, found):
        context.declare_named(live)
    require_pythons(context, node, name, type_)
    return type_


def tell_outside(context: Context) -> None:
    """Say what a function has put into what was empty outside."""
    for qualified, node in _open_outside(context):
        capture = context.captures[qualified]
        told = type_told(context, (node, ()), capture.type)
        if not is_open(told):
            if isinstance(capture.value, OutsidePlace):
                assert isinstance(told, ListType)
                told = told.item
            require_pythons(context, node, capture.name, told)
            context.outside.tell_open(qualified, told)


def _open_outside(context: Context) -> Iterator[tuple[str, n.Node]]:
    """Yield what does not say yet what it holds, with a place."""
    for name, node in context.learned.open_parameters.items():
        qualified = name.removeprefix(OUTSIDE)
        if name.startswith(OUTSIDE) and not context.outside.is_outdated(qualified):
            yield qualified, node


def refuse_open_outside(context: Context) -> None:
    """Refuse what needs to know what something outside holds into which nothing is put."""
    for qualified, node in _open_outside(context):
        context.fail(
            "empty-list",
            f"nothing says what {context.captures[qualified].name!r} holds",
            node,
            why="its items have one type, told by what this program puts in",
            instead="annotate it where it is made, or let it hold an item",
        )


def live_attribute(context: Context, node: n.Attribute, base: Static) -> Value:
    """Return what an attribute of a live object means."""
    owner = base.value
    missing = object()
    value: object = getattr(owner, node.attr, missing) if base.receiver is None else missing
    if value is missing:
        _refuse_attribute(context, node, owner)
    if isinstance(owner, np.dtype | np.iinfo | np.finfo) and not isinstance(value, type):
        # What NumPy says of a dtype stays as it is, like the constants of its modules.
        return live_value(context, node, value, f"numpy.{node.attr}", node.attr)
    inherited = find_member(owner, node.attr) if isinstance(owner, type) else None
    if inherited is not None and inherited.owner is not owner and is_users(inherited.owner):
        owner = inherited.owner
    if isinstance(owner, type) and class_places.is_stored(owner, node.attr):
        return class_places.read_place(context, node, owner)
    if isinstance(owner, ModuleType):
        found = read_global(context, node, vars(owner), node.attr)
        return found or live_value(context, node, value, f"{owner.__name__}.{node.attr}", node.attr)
    return _held_attribute(context, node, cast(object, owner), value)


def _held_attribute(context: Context, node: n.Attribute, owner: object, value: object) -> Value:
    """Return what an attribute of an object or a class means."""
    _require_guarded(context, node, owner)
    if isinstance(value, bool | int | float | complex | str | bytes | enum.Enum | None):
        return live_value(context, node, value, f"{owner!r}.{node.attr}", node.attr)
    if isinstance(value, list | dict | set | frozenset | deque | np.ndarray | tuple):
        held = cast(object, value)
        return live_value(context, node, held, f"{owner!r}.{node.attr}", node.attr, owner)
    if isinstance(value, np.generic):
        kind = type(cast(object, value)).__name__
        context.fail(
            "captured-value",
            f"{node.attr!r} of this {type(owner).__name__} is of type {kind}",
            node,
            why="of attributes outside, a script reads Python's numbers, texts and functions",
            instead="give it a global name of its own, or pass it as an argument",
        )
    return Static(value, context.span(node))


def _require_guarded(context: Context, node: n.Attribute, owner: object) -> None:
    """Refuse what an object has from its class, a class from another, or a function."""
    whose = owner if isinstance(owner, type) else type(owner)
    is_set = node.attr in getattr(owner, "__dict__", {})
    if isinstance(owner, enum.Enum | struct.Struct) or callable(getattr(owner, node.attr)):
        return
    if isinstance(owner, type) and node.attr in ("__name__", "__qualname__"):
        return  # the class is looked at before each call; nobody gives it another name
    if isinstance(owner, FunctionType):
        is_guarded = not is_set
    else:
        is_guarded = is_set or whose.__module__.partition(".")[0] in ("builtins", "numpy")
    if not is_guarded:
        context.fail(
            "captured-value",
            f"{node.attr!r} of this {whose.__name__} may be set anew unnoticed",
            node,
            why="what a script reads outside is a constant to it; what names, objects and classes "
            "hold themselves is looked at before each call",
            instead="read it from the object or class that holds it, or pass it as an argument",
        )


def _refuse_attribute(context: Context, node: n.Attribute, owner: object) -> NoReturn:
    is_slice = isinstance(owner, KeptSlice)
    name = "slice" if is_slice else getattr(owner, "__name__", repr(owner))
    close = close_name(node.attr, BOUNDS if is_slice else dir(owner))
    instead = "look it up in the documentation of the module"
    if owner is np and hasattr(builtins, node.attr):
        instead = f"Python's own: {node.attr}"  # NumPy had these names once
    elif close:
        instead = f"did you mean {close!r}?"
    elif is_slice:
        instead = "it has start, stop and step"
    elif not isinstance(owner, ModuleType):
        instead = "set it before the first call"
    message = f"{name} has no attribute {node.attr!r}"
    raise NameLookupError(Diagnostic("unknown-name", message, context.span(node), instead=instead))
