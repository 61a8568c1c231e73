"""Enumerations and named tuples in saved files: they come back as objects of equal classes."""

import enum
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import scriptc
import scriptc_runtime
from scriptc import script
from scriptc_runtime.errors import Source
from scriptc_runtime.named_classes import problem_of
from scriptc_runtime.text.tokens import Cursor
from scriptc_runtime.text.type_names import read_type
from scriptc_runtime.text.type_text import ir_text
from scriptc_runtime.types import FLOAT, INT, STR, NamedType, TupleType


class Color(enum.Enum):
    RED = 1
    BLUE = "b"


class Perm(enum.IntFlag):
    R = 4
    W = 2


class Point(NamedTuple):
    x: float
    color: Color


@script
def moved(p: Point, perm: Perm, by: dict[str, Color]) -> tuple[Point, Color, Perm, str]:
    return p._replace(x=p.x + 1.0), by["c"], perm | Perm.W, f"{p.color} {perm!r}"


@pytest.mark.parametrize("load", [scriptc_runtime.load, scriptc.load])
def test_a_saved_function_gives_objects_of_equal_classes(load: Any, tmp_path: Path) -> None:
    path = tmp_path / "moved.scriptc"
    scriptc.save({"moved": moved}, path)
    arguments = Point(1.0, Color.BLUE), Perm.R, {"c": Color.RED}
    given, expected = load(path).moved(*arguments), moved(*arguments)
    assert repr(given) == repr(expected)
    # The class of another process: it is not ours.
    assert type(given[1]) is not Color
    again = load(path).moved(given[0], given[2], {"c": given[1]})
    assert again[0].x == 3.0
    assert again[1].name == "RED"


def test_members_of_another_enumeration_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "moved.scriptc"
    scriptc.save({"moved": moved}, path)
    other = enum.Enum("Color", "RED GREEN")
    with pytest.raises(TypeError, match="expected Color"):
        scriptc_runtime.load(path).moved(Point(1.0, Color.RED), Perm.R, {"c": other["RED"]})


@pytest.mark.parametrize(
    "type_",
    [
        NamedType("Color", INT, "Enum", ("RED", 1, "BLUE", ('"', 2.5, None, True))),
        NamedType("Point", TupleType((FLOAT, INT)), "NamedTuple", ("x", "y")),
    ],
)
def test_a_type_is_read_as_it_was_written(type_: NamedType) -> None:
    text = ir_text(type_)
    assert read_type(Cursor(Source("type", text), 0, text)) == type_
    assert not problem_of(type_)


@pytest.mark.parametrize(
    "type_",
    [
        NamedType("Color", INT, "Enum", ()),
        NamedType("Color", INT, "Enum", ("RED",)),
        NamedType("Color", INT, "Meta", ("RED", 1)),
        NamedType("Color", INT, "Enum", ("RED", 1, "RED", 2)),
        NamedType("Color", INT, "Enum", ("mro", 1)),
        NamedType("Color", STR, "Enum", ("RED", 1)),
        NamedType("Word", INT, "StrEnum", ("YES", "yes")),
        NamedType("Point", INT, "NamedTuple", ()),
        NamedType("Color", INT, "IntEnum", ("RED", "a")),
        NamedType("Point", TupleType((FLOAT,)), "NamedTuple", ("x", "y")),
        NamedType("Point", TupleType((FLOAT,)), "NamedTuple", ("_x",)),
        NamedType("Point", INT, "NamedTuple", ("x",)),
    ],
)
def test_a_type_of_which_no_class_can_be_made_is_refused(type_: NamedType) -> None:
    assert problem_of(type_)
