"""Sets as they are made; what is put into an empty one says what it holds, as for lists."""

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.context import Context, operand
from scriptc.check.declared_displays import as_declared, declared_type, tell_items
from scriptc.check.library.standard import standard_function
from scriptc.check.open_types import empty_set, is_open
from scriptc.check.python.dicts.displays import require_hashable
from scriptc.check.python.lists.items import fit_item, known_item
from scriptc.check.size_names import without_sizes
from scriptc.check.told_items import tell_item
from scriptc.check.wider_types import part_of
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import containers, data
from scriptc_runtime.record import replace
from scriptc_runtime.types import INT, SetType, Type

_WHY = "all items of a set have one type"
# So many items are put in one by one; a table of more than these would grow meanwhile.
_FEW = 4
# And so many constants or more are one constant of CPython's.
_AT_ONCE = 3


def standard(context: Context, at: n.Node, name: str, *operands: Computation) -> Computation:
    """Return a call of a function of `stdlib/hash_sets.py`."""
    return context.call(at, standard_function("hash_sets", name), operands)


def empty(context: Context, at: n.Node, type_: SetType) -> Computation:
    """Return a new set without items."""
    lists = [context.apply(at, data.LIST, item=of.item) for of in (type_.entries, type_.index)]
    counts = (Literal(0, INT),) * 3
    return context.apply(at, containers.CONTAINER, *lists, *counts, type=type_)


def check_display(context: Context, node: n.Set, expected: Type | None) -> Typed:
    """Check `{item, ...}`, or an empty set, which stands for `set()`."""
    at = (node, context.path)
    whole = declared_type(context, at, expected) if isinstance(expected, SetType) else None
    declared = part_of(whole, "item") if whole else None
    given = [context.typed(elt) for elt in node.elts]
    tell_items(context, at, whole, zip(node.elts, given, strict=True), "item")
    if declared is None:
        for value in given:
            _learn(context, node, Typed(empty_set(), context.span(node), open_list=at), value)
    known = known_item(context, at)
    item = declared or (known.type if known else None)
    if item is None or is_open(item):
        if not node.elts:
            context.empty_lists.append(at)
        context.facts.types[node] = empty_set()
        return Typed(empty_set(), context.span(node), open_list=at)
    type_ = SetType(without_sizes(item))
    require_hashable(context, node, type_.item)
    result = empty(context, node, type_)
    if given:
        held = [
            fit_item(context, elt, operand(elt, value), type_, value)
            for elt, value in zip(node.elts, given, strict=True)
        ]
        result = _filled(context, node, type_, held)
    found = context.record(node, node.elts, result)
    return as_declared(context, at, found) if declared else replace(found, open_list=at)


def _filled(context: Context, node: n.Set, type_: SetType, held: list[Computation]) -> Computation:
    result = empty(context, node, type_)
    if len(held) <= _FEW:
        for item in held:
            result = standard(context, node, "with_item", result, item)
    else:
        whole = context.apply(node, data.LIST, *held, item=type_.item)
        result = standard(context, node, "updated", result, whole)
    is_looped = node in context.ended
    if not all(map(_is_constant, node.elts)) or (len(held) < _AT_ONCE and not is_looped):
        return result
    # CPython keeps them as a frozenset, which a loop runs over, or of which the set is made: its
    # table has another size if there are more than a few.
    result = standard(context, node, "as_constant", result)
    if is_looped or len(held) <= _FEW:
        return result
    return standard(context, node, "updated", empty(context, node, type_), result)


def _is_constant(node: n.Expression) -> bool:
    match node:
        case n.Constant():
            return True
        case n.UnaryOp(operand=inner):
            return _is_constant(inner)
        case n.BinOp(left=left, right=right):
            return _is_constant(left) and _is_constant(right)
        case n.Tuple(elts=elts):
            return all(map(_is_constant, elts))
        case _:
            return False


def learn(context: Context, at: n.Node, base: Typed, value: Typed) -> bool:
    """Note for the next pass that a set holds an item; return whether something is new."""
    if base.open_list is None:
        tell_item(context, at, base, value)
        return False
    return _learn(context, at, base, value)


def _learn(context: Context, at: n.Node, base: Typed, value: Typed) -> bool:
    assert base.open_list is not None
    known = known_item(context, base.open_list)
    if known is not None and (is_open(value.type) or is_open(known.type)):
        return context.learn_items(value, known)
    merged = value if known is None else context.merge_or_unite(known, value)
    if merged is None:
        assert known is not None
        message = f"the set holds {known.type} and cannot take {value.type}"
        context.refuse_merge(message, at, known, value, why=_WHY)
    is_new = known is None or merged.type != known.type
    if is_new or not merged.literals:
        context.learned.items[base.open_list] = merged
    return is_new
