"""What is put into lists and containers in fields, where these were told to hold something else.

    class Table:
        def __init__(self, n):
            self.slots = [None] * n         list[str | None], as put() stores texts

        def put(self, i, word):
            self.slots[i] = word

What a variable holds remembers of which field it is an item, `row = self.grid[i]`.
"""

from scriptc.check.bindings import HeldBy, ListKey, Typed, united_types
from scriptc.check.checked import CheckedClass
from scriptc.check.context import Context
from scriptc.check.declared_displays import learn_declared, tell_declared
from scriptc.check.open_types import is_open, key_of
from scriptc.check.size_names import without_sizes
from scriptc.check.wider_types import part_of, wider_type, with_item
from scriptc.syntax import nodes as n
from scriptc_runtime.record import replace
from scriptc_runtime.types import NONE, DequeType, DictType, ListType, SetType, Type


def of_field(found: Typed, declared: CheckedClass, name: str) -> Typed:
    """Return what a field holds, which remembers the field if more may be put into it."""
    if not isinstance(found.type, ListType | DequeType | DictType | SetType):
        return found
    return replace(found, held_by=HeldBy(declared.name, name))


def inner_field(base: Typed) -> HeldBy | None:
    """Return the field that an item of `base` is in."""
    found = base.held_by
    return replace(found, depth=found.depth + 1) if found else None


def tell_item(context: Context, at: n.Node, base: Typed, value: Typed, part: str = "item") -> None:
    """Say what is put into what a field holds, where it does not fit.

    The next check knows that the field holds more by that. `part` is `item`, or `key` of dicts.
    """
    found = base.held_by
    if found is None or (is_open(value.type) and part_of(base.type, part) is not NONE):
        return
    if found.display is not None:
        whole = context.learned.declared[found.display]
        if not value.literal:  # which gives way
            tell_declared(context, at, found, whole, value.type, part)
        return
    known = context.class_named(found.owner).fields.get(found.name)
    told = with_item(known, found.depth, part, without_sizes(value.type)) if known else None
    if told is None or _holds(base.type, part, value.type):
        return
    if context.tell_field(found.owner, found.name, replace(value, type=told)):
        context.fail(
            "type-merge",
            f"the field {found.name!r} is {known}, and cannot take {value.type}",
            at,
            why="what it holds has one type, or is a union of some that tests tell apart",
            instead="annotate it in the class body, or convert the value",
        )


def learn_inferred(context: Context, target: n.Node, value: Typed, inferred: Type) -> bool:
    """Note what a field of this type tells of what an `__init__` gives it.

    Raises what gives up this pass where a display holds more by that. Return whether the type says
    all that the field holds.
    """
    if is_open(value.type):
        context.learn_items(value, Typed(inferred, value.span))
    elif value.type != inferred and (
        learn_declared(context, value, inferred) or _learn_told(context, value, inferred)
    ):
        raise context.not_known_yet(target)
    return not is_open(inferred) or value.type is NONE


def _learn_told(context: Context, value: Typed, told: Type) -> bool:
    """Note for the next pass what a display in an `__init__` holds, as its field is told to.

    Return whether something is new.
    """
    key, held = value.open_list, part_of(told, "item")
    if key is None or held is None or type(told) is not type(value.type):
        return False
    is_new = False
    if isinstance(told, DictType):
        is_new = _learn_part(context, key_of(key), told.key, value)
    return _learn_part(context, key, held, value) or is_new


def _learn_part(context: Context, key: ListKey, told: Type, around: Typed) -> bool:
    known = context.learned.items.get(key)
    if known is None or known.type == told:
        return False
    if known.open_list is not None:
        return _learn_told(context, known, told)
    wider = wider_type(known.type, told, known.literals, (), may_unite=True)
    if wider != told:
        return False
    context.learned.items[key] = Typed(told, around.span)
    return True


def _holds(type_: Type, part: str, value: Type) -> bool:
    held = part_of(type_, part)
    return held is not None and united_types(held, value) == held
