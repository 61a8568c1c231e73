"""The passes over modules that work on whole arrays, or have loops inside of loops, in their order.

They come after the first passes of the driver.  A module that is plain has other passes.
"""

from collections.abc import Sequence

from scriptc.kernels.fusion.fuse import fuse
from scriptc.kernels.fusion.indexing.masked_stores import mask_stores
from scriptc.kernels.fusion.reductions.masked import reduce_masked
from scriptc.kernels.loops.collapse import collapse
from scriptc.kernels.loops.double_buffer import double_buffer
from scriptc.kernels.loops.extract_loops import extract_loops
from scriptc.kernels.loops.fallback import not_fallback
from scriptc.kernels.loops.fuse_siblings import fuse_siblings
from scriptc.kernels.loops.gemv_to_gemm import gemv_to_gemm
from scriptc.kernels.loops.hoist_checked import hoist_checked
from scriptc.kernels.loops.inspect_ahead import inspect_ahead
from scriptc.kernels.loops.interchange import interchange, jam_loops
from scriptc.kernels.loops.jam_reductions import jam_reductions
from scriptc.kernels.loops.lower_prange import lower_prange
from scriptc.kernels.loops.normalise import normalise
from scriptc.kernels.loops.outer_vectorise import outer_vectorise
from scriptc.kernels.loops.outline import outline
from scriptc.kernels.loops.pack import pack
from scriptc.kernels.loops.parallelise import parallelise
from scriptc.kernels.loops.poll_signals import poll_signals
from scriptc.kernels.loops.reuse_buffers import reuse_buffers
from scriptc.kernels.loops.rows_to_lanes import rows_to_lanes
from scriptc.kernels.loops.share_tasks import share_tasks
from scriptc.kernels.loops.skew import skew
from scriptc.kernels.loops.skip_empty import skip_empty
from scriptc.kernels.loops.specialise_exponent import specialise_exponent
from scriptc.kernels.loops.specialise_trip_count import specialise_trip_count
from scriptc.kernels.loops.split_index_set import split_index_set
from scriptc.kernels.loops.split_reductions import split_reductions
from scriptc.kernels.loops.tile_reductions import tile_reductions
from scriptc.kernels.loops.unroll import unroll
from scriptc.kernels.loops.unroll_and_jam import unroll_and_jam
from scriptc.kernels.loops.version_bounds import version_bounds_apart
from scriptc.kernels.loops.version_overflow import version_overflow
from scriptc.kernels.loops.while_to_for import while_to_for
from scriptc.passes.ownership import ownership
from scriptc.passes.pipeline import CLEAN, Pass
from scriptc.passes.unchecked import unchecked

_MASKS: Sequence[Pass] = (mask_stores, reduce_masked, unchecked)
_NESTS: Sequence[Pass] = (unchecked, interchange, pack, jam_loops, skew)
_CHECKS: Sequence[Pass] = (hoist_checked, inspect_ahead, version_overflow)
_REDUCTIONS: Sequence[Pass] = (tile_reductions, fuse_siblings, split_reductions)
_LOOPS: Sequence[Pass] = (
    normalise, outer_vectorise, collapse, specialise_trip_count, unroll_and_jam, parallelise,
    jam_reductions, lower_prange, specialise_exponent, unroll, rows_to_lanes, skip_empty,
    poll_signals, outline, extract_loops,
)  # fmt: skip
TO_LOW: Sequence[Pass] = (
    split_index_set, *_MASKS, while_to_for, version_bounds_apart,
    *map(not_fallback, (*_NESTS, *_CHECKS)), gemv_to_gemm, not_fallback(double_buffer), fuse,
    *map(not_fallback, _REDUCTIONS), *CLEAN, *map(not_fallback, _LOOPS), share_tasks, reuse_buffers,
    ownership,
)  # fmt: skip
