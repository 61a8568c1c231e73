"""Runs random programs of extreme ints in CPython, the interpreter and machine code, and compares.

    python -m tests.support.extreme_runs FIRST COUNT

One line a step goes to stdout, as the process may die or hang: `test_extreme_programs` reads them.
"""

import builtins
import json
import resource
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType, FunctionType, SimpleNamespace
from typing import Any, cast

import numpy as np

from scriptc import script
from scriptc.kernels.fusion.shapes import TOO_BIG
from scriptc_runtime.errors import ScriptError
from tests.support.extreme_programs import ExtremeProgram, draw_arguments, draw_program, module_text
from tests.support.guarded import guarded
from tests.support.live_source import module_in

CALLS = 6
_SECONDS = 2.0  # of the processor
_BYTES = 3 << 28  # more than there are before a call: nothing of 2**31 - 1 bytes
# What is raised where no memory could hold something; NumPy's choice depends on how far it comes.
_TOO_LARGE = frozenset({"ValueError", "MemoryError", "OverflowError"})
_LARGE = 2**31 - 1
# What gives views in NumPy, and new arrays in scripts (docs/language/differences.md).
_NEW_ARRAYS = ("np.broadcast_to(", "np.broadcast_arrays(", "sliding_window_view(")


class TooLongError(BaseException):
    """A call took longer than it may."""


def run(first: int, count: int) -> None:
    """Run programs of these seeds, and say what happens."""
    signal.signal(signal.SIGPROF, _interrupt)
    programs = [draw_program(seed) for seed in range(first, first + count)]
    with tempfile.TemporaryDirectory() as folder:
        module = module_in(Path(folder) / f"extremes_{first}.py", module_text(programs))
        for program in programs:
            _run_program(program, vars(module)[program.name])


def _say(kind: str, program: ExtremeProgram, call: int, text: str) -> None:
    print(json.dumps([kind, program.seed, call, text]), flush=True)


def _run_program(program: ExtremeProgram, function: FunctionType) -> None:
    _say("at", program, 0, "compile")
    ways = {"interp": script(function, backend="interp"), "llvm": script(function)}
    try:
        for way in ways.values():
            way.compile()  # apart from the calls, whose time is limited
    except ScriptError as error:
        _say("refused", program, 0, str(error).partition("\n")[0])
        return
    exact = FunctionType(function.__code__, {**function.__globals__, "np": _EXACT})
    for call in range(CALLS):
        _say("at", program, call, "numpy")
        expected = _outcome(exact, program, call)
        numbers = [*draw_arguments(program.seed, call)[-4:], *program.literals]
        for name, way in ways.items():
            _say("at", program, call, name)
            actual = _outcome(way, program, call)
            if not _agree(program, numbers, expected, actual):
                _say("wrong", program, call, _report(program, call, name, expected, actual))
                return
    _say("done", program, CALLS, "")


def _report(program: ExtremeProgram, call: int, way: str, expected: object, actual: object) -> str:
    given = draw_arguments(program.seed, call)
    shown = [v.tolist() if getattr(v, "ndim", 0) == 1 else v for v in given]
    return (
        f"seed {program.seed}, call {call}, {way}\n{program.text}arguments: {shown}\n"
        f"CPython: {expected!r:.300}\nand not {actual!r:.300}"
    )


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise TooLongError


# ---------------------------------------------------------------------------------------- outcomes


def _outcome(function: Callable[..., object], program: ExtremeProgram, call: int) -> object:
    """Return what a call gives and leaves in its arguments, or the class that it raises."""
    given = guarded(draw_arguments(program.seed, call))
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + _BYTES, most))
    signal.setitimer(signal.ITIMER_PROF, _SECONDS)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            result = function(*given)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
    except ScriptError:
        raise
    except (Exception, TooLongError) as error:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        return "raised", type(error).__name__, str(error)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    return "returned", _seen(result), [_seen(value) for value in given]


def _seen(value: object) -> object:
    """Return a value in a form that is equal for values that are, floats but for rounding."""
    match value:
        case tuple() | list():
            items = cast("Sequence[object]", value)
            # A long list is as good as its start.
            return type(items).__name__, len(items), [_seen(item) for item in items[:1000]]
        case np.ndarray():
            array = cast("np.ndarray[Any, Any]", value)
            some = array.ravel()[:1000] if array.size <= 10**7 else array[:3].ravel()[:9]
            return array.dtype.str, array.shape, [_seen(item) for item in some.tolist()]
        case np.generic():
            scalar = cast("np.generic[Any]", value)
            return type(scalar).__name__, _seen(scalar.item())
        case float():
            return float(f"{value:.9g}") if value == value else "nan"
        case complex():
            return [_seen(value.real), _seen(value.imag)]
        case range():
            return "range", repr(value)
        case str():
            return len(value), value[:1000]
        case _:
            return type(value).__name__, value


