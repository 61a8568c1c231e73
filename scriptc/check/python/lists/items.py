"""What lists hold, where displays leave it open: what is put into a list says it.

An item type that a pass finds out is that of the next pass. Literals in a display give way to it,
so `[0] * n` may be filled with floats.
"""

from collections.abc import Mapping, Sequence

from scriptc.check import meeting_lists
from scriptc.check.bindings import (
    ListKey,
    Typed,
    merge,
    merge_types,
    united_types,
)
from scriptc.check.checked import Computation, Convert
from scriptc.check.context import Context
from scriptc.check.open_types import UNTOLD, is_open, key_of
from scriptc.check.size_names import without_sizes
from scriptc.check.told_items import inner_field, tell_item
from scriptc.check.wider_types import part_of, with_item
from scriptc.syntax import nodes as n
from scriptc_runtime import type_graphs
from scriptc_runtime.errors import TypeCheckError
from scriptc_runtime.record import replace
from scriptc_runtime.recursive_types import RecursiveUnion
from scriptc_runtime.types import (
    NONE,
    ClassType,
    Container,
    DequeType,
    DictType,
    ListType,
    OptionalType,
    PyType,
    SetType,
    Type,
    UnionType,
    all_parts,
)
from scriptc_runtime.unions import kind_of, members_of, union_of

_CONVERTED: Mapping[Type, str] = {
    type_: f": {type_}(x)" for type_ in (PyType.INT, PyType.FLOAT, PyType.COMPLEX, PyType.BOOL)
}


def known_item(context: Context, key: ListKey | None) -> Typed | None:
    """Return what is known of the items of a display, with what is known of theirs."""
    known = context.learned.items.get(key) if key else None
    if known is None or known.open_list is None or isinstance(known.type, RecursiveUnion):
        return known
    inner = known_item(context, known.open_list)
    if inner is None:
        return known
    keys = context.learned.items.get(key_of(known.open_list))
    return replace(known, type=_holding(known.type, without_sizes(inner.type), keys))


def require_told(
    context: Context, items: Sequence[n.Expression], values: Sequence[Typed], merged: Typed | None
) -> None:
    """Wait for what a list holds that stands beside values of other types, `[7, [x for x in xs]]`.

    A union that holds what is not known yet takes no other list later.
    """
    if merged is None or not isinstance(merged.type, UnionType):
        return
    for item, value in zip(items, values, strict=True):
        if is_open(value.type) and value.open_list is not None:
            raise context.not_known_yet(item)


def _holding(type_: Type, held: Type, keys: Typed | None) -> Type:
    match type_:
        case OptionalType(item):
            return OptionalType(_holding(item, held, keys))
        case UnionType(members):
            blocks = [m for m in members if isinstance(m, ListType | Container)]
            others = (m for m in members if m not in blocks)
            return union_of((*others, *(_holding(m, held, keys) for m in blocks))) or type_
        case SetType(frozen=frozen):
            return SetType(held, frozen)
        case DequeType():
            return DequeType(held)
        case DictType():
            # What the values are may be known before any key is: that a defaultdict makes ints.
            return replace(type_, key=keys.type, value=held) if keys else type_
        case ListType():
            return ListType(held)
        case _:
            return type_  # a number that stood beside a list, and was told from it


def learn_absent(context: Context, key: ListKey, value: Typed) -> bool:
    """Note that what holds None holds a list that says nothing, too, or the other way round.

    Return whether that is so.
    """
    known = context.learned.items.get(key)
    if known is not None and known.type is NONE and is_open(value.type):
        type_ = value.type if isinstance(value.type, OptionalType) else OptionalType(value.type)
        context.learned.items[key] = replace(value, type=type_)
        return True
    whole = known_item(context, key)
    is_list = whole is not None and is_open(whole.type) and not isinstance(whole.type, OptionalType)
    if known is not None and is_list and value.type is NONE:
        context.learned.items[key] = replace(known, type=OptionalType(known.type))
        return True
    return False


def inner_list(context: Context, base: Typed) -> ListKey | None:
    """Return the display that the items of a list come from, where they are lists."""
    known = context.learned.items.get(base.open_list) if base.open_list else None
    if known and isinstance(known.type, RecursiveUnion) and base.type in known.type.members:
        return base.open_list  # each of its like says what all of them hold
    return known.open_list if known else None


def of_items(context: Context, base: Typed, item: Typed) -> Typed:
    """Return an item of a list or container with what is known of lists in it."""
    return replace(item, open_list=inner_list(context, base), held_by=inner_field(base))


def learn(context: Context, at: n.Node, base: Typed, value: Typed) -> bool:
    """Note for the next pass that a list holds `value`; return whether something is new."""
    if base.open_list is None:
        if not isinstance(base.type, ListType):
            return False
        # What is declared says what an empty list in it holds.
        if context.learn_items(value, Typed(base.type.item, base.span)):
            return True
        tell_item(context, at, base, value)
        return False
    if meeting_lists.is_ring(context.learned, base.open_list, value):
        return learn_ring(context, at, base, value)
    if learn_absent(context, base.open_list, value):
        return True
    known = known_item(context, base.open_list)
    if known is not None and _is_one_of(known.type, value.type):
        learn_open(context, known, value)
        known = None  # the others say what it holds
    if known is not None and (is_open(value.type) or is_open(known.type)):
        return learn_open(context, known, value)
    merged = value if known is None else context.merge_or_unite(known, value)
    if merged is None:
        assert known is not None
        context.refuse_merge(
            f"the list holds {known.type} and cannot take {value.type}",
            at,
            known,
            value,
            why="all items of a list have one type",
        )
    is_new = known is None or merged.type != known.type
    if is_new or not merged.literals:
        context.learned.items[base.open_list] = merged
    return is_new


