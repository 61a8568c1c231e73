"""Static methods and properties of scripted classes, seen from Python."""

import enum
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import scriptc_runtime
from scriptc import load, save, script
from scriptc.cache.dependencies import find_dependencies
from scriptc.inspection.target import import_file
from scriptc_runtime.errors import TypeCheckError, UnsupportedError
from tests.support.live_source import live_module

# Types come from the calls, and classes are defined anew.
# pyright: basic


@script
class Circle:
    def __init__(self, radius: float) -> None:
        self.radius = radius

    @property
    def area(self) -> float:
        """What it covers."""
        return self.square(self.radius) * 3.0

    @staticmethod
    def square(x):
        return x * x

    def scaled(self, by: float) -> float:
        return self.area * by


@script
def area_of(circle: Circle) -> float:
    return circle.area + Circle.square(1)


def test_properties_and_static_methods_are_compiled() -> None:
    circle = Circle(2.0)
    assert (circle.area, circle.scaled(0.5), area_of(circle)) == (12.0, 6.0, 13.0)
    circle.radius = 1.0
    assert circle.area == 3.0
    assert Circle.area.__doc__ == "What it covers."
    assert type(Circle.area) is property
    for square in (Circle.square, circle.square):
        assert square(3) == 9
        assert square(np.ones(2)).tolist() == [1.0, 1.0]
    with pytest.raises(AttributeError):
        circle.area = 1.0  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("reload", [load, scriptc_runtime.load], ids=["compiled", "interpreted"])
def test_methods_of_saved_objects_call_them(reload: Any, tmp_path: Path) -> None:
    path = tmp_path / "circle.scriptc"
    save(Circle(2.0), path)
    module = reload(path)
    assert module.scaled(0.5) == 6.0
    assert dir(module) == ["radius", "scaled"]


@pytest.mark.parametrize(
    ("lines", "message", "instead"),
    [
        (
            ["class C(Plain):", "    def __init__(self): self.x = 1"],
            "C inherits from Plain",
            "put @script on class Plain, too",
        ),
        (["class C(dict):", "    x: int = 1"], "C inherits from dict", "leave @script out"),
        (["class C:", "    __init__ = Plain"], "the __init__ of C is no function", "@dataclass"),
    ],
)
def test_a_class_of_another_kind_is_refused(
    lines: list[str], message: str, instead: str, tmp_path: Path
) -> None:
    head = "import enum\nfrom typing import NamedTuple\nfrom scriptc import script\n"
    plain = "class Plain:\n    pass\n"
    file = tmp_path / "classes_of_other_kinds.py"
    file.write_text(head + plain + "\n".join(["@script", *lines, ""]), encoding="utf-8")
    with pytest.raises(UnsupportedError, match=message) as caught:
        import_file(file)
    (problem,) = caught.value.diagnostics
    assert instead in problem.instead
    assert problem.span is not None
    assert problem.span.source.position(problem.span.lo)[0] in (6, 7)


def digest_with(change: Callable[[Any], Any], what: Any) -> str:
    class Holder:
        def __init__(self) -> None:
            self.x = 1.0

        member = change(what)

    return find_dependencies([Holder]).digest


def test_what_they_do_is_part_of_the_key() -> None:
    def first(self=None):
        return 1

    def second(self=None):
        return 2

    every = [
        digest_with(c, f) for c in (staticmethod, property, lambda f: f) for f in (first, second)
    ]
    assert len(set(every)) == 6


@script
class Square:
    made = 0

    def __init__(self, side: float) -> None:
        self.side = side

    @classmethod
    def unit(cls):
        return cls(1.0)

    @classmethod
    def of_area(cls, area: float):
        square = cls(0.0)
        square.area = area
        return square

    @property
    def area(self) -> float:
        """Its side, squared."""
        return self.side**2

    @area.setter
    def area(self, value: float) -> None:
        if value < 0.0:
            raise ValueError("an area below zero")
        self.side = value**0.5


@script
def doubled(square: Square) -> tuple[float, float]:
    other = Square.of_area(2.0 * square.area)
    square.area = 1.0
    return other.side, Square.unit().side


def test_class_methods_make_objects_of_the_class() -> None:
    assert Square.unit().side == 1.0
    square = Square.of_area(9.0)
    assert type(square) is Square
    assert (square.side, square.unit().side) == (3.0, 1.0)


def test_a_setter_runs_where_python_assigns_and_where_scripts_do() -> None:
    square = Square(1.0)
    square.area = 4.0
    assert (square.side, square.area) == (2.0, 4.0)
    with pytest.raises(ValueError, match="an area below zero"):
        square.area = -1.0
    assert doubled(square) == (8.0**0.5, 1.0)
    assert square.side == 1.0
    assert Square.area.__doc__ == "Its side, squared."


