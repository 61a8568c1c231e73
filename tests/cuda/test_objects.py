"""Objects whose methods run on a device: their arrays are there for a call, then on the host."""

# Results have no annotations.
# pyright: basic

import gc
import warnings

import numpy as np
import pytest

import scriptc
import scriptc_runtime
from samples import digits
from scriptc import script
from tests.support.device_calls import OnDevice, after_a_call, live_allocations, to_host

pytestmark = pytest.mark.filterwarnings("ignore::scriptc.CopyWarning")


class Layer:
    def __init__(self, size):
        self.weights = np.ones(size)
        self.shared = self.weights

    def forward(self, x):
        return x * self.weights

    def scale(self, k):
        self.weights *= k
        return self.weights

    def renew(self, k):
        self.weights = self.weights + k

    def keep(self, x):
        self.weights = x

    def fail(self, i):
        self.weights += 1.0
        return self.weights[i]


ScriptedLayer = Layer  # of the backend that is tried


class Chain:
    def __init__(self, first: ScriptedLayer, second: ScriptedLayer) -> None:
        self.first = first
        self.second = second
        self.scale = np.array(2.0)
        self.kept = [first.weights, second.weights + 1.0]
        self.pair = (first.weights, 3)

    def forward(self, x):
        return self.second.forward(self.first.forward(x)) * self.scale

    def swap(self):
        first = self.first
        self.first = self.second
        self.second = first
        self.kept[0] *= 3.0
        self.kept.append(self.first.weights * 2.0)
        return self.kept[0]


@pytest.fixture(autouse=True)
def all_is_given_back():
    gc.collect()
    before = after_a_call()
    yield
    gc.collect()
    assert live_allocations() == before


def test_fields_are_changed_in_place_and_replaced() -> None:
    expected, on = Layer(3), script(backend="cuda")(Layer)(3)
    weights = on.weights
    for layer in (expected, on):
        assert np.shares_memory(layer.scale(2.0), layer.weights)
        layer.scale(2.0)[1] = 7.0
        np.testing.assert_array_equal(layer.forward(np.arange(3.0)), [0.0, 14.0 / 2, 8.0])
    assert np.shares_memory(on.weights, weights)
    assert np.shares_memory(on.shared, weights)
    for layer in (expected, on):
        layer.renew(1.0)
        np.testing.assert_array_equal(layer.weights, [5.0, 8.0, 5.0])
        np.testing.assert_array_equal(layer.shared, [4.0, 7.0, 4.0])


def test_an_array_that_is_kept_is_the_callers() -> None:
    on, x = script(backend="cuda")(Layer)(3), np.arange(3.0)
    on.keep(x)
    assert on.weights is x
    on.scale(2.0)
    np.testing.assert_array_equal(x, [0.0, 2.0, 4.0])
    on.keep(x[::-1])
    np.testing.assert_array_equal(on.scale(1.0), [4.0, 2.0, 0.0])
    assert np.shares_memory(on.weights, x)


def test_objects_run_where_the_other_arrays_lie() -> None:
    layer = script(Layer)(3)
    found = layer.forward(OnDevice(np.arange(3.0)))
    np.testing.assert_array_equal(to_host(found), [0.0, 1.0, 2.0])
    layer.keep(OnDevice(np.arange(3.0)))  # an object's arrays are the host's
    np.testing.assert_array_equal(layer.weights, [0.0, 1.0, 2.0])
    np.testing.assert_array_equal(layer.scale(2.0), [0.0, 2.0, 4.0])


def test_a_call_that_raises_leaves_what_it_has_written() -> None:
    on = script(backend="cuda")(Layer)(3)
    with pytest.raises(IndexError):
        on.fail(9)
    np.testing.assert_array_equal(on.weights, [2.0, 2.0, 2.0])
    assert on.fail(1) == 3.0


