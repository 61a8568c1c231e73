"""What scripts read of the module around them, as it is at each call; and `*args` from Python."""

# Without annotations the types come from the call, which is what some of this is about.
# pyright: basic

import enum
import functools
import importlib
import operator
import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from scriptc import save, script
from scriptc.api import store_of
from scriptc.cache.dependencies import find_dependencies
from scriptc_runtime.errors import ScriptError


@pytest.fixture(params=["interp", "llvm"])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class _Level(enum.IntEnum):
    LOW = 1

    def describe(self) -> str:
        return self.name.lower()


class _Loud(enum.IntEnum):
    LOW = 1

    def __str__(self) -> str:
        return "LOW!"


class _Doubling:
    def __add__(self, other: int) -> int:
        return 2 * other


class _Doubled(_Doubling, enum.IntEnum):  # pyright: ignore
    LOW = 1


class _Access(enum.IntFlag):
    READ = 1
    WRITE = 2


class _Priced:
    PRICES: ClassVar[dict[str, Any]] = {"a": 1, "b": 2}

    def total(self):
        return sum(self.PRICES.values())


class _Settings:
    RATE = 2.0

    def __init__(self, rate: float) -> None:
        self.rate = rate


def _with_rate() -> None:
    """Have an attribute."""


_with_rate.rate = 2.0
SETTINGS = _Settings(3.0)
PLACES = [1, 2]


