"""`save` and `load`: functions, signatures, captured arrays and objects, by both loaders."""

# Without annotations the types come from the call, which is what some of this is about.
# pyright: basic

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scriptc_runtime
from scriptc import load, save, script
from scriptc.types import M, N, f32, f64, u64
from scriptc_runtime.errors import LoadError, TypeCheckError, UnsupportedError

WEIGHTS = np.array([1.0, 2.0, 4.0])


@script
def weighted(x: f64[N], scale: float = 2.0) -> f64[N]:
    """Return the scaled sum with what was learnt."""
    return (x + WEIGHTS) * scale


@script
def total(x):
    result = 0.0
    for value in x:
        result += value
    return result


@script
def dot(x, y):
    result = 0.0
    for i in range(len(x)):
        result += x[i] * y[i]
    return result


@script
def largest(x: u64) -> u64:
    return np.minimum(x, np.uint64(18446744073709551615))


@script
def halves(x: list[float], n: int) -> list[float]:
    for i in range(n):
        x.append(x[i] / 2)
    return x


@script
class Layer:
    """A layer."""

    weight: f64[N, M]
    rate: float
    name: str

    def __init__(self, weight: f64[N, M], rate: float) -> None:
        self.weight = weight
        self.rate = rate
        self.name = "layer"
        self.steps = 0

    def forward(self, x: f64[M]) -> f64[N]:
        return self.weight @ x

    def step(self, by: f64[N, M]) -> None:
        self.weight -= self.rate * by
        self.steps += 1

    def count(self) -> int:
        return self.steps


@script
class Network:
    layers: list[Layer]

    def __init__(self) -> None:
        self.layers = [Layer(np.ones((2, 3)), 0.5)]

    def first(self) -> tuple[int, Layer]:
        return len(self.layers), self.layers[0]

    def add(self, layers: list[Layer]) -> None:
        layers.append(self.layers[0])


