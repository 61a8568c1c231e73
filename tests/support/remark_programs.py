"""A program for each message that a pass may leave: one of tests/programs, or a text."""

from collections.abc import Mapping

_HEAD = "import numpy as np\nfrom scriptc.types import K, M, N, f64\n\n"
SMALL = f"""{_HEAD}
def product(a: f64[2, 2], b: f64[2, 2]) -> f64[2, 2]:
    return a @ b
"""
BATCHES = f"""{_HEAD}
def behind(c: f64[N, N], a: f64[K, N], b: f64[K, N]) -> None:
    for i in range(len(c) - 1):
        c[i, i + 1 :] = a[:, i] @ b[:, i + 1 :]
"""
LEANING = f"""{_HEAD}
def leaning(a: f64[N, M]) -> None:
    for j in range(1, a.shape[1]):
        for i in range(a.shape[0] - 1):
            a[i, j] = a[i + 1, j - 1] + 1.0
"""
ADDED = f"""{_HEAD}
def added(x: f64[N]) -> f64:
    return np.sum(x)
"""
COLUMNS = f"""{_HEAD}
def turned(x: f64[N, M], y: f64[M, N]) -> f64[M, N]:
    return x.T / y + 1.0
"""
POWERS = f"""{_HEAD}
def raised(x: f64[N], p: f64) -> f64[N]:
    return x ** p
"""
SOFTMAX = f"""{_HEAD}
def softmax(x: f64[N, M]) -> f64[N, M]:
    e = np.exp(x)
    return e / np.sum(e, axis=1, keepdims=True)
"""
SUMMED = f"""{_HEAD}
def total(x: f64[N]) -> float:
    result = 0.0
    for value in x:
        result += value
    return result
"""
BINNED = f"""{_HEAD}
def binned(x: f64[N], n: int):
    counts = np.zeros(n)
    for value in x:
        k = int(value)
        if 0 <= k < n:
            counts[k] += 1.0
    return counts
"""
# More arrays that are needed at one time than memory is kept for.
_MADE = "".join(f"        a{i} = np.empty(len(x))\n        a{i}[0] = n\n" for i in range(66))
_SUM = " + ".join(f"a{i}[0]" for i in range(66))
MANY = f"""{_HEAD}
def many(x: f64[N], n: int) -> float:
    total = 0.0
    for _ in range(n):
{_MADE}        total += {_SUM}
    return total
"""

