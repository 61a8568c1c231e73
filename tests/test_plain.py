"""Plain modules: the few passes that they go through give what all passes give."""

from collections.abc import Sequence
from functools import reduce

import pytest

from scriptc.driver import FIRST, PLAIN
from scriptc.kernels.pipeline import TO_LOW
from scriptc.lower.program import lower_program
from scriptc.passes.pipeline import OPTIMISE, Pass
from scriptc.passes.plain import is_plain
from scriptc_runtime.ir import Module
from scriptc_runtime.text.writer import write_module
from tests.test_lower_programs import CASES, checked

# One call of each program, and of the programs every fifth.
PROGRAMS = list({function: (function, arguments) for _, function, arguments in CASES}.values())[::5]


def _run(passes: Sequence[Pass], module: Module) -> Module:
    return reduce(lambda found, step: step(found), passes, module)


@pytest.fixture(scope="module")
def plain() -> list[Module]:
    opened = (
        _run((*OPTIMISE, *FIRST), lower_program(checked(function, arguments)))
        for function, arguments in PROGRAMS
    )
    return [module for module in opened if is_plain(module)]


def test_the_other_passes_leave_plain_modules_as_they_are(plain: list[Module]) -> None:
    assert len(plain) >= 10
    for module in plain:
        assert write_module(_run(PLAIN, module)) == write_module(_run(TO_LOW, module))
