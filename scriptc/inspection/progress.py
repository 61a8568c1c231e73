"""The line on a terminal that says what a long compilation is busy with, and for how long."""

import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

from scriptc.forks import compilations
from scriptc.timeline import Timeline, watched_by, watcher

_SILENT = 1.0  # seconds in which most compilations are done
_STEP = 0.1


@contextmanager
def shown_progress(what: str) -> Generator[None]:
    """Show on the terminal how the compilation of `what` goes, if it takes more than a second.

    Nothing is shown where stderr is no terminal, or inside a compilation that is shown already.
    """
    if watcher() or not _on_terminal():
        yield
        return
    timeline, ended = Timeline(), threading.Event()
    wait = compilations().beside(lambda: _show(what, timeline, ended))
    try:
        with watched_by(timeline):
            yield
    finally:
        ended.set()
        wait()


def _on_terminal() -> bool:
    # A program without a console has none; others put an object of their own there.
    asked = getattr(sys.stderr, "isatty", None)
    return asked is not None and bool(asked())


def _show(what: str, timeline: Timeline, ended: threading.Event) -> None:
    begin = time.perf_counter()
    if ended.wait(_SILENT):
        return
    # Inside a function: most compilations are shorter than its import.
    from rich.console import Console

    console = Console(stderr=True)
    with console.status("") as status:
        while not ended.wait(_STEP):
            seconds = time.perf_counter() - begin
            status.update(f"scriptc compiles {what}: {timeline.latest}, {seconds:.0f} s")
