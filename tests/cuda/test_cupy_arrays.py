"""Arrays of CuPy in machine code: read where they lie, on calls that Python takes no part in."""

# CuPy has no types.
# pyright: basic

import gc

import numpy as np
import pytest

from scriptc import script
from scriptc.backends.cuda import calls as device_calls
from scriptc.specialise.cupy_arrays import connect_cupy
from tests.support.device_calls import OnDevice, driver, live_allocations

cupy = pytest.importorskip("cupy")

DTYPES = ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16")


def on_device(array, strides=None, offset=0, device=0):
    """Return an array of CuPy over memory of the emulated device."""
    held = OnDevice(array)
    address = held.__cuda_array_interface__["data"][0]
    memory = cupy.cuda.UnownedMemory(address, max(array.nbytes, 1), held, device)
    pointer = cupy.cuda.MemoryPointer(memory, offset)
    return cupy.ndarray(array.shape, array.dtype, pointer, strides)


def to_host(array):
    """Return a copy of the elements of an array in C order."""
    assert type(array) is cupy.ndarray
    assert array.flags.c_contiguous
    made = np.empty(array.shape, array.dtype)
    if made.nbytes:
        driver().copy_out(made.ctypes.data, int(array.data.ptr), made.nbytes)
    return made


@pytest.fixture
def slow_calls(monkeypatch):
    """Count the calls that Python took part in."""
    found = []
    before = device_calls.DeviceCall.run

    def run(self, *arguments):
        found.append(arguments)
        return before(self, *arguments)

    monkeypatch.setattr(device_calls.DeviceCall, "run", run)
    return found


def added(x, y):
    return x + y


def parts(x):
    return x, x[1:3], x.T, len(x), x[::-1]


def scaled(pair, k, unless=None):
    if unless is None:
        return pair[0] * k, pair[1]
    return pair[0] + unless, pair[1]


def picked(x, i):
    return x[i]


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_goes_in_and_out(dtype: str, slow_calls) -> None:
    x, y = np.arange(7).astype(dtype), np.arange(7)[::-1].astype(dtype)
    on, given = script(added), (on_device(x), on_device(y))
    for _ in range(3):
        found = on(*given)
        assert found.dtype == (x + y).dtype
        np.testing.assert_array_equal(to_host(found), x + y)
    assert len(slow_calls) == 1


@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 0, 2), (2, 3, 4, 5)])
def test_every_shape_goes_in_and_out(shape: tuple[int, ...]) -> None:
    x, on = np.arange(np.prod(shape)).reshape(shape) * 1.5, script(added)
    for _ in range(2):
        found = on(on_device(x), on_device(x))
        if shape:
            np.testing.assert_array_equal(to_host(found), x + x)
        else:
            assert float(found) == 0.0


def test_what_comes_out_is_the_argument_or_a_view_of_it(slow_calls) -> None:
    on, given = script(parts), on_device(np.arange(12.0).reshape(4, 3))
    start = given.data.ptr
    for _ in range(2):
        same, rows, turned, size, back = on(given)
        assert same is given
        assert (rows.shape, rows.data.ptr) == ((2, 3), start + 24)
        assert (turned.shape, turned.strides, size) == ((3, 4), (8, 24), 4)
        assert (back.strides, back.data.ptr) == ((-24, 8), start + 72)
        assert back.data.mem.ptr == start
    assert len(slow_calls) == 1


def test_a_view_keeps_the_memory_and_all_is_given_back() -> None:
    gc.collect()
    on, before = script(parts), live_allocations()
    for _ in range(3):
        view = on(on_device(np.arange(12.0).reshape(4, 3)))[1]
        assert live_allocations() == before + 1
        driver().copy_out(np.empty(6).ctypes.data, int(view.data.ptr), 48)
        del view
        assert live_allocations() == before


def test_negative_steps_are_read() -> None:
    x, on = np.arange(6.0).reshape(2, 3), script(added)
    given = on_device(x, (-24, -8), 40)
    for _ in range(2):
        np.testing.assert_array_equal(to_host(on(given, given)), 2 * x[::-1, ::-1])


def test_tuples_and_numbers_go_along(slow_calls) -> None:
    x, on = np.arange(3.0), script(scaled)
    pair = on_device(x), 4
    for _ in range(2):
        found, number = on(pair, 2.0)
        np.testing.assert_array_equal(to_host(found), x * 2.0)
        assert number == 4
        found, _ = on(pair, 2.0, on_device(x))
        np.testing.assert_array_equal(to_host(found), x + x)
    assert len(slow_calls) == 2


def test_an_exception_comes_out_of_machine_code(slow_calls) -> None:
    on, given = script(picked), on_device(np.arange(3.0))
    assert on(given, -1) == 2.0
    before = live_allocations()
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        on(given, 3)
    assert live_allocations() == before
    assert len(slow_calls) == 1


def test_numpys_arrays_still_run_on_the_host() -> None:
    x, on = np.arange(3.0), script(added)
    for _ in range(2):
        assert type(on(on_device(x), on_device(x))) is cupy.ndarray
        assert type(on(x, x)) is np.ndarray
        mixed = on(on_device(x), x)
        np.testing.assert_array_equal(to_host(mixed), x + x)


def test_arrays_of_another_device_are_refused_by_machine_code_too() -> None:
    x, on = np.arange(3.0), script(added)
    on(on_device(x), on_device(x))
    with pytest.raises(ValueError, match="an array lies on CUDA device 1"):
        on(on_device(x), on_device(x, device=1))


def test_another_thread_has_a_context_made_current() -> None:
    from concurrent.futures import ThreadPoolExecutor

    x, on = np.arange(3.0), script(added)
    given = on_device(x)
    on(given, given)
    with ThreadPoolExecutor(1) as pool:
        np.testing.assert_array_equal(
            pool.submit(lambda: to_host(on(given, given))).result(), x + x
        )


_FACTOR = 2.0


def multiplied(x):
    return x * _FACTOR


def test_a_name_that_means_something_else_is_seen(monkeypatch) -> None:
    x, on = np.arange(3.0), script(multiplied)
    given = on_device(x)
    for _ in range(2):
        np.testing.assert_array_equal(to_host(on(given)), x * 2.0)
    monkeypatch.setitem(globals(), "_FACTOR", 5.0)
    for _ in range(2):
        np.testing.assert_array_equal(to_host(on(given)), x * 5.0)


def test_the_places_in_cupys_objects_are_found() -> None:
    on, x = script(added), np.arange(2.0)
    on(on_device(x), on_device(x))
    assert connect_cupy("", {})
