"""The line on a terminal about a long compilation, and what the stages of one tell."""

import os
import sys
import threading
import time

import pytest

from scriptc.inspection import progress
from scriptc.timeline import Timeline, made, stage, watched_by, watcher

TERMINALS = hasattr(os, "openpty")


def _shown_of(seconds: float, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what a terminal shows of a compilation that takes so long."""
    reader, writer = os.openpty()
    os.set_blocking(reader, False)
    with os.fdopen(reader, "rb", buffering=0) as screen, os.fdopen(writer, "w") as err:
        monkeypatch.setattr(sys, "stderr", err)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setattr(progress, "_SILENT", 0.05)
        with progress.shown_progress("dream()"), stage("llvm optimise"):
            time.sleep(seconds)
        err.flush()
        return (screen.read(1 << 20) or b"").decode()


@pytest.mark.skipif(not TERMINALS, reason="the system has no terminals of its own")
def test_a_long_compilation_says_what_it_is_busy_with(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = _shown_of(1.0, monkeypatch)
    assert "scriptc compiles dream(): llvm optimise, 0 s" in shown


@pytest.mark.skipif(not TERMINALS, reason="the system has no terminals of its own")
def test_a_short_one_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _shown_of(0.0, monkeypatch) == ""


def test_nothing_is_shown_where_stderr_is_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    before = threading.active_count()
    with progress.shown_progress("dream()"):
        assert threading.active_count() == before
        assert watcher() is None
    assert capfd.readouterr() == ("", "")


def test_a_stage_has_the_time_that_those_inside_of_it_leave() -> None:
    timeline = Timeline()
    with watched_by(timeline), stage("outer"):
        with stage("inner"):
            time.sleep(0.05)
            made(ops=3)
        made(lines=2)
    outer, inner = timeline.entries
    assert (outer.name, inner.name) == ("outer", "inner")
    assert outer.seconds < 0.05 <= inner.seconds
    assert (outer.made, inner.made) == ({"lines": 2}, {"ops": 3})


def test_nobody_is_told_of_other_threads() -> None:
    timeline = Timeline()

    def elsewhere() -> None:
        with stage("elsewhere"):
            made(ops=1)

    with watched_by(timeline):
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    assert timeline.entries == []
