"""Types as graphs, in which what two of them hold at one place is one.

    int | list[int]  beside  list[str]          int | list[int | str]
    int | list[int], which a list beside an int then holds: int | list[int | list[int]]
        each is the whole once more             rec = int | list[rec]

A node is a place for values: the kinds of values there are, each with the places inside of it. Two
members of one kind cannot be told apart, so their places are one, too; that closes rings. What a
graph has at a node is one type, whichever way the graph came about: nodes that cannot be told apart
are one (Hopcroft 1971), and the text of a ring begins at the node that is asked for.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from threading import RLock

from scriptc_runtime.call_graph import groups
from scriptc_runtime.record import record, replace
from scriptc_runtime.recursive_types import RecursiveUnion, tie
from scriptc_runtime.types import (
    NONE,
    DequeType,
    DictType,
    ListType,
    NamedType,
    PyType,
    SetType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.unions import kind_of, members_of, union_of, without_dims

# So many lengths of tuples a place has at most; of more, there are tuples of any length.
MOST_LENGTHS = 5
_BLOCKS = (ListType, DictType, SetType, DequeType)


class NoTypeError(Exception):
    """What is at a node has no type: values there cannot be told apart."""


@record(eq=False, frozen=False)
class Node:
    """A place for values: for each kind of them one type, and the places inside of it."""

    members: dict[Hashable, tuple[Type, tuple["Node", ...]]]
    instead: "Node | None" = None  # which it has become one with


def found(node: Node) -> Node:
    """Return what a node is now."""
    while node.instead is not None:
        if node.instead.instead is not None:
            node.instead = node.instead.instead
        node = node.instead
    return node


class Graph:
    """Nodes for the places of types.

    `at` sees each place inside, and where a type stands that has a `wider` one, that stands, too.
    """

    def __init__(
        self,
        at: Callable[[Type, Node], None] | None = None,
        wider: Mapping[Type, Type] | None = None,
    ) -> None:
        self._at = at
        self._wider = wider or {}
        self._rings: dict[Type, Node] = {}

    def node(self, type_: Type) -> Node:
        """Return a new node for values of a type; a type that holds itself has one."""
        if isinstance(type_, RecursiveUnion):
            known = self._rings.get(type_)
            if known is not None:
                return known
        node = Node({})
        if isinstance(type_, RecursiveUnion):
            self._rings[type_] = node
        for member in members_of(type_):
            plain = without_dims(member)
            inside = tuple(map(self._inside, places_of(plain)))
            key = _key(plain)
            # Members may have become one with others meanwhile.
            self.unite(node, Node({key: (plain, inside)}))
            if plain in self._wider:
                self.unite(node, self._node_wider(plain))
        return found(node)

    def _node_wider(self, type_: Type) -> Node:
        if type_ not in self._rings:
            node = self._rings[type_] = Node({})
            self.unite(node, self.node(self._wider[type_]))
        return found(self._rings[type_])

    def _inside(self, type_: Type) -> Node:
        node = self.node(type_)
        if self._at:
            self._at(type_, node)
        return found(node)

    def unite(self, first: Node, second: Node) -> None:
        """Make two places one, and with them those inside of members of one kind."""
        waiting = [(first, second)]
        while waiting:
            one, two = map(found, waiting.pop())
            if one is two:
                continue
            two.instead = one
            for key, (type_, places) in two.members.items():
                if key not in one.members:
                    one.members[key] = type_, places
                    continue
                known, others = one.members[key]
                if _without_places(known) != _without_places(type_):
                    raise NoTypeError
                waiting += zip(others, places, strict=True)
            two.members = {}


def type_at(root: Node) -> Type | None:
    """Return the type of values at a node; None where there is none."""
    try:
        _collapse_tuples(root)
        with _ONE_AT_A_TIME:  # what is half made has no members yet
            return _Types(root).type_of(root)
    except NoTypeError:
        return None


_ONE_AT_A_TIME = RLock()


def places_of(type_: Type) -> tuple[Type, ...]:
    """Return the types of the places inside of values that are no union."""
    match type_:
        case TupleType(items) | NamedType(base=TupleType(items)):
            return items
        case ListType(item) | SetType(item) | DequeType(item):
            return (item,)
        case DictType(key, value):
            return (key, value)
        case _:
            return ()


def _holding(type_: Type, places: Sequence[Type]) -> Type:
    match type_:
        case TupleType():
            return TupleType(tuple(places))
        case NamedType(base=TupleType()):
            return replace(type_, base=TupleType(tuple(places)))
        case ListType() | SetType() | DequeType():
            return replace(type_, item=places[0])
        case DictType():
            return replace(type_, key=places[0], value=places[1])
        case _:
            return type_


def _without_places(type_: Type) -> Type:
    return _holding(type_, [NONE] * len(places_of(type_)))


def _key(type_: Type) -> Hashable:
    kind = kind_of(type_)
    return ("alone", _without_places(type_)) if kind is None else kind


def nodes_from(root: Node) -> list[Node]:
    """Return the nodes that a node leads to, itself first."""
    order = {found(root): None}
    waiting = [found(root)]
    while waiting:
        inside = [n for _, places in waiting.pop().members.values() for n in map(found, places)]
        new = [n for n in dict.fromkeys(inside) if n not in order]
        order |= dict.fromkeys(new)
        waiting += new
    return list(order)


# ------------------------------------------------------------------------------------------ tuples


def _collapse_tuples(root: Node) -> None:
    """Make tuples ones of any length where there are too many lengths, or where they nest.

    A tuple of known length has its items beside each other: one that holds itself has no end.
    """
    while True:
        nodes = nodes_from(root)
        nested = _on_rings(nodes, _tuple_places)
        for node in nodes:
            tuples = [key for key, (type_, _) in node.members.items() if _is_tuple(type_)]
            lengths = {key for key in tuples if isinstance(node.members[key][0], TupleType)}
            mixed = len(tuples) > len(lengths) > 0 or len(lengths) > MOST_LENGTHS
            if mixed or (lengths and node in nested):
                _collapse(node, tuples)
                break
        else:
            return


def _collapse(node: Node, tuples: Sequence[Hashable]) -> None:
    item = Node({})
    # All of them first: a place may be this one.
    for place in [place for key in tuples for place in node.members.pop(key)[1]]:
        Graph().unite(item, place)
    whole = ListType(NONE, frozen=True)
    Graph().unite(found(node), Node({_key(whole): (whole, (found(item),))}))


def _is_tuple(type_: Type) -> bool:
    return isinstance(type_, TupleType) or (isinstance(type_, ListType) and type_.frozen)


def _tuple_places(node: Node) -> Iterator[Node]:
    for type_, places in node.members.values():
        if isinstance(type_, TupleType | NamedType):
            yield from map(found, places)


# ------------------------------------------------------------------------------------- what is one


def _alike(nodes: Sequence[Node]) -> Mapping[Node, Node]:
    """Return for each node the first of those that cannot be told from it."""
    classes: dict[Node, Hashable] = dict.fromkeys(nodes, 0)
    count = 1
    while True:
        seen: dict[Hashable, int] = {}
        later: dict[Node, Hashable] = {}
        for node in nodes:
            inside = {
                key: (_without_places(type_), tuple(classes[found(n)] for n in places))
                for key, (type_, places) in node.members.items()
            }
            look = classes[node], frozenset(inside.items())
            later[node] = seen.setdefault(look, len(seen))
        classes = later
        if len(seen) == count:
            break
        count = len(seen)
    first: dict[Hashable, Node] = {}
    return {node: first.setdefault(classes[node], node) for node in nodes}


def _on_rings(nodes: Sequence[Node], after: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Return the nodes that lead to themselves."""
    names = {node: str(number) for number, node in enumerate(nodes)}
    edges = {
        names[node]: [names[n] for n in dict.fromkeys(after(node)) if n in names] for node in nodes
    }
    rings = [g for g in groups(edges) if len(g) > 1 or g[0] in edges[g[0]]]
    on_rings = {name for group in rings for name in group}
    return {node for node in nodes if names[node] in on_rings}