@pytest.fixture(params=[load, scriptc_runtime.load], ids=["compiled", "interpreted"])
def reload(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "module.scriptc"


def test_functions_come_back(path: Path, reload: Any) -> None:
    save({"weighted": weighted, "total": total.sig(f64[N])}, path)
    module = reload(path)
    x = np.array([1.0, 1.0, 1.0])
    assert module.weighted(x).tolist() == weighted(x).tolist()
    assert module.weighted(x, scale=3.0).tolist() == weighted(x, 3.0).tolist()
    assert module.total(x) == 3.0
    assert module.weighted.__doc__ == weighted.__doc__
    assert dir(module) == ["total", "weighted"]


def test_a_number_of_64_bits_without_a_sign_comes_back(path: Path, reload: Any) -> None:
    save({"largest": largest}, path)
    assert reload(path).largest(np.uint64(2**64 - 1)) == np.uint64(2**64 - 1)


def test_a_loaded_function_checks_its_arguments(path: Path, reload: Any) -> None:
    save({"weighted": weighted}, path)
    module = reload(path)
    with pytest.raises(TypeError, match="'x'"):
        module.weighted([1.0])
    with pytest.raises(TypeError, match="scale"):
        module.weighted(WEIGHTS, "a")


def test_a_wrong_argument_is_told_in_the_same_words(path: Path, reload: Any) -> None:
    def added(x: f64[N], y: f64[N]) -> f64[N]:
        return x + y

    live: Any = script(added)
    save({"added": live}, path)
    x = np.ones(3)
    for wrong in (np.ones(3, np.float32), np.ones((3, 1)), 2.5, None):
        messages: list[str] = []
        for function in (live, reload(path).added):
            with pytest.raises(TypeError) as caught:
                function(x, wrong)
            messages.append(str(caught.value).split("; ")[0].split("(): ")[1])
        assert messages[0] == messages[1]
    for function in (live, reload(path).added):
        with pytest.raises(ValueError, match="N is 3"):
            function(x, np.ones(2))


def test_exceptions_come_back(path: Path, reload: Any) -> None:
    def last(x: f64[N], i: int):
        return x[i]

    save({"last": script(last)}, path)
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3"):
        reload(path).last(WEIGHTS, 7)


def test_a_list_that_is_passed_in_is_written_and_returned(path: Path, reload: Any) -> None:
    save({"halves": halves}, path)
    module = reload(path)
    given = [1.0]
    assert module.halves(given, 2) is given
    assert given == [1.0, 0.5, 0.25]
    with pytest.raises(IndexError):
        module.halves([], 1)


def test_objects_are_given_by_methods_but_not_taken(path: Path, reload: Any) -> None:
    save(Network(), path)
    module = reload(path)
    count, layer = module.first()
    layer.rate = 2.0
    assert (count, module.layers[0].rate) == (1, 2.0)
    for given in ([], [layer]):
        with pytest.raises(TypeError, match=r"add\(\): parameter 'layers': .*from outside"):
            module.add(given)


def test_sizes_in_lists_are_refused_before_they_are_saved(path: Path, reload: Any) -> None:
    def open_sizes(xs: tuple[list[f64[..., ...]], int]) -> int:  # pyright: ignore[reportInvalidTypeForm]
        return len(xs[0])

    def sizes(xs: tuple[list[f64[N, ...]], int]) -> int:  # pyright: ignore[reportInvalidTypeForm]
        return len(xs[0])

    wanted = r"sizes\(\): parameter 'xs': the sizes in list(?s:.*)f64\[\.\.\., \.\.\.\]"
    with pytest.raises(UnsupportedError, match=wanted):
        save({"sizes": script(sizes)}, path)
    assert not path.exists()
    with pytest.raises(UnsupportedError, match=wanted):
        script(sizes)(([], 1))
    save({"open_sizes": script(open_sizes)}, path)
    assert reload(path).open_sizes(([np.ones((2, 3)), np.ones((1, 2))], 1)) == 2


def test_a_list_that_may_be_none_is_given_to_what_a_file_holds(path: Path, reload: Any) -> None:
    def count(xs: list[int] | None) -> int:
        return 0 if xs is None else len(xs)

    save({"count": script(count)}, path)
    assert [reload(path).count(xs) for xs in ([1, 2], None)] == [2, 0]


def test_several_signatures_are_one_entry(path: Path, reload: Any) -> None:
    save({"total": [total.sig(f64[N]), total.sig(np.zeros(2, np.float32))]}, path)
    module = reload(path)
    assert type(module.total(np.ones(2))) is np.float64
    assert type(module.total(np.ones(2, np.float32))) is np.float32


def test_names_and_numbers_of_sizes_in_a_signature_are_checked(path: Path, reload: Any) -> None:
    open_one, fixed = dot.sig(np.ones(1), np.ones(1)), dot.sig(f64[3], np.ones(1))
    save({"dot": dot.sig(f64[N], f64[N]), "any": open_one, "fixed": fixed}, path)
    module = reload(path)
    three, four = np.ones(3), np.ones(4)
    assert module.dot(four, four) == 4.0
    with pytest.raises(ValueError, match="parameter 'y': N is 3 and 4"):
        module.dot(three, four)
    assert module.any(three, four) == 3.0
    assert module.fixed(three, four) == 3.0
    with pytest.raises(ValueError, match="parameter 'x'"):
        module.fixed(four, four)


def test_a_call_does_not_check_the_names_it_was_compiled_with() -> None:
    dot.compile(f64[N], f64[N])
    assert dot(np.ones(3), np.ones(4)) == 3.0


def test_an_object_comes_back_with_its_state(path: Path, reload: Any) -> None:
    weight = np.arange(6.0).reshape(2, 3)
    layer = Layer(weight, 0.5)
    layer.step(np.ones((2, 3)))
    save(layer, path)
    module = reload(path)
    x = np.array([1.0, 2.0, 3.0])
    assert module.forward(x).tolist() == layer.forward(x).tolist()
    assert module.count() == 1
    module.step(np.ones((2, 3)))
    layer.step(np.ones((2, 3)))
    assert module.count() == 2
    assert module.forward(x).tolist() == layer.forward(x).tolist()
    assert reload(path).count() == 1


def test_a_second_save_gives_the_same_bytes(tmp_path: Path) -> None:
    layer = Layer(np.ones((2, 2)), 0.5)
    for name in ("first", "second"):
        save(layer, tmp_path / name)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_a_file_names_no_folder_of_this_machine(path: Path) -> None:
    save({"weighted": weighted}, path)
    assert str(Path(__file__).parent).encode() not in path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        assert f"source/{Path(__file__).name}" in archive.namelist()


def test_a_function_without_types_is_refused_with_those_seen(path: Path) -> None:
    def fresh(x):
        return x

    scripted = script(fresh)
    with pytest.raises(TypeCheckError, match="it was not called yet"):
        save({"fresh": scripted}, path)
    scripted(1)
    scripted(2.5)
    with pytest.raises(TypeCheckError) as caught:
        save({"fresh": scripted}, path)
    assert "it was called with (int), (float)" in str(caught.value)
    assert "fresh.sig(...)" in str(caught.value)
    assert not path.exists()


def test_a_method_that_others_alone_call_is_no_entry(path: Path) -> None:
    class Linear:
        def __init__(self):
            self.w = np.ones(2)

        def _product(self, x):
            return x @ self.w

        def _count(self) -> int:
            return 3

        def predict(self, x):
            return self._product(x) + self._count()

    made = script(Linear)()
    x = np.ones((3, 2))
    expected = made.predict(x)
    save(made, path)
    loaded = load(path)
    assert not hasattr(loaded, "_product")
    assert loaded._count() == 3
    assert (loaded.predict(x) == expected).all()
    assert (scriptc_runtime.load(path).predict(x) == expected).all()


def test_a_method_without_types_has_those_of_its_calls(path: Path) -> None:
    @script
    class Line:
        def __init__(self, size: int) -> None:
            self.weights = np.zeros(size)

        def fit(self, x, y) -> None:
            for _ in range(3):
                self.weights += x.T @ (y - x @ self.weights) * 0.1

        def predict(self, x):
            return x @ self.weights

    line, rows = Line(2), np.ones((3, 2))
    line.fit(rows, np.ones(3))
    with pytest.raises(TypeCheckError, match="call it once before, or annotate 'x'"):
        save(line, path)
    expected = line.predict(rows)
    save(line, path)
    for loaded in (load(path), scriptc_runtime.load(path)):
        assert loaded.predict(rows).tolist() == expected.tolist()
        assert loaded.predict(rows[:1]).shape == (1,)
    line.predict(rows.astype(np.float32))
    with pytest.raises(TypeCheckError, match=r"called with \(Line, f64"):
        save(line, path)


def test_a_method_without_types_is_refused_with_its_parameters(path: Path) -> None:
    @script
    class Ring:
        def __init__(self, size: int) -> None:
            self.data = np.zeros(size)

        def push(self, at: int, v, scale, *more: float) -> None:
            self.data[at] = v * scale + more[0]

    with pytest.raises(TypeCheckError) as caught:
        save(Ring(3), path)
    assert "Ring.push(): parameter 'v' has no annotation" in str(caught.value)
    assert "instead: annotate 'v', 'scale' and take a tuple for *more" in str(caught.value)
    assert not path.exists()


def test_a_name_that_no_entry_can_have_is_refused(path: Path) -> None:
    for name in ("a b", "", "__dir__", 1):
        with pytest.raises(ValueError, match=f"an entry of a saved module cannot be .* {name!r}"):
            save({name: weighted}, path)
    with pytest.raises(ValueError, match="the dict has no functions to save"):
        save({}, path)
    assert not path.exists()


def test_what_is_no_script_is_refused(path: Path) -> None:
    for wrong in ({"f": len}, 3, {"f": weighted.python}):
        with pytest.raises(TypeError):
            save(wrong, path)
    assert not path.exists()


class Plain:
    def __init__(self, size: float) -> None:
        self.size = size


@script
class Keeper:
    def __init__(self, kept):
        self.kept = kept

    def get(self) -> int:
        return 1


@pytest.mark.parametrize(
    ("kept", "kind", "instead"),
    [
        (memoryview(b"a"), "of class memoryview,", "pass "),
        (type("Bare", (), {})(), "an object of Bare, which is no @script class", "put @script on"),
        ([iter(())], "of class tuple_iterator,", "pass numbers, strings, tuples, lists, arrays"),
        ([np.add], "a function or class,", "call it from a script that names both"),
    ],
)
def test_what_no_field_holds_is_told_where_it_is_given(kept: Any, kind: str, instead: str) -> None:
    with pytest.raises(TypeCheckError, match=f"parameter 'kept' of Keeper.* is {kind}") as e:
        Keeper(kept)
    assert f"instead: {instead}" in str(e.value)


def test_methods_are_saved_with_their_object(path: Path) -> None:
    keeper = Keeper(1.0)
    for part in (keeper, keeper.get):
        with pytest.raises(TypeError, match="'get' belongs to an object: save the object itself"):
            save({"get": part}, path)
    with pytest.raises(TypeError, match="an object of a @script class, not Plain"):
        save(Plain(1.0), path)


def test_a_damaged_file_is_refused(path: Path, reload: Any) -> None:
    save({"weighted": weighted}, path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(LoadError):
        reload(path)


HALF: Any = np.float32(0.5)


@script
def tuned(x: float, rate: float = 1, shift: f32 = HALF, kept: f64 | None = None):
    return x * rate + float(shift) + (0.0 if kept is None else float(kept))


@script
def dotted(x, y=None, scale=1):
    return (x.sum() if y is None else (x * y).sum()) * scale


@script
def paired(x: float, scale: float = 2.0, pair: tuple[int, int] = (1, 2), *, far: float = 1):
    return x * scale + pair[0] + far


def test_defaults_are_saved_as_their_types_hold_them(path: Path, reload: Any) -> None:
    save({"tuned": tuned}, path)
    module = reload(path)
    assert module.tuned(2.0) == tuned(2.0) == 2.5
    assert module.tuned(2.0, 3.0, np.float32(1.5), np.float64(1.0)) == 8.5
    save({"dotted": dotted.sig(f64[N], None, float)}, path)
    result = reload(path).dotted(np.ones(3))
    assert (result, type(result)) == (3.0, np.float64)


def test_entries_have_no_defaults_of_other_types_than_their_parameters(
    path: Path, reload: Any
) -> None:
    x = np.ones(3)
    save({"dotted": [dotted.sig(f64[N], None, int), dotted.sig(f64[N], f64[N], int)]}, path)
    module = reload(path)
    assert (module.dotted(x), module.dotted(x, 2 * x), module.dotted(x, x, 2)) == (3, 6, 6)
    save({"dotted": dotted.sig(f64[N], f64[N], int)}, path)
    with pytest.raises(TypeError, match="missing a required argument: 'y'"):
        reload(path).dotted(x)
    # A file has no tuples as defaults, and what stands before one without has none either.
    save({"paired": paired}, path)
    module = reload(path)
    assert module.paired(1.0, 3.0, (4, 5)) == 8.0
    with pytest.raises(TypeError, match="missing a required argument: 'scale'"):
        module.paired(1.0, pair=(4, 5))
