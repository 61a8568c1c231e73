"""What `@script` does not take, and what users see of types: said in the words of programs."""

import functools
import inspect
import pydoc
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

import scriptc
import scriptc_runtime
from scriptc import ScriptError, script
from scriptc.types import B, N, dim, f32, f64

# `...` in an annotation is none to type checkers.
# pyright: basic, reportInvalidTypeForm=false

given: Any = script  # with settings that type checkers refuse


@pytest.mark.parametrize(
    ("settings", "way"),
    [
        ({"nopython": True}, "'nopython': leave it out: nothing falls back to Python"),
        ({"fastmath": True}, "'fastmath': leave it out: results are those of CPython and NumPy"),
        ({"cache": True, "nogil": True}, "'cache': leave it out: .*\n.*'nogil': leave it out"),
        ({"boundscheck": True}, "'boundscheck': leave it out: an index out of range always"),
        ({"signature": "f8(f8)"}, "'signature': annotate the function"),
        ({"target": "cuda"}, "'target': backend="),
        ({"static_argnums": 0}, "'static_argnums': leave it out: an axis or a mode"),
        ({"fast": True}, "'fast': its settings are backend, parallel, strict_sizes and bigint"),
    ],
)
def test_settings_of_other_compilers_are_answered(settings: dict[str, Any], way: str) -> None:
    for call in (lambda: given(**settings), lambda: given(len, parallel=True, **settings)):
        with pytest.raises(TypeError, match=rf"script\(\) has no {way}"):
            call()


@pytest.mark.parametrize("signature", ["f8(f8)", ["f8(f8)"], ("f8(f8)", "i8(i8)")])
def test_signatures_of_numba_are_answered(signature: object) -> None:
    with pytest.raises(TypeError, match="annotate the function, def f"):
        given(signature)
    with pytest.raises(TypeError, match="annotate the function, def f"):
        given(parallel=True)(signature)


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("py_func", "f.python"),
        ("signatures", "f.seen"),
        ("inspect_llvm", 'f.dump("llvm")'),
        ("graph", "f.dump()"),
        ("nothing", ""),
    ],
)
def test_attributes_of_other_compilers_are_answered(name: str, way: str) -> None:
    scripted = script(lambda x: x)
    told = f"'ScriptFunction' has no attribute {name!r}" + (f"; write {way}" if way else "")
    with pytest.raises(AttributeError) as caught:
        getattr(scripted, name)
    assert str(caught.value) == told
    assert not hasattr(scripted, name)
    assert not hasattr(scripted, "__array__")


def test_what_a_function_was_called_with_is_what_it_dumps() -> None:
    @script
    def add(x, y):
        return x + y

    with pytest.raises(ScriptError, match="parameter 'x' has no annotation"):
        add.dump()
    add(1, 2)
    assert "(%x: int, %y: int) -> int" in add.dump()
    assert "(%x: float, %y: f64) -> f64" in add.dump("ir", float, f64)
    add(1.5, 2.5)
    with pytest.raises(ScriptError, match="parameter 'x' has no annotation"):
        add.dump()  # there are two


def test_numbers_of_numpy_in_lists_of_floats_are_answered() -> None:
    @script
    def append(xs: list[float], x: f64) -> None:
        xs.append(x)  # pyright: ignore

    with pytest.raises(ScriptError, match=r"convert the value first: float\(x\)"):
        append([], cast(Any, np.float64(1.0)))

    @script
    def first(xs: list[float]) -> float:
        return xs[0]

    assert type(first([np.float64(1.0)])) is np.float64  # a float, as lists of such are taken
    assert type(first([1.0])) is float


def test_the_version_is_that_of_the_distribution() -> None:
    assert scriptc.__version__ == metadata.version("scriptc")
    assert "__version__" in dir(scriptc)


def test_other_things_are_refused() -> None:
    with pytest.raises(TypeError, match=r"give it \.__wrapped__"):
        given(functools.lru_cache(lambda x: x))  # pyright: ignore
    with pytest.raises(TypeError, match=r"takes a function or a class, not 3$"):
        given(3)