def test_a_result_keeps_the_memory_of_its_object() -> None:
    on = script(backend="cuda")(Layer)(1000)
    found = on.scale(3.0)
    del on
    gc.collect()
    script(Layer)(1000).scale(5.0)
    np.testing.assert_array_equal(found, np.full(1000, 3.0))


@pytest.mark.parametrize("size", [0, 1, 5])
def test_every_size(size: int) -> None:
    on = script(backend="cuda")(Layer)(size)
    on.renew(1.0)
    np.testing.assert_array_equal(on.scale(2.0), np.full(size, 4.0))


def chain_of(backend):
    """Return objects in objects, with lists and tuples of arrays; without a backend, Python's."""
    wrap = (lambda cls: cls) if backend is None else script(backend=backend)
    layer = wrap(Layer)
    globals()["ScriptedLayer"] = layer
    Chain.__init__.__annotations__.update(first=layer, second=layer)
    return wrap(Chain)(layer(2), layer(2))


@pytest.mark.parametrize("backend", ["llvm", "cuda"])
def test_objects_in_objects_and_lists(backend: str) -> None:
    expected, on = chain_of(None), chain_of(backend)
    x = np.array([1.0, -2.0])
    for _ in range(2):
        np.testing.assert_array_equal(on.forward(x), expected.forward(x))
        np.testing.assert_array_equal(on.swap(), expected.swap())
        np.testing.assert_array_equal(on.first.weights, expected.first.weights)
        np.testing.assert_array_equal(on.second.weights, expected.second.weights)
        for mine, theirs in zip(on.kept, expected.kept, strict=True):
            np.testing.assert_array_equal(mine, theirs)
        np.testing.assert_array_equal(on.pair[0], expected.pair[0])
    assert on.scale.shape == ()


def test_copies_are_told_of_once_a_function() -> None:
    x = np.ones(4)

    @script(backend="cuda")
    def doubled(x):
        return x * 2.0

    with pytest.warns(scriptc.CopyWarning, match=r"doubled\(\) runs on .* 32 bytes") as told:
        doubled(x)
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        doubled(np.ones(5))
        script(Layer.forward)  # no call
        given = OnDevice(x)
        script(doubled.python)(given)


def data(size):
    random = np.random.default_rng(3)
    return random.random((size, 16)), np.arange(size) % 3


def network(cls):
    random = np.random.default_rng(1)
    return cls(random.normal(0, 0.2, (16, 8)), random.normal(0, 0.3, (8, 3)), 0.5)


def test_digits_train_on_the_device_and_the_saved_file_runs_anywhere(tmp_path) -> None:
    images, labels = data(20)
    on = network(script(backend="cuda")(getattr(digits.Network, "python")))  # noqa: B009 -- no attribute that type checkers know
    expected = network(digits.Network)
    before = expected.loss(images, labels)
    for _ in range(3):
        on.train_step(images, labels)
        expected.train_step(images, labels)
    for name in ("w1", "b1", "w2", "b2"):
        np.testing.assert_allclose(getattr(on, name), getattr(expected, name), 1e-12, 1e-14)
    assert on.loss(images, labels) < before
    path = tmp_path / "digits.scriptc"
    scriptc.save(on, path)
    loaded = [
        scriptc_runtime.load(path),
        scriptc.load(path, backend="llvm"),
        scriptc.load(path, backend="cuda"),
    ]
    for module in loaded:
        module.train_step(images, labels)
    on.train_step(images, labels)
    for module in loaded:
        np.testing.assert_allclose(module.loss(images, labels), on.loss(images, labels), 1e-12)
        np.testing.assert_array_equal(module.predict(images), on.predict(images))
        np.testing.assert_allclose(module.w1, on.w1, 1e-12, 1e-14)
    again = tmp_path / "again.scriptc"
    scriptc.save(loaded[2], again)
    np.testing.assert_allclose(scriptc_runtime.load(again).w1, on.w1, 1e-12, 1e-14)
