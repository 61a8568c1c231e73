"""What single instructions do, asked of each kind; and that passes ask nowhere else."""

from pathlib import Path
from weakref import ref

import pytest

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.instr_kinds import (
    computes,
    computes_only,
    is_straight,
    is_unnoticed,
    may_raise,
    raises_on_elements,
)
from scriptc_runtime.ir import Instr, walk
from scriptc_runtime.record import replace
from scriptc_runtime.text.reader import read_module

SCRIPTC = Path(__file__).parents[2] / "scriptc"
TEXT = """\
func @f(%x: tensor<f64, [N]>, %n: int, %a: float, %s: str) -> float {
  %0 = const [value=1] : int
  %1 = floordiv %n, %0 : int
  %2 = index %x, %n : f64
  %3 = div %a, %a : float
  %4 = neg %a : float
  %5 = exp %x : tensor<f64, [N]>
  print %s
  exit @return %4
}
"""
KINDS = {
    "const": (computes_only, computes, is_unnoticed, is_straight),
    "floordiv": (computes, may_raise, is_straight),
    "index": (may_raise, is_straight),
    "div": (computes, may_raise, is_straight),
    "neg": (computes_only, computes, is_unnoticed, is_straight),
    "exp": (is_straight,),
    "print": (is_straight,),
    "exit": (),
}
QUESTIONS = (computes_only, computes, is_unnoticed, is_straight, may_raise)


@pytest.fixture(scope="module")
def instrs() -> dict[str, Instr]:
    function = read_module(TEXT).functions["f"]
    return {instr.op.name: instr for instr in walk(function.body)}


@pytest.mark.parametrize("op", KINDS)
def test_questions_are_answered_by_the_op_and_its_types(op: str, instrs: dict[str, Instr]) -> None:
    answers = {question for question in QUESTIONS if question(instrs[op])}
    assert answers - {may_raise} == set(KINDS[op]) - {may_raise}
    if op in ("floordiv", "index", "div"):
        assert may_raise in answers


def test_an_elementwise_op_is_asked_about_its_elements(instrs: dict[str, Instr]) -> None:
    assert not raises_on_elements(instrs["exp"])
    assert raises_on_elements(instrs["floordiv"])
    assert not raises_on_elements(instrs["print"])


def test_definitions_are_found_once_for_a_function_and_go_with_it() -> None:
    function = read_module(TEXT).functions["f"]
    found = definitions_of(function)
    assert {i.op.name for i in found.values()} == KINDS.keys() - {"print", "exit"}
    assert definitions_of(function) is found
    assert definitions_of(replace(function, name="g")) is not found
    seen = ref(function)
    del function
    assert seen() is None


def test_nothing_else_asks_an_op_for_its_effects() -> None:
    asking = {
        str(path.relative_to(SCRIPTC))
        for path in SCRIPTC.rglob("*.py")
        if ".op.effects(" in path.read_text(encoding="utf-8")
    }
    assert asking == {"analysis/instr_kinds.py"}
