"""Tests: whether they are constant, and what they tell about variables on either side."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from scriptc.check import class_tests, member_arms, own_classes, protocols
from scriptc.check.bindings import Environment, Poisoned, Static, Typed, join
from scriptc.check.checked import Computation, Invoke, Literal
from scriptc.check.context import (
    Condition,
    Context,
    HiddenResultError,
    UnknownTypeError,
    operand,
)
from scriptc.check.desugar.keywords import kept_in
from scriptc.check.members import is_class
from scriptc.check.named import operators as of_named
from scriptc.check.named_types import is_member
from scriptc.check.names import constructed_field, field_path
from scriptc.check.narrowed_items import narrow_item
from scriptc.check.operators import presence, truth_or_presence
from scriptc.check.python import exception_values, instance_tests
from scriptc.check.scopes import assigned_names
from scriptc.check.static_refusals import is_sentinel
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.ops import elementwise, unions
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BOOL,
    EXCEPTION,
    NONE,
    STR,
    ClassType,
    NamedType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.unions import members_of, union_of, without_none

_LENGTHS: Mapping[str, Callable[[int, int], bool]] = {
    **{"==": operator.eq, "!=": operator.ne, "<": operator.lt},
    **{"<=": operator.le, ">": operator.gt, ">=": operator.ge},
}
# What a test of the member of a union calls; its second argument names types.
MEMBER_TEST = "member@match"


def check_condition(context: Context, node: n.Expression) -> Condition:
    """Check a test and return what holds on either side of it."""
    match node:
        case n.BoolOp():
            condition = _bool_op(context, node)
        case n.UnaryOp(op="not", operand=inner):
            found = check_condition(context, inner)
            known = None if found.known is None else not found.known
            condition = Condition(known, found.when_false, found.when_true)
        case n.Name() if (kept := kept_in(context, node)) is not None:
            condition = _sides(context, bool(kept.held))
        case n.Compare() if class_tests.is_about_types(context, node):
            condition = _of_types(context, node)
        case n.Compare(left=n.Call(func=n.Name(id="type" | "len"), args=(_,), keywords=())) if (
            tested := _test_of_call(context, node)
        ) is not None:
            condition = tested
        case n.Compare(ops=("is",) | ("is not",)):
            condition = _identity(context, node)
        case n.Call(
            func=n.Name(id="isinstance" | "isinstance@match" | "isinstance@call"), args=(_, _)
        ):
            condition = _instance(context, node)
        case n.Call(func=n.Name(id=name), args=(subject, n.Constant(value=str(told)))) if (
            name == MEMBER_TEST
        ):
            condition = _member(context, node, subject, told.split("; "))
        case _:
            condition = _leaf(context, node)
    if condition.known is not None:
        context.facts.tests[node] = condition.known
    else:
        context.facts.tests.pop(node, None)
    return condition


def _sides(context: Context, known: bool | None) -> Condition:
    env = context.env
    assert env is not None
    # Copies: what holds before the test is gone back to where an operation on it is refused.
    return Condition(
        known,
        None if known is False else dict(env),
        None if known is True else dict(env),
    )


def _unknown_sides(context: Context, node: n.Expression) -> Condition:
    """Return the sides of a test that is not known yet, nor is what it gives names to."""
    if context.env is not None:
        context.env |= dict.fromkeys(assigned_names((node,)), Poisoned())
    return _sides(context, None)


def _bool_op(context: Context, node: n.BoolOp) -> Condition:
    is_and = node.op == "and"
    done: Environment | None = None
    alive: list[n.Expression] = []
    known: bool | None = is_and
    for value in node.values:
        condition = check_condition(context, value)
        stop, go_on = condition.when_false, condition.when_true
        if not is_and:
            stop, go_on = go_on, stop
        if condition.known is not is_and:
            alive.append(value)
        if condition.known is None:
            known = None
        done = join(done, stop)
        if go_on is None:
            if known is is_and:
                known = not is_and
            context.env = {}
            context.facts.operands[node] = tuple(alive)
            return _decided(known, done, None, is_and)
        context.env = go_on
    context.facts.operands[node] = tuple(alive)
    return _decided(known, done, context.env, is_and)


def _decided(
    known: bool | None, stopped: Environment | None, passed: Environment | None, is_and: bool
) -> Condition:
    if is_and:
        return Condition(known, passed, stopped)
    return Condition(known, stopped, passed)


def _is_simple(context: Context, node: n.Expression) -> bool:
    """Whether evaluating `node` can be left out: it only reads."""
    match node:
        case n.Constant() | n.Name():
            return True
        case n.Attribute(value=value):
            step = context.facts.steps.get(node)
            # A property is a call.
            return _is_simple(context, value) and not (step and isinstance(step.result, Invoke))
        case n.Compare(left=left, comparators=comparators):
            return all(_is_simple(context, side) for side in (left, *comparators))
        case n.Call() if node in context.facts.constants:
            return True
        case (
            n.Call(func=n.Name(id="isinstance" | "isinstance@match"), args=(first, _))
            | n.Call(func=n.Name(id="type"), args=(first,))
        ):
            return _is_simple(context, first)
        case _:
            return False


def _leaf(context: Context, node: n.Expression) -> Condition:
    """Check a test that is any expression; an Optional that is true is not None."""
    value = context.attempt(node)
    if value is None:
        return _unknown_sides(context, node)
    known = bool(value.known.value) if value.known and _is_simple(context, node) else None
    whole = operand(node, value)
    context.facts.truths[node] = truth_or_presence(context, node, whole)
    if known is None and _is_simple(context, node):
        known = _known_by_type(value.type)
    condition = _sides(context, known)
    _narrow_equal(context, node, condition)
    may_be_none = isinstance(value.type, OptionalType | UnionType)
    if may_be_none and condition.when_true is not None:
        narrow(context, condition.when_true, node, value, without_none(value.type))
    if known is None and (test := class_tests.tested_types(context, node)) is not None:
        _narrow_both(context, condition, test)
    return condition


def _narrow_equal(context: Context, node: n.Expression, condition: Condition) -> None:
    """Note that what equals a text is one: a union is of no other member then."""
    match node:
        case n.Compare(ops=("==" | "!=" as op,), left=left, comparators=(n.Constant(value=str()),)):
            env = condition.when_true if op == "==" else condition.when_false
        case _:
            return
    type_ = context.facts.types.get(left)
    if env is None or type_ is None or STR not in members_of(type_) or type_ is STR:
        return
    if not any(isinstance(member, ClassType) for member in members_of(type_)):
        narrow(context, env, left, context.typed(left), STR)


def _instance(context: Context, node: n.Call) -> Condition:
    """Check `isinstance(x, T)`, which tells the members of a union apart."""
    meant = own_classes.test_of_class(context, node)
    if meant is not None:
        return check_condition(context, meant)
    condition = _leaf(context, node)
    subject = node.args[0]
    members = context.facts.instances.get(node)
    if members is None:
        return condition
    _narrow_members(context, condition, subject, context.typed(subject), members)
    return condition


def _test_of_call(context: Context, node: n.Compare) -> Condition | None:
    match node.left:
        case n.Call(func=n.Name(id="type")):
            return _class_test(context, node)
        case _:
            return _length_test(context, node)


def _class_test(context: Context, node: n.Compare) -> Condition | None:
    """Check `type(x) is T`, or with `==`, `is not` or `!=`; None where it is no such test."""
    call, (op, *more) = cast(n.Call, node.left), node.ops
    callee = context.callee(call)
    if more or op not in ("is", "is not", "==", "!=") or not isinstance(callee, Static):
        return None
    cls = context.expression(node.comparators[0]) if callee.value is type else None
    if not (isinstance(cls, Static) and isinstance(cls.value, type)):
        return None
    (subject,) = call.args
    value = context.typed(subject)
    members = members_of(value.type)
    if EXCEPTION in members:
        return None  # whose class only the run knows
    found = [m for m in members if _is_exactly(context, node, m, cls.value)]
    if op in ("is", "=="):
        return _of_members(context, node, subject, value, found)
    return _of_members(context, node, subject, value, [m for m in members if m not in found])


def _length_test(context: Context, node: n.Compare) -> Condition | None:
    """Check `len(x) == 2` of what is one of several tuples; None where it is no such test."""
    match node:
        case n.Compare(
            left=n.Call(args=(subject,), keywords=()) as call,
            ops=(op,),
            comparators=(n.Constant(value=int(number)),),
        ) if op in _LENGTHS:
            callee = context.callee(call)
        case _:
            return None
    if not isinstance(callee, Static) or callee.value is not len:
        return None
    value = context.attempt(subject)
    members = members_of(value.type) if value is not None else ()
    tuples = [member for member in members if isinstance(member, TupleType)]
    if value is None or len(tuples) < 2 or len(tuples) < len(members):
        return None
    found: list[Type] = [m for m in tuples if _LENGTHS[op](len(m.items), number)]
    return _of_members(context, node, subject, value, found)


def _is_exactly(context: Context, at: n.Node, type_: Type, cls: type) -> bool:
    """Whether `type_` is what values of this very class have."""
    if isinstance(type_, ClassType):
        # Of some objects alone it is refused.
        is_one = class_tests.are_instances(context, at, type_, (cls,))
        return is_one and is_class(context.class_named(type_.name).live, cls)
    if isinstance(type_, NamedType):
        return context.named_class(type_) is cls
    return instance_tests.live_class(type_) is cls


def _narrow_members(
    context: Context,
    condition: Condition,
    subject: n.Expression,
    value: Typed,
    members: Sequence[Type],
) -> None:
    """Note that what was tested is of one of some members, or else of one of the others."""
    rest = [member for member in members_of(value.type) if member not in members]
    for env, found in ((condition.when_true, members), (condition.when_false, rest)):
        type_ = union_of(found)
        if env is not None and type_ is not None:
            narrow(context, env, subject, value, type_)


def _member(
    context: Context, node: n.Call, subject: n.Expression, names: Sequence[str]
) -> Condition:
    """Check whether a union is of one of the members of these names."""
    value = context.typed(subject)
    members = [member for member in members_of(value.type) if str(member) in names]
    return _of_members(context, node, subject, value, members)


def _of_members(
    context: Context, node: n.Expression, subject: n.Expression, value: Typed, members: list[Type]
) -> Condition:
    """Check whether a value is of one of some members of its type."""
    whole = operand(subject, value)
    if len(members) in (0, len(members_of(value.type))):
        return _decided_by_types(context, node, subject, known=bool(members))
    type_ = union_of(members)
    assert type_ is not None
    context.record(node, [subject], context.apply(node, unions.HOLDS, whole, type=type_))
    condition = _sides(context, None)
    _narrow_members(context, condition, subject, value, members)
    context.facts.truths[node] = operand(node, Typed(BOOL, context.span(node)))
    return condition


def _of_types(context: Context, node: n.Compare) -> Condition:
    """Check `type(x) is Circle` and the like."""
    result, test = class_tests.check_types(context, node)
    context.facts.truths[node] = operand(node, Typed(BOOL, context.span(node)))
    known = None
    if isinstance(result, Literal) and _is_simple(context, node):
        known = bool(result.value)
        context.constant(node, result, Typed(BOOL, context.span(node)))
    condition = _sides(context, known)
    if test is not None and known is None:
        _narrow_both(context, condition, test)
    return condition


def _narrow_both(context: Context, condition: Condition, test: class_tests.ClassTest) -> None:
    sides = (condition.when_true, test.when_true), (condition.when_false, test.when_false)
    for env, type_ in sides:
        if env is not None and type_ is not None and type_ != test.value.type:
            narrow(context, env, test.place, test.value, type_)


def _known_by_type(type_: Type) -> bool | None:
    """Return whether all values of a type are true, or none is; None where that depends."""
    if isinstance(type_, TupleType):
        return bool(type_.items)
    return False if type_ is NONE else None


def narrow(
    context: Context, env: Environment, node: n.Expression, value: Typed, type_: Type
) -> None:
    """Note that the variable or field tested by `node` has `type_` on one side of the test."""
    target = node.target if isinstance(node, n.NamedExpr) else node
    name = target.id if isinstance(target, n.Name) else constructed_field(context, target)
    if name is not None and name in env:
        env[name] = replace(value, type=type_, known=None)
    elif isinstance(target, n.Attribute) and (path := field_path(env, target)):
        env[path] = Typed(type_, value.span, is_path=True)
    elif isinstance(target, n.Subscript):
        narrow_item(context, env, target, type_)


def _identity(context: Context, node: n.Compare) -> Condition:
    """Check `x is None` and `x is not None`."""
    same = exception_values.check_same_class(context, node)
    if same is not None:
        context.facts.truths[node] = operand(node, same)
        return _sides(context, None)
    is_not = node.ops[0] == "is not"
    other = node.comparators[0]
    if not (isinstance(other, n.Constant) and other.value is None):
        return _same_object(context, node, is_not)
    context.facts.types[node] = BOOL
    try:
        found = context.expression(node.left)
    except HiddenResultError:
        raise
    except UnknownTypeError:
        context.unknown.append(node)  # what is behind the test may tell what it is
        return _unknown_sides(context, node)
    if isinstance(found, Static) and found.receiver is None and _is_simple(context, node.left):
        return _known_identity(context, node, is_not)  # a function or the like
    value = context.as_typed(node.left, found)
    match value.type:
        case OptionalType() | UnionType() as type_ if NONE in members_of(type_):
            present: Computation = presence(context, node, operand(node.left, value))
            if not is_not:
                present = context.apply(node, elementwise.NOT, present)
            context.record(node, [node.left], present)
            condition = _sides(context, None)
            with_value, without = condition.when_true, condition.when_false
            if not is_not:
                with_value, without = without, with_value
            assert with_value is not None
            assert without is not None
            narrow(context, with_value, node.left, value, without_none(type_))
            narrow(context, without, node.left, value, NONE)
            context.facts.truths[node] = operand(node, Typed(BOOL, context.span(node)))
            return condition
        case _:
            known = (value.type is NONE) is not is_not
            return _known_identity(context, node, known)


def _same_object(context: Context, node: n.Compare, is_not: bool) -> Condition:
    """Check `x is y`, of which one side at least is an object."""
    sides = (node.left, node.comparators[0])
    found = [context.expression(side) for side in sides]
    lives = [side.value if isinstance(side, Static) else None for side in found]
    if any(map(is_sentinel, lives)):
        # No value is ever such an object: it is known of each name whether it stands for one.
        subject = sides[is_sentinel(lives[0])]
        known = (lives[0] is lives[1]) is not is_not
        return _decided_by_types(context, node, subject, known=known)
    values = [context.as_typed(side, value) for side, value in zip(sides, found, strict=True)]
    named = any(is_member(value.type) for value in values)
    if NONE in (values[0].type, values[1].type) and not named:
        return _same_none(context, node, values, is_not)
    whole = [operand(side, value) for side, value in zip(sides, values, strict=True)]
    try:
        if named:
            same = of_named.same(context, node, whole[0], whole[1])
        else:
            same = protocols.identity(context, node, whole[0], whole[1])
    except TypeCheckError as refusal:
        member_arms.check_arms(context, node, None, refusal)
    else:
        result = protocols.negated(context, node, same) if is_not else same
        context.record(node, list(sides), result)
    context.facts.truths[node] = operand(node, Typed(BOOL, context.span(node)))
    return _sides(context, None)


def _same_none(
    context: Context, node: n.Compare, values: Sequence[Typed], is_not: bool
) -> Condition:
    """Check `x is y` where one side holds None for every run: whether the other does."""
    sides = (node.left, node.comparators[0])
    found: Computation = Literal(not is_not, BOOL)
    for side, value in zip(sides, values, strict=True):
        if value.type is NONE:
            continue
        if NONE not in members_of(value.type):
            found = Literal(is_not, BOOL)
            continue
        found = presence(context, node, operand(side, value))
        if not is_not:
            found = context.apply(node, elementwise.NOT, found)
    context.record(node, list(sides), found)
    context.facts.truths[node] = operand(node, Typed(BOOL, context.span(node)))
    return _sides(context, None)


def _known_identity(context: Context, node: n.Compare, known: bool) -> Condition:
    return _decided_by_types(context, node, node.left, known=known)


def _decided_by_types(
    context: Context, node: n.Expression, subject: n.Expression, *, known: bool
) -> Condition:
    """Return the condition that a test is of which types decide; its subject is evaluated."""
    if not _is_simple(context, subject):
        context.record(node, [subject], Literal(known, BOOL))
        context.facts.truths[node] = operand(node, Typed(BOOL, context.span(node)))
        return _sides(context, None)
    value = Typed(BOOL, context.span(node))
    context.constant(node, Literal(known, BOOL), value)
    return _sides(context, known)
