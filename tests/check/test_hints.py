"""Annotations that say less than a type: what they stand for, what refuses them, what is cached."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, Callable, Optional

import numpy as np
import numpy.typing as npt
import pytest

from scriptc import ScriptError, load, save, script
from scriptc.check.annotations import annotated_type
from scriptc.check.hints import names_in
from scriptc.types import N, f64
from scriptc_runtime.types import FLOAT, OptionalType
from tests.support.live_source import last_function, live_module

# What annotations leave open comes from the calls, which is what this is about.
# pyright: basic, reportRedeclaration=false, reportReturnType=false, reportArgumentType=false
# ruff: noqa: UP035


class TypeAliasType:
    """As the one of Python 3.12, which `type Name = value` makes."""

    def __init__(self, name: str, value: object) -> None:
        self.__name__ = name
        self.__value__ = value


FloatArray = TypeAliasType("FloatArray", npt.NDArray[np.float64])
Floats = TypeAliasType("Floats", "float | None")
BACKENDS = pytest.mark.parametrize("backend", ["llvm", "interp"])


def plain(x): ...


def meant(annotation: object) -> object:
    assert isinstance(plain, FunctionType)
    return annotated_type(annotation, names_in(plain))


@pytest.mark.parametrize(
    "annotation",
    [
        *("FloatArray", "npt.ArrayLike", "Callable[[float, int], Any]", "Optional[np.ndarray]"),
        *("list[list[Any]]", "tuple[np.ndarray, float]", "np.ndarray[Any, np.dtype[Any]]"),
    ],
)
def test_text_that_says_less_than_a_type_declares_nothing(annotation: str) -> None:
    assert meant(annotation) is None


def test_aliases_stand_for_what_they_name() -> None:
    assert meant("Floats") == meant(Floats) == OptionalType(FLOAT)
    assert meant(Optional["float"]) == OptionalType(FLOAT)


@pytest.mark.parametrize(
    ("annotation", "told"),
    [
        ("np.ndaray", "'ndaray', which the module numpy does not have"),
        ("npt.NDAray[np.float64]", "did you mean 'NDArray'?"),
        ("list[Flaot]", "names 'Flaot', which is not defined"),
        ("int[3]", "stands for no type"),
        ("np.matrix | None", "np.matrix stands for no type"),
        (memoryview, "pass np.asarray(x)"),
        ("np.dtype", "an array of that dtype"),
    ],
)
def test_a_mistake_is_refused(annotation: object, told: str) -> None:
    with pytest.raises(ScriptError) as caught:
        meant(annotation)
    assert told in str(caught.value)


UNKNOWN = """\
from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from nowhere import Known

def f(x: Known[int], y: Unknown) -> Known:
    return x
