"""The arrays of objects in a call of a device's code: there for the call, on the host after it.

Machine code reads an object's fields in its block, so the addresses there are changed: to those of
copies on the device before a call, and back after it.  What the call has put into fields is copied
to new arrays of NumPy's; arrays that the caller gave are the caller's own.
"""

import ctypes
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from scriptc.backends.cuda.staging import Staging
from scriptc.backends.cuda.stand_ins import Array, device_view, held_in, may_hold_arrays
from scriptc.backends.llvm.entry.blocks import Blocks, HeldArray, arrays_held
from scriptc.backends.llvm.loading.abi import BLOCK_COUNT, BLOCK_DELETER
from scriptc.classes.instances import get_handle
from scriptc.classes.scripted_class import state_of
from scriptc_runtime.types import ClassType, Type

# Of CPython and of the support code: what counts an object or a block.
_COUNT = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_CAPSULE = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)


class HeldArrays:
    """What the objects of one call hold of arrays."""

    def __init__(
        self, staging: Staging, support: Mapping[str, int], is_callers: Callable[[Array], bool]
    ) -> None:
        """`is_callers` tells of what stands for an array that lies on the device anyway."""
        self._staging = staging
        self._support = support
        self._is_callers = is_callers
        self._blocks: Blocks = {}
        self._fields: dict[str, Sequence[Type]] = {}
        self._taken: list[tuple[HeldArray, Array]] = []

    def note(self, values: Sequence[object]) -> Sequence[Array]:
        """Return the arrays of all objects among the arguments, which live on until `give_back`."""
        found = [held for held in self._held(values, self._blocks) if 0 not in held.shape]
        for block in self._blocks:
            ctypes.c_int64.from_address(block + BLOCK_COUNT).value += 1
        self._taken = [(held, _view(held, self._owner_of(held))) for held in found]
        return [view for _, view in self._taken]

    def _owner_of(self, held: HeldArray) -> object:
        """Return what keeps the memory of an array that an object holds."""
        if held.owner & 1:
            return _object(held.owner - 1)
        if not held.owner:
            return None  # a constant
        ctypes.c_int64.from_address(held.owner + BLOCK_COUNT).value += 1
        return _CAPSULE(self._support["sc_capsule_new"])(held.owner)

    def take(self) -> None:
        """Have objects hold the copies that were made of their arrays."""
        for held, view in self._taken:
            held.data = self._staging.stand_in(view).ctypes.data

    def give_back(self, values: Sequence[object]) -> None:
        """Have the objects of the arguments and those that values hold have arrays of the host."""
        seen: Blocks = {}
        waiting = list(self._blocks.items())
        for held in [*self._held(values, seen), *arrays_held(waiting, self._fields_of, seen)]:
            self._return(held)
        for block in self._blocks:
            _COUNT(self._support["sc_release"])(block)
        self._blocks = {}

    def _return(self, held: HeldArray) -> None:
        """Have an array of an object lie on the host again."""
        given = _object(held.owner - 1) if held.owner & 1 else None
        original = self._staging.originals.get(id(given))
        span = self._staging.span_at(held.data)
        if (given is not None and self._is_callers(cast(Array, given))) or self._is_new(held):
            self._copy_out(held)
        elif span is not None:
            held.data += span.low - span.device
        if original is not None:
            self._own(held, original)

    def _is_new(self, held: HeldArray) -> bool:
        """Whether the call has made an array: its block is one that frees memory of the device."""
        if held.owner & 1 or not held.owner:
            return False
        deleter = ctypes.c_uint64.from_address(held.owner + BLOCK_DELETER).value
        return deleter == self._support["sc.device_free"]

    def _copy_out(self, held: HeldArray) -> None:
        made = self._staging.copied_out(_view(held))
        self._own(held, made)
        held.data, held.strides = made.ctypes.data, made.strides

    def _own(self, held: HeldArray, array: Array) -> None:
        """Let an array of Python's keep the memory that an object holds."""
        before = held.owner
        _COUNT(("Py_IncRef", ctypes.pythonapi))(id(array))
        held.owner = id(array) + 1
        if before & 1:
            _COUNT(("Py_DecRef", ctypes.pythonapi))(before - 1)
        elif before:
            _COUNT(self._support["sc_release"])(before)

    def _held(self, values: Sequence[object], seen: Blocks) -> Iterator[HeldArray]:
        roots: list[tuple[int, Type]] = []
        for value in objects_among(values):
            state = state_of(type(value))
            assert state is not None  # it is of a scripted class
            for other in (state, *state.others):
                self._fields[other.live.__name__] = [field.type for field in other.fields]
            roots.append((get_handle(value), ClassType(type(value).__name__)))
        return arrays_held(roots, self._fields_of, seen)

    def _fields_of(self, name: str) -> Sequence[Type]:
        return self._fields[name]


def objects_among(values: Iterable[object]) -> Iterator[object]:
    """Yield the objects of scripted classes among values, and in tuples and containers."""
    for value in values:
        if may_hold_arrays(value):
            yield from objects_among(held_in(value))
        elif state_of(type(value)) is not None and get_handle(value):
            yield value


def _view(held: HeldArray, owner: object = None) -> Array:
    """Return an array over the memory that an object holds, which lives as long as its owner."""
    view = device_view(held.data, held.shape, held.type.dtype.numpy, held.strides)
    cast(Any, view.base).owner = owner
    return view


def _object(address: int) -> object:
    return cast(object, ctypes.cast(address, ctypes.py_object).value)