def _is_one_of(known: Type, type_: Type) -> bool:
    """Whether what says nothing is one of what may be of several types, which say all."""
    members = members_of(type_)
    says_nothing = is_open(known) and not is_open(type_)
    return says_nothing and len(members) > 1 and kind_of(known) in map(kind_of, members)


def united(
    context: Context, node: n.List, known: Typed | None, values: Sequence[Typed]
) -> Typed | None:
    """Return the union that the items of a display have; None where one type does, or none."""
    items = [known, *values] if known else list(values)
    told = [value for value in items if not is_open(value.type)]
    whole = context.unite(*told) if 1 < len(told) < len(items) else None
    for value in values if whole else ():
        if (
            whole
            and is_open(value.type)
            and meeting_lists.let_hold(context.learned, value, whole.type)
        ):
            raise context.not_known_yet(node)
    merged = items[0] if items else None
    for value in items[1:]:
        merged = merged and merge(merged, value)
    if merged is not None or not items:
        return None
    return context.unite(*items) or meeting_lists.hold_all(context.learned, items)


def ended(context: Context, key: ListKey, node: n.List, values: Sequence[Typed]) -> Sequence[Typed]:
    """Return the items of a display, of which those that hold it say by their types what they hold.

    Raises what gives up this pass where they did not say it so far.
    """
    rings = [meeting_lists.is_ring(context.learned, key, value) for value in values]
    if not any(rings):
        return values
    known = context.learned.items.get(key)
    base = Typed(ListType(known.type if known else UNTOLD), context.span(node), open_list=key)
    for value, ring in zip(values, rings, strict=True):
        if ring and learn_ring(context, node, base, value):
            raise context.not_known_yet(node)
    pairs = zip(values, rings, strict=True)
    return [replace(value, open_list=None) if ring else value for value, ring in pairs]


def learn_open(context: Context, known: Typed, value: Typed) -> bool:
    """Note what one of two holds that says nothing, as the other one, or a part of it, does."""
    if context.learn_items(value, known):
        return True
    return is_open(value.type) and meeting_lists.let_hold(context.learned, value, known.type)


def learn_ring(context: Context, at: n.Node, base: Typed, value: Typed) -> bool:
    """Note that a list holds itself, or one that holds it; return whether something is new."""
    if context.learned.may_unite:
        return meeting_lists.close_ring(context.learned, base, value)
    context.fail(
        "recursion",
        "a list cannot be an item of itself",
        at,
        why="the type of its items would hold itself, without an end",
        instead="keep places of items, in a list of ints",
    )


def fit_item(
    context: Context, at: n.Node, value: Computation, whole: Type, known: Typed, part: str = "item"
) -> Computation:
    """Return `value` as an item of a list or container, or as a key of a dict."""
    item = part_of(whole, part)
    assert item is not None
    if value.type == item:
        return value
    if united_types(item, value.type) == item:
        return Convert(value, item)
    merged = merge_types(item, value.type, (), known.literals)
    if merged == item:
        return Convert(value, item)
    try:
        # What is appended may be what is only tried where nothing says what a list holds.
        is_written = isinstance(at, n.Subscript) and context.learned.may_unite
        wider = with_item(whole, 0, part, value.type) if is_written else None
        if wider is not None and not _holds_functions(context, wider, whole):
            context.rounds.joins.tell(whole, wider)
        context.refuse_merge(
            f"{whole} cannot hold {value.type}",
            at,
            Typed(item, context.span(at)),
            known,
            why="all items of a list have one type, and so have keys and values of a dict",
            instead=f"convert the value first{_CONVERTED.get(item, '')}",
        )
    except TypeCheckError as doubt:
        if type_graphs.joined((item, value.type)) != item:
            raise
        # It may be what the items were taken for before, or will be told to hold more.
        context.learned.doubts.append(doubt)
        raise context.not_known_yet(at) from doubt


def _holds_functions(context: Context, *types: Type) -> bool:
    """Whether a type names functions, which the next check may know by other names."""
    parts = (part for type_ in types for part in all_parts(type_))
    return any(isinstance(p, ClassType) and context.function_called(p.name) for p in parts)


def meet(context: Context, at: n.Node, first: Typed, second: Typed) -> None:
    """See to it that two lists hold items of one type.  Raises what gives up this pass."""
    join_displays(context, at, first, second)
    if _held(first) != _held(second):
        one, two = (_item(context, value) for value in (first, second))
        context.refuse_merge(
            f"one list holds {one.type} and the other one {two.type}",
            at,
            one,
            two,
            why="all items of a list have one type",
        )


def join_displays(context: Context, at: n.Node, first: Typed, second: Typed) -> None:
    """Let displays among two lists hold what is in either.  Raises what gives up this pass."""
    if context.learn_items(first, second):
        raise context.not_known_yet(at)
    context.require_items(at, first)
    context.require_items(at, second)
    if _held(first) == _held(second):
        return
    one, two = (_item(context, value) for value in (first, second))
    merged = merge(one, two)
    lists = (first, second)
    if merged is not None:
        item = without_sizes(merged.type)
        changed = [v for v in lists if _held(v) != item]
        if all(value.open_list for value in changed):
            for value in changed:
                assert value.open_list
                context.learned.items[value.open_list] = merged
            raise context.not_known_yet(at)


def _item(context: Context, value: Typed) -> Typed:
    return known_item(context, value.open_list) or Typed(_held(value), value.span)


def _held(value: Typed) -> Type:
    assert isinstance(value.type, ListType)
    return value.type.item


def declared_list(value: Typed) -> ListType | None:
    """Return the type of a list that need not learn it from what is put in; None for all else."""
    type_ = value.type
    if not isinstance(type_, ListType) or type_.frozen or value.open_list or is_open(type_):
        return None
    return type_
