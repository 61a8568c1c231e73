"""Whether two values that may be functions are one: `layer.act is relu`, `f == g`.

A function of a module is one object for the whole program, and what a script keeps of it is told by
its class.  A nested function is made anew by each call of the one around it, and a method by each
look-up: of these no class says whether two are one.
"""

from typing import NoReturn

from scriptc.check.checked import Computation, Literal, Select
from scriptc.check.closures import Closure
from scriptc.check.context import Context
from scriptc.check.function_classes import FunctionValue
from scriptc.syntax.nodes import Node
from scriptc_runtime.ops import data, elementwise, unions
from scriptc_runtime.types import BOOL, NONE, ClassType, OptionalType, Type
from scriptc_runtime.unions import members_of


def same_function(
    context: Context, at: Node, left: Computation, right: Computation
) -> Computation | None:
    """Return whether two values are one function, or both None; None where neither is a function.

    A function that is no object of its own is refused where both sides may be one.
    """
    members = [members_of(side.type) for side in (left, right)]
    if not any(_function(context, member) for side in members for member in side):
        return None
    result: Computation = Literal(False, BOOL)
    for member in members[0]:
        if member not in members[1]:
            continue
        if member is not NONE and not _is_one_object(_function(context, member)):
            _refuse(context, at)
        one, two = (_is_of(context, at, side, member) for side in (left, right))
        result = Select(one, Select(two, Literal(True, BOOL), result, BOOL), result, BOOL)
    return result


def _function(context: Context, member: Type) -> FunctionValue | None:
    return context.function_called(member.name) if isinstance(member, ClassType) else None


def _is_one_object(value: FunctionValue | None) -> bool:
    """Whether all objects of the class of a function are one to Python."""
    if value is None or value.is_method or value.captured:
        return False
    return not isinstance(value.target, Closure)


def _is_of(context: Context, at: Node, value: Computation, member: Type) -> Computation:
    """Return whether a value is of this one of its types."""
    if not isinstance(value.type, OptionalType):
        if value.type == member:
            return Literal(True, BOOL)
        return context.apply(at, unions.HOLDS, value, type=member)
    present = context.apply(at, data.HAS_VALUE, value)
    return context.apply(at, elementwise.NOT, present) if member is NONE else present


def _refuse(context: Context, at: Node) -> NoReturn:
    context.fail(
        "operator",
        "functions are compared",
        at,
        why="a nested function or a method is made anew wherever it is kept, so two may be one",
        instead="compare functions of a module, or a name or a number kept beside each",
    )
