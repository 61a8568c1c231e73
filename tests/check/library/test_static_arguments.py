"""Arguments from Python whose values decide on types: an axis, a flag, a mode."""

# Without annotations the types come from the call.
# pyright: basic

from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, script
from scriptc.scripted_function import ScriptFunction

X = np.arange(6.0).reshape(2, 3)


def _total(x, axis=0, scale=1):
    return np.sum(x, axis=axis) * scale


def _perhaps_both(x, full=False):
    if full:
        return x.sum(), x * 2
    return x.sum()


def _framed(x, mode):
    return np.pad(x, 1, mode=mode)


@pytest.fixture(params=["llvm", "interp"])
def backend(request: pytest.FixtureRequest) -> str:
    return request.param


def test_an_axis_comes_from_python(backend: str) -> None:
    total = script(_total, backend=backend)
    for _ in range(2):
        axes: list[Any] = [0, 1, -1, (0, 1), 0]
        for axis in axes:
            assert np.array_equal(total(X, axis), _total(X, axis))
        assert np.array_equal(total(X), _total(X))
        assert np.array_equal(total(x=X, axis=1), _total(X, 1))
    neither: Any = None
    assert total(X, neither) == 15.0


def test_what_types_do_not_depend_on_is_compiled_once(backend: str) -> None:
    total = script(_total, backend=backend)
    assert isinstance(total, ScriptFunction)
    for scale in range(5):
        assert np.array_equal(total(X, 1, scale), _total(X, 1, scale))
    assert len(total.seen) == 1
    assert len(total._records) == 1


def test_a_flag_from_python_decides_how_many_results_there_are(backend: str) -> None:
    both = script(_perhaps_both, backend=backend)
    assert both(X) == 15.0
    total, more = both(X, True)
    assert total == 15.0
    assert np.array_equal(more, X * 2)
    assert both(X, full=False) == 15.0
    assert len(both(X.T, full=True)) == 2


def test_another_process_finds_the_code_for_its_own_value(backend: str) -> None:
    for axis in (0, 1, 1, 0):
        afresh = script(_total, backend=backend)
        assert np.array_equal(afresh(X, axis), _total(X, axis))


def test_a_mode_that_there_is_not_is_refused(backend: str) -> None:
    framed = script(_framed, backend=backend)
    assert np.array_equal(framed(X, "edge"), _framed(X, "edge"))
    assert np.array_equal(framed(X, "wrap"), _framed(X, "wrap"))
    with pytest.raises(ScriptError, match="mode"):
        framed(X, "no such mode")
    assert np.array_equal(framed(X, "edge"), _framed(X, "edge"))


def test_a_value_that_no_constant_can_be_is_refused(backend: str) -> None:
    axis: Any = np.int64(1)
    with pytest.raises(ScriptError, match="axis must be a constant"):
        script(_total, backend=backend)(X, axis)


def _scaled_or_summed(x, p):
    if isinstance(p, int):
        return np.sum(x, axis=p)
    return np.sum(x * p)


def test_what_is_no_constant_there_is_compiled_once(backend: str) -> None:
    scripted = script(_scaled_or_summed, backend=backend)
    assert isinstance(scripted, ScriptFunction)
    for axis in (0, 1):
        assert np.array_equal(scripted(X, axis), _scaled_or_summed(X, axis))
    for p in (1.0, 2.5, 3.0, X, X + 1):
        assert scripted(X, p) == _scaled_or_summed(X, p)
    assert len(scripted._records) == 4


def _joined(x, axis):
    return np.concatenate((x, x), axis=axis)


def test_an_axis_that_does_not_exist_is_refused_as_such(backend: str) -> None:
    for function in (_total, _joined):
        with pytest.raises(ScriptError, match="axis 2 "):
            script(function, backend=backend)(X, 2)
