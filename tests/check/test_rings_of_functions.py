"""Functions that call each other in a ring: each level is checked as often as the others."""

import pytest

from scriptc import script
from scriptc.check.functions import FunctionPass
from scriptc.driver import to_core
from scriptc.function_types import request_of
from scriptc.options import Options
from scriptc.specialise.specialise import root_of
from tests.benchmarks.growth_programs import KINDS, arguments
from tests.support.live_source import live_module


def passes(kind: str, length: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many passes over functions the check of a program takes."""
    count = 0
    run = FunctionPass.run

    def counted(self: FunctionPass) -> None:
        nonlocal count
        count += 1
        run(self)

    monkeypatch.setattr(FunctionPass, "run", counted)
    main = vars(live_module(KINDS[kind].text(length), f"{kind} {length}.py"))["main"]
    names = main.__code__.co_varnames[: main.__code__.co_argcount]
    to_core([root_of(request_of(script(main), arguments(names)))], Options())
    monkeypatch.undo()
    return count


@pytest.mark.parametrize("kind", ["levels of a parser", "ring of functions"])
def test_each_level_is_checked_as_often_as_the_others(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    short, middle, long = (passes(kind, length, monkeypatch) for length in (4, 8, 16))
    assert long - middle <= 3 * (middle - short)
