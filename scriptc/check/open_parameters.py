"""Empty lists and dicts that are passed on: what the function puts in says what they hold.

    def visit(node): seen.append(node)
    seen = []
    visit(3)

Fields that hold an empty list where `__init__` ends are told the same way.

Such a call is checked with the list as one that says nothing, only to learn what is put in: in the
next pass over the caller the type is known, and the call is checked anew.
"""

from collections.abc import Iterator, Sequence

from scriptc.check.bindings import ListKey, Typed
from scriptc.check.checked import CheckedClass, Specialisation
from scriptc.check.context import Context
from scriptc.check.list_uses import ListUses
from scriptc.check.open_types import (
    EMPTY_DICT,
    EMPTY_LIST,
    UNTOLD,
    is_empty,
    is_open,
    key_of,
    untold,
)
from scriptc.check.python.lists.items import known_item
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    INT,
    Container,
    DequeType,
    DictType,
    ListType,
    OptionalType,
    SetType,
    Type,
)


def opened(context: Context, name: str, at: n.Node, value: Typed) -> Typed:
    """Return a parameter that does not say what it holds as a display that learns it."""
    node = context.learned.open_parameters.setdefault(name, n.Name(at.lo, at.hi, name))
    key: ListKey = (node, ())
    found = replace(value, open_list=key)
    is_made = isinstance(value.type, DictType) and value.type.kind in ("defaultdict", "Counter")
    if is_made or isinstance(value.type, ListType):
        _open_items(context, found)
    return replace(found, type=type_told(context, key, value.type))


def as_it_was_given(context: Context, value: Typed) -> Typed:
    """Return a parameter that said nothing as such a one, for calls of the function itself.

    So these tell the same check what they put in, not one of what was known before.
    """
    if value.open_list is None or is_open(value.type):
        return value
    opened = context.learned.open_parameters.values()
    if not any(value.open_list == (node, ()) for node in opened):
        return value
    return replace(value, type=untold(value.type))


def type_told(context: Context, key: ListKey, type_: Type) -> Type:
    """Return the type of a list or container with what is known of its items."""
    item, keys = known_item(context, key), context.learned.items.get(key_of(key))
    if item is None:
        return type_
    held = without_sizes(item.type)
    match type_:
        case OptionalType(inner):
            return OptionalType(type_told(context, key, inner))
        case ListType():
            return ListType(held)
        case SetType(_, frozen):
            return SetType(held, frozen)
        case DictType() if keys is not None:
            return replace(type_, key=keys.type, value=held)
        case DequeType():
            return DequeType(held)
        case _:
            return type_


def told_of(
    context: Context, parameters: Sequence[tuple[str, Typed]]
) -> tuple[tuple[str, Typed, Typed | None], ...]:
    """Return what is put into such parameters: items or values, and keys."""
    found: list[tuple[str, Typed, Typed | None]] = []
    for name, value in parameters:
        assert value.open_list is not None
        item = known_item(context, value.open_list)
        if item is not None and not is_open(item.type):
            keys = context.learned.items.get(key_of(value.open_list))
            found.append((name, _plain(item), _plain(keys) if keys else None))
    return tuple(found)


def _plain(value: Typed) -> Typed:
    return Typed(without_sizes(value.type), value.span, value.literals)


def may_be_told(value: Typed) -> bool:
    """Whether a list or dict that says nothing can be passed on to learn what it holds."""
    return (
        value.open_list is not None
        and is_open(value.type)
        and (
            value.type in (EMPTY_LIST, EMPTY_DICT)
            or isinstance(value.type, SetType | DequeType)
            or (isinstance(value.type, DictType) and value.type.kind != "dict")
        )
    )


def learn_told(context: Context, uses: ListUses, passed: Sequence[tuple[str, Typed]]) -> None:
    """Learn what a function puts into the lists that it was passed."""
    told = {name: (item, keys) for name, item, keys in uses.told}
    for parameter, value in passed:
        if parameter not in told or value.open_list is None:
            continue
        item, keys = told[parameter]
        if isinstance(value.type, DictType) and keys is not None:
            context.learned.items.setdefault(key_of(value.open_list), keys)
        known = context.learned.items.get(value.open_list)
        if known is not None and is_open(known.type):
            context.learn_items(known, item)
            continue
        wider = item if known is None else context.merge_or_unite(known, item)
        if known and wider and wider.unites and (whole := context.unite(known, item)):
            # The next pass is told no more of it: the list is no empty one then.
            wider = replace(wider, type=whole.type)
        if known is None or (wider is not None and wider.type != known.type):
            context.learned.items[value.open_list] = wider or item


def leave_to_others(context: Context, value: Typed) -> None:
    """Let this function end, though nothing in it says what a list or container holds."""
    held: Typed | None = value
    while held is not None and held.open_list is not None:
        left = set(map(id, _displays_in(held.open_list[0])))
        context.empty_lists = [key for key in context.empty_lists if id(key[0]) not in left]
        held = context.learned.items.get(held.open_list)


def _displays_in(node: n.Node) -> Iterator[n.Node]:
    """Yield a display and those in it, all of which are told what the first is told."""
    yield node
    match node:
        case n.List(elts=parts) | n.Dict(values=parts):
            for part in parts:
                yield from _displays_in(part)
        case _:
            pass


def open_field(context: Context, node: n.Attribute, declared: CheckedClass, value: Typed) -> Typed:
    """Return a field that holds an empty list or container as one that learns what it holds."""
    found = opened(context, f"{declared.name}.{node.attr}", node, value)
    _open_items(context, found)
    return found


def open_outside(context: Context, node: n.Expression, name: str, value: Typed) -> Typed:
    """Return what is captured and empty as something that learns what it holds."""
    found = opened(context, name, node, value)
    _open_items(context, found)
    return found


def open_result(context: Context, node: n.Call, callee: Specialisation, value: Typed) -> Typed:
    """Return the empty list that a function returns as one that learns what it holds."""
    name = f"{callee.function.__name__}@{id(callee.function)}:{node.lo}:{node.hi}"
    context.open_results[name] = callee, value.type
    found = opened(context, name, node, value)
    _open_items(context, found)
    context.facts.types[node] = found.type
    return found


def open_item(context: Context, node: n.Subscript, value: Typed) -> Typed:
    """Return the empty list that a generator gave as one that learns what it holds."""
    found = opened(context, f"item@{node.lo}:{node.hi}", node, value)
    _open_items(context, found)
    context.facts.types[node] = found.type
    return found


def _open_items(context: Context, value: Typed) -> None:
    """Let the lists in a list learn what they hold, too."""
    if isinstance(value.type, OptionalType):
        value = replace(value, type=value.type.item)
    assert isinstance(value.type, ListType | Container)
    assert value.open_list is not None
    if isinstance(value.type, DictType) and value.type.kind == "Counter":
        context.learned.items.setdefault(value.open_list, Typed(INT, value.span))
        return
    held = value.type.value if isinstance(value.type, DictType) else value.type.item
    if not is_open(held):
        if held != UNTOLD and is_empty(value.type):  # of a defaultdict, whose keys are not known
            context.learned.items.setdefault(value.open_list, Typed(held, value.span))
        return
    at, path = value.open_list
    inner = Typed(held, value.span, open_list=(at, (*path, 0)))
    if isinstance(value.type, DictType) and not is_empty(value.type):
        context.learned.items.setdefault(key_of(value.open_list), Typed(value.type.key, value.span))
    context.learned.items.setdefault(value.open_list, inner)
    _open_items(context, inner)
