"""Plain modules: the few passes that they go through give what all passes give."""

from collections.abc import Sequence
from functools import reduce

import pytest

from scriptc.driver import FIRST, PLAIN
from scriptc.kernels.loops.share_tasks import share_tasks
from scriptc.kernels.pipeline import TO_LOW
from scriptc.lower.program import lower_program
from scriptc.passes.pipeline import OPTIMISE, Pass
from scriptc.passes.plain import is_plain
from scriptc_runtime.ir import Module
from scriptc_runtime.text.writer import write_module
from tests.support.program_cases import PROGRAMS, checked

# How many programs one that is looked at stands for.
ALL, SOME = 11, 44


def _run(passes: Sequence[Pass], module: Module) -> Module:
    return reduce(lambda found, step: step(found), passes, module)


@pytest.fixture(scope="module")
def plain(thorough: bool) -> list[Module]:
    opened = (
        _run((*OPTIMISE, *FIRST), lower_program(checked(p.function, p.calls[0])))
        for p in PROGRAMS[:: ALL if thorough else SOME]
    )
    return [module for module in opened if is_plain(module)]


def test_the_other_passes_leave_plain_modules_as_they_are(plain: list[Module]) -> None:
    assert len(plain) >= 10
    # Loops of scalars that are tasks are worth a call of a function only beside loops on arrays.
    others = [step for step in TO_LOW if step is not share_tasks]
    for module in plain:
        assert write_module(_run(PLAIN, module)) == write_module(_run(others, module))
