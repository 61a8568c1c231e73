"""Lists, dicts and sets of the caller's that an object keeps.

    scores = [90, 85]
    ann = Student("Ann", scores)        self.scores = scores
    scores.append(60)                   ann.average() sees it, as in Python

Compiled code has containers of its own. What is kept is given to it in an object, a *holder*, that
shares its container with whatever keeps it: see `calls_anew`.

As long as anybody else has the caller's container, calls bring both into step before and after: so
such calls go through Python (`ClassState.watch`). Most are displays, which nobody has when the call
has ended: the next call forgets these. Containers in such a container are kept beside it, so a row
of a grid is one with the row that Python has.
"""

import gc
import os
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast
from weakref import WeakKeyDictionary

from scriptc.classes.completion import objects_in
from scriptc.classes.container_items import KINDS, count_parts, items_in, put_back, same_items
from scriptc.classes.held_containers import container_kind, let_go, plain, same
from scriptc.classes.scripted_class import (
    STATE,
    STORED,
    ClassState,
    Stored,
    are_stored,
    is_blank,
    state_of,
)
from scriptc.holders import (
    any_container,
    container_type,
    containers_in,
    fields_of,
    held_by,
    is_of_holders,
    refill,
    scripted,
    unite,
)
from scriptc.values.adapt import adapt, ints_give_way
from scriptc.values.kinds import Parameter, classes_in, key_of
from scriptc_runtime.types import TupleType, Type, holds_list, parts_of


class Kept:
    """A container of the caller's, and what shares its content in compiled code."""

    __slots__ = ("function", "given", "holder", "inside", "outside", "place", "reached", "type")

    def __init__(
        self,
        given: Any,
        function: Any = None,
        type_: Type | None = None,
        holder: object = None,
        reached: Sequence[ClassState] = (),
    ) -> None:
        self.given = given
        self.function = function
        self.type = type_  # None, as the holder, where nothing says what it holds
        self.holder = holder
        self.reached = reached
        self.place = 0  # of the container in compiled code, while it is kept
        # What either side had when they were in step: other containers by identity.
        self.outside: object = None
        self.inside: object = None

    @property
    def is_nested(self) -> bool:
        """Whether the container may hold others."""
        return self.type is not None and any(map(holds_list, parts_of(self.type)))

    def is_alone(self, inner: int) -> bool:
        """Whether nobody else has the container, but for so many others that are kept."""
        return sys.getrefcount(self.given) <= _ALONE + inner

    def require(self, type_: Type) -> None:
        """Raise TypeError where another object keeps the container with items of other types."""
        if self.type is not None and self.type != type_:
            raise refused(self.given, f"is a {self.type} there, and a {type_} here")

    def find(self) -> None:
        """Note where the container is in compiled code."""
        known: dict[int, object] = {}
        held = fields_of(self.holder, known)[0]
        self.place = next(place for place, one in known.items() if one is held)
        _AT[self.place] = self

    def note(self) -> None:
        """Note what either side has, which are in step."""
        self.outside = items_in(self.given)
        self.inside = None if self.type is None else self._read()

    def _read(self) -> object:
        return fields_of(self.holder, Known(self.place))[0]

    def take(self) -> None:
        """Let compiled code have what Python has put into the container."""
        if self.type is None:
            raise refused(self.given, "held nothing when the object was made")
        if same_items(self.given, self.outside):
            return
        now: Any = items_in(self.given)  # which other threads may change meanwhile
        parts = [KEPT[id(part)] for _, part in containers_in(self.type, now) if id(part) in KEPT]
        if self in parts:
            raise refused(self.given, "was put into itself by Python")
        for part in reversed(parts):
            part.take()
        self._tell(plain(now))
        other = held_by(self.function, self.type, now, self.reached)
        keep_parts(self.function, self.type, now, other, self.reached)
        refill(self.function, container_kind(self.given), self.holder, other)
        self.note()

    def _tell(self, now: object) -> None:
        """Have the fields of the container get wider types, where what it holds asks for these."""
        if any(field.is_open for field in self._alike().values()):
            for field in self._fields():
                if field.is_open and _takes(field, now):
                    return
        assert self.type is not None  # `take` has said so
        named = Parameter(f"{container_kind(self.given).__name__} that an object keeps", self.type)
        if ints_give_way(self.type, now) and [f for f in self._fields() if _takes(f, now)]:
            return
        try:
            adapt("a call", [named], [now], "the")
        except TypeError:
            if not [field for field in self._fields() if _takes(field, now)]:
                raise

    def _alike(self) -> Mapping[tuple[ClassState, int], Any]:
        """Return the fields that may be the container, by their class and place."""
        return {
            (state, place): getattr(state.live, field.name)
            for state in _WATCHED
            if not is_of_holders(state)
            for place, field in enumerate(state.fields)
            if container_type(field.type, self.given) == self.type
        }

    def _fields(self) -> Sequence[Any]:
        """Return the fields that are the container in some object."""
        found, holding = self._alike(), dict[object, Any]()
        states = {state for state, _ in found}
        for instance in cast("list[object]", gc.get_objects()):
            state = vars(type(instance)).get(STATE)
            if state in states and not is_blank(instance):
                for place, value in enumerate(fields_of(instance, Known())):
                    if value is self.given and (state, place) in found:
                        holding[state, place] = found[state, place]
        return list(holding.values())

    def give(self) -> None:
        """Let Python have what compiled code has put into it."""
        now = None if self.type is None else self._read()
        if now is None or self.type is None or same_items(now, self.inside):
            return
        if not same_items(self.given, self.outside):
            raise refused(self.given, "was changed by a call twice, also in the object")
        for part in reversed([part for _, part in containers_in(self.type, now)]):
            if id(part) in KEPT:
                KEPT[id(part)].give()
        keep_parts(self.function, self.type, now, self.holder, self.reached)
        put_back(self.given, now)
        self.note()


