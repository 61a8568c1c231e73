"""Names and attributes: variables, captured values, fields, and what live objects mean."""

import builtins
import enum
import math
from collections.abc import Iterable
from types import FunctionType, ModuleType
from typing import NoReturn, cast

import numpy as np

from scriptc.check.array_attributes import array_attribute
from scriptc.check.bindings import (
    CAPTURED,
    Conflict,
    Environment,
    Fixed,
    KeptKeywords,
    Known,
    Maybe,
    OfRound,
    Poisoned,
    Static,
    Typed,
)
from scriptc.check.checked import (
    Capture,
    Check,
    CheckedClass,
    Computation,
    Convert,
    Literal,
    Scalar,
)
from scriptc.check.closures import hold_as_value
from scriptc.check.constants import constant_of, is_scalar, plain
from scriptc.check.context import Context, UnknownTypeError, Value, operand
from scriptc.check.desugar.fixed_lists import if_steady
from scriptc.check.desugar.slice_variables import kept
from scriptc.check.inheritance import find_super, is_super, refuse_member_of_super
from scriptc.check.library.standard import is_standard
from scriptc.check.live_values import type_of
from scriptc.check.members import Member, find_member, is_users, untyped_field, wrapped_function
from scriptc.check.numpy.dtype_objects import dtype_of
from scriptc.check.python.enumerations import class_of, number_of
from scriptc.check.scopes import look_up
from scriptc.check.size_names import with_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import Diagnostic, NameLookupError, TypeCheckError
from scriptc_runtime.ops import data, reshaping, unions
from scriptc_runtime.random_generators import source_type
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    FLOAT,
    INT,
    NONE,
    OF_EXCEPTIONS,
    ClassType,
    DictType,
    DType,
    OptionalType,
    PyType,
    TensorType,
    Type,
    UnionType,
    element_of,
)


def check_name(context: Context, node: n.Name) -> Value:
    """Check a name that is read."""
    if node.id in context.locals:
        binding = (context.env or {}).get(node.id)
        if isinstance(binding, Fixed):
            return _live(context, node, binding, node.id)
        return read_variable(context, node, node.id)
    function, name = context.learned.foreign.get(node.id, (context.function, node.id))
    found = look_up(function, name)
    if found is None:
        known = (*context.locals, *context.function.__globals__, *dir(builtins))
        close = close_name(node.id, known)
        raise NameLookupError(
            Diagnostic(
                "unknown-name",
                f"the name {node.id!r} is not defined",
                context.span(node),
                why="neither the function nor its module nor Python's builtins define it",
                instead=f"did you mean {close!r}?" if close else "define or import it",
            )
        )
    return live_value(context, node, found.value, found.name, node.id)


