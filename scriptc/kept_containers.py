"""Lists, dicts and sets of the caller's that an object keeps.

    scores = [90, 85]
    ann = Student("Ann", scores)        self.scores = scores
    scores.append(60)                   ann.average() sees it, as in Python

Compiled code has containers of its own. What is kept is given to it in an object, a *holder*, that
shares its container with whatever keeps it: see `calls_anew`.

As long as anybody else has the caller's container, calls bring both into step before and after: so
such calls go through Python (`ClassState.watch`). Most are displays, which nobody has when the call
has ended: the next call forgets these.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any, cast
from weakref import WeakKeyDictionary

from scriptc.cache.dependencies import digest_of
from scriptc.classes.completion import objects_in
from scriptc.classes.declaring import Declared, declare_all
from scriptc.classes.held_containers import copied, same
from scriptc.classes.scripted_class import STORED, ClassState, are_stored, is_blank, state_of
from scriptc.saved.pickles.objects import access_of
from scriptc.scripted_function import make_scripted
from scriptc.values.adapt import adapt
from scriptc.values.kinds import Parameter, classes_in, key_of
from scriptc_runtime.errors import Diagnostic, TypeCheckError
from scriptc_runtime.text.type_text import ir_text
from scriptc_runtime.types import OptionalType, Type, UnionType, all_parts, holds_list, parts_of
from scriptc_runtime.unions import member_of

_Fill = Callable[[object, object], object]

KINDS = (list, dict, set)


class Kept:
    """A container of the caller's, and what shares its content in compiled code."""

    __slots__ = ("fill", "given", "holder", "inside", "outside", "places", "type")

    def __init__(self, given: Any, holder: object, type_: Type | None, fill: _Fill) -> None:
        self.given = given
        self.holder = holder  # None, as the type, where nothing says what it holds
        self.type = type_
        self.fill = fill
        self.places: Sequence[int] = ()  # of the container in compiled code, while it is kept
        # What either side had when they were in step.
        self.outside = copied(given)
        self.inside: object = None
        if type_ is not None:
            known: dict[int, object] = {}
            self.inside = _fields_of(holder, known)[0]
            self.places = [place for place, one in known.items() if one is self.inside]
            _AT.update(dict.fromkeys(self.places, self))

    @property
    def is_alone(self) -> bool:
        """Whether nobody else has the container."""
        return sys.getrefcount(self.given) <= _ALONE

    def take(self) -> None:
        """Let compiled code have what Python has put into the container."""
        if self.type is None:
            raise refused(self.given, "held nothing when the object was made")
        if same(self.given, self.outside):
            return
        if any(map(holds_list, parts_of(self.type))):
            raise refused(self.given, "holds others, and was changed by Python")
        named = Parameter(f"{type(self.given).__name__} that an object keeps", self.type)
        now = copied(self.given)  # which other threads may change meanwhile
        self.fill(self.holder, adapt("a call", [named], [now], "the")[0])
        self.outside, self.inside = now, _read(self.holder)

    def give(self) -> None:
        """Let Python have what compiled code has put into it."""
        now = None if self.type is None else _read(self.holder)
        if now is None or same(now, self.inside):
            return
        if not same(self.given, self.outside):
            raise refused(self.given, "was changed by a call twice, also in the object")
        if any(sys.getrefcount(part) > _IN_ONE for part in _containers_in(self.given)):
            raise refused(self.given, "holds others that Python has, and was changed by a script")
        _put_back(self.given, now)
        self.outside, self.inside = copied(self.given), now


# By the identity of the caller's container.
KEPT: dict[int, Kept] = {}
_AT: dict[int, Kept] = {}  # by the place of the container in compiled code
# The classes of objects that may keep some, and of those that may lead to such.
_WATCHED: dict[ClassState, None] = {}
# Of calls that are in step: what one changes, no other one may give.
_LOCK = [threading.RLock()]


class _Running(threading.local):
    """How many calls of this thread are in step."""

    calls = 0


_RUNNING = _Running()
# What was made last of a function that is called anew.
ANEW: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
_CALLS = [0]  # since what nobody has any more was forgotten


