"""Structured arrays at the boundary: what leaves views what came in, and what is refused."""

import copy
import gc
import pickle
from pathlib import Path

import numpy as np
import pytest

import scriptc
import scriptc_runtime
from scriptc import script
from scriptc_runtime import records

# Types come from the calls, which is what these tests are about.
# pyright: basic

BODY = np.dtype([("x", "f8"), ("v", "f8"), ("n", "i8")])


def bodies(dtype: np.dtype = BODY, count: int = 4) -> np.ndarray:
    made = np.zeros(count, dtype)
    made["x"] = np.arange(count)
    return made


def first_set(p, k):
    p["x"][0] = k
    return p


def largest(p):
    best = p[0]
    for r in p:
        if r["x"] > best["x"]:
            best = r
    return best


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_what_leaves_views_what_came_in(backend: str) -> None:
    p = bodies()
    found = script(first_set, backend=backend)(p, 9.0)
    found["v"][1] = 3.0
    record = script(largest, backend=backend)(p)
    record["n"] = 5
    del found, record
    gc.collect()
    assert p.tolist() == [(9.0, 0.0, 5), (1.0, 3.0, 0), (2.0, 0.0, 0), (3.0, 0.0, 0)]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_what_a_script_makes_is_one_array_outside(backend: str) -> None:
    def made(n):
        p = np.zeros(n, BODY)
        return p, p["x"], p[1:], p[0], p

    p, x, tail, record, again = script(made, backend=backend)(3)
    x[1], tail["v"][1], record["n"] = 9.0, 7.0, 5
    del x, tail, record
    gc.collect()
    assert p.tolist() == again.tolist() == [(0.0, 0.0, 5), (9.0, 0.0, 0), (0.0, 7.0, 0)]

    class Cloud:
        def __init__(self, n):
            self.p = np.zeros(n, BODY)

        def of(self):
            return self.p

        def total(self):
            return self.p["x"].sum()

    cloud = script(Cloud, backend=backend)(3)
    cloud.p["x"] += 2.0
    cloud.of()["x"][0] = 5.0
    assert cloud.total() == 9.0
    assert cloud.p["x"].tolist() == [5.0, 2.0, 2.0]


def test_what_left_comes_in_again_and_leaves() -> None:
    step = script(first_set)
    p = bodies()
    s = p
    for k in range(4):
        s = step(s, float(k))
    assert np.shares_memory(p, s)
    assert p["x"][0] == 3.0
    whole = np.zeros(3, [("a", "i8"), ("b", BODY)])
    assert np.shares_memory(step(whole["b"], 1.0), whole)


def test_plain_subclasses_are_taken_and_others_are_not(tmp_path: Path) -> None:
    step = script(first_set)
    mapped = np.memmap(tmp_path / "bodies", BODY, "w+", shape=(3,))
    for array in (mapped, bodies().view(np.recarray), bodies(np.dtype((np.record, BODY)))):
        found = step(array, 2.0)
        assert type(found) is np.ndarray
        assert found.dtype == BODY
        assert np.shares_memory(found, array)
    with pytest.raises(scriptc.ScriptError, match="MaskedArray"):
        step(np.ma.zeros(2, BODY), 1.0)
    with pytest.raises(scriptc.ScriptError, match="no fields"):
        step(np.zeros(2, []), 1.0)


@pytest.mark.parametrize(
    "make",
    [
        lambda: bodies()[::-2],
        lambda: np.frombuffer(bytearray(bodies().tobytes()), BODY)[1:],
        lambda: bodies()[1:2].reshape(1, 1),
        lambda: np.broadcast_to(bodies()[:1], (3,)),
        lambda: bodies(np.dtype([("x", "f8"), ("n", "i2"), ("m", "c16", (2,))], align=True)),
    ],
)
def test_fields_make_the_array_that_they_are_of(make) -> None:
    array = make()
    fields = records.opened(array)
    again = np.asarray(records.closed(type(fields), fields))
    assert np.array_equal(again, array)
    assert np.shares_memory(again, array)
    assert (again.strides, again.flags.writeable) == (array.strides, array.flags.writeable)
    assert records.dtype_of(records.labels_of(array.dtype)) == array.dtype