def close_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that one is likely to stand for: two letters change places easily."""
    # Inside a function: only those who mistype a name need it.
    import difflib

    close = difflib.get_close_matches(name, known)
    swapped = [other for other in close if sorted(other) == sorted(name)]
    return next(iter(swapped or close), None)


def _live(context: Context, node: n.Expression, binding: Fixed, name: str) -> Static:
    """Return what a variable stands for."""
    if binding.static is None:
        raise hold_as_value(context, node, name)
    return replace(binding.static, span=context.span(node))


def read_variable(context: Context, node: n.Expression, name: str) -> Typed:
    """Check that a variable (or a field in a constructor) has a value here."""
    assert context.env is not None
    binding = context.env.get(name)
    if isinstance(binding, Fixed):
        return context.as_typed(node, _live(context, node, binding, name))
    if name in context.learned.cells and not isinstance(binding, Typed):
        binding = _held(context, node, name)
    match binding:
        case Typed():
            context.facts.types[node] = binding.type
            return binding if binding.length is None else if_steady(context, name, binding)
        case Maybe():
            # From the next pass on it lives in a cell, which knows whether it is set.
            context.learned.cells[name] = None
            raise context.not_known_yet(node)
        case Conflict(first, second):
            if context.learn_items(first, second) or _unites(context, name, first, second):
                raise context.not_known_yet(node)
            name = name.partition("@")[0]  # of a comprehension
            context.refuse_merge(
                f"{name!r} is {first.type} on one path to here and {second.type} on another",
                node,
                first,
                second,
                why="a variable has one type wherever it is used",
                is_variable=True,
            )
        case Poisoned():
            raise UnknownTypeError
        case OfRound():
            context.fail(
                "prange-variable",
                f"{name!r} has no value here: each iteration of a prange has its own {name!r}",
                node,
                why=f"iterations run in any order; they have a sum in common if all mentions of "
                f"{name!r} in the loop are one of `{name} += x`, `{name} = {name} + x`, "
                f"`{name} = max({name}, x)` and the like",
                instead=f"assign {name!r} first in the iteration, or take out its other mentions",
            )
        case _:
            _refuse_unbound(context, node, name)


def _held(context: Context, node: n.Expression, name: str) -> Typed:
    """Return what a cell holds."""
    known = context.learned.cells[name]
    if known is None:
        raise context.not_known_yet(node)
    if name in context.shared and context.env is not None:
        context.env[name] = known  # a test may narrow it
    return known


def _unites(context: Context, name: str, first: Typed, second: Typed) -> bool:
    """Let a variable hold values of both types: in the next pass, a union where paths meet."""
    if name in context.learned.unions or context.unite(first, second) is None:
        return False
    context.learned.unions.add(name)
    return True


def _refuse_unbound(context: Context, node: n.Expression, name: str) -> NoReturn:
    if context.constructs is not None and name == context.owner:
        context.fail(
            "unbound-variable",
            f"{name!r} is no object before the end of its __init__",
            node,
            why="it is made of its fields, which are variables until then",
            instead="a function that stands beside the class, and gets what it needs",
        )
    plain, _, place = name.partition("@")
    if place:
        context.fail(
            "unbound-variable",
            f"{plain!r} of the comprehension has no value any more",
            node,
            why="a function that is made in a comprehension reads it when it is called",
            instead="call the function inside of the comprehension, or pass it the value",
        )
    context.fail(
        "unbound-variable",
        f"{name!r} has no value here",
        node,
        why="it is assigned in this function, so it is a local variable everywhere in it",
        instead="assign it before this line",
    )


def live_value(context: Context, node: n.Expression, value: object, name: str, short: str) -> Value:
    """Return what a live object means in a script: a constant, a hidden argument, or itself."""
    if isinstance(value, enum.IntEnum | enum.IntFlag):
        value = number_of(context, node, value)
    index = kept(value)
    if index is not None:
        _depend(context, name, index)
        return Static(index, context.span(node))
    match value:
        case None | bool() | int() | float() | complex() | str() | np.generic():
            return _captured_scalar(context, node, cast(object, value), name)
        case tuple():
            return _captured_tuple(context, node, cast("tuple[object, ...]", value), name)
        case np.ndarray():
            return _captured_object(context, node, value, name, short)
        case list():
            found = _captured_object(context, node, cast(object, value), name, short)
            return replace(found, borrowed=f"{CAPTURED}{short}")
        case dict() | set():
            kind = type(cast(object, value)).__name__
            context.fail(
                "captured-value",
                f"{name!r} is a {kind}, which a script cannot capture",
                node,
                why="the language has no dicts and sets",
                instead="lists, tuples or arrays of its keys and values",
            )
        case _ if source_type(type(value)):
            return _captured_object(context, node, value, name, short)
        case _:
            return Static(value, context.span(node))


def _captured_scalar(context: Context, node: n.Expression, value: object, name: str) -> Typed:
    type_ = type_of(value, repr(name), context.span(node))
    _depend(context, name, value)
    number = cast(Scalar, plain(value))
    known = None if isinstance(type_, DType) else Known(number)
    typed = Typed(type_, context.span(node), known=known)
    if isinstance(number, float) and type_ is FLOAT and not math.isfinite(number):
        # There is no other way to write np.inf and np.nan down: they give way as literals do.
        typed = replace(typed, literals=(number,))
    return context.constant(node, Literal(number, type_), typed)


def _depend(context: Context, name: str, value: object) -> None:
    module = name.partition(".")[0]
    if module not in ("numpy", "math", "cmath") and not is_standard(context.function):
        context.depend("constant", name, value)


def _captured_tuple(
    context: Context, node: n.Expression, value: tuple[object, ...], name: str
) -> Typed:
    type_ = type_of(value, repr(name), context.span(node))
    _depend(context, name, value)
    what = f"the tuple {name!r}"
    constant = constant_of(context, node, value, type_, "captured-value", what)
    result = context.record(node, [], constant)
    if not all(map(is_scalar, value)):
        return result
    return replace(result, known=Known(cast("tuple[Scalar, ...]", value)))


def _captured_object(
    context: Context, node: n.Expression, value: object, name: str, short: str
) -> Typed:
    type_ = type_of(value, repr(name), context.span(node))
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


def check_attribute(context: Context, node: n.Attribute) -> Value:
    """Check `value.attr` where it is read."""
    found = _known_by_text(context, node)
    if found is not None:
        return found
    base = context.expression(node.value)
    if isinstance(base, Static) and isinstance(base.value, KeptKeywords):
        base = context.as_typed(node.value, base)
    if isinstance(base, Static):
        return _live_attribute(context, node, base)
    match base.type:
        case TensorType(dtype) | (DType() as dtype) if node.attr == "dtype":
            return dtype_of(context, node, dtype)
        case type_ if node.attr in ("real", "imag") and element_of(type_) is not None:
            # Inside a function: few programs take complex numbers apart.
            from scriptc.check.python.complex_numbers import check_part

            return check_part(context, node, base)
        case TensorType():
            return array_attribute(context, node, base, base.type)
        case ClassType(name):
            return _field(context, node, base, name)
        case PyType() as type_ if type_ in OF_EXCEPTIONS:
            # Inside a function: few programs look at what they catch.
            from scriptc.check.python.exception_values import check_attribute as of_exception

            return of_exception(context, node, base)
        case _:
            return _member(context, node, base)


def _known_by_text(context: Context, node: n.Attribute) -> Value | None:
    """Return what an attribute of the object that a constructor makes, or of a member, is."""
    if field := constructed_field(context, node):
        return read_variable(context, node, field)
    if node.attr in ("name", "value") and (owner := class_of(context, node.value)):
        member: object = getattr(owner, cast(n.Attribute, node.value).attr, None)
        if isinstance(member, owner):
            return _live_attribute(context, node, Static(member, context.span(node.value)))
    return _of_super(context, node) if is_super(node) else _of_constructed(context, node)


def _member(context: Context, node: n.Attribute, base: Typed) -> Value:
    """Return a method of a value, or a part of a dict, of which only its own library knows."""
    if isinstance(base.type, OptionalType):
        context.fail(
            "optional",
            f"this may be None, which has no attribute {node.attr!r}",
            node.value,
            instead="test `is not None` first",
        )
    if isinstance(base.type, UnionType) and context.calling is not node:
        what = f"{base.type} has no attribute {node.attr!r}"
        context.fail("unknown-attribute", what, node, instead="test with isinstance first")
    if isinstance(base.type, DictType) and is_standard(context.function):
        whole, type_ = operand(node.value, base), base.type.fields[node.attr]
        field = context.apply(node, data.FIELD, whole, name=node.attr, type=type_)
        return context.record(node, [node.value], field)
    return Static(node.attr, context.span(node), (node.value, base))


def constructed_field(context: Context, node: n.Expression) -> str | None:
    """Return `self.field` where `node` is that in a constructor: it is a variable there."""
    if context.constructs is None or not isinstance(node, n.Attribute):
        return None
    if not isinstance(node.value, n.Name):
        return None
    name = f"{node.value.id}.{node.attr}"
    return name if node.value.id == context.owner and name in context.locals else None


def _live_attribute(context: Context, node: n.Attribute, base: Static) -> Value:
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
        if isinstance(value, bool | int | float | complex | str | None):
            return live_value(context, node, value, f"{owner!r}.{node.attr}", node.attr)
        if isinstance(value, list | np.ndarray | np.generic | tuple):
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


def refuse_assignment(context: Context, target: n.Attribute, type_: Type) -> NoReturn:
    """Refuse `x.attribute = value` where `x` is no object of a class."""
    ways = {
        **dict.fromkeys(("real", "imag"), f"write its elements: z.{target.attr}[...] = value"),
        "dtype": "y = x.astype(...), which converts; x.view(...) outside, and pass that in",
        "shape": "give the array a name, and set the shape of that: y = ...; y.shape = ...",
    }
    of_arrays = ways.get(target.attr, "write its elements, x[...] = value, or use a variable")
    context.fail(
        "assignment",
        f"{target.attr!r} of {type_} is not assigned in scripts",
        target,
        why="only objects of classes have fields",
        instead=of_arrays if isinstance(type_, TensorType) else "use a variable",
    )


def flat_of(context: Context, node: n.Expression) -> Typed | None:
    """Check `x.flat` where its elements are read one by one, None for anything else.

    Elsewhere it is refused: written to, it would have to be a view, which there is not of each x.
    """
    if not isinstance(node, n.Attribute) or node.attr != "flat":
        return None
    base = context.expression(node.value)
    if not isinstance(base, Typed) or not isinstance(base.type, TensorType):
        return None
    whole, all_of_them = operand(node.value, base), Literal(-1, INT)
    line = context.apply(node, reshaping.RESHAPE, whole, all_of_them, dims=(None,), dense=True)
    return context.record(node, [node.value], line)


def _field(context: Context, node: n.Attribute, base: Typed, name: str) -> Value:
    declared = context.class_named(name)
    member = find_member(declared.live, node.attr)
    if member is not None and node.attr not in declared.names:
        return _class_member(context, node, base, member, declared.live)
    type_ = field_type(context, node, declared)
    whole = operand(node.value, base)
    field: Computation = context.apply(node, data.FIELD, whole, name=node.attr, type=type_)
    env = context.env or {}
    path = field_path(env, node)
    narrowed = env.get(path) if path else None
    if isinstance(narrowed, Typed):
        field = _narrowed_field(context, node, field, narrowed.type)
    return context.record(node, [node.value], field)


def _class_member(
    context: Context, node: n.Attribute, base: Typed, member: Member, live: type
) -> Value:
    """Return what objects have from their class: a property, a method, or a constant."""
    getter = wrapped_function(member.value, property)
    if getter is not None:
        return _property(context, node, base, getter, live)
    value = member.value
    if callable(value) or isinstance(value, classmethod | staticmethod):
        return Static(node.attr, context.span(node), (node.value, base))
    if isinstance(value, property) or field_path(context.env or {}, node.value) is None:
        context.fail(
            "class-field",
            f"{node.attr!r} of class {live.__name__} is read from what is no variable",
            node,
            instead=f"give the object a name first, or read {member.owner.__name__}.{node.attr}",
        )
    return _constant_of_class(context, node, member)


def _of_super(context: Context, node: n.Attribute) -> Value:
    """Return what `super().name` is where it is not called: a property, or a constant."""
    found = find_super(context, node)
    if found.receiver is None:
        return read_variable(context, found.place, context.owner)  # which is no object yet
    member = find_member(found.live, node.attr, found.after)
    if member is None:
        refuse_member_of_super(context, node, found)
    at = n.Attribute(node.lo, node.hi, found.place, node.attr)
    value = _class_member(context, at, found.receiver, member, found.live)
    if not isinstance(value, Typed):
        return value
    step = context.facts.steps.pop(at, None)
    if step is not None:
        return context.record(node, step.parts, step.result)
    return context.constant(node, context.facts.constants.pop(at), value)


def _constant_of_class(context: Context, node: n.Attribute, member: Member) -> Value:
    """Return a constant that stands in the body of a class."""
    return _live_attribute(context, node, Static(member.owner, context.span(node.value)))


def _of_constructed(context: Context, node: n.Attribute) -> Value | None:
    """Return what the class of the object has that a constructor makes; None for anything else."""
    is_own = isinstance(node.value, n.Name) and node.value.id == context.owner
    if context.constructs is None or not is_own:
        return None
    member = find_member(context.constructs, node.attr)
    if member is None or isinstance(member.value, property):
        return None
    static = wrapped_function(member.value, staticmethod)
    if static is not None:
        return Static(static, context.span(node))
    if isinstance(member.value, classmethod):
        return Static(getattr(context.constructs, node.attr), context.span(node))
    return None if callable(member.value) else _constant_of_class(context, node, member)


def _property(
    context: Context, node: n.Attribute, base: Typed, getter: FunctionType, owner: type
) -> Typed:
    """Check the reading of a property: a call of its getter."""
    context.depend("function", f"{getter.__module__}.{getter.__qualname__}", getter)
    context.signature(getter, owner)
    invoke = context.call(node, getter, [operand(node.value, base)])
    return context.record(node, [node.value], invoke)


def _narrowed_field(
    context: Context, node: n.Attribute, field: Computation, type_: Type
) -> Computation:
    """Return a field that was tested as what it was then known to be."""
    value = Convert(field, type_)
    if not isinstance(field.type, OptionalType | UnionType) or type_ in (field.type, NONE):
        return value
    # Long loops let other threads of Python run, which may write to it all the same.
    if isinstance(field.type, OptionalType):
        fits, what = context.apply(node, data.HAS_VALUE, field), "None"
    else:
        fits, what = context.apply(node, unions.HOLDS, field, type=type_), "another type"
    message = f"the field {node.attr!r} was set to {what} by another thread"
    return Check(fits, "TypeError", message, value, type_)


def field_path(env: Environment, node: n.Expression) -> str | None:
    """Return `name.field.field` where `node` is that, of a variable that has a value."""
    match node:
        case n.Name(id=name):
            return name if isinstance(env.get(name), Typed) else None
        case n.Attribute(value=base, attr=attr):
            path = field_path(env, base)
            return path and f"{path}.{attr}"
        case _:
            return None


def field_type(context: Context, node: n.Attribute, declared: CheckedClass) -> Type:
    """Return the type of a field.  Raises TypeCheckError."""
    type_ = declared.fields.get(node.attr)
    if type_ is not None:
        return type_
    if node.attr in declared.names:
        raise TypeCheckError(untyped_field(declared.name, node.attr, context.span(node)))
    member = find_member(declared.live, node.attr)
    if member is not None and isinstance(member.value, property):
        context.fail(
            "class-field",
            f"{node.attr!r} of class {declared.name} is a property, which is only read",
            node,
            instead="a method that takes the value, or a field",
        )
    if member is not None:
        context.fail(
            "class-field",
            f"{node.attr!r} belongs to the class {declared.name}, and is no field of its objects",
            node,
            why=f"its fields are {', '.join(declared.names) or 'none'}",
            instead=f"{declared.name}.{node.attr}, or assign it in __init__",
        )
    close = close_name(node.attr, declared.names)
    context.fail(
        "class-field",
        f"class {declared.name} has no field {node.attr!r}",
        node,
        why=f"its fields are {', '.join(declared.names) or 'none'}",
        instead=f"did you mean {close!r}?"
        if close
        else "annotate it in the class body and assign it in __init__",
    )
