"""Classes whose `__init__` has no annotations: the objects that are made say what fields hold."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, script

# Types come from the calls, which is what these classes are about.
# pyright: basic


class Scaled:
    def __init__(self, factor, weights):
        self.factor = factor
        self.weights = weights
        self.calls = 0

    def apply(self, x):
        self.calls += 1
        return self.weights * x + self.factor

    def power(self):
        return self.factor**2

    def twin(self):
        return Scaled(self.factor, self.weights)


def used(cls: Any, factor: Any) -> list[object]:
    thing = cls(factor, np.arange(3.0))
    first, second = thing.apply(np.ones(3)), thing.apply(2.0)
    twin = thing.twin()
    assert type(thing.power()) is type(factor)
    return [thing.power(), first.tolist(), second.tolist(), thing.calls, twin.power(), twin.calls]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize("factor", [3, 1.5])
def test_methods_take_the_types_of_fields_from_objects(
    backend: str, factor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = used(Scaled, factor)
    # As a decorator would: `twin` means the scripted class.
    monkeypatch.setattr(sys.modules[__name__], "Scaled", script(Scaled, backend=backend))
    assert used(Scaled, factor) == expected


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_objects_have_fields_of_other_types(backend: str) -> None:
    cls: Any = script(Scaled, backend=backend)
    first = cls(1, np.zeros(2))
    assert cls(1.5, np.zeros(2)).power() == 2.25
    assert repr((first.power(), cls(7, np.ones(2)).power())) == "(1, 49)"


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_without_an_object_nothing_is_known(backend: str) -> None:
    cls: Any = script(Scaled, backend=backend)
    with pytest.raises(ScriptError, match="nothing says what type the field 'factor'") as caught:
        cls.power.dump("ir", cls)
    assert "make an object first" in str(caught.value)
    cls(1.5, np.zeros(2))
    assert "-> float" in cls.power.dump("ir", cls)


PROGRAM = """\
import sys
from scriptc import script

@script
class Box:
    def __init__(self, value):
        self.value = value
    def half(self):
        return self.value / 2
    def twice(self):
        return self.value * 2

@script
def of(box: Box):
    return box.twice()

given = eval(sys.argv[1])
box = Box(given)
found = box.half(), box.twice(), of(box)
assert repr(found) == repr((given / 2, given * 2, given * 2)), found
print("scriptc.driver" in sys.modules)
"""


def test_the_cache_keeps_what_fields_hold_apart(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    environment = {**os.environ, "SCRIPTC_CACHE_DIR": str(tmp_path / "cache")}

    def compiled(value: str) -> bool:
        command = [sys.executable, str(program), value]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip() == "True"

    assert [compiled(v) for v in ("7", "2.5", "7", "2.5", "9")] == [True, True, False, False, False]
