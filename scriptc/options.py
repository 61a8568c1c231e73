"""What a compilation may be told, made once per scripted function; alone reads the environment."""

import os
from pathlib import Path
from typing import NamedTuple

BACKENDS = ("llvm", "interp", "cuda")


class Options(NamedTuple):
    """The settings of one scripted function."""

    backend: str = "llvm"
    disable: bool = False  # scripted functions and classes run as plain Python
    verify: bool = True  # check the IR after every pass
    cache_dir: str = ""  # where compiled code is kept; empty: nowhere


class OptionError(ValueError):
    """A setting that does not exist."""


def from_environment(backend: str | None = None) -> Options:
    """Return the settings of the environment; a backend that is named goes before its.

    Raises OptionError for a backend that does not exist.
    """
    chosen = backend or os.environ.get("SCRIPTC_BACKEND") or "llvm"
    if chosen not in BACKENDS:
        raise OptionError(f"there is no backend {chosen!r}: choose one of {', '.join(BACKENDS)}")
    return Options(
        backend=chosen,
        disable=os.environ.get("SCRIPTC_DISABLE") == "1",
        verify=os.environ.get("SCRIPTC_VERIFY") != "0",
        cache_dir=os.environ.get("SCRIPTC_CACHE_DIR") or _default_cache(),
    )


def _default_cache() -> str:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return str(Path(base) / "scriptc") if os.path.isabs(base) else ""
