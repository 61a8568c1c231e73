"""What goes on around a compilation: forks wait, the collector rests, progress is shown."""

import gc
import sys
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from scriptc.options import Options

_FROZEN: set[bool] = set()  # True: the user has frozen objects, which stay so


def call_all_old() -> None:
    """Have Python's collector take all objects for old ones, which it seldom walks over.

    It would do so at once otherwise, as many are new.
    """
    if not _FROZEN and gc.get_freeze_count():  # which walks over all of them
        _FROZEN.add(True)
    if not _FROZEN:
        gc.freeze()
        gc.unfreeze()


def without_forks() -> AbstractContextManager[None]:
    """Return what other threads fork before or after: a child has no import that is half done."""
    # Inside a function: a warm start compiles nothing.
    from scriptc.forks import compilations

    return compilations()


@contextmanager
def compiling() -> Generator[None]:
    """Keep other threads from forking meanwhile, and free at the end what is left in cycles.

    Python's collector is paused: all that is made meanwhile is of its youngest generation then, and
    it walks over nothing that was there before.
    """
    with without_forks():
        # The first time most of what is made are modules.
        collects, paused = "scriptc.driver" in sys.modules, gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                gc.collect(0)
            if paused:
                gc.enable()


def shown(what: str, options: Options) -> AbstractContextManager[None]:
    """Return what shows on a terminal how a compilation goes, if that is wanted."""
    if not options.progress:
        return nullcontext()
    # Inside a function: a warm start compiles nothing.
    from scriptc.inspection.progress import shown_progress

    return shown_progress(what)
