"""`x += y` of unions, and of what may be None: short for `x = x + y`, where nothing else sees it.

The target is evaluated twice, unless that could be told: then variables hold its parts.
"""

from collections.abc import Sequence

from scriptc.check.bindings import Fixed, Static
from scriptc.check.class_stores import stored_class
from scriptc.check.conditions import MEMBER_TEST
from scriptc.check.context import Context
from scriptc.check.library.standard import standard_function
from scriptc.check.scopes import walk
from scriptc.check.stored_updates import may_run
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.types import (
    NONE,
    STR,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_number,
)
from scriptc_runtime.unions import members_of


def check_update(context: Context, node: n.AugAssign, refusal: TypeCheckError) -> None:
    """Check an augmented assignment that was refused, if an operand is a union."""
    current = _read_again(context, node) or context.facts.types.get(node.target)
    if _has_no_room(context, node, current):
        _raise_no_room(context, node)
        return
    several = current, context.facts.types.get(node.value), _owner_type(context, node)
    # What a class holds may be of several types from now on; the class is evaluated to nothing.
    target = node.target
    is_class = isinstance(target, n.Attribute) and stored_class(context, target) is not None
    is_several = any(isinstance(t, UnionType | OptionalType) for t in several)
    if current is None or not (is_class or is_several):
        raise refusal
    apart = _told_apart(current, several[1])
    if apart is None and not all(map(_is_value, members_of(current))):
        raise refusal
    value_first = isinstance(current, TensorType | ListType)
    if is_class or isinstance(target, n.Name):
        if not (apart is None or _is_same_variable(context, node, value_first)):
            raise refusal
    elif not _may_evaluate_twice(context, node, value_first):
        if isinstance(target, n.Subscript) and not _is_one_value(target.slice):
            raise refusal
        _check_once(context, node)
        return
    if apart is None:
        _check_whole(context, node)
    elif value_first:
        _check_each_member(context, node, apart)
    else:
        _check_each_array(context, node, apart)


def _told_apart(current: Type, value: Type | None) -> UnionType | None:
    """Return the type whose members an update in place tells apart, if it does."""
    if isinstance(current, TensorType | ListType):
        return value if isinstance(value, UnionType) else None
    if not isinstance(current, UnionType):
        return None
    return None if all(map(_is_value, current.members)) else current


def _check_whole(context: Context, node: n.AugAssign) -> None:
    """Check an update as x = x + y."""
    expansion = context.learned.expansions.get(node)
    if expansion is None or expansion.names:
        result = n.BinOp(node.lo, node.hi, _again(node.target), node.op, node.value)
        assign = n.Assign(node.lo, node.hi, (_again(node.target),), result)
        expansion = context.learned.expansions[node] = Expansion((assign,), result, frozenset())
    _check_expansion(context, node, expansion)


def _check_expansion(context: Context, node: n.AugAssign, expansion: Expansion) -> None:
    """Check the statements that stand for an update, whose own variables end with it."""
    context.locals |= expansion.names
    context.tolerates += 1
    context.block(expansion.body)
    context.tolerates -= 1
    for name in expansion.names:
        (context.reached() or {}).pop(name, None)
    context.facts.expanded[node] = expansion


def _check_once(context: Context, node: n.AugAssign) -> None:
    """Check an update whose target is evaluated once, as the value or a part of it runs code.

    o.xs[f()] += y    base = o.xs
                      index = f()
                      updated = base[index]
                      updated += y             (which is checked in the same way, as a variable's)
                      base[index] = updated
    """
    expansion = context.learned.expansions.get(node)
    # In an earlier pass, with less known of the value, another one may have been made.
    if expansion is None or _base(node).id not in expansion.names:
        lo, hi = node.lo, node.hi
        before, place = _parts_held(node)
        before.append(n.Assign(lo, hi, (_subject(node),), place))
        update = n.AugAssign(lo, hi, _subject(node), node.op, node.value)
        after = n.Assign(lo, hi, (_again(place),), _subject(node))
        targets = (target for assign in before for target in assign.targets)
        names = frozenset(target.id for target in targets if isinstance(target, n.Name))
        expansion = Expansion((*before, update, after), node.value, names)
        context.learned.expansions[node] = expansion
    _check_expansion(context, node, expansion)


