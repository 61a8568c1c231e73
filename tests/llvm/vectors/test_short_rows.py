"""Folds over short axes give NumPy's value, dtype and shape, of every dtype and layout.

Numbers are whole and small, so that sums and products are exact in any order.
"""

# Without annotations the types come from the call, which is what these functions are about.
# pyright: basic

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.backends.llvm.vectors import alignment
from scriptc.types import M, N, f64
from tests.support.outcomes import freeze

DTYPES = [np.dtype(code) for code in "?bhilBHILefdFD"]
SIZES = (0, 1, 2, 3, 4, 5, 7, 8)


def sums(a):
    return (
        np.sum(a, axis=0),
        a.sum(axis=-1, keepdims=True),
        np.cumsum(a, axis=-1),
        np.any(a, axis=-1),
        np.einsum("ij->j", a),
    )


def products(a):
    return (
        np.prod(a, axis=0),
        a.prod(axis=-1, keepdims=True),
        np.dot(a, a.T),
        np.einsum("ij,ij->ij", a, a),
        np.tensordot(a, a, 2),
    )


def narrow(a):
    """What has the dtype that is asked for, however many bits are left of the sum."""
    return (
        np.sum(a, dtype=np.int8),
        a.sum(axis=-1, dtype=np.bool_),
        np.prod(a, axis=-1, dtype=np.int16, keepdims=True),
        np.cumsum(a, axis=0, dtype=np.int8),
    )


def extremes(a):
    return (
        np.min(a, axis=0),
        a.max(axis=-1, keepdims=True),
        np.argmax(a, axis=0),
        a.argmin(axis=-1),
        np.diff(a, axis=0),
        np.mean(a, axis=-1),
    )


# Each compilation takes its time: what all dtypes have in common is compiled for some.
OF_SOME = {products: "bIfD", narrow: "iB", extremes: "?He"}
CALLS = [
    *((sums, dtype) for dtype in DTYPES),
    *((function, np.dtype(code)) for function, codes in OF_SOME.items() for code in codes),
]


def _tables(dtype: np.dtype[Any]) -> Iterator[Any]:
    for size in SIZES:
        for shape in ((3, size), (size, 3)):
            numbers = (np.arange(3 * size) * 7 % 5 - (dtype.kind not in "bu")).reshape(shape)
            table = numbers.astype(dtype)
            yield table
            yield np.asfortranarray(table)
            yield np.ascontiguousarray(table[::-1, ::-1])[::-1, ::-1]
            wide = np.zeros((2 * shape[0], 2 * shape[1]), dtype)
            wide[::2, 1::2] = table
            yield wide[::2, 1::2]
            yield np.broadcast_to(table[:1], (min(3, 3 * len(table)), shape[1]))


def _outcome(function: Callable[..., object], table: Any) -> object:
    try:
        return freeze(function(table))
    except ValueError as error:
        return str(error)


@pytest.mark.sampled(13)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("function", "dtype"), CALLS)
def test_folds_of_short_axes_are_numpys(
    function: Callable[..., object], dtype: np.dtype[Any]
) -> None:
    scripted = script(function, backend="llvm")
    for table in _tables(dtype):
        assert _outcome(scripted, table) == _outcome(function, table), (table.shape, table.strides)


@script
def sum_of_short_rows(a):
    return np.sum(a, axis=-1)


@script
def distances(a, b):
    return np.sum((a - b) * (a - b), axis=-1), np.max(a, axis=-1), np.min(a + b[0], axis=-1)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32])
