"""What calls of saved files do, compared without what may differ between machine code and NumPy."""

import contextlib
import io
import signal
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import Any, cast

import numpy as np

from scriptc_runtime.errors import BudgetExceededError, InternalError
from scriptc_runtime.ir import ListValue, Module, ObjectRef, WeightRef
from scriptc_runtime.ops.data import ABSENT
from scriptc_runtime.saved.file import SavedModule
from scriptc_runtime.values import EXCEPTIONS

ENDLESS = "endless"  # for the budget of the interpreter, or its memory
LONG, FOREIGN = "long", "foreign"
_SECONDS = 4.0  # of the processor, in which a call ends whose steps the interpreter can count
_RAISED = tuple(EXCEPTIONS.values())
# What may differ by rounding does by less than this part of the largest number around it.
_PART = {2: 1e-2, 4: 1e-4, 8: 1e-9}
_BASES = (TypeError, ValueError, OverflowError)

Outcome = tuple[Any, ...]


class _LongError(BaseException):
    """A call does not end."""


def outcome(module: object, name: str, arguments: Sequence[object]) -> Outcome:
    """Return what a call gives or raises, what it prints and what its arguments hold then."""
    printed = io.StringIO()
    signal.signal(signal.SIGPROF, _interrupt)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS)
    try:
        with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
            result = getattr(module, name)(*arguments)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
    except (BudgetExceededError, MemoryError):
        return (ENDLESS, None, "")
    except _LongError:
        return (LONG, None, "")
    except InternalError as error:
        return FOREIGN, type(error).__name__, str(error)
    except _RAISED as error:
        return "raised", _base(error), str(error), printed.getvalue(), arguments
    except Exception as error:
        return FOREIGN, type(error).__name__, str(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
    return "returned", result, "", printed.getvalue(), arguments


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise _LongError


def _base(error: BaseException) -> str:
    """Return the class of an exception, without ours that are more special."""
    kind = type(error)
    if kind.__module__ == "builtins":
        return kind.__name__
    return next((base.__name__ for base in _BASES if isinstance(error, base)), kind.__name__)


def difference(expected: Outcome, found: Outcome) -> str:
    """Return how two outcomes differ, nothing where they do not, or may."""
    if may_differ(expected, found):
        return ""
    raised = expected[0] == "raised" and expected[1] != found[1]
    if FOREIGN in (expected[0], found[0]) or expected[0] != found[0] or raised:
        return f"{_shown(expected)} but {_shown(found)}"
    if expected[0] == "returned" and not _alike(expected[1], found[1]):
        return f"{_shown(expected)} but {_shown(found)}"
    if not _alike(expected[4], found[4]):
        return f"arguments {_short(expected[4])} but {_short(found[4])}"
    return "" if expected[3] == found[3] else f"printed {expected[3]!r} but {found[3]!r}"


def state_difference(first: SavedModule, second: SavedModule) -> str:
    """Return how the arrays and objects of two modules differ, nothing where they do not."""
    one, other = ((dict(s.weights), _fields(s.module)) for s in (first, second))
    return "" if _alike(one, other) else f"holds {_short(one)} but {_short(other)}"


def _fields(module: Module) -> Mapping[str, object]:
    return {name: tuple(value for _, value in o.fields) for name, o in module.objects.items()}


def may_differ(expected: Outcome, found: Outcome) -> bool:
    """Whether outcomes may differ: each is listed here with the reason."""
    kinds = [outcome[1] for outcome in (expected, found) if outcome[0] == "raised"]
    if expected[0] == ENDLESS or "RecursionError" in kinds:
        return FOREIGN not in (expected[0], found[0])  # how much memory and stack there is
    if expected[0] == LONG:
        return found[0] != FOREIGN  # a step of the interpreter may be a call of NumPy that is long
    if expected[0] == "raised" and expected[2] == ABSENT:
        return found[0] != FOREIGN  # of a number that is not there, machine code makes some number
    # What the function may write to is refused before it runs (docs/language/differences.md).
    return found[0] == "raised" and "and it is read-only" in found[2]


def _shown(outcome: Outcome) -> str:
    return f"{outcome[0]} {_short(outcome[1])} {outcome[2]}"


def _short(value: object) -> str:
    return repr(value)[:300]


def _alike(first: object, second: object) -> bool:
    match first, second:
        case (tuple(), tuple()) | (list(), list()):
            pairs = cast("tuple[Sequence[object], Sequence[object]]", (first, second))
            return len(pairs[0]) == len(pairs[1]) and all(map(_alike, *pairs))
        case (dict(), dict()):
            maps = cast("tuple[dict[str, object], dict[str, object]]", (first, second))
            return maps[0].keys() == maps[1].keys() and all(
                _alike(v, maps[1][k]) for k, v in maps[0].items()
            )
        case (ListValue(one), ListValue(other)):
            return _alike(one, other)
        case (WeightRef() | ObjectRef(), _):
            return first == second
        case (np.ndarray() | np.generic(), np.ndarray() | np.generic()):
            return _arrays_alike(*cast("tuple[Any, Any]", (first, second)))
        case (float(), float()) | (complex(), complex()):
            return _arrays_alike(np.asarray(first), np.asarray(second))
        case (np.random.Generator(), np.random.Generator()):
            return str(first.bit_generator.state) == str(second.bit_generator.state)
        case (np.random.RandomState(), np.random.RandomState()):
            return str(first.get_state()) == str(second.get_state())
        case _:
            # Objects come from different loaders.
            opaque = type(first).__module__.startswith(("scriptc", "numpy.random"))
            return opaque or (type(first) is type(second) and first == second)


def _arrays_alike(first: Any, second: Any) -> bool:
    if type(first) is not type(second) or first.dtype != second.dtype:
        return False
    if first.shape != second.shape:
        return False
    if first.dtype.kind not in "fc":
        return bool(np.array_equal(first, second))
    part = _PART.get(first.real.itemsize, 1e-9)
    for one, other in ((np.real(first), np.real(second)), (np.imag(first), np.imag(second))):
        one, other = one.astype(np.float64), other.astype(np.float64)
        finite = np.isfinite(one) & np.isfinite(other)
        if not np.array_equal(one[~finite], other[~finite], equal_nan=True):
            return False
        size = np.max(np.abs(first[np.isfinite(first)]), initial=1.0)
        if np.any(np.abs(one[finite] - other[finite]) > part * float(size)):
            return False
    return True
