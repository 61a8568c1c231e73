"""Calls of code whose arrays lie on a device: what the caller gives goes there, and comes back.

Machine code sees arrays of a device as NumPy arrays whose memory is the device's: of these it looks
at addresses, sizes and strides alone.  NumPy's own arrays are copied to the device for a call; what
shares memory shares it there, too, and what the call has written is copied back.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scriptc.backends.cuda.driver import Driver
from scriptc_runtime.record import field, record

Array = NDArray[np.generic]


@record(frozen=False)
class _Span:
    """Memory of the host from `low` to below `high`, and what holds it; its place on the device."""

    low: int
    high: int
    holders: list[Array]
    device: int = 0

    @property
    def writable(self) -> bool:
        return any(array.flags.writeable for array in self.holders)


@record(frozen=False)
class Staging:
    """The arrays of one call."""

    driver: Driver
    given: Sequence[Array] = ()  # stand-ins of arrays that lie on the device
    spans: list[_Span] = field(default_factory=list[_Span])
    originals: dict[int, Array] = field(default_factory=dict[int, Array])  # by what stands for them
    stand_ins: list[Array] = field(default_factory=list[Array])
    copies: dict[int, NDArray[np.uint8]] = field(default_factory=dict[int, NDArray[np.uint8]])

    def enter(self, values: Sequence[object]) -> list[Any]:
        """Return the arguments of a call as code of the device takes them."""
        arrays = [a for value in values for a in _arrays_in(value) if not self._is_given(a)]
        self.spans = _merged(arrays)
        for span in self.spans:
            span.device = self.driver.new(span.high - span.low)
            self.driver.copy_in(span.device, span.low, span.high - span.low)
        return [mapped(value, self._stand_in) for value in values]

    def _is_given(self, array: Array) -> bool:
        return any(array is given for given in self.given)

    def _stand_in(self, array: Array) -> Array:
        if self._is_given(array):
            return array
        known = next((s for s in self.stand_ins if self.originals[id(s)] is array), None)
        if known is not None:
            return known
        low, _ = _bounds(array)
        span = next((s for s in self.spans if s.low <= low < s.high), None)
        start = span.device + array.ctypes.data - span.low if span else array.ctypes.data
        made = device_view(start, array.shape, array.dtype, array.strides)
        made.flags.writeable = array.flags.writeable
        self.originals[id(made)] = array
        self.stand_ins.append(made)
        return made

    def leave(self) -> None:
        """Copy what the call may have written to where the caller has it."""
        for span in self.spans:
            if span.writable:
                self.driver.copy_out(span.low, span.device, span.high - span.low)

    def free(self) -> None:
        """Give the memory of the call back."""
        for span in self.spans:
            if span.device:
                self.driver.free(span.device)

    def result(self, value: object) -> Any:
        """Return a result with arrays of the host in the place of those of the device."""
        return mapped(value, self._copied_out)

    def returned(self, array: Array) -> Array | None:
        """Return the array of the caller's that a result is, or a part of one; None for others."""
        if id(array) in self.originals:
            return self.originals[id(array)]
        low, _ = _bounds(array)
        span = next((s for s in self.spans if s.device <= low < s.device + s.high - s.low), None)
        if span is None or array.size == 0:
            return None
        memory = _memory(span.low, span.high - span.low)
        offset = array.ctypes.data - span.device
        made = np.ndarray(array.shape, array.dtype, memory, offset, array.strides)
        return cast(Array, _holding(made, span.holders))

    def _copied_out(self, array: Array) -> Array:
        known = self.returned(array)
        if known is not None:
            return known
        if array.size == 0:
            return np.empty(array.shape, array.dtype)
        low, _ = _bounds(array)
        base, size = self.driver.allocation(low)
        if base not in self.copies:
            copy = np.empty(size, np.uint8)
            self.driver.copy_out(copy.ctypes.data, base, size)
            self.copies[base] = copy
        offset = array.ctypes.data - base
        return np.ndarray(array.shape, array.dtype, self.copies[base], offset, array.strides)


def device_view(
    address: int, shape: Sequence[int], dtype: np.dtype[Any], strides: Sequence[int]
) -> NDArray[Any]:
    """Return an array that stands for one of a device: its elements cannot be read here."""
    extents = [(n - 1) * s for n, s in zip(shape, strides, strict=True)] if 0 not in shape else []
    low = address + sum(e for e in extents if e < 0)
    high = address + sum(e for e in extents if e > 0) + dtype.itemsize
    memory = _memory(low, max(high - low, 1))
    return np.ndarray(tuple(shape), dtype, memory, address - low, tuple(strides))


def _memory(address: int, nbytes: int) -> Any:
    return (ctypes.c_char * nbytes).from_address(address)


def _holding(array: NDArray[Any], holders: Sequence[Array]) -> NDArray[Any]:
    """Return a view of an array of the caller's memory that keeps this alive."""
    base: Any = holders[0] if holders[0].base is None else holders[0].base
    interface = dict(array.__array_interface__)

    class _Held:
        __array_interface__ = interface
        held = base

    return np.asarray(_Held())


def _bounds(array: Array) -> tuple[int, int]:
    """Return the lowest address of an array, and the one behind the highest."""
    return np.lib.array_utils.byte_bounds(array)


def _merged(arrays: Sequence[Array]) -> list[_Span]:
    """Return the memory of arrays, what overlaps as one."""
    spans: list[_Span] = []
    for array in sorted((a for a in arrays if a.size), key=_bounds):
        low, high = _bounds(array)
        if spans and low < spans[-1].high:
            spans[-1].high = max(spans[-1].high, high)
            spans[-1].holders.append(array)
        else:
            spans.append(_Span(low, high, [array]))
    return spans


def _arrays_in(value: object) -> list[Array]:
    found: list[Array] = []
    mapped(value, lambda array: found.append(array) or array)
    return found


def _is_array(value: object) -> bool:
    return isinstance(value, np.ndarray)


def mapped(
    value: object,
    change: Callable[[Any], object],
    is_changed: Callable[[object], bool] = _is_array,
) -> Any:
    """Return a value with its arrays changed, those in tuples and lists, too.

    A list of which nothing is changed stays the same list.
    """
    if is_changed(value):
        return change(value)
    kind = type(value)
    if kind is tuple:
        items = cast("tuple[object, ...]", value)
        return tuple([mapped(item, change, is_changed) for item in items])
    if kind is list:
        before = cast("list[object]", value)
        made = [mapped(item, change, is_changed) for item in before]
        same = all(new is old for new, old in zip(made, before, strict=True))
        return before if same else made
    return value