def _takes(field: Any, value: object) -> bool:
    """Whether a field has a type by now that holds a value as well."""
    _RUNNING.calls += 1  # what is read meanwhile is in step, but for this
    try:
        return field.takes(value)
    finally:
        _RUNNING.calls -= 1


def take_now(given: object) -> None:
    """Let compiled code have what Python has just put into a container of a field.

    Where it cannot be, the container is as it was before.
    """
    kept = KEPT.get(id(given))
    if kept is None or _RUNNING.calls:
        return
    with _LOCK[0]:
        try:
            kept.take()
        except BaseException:
            put_back(kept.given, kept.outside)
            raise


def require(type_: Type, value: object) -> None:
    """Raise TypeError where other objects keep a container with items of other types."""
    kept = KEPT.get(id(value))
    if kept is not None:
        kept.require(container_type(type_, value))


class Known(dict[int, object]):
    """What is read of compiled code, by its place: Python's own containers where it has some."""

    def __init__(self, hidden: int = 0) -> None:
        super().__init__()
        self._hidden = hidden  # the one that is read anew

    def __contains__(self, place: object) -> bool:
        return super().__contains__(place) or (place in _AT and place != self._hidden)

    def __missing__(self, place: int) -> object:
        return _AT[place].given

    def setdefault(self, place: int, default: object = None) -> object:
        """Return what is known of a place, or note what is read there."""
        if place not in self:
            self[place] = default
        return self[place]


def keep_parts(
    function: Any,
    type_: Type,
    value: object,
    holder: object,
    reached: Sequence[ClassState] = (),
) -> Mapping[int, Kept]:
    """Keep the containers in a value that an object holds; return those that were not kept.

    Where others are kept already, the object gets these.
    """
    found = list(containers_in(type_, value))
    if not found:
        return {}
    known = [(t, KEPT[id(part)]) for t, part in found if id(part) in KEPT]
    for part_type, one in known:
        one.require(part_type)
    seen: dict[int, object] = {}
    for _, one in known:
        unite(one.holder, (one.given,), seen)
    unite(holder, (value,), seen)
    made = {
        id(part): Kept(part, function, t, held_by(function, t, part, reached), reached)
        for t, part in found
        if id(part) not in KEPT
    }
    for one in made.values():
        unite(one.holder, (one.given,), seen)
    keep(made)
    return made


def keep(made: Mapping[int, Kept]) -> None:
    """Keep containers that are in step with compiled code."""
    KEPT.update(made)
    for one in made.values():
        let_go(one.given)
        if one.type is not None:
            one.find()
    for one in made.values():
        one.note()


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
            forget_unused()
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
            held = zip(state.fields, fields_of(value, known), strict=True)
            waiting += [one for field, part in held for one in objects_in(field.type, part)]
    own = [KEPT[key] for key in seen if key in KEPT]
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
    """Keep the containers that Python has stored in fields, or read from them, and has itself."""
    if _RUNNING.calls or not are_stored():
        return
    # Of what was stored in a field the last is there.
    found = {(id(stored.instance), stored.name): stored for stored in STORED if not stored.is_alone}
    STORED.clear()
    while found:
        key = next(iter(found))
        stored = found[key]
        if stored.state.construct is not object:  # objects of saved modules have copies
            try:
                _keep_in_field(stored)
            except BaseException:
                STORED.extend(found.values())
                raise
        del found[key]


def _keep_in_field(stored: Stored) -> None:
    """Have a field and Python's container be one."""
    state, instance, value = stored.state, stored.instance, stored.value
    place = [field.name for field in state.fields].index(stored.name)
    type_, function = container_type(state.fields[place].type, value), state.construct
    values, seen = fields_of(instance, {}), dict[int, object]()
    if stored.is_read and not same(plain(values[place]), plain(value)):
        let_go(value)  # it was replaced meanwhile
        return
    values[place] = value
    known = KEPT.get(id(value))
    if known is not None:
        known.require(type_)
        known.take()
        holder = known.holder
    else:
        holder = held_by(function, type_, value, state.others)
        if stored.is_read:  # by others, too, perhaps
            unite(instance, values, seen)
            unite(holder, (value,), seen)
        keep_parts(function, type_, value, holder, state.others)
    if not stored.is_read:
        unite(holder, (value,), seen)
        unite(instance, values, seen)
    if known is None and container_kind(value) in KINDS:
        keep({id(value): Kept(value, function, type_, holder, state.others)})
    watch([state])


