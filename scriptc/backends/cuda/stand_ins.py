"""What stands for a caller's arrays and lists while code of a device runs, and what comes back."""

import ctypes
from collections.abc import Callable, Sequence
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


class Exchange:
    """The values of one call on their way in and out; lists come back as the caller's own.

    A list of which nothing changes goes in as it is. One that is given twice goes in as one.
    """

    def __init__(self) -> None:
        # By identity, of lists that are kept here.
        self._made: dict[int, list[object]] = {}
        self._callers: dict[int, list[object]] = {}
        self._kept: list[list[object]] = []

    def enter(
        self,
        value: object,
        change: Callable[[Any], object],
        is_changed: Callable[[object], bool] = is_array,
    ) -> Any:
        """Return a value with its arrays changed, those in tuples and lists, too."""
        if is_changed(value):
            return change(value)
        kind = type(value)
        if kind is tuple:
            items = cast("tuple[object, ...]", value)
            return tuple([self.enter(item, change, is_changed) for item in items])
        if kind is not list:
            return value
        before = cast("list[object]", value)
        if id(before) in self._made:
            return self._made[id(before)]
        made = [self.enter(item, change, is_changed) for item in before]
        if all(new is old for new, old in zip(made, before, strict=True)):
            return before
        self._made[id(before)] = made
        self._callers[id(made)] = self._callers.get(id(before), before)
        self._kept += [before, made]
        return made

    def leave(self, value: object, change: Callable[[Array], object]) -> Any:
        """Return a value with what `change` gives for its arrays, in the caller's lists."""
        if is_array(value):
            return change(cast(Array, value))
        kind = type(value)
        if kind is tuple:
            items = cast("tuple[object, ...]", value)
            return tuple([self.leave(item, change) for item in items])
        if kind is not list:
            return value
        made = cast("list[object]", value)
        found = [self.leave(item, change) for item in made]
        callers = self._callers.get(id(made), made)
        callers[:] = found
        return callers

    def write_lists(self, change: Callable[[Array], object]) -> None:
        """Give the caller's lists what was put into those that stood for them."""
        for made in [m for m in self._made.values() if id(m) not in self._made]:
            self.leave(made, change)
