"""Functions and dtypes that Python gives to a script: code is compiled for each of them."""

# Without annotations the types come from the call.
# pyright: basic

import math
from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, script

X = np.array([1.0, -2.0, 0.5])
FACTOR = 2.0
DTYPES: Any = (np.float32, np.dtype("int16"), float, "f4", np.dtype(complex), int)
WEIGHTS = np.array([1.0, 10.0, 100.0])


def _stepped(f, y, n, h=0.5):
    for _ in range(n):
        y = y + h * f(y + h / 2 * f(y))
    return y


def _applied(f, x):
    return f(x)


def _filled(x, dtype=np.float64):
    out = np.zeros(x.shape, dtype)
    for i in range(len(x)):
        out[i] = x[i] * 2
    return out, out.dtype == dtype


def _decay(y):
    return -y


def _scaled(y):
    return y * FACTOR


def _weighted(y):
    return y * WEIGHTS


def _raising(y):
    if y[0] > 0:
        raise ValueError("not this one")
    return y


def _power(k):
    return lambda y: y**k + k


@pytest.fixture(params=["llvm", "interp"])
def backend(request: pytest.FixtureRequest) -> str:
    return request.param


def test_a_function_comes_from_python(backend: str) -> None:
    stepped = script(_stepped, backend=backend)
    for _ in range(2):
        for f in (_decay, _scaled, script(_decay), _weighted, lambda y: y / 2):
            assert np.array_equal(stepped(f, X, 3), _stepped(f, X, 3))
    assert np.array_equal(stepped(n=2, y=X[::-1], f=_decay), _stepped(_decay, X[::-1], 2))


def test_functions_of_libraries_come_from_python(backend: str) -> None:
    applied = script(_applied, backend=backend)
    for f in (np.sqrt, np.abs, np.sum, np.cumsum):
        assert np.array_equal(applied(f, X**2), f(X**2))
    for g in (math.floor, math.ceil, abs, float, np.int64):
        assert applied(g, 2.5) == g(2.5)


def test_what_a_function_captures_is_its_own(backend: str) -> None:
    for _ in range(2):
        applied = script(_applied, backend=backend)
        for k in (2, 3, 2):
            f = _power(k)
            assert np.array_equal(applied(f, X), f(X))


def test_what_a_function_reads_is_never_stale(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    applied = script(_applied, backend=backend)
    assert np.array_equal(applied(_scaled, X), X * 2.0)
    monkeypatch.setitem(globals(), "FACTOR", 5.0)
    assert np.array_equal(applied(_scaled, X), X * 5.0)
    assert np.array_equal(applied(_weighted, X), X * WEIGHTS)
    monkeypatch.setitem(globals(), "WEIGHTS", np.array([2.0, 3.0, 4.0]))
    assert np.array_equal(applied(_weighted, X), X * np.array([2.0, 3.0, 4.0]))


def test_a_dtype_comes_from_python(backend: str) -> None:
    filled = script(_filled, backend=backend)
    for _ in range(2):
        for dtype in DTYPES:
            found, expected = filled(X, dtype), _filled(X, dtype)
            assert found[0].dtype == expected[0].dtype
            assert np.array_equal(found[0], expected[0])
            assert found[1] == expected[1]
        assert filled(X)[0].dtype == np.float64


def test_an_exception_of_the_function_reaches_python(backend: str) -> None:
    applied = script(_applied, backend=backend)
    with pytest.raises(ValueError, match="not this one"):
        applied(_raising, X)
    assert np.array_equal(applied(_raising, -X), -X)


def test_none_is_no_function(backend: str) -> None:
    applied = script(_applied, backend=backend)
    assert np.array_equal(applied(_decay, X), -X)
    with pytest.raises(ScriptError, match="None cannot be called"):
        applied(None, X)


@pytest.mark.parametrize("value", [X.sum, open, type("Unknown", (), {}), (_decay, _scaled)])
def test_what_cannot_be_compiled_into_a_script_is_refused(backend: str, value: object) -> None:
    with pytest.raises(ScriptError):
        script(_applied, backend=backend)(value, X)


def _summed(x, axis):
    return x.sum(axis=axis)


def test_code_is_made_for_some_values_of_an_argument(backend: str) -> None:
    summed = script(_summed, backend=backend)
    x = np.ones((1,) * 9)
    for axis in [*range(-9, 7)] * 2:
        assert summed(x, axis).ndim == 8
    with pytest.raises(ScriptError) as refused:
        summed(x, 7)
    said = str(refused.value)
    assert "axis must be a constant" in said
    assert "code was made for 16 values" in said
    # Those that there are stay, and other types have values of their own.
    assert summed(x, -9).ndim == 8
    assert summed(x[0], 7).ndim == 7
