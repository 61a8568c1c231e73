"""Values outside of functions: what live objects mean in a script, and their attributes."""

import builtins
import enum
import math
from types import FunctionType, ModuleType
from typing import NoReturn, cast

import numpy as np

from scriptc.check.bindings import (
    CAPTURED,
    Known,
    Static,
    Typed,
)
from scriptc.check.checked import (
    Capture,
    Literal,
    Scalar,
)
from scriptc.check.close_names import close_name
from scriptc.check.constants import constant_of, is_scalar, of_bytes, plain
from scriptc.check.context import Context, Value
from scriptc.check.desugar.slice_variables import kept
from scriptc.check.library.standard import is_standard
from scriptc.check.live_values import type_of
from scriptc.check.members import (
    find_member,
    is_users,
)
from scriptc.check.size_names import with_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import Diagnostic, NameLookupError
from scriptc_runtime.random_generators import source_type
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    FLOAT,
    DType,
    TensorType,
)


def live_value(context: Context, node: n.Expression, value: object, name: str, short: str) -> Value:
    """Return what a live object means in a script: a constant, a hidden argument, or itself."""
    if isinstance(value, enum.Enum):
        # Inside a function: few programs have enumerations.
        from scriptc.check.named import enumerations

        depend_on(context, name, value)
        return enumerations.constant(context, node, value)
    index = kept(value)
    if index is not None:
        depend_on(context, name, index)
        return Static(index, context.span(node))
    if isinstance(value, dict | tuple):
        # Inside a function: few programs have tables of functions.
        from scriptc.check.function_tables import table_of

        table = table_of(context, node, cast(object, value), name)
        if table is not None:
            return table
    match value:
        case None | bool() | int() | float() | complex() | str() | bytes() | np.generic():
            return _captured_scalar(context, node, cast(object, value), name)
        case tuple():
            return _captured_tuple(context, node, cast("tuple[object, ...]", value), name)
        case np.ndarray():
            return _captured_object(context, node, value, name, short)
        case list() | dict() | set() | frozenset():
            found = _captured_object(context, node, cast(object, value), name, short)
            return replace(found, borrowed=f"{CAPTURED}{short}")
        case _ if source_type(type(value)):
            return _captured_object(context, node, value, name, short)
        case _:
            return Static(value, context.span(node))


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
    depend_on(context, name, value)
    what = f"the tuple {name!r}"
    constant = constant_of(context, node, value, type_, "captured-value", what)
    result = context.record(node, [], constant)
    if not all(map(is_scalar, value)):
        return result
    return replace(result, known=Known(cast("tuple[Scalar, ...]", value)))


def _captured_object(
    context: Context, node: n.Expression, value: object, name: str, short: str
) -> Typed:
    type_ = type_of(value, repr(name), context.span(node), context.whole)
    # Two closures may have different objects under one name.
    qualified = f"{name} {id(value)}"
    capture = context.captures.get(qualified)
    if capture is None:
        others = sum(c.name == short for c in context.captures.values())
        prefix = f"{short}{others or ''}_"
        sized = type_
        if isinstance(type_, TensorType):
            sized = with_sizes(type_, prefix, context.size_names)
        capture = Capture(short, sized, value, qualified)
        context.captures[qualified] = capture
    context.facts.captures[node] = qualified
    context.facts.types[node] = capture.type
    return Typed(capture.type, context.span(node))


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
    if not isinstance(owner, ModuleType):
        _require_guarded(context, node, cast(object, owner))
        if isinstance(value, bool | int | float | complex | str | bytes | enum.Enum | None):
            return live_value(context, node, value, f"{owner!r}.{node.attr}", node.attr)
        if isinstance(value, list | dict | set | frozenset | np.ndarray | tuple):
            held = cast(object, value)
            return live_value(context, node, held, f"{owner!r}.{node.attr}", node.attr)
        if isinstance(value, np.generic):
            kind = type(cast(object, value)).__name__
            context.fail(
                "captured-value",
                f"{node.attr!r} of this {type(cast(object, owner)).__name__} is of type {kind}",
                node,
                why="of attributes outside, a script reads Python's numbers, texts and functions",
                instead="give it a global name of its own, or pass it as an argument",
            )
        return Static(value, context.span(node))
    return live_value(context, node, value, f"{owner.__name__}.{node.attr}", node.attr)


def _require_guarded(context: Context, node: n.Attribute, owner: object) -> None:
    """Refuse what an object has from its class, a class from another, or a function."""
    whose = owner if isinstance(owner, type) else type(owner)
    is_set = node.attr in getattr(owner, "__dict__", {})
    if isinstance(owner, enum.Enum) or callable(getattr(owner, node.attr)):
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
    name = getattr(owner, "__name__", repr(owner))
    close = close_name(node.attr, dir(owner))
    instead = "look it up in the documentation of the module"
    if owner is np and hasattr(builtins, node.attr):
        instead = f"Python's own: {node.attr}"  # NumPy had these names once
    elif close:
        instead = f"did you mean {close!r}?"
    elif not isinstance(owner, ModuleType):
        instead = "set it before the first call"
    message = f"{name} has no attribute {node.attr!r}"
    raise NameLookupError(Diagnostic("unknown-name", message, context.span(node), instead=instead))
