"""The day a GPU is at hand, rehearsed: each step runs on the emulated device, and is reported."""

# What is patched has no types that matter.
# pyright: basic

import json
import stat
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.gpu import day
from tests.gpu.peers import Peer
from tests.gpu.workloads import BY_NAME, WORKS
from tests.support.device_kinds import KINDS

# In the place of NVIDIA's tools: runs the command that follows the options.
TOOL = """#!/bin/sh
while [ "$1" != "{python}" ]; do shift; done
exec "$@"
"""


def numpys() -> Any:
    yield Peer("numpy", np.asarray, lambda work: work.function, lambda: None)
    yield "nobody: ImportError: no such library"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(day, "WORKS", (BY_NAME["copied"], BY_NAME["total"]))
    monkeypatch.setattr(day, "KINDS", KINDS[:1])
    monkeypatch.setattr(day, "DTYPES", ("f4",))
    monkeypatch.setattr(day, "TIMED", ("f4",))
    monkeypatch.setattr(day, "peers", numpys)


@pytest.mark.usefixtures("few")
def test_each_step_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert day.main(["--small", "--out", str(tmp_path), "right", "speed", "peers"]) == 0
    assert "all is right" in capsys.readouterr().out
    report = (tmp_path / "report.md").read_text()
    assert "a rehearsal, whose times say nothing" in report
    assert "| copied, by points | all bits | yes |" in report
    assert "| nobody | ImportError: no such library |  |  |  |" in report
    rows = json.loads((tmp_path / "speed.json").read_text())["rows"]
    assert [row["work"] for row in rows] == ["copied", "total"]


@pytest.mark.usefixtures("few")
def test_what_differs_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(day, "_alike", lambda *_, **__: False)
    assert day.main(["--small", "--out", str(tmp_path), "right"]) == 1
    assert "2 differ: f4[33], f4[1025] | NO |" in (tmp_path / "report.md").read_text()


@pytest.mark.usefixtures("few")
def test_nvidias_tools_are_given_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "ncu"
    tool.write_text(TOOL.format(python=sys.executable))
    tool.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    row = {"work": "total", "plan": "fold", "dtype": "f4", "elements": 99, "of a copy": 0.5}
    (tmp_path / "speed.json").write_text(json.dumps({"rows": [row], "seconds": 0}))
    assert day.main(["--small", "--out", str(tmp_path), "profiles"]) == 0
    (found,) = json.loads((tmp_path / "profiles.json").read_text())["rows"]
    assert found["ok"]
    assert found["what"] == "total f4[99]"


@pytest.mark.exhaustive
def test_the_whole_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("compute-sanitizer", "ncu"):
        tool = tmp_path / name
        tool.write_text(TOOL.format(python=sys.executable))
        tool.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert day.main(["--small", "--out", str(tmp_path)]) == 0
    assert len(json.loads((tmp_path / "speed.json").read_text())["rows"]) == 2 * len(WORKS)
