"""Dataclasses as scripted classes, seen from Python: what `dataclasses` makes stays as it is."""

import dataclasses
import gc
import linecache
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scriptc_runtime
from scriptc import load, save, script
from scriptc.cache.dependencies import find_dependencies
from scriptc_runtime.errors import ScriptError

# Classes are defined anew for each backend.
# pyright: basic


@pytest.mark.parametrize("backend", ["interp", "llvm"])
@pytest.mark.parametrize("settings", [{}, {"frozen": True}, {"slots": True}, {"order": True}])
def test_a_dataclass_is_a_scripted_class(backend: str, settings: dict[str, bool]) -> None:
    @dataclasses.dataclass(**settings)
    class Plain:
        x: float
        count: int = 2

        def product(self) -> float:
            return self.x * self.count

    scripted = script(Plain, backend=backend)
    one = scripted(1.5, count=3)
    assert (one.x, one.count, one.product()) == (1.5, 3, 4.5)
    assert scripted(2.0).product() == 4.0
    assert repr(one) == repr(Plain(1.5, 3))
    assert one == scripted(1.5, 3)
    assert one != scripted(1.5)
    assert dataclasses.asdict(one) == {"x": 1.5, "count": 3}
    assert dataclasses.replace(one, count=7).product() == 10.5
    if settings.get("frozen"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            one.x = 2.0
        assert hash(one) == hash(Plain(1.5, 3))
    else:
        one.x = 2.0
        assert one.product() == 6.0
    if settings.get("order"):
        assert scripted(1.0) < one  # pyright: ignore


@script
@dataclasses.dataclass
class Line:
    slope: float
    offset: float = 1.0

    def at(self, x: float) -> float:
        return self.slope * x + self.offset


@script
def value(line: Line, x: float) -> float:
    other = Line(line.slope)
    other.offset += 1.0
    return line.at(x) + other.at(x)


def test_objects_of_one_are_passed_to_functions() -> None:
    line = Line(2.0, offset=0.5)
    assert value(line, 3.0) == value.python(line, 3.0) == 6.5 + 8.0


def test_objects_of_one_are_saved(tmp_path: Path) -> None:
    path = tmp_path / "line.scriptc"
    save(Line(2.0), path)
    assert load(path).at(3.0) == 7.0
    assert scriptc_runtime.load(path).at(3.0) == 7.0


def test_the_first_object_leaves_what_is_known_of_a_class() -> None:
    @script
    @dataclasses.dataclass
    class Step:
        size: float
        count: int = 2

    def length(step: Step) -> float:
        return step.size * step.count + Step(1.0).count

    before = find_dependencies([length])
    assert script(length)(Step(1.5)) == 5.0
    assert before.hold
    assert find_dependencies([length]).digest == before.digest


def executed(text: str) -> Any:
    """Return the class P that a text defines, whose functions are in no file."""
    space: dict[str, Any] = {"__name__": __name__, "dataclass": dataclasses.dataclass}
    exec(text, space)
    return space["P"]


OWN_INIT = "def __init__(self, x):\n        self.x = x * 2"


@pytest.mark.parametrize("settings", ["", "(init=False)", "(order=True)"])
def test_an_init_from_exec_is_not_one_of_dataclasses(settings: str) -> None:
    P = executed(f"@dataclass{settings}\nclass P:\n    x: float\n    {OWN_INIT}\n")

    @script
    def f(a):
        return P(a).x

    assert f.python(1.5) == 3.0
    with pytest.raises(ScriptError, match="no-source"):
        f(1.5)
    with pytest.raises(ScriptError, match="no-source"):
        script(P)(1.5)


@pytest.mark.parametrize("name", ["total", "__repr__"])
def test_methods_from_exec_do_not_stay_python(name: str) -> None:
    method = f"def {name}(self):\n        return str(self.x)"
    P = script(executed(f"@dataclass\nclass P:\n    x: float\n    {method}\n"))
    with pytest.raises(ScriptError, match="no-source"):
        getattr(P(1.0), name)()


def test_a_class_from_exec_is_scripted_where_dataclasses_made_it_all() -> None:
    P = executed("@dataclass(order=True)\nclass P:\n    x: float\n    y: int = 2\n")

    @script
    def f(a):
        return P(a).x + P(a, y=5).y

    assert f(1.5) == f.python(1.5) == 6.5
    scripted = script(P)
    assert repr(scripted(1.0)) == repr(P(1.0))
    assert scripted(1.0) < scripted(1.0, 3)


def differences() -> tuple[Callable[..., float], Callable[..., float]]:
    """Return two functions of dataclasses of one name, with other fields."""

    def one():
        @dataclasses.dataclass
        class P:
            x: float
            y: float

        def difference(a, b):
            p = P(a, b)
            return p.x - p.y

        return difference

    def other():
        @dataclasses.dataclass
        class P:
            y: float
            x: float
            z: float = 0.5

        def difference(a, b):
            p = P(a, b)
            return p.x - p.y + p.z

        return difference

    first, second = one(), other()
    return first, second


@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_dataclasses_of_one_name_are_told_apart(backend: str) -> None:
    made = [script(f, backend=backend) for f in differences()]
    for a, b in [(1.0, 3.0), (1, 3.0), (np.float64(1), 3.0), (True, 3)]:
        assert [f(a, b) for f in made] == [-2.0, 2.5]
        linecache.clearcache()


def test_a_dataclass_is_not_kept() -> None:
    def used() -> weakref.ref[type]:
        @dataclasses.dataclass
        class P:
            x: float

        def f(a):
            return P(a).x

        assert script(f)(1.5) == 1.5
        return weakref.ref(P)

    known = used()
    gc.collect()
    assert known() is None


@dataclasses.dataclass
class Doubled:
    x: float

    def __post_init__(self):
        self.x *= 2


@dataclasses.dataclass
class Inherited(Doubled):
    pass


@dataclasses.dataclass
class Passing:
    x: float
    scale: dataclasses.InitVar[float] = 2.0


@dataclasses.dataclass(frozen=True)
class Borrowed:
    x: float
    __init__ = Line.python.__init__  # pyright: ignore


@pytest.mark.parametrize("cls", [Doubled, Inherited, Passing])
def test_an_init_may_do_more(cls: type) -> None:
    def f(a):
        return cls(a).x

    assert script(f)(1.5) == f(1.5)


def test_the_init_of_another_class_is_refused() -> None:
    def f(a):
        return Borrowed(a)  # pyright: ignore[reportCallIssue] -- not its own

    with pytest.raises(ScriptError, match="is not built"):
        script(f)(1.0)
