"""What a compilation may be told, made once per scripted function; alone reads the environment."""

import os
import sys
from numbers import Integral

from scriptc.backends.llvm.loading.processors import MOST_THREADS

BACKENDS = ("llvm", "interp", "cuda")
_GUARDS = {"0": "", "1": "start", "end": "end"}


class Options:
    """The settings of one scripted function; nothing changes them."""

    # A plain class: a frozen dataclass takes most of a millisecond of every start to make.
    __slots__ = (
        *("backend", "cache_dir", "disable", "progress", "threads"),
        *("bigint", "named", "strict_sizes", "verify", "verify_passes"),
    )

    def __init__(
        self,
        *,
        backend: str = "llvm",
        disable: bool = False,
        verify: bool = True,
        verify_passes: bool = False,
        cache_dir: str = "",
        threads: int = 0,
        progress: bool = False,
        strict_sizes: bool = False,
        bigint: bool = False,
        named: bool = False,
    ) -> None:
        self.backend = backend
        self.named = named  # by the function, so that no argument decides on another one
        self.disable = disable  # scripted functions and classes run as plain Python
        self.verify = verify  # check the IR that passes end with
        self.verify_passes = verify_passes  # after each of them
        self.cache_dir = cache_dir  # where compiled code is kept; empty: nowhere
        self.threads = threads  # at most so many share a loop; 0: as many as the process uses
        self.progress = progress  # long compilations are shown on a terminal
        # What is a `SizeWarning` otherwise is an error.
        self.strict_sizes = strict_sizes
        self.bigint = bigint  # ints have any size, wherever nothing else is said


class OptionError(ValueError):
    """A setting that does not exist."""


def from_environment(
    backend: str | None = None,
    *,
    parallel: bool | int = True,
    strict_sizes: bool = False,
    bigint: bool = False,
) -> Options:
    """Return the settings of the environment; a backend that is named goes before its.

    `parallel` is whether threads may share a loop, or how many. Raises OptionError for a backend
    that does not exist, for what is no number of threads, and for a switch that is not 0 or 1.
    """
    threads_of_process()  # so that it is refused here, not at the first call
    guard_of_process()
    chosen = backend or os.environ.get("SCRIPTC_BACKEND") or "llvm"
    if chosen not in BACKENDS:
        raise OptionError(f"there is no backend {chosen!r}: choose one of {', '.join(BACKENDS)}")
    return Options(
        backend=chosen,
        named=backend is not None,
        disable=_switch("SCRIPTC_DISABLE", default=False),
        verify=_switch("SCRIPTC_VERIFY", default=True),
        verify_passes=_switch("SCRIPTC_VERIFY", default=False),
        threads=_threads(parallel),
        strict_sizes=strict_sizes,
        bigint=bigint,
        progress=_switch("SCRIPTC_PROGRESS", default=True),
        cache_dir=os.environ.get("SCRIPTC_CACHE_DIR") or _default_cache(),
    )


def for_device(options: Options) -> Options:
    """Return the same settings for arrays that lie on a CUDA device.

    Raises ValueError where the function names another backend.
    """
    if options.named:
        raise ValueError(
            "an argument lies on a CUDA device, and this function has backend="
            f"{options.backend!r}: leave backend= out, and arguments decide, or copy it to the host"
        )
    names = [name for name in Options.__slots__ if name != "backend"]
    return Options(backend="cuda", **{name: getattr(options, name) for name in names})


def threads_of_process() -> int:
    """Return how many threads the environment asks for; 0: as many as there are processors.

    Raises OptionError for what is no number of threads.
    """
    given = os.environ.get("SCRIPTC_THREADS") or "0"
    if not (given.isascii() and given.isdigit() and int(given) <= MOST_THREADS):
        raise OptionError(
            f"SCRIPTC_THREADS is {given!r}: give a number from 1 to {MOST_THREADS}, or nothing"
        )
    return int(given)


def guard_of_process() -> str:
    """Return how arrays lie between unreadable pages: `start` or `end`; empty: they do not.

    Raises OptionError for another word, and where there is no such allocator.
    """
    given = os.environ.get("SCRIPTC_GUARD") or "0"
    if given not in _GUARDS:
        raise OptionError(f"SCRIPTC_GUARD is {given!r}: give 1, end or 0, or nothing")
    if _GUARDS[given] and sys.platform != "linux":
        raise OptionError(f"SCRIPTC_GUARD is {given!r}: only Linux has pages that it can guard")
    return _GUARDS[given]


def emulated_device() -> str:
    """Return how this processor plays a CUDA device: `1`, `guard`, `shadow`; empty: it does not.

    Raises OptionError for another word.
    """
    given = os.environ.get("SCRIPTC_EMULATE_CUDA") or "0"
    if given not in ("0", "1", "guard", "shadow"):
        raise OptionError(
            f"SCRIPTC_EMULATE_CUDA is {given!r}: give 1, guard, shadow or 0, or nothing"
        )
    return "" if given == "0" else given


def _switch(name: str, *, default: bool) -> bool:
    given = os.environ.get(name) or str(int(default))
    if given not in ("0", "1"):
        raise OptionError(f"{name} is {given!r}: give 1 or 0, or nothing")
    return given == "1"


def _threads(parallel: bool | int) -> int:
    if isinstance(parallel, bool):
        return 0 if parallel else 1
    if not (isinstance(parallel, Integral) and 1 <= parallel <= MOST_THREADS):
        raise OptionError(
            f"parallel is {parallel!r}: give True, False, or a number from 1 to {MOST_THREADS}"
        )
    return int(parallel)


def _default_cache() -> str:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "scriptc") if os.path.isabs(base) else ""