class Step:
    """Around a call: before and after it compiled code and Python have the same."""

    def __init__(self, function: Any, values: Sequence[object]) -> None:
        self._call = function, values
        self._concerned: Sequence[Kept] = ()
        self._is_needed = False

    def __enter__(self) -> None:
        _LOCK[0].acquire()
        try:
            _forget()
            # A call that is made for another one is in step already.
            self._is_needed = bool(KEPT) and not _RUNNING.calls and _concerns(*self._call)
            if self._is_needed:
                self._concerned = _reached(*self._call)
                for kept in self._concerned:
                    kept.take()
        except BaseException:
            _LOCK[0].release()
            raise
        if self._is_needed:
            _RUNNING.calls += 1
        else:
            _LOCK[0].release()

    def __exit__(self, *_: object) -> None:
        if self._is_needed:
            try:
                _RUNNING.calls -= 1
                for kept in self._concerned:
                    kept.give()
            finally:
                _LOCK[0].release()


def _unlock() -> None:
    """Begin anew in the child of a fork: the thread that had the lock is not there."""
    if not _RUNNING.calls:
        _LOCK[0] = threading.RLock()


os.register_at_fork(after_in_child=_unlock)


_FEW = 16


def _reached(function: Any, values: Sequence[object]) -> Sequence[Kept]:
    """Return what a call may reach of all that is kept, by its arguments or anything outside."""
    everything = list(KEPT.values())
    if len(everything) <= _FEW or _has_outside(function, values):
        return everything
    known: dict[int, object] = {}
    waiting, seen = list(values), set[int]()
    for value in waiting:
        if id(value) in seen:
            continue
        seen.add(id(value))
        if len(seen) > len(everything):
            return everything
        if isinstance(value, list | tuple | set):
            waiting += cast("Iterable[object]", value)
        elif isinstance(value, dict):
            waiting += [
                part for pair in cast("dict[object, object]", value).items() for part in pair
            ]
        elif (state := state_of(type(value))) is not None and not is_blank(value):
            held = zip(state.fields, _fields_of(value, known), strict=True)
            waiting += [one for field, part in held for one in objects_in(field.type, part)]
    own = [KEPT[id(value)] for value in values if id(value) in KEPT]
    found = [_AT[place] for place in known if place in _AT]
    return [*dict.fromkeys((*own, *found, *(kept for kept in everything if kept.type is None)))]


def _has_outside(function: Any, values: Sequence[object]) -> bool:
    """Whether code works on objects and containers that are no arguments."""
    records = _records_of(function, values)
    return not records or any(record.captures for record in records)


def _records_of(function: Any, values: Sequence[object]) -> list[Any]:
    """Return what is known of the code for a call, also of one that is made anew."""
    key = function._key(values, function._deciding)
    found = list(function._records.get(key, ()))
    anew = ANEW.get(function)
    if anew is not None:
        found += [record for records in anew._records.values() for record in records]
    return [record for record in found if record.holds]


def keep_stored() -> None:
    """Keep the containers that Python has stored in fields, and has itself."""
    if _RUNNING.calls or not are_stored():
        return
    found, STORED[:] = list(STORED), []
    for stored in found:
        state, instance, value = stored.state, stored.instance, stored.value
        if state.construct is object:
            continue  # of a saved module, whose objects have copies
        place = [field.name for field in state.fields].index(stored.name)
        type_ = state.fields[place].type
        type_ = container_type(type_, value)
        if id(value) in KEPT:
            KEPT[id(value)].take()
            holder = KEPT[id(value)].holder
        else:
            holder = held_by(state.construct, type_, value)
            KEPT[id(value)] = Kept(value, holder, type_, fill_of(state.construct, type(value)))
        _share(holder, instance, place, value)
        watch([state])


def container_type(type_: Type, value: object) -> Type:
    """Return which member of a type a container is of."""
    if isinstance(type_, OptionalType):
        return type_.item
    return (member_of(value, type_) or type_) if isinstance(type_, UnionType) else type_


