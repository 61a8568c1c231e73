"""What stands for a caller's arrays and containers while code of a device runs, and comes back."""

import ctypes
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]


def device_view(
    address: int, shape: Sequence[int], dtype: np.dtype[Any], strides: Sequence[int]
) -> NDArray[Any]:
    """Return an array that stands for one of a device: its elements cannot be read here."""
    extents = [(n - 1) * s for n, s in zip(shape, strides, strict=True)] if 0 not in shape else []
    low = address + sum(e for e in extents if e < 0)
    high = address + sum(e for e in extents if e > 0) + dtype.itemsize
    memory = memory_at(low, high - low)
    return np.ndarray(tuple(shape), dtype, memory, address - low, tuple(strides))


def memory_at(address: int, nbytes: int) -> Any:
    """Return memory as what NumPy makes arrays over; whoever does keeps it alive."""
    return (ctypes.c_char * max(nbytes, 1)).from_address(address)


def is_array(value: object) -> bool:
    """Whether a value is an array of NumPy's."""
    return isinstance(value, np.ndarray)


def may_hold_arrays(value: object) -> bool:
    """Whether a value is a tuple or a container."""
    return isinstance(value, tuple) or type(value) in _CONTAINERS


def held_in(value: object) -> Iterable[object]:
    """Return the items of a tuple, list or deque, and the values of a dict."""
    if type(value) in _DICTS:
        return cast("dict[object, object]", value).values()
    return cast("Iterable[object]", value)


_DICTS = (dict, defaultdict, OrderedDict)
_CONTAINERS = frozenset({list, deque, *_DICTS})
_Container = list[object] | deque[object] | dict[object, object]


class Exchange:
    """The values of one call on their way in and out; containers come back as the caller's own.

    A container of which nothing changes goes in as it is. One that is given twice goes in as one.
    """

    def __init__(self) -> None:
        # By identity, of containers that are kept here.
        self._made: dict[int, _Container] = {}
        self._callers: dict[int, _Container] = {}
        self._kept: list[_Container] = []

    def enter(
        self,
        value: object,
        change: Callable[[Any], object],
        is_changed: Callable[[object], bool] = is_array,
    ) -> Any:
        """Return a value with its arrays changed, those in tuples and containers, too."""
        if is_changed(value):
            return change(value)
        kind = type(value)
        if issubclass(kind, tuple):
            items = cast("tuple[object, ...]", value)
            return _changed(items, [self.enter(item, change, is_changed) for item in items])
        if kind not in _CONTAINERS:
            return value
        before = cast(_Container, value)
        if id(before) in self._made:
            return self._made[id(before)]
        items = [self.enter(item, change, is_changed) for item in held_in(before)]
        if all(new is old for new, old in zip(items, held_in(before), strict=True)):
            return before
        made = copy(before)
        _put(made, items)
        self._made[id(before)] = made
        self._callers[id(made)] = self._callers.get(id(before), before)
        self._kept += [before, made]
        return made

    def leave(self, value: object, change: Callable[[Array], object]) -> Any:
        """Return a value with what `change` gives for its arrays, in the caller's containers."""
        if is_array(value):
            return change(cast(Array, value))
        kind = type(value)
        if issubclass(kind, tuple):
            items = cast("tuple[object, ...]", value)
            return _changed(items, [self.leave(item, change) for item in items])
        if kind not in _CONTAINERS:
            return value
        made = cast(_Container, value)
        found = [self.leave(item, change) for item in held_in(made)]
        callers = self._callers.get(id(made), made)
        _take_keys(callers, made)
        _put(callers, found)
        return callers

    def write_back(self, change: Callable[[Array], object]) -> None:
        """Give the caller's containers what was put into those that stood for them."""
        for made in [m for m in self._made.values() if id(m) not in self._made]:
            self.leave(made, change)


def _changed(before: tuple[object, ...], items: Sequence[object]) -> tuple[object, ...]:
    """Return a tuple with other items, which may be a named one; the same object if none is."""
    if all(new is old for new, old in zip(items, before, strict=True)):
        return before
    return cast("tuple[object, ...]", cast(Any, tuple).__new__(type(before), items))


def _put(container: _Container, items: Sequence[object]) -> None:
    """Put items in the place of those of a container, under the keys of a dict."""
    if isinstance(container, dict):
        container.update(zip(list(container), items, strict=True))
    elif isinstance(container, list):
        container[:] = items
    elif list(map(id, items)) != list(map(id, container)):
        container.clear()
        container.extend(items)


def _take_keys(to: _Container, source: _Container) -> None:
    """Have a dict hold the keys of another one in their order, those that stay in their places."""
    if to is source or not isinstance(to, dict) or not isinstance(source, dict):
        return
    if list(to) == list(source):
        return
    before = dict(to)
    for key in before.keys() - source.keys():
        del to[key]
    if list(to) != list(source)[: len(to)]:
        to.clear()
    for key in source:
        to.setdefault(key, before.get(key))
