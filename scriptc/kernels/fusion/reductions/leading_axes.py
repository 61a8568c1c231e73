"""Folds over axes that are not the last ones: rows are added to a row of results.

    np.sum(x, axis=0)       for each block of columns:  for each row i:  total[j] += x[i, j]

The inner loop runs along memory and is vectorised; the block of results stays in the cache. An
iteration of it takes several rows, one after the other for each element, so that results are loaded
and stored once for all of them, and memory is read in several streams. The streams should be long:
where they end, the processor fetches what is not needed, and waits for what is. So blocks are wide,
and short rows stand side by side, see `wide_rows.py`.

A few rows are folded in registers instead, see `columns.py`.

The order of the additions is fixed, and the same for every number of threads.  A sum of floats is
made of sums of `ROWS` rows each; two sums of as many rows are added to one, as carries run in a
binary counter.  So an element takes part in at most ROWS + log2(rows / ROWS) additions, which is
the bound of its error in units of eps * sum(|x|).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from scriptc.analysis.remarks import Kind, Message, Topic, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import nests, shapes
from scriptc.kernels.fusion.nodes import Fold, Source, is_costly, topological
from scriptc.kernels.fusion.reductions.columns import in_lanes, is_short, over_columns
from scriptc.kernels.fusion.reductions.wide_rows import WideRows, can_widen
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record
from scriptc_runtime.types import DType, TensorType, int_limits

ALONG_ROWS = Message(
    "leading_axes",
    Topic.ORDER,
    Kind.DONE,
    "the {kind} over axis {axes} runs along memory: rows are combined into a row of results",
)

# Of a block of columns: many pages of each row, and results that a cache holds. A single row of
# results may be as wide as `WIDEST`, where threads leave so much to one of them.
COLUMNS, WIDEST = 16384, 32768
ROWS = 64
# Rows of one iteration, for elements of at most so many nodes: their code stands there once for
# each.
_JAMMED = ((4, 8), (12, 4))
# Rows of several arrays: more are too many streams for a processor. Rows of wide extremes: each
# vector takes three instructions, and a processor looks no further ahead than some hundreds.
_FEWER = 4
COMBINE: Mapping[str, OpDef] = {"sum": e.ADD, "product": e.MUL, "max": e.MAXIMUM, "min": e.MINIMUM}
_FLOAT_ENDS = {"product": 1.0, "max": -math.inf, "min": math.inf}


def identity(code: Code, kind: str, dtype: DType) -> Value:
    """Return what a fold of no elements gives."""
    value: bool | int | float
    match dtype.kind:
        case "b":
            value = kind == "min"
        case "i" | "u":
            least, greatest = int_limits(dtype)
            value = {"product": 1, "max": least, "min": greatest}.get(kind, 0)
        case _:
            value = _FLOAT_ENDS.get(kind, 0.0)
    return code.builder.emit(data.CONST, loc=code.loc, value=value, dtype=dtype)


def accumulate(code: Code, emitter: nests.NestEmitter, fold: Fold, target: Value) -> None:
    """Emit `fold`, whose argument holds no fold, into the array `target`."""
    code = code.at(fold.loc)
    remark(ALONG_ROWS, fold.loc, kind=fold.kind, axes=fold.reduced)
    target = emitter.array(target)
    if not (emitter.is_fast and in_lanes(fold)):
        _long_rows(code, emitter, fold, target)
        return

    def columns() -> Sequence[Value]:
        over_columns(code, emitter, fold, target)
        return ()

    def blocks() -> Sequence[Value]:
        _long_rows(code, emitter, fold, target)
        return ()

    code.choose(is_short(code, fold, ROWS), columns, blocks, "columns")


def _long_rows(code: Code, emitter: nests.NestEmitter, fold: Fold, target: Value) -> None:
    """Emit `fold`, of rows side by side where that can be."""

    def plainly() -> Sequence[Value]:
        _Accumulator(code, emitter, fold).into(target)
        return ()

    if not (emitter.is_fast and code.has_functions and can_widen(fold)):
        plainly()
        return
    rows = WideRows(code, emitter, fold, COMBINE[fold.kind])
    dense = rows.is_dense()

    def side_by_side() -> Sequence[Value]:
        rows.into(target, dense, lambda long, parts: _Accumulator(code, emitter, long).into(parts))
        return ()

    if dense is not None and rows.needs_dense:
        code.choose(dense, side_by_side, plainly, "dense")
    else:
        side_by_side()


@record(eq=False)
class _Columns:
    """A block of columns: where it starts, how wide it is, and the indices of the axes around."""

    around: Mapping[int, Value]
    start: Value
    width: Value


class _Accumulator:
    """The axes of `fold.arg` are those around, one of columns, rows, and a tail of reduced axes."""

    def __init__(self, code: Code, emitter: nests.NestEmitter, fold: Fold) -> None:
        self._code = code
        self._emitter = emitter
        self._fold = fold
        rank = len(fold.arg.axes)
        kept = [a for a in range(rank) if a not in fold.reduced]
        self._column = kept[-1]
        self._around = kept[:-1]
        self._rows = [a for a in fold.reduced if a < self._column]
        self._tail = [a for a in fold.reduced if a > self._column]
        # Elements that are folds themselves are loops, which read memory in streams of their own.
        self._jam = 1 if self._tail else _jam(fold)
        self._is_pairwise = fold.is_rounded_sum and bool(self._rows)
        self._size = fold.arg.axes[self._column].size
        self._count, self._width = self._parts()
        self._total = self.row()

    def into(self, target: Value) -> None:
        """Emit the fold of all columns."""
        fill = _PairwiseSum(self._code, self).fill if self._is_pairwise else self.fill_in_order
        self._over_around(self._around, {}, lambda around: self._blocks(around, fill, target))

    def _parts(self) -> tuple[Value, Value]:
        """Return how many blocks of columns there are, and how wide they are."""
        code, one = self._code, self._code.number(1)
        count = _quotient_up(code, self._size, code.number(COLUMNS))
        if not self._is_pairwise:
            widest = _quotient_up(code, self._size, code.number(WIDEST))
            count = code.op(e.MAXIMUM, widest, code.op(low.SHARES, count))
        return count, _quotient_up(code, self._size, code.op(e.MAXIMUM, count, one))

    def row(self, *sizes: Value) -> Value:
        """Return a new row for a block, or an array of such rows."""
        type_ = TensorType(self._fold.dtype, (UNKNOWN,) * (len(sizes) + 1))
        return self._code.new_array(type_, (*sizes, self._width))

    @property
    def total(self) -> Value:
        """The row of results of one block."""
        return self._total

    def row_count(self) -> Value:
        """Return the number of rows."""
        return shapes.count_of(self._code, [self._fold.arg.axes[a] for a in self._rows])

    def _over_around(
        self,
        axes: Sequence[int],
        around: Mapping[int, Value],
        body: Callable[[Mapping[int, Value]], None],
    ) -> None:
        if not axes:
            body(around)
            return
        first, *rest = axes
        size = self._fold.arg.axes[first].size
        self._code.loop(
            size, lambda i: self._over_around(rest, {**around, first: i}, body), parallel=True
        )

    def _blocks(
        self, around: Mapping[int, Value], fill: Callable[[_Columns], None], target: Value
    ) -> None:
        code = self._code

        def block(number: Value) -> None:
            start = code.op(e.MUL, number, self._width)
            width = code.op(e.MINIMUM, self._width, code.op(e.SUB, self._size, start))
            block = _Columns(around, start, width)
            fill(block)
            code.loop(width, lambda j: self._store(block, target, j), parallel=True)

        code.loop(self._count, block, parallel=True)

    def _store(self, block: _Columns, target: Value, j: Value) -> None:
        code, fold = self._code, self._fold
        value = code.op(low.LOAD, self._total, j)
        index = {**block.around, self._column: code.op(e.ADD, block.start, j)}
        if fold.kept:
            place = [index[a] if a in index else code.number(0) for a in range(len(fold.axes))]
        else:
            place = [index[a] for a in sorted(index)]
        code.builder.effect(low.STORE, target, value, *place, loc=code.loc)

    def fill_in_order(self, block: _Columns) -> None:
        """Fold every row of `block` into the row of results, one after the other."""
        self.clear(self._total, block)
        zero = self._code.number(0)
        self.add_rows(block, self._total, zero, self.row_count())

    def clear(self, row: Value, block: _Columns) -> None:
        """Set `row` to what a fold of no rows gives."""
        code = self._code
        start = identity(code, self._fold.kind, self._fold.dtype)

        def element(j: Value) -> None:
            code.builder.effect(low.STORE, row, start, j, loc=code.loc)

        code.loop(block.width, element, parallel=True)

    def add_rows(self, block: _Columns, row: Value, first: Value, count: Value) -> None:
        """Fold `count` rows of `block` from row `first` on into `row`."""
        code = self._code
        done = code.number(0)
        if self._jam > 1:
            iterations = code.op(e.FLOORDIV, count, code.number(self._jam))
            done = code.op(e.MUL, iterations, code.number(self._jam))

            def add_several(number: Value) -> None:
                start = code.op(e.ADD, first, code.op(e.MUL, number, code.number(self._jam)))
                later = [code.op(e.ADD, start, code.number(k)) for k in range(1, self._jam)]
                self._add(block, row, [start, *later])

            code.loop(iterations, add_several, parallel=False)
        start = code.op(e.ADD, first, done)
        left = code.op(e.SUB, count, done)
        code.loop(left, lambda i: self._add(block, row, [code.op(e.ADD, start, i)]), parallel=False)

    def _add(self, block: _Columns, row: Value, numbers: Sequence[Value]) -> None:
        """Fold the rows with these numbers of `block` into `row`, one after the other."""
        code, combine = self._code, COMBINE[self._fold.kind]
        rows = [self._row_index(number) for number in numbers]

        def element(j: Value) -> None:
            column = {self._column: code.op(e.ADD, block.start, j)}
            total = code.op(low.LOAD, row, j)
            for index in rows:
                value = self._element({**block.around, **index, **column}, self._tail)
                total = code.op(combine, total, value)
            code.builder.effect(low.STORE, row, total, j, loc=code.loc)

        code.loop(block.width, element, parallel=True)
        self._emitter.end_stage()

    def _row_index(self, number: Value) -> dict[int, Value]:
        """Return the index on each axis of rows of the row with a number."""
        code = self._code
        index: dict[int, Value] = {}
        for axis in self._rows[:0:-1]:
            size = self._fold.arg.axes[axis].size
            index[axis] = code.op(e.MOD, number, size)
            number = code.op(e.FLOORDIV, number, size)
        for axis in self._rows[:1]:
            index[axis] = number
        return index

    def _element(self, index: Mapping[int, Value], tail: Sequence[int]) -> Value:
        if not tail:
            place: nests.Index = tuple(index[a] for a in range(len(self._fold.arg.axes)))
            return self._emitter.element(self._fold.arg, place)
        first, *rest = tail
        size = self._fold.arg.axes[first].size
        return self._code.reduce(
            self._fold.kind, size, lambda i: self._element({**index, first: i}, rest)
        )


def _jam(fold: Fold) -> int:
    """Return how many rows an iteration takes."""
    nodes = topological([fold.arg])
    if is_costly(fold.arg):
        return 1
    rank = len(fold.arg.axes)
    arrays = {n.whole for n in nodes if isinstance(n, Source) and len(n.axes) == rank}
    rows = next((jam for most, jam in _JAMMED if len(nodes) <= most), 1)
    is_wide_extreme = fold.kind in ("max", "min") and fold.dtype.itemsize >= 8
    return min(rows, _FEWER) if len(arrays) > 1 or is_wide_extreme else rows


def _quotient_up(code: Code, number: Value, by: Value) -> Value:
    above = code.op(e.SUB, code.op(e.ADD, number, by), code.number(1))
    return code.op(e.FLOORDIV, above, by)


class _PairwiseSum:
    """Adds blocks of rows in pairs.

    `levels[k]` holds the sum of 2**k blocks where bit k of the number of blocks so far is set.
    """

    def __init__(self, code: Code, rows: _Accumulator) -> None:
        self._code = code
        self._rows = rows
        self._count = rows.row_count()
        self._blocks = _quotient_up(code, self._count, code.number(ROWS))
        # The number of bits of the number of blocks.
        self._depth = code.op(low.DIGITS, self._blocks)
        self._levels = rows.row(self._depth)
        self._part = rows.row()

    def fill(self, block: _Columns) -> None:
        """Emit the sum of all rows of `block`."""
        code, total = self._code, self._rows.total
        code.loop(self._blocks, lambda number: self._add_block(block, number), parallel=False)
        self._rows.clear(total, block)

        def add_level(level: Value) -> None:
            bit = code.op(e.AND, code.op(e.SHR, self._blocks, level), code.number(1))
            width = code.op(e.MUL, bit, block.width)
            self._each(width, total, lambda j: self._sum(total, (j,), self._levels, (level, j)))

        code.loop(self._depth, add_level, parallel=False)

    def _add_block(self, block: _Columns, number: Value) -> None:
        code, part, levels = self._code, self._part, self._levels
        first = code.op(e.MUL, number, code.number(ROWS))
        left = code.op(e.SUB, self._count, first)
        self._rows.clear(part, block)
        self._rows.add_rows(block, part, first, code.op(e.MINIMUM, code.number(ROWS), left))

        def carry(level: Value) -> None:
            # The bits up to `level` of the blocks before this one: all set, add and carry on; all
            # but the last, this is the place.
            ones = code.op(e.SUB, code.op(e.SHL, code.number(2), level), code.number(1))
            bits = code.op(e.AND, number, ones)
            zero = code.number(0)
            full = code.select(code.test(e.EQ, bits, ones), block.width, zero)
            self._each(full, part, lambda j: self._sum(part, (j,), levels, (level, j)))
            below = code.op(e.SHR, ones, code.number(1))
            place = code.select(code.test(e.EQ, bits, below), block.width, zero)

            def keep(j: Value) -> None:
                value = code.op(low.LOAD, part, j)
                code.builder.effect(low.STORE, levels, value, level, j, loc=code.loc)

            code.loop(place, keep, parallel=True)

        code.loop(self._depth, carry, parallel=False)

    def _each(self, width: Value, row: Value, element: Callable[[Value], Value]) -> None:
        """Store into `row` what `element` gives for each of `width` columns."""
        code = self._code

        def store(j: Value) -> None:
            code.builder.effect(low.STORE, row, element(j), j, loc=code.loc)

        code.loop(width, store, parallel=True)

    def _sum(self, first: Value, at: nests.Index, second: Value, other: nests.Index) -> Value:
        code = self._code
        return code.op(e.ADD, code.op(low.LOAD, second, *other), code.op(low.LOAD, first, *at))