def _parts_held(node: n.AugAssign) -> tuple[list[n.Assign], n.Attribute | n.Subscript]:
    """Return statements that keep the parts of a target in variables, and the target of these."""
    target = node.target
    assert isinstance(target, n.Attribute | n.Subscript)
    base = _base(node)
    held = [n.Assign(target.value.lo, target.value.hi, (base,), _again(target.value))]
    if isinstance(target, n.Attribute):
        return held, n.Attribute(target.lo, target.hi, _again(base), target.attr)
    if isinstance(target.slice, n.Constant):
        return held, n.Subscript(target.lo, target.hi, _again(base), _again(target.slice))
    lo, hi = target.slice.lo, target.slice.hi
    index = n.Name(lo, hi, f"index@{node.lo}.{node.hi}")
    held.append(n.Assign(lo, hi, (index,), _again(target.slice)))
    return held, n.Subscript(target.lo, target.hi, _again(base), _again(index))


def _is_same_variable(context: Context, node: n.AugAssign, value_first: bool) -> bool:
    """Whether a variable, or an attribute of a class, stays what it is in an update of arrays."""
    if isinstance(node.target, n.Name):
        return _is_steady(context, node) or not _value_runs(context, node)
    return not (value_first and _value_runs(context, node))


def _may_evaluate_twice(context: Context, node: n.AugAssign, value_first: bool) -> bool:
    """Whether nobody can tell that a target is evaluated before and after the value."""
    if not _is_plain(node.target):
        return False
    if any(may_run(context, part) for part in n.children(node.target)):
        return False
    return (_is_steady(context, node) and not value_first) or not _value_runs(context, node)


def _value_runs(context: Context, node: n.AugAssign) -> bool:
    """Whether evaluating the value may run code of the user, or change a container."""
    return may_run(context, node.value)


def _is_one_value(index: n.Expression) -> bool:
    """Whether a variable can hold an index."""
    return not any(isinstance(part, n.Slice) for part in walk((index,)))


def _check_each_member(context: Context, node: n.AugAssign, type_: UnionType) -> None:
    """Check an update of an array in place by a number that is of several types.

    x += y     if y is an int: x += y
               else:           x += y    (which is checked in the same way, for the types left)
    """
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        lo, hi, first = node.value.lo, node.value.hi, members_of(type_)[0]
        value, before = node.value, ()
        if not isinstance(value, n.Name):
            value = n.Name(lo, hi, f"value@{lo}.{hi}")
            before = (n.Assign(lo, hi, (value,), node.value),)
        told = n.Name(lo, hi, value.id), n.Constant(lo, hi, str(first), None)
        test = n.Call(lo, hi, n.Name(lo, hi, MEMBER_TEST), told, ())
        arms = [
            n.AugAssign(node.lo, node.hi, _again(node.target), node.op, n.Name(lo, hi, value.id))
            for _ in range(2)
        ]
        context.learned.member_updates.update(arms)
        chosen = n.If(node.lo, node.hi, test, (arms[0],), (arms[1],))
        names = frozenset((value.id,) if before else ())
        expansion = Expansion((*before, chosen), node.value, names)
        context.learned.expansions[node] = expansion
    _check_expansion(context, node, expansion)


def _check_each_array(context: Context, node: n.AugAssign, type_: UnionType) -> None:
    """Check an update of what is one of several arrays, or a number.

    x += y     value = y
               if x is a matrix: x += value
               else:             x += value    (which is checked in the same way)
    """
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        updates = [
            n.AugAssign(node.lo, node.hi, _subject(node), node.op, _value(node))
            for _ in members_of(type_)
        ]
        context.learned.member_updates.update(updates)
        expansion = _each_array(node, members_of(type_), updates)
        context.learned.expansions[node] = expansion
    _check_expansion(context, node, expansion)


def _each_array(
    node: n.AugAssign, members: Sequence[Type], updates: Sequence[n.AugAssign]
) -> Expansion:
    lo, hi = node.lo, node.hi
    subject, value = _subject(node), _value(node)
    names = {value.id}
    before: list[n.Statement] = []
    after: list[n.Statement] = []
    if not isinstance(node.target, n.Name):
        names.add(subject.id)
        before.append(n.Assign(lo, hi, (subject,), _again(node.target)))
        after.append(n.Assign(lo, hi, (_again(node.target),), _subject(node)))
    before.append(n.Assign(node.value.lo, node.value.hi, (value,), node.value))
    chosen: n.Statement = updates[-1]
    for member, update in zip(reversed(members[:-1]), reversed(updates[:-1]), strict=True):
        told = _subject(node), n.Constant(lo, hi, str(member), None)
        test = n.Call(lo, hi, n.Name(lo, hi, MEMBER_TEST), told, ())
        chosen = n.If(lo, hi, test, (update,), (chosen,))
    return Expansion((*before, chosen, *after), node.value, frozenset(names))


