"""Tests of the class of an object: `isinstance(x, Circle)`, `type(x) is Circle`, and class names.

They look at the class that an object carries, and tell which type a variable has on either side.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from scriptc.check import dispatch, member_choices
from scriptc.check.bindings import Known, Static, Typed, merge_types
from scriptc.check.checked import Computation, Convert, Literal, Select
from scriptc.check.context import Context, operand
from scriptc.check.generics import origin_of
from scriptc.check.members import class_type, has_base, is_class
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import classes, data, elementwise, exceptions
from scriptc_runtime.record import record
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    BYTES,
    COMPLEX,
    EXCEPTION,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    DictType,
    DType,
    ListType,
    OptionalType,
    SetType,
    TupleType,
    Type,
)
from scriptc_runtime.unions import members_of


@record(eq=False)
class ClassTest:
    """A test of the class of an object: what it looks at, and the types on either side."""

    place: n.Expression
    value: Typed
    when_true: Type | None
    when_false: Type | None


def object_type(type_: Type) -> ClassType | None:
    """Return the type of the object that a value is, unless it is None; None for other values."""
    held = type_.item if isinstance(type_, OptionalType) else type_
    return held if isinstance(held, ClassType) else None


def is_instance(context: Context, node: n.Call, value: Typed, tested: Sequence[type]) -> Typed:
    """Check `isinstance(x, ...)` of an object, or of an object or None."""
    place = node.args[0]
    found = object_type(value.type)
    assert found is not None
    possible = context.possible_classes(node, found.name)
    names = [live.__name__ for live in possible if _inherits(live, tested)]
    result = _is_one_of(context, node, operand(place, value), found, names, len(possible))
    typed = context.record(node, [place], result)
    if isinstance(result, Literal):
        return Typed(BOOL, context.span(node), known=Known(result.value))
    return typed


def _is_one_of(
    context: Context,
    at: n.Node,
    whole: Computation,
    type_: ClassType,
    names: Sequence[str],
    count: int,
) -> Computation:
    """Return whether the class of an object, which may be one of `count`, is one of `names`."""
    result: Computation = Literal(bool(names), BOOL)
    if isinstance(whole.type, OptionalType):
        present = context.apply(at, data.HAS_VALUE, whole)
        if not names or len(names) == count:
            return present if names else result
        inner = context.apply(at, classes.IS_INSTANCE, Convert(whole, type_), classes=tuple(names))
        return Select(present, inner, Literal(False, BOOL), BOOL)
    if names and len(names) < count:
        return context.apply(at, classes.IS_INSTANCE, whole, classes=tuple(names))
    return result


def _inherits(live: type, tested: Sequence[type]) -> bool:
    return any(
        issubclass(live, cls) or has_base(live, cls) or is_class(live, cls) for cls in tested
    )


def are_instances(context: Context, at: n.Node, type_: ClassType, tested: Sequence[type]) -> bool:
    """Return whether the objects of a type are instances; refuse what is so of some alone."""
    possible = context.possible_classes(at, type_.name)
    found = [_inherits(live, tested) for live in possible]
    if any(found) and not all(found):
        context.fail(
            "argument",
            f"some objects of {type_.name} are of this class, and it is one member of a union",
            at,
            instead=f"a variable of the type {type_.name} alone, which is tested",
        )
    return all(found)


def tested_types(context: Context, node: n.Expression) -> ClassTest | None:
    """Return what `isinstance(x, Circle)` tells of an object; None for other tests."""
    match node:
        case n.Call(
            func=n.Name(id="isinstance" | "isinstance@match"), args=(place, _), keywords=()
        ):
            # It was checked.
            tested = _named(context, node.args[1])
        case _:
            return None
    value = context.typed(place)
    found = object_type(value.type)
    if found is None:
        return None
    possible = context.possible_classes(node, found.name)
    yes = [live for live in possible if _inherits(live, tested)]
    return _sides(place, value, possible, yes)


def _sides(
    place: n.Expression, value: Typed, possible: Sequence[type], yes: Sequence[type]
) -> ClassTest:
    rest = [live for live in possible if live not in yes]
    whole = object_type(value.type)
    otherwise = None if isinstance(value.type, OptionalType) else _common(rest, whole)
    return ClassTest(place, value, _common(yes, whole), otherwise)


def _common(lives: Sequence[type], whole: ClassType | None) -> Type | None:
    """Return the type of an object of one of several classes, all of which `whole` has."""
    found: Type | None = None
    for live in lives:
        if found is not None and found == whole:
            break  # no other one makes it more general
        own = class_type(live)
        found = own if found is None else merge_types(found, own)
    return found


def _named(context: Context, node: n.Expression) -> list[type]:
    """Return the classes that stand in a test."""
    match node:
        case n.Tuple(elts=elts):
            return [live for elt in elts for live in _named(context, elt)]
        case n.BinOp(op="|", left=left, right=right):
            return [*_named(context, left), *_named(context, right)]
        case _:
            found = context.expression(node)
            live = found.value if isinstance(found, Static) else None
            return [live] if isinstance(live, type) else []


# ---------------------------------------------------------------------------------- type(x) is C


def object_of_type(node: n.Expression) -> n.Expression | None:
    """Return x of `type(x)` or `x.__class__`; None for anything else."""
    match node:
        case n.Call(func=n.Name(id="type"), args=(place,), keywords=()):
            return place
        case n.Attribute(value=place, attr="__class__"):
            return place
        case _:
            return None


def is_made(context: Context, place: n.Expression | None) -> bool:
    """Whether an expression is the object that a constructor makes, of which the class is known."""
    is_object = isinstance(place, n.Name) and place.id == context.owner
    return is_object and context.constructs is not None


def is_about_types(context: Context, node: n.Compare) -> bool:
    """Whether a comparison is `type(x) is C` or its like, of objects and other plain values."""
    found = [object_of_type(side) for side in (node.left, node.comparators[0])]
    places = [place for place in found if place is not None]
    if len(node.ops) > 1 or not places:
        return False
    types = [context.typed(place).type for place in places if not is_made(context, place)]
    return all(isinstance(type_, ClassType) or type_ in _CLASSES for type_ in types)


def check_types(context: Context, node: n.Compare) -> tuple[Computation, ClassTest | None]:
    """Check `type(x) is C`, `type(x) == type(y)` and the like."""
    sides = (node.left, node.comparators[0])
    places = [object_of_type(side) for side in sides]
    if node.ops[0] not in ("is", "is not", "==", "!="):
        context.fail("operator", "classes have no order", node, instead="compare with `is`")
    test: ClassTest | None = None
    parts: list[n.Expression] = []
    if places[0] is not None and places[1] is not None:
        parts = [places[0], places[1]]
        result = _same_class(context, node, *parts)
    else:
        place, other = (places[0], sides[1]) if places[0] is not None else (places[1], sides[0])
        assert place is not None
        parts = [place]
        result, test = _is_exactly(context, node, place, other)
    if node.ops[0] in ("is not", "!="):
        result = _negated(context, node, result)
        if test is not None:
            test = ClassTest(test.place, test.value, test.when_false, test.when_true)
    context.record(node, [part for part in parts if not is_made(context, part)], result)
    return result, test


def _negated(context: Context, node: n.Node, value: Computation) -> Computation:
    if isinstance(value, Literal):
        return Literal(not value.value, BOOL)
    return context.apply(node, elementwise.NOT, value)


def _is_exactly(
    context: Context, node: n.Compare, place: n.Expression, other: n.Expression
) -> tuple[Computation, ClassTest | None]:
    (live,) = _named(context, other) or (None,)
    if live is None:
        context.fail("not-a-value", "a type is compared with what is no class", other)
    live = origin_of(live)
    if is_made(context, place) and context.constructs:
        return Literal(is_class(context.constructs, live), BOOL), None
    value = context.typed(place)
    found = object_type(value.type)
    if found is None:
        return Literal(_python_class(context, place, value) is live, BOOL), None
    possible = context.possible_classes(node, found.name)
    names = [cls.__name__ for cls in possible if is_class(cls, live)]
    whole = operand(place, value)
    result = _is_one_of(context, node, whole, found, names, len(possible))
    return result, _sides(place, value, possible, [cls for cls in possible if is_class(cls, live)])


def _same_class(
    context: Context, node: n.Compare, one: n.Expression, two: n.Expression
) -> Computation:
    first, second = context.typed(one), context.typed(two)
    types = object_type(first.type), object_type(second.type)
    if types[0] is None or types[1] is None:
        left, right = (_python_class(context, p, v) for p, v in ((one, first), (two, second)))
        return Literal(left is right, BOOL)
    sides = (operand(one, first), operand(two, second))
    lives = [context.possible_classes(node, t.name) for t in types if t is not None]
    result: Computation = Literal(False, BOOL)
    # Of a generic class there may be several, which are one to Python.
    origins = [dict.fromkeys(map(origin_of, found)) for found in lives]
    for origin in (origin for origin in origins[0] if origin in origins[1]):
        tests = [
            _is_one_of(context, node, side, type_, _made_of(origin, possible), len(possible))
            for side, type_, possible in zip(sides, types, lives, strict=True)
            if type_ is not None
        ]
        result = Select(tests[0], Select(tests[1], Literal(True, BOOL), result, BOOL), result, BOOL)
    return result


def _made_of(origin: type, possible: Sequence[type]) -> list[str]:
    return [live.__name__ for live in possible if origin_of(live) is origin]


def _python_class(context: Context, place: n.Expression, value: Typed) -> type:
    """Return the class of what is no object of the user's."""
    found = _CLASSES.get(value.type)
    if found is None:
        context.fail(
            "not-a-value",
            f"the class of {value.type} is not known in scripts",
            place,
            instead="isinstance(x, ...)",
        )
    return found


