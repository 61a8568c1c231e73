"""Fields that hold objects of other classes, which the script that reads them does not name."""

import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, script
from scriptc_runtime.errors import TypeCheckError

# Types come from the calls, and classes are defined anew.
# pyright: basic, reportInvalidTypeForm=false

Decorator = Callable[[Any], Any]
Inner: Any = None  # what annotations that are text mean, set by the test that has them


@pytest.fixture(params=["llvm", "interp"])
def decorate(request: pytest.FixtureRequest) -> Decorator:
    return script(backend=request.param)


def number_class(decorate: Decorator) -> Any:
    @decorate
    class Inner:
        def __init__(self, x: float):
            self.x = x

    return Inner


def pair_class(decorate: Decorator) -> Any:
    @decorate
    class Inner:
        def __init__(self, a: int, x: int):
            self.a = a
            self.x = x

    return Inner


def test_a_field_annotated_in_the_body(decorate: Decorator) -> None:
    Inner = number_class(decorate)

    @decorate
    class Outer:
        inner: Inner
        spare: Inner | None

        def __init__(self, inner: Inner):
            self.inner = inner
            self.spare = None

        def get(self) -> float:
            return self.inner.x

    @decorate
    def read(outer: Outer) -> float:
        spare = outer.spare
        return outer.inner.x + 1.0 if spare is None else spare.x

    outer = Outer(Inner(2.5))
    assert (outer.get(), read(outer), outer.inner.x) == (2.5, 3.5, 2.5)


def outer_class(decorate: Decorator) -> Any:
    @decorate
    class Outer:
        def __init__(self, inner):
            self.inner = inner

        def get(self):
            return self.inner.x

    return Outer


def test_a_field_that_an_object_made_known(decorate: Decorator) -> None:
    Inner, Outer = number_class(decorate), outer_class(decorate)

    @decorate
    def make(inner: Inner):
        return Outer(inner)

    @decorate
    def read(outer: Outer) -> float:
        return outer.inner.x + 1.0

    outer = make(Inner(2.5))
    assert (outer.get(), read(outer), outer.inner.x) == (2.5, 3.5, 2.5)


def test_another_class_of_the_same_name_is_refused(decorate: Decorator) -> None:
    First, Second, Outer = number_class(decorate), pair_class(decorate), outer_class(decorate)

    @decorate
    def make(inner: First):
        return Outer(inner)

    @decorate
    def read(outer: Outer, other: Second) -> int:
        return outer.inner.a + other.a

    @decorate
    def make_other(inner: Second):
        return Outer(inner)

    outer = make(First(2.5))
    with pytest.raises(ScriptError, match="two classes are called 'Inner'"):
        read(outer, Second(1, 2))
    with pytest.raises(ScriptError, match="two classes are called 'Inner'"):
        make_other(Second(1, 2))
    assert outer.get() == 2.5


def test_a_class_that_is_defined_anew_is_another_one(
    decorate: Decorator, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = sys.modules[__name__]
    monkeypatch.setattr(here, "Inner", number_class(decorate))

    @decorate
    class Outer:
        inner: "Inner"

        def __init__(self, inner: "Inner"):
            self.inner = inner

        def get(self):
            return self.inner.x

    old = Outer(here.Inner(2.5))
    assert old.get() == 2.5
    monkeypatch.setattr(here, "Inner", pair_class(decorate))
    with pytest.raises(ScriptError, match="of another class Inner in other instances"):
        Outer(here.Inner(1, 2))
    with pytest.raises(ScriptError, match="define Outer anew, too"):
        old.get()


class Plain:
    def __init__(self, x: float):
        self.x = x


def taken(p: Plain) -> float:
    return p.x


def made(x: float) -> list[Plain]:
    return [Plain(x)]


def kept_inside(x: float) -> float:
    return Plain(x).x * 2.0


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_objects_of_plain_classes_stay_inside_of_scripts(backend: Any) -> None:
    assert script(kept_inside, backend=backend)(1.5) == 3.0
    cases: list[tuple[Any, Any]] = [(taken, Plain(1.0)), (made, 1.0)]
    for function, argument in cases:
        with pytest.raises(TypeCheckError, match="put @script on class Plain"):
            script(function, backend=backend)(argument)


class Chain:
    head: Plain | None

    def __init__(self):
        self.head = None

    def push(self, x: float) -> float:
        self.head = Plain(x)
        return self.head.x


class Held:
    def __init__(self, x: float):
        self.held = Plain(x)


class Listed:
    def __init__(self, x: float):
        self.items = [Plain(x)]


class Around:
    held: "Held"

    def __init__(self, x: float):
        self.held = Held(x)


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_fields_of_shared_objects_hold_none_of_plain_classes(
    backend: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted_held = script(Held, backend=backend)
    monkeypatch.setattr(sys.modules[__name__], "Held", scripted_held)
    cases: list[tuple[Any, tuple[float, ...], str]] = [
        (Chain, (), "the field 'head' of class Chain is Plain | None, with objects of Plain"),
        (scripted_held, (1.0,), "class Held is an object of Plain"),
        (Listed, (1.0,), "the field 'items' of class Listed is list[Plain], with objects of"),
        (Around, (1.0,), "the field 'held' of class Held is an object of Plain"),
    ]
    for cls, arguments, message in cases:
        scripted = cls if cls is scripted_held else script(cls, backend=backend)
        for _ in range(2):  # nothing is declared by the first one
            with pytest.raises(TypeCheckError, match=re.escape(message)) as caught:
                scripted(*arguments)
            assert "put @script on class Plain" in str(caught.value)


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_shared_classes_that_hold_plain_ones_work_inside_of_scripts(
    backend: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "Chain", script(Chain, backend=backend))

    @script(backend=backend)
    def run(x):
        chain = Chain()
        return chain.push(float(x)) + 1.0

    assert (run(1.5), run(2), run(np.float64(0.5))) == (2.5, 3.0, 1.5)


class Settings:
    def __init__(self, rate: float, count: int = 3, phase: complex = 1j, on: bool = False):
        self.rate = rate
        self.count = count
        self.phase = phase
        self.on = on
        self.twice = rate * 2
        self.later = self.rate + 1


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize(
    "arguments",
    [
        (np.float64(-0.0),),
        (np.float64("nan"), np.int64(5)),
        (2.0, 2**62, np.complex128(2 - 1j)),
        (2.0, np.int64(-(2**63)), 1j, np.bool_(True)),
        (np.float64(1e300), np.int64(1), np.complex128(0.0), np.bool_(False)),
    ],
)
def test_annotated_parameters_say_the_types_of_fields(
    backend: Any, arguments: tuple[Any, ...]
) -> None:
    plain: Any = Settings
    scripted = script(plain, backend=backend)
    names = ("rate", "count", "phase", "on", "twice", "later")
    # Before and after an object of Python's own numbers.
    for given in (arguments, (1.0, 1, 1j, True), arguments):
        found, expected = scripted(*given), plain(*given)
        for name, kind in zip(names, (float, int, complex, bool, float, float), strict=True):
            value = getattr(found, name)
            assert type(value) is kind
            assert repr(value) == repr(kind(getattr(expected, name)))


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_scripts_give_numbers_of_numpy_to_annotated_parameters(
    backend: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "Settings", script(Settings, backend=backend))

    @script(backend=backend)
    def rates(x: float, n: int):
        return Settings(x).rate + Settings(x, n).count

    count: Any = np.int64(2)
    assert rates(1.5, 2) == rates(np.float64(1.5), count) == 3.5
