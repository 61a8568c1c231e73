"""Lists, dicts, sets and deques in fields of objects, as Python sees them.

    node.children.append(child)         the field of the object has it, too
    grid.rows[0][1] = 5

Compiled code has containers of its own, so what Python reads is a copy. Such a copy knows the field
that it was read from: what changes it is done to what the field holds by then, and stored back.
"""

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

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


class _Place:
    """The field that a value was read from, with the whole that was read."""

    __slots__ = ("instance", "name", "read", "whole")

    def __init__(self, instance: object, name: str, read: Callable[[], object]) -> None:
        self.instance = instance
        self.name = name
        self.read = read
        self.whole: object = None

    def renew(self, held: object) -> None:
        """Let what was read be what the field holds by now.

        Raises RuntimeError for a part of it, which may be none any more.
        """
        now = self.read()
        if same(now, plain(self.whole)):
            return
        if held is not self.whole:
            message = f"the field {self.name!r} was changed after this was read: read it again"
            raise RuntimeError(message)
        _fill(held, now, self)

    def store(self) -> None:
        """Store the whole back."""
        setattr(self.instance, self.name, plain(self.whole))


def held(instance: object, name: str, read: Callable[[], object]) -> object:
    """Return what a field holds, so that what Python puts into it is put into the field."""
    place = _Place(instance, name, read)
    place.whole = _held(read(), place)
    return place.whole


def plain(value: object) -> object:
    """Return a value with Python's own containers for those that know a field."""
    kind = type(value)
    if kind in _PLAIN:
        made = _empty(_PLAIN[kind], value)
        _put(made, value, plain)
        return made
    if kind is tuple:
        return tuple(map(plain, cast("tuple[object, ...]", value)))
    return value


def same(one: object, other: object) -> bool:
    """Whether two values are equal, or written alike, as those with NaN are."""
    return one == other or repr(one) == repr(other)


def is_held(value: object) -> bool:
    """Whether a value knows a field, or holds what does."""
    kind = type(value)
    if kind in _PLAIN:
        return True
    if kind is dict:
        return any(map(is_held, cast("dict[object, object]", value).values()))
    return kind in (list, tuple) and any(map(is_held, cast("Iterable[object]", value)))


def called_with(run: Callable[[Sequence[object]], object], values: Sequence[object]) -> object:
    """Return what a function gives for values some of which know fields.

    What it puts into these is stored in the fields.
    """
    given = [_unheld(value) for value in values]
    before = [plain(value) for value in values]
    try:
        return run(given)
    finally:
        for value, now, then in zip(values, given, before, strict=True):
            place = getattr(value, "_place", None)
            if isinstance(place, _Place) and value is place.whole and not same(now, then):
                _fill(value, now, place)
                place.store()


def _unheld(value: object) -> object:
    kind = type(value)
    if kind in _PLAIN or kind is tuple:
        return plain(value)
    if kind is list:
        return list(map(_unheld, cast("list[object]", value)))
    if kind is dict:
        pairs = cast("dict[object, object]", value).items()
        return {key: _unheld(part) for key, part in pairs}
    return value


def _held(value: object, place: _Place) -> object:
    kind = type(value)
    if kind is tuple:
        return tuple(_held(part, place) for part in cast("tuple[object, ...]", value))
    cls = _HELD.get(kind)
    if cls is None:
        return value
    made = _empty(cls, value)
    _put(made, value, lambda part: _held(part, place))
    made._place = place
    return made


def _fill(held: object, now: object, place: _Place) -> None:
    """Let a container hold what another one does."""
    base = _PLAIN[type(held)]
    cast(Any, base).clear(held)
    _put(held, now, lambda part: _held(part, place))


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


def _hold_parts(held: object, result: object, place: _Place) -> object:
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
            own = _held(part, place)
            base.__setitem__(held, key, own)
            kept = own if part is result else kept
    return kept


def _changing(base: type, name: str) -> Callable[..., object]:
    method = getattr(base, name)

    def change(self: Any, *args: object, **kwargs: object) -> object:
        place: _Place | None = getattr(self, "_place", None)
        if place is None:  # it is being made
            return method(self, *args, **kwargs)
        place.renew(self)
        self._place = None  # for what the method calls itself
        try:
            result = method(self, *args, **kwargs)
            kept = _hold_parts(self, result, place)
        finally:
            self._place = place
        place.store()
        return kept

    change.__name__, change.__qualname__ = name, f"{base.__qualname__}.{name}"
    change.__doc__ = method.__doc__
    return change


def _reduce(self: object, *_: object) -> tuple[object, ...]:
    """Pickle, and copy, what it is to Python."""
    made: Any = plain(self)
    is_plain = type(self).__name__ in ("list", "dict")
    return (_PLAIN[type(self)], (made,)) if is_plain else made.__reduce_ex__(4)


def _set_text(self: set[object]) -> str:
    return repr(set(self))


def _class_of(base: type) -> type:
    """Return the class of containers that know a field, which is called as theirs is."""
    members: dict[str, object] = {"__slots__": ("_place",), "__module__": base.__module__}
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
