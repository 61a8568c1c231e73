"""What objects hold, saved and brought back: shared memory, other objects, lists, absent values."""

# Classes of the tests are made for each backend, so no annotation says what they are.
# pyright: basic

import copy
import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import scriptc_runtime
from scriptc import load, save, script
from scriptc.types import M, N, f64
from scriptc_runtime.dims import Dim
from scriptc_runtime.errors import InvalidIRError, LoadError, UnsupportedError
from scriptc_runtime.ir import ClassDecl, Module, ObjectDecl, ObjectRef, View, Weight, WeightRef
from scriptc_runtime.saved.file import SavedModule, read_saved, write_saved
from scriptc_runtime.saved.snapshot import MAX_ITEMS
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.types import INT, ClassType, ListType, OptionalType, TensorType
from scriptc_runtime.verify.module import verify
from scriptc_runtime.verify.state import MAX_OBJECT_DEPTH
from tests.support.ir_programs import F64, VECTOR


class PlainPair:
    def __init__(self, e: f64[N], z: f64[M]) -> None:
        self.e = e
        self.z = z

    def up(self) -> f64[M]:
        self.e += 1.0
        return self.z

    def down(self) -> f64[N]:
        self.z -= 10.0
        return self.e


@pytest.fixture(scope="module", params=["llvm", "interp"])
def classes(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The classes of `saved_classes`, by a backend."""
    name = f"saved_classes_{request.param}"
    path = Path(__file__).parents[2] / "support" / "saved_classes.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCRIPTC_BACKEND", request.param)
        spec.loader.exec_module(module)
        yield module
    del sys.modules[name]


@pytest.fixture(params=[load, scriptc_runtime.load], ids=["compiled", "interpreted"])
def reload(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "module.scriptc"


VIEWS: dict[str, Callable[[Any], Any]] = {
    "the same": lambda x: x,
    "its own copy": lambda x: x.copy(),
    "a view of all": lambda x: x[:],
    "every second": lambda x: x[::2],
    "backwards": lambda x: x[::-1],
    "a part backwards": lambda x: x[5:1:-2],
    "the end": lambda x: x[4:],
    "nothing": lambda x: x[:0],
}


@pytest.mark.parametrize("view", VIEWS)
def test_fields_that_share_memory_go_on_sharing_it(
    classes: Any, reload: Any, path: Path, view: str
) -> None:
    for whole in (True, False):
        e = np.arange(8.0) if whole else np.arange(16.0)[3:14:2]
        z = VIEWS[view](e)
        expected = PlainPair(e.copy(), VIEWS[view](e.copy()))
        if z.size and np.shares_memory(e, z):
            expected.z = VIEWS[view](expected.e)
        live = classes.Pair(e, z)
        save(live, path)
        module = reload(path)
        for run in (live, module):
            again = PlainPair(expected.e.copy(), expected.z.copy())
            if z.size and np.shares_memory(e, z):
                again.z = VIEWS[view](again.e)
            assert run.up().tolist() == again.up().tolist()
            assert run.down().tolist() == again.down().tolist()


def test_overlapping_parts_share_memory_without_what_lies_between(
    classes: Any, reload: Any, path: Path
) -> None:
    x = np.arange(100.0)
    live = classes.Pair(x[10:50:4], x[18:58:8])
    save(live, path)
    saved = read_saved(path)
    (stored,) = saved.weights.values()
    assert set(stored.tolist()) == {0.0, *live.e.tolist(), *live.z.tolist()}
    module = reload(path)
    assert module.up().tolist() == live.up().tolist()
    assert module.down().tolist() == live.down().tolist()


def test_views_of_two_axes_go_on_sharing_memory(reload: Any, path: Path) -> None:
    @script
    class Two:
        def __init__(self, a: f64[N, M], b: f64[M, N], c: f64[N]) -> None:
            self.a, self.b, self.c = a, b, c

        def step(self) -> f64[M, N]:
            self.a += 1.0
            self.c *= 2.0
            return self.b

    for a in (np.arange(12.0).reshape(3, 4), np.asfortranarray(np.ones((2, 2)))):
        live = Two(a, a.T, a[::-1, 1])
        save(live, path)
        module = reload(path)
        assert module.step().tolist() == live.step().tolist()


def test_a_captured_array_and_a_field_are_one(classes: Any, reload: Any, path: Path) -> None:
    live = classes.Global(classes.SHARED)
    save(live, path)
    module = reload(path)
    assert len(read_saved(path).weights) == 1
    assert module.both().tolist() == live.both().tolist()
    classes.SHARED[:] = np.arange(3.0)


def test_arrays_without_axes_keep_that(classes: Any, reload: Any, path: Path) -> None:
    save(classes.Scalar(np.array(2.5)), path)
    assert reload(path).value() == 2.5


def test_memory_that_cannot_be_described_is_refused(path: Path) -> None:
    @script
    class Mixed:
        def __init__(self, x: f64[N], y: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
            self.x, self.y = x, y

    x = np.arange(4.0)
    with pytest.raises(UnsupportedError, match=r"'self.x' and 'self.y' share memory.*float64"):
        save(Mixed(x, x.view(np.int64)), path)
    overlapping = as_strided(x, (8,), (0,))
    with pytest.raises(UnsupportedError, match=r"elements of the array 'self.x' share memory"):
        save(Mixed(overlapping, np.zeros(1, np.int64)), path)
    assert not path.exists()


def test_objects_come_back_as_the_same_objects(classes: Any, reload: Any, path: Path) -> None:
    for fit in (False, True):
        live = classes.Whole(2.0)
        if fit:
            live.fit()
        save(live, path)
        module = reload(path)
        assert [module.up(), module.up()] == [live.up(), live.up()]
        module.fit()
        live.fit()
        assert module.up() == live.up()


def test_a_class_without_methods_is_saved(classes: Any, reload: Any, path: Path) -> None:
    save(classes.Holder(), path)
    module = reload(path)
    assert dir(module) == ["inner"]
    assert module.inner.x == 2.0


def test_lists_and_tuples_come_back(classes: Any, reload: Any, path: Path) -> None:
    live = classes.Lists(np.zeros(2))
    live.push(7)
    save(live, path)
    module = reload(path)
    for _ in range(2):
        assert module.push(3) == live.push(3)
        assert module.last().tolist() == live.last().tolist()
    assert module.scalar() == np.inf


def test_what_one_list_is_stays_so_or_is_refused(classes: Any, path: Path) -> None:
    with pytest.raises(UnsupportedError, match=r"'self.xs' and 'self.ys.1.0' are one list"):
        save(classes.OneList(), path)


def test_rings_and_chains_are_refused(classes: Any, reload: Any, path: Path) -> None:
    ring = classes.Ring()
    save(ring, path)
    reload(path).close()
    ring.close()
    with pytest.raises(UnsupportedError, match=r"'self.other' is an object that holds it"):
        save(ring, path)
    chain = classes.Ring()
    for length in range(1, MAX_OBJECT_DEPTH + 1):
        if length == MAX_OBJECT_DEPTH:
            save(chain, path)
            reload(path)
        longer = classes.Ring()
        longer.link(chain)
        chain = longer
    with pytest.raises(UnsupportedError, match="deep"):
        save(chain, path)


def test_long_lists_and_strings_are_refused(reload: Any, path: Path) -> None:
    @script
    class Long:
        def __init__(self, n: int, name: str) -> None:
            self.name = name
            self.items = [-(2**62)]
            for i in range(n - 1):
                self.items.append(i - 2**62)

        def size(self) -> int:
            return len(self.items)

    save(Long(MAX_ITEMS, "x"), path)
    assert reload(path).size() == MAX_ITEMS
    with pytest.raises(UnsupportedError, match="use an array"):
        save(Long(MAX_ITEMS + 1, "x"), path)
    with pytest.raises(LoadError, match="a string or a list is too long"):
        save(Long(1, "x" * 2**20), path)


# Files that no one should trust.


def vector(size: int) -> TensorType:
    return TensorType(F64, (Dim(size),))


NODE = ClassDecl("Node", (("w", VECTOR), ("next", OptionalType(ClassType("Node")))))
W = Weight("w", vector(4))


def node(name: str, after: object = None, weight: str = "w") -> ObjectDecl:
    value: Any = after if after is None else ObjectRef(str(after))
    return ObjectDecl(name, "Node", (("w", WeightRef(weight)), ("next", value)))


def with_state(objects: Sequence[ObjectDecl], *weights: Weight) -> Module:
    return Module(
        {}, {"Node": NODE}, {w.name: w for w in (W, *weights)}, {o.name: o for o in objects}
    )


def test_objects_refer_to_those_before_them() -> None:
    verify(with_state([node("a"), node("b", "a"), node("c", "a")]))
    for objects in ([node("a", "a")], [node("a", "b"), node("b")], [node("a", "nobody")]):
        with pytest.raises(InvalidIRError, match="before it"):
            verify(with_state(objects))
    chain = [node("n0"), *(node(f"n{i + 1}", f"n{i}") for i in range(MAX_OBJECT_DEPTH))]
    verify(with_state(chain[:-1]))
    with pytest.raises(InvalidIRError, match="deep"):
        verify(with_state(chain))


@pytest.mark.parametrize(
    "view",
    [
        View("w", 0, ()),
        View("w", 0, (2,)),
        View("w", -1, (1,)),
        View("w", 2, (1,)),
        View("w", 0, (-1,)),
        View("w", 2**62, (2**62,)),
        View("nothing", 0, (1,)),
        View("v", 0, (1,)),
    ],
)
def test_a_view_lies_in_its_weight(view: View, path: Path) -> None:
    good = Weight("v", vector(3), View("w", 3, (-1,)))
    verify(with_state([node("a", weight="v")], good))
    bad = with_state([], Weight("v", vector(3), view))
    with pytest.raises(InvalidIRError):
        verify(bad)
    with pytest.raises(InvalidIRError):
        write_saved(path, SavedModule(bad, (), {"w": np.zeros(4)}))


@pytest.mark.parametrize("size", [0, 5, 2**62])
def test_a_view_has_no_more_elements_than_its_weight(size: int) -> None:
    with pytest.raises(InvalidIRError):
        verify(with_state([], Weight("v", vector(size), View("w", 0, (0,)))))


@pytest.mark.parametrize(
    "value", ["[1, 2.0]", "[1, [2]]", "(1,)", "@w", "object @a", "[object @a]", "[none]", "none"]
)
def test_the_items_of_a_list_are_of_its_type(value: str) -> None:
    text = write_module(
        Module(
            {},
            {"Node": NODE, "Bag": ClassDecl("Bag", (("items", ListType(INT)),))},
            {"w": W},
            {"a": node("a")},
        )
    )
    verify(read_module(f"{text}object @b : class<Bag> (items=[1, 2])\n"))
    with pytest.raises(InvalidIRError):
        verify(read_module(f"{text}object @b : class<Bag> (items={value})\n"))


@pytest.mark.parametrize(
    "line",
    [
        "object @b : class<Bag> (items=" + "[" * 10**5 + ")",
        "object @b : class<Bag> (items=" + "(" * 10**5 + ")",
        "object @b : class<Bag> (items=(1))",
        "object @b : class<Bag> (items=[1,])",
        "object @b : class<Bag> (items=object)",
        "weight @v : tensor<f64, [1]> = @w",
        "weight @v : tensor<f64, [1]> = @w [offset=0]",
        "weight @v : tensor<f64, [1]> = @w [offset=0, strides=1]",
        "weight @v : tensor<f64, [1]> = @w [offset=0, strides=(1.0,)]",
        "weight @v : tensor<f64, [1]> = @w [offset=true, strides=(true,)]",
        "weight @v : tensor<f64, [1]> = @w [offset=0, strides=(1,), more=2]",
    ],
)
def test_declarations_out_of_form_are_refused(line: str) -> None:
    with pytest.raises(LoadError):
        read_module(line)


# Loaded modules: what users see of their state, and files of them.


def test_fields_of_a_loaded_module_are_read_and_set(classes: Any, reload: Any, path: Path) -> None:
    live = classes.Whole(2.0)
    save(live, path)
    module = reload(path)
    assert dir(module) == sorted(["best", "inner", "also", "maybe", "parts", "fit", "up"])
    assert (module.best, module.maybe) == (None, None)
    assert module.inner is module.also is module.parts[0]
    module.fit()
    assert module.best.tolist() == np.ones((2, 3)).tolist()
    assert module.maybe is module.parts[1]
    module.best[0, 0] = 5.0
    module.inner.x = 7.0
    live.fit()
    live.best[0, 0] = 5.0
    live.inner.x = 7.0
    assert module.up() == live.up()
    module.best, module.maybe, module.inner = None, module.inner, module.parts[1]
    live.best, live.maybe, live.inner = None, live.inner, live.parts[1]
    assert module.up() == live.up()
    for wrong in ({"best": np.ones(2)}, {"maybe": module}, {"inner": None}, {"parts": [1]}):
        ((name, value),) = wrong.items()
        with pytest.raises(TypeError, match=name):
            setattr(module, name, value)
    for name in ("fit", "nothing"):
        with pytest.raises(AttributeError, match=name):
            setattr(module, name, 1)
    with pytest.raises(AttributeError, match="nothing"):
        module.inner.nothing = 3
    with pytest.raises(AttributeError, match="nothing"):
        module.inner.nothing  # noqa: B018 -- it raises


def test_lists_of_a_loaded_module(classes: Any, reload: Any, path: Path) -> None:
    save(classes.Lists(np.zeros(2)), path)
    module = reload(path)
    module.counts.append(5)
    # The interpreter alone gives copies that know of no module.
    assert module.counts == ([1, 2, 5] if reload is load else [1, 2])
    mine = [4, 5, 6]
    module.counts = mine
    assert module.push(7) == 4 + 2
    assert (mine, module.counts) == ([4, 5, 6], [4, 5, 6, 7])
    assert module.pair[:2] == ("a", [True])
    module.arrays[0][:] = 3.0
    assert module.last().tolist() == [3.0, 3.0]


@pytest.mark.parametrize("again", [load, scriptc_runtime.load], ids=["compiled", "interpreted"])
def test_a_loaded_module_is_saved_as_it_is_now(
    classes: Any, reload: Any, again: Any, path: Path, tmp_path: Path
) -> None:
    second = tmp_path / "second"
    for live in (classes.Whole(2.0), classes.Lists(np.zeros(2)), classes.Global(np.zeros(3))):
        save(live, path)
        module = reload(path)
        (save if reload is load else scriptc_runtime.save)(module, second)
        assert second.read_bytes() == path.read_bytes()
        names = [n for n in ("up", "fit", "both", "last") if n in dir(module)]
        for name in names:
            assert np.array_equal(getattr(module, name)(), getattr(live, name)())
        save(module, second)
        other = again(second)
        for name in names:
            assert np.array_equal(getattr(other, name)(), getattr(live, name)())
        classes.SHARED[:] = np.arange(3.0)


def test_arrays_that_share_memory_still_do_in_the_second_file(
    classes: Any, reload: Any, path: Path
) -> None:
    x = np.arange(9.0)
    live = classes.Pair(x[::2], x[6:1:-1])
    save(live, path)
    module = reload(path)
    for _ in range(3):
        assert module.up().tolist() == live.up().tolist()
        assert module.down().tolist() == live.down().tolist()
        save(module, path)
        module = reload(path)


def test_a_module_of_functions_has_no_fields(reload: Any, path: Path) -> None:
    @script
    def double(x: float) -> float:
        return 2.0 * x

    save({"double": double}, path)
    module = reload(path)
    assert dir(module) == ["double"]
    with pytest.raises(AttributeError, match="no field 'x'; it has none"):
        module.x = 3
    assert copy.copy(module).double(2.0) == 4.0
