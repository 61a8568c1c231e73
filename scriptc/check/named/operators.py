"""Operators of objects, members and named tuples: those of their class, else of what they are."""

from scriptc.check import protocols
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context
from scriptc.check.conversion import converted
from scriptc.check.named import enumerations
from scriptc.check.named_types import is_index_part, is_member, plain, plain_type
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import elementwise
from scriptc_runtime.types import BOOL, INT, ClassType, NamedType, Type
from scriptc_runtime.unions import members_of

Side = tuple[Typed, Computation]
negated = protocols.negated


def plain_side(side: Side) -> Side:
    """Return an operand as what it counts as without its class."""
    value, computation = side
    return plain(value), plain_computation(computation)


def plain_computation(value: Computation) -> Computation:
    """Return a value as what it counts as without its class."""
    type_ = plain_type(value.type)
    if type_ is value.type:
        return value
    assert isinstance(value.type, NamedType)
    return enumerations.plain_value(value.type, value)


def binary(context: Context, at: Node, symbol: str, left: Side, right: Side) -> Computation | None:
    """Return what a method says of `left symbol right`, or of two flags; None for neither."""
    found = protocols.binary(context, at, symbol, left, right)
    if found is None and (is_member(left[1].type) or is_member(right[1].type)):
        found = enumerations.operator(context, at, symbol, _written(left), _written(right))
    return found


def _written(side: Side) -> Computation:
    """Return an operand, an int that is known as a literal."""
    value, computation = side
    known = value.known.value if value.known else None
    return Literal(known, INT) if value.type is INT and type(known) is int else computation


def comparison(
    context: Context, at: Node, symbol: str, left: Side, right: Side
) -> Computation | None:
    """Return a comparison of which one side at least is of a class; None if by what they are."""
    (_, lhs), (_, rhs) = left, right
    if isinstance(lhs.type, ClassType) or isinstance(rhs.type, ClassType):
        return protocols.comparison(context, at, symbol, left, right)
    found = protocols.own_comparison(context, at, symbol, lhs, rhs)
    if found is not None or symbol not in ("==", "!="):
        return found
    if not (is_member(lhs.type) or is_member(rhs.type)):
        return None
    same = enumerations.equal(context, at, lhs, rhs)
    return protocols.negated(context, at, same) if same and symbol == "!=" else same


def unary(context: Context, at: Node, symbol: str, value: Computation) -> Computation | None:
    """Return what a method says of `symbol value`, or of a flag; None for neither."""
    found = protocols.unary(context, at, symbol, value)
    if found is None and symbol == "~" and is_member(value.type):
        found = enumerations.inverted(context, at, value)
    return found


def is_flag(type_: Type) -> bool:
    """Whether values of a type are flags."""
    return isinstance(type_, NamedType) and type_.kind in ("Flag", "IntFlag")


def contained(context: Context, at: Node, item: Computation, whole: Computation) -> Computation:
    """Return whether a flag has all bits of another one."""
    assert isinstance(whole.type, NamedType)
    bits, others = (enumerations.plain_value(whole.type, side) for side in (item, whole))
    both = context.apply(at, elementwise.AND, bits, others)
    return context.apply(at, elementwise.EQ, both, bits)


def truth(context: Context, at: Node, value: Computation) -> Computation | None:
    """Return whether a member counts as true; None where what it is made of says so."""
    if isinstance(value.type, ClassType):
        return protocols.truth_of(context, at, value)
    if is_index_part(value.type):
        return Literal(True, BOOL)
    if not is_member(value.type):
        return None
    found = enumerations.truth(context, at, value)
    if found is not None:
        return found
    assert isinstance(value.type, NamedType)
    if value.type.base is INT:
        number = enumerations.plain_value(value.type, value)
        return context.apply(at, elementwise.NE, number, converted(Literal(0, INT), INT))
    return None


def same(context: Context, at: Node, left: Computation, right: Computation) -> Computation:
    """Return whether two members are one."""
    if left.type != right.type:
        if len(members_of(left.type)) + len(members_of(right.type)) > 2:
            # Asked again for each type that it may have.
            context.fail("operand-type", "a member beside what may be None", at)
        return Literal(False, BOOL)
    found = enumerations.equal(context, at, left, right)
    assert found is not None
    return found
