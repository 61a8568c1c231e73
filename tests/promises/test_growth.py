"""The code of a program grows with the program: four times the statements, four times the code.

Nothing is timed: operations of low IR are counted, and lines of LLVM's text.
"""

import pytest

from scriptc import script
from scriptc.backends.llvm.backend import emit
from scriptc.driver import to_core, to_low
from scriptc.function_types import request_of
from scriptc.options import Options
from scriptc.specialise.specialise import root_of
from scriptc_runtime.ir import walk
from tests.benchmarks.growth_programs import KINDS, arguments
from tests.support.live_source import live_module
from tests.support.llvm_calls import spec_of

SHORTEST, LONGEST = 3, 12
# Four times the code would be 4. Short chains fit into one kernel, long ones do not: more is left.
MOST = 7


def sizes(kind: str, length: int) -> tuple[int, int]:
    """Return how many operations and lines a program of some length takes."""
    main = vars(live_module(KINDS[kind].text(length), f"{kind} {length}.py"))["main"]
    names = main.__code__.co_varnames[: main.__code__.co_argcount]
    request = request_of(script(main), arguments(names))
    core = to_core([root_of(request)], Options())
    low = to_low(core.module, Options())
    operations = sum(1 for function in low.functions.values() for _ in walk(function.body))
    text = emit(low, [spec_of(low.functions[core.root.name])]).text
    return operations, text.count("\n")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("kind", KINDS)
def test_code_grows_no_faster_than_the_program(kind: str) -> None:
    length = min(max(KINDS[kind].size, SHORTEST), LONGEST)
    short, long = sizes(kind, length), sizes(kind, 4 * length)
    for before, after in zip(short, long, strict=True):
        assert after <= MOST * before


def test_what_raises_releases_arrays_in_code_for_all() -> None:
    """Each statement may raise, when all arrays of those before it are there."""
    lines = [sizes("arrays that stay", length)[1] for length in (8, 16, 32)]
    assert lines[2] - lines[1] < 2.4 * (lines[1] - lines[0])
