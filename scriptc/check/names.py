"""Names and attributes: variables, captured values, fields, and what live objects mean."""

import builtins
import functools
from collections import deque
from collections.abc import Mapping, Sequence
from types import MethodType
from typing import cast

from scriptc.check import (
    abstract_bases,
    class_tests,
    dispatch,
    function_attributes,
    inheritance,
    late_fields,
    open_parameters,
    outside,
    outside_objects,
    own_classes,
    records,
    unbound_names,
)
from scriptc.check.array_attributes import array_attribute
from scriptc.check.bindings import (
    CAPTURED,
    OUTSIDE_OBJECTS,
    Conflict,
    Environment,
    Fixed,
    KeptKeywords,
    Maybe,
    OfRound,
    Poisoned,
    Static,
    Typed,
)
from scriptc.check.checked import (
    Check,
    CheckedClass,
    Computation,
    Convert,
    Literal,
    Scalar,
)
from scriptc.check.close_names import close_name
from scriptc.check.closures import hold_as_value
from scriptc.check.constants import is_classes, is_scalar
from scriptc.check.context import Context, UnknownTypeError, Value, operand
from scriptc.check.desugar import bound_methods, exception_attributes, fixed_lists, stop_values
from scriptc.check.desugar.generator_stops import STOPPED
from scriptc.check.early_calls import is_super
from scriptc.check.generics import view_name
from scriptc.check.global_places import place_named, read_global
from scriptc.check.kept_results import function_called
from scriptc.check.library import caches
from scriptc.check.library.standard import is_standard, standard_function
from scriptc.check.live_values import type_of
from scriptc.check.members import (
    PROPERTIES,
    Member,
    find_member,
    is_of_exception,
    member_function,
    untyped_field,
    wrapped_function,
)
from scriptc.check.named import enumerations, tuples
from scriptc.check.named_types import is_member, is_records
from scriptc.check.numpy import dtype_objects
from scriptc.check.open_types import is_open
from scriptc.check.python import complex_numbers, exception_values
from scriptc.check.python import enumerations as python_enumerations
from scriptc.check.scopes import look_up
from scriptc.check.told_items import of_field
from scriptc.syntax import nodes as n
from scriptc.values.outside_places import is_outside
from scriptc_runtime.errors import Diagnostic, NameLookupError, TypeCheckError
from scriptc_runtime.ops import data, unions
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    NONE,
    OF_EXCEPTIONS,
    ClassType,
    Container,
    DequeType,
    DType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    TensorType,
    Type,
    UnionType,
    element_of,
)

# Constants of classes that hold others.
_KEPT = (tuple, list, dict, set, frozenset, deque)


def check_name(context: Context, node: n.Name) -> Value:
    """Check a name that is read."""
    if node.id in context.locals:
        binding = (context.env or {}).get(node.id)
        if isinstance(binding, Fixed):
            return _live(context, node, binding, node.id)
        return read_variable(context, node, node.id)
    if (place := place_named(context, node)) is not None:
        return outside.captured_place(context, node, *place)
    if node.id in context.learned.outside:
        return outside.live_value(context, node, context.learned.outside[node.id], node.id, node.id)
    function, name = context.learned.foreign.get(node.id, (context.function, node.id))
    if name == STOPPED:
        return Static(standard_function("iterators", "stopped"), context.span(node))
    found = look_up(function, name)
    if found is None:
        if function_called(function) is not None:
            return caches.check_made_name(context, node, name)
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
    is_global = name not in function.__code__.co_freevars
    assigned = read_global(context, node, function.__globals__, name) if is_global else None
    return assigned or outside.live_value(context, node, found.value, found.name, name)


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
            return (
                binding if binding.length is None else fixed_lists.if_steady(context, name, binding)
            )
        case Maybe():
            # From the next pass on it lives in a cell, which knows whether it is set.
            context.learned.cells[name] = None
            raise context.not_known_yet(node)
        case Conflict(first, second):
            if context.learn_items(first, second) or unites(context, name, first, second):
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
            unbound_names.refuse_unbound(context, node, name)


def _held(context: Context, node: n.Expression, name: str) -> Typed:
    """Return what a cell holds."""
    known = context.learned.cells[name]
    if known is None:
        raise context.not_known_yet(node)
    if name in context.shared and context.env is not None:
        context.env[name] = known  # a test may narrow it
    return known


def unites(context: Context, name: str, first: Typed, second: Typed) -> bool:
    """Let a variable hold values of both types: in the next pass, a union where paths meet."""
    if name in context.learned.unions or context.unite(first, second) is None:
        return False
    context.learned.unions.add(name)
    return True