def _share(holder: object, instance: object, place: int, value: object) -> None:
    """Have a field name the container of a holder, which holds the same."""
    seen: dict[int, object] = {}
    state, of_holder = _state(instance), _state(holder)
    assert state.access is not None  # which has stored the value
    assert of_holder.access is not None
    of_holder.access.unite(of_holder.fields, holder, (value,), seen)
    values = state.access.read_all(state.fields, instance, {})
    values[place] = value
    state.access.unite(state.fields, instance, values, seen)


def _forget() -> None:
    """Forget the containers that nobody else has any more."""
    keep_stored()
    # Not each time where there are many: all that looks at them takes time in proportion to calls.
    _CALLS[0] += 1
    if _CALLS[0] < len(KEPT) // 4:
        return
    _CALLS[0] = 0
    alone = [key for key, kept in KEPT.items() if kept.is_alone]
    forget({key: KEPT.pop(key) for key in alone})
    if not KEPT:
        for state in _WATCHED:
            state.unwatch()
        _WATCHED.clear()


def forget(found: Mapping[int, Kept]) -> None:
    """Forget where the content of containers is in compiled code."""
    for kept in found.values():
        for place in kept.places:
            _AT.pop(place, None)


def _concerns(function: Any, values: Sequence[object]) -> bool:
    """Whether a function may work on objects that keep something, or is given it."""
    states = states_of(function, values)
    if _WATCHED.keys().isdisjoint(states) and not any(id(value) in KEPT for value in values):
        return False
    watch(states)
    return True


def states_of(function: Any, values: Sequence[object]) -> list[ClassState]:
    """Return the scripted classes that a call may lead to."""
    if records := _records_of(function, values):
        return _scripted(cls for record in records for cls in record.dependencies.classes)
    key = tuple(map(key_of, values))
    return _scripted(function._dependencies(tuple(classes_in(key))).classes)


def _scripted(classes: Iterable[type]) -> list[ClassState]:
    return [state for state in map(state_of, classes) if state is not None]


def watch(states: Iterable[ClassState]) -> None:
    """Have calls that may use objects of some classes go through Python while some are kept."""
    for state in states:
        _WATCHED[state] = None
        state.watch()


def take_of(state: ClassState, instance: object) -> Mapping[int, object]:
    """Let the fields of an object have what Python has put into containers that they keep.

    Returns all that they hold, by its place in compiled code.
    """
    known: dict[int, object] = {}
    if not _RUNNING.calls:
        _forget()
        _fields_of(instance, known)
        for kept in [_AT[place] for place in known if place in _AT]:
            kept.take()
    return known


def own(state: ClassState, instance: object, name: str) -> object:
    """Return the caller's container that a field keeps; None where it keeps none."""
    take_of(state, instance)
    known: dict[int, object] = {}
    value = _fields_of(instance, known)[[field.name for field in state.fields].index(name)]
    found = [_AT[place] for place, one in known.items() if one is value and place in _AT]
    return found[0].given if found else None


def holders_read(known: dict[int, object]) -> list[tuple[object, list[object]]]:
    """Return what shares containers with objects, and what it holds.

    `known` has the lists that were read from the objects, by identity.
    """
    read = set(map(id, known.values()))
    holders = [kept.holder for kept in KEPT.values() if kept.type is not None]
    found = [(holder, _fields_of(holder, known)) for holder in holders]
    return [(holder, values) for holder, values in found if id(values[0]) in read]


def refuse_wider(
    holders: Iterable[object], known: Iterable[tuple[ClassState, Sequence[Parameter]]]
) -> None:
    """Refuse that fields have got other types which keep containers that Python has, too.

    `known` has the fields as they were.  Raises TypeCheckError.
    """
    kept_types = {_state(holder).fields[0].type for holder in holders}
    for state, fields in known:
        types = {field.name: field.type for field in state.fields}
        for name, type_ in ((field.name, field.type) for field in fields):
            if type_ == types.get(name) or kept_types.isdisjoint(all_parts(type_)):
                continue
            what = f"the field {name!r} of class {state.live.__qualname__} keeps a list or the like"
            raise TypeCheckError(
                Diagnostic(
                    "class-field",
                    f"{what} that Python has, too, and gets another type",
                    why="it moves into other memory, and would be another one from then on",
                    instead="annotate the field in the class body, or give the object a copy",
                )
            )


