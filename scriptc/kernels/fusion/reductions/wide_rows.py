"""Folds of many short rows: several rows side by side are folded as one long row.

    np.sum(x, axis=0)       x of (1000, 3), seen as (62, 48):      part[j] += x[i, j]
                            and 24 elements that are left:         part[j] += rest[j]
                            halves are added to each other:        part[j] += part[j + 24], ...
                                                                   total[j] = part[j], of 3

Long rows fill vectors, and memory comes in few long streams.  How many rows stand side by side is a
power of two that follows from the shape alone.  So the last additions are pairwise, and there are
fewer of them than `leading_axes.py` counts for so many rows.

That takes arrays whose elements follow each other in memory as the rows do.  What is the same for
all rows is repeated in a buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import nests, shapes
from scriptc.kernels.fusion.nodes import Axes, Axis, Fold, Map, Node, Scalar, Source, topological
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.ops.reshaping import CAN_RESHAPE
from scriptc_runtime.record import record, replace
from scriptc_runtime.reserved import SHARED_PREFIX
from scriptc_runtime.types import DType, TensorType

WIDTH_LOG = 15  # of the elements of a long row at most: several blocks, for threads to share
_MATRIX = 2  # axes
_LEAST_ROWS_LOG = 7  # as many long rows there are at least, so that the end is nothing beside them


@record(eq=False)
class _Wide:
    """The sizes that the rows are given."""

    columns: Value  # of a row as it was
    levels: Value  # 2**levels rows stand side by side
    width: Value
    rows: Value  # long ones
    taken: Value  # how many rows these are
    over: Value  # rows that are left
    left: Value  # and their elements


def can_widen(fold: Fold) -> bool:
    """Whether leading axes are folded away, and whole arrays and rows are all that is read."""
    read = [node for node in topological([fold.arg]) if not isinstance(node, Map)]
    if not fold.reduced or fold.reduced != tuple(range(len(fold.reduced))):
        return False
    whole = [node for node in read if _is_whole(node, fold)]
    return bool(whole) and all(node in whole or _is_row(node, fold) for node in read)


def _is_whole(node: Node, fold: Fold) -> bool:
    axes = fold.arg.axes
    if not isinstance(node, Source) or node.place is not None or len(node.axes) != len(axes):
        return False
    return not any(
        own.is_one and not axis.is_one for own, axis in zip(node.axes, axes, strict=True)
    )


def _is_row(node: Node, fold: Fold) -> bool:
    """Whether a node is one value, or an array that is the same for each row."""
    if isinstance(node, Scalar):
        return True
    if not isinstance(node, Source) or node.place is not None:
        return False
    kept = len(fold.arg.axes) - len(fold.reduced)
    if len(node.axes) < kept:
        return False
    row = len(node.axes) - kept
    ones = all(a.is_one for a in node.axes[:row])
    return ones and not _is_repeated(node.axes[row:], fold.arg.axes[len(fold.reduced) :])


def _is_repeated(own: Axes, axes: Axes) -> bool:
    """Whether elements of an array are met several times along some axis."""
    return any(one.is_repeated(axis) for one, axis in zip(own, axes, strict=True))


class WideRows:
    """A fold over leading axes, of rows that are at most as short as they were."""

    def __init__(self, code: Code, emitter: nests.NestEmitter, fold: Fold, combine: OpDef) -> None:
        self._code = code
        self._emitter = emitter
        self._fold = fold
        self._combine = combine
        read = [n for n in topological([fold.arg]) if isinstance(n, Source)]
        self._whole = [n for n in read if _is_whole(n, fold)]
        self._rows = [n for n in read if n not in self._whole]

    @property
    def needs_dense(self) -> bool:
        """Whether there is such a fold only where `is_dense` holds: rows have several axes."""
        return len(self._fold.arg.axes) > _MATRIX

    def is_dense(self) -> Value | None:
        """Return whether rows follow each other in memory; None where they are known to."""
        code = self._code
        arrays = [*self._whole, *(self._rows if self.needs_dense else ())]
        tests = [
            code.builder.emit(
                CAN_RESHAPE, n.array, shapes.count_of(code, n.axes), loc=code.loc, dense=True
            )
            for n in arrays
            if not code.is_dense(n.array)
        ]
        return code.both(tests) if tests else None

    def into(self, target: Value, dense: Value | None, emit: Callable[[Fold, Value], None]) -> None:
        """Emit the fold, where `dense` is what `is_dense` returned; `emit` folds the long rows."""
        code, wide = self._code, self._sizes(dense)
        whole = {n: self._matrix(n, wide) for n in self._whole}
        repeated = {n: self._repeated(n, wide) for n in self._rows}
        axes = (Axis(wide.rows, UNKNOWN), Axis(wide.width, UNKNOWN))
        long = self._over(whole, repeated, lambda array: self._long(array, wide), axes)
        fold = replace(self._fold, arg=long, reduced=(0,), kept=False, axes=axes[1:])
        parts = code.new_array(_array(fold.dtype, 1), [wide.width])
        emit(fold, parts)
        left = (Axis(wide.left, UNKNOWN),)
        rest = self._over(whole, repeated, lambda array: self._rest(array, wide), left)
        self._finish(wide, rest, parts)
        self._store(parts, target, {})

    def _sizes(self, dense: Value | None) -> _Wide:
        code, fold = self._code, self._fold
        axes = fold.arg.axes
        rows = shapes.count_of(code, [axes[a] for a in fold.reduced])
        columns = shapes.count_of(code, axes[len(fold.reduced) :])
        some = code.op(e.MAXIMUM, columns, code.number(1))
        fitting = code.op(e.FLOORDIV, code.number(1 << WIDTH_LOG), some)
        most = code.op(e.MINIMUM, fitting, code.op(e.SHR, rows, code.number(_LEAST_ROWS_LOG)))
        if dense is not None and not self.needs_dense:
            most = code.select(dense, most, code.number(0))

        halves = code.op(e.SHR, most, code.number(1))
        levels = code.op(low.DIGITS, halves)
        long = code.op(e.SHR, rows, levels)
        taken = code.op(e.SHL, long, levels)
        width = code.op(e.SHL, columns, levels)
        over = code.op(e.SUB, rows, taken)
        return _Wide(columns, levels, width, long, taken, over, code.op(e.MUL, over, columns))

    def _matrix(self, source: Source, wide: _Wide) -> Value:
        """Return a whole array as rows of columns."""
        code, array = self._code, self._emitter.array(source.array)
        if not self.needs_dense:
            return array
        rows = code.op(e.ADD, wide.taken, wide.over)
        return code.reshaped(array, [rows, wide.columns], _array(source.dtype, 2), dense=True)

    def _long(self, matrix: Value, wide: _Wide) -> Value:
        code, dtype = self._code, _dtype(matrix)
        numbers = [code.number(0), wide.taken, code.number(1)]
        part = code.subview(matrix, "s", numbers, _array(dtype, 2))
        sizes = [wide.rows, wide.width]
        seen = code.reshaped(part, sizes, _array(dtype, 2), dense=False)
        return code.op(low.ASSUME_CONTIGUOUS, seen)

    def _rest(self, matrix: Value, wide: _Wide) -> Value:
        code, dtype = self._code, _dtype(matrix)
        numbers = [wide.taken, wide.over, code.number(1)]
        part = code.subview(matrix, "s", numbers, _array(dtype, 2))
        return code.reshaped(part, [wide.left], _array(dtype, 1), dense=True)

    def _repeated(self, source: Source, wide: _Wide) -> Value:
        """Return an array with a row as often as rows stand side by side."""
        code, array = self._code, self._emitter.array(source.array)
        row = code.reshaped(array, [wide.columns], _array(source.dtype, 1), dense=True)
        result = code.new_array(_array(source.dtype, 1), [wide.width])

        def repeat(i: Value) -> None:
            start = code.op(e.MUL, i, wide.columns)

            def element(j: Value) -> None:
                value = code.op(low.LOAD, row, j)
                place = code.op(e.ADD, start, j)
                code.builder.effect(low.STORE, result, value, place, loc=code.loc)

            code.loop(wide.columns, element, parallel=False)

        number = code.op(e.SHL, code.number(1), wide.levels)
        code.loop(number, repeat, parallel=False)
        return result

    def _over(
        self,
        whole: Mapping[Source, Value],
        repeated: Mapping[Source, Value],
        part: Callable[[Value], Value],
        axes: Axes,
    ) -> Node:
        """Return the argument over other axes, with a part of each whole array."""
        known: dict[Node, Node] = {n: Source(part(v), axes) for n, v in whole.items()}
        known |= {n: Source(v, axes[-1:]) for n, v in repeated.items()}
        return _moved(self._fold.arg, known)

    def _finish(self, wide: _Wide, rest: Node, parts: Value) -> None:
        """Fold the elements that are left into `parts`, and these together."""
        code = self._code
        code.loop(
            wide.left,
            lambda j: self._add(parts, j, self._emitter.element(rest, (j,))),
            parallel=True,
        )
        self._emitter.end_stage()

        name = f"{SHARED_PREFIX}halves.{self._combine.name}.{_dtype(parts)}"
        sizes = wide.levels, wide.columns
        code.shared(name, (parts, *sizes), partial(_emit_halves, combine=self._combine))

    def _add(self, parts: Value, j: Value, value: Value) -> None:
        _add_to(self._code, self._combine, parts, j, value)

    def _store(self, parts: Value, target: Value, index: Mapping[int, Value]) -> None:
        """Store the results where they belong."""
        code, fold = self._code, self._fold
        kept = range(len(fold.reduced), len(fold.arg.axes))
        if len(index) < len(kept):
            axis = kept[len(index)]
            code.loop(
                fold.arg.axes[axis].size,
                lambda i: self._store(parts, target, {**index, axis: i}),
                parallel=True,
            )
            return
        flat = code.number(0)
        for axis, i in index.items():
            flat = code.op(e.ADD, code.op(e.MUL, flat, fold.arg.axes[axis].size), i)
        value = code.op(low.LOAD, parts, flat)
        place = [code.number(0)] * (len(fold.reduced) if fold.kept else 0)
        code.builder.effect(low.STORE, target, value, *place, *index.values(), loc=code.loc)


def _emit_halves(code: Code, operands: Sequence[Value], combine: OpDef) -> None:
    """Emit sums of the halves of an array, then of the halves of these, until columns are left."""
    whole, levels, columns = operands
    parts = code.op(low.ASSUME_CONTIGUOUS, whole)

    def halve(number: Value) -> None:
        level = code.op(e.SUB, code.op(e.SUB, levels, number), code.number(1))
        half = code.op(e.SHL, columns, level)

        def add_half(j: Value) -> None:
            other = code.op(low.LOAD, parts, code.op(e.ADD, half, j))
            _add_to(code, combine, parts, j, other)

        code.loop(half, add_half, parallel=True)

    code.loop(levels, halve, parallel=False)


def _add_to(code: Code, combine: OpDef, parts: Value, j: Value, value: Value) -> None:
    total = code.op(combine, code.op(low.LOAD, parts, j), value)
    code.builder.effect(low.STORE, parts, total, j, loc=code.loc)


def _dtype(array: Value) -> DType:
    assert isinstance(array.type, TensorType)
    return array.type.dtype


def _array(dtype: DType, rank: int) -> TensorType:
    return TensorType(dtype, (UNKNOWN,) * rank)


def _moved(node: Node, known: dict[Node, Node]) -> Node:
    """Return `node` over other axes; `known` says what becomes of arrays."""
    if node not in known:
        assert isinstance(node, Map | Scalar)
        if isinstance(node, Scalar):
            return node
        args = tuple(_moved(a, known) for a in node.args)
        known[node] = replace(node, args=args, axes=_widest(args))
    return known[node]


def _widest(args: Sequence[Node]) -> Axes:
    return max((a.axes for a in args), key=len)
