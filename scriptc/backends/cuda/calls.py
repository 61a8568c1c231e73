"""Calls of machine code whose arrays lie on a CUDA device."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from scriptc.backends.cuda.driver import Driver
from scriptc.backends.cuda.foreign import Foreign
from scriptc.backends.cuda.staging import Staging

Run = Callable[[Sequence[object]], object]


class DeviceCall:
    """One call.  Its `values` are the arguments, with stand-ins for arrays of a device."""

    def __init__(self, arguments: Sequence[object], driver: Driver) -> None:
        self._driver = driver
        self._driver.enter()
        self._foreign = Foreign()
        self._arguments = arguments
        self.values = [self._foreign.enter(argument) for argument in arguments]

    def run(self, run: Run, given: Sequence[object]) -> object:
        """Return what machine code gives, in the caller's kind of arrays.

        NumPy's arrays among what it is given are copied to the device and back. Raises what the
        code raises, and MemoryError where the device has no room.
        """
        # Libraries that find no driver have no streams either.
        self._driver.set_stream(0 if self._driver.is_emulated else self._foreign.stream)
        staging = Staging(self._driver, self._foreign.stand_ins)
        try:
            entered = staging.enter(given)
            try:
                result = run(entered)
            finally:
                staging.leave()
                self._write_lists(entered, staging)
            for mine, made in zip(self._arguments, entered, strict=False):
                if made is result and type(mine) is list:
                    return cast("list[object]", mine)
            return self._result(result, staging)
        finally:
            staging.free()

    def _write_lists(self, entered: Sequence[object], staging: Staging) -> None:
        """Give the caller's lists what the code has put into those that stood for them."""
        for mine, made in zip(self._arguments, entered, strict=False):
            if type(mine) is list and made is not mine:
                mine[:] = self._result(made, staging)  # type: ignore[index]

    def _result(self, value: object, staging: Staging) -> Any:
        if self._foreign.arrays:
            return self._foreign.result(value, staging.returned)
        return staging.result(value)
