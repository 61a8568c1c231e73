"""What is found by its order, in rows of every kind: what sorting puts at a place, and extremes."""

# pyright: basic

import ctypes
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import numpy as np
import pytest

from scriptc import script
from scriptc.backends.llvm import machine
from scriptc.backends.llvm.emitter.effort import Effort
from scriptc.backends.llvm.host import host
from scriptc.backends.llvm.loading import elfload, symbols
from scriptc.backends.llvm.support.selection import extremes
from scriptc.backends.llvm.support.selection.routines import PARTS, selection_text, symbol
from scriptc_runtime.ops import sorting
from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.types import DType

DTYPES = [d for d in DType if d.kind in "biuf"]
FEATURES = {"host": host().features, "none": ""}
if "+avx2" in host().features:
    FEATURES["avx2"] = "+avx2"
SIZES = (1, 2, 7, 63, 64, 65, 255, 256, 257, 300, 1000, 8191, 9000, 40_000)
RANDOM = np.random.default_rng(7)


@cache
def code(part: str, features: str) -> Mapping[str, int]:
    text = selection_text(part, FEATURES[features])
    return elfload.load(
        machine.compile_to_object(text, optimise=1, effort=Effort.NONE), symbols.resolve
    )


def call(what: str, dtype: DType, features: str, *arguments: int) -> int:
    address = code(f"{PARTS[what]}{dtype.value}", features)[symbol(what, dtype)]
    types = [ctypes.c_int64] * len(arguments)
    return ctypes.CFUNCTYPE(ctypes.c_int32, *types)(address)(*arguments)


def rows(dtype: DType, size: int) -> Iterator[Array]:
    """Rows in disorder, in order, of few values, and with what has no order."""
    t, plain = dtype.numpy, np.arange(size)
    many = RANDOM.integers(-100, 100, size) if dtype.kind != "f" else RANDOM.standard_normal(size)
    yield many.astype(t)
    yield np.sort(many).astype(t)
    yield np.sort(many)[::-1].astype(t)
    yield np.minimum(plain, plain[::-1]).astype(t)
    yield np.ones(size, t)
    yield (plain % 2).astype(t)
    yield (RANDOM.random(size) < 0.01).astype(t)
    yield np.where(plain % 3 == 0, 5, many).astype(t)
    if dtype.kind in "iu":
        limits = np.iinfo(t.name)
        yield RANDOM.choice(np.array([limits.min, limits.max, 0, 1], t), size)
        yield np.full(size, limits.max, t)
        yield np.full(size, limits.min, t)
    if dtype.kind == "f":
        odd = np.array([np.inf, -np.inf, 0.0, -0.0, np.nan, -np.nan, 1.5], t)
        yield RANDOM.choice(odd[:4], size)
        yield RANDOM.choice(odd, size)
        yield np.full(size, np.nan, t)
        missing = many.astype(t)
        missing[-1] = -np.nan
        yield missing
        yield (many * np.finfo(t.name).smallest_subnormal).astype(t)


