"""NumPy's arrays in a call of code whose arrays lie on a device: they go there and come back.

Machine code sees arrays of a device as NumPy arrays whose memory is the device's: of these it looks
at addresses, sizes and strides alone.  NumPy's own arrays are copied to the device for a call; what
shares memory shares it there, too, and what the call has written is copied back.  All goes to the
stream of the call.
"""

import weakref
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scriptc.backends.cuda.driver import Driver
from scriptc.backends.cuda.stand_ins import Array, device_view, memory_at
from scriptc_runtime.record import field, record


@record(frozen=False)
class _Span:
    """Memory of the host from `low` to below `high`, and what holds it; its place on the device."""

    low: int
    high: int
    holders: list[Array]
    device: int = 0
    kept: bool = False  # beyond the call

    @property
    def size(self) -> int:
        """In bytes."""
        return self.high - self.low

    @property
    def writable(self) -> bool:
        return any(array.flags.writeable for array in self.holders)


@record(frozen=False)
class Staging:
    """The arrays of one call."""

    driver: Driver
    stream: int
    spans: list[_Span] = field(default_factory=list[_Span])
    originals: dict[int, Array] = field(default_factory=dict[int, Array])  # by what stands for them
    stand_ins: list[Array] = field(default_factory=list[Array])
    copied: int = 0  # bytes
    copies: dict[int, NDArray[np.uint8]] = field(default_factory=dict[int, NDArray[np.uint8]])

    def span_at(self, address: int) -> _Span | None:
        """Return the memory that a copy on the device is of; None for other addresses."""
        return next((s for s in self.spans if s.device <= address < s.device + s.size), None)

    def copy_in(self, arrays: Sequence[Array]) -> None:
        """Copy all memory that arrays take to the device, but for what is there from before."""
        self.spans = _merged(arrays)
        for span in self.spans:
            root = _unchanging(span.holders)
            if root is not None:
                span.device, span.kept = _moved_once(root, span, self), True
                continue
            self.copied += span.size
            span.device = self.driver.new(span.size, self.stream)
            self.driver.copy_in(span.device, span.low, span.size, self.stream)

    def stand_in(self, array: Array) -> Array:
        """Return what stands for an array that was copied to the device."""
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

    def copy_back(self) -> None:
        """Copy what the call may have written to where the caller has it."""
        for span in self.spans:
            if span.writable:
                self.driver.copy_out(span.low, span.device, span.size, self.stream)

    def free(self) -> None:
        """Give the memory of the call back."""
        for span in self.spans:
            if span.device and not span.kept:
                self.driver.free(span.device, self.stream)

    def returned(self, array: Array) -> Array | None:
        """Return the array of the caller's that a result is, or a part of one; None for others."""
        if id(array) in self.originals:
            return self.originals[id(array)]
        low, _ = _bounds(array)
        span = self.span_at(low)
        if span is None or array.size == 0:
            return None
        memory = memory_at(span.low, span.size)
        offset = array.ctypes.data - span.device
        made = np.ndarray(array.shape, array.dtype, memory, offset, array.strides)
        made = _holding(made, span.holders)
        if not array.flags.writeable:
            made.flags.writeable = False
        return cast(Array, made)

    def copied_out(self, array: Array) -> Array:
        """Return what a result is on the host: what is the caller's, or a copy of new memory."""
        known = self.returned(array)
        if known is not None:
            return known
        if array.size == 0:
            return np.empty(array.shape, array.dtype)
        low, _ = _bounds(array)
        base, size = self.driver.allocation(low)
        if base not in self.copies:
            copy = np.empty(size, np.uint8)
            self.driver.copy_out(copy.ctypes.data, base, size, self.stream)
            self.copies[base] = copy
        offset = array.ctypes.data - base
        return np.ndarray(array.shape, array.dtype, self.copies[base], offset, array.strides)


class _Kept:
    """Memory of the device that has what an array of the host has, as long as that is there."""

    def __init__(self, root: Array, span: _Span, driver: Driver, stream: int) -> None:
        self._driver = driver
        self._stream = stream
        self.address = driver.new(span.size, stream)
        driver.copy_in(self.address, span.low, span.size, stream)
        driver.wait(stream)  # later calls may go to others
        weakref.finalize(root, self._free).atexit = False

    def _free(self) -> None:
        _kept[:] = [(key, kept) for key, kept in _kept if kept is not self]
        self._driver.drop(self.address, self._stream)


# By the place in the host's memory.
_kept: list[tuple[tuple[int, int], _Kept]] = []


def _moved_once(root: Array, span: _Span, staging: Staging) -> int:
    """Return where memory that nobody writes is on the device: it was moved there once."""
    place = span.low, span.high
    found = next((kept for key, kept in _kept if key == place), None)
    if found is None:
        found = _Kept(root, span, staging.driver, staging.stream)
        _kept.append((place, found))
        staging.copied += span.size
    return found.address


def _unchanging(holders: Sequence[Array]) -> Array | None:
    """Return the array whose memory some arrays take if none of them, nor it, can be written."""
    roots = {id(root): root for root in map(_root, holders)}
    return next(iter(roots.values())) if len(roots) == 1 else None


def _root(array: Array) -> Array | None:
    while not array.flags.writeable:
        if array.base is None:
            return array
        if type(array.base) is not np.ndarray:
            break
        array = array.base
    return None


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