def test_attributes_outside_are_never_stale(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted = script(lambda x: (x * _Settings.RATE, x * SETTINGS.rate), backend=backend)
    assert scripted(1.0) == (2.0, 3.0)
    monkeypatch.setattr(SETTINGS, "rate", 5.0)
    assert scripted(1.0) == (2.0, 5.0)
    monkeypatch.setattr(_Settings, "RATE", 7.0)
    assert scripted(1.0) == (7.0, 5.0)
    monkeypatch.undo()
    assert scripted(1.0) == (2.0, 3.0)


def _rate_of(settings):
    return settings.rate + sum(settings.rates)


def _of_namespace(x):
    return x * _rate_of(NAMESPACE)


def _of_module(x):
    return x * _rate_of(MODULE)


def _of_foreign_object(x):
    return x * _rate_of(FOREIGN)


NAMESPACE = SimpleNamespace(rate=3.0, rates=[1.0])
MODULE = ModuleType("settings_of_a_test")
# Of a class of another package than this one.
FOREIGN = type("Settings", (), {"__module__": "settings_of_a_test", "rate": 3.0})()


@pytest.mark.parametrize(
    ("function", "owner"),
    [(_of_namespace, NAMESPACE), (_of_module, MODULE), (_of_foreign_object, FOREIGN)],
)
def test_what_is_read_of_something_outside_that_is_passed_on_is_never_stale(
    backend: str, function: Any, owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = script(function, backend=backend)
    for rate, rates in ((3.0, [1.0]), (5.0, [1.0]), (5.0, [1.0, 2.0]), (3.0, [1.0])):
        monkeypatch.setattr(owner, "rate", rate, raising=False)
        monkeypatch.setattr(owner, "rates", rates, raising=False)
        assert scripted(2.0) == function(2.0)


def _of_inner_module(x):
    return x * MODULE.inner.rate


def _of_inner_module_given(x):
    return x * _rate_of(MODULE.inner)


def _of_module_in_namespace(x):
    return x * _rate_of(NAMESPACE.inner)


def _of_inner_module_of_given(x):
    return x * _inner_rate_of(MODULE)


def _inner_rate_of(settings):
    return settings.inner.rate


@pytest.mark.parametrize(
    "function",
    [
        _of_inner_module,
        _of_inner_module_given,
        _of_module_in_namespace,
        _of_inner_module_of_given,
    ],
)
def test_what_is_read_of_a_module_in_a_module_is_never_stale(
    backend: str, function: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = ModuleType("settings_of_a_test.inner")
    monkeypatch.setattr(inner, "outer", MODULE, raising=False)  # modules may be in a ring
    monkeypatch.setattr(MODULE, "inner", inner, raising=False)
    monkeypatch.setattr(NAMESPACE, "inner", inner, raising=False)
    scripted = script(function, backend=backend)
    for rate in (3.0, 5.0, 3.0):
        monkeypatch.setattr(inner, "rate", rate, raising=False)
        monkeypatch.setattr(inner, "rates", [rate], raising=False)
        assert scripted(2.0) == function(2.0)


def _of_import(x):
    import settings_of_a_test.inner as settings  # pyright: ignore

    return x * settings.rate


def _of_name_from_import(x):
    from settings_of_a_test import inner  # pyright: ignore

    return x * _rate_of(inner)


def _of_constant_from_import(x):
    from settings_of_a_test.inner import rate  # pyright: ignore

    return x * rate


@pytest.mark.parametrize("function", [_of_import, _of_name_from_import, _of_constant_from_import])
def test_what_a_function_imports_is_never_stale(
    backend: str, function: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = ModuleType("settings_of_a_test.inner")
    monkeypatch.setattr(MODULE, "inner", inner, raising=False)
    monkeypatch.setitem(sys.modules, "settings_of_a_test", MODULE)
    monkeypatch.setitem(sys.modules, "settings_of_a_test.inner", inner)
    scripted = script(function, backend=backend)
    digests = set[str]()
    for rate in (3.0, 5.0, 3.0):
        monkeypatch.setattr(inner, "rate", rate, raising=False)
        monkeypatch.setattr(inner, "rates", [rate], raising=False)
        assert scripted(2.0) == function(2.0)
        digests.add(find_dependencies((function,)).digest)
    assert len(digests) == 2  # by which files in the cache are found


def test_what_a_class_of_another_package_holds_for_its_objects_is_never_stale(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = script(lambda x: x * _own_rate(FOREIGN), backend=backend)
    assert scripted(2.0) == 6.0
    monkeypatch.setattr(type(FOREIGN), "rate", 5.0)
    assert scripted(2.0) == 10.0


_joined = "".join


def test_which_constant_a_method_outside_is_of_is_never_stale(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = script(lambda words: _joined(words), backend=backend)
    keys = set[str]()
    for separator in ("", ", ", ""):
        monkeypatch.setitem(globals(), "_joined", separator.join)
        assert scripted(["a", "b"]) == separator.join(["a", "b"])
        keys.add(find_dependencies((scripted.python,)).digest)
    assert len(keys) == 2


def _own_rate(settings):
    return settings.rate


class _Planet(enum.Enum):
    EARTH = 1.0
    MARS = 0.5

    def __init__(self, mass: float) -> None:
        self.weight = mass


def test_attributes_of_members_are_never_stale(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def weights(planet: _Planet):
        return _Planet.EARTH.weight, planet.weight

    scripted = script(weights, backend=backend)
    assert scripted(_Planet.MARS) == (1.0, 0.5)
    for weight in (9.0, 4, 9.0):
        monkeypatch.setattr(_Planet.EARTH, "weight", weight)
        assert script(lambda: _Planet.EARTH.weight, backend=backend)() == weight
        monkeypatch.setattr(_Planet.MARS, "weight", weight)
        assert scripted(_Planet.MARS) == (weight, weight)
        assert script(weights, backend=backend)(_Planet.MARS) == (weight, weight)
    monkeypatch.undo()
    assert scripted(_Planet.MARS) == (1.0, 0.5)


def _with_planet(planet: _Planet, places: tuple[int, _Planet]):
    def default(planet=planet):
        return planet

    return lambda: (planet, places[1], default())


def test_which_member_a_name_stands_for_is_never_stale() -> None:
    for planet in (_Planet.EARTH, _Planet.MARS, _Planet.EARTH):
        scripted = script(_with_planet(planet, (1, planet)), backend="llvm")
        assert scripted() == (planet,) * 3
        store_of(os.environ["SCRIPTC_CACHE_DIR"]).settled()


def _adding(by: float):
    def more(x, by=by):
        return x + by

    return lambda x: more(x)


def test_default_values_of_what_is_called_are_never_stale() -> None:
    first, second = script(_adding(1.0), backend="llvm"), script(_adding(2.0), backend="llvm")
    assert first(1.0) == 2.0
    store_of(os.environ["SCRIPTC_CACHE_DIR"]).settled()
    assert second(1.0) == 3.0


def _applying(by: float):
    def changed(x):
        return x + by

    def applied(x, change=changed):
        return change(x)

    return lambda x: applied(x)


def _missing(default: object, asked: object):
    def given(x, by=default):
        return x if by is asked else -x

    return lambda x: given(x)


def test_which_names_stand_for_the_same_sentinel_is_never_stale() -> None:
    one, other = object(), object()
    first = script(_missing(one, one), backend="llvm")
    second = script(_missing(one, other), backend="llvm")
    assert first(1.0) == 1.0
    store_of(os.environ["SCRIPTC_CACHE_DIR"]).settled()
    assert second(1.0) == -1.0


def test_functions_that_are_defaults_are_never_stale() -> None:
    first, second = script(_applying(1.0), backend="llvm"), script(_applying(2.0), backend="llvm")
    assert first(1.0) == 2.0
    store_of(os.environ["SCRIPTC_CACHE_DIR"]).settled()
    assert second(1.0) == 3.0


def test_members_compute_as_their_classes_say(backend: str) -> None:
    def values():
        return _Level.LOW + 1, f"{_Level.LOW:>2}", ~_Access.READ.value, ~_Access.READ

    def own():
        return f"{_Loud.LOW}", _Doubled.LOW + 5, f"{_Level.LOW!r}", repr(_Level.LOW)

    assert script(values, backend=backend)() == values()
    assert script(own, backend=backend)() == own()


def test_an_attribute_that_comes_from_the_class_is_never_stale(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = script(lambda x: x * SETTINGS.RATE, backend=backend)
    assert scripted(1.0) == SETTINGS.RATE
    monkeypatch.setattr(_Settings, "RATE", 5.0)
    assert scripted(1.0) == 5.0


def test_an_attribute_that_comes_from_the_class_of_functions_is_refused(backend: str) -> None:
    with pytest.raises(ScriptError, match="'rate' of this function may be set anew"):
        script(lambda x: x * _with_rate.rate, backend=backend)(1.0)


def test_numbers_of_numpy_in_attributes_outside_are_refused(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SETTINGS, "rate", np.float32(2.0))
    with pytest.raises(ScriptError, match="'rate' of this _Settings is of type float32"):
        script(lambda x: x * SETTINGS.rate, backend=backend)(1.0)


def test_arrays_and_lists_in_attributes_outside_are_read_at_each_call(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates: Any = SETTINGS
    scripted = script(lambda n: (rates.rate[n], len(rates.rate)), backend=backend)
    for values in ([1, 2], [4, 5, 6], [0.5, 2.5], np.arange(4.0), {1: "one"}, {1: 1.5, 2: 2.5}):
        monkeypatch.setattr(SETTINGS, "rate", values)
        assert scripted(1) == (values[1], len(values))


def test_containers_in_classes_are_read_at_each_call(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = script(lambda: _Priced().total(), backend=backend)
    assert scripted() == 3
    monkeypatch.setattr(_Priced, "PRICES", {"a": 0.5})
    assert scripted() == 0.5
    _Priced.PRICES["b"] = 2.0
    assert scripted() == 2.5


def test_a_captured_list_is_read_at_each_call(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = script(lambda x: (sum(PLACES), len(PLACES), x[PLACES]), backend=backend)

    def call() -> object:
        total, count, picked = scripted(np.arange(9.0))
        return total, count, picked.tolist()

    assert call() == (3, 2, [1.0, 2.0])
    monkeypatch.setitem(globals(), "PLACES", [0, 4, 5])
    assert call() == (9, 3, [0.0, 4.0, 5.0])
    PLACES[0] = 8
    PLACES.append(1)
    assert call() == (18, 4, [8.0, 4.0, 5.0, 1.0])
    PLACES[0] = "text"  # pyright: ignore
    with pytest.raises(TypeError, match="expected int, got str"):
        call()


def test_a_function_that_is_called_takes_any_number_of_values() -> None:
    @script
    def largest(*values: float, start: float = 0.0) -> float:
        result = start
        for value in values:
            result = max(result, value)
        return result

    @script
    def first_and_count(first: int, *rest):  # pyright: ignore
        return first, len(rest), rest  # pyright: ignore

    assert [largest(), largest(1), largest(1, 2.5), largest(1, start=7.0)] == [0.0, 1.0, 2.5, 7.0]
    assert isinstance(largest(1), float)
    assert first_and_count(1) == (1, 0, ())
    assert first_and_count(1, 2.5, "a") == (1, 2, (2.5, "a"))
    with pytest.raises(TypeError, match="missing"):
        first_and_count()  # pyright: ignore
    with pytest.raises(TypeError, match="item 0 of parameter 'values': expected float, got str"):
        largest("a")  # pyright: ignore


def test_a_function_that_takes_any_number_of_values_is_not_saved(tmp_path: Path) -> None:
    @script
    def count(*values: float) -> int:
        return len(values)

    with pytest.raises(ScriptError, match=r"as many values as a call gives"):
        save({"count": count.sig(tuple[float, float])}, tmp_path / "a.scriptc")


def test_a_file_holds_no_global_list(tmp_path: Path) -> None:
    @script
    def first(i: int) -> int:
        return PLACES[i]

    with pytest.raises(ScriptError, match="'PLACES' is a list, which a file does not hold"):
        save({"first": first}, tmp_path / "a.scriptc")


def _twice(x):
    return 2 * x


_cached = functools.cache(_twice)


def _calls_cached(x):
    return _cached(x)


def test_what_a_cache_of_functools_stands_before_is_a_dependency() -> None:
    assert _twice in find_dependencies([_calls_cached]).functions


def test_a_table_of_functions_is_never_stale(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    applied = script(_applied, backend=backend)
    assert [applied("+"), applied("?")] == [5.0, None]
    monkeypatch.setitem(_OPERATORS, "+", operator.sub)
    assert applied("+") == 1.0
    monkeypatch.setitem(_OPERATORS, "?", max)
    assert applied("?") == 3.0
    monkeypatch.delitem(_OPERATORS, "?")
    assert applied("?") is None


_OPERATORS = {"+": operator.add, "*": operator.mul}


def _applied(sign: str) -> float | None:
    return _OPERATORS[sign](3.0, 2.0) if sign in _OPERATORS else None


def test_what_a_function_of_another_package_imports_itself_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing has loaded it yet: another process would find code of it as it was."""
    package = tmp_path / "imports_late"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "inner.py").write_text("def doubled(x):\n    return 2 * x\n")
    (package / "outer.py").write_text(
        "def called(x):\n    from imports_late.inner import doubled\n    return doubled(x)\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    called = importlib.import_module("imports_late.outer").called

    def root(x: float) -> float:
        return called(x)

    found = find_dependencies((root,)).functions
    assert [function.__name__ for function in found] == ["root", "called", "doubled"]
