"""Functions of NumPy that are written in the script language: saved, loaded, and in tracebacks."""

# The stubs of NumPy leave results of some of them open.
# pyright: basic

import linecache
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scriptc
import scriptc_runtime
from scriptc import SizeWarning, script
from scriptc.types import M, N, c128, f64, i64
from scriptc_runtime.errors import ScriptError


@script
def several(a: f64[N, M], i: i64[N]):
    b = np.cumsum(a, axis=0)
    b[b > 3] = 0
    return a[i], b, np.searchsorted(np.sort(a[0]), a[1]), np.roll(a, 1), np.linspace(0, 1, 5)


TABLE, ROWS = np.arange(6.0).reshape(2, 3), np.array([1, -1])
OUTSIDE = np.array([0, 5])


def test_a_saved_file_holds_them_for_the_interpreter_and_the_compiler(tmp_path: Path) -> None:
    path = tmp_path / "several.scriptc"
    scriptc.save({"several": several}, path)
    expected: Any = several.python(TABLE, ROWS)
    for loaded in (scriptc_runtime.load(path), scriptc.load(path)):
        found: Any = loaded.several(TABLE, ROWS)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)
        with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 2"):
            loaded.several(TABLE, OUTSIDE)


def test_their_frames_are_no_part_of_a_traceback() -> None:
    with pytest.raises(IndexError) as caught:
        several(TABLE, OUTSIDE)
    files = {frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)}
    assert files == {__file__}


def test_what_they_cannot_check_is_refused_at_the_call_of_the_user() -> None:
    def wrong(a: f64[N, M]):
        return np.roll(a, a)  # pyright: ignore[reportCallIssue, reportArgumentType]

    with pytest.raises(ScriptError) as caught:
        script(wrong)(TABLE)
    assert "stdlib" not in str(caught.value)
    assert "np.roll" in str(caught.value)


def windows(n: int, x: f64[N]):
    return (
        np.hanning(n),
        np.hamming(n),
        np.blackman(n),
        np.bartlett(n),
        np.kaiser(n, 8.6),
        np.i0(x),
        np.sinc(x),
        np.sinc(0.25),
        np.unwrap(x),
        np.unwrap(x, 2, period=3.0),
        np.unwrap(x.reshape(2, -1), axis=0),
    )


def fits(x: f64[N], y: f64[N], w: f64[N]):
    z = np.column_stack((y, -2 * y))
    return np.polyfit(x, y, 2), np.polyfit(x, y, 1, w=w), np.polyfit(x, z, 3), np.polyfit(x, z, 0)


def sums_of_powers(x: f64[N], y: f64[N]):
    return np.logaddexp(x, y), np.logaddexp2(x, -y), np.logaddexp(x[0], 1)


def uneven(x: f64[N]):
    return np.polyfit(x, x[1:], 1)


def zeros(p: c128[N]):
    return np.roots(p)


def real_zeros(p: f64[N]):
    return np.roots(p)


def test_windows_and_fits_are_those_of_numpy_within_rounding() -> None:
    x = np.array([0.0, 1.0, -2.5, 7.0, 7.5, 30.0])
    y = np.array([1.0, 2.0, 0.5, -3.0, 4.0, 2.0])
    p = np.array([0, 1, -3 + 1j, 2, 0, 0], complex)
    for n in (12, 1, 0, 7):
        _compare(windows, n, x)
    _compare(fits, x, y, y * y)
    _compare(zeros, p)
    _compare(sums_of_powers, np.append(x, [np.inf, -np.inf, np.nan]), np.append(y, [np.inf] * 3))
    with (
        pytest.warns(SizeWarning, match="the sizes N and N - 1"),
        pytest.raises(TypeError, match="expected x and y to have same length"),
    ):
        script(uneven)(x)
    with pytest.raises(ValueError, match="real numbers are complex"):
        script(real_zeros)(x)


def _compare(function: Any, *arguments: object) -> None:
    found, expected = script(function)(*arguments), function(*arguments)
    found, expected = (v if isinstance(v, tuple) else (v,) for v in (found, expected))
    for one, other in zip(found, expected, strict=True):
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)


def test_their_text_does_not_lie_where_others_clear_it() -> None:
    def total(x):
        return np.cumsum(x)[-1] + np.median(x)

    linecache.clearcache()
    assert script(total)(np.arange(4.0)) == 7.5
