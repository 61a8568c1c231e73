"""Subclasses of np.ndarray: plain ones are arrays to scripts, others name their conversion."""

import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

import scriptc
import scriptc_runtime
from scriptc import script
from scriptc.types import N, f64
from scriptc_runtime.array_classes import is_plain_array
from scriptc_runtime.conversions import conversion_of

Array = npt.NDArray[np.float64]
BACKENDS = ("llvm", "interp")


class Named(np.ndarray[tuple[int, ...], np.dtype[np.float64]]):
    """The subclass of NumPy's own documentation: it changes nothing but carries a name."""

    name: str = ""

    def __array_finalize__(self, obj: object) -> None:
        self.name = getattr(obj, "name", "")


class Loud(Named):
    """Another plain one, with a method and a text of its own."""

    def shout(self) -> str:
        return self.name.upper()

    def __repr__(self) -> str:
        return self.shout()


class Metres(np.ndarray[tuple[int, ...], np.dtype[np.float64]]):
    def __mul__(self, other: object) -> Any:
        raise TypeError("square metres")


class Watched(np.ndarray[tuple[int, ...], np.dtype[np.float64]]):
    def __array_ufunc__(self, *args: object, **kwargs: object) -> Any:
        return NotImplemented


class Clipped(np.ndarray[tuple[int, ...], np.dtype[np.float64]]):
    def sum(self, *args: object, **kwargs: object) -> Any:
        return 0.0


def memmap(folder: Path, values: Array, mode: str = "r+") -> Array:
    path = folder / "values.npy"
    np.save(path, values)
    return cast(Array, np.load(path, mmap_mode=cast(Any, mode)))


def named(folder: Path, values: Array) -> Array:
    return values.view(Named)


def loud(folder: Path, values: Array) -> Array:
    return values.view(Loud)


MAKERS = (memmap, named, loud)


def itself(x: Array) -> Array:
    return x


def rows(x: Array) -> Array:
    return x[1:]


def every_second(x: Array) -> Array:
    return x[::-2]


def doubled(x: Array) -> Array:
    return x + x


def sums(x: Array) -> tuple[Array, float]:
    return x.sum(axis=0), x.sum()


def in_a_tuple(x: Array) -> tuple[int, tuple[Array, Array]]:
    return len(x), (x, x * 2.0)


def written(x: Array) -> Array:
    x[0] = 5.0
    x *= 2.0
    return x


def in_a_list(x: Array) -> list[Array]:
    return [x, x + 1.0, x]


PROGRAMS = (itself, rows, every_second, doubled, sums, in_a_tuple, written, in_a_list)
SHAPES = ((4, 3), (0, 3), (5,), (1, 1))


def flat(value: Any) -> list[object]:
    """Return what a result holds, arrays as plain ones and their memory's bytes."""
    if type(value) in (tuple, list):
        return [type(value) is list, *(part for item in value for part in flat(item))]
    array = np.asarray(value)
    return [array.dtype.str, array.shape, array.tobytes()]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_plain_subclass_is_the_array_that_it_is(
    backend: str,
    make: Callable[[Path, Array], Array],
    program: Callable[[Array], object],
    tmp_path: Path,
) -> None:
    scripted = script(program, backend=backend)
    for shape in SHAPES:
        if program is written and shape[0] == 0:
            continue
        if shape[0] == 0 and make is memmap:
            continue  # an empty file cannot be mapped
        values = np.arange(float(np.prod(shape))).reshape(shape)
        mine, theirs = make(tmp_path, values.copy()), values.copy()
        assert flat(scripted(mine)) == flat(program(theirs))
        assert flat(mine) == flat(theirs)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("make", MAKERS)