def held_by(function: Any, type_: Type, value: object) -> object:
    """Return an object that holds a container."""
    classes = _scripted(classes_in(key_of(value)))
    text = ir_text(type_)
    key = text, tuple(classes), function.python.__module__, function._options
    if key not in _HOLDERS:
        made = _holder_class(text, function.python.__module__)
        _HOLDERS[key] = cast(type, make_scripted(function._options, made))
    state = state_of(_HOLDERS[key])
    assert state is not None  # it is scripted
    held, states = Parameter("held", type_), (state, *classes)
    if state.access is None:
        declare_all([Declared(state, (held,), {})], access_of(states), states)
    assert state.access is not None
    holder = cast(object, object.__new__(state.live))
    state.access.make((held,), holder, adapt(function.__qualname__, [held], [value]))
    return holder


_HOLDERS: dict[object, type] = {}


def _holder_class(text: str, home: str) -> type:
    class Holder:
        def __init__(self, held):  # pyright: ignore -- compiled
            self.held = held

    Holder.__name__ = Holder.__qualname__ = f"Holder_{digest_of(text)[:12]}"
    Holder.__module__ = home  # none of this package's, whose classes are not looked at
    return Holder


def _state(holder: object) -> ClassState:
    state = state_of(type(holder))
    assert state is not None  # it is one of ours
    return state


def _fields_of(instance: object, known: dict[int, object]) -> list[object]:
    """Return what fields hold; `known` gets the containers, by their places in compiled code."""
    state = _state(instance)
    assert state.access is not None  # it has its fields
    return state.access.read_all(state.fields, instance, known)


def _read(holder: object) -> object:
    return _fields_of(holder, {})[0]


_FILLS: dict[object, Any] = {}


def fill_of(function: Any, kind: type) -> _Fill:
    """Return what fills the container of a holder anew."""
    home, options = function.python.__module__, function._options

    def scripted(python: FunctionType) -> Any:
        key = python.__qualname__, home, options
        if key not in _FILLS:
            python.__module__ = home
            _FILLS[key] = make_scripted(options, python)
        return _FILLS[key]

    empty, extend, update = map(scripted, _filling())

    def fill(holder: object, given: object) -> None:
        empty._run_alone((holder,))
        if given:
            (extend if kind is list else update)._run_alone((holder, given))

    return fill


def _filling() -> tuple[FunctionType, FunctionType, FunctionType]:
    # Compiled: without annotations, as any program.
    def empty(holder):  # pyright: ignore
        holder.held.clear()  # pyright: ignore

    def extend(holder, given):  # pyright: ignore
        holder.held.extend(given)  # pyright: ignore

    def update(holder, given):  # pyright: ignore
        holder.held.update(given)  # pyright: ignore

    return empty, extend, update  # pyright: ignore


def not_filled(holder: object, given: object) -> None:
    """Do nothing for what has no holder."""


def _put_back(given: Any, now: Any) -> None:
    if isinstance(given, list):
        given[:] = now
    else:
        given.clear()
        given.update(now)


def _containers_in(given: object) -> Iterator[object]:
    parts = cast("dict[object, object]", given).values() if isinstance(given, dict) else given
    return (part for part in cast("Iterable[object]", parts) if type(part) in KINDS)


def refused(given: object, what: str) -> TypeError:
    """Return the error of a container that cannot be kept in step."""
    kind = type(given).__name__
    return TypeError(
        f"a {kind} that an object of a @script class keeps {what}: give the object one of its own, "
        f"{kind}(...) of it"
    )


def _counts() -> tuple[int, int]:
    """Return the counts of what a record alone has, and of what one container alone has."""
    outer: list[object] = [[]]
    inner = max(sys.getrefcount(part) for part in _containers_in(outer))
    record = Kept([], None, None, not_filled)
    return sys.getrefcount(record.given), inner


_ALONE, _IN_ONE = _counts()
