"""Kernels are compiled when they are launched first, each by itself."""

# Results have no annotations.
# pyright: basic

from collections.abc import Generator, Mapping
from unittest import mock

import numpy as np
import pytest

from scriptc import script
from scriptc.backends.cuda.device import KernelCompileError
from scriptc.backends.cuda.driver import Driver
from tests.support.device_calls import OnDevice, to_host

Compiled = list[list[str]]


@pytest.fixture
def compiled() -> Generator[Compiled]:
    """What a device whose compiler starts quickly was asked to compile."""
    found = Compiled()
    compile_ = Driver.compiled

    def noting(driver: Driver, source: str, kernels: Mapping[str, bool]) -> bytes:
        found.append(list(kernels))
        return compile_(driver, source, kernels)

    apart = mock.patch.object(Driver, "compiles_apart", True)
    with mock.patch.object(Driver, "compiled", noting), apart:
        yield found


def chosen(x, k: int):
    if k == 0:
        return x + 1.0
    if k == 1:
        return np.cumsum(x) * 2.0
    if k == 2:
        return np.sort(x)
    return x[x > 0.0]


def test_only_what_is_launched_is_compiled_and_once(compiled: Compiled) -> None:
    x = np.array([3.0, -1.0, 2.0])
    on, given = script(chosen), OnDevice(x)
    np.testing.assert_array_equal(to_host(on(given, 0)), x + 1.0)
    assert list(map(len, compiled)) == [1]
    np.testing.assert_array_equal(to_host(on(given, 0)), x + 1.0)
    assert list(map(len, compiled)) == [1]
    np.testing.assert_array_equal(to_host(on(given, 1)), np.cumsum(x) * 2.0)
    assert set(map(len, compiled)) == {1}
    first = len(compiled)
    np.testing.assert_array_equal(to_host(on(given, 2)), np.sort(x))
    assert len(compiled) > first
    names = [name for names in compiled for name in names]
    assert len(set(names)) == len(names)


def refused(x):
    try:
        y = x * 5.0
        return y
    except RuntimeError:
        return x


def test_what_the_compiler_refuses_no_script_catches(compiled: Compiled) -> None:
    given, on = OnDevice(np.ones(3)), script(refused)
    failed = mock.patch.object(Driver, "compiled", side_effect=KernelCompileError("line 3: what"))
    with failed, pytest.raises(KernelCompileError, match="line 3: what"):
        on(given)
    np.testing.assert_array_equal(to_host(on(given)), np.full(3, 5.0))
    assert list(map(len, compiled)) == [1]
