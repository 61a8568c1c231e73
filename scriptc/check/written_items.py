"""Searches among items that are written down: `x in {"if", "else"}` makes no set.

CPython has such a set as a constant; here the value is compared with each item. Texts are told
apart by their lengths first.
"""

from collections.abc import Sequence

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal, Select
from scriptc.check.context import Context, operand
from scriptc.check.python.lists.operators import equal
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data
from scriptc_runtime.types import BOOL, FLOAT, INT, STR
from scriptc_runtime.values import INT_MAX

Side = tuple[Typed, Computation]

# Of what is searched for: it has a hash, and comparing it calls no method of the program.
_PLAIN = (BOOL, FLOAT, INT, STR)
_CONSTANTS = {bool: BOOL, float: FLOAT, int: INT, str: STR}
# So many items are compared one by one; more texts than these are told apart by their lengths.
_MOST, _FEW = 64, 3


def check_search(context: Context, node: n.Compare) -> Typed | None:
    """Check `x in {1, 2}` or `x in ["a", "b"]`; None where it is anything else."""
    source = node.comparators[0]
    if node.ops not in (("in",), ("not in",)) or not isinstance(source, n.Set | n.List):
        return None
    items = [found for item in source.elts if (found := _constant(item)) is not None]
    if len(items) < len(source.elts) or not 1 <= len(items) <= _MOST:
        return None
    value = context.typed(node.left)
    if value.type not in _PLAIN:
        return None
    left = value, operand(node.left, value)
    texts = [item for item in items if isinstance(item.value, str)]
    if value.type is STR and len(texts) > _FEW:
        result = _by_length(context, node, left, texts)
    else:
        result = _among(context, node, left, items)
    if node.ops[0] == "not in":
        result = Select(result, Literal(False, BOOL), Literal(True, BOOL), BOOL)
    return context.record(node, [node.left], result)


def _constant(item: n.Expression) -> Literal | None:
    """Return a number or a text that is written down, None for anything else."""
    sign = 1
    if isinstance(item, n.UnaryOp) and item.op == "-":
        sign, item = -1, item.operand
    match item:
        case n.Constant(value=bool() | str() as value) if sign > 0:
            return Literal(value, _CONSTANTS[type(value)])
        case n.Constant(value=int() | float() as value) if type(value) is not bool:
            fits = isinstance(value, float) or value <= INT_MAX
            return Literal(sign * value, _CONSTANTS[type(value)]) if fits else None
        case _:
            return None


def _among(context: Context, node: n.Compare, left: Side, items: Sequence[Literal]) -> Computation:
    found: Computation = Literal(False, BOOL)
    for item in reversed(items):
        side = Typed(item.type, context.span(node)), item
        found = Select(equal(context, node, side, left), Literal(True, BOOL), found, BOOL)
    return found


def _by_length(
    context: Context, node: n.Compare, left: Side, texts: Sequence[Literal]
) -> Computation:
    """Return a search among texts of which only those of the same length are compared."""
    length = Typed(INT, context.span(node)), context.apply(node, data.STR_LEN, left[1])
    groups: dict[int, list[Literal]] = {}
    for text in texts:
        groups.setdefault(len(str(text.value)), []).append(text)
    found: Computation = Literal(False, BOOL)
    for size, alike in reversed(groups.items()):
        side = Typed(INT, context.span(node)), Literal(size, INT)
        is_of_size = equal(context, node, side, length)
        found = Select(is_of_size, _among(context, node, left, alike), found, BOOL)
    return found