class _Types:
    """The types at the nodes of a graph: those at which rings are cut have a name of their own."""

    def __init__(self, root: Node) -> None:
        nodes = nodes_from(root)
        self._first = _alike(nodes)
        kept = [node for node in nodes if self._first[node] is node]
        if not all(map(_can_be_told_apart, kept)):
            raise NoTypeError
        rings = _on_rings(kept, self._after)
        self._cut = {node for node in rings if len(node.members) > 1}
        # Where no union is on a ring, it is cut where something is an item.
        left = [node for node in kept if node not in self._cut]
        items = {n for node in kept for n in self._after(node, _BLOCKS)}
        self._cut |= _on_rings(left, self._after) & items
        self._known: dict[Node, Type] = {}

    def type_of(self, node: Node) -> Type:
        """Return the type of values at a node."""
        node = self._first[found(node)]
        if len(node.members) == 1 and node in self._cut:
            # What is alone at its place is itself, and has the name of the place as an item alone.
            return self._member(*next(iter(node.members.values())))
        return self._inside(node)

    def _inside(self, node: Node) -> Type:
        node = self._first[found(node)]
        if node in self._known:
            return self._known[node]
        if node in self._cut:
            return tie(self._text(node, {}), lambda whole: self._members(node, whole))
        members = [self._member(*member) for member in node.members.values()]
        type_ = (union_of(members) or members[0]) if members else UnionType(())
        self._known[node] = type_
        return type_

    def _members(self, node: Node, whole: RecursiveUnion) -> Sequence[Type]:
        """Return the members of a type that holds itself, which is known from here on."""
        self._known[node] = whole
        return [self._member(*node.members[key]) for key in _in_order(node)]

    def _member(self, type_: Type, places: tuple[Node, ...]) -> Type:
        return _holding(type_, [self._inside(place) for place in places])

    def _after(self, node: Node, kinds: tuple[type, ...] = (object,)) -> Iterator[Node]:
        for type_, places in node.members.values():
            if isinstance(type_, kinds):
                yield from (self._first[found(place)] for place in places)

    def _text(self, node: Node, numbers: dict[Node, int]) -> str:
        """Return what is at a node as text: nodes that are cut are numbered as they are met."""
        node = self._first[found(node)]
        if node in numbers:
            return f"rec{numbers[node]}"
        if node in self._cut:
            numbers[node] = len(numbers)
        parts: list[str] = []
        for key in _in_order(node):
            type_, places = node.members[key]
            inside = ", ".join(self._text(place, numbers) for place in places)
            parts.append(f"{_without_places(type_)!r}<{inside}>" if places else repr(type_))
        return f"{'rec' if node in self._cut else 'one'}<{' | '.join(parts)}>"


