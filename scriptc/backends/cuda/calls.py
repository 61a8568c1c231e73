"""Calls of machine code whose arrays lie on a CUDA device."""

import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import FrameType

from scriptc.backends.cuda.call_state import states_of
from scriptc.backends.cuda.driver import Driver
from scriptc.backends.cuda.foreign import Foreign
from scriptc.backends.cuda.held_arrays import HeldArrays
from scriptc.backends.cuda.staging import Staging
from scriptc.backends.cuda.stand_ins import Array, Exchange
from scriptc.values.kinds import is_device_array
from scriptc_runtime.errors import CopyWarning

Run = Callable[[Sequence[object]], object]


class Caller:
    """A function that runs on a device, as one who is told what its calls cost."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._told = False

    def tell(self, nbytes: int) -> None:
        """Warn, once, that bytes of the host are copied."""
        if self._told or not nbytes:
            return
        self._told = True
        message = (
            f"{self._name}() runs on a CUDA device and is given arrays of NumPy's, {nbytes:,} "
            "bytes: each call copies them there and back. Give arrays that lie there, of "
            "cupy.asarray(x) or scriptc.to_device(x), or use backend='llvm'; "
            "warnings.simplefilter('ignore', scriptc.CopyWarning) silences this"
        )
        frame = sys._getframe()  # pyright: ignore[reportPrivateUsage] -- to name the user's line
        while frame.f_back and _package(frame) in ("scriptc", "scriptc_runtime"):
            frame = frame.f_back
        module = frame.f_globals.get("__name__")
        warnings.warn_explicit(
            message, CopyWarning, frame.f_code.co_filename, frame.f_lineno, module
        )


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]


class DeviceCall:
    """One call, a context: while it is entered, this thread works with the device.

    Its `values` are the arguments, with stand-ins for arrays of a device.
    """

    def __init__(self, arguments: Sequence[object], driver: Driver) -> None:
        self._driver = driver
        self._before: int | None = None
        self._arguments = arguments
        self._foreign = Foreign(driver)
        self._exchange = Exchange()

    def __enter__(self) -> "DeviceCall":
        self._before = self._driver.enter()
        return self

    def __exit__(self, *error: object) -> None:
        self._driver.leave(self._before)

    @cached_property
    def values(self) -> Sequence[object]:
        """The arguments.  Raises ValueError for an array of another device."""
        enter, stand_in = self._exchange.enter, self._foreign.stand_in
        return [enter(argument, stand_in, is_device_array) for argument in self._arguments]

    def run(
        self, run: Run, given: Sequence[object], support: Mapping[str, int], caller: Caller
    ) -> object:
        """Return what machine code gives, in the caller's kind of arrays.

        NumPy's arrays among what it is given, and in its objects, are copied to the device and
        back, of which the caller is told once. Raises what the code raises, and MemoryError where
        the device has no room.
        """
        states = states_of(self._driver)
        state = states.take()
        state.enter(self._foreign.stream)
        staging = Staging(self._driver, self._foreign.stream)
        try:
            result = self._staged(run, given, staging, support, caller)
        except RuntimeError as error:
            if said := self._driver.found_by_emulation():
                error.add_note(said)
            if (noted := self._driver.noted()) is not None:
                raise noted from None
            raise
        else:
            # A script may have caught what came of a kernel that could not be compiled.
            if (noted := self._driver.noted()) is not None:
                raise noted
            return result
        finally:
            staging.free()
            state.leave()
            states.give_back(state)

    def _staged(
        self,
        run: Run,
        given: Sequence[object],
        staging: Staging,
        support: Mapping[str, int],
        caller: Caller,
    ) -> object:
        hosts = list[Array]()

        def noted(array: Array) -> Array:
            if self._foreign.given(array) is None:
                hosts.append(array)
            return array

        def stand_in(array: Array) -> Array:
            return array if self._foreign.given(array) is not None else staging.stand_in(array)

        def back(array: Array) -> object:
            if not self._foreign.arrays:
                return staging.copied_out(array)
            host = staging.returned(array)
            return self._foreign.result(array) if host is None else host

        for value in given:
            self._exchange.enter(value, noted)
        objects = HeldArrays(staging, support, lambda array: self._foreign.given(array) is not None)
        hosts += objects.note(given)
        result: object = None
        try:
            staging.copy_in(hosts)
            caller.tell(staging.copied)
            objects.take()
            if self._foreign.exchanged:
                self._driver.wait()  # for what libraries have on the default stream
            try:
                result = run([self._exchange.enter(value, stand_in) for value in given])
            finally:
                staging.copy_back()
                self._exchange.write_back(back)
        finally:
            objects.give_back([*given, result])
            if self._foreign.exchanged:
                self._driver.wait(self._foreign.stream)
        return self._exchange.leave(result, back)
