"""Calls of machine code whose arrays lie on a CUDA device."""

from collections.abc import Callable, Sequence

from scriptc.backends.cuda.driver import open_driver
from scriptc.backends.cuda.staging import Staging


def call_on_device(
    run: Callable[[Sequence[object]], object], values: Sequence[object], cache_folder: str
) -> object:
    """Return what code of the device gives for arrays of the host, which are copied there and back.

    Raises what the code raises, and MemoryError where the device has no room.
    """
    driver = open_driver(cache_folder)
    driver.enter()
    staging = Staging(driver)
    try:
        entered = staging.enter(values)
        try:
            result = run(entered)
        finally:
            staging.leave(values, entered)
        return staging.result(result)
    finally:
        staging.free()
