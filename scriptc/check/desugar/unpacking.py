"""Targets that take a value apart, `a, b = x`: the items of a tuple, a list, a text or an array.

CPython iterates over the whole value before it binds anything, so all items are computed first.
How many there are is compared when the program is compiled, where types say it: tuples have a
length, and an array may have a known first size.  Elsewhere the program compares, and raises what
CPython raises.
"""

from collections.abc import Callable, Sequence

from scriptc.check import exception_arguments, records
from scriptc.check.bindings import Typed, items_at, united_types
from scriptc.check.checked import After, Check, Computation, Convert, Literal, Select, Stored
from scriptc.check.context import Context
from scriptc.check.library.call import LibraryCall
from scriptc.check.named_types import is_records, plain
from scriptc.check.operators import presence
from scriptc.check.present import narrow_name
from scriptc.check.python import type_errors
from scriptc.check.python.lists.operators import characters, held_list
from scriptc.check.scopes import bound_by, target_names, walk
from scriptc.check.size_names import without_sizes
from scriptc.syntax import nodes as n
from scriptc_runtime.errors import Note
from scriptc_runtime.ops import arrays, data, elementwise, exceptions, texts, unions
from scriptc_runtime.record import replace
from scriptc_runtime.types import (
    BYTES,
    EXCEPTION_ARGS,
    INT,
    NONE,
    STR,
    ClassType,
    Container,
    ListType,
    OptionalType,
    PyType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.unions import union_of


def unpack(context: Context, target: n.Tuple, value: Typed) -> None:
    """Check that `target` can take the items of `value`, and bind them."""
    value = plain(value)
    if any(isinstance(elt, n.Starred) for elt in target.elts):
        _unpack_starred(context, target, value)
        return
    whole: Computation = Stored(value.type)
    if is_records(value.type) and records.rank_of(value.type) == 0:
        whole = records.unpacked(context, target, whole)
        value = Typed(whole.type, value.span)
    if isinstance(value.type, OptionalType):
        whole = _present(context, target, value.type)
        value = replace(value, type=value.type.item, literals=())
    elif isinstance(value.type, UnionType) and (of := _of_tuples(context, target, value.type)):
        whole, value = of, replace(value, type=of.type, literals=())
    value, whole = _listed(context, target, value, whole)
    match value.type:
        case TupleType(items):
            _require_count(context, target, value, len(items))
            context.facts.unpacked.pop(target, None)
            if not isinstance(whole, Stored):
                taken = (
                    context.apply(target, data.ITEM, whole, index=i) for i in range(len(items))
                )
                context.facts.unpacked[target] = tuple(taken)
            for index, (elt, item) in enumerate(zip(target.elts, items, strict=True)):
                context.assign(elt, Typed(item, value.span, items_at(value.literals, index)))
        case ListType() | TensorType(dims=(_, *_)) | PyType.STR | PyType.EXCEPTION_ARGS:
            _unpack_items(context, target, value, whole)
        case PyType.BYTES:
            _unpack_items(context, target, *characters(context, target, value, whole))
        case other:
            context.fail(
                "unpack",
                f"{other} cannot be unpacked",
                target,
                why="it has no items",
                instead="unpack a tuple, a list, a text or an array with axes",
                notes=(Note(f"{other} comes from here", value.span),),
            )


def narrow_by_shape(context: Context, target: n.Expression, value: n.Expression) -> None:
    """Note how many axes an array of several ranks has after `n, m = x.shape`."""
    match target, value:
        case n.Tuple(elts=targets), n.Attribute(value=n.Name(id=name) as array, attr="shape"):
            held = (context.env or {}).get(name)
        case _:
            return
    if not isinstance(held, Typed) or not isinstance(held.type, UnionType):
        return
    if any(isinstance(elt, n.Starred) or name in target_names(elt) for elt in targets):
        return
    members = held.type.members
    left = [m for m in members if not isinstance(m, TensorType) or len(m.dims) == len(targets)]
    narrowed = union_of(left)
    if narrowed is not None and len(left) < len(members):
        narrow_name(context, array, narrowed)


def _listed(
    context: Context, target: n.Tuple, value: Typed, whole: Computation
) -> tuple[Typed, Computation]:
    """Return what a loop over a container or an object gives as a list; other values stay."""
    if not isinstance(value.type, Container | ClassType):
        return value, whole
    context.require_items(target, value)
    call = LibraryCall(context, n.Call(target.lo, target.hi, target, (), ()), "unpacking")
    made = call.standard("stars", "listed", whole)
    return replace(value, type=made.type, literals=()), made


def _present(context: Context, target: n.Tuple, type_: OptionalType) -> Computation:
    """Return what is taken apart; the run raises where there is None."""
    held, message = Stored(type_), "cannot unpack non-iterable NoneType object"
    is_there = presence(context, target, held)
    return Check(is_there, "TypeError", message, Convert(held, type_.item), type_.item)


def _of_tuples(context: Context, target: n.Tuple, type_: UnionType) -> Check | None:
    """Return what is taken apart of a union, of tuples or of one list beside what has no items.

    The run raises where it has no items, or is a tuple of another length. None where there are
    several lists and the like in it, or no tuple of that length.
    """
    count = len(target.elts)
    errors = {member: type_errors.of_iteration(member) for member in type_.members}
    left = [member for member, error in errors.items() if error is None]
    tuples = {len(m.items): m for m in left if isinstance(m, TupleType)}
    if len(left) != 1 and (len(tuples) < len(left) or count not in tuples):
        return None
    held, fitting = Stored(type_), tuples.pop(count, left[0])
    found: Computation = Convert(held, fitting)
    for length, other in tuples.items():
        is_it = context.apply(target, unions.HOLDS, held, type=other)
        error = type_errors.of_count(length, count)
        assert error is not None
        is_not = context.apply(target, elementwise.NOT, is_it)
        found = Check(is_not, *error, found, fitting)
    for other, error in errors.items():
        if error is not None:
            is_not = context.apply(
                target, elementwise.NOT, context.apply(target, unions.HOLDS, held, type=other)
            )
            message = f"cannot unpack non-iterable {error[1].split(chr(39))[1]} object"
            found = Check(is_not, "TypeError", message, found, fitting)
    return found if isinstance(found, Check) else None


def _unpack_starred(context: Context, target: n.Tuple, value: Typed) -> None:
    """Bind a list of the items that the other targets leave to the one with a `*`."""
    place = next(i for i, elt in enumerate(target.elts) if isinstance(elt, n.Starred))
    before, behind = target.elts[:place], target.elts[place + 1 :]
    context.require_items(target, value)
    value, whole = _listed(context, target, value, Stored(value.type))
    if value.type is BYTES:
        value, whole = characters(context, target, value, whole)
    if isinstance(value.type, TupleType):
        found = _items_and_rest(context, target, value, place)
    elif several := _of_several_lengths(context, target, value, place):
        found = several
    elif isinstance(value.type, ListType | TensorType) or value.type is STR:
        call = LibraryCall(context, n.Call(target.lo, target.hi, target, (), ()), "unpacking")
        counts = Literal(len(before), INT), Literal(len(behind), INT)
        rest = call.standard("shapes", "rest", whole, *counts)
        after = After((rest,), whole, value.type)  # which has compared the number of items
        found = [_item(context, target, after, index) for index in range(len(before))]
        found.append(rest)
        found += [_item(context, target, after, index) for index in range(-len(behind), 0)]
    else:
        context.fail(
            "unpack",
            f"{value.type} cannot be unpacked to a target with `*`",
            target,
            instead="unpack a tuple, an array, a list or a text",
            notes=(Note(f"{value.type} comes from here", value.span),),
        )
    context.facts.unpacked[target] = tuple(found)
    for elt, item in zip(target.elts, found, strict=True):
        plain = elt.value if isinstance(elt, n.Starred) else elt
        context.assign(plain, Typed(item.type, value.span, borrowed=held_list(value)))


def _of_several_lengths(
    context: Context, target: n.Tuple, value: Typed, place: int
) -> list[Computation] | None:
    """Return what targets get of tuples of several lengths; None where types differ.

    The run raises where one has too few items.
    """
    fixed = len(target.elts) - 1
    members = value.type.members if isinstance(value.type, UnionType) else ()
    tuples = [m for m in members if isinstance(m, TupleType)]
    fits = [m for m in tuples if len(m.items) >= fixed]
    if len(tuples) < len(members) or not fits:
        return None
    held = Stored(value.type)
    places = [*range(place), *range(place - fixed, 0)]
    rests = {m: m.items[place : place + len(m.items) - fixed] for m in fits}
    types = {without_sizes(item) for items in rests.values() for item in items}
    if len(types) != 1 or any(len({m.items[i] for m in fits}) > 1 for i in places):
        return None
    (kept,) = types

    def chosen(part: Callable[[TupleType, Computation], Computation]) -> Computation:
        made = [part(m, Convert(held, m)) for m in fits]
        result = made[-1]
        for member, found in zip(fits[:-1], made[:-1], strict=True):
            holds = context.apply(target, unions.HOLDS, held, type=member)
            result = Select(holds, found, result, found.type)
        return result

    def item(index: int) -> Computation:
        def of(member: TupleType, whole: Computation) -> Computation:
            return context.apply(target, data.ITEM, whole, index=index % len(member.items))

        return chosen(of)

    def rest(member: TupleType, whole: Computation) -> Computation:
        places = range(place, place + len(rests[member]))
        items = [context.apply(target, data.ITEM, whole, index=index) for index in places]
        return context.apply(target, data.LIST, *items, item=kept)

    found = [*map(item, range(place)), chosen(rest), *map(item, range(place - fixed, 0))]
    for short in (m for m in tuples if m not in fits):
        is_it = context.apply(target, unions.HOLDS, held, type=short)
        count = f"expected at least {fixed}, got {len(short.items)}"
        is_not = context.apply(target, elementwise.NOT, is_it)
        message = f"not enough values to unpack ({count})"
        found[0] = Check(is_not, "ValueError", message, found[0], found[0].type)
    return found


def _items_and_rest(
    context: Context, target: n.Tuple, value: Typed, place: int
) -> list[Computation]:
    assert isinstance(value.type, TupleType)
    whole, count = Stored(value.type), len(value.type.items)
    left = count - len(target.elts) + 1
    if left < 0:
        _require_count(context, target, value, count)
    items = [context.apply(target, data.ITEM, whole, index=i) for i in range(count)]
    middle = items[place : place + left]
    types = {item.type for item in middle}
    starred = target.elts[place]
    if len(types) != 1 and _is_never_read(context, starred):
        return [*items[:place], context.apply(target, data.TUPLE, *middle), *items[place + left :]]
    whole_type = _type_of_all(middle)
    if whole_type is None:
        found = " and ".join(sorted(map(str, types))) or "nothing"
        context.fail(
            "unpack",
            f"the target with `*` would be a list of {found}",
            starred,
            why="all items of a list have one type, which must be known",
            instead="slice the tuple: t[1:]",
            notes=(Note("the values come from here", value.span),),
        )
    held = without_sizes(whole_type)
    values = [item if item.type == whole_type else Convert(item, held) for item in middle]
    rest = context.apply(target, data.LIST, *values, item=held)
    return [*items[:place], rest, *items[place + left :]]


def _type_of_all(items: Sequence[Computation]) -> Type | None:
    """Return the type of a list of some items; None where there is none."""
    found = items[0].type if items else None
    for item in items[1:]:
        found = found and united_types(found, item.type)
    return found


def _is_never_read(context: Context, starred: n.Expression) -> bool:
    """Whether a target with `*` is a variable of which all mentions are targets."""
    definition = context.definition
    if definition is None or not isinstance(starred, n.Starred):
        return False
    if not isinstance(starred.value, n.Name):
        return False
    name = starred.value.id
    nodes = list(walk(definition.body))
    mentions = sum(isinstance(node, n.Name) and node.id == name for node in nodes)
    return mentions == sum(bound == name for node in nodes for bound in bound_by(node))


def _require_count(context: Context, target: n.Tuple, value: Typed, count: int) -> None:
    if count == len(target.elts):
        return
    context.fail(
        "unpack",
        f"{count} values for {len(target.elts)} targets",
        target,
        instead="write one target for each value",
        notes=(Note("the values come from here", value.span),),
    )


def _unpack_items(context: Context, target: n.Tuple, value: Typed, whole: Computation) -> None:
    context.require_items(target, value)
    call = LibraryCall(context, n.Call(target.lo, target.hi, target, (), ()), "unpacking")
    if isinstance(value.type, ListType):
        size: Computation = context.apply(target, data.LIST_LEN, whole)
    elif value.type is STR:
        size = context.apply(target, data.STR_LEN, whole)
    elif value.type is EXCEPTION_ARGS:
        size = context.apply(target, exceptions.ARGUMENT_COUNT, whole)
    else:
        assert isinstance(value.type, TensorType)
        first = value.type.dims[0]
        if first.is_constant:
            _require_count(context, target, value, first.constant)
        size = context.apply(target, arrays.DIM, whole, axis=0)
    wanted = Literal(len(target.elts), INT)
    check = call.standard("shapes", "require_items", size, wanted)
    known = isinstance(value.type, TensorType) and value.type.dims[0].is_constant
    checked = whole if known else After((check,), whole, value.type)
    found = [_item(context, target, checked, index) for index in range(len(target.elts))]
    context.facts.unpacked[target] = tuple(found)
    for elt, item in zip(target.elts, found, strict=True):
        borrowed = value.borrowed if isinstance(item.type, ListType) else None
        context.assign(elt, Typed(item.type, value.span, borrowed=borrowed))


def _item(context: Context, at: n.Node, whole: Computation, index: int) -> Computation:
    number = Literal(index, INT)
    if isinstance(whole.type, ListType):
        return context.apply(at, data.LIST_GET, whole, number)
    if whole.type is STR:
        return context.apply(at, texts.STR_GET, whole, number)
    if whole.type is EXCEPTION_ARGS:
        return exception_arguments.any_argument(context, at, whole, index)
    assert isinstance(whole.type, TensorType)
    if whole.type.rank == 1:
        return context.apply(at, arrays.INDEX, whole, number)
    rest = (Literal(None, NONE),) * 3 * (whole.type.rank - 1)
    letters = "i" + "s" * (whole.type.rank - 1)
    return context.apply(at, arrays.VIEW, whole, number, *rest, axes=letters)
