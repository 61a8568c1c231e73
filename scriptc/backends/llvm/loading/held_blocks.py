"""What machine code has exceptions hold: blocks with one value each, which Python keeps alive."""

import ctypes
from collections.abc import Mapping

from scriptc_runtime.held_values import Give, Held, NotGiven
from scriptc_runtime.record import record

_RELEASE, _SHOW = 0, 1


@record(eq=False)
class HeldKind:
    """The values of one type that exceptions hold, and the code that releases or shows one."""

    label: str
    is_given: bool  # whether Python has an object for it
    address: int

    def made(self, block: int) -> "HeldBlock":
        """Return what holds the value of a block, whose count it takes over."""
        return HeldBlock(self, block)


class HeldBlock(Held):
    """A value of machine code, in the block at an address."""

    __slots__ = ("block", "kind", "label")

    def __init__(self, kind: HeldKind, block: int) -> None:
        self.kind, self.block, self.label = kind, block, kind.label

    def __del__(self) -> None:
        _CALL(self.kind.address)(self.block, _RELEASE)

    def given(self, give: Give) -> object:
        """Return what Python sees of the value."""
        if not self.kind.is_given:
            return NotGiven(self.label)
        return _GIVE(self.kind.address)(self.block, _SHOW)


_CALL = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32)
_GIVE = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_int32)


def described(text: str, loaded: Mapping[str, int]) -> HeldKind:
    """Return the kind that the key of an object names: symbol, whether it is given, and type."""
    symbol, is_given, label = text.split(" ", 2)
    return HeldKind(label, is_given == "1", loaded[symbol])
