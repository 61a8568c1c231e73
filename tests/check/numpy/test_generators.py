"""Random numbers: streams that scripts and NumPy share, locks, and what is refused.

That each distribution is NumPy's is compared by the programs of tests/programs/random_numbers.py.
"""

# Functions without annotations take their types from the call.
# pyright: basic

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scriptc
import scriptc_runtime
from scriptc import prange, script
from scriptc.backends.llvm.generators import ziggurat
from scriptc.backends.llvm.loading import random_layout
from scriptc.backends.llvm.loading.heap_types import LayoutError
from scriptc.types import N, f64
from scriptc_runtime.errors import BudgetExceededError, ScriptError
from tests.support.outcomes import freeze


def drawn(rng, n):
    total = 0.0
    for _ in range(n):
        total += rng.random()
    return total


def normals(rng, n):
    x = np.empty(n)
    for i in range(n):
        x[i] = rng.standard_normal()
    return x


def itself(rng, n):
    rng.random(n)
    return rng


def both(first, second):
    return first.random() + second.random()


def refused(rng, scale):
    return rng.random() + rng.normal(0.0, scale)


def shared(n):
    return np.random.rand(n), np.random.randn(), np.random.normal(0.0, 1.0)


def seeded(n):
    np.random.seed(n)
    return np.random.rand()


def in_rounds(rng, n):
    total = 0.0
    for _ in prange(n):
        total += rng.random()
    return total


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937])
def test_draws_inside_and_outside_of_scripts_make_one_stream(bits: Any) -> None:
    compiled = script(normals)
    rng, other = np.random.Generator(bits(3)), np.random.Generator(bits(3))
    for n in (200_000, 1, 3):
        assert np.array_equal(compiled(rng, n), other.standard_normal(n))
        assert rng.integers(1000, dtype=np.int32) == other.integers(1000, dtype=np.int32)
        assert freeze(rng) == freeze(other)


@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_the_global_stream_is_that_of_the_process(backend: str) -> None:
    compiled = script(shared, backend=backend)
    np.random.seed(5)
    expected = [*shared(3), np.random.randn(2), *shared(2), np.random.rand()]
    np.random.seed(5)
    found = [*compiled(3), np.random.randn(2), *compiled(2), np.random.rand()]
    assert freeze(found) == freeze(expected)
    assert script(seeded, backend=backend)(7) == seeded(7)


def test_a_generator_that_is_returned_is_the_one_that_was_passed() -> None:
    rng = np.random.default_rng(1)
    assert script(itself)(rng, 3) is rng


def test_every_call_takes_a_lock_and_gives_it_back() -> None:
    first, second = np.random.default_rng(1), np.random.RandomState(1)
    compiled, failing = script(both), script(refused)
    for arguments in ((first, second), (first, first), (second, first), (second, second)):
        compiled(*arguments)
    for source in (first, second):
        with pytest.raises(ValueError, match="scale < 0"):
            failing(source, -1.0)
    for lock in (first.bit_generator.lock, second._bit_generator.lock):
        assert lock.acquire(timeout=5)
        lock.release()
        # One that this thread still held would be taken again by this thread alone.
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(lock.acquire, timeout=5).result()


def test_a_call_waits_for_the_lock_of_its_generator() -> None:
    rng = np.random.default_rng(1)
    compiled = script(drawn)
    compiled(rng, 1)
    ended: list[float] = []
    thread = threading.Thread(target=lambda: ended.append(compiled(rng, 1)))
    lock = rng.bit_generator.lock
    lock.acquire()
    thread.start()
    thread.join(timeout=0.1)
    assert ended == []
    lock.release()
    thread.join(timeout=10)
    assert len(ended) == 1