@script
class Rates:
    """What keeps no fields: functions that belong together."""

    base = 2

    def of(self, x):
        return self.base * x

    @staticmethod
    def plain(x):
        return x + 1


def test_a_class_needs_no_constructor() -> None:
    rates = Rates()
    assert (rates.of(3), Rates.plain(1), Rates().of(1.5)) == (6, 2, 3.0)
    with pytest.raises(TypeError):
        Rates(1)  # pyright: ignore[reportCallIssue]
    assert script(lambda n: Rates().of(n) + Rates.plain(n))(2) == 7


@script
class Colour(enum.Enum):
    RED = 1


@script
class Point(NamedTuple):
    x: float


def test_what_does_not_fit_is_told_as_of_any_class() -> None:
    with pytest.raises(TypeError, match=r"Square.__init__\(\) takes 2 positional .* 3 were given"):
        Square(1.0, 2.0)  # pyright: ignore[reportCallIssue]
    with pytest.raises(TypeError, match=r"Square.__init__\(\) missing 1 .* argument: 'side'"):
        Square()  # pyright: ignore[reportCallIssue]
    with pytest.raises(AttributeError, match="property 'area' of 'Square' object has no deleter"):
        del Square(1.0).area  # pyright: ignore[reportAttributeAccessIssue]


@script
class Length:
    """What compares and adds itself to its like alone."""

    def __init__(self, owner: int) -> None:
        self.n = owner

    def __eq__(self, other):
        if not isinstance(other, Length):
            return NotImplemented
        return self.n == other.n

    def __lt__(self, other):
        if not isinstance(other, Length):
            return NotImplemented
        return self.n < other.n

    def __hash__(self) -> int:
        return self.n


def test_python_asks_the_other_operand_where_a_method_declines() -> None:
    one = Length(owner=1)
    assert (one == Length(1), one == 1, one != "a", one in [3, one]) == (True, False, True, True)
    assert one < Length(2)
    with pytest.raises(TypeError, match="'<' not supported between instances of"):
        _ = one < 3


def test_enumerations_and_named_tuples_stay_what_they_are() -> None:
    assert script(lambda p: (p.x, Colour.RED))(Point(1.5)) == (1.5, Colour.RED)
    assert Colour(1) is Colour.RED
    assert Point(1.0)._replace(x=2.0) == (2.0,)


class Bare:
    @script
    class Inner:
        w: float

        def __init__(self, w):
            self.w = w

    class Wrong:
        w: np.matrix

        def __init__(self, w):
            self.w = w


def test_a_refused_annotation_of_a_field_has_its_place() -> None:
    with pytest.raises(TypeCheckError, match=r"np\.matrix stands for no type") as caught:
        script(Bare.Wrong)(np.ones(2))
    assert re.search(r"test_class_members.py:\d+:12: ", str(caught.value))
    assert Bare.Inner(2.0).w == 2.0


POINT = """
class Point:
    def __init__(self, x: float) -> None:
        self.x = x
"""


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_objects_are_of_the_class_that_a_name_stands_for_now(backend: str) -> None:
    text = POINT + "def made(x: float):\n    return Point(x)\n"
    module: Any = live_module(text, f"{backend}.py")
    made = script(module.made, backend=backend)
    module.Point = script(module.Point, backend=backend)
    assert type(made(1.0)) is module.Point
    # As a cell of a notebook that is run once more does: the same text, another class.
    module.Point = script(live_module(text, f"{backend}.py").Point, backend=backend)
    assert type(made(2.0)) is module.Point


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_a_field_starts_with_the_value_of_the_class_and_constants_are_looked_at(
    backend: str,
) -> None:
    text = """
class Counter:
    LIMIT = 5
    total = 0

    def __init__(self, first: int):
        self.reset(first)

    def reset(self, first):
        self.first = first

    def add(self, more: int) -> int:
        self.total += more
        return self.total + self.first + self.LIMIT

def used(more: int) -> int:
    return Counter(1).add(more)
"""
    module: Any = live_module(text, f"{backend}.py")
    module.Counter = script(module.Counter, backend=backend)
    used, counter = script(module.used, backend=backend), module.Counter(2)
    assert (counter.total, counter.first, counter.add(3), counter.total) == (0, 2, 10, 3)
    assert (used(4), counter.add(1)) == (10, 11)
    module.Counter.LIMIT = 100
    assert (used(4), counter.add(1)) == (105, 107)
