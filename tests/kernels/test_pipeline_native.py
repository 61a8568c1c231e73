"""Random array programs as machine code: the same results, writes, exceptions, and no block left.

More of them: `python -m tests.kernels.test_pipeline_native 500`.
"""

import gc
import random
import sys

import pytest

from scriptc.kernels.fusion.fuse import fuse
from scriptc.kernels.loops.outline import outline
from scriptc.kernels.loops.version_bounds import version_bounds
from scriptc.passes.ownership import ownership
from scriptc.passes.pipeline import CLEAN, OPTIMISE
from scriptc_runtime.ir import Module
from scriptc_runtime.text.writer import write_module
from tests.support.llvm_calls import live_blocks, natives
from tests.support.outcomes import ending, outcome, same
from tests.support.programs_ir import make_program


def lowered(module: Module) -> Module:
    for step in (*OPTIMISE, version_bounds, fuse, *CLEAN, outline, ownership):
        module = step(module)
    return module


@pytest.mark.parametrize("seed", range(8))
def test_machine_code_does_what_core_ir_does(seed: int) -> None:
    program = make_program(random.Random(seed))
    text = write_module(program.module)
    params = [p.name for p in program.module.functions["f"].params]
    native = natives(list(lowered(program.module).functions.values()), writes=params)["f"]
    blocks = live_blocks()
    expected = outcome(program.module, "f", program.make_arguments())
    found = ending(native, program.make_arguments())
    assert same(expected, found), f"{text}\n{program.arguments}\n{expected}\n{found}"
    gc.collect()
    assert live_blocks() == blocks, text


if __name__ == "__main__":
    for number in range(int(sys.argv[1])):
        test_machine_code_does_what_core_ir_does(number)