def places_of(size: int) -> Array:
    return np.array(sorted({0, 1 % size, size // 3, size // 2, size - 1}), np.int64)[::-1]


def same(one: Array, other: Array) -> bool:
    """Whether two arrays have the same bits; NaN is one value."""
    missing = one != one
    bits = f"i{one.itemsize}"
    equal = np.ascontiguousarray(one).view(bits) == np.ascontiguousarray(other).view(bits)
    return bool(np.array_equal(missing, other != other) and np.all(equal | missing))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_a_row_is_selected_from_and_parted_as_the_ops_say(dtype: DType, features: str) -> None:
    for size in SIZES:
        places = places_of(size)
        given = (places.ctypes.data, len(places), -1)
        for row in rows(dtype, size):
            found = np.zeros(len(places), row.dtype)
            end = (*given, found.ctypes.data)
            assert call("select", dtype, features, row.ctypes.data, size, 1, *end) == 0
            assert same(found, sorting.order_statistics(row, places))
            assert call("select", dtype, features, row[::-1].ctypes.data, size, -1, *end) == 0
            assert same(found, sorting.order_statistics(row, places))
            parted, keys, order = row.copy(), row.copy(), np.zeros(size, np.int64)
            assert call("partition", dtype, features, parted.ctypes.data, size, *given) == 0
            assert same(parted, sorting.partition(row, places))
            keyed = (keys.ctypes.data, size, order.ctypes.data)
            assert call("order", dtype, features, *keyed, *given) == 0
            assert np.array_equal(order, sorting.argpartition(row, places))


def test_many_places_are_those_of_the_sorted_row() -> None:
    row = RANDOM.standard_normal(5000)
    places = RANDOM.integers(0, 5000, 200)
    found = np.zeros(200)
    given = (row.ctypes.data, 5000, 1, places.ctypes.data, 200, 1, found.ctypes.data)
    assert call("select", DType.F64, "host", *given) == 0
    assert np.array_equal(found, np.sort(row)[places])


def test_a_row_that_misleads_every_sample_is_sorted_in_the_end() -> None:
    """The sampled elements of each walk are the least that are left."""
    size = 20_000
    row = np.zeros(size)
    rest = np.arange(size)
    for value in range(40):
        picked = np.unique(_sampled(len(rest)))
        row[rest[picked]] = value
        rest = np.delete(rest, picked)
    row[rest] = 100.0 + np.arange(len(rest))
    places = np.array([size - 1, size // 2])
    assert np.array_equal(_selected(row, places), np.sort(row)[places])


def _sampled(size: int) -> Array:
    count = 256 if size >= 1 << 13 else 64
    state, found = 1, list[int]()
    for k in range(count):
        state = state * 1103515245 % 2147483647
        found.append(min(int((k + state / 2147483647) * (size / count)), size - 1))
    return np.array(found)


@script
def _selected(row, places):
    return np.partition(row, (places[0], places[1]))[places]


@pytest.mark.parametrize("what", ["select", "partition"])
def test_a_place_that_a_row_lacks_is_told(what: str) -> None:
    row, found = np.zeros(3), np.zeros(1)
    for place in (-1, 3, 2**62):
        at = np.array([place])
        step, out = ((1,), (found.ctypes.data,)) if what == "select" else ((), ())
        given = (row.ctypes.data, 3, *step, at.ctypes.data, 1, 1, *out)
        assert call(what, DType.F64, "host", *given) == 2


FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "median": lambda x: np.median(x, axis=0),
    "percentile": lambda x: np.percentile(x, [5, 50, 99.5], axis=1),
    "quantile": lambda x: np.quantile(x, 0.3, method="lower"),
    "nanmedian": lambda x: np.nanmedian(x, axis=1),
    "nanquantile": lambda x: np.nanquantile(x, 0.7),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_large_arrays_in_every_order(name: str) -> None:
    function = FUNCTIONS[name]
    compiled = script(function)
    matrix = RANDOM.standard_normal((3, 3000))
    missing = matrix.copy()
    missing[1, ::7] = np.nan
    for x in (matrix, missing):
        for one in (x, np.asfortranarray(x), x[::-1, ::2], x.T, x.astype(np.float32)):
            np.testing.assert_array_equal(compiled(one), function(one))


@cache
def extreme_code(dtype: DType) -> Mapping[str, int]:
    text = extremes.extremes_text(f"{extremes.PART}{dtype.value}")
    return elfload.load(
        machine.compile_to_object(text, optimise=1, effort=Effort.NONE), symbols.resolve
    )


@pytest.mark.sampled(4)
@pytest.mark.parametrize("dtype", [d for d in DTYPES if d is not DType.F16], ids=str)
def test_an_extreme_is_the_first_one_or_the_first_nan(dtype: DType) -> None:
    i64 = ctypes.c_int64
    found = {kind: extreme_code(dtype)[extremes.symbol(kind, dtype)] for kind in extremes.KINDS}
    for size in (*range(1, 70), *SIZES):
        for row in rows(dtype, size):
            for kind, address in found.items():
                place = ctypes.CFUNCTYPE(i64, i64, i64, i64)(address)
                for one, step in ((row, 1), (row[::-1], -1), (np.repeat(row, 3)[::3], 3)):
                    expected = np.argmax(one) if kind == "max" else np.argmin(one)
                    assert place(one.ctypes.data, size, step) == expected


def test_extremes_of_rows_and_of_all_whatever_their_layout(thorough: bool) -> None:
    matrix = np.round(RANDOM.standard_normal((300, 1100)) * 4)
    missing = matrix.copy()
    missing[7:9, ::100] = np.nan
    others = (matrix, matrix > 3, matrix.astype(np.float16)) if thorough else ()
    for x in (missing, matrix.astype(np.int8), *others):
        for one in (x, np.asfortranarray(x), x[::-1, ::2], x[:, :5], x.reshape(10, 30, 1100)):
            found, expected = _extremes(one), _extremes.python(one)
            for got, wanted in zip(found, expected, strict=True):
                np.testing.assert_array_equal(got, wanted)


@script
def _extremes(x):
    rows = np.argmax(x, axis=-1), np.argmin(x, axis=-1, keepdims=True), np.argmin(x, axis=0)
    return (*rows, np.argmax(x), np.argmin(x, keepdims=True), x.T.argmax(axis=-1))
