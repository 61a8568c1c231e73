"""Golden cases of lowering: core IR as it comes from the source, before any pass."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from scriptc.check.program import check_program
from scriptc.check.roots import Root
from scriptc.lower.program import lower_program
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.verify.module import verify
from tests.support.cases import Case, Stage, case_paths
from tests.support.live_source import argument_types, last_function, live_module

PATHS = case_paths("lower")


def _ir(case: Case) -> str:
    function = last_function(live_module(case.inputs["source"] + "\n"))
    types = argument_types(function, case.inputs.get("args", ""))
    module = lower_program(check_program([Root(function, types)]))
    verify(module)
    return write_module(module, locations=False)


STAGES: Mapping[str, Stage] = {"ir": _ir}


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_a_program_lowers_to_this_ir(path: Path, bless: bool) -> None:
    Case.read(path).check(STAGES, bless=bless)