def forget_unused(*, at_once: bool = False) -> None:
    """Forget the containers that nobody else has any more."""
    keep_stored()
    # Not each time where there are many: all that looks at them takes time in proportion to calls.
    _CALLS[0] += 1
    if _RUNNING.calls or (_CALLS[0] < len(KEPT) // 4 and not at_once):
        return
    _CALLS[0] = 0
    gone = _gone()
    try:
        for kept in gone:
            if kept.type is not None or kept.given:
                kept.take()  # what was put in before
    finally:
        forget({id(kept.given): kept for kept in gone})
    if not KEPT:
        for state in _WATCHED:
            state.unwatch()
        _WATCHED.clear()


def _gone() -> Sequence[Kept]:
    """Return what nobody else has: neither the container nor one that it is in."""
    inner: Counter[int] = Counter()
    seen = set[int]()
    for kept in KEPT.values():
        if kept.is_nested:
            for whole in (kept.given, kept.outside, kept.inside):
                count_parts(whole, inner, seen)
    waiting = [k for key, k in KEPT.items() if not k.is_alone(inner[key])]
    left = set(map(id, waiting))
    for kept in waiting:
        if kept.is_nested and kept.type is not None:
            parts = (KEPT.get(id(part)) for _, part in containers_in(kept.type, kept.given))
            more = [one for one in parts if one is not None and id(one) not in left]
            left |= set(map(id, more))
            waiting += more
    return [kept for kept in KEPT.values() if id(kept) not in left]


def forget(found: Mapping[int, Kept]) -> None:
    """Keep containers no longer."""
    for key, kept in found.items():
        if KEPT.get(key) is kept:
            del KEPT[key]
        if _AT.get(kept.place) is kept:
            del _AT[kept.place]


def _concerns(function: Any, values: Sequence[object]) -> bool:
    """Whether a function may work on objects that keep something, or is given it."""
    states = states_of(function, values)
    if _WATCHED.keys().isdisjoint(states) and not any(map(holds_kept, values)):
        return False
    watch(states)
    return True


def holds_kept(value: object) -> bool:
    """Whether a value of the caller's is a container that is kept, or holds one."""
    return any_container(value, lambda part: id(part) in KEPT)


def states_of(function: Any, values: Sequence[object]) -> list[ClassState]:
    """Return the scripted classes that a call may lead to."""
    if records := _records_of(function, values):
        return scripted([cls for record in records for cls in record.dependencies.classes])
    key = tuple(map(key_of, values))
    return scripted(function._dependencies(tuple(classes_in(key))).classes)


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
        forget_unused()
        fields_of(instance, known)
        for kept in [_AT[place] for place in known if place in _AT]:
            kept.take()
    return known


def own(state: ClassState, instance: object, name: str) -> object:
    """Return what a field holds with the caller's own containers; None where it keeps none."""
    take_of(state, instance)
    place = [field.name for field in state.fields].index(name)
    value = fields_of(instance, Known())[place]
    if not holds_kept(value):
        return None
    if id(value) not in KEPT:  # what holds others that are
        _keep_in_field(Stored(state, instance, name, value, is_read=True))
    return value


def holders_read(known: dict[int, object]) -> list[tuple[Kept, object]]:
    """Return the containers that objects keep, and what was read of each.

    `known` has what was read of the objects, by its place.
    """
    read = set(map(id, known.values()))
    found = [(kept, fields_of(kept.holder, known)[0]) for kept in KEPT.values() if kept.type]
    return [(kept, value) for kept, value in found if id(value) in read]


# What moves with objects that get wider types, and what it was before.
_MOVED: list[tuple[Kept, Type | None, object]] = []


def widen(shared: Sequence[tuple[Kept, object]], fields: Iterable[tuple[Type, object]]) -> None:
    """Have containers hold what those do that were read of objects, which got other types."""
    types = {
        id(part): type_
        for whole, value in fields
        for type_, part in containers_in(TupleType((whole,)), (value,))
    }
    for kept, value in shared:
        _MOVED.append((kept, kept.type, kept.holder))
        type_ = types.get(id(value), kept.type)
        if type_ is not None and type_ != kept.type:
            kept.holder = held_by(kept.function, type_, value, kept.reached)
            kept.type = type_


def widened(*, is_undone: bool) -> None:
    """Note where such containers are by now; or have them as they were."""
    before, _MOVED[:] = list(_MOVED), []
    for kept, type_, holder in before:
        if is_undone:
            kept.type, kept.holder = type_, holder
        if _AT.get(kept.place) is kept:
            del _AT[kept.place]
    for kept, _, _ in before:
        kept.find()


def refused(given: object, what: str) -> TypeError:
    """Return the error of a container that cannot be kept in step."""
    kind = type(given).__name__
    return TypeError(
        f"a {kind} that an object of a @script class keeps {what}: give the object one of its own, "
        f"{kind}(...) of it"
    )


def _least_count() -> int:
    """Return the references to a container that a record alone has."""
    record = Kept([])
    return sys.getrefcount(record.given)


_ALONE = _least_count()