@pytest.mark.parametrize("step", [1, 2])
def test_parts_of_one_array_are_no_fields_by_chance(step: int) -> None:
    """Room behind the last number is not the array's."""
    dtype = np.dtype({"names": ["x"], "formats": ["f8"], "offsets": [0], "itemsize": 16})
    memory = np.arange(7.0)
    made = np.asarray(records.closed(records.records_class(dtype), [memory[0::step]]))
    assert made["x"].tolist() == memory[::step].tolist()
    assert not np.shares_memory(made, memory)


def test_a_read_only_array_is_read() -> None:
    p = bodies()
    p.flags.writeable = False
    assert script(largest)(p)["x"] == 3.0
    with pytest.raises(ValueError, match="parameter 'p': the function writes to this array"):
        script(first_set)(p, 1.0)


REFUSED = {
    "packed": (
        np.dtype([("x", "f8"), ("n", "i4")]),
        "field 'x', of 8 bytes, does not stand at multiples of its size",
    ),
    "texts": (np.dtype([("x", "f8"), ("n", "U2")]), "has dtype <U2"),
    "records": (np.dtype([("x", "f8"), ("n", BODY)]), "has dtype .*'x'"),
    "swapped": (BODY.newbyteorder(), "has dtype >f8"),
}


@pytest.mark.parametrize(("dtype", "why"), REFUSED.values(), ids=REFUSED)
def test_what_fields_are_not(dtype: np.dtype, why: str) -> None:
    with pytest.raises(scriptc.ScriptError, match=why):
        script(largest)(bodies(dtype))


def test_a_list_of_them_and_a_record_are_refused() -> None:
    for value in ([bodies()], bodies()[0]):
        with pytest.raises(scriptc.ScriptError, match="which the language does not have"):
            script(largest)(value)


def test_objects_work_on_them_and_give_their_fields_away() -> None:
    @script
    class Cloud:
        def __init__(self, p):
            self.p = p

        def step(self, dt):
            self.p["x"] += dt
            return self.p["x"]

        def of(self, i):
            return self.p[i]

    p = bodies()
    cloud = Cloud(p)
    cloud.step(0.5)[0] = 42.0
    assert (p["x"][0], cloud.of(0)["x"], cloud.of(1)["x"]) == (42.0, 42.0, 1.5)
    assert np.shares_memory(cloud.p, p)
    assert copy.copy(cloud).step(1.0)[0] == p["x"][0] == 43.0
    for other in (copy.deepcopy(cloud), pickle.loads(pickle.dumps(cloud))):
        assert other.step(1.0)[0] == 44.0
    cloud.p = bodies()
    assert (cloud.of(1)["x"], p["x"][0]) == (1.0, 43.0)


def test_objects_that_hold_them_get_wider() -> None:
    @script
    class World:
        def __init__(self, p):
            self.p, self.seen = p, []

        def step(self, what):
            self.p["x"] += 1.0
            self.seen.append(what)
            return self.seen

    p = bodies()
    world = World(p)
    world.step(1)
    assert world.step(1.5) == [1, 1.5]
    assert p["x"].tolist() == [2.0, 3.0, 4.0, 5.0]


def test_saved_functions_take_them(tmp_path: Path) -> None:
    path = tmp_path / "bodies.scriptc"
    functions = {
        "first_set": script(first_set).sig(bodies(), 1.0),
        "largest": script(largest).sig(bodies()),
    }
    scriptc.save(functions, path)
    for load in (scriptc.load, scriptc_runtime.load):
        module, p = load(path), bodies()
        found = module.first_set(p, 7.0)
        assert np.shares_memory(found, p)
        assert module.largest(found) == np.array((7.0, 0.0, 0), BODY)


@pytest.mark.parametrize(
    ("labels", "error"),
    [
        ((("x", "O", 0, ()), 8), TypeError),
        ((("x", "f8,O", 0, ()), 8), TypeError),
        ((("x", "f8", 8, ()), 8), ValueError),
        ((("x", "f8", -8, ()), 8), ValueError),
        ((("x", "nothing", 0, ()), 8), TypeError),
        ((8,), ValueError),
    ],
)
def test_what_a_file_says_of_fields_is_tested(labels, error: type[Exception]) -> None:
    with pytest.raises((error, ValueError)):
        records.dtype_of(labels)
