"""Functions of the support code that are compiled, or found in the cache, when they are called.

Code that calls one asks its cell for the address (`support/late.py`), which is zero until somebody
has asked. Whoever asks first may be in any thread, and have the GIL or not.
"""

import ctypes
import os
import sys
import time
from _thread import get_ident, interrupt_main, start_new_thread
from collections.abc import Callable

# What names of cells begin with, and the word with the address of what fills them.
LATE = "sc.late."
LOADER = "sc_load_late"
_TRIES = 3
_SOON = 0.05  # seconds


class LateCode:
    """The cells, each with room for an address; `find` gives that of a symbol."""

    def __init__(self, find: Callable[[str], int]) -> None:
        self._find = find
        self._cells: dict[str, ctypes.c_size_t] = {}
        self._names: dict[int, str] = {}
        # It takes the GIL for the call. Code has its address for as long as there is a process.
        self._load = ctypes.CFUNCTYPE(None, ctypes.c_size_t)(self._fill)
        self._loader = ctypes.c_size_t(ctypes.cast(self._load, ctypes.c_void_p).value or 0)

    def address(self, name: str) -> int:
        """Return where the cell with this symbol lies, or the word of `LOADER`."""
        if name == LOADER:
            return ctypes.addressof(self._loader)
        # Of two threads at once, one wins.
        cell = self._cells.setdefault(name, ctypes.c_size_t())
        self._names[ctypes.addressof(cell)] = name.removeprefix(LATE)
        return ctypes.addressof(cell)

    def _fill(self, cell: int) -> None:
        """Fill a cell; who finds nothing in it afterwards asks again."""
        found, errors = 0, list[BaseException]()
        while not found:
            try:
                found = self._find(self._names[cell])
            # The handler of a signal may run here, and raise what it likes: the caller has no way
            # to pass it on, so it comes when the call is done.
            except BaseException as error:
                errors.append(error)
                if len(errors) == _TRIES:
                    _give_up(error)
        ctypes.c_size_t.from_address(cell).value = found
        if errors:
            start_new_thread(_raise_in, (get_ident(), errors[0]))


def _raise_in(thread: int, error: BaseException) -> None:
    time.sleep(_SOON)  # by then the call of `_fill` is done, and what is raised finds its caller
    if isinstance(error, KeyboardInterrupt):
        interrupt_main()
        return
    raises = ctypes.pythonapi.PyThreadState_SetAsyncExc
    raises(ctypes.c_ulong(thread), ctypes.py_object(type(error)))


def _give_up(error: BaseException) -> None:
    # Code that compiles in tests does so everywhere, unless memory is out.
    sys.excepthook(type(error), error, error.__traceback__)
    os.abort()