# By module, without `scriptc.`, and name. What LLVM says is in the golden cases.
SHOWN_BY: Mapping[str, str] = {
    "analysis.peak_memory.PEAK": "arrays.broadcast_error",
    "backends.cuda.plans.CHOSEN": "arrays.broadcast_error",
    "backends.llvm.rules.control.IN_ORDER": "arrays.iterate",
    "backends.llvm.rules.nests.COLUMNS": "products.vector_and_stack",
    "backends.llvm.rules.nests.IN_LANES": "arrays.broadcast_error",
    "backends.llvm.rules.nests.IN_TILES": COLUMNS,
    "backends.llvm.rules.nests.SUMMED": "complexes.products_of_sizes",
    "backends.llvm.rules.nests.TURNED": "products.products_of_stacks",
    "backends.llvm.vectors.apart.IN_LANES": "elements_apart.quotients_of_columns",
    "backends.llvm.vectors.apart.SCATTERED": "arrays.broadcast_error",
    "kernels.fusion.cuts.READ_THROUGH": "read_through.scaled_ends",
    "kernels.fusion.fuse.IN_MEMORY": "arrays.broadcast_error",
    "kernels.fusion.indexing.checked.MADE": MANY,
    "kernels.fusion.indexing.gather.PLACES": "fused_picks.product",
    "kernels.fusion.indexing.masked_stores.MASKED": "masked_stores.moved",
    "kernels.fusion.products.CALLED": "contractions.misfits",
    "kernels.fusion.products.NEST": SMALL,
    "kernels.fusion.products.STORED": "contractions.misfits",
    "kernels.fusion.products.TOGETHER": "numerics.matrix_vector",
    "kernels.fusion.products.VECTOR": "arrays.product_mismatch",
    "kernels.fusion.reductions.leading_axes.ALONG_ROWS": "products.vector_and_stack",
    "kernels.fusion.reductions.masked.FOLDED": "picking.ends_where",
    "kernels.fusion.schedule.APART": "arrays.argmax_of_columns",
    "kernels.fusion.schedule.FUSED": "shapes.fifty",
    "kernels.fusion.schedule.ONE_LOOP": "complex_functions.power",
    "kernels.fusion.schedule.ONE_VERSION": "products.in_place",
    "kernels.fusion.schedule.TWO_VERSIONS": "arrays.broadcast_error",
    "kernels.fusion.spaced_arrays.PACKED": "spaced_views.limited",
    "kernels.fusion.stores.COPIED": "ufunc_methods.shortest",
    "kernels.fusion.stores.EITHER": "hints.written",
    "kernels.fusion.stores.STORED": "complex_functions.in_place",
    "kernels.loops.collapse.MERGED": "complexes.matrix_product",
    "kernels.loops.double_buffer.COPIED": "buffers.copied_and_used_after",
    "kernels.loops.double_buffer.EXCHANGED": "buffers.copied_each_round",
    "kernels.loops.fuse_siblings.TOGETHER": "siblings.statistics",
    "kernels.loops.gemv_to_gemm.BATCHED": BATCHES,
    "kernels.loops.gemv_to_gemm.SINGLE": "products.products_of_stacks",
    "kernels.loops.hoist_checked.HOISTED": "complex_functions.of_elements",
    "kernels.loops.inspect_ahead.AHEAD": "checked_indices.counted",
    "kernels.loops.inspect_ahead.BLOCKS": "bounded_floats.scaled",
    "kernels.loops.inspect_ahead.CONVERTED": BINNED,
    "kernels.loops.inspect_ahead.NOT_TESTED": "arrays.histogram",
    "kernels.loops.interchange.JAMMED": "independent.one_place",
    "kernels.loops.interchange.NOT_TURNED": LEANING,
    "kernels.loops.interchange.TURNED": "first_steps.windows_of_line",
    "kernels.loops.jam_reductions.JAMMED": "edges.widening_nested",
    "kernels.loops.lower_prange.COMBINED": "parallel.large",
    "kernels.loops.lower_prange.INNER": "parallel.nested",
    "kernels.loops.lower_prange.NOT_SHARED": "parallel.complexes",
    "kernels.loops.lower_prange.SHARED": "linalg.real_roots",
    "kernels.loops.normalise.WHOLE": "short_rows.within_bounds",
    "kernels.loops.outer_vectorise.OUTER": "convolutions.columns",
    "kernels.loops.outline.SHARED": "arrays.broadcast_error",
    "kernels.loops.pack.PACKED": "numerics.rank_updates",
    "kernels.loops.parallelise.NOT_SHARED": "arrays.iterate_rows",
    "kernels.loops.parallelise.SHARED": "linalg.real_roots",
    "kernels.loops.reuse_buffers.NEW": "lists.neighbours",
    "kernels.loops.reuse_buffers.REUSED": "unique_ints.once",
    "kernels.loops.reuse_buffers.TOO_MANY": MANY,
    "kernels.loops.scalarise.OPENED": "first_steps.windows_of_line",
    "kernels.loops.rows_to_lanes.SIDE_BY_SIDE": SOFTMAX,
    "kernels.loops.share_tasks.SHARED": "side_by_side.scans",
    "kernels.loops.skew.SKEWED": "sweeps.leaning",
    "kernels.loops.specialise_exponent.POWERS": POWERS,
    "kernels.loops.specialise_trip_count.FEW": "complexes.products_of_sizes",
    "kernels.loops.split_index_set.SPLIT": "guards.returned",
    "kernels.loops.split_reductions.ALONE": "products.vector_and_stack",
    "kernels.loops.split_reductions.CHUNKS": ADDED,
    "kernels.loops.streaming_stores.PAST": "arrays.broadcast_error",
    "kernels.loops.tile.STRIPS": "short_rows.smoothed",
    "kernels.loops.tile_reductions.TILED": "picking.means_of_rings",
    "kernels.loops.unroll.UNROLLED": "curves.geometric_ends",
    "kernels.loops.unroll_and_jam.SIDE_BY_SIDE": "arrays.broadcasting",
    "kernels.loops.version_bounds.KEPT": "arrays.reductions_axis",
    "kernels.loops.version_bounds.MOVED": "arrays.reductions_axis",
    "kernels.loops.version_bounds.TWO_VERSIONS": "arrays.reductions_axis",
    "kernels.loops.version_overflow.BOUNDED": "lists.set_every",
    "kernels.loops.version_overflow.TWO_VERSIONS": "lists.set_every",
    "kernels.loops.while_to_for.COUNTED": "parts.bin_of_number",
    "kernels.loops.while_to_for.NOT_COUNTED": "picking.set_rows_to_array",
    "kernels.scalar_replacement.REPLACED": "shapes.tuple_too_long",
    "passes.hoist_arrays.ONCE": "values_of_arrays.invariant",
    "passes.inline.INLINED": "deciding_arguments.unknown_kind",
    "passes.inline.KEPT": "closures.calls_itself",
    "passes.plain.ALONE": SUMMED,
    "passes.simplify_arrays.NOT_COPIED": "algebra_of_arrays.copy_of_sorted",
    "passes.simplify_arrays.PICKED": "algebra_of_arrays.part_of_a_root",
    "passes.unchecked.FITS": "picking.set_rows_to_array",
    "passes.unchecked.INSIDE": "unpacking.one",
}
