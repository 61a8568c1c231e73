"""Whether two values that may be functions are the same one: `f == g`, `f is g`, `f in handlers`.

Functions are objects of a class for each of them, which are made wherever one is kept. Those of a
module are one if their classes are; bound methods are equal if they are bound to one object.
"""

from collections.abc import Sequence
from functools import reduce

from scriptc.check.checked import Computation, Convert, Literal, Select
from scriptc.check.context import Context
from scriptc.check.function_classes import SELF, FunctionValue, is_of_module
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import data, elementwise, unions
from scriptc_runtime.types import BOOL, NONE, ClassType, OptionalType, Type
from scriptc_runtime.unions import members_of


def same_functions(
    context: Context, at: Node, left: Computation, right: Computation, *, is_identity: bool
) -> Computation | None:
    """Return whether two values are one function, or both None; None where neither can be one."""
    sides = members_of(left.type), members_of(right.type)
    if not any(_function(context, member) for side in sides for member in side):
        return None
    common = [member for member in sides[0] if member in sides[1]]
    _refuse_others(context, at, sides, common, is_identity=is_identity)
    return reduce(
        lambda found, more: Select(found, Literal(True, BOOL), more, BOOL),
        (_are_both(context, at, left, right, member) for member in common),
        Literal(False, BOOL),
    )


def _function(context: Context, type_: Type) -> FunctionValue | None:
    return context.function_called(type_.name) if isinstance(type_, ClassType) else None


def _refuse_others(
    context: Context,
    at: Node,
    sides: Sequence[Sequence[Type]],
    common: Sequence[Type],
    *,
    is_identity: bool,
) -> None:
    """Refuse functions that nothing tells apart where they run, and values that are none."""
    left, right = ([_function(context, member) for member in side] for side in sides)
    found = [_function(context, member) for member in common if member is not NONE]
    known = [value for value in found if value is not None]
    are_told = len(known) == len(found) and all(
        not is_identity if value.is_method else is_of_module(value) for value in known
    )
    targets = [(one.target, two.target) for one in left for two in right if one and two]
    if are_told and not any(
        a is b and not isinstance(a, str) for a, b in targets if (a, b) not in _pairs(known)
    ):
        return
    context.fail(
        "operator",
        "functions are compared",
        at,
        why="a function is made an object wherever it is kept, so two may be the same one",
        instead="compare what tells them apart: a name or a number kept beside each",
    )


def _pairs(known: Sequence[FunctionValue]) -> list[tuple[object, object]]:
    return [(value.target, value.target) for value in known]


def _are_both(
    context: Context, at: Node, left: Computation, right: Computation, member: Type
) -> Computation:
    """Return whether both values are of a member, and then the same."""
    same: Computation = Literal(True, BOOL)
    value = _function(context, member)
    if value is not None and value.is_method:
        fields = value.fields[SELF]
        bound = [
            context.apply(at, data.FIELD, _as_member(side, member), name=SELF, type=fields)
            for side in (left, right)
        ]
        same = context.apply(at, data.SAME, *bound)
    for side in (right, left):
        holds = _holds(context, at, side, member)
        if holds is not None:
            same = Select(holds, same, Literal(False, BOOL), BOOL)
    return same


def _as_member(side: Computation, member: Type) -> Computation:
    return side if side.type == member else Convert(side, member)


def _holds(context: Context, at: Node, side: Computation, member: Type) -> Computation | None:
    """Return whether a value is of one of its types; None where it always is."""
    if side.type == member:
        return None
    if not isinstance(side.type, OptionalType):
        return context.apply(at, unions.HOLDS, side, type=member)
    present = context.apply(at, data.HAS_VALUE, side)
    return context.apply(at, elementwise.NOT, present) if member is NONE else present
