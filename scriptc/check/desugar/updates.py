"""`x += y` of unions, and of what may be None: short for `x = x + y`, where nothing else sees it.

The target is evaluated twice, so the value may change nothing that it depends on.
"""

from scriptc.check.class_stores import stored_class
from scriptc.check.conditions import MEMBER_TEST
from scriptc.check.context import Context
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
        chosen = n.If(node.lo, node.hi, test, (arms[0],), (arms[1],))
        names = frozenset((value.id,) if before else ())
        expansion = Expansion((*before, chosen), node.value, names)
        context.learned.expansions[node] = expansion
    context.locals |= expansion.names
    context.block(expansion.body)
    for name in expansion.names:
        (context.reached() or {}).pop(name, None)
    context.facts.expanded[node] = expansion


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
