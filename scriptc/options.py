"""What a compilation may be told, made once per scripted function; alone reads the environment."""

import os

BACKENDS = ("llvm", "interp", "cuda")


class Options:
    """The settings of one scripted function; nothing changes them."""

    # A plain class: a frozen dataclass takes most of a millisecond of every start to make.
    __slots__ = ("backend", "cache_dir", "disable", "verify")

    def __init__(
        self,
        *,
        backend: str = "llvm",
        disable: bool = False,
        verify: bool = True,
        cache_dir: str = "",
    ) -> None:
        self.backend = backend
        self.disable = disable  # scripted functions and classes run as plain Python
        self.verify = verify  # check the IR after every pass
        self.cache_dir = cache_dir  # where compiled code is kept; empty: nowhere


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
    return os.path.join(base, "scriptc") if os.path.isabs(base) else ""