def check_attribute(context: Context, node: n.Attribute) -> Value:
    """Check `value.attr` where it is read."""
    found = _known_by_text(context, node)
    if found is not None:
        return found
    calling = context.calling  # there may be calls in what it is read from
    base = context.expression(node.value)
    context.calling = calling
    if isinstance(base, Static) and isinstance(base.value, KeptKeywords):
        base = context.as_typed(node.value, base)
    if isinstance(base, Static):
        return _of_live(context, node, base)
    match base.type:
        case TensorType(dtype) | (DType() as dtype) if node.attr == "dtype":
            return dtype_objects.dtype_of(context, node, dtype)
        case type_ if node.attr in ("real", "imag") and element_of(type_) is not None:
            return complex_numbers.check_part(context, node, base)
        case TensorType() | DType():
            return array_attribute(context, node, base, base.type)
        case ClassType(name) if is_of_exception(context.class_named(name).live, node.attr):
            return exception_values.check_attribute(context, node, base)
        case ClassType(name):
            return _of_function(context, node, base, name) or _field(context, node, base, name)
        case PyType() as type_ if type_ in OF_EXCEPTIONS:
            found = stop_values.check_stop_value(
                context, node
            ) or exception_attributes.check_attribute_of_any(context, node, base)
            return found or exception_values.check_attribute(context, node, base)
        case _:
            return _member(context, node, base)


def _known_by_text(context: Context, node: n.Attribute) -> Value | None:
    """Return what an attribute of the object that a constructor makes, or of a member, is."""
    if (name := class_tests.class_name(context, node)) is not None:
        return name
    if field := constructed_field(context, node):
        return late_fields.set_by_now(context, node, field) or read_variable(context, node, field)
    if found := own_classes.own_class(context, node) or own_classes.attribute_of_class(
        context, node
    ):
        return found
    if node.attr in ("name", "value") and (
        owner := python_enumerations.class_of(context, node.value)
    ):
        member: object = getattr(owner, cast(n.Attribute, node.value).attr, None)
        if isinstance(member, owner):
            return outside.live_attribute(context, node, Static(member, context.span(node.value)))
    return _of_super(context, node) if is_super(node) else _of_constructed(context, node)


def _of_named(context: Context, node: n.Attribute, base: Typed) -> Value:
    if is_records(base.type) and (known := records.attribute(context, node, base)) is not None:
        return known
    found = enumerations if is_member(base.type) else tuples
    return found.attribute(context, node, base)


def _member(context: Context, node: n.Attribute, base: Typed) -> Value:
    """Return a method of a value, or a part of a container, of which only its own library knows."""
    if isinstance(base.type, NamedType):
        return _of_named(context, node, base)
    if isinstance(base.type, OptionalType) and context.calling is not node:
        context.fail(
            "optional",
            f"this may be None, which has no attribute {node.attr!r}",
            node.value,
            instead="test `is not None` first",
        )
    if isinstance(base.type, UnionType) and context.calling is not node:
        what = f"{base.type} has no attribute {node.attr!r}"
        context.fail("unknown-attribute", what, node, instead="test with isinstance first")
    if isinstance(base.type, DequeType) and node.attr == "maxlen":
        context.require_items(node, base)
        whole = operand(node.value, base)
        most = context.call(node, standard_function("deques", "most_items"), (whole,))
        return context.record(node, [node.value], most)
    is_field = isinstance(base.type, Container) and node.attr in base.type.fields
    if is_field and is_standard(context.function):
        assert isinstance(base.type, Container)
        whole, type_ = operand(node.value, base), base.type.fields[node.attr]
        field = context.apply(node, data.FIELD, whole, name=node.attr, type=type_)
        return context.record(node, [node.value], field)
    if context.calling is not node and not is_standard(context.function):
        found = bound_methods.bound_method(context, node, base)
        if found is not None:
            return found
    return Static(node.attr, context.span(node), (node.value, base))


def constructed_field(context: Context, node: n.Expression) -> str | None:
    """Return `self.field` where `node` is that in a constructor: it is a variable there."""
    if context.constructs is None or not isinstance(node, n.Attribute):
        return None
    if not isinstance(node.value, n.Name):
        return None
    name = f"{node.value.id}.{node.attr}"
    return name if node.value.id == context.owner and name in context.locals else None


def _of_live(context: Context, node: n.Attribute, base: Static) -> Value:
    if is_outside(base.value):
        whole = outside_objects.attribute_of(context, node, base)
        if whole is not None and isinstance(whole.type, ClassType):
            return _field(context, node, whole, whole.type.name)
        if (member := outside_objects.constant_of_class(base.value, node.attr)) is not None:
            return _constant_of_class(context, node, member)
    if node.attr not in ("__name__", "__qualname__"):
        return outside.live_attribute(context, node, base)
    return function_attributes.nested_name(context, node, base) or outside.live_attribute(
        context, node, base
    )


