"""Lists and containers that meet at one place, and hold different things: displays hold all of it.

    value = [1, 2] if flat else [[1], [2]]          list[int | list[int]]

    root = {}
    node = root
    for letter in word:
        node = node.setdefault(letter, {})          rec = dict[str, rec]: each is one of the others

What a display holds is learned for the next pass, as what is put into it is (`lists.items`).
"""

from collections.abc import Sequence

from scriptc.check.bindings import ListKey, Typed
from scriptc.check.endless_types import closed
from scriptc.check.learned import Learned
from scriptc.check.open_types import key_of
from scriptc_runtime.recursive_types import item_alone
from scriptc_runtime.type_graphs import Graph, Node, NoTypeError, found, joined, type_at
from scriptc_runtime.type_limits import excess_of
from scriptc_runtime.types import Container, DictType, ListType, Type
from scriptc_runtime.unions import kind_of, members_of


def meet(learned: Learned, first: Typed, second: Typed) -> bool:
    """Let displays hold what both of two hold; return whether one will hold more than before."""
    if not learned.may_unite:
        return False
    for outer, inner in ((first, second), (second, first)):
        if displays := _inside(learned, outer, inner):
            return _close(learned, displays, outer, inner)
    whole = joined((first.type, second.type))
    if whole is None:
        return False
    return let_hold(learned, first, whole) | let_hold(learned, second, whole)


def held_together(learned: Learned, known: Typed, value: Typed) -> Typed | None:
    """Return what is known of what holds `value` beside what no union holds beside it."""
    whole = joined((known.type, value.type))
    if whole is None or excess_of(whole, _DEEPEST):
        whole = closed(known.type, value.type)
    if whole is None:
        return None
    let_hold(learned, known, whole)
    let_hold(learned, value, whole)
    return Typed(item_alone(whole), value.span)


# Lists in lists in lists: of a type that is deeper, each level is the whole.
_DEEPEST = 6


def let_hold(learned: Learned, value: Typed, whole: Type) -> bool:
    """Let the display that a value comes from hold what lists of its kind in `whole` do."""
    if value.open_list is None or not isinstance(value.type, ListType | Container):
        return False
    kind = kind_of(value.type)
    found = next((member for member in members_of(whole) if kind_of(member) == kind), value.type)
    if found == value.type:
        return False
    assert isinstance(found, ListType | Container)
    _learn(learned, value.open_list, found, value)
    return True


def _close(learned: Learned, displays: Sequence[ListKey], outer: Typed, inner: Typed) -> bool:
    """Let a display that is an item of another one, and stands for that, be one of its like."""
    graph = Graph()
    whole = graph.node(outer.type)
    places = [whole]
    try:
        for _ in displays[1:]:
            places.append(_item(places[-1]))
        graph.unite(whole, places[-1])
        graph.unite(whole, graph.node(inner.type))
    except NoTypeError:
        return False
    types = [type_at(found(place)) for place in places]
    before = learned.state
    for key, type_ in zip(displays, types, strict=True):
        if isinstance(type_, ListType | Container):
            _learn(learned, key, type_, outer)
    return learned.state != before


def _inside(learned: Learned, outer: Typed, inner: Typed) -> list[ListKey]:
    """Return the displays from one to another one that is an item in it; none if it is not."""
    keys: list[ListKey] = []
    at = outer.open_list
    while at is not None and at not in keys:
        keys.append(at)
        if at == inner.open_list:
            return keys if len(keys) > 1 else []
        item = learned.items.get(at)
        at = item.open_list if item else None
    return []


def _item(node: Node) -> Node:
    """Return the place of the items of the one list or container at a node."""
    ((_, places),) = node.members.values()
    return found(places[-1])


def _learn(learned: Learned, key: ListKey, type_: ListType | Container, value: Typed) -> None:
    item = type_.value if isinstance(type_, DictType) else type_.item
    learned.items[key] = Typed(item, value.span, unites=True)
    if isinstance(type_, DictType):
        learned.items[key_of(key)] = Typed(type_.key, value.span, unites=True)
