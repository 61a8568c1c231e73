"""Places in what may be None, `node.value = x` and `table[k] = x`: the run raises where None is.

    found.value = 5     where found is Node | None:     AttributeError, as CPython's, if it is None

Reads of such places are operations with an arm for each member (`member_arms`). A place that is
written to is no value of its own, so that the part that is written into gets the arms.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from scriptc.check.bindings import Typed
from scriptc.check.checked import Arm, MemberArms, Write
from scriptc.check.class_stand_ins import name_in_messages
from scriptc.check.context import Context
from scriptc.check.generics import view_name
from scriptc.check.python import type_errors
from scriptc.check.scopes import walk_own
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    INT,
    NONE,
    STR,
    ClassType,
    DequeType,
    DictType,
    ListType,
    OptionalType,
    TensorType,
    Type,
    UnionType,
    is_tuple_of,
)
from scriptc_runtime.unions import members_of, union_of, without_none


def present_owner(context: Context, target: n.Attribute, base: Typed) -> Typed:
    """Return the object whose attribute is written; the run raises where there is None."""
    message = f"'NoneType' object has no attribute {target.attr!r}"
    return _present(context, target.value, base, "AttributeError", message)


def present_container(
    context: Context, target: n.Subscript, base: Typed, symbol: str = "[]="
) -> Typed:
    """Return the container into which an item is put; the run raises where there is none.

    CPython finds out after the index is evaluated: an index that may raise or do more than read is
    left to the refusal of None where it is not evaluated first (`whole_last`).
    """
    if not isinstance(base.type, OptionalType | UnionType):
        return base
    is_plain = _is_plain_index(target.slice)
    if not (is_plain or (symbol == "[]=" and _may_be_last(context, target))):
        return base
    raised: dict[Type, type_errors.Error] = {}
    is_slice = isinstance(target.slice, n.Slice)
    of_text = not is_slice and context.typed(target.slice).type is STR
    for member in members_of(base.type):
        is_other = not isinstance(member, _WRITTEN) or is_tuple_of(member)
        if is_other or (of_text and isinstance(member, ListType | DequeType)):
            error = type_errors.of_item(symbol, member, STR if of_text else INT)
            raised |= {member: error} if error else {}
    return _without(context, target.value, base, raised)


def whole_last(context: Context, target: n.Subscript, write: Write) -> Write:
    """Return a write whose index is evaluated before it is seen what is written to."""
    is_seen = target.value in context.facts.arms_of_members
    if not (is_seen and _may_be_last(context, target)):
        return write
    others = [part for part in write.parts if part is not target.value]
    return replace(write, parts=(*others, target.value))


def _may_be_last(context: Context, target: n.Subscript) -> bool:
    """Whether it is all the same if a variable is read before or after the index."""
    if not isinstance(target.value, n.Name) or target.value.id in context.learned.cells:
        return False
    return not any(isinstance(inner, n.NamedExpr | n.Slice) for inner in walk_own((target.slice,)))


ITERATES = ("__iter__", "__getitem__")  # the methods of which one gives the items of an object
_WRITTEN = (ListType, DictType, DequeType, TensorType, ClassType)


def _is_plain_index(index: n.Expression) -> bool:
    match index:
        case n.Constant() | n.Name():
            return True
        case n.UnaryOp(operand=n.Constant()):
            return True
        case n.BinOp(left=left, op="+" | "-", right=right):
            return _is_plain_index(left) and _is_plain_index(right)
        case n.Slice(lower=lower, upper=upper, step=step):
            return all(part is None or _is_plain_index(part) for part in (lower, upper, step))
        case _:
            return False


def present_callee(context: Context, node: n.Call, callee: Typed) -> Typed:
    """Return the function that is called; the run raises where there is None.

    CPython finds out after the arguments are evaluated.
    """
    if not only_reads(node):
        return callee
    return _present(context, node.func, callee, *NOT_CALLABLE)


def present_raised(context: Context, node: n.Expression, value: Typed) -> Typed:
    """Return the exception that is raised; the run raises another one where there is None."""
    return _present(context, node, value, "TypeError", "exceptions must derive from BaseException")


NOT_CALLABLE = "TypeError", "'NoneType' object is not callable"


def only_reads(node: n.Call) -> bool:
    """Whether it is all the same when the arguments of a call are evaluated, or if at all."""
    return only_read((*node.args, *(k.value for k in node.keywords)))


def only_read(parts: Sequence[n.Expression]) -> bool:
    """Whether it is all the same when expressions are evaluated, or if at all."""
    return all(isinstance(inner, _PLAIN) for inner in walk_own(parts))


_PLAIN = (n.Constant, n.Name, n.Attribute, n.BinOp, n.UnaryOp, n.Tuple, n.Lambda)


def present_items(context: Context, items: n.Expression, value: Typed) -> Typed:
    """Return what a loop runs over; the run raises where there is None, or a number."""
    if not isinstance(value.type, OptionalType | UnionType):
        return value
    errors = {m: _of_iteration(context, items, m) for m in members_of(value.type)}
    return _without(context, items, value, {m: e for m, e in errors.items() if e is not None})


def _of_iteration(context: Context, node: n.Node, type_: Type) -> type_errors.Error | None:
    """Return class and message of the TypeError of a loop over what has no items."""
    if not isinstance(type_, ClassType):
        return type_errors.of_iteration(type_)
    if any(class_without(context, node, type_, name) is None for name in ITERATES):
        return None
    found = object_like(context, node, type_)
    return type_errors.common(iter, [found]) if found else None


def class_without(context: Context, node: n.Node, type_: ClassType, name: str) -> type | None:
    """Return the class whose objects have no such attribute; None where some may have it."""
    if context.generator_class(type_.name) or context.function_called(type_.name):
        return None  # which have more than fields
    possible = context.possible_classes(node, type_.name)
    lacks = all(
        name not in context.class_named(live.__name__).names and not hasattr(live, name)
        for live in possible
    )
    return possible[0] if lacks and len(possible) == 1 else None


def object_like(context: Context, node: n.Node, type_: ClassType) -> tuple[object, ...]:
    """Return an object of a class of that name without methods, in a tuple; () for several classes.

    CPython is asked with it what it says of an object that has no method for something.
    """
    possible = context.possible_classes(node, type_.name)
    if len(possible) != 1 or context.function_called(type_.name) or view_name(possible[0]):
        return ()
    return (type(name_in_messages(possible[0]), (), {})(),)


def iterated(context: Context, items: n.Expression, type_: Type) -> Type:
    """Return the type of what a loop can run over among values of `type_`."""
    if isinstance(type_, OptionalType):
        return type_.item  # also what no union has, generators for example
    found = union_of(m for m in members_of(type_) if _of_iteration(context, items, m) is None)
    return found or type_


def present_index(context: Context, whole: Type, item: n.Expression, value: Typed) -> Typed:
    """Return an index of a list or an array; the run raises where there is None."""
    if not isinstance(value.type, OptionalType | UnionType):
        return value
    error = type_errors.of_index(whole, NONE) or type_errors.of_operator("[]", whole, NONE)
    return _present(context, item, value, *error) if error else value


def present_bound(context: Context, node: n.Call, at: int, value: Typed) -> Typed:
    """Return a bound of a range that a loop counts; the run raises where there is None.

    CPython finds out after all bounds are evaluated.
    """
    if not only_read(node.args[at + 1 :]):
        return value
    message = "'NoneType' object cannot be interpreted as an integer"
    return _present(context, node.args[at], value, "TypeError", message)


def present_shown(context: Context, node: n.FormattedValue, value: Typed) -> Typed:
    """Return what an f-string shows by a format; the run raises for members that take none.

    CPython finds out after a format that is computed is evaluated.
    """
    parts = node.format_spec.values if node.format_spec else ()
    constants = [str(part.value) for part in parts if isinstance(part, n.Constant)]
    computed = [part.value for part in parts if isinstance(part, n.FormattedValue)]
    is_union = isinstance(value.type, OptionalType | UnionType)
    if not (is_union and any(constants)) or node.conversion >= 0 or not only_read(computed):
        return value
    errors = {member: type_errors.of_format(member, "x") for member in members_of(value.type)}
    return _without(context, node.value, value, {m: e for m, e in errors.items() if e is not None})


def _present(context: Context, part: n.Expression, base: Typed, kind: str, message: str) -> Typed:
    if not isinstance(base.type, OptionalType | UnionType) or NONE not in members_of(base.type):
        return base
    return _without(context, part, base, {NONE: (kind, message)})


def _without(
    context: Context, part: n.Expression, base: Typed, raised: Mapping[Type, type_errors.Error]
) -> Typed:
    """Return a value as one of the members for which nothing is raised."""
    others = [member for member in members_of(base.type) if member not in raised]
    left = without_none(base.type) if list(raised) == [NONE] else union_of(others)
    if not raised or left is None:
        return base
    # The same nodes in all passes.
    kept, path = context.learned.arms, context.path
    again = kept.setdefault((part, path, base.type), with_parts(part, {}))
    for inner in reversed([*walk_own((part,))]):
        if isinstance(inner, n.Name):
            widen_name(context, inner)
    name = n.Name(part.lo, part.hi, _held_name(part))
    # Parts have arms themselves where `a` of `a.b.c = x` may be None: never for an optional type.
    held = cast("n.Name", kept.setdefault((again, path, base.type), name))
    whole = replace(context.typed(again), unites=False)
    narrowed = replace(whole, type=left, known=None, length=None)
    assert context.env is not None
    context.env[held.id] = narrowed
    context.locals |= {held.id}
    found = context.typed(held)
    context.env.pop(held.id)
    arms = (*(Arm(member, None, *error) for member, error in raised.items()), Arm(left, held))
    context.facts.arms_of_members[part] = MemberArms(((held.id, again),), held.id, arms)
    context.facts.steps.pop(part, None)
    context.facts.types[part] = found.type
    narrow_name(context, part, left)
    return found


def take_back(context: Context, part: n.Expression) -> None:
    """Let a part hold None again, which was left out for an operation that is refused after all."""
    arms = context.facts.arms_of_members.get(part)
    if arms is not None and arms.subject == _held_name(part):
        context.facts.arms_of_members.pop(part)
        context.typed(part)


def _held_name(part: n.Expression) -> str:
    return f"owner@{part.lo}.{part.hi}"


def narrow_name(
    context: Context, part: n.Expression, member: Type, node: n.Expression | None = None
) -> None:
    """Note what a variable holds after an operation, `node`, that goes on for a member alone.

    Without one it is a part that is written to or looped over, which stays as it is noted until
    somebody asks for that part again.
    """
    assert context.env is not None
    if not isinstance(part, n.Name) or part.id in context.learned.cells:
        return
    held = context.env.get(part.id)
    if isinstance(held, Typed):
        # A new one: where the operation is refused after all, what was known before holds.
        narrowed = replace(held, type=member, known=None, length=None)
        context.env = {**context.env, part.id: narrowed}
        at = part if node is None else (node.lo, node.hi)
        context.narrowed.setdefault(at, []).append((part.id, held, narrowed))


def widen_name(context: Context, at: tuple[int, int] | n.Node) -> None:
    """Let a variable hold again what it did before an operation, which is checked once more.

    That is told by its place, as it may be a copy: what a loop runs over is looked at to see which
    kind of loop it is. A part that is written to or looped over is told by itself.
    """
    for name, before, narrowed in context.narrowed.get(at, ()):
        if context.env is not None and context.env.get(name) is narrowed:
            context.env = {**context.env, name: before}
