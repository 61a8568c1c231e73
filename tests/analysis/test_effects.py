"""What is known of the effects of a function outlives the pass that asked, as long as it holds."""

import gc
from weakref import ref

from scriptc.analysis.effects import ModuleEffects
from scriptc_runtime.record import replace
from scriptc_runtime.text.reader import read_module

CALLER = """
func @f(%x: list<float>) -> None {
  %0 = call %x [callee="g", result=None] : None
  exit @return %0
}
"""
QUIET = """
func @g(%x: list<float>) -> None {
  %0 = const [value=none] : None
  exit @return %0
}
"""
WRITES = """
func @g(%x: list<float>) -> None {
  %0 = const [value=0] : int
  %1 = const [value=0.0] : float
  list_set %x, %0, %1
  %2 = const [value=none] : None
  exit @return %2
}
"""


def test_what_is_known_of_a_function_is_kept_for_the_next_pass() -> None:
    module = read_module(CALLER + QUIET)
    first = ModuleEffects(module).function("f")
    assert ModuleEffects(replace(module)).function("f") is first


def test_a_callee_that_does_something_else_makes_it_anew() -> None:
    module, other = read_module(CALLER + QUIET), read_module(CALLER + WRITES)
    assert not ModuleEffects(module).function("f").written()
    changed = module.with_functions({**module.functions, "g": other.functions["g"]})
    assert ModuleEffects(changed).function("f").written() == set(module.functions["f"].params)
    assert not ModuleEffects(module).function("f").written()


def test_a_function_that_nobody_has_is_freed() -> None:
    module = read_module(QUIET)
    function = ref(module.functions["g"])
    ModuleEffects(module).summary("g")
    del module
    gc.collect()
    assert function() is None