# -------------------------------------------------------------------------------------- any axes


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_dots_that_are_taken_for_any_axes_are_explained(backend: str) -> None:
    def total(x: f64[...]) -> float:
        return x.sum()

    scripted = script(total, backend=backend)
    told = r"f64\[\.\.\.\] is one axis of any size: write f64\[\.\.\., \.\.\.\], or np\.ndarray"
    with pytest.raises(TypeError, match=told):
        scripted(cast(Any, np.ones((2, 2))))
    with pytest.raises(TypeError, match=r"write f64\[\(\)\]"):
        scripted(cast(Any, np.ones(())))
    assert scripted(np.ones(3)) == 3.0

    def given_two(x: npt.NDArray[np.float64]) -> float:
        return total(x)  # pyright: ignore

    with pytest.raises(ScriptError, match=told):
        script(given_two, backend=backend)(np.ones((2, 2)))


@pytest.mark.parametrize("load", [scriptc.load, scriptc_runtime.load])
def test_a_loaded_entry_explains_them_too(load: Callable[[Path], Any], tmp_path: Path) -> None:
    def total(x: f64[...]) -> float:
        return x.sum()

    scriptc.save({"total": script(total)}, tmp_path / "m.scriptc")
    with pytest.raises(TypeError, match=r"write f64\[\.\.\., \.\.\.\]"):
        load(tmp_path / "m.scriptc").total(np.ones((2, 2)))


def test_a_size_with_a_name_needs_no_explanation() -> None:
    def total(x: f64[N]) -> float:
        return x.sum()

    with pytest.raises(TypeError, match=r"2 axes$"):
        script(total)(cast(Any, np.ones((2, 2))))


# ---------------------------------------------------------------------------------- what is shown


@script
def softmax(x: f32[B, N], axes: tuple[int, float] = (1, 2.0)) -> f32[B, N] | None:
    """Return exponentials."""
    return x


def test_types_are_shown_as_they_are_written() -> None:
    text = pydoc.plain(pydoc.render_doc(softmax))
    assert "x: f32[B, N]" in text
    assert "tuple[int, float]" in text
    assert "TensorType" not in text
    assert "Return exponentials." in text
    shown = [(f64[N, 3, ...], "f64[N, 3, ...]"), (f64[()], "f64[()]"), (dim("wide"), "wide")]
    assert [repr(annotation) for annotation, _ in shown] == [text for _, text in shown]
    assert repr(f64[N] | None) == "typing.Optional[f64[N]]"


def test_signatures_are_shown() -> None:
    signature = softmax.sig(f64[N], int, list[float], np.float32, np.ones(100), None)
    assert repr(signature) == (
        "softmax.sig(f64[N], int, list[float], numpy.float32, <array of float64>, None)"
    )


@script
class Line:
    def __init__(self, slope: float, offset: float) -> None:
        self.slope = slope
        self.offset = offset

    def at(self, x: f64[N], *, scale: float = 1.0) -> f64[N]:
        """Return the values."""
        return (x * self.slope + self.offset) * scale


@pytest.mark.parametrize("load", [scriptc.load, scriptc_runtime.load])
def test_loaded_modules_are_shown(load: Callable[[Path], Any], tmp_path: Path) -> None:
    scriptc.save(Line(2.0, 1.0), tmp_path / "line.scriptc")
    module = load(tmp_path / "line.scriptc")
    at = "at(x: f64[N], scale: float) -> f64[N]"
    assert repr(module) == f"<saved module>\n{at}\nfields: slope, offset"
    assert repr(module.at) == at
    assert str(inspect.signature(module.at)) == "(x: f64[N], *, scale: float = 1.0) -> f64[N]"
    assert "Return the values." in pydoc.plain(pydoc.render_doc(module.at))
    module.slope = 3.0
    assert module.at(np.ones(1), scale=2.0).tolist() == [8.0]

    def add(x: Any, y: Any) -> Any:
        return x + y

    signatures = [script(add).sig(int, int), script(add).sig(f64[N], float)]
    scriptc.save({"add": signatures}, tmp_path / "add.scriptc")
    both = load(tmp_path / "add.scriptc")
    assert repr(both).splitlines()[1:] == [
        "add(x: int, y: int) -> int",
        "add(x: f64[N], y: float) -> f64[N]",
    ]
    assert "self" not in str(inspect.signature(both.add))


def test_the_package_shows_public_names_alone() -> None:
    public = [name for name in dir(scriptc) if not name.startswith("_")]
    assert public == sorted([*scriptc.__all__, "types"])
    assert all(hasattr(scriptc, name) for name in public)
    members = [name for name in vars(scriptc.ScriptFunction) if not name.startswith("_")]
    assert sorted(members) == ["compile", "dump", "explain", "seen", "sig"]