def test_what_is_returned_is_the_object_itself_and_views_share_its_memory(
    backend: str, make: Callable[[Path, Array], Array], tmp_path: Path
) -> None:
    given = make(tmp_path, np.arange(6.0).reshape(2, 3))
    assert script(itself, backend=backend)(given) is given
    count, (same, other) = script(in_a_tuple, backend=backend)(given)
    assert count == 2
    assert same is given
    assert type(other) is np.ndarray
    first, _, last = script(in_a_list, backend=backend)(given)
    assert first is given
    assert last is given
    view = script(rows, backend=backend)(given)
    assert type(view) is np.ndarray
    assert np.shares_memory(view, given)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_callers_list_keeps_its_own_objects(backend: str, tmp_path: Path) -> None:
    def swapped(xs: list[Array]) -> list[Array]:
        xs.reverse()
        return xs

    scripted = script(swapped, backend=backend)
    first, second = memmap(tmp_path, np.ones(3)), np.zeros(3)
    given = [first, second, first]
    assert scripted(given) is given
    assert given[0] is first
    assert given[1] is second
    given = [first, second]
    scripted(given)
    assert given[0] is second
    assert given[1] is first


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_read_only_memmap_is_read_and_not_written(backend: str, tmp_path: Path) -> None:
    fixed = memmap(tmp_path, np.arange(3.0), "r")
    assert script(doubled, backend=backend)(fixed).tolist() == [0.0, 2.0, 4.0]
    with pytest.raises(ValueError, match="read-only"):
        script(written, backend=backend)(fixed)


KEPT = np.arange(4.0).view(Named)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_global_and_a_field_may_be_of_a_plain_subclass(backend: str, tmp_path: Path) -> None:
    def read(i: int) -> float:
        return KEPT[i]

    assert script(read, backend=backend)(3) == 3.0

    class Holder:
        def __init__(self, x: f64[N]) -> None:
            self.x = x

        def total(self) -> float:
            return self.x.sum()

    made = script(Holder, backend=backend)(memmap(tmp_path, np.ones(3)))
    assert made.total() == 3.0
    file = memmap(tmp_path, np.full(3, 2.0))
    made.x = file
    assert np.shares_memory(made.x, file)
    assert made.total() == 6.0


@pytest.mark.parametrize("load", [scriptc.load, scriptc_runtime.load])
def test_a_loaded_entry_takes_plain_subclasses(load: Callable[..., Any], tmp_path: Path) -> None:
    scriptc.save(
        {"same": script(itself).sig(f64[N]), "rows": script(rows).sig(f64[N])},
        tmp_path / "module.scriptc",
    )
    module = load(tmp_path / "module.scriptc")
    given = memmap(tmp_path, np.arange(3.0))
    assert module.same(given) is given
    assert module.same(x=given) is given
    assert np.shares_memory(module.rows(given), given)
    with pytest.raises(TypeError, match=r"pass np\.asarray\(x\): of arrays"):
        module.same(np.asmatrix(given))


@pytest.mark.parametrize("cls", [Metres, Watched, Clipped, np.matrix, np.ma.MaskedArray])
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_class_that_gives_arrays_another_meaning_is_refused(backend: str, cls: type) -> None:
    assert not is_plain_array(cls)
    given = cast(Any, np.ones((2, 2)).view(cls))
    with pytest.raises(scriptc.ScriptError, match=rf"class {cls.__name__}.*\n.*instead: pass x?"):
        script(itself, backend=backend)(given)

    def annotated(x: f64[N, N]) -> float:
        return x[0, 0]

    with pytest.raises(TypeError, match=r"expected an array of float64 .*; pass "):
        script(annotated, backend=backend)(given)


def test_whether_an_array_is_of_a_plain_subclass_is_not_known_in_a_script(tmp_path: Path) -> None:
    def is_mapped(x: Array) -> bool:
        return isinstance(x, np.memmap)

    def is_array(x: Any) -> bool:
        return isinstance(x, np.memmap | np.ndarray) and not isinstance(x, np.matrix)

    given = memmap(tmp_path, np.ones(2))
    with pytest.raises(scriptc.ScriptError, match="whether an array is of class memmap"):
        script(is_mapped)(given)
    assert script(is_array)(given)


# Stand-ins for classes of libraries that the tests do not need: known by their names and methods.


def foreign(module: str, name: str, **members: object) -> object:
    def __init__(self: object) -> None: ...

    return type(name, (), {"__module__": module, "__init__": __init__, **members})()


class _Kind:
    kind = "i"


_Kind.__module__ = "pandas.core.dtypes"

