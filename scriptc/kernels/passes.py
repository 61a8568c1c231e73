"""The passes over modules that work on whole arrays, or have loops inside of loops, in their order.

They come after the first passes of the driver.  A module that is plain has other passes.
"""

from collections.abc import Sequence

from scriptc.kernels.fusion.fuse import fuse, fuse_into_nests
from scriptc.kernels.fusion.masked import fold_masked
from scriptc.kernels.fusion.predicated import predicate
from scriptc.kernels.loops.ahead import check_ahead
from scriptc.kernels.loops.batches import batch_products
from scriptc.kernels.loops.bounded import bound_ints
from scriptc.kernels.loops.buffers import keep_buffers
from scriptc.kernels.loops.counted import count_rounds
from scriptc.kernels.loops.empty import skip_empty
from scriptc.kernels.loops.exact import not_exact
from scriptc.kernels.loops.exchange import exchange
from scriptc.kernels.loops.few import few
from scriptc.kernels.loops.first_round import move_before_rounds
from scriptc.kernels.loops.guards import split_guards
from scriptc.kernels.loops.independent import mark_independent
from scriptc.kernels.loops.jam import jam_rows
from scriptc.kernels.loops.jam_folds import jam_folds
from scriptc.kernels.loops.jam_sums import jam_sums
from scriptc.kernels.loops.merge import merge_axes
from scriptc.kernels.loops.outline import outline
from scriptc.kernels.loops.pack import pack
from scriptc.kernels.loops.partial import share_folds
from scriptc.kernels.loops.polled import look_for_signals
from scriptc.kernels.loops.powers import choose_powers
from scriptc.kernels.loops.rounds import share_rounds
from scriptc.kernels.loops.side_by_side import nest_side_by_side
from scriptc.kernels.loops.stagger import stagger
from scriptc.kernels.loops.straight import straight
from scriptc.kernels.loops.turn import jam_rounds, turn
from scriptc.kernels.loops.versions import version_loops, version_loops_apart
from scriptc.kernels.loops.whole_rows import nest_whole_rows
from scriptc.passes.ownership import ownership
from scriptc.passes.pipeline import CLEAN, Pass
from scriptc.passes.unchecked import unchecked

_MASKS: Sequence[Pass] = (predicate, fold_masked, unchecked)
_NESTS: Sequence[Pass] = (unchecked, turn, pack, jam_rounds, stagger)
_CHECKS: Sequence[Pass] = (move_before_rounds, check_ahead, bound_ints)
_FOLDS: Sequence[Pass] = (jam_folds, share_folds)
_ROUNDS: Sequence[Pass] = (
    nest_whole_rows, nest_side_by_side, merge_axes, few, jam_rows, mark_independent, jam_sums,
    share_rounds, choose_powers, straight, skip_empty, look_for_signals, outline,
)  # fmt: skip
TO_KERNELS: Sequence[Pass] = (
    *_MASKS, version_loops, *_NESTS, fuse_into_nests, *CLEAN, skip_empty, outline,
)  # fmt: skip
TO_LOW: Sequence[Pass] = (
    split_guards, *_MASKS, count_rounds, version_loops_apart, *map(not_exact, (*_NESTS, *_CHECKS)),
    batch_products, not_exact(exchange), fuse, *map(not_exact, _FOLDS), *CLEAN,
    *map(not_exact, _ROUNDS), keep_buffers, ownership,
)  # fmt: skip
