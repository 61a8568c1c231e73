"""Plans of kernels: what is chosen, and that each way to load and store gives the same elements."""

# Results have no annotations.
# pyright: basic

import numpy as np
import pytest

from scriptc import script
from scriptc.backends.cuda.backend import translate
from scriptc.backends.cuda.nvrtc import compile_cubin
from scriptc.check.roots import Root
from scriptc.inspection.dump import live_stage
from scriptc.types import N, f64
from tests.support.cuda_programs import CORE, lowered
from tests.support.device_calls import driver, live_allocations


class Placed:
    """An array on the device that starts `offset` bytes behind a multiple of 256."""

    def __init__(self, array, offset=0, strides=None):
        self._driver = driver()
        self.shape, self.dtype, self._strides = array.shape, array.dtype, strides
        self._memory = self._driver.new(array.nbytes + offset + 64)
        if array.nbytes:
            source = np.ascontiguousarray(array)
            self._driver.copy_in(self._memory + offset, source.ctypes.data, source.nbytes)
        self._offset = offset

    def __del__(self):
        self._driver.free(self._memory)

    def host(self):
        made = np.empty(self.shape, self.dtype)
        if made.nbytes:
            self._driver.copy_out(made.ctypes.data, self._memory + self._offset, made.nbytes)
        return made

    @property
    def __cuda_array_interface__(self):
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self._memory + self._offset, False),
            "version": 3,
        }


def fused(x, y, out):
    out[...] = x * y + x


def in_place(x):
    x *= 3


def parts(x, y, out):
    out[:, 1:] = x[:, 1:] - y[:, :-1]


def row_added(x, y, out):
    out[...] = x + y


def smoothed(u, out):
    out[1:-1, 1:-1] = (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) / 4


def widened(x, y, out):
    out[...] = x * 2 + y


def numbers(shape, dtype):
    made = np.random.default_rng(5).integers(0, 100, shape)
    return (made / 8).astype(dtype) if np.dtype(dtype).kind in "fc" else made.astype(dtype)


def agree(function, *arrays, offsets=()):
    offsets = offsets or (0,) * len(arrays)
    placed = [Placed(a, o) for a, o in zip(arrays, offsets, strict=True)]
    script(function, backend="cuda")(*placed)
    expected = [a.copy() for a in arrays]
    function(*expected)
    for found, wanted in zip(placed, expected, strict=True):
        np.testing.assert_array_equal(found.host(), wanted)


@pytest.fixture(autouse=True)
def nothing_is_left():
    before = live_allocations()
    yield
    assert live_allocations() <= before + 1  # the record of errors is kept


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", ["i1", "f2", "f4", "f8", "c16"])
@pytest.mark.parametrize("start", range(16))
def test_operands_may_start_anywhere(dtype, start):
    itemsize = np.dtype(dtype).itemsize
    if start % itemsize:
        pytest.skip("no element starts there")
    for other in range(0, 16, itemsize):
        x, y, out = (numbers(77, dtype) for _ in range(3))
        agree(fused, x, y, out, offsets=(start, other, 16 - itemsize))
        agree(in_place, x, offsets=(start,))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("columns", [0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 33])
@pytest.mark.parametrize("rows", [0, 1, 2, 5])
def test_rows_of_any_length_are_cut_into_vectors(rows, columns):
    for start in (0, 4, 8, 12):
        x, y, out = (numbers((rows, columns), "f4") for _ in range(3))
        agree(fused, x, y, out, offsets=(start, 4, 0))
        agree(row_added, x, numbers(columns, "f4"), out, offsets=(0, 4, start))
        agree(smoothed, x.astype("f8"), y.astype("f8"), offsets=(8, start // 8 * 8))
        if columns:
            agree(parts, x, y, out, offsets=(start, 0, start))


@pytest.mark.parametrize("size", [0, 1, 3, 4, 5, 1023, 1024, 1025, 2048, 4099])
def test_sizes_around_vectors_and_blocks(size):
    agree(in_place, numbers(size, "f4"))
    agree(in_place, numbers(size, "u1"), offsets=(5,))
    agree(widened, numbers(size, "u1"), numbers(size, "f8"), numbers(size, "f8"), offsets=(3, 8, 0))


def test_views_and_turned_arrays_are_taken_an_element_at_a_time():
    def turned(x, out):
        out[::-1, ::2] = x.T[:, :4] + 1.0

    agree(turned, numbers((9, 6), "f4"), numbers((6, 8), "f4"))


def test_an_array_may_be_given_twice():
    def added(x, y, z):
        x[1:] = y[1:] * 2.0 + z[:-1]

    host = numbers(50, "f4")
    given = Placed(host, 4)
    script(added, backend="cuda")(given, given, given)
    added(host, host, host)
    np.testing.assert_array_equal(given.host(), host)


def softened(x):
    e = np.exp2(x - x.max(axis=1, keepdims=True))
    return e / e.max(axis=1, keepdims=True)


@pytest.mark.parametrize("columns", [1, 33, 1024, 4095, 4096, 4097])
def test_rows_of_threads_are_in_shared_memory_or_behind_it(columns):
    x = numbers((5, columns), "f4")
    found = script(softened, backend="cuda")(x)
    np.testing.assert_allclose(found, softened(x), rtol=1e-6)
    source = translate(lowered(CORE)).source
    assert "row0 = size0 <= 4096 ? kept0 : rows0" in source


# What is shown


def summed_in_order(x: f64[N], y: f64[N]):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    y[:] = x * y


def test_the_plan_of_each_kernel_is_shown_with_the_reason() -> None:
    root = Root(summed_in_order, [None, None])
    assert live_stage(root, "cuda").count("__global__") >= 2
    plan = live_stage(root, "plan")
    line = summed_in_order.__code__.co_firstlineno + 1
    assert f"one threads=256: a loop runs in order (line {line})" in plan
    assert "points threads=256 vector=2 items=1\n" in plan
    assert "loads p0: f64, steps unit\n" in plan
    assert "registers" in live_stage(root, "resources")
    assert "on a device" not in str(script(summed_in_order).explain())
    assert "on a device: points" in str(script(summed_in_order, backend="cuda").explain())


# Machine code


@pytest.mark.sampled(3)
@pytest.mark.parametrize("arch", ["sm_90", "sm_80", "sm_100"])
def test_vectors_are_moved_by_words_of_16_bytes_and_nothing_is_spilled(arch):
    translation = translate(lowered(CORE))
    compiled = compile_cubin(translation.source, arch)
    for kernel in translation.kernels.values():
        if not kernel.plan.is_wide:
            continue
        resources = compiled.resources[kernel.name]
        assert resources.spill_stores == resources.spill_loads == resources.stack == 0, kernel.name
        assert resources.registers <= 64, kernel.name
        text = compiled.ptx.split(f".entry {kernel.name}(", 1)[1].split(".entry", 1)[0]
        assert ".global.v" in text, kernel.name


def narrowed(x):
    return (x * 2).astype(np.int8)


def unequal(x):
    return x != 0


@pytest.mark.parametrize("operation", [narrowed, unequal])
def test_rows_of_few_bytes_that_start_anywhere_are_written_whole(operation):
    on_device = script(operation, backend="cuda")
    for rows, columns in ((7, 5), (5, 7), (300, 3), (3, 300), (9, 16), (4, 17)):
        x = np.arange(rows * columns).reshape(columns, rows) % 50 / 2.0
        for given in (x, x.T, x[::-1, ::2], x.T[1:, 1:]):
            found = on_device(given)
            np.testing.assert_array_equal(found, operation(given))