def _subject(node: n.AugAssign) -> n.Name:
    """Return the variable that holds what is updated."""
    name = node.target.id if isinstance(node.target, n.Name) else f"updated@{node.lo}.{node.hi}"
    return n.Name(node.lo, node.hi, name)


def _base(node: n.AugAssign) -> n.Name:
    """Return the variable that holds what a target is a part of."""
    return n.Name(node.lo, node.hi, f"base@{node.lo}.{node.hi}")


def _value(node: n.AugAssign) -> n.Name:
    return n.Name(node.lo, node.hi, f"value@{node.lo}.{node.hi}")


def _has_no_room(context: Context, node: n.AugAssign, current: Type | None) -> bool:
    """Whether the update of a member is one of an array by one with more axes."""
    value = context.facts.types.get(node.value)
    return (
        node in context.learned.member_updates
        and isinstance(current, TensorType)
        and isinstance(value, TensorType)
        and len(value.dims) > len(current.dims)
    )


def _raise_no_room(context: Context, node: n.AugAssign) -> None:
    """Check the update of an array by one with more axes: NumPy raises whatever their sizes are."""
    lo, hi = node.lo, node.hi
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        result = n.BinOp(lo, hi, _again(node.target), node.op, _again(node.value))
        call = n.Call(lo, hi, n.Name(lo, hi, _NO_ROOM), (_again(node.target), result), ())
        expansion = Expansion((n.Expr(lo, hi, call),), node.value, frozenset({_NO_ROOM}))
        context.learned.expansions[node] = expansion
    assert context.env is not None
    function = standard_function("arrays", "no_room")
    context.locals |= expansion.names
    context.env[_NO_ROOM] = Fixed(Static(function, context.span(node)))
    context.block(expansion.body)
    (context.reached() or {}).pop(_NO_ROOM, None)
    context.facts.expanded[node] = expansion


# The name of the function that raises.
_NO_ROOM = "no_room@update"


def _owner_type(context: Context, node: n.AugAssign) -> Type | None:
    """Return the type of what a target is a part of."""
    target = node.target
    is_part = isinstance(target, n.Attribute | n.Subscript)
    return context.facts.types.get(target.value) if is_part else None


def _read_again(context: Context, node: n.AugAssign) -> Type | None:
    """Return the type of a target in what may be None, which was refused before it was read.

    It would be evaluated twice, before and after the value: nothing else may be called there.
    """
    if not isinstance(_owner_type(context, node), OptionalType) or not _is_plain(node.target):
        return None
    if any(isinstance(part, n.Call) for part in walk((node.value,))):
        return None
    before = context.env
    type_ = context.typed(_again(node.target)).type
    context.env = before
    return type_


def _is_value(type_: Type) -> bool:
    """Whether no other name sees a change of what is held: there is none in place."""
    return is_number(type_) or type_ in (STR, NONE) or isinstance(type_, TupleType)


def _is_steady(context: Context, node: n.AugAssign) -> bool:
    """Whether a target is the same place after the value is evaluated: a variable, or its part."""
    match node.target:
        case n.Attribute(value=n.Name(id=name)):
            pass
        case n.Subscript(value=n.Name(id=name), slice=n.Constant()):
            pass
        case n.Name(id=name):
            pass
        case _:
            return False
    if any(isinstance(part, n.NamedExpr) for part in walk((node.value,))):
        return False
    return name not in context.shared and name not in context.learned.cells


def _is_plain(node: n.Expression) -> bool:
    """Whether a target may be evaluated twice: it only reads."""
    return all(isinstance(part, _READING) for part in walk((node,)))


_READING = n.Name | n.Constant | n.Attribute | n.Subscript | n.Slice | n.Tuple | n.UnaryOp | n.BinOp


def _again(node: n.Expression) -> n.Expression:
    return copied(node, {}, 0)