def _of_function(context: Context, node: n.Attribute, base: Typed, name: str) -> Value | None:
    """Return an attribute of a function that is an object; None for a field, or any other."""
    function = context.function_called(name)
    if function is None or node.attr in function.fields:
        return None
    return function_attributes.function_attribute(context, node, base, function)


def _field(context: Context, node: n.Attribute, base: Typed, name: str) -> Value:
    declared = context.class_named(name)
    whole = operand(node.value, base)
    if node.attr not in declared.names and find_member(declared.live, node.attr) is not None:
        found = dispatch.cases(context, node, whole, dispatch.member_key(node.attr))
        member = find_member(found[0].live, node.attr)
        if member is not None and len(found) == 1:
            return _class_member(context, node, base, member, found[0])
        return _member_of_cases(context, node, base, found)
    is_missing = node.attr not in declared.names
    if is_missing and (left := abstract_bases.cases_left(context, node, base)) is not None:
        return _member_of_cases(context, node, base, left)
    type_ = _current_type(context, node, declared)
    field: Computation = context.apply(node, data.FIELD, whole, name=node.attr, type=type_)
    found = _field_of_type(context, node, declared, field, type_)
    if context.rounds.makers.holds_list(name, node.attr):
        return replace(found, borrowed=f"{OUTSIDE_OBJECTS}{node.attr}")
    return found


def _field_of_type(
    context: Context, node: n.Attribute, declared: CheckedClass, field: Computation, type_: Type
) -> Typed:
    """Return what a field holds, with what is known of it."""
    if is_open(type_):
        if node.attr in declared.late:
            field = late_fields.late_field(context, node, declared, field)
        return open_parameters.open_field(
            context, node, declared, context.record(node, [node.value], field)
        )
    env = context.env or {}
    path = field_path(env, node)
    narrowed = env.get(path) if path else None
    if isinstance(narrowed, Typed) and is_open(narrowed.type):
        context.facts.types[node] = narrowed.type
        return narrowed
    if isinstance(narrowed, Typed):
        field = _narrowed_field(context, node, field, narrowed.type)
    elif node.attr in declared.late:
        field = late_fields.late_field(context, node, declared, field)
    return of_field(context.record(node, [node.value], field), declared, node.attr)


_MADE_METHODS: Mapping[type, str] = {
    functools.partialmethod: "a method that calls it: def on(self): return self.set(True)",
    functools.singledispatchmethod: "a method that tests isinstance, or a function behind "
    "functools.singledispatch",
}


def _class_member(
    context: Context, node: n.Attribute, base: Typed, member: Member, case: dispatch.Case
) -> Value:
    """Return what objects have from their class: a property, a method, or a constant."""
    value = member.value
    if isinstance(value, type) or is_classes(value, BaseException):  # in the body of the class
        return outside.live_value(context, node, value, f"{member.owner!r}.{node.attr}", node.attr)
    if callable(value) or isinstance(value, classmethod | staticmethod):
        return Static(node.attr, context.span(node), (node.value, base))
    if isinstance(value, PROPERTIES):
        return context.record(node, [node.value], _property(context, node, case))
    if (instead := _MADE_METHODS.get(type(value))) is not None:
        context.fail(
            "class-member",
            f"{node.attr!r} of class {case.live.__name__} is a {type(value).__name__}",
            node,
            why="of a class, scripts call methods that are written in it or in a base",
            instead=instead,
        )
    is_field = constructed_field(context, node.value) is not None
    if field_path(context.env or {}, node.value) is None and not is_field:
        context.fail(
            "class-field",
            f"{node.attr!r} of class {case.live.__name__} is read from what is no variable",
            node,
            instead=f"give the object a name first, or read {member.owner.__name__}.{node.attr}",
        )
    return _constant_of_class(context, node, member)


def _member_of_cases(
    context: Context, node: n.Attribute, base: Typed, found: Sequence[dispatch.Case]
) -> Value:
    """Return what objects of several classes have from them: what their own class has."""
    results: list[Computation] = []
    parts: list[n.Expression] = [node.value]
    for case in found:
        member = find_member(case.live, node.attr)
        value = member.value if member else None
        declared = context.class_named(case.live.__name__)
        if not abstract_bases.has(context, case.live, node.attr):
            results.append(abstract_bases.lacking(case.live, node.attr))
        elif node.attr in declared.names:
            attrs = {"name": node.attr, "type": _current_type(context, node, declared)}
            results.append(context.apply(node, data.FIELD, case.owner, **attrs))
        elif callable(value) or isinstance(value, classmethod | staticmethod):
            return Static(node.attr, context.span(node), (node.value, base))
        elif isinstance(value, PROPERTIES):
            results.append(_property(context, node, case))
        elif member is not None and is_scalar(value):
            outside.depend_on(context, f"{member.owner!r}.{node.attr}", value)
            results.append(Literal(cast(Scalar, value), type_of(value)))
        elif isinstance(value, _KEPT):
            assert member is not None
            results.append(_kept_constant(context, node, member, parts))
        else:
            context.fail(
                "class-field",
                f"class {case.live.__name__} has no constant {node.attr!r}, as others have that "
                "this may be",
                node,
                instead="give each of the classes one, or the base",
            )
    whole = operand(node.value, base)
    result = dispatch.chosen(context, node, whole, found, results, node.attr)
    typed = context.record(node, parts, result)
    is_lent = isinstance(typed.type, ListType | Container)
    return replace(typed, borrowed=f"{CAPTURED}{node.attr}") if is_lent else typed


