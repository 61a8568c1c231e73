"""Compiling a function warns once of sizes that meet under two names; strict settings refuse it."""

import pickle
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import scriptc
from scriptc import SizeWarning, script
from scriptc.types import M, N, f64
from tests.support.live_source import module_in

FLOATS = np.arange(4.0)
PROGRAM = """
from scriptc import script
from scriptc.types import M, N, f64

def inner(x: f64[N], y: f64[M]) -> float:
    return float((x * y).sum())
"""


def _warned(call: Callable[[], object]) -> Sequence[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        call()
    return told


@pytest.fixture
def module(tmp_path: Path, empty_cache: Path) -> ModuleType:
    return module_in(tmp_path / "told.py", PROGRAM)


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_a_compilation_warns_once_at_the_place(module: ModuleType, backend: Any) -> None:
    inner = script(module.inner, backend=backend)
    (told,) = _warned(lambda: inner(FLOATS, FLOATS))
    assert told.category is SizeWarning
    assert told.filename == module.__file__
    assert told.lineno == 6
    assert "warning[size-mismatch]: axes of the sizes N and M" in str(told.message)
    # One more specialisation, for arrays that lie otherwise, and one for other sizes.
    assert not _warned(lambda: inner(FLOATS[::-1], FLOATS))
    assert not _warned(lambda: inner(FLOATS, FLOATS[:1]))


def test_compile_ahead_warns_and_a_call_of_it_does_not(module: ModuleType) -> None:
    inner = script(module.inner)
    assert len(_warned(inner.compile)) == 1
    assert not _warned(lambda: inner(FLOATS, FLOATS))


def test_a_call_does_what_numpy_does(module: ModuleType) -> None:
    inner = script(module.inner)
    with pytest.warns(SizeWarning):
        assert inner(FLOATS, FLOATS) == 14.0
    assert inner(FLOATS, FLOATS[1:2]) == 6.0
    with pytest.raises(ValueError, match=r"shapes \(4,\) \(3,\)"):
        inner(FLOATS, FLOATS[1:])


def test_strict_sizes_refuse_also_what_is_in_the_cache(module: ModuleType) -> None:
    with pytest.warns(SizeWarning):
        script(module.inner)(FLOATS, FLOATS)
    strict = script(module.inner, strict_sizes=True)
    for _ in range(2):
        with pytest.raises(scriptc.ScriptError, match=r"error\[size-mismatch\]"):
            strict(FLOATS, FLOATS)


def test_strict_sizes_leave_what_fits_alone() -> None:
    @script(strict_sizes=True)
    def fits(x: f64[N], y: f64[M]) -> float:
        assert len(x) == len(y)
        return float((x * y).sum())

    assert not _warned(lambda: fits(FLOATS, FLOATS))


def test_sizes_without_names_promise_nothing() -> None:
    @script
    def plain(x: Any, y: Any):
        return x + y

    assert not _warned(lambda: plain(FLOATS, FLOATS[:1]))
    with pytest.raises(ValueError, match="broadcast"):
        _warned(lambda: plain(FLOATS, FLOATS[1:]))


def test_a_warning_that_is_made_an_error_stops_the_compilation(module: ModuleType) -> None:
    inner = script(module.inner)
    with warnings.catch_warnings():
        warnings.simplefilter("error", SizeWarning)
        for _ in range(2):
            with pytest.raises(SizeWarning):
                inner(FLOATS, FLOATS)


def test_a_pickle_stays_strict() -> None:
    @script(strict_sizes=True)
    def inner(x: f64[N], y: f64[M]) -> float:
        return float((x * y).sum())

    sent = pickle.loads(pickle.dumps(inner))
    assert sent is not inner
    with pytest.raises(scriptc.ScriptError, match=r"error\[size-mismatch\]"):
        sent(FLOATS, FLOATS)


def _product(a: f64[N, M], x: f64[N]):
    return a @ x


def _centred(a: f64[N, M], mu: f64[N]):
    return a - mu


def _curve(x: f64[N], xp: f64[M], fp: f64[N]):
    return np.interp(x, xp, fp)


def _called(w: f64[M], u: f64[N], v: f64[M]):
    return w, _times(u, v)


def _times(u: np.ndarray, v: np.ndarray):
    return u * v


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (_product, "assert a.shape[1] == x.shape[0]"),
        (_centred, "assert a.shape[1] == mu.shape[0]"),
        (_curve, "assert xp.shape[0] == fp.shape[0]"),
        (_called, "assert u.shape[0] == v.shape[0]"),
    ],
)
def test_the_parameters_are_those_that_meet(function: Any, said: str) -> None:
    (told,) = _warned(script(function).compile)
    assert said in str(told.message)
    one, other = (part.partition(".")[0] for part in said.removeprefix("assert ").split(" == "))
    assert f"of {one!r}" in str(told.message)
    assert f"of {other!r}" in str(told.message)
