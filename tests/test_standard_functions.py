"""Functions of NumPy that are written in the script language: saved, loaded, and in tracebacks."""

# The stubs of NumPy leave results of some of them open.
# pyright: basic

import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scriptc
import scriptc_runtime
from scriptc import script
from scriptc.types import M, N, f64, i64
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
