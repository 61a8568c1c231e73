"""Opens `put_at`: values go, in their order, to the places that lists give.

    x[i] = values                  for each k, in order:
    np.add.at(x, i, values)            for each column j of a block of columns:
                                           x[i[k], j] = values[k, j]  or  x[i[k], j] + values[k, j]

Values are computed where they are stored, but for those that are used again, and for functions of
elements, of which vectors are made.  Threads share the columns: a place may come twice, and
then the order of its values counts, so that results are the same for any number of threads.

A device has more threads than columns.  There values and places are arrays of their own, and what
goes to each element is one plain loop over all values, which `share_updates` knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scriptc.analysis.instr_kinds import VECTORISED
from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import nests, schedule
from scriptc.kernels.fusion.build import Context, listed_places
from scriptc.kernels.fusion.indexing import gather
from scriptc.kernels.fusion.nodes import (
    Axes,
    Axis,
    Fold,
    Map,
    Node,
    Scalar,
    Source,
    is_costly,
    topological,
)
from scriptc.kernels.fusion.sizes import Refusal
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType, TensorType

_COMBINE: Mapping[object, OpDef] = {
    op.name: op for op in (e.ADD, e.SUB, e.MUL, e.MAXIMUM, e.MINIMUM)
}
_NOT_PUT: Refusal = (
    "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}",
    "shape mismatch: value array could not be broadcast to indexing result",
)
_NOT_AT: Refusal = (
    "array is not broadcastable to correct shape",
    "array is not broadcastable to correct shape",
)
# Columns that a thread takes at least: whole lines of a cache.
_COLUMNS = 256


def open_put_at(context: Context, instr: Instr) -> None:
    """Emit the writing of values to places of an array."""
    array = context.array(instr.operands[0])
    target = Source(array, context.axes(array))
    combine = _COMBINE.get(instr.attrs["kind"])
    places, count = listed_places(context, instr, instr.operands[2:])
    space = (count, *target.axes[len(places) :])
    values = _values(context, target, instr.operands[1], space)
    code = context.code.at(instr.loc)
    # In NumPy's order: a ufunc looks at the places first.
    if combine is None:
        context.sizes.require_fits(code, values.axes, space, _NOT_PUT)
        gather.check_places(code, target, places, instr)
    else:
        gather.check_places(code, target, places, instr)
        context.sizes.require_fits(code, values.axes, space, _NOT_AT)
    if not context.routines:
        node = _copied(context, values, space)
        places = tuple(_copied(context, p, p.axes) for p in places)
    else:
        node = Map(None, {}, (values,), values.dtype, space, instr.loc)
        places = tuple(_apart(context, array, p) for p in places)

    def run(emitter: nests.NestEmitter) -> Sequence[Value]:
        writer = _Writer(code, emitter, target, places, node, combine)
        if context.routines:
            writer.emit()
        else:
            writer.emit_for_device()
        return ()

    group = nests.Group([nests.Root(n, None) for n in (target, node, *places)], (), [])
    schedule.emit_versions(code, group, run)


def _values(context: Context, target: Source, value: Value, space: Axes) -> Node:
    """Return what is written, as a node that shares no memory with the target."""
    if not isinstance(value.type, TensorType):
        assert isinstance(value.type, DType)
        return Scalar(context.scalar(value), value.type)
    (node,) = context.passed([value])
    if len(space) == 1 and any(_is_function(n) for n in topological([node])):
        # Places come in their order, so no vectors are made of what is computed for them.
        node = Source(context.array(value), context.axes(context.array(value)))
    again = len(node.axes) < len(space) or any(a.is_one for a in node.axes)
    if (again and is_costly(node)) or any(isinstance(n, Fold) for n in topological([node])):
        array = context.array(value)
        node = Source(array, context.axes(array))
    return _apart(context, target.array, node)


def _copied(context: Context, node: Node, axes: Axes) -> Source:
    """Return a new array of what a node is in these axes."""
    copy = Map(None, {}, (node,), node.dtype, axes, context.code.loc)
    (array,) = schedule.materialise(context.code, [copy], versions=False)
    return Source(array, axes)


def _is_function(node: Node) -> bool:
    return isinstance(node, Map) and node.op in VECTORISED


def _apart(context: Context, target: Value, node: Node) -> Node:
    """Return a node, of a copy where it is an array that may lie in what is written."""
    if not isinstance(node, Source) or not context.may_alias(target, node.array):
        return node
    array, axes, code = node.array, node.axes, context.code

    def copied() -> Sequence[Value]:
        copy = Map(None, {}, (Source(array, axes),), node.dtype, axes, code.loc)
        return schedule.materialise(code, [copy], versions=False)

    overlaps = code.op(low.MAY_OVERLAP, target, array)
    (result,) = code.choose(overlaps, copied, lambda: (array,))
    return Source(result, axes)


class _Writer:
    """Emits the loops of one version."""

    def __init__(
        self,
        code: Code,
        emitter: nests.NestEmitter,
        target: Source,
        places: Sequence[Node],
        values: Node,
        combine: OpDef | None,
    ) -> None:
        self._code = code
        self._emitter = emitter
        self._target = target
        self._places = places
        self._values = values
        self._combine = combine

    def emit_for_device(self) -> None:
        """Emit one plain loop over all values, where no two elements share memory."""
        code = self._code
        array = self._emitter.array(self._target.array)

        def distinct() -> Sequence[Value]:
            self._each(code.op(low.ASSUME_DISTINCT, array))
            return ()

        def in_order() -> Sequence[Value]:
            self.emit()
            return ()

        code.choose(code.op(low.IS_SPREAD, array), distinct, in_order)

    def _each(self, array: Value) -> None:
        code, (_, *rest) = self._code, self._values.axes
        row = code.number(1)
        for axis in rest:
            row = code.op(e.MUL, row, axis.size)
        count = code.op(e.MUL, self._values.axes[0].size, row)

        def one(number: Value) -> None:
            index: nests.Index = ()
            left = number
            for axis in reversed(rest):
                index = (code.op(e.MOD, left, axis.size), *index)
                left = code.op(e.FLOORDIV, left, axis.size)
            self._store(array, self._places_of(left), (left, *index))

        code.iterate(count, one)

    def emit(self) -> None:
        """Emit a loop over blocks of columns, each with one over the places."""
        code = self._code
        count, *rest = self._values.axes
        if not rest:
            code.loop(count.size, lambda k: self._row(k, (), None), parallel=False)
            return
        columns, width = rest[-1].size, code.number(_COLUMNS)
        above = code.op(e.ADD, columns, code.number(_COLUMNS - 1))

        def block(number: Value) -> None:
            first = code.op(e.MUL, number, width)
            some = code.op(e.MINIMUM, width, code.op(e.SUB, columns, first))
            code.loop(count.size, lambda k: self._row(k, rest[:-1], (first, some)), parallel=False)

        code.loop(code.op(e.FLOORDIV, above, width), block, parallel=True)

    def _row(self, k: Value, axes: Sequence[Axis], columns: tuple[Value, Value] | None) -> None:
        places = self._places_of(k)
        self._over(axes, lambda index: self._columns(places, (k, *index), columns))
        self._emitter.end_stage()

    def _places_of(self, k: Value) -> nests.Index:
        """Emit where the values of a row go."""
        pairs = zip(self._places, self._target.axes, strict=False)
        return tuple(
            self._emitter.place(self._code, list_, axis.size, (k,)) for list_, axis in pairs
        )

    def _over(
        self, axes: Sequence[Axis], body: Callable[[nests.Index], None], index: nests.Index = ()
    ) -> None:
        if len(index) == len(axes):
            body(index)
            return
        size = axes[len(index)].size
        self._code.loop(size, lambda i: self._over(axes, body, (*index, i)), parallel=True)

    def _columns(
        self, places: nests.Index, index: nests.Index, columns: tuple[Value, Value] | None
    ) -> None:
        code, array = self._code, self._emitter.array(self._target.array)
        if columns is None:
            self._store(array, places, index)
            return
        first, count = columns
        code.loop(
            count,
            lambda j: self._store(array, places, (*index, code.op(e.ADD, first, j))),
            parallel=True,
        )

    def _store(self, array: Value, places: nests.Index, index: nests.Index) -> None:
        code = self._code
        value = self._emitter.element(self._values, index)
        at = (*places, *index[1:])
        if self._combine is not None:
            value = code.op(self._combine, code.op(low.LOAD, array, *at), value)
        code.builder.effect(low.STORE, array, value, *at, loc=code.loc)
