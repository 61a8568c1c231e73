"""`x += y` of unions: short for `x = x + y`, as what it holds does not change in place."""

from scriptc.check.context import Context
from scriptc.check.scopes import walk
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.types import NONE, STR, OptionalType, TupleType, Type, UnionType, is_number
from scriptc_runtime.unions import members_of


def check_update(context: Context, node: n.AugAssign, refusal: TypeCheckError) -> None:
    """Check an augmented assignment that was refused, if an operand is a union."""
    current = _read_again(context, node) or context.facts.types.get(node.target)
    several = current, context.facts.types.get(node.value), _owner_type(context, node)
    if current is None or not any(isinstance(t, UnionType | OptionalType) for t in several):
        raise refusal
    if not all(map(_is_value, members_of(current))) or not _is_plain(node.target):
        raise refusal
    expansion = context.learned.expansions.get(node)
    if expansion is None:
        result = n.BinOp(node.lo, node.hi, _again(node.target), node.op, node.value)
        assign = n.Assign(node.lo, node.hi, (_again(node.target),), result)
        expansion = context.learned.expansions[node] = Expansion((assign,), result, frozenset())
    context.block(expansion.body)
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


def _is_plain(node: n.Expression) -> bool:
    """Whether a target may be evaluated twice: it only reads."""
    match node:
        case n.Name() | n.Constant():
            return True
        case n.Attribute(value=value):
            return _is_plain(value)
        case n.Subscript(value=value, slice=index):
            return _is_plain(value) and _is_plain(index)
        case _:
            return False


def _again(node: n.Expression) -> n.Expression:
    match node:
        case n.Attribute(value=value):
            return n.Attribute(node.lo, node.hi, _again(value), node.attr)
        case n.Subscript(value=value, slice=index):
            return n.Subscript(node.lo, node.hi, _again(value), _again(index))
        case n.Name(id=name):
            return n.Name(node.lo, node.hi, name)
        case _:
            assert isinstance(node, n.Constant)
            return n.Constant(node.lo, node.hi, node.value, node.kind)
