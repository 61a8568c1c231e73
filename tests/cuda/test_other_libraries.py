"""Arrays of libraries that speak DLPack alone, and what is made for those that have no arrays."""

# Fakes of other libraries have no types.
# pyright: basic

import gc
import warnings

import numpy as np
import pytest

import scriptc
from scriptc import script
from scriptc.backends.cuda import dlpack
from scriptc.backends.cuda.foreign import DeviceArray
from scriptc_runtime.errors import TypeCheckError, UnsupportedError
from tests.support.device_calls import OnDevice, after_a_call, driver, live_allocations

DTYPES = ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16")


class Exported:
    """An array on the device of a library that has DLPack and nothing else."""

    def __init__(self, array, *, versioned=True, read_only=False, device=(2, 0), plain_order=False):
        self._held = OnDevice(array) if device[0] == 2 else array
        self.array, self.given_back = array, []
        self._versioned, self._read_only, self._device = versioned, read_only, device
        self._plain_order = plain_order

    def __dlpack_device__(self):
        return self._device

    def __dlpack__(self, *, stream=None, max_version=None):
        if max_version is not None and not self._versioned:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        assert stream == 1

        class Owner:
            def __del__(self, given_back=self.given_back):
                given_back.append(True)

        array, address = self.array, self._held.__cuda_array_interface__["data"][0]
        return dlpack.export(
            address, array.shape, array.dtype, array.strides, Owner(),
            read_only=self._read_only, max_version=max_version,
        )  # fmt: skip


@pytest.fixture(autouse=True)
def all_is_given_back():
    gc.collect()
    before = after_a_call()
    yield
    gc.collect()
    assert live_allocations() == before


def added(x, y):
    return x + y


def parts(x):
    return x, x[1:3], x.T


def written(x):
    x[0] = 7.0


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_goes_in_and_out(dtype: str, versioned: bool) -> None:
    x = np.arange(6).reshape(2, 3).astype(dtype)
    given = Exported(x, versioned=versioned)
    found = script(added)(given, given)
    assert type(found) is DeviceArray
    assert found.dtype == (x + x).dtype
    np.testing.assert_array_equal(np.asarray(found), x + x)
    again = script(added)(found, found)  # by its interface
    np.testing.assert_array_equal(np.asarray(again), (x + x) + (x + x))
    del found, again
    gc.collect()
    assert given.given_back == [True]


def test_what_comes_out_is_the_argument_or_keeps_what_was_borrowed() -> None:
    given = Exported(np.arange(12.0).reshape(4, 3))
    same, rows, turned = script(parts)(given)
    assert same is given
    np.testing.assert_array_equal(np.asarray(rows), np.arange(12.0).reshape(4, 3)[1:3])
    np.testing.assert_array_equal(np.asarray(turned), np.arange(12.0).reshape(4, 3).T)
    gc.collect()
    assert not given.given_back
    del rows, turned
    gc.collect()
    assert given.given_back == [True]


def test_a_read_only_array_is_not_written() -> None:
    with pytest.raises(ValueError, match="this array, or keeps it in an object, and it is read-o"):
        script(written)(Exported(np.arange(3.0), read_only=True))
    given = Exported(np.arange(3.0))
    script(written)(given)
    assert np.asarray(script(parts)(given)[1]).tolist() == [1.0, 2.0]


def test_arrays_of_another_device_are_refused() -> None:
    with pytest.raises(ValueError, match="an array lies on CUDA device 1"):
        script(written)(Exported(np.arange(3.0), device=(2, 1)))


def test_a_result_can_be_taken_by_dlpack() -> None:
    found = script(added)(Exported(np.arange(3.0)), Exported(np.arange(3.0)))
    assert found.__dlpack_device__() == (2, 0)
    for options in ({}, {"max_version": (1, 0)}, {"stream": 1}, {"stream": 77}):
        capsule = found.__dlpack__(**options)
        del capsule  # nobody took it
    taken = dlpack.Borrowed(found)
    assert (taken.shape, taken.strides, taken.dtype) == ((3,), (8,), np.dtype("f8"))
    np.testing.assert_array_equal(np.asarray(script(added)(found, found)), [0.0, 4.0, 8.0])
    with pytest.raises(BufferError, match="not copied, nor to another device"):
        found.__dlpack__(dl_device=(1, 0))
    del taken
    assert not dlpack._exported


