"""Products of matrices on a device: all shapes and layouts, with one order of summation."""

# Results have no annotations.
# pyright: basic

import numpy as np
import pytest

from scriptc import script
from scriptc.backends.cuda.backend import translate
from scriptc.backends.cuda.nvrtc import compile_cubin
from scriptc.check.roots import Root
from scriptc.device_pipeline import FOR_DEVICE
from scriptc.inspection.dump import first_module, live_stage
from scriptc.passes.pipeline import OPTIMISE
from scriptc.types import K, M, N, f32, f64


def product(a, b):
    return a @ b


def of_parts(a, b):
    return a.T[::-1] @ b[:, ::2].T


def activated(a, b, bias):
    return np.maximum(a @ b + bias, 0)


def matrices(dtype, *shapes):
    rng = np.random.default_rng(11)
    if np.dtype(dtype).kind in "iu":
        return [rng.integers(0, 100, s).astype(dtype) for s in shapes]
    return [rng.standard_normal(s).astype(dtype) for s in shapes]


def agree(function, a, b, *more):
    found, expected = script(function, backend="cuda")(a, b, *more), function(a, b, *more)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    if a.dtype.kind in "iu":
        np.testing.assert_array_equal(found, expected)
        return
    sizes = function(np.abs(a).astype("f8"), np.abs(b).astype("f8"), *map(np.abs, more))
    bound = 4 * (max(a.shape) + 1) * np.finfo(a.dtype).eps * (sizes + 1)
    exact = function(a.astype("f8"), b.astype("f8"), *more)
    assert np.all(np.abs(found - exact) <= bound)


SHAPES = [
    (1, 1, 1), (64, 16, 64), (65, 17, 63), (5, 200, 3), (1, 70, 130), (130, 70, 1), (128, 1, 66),
    (0, 3, 4), (3, 0, 4), (3, 4, 0),
]  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "u1", "i4"])
@pytest.mark.parametrize("shape", SHAPES)
def test_products_of_any_shape(shape, dtype):
    n, k, m = shape
    agree(product, *matrices(dtype, (n, k), (k, m)))


@pytest.mark.parametrize("dtype", ["f4", "i8"])
def test_factors_may_lie_in_any_order(dtype):
    agree(of_parts, *matrices(dtype, (40, 70), (66, 80)))
    a, b = matrices(dtype, (70, 40), (40, 66))
    agree(product, np.asfortranarray(a), np.asfortranarray(b))


def test_stacks_and_what_is_done_with_a_product():
    agree(product, *matrices("f8", (3, 20, 30), (30, 70)))
    agree(product, *matrices("f4", (3, 20, 30), (3, 30, 7)))
    a, b, bias = matrices("f8", (20, 30), (30, 70), (70,))
    agree(activated, a, b, bias)


def test_nan_and_infinities_reach_their_row_alone():
    a, b = matrices("f8", (70, 20), (20, 70))
    a[3, 5], a[66, 0] = np.nan, np.inf
    found = script(product, backend="cuda")(a, b)
    assert np.isnan(found[3]).all()
    assert np.isinf(found[66]).all()
    assert np.isfinite(np.delete(found, [3, 66], 0)).all()


def test_elements_are_sums_in_the_order_of_the_inner_axis():
    a, b = matrices("f4", (3, 50), (50, 4))
    found = script(product, backend="cuda")(a, b)
    total = np.zeros((3, 4), "f4")
    for k in range(50):  # a product of two f4 is exact in f8, and this sum nearly so
        total = (np.outer(a[:, k], b[k]).astype("f8") * 0 + a[:, k : k + 1].astype("f8") * b[k]
                 + total).astype("f4")  # fmt: skip
    np.testing.assert_array_equal(found, total)


def typed(a: f32[N, K], b: f32[K, M]):
    return a @ b


def typed_double(a: f64[N, K], b: f64[K, M]):
    return a @ b


@pytest.mark.parametrize("function", [typed, typed_double])
def test_the_plan_is_tiles_without_spills(function):
    root = Root(function, [None, None])
    assert "tile threads=256" in live_stage(root, "plan")
    for arch in ("sm_80", "sm_90", "sm_100"):
        resources = compile_cubin(_source(root), arch).resources
        assert all(r.spill_stores == r.spill_loads == 0 for r in resources.values())
        assert all(r.registers <= 128 for r in resources.values())


def _source(root):
    module = first_module([root]).module
    for run in (*OPTIMISE, *FOR_DEVICE):
        module = run(module)
    return translate(module).source
