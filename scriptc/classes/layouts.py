"""Objects of a scripted class whose fields get wider types: they move into blocks of these.

    box = Stack()           fields: items, a list into which nothing was put
    box.push("a")           fields: items, list[str]

Code that was made for the objects as they were is found anew, by the number of the class's layout.
"""

import gc
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import cast

from scriptc.backends.llvm.loading.callable import CallableBody
from scriptc.classes.completion import complete, give_up, objects_in
from scriptc.classes.scripted_class import (
    LAYOUT,
    Access,
    ClassState,
    class_names,
    is_blank,
    kept_containers,
    layout_of,
    line_of_states,
    state_of,
)
from scriptc.values.kinds import Parameter
from scriptc_runtime.errors import Diagnostic, TypeCheckError
from scriptc_runtime.types import (
    ClassType,
    DequeType,
    DictType,
    ListType,
    OptionalType,
    SetType,
    TupleType,
    Type,
    UnionType,
)
from scriptc_runtime.unions import members_of

# What stands for the items of a container of which it is not known what it holds.
_NOTHING = UnionType(())
_RETIRED: list[object] = []


def is_wider(new: Type, old: Type, states: Sequence[ClassState] = ()) -> bool:
    """Whether a value of one type may be kept as one of another, and reads the same.

    `states` are those of the classes that the types name.
    """

    def wider(new: Type, old: Type) -> bool:
        return is_wider(new, old, states)

    match new, old:
        case _ if old in (new, _NOTHING):
            return True
        case ClassType(base), ClassType(name):
            lines = (line_of_states(s.live) for s in states if s.live.__name__ == name)
            return any(other.live.__name__ == base for line in lines for other in line)
        case DictType(), DictType():
            of_kind = new.kind == old.kind and new.factory == old.factory
            return of_kind and wider(new.key, old.key) and wider(new.value, old.value)
        case (ListType(), ListType()) | (SetType(), SetType()):
            return new.frozen == old.frozen and wider(new.item, old.item)
        case DequeType(), DequeType():
            return wider(new.item, old.item)
        case ListType(frozen=True), TupleType():
            return all(wider(new.item, item) for item in old.items)
        case TupleType(), TupleType() if len(new.items) == len(old.items):
            return all(map(wider, new.items, old.items))
        case ((OptionalType() | UnionType()), _) | (_, UnionType()):
            return all(any(wider(n, o) for n in members_of(new)) for o in members_of(old))
        case _:
            return False


def move_objects(changed: Sequence[ClassState], change: Callable[[], None]) -> None:
    """Give the objects of classes, and those that hold such, the fields that `change` declares.

    What goes wrong leaves all as it was.
    """
    if not changed:
        change()
        return
    objects = list(_live_objects(changed))
    lists: dict[int, object] = {}
    values = _read(objects, changed, lists)
    kept = kept_containers()
    shared = kept.holders_read(lists) if kept else ()
    known = [(state, state.fields, state.opened, layout_of(state.live)) for state in changed]
    # As they were read: fields that `__init__` does not set may have another place by then.
    names = {state: [f.name for f in state.fields] for state in {_state(one) for one in objects}}
    functions = _functions()
    holders = [_access(instance).part(instance) for instance in objects]
    before = {id(instance): held for instance, held in zip(objects, holders, strict=True)}
    try:
        # First of all: what another thread calls meanwhile is no code for objects as they were.
        _number([(state, layout + 1) for state, _, _, layout in known], functions)
        change()
        _renew(changed)
        for instance, read in zip(reversed(objects), reversed(values), strict=True):
            state = _state(instance)
            named = dict(zip(names[state], read, strict=True))
            complete(state, instance, named, before)
        if kept is not None:
            kept.widen(shared, _typed(objects, values))
        holding = [(one.holder, (value,)) for one, value in shared]
        _unite([*holding, *zip(objects, values, strict=True)])
    except BaseException:
        for state, fields, opened, _ in known:
            state.show(fields, opened)
        _renew(changed)
        _number([(state, layout) for state, _, _, layout in known], functions)
        _give_back(objects, holders)
        if kept is not None:
            kept.widened(is_undone=True)
        raise
    if kept is not None:
        kept.widened(is_undone=False)
    if threading.active_count() > 1:
        _RETIRED.extend(holders)  # code of another thread may be in the midst of them


def _give_back(objects: Sequence[object], holders: Sequence[object]) -> None:
    """Give objects the fields again that holders have."""
    for instance, holder in zip(objects, holders, strict=True):
        if not is_blank(instance):
            _access(instance).part(instance)
        _access(instance).join(holder, instance)
        give_up(instance)


