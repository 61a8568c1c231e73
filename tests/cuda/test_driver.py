"""What the driver does for calls: contexts, forks, memory that is missing, threads and streams."""

# Results have no annotations.
# pyright: basic

import ctypes
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from scriptc import script
from scriptc_runtime.errors import ScriptError
from tests.support.device_calls import OnDevice, driver, live_allocations, to_host

ANOTHER = 2  # a context of somebody else, as the emulated driver has it


def taken(x, i, k):
    y = x[i] * k
    x += 1.0
    return y


@pytest.mark.parametrize("index", [0, 99])
def test_a_thread_has_its_own_context_again_after_a_call(index) -> None:
    on, x = script(taken), OnDevice(np.ones(3))
    given = OnDevice(np.array([0, index]))
    found = ctypes.c_void_p()
    device = driver()
    device.call("cuCtxSetCurrent", ctypes.c_void_p(ANOTHER))
    try:
        if index:
            with pytest.raises(IndexError):
                on(x, given, 2.0)
        else:
            made = on(x, given, 2.0)
            del made  # its memory is given back in the context that it is of
        device.call("cuCtxGetCurrent", ctypes.byref(found))
        assert found.value == ANOTHER
    finally:
        device.enter()


def test_a_forked_process_is_told_so() -> None:
    on, x, i = script(taken), OnDevice(np.ones(3)), OnDevice(np.array([0]))
    on(x, i, 2.0)
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        try:
            on(x, i, 2.0)
            os.write(writes, b"it ran")
        except ScriptError as error:
            os.write(writes, str(error).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writes)
    with os.fdopen(reads) as told:
        text = told.read()
    assert "forked from one that had used the GPU" in text
    assert "spawn" in text


def test_memory_that_is_kept_is_given_back_before_none_is_left() -> None:
    def doubled(x):
        return x * 2.0

    on, x = script(doubled), OnDevice(np.ones(1000))
    on(x)
    trims = driver().counted("cuMemPoolTrimTo")
    try:
        driver().wait()
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        driver().call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        driver().limit_memory(total.value - free.value + 20_000)
        for _ in range(40):
            on(x)
        assert driver().counted("cuMemPoolTrimTo") > trims
        driver().limit_memory(100)
        with pytest.raises(MemoryError, match="Unable to allocate 8000 bytes"):
            on(x)
    finally:
        driver().limit_memory(2**36)


def test_two_threads_on_two_streams_have_their_own_calls_and_failures() -> None:
    on = script(taken)

    def calls(stream):
        x = OnDevice(np.zeros(4), stream=stream)
        good, bad = OnDevice(np.array([0, 3])), OnDevice(np.array([1, 9]))
        for count in range(1000):
            if count % 3 == stream % 3:
                with pytest.raises(IndexError, match="index 9 is out of bounds"):
                    on(x, bad, 2.0)
                continue
            made = on(x, good, float(stream))
            if count % 50 == 0:
                value = to_host(x)[0] - 1.0
                np.testing.assert_array_equal(to_host(made), [value * stream] * 2)
        return to_host(x)

    calls(5)
    held = live_allocations()
    with ThreadPoolExecutor(2) as pool:
        for found, stream in zip(pool.map(calls, (70, 71)), (70, 71), strict=True):
            failed = len([c for c in range(1000) if c % 3 == stream % 3])
            np.testing.assert_array_equal(found, [1000.0 - failed] * 4)
    assert live_allocations() <= held + 1  # a second call at once has a record of its own
