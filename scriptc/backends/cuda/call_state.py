"""What a thread keeps of the call that it runs: its stream, and the record of failed kernels.

Machine code finds it by a key of pthreads.  A call takes one that no other call uses, and gives it
back; only so many are ever made as there are calls at once.
"""

import ctypes
from functools import cache

from scriptc.backends.cuda.driver import Driver
from scriptc.kernels.device.launch import ERROR_WORDS, NO_ERROR, CallFields

_WORD = 8  # bytes


class CallState:
    """The state of one call at a time; entered, it is that of this thread."""

    def __init__(self, driver: Driver) -> None:
        """Make a state, with a record on the device.  Raises MemoryError."""
        self._driver = driver
        self._words = (ctypes.c_uint64 * (CallFields.WORDS // _WORD + ERROR_WORDS))()
        record = (ctypes.c_uint64 * ERROR_WORDS)(NO_ERROR)
        address = driver.new(ctypes.sizeof(record))
        driver.copy_in(address, ctypes.addressof(record), ctypes.sizeof(record))
        driver.wait()  # calls on all streams use it
        self._words[CallFields.RECORD // _WORD] = address
        self._outer: int | None = None

    @property
    def address(self) -> int:
        """Where the state is, as machine code knows it."""
        return ctypes.addressof(self._words)

    def enter(self, stream: int) -> None:
        """Let what this thread runs go to a stream."""
        self._words[CallFields.STREAM // _WORD] = stream
        self._words[CallFields.TO_ASK // _WORD] = CallFields.NOTHING
        self._outer = self._driver.kept_by_thread()
        self._driver.keep_by_thread(ctypes.addressof(self._words))

    def leave(self) -> None:
        """Let the call around this one go on in its own state."""
        self._driver.keep_by_thread(self._outer)


class CallStates:
    """The states that no call uses."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._free: list[CallState] = []

    def take(self) -> CallState:
        """Return a state for a call.  Raises MemoryError."""
        try:
            return self._free.pop()  # of which threads may take one at once
        except IndexError:
            return CallState(self._driver)

    def give_back(self, state: CallState) -> None:
        """Let other calls have a state."""
        self._free.append(state)


@cache
def states_of(driver: Driver) -> CallStates:
    """Return the states of the calls of a driver."""
    return CallStates(driver)
