"""Types that would have no end: what holds a former state of itself is a type that holds itself.

items = []                      first a list of int
items.append(read(tokens))      then of int | list[int], and this list is one of the same:
return items or int(token)      rec = int | list[rec]
"""

from collections.abc import Callable

from scriptc.check.bindings import Environment, Typed
from scriptc_runtime import type_graphs
from scriptc_runtime.record import replace
from scriptc_runtime.types import Container, ListType, TupleType, Type
from scriptc_runtime.unions import kind_of, members_of, without_dims


def grown(before: Type | None, after: Type) -> Type:
    """Return what a result is taken for that was `before` and is `after` now."""
    if before is None or before == after:
        return after
    match before, after:
        case TupleType(items), TupleType(others) if len(items) == len(others):
            return TupleType(tuple(map(grown, items, others)))
        case _:
            pass
    known = set(members_of(before))
    return _closed(before, after, lambda inside: known <= set(members_of(inside))) or after


def becomes(type_: Type, whole: Type) -> bool:
    """Whether values of a type are those of another one but for tuples, which are made anew.

    Lists and containers stay what they are: others may know them.
    """
    return all(any(_fits(a, b) for b in members_of(whole)) for a in members_of(type_))


def _fits(member: Type, other: Type) -> bool:
    if member == other:
        return True
    if not isinstance(member, TupleType):
        return False
    if isinstance(other, ListType) and other.frozen:
        return all(becomes(item, other.item) for item in member.items)
    if not isinstance(other, TupleType) or len(member.items) != len(other.items):
        return False
    return all(map(becomes, member.items, other.items))


def with_ends(before: Environment, after: Environment) -> Environment:
    """Return the variables after an iteration, where what holds what it was has a type of that."""
    grown_ones: Environment = {}
    for name, binding in after.items():
        held = before.get(name)
        if isinstance(held, Typed) and isinstance(binding, Typed):
            type_ = grown(held.type, binding.type)
            if type_ != binding.type:
                grown_ones[name] = replace(binding, type=type_, open_list=None, unites=True)
    return {**after, **grown_ones} if grown_ones else after


def closed(before: Type, after: Type) -> Type | None:
    """Return the type of values of both, where what `after` holds of `before` is the whole again.

    None where it holds nothing of the kind, or where there is no such type.
    """
    blocks = _block_kinds(before)
    return _closed(before, after, lambda inside: not blocks.isdisjoint(_block_kinds(inside)))


def _closed(before: Type, after: Type, is_whole: Callable[[Type], bool]) -> Type | None:
    if not _block_kinds(before):
        return None
    whole = type_graphs.Node({})
    again: list[type_graphs.Node] = []

    def at(inside: Type, node: type_graphs.Node) -> None:
        if is_whole(inside):
            again.append(node)

    graph = type_graphs.Graph(at)
    try:
        graph.unite(whole, type_graphs.Graph().node(before))
        graph.unite(whole, graph.node(after))
        for node in again:  # which may hold more beside it
            graph.unite(node, type_graphs.Node(dict(whole.members)))
    except type_graphs.NoTypeError:
        return None
    return type_graphs.type_at(whole) if again else None


def _block_kinds(type_: Type) -> set[object]:
    """Return the kinds of lists, tuples and containers that values may be."""
    return {
        kind_of(member)
        for member in map(without_dims, members_of(type_))
        if isinstance(member, ListType | Container | TupleType)
    }