def test_rows_that_are_asked_for_ahead_of_time(
    dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No other test compiles these functions: arrays of any size are taken for large ones.
    monkeypatch.setattr(alignment, "PAST_CACHES", 1)
    for rows in (0, 1, 2, 7, 100, 1001):
        for columns in (1, 2, 3, 4, 8):
            a = (np.arange(rows * columns) * 37 % 64 - 32).astype(dtype).reshape(rows, columns)
            b = a[::-1].copy()
            for x in (a, a[::-1], a[:, ::-1], np.asfortranarray(a)):
                assert freeze(sum_of_short_rows(x)) == freeze(sum_of_short_rows.python(x))
                if rows:
                    assert list(map(freeze, distances(x, b))) == list(
                        map(freeze, distances.python(x, b))
                    )
            solid = a.reshape(-1, 1, columns).repeat(5, 1)
            assert freeze(sum_of_short_rows(solid)) == freeze(sum_of_short_rows.python(solid))


def test_short_rows_that_no_cache_holds() -> None:
    a = (np.arange(6_600_000) % 1013).astype(float)
    for columns in (2, 3):
        rows = a.reshape(-1, columns)
        assert np.array_equal(sum_of_short_rows(rows), np.sum(rows, axis=1))
    assert "llvm.prefetch" in sum_of_short_rows.dump("llvm", f64[N, M])


@script
def folds_of_rows(a):
    return np.sum(a, axis=-1), np.prod(a, axis=-1), np.max(a, axis=-1), np.min(-a, axis=-1)


@script
def folds_of_rows_with(a, b):
    return np.sum(a * b[0] - b, axis=-1), np.max(np.where(a > b, a, b), axis=-1)


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_of_every_length_around_those_of_vectors(dtype: type) -> None:
    special = np.array([np.nan, np.inf, -np.inf, -0.0], dtype)
    for columns in range(140):
        a = np.ones((4, columns), dtype)
        a[:, ::3], a[:, 1::4], a[2:] = 2, -0.5, -a[2:]
        a[3, columns // 2 : columns // 2 + 4] = special[: columns - columns // 2]
        wide = np.full((4, columns + 2), 7, dtype)
        wide[:, 1:-1] = a
        for x in (a, wide[:, 1:-1], a[::-1], np.asfortranarray(a)):
            if columns:
                assert list(map(freeze, folds_of_rows(x))) == list(
                    map(freeze, folds_of_rows.python(x))
                )
                assert list(map(freeze, folds_of_rows_with(x, a))) == list(
                    map(freeze, folds_of_rows_with.python(x, a))
                )
            assert freeze(sum_of_short_rows(x)) == freeze(sum_of_short_rows.python(x))


def scans(a):
    return (
        np.cumsum(a, axis=-1),
        a.cumprod(axis=1),
        np.maximum.accumulate(a, axis=-1),
        np.minimum.accumulate(a, axis=1),
        np.add.accumulate(a, axis=-1),
        np.cumulative_sum(a, axis=-1),
    )


@pytest.mark.sampled(9)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("code", "?bBhiqQfd")
def test_scans_of_rows_are_numpys(code: str) -> None:
    scripted = script(scans)
    for shape in ((3, 4), (2, 3, 5), (0, 3), (3, 0), (0, 0), (1, 1), (2, 0, 3), (7, 90)):
        a = (np.arange(np.prod(shape)) * 7 % 5 - (code not in "?BQ")).astype(code).reshape(shape)
        for x in (a, a[::-1], a[..., ::-1], np.asfortranarray(a)):
            assert list(map(freeze, scripted(x))) == list(map(freeze, scans(x))), (shape, x.strides)


def slopes(a, h):
    return (
        np.gradient(a, axis=-1),
        np.gradient(a, h, axis=1),
        np.gradient(a, axis=-1, edge_order=2),
        np.gradient(a),
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("code", "fdi")
def test_slopes_along_rows_are_numpys(code: str) -> None:
    scripted = script(slopes)
    for shape in ((3, 4), (5, 3), (2, 1), (4, 70)):
        a = (np.arange(np.prod(shape)) * 7 % 5 - 1).astype(code).reshape(shape)
        for x in (a, a[::-1], a[..., ::-1], np.asfortranarray(a)):
            assert _all_or_error(scripted, x) == _all_or_error(slopes, x), (shape, x.strides)


def _all_or_error(function: Callable[..., Any], a: Any) -> object:
    try:
        return [freeze(np.asarray(slope)) for found in function(a, 0.5) for slope in found]
    except ValueError as error:
        return str(error)
