"""Lists, dicts, sets and deques in fields of objects, as Python sees them.

    node.children.append(child)         the field of the object has it, too
    grid.rows[0][1] = 5

Compiled code has containers of its own, so what Python reads is a copy. Such a copy knows the field
that it was read from: what changes it is done to what the field holds by then, and stored back.
"""

import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from scriptc.classes.scripted_class import kept_containers

_DICT = ("__setitem__", "__delitem__", "clear", "pop", "popitem", "setdefault", "update", "__ior__")
_LIST = (
    *("__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "clear", "extend"),
    *("insert", "pop", "remove", "reverse"),
)
# What changes an object of each class.
_CHANGES: dict[type, Sequence[str]] = {
    list: (*_LIST, "sort"),
    deque: (*_LIST, "appendleft", "extendleft", "popleft", "rotate"),
    set: (
        *("add", "clear", "difference_update", "discard", "intersection_update", "pop", "remove"),
        *("symmetric_difference_update", "update", "__iand__", "__ior__", "__isub__", "__ixor__"),
    ),
    dict: _DICT,
    defaultdict: (*_DICT, "__missing__"),
    OrderedDict: (*_DICT, "move_to_end"),
    Counter: (*_DICT, "subtract", "__iadd__", "__isub__", "__iand__"),
}


class _Place(NamedTuple):
    """The field that a value was read from."""

    instance: object
    name: str
    read: Callable[[], object]

    def renew(self, held: object, whole: object) -> None:
        """Let what was read be what the field holds by now.

        Raises RuntimeError for a part of it, which may be none any more.
        """
        now = self.read()
        if same(now, plain(whole)):
            return
        if held is not whole:
            message = f"the field {self.name!r} was changed after this was read: read it again"
            raise RuntimeError(message)
        _fill(held, now, self)

    def store(self, whole: object) -> None:
        """Store the whole back."""
        setattr(self.instance, self.name, whole)


class _Whole:
    """What the parts of a value are parts of. The value itself does not refer to it."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value: object = None


def held(instance: object, name: str, read: Callable[[], object]) -> object:
    """Return what a field holds, so that what Python puts into it is put into the field."""
    value, place = read(), _Place(instance, name, read)
    if type(value) in _HELD:
        return _outermost(value, place)
    whole = _Whole()
    whole.value = _part(value, place, whole)  # a tuple, perhaps
    return whole.value


def plain(value: object) -> object:
    """Return a value with Python's own containers for those that know a field."""
    kind = type(value)
    if kind in _PLAIN:
        made = _empty(_PLAIN[kind], value)
        _put(made, value, plain)
        return made
    if kind is tuple:
        return tuple(map(plain, cast("tuple[object, ...]", value)))
    if kind in (list, dict) and is_held(value):
        made = _empty(kind, value)
        _put(made, value, plain)
        return made
    return value


def container_kind(value: object) -> type:
    """Return the class of a value: Python's own of a container that knows a field."""
    return _PLAIN.get(type(value), type(value))


def let_go(value: object) -> None:
    """Have a container know no field any more, as another one keeps it in step."""
    if type(value) in _PLAIN:
        cast(Any, value)._place = cast(Any, value)._whole = None
    if container_kind(value) in (list, tuple):
        for part in cast("Iterable[object]", value):
            let_go(part)
    elif container_kind(value) is dict:
        for part in cast("dict[object, object]", value).values():
            let_go(part)


def any_held(whole: object) -> bool:
    """Whether anybody has a container that another one holds."""
    parts = cast("dict[object, object]", whole).values() if isinstance(whole, dict) else whole
    for part in cast("Iterable[object]", parts):
        if container_kind(part) in (*_HELD, tuple) and (
            sys.getrefcount(part) > _IN_ONE or any_held(part)
        ):
            return True
    return False


def _count_in_one() -> int:
    """Return the references to a part that its whole alone has."""
    whole: list[object] = [[]]
    return max(sys.getrefcount(part) for part in whole)


def is_held(value: object) -> bool:
    """Whether a value knows a field, or holds what does."""
    if type(value) not in (dict, list, tuple):
        return type(value) in _PLAIN
    seen = {id(value)}  # a list may hold itself
    pending: list[object] = [value]
    while pending:
        whole = pending.pop()
        items = cast("dict[object, object]", whole).values() if type(whole) is dict else whole
        for item in cast("Iterable[object]", items):
            if type(item) in _PLAIN:
                return True
            if type(item) in (dict, list, tuple) and id(item) not in seen:
                seen.add(id(item))
                pending.append(item)
    return False


def called_with(run: Callable[[Sequence[object]], object], values: Sequence[object]) -> object:
    """Return what a function gives for values some of which know fields.

    What it puts into these is stored in the fields. Raises RuntimeError where the field was changed
    by other means meanwhile.
    """
    if kept := kept_containers():
        kept.keep_stored()  # which know no fields afterwards
    call = _Call()
    given = [call.given(value) for value in values]
    try:
        return run(given)
    finally:
        call.store()


class _Call:
    """Python's own containers in place of those that know fields, in the arguments of one call."""

    def __init__(self) -> None:
        # By what is one and the same: the caller's container, what stands for it, what that held.
        self._known: dict[object, tuple[Any, Any, object]] = {}

    def given(self, value: object) -> object:
        """Return what a function is given for a value."""
        kind = type(value)
        if kind is tuple:
            return tuple(map(self.given, cast("tuple[object, ...]", value)))
        if kind not in _PLAIN and not (kind in (list, dict) and is_held(value)):
            return value
        key: object = id(value)
        if kind in _PLAIN:
            place, whole = _known(value)
            if place is None:
                return value  # it is kept in step
            if whole is None:  # two readings of a field are one list
                place.renew(value, value)
                key = id(place.instance), place.name
        if key not in self._known:
            made = _empty(_PLAIN.get(kind, kind), value)
            self._known[key] = value, made, None
            _put(made, value, self.given)
            self._known[key] = value, made, copied(made)
        return self._known[key][1]

    def store(self) -> None:
        """Give the caller's containers what was put into those in their place."""
        for mine, made, then in self._known.values():
            if same(made, then):
                continue
            if type(mine) not in _PLAIN:
                mine.clear()
                _put(mine, made, self._own)
                continue
            place, whole = _known(mine)
            assert place is not None  # others are no part of the call
            outermost = mine if whole is None else whole.value
            if not same(place.read(), plain(outermost)):
                message = f"the field {place.name!r} was changed twice, here and in its object"
                raise RuntimeError(message)
            _fill(mine, made, place, whole)
            place.store(outermost)

    def _own(self, part: object) -> object:
        """Return the caller's container where another one stands for it."""
        return next((mine for mine, made, _ in self._known.values() if made is part), part)


def copied(value: object) -> object:
    """Return a copy of Python's own containers, with all that they hold."""
    kind = type(value)
    if kind is tuple:
        return tuple(map(copied, cast("tuple[object, ...]", value)))
    if kind not in _HELD:
        return value
    made = _empty(kind, value)
    _put(made, value, copied)
    return made


def same(one: object, other: object) -> bool:
    """Whether two values, of Python's own containers, are the same: objects by identity."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return _memory(cast("np.ndarray[Any, Any]", one)) == _memory(cast(Any, other))
    if isinstance(one, dict):
        ones, others = cast("dict[object, object]", one), cast("dict[object, object]", other)
        return same([*ones.items()], [*others.items()])
    if isinstance(one, list | tuple | deque):
        pair = cast("list[object]", one), cast("list[object]", other)
        return len(pair[0]) == len(pair[1]) and all(map(same, *pair))
    return isinstance(one, _COMPARED) and (one == other or (one != one and other != other))


def _memory(array: "np.ndarray[Any, Any]") -> object:
    return array.ctypes.data, array.shape, array.strides, array.dtype


_COMPARED = (int, float, complex, str, bytes, set, frozenset, slice, np.generic)


def _outermost(value: object, place: _Place) -> object:
    made = _empty(_HELD[type(value)], value)
    made._place, made._whole = None, None
    _fill(made, value, place)
    made._place = place
    return made


def _part(value: object, place: _Place, whole: _Whole) -> object:
    kind = type(value)
    if kind is tuple:
        return tuple(_part(part, place, whole) for part in cast("tuple[object, ...]", value))
    if kind not in _HELD:
        return value
    made = _empty(_HELD[kind], value)
    _put(made, value, lambda part: _part(part, place, whole))
    made._place, made._whole = place, whole
    return made


def _known(held: object) -> tuple[_Place | None, _Whole | None]:
    """Return the field that a container is of, and what it is a part of."""
    of: Any = held
    return of._place, of._whole


def _fill(held: object, now: object, place: _Place, whole: _Whole | None = None) -> None:
    """Let a container hold what another one does."""
    base = _PLAIN[type(held)]
    cast(Any, base).clear(held)
    whole = whole or _of(held)
    _put(held, now, lambda part: _part(part, place, whole))


def _of(held: object) -> _Whole:
    whole = _Whole()
    whole.value = held
    return whole


def _empty(cls: type, like: object) -> Any:
    make = cast("Callable[..., object]", cls)
    if isinstance(like, defaultdict):
        return make(cast("defaultdict[object, object]", like).default_factory)
    if isinstance(like, deque):
        return make(maxlen=cast("deque[object]", like).maxlen)
    return make()


def _put(into: object, value: object, part: Callable[[object], object]) -> None:
    """Put what a container holds into another one of its kind, each part as `part` gives it."""
    base: Any = _PLAIN.get(type(into), type(into))
    if isinstance(value, dict):
        for key, item in cast("dict[object, object]", value).items():
            base.__setitem__(into, key, part(item))
    elif isinstance(value, set):
        base.update(into, cast("set[object]", value))
    else:
        base.extend(into, map(part, cast("Iterable[object]", value)))


def _hold_parts(held: object, result: object, place: _Place, whole: _Whole | None) -> object:
    """Let what was put in know the field, too; return what stands for the result of that."""
    base: Any = _PLAIN[type(held)]
    pairs: Iterable[tuple[object, object]] = ()
    if isinstance(held, dict):
        pairs = list(cast("dict[object, object]", held).items())
    elif isinstance(held, list | deque):
        pairs = list(enumerate(cast("list[object]", held)))
    kept = result
    for key, part in pairs:
        if type(part) in _HELD:
            own = _part(part, place, whole or _of(cast(object, held)))
            base.__setitem__(held, key, own)
            kept = own if part is result else kept
    return kept


def _changing(base: type, name: str) -> Callable[..., object]:
    method = getattr(base, name)

    def change(self: Any, *args: object, **kwargs: object) -> object:
        place: _Place | None = getattr(self, "_place", None)
        if place is not None and (kept := kept_containers()):
            kept.keep_stored()  # this one, too
            place = self._place
        if place is None:  # it is being made, or is kept in step
            result = method(self, *args, **kwargs)
            if kept := kept_containers():
                kept.take_now(self)
            return result
        whole: _Whole | None = self._whole
        outermost = self if whole is None else whole.value
        place.renew(self, outermost)
        self._place = None  # for what the method calls itself
        try:
            result = method(self, *args, **kwargs)
            kept = _hold_parts(self, result, place, whole)
        finally:
            self._place = place
        place.store(outermost)
        return kept

    change.__name__, change.__qualname__ = name, f"{base.__qualname__}.{name}"
    change.__doc__ = method.__doc__
    return change


def _reduce(self: object, *_: object) -> tuple[object, ...]:
    """Pickle, and copy, what it is to Python."""
    if kept := kept_containers():
        kept.keep_stored()
    made: Any = plain(self)
    if type(self) in _PLAIN and cast(Any, self)._place is None:  # its parts are those of the field
        made = _empty(_PLAIN[type(self)], self)
        _put(made, self, lambda part: part)
    is_plain = type(self).__name__ in ("list", "dict")
    return (_PLAIN[type(self)], (made,)) if is_plain else made.__reduce_ex__(4)


def _set_text(self: set[object]) -> str:
    return repr(set(self))


def _class_of(base: type) -> type:
    """Return the class of containers that know a field, which is called as theirs is."""
    members: dict[str, object] = {"__module__": base.__module__}
    more = () if base.__weakrefoffset__ else ("__weakref__",)
    members["__slots__"] = ("_place", "_whole", *more)
    members |= {name: _changing(base, name) for name in _CHANGES[base] if hasattr(base, name)}
    members["__reduce_ex__"] = members["__reduce__"] = _reduce
    members["__doc__"] = base.__doc__
    if base is set:
        members["__repr__"] = _set_text
    made = type(base.__name__, (base,), members)
    made.__qualname__ = base.__qualname__
    return made


_HELD: dict[type, type] = {base: _class_of(base) for base in _CHANGES}
_PLAIN: dict[type, type] = {cls: base for base, cls in _HELD.items()}
_IN_ONE = _count_in_one()
