"""What random programs of the language do in CPython, the interpreter and machine code."""

import contextlib
import gc
import io
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, cast

import scriptc_runtime
from scriptc import load, save, script
from scriptc_runtime.errors import InternalError, ScriptError
from tests.support.language.oracle import NAMES, checked_code
from tests.support.live_source import module_in
from tests.support.outcomes import freeze
from tests.support.support_code import live_blocks

_SECONDS = 2.0  # CPython takes milliseconds for a program; one that takes longer is no program
_LONG = 60_000  # characters and items


class TooLongError(BaseException):
    """A program does not end soon, so it tells nothing."""


class Found(NamedTuple):
    """What a program showed: `same`, `skipped`, `refused CODE` or what is wrong; with details."""

    kind: str
    details: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether it is a fault of the compiler."""
        return self.kind.startswith(("differs", "internal", "keeps", "fails"))


def run_program(text: str, number: int = 0, ways: Sequence[str] = ("interp", "llvm")) -> Found:
    """Compare what the calls of a program do everywhere."""
    ignored = warnings.catch_warnings(action="ignore")  # CPython's, of what is never true
    with tempfile.TemporaryDirectory() as folder, ignored:
        oracle = ModuleType(f"program_{number}")
        sys.modules[oracle.__name__] = oracle  # where dataclasses look for it
        try:
            module = module_in(Path(folder) / f"program_{number}.py", text)
            vars(oracle).update(NAMES)
            exec(checked_code(text, f"oracle_{number}.py"), vars(oracle))
            return _compared(module, oracle, ways, Path(folder))
        finally:
            del sys.modules[oracle.__name__]


def same_fault(text: str, found: Found) -> bool:
    """Whether a program is wrong in the way that was found."""
    try:
        again = run_program(text, time.monotonic_ns())
    except Exception:
        return False
    unbound = ("NameError", "UnboundLocalError")  # a definition went that another line needs
    return again.kind == found.kind and not any(name in again.details for name in unbound)


def _compared(module: ModuleType, oracle: ModuleType, ways: Sequence[str], folder: Path) -> Found:
    calls: Sequence[tuple[str, tuple[Any, ...]]] = module.CALLS
    try:
        with _limit(_SECONDS):
            expected = [_outcome(vars(oracle)[name], arguments) for name, arguments in calls]
    except (TooLongError, MemoryError):
        return Found("skipped")
    if any(len(str(e)) > _LONG for e in expected):
        return Found("skipped")
    names = list(dict.fromkeys(name for name, _ in calls))
    for way in ways:
        try:
            functions = _functions(module, names, way, folder)
            found = _first_difference(calls, expected, functions, way)
        except ScriptError as error:
            code = error.diagnostics[0].code
            return Found(f"refused {code}", str(error))
        except InternalError as error:
            return Found(f"internal {way}", f"{error}\n{traceback.format_exc()}")
        if found is not None:
            return found
    return Found("same")


def _functions(
    module: ModuleType, names: Sequence[str], way: str, folder: Path
) -> dict[str, Callable[..., object]]:
    if way in ("interp", "llvm"):
        return {n: script(cast(FunctionType, vars(module)[n]), backend=way) for n in names}
    file = folder / "program.scriptc"
    save({n: script(cast(FunctionType, vars(module)[n])) for n in names}, file)
    loaded = scriptc_runtime.load(file) if way == "saved, interp" else load(file)
    return {n: vars(loaded)[n] for n in names}


def _first_difference(
    calls: Sequence[tuple[str, tuple[Any, ...]]],
    expected: Sequence[object],
    functions: dict[str, Callable[..., object]],
    way: str,
) -> Found | None:
    for (name, arguments), wanted in zip(calls, expected, strict=True):
        held = live_blocks()
        actual = _outcome(functions[name], arguments)
        if actual != wanted:
            details = f"{name}{arguments}\nCPython: {wanted}\n{way:>7}: {actual}"
            return Found(f"differs {way}", details)
        if way == "llvm" and not _gives_back(held):
            # The first call may make what later ones keep.
            held = live_blocks()
            _outcome(functions[name], arguments)
            if not _gives_back(held):
                return Found("keeps memory", f"{name}{arguments}: {live_blocks() - held} blocks")
    return None


def _gives_back(held: int) -> bool:
    for generation in range(3):  # of exceptions and their tracebacks
        if live_blocks() <= held:
            return True
        gc.collect(generation)
    return live_blocks() <= held


def _outcome(function: Callable[..., object], arguments: tuple[Any, ...]) -> object:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            ended: tuple[object, ...] = ("returned", _frozen(function(*arguments)))
        except ScriptError:
            raise
        except InternalError:
            raise
        except Exception as error:
            ended = ("raised", type(error).__name__, str(error))
    return (*ended, printed.getvalue())


def _frozen(value: object) -> object:
    match value:
        case set() | frozenset():
            items = cast("set[object]", value)
            return type(items).__name__, [_frozen(item) for item in items]
        case list() | tuple():
            sequence = cast("Sequence[object]", value)
            return type(sequence).__name__, [_frozen(item) for item in sequence]
        case float():
            return "float", "nan" if value != value else value.hex()
        case dict():
            pairs = cast("dict[object, object]", value).items()
            return "dict", [(_frozen(key), _frozen(item)) for key, item in pairs]
        case _:
            return freeze(value)


@contextlib.contextmanager
def _limit(seconds: float) -> Generator[None]:
    def stop(*_: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
