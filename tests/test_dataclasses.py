"""Dataclasses as scripted classes, seen from Python: what `dataclasses` makes stays as it is."""

import dataclasses
from pathlib import Path

import pytest

import scriptc_runtime
from scriptc import load, save, script
from scriptc.dependencies import find_dependencies

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
