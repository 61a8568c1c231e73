"""`type(x)` and `x.__class__` that are called, or whose attributes are read.

If an object may be of several classes, what stands in its class is read as the object would do it.
"""

from typing import NewType

from scriptc.check import class_tests
from scriptc.check.bindings import Fixed, Static, Typed
from scriptc.check.context import Context, Value, operand
from scriptc.check.members import PROPERTIES, find_member, is_users
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.record import replace
from scriptc_runtime.types import BOOL, ClassType


def own_class(context: Context, node: n.Expression) -> Static | None:
    """Return the class that `type(x)` or `x.__class__` stands for; None where it may be several."""
    place = class_tests.object_of_type(node)
    if place is None:
        return None
    if made := class_of_made(context, node):
        return made
    value = context.typed(place)
    if not isinstance(value.type, ClassType) or not is_users(
        context.class_named(value.type.name).live
    ):
        return None
    possible = context.possible_classes(node, value.type.name)
    return Static(possible[0], context.span(node)) if len(possible) == 1 else None


def class_of_made(context: Context, node: n.Expression) -> Static | None:
    """Return the class of the object that a constructor makes; None for any other."""
    place = class_tests.object_of_type(node)
    return (
        Static(context.constructs, context.span(node))
        if class_tests.is_made(context, place)
        else None
    )


def check_made(context: Context, node: n.Call) -> Value | None:
    """Check `type(x)(...)` of an object that may be of several classes; None for anything else.

    Short for `A(...) if type(x) is A else B(...)`.
    """
    place = class_tests.object_of_type(node.func)
    if not isinstance(place, n.Name) or own_class(context, node.func) is not None:
        return None
    value = context.typed(place)
    if not isinstance(value.type, ClassType):
        return None
    possible = context.possible_classes(node, value.type.name)
    names = {f"@class {live.__name__}": live for live in possible}
    if not all(map(is_users, possible)):
        return None
    key = node, tuple(names)
    choice = context.learned.spreads.get(key)
    if choice is None:
        choice = context.learned.spreads[key] = _choice(node, list(names))
    assert context.env is not None
    context.locals |= names.keys()
    context.env |= {n: Fixed(Static(live, context.span(node))) for n, live in names.items()}
    made = context.typed(choice)
    for name in names:
        (context.reached() or {}).pop(name, None)
    return context.record(node, [choice], operand(choice, made))


def _choice(node: n.Call, names: list[str]) -> n.Expression:
    lo, hi = node.lo, node.hi
    found: n.Expression | None = None
    for name in reversed(names):
        arguments = tuple(copied(argument, {}, 0) for argument in node.args)
        keywords = tuple(
            n.keyword(k.lo, k.hi, k.arg, copied(k.value, {}, 0)) for k in node.keywords
        )
        made = n.Call(lo, hi, n.Name(lo, hi, name), arguments, keywords)
        test = n.Compare(lo, hi, copied(node.func, {}, 0), ("is",), (n.Name(lo, hi, name),))
        found = made if found is None else n.IfExp(lo, hi, test, made, found)
    assert found is not None
    return found


def test_of_class(context: Context, node: n.Call) -> n.Expression | None:
    """Return what `isinstance(x, type(y))` stands for, where y may be of several classes.

    That is `type(y) is A and isinstance(x, A) or type(y) is B and isinstance(x, B)`.
    """
    place = class_tests.object_of_type(node.args[1]) if len(node.args) == 2 else None
    if not isinstance(place, n.Name) or own_class(context, node.args[1]) is not None:
        return None
    value = context.typed(place)
    if not isinstance(value.type, ClassType):
        return None
    possible = context.possible_classes(node, value.type.name)
    names = {f"@class {live.__name__}": live for live in possible}
    key = node, tuple(names)
    test = context.learned.spreads.get(key)
    if test is None:
        tests = tuple(_both(node, name) for name in names)
        test = context.learned.spreads[key] = n.BoolOp(node.lo, node.hi, "or", tests)
    assert context.env is not None
    context.locals |= names.keys()
    context.env |= {n: Fixed(Static(live, context.span(node))) for n, live in names.items()}
    context.facts.expanded[node] = Expansion((), test, frozenset())
    context.facts.types[node] = BOOL
    return test


def _both(node: n.Call, name: str) -> n.Expression:
    lo, hi = node.lo, node.hi
    own = n.Compare(lo, hi, copied(node.args[1], {}, 0), ("is",), (n.Name(lo, hi, name),))
    other = n.Call(lo, hi, node.func, (copied(node.args[0], {}, 0), n.Name(lo, hi, name)), ())
    return n.BoolOp(lo, hi, "and", (own, other))


def attribute_of_class(context: Context, node: n.Attribute) -> Value | None:
    """Check `type(x).name` of an object that may be of several classes; None for anything else."""
    place = class_tests.object_of_type(node.value)
    if place is None or own_class(context, node.value) is not None:
        return None
    value = context.typed(place)
    if not isinstance(value.type, ClassType):
        return None
    known = context.class_named(value.type.name)
    member = find_member(known.live, node.attr)
    if member is None or callable(member.value) or node.attr in known.names:
        return None
    if isinstance(member.value, (*PROPERTIES, staticmethod, classmethod)):
        return None
    part = context.learned.spreads.setdefault(
        (node, ("class",)), n.Attribute(node.lo, node.hi, place, node.attr)
    )
    found = context.expression(part)
    if not isinstance(found, Typed):
        return found
    return context.record(node, [part], operand(part, found))


def check_new_type(context: Context, node: n.Call, value: object) -> Typed | None:
    """Check `UserId(3)` of a NewType, which gives what it is given; None for any other call."""
    if not isinstance(value, NewType) or len(node.args) != 1 or node.keywords:
        return None
    given = context.typed(node.args[0])
    result = context.record(node, [node.args[0]], operand(node.args[0], given))
    return replace(given, type=result.type)
