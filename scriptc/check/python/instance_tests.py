"""`isinstance(x, T)`: of most values known when it is compiled, of others told by the tag."""

import random
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import cast

import numpy as np

from scriptc.check import class_tests, own_classes, records
from scriptc.check.bindings import Known, Static, Typed
from scriptc.check.checked import Literal
from scriptc.check.constants import is_classes
from scriptc.check.context import Context, operand
from scriptc.check.members import has_base
from scriptc.check.named_types import is_records
from scriptc.check.outside import depend_on
from scriptc.check.python.exception_values import check_exception_test
from scriptc.check.scopes import look_up
from scriptc.syntax import nodes as n
from scriptc.values.global_variables import assigned_globals
from scriptc_runtime.array_classes import is_plain_array
from scriptc_runtime.collection_classes import CLASSES
from scriptc_runtime.ops import (
    unions,
)
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    BYTES,
    COMPLEX,
    EXCEPTION,
    FLOAT,
    GENERATOR,
    INT,
    NONE,
    RANDOM_SOURCES,
    STR,
    ClassType,
    DequeType,
    DictType,
    DType,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.unions import members_of, union_of


def check_isinstance(context: Context, node: n.Call) -> Typed:
    """Check `isinstance(x, T)`, which is known once the types are."""
    if len(node.args) != 2 or node.keywords:
        context.fail(
            "call-arity",
            "isinstance() takes two arguments",
            node,
            instead="isinstance(x, float), or several: isinstance(x, (int, float))",
        )
    first, second = node.args
    if class_tests.is_made(context, first) and (live := context.constructs):
        known = any(has_base(live, cls) for cls in classes_named_by(context, second))
        result = Typed(BOOL, context.span(node), known=Known(known))
        return context.constant(node, Literal(known, BOOL), result)
    meant = own_classes.test_of_class(context, node)
    if meant is not None:
        return context.typed(meant)
    value = context.typed(first)
    classes = classes_named_by(context, second)
    if EXCEPTION in members_of(value.type) and not isinstance(value.type, UnionType):
        return check_exception_test(context, node, value, classes)
    if class_tests.object_type(value.type) is not None:
        return class_tests.is_instance(context, node, value, classes)
    if isinstance(value.type, OptionalType | UnionType):
        return _of_members(context, node, value, classes)
    known = _matches(context, node, value.type, classes)
    if isinstance(value.type, TensorType) and not known:
        _refuse_subclasses(context, second, classes)
    result = Typed(BOOL, context.span(node), known=Known(known))
    context.record(node, [first], Literal(known, BOOL))
    return result


def _of_members(context: Context, node: n.Call, value: Typed, classes: Sequence[type]) -> Typed:
    """Return whether a union is of one of the members that are instances of some classes."""
    first, second = node.args
    every = members_of(value.type)
    found = tuple(member for member in every if _matches(context, node, member, classes))
    for member in every:
        if isinstance(member, TensorType) and member not in found:
            _refuse_subclasses(context, second, classes)
    context.facts.instances.pop(node, None)
    if len(found) in (0, len(every)):
        known = bool(found)
        context.record(node, [first], Literal(known, BOOL))
        return Typed(BOOL, context.span(node), known=Known(known))
    context.facts.instances[node] = found
    type_ = union_of(found)
    assert type_ is not None
    whole = operand(first, value)
    return context.record(node, [first], context.apply(node, unions.HOLDS, whole, type=type_))


def classes_named_by(context: Context, node: n.Expression) -> list[type]:
    """Return the classes that are named by one, by a tuple of them, or by `A | B`."""
    match node:
        case n.Tuple(elts=elts):
            return [found for item in elts for found in classes_named_by(context, item)]
        case n.BinOp(op="|", left=left, right=right):
            return [*classes_named_by(context, left), *classes_named_by(context, right)]
        case n.Name() | n.Attribute() if (outside := _tuple_outside(context, node)) is not None:
            return outside
        case _:
            found = context.expression(node)
            live = found.value if isinstance(found, Static) else None
            if is_classes(live):
                return list(live)
            if not isinstance(live, type):
                context.fail("argument", "isinstance() takes classes", node)
            return [live]


def _tuple_outside(context: Context, node: n.Name | n.Attribute) -> list[type] | None:
    """Return the classes in a tuple of the module, or of another one; None for anything else."""
    held: object = None
    if isinstance(node, n.Name):
        function, name = context.learned.foreign.get(node.id, (context.function, node.id))
        is_bound = node.id in context.locals or name in assigned_globals(function.__globals__)
        found = None if is_bound else look_up(function, name)
        held, named = found and found.value, found.name if found else ""
    else:
        owner = context.expression(node.value) if isinstance(node.value, n.Name) else None
        module = owner.value if isinstance(owner, Static) else None
        held = vars(module).get(node.attr) if isinstance(module, ModuleType) else None
        named = f"{getattr(module, '__name__', '')}.{node.attr}"
    if not isinstance(held, tuple):
        return None
    classes = _flat(cast("tuple[object, ...]", held))
    if not is_classes(classes):
        return None
    depend_on(context, named, classes)
    return list(classes)


def _flat(items: tuple[object, ...]) -> tuple[object, ...]:
    """Return what is in a tuple, and in the tuples in it."""
    parts = (_flat(cast("tuple[object, ...]", i)) if isinstance(i, tuple) else (i,) for i in items)
    return tuple(part for inner in parts for part in inner)


def _matches(context: Context, at: n.Node, type_: Type, classes: Sequence[type]) -> bool:
    """Return whether values of `type_` are instances of one of `classes`."""
    if isinstance(type_, ClassType):
        return class_tests.are_instances(context, at, type_, classes)
    if is_records(type_):
        live = np.ndarray if records.rank_of(type_) else np.void
    else:
        named = isinstance(type_, NamedType)
        live = context.named_class(type_) if named else live_class(type_)
    return live is not None and any(issubclass(live, c) for c in classes)


def live_class(type_: Type) -> type | None:
    """Return the class of values of `type_`; None where they are of several, or not told."""
    match type_:
        case DType():
            return type_.numpy.type
        case PyType.PYTHON_RANDOM:
            return random.Random
        case PyType() if type_ in RANDOM_SOURCES:
            return np.random.Generator if type_ is GENERATOR else np.random.RandomState
        case SetType():
            return frozenset if type_.frozen else set
        case ListType(frozen=True):
            return tuple
        case DictType(kind=kind) if kind != "dict":
            return CLASSES[kind]
        case DequeType():
            return CLASSES["deque"]
        case _:
            return _LIVE.get(type_) or _LIVE.get(type(type_))


def _refuse_subclasses(context: Context, node: n.Expression, classes: Sequence[type]) -> None:
    """Refuse to tell an array from one of a subclass that scripts take for it."""
    for cls in classes:
        if cls is not np.ndarray and is_plain_array(cls):
            context.fail(
                "argument",
                f"whether an array is of class {cls.__name__} is not known in scripts",
                node,
                why="they take such an array for a plain one, and compile the same code for both",
                instead="np.ndarray, or ask outside and pass the answer in",
            )


# By types, and by their classes.
_LIVE: Mapping[object, type] = {
    ListType: list,
    TupleType: tuple,
    DictType: dict,
    TensorType: np.ndarray,
    BOOL: bool,
    INT: int,
    BIGINT: int,
    FLOAT: float,
    COMPLEX: complex,
    STR: str,
    BYTES: bytes,
    NONE: type(None),
}
