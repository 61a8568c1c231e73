"""Calls that types decide: `callable(f)`; and what makes values that loops take apart elsewhere."""

from scriptc.check.bindings import Known, Static, Typed
from scriptc.check.checked import Literal
from scriptc.check.closures import Closure, Definition, Knot
from scriptc.check.context import Context, Value
from scriptc.check.members import find_member
from scriptc.syntax import nodes as n
from scriptc_runtime import unsafe
from scriptc_runtime.types import BOOL, ClassType
from scriptc_runtime.unions import members_of


def check_known(context: Context, node: n.Call, callee: Value) -> Typed | None:
    """Check a call that types decide; None for any other."""
    live = callee.value if isinstance(callee, Static) and callee.receiver is None else None
    if live is callable and not node.keywords and len(node.args) == 1:
        return _callable(context, node, node.args[0])
    if live is unsafe.is_of:
        value, types = map(context.typed, node.args)
        assert types.known is not None
        return _known(context, node, known=str(value.type) in str(types.known.value).split())
    return None


def _known(context: Context, node: n.Call, *, known: bool) -> Typed:
    typed = Typed(BOOL, context.span(node), known=Known(known))
    return context.constant(node, Literal(known, BOOL), typed)


def _callable(context: Context, node: n.Call, argument: n.Expression) -> Typed | None:
    found = context.expression(argument)
    if isinstance(found, Static):
        is_nested = isinstance(found.value, Definition | Closure | Knot)
        answers = {found.receiver is not None or is_nested or callable(found.value)}
    else:
        answers = {_is_called(context, member) for member in members_of(found.type)}
    if len(answers) != 1 or not isinstance(argument, n.Name | n.Attribute | n.Constant):
        return None
    (known,) = answers
    return _known(context, node, known=known)


def _is_called(context: Context, type_: object) -> bool:
    if not isinstance(type_, ClassType):
        return False
    live = context.class_named(type_.name).live
    return context.function_called(type_.name) is not None or bool(find_member(live, "__call__"))
