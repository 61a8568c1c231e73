"""What a compilation is busy with, told to who watches it.

    with stage("check"):       the driver does so, and who does a stage inside of another
        ...
        made(functions=3)      what the stage that is under way has made

Most compilations are watched by nobody, and then a stage costs next to nothing.
"""

import time
from _thread import get_ident
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

PASS = "pass "  # what the names of passes over the IR begin with


class Entry:
    """One run of a stage: its seconds without those of stages inside, and what it made."""

    __slots__ = ("made", "name", "seconds", "thread")

    def __init__(self, name: str) -> None:
        self.name = name
        self.seconds = 0.0
        self.made: dict[str, int] = {}
        self.thread = get_ident()


class Timeline:
    """The stages of a compilation, in the order in which they begin."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    @property
    def latest(self) -> str:
        """The stage that began last, "" before the first."""
        return self.entries[-1].name if self.entries else ""


_watcher: "ContextVar[Timeline | None]" = ContextVar("watcher", default=None)
# Of this thread: the stages under way, the innermost last, and since when that one runs.
_under_way: "ContextVar[tuple[Entry, ...]]" = ContextVar("under_way", default=())
_since: "ContextVar[float]" = ContextVar("since", default=0.0)


@contextmanager
def watched_by(timeline: Timeline | None) -> Generator[None]:
    """Tell `timeline` of the stages of this thread meanwhile."""
    token = _watcher.set(timeline)
    try:
        yield
    finally:
        _watcher.reset(token)


def watcher() -> Timeline | None:
    """Return who watches this thread, so that another one that works for it can tell, too."""
    return _watcher.get()


@contextmanager
def stage(name: str) -> Generator[None]:
    """Let what is done meanwhile be the stage called so."""
    timeline = _watcher.get()
    if timeline is None:
        yield
        return
    entry = Entry(name)
    timeline.entries.append(entry)
    around = _under_way.get()
    _count_up(around)
    _under_way.set((*around, entry))
    try:
        yield
    finally:
        _count_up((entry,))
        _under_way.set(around)


def _count_up(stages: tuple[Entry, ...]) -> None:
    """Give the innermost stage the time since the last of such events."""
    now = time.perf_counter()
    if stages:
        stages[-1].seconds += now - _since.get()
    _since.set(now)


def made(**sizes: int) -> None:
    """Say how much the stage that is under way has made."""
    for entry in _under_way.get()[-1:]:
        entry.made.update(sizes)
