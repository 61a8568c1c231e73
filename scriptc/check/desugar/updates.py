"""`x += y` of unions, and of what may be None: short for `x = x + y`, where nothing else sees it.

The target is evaluated twice, so the value may change nothing that it depends on.
"""

from collections.abc import Sequence

from scriptc.check.bindings import Fixed, Static
from scriptc.check.class_stores import stored_class
from scriptc.check.conditions import MEMBER_TEST
from scriptc.check.context import Context
from scriptc.check.library.standard import standard_function
from scriptc.check.scopes import walk
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import copied
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.types import (
    NONE,
    STR,
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
    if not (is_class or _is_plain(node.target)):
        raise refusal
    if (
        not is_class
        and not _is_steady(context, node.target)
        and any(map(_may_change, walk((node.value,))))
    ):
        raise refusal
    if isinstance(current, TensorType) and isinstance(several[1], UnionType):
        _check_each_member(context, node, several[1])
        return
    if isinstance(current, UnionType) and any(isinstance(t, TensorType) for t in current.members):
        _check_each_array(context, node, current)
        return
    if not all(map(_is_value, members_of(current))):
        raise refusal
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        result = n.BinOp(node.lo, node.hi, _again(node.target), node.op, node.value)
        assign = n.Assign(node.lo, node.hi, (_again(node.target),), result)
        expansion = context.learned.expansions[node] = Expansion((assign,), result, frozenset())
    context.block(expansion.body)
    context.facts.expanded[node] = expansion


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
    context.locals |= expansion.names
    context.block(expansion.body)
    for name in expansion.names:
        (context.reached() or {}).pop(name, None)
    context.facts.expanded[node] = expansion


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
    context.locals |= expansion.names
    context.block(expansion.body)
    for name in expansion.names:
        (context.reached() or {}).pop(name, None)
    context.facts.expanded[node] = expansion


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


def _may_change(part: n.Node) -> bool:
    """Whether evaluating a part may change what a target is."""
    return isinstance(part, n.Call | n.NamedExpr)


def _is_steady(context: Context, node: n.Expression) -> bool:
    """Whether a target is the same place after other code has run: a variable, or a part of one."""
    match node:
        case n.Attribute(value=n.Name(id=name)):
            return name not in context.shared and name not in context.learned.cells
        case n.Subscript(value=n.Name(id=name), slice=n.Constant()):
            return name not in context.shared and name not in context.learned.cells
        case n.Name(id=name):
            return name not in context.shared and name not in context.learned.cells
        case _:
            return False


def _is_plain(node: n.Expression) -> bool:
    """Whether a target may be evaluated twice: it only reads."""
    return all(isinstance(part, _READING) for part in walk((node,)))


_READING = n.Name | n.Constant | n.Attribute | n.Subscript | n.Slice | n.Tuple | n.UnaryOp | n.BinOp


def _again(node: n.Expression) -> n.Expression:
    return copied(node, {}, 0)
