"""Objects that always count as true: `node and node.next` is None, or what follows."""

from collections.abc import Sequence

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.check.members import find_member
from scriptc.syntax import expand
from scriptc.syntax import nodes as n
from scriptc_runtime.record import replace
from scriptc_runtime.types import NONE, ClassType, OptionalType, Type
from scriptc_runtime.unions import without_none

_DECIDING: Sequence[str] = ("__bool__", "__len__")


def deciding(context: Context, node: n.Expression, value: Typed, *, is_and: bool) -> Typed:
    """Return what an operand is where it decides: what is false of `and`, what is true of `or`.

    Lowering is told where it is None.
    """
    context.facts.nothings.discard(node)
    if not is_and:
        return replace(value, type=without_none(value.type))
    if not isinstance(value.type, OptionalType) or not _is_true(context, value.type.item):
        return value
    context.facts.nothings.add(node)
    return replace(value, type=NONE)


def always_passes(context: Context, node: n.Expression, type_: Type) -> bool:
    """Whether an operand of `and` is only read, and never decides."""
    return expand.is_simple(node) and _is_true(context, type_)


def _is_true(context: Context, type_: Type) -> bool:
    """Whether all values of a type count as true: objects that say nothing of it."""
    if not isinstance(type_, ClassType):
        return False
    name = type_.name
    if context.generator_class(name) is not None or context.function_called(name) is not None:
        return True
    lives = (context.class_named(name).live, *context.made_of(name))
    return not any(find_member(live, method) for live in lives for method in _DECIDING)
