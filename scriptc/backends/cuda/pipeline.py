"""The passes that make kernels for a CUDA device, in their order, and what kernels may hold.

They come last of those in `scriptc/device_pipeline.py`.
"""

from collections.abc import Sequence

from scriptc.backends.cuda.checks import may_fail
from scriptc.backends.cuda.number_types import C_TYPES
from scriptc.backends.cuda.rules import EXPRESSIONS, STRUCTURE
from scriptc.kernels.device.collapse_sums import collapse_sums
from scriptc.kernels.device.enclose import enclose
from scriptc.kernels.device.plain_messages import plain_messages
from scriptc.kernels.device.raise_failed import raise_failed_for
from scriptc.kernels.device.room_for_rows import room_for_rows
from scriptc.kernels.device.share_reductions import share_reductions
from scriptc.kernels.device.stage import stage
from scriptc.kernels.fusion.fuse import fuse_into_nests
from scriptc.kernels.loops.lower_prange import lower_prange
from scriptc.kernels.loops.outline import outline_for
from scriptc.kernels.loops.parallelise import parallelise
from scriptc.kernels.loops.skip_empty import skip_empty
from scriptc.kernels.loops.split_reductions import split_for_device
from scriptc.kernels.loops.version_bounds import version_bounds
from scriptc.kernels.loops.while_to_for import while_to_for
from scriptc.passes.dce import dce
from scriptc.passes.pipeline import CLEAN, Pass
from scriptc.passes.unchecked import unchecked
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import data, low
from scriptc_runtime.types import TensorType

# What kernels hold only where the passes put it, not by itself.
_PLACED = (low.NEW_ARRAY,)


def runs_in_kernels(instr: Instr) -> bool:
    """Whether a thread can run an instruction, whatever the blocks of it hold."""
    if instr.op in _PLACED or not all(map(_is_known, (*instr.operands, *instr.results))):
        return False
    if instr.op in STRUCTURE:
        return instr.op is not data.CONST or instr.result.type in C_TYPES
    rule = EXPRESSIONS.get(instr.op)
    return (
        rule is not None
        and rule(instr, [f"{{{i}}}" for i in range(len(instr.operands))]) is not None
    )


def _is_known(value: Value) -> bool:
    type_ = value.type
    return (type_.dtype if isinstance(type_, TensorType) else type_) in C_TYPES


# Nests and loops of functions, as the passes behind share them.
TO_LOOPS: Sequence[Pass] = (
    *(plain_messages, unchecked, while_to_for, version_bounds, unchecked),
    *(fuse_into_nests, collapse_sums, split_for_device, *CLEAN, parallelise),
)
TO_KERNELS: Sequence[Pass] = (
    *(share_reductions, lower_prange, room_for_rows, skip_empty),
    *(stage, enclose(runs_in_kernels), outline_for(runs_in_kernels), dce),
    raise_failed_for(may_fail),
)
