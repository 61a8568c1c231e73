"""Places in what may be None, `node.value = x` and `table[k] = x`: the run raises where None is.

    found.value = 5     where found is Node | None:     AttributeError, as CPython's, if it is None

Reads of such places are operations with an arm for each member (`member_arms`). A place that is
written to is no value of its own, so that the part that is written into gets the arms.
"""

from typing import cast

from scriptc.check.bindings import Typed
from scriptc.check.checked import Arm, MemberArms
from scriptc.check.context import Context
from scriptc.check.scopes import walk_own
from scriptc.syntax import nodes as n
from scriptc.syntax.copies import with_parts
from scriptc_runtime.record import replace
from scriptc_runtime.types import NONE, OptionalType, Type


def present_owner(context: Context, target: n.Attribute, base: Typed) -> Typed:
    """Return the object whose attribute is written; the run raises where there is None."""
    message = f"'NoneType' object has no attribute {target.attr!r}"
    return _present(context, target.value, base, "AttributeError", message)


def present_container(context: Context, target: n.Subscript, base: Typed) -> Typed:
    """Return the container into which an item is put; the run raises where there is None.

    CPython finds out after the index is evaluated: an index that may raise or do more than read is
    left to the refusal of None.
    """
    if not isinstance(target.slice, n.Constant | n.Name):
        return base
    message = "'NoneType' object does not support item assignment"
    return _present(context, target.value, base, "TypeError", message)


def present_callee(context: Context, node: n.Call, callee: Typed) -> Typed:
    """Return the function that is called; the run raises where there is None.

    CPython finds out after the arguments are evaluated.
    """
    if not only_reads(node):
        return callee
    return _present(context, node.func, callee, *NOT_CALLABLE)


NOT_CALLABLE = "TypeError", "'NoneType' object is not callable"


def only_reads(node: n.Call) -> bool:
    """Whether it is all the same when the arguments of a call are evaluated, or if at all."""
    given = (*node.args, *(k.value for k in node.keywords))
    return all(isinstance(inner, _PLAIN) for inner in walk_own(given))


_PLAIN = (n.Constant, n.Name, n.Attribute, n.BinOp, n.UnaryOp, n.Tuple, n.Lambda)


def present_items(context: Context, items: n.Expression, value: Typed) -> Typed:
    """Return what a loop runs over; the run raises where there is None."""
    return _present(context, items, value, "TypeError", "'NoneType' object is not iterable")


def _present(context: Context, part: n.Expression, base: Typed, kind: str, message: str) -> Typed:
    if not isinstance(base.type, OptionalType):
        return base
    # The same nodes in all passes.
    kept, path = context.learned.arms, context.path
    again = kept.setdefault((part, path, base.type), with_parts(part, {}))
    name = n.Name(part.lo, part.hi, f"owner@{part.lo}.{part.hi}")
    # Parts have arms themselves where `a` of `a.b.c = x` may be None: never for an optional type.
    held = cast("n.Name", kept.setdefault((again, path, base.type), name))
    whole = replace(context.typed(again), unites=False)
    narrowed = replace(whole, type=base.type.item, known=None, length=None)
    assert context.env is not None
    context.env[held.id] = narrowed
    context.locals |= {held.id}
    found = context.typed(held)
    context.env.pop(held.id)
    arms = (Arm(NONE, None, kind, message), Arm(base.type.item, held))
    context.facts.arms_of_members[part] = MemberArms(((held.id, again),), held.id, arms)
    context.facts.steps.pop(part, None)
    context.facts.types[part] = found.type
    narrow_name(context, part, base.type.item)
    return found


def narrow_name(context: Context, part: n.Expression, member: Type) -> None:
    """Note what a variable holds after an operation that goes on for one of its members alone."""
    assert context.env is not None
    if not isinstance(part, n.Name) or part.id in context.learned.cells:
        return
    held = context.env.get(part.id)
    if isinstance(held, Typed):
        # A new one: where the operation is refused after all, what was known before holds.
        narrowed = replace(held, type=member, known=None, length=None)
        context.env = {**context.env, part.id: narrowed}