def _can_be_told_apart(node: Node) -> bool:
    """Whether there are unions of what is at a node."""
    members = [_without_places(type_) for type_, _ in node.members.values()]
    return len(members) < 2 or union_of(members) is not None


def _in_order(node: Node) -> Sequence[Hashable]:
    """Return the kinds of values at a node, in one order whatever the graph came from."""

    def place(key: Hashable) -> tuple[bool, int, str]:
        type_ = _without_places(node.members[key][0])
        known = _PLACES.get(type_, len(_PLACES))
        return type_ is NONE, known, str(type_)

    return sorted(node.members, key=place)


_PLACES: Mapping[Type, int] = {type_: place for place, type_ in enumerate(PyType)}


# -------------------------------------------------------------------------------- what is asked for


@lru_cache(2048)
def joined(types: tuple[Type, ...], *, alike: bool = False) -> Type | None:
    """Return the type of values of all types, lists of several in one; None where there is none.

    Where they are `alike`, all lists and containers in them hold the same.
    """
    graph, whole = Graph(), Node({})
    try:
        for type_ in types:
            graph.unite(whole, graph.node(type_))
        members = [m for node in nodes_from(whole) if alike for m in node.members.values()]
        held = [places[-1] for type_, places in members if isinstance(type_, _BLOCKS)]
        if any(isinstance(type_, _BLOCKS) for type_, _ in whole.members.values()):
            held.append(whole)
        for place in held[1:]:
            graph.unite(held[0], place)
    except NoTypeError:
        return None
    return type_at(whole)
