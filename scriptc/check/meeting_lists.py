"""Lists and containers that meet at one place, and hold different things: displays hold all of it.

    value = [1, 2] if flat else [[1], [2]]          list[int | list[int]]

    root = {}
    node = root
    for letter in word:
        node = node.setdefault(letter, {})          rec = dict[str, rec]: each is one of the others

What a display holds is learned for the next pass, as what is put into it is (`lists.items`).
"""

from collections.abc import Sequence
from typing import cast

from scriptc.check import endless_types
from scriptc.check.bindings import ListKey, Typed
from scriptc.check.learned import Learned
from scriptc.check.open_types import key_of
from scriptc_runtime.recursive_types import item_alone
from scriptc_runtime.type_graphs import Graph, Node, NoTypeError, found, joined, type_at
from scriptc_runtime.type_limits import excess_of
from scriptc_runtime.types import Container, DictType, ListType, Type, is_tuple_of
from scriptc_runtime.unions import kind_of, members_of


def meet(learned: Learned, first: Typed, second: Typed) -> bool:
    """Let displays hold what both of two hold; return whether one will hold more than before."""
    if not learned.may_unite:
        return False
    for outer, inner in ((first, second), (second, first)):
        if len(displays := _way(learned, outer, inner.open_list)) > 1:
            return _close(learned, displays, outer, inner)
    whole = _whole_of(first, second)
    if whole is None:
        return False
    return let_hold(learned, first, whole) | let_hold(learned, second, whole)


def held_together(learned: Learned, known: Typed, value: Typed) -> Typed | None:
    """Return what is known of what holds `value` beside what no union holds beside it."""
    return hold_all(learned, (known, value))


def hold_all(learned: Learned, values: Sequence[Typed]) -> Typed | None:
    """Return what is known of what holds all values, of which no union holds all."""
    whole = values[0].type if learned.may_unite else None
    for value in values[1:]:
        whole = whole and _whole_of(Typed(whole, value.span), value)
    if whole is None:
        return None
    for value in values:
        let_hold(learned, value, whole)
    return Typed(item_alone(whole), values[-1].span, unites=True)


def _whole_of(first: Typed, second: Typed) -> Type | None:
    whole = joined((first.type, second.type))
    if whole is None or excess_of(whole, _DEEPEST):
        whole = endless_types.closed(first.type, second.type)
    return whole


# Lists in lists in lists: of a type that is deeper, each level is the whole.
_DEEPEST = 6


def let_hold(learned: Learned, value: Typed, whole: Type) -> bool:
    """Let the display that a value comes from hold what lists of its kind in `whole` do.

    Return whether it did not.
    """
    if value.open_list is None:
        return False
    held, wanted = _block_of(value.type), _block_of(whole, of=value.type)
    if held is None or wanted is None or held == wanted:
        return False
    _learn(learned, value.open_list, wanted, value)
    return True


def _block_of(type_: Type, of: Type | None = None) -> ListType | Container | None:
    """Return the one list or container that values may be; with `of`, that of its kind."""
    kinds = {kind_of(m) for m in members_of(type_ if of is None else of) if _is_block(m)}
    found = [m for m in members_of(type_) if _is_block(m) and kind_of(m) in kinds]
    return cast("ListType | Container", found[0]) if len(kinds) == len(found) == 1 else None


def _is_block(type_: Type) -> bool:
    return isinstance(type_, ListType | Container) and not is_tuple_of(type_)


def is_ring(learned: Learned, display: ListKey, item: Typed) -> bool:
    """Whether what a display gets as an item is that display itself, or is one that holds it."""
    return bool(_way(learned, item, display))


def close_ring(learned: Learned, base: Typed, item: Typed) -> bool:
    """Let a list that gets itself hold its like; return whether it did not."""
    displays = _way(learned, item, base.open_list)
    graph = Graph()
    whole = graph.node(item.type)
    try:
        places = _places(learned, graph, whole, displays)
        graph.unite(places[-1], graph.node(base.type))
        graph.unite(_item(places[-1]), whole)
    except NoTypeError:
        return False
    return _learn_all(learned, displays, places, base)


def _close(learned: Learned, displays: Sequence[ListKey], outer: Typed, inner: Typed) -> bool:
    """Let a display that is an item of another one, and stands for that, be one of its like."""
    graph = Graph()
    whole = graph.node(outer.type)
    try:
        places = _places(learned, graph, whole, displays)
        graph.unite(whole, places[-1])
        graph.unite(whole, graph.node(inner.type))
    except NoTypeError:
        return False
    return _learn_all(learned, displays, places, outer)


def _learn_all(
    learned: Learned, displays: Sequence[ListKey], places: Sequence[Node], value: Typed
) -> bool:
    before = learned.state
    for key, place in zip(displays, places, strict=True):
        type_ = type_at(found(place))
        block = _block_of(type_) if type_ else None
        if block is not None:
            _learn(learned, key, block, value)
    return learned.state != before


def _way(learned: Learned, outer: Typed, display: ListKey | None) -> list[ListKey]:
    """Return the displays from that of a value to one that is it, or is an item in it."""
    keys: list[ListKey] = []
    at = outer.open_list
    while at is not None and at not in keys:
        keys.append(at)
        if at == display:
            return keys
        item = learned.items.get(at)
        at = item.open_list if item else None
    return []


def _places(learned: Learned, graph: Graph, whole: Node, displays: Sequence[ListKey]) -> list[Node]:
    """Return a place, that of the items in what is there, and so on, with what is known of them."""
    places = [whole]
    for display in displays:
        item, known = _item(places[-1]), learned.items.get(display)
        if known is not None:
            graph.unite(item, graph.node(known.type))
        places.append(found(item))
    return places[:-1]


def _item(node: Node) -> Node:
    """Return the place of the items of the one list or container at a node."""
    inside = [places[-1] for type_, places in found(node).members.values() if _is_block(type_)]
    if len(inside) != 1:
        raise NoTypeError
    return found(inside[0])


def _learn(learned: Learned, key: ListKey, type_: ListType | Container, value: Typed) -> None:
    item = type_.value if isinstance(type_, DictType) else type_.item
    learned.items[key] = Typed(item, value.span, unites=True)
    if isinstance(type_, DictType):
        learned.items[key_of(key)] = Typed(type_.key, value.span, unites=True)