def _functions() -> list[CallableBody]:
    # No variable of the caller has all objects: an exception would keep them.
    return [f for f in cast("list[object]", gc.get_objects()) if isinstance(f, CallableBody)]


def _typed(
    objects: Sequence[object], values: Sequence[Sequence[object]]
) -> Iterator[tuple[Type, object]]:
    """Yield what the fields of objects hold, with the types that these have by now."""
    for instance, held in zip(objects, values, strict=True):
        for field, value in zip(_state(instance).fields, held, strict=True):
            yield field.type, value


def _unite(made: Sequence[tuple[object, Sequence[object]]]) -> None:
    """Have what is one list in the values of several objects be one in these."""
    seen: dict[int, object] = {}
    for instance, values in made:
        _access(instance).unite(_state(instance).fields, instance, values, seen)


def in_new_rings(
    fresh: Sequence[tuple[ClassState, Sequence[Parameter]]], others: Sequence[ClassState]
) -> Sequence[ClassState]:
    """Return the classes that are in a ring once others that inherit stand where their bases do.

        class Holder: item: Item            class Box(Item): holder: Holder

    The collector of rings does not know the objects that there are of these.
    """
    found: dict[ClassState, None] = {}
    for state, fields in fresh:
        bases = state.bases
        names = (
            {name for field in fields for name in class_names(field.type)} if bases else set[str]()
        )
        for other in others:
            if other.access is None or other in bases or other.live.__name__ not in names:
                continue
            led_to = [base for base in bases if _leads_to(other, [base])]
            if led_to and not any(_leads_to(base, [other]) for base in bases):
                found |= dict.fromkeys((other, *led_to))
    return list(found)


def _renew(states: Sequence[ClassState]) -> None:
    for state in states:
        assert state.access is not None  # there may be objects
        state.access.renew(state)


def _number(layouts: Sequence[tuple[ClassState, int]], functions: Sequence[CallableBody]) -> None:
    for state, layout in layouts:
        setattr(state.live, LAYOUT, layout)
    for function in functions:
        function._publish_anew()  # pyright: ignore[reportPrivateUsage] -- not for users


def _state(instance: object) -> ClassState:
    state = state_of(type(instance))
    assert state is not None
    return state


def _access(instance: object) -> Access:
    access = _state(instance).access
    assert access is not None  # it has fields
    return access


def _live_objects(changed: Sequence[ClassState]) -> Iterator[object]:
    """Yield the objects that Python has of classes, and of those that hold such."""
    if gc.get_freeze_count():
        gc.unfreeze()  # what is frozen is not among the objects
    concerned: dict[type[object], bool] = {}
    for found in cast("list[object]", gc.get_objects()):
        kind = type(found)
        if kind not in concerned:
            known = state_of(kind)
            concerned[kind] = known is not None and (
                known.is_generator or _leads_to(known, changed)
            )
        if concerned[kind] and not is_blank(found):
            if _state(found).is_generator:
                raise _in_use(changed[0])
            yield found


def _leads_to(start: ClassState, wanted: Sequence[ClassState]) -> bool:
    """Whether objects of a class hold some of others, or of their bases, or are of such."""
    lines = {state for each in wanted for state in line_of_states(each.live)}
    waiting, seen = [start], set[ClassState]()
    while waiting:
        state = waiting.pop()
        if state in lines:
            return True
        if state not in seen:
            seen.add(state)
            named = {name for field in state.fields for name in class_names(field.type)}
            found = [other for other in state.others if other.live.__name__ in named]
            # Where an object of a base is kept may be one that inherits, and holds more.
            heirs = (state_of(live) for other in found for live in other.known_heirs)
            waiting += [*found, *(heir for heir in heirs if heir is not None)]
    return False


def _in_use(state: ClassState) -> TypeCheckError:
    return TypeCheckError(
        Diagnostic(
            "class-field",
            f"the fields of class {state.live.__qualname__} get other types while a generator of a "
            "script is not at its end",
            why="the generator may hold objects as they were",
            instead="annotate the fields in the class body, or let the generator end before",
        )
    )


def _read(
    objects: list[object], changed: Sequence[ClassState], known: dict[int, object]
) -> list[list[object]]:
    """Return the values of the fields of objects; those that they alone hold are added to these.

    `known` gets the lists that were read, by identity.
    """
    seen = set(map(id, objects))
    values: list[list[object]] = []
    for instance in objects:
        state = _state(instance)
        values.append(state.read_all(instance, known))
        for field, value in zip(state.fields, values[-1], strict=True):
            for held in objects_in(field.type, value):
                if id(held) not in seen and _leads_to(_state(held), changed):
                    seen.add(id(held))
                    objects.append(held)
    return values
