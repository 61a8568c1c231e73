"""Wrong programs: one diagnostic for each cause, with the place and a way out."""

import pickle
from collections.abc import Mapping
from pathlib import Path

import pytest

from scriptc import script
from scriptc.check.program import check_program
from scriptc.check.roots import Root
from scriptc_runtime.errors import ScriptError
from tests.support.cases import Case, Stage, case_paths
from tests.support.live_source import argument_types, last_function, live_module

PATHS = case_paths("errors")


def _error(case: Case) -> str:
    function = last_function(live_module(case.inputs["source"] + "\n"))
    types = argument_types(function, case.inputs.get("args", ""))
    try:
        check_program([Root(function, types)])
    except ScriptError as error:
        return str(error)
    return "no error"


STAGES: Mapping[str, Stage] = {"error": _error}


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_a_wrong_program_is_refused_with_its_reason(path: Path, bless: bool) -> None:
    Case.read(path).check(STAGES, bless=bless)


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_every_refusal_has_a_place_and_a_way_out(path: Path) -> None:
    function = last_function(live_module(Case.read(path).inputs["source"] + "\n"))
    types = argument_types(function, Case.read(path).inputs.get("args", ""))
    with pytest.raises(ScriptError) as caught:
        check_program([Root(function, types)])
    for diagnostic in caught.value.diagnostics:
        assert diagnostic.span is not None
        assert diagnostic.instead or diagnostic.why


def test_an_error_goes_to_another_process() -> None:
    def wrong(x: int) -> int:
        return x.missing  # pyright: ignore

    with pytest.raises(ScriptError) as caught:
        script(wrong)(1)
    received = pickle.loads(pickle.dumps(caught.value))
    assert type(received) is type(caught.value)
    assert str(received) == str(caught.value)
    assert [d.code for d in received.diagnostics] == [d.code for d in caught.value.diagnostics]
