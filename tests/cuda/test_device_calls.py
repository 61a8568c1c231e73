"""Calls with arrays on a device: nothing is copied, and the driver is asked for little."""

# Results have no annotations.
# pyright: basic

import numpy as np
import pytest

from scriptc import script
from scriptc.backends.cuda.driver import DriverError
from tests.support.device_calls import OnDevice, calls_of, driver, live_allocations, to_host


def fused(x, y, z):
    return np.exp(x) * y + z


def unit(x):
    return x / np.sqrt(np.sum(x * x))


def added(x, y):
    return x + y, np.sum(x + y)


def total(x):
    return np.sum(x)


def parts(x):
    return x, x[1:3], x.T, len(x)


def written(x, y):
    x[1:] = x[:-1] * 2.0
    y += x


def checked(x, i):
    x[0] = 7.0
    return x[i]


def test_a_fused_expression_is_one_launch_and_one_allocation() -> None:
    x = np.linspace(0.0, 1.0, 1000)
    on = script(fused)
    given = [OnDevice(x) for _ in range(3)]
    on(*given)
    with calls_of() as told:
        found = on(*given)
    assert +told == {"cuLaunchKernel": 1, "cuMemAllocAsync": 1}
    np.testing.assert_allclose(to_host(found), fused(x, x, x), rtol=1e-14)


def test_a_number_that_a_kernel_needs_stays_on_the_device() -> None:
    x = np.linspace(0.5, 1.0, 1000)
    on = script(unit)
    on(OnDevice(x))
    given = OnDevice(x)
    with calls_of() as told:
        found = on(given)
    assert told["cuLaunchKernel"] == 3  # sums of chunks, their sum, the quotients
    assert told["cuStreamSynchronize"] == 0
    np.testing.assert_allclose(to_host(found), unit(x), rtol=1e-14)


def test_a_number_that_is_returned_is_fetched_once() -> None:
    given, on = OnDevice(np.arange(1000.0)), script(total)
    on(given)
    with calls_of() as told:
        assert on(given) == 499500.0
    assert told["cuStreamSynchronize"] == 1


def test_results_are_the_arguments_or_parts_of_their_memory() -> None:
    given = OnDevice(np.arange(12.0).reshape(4, 3))
    same, rows, turned, size = script(parts)(given)
    assert same is given
    start = given.__cuda_array_interface__["data"][0]
    assert rows.__cuda_array_interface__["data"][0] == start + 24
    assert turned.__cuda_array_interface__["strides"] == (8, 24)
    assert size == 4


@pytest.mark.parametrize("shared", [False, True])
def test_what_is_written_is_seen_by_all_who_share_the_memory(shared: bool) -> None:
    x, y = np.arange(5.0), np.arange(5.0)
    expected = [x.copy(), y.copy()]
    if shared:
        expected[1] = expected[0]
    written(*expected)
    first = OnDevice(x)
    second = first if shared else OnDevice(y)
    script(written)(first, second)
    np.testing.assert_array_equal(to_host(first), expected[0])
    np.testing.assert_array_equal(to_host(second), expected[1])


def test_arrays_of_the_host_that_share_memory_share_it_on_the_device() -> None:
    x, y = np.arange(9.0), np.arange(9.0)
    written(x[:6], x[3:])
    script(written, backend="cuda")(y[:6], y[3:])
    np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("step", [-1, 2, 0])
def test_any_layout_goes_to_the_device(step: int) -> None:
    base = np.arange(24.0).reshape(4, 6)
    view = base[::step, ::-1].T if step else np.broadcast_to(base[0], (3, 6))
    np.testing.assert_allclose(script(unit, backend="cuda")(view), unit(view), rtol=1e-14)


def test_all_memory_is_given_back_also_where_a_call_raises() -> None:
    on, given = script(checked), OnDevice(np.arange(4.0))
    assert on(given, 2) == 2.0
    held = live_allocations()
    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0 with size 4"):
        on(given, 9)
    host = np.arange(4.0)
    with pytest.raises(IndexError):
        script(checked, backend="cuda")(host, 9)
    assert host[0] == 7.0
    assert live_allocations() == held