FOREIGN: list[tuple[object, str]] = [
    (foreign("pandas.core.series", "Series", to_numpy=print), "x.to_numpy()"),
    (
        foreign("pandas.core.series", "Series", to_numpy=print, dtype=_Kind()),
        "x.to_numpy(float, na_value=np.nan)",
    ),
    (foreign("pandas.core.frame", "DataFrame", to_numpy=print), 'x.to_numpy(), or a column, x["'),
    (foreign("polars.series.series", "Series", to_numpy=print), "x.to_numpy()"),
    (foreign("xarray.core.dataarray", "DataArray", to_numpy=print), "x.to_numpy()"),
    (foreign("scipy.sparse._csr", "csr_array", toarray=print, data=0, indices=0, indptr=0),
     "x.toarray(), or the arrays it is made of, x.data, x.indices and x.indptr"),
    (foreign("scipy.sparse._dok", "dok_array", toarray=print), "x.toarray()"),
    (foreign("torch", "Tensor", __array__=print), "x.numpy(force=True)"),
    (foreign("jaxlib._jax", "ArrayImpl", __array__=print), "np.asarray(x)"),
    (foreign("somewhere", "Buffer", __dlpack__=print), "np.from_dlpack(x)"),
    (Decimal(1), "float(x)"),
    (range(3), "list(x)"),
    (Path("x"), "str(x)"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "way"), FOREIGN, ids=[f"{type(v)}" for v, _ in FOREIGN])
def test_an_object_of_another_library_is_refused_with_its_conversion(
    value: object, way: str
) -> None:
    assert conversion_of(value).startswith(way)
    with pytest.raises(scriptc.ScriptError) as refused:
        script(itself)(cast(Any, value))
    assert f"= instead: pass {way}" in str(refused.value)


def test_what_is_refused_has_nothing_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plotting_of_frames.py").write_text("raise AssertionError('no display')")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    def plot(self: object) -> None:
        import plotting_of_frames  # pyright: ignore

        plotting_of_frames.show(self)  # pyright: ignore

    def shown(self: object) -> None:
        from plotting_of_frames import show  # pyright: ignore

        show(self)  # pyright: ignore

    def drawn(self: object) -> None:
        from math import draw  # pyright: ignore

        draw(self)  # pyright: ignore

    series = foreign("pandas.core.series", "Series", to_numpy=print, plot=plot)
    with pytest.raises(scriptc.ScriptError, match=r"pass x\.to_numpy\(\)"):
        script(itself)(cast(Any, series))
    for function in (plot, shown):
        raised = "'plotting_of_frames' raises AssertionError: no display"
        with pytest.raises(scriptc.ScriptError, match=raised):
            script(function)(2.0)
    with pytest.raises(scriptc.ScriptError, match="'draw' is not found in 'math'"):
        script(drawn)(2.0)


def test_a_class_of_another_library_in_an_annotation_or_a_call_names_the_conversion() -> None:
    series = type(foreign("pandas.core.series", "Series", to_numpy=print))

    def annotated(x: Array) -> float:
        return x[0]

    annotated.__annotations__["x"] = series
    with pytest.raises(
        scriptc.ScriptError, match=r"use f64\[N\] or its like, and pass x\.to_numpy"
    ):
        script(annotated)(np.ones(2))

    def __new__(cls: type[object]) -> object:
        return object.__new__(cls)

    made = type("Index", (series,), {"__module__": series.__module__, "__new__": __new__})
    based = type("Column", (type("Mixin", (), {}), series), dict(vars(series)))

    def makes_made(x: Array) -> float:
        return made(x).mean()  # pyright: ignore

    def makes_based(x: Array) -> float:
        return based(x).mean()  # pyright: ignore

    for makes in (makes_made, makes_based):
        with pytest.raises(scriptc.ScriptError, match=r"outside of .*, and pass x\.to_numpy"):
            script(makes)(np.ones(2))


def test_a_scripted_class_may_have_a_method_of_that_name() -> None:
    @script
    class Column:
        def __init__(self, values: f64[N]) -> None:
            self.values = values

        def to_numpy(self) -> f64[N]:
            return self.values

    def total(c: Any) -> float:
        return c.to_numpy().sum()

    assert script(total)(Column(np.ones(3))) == 3.0