def test_calls_with_the_same_generators_in_any_order_never_wait_for_each_other() -> None:
    first, second = np.random.default_rng(1), np.random.default_rng(2)
    compiled = script(both)
    compiled(first, second)

    def run(a: Any, b: Any) -> None:
        for _ in range(2000):
            compiled(a, b)

    threads = [threading.Thread(target=run, args=p, daemon=True) for p in ((first, second),) * 2]
    threads += [threading.Thread(target=run, args=(second, first), daemon=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive()
    expected = np.random.default_rng(1)
    expected.random(6001)
    assert freeze(first) == freeze(expected)


def test_threads_share_no_draws() -> None:
    rng, other = np.random.default_rng(4), np.random.default_rng(4)
    assert script(in_rounds, parallel=4)(rng, 100_000) == drawn(other, 100_000)
    assert freeze(rng) == freeze(other)


def chosen(rng):
    return rng.multivariate_hypergeometric([1, 2], 2)


def of_the_module():
    return np.random.dirichlet(3)


def into(rng, x):
    return rng.random(out=x)


def halves(rng):
    return rng.random(dtype=np.float16)


def real_size(rng):
    return rng.random(2.5)


class Holder:
    def __init__(self, rng: np.random.Generator):
        self.rng = rng

    def draw(self):
        return self.rng.random()


@script
class Kept:
    def __init__(self, rng: np.random.Generator):
        self.rng = rng


def drawn_by_both(first: Kept, second: Kept, n: int) -> float:
    total = 0.0
    for _ in range(n):
        total += first.rng.random() + second.rng.random(3)[0]
    return total


def drawn_by_all(holders: list[Kept]) -> list[float]:
    return [holder.rng.random() for _ in range(2) for holder in holders]


def of_list(rngs):
    return rngs[0].random()


RNG = np.random.default_rng(2)
REFUSED = [
    (chosen, (RNG,), "no method 'multivariate_hypergeometric'"),
    (of_the_module, (), "np.random.dirichlet is not built"),
    (into, (RNG, np.zeros(3)), "no parameter 'out'"),
    (halves, (RNG,), "f16 is not drawn"),
    (real_size, (RNG,), "a size must be int"),
    (of_list, ([RNG, RNG],), "give each by itself"),
]


@pytest.mark.parametrize(("function", "arguments", "message"), REFUSED)
def test_what_is_not_built_is_refused(function: Any, arguments: Any, message: str) -> None:
    with pytest.raises(ScriptError, match=message):
        script(function)(*arguments)


def test_draws_take_the_locks_of_what_objects_hold() -> None:
    kept = Kept(np.random.default_rng(1))
    compiled = script(drawn_by_both)
    same = Kept(np.random.default_rng(1))
    expected = drawn_by_both(same, same, 2)
    assert compiled(kept, kept, 2) == expected
    ended: list[float] = []
    thread = threading.Thread(target=lambda: ended.append(compiled(kept, kept, 1)))
    lock = kept.rng.bit_generator.lock
    lock.acquire()
    thread.start()
    thread.join(timeout=0.1)
    assert ended == []
    lock.release()
    thread.join(timeout=10)
    assert len(ended) == 1
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lock.acquire, timeout=5).result()


def test_calls_whose_objects_hold_generators_never_wait_for_each_other() -> None:
    first, second = (Kept(np.random.default_rng(seed)) for seed in (1, 2))
    compiled = script(drawn_by_both)
    pairs = [(first, second), (second, first)]
    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(compiled, *pair, 500) for pair in pairs * 10]
        fills = [pool.submit(held.rng.random, 100_000) for held in (first, second) * 10]
        for future in (*calls, *fills):
            future.result(timeout=30)


def test_more_generators_than_a_table_of_locks_has_places() -> None:
    seeds = range(20)
    found = script(drawn_by_all)([Kept(np.random.default_rng(seed)) for seed in seeds])
    assert found == drawn_by_all([Kept(np.random.default_rng(seed)) for seed in seeds])


def test_an_object_that_holds_a_generator_is_not_saved(tmp_path: Path) -> None:
    kept = Kept(np.random.default_rng(1))
    with pytest.raises(ScriptError, match="field 'rng' of class Kept is a random generator"):
        scriptc.save(kept, tmp_path / "kept.scriptc")


@script
def annotated(rng: np.random.Generator, n: int) -> f64[N]:
    return rng.normal(0.0, 1.0, n)


def test_another_argument_than_a_generator_is_refused() -> None:
    for wrong in (3, np.random.RandomState(1), np.random.PCG64(1), None):
        with pytest.raises(TypeError, match=r"expected a np\.random\.Generator"):
            annotated(wrong, 3)  # pyright: ignore[reportArgumentType]