_CLASSES: Mapping[Type, type] = {
    BOOL: bool,
    INT: int,
    BIGINT: int,
    FLOAT: float,
    COMPLEX: complex,
    STR: str,
    BYTES: bytes,
    NONE: type(None),
    **{dtype: dtype.numpy.type for dtype in DType},
}


_PLAIN = n.Name | n.Attribute | n.Constant  # which does nothing where it is not evaluated


def class_of_value(context: Context, node: n.Call) -> Static | None:
    """Return what `type(x)` is of a variable whose type tells the class; None of others."""
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], _PLAIN):
        return None
    value = context.expression(node.args[0])
    if not isinstance(value, Typed):
        return None
    live = class_of_type(value.type)
    if isinstance(value.type, ClassType):
        possible = context.possible_classes(node, value.type.name)
        live = possible[0] if len(possible) == 1 else None
    return None if live is None else Static(live, context.span(node))


def _class_of_items(type_: Type) -> type | None:
    match type_:
        case ListType(frozen=frozen):
            return tuple if frozen else list
        case SetType(frozen=frozen):
            return frozenset if frozen else set
        case DictType(kind="dict"):
            return dict
        case TupleType():
            return tuple
        case _:
            return None


def class_name(context: Context, node: n.Attribute) -> Typed | None:
    """Check `type(x).__name__` and `x.__class__.__name__`; None for anything else."""
    if node.attr not in ("__name__", "__qualname__"):
        return None
    place = object_of_type(node.value)
    if place is None:
        return None
    if is_made(context, place) and (live := context.constructs):
        name = str(getattr(origin_of(live), node.attr))
        return context.constant(node, Literal(name, STR), Typed(STR, context.span(node)))
    value = context.typed(place)
    members = members_of(value.type)
    if not all(isinstance(m, ClassType) or class_of_type(m) or m is EXCEPTION for m in members):
        return None
    if members == (EXCEPTION,):
        return None  # of which `type` gives the class
    whole = operand(place, value)
    name = partial(_name_of, context, node)
    found = member_choices.by_member(context, node, whole, name) if members[1:] else name(whole)
    return None if found is None else context.record(node, [place], found)


def _name_of(context: Context, node: n.Attribute, owner: Computation) -> Computation:
    """Return the name of the class of a value whose type tells it, or of an object."""
    if owner.type is EXCEPTION:
        found = context.apply(node, exceptions.ABOUT_EXCEPTION, owner, kind="class")
        return context.apply(node, exceptions.EXCEPTION_TEXT, found, kind="name")
    if not isinstance(owner.type, ClassType):
        return Literal(getattr(class_of_type(owner.type), node.attr), STR)
    cases = dispatch.cases(context, node, owner, lambda live: live)
    lives = (origin_of(case.live) for case in cases)
    names: list[Computation] = [Literal(getattr(live, node.attr), STR) for live in lives]
    return dispatch.chosen(context, node, owner, cases, names, node.attr)


def class_of_type(type_: Type) -> type | None:
    """Return the class of values of a type that are no objects of the user's; None for others."""
    return _CLASSES.get(type_) or _class_of_items(type_)