def test_no_memory_is_a_memory_error() -> None:
    on, given = script(fused), [OnDevice(np.ones(1000)) for _ in range(3)]
    on(*given)
    try:
        driver().limit_memory(30_000)
        with pytest.raises(MemoryError, match="Unable to allocate 8000 bytes"):
            on(*given)
    finally:
        driver().limit_memory(2**36)
    np.testing.assert_allclose(to_host(on(*given))[0], np.e + 1.0)


def test_a_refusal_of_the_driver_says_what_it_was() -> None:
    with pytest.raises(DriverError, match="cuMemFreeAsync failed: error 1, memory that is no"):
        driver().free(12345)


def grown(xs, k):
    xs.append(xs[0] * k)
    xs[1][0] = 9.0
    return xs


@pytest.mark.parametrize("on_device", [False, True])
def test_lists_are_the_callers_own(on_device: bool) -> None:
    arrays = [np.ones(3), np.ones(2)]
    given = [OnDevice(a) for a in arrays] if on_device else list(arrays)
    before = list(given)
    found = script(grown, backend="cuda")(given, 2.0)
    assert found is given
    assert given[:2] == before if on_device else given[1] is before[1]
    last, second = (to_host(a) if on_device else a for a in (given[2], given[1]))
    np.testing.assert_array_equal(last, [2.0, 2.0, 2.0])
    np.testing.assert_array_equal(second, [9.0, 1.0])


def test_numpys_arrays_beside_those_of_a_device_are_written_to() -> None:
    x, y = np.zeros(5), OnDevice(np.ones(5))
    script(written)(x, y)
    np.testing.assert_array_equal(to_host(y), np.ones(5))


def named(x, *, scale=2.0):
    return x * scale


def test_arguments_may_be_named() -> None:
    np.testing.assert_array_equal(
        to_host(script(named)(OnDevice(np.ones(2)), scale=4.0)), [4.0, 4.0]
    )


def test_all_of_a_call_goes_to_the_stream_of_its_array() -> None:
    given, host, on = OnDevice(np.arange(5.0), stream=77), np.ones(5), script(added)
    on(given, host)
    before = [driver().counted(f"stream {number}") for number in (0, 77)]
    found, number = on(given, host)
    assert number == 15.0
    assert found.__cuda_array_interface__["stream"] == 77
    del found  # its memory goes back to the stream that it is of
    default, own = (driver().counted(f"stream {number}") for number in (0, 77))
    assert default == before[0]
    assert own > before[1] + 6


def test_results_are_parts_of_the_memory_of_numpys_arrays() -> None:
    x = np.arange(12.0).reshape(4, 3)
    same, rows, turned, _ = script(parts, backend="cuda")(x)
    assert same is x
    rows[0, 0] = 99.0
    assert turned[0, 1] == x[1, 0] == 99.0


def test_memory_of_a_read_only_array_stays_read_only() -> None:
    x = np.arange(5.0)
    x.flags.writeable = False
    found = script(parts, backend="cuda")(x.reshape(5, 1))[1]
    assert not found.flags.writeable
    assert np.shares_memory(found, x)


def both(xs, ys):
    xs.append(xs[0])
    return len(ys)


def test_a_list_that_is_given_twice_is_one() -> None:
    given = [np.ones(2)]
    assert script(both, backend="cuda")(given, given) == 2
    assert len(given) == 2


def test_arrays_of_cupy_come_and_go_without_a_copy() -> None:
    cupy = pytest.importorskip("cupy")
    on_device = OnDevice(np.arange(6.0))
    address = on_device.__cuda_array_interface__["data"][0]
    memory = cupy.cuda.UnownedMemory(address, 48, on_device, 0)
    given = cupy.ndarray((2, 3), np.float64, cupy.cuda.MemoryPointer(memory, 0))
    same, rows, turned, size = script(parts)(given)
    assert same is given
    assert size == 2
    assert (type(rows), rows.shape, rows.data.ptr) == (cupy.ndarray, (1, 3), address + 24)
    assert (turned.shape, turned.strides) == ((3, 2), (8, 24))
    back = cupy.cuda.MemoryPointer(memory, 40)
    found = script(unit)(cupy.ndarray((2, 3), np.float64, back, (-24, -8)))
    assert type(found) is cupy.ndarray
