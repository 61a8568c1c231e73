"""Saved modules: files that are safe to read from a stranger.  `load` and `save` stand here."""

import os
from functools import partial

from scriptc_runtime.budget import Budget
from scriptc_runtime.saved.loaded import LoadedModule
from scriptc_runtime.tracebacks import ForUsers


def load(path: str | os.PathLike[str], *, budget: Budget | None = None) -> LoadedModule:
    """Return the module saved in the file `path`; nothing of it is run, nothing in it trusted.

    With a budget, all calls together take no more.  Raises LoadError, or OSError.
    """
    # A warm start of compiled code reads no saved file, so it does not pay for the reader.
    from scriptc_runtime.saved.file import read_saved
    from scriptc_runtime.saved.link import link

    again = partial(load, budget=budget) if budget else load
    return link(read_saved(path), again, budget)


def save(module: LoadedModule, path: str | os.PathLike[str]) -> None:
    """Save a loaded module as it is now: with the fields and arrays that its methods changed.

    Raises UnsupportedError for what a file cannot hold.
    """
    with ForUsers():
        module.__save__(path)