def test_jax_arrays_come_back_as_jaxs(monkeypatch) -> None:
    """A fake of JAX: its arrays are never written, and it makes them of an exporter."""
    import sys
    from types import ModuleType

    class Array(Exported):
        __module__ = "jaxlib._jax"

        @property
        def __cuda_array_interface__(self):
            raise AssertionError("it tells of no stream")

    made = ModuleType("jax.dlpack")
    setattr(made, "from_dlpack", lambda exporter: ("jax", np.asarray(exporter)))  # noqa: B010
    monkeypatch.setitem(sys.modules, "jax", ModuleType("jax"))
    monkeypatch.setitem(sys.modules, "jax.dlpack", made)
    kind, found = script(added)(Array(np.arange(3.0)), Array(np.ones(3)))
    assert kind == "jax"
    np.testing.assert_array_equal(found, [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="read-only"):
        script(written)(Array(np.arange(3.0)))


def test_arrays_of_the_host_of_other_libraries_are_named() -> None:
    with pytest.raises(TypeCheckError, match=r"pass np.from_dlpack\(x\)"):
        script(added)(Exported(np.arange(3.0), device=(1, 0)), np.ones(3))


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_a_backend_that_is_named_takes_no_arrays_of_a_device(backend: str) -> None:
    with pytest.raises(ValueError, match=f"this function has backend={backend!r}: leave backend="):
        script(backend=backend)(added)(OnDevice(np.ones(3)), OnDevice(np.ones(3)))


def test_arrays_are_moved_once() -> None:
    x = np.arange(6.0).reshape(2, 3)
    given, (first, number), same = scriptc.to_device([x.T, (x, 3), x[:0]])
    assert type(given) is type(first) is DeviceArray
    assert (given.shape, same.shape, number) == ((3, 2), (0, 3), 3)
    assert scriptc.to_device(given) is given
    np.testing.assert_array_equal(np.asarray(given), x.T)
    np.testing.assert_array_equal(np.asarray(script(added)(first, first)), x + x)
    with pytest.raises(ValueError, match="copy=False"):
        np.asarray(given, copy=False)


class Holder:
    def __init__(self, x):
        self.x = x


def test_objects_are_not_moved_yet() -> None:
    with pytest.raises(UnsupportedError, match="to_device: Holder is an object"):
        scriptc.to_device(script(Holder)(np.ones(3)))


TABLE = np.arange(3.0)
FIXED = np.arange(3.0)


def looked_up(x):
    return x + TABLE + FIXED


@pytest.mark.filterwarnings("ignore::scriptc.CopyWarning")
def test_captured_arrays_that_nobody_writes_are_moved_once(monkeypatch) -> None:
    fixed = np.arange(3.0) * 10.0
    fixed.flags.writeable = False
    monkeypatch.setitem(globals(), "FIXED", fixed)
    on, given = script(looked_up), OnDevice(np.ones(3))
    np.testing.assert_array_equal(np.asarray(on(given)), [1.0, 12.0, 23.0])
    before = driver().counted("cuMemcpyHtoDAsync")
    TABLE[0] = 5.0
    np.testing.assert_array_equal(np.asarray(on(given)), [6.0, 12.0, 23.0])
    assert driver().counted("cuMemcpyHtoDAsync") == before + 1  # what may be written
    TABLE[0] = 0.0


def test_memory_that_is_kept_goes_with_its_array() -> None:
    on = script(backend="cuda")(added)
    x = np.arange(3.0)
    x.flags.writeable = False
    held = live_allocations()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(scriptc.CopyWarning):
            on(x, x)
        on(x, x[::-1])
    assert live_allocations() == held + 1
    del x
    gc.collect()
    assert live_allocations() == held