def _agree(
    program: ExtremeProgram, numbers: Sequence[int], expected: object, actual: object
) -> bool:
    kind, found = cast("tuple[str, Any]", expected)[:2]
    own_kind, own = cast("tuple[str, Any]", actual)[:2]
    if _is_fault_of_numpy(numbers, expected, actual):
        return True
    if own_kind == "raised" and own == "OverflowError" and program.computes:
        return True  # ints have 64 bits
    if (own_kind, own) == ("raised", "MemoryError") and any(n in program.text for n in _NEW_ARRAYS):
        return any(abs(n) >= _LARGE for n in numbers)
    if (kind, own_kind) == ("raised", "raised"):
        if found == own or found in ("MemoryError", "TooLongError"):
            return True
        large = any(abs(n) >= _LARGE for n in numbers) or program.has_large
        return large and found in _TOO_LARGE and own in _TOO_LARGE
    if kind == "raised" and found in ("MemoryError", "TooLongError"):
        return True
    return _are_close(expected, actual)


def _is_fault_of_numpy(numbers: Sequence[int], expected: object, actual: object) -> bool:
    """Whether NumPy raises, or gives, what its own arithmetic of sizes makes of large ones."""
    kind, *found = cast("tuple[str, Any, Any]", expected)
    own_kind, own, said = cast("tuple[str, Any, Any]", actual)
    near_the_end = any(abs(n) >= 2**63 - 1024 for n in numbers)
    # Of an empty array so many copies stand beside each other that no shape could say it; a float
    # that counts more than 63 bits hold becomes a negative length, and that none; a negative length
    # that 64 bits do not hold becomes any other.
    if (own, said) in _RAISED_ALONE and kind == "returned":
        return any(abs(n) >= 2**59 for n in numbers)
    if kind == "raised" and tuple(found) in _RAISED_BY_NUMPY:
        return True
    return near_the_end and own_kind == "raised" and own in _TOO_LARGE


_RAISED_ALONE = (
    ("ValueError", TOO_BIG),
    ("ValueError", "Maximum allowed size exceeded"),
    ("ValueError", "negative dimensions are not allowed"),
)
# It counts with 32 bits in places, and with floats.
_RAISED_BY_NUMPY = frozenset(
    {
        ("OverflowError", "signed integer is greater than maximum"),
        ("OverflowError", "signed integer is less than minimum"),
        ("OverflowError", "Python int too large to convert to C int"),
        ("OverflowError", "Python int too large to convert to C long"),
        ("ValueError", "Maximum allowed size exceeded"),
    }
)


def _are_close(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, (tuple, list)):
        items, others = cast("Sequence[Any]", one), cast("Sequence[Any]", other)
        pairs = zip(items, others, strict=False)
        return len(items) == len(others) and all(_are_close(a, b) for a, b in pairs)
    if isinstance(one, float):
        return one == other or abs(one - other) <= 1e-8 * max(abs(one), abs(other), 1e-3)
    return one == other


# ------------------------------------------------------------- NumPy without its own faults of size


def _arange(*bounds: Any, **options: Any) -> Any:
    """NumPy's, but counted without rounding."""
    if not all(isinstance(b, int) for b in bounds):
        return cast("Any", np).arange(*bounds, **options)
    start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    if step == 0:
        raise ZeroDivisionError
    items = builtins.range(start, stop, step)
    ends = (items.stop - items.start + (step - 1 if step > 0 else step + 1)) // step
    count = max(ends, 0)
    if count > 2**60 - 1:
        raise ValueError("Maximum allowed size exceeded")
    numbers: Any = np.arange(count)
    return (numbers * np.int64(step) + np.int64(start)).astype(options.get("dtype", int))


def _within(k: int, n: int, m: int) -> int:
    return min(max(k, -max(n, 0) - 1), max(m, 0) + 1)


def _tri(n: int, m: int | None = None, k: int = 0, **options: Any) -> Any:
    m = n if m is None else m
    if max(n, m) > 2**60:
        raise ValueError
    return np.tri(max(n, 0), max(m, 0), _within(k, n, m), **options)


def _tril(m: Any, k: int = 0) -> Any:
    return np.tril(m, _within(k, m.shape[-2], m.shape[-1]))


def _triu(m: Any, k: int = 0) -> Any:
    return np.triu(m, _within(k, m.shape[-2], m.shape[-1]))


def _diagonal(m: Any, k: int = 0) -> Any:
    return np.diagonal(m, _within(k, m.shape[0], m.shape[1]))


def _trace(m: Any, k: int = 0) -> Any:
    return np.trace(m, _within(k, m.shape[0], m.shape[1]))


def _diag(v: Any, k: int = 0) -> Any:
    return np.diag(v, _within(k, *v.shape) if v.ndim == 2 else k)


class _Exact(SimpleNamespace):
    """NumPy, with some functions in place of its own."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


_EXACT = _Exact(
    arange=_arange,
    tri=_tri,
    tril=_tril,
    triu=_triu,
    diagonal=_diagonal,
    trace=_trace,
    diag=_diag,
)


if __name__ == "__main__":
    run(int(sys.argv[1]), int(sys.argv[2]))
