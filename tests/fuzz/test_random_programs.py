"""Random programs mean in the interpreter and in machine code what they mean in CPython.

The tests run about a hundred functions, the same ones each time. Thousands of new ones, and what
fails cut down to its core:

    python -m tests.fuzz.test_random_programs 2000
"""

import copy
import itertools
import math
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from scriptc import script
from tests.support.live_source import module_in
from tests.support.random_programs import Program, programs

BACKENDS = ("interp", "llvm")
# The one deviation of docs/language/differences.md that the programs meet.
_WIDE_INT = "does not fit in 64 bits"
_RAISED = (ZeroDivisionError, OverflowError, IndexError, ValueError, UnboundLocalError)
_NUMBERS = itertools.count()


class Outcome(NamedTuple):
    """What a call did: its result or the class of its exception, and the arrays it was given."""

    result: object
    raised: str
    arguments: tuple[object, ...]
    message: str = ""


def bits(value: object) -> object:
    """Return a value in a form that is equal only for the same type and the same bits."""
    match value:
        case float() if math.isnan(value):
            return type(value).__name__, "nan"
        case float():
            return type(value).__name__, float(value).hex()
        case tuple():
            return tuple(bits(item) for item in cast("tuple[object, ...]", value))
        case np.ndarray():
            array = cast("npt.NDArray[np.generic]", value)
            items = cast("list[object]", array.reshape(-1).tolist())
            return array.dtype.str, array.shape, tuple(bits(item) for item in items)
        case np.generic():
            scalar = cast("np.generic[object]", value)
            return type(scalar).__name__, bits(scalar.item())
        case _:
            return type(value).__name__, value


def outcome(function: Callable[..., object], arguments: Sequence[object]) -> Outcome:
    """Call a function with copies of the arguments."""
    given = copy.deepcopy(tuple(arguments))
    try:
        with np.errstate(all="ignore"):
            result = function(*given)
    except _RAISED as error:
        return Outcome(None, type(error).__name__, given, str(error))
    return Outcome(result, "", given)


def load(text: str, folder: Path) -> ModuleType:
    """Import a program from a file of its own."""
    return module_in(folder / f"program_{next(_NUMBERS)}.py", text)


def compare(program: Program, backends: Sequence[str]) -> None:
    """Run every call of a program in CPython and in each backend."""
    with tempfile.TemporaryDirectory() as folder:
        module = load(program.text, Path(folder))
        for backend in backends:
            scripted = {
                f.name: script(vars(module)[f.name], backend=backend) for f in program.functions
            }
            for name, arguments in program.calls:
                expected = outcome(vars(module)[name], arguments)
                actual = outcome(scripted[name], arguments)
                if _WIDE_INT not in actual.message:
                    same = _compared(expected) == _compared(actual)
                    assert same, f"{backend}: {name}{arguments!r}\n{expected}\n{actual}"


def _compared(outcome: Outcome) -> object:
    return bits(outcome.result), outcome.raised, bits(outcome.arguments)


def check(count: int, backends: Sequence[str], *, same_each_time: bool = False) -> None:
    """Compare that many programs."""

    @settings(
        max_examples=count,
        deadline=None,
        derandomize=same_each_time,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(programs(most=3))
    def run(program: Program) -> None:
        compare(program, backends)

    run()


@pytest.mark.parametrize(("backend", "count"), [("interp", 40), ("llvm", 10)])
def test_random_programs_mean_what_they_mean_in_python(backend: str, count: int) -> None:
    check(count, [backend], same_each_time=True)


if __name__ == "__main__":
    check(int(sys.argv[1]), sys.argv[2:] or BACKENDS)