def _kept_constant(
    context: Context, node: n.Attribute, member: Member, parts: list[n.Expression]
) -> Computation:
    """Return a list, dict or the like that one of several classes has."""
    key = node, (member.owner.__name__,)
    part = context.learned.spreads.get(key)
    if part is None:
        part = n.Attribute(node.lo, node.hi, node.value, node.attr)
        context.learned.spreads[key] = part
    assert isinstance(part, n.Attribute)
    value = context.as_typed(part, _constant_of_class(context, part, member))
    parts.append(part)
    return operand(part, value)


def _of_super(context: Context, node: n.Attribute) -> Value:
    """Return what `super().name` is where it is not called: a property, or a constant."""
    if of_class := inheritance.class_method_of_super(context, node):
        return Static(MethodType(*of_class), context.span(node))
    found = inheritance.find_super(context, node)
    if found.receiver is None:
        return read_variable(context, found.place, context.owner)  # which is no object yet
    member = find_member(found.live, node.attr, found.after)
    if member is None:
        inheritance.refuse_member_of_super(context, node, found)
    at = n.Attribute(node.lo, node.hi, found.place, node.attr)
    getter = wrapped_function(member.value, PROPERTIES)
    if getter is not None:
        context.depend("function", f"{getter.__module__}.{getter.__qualname__}", getter)
        context.signature(getter, found.live)
        result = context.call(node, getter, [operand(found.place, found.receiver)])
        return context.record(node, [found.place], result)
    case = dispatch.Case(found.live, operand(found.place, found.receiver), ())
    value = _class_member(context, at, found.receiver, member, case)
    if not isinstance(value, Typed):
        return value
    return context.constant(node, context.facts.constants.pop(at), value)


def _constant_of_class(context: Context, node: n.Attribute, member: Member) -> Value:
    """Return a constant that stands in the body of a class."""
    return outside.live_attribute(context, node, Static(member.owner, context.span(node.value)))


def _of_constructed(context: Context, node: n.Attribute) -> Value | None:
    """Return what the class of the object has that a constructor makes; None for anything else."""
    is_own = isinstance(node.value, n.Name) and node.value.id == context.owner
    if context.constructs is None or not is_own:
        return None
    member = find_member(context.constructs, node.attr)
    if member is None or isinstance(member.value, PROPERTIES):
        return None
    static = wrapped_function(member.value, staticmethod)
    if static is not None:
        return Static(static, context.span(node))
    if isinstance(member.value, classmethod):
        return Static(getattr(context.constructs, node.attr), context.span(node))
    if isinstance(member.value, type):
        return Static(member.value, context.span(node))
    return None if callable(member.value) else _constant_of_class(context, node, member)


def _property(context: Context, node: n.Attribute, case: dispatch.Case) -> Computation:
    """Return the reading of a property: a call of its getter."""
    getter = member_function(case.live, node.attr, PROPERTIES)
    if getter is None:
        context.fail("class-member", f"{node.attr!r} is no property that a class defines", node)
    context.depend("function", f"{getter.__module__}.{getter.__qualname__}", getter)
    context.signature(getter, case.live)
    return context.call(node, getter, [case.owner])


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


def _current_type(context: Context, node: n.Attribute, declared: CheckedClass) -> Type:
    """Return the type that a field is read as; give up where the next check knows another one."""
    if node.attr in declared.outdated:
        raise context.not_known_yet(node)
    return field_type(context, node, declared)


def field_type(context: Context, node: n.Attribute, declared: CheckedClass) -> Type:
    """Return the type of a field.  Raises TypeCheckError."""
    type_ = declared.fields.get(node.attr)
    if type_ is not None:
        return type_
    if node.attr in declared.names:
        if not context.is_settled():
            raise context.not_known_yet(node)  # what is waited for may make an object
        raise TypeCheckError(untyped_field(declared.name, node.attr, context.span(node)))
    member = find_member(declared.live, node.attr)
    if member is not None and isinstance(member.value, PROPERTIES):
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
    if shown := view_name(declared.live):
        context.fail(
            "class-field",
            f"{shown} has no attribute {node.attr!r} in scripts",
            node,
            instead="list(...) of the view, or the dict itself",
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