"""


def test_a_name_that_not_even_type_checkers_know_is_refused_at_its_place() -> None:
    function = last_function(live_module(UNKNOWN, "unknown.py"))
    with pytest.raises(ScriptError, match=r"unknown.py:6:25: .* names 'Unknown'"):
        script(function)(1, 2)


@BACKENDS
def test_a_field_with_a_hint_is_what_objects_give_it(backend: str) -> None:
    @dataclass
    class Plain:
        x: np.ndarray
        scale: float
        weights: np.ndarray | None = None

        def total(self) -> float | np.ndarray:
            if self.weights is None:
                return self.x.sum() * self.scale
            return (self.x * self.weights).sum() * self.scale

    x = np.arange(3.0)
    scripted = script(Plain, backend=backend)
    assert scripted(x, 2.0).total() == Plain(x, 2.0).total()
    assert scripted(x, 2.0, x).total() == Plain(x, 2.0, x).total()
    with pytest.raises(TypeError, match="parameter 'scale'"):
        scripted(x, "2.0")

    other = script(Plain, backend=backend)
    assert other(x, 2.0, x + 1).total() == Plain(x, 2.0, x + 1).total()


class Pair:
    first: npt.NDArray[np.float64]

    def __init__(self, n: int, second: Any):
        self.first: np.ndarray = np.zeros(n)
        self.second = second

    def sum(self, other: Any) -> float:
        return self.first.sum() + self.second + other.second

    def make(self) -> Pair:
        return Pair(2, self.second)


def seconds(pairs: list[Any]) -> float:
    total: float = 0.0
    for pair in pairs:
        total += pair.second
    return total


@BACKENDS
def test_objects_are_taken_where_nothing_is_declared(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cls: Any = script(Pair, backend=backend)
    monkeypatch.setattr(sys.modules[__name__], "Pair", cls)
    one, two = cls(3, 1.5), cls(1, 2.5)
    assert one.sum(two) == one.make().sum(two) == 4.0
    assert script(seconds, backend=backend)([one, two, one]) == 5.5
    assert script(lambda p: p[0].sum(p[1]), backend=backend)((one, two)) == 4.0
    taking = script(lambda p: p.second, backend=backend)
    assert "-> float" in taking.dump("ir", cls)
    assert taking(two) == 2.5


def applied(f: Callable[[float], float], x: np.ndarray) -> np.ndarray:
    return f(x)


def test_functions_are_taken_as_without_annotation() -> None:
    assert script(applied)(np.sin, np.zeros(2)).tolist() == [0.0, 0.0]
    assert script(lambda x: applied(np.sin, x))(np.zeros(2)).tolist() == [0.0, 0.0]


@script
def summed(x: np.ndarray, n: int) -> float:
    return x.sum() * n


def test_what_needs_types_says_which_are_missing(tmp_path: Path) -> None:
    told = "the annotation of parameter 'x' leaves its type open"
    for ask in (summed.dump, summed.compile, lambda: save({"f": summed}, tmp_path / "f.scriptc")):
        with pytest.raises(ScriptError, match=told):
            ask()
    save({"f": summed.sig(f64[N], int)}, tmp_path / "f.scriptc")
    assert load(tmp_path / "f.scriptc").f(np.ones(3), 2) == 6.0


def total(x: f64[N, N], axis: int | None = None) -> object:
    return x.sum(axis=axis)


def bounded(n: int | None, low: float | None) -> int | None:
    return n


def test_what_may_be_none_is_compiled_for_both() -> None:
    made = script(bounded)
    made.compile()
    assert (made(3, None), made(None, 1.5), made(None, None), made(-1, 2.0)) == (3, None, None, -1)
    x = np.arange(4.0).reshape(2, 2)
    found = script(total)
    assert [repr(found(x, axis)) for axis in (None, 0, 1)] == [
        repr(x.sum(axis=axis)) for axis in (None, 0, 1)
    ]


PROGRAM = """\
from __future__ import annotations
import sys
import numpy as np
from scriptc import script
from scriptc.types import N, f32, f64
Alias = {alias}

@script
def f(x: Alias, y: Alias) -> Alias:
    z: Alias = x
    return x.sum() + y.sum()

try:
    print(f(np.ones(2), np.ones(3)))
except ValueError:
    print("refused")
print("scriptc.driver" in sys.modules)
"""


def test_the_cache_knows_what_an_alias_stands_for(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    environment = {**os.environ, "SCRIPTC_CACHE_DIR": str(tmp_path / "cache")}

    def run(alias: str) -> list[str]:
        program.write_text(PROGRAM.format(alias=alias).replace(") -> Alias", ")"))
        command = [sys.executable, str(program)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    assert run("np.ndarray") == ["5.0", "True"]
    assert run("np.ndarray") == ["5.0", "False"]
    assert run("f64[N]") == ["refused", "True"]
    assert run("f64[...]") == ["5.0", "True"]


LOCAL = """
import sys
from scriptc import ScriptError, script
from scriptc.types import f32, f64

Alias = {alias}

@script
def third(x: float):
    y: (
        Alias
    ) = x / 3.0
    return y

def told():
    try:
        return third(1.0) > 0.3
    except ScriptError:
        return "refused"

print(told(), "scriptc.driver" in sys.modules)
Alias = f32
print(told())
"""


def test_the_cache_knows_what_annotates_a_local_variable(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    environment = {**os.environ, "SCRIPTC_CACHE_DIR": str(tmp_path / "cache")}

    def run(alias: str) -> list[str]:
        program.write_text(LOCAL.format(alias=alias))
        command = [sys.executable, str(program)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    assert run("f64") == ["True", "True", "refused"]
    assert run("f64") == ["True", "False", "refused"]
    assert run("float") == ["True", "True", "refused"]
    assert run("f32") == ["refused", "True", "refused"]