def test_a_saved_module_draws_from_generators(tmp_path: Path) -> None:
    path = tmp_path / "draws.scriptc"
    scriptc.save({"annotated": annotated}, path)
    for load in (scriptc_runtime.load, scriptc.load):
        loaded = load(path)
        rng, other = np.random.default_rng(3), np.random.default_rng(3)
        assert np.array_equal(loaded.annotated(rng, 5), other.normal(0.0, 1.0, 5))
        assert freeze(rng) == freeze(other)
        with pytest.raises(TypeError, match=r"expected a np\.random\.Generator"):
            loaded.annotated(3, 5)
    budget = scriptc_runtime.Budget(steps=1000, bytes=1000)
    with pytest.raises(BudgetExceededError):
        scriptc_runtime.load(path, budget=budget).annotated(np.random.default_rng(3), 1000)


def test_a_numpy_with_other_objects_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise LayoutError("keeps generators elsewhere")

    monkeypatch.setattr(random_layout, "random_layout", fails)
    with pytest.raises(ScriptError, match="keeps generators elsewhere"):
        script(tripled)(np.random.default_rng(1))


def tripled(rng):
    return rng.random() * 3.0


def test_words_that_cannot_be_told_apart_are_no_layout() -> None:
    with pytest.raises(LayoutError):
        random_layout.place_of([1, 2, 1, 2], [1, 2])
    with pytest.raises(LayoutError):
        random_layout.place_of([1, 2, 3], [2, 1])
    assert random_layout.place_of([5, 1, 2], [1, 2]) == 8


def test_normal_numbers_are_those_of_numpy_far_out_and_near() -> None:
    compiled = script(many)
    for bits in (np.random.PCG64, np.random.SFC64):
        rng, other = np.random.Generator(bits(9)), np.random.Generator(bits(9))
        found, expected = compiled(rng, 1_000_000), other.standard_normal(1_000_000)
        assert np.array_equal(found.view(np.int64), expected.view(np.int64))
        # Beyond the last strip of the ziggurat, where one in 3,900 falls.
        assert np.sum(np.abs(found) > 3.6541528853610088) > 100


def many(rng, n):
    return rng.standard_normal(n)


def test_a_numpy_that_is_not_known_draws_normal_numbers_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(np, "__version__", "99.0.1")
    assert not ziggurat.is_known()
    monkeypatch.setattr(ziggurat, "is_known", lambda: False)
    rng, other = np.random.default_rng(9), np.random.default_rng(9)
    found = script(moved)(rng, 1000)
    assert freeze(found) == freeze(moved(other, 1000))


def moved(rng, n):
    return rng.normal(2.0, 0.5), rng.normal(2.0, 0.5, n), rng.standard_normal(n)


def test_other_threads_run_while_an_array_is_filled() -> None:
    compiled, rng = script(many), np.random.default_rng(1)
    compiled(rng, 10)
    seen: list[int] = []
    ended = threading.Event()

    def count() -> None:
        while not ended.is_set():
            seen.append(1)
            ended.wait(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = len(seen)
    compiled(rng, 20_000_000)
    counted = len(seen) - before
    ended.set()
    thread.join()
    assert counted > 5


GLOBAL = np.random.default_rng(1)


def captured(n: int):
    return GLOBAL.random(n) + helper()


def helper():
    return GLOBAL.normal()


@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_a_global_generator_is_drawn_from(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = script(captured, backend=backend)
    for bits in (np.random.PCG64, np.random.SFC64):
        rng, other = np.random.Generator(bits(5)), np.random.Generator(bits(5))
        expected = [other.random(n) + other.normal() for n in (3, 4)]
        monkeypatch.setitem(globals(), "GLOBAL", rng)
        assert freeze([compiled(3), compiled(4)]) == freeze(expected)
        assert freeze(rng) == freeze(other)
    monkeypatch.setitem(globals(), "GLOBAL", np.random.RandomState(3))
    state = np.random.RandomState(3)
    assert freeze(compiled(2)) == freeze(state.random(2) + state.normal())


def test_a_file_holds_no_global_generator(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="'GLOBAL' is a random generator"):
        scriptc.save({"captured": script(captured)}, tmp_path / "no.scriptc")
