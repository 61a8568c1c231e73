"""Displays whose types are joined with those of others in this check of the program."""

from scriptc.check import meeting_lists
from scriptc.check.bindings import Static, Typed
from scriptc.check.context import Context, Value
from scriptc.check.library.standard import is_standard
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime import type_graphs
from scriptc_runtime.types import TEXTS, DType, PyType, TensorType

_SPLITS = frozenset({"rsplit", "split", "splitlines"})


def widened(context: Context, node: n.Expression, found: Value) -> Value:
    """Return what an expression is; a display that holds more in this check is told so."""
    joins = context.rounds.joins
    if not joins.wider or isinstance(found, Static):
        return found
    if found.open_list is None:
        return _as_display(context, node, found)
    if is_standard(context.function) or (_is_plain(found) and not joins.also_computed):
        return found
    whole = joins.widened(found.type)
    if whole == found.type:
        return found
    if not context.learned.may_unite:
        context.fail("type-merge", f"{found.type} is joined with others: {whole}", node)
    if meeting_lists.let_hold(context.learned, found, whole):
        raise context.not_known_yet(node)
    return found


def _as_display(context: Context, node: n.Expression, found: Typed) -> Typed:
    """Return parts of a text, or what an array holds, as a display, if such lists hold more.

    [*line.split()], [*x.tolist()]
    """
    joins = context.rounds.joins
    if not (joins.also_computed and isinstance(node, n.Call) and _makes_list(context, node)):
        return found
    kept = context.learned.spreads
    if joins.widened(found.type) == found.type or (node, ("in a display",)) in kept:
        return found
    call = n.Call(node.lo, node.hi, node.func, node.args, node.keywords)
    display = n.List(node.lo, node.hi, (n.Starred(node.lo, node.hi, call),))
    whole = kept.setdefault((node, ("display",)), display)
    if whole is display:
        kept[call, ("in a display",)] = call
    value = context.typed(whole)
    context.facts.expanded[node] = Expansion((), whole, frozenset())
    context.facts.types[node] = value.type
    return value


def _makes_list(context: Context, node: n.Call) -> bool:
    """Whether a call gives a list of numbers or texts that nothing else has."""
    if not isinstance(node.func, n.Attribute):
        return False
    type_ = context.facts.types.get(node.func.value)
    if node.func.attr == "tolist":
        return isinstance(type_, TensorType) and type_.rank == 1
    return node.func.attr in _SPLITS and type_ in TEXTS


def _is_plain(found: Typed) -> bool:
    """Whether it is a list of numbers or texts that is computed: what is written down is data.

    That the items of others are of several types is no reason for these to be, too, unless a
    program is refused otherwise.
    """
    assert found.open_list is not None
    display = found.open_list[0]
    if isinstance(display, n.List | n.Set) and display.elts:
        return False
    if isinstance(display, n.Dict) and display.keys:
        return False
    return all(isinstance(part, PyType | DType) for part in type_graphs.places_of(found.type))
