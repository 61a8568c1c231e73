"""Sums of rows, and of squared distances from what follows from them, in one pass over memory.

    np.mean(x, axis=0), np.var(x, axis=0)       for each strip of rows, and each column:
                                                  the sum, its mean p, and the sums of (x - p)**2
                                                  and of x - p
                                                and then, for each column, the sums of the strips;
                                                with the mean m of all rows, the sum of
                                                  sum((x - p)**2) + (p - m) * (2 * sum(x - p)
                                                                               + n * (p - m))

`kernels/loops/squared_distances.py` says whose formula that is, and why it is as precise as the sum
of (x - m)**2.  A strip has few rows, so it is in a cache when it is read again.  Short rows,
and fewer than a strip has, are folded one fold after the other, and so are those where a sum is not
finite.
"""

import math
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial

from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import shapes
from scriptc.kernels.fusion.nests import Group, Index, NestEmitter, Root
from scriptc.kernels.fusion.nodes import (
    Axes,
    Fold,
    Map,
    Node,
    Scalar,
    Source,
    children,
    is_costly,
    substitute,
    topological,
)
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record, replace
from scriptc_runtime.reserved import SHARED_PREFIX
from scriptc_runtime.types import BOOL, DType, TensorType

ROWS = 64  # of a strip
_COLUMNS = 8  # of shorter rows, several side by side are read at once where folds are apart
_MOST_LEVELS = 48  # of strips that are added in pairs
_JAMMED = 4  # rows of one iteration, a power of two

Run = Callable[[NestEmitter], Sequence[Value]]


@record(eq=False)
class Moments:
    """Two folds: of elements, and of the squares of their distances from `middle`."""

    first: Fold
    same: Sequence[Fold]  # as the first one
    second: Fold
    middle: Node

    @property
    def element(self) -> Node:
        """What both are made of."""
        return self.first.arg

    @property
    def space(self) -> Axes:
        """The index space of the results, without axes of size 1 that only stay."""
        return self.element.axes[1:]

    @property
    def dtype(self) -> DType:
        """Type of an element."""
        return self.first.dtype


def same_folds(fold: Fold, waiting: Sequence[Node], done: Container[Node]) -> Sequence[Fold]:
    """Return the other folds that have the elements of a fold over leading axes.

    np.mean(x, axis=0)                              both follow from the same sums
    x - np.mean(x, axis=0, keepdims=True)

    What waits itself has memory of its own.
    """
    if fold.is_trailing or not _is_simple(fold.arg):
        return ()
    return [
        node
        for node in topological(waiting, done)
        if isinstance(node, Fold)
        and node is not fold
        and node not in waiting
        and (node.kind, node.dtype, node.reduced) == (fold.kind, fold.dtype, fold.reduced)
        and _are_alike(node.arg, fold.arg)
    ]


def views_of(code: Code, folds: Sequence[Fold], result: Node) -> dict[Node, Node]:
    """Return where folds are that are the same as one with a result in memory."""
    if not folds:
        return {}
    assert isinstance(result, Source)
    return {fold: _as_kept(code, fold, result.array) for fold in folds}


def moments_of(
    first: Fold,
    same: Sequence[Fold],
    waiting: Sequence[Node],
    known: Container[Node],
    targets: Container[Node],
) -> Moments | None:
    """Return what is computed with a fold over leading axes, if there is such a fold.

    `same` are other folds of the same elements.
    """
    if not (first.is_rounded_sum and _is_simple(first.arg) and first.reduced == (0,)):
        return None
    if first.dtype.kind == "c":
        return None  # the formula's bound is that of squares
    for second in topological(waiting, known):
        if not isinstance(second, Fold) or second in targets:
            continue
        alike = second.is_rounded_sum and second.dtype is first.dtype
        if alike and second.reduced == first.reduced and second is not first:
            middle = _middle(second.arg, (first, *same), known)
            if middle is not None:
                return Moments(first, same, second, middle)
    return None


def _is_simple(node: Node) -> bool:
    nodes = topological([node])
    return not is_costly(node) and all(isinstance(n, Map | Source | Scalar) for n in nodes)


def _middle(square: Node, firsts: Sequence[Fold], known: Container[Node]) -> Node | None:
    """Return what the distances are from of which a node is the square, if it is one."""
    if not (isinstance(square, Map) and square.op is e.MUL and square.args[0] is square.args[1]):
        return None
    distance, first = square.args[0], firsts[0]
    if not (isinstance(distance, Map) and distance.op is e.SUB):
        return None
    for element, middle in (distance.args, distance.args[::-1]):
        folds = [n for n in topological([middle], known) if isinstance(n, Fold)]
        is_other = bool(folds) and all(fold in firsts for fold in folds)
        if is_other and _are_alike(element, first.arg) and _is_row(middle, first):
            return middle
    return None


def _are_alike(one: Node, other: Node) -> bool:
    """Whether two nodes are known to have the same elements."""
    match one, other:
        case Source(), Source():
            return one.array is other.array and len(one.axes) == len(other.axes)
        case Scalar(), Scalar():
            return one.value is other.value
        case Map(), Map():
            same = one.op is other.op and one.attrs == other.attrs and one.dtype is other.dtype
            return (
                same
                and len(one.args) == len(other.args)
                and all(map(_are_alike, children(one), children(other)))
            )
        case _:
            return False


def _is_row(node: Node, fold: Fold) -> bool:
    """Whether a node is the same along the axes that are reduced, and as long along others."""
    axes = fold.arg.axes
    before = len(axes) - len(node.axes)
    if any(a < before for a in range(len(axes)) if a not in fold.reduced):
        return False
    return all(
        own.is_one if before + place in fold.reduced else own.same(axes[before + place])
        for place, own in enumerate(node.axes)
    )


@record(eq=False)
class _Parts:
    """What strips give: how many elements each has, and for each result a row of numbers."""

    counts: Value
    sums: Value
    places: Value
    squares: Value
    distances: Value


@record(eq=False)
class Emitters:
    """What computes nodes into memory, emits a nest for all layouts, and a fold by itself."""

    materialise: Callable[[Code, Sequence[Node]], list[Value]]
    versions: Callable[[Code, Group, Run], Sequence[Value]]
    alone: Callable[[Code, Fold, Mapping[Node, Node], Value], object]


def sum_together(
    code: Code,
    moments: Moments,
    known: Mapping[Node, Node],
    emitters: Emitters,
) -> dict[Node, Node]:
    """Emit both folds and return where they are."""
    code = code.at(moments.second.loc)
    folds = [replace(f, kept=False, axes=moments.space) for f in (moments.first, moments.second)]
    type_ = TensorType(moments.dtype, tuple(axis.dim for axis in moments.space))
    results = [code.new_array(type_, [axis.size for axis in moments.space]) for _ in folds]
    first = _as_kept(code, moments.first, results[0])
    now = {**known, moments.first: first, **views_of(code, moments.same, first)}
    element = substitute(moments.element, known, {})
    read = replace(moments, first=replace(moments.first, arg=element))

    def by_strips(emitter: NestEmitter) -> Sequence[Value]:
        if not emitter.is_fast:
            return _never(code)
        parts = _parts(code, moments)
        _Strips(code, read, parts, emitter).emit()
        strips, columns = _strip_count(code, moments), shapes.count_of(code, moments.space)
        _add_up(code, parts.sums, strips, columns, results[0])
        (middle,) = emitters.materialise(code, [substitute(moments.middle, now, {})])
        row = _flat(code, middle, columns)
        _compare(code, parts, row)
        _add_up(code, parts.squares, strips, columns, results[1])
        return (_are_known(code, _flat(code, results[1], columns), row, columns),)

    def strips() -> Sequence[Value]:
        return emitters.versions(code, Group([Root(element, None)], (), []), by_strips)

    def one_after_the_other() -> Sequence[Value]:
        emitters.alone(code, folds[0], known, results[0])
        emitters.alone(code, folds[1], now, results[1])
        return ()

    wide = code.test(e.GE, moments.space[-1].size, code.number(_COLUMNS))
    high = code.test(e.GE, moments.element.axes[0].size, code.number(ROWS))
    (done,) = code.choose(code.both([wide, high]), strips, partial(_never, code), "strips")
    code.choose(done, tuple, one_after_the_other, "moments")
    return {moments.first: first, moments.second: _as_kept(code, moments.second, results[1])}


def _never(code: Code) -> Sequence[Value]:
    return (code.builder.emit(data.CONST, loc=code.loc, value=False),)


def _strip_count(code: Code, moments: Moments) -> Value:
    above = code.op(e.ADD, moments.element.axes[0].size, code.number(ROWS - 1))
    return code.op(e.FLOORDIV, above, code.number(ROWS))


def _parts(code: Code, moments: Moments) -> _Parts:
    strips, columns = _strip_count(code, moments), shapes.count_of(code, moments.space)
    single, wide = (
        TensorType(moments.dtype, (UNKNOWN,) * rank) for rank in (1, 2)
    )  # all columns of a strip in a row
    rows = [code.new_array(wide, [strips, columns]) for _ in range(4)]
    return _Parts(code.new_array(single, [strips]), *rows)


def _add_up(code: Code, parts: Value, strips: Value, columns: Value, result: Value) -> None:
    """Emit the sums of the rows of strips, in pairs; they are in the first row then."""
    dtype = _dtype(parts)
    code.shared(
        f"{SHARED_PREFIX}rows.{dtype}", (parts, strips, columns, _flat(code, result, columns)),
        _emit_sums,
    )  # fmt: skip


def _emit_sums(code: Code, operands: Sequence[Value]) -> None:
    parts, result = (code.op(low.ASSUME_CONTIGUOUS, operands[at]) for at in (0, 3))
    _, strips, columns, _ = operands
    one, zero = code.number(1), code.number(0)

    def level(number: Value) -> None:
        twice = code.op(e.ADD, number, one)
        step = code.op(e.SHL, one, number)
        pairs = code.op(e.SHR, code.op(e.SUB, code.op(e.ADD, strips, step), one), twice)

        def pair(number: Value) -> None:
            row = code.op(e.SHL, number, twice)
            other = code.op(e.ADD, row, step)

            def add(column: Value) -> None:
                total = code.op(low.LOAD, parts, row, column)
                total = code.op(e.ADD, total, code.op(low.LOAD, parts, other, column))
                code.builder.effect(low.STORE, parts, total, row, column, loc=code.loc)

            code.loop(columns, add, parallel=True)

        code.loop(pairs, pair, parallel=False)

    code.loop(code.op(e.MINIMUM, strips, code.number(_MOST_LEVELS)), level, parallel=False)

    def copy(column: Value) -> None:
        value = code.op(low.LOAD, parts, zero, column)
        code.builder.effect(low.STORE, result, value, column, loc=code.loc)

    code.loop(columns, copy, parallel=True)


def _compare(code: Code, parts: _Parts, row: Value) -> None:
    """Emit the sums of the squared distances from `row` for each strip, which are not below 0."""
    arrays = parts.counts, parts.places, parts.squares, parts.distances, row
    code.shared(f"{SHARED_PREFIX}squared_distances.{_dtype(row)}", arrays, _emit_squares)


def _emit_squares(code: Code, operands: Sequence[Value]) -> None:
    counts, places, squares, distances, row = (
        code.op(low.ASSUME_CONTIGUOUS, array) for array in operands
    )
    nothing = code.builder.emit(data.CONST, loc=code.loc, value=0.0, dtype=_dtype(row))

    def strip(number: Value) -> None:
        count = code.op(low.LOAD, counts, number)

        def square(column: Value) -> None:
            place, own, gaps = (
                code.op(low.LOAD, part, number, column) for part in (places, squares, distances)
            )
            gap = code.op(e.SUB, place, code.op(low.LOAD, row, column))
            twice = code.op(e.ADD, gaps, gaps)
            more = code.op(e.MUL, gap, code.op(e.ADD, twice, code.op(e.MUL, count, gap)))
            total = code.op(e.MAXIMUM, code.op(e.ADD, own, more), nothing)
            code.builder.effect(low.STORE, squares, total, number, column, loc=code.loc)

        code.loop(code.size(row, 0), square, parallel=True)

    code.loop(code.size(counts, 0), strip, parallel=True)


def _are_known(code: Code, totals: Value, row: Value, columns: Value) -> Value:
    """Emit whether all sums are finite, or those of which the middle is NaN."""
    limit = code.builder.emit(data.CONST, loc=code.loc, value=math.inf, dtype=_dtype(totals))

    def is_known(column: Value) -> Value:
        is_finite = code.op(e.LT, code.op(low.LOAD, totals, column), limit)
        middle = code.op(low.LOAD, row, column)
        return code.op(e.OR, is_finite, code.op(e.NE, middle, middle))

    return code.builder.emit(e.CAST, code.reduce("min", columns, is_known), loc=code.loc, to=BOOL)


def _dtype(array: Value) -> DType:
    assert isinstance(array.type, TensorType)
    return array.type.dtype


def _flat(code: Code, array: Value, size: Value) -> Value:
    """Return a new array as one of one axis."""
    type_ = TensorType(_dtype(array), (UNKNOWN,))
    return code.reshaped(array, [size], type_, dense=True)


def _as_kept(code: Code, fold: Fold, sums: Value) -> Source:
    """Return the node of a fold of which `sums` are the results, without axes that only stay."""
    assert isinstance(sums.type, TensorType)
    if sums.type.rank == len(fold.axes):
        return Source(sums, fold.axes)
    type_ = TensorType(fold.dtype, tuple(axis.dim for axis in fold.axes))
    sizes = [axis.size for axis in fold.axes]
    return Source(code.reshaped(sums, sizes, type_, dense=True), fold.axes)


class _Strips:
    """Emits what strips give: their rows are combined into rows of sums."""

    def __init__(self, code: Code, moments: Moments, parts: _Parts, emitter: NestEmitter) -> None:
        self._code, self._moments, self._parts, self._emitter = code, moments, parts, emitter
        self._axes = moments.element.axes
        self._zero = code.builder.emit(data.CONST, loc=code.loc, value=0.0, dtype=moments.dtype)
        self._size = code.number(ROWS)

    def emit(self) -> None:
        """Emit the loop over strips."""
        self._code.loop(_strip_count(self._code, self._moments), self._strip, parallel=True)

    def _strip(self, number: Value) -> None:
        code, moments = self._code, self._moments
        start = code.op(e.MUL, number, self._size)
        length = code.op(e.MINIMUM, self._size, code.op(e.SUB, self._axes[0].size, start))
        count = code.cast(length, moments.dtype)
        code.builder.effect(low.STORE, self._parts.counts, count, number, loc=code.loc)
        self._around((number,), lambda index: self._rows(index, start, length, count))

    def _around(self, index: Index, body: Callable[[Index], None]) -> None:
        """Emit loops over all axes of results but the last."""
        if len(index) == len(self._moments.space):
            body(index)
            return
        size = self._moments.space[len(index) - 1].size
        self._code.loop(size, lambda i: self._around((*index, i), body), parallel=True)

    def _rows(self, index: Index, start: Value, length: Value, count: Value) -> None:
        """Emit the sums of `length` rows of a strip, the first of them at `start`."""
        code, parts = self._code, self._parts

        def clear(column: Value) -> None:
            for part in (parts.sums, parts.squares, parts.distances):
                self._store(part, self._zero, *index, column)

        def place(column: Value) -> None:
            total = self._load(parts.sums, *index, column)
            self._store(parts.places, code.op(e.DIV, total, count), *index, column)

        def sums(rows: Sequence[Value], column: Value) -> None:
            self._add(parts.sums, self._elements(rows, index, column), *index, column)

        def distances(rows: Sequence[Value], column: Value) -> None:
            middle = self._load(parts.places, *index, column)
            elements = self._elements(rows, index, column)
            gaps = [code.op(e.SUB, element, middle) for element in elements]
            self._add(parts.distances, gaps, *index, column)
            self._add(parts.squares, [code.op(e.MUL, g, g) for g in gaps], *index, column)

        self._columns(clear)
        self._over(start, length, sums)
        self._columns(place)
        self._over(start, length, distances)

    def _over(
        self, start: Value, length: Value, body: Callable[[Sequence[Value], Value], None]
    ) -> None:
        """Emit a loop over rows, several in an iteration, with one over columns inside."""
        code, several = self._code, self._code.number(_JAMMED)
        groups = code.op(e.FLOORDIV, length, several)
        done = code.op(e.MUL, groups, several)

        def group(number: Value) -> None:
            first = code.op(e.ADD, start, code.op(e.MUL, number, several))
            later = [code.op(e.ADD, first, code.number(k)) for k in range(1, _JAMMED)]
            self._columns(lambda column: body((first, *later), column))

        def single(number: Value) -> None:
            row = code.op(e.ADD, code.op(e.ADD, start, done), number)
            self._columns(lambda column: body((row,), column))

        code.loop(groups, group, parallel=False)
        code.loop(code.op(e.SUB, length, done), single, parallel=False)

    def _columns(self, body: Callable[[Value], None]) -> None:
        self._code.loop(self._moments.space[-1].size, body, parallel=True)
        self._emitter.end_stage()

    def _elements(self, rows: Sequence[Value], index: Index, column: Value) -> list[Value]:
        element = self._moments.element
        return [self._emitter.element(element, (row, *index[1:], column)) for row in rows]

    def _add(self, part: Value, values: Sequence[Value], *index: Value) -> None:
        """Emit the sum of an element and of values, which are added in pairs."""
        while len(values) > 1:
            pairs = zip(values[::2], values[1::2], strict=True)
            values = [self._code.op(e.ADD, *pair) for pair in pairs]
        total = self._code.op(e.ADD, self._load(part, *index), values[0])
        self._store(part, total, *index)

    def _load(self, part: Value, *index: Value) -> Value:
        return self._code.op(low.LOAD, part, *self._column(index))

    def _store(self, part: Value, value: Value, *index: Value) -> None:
        self._code.builder.effect(low.STORE, part, value, *self._column(index), loc=self._code.loc)

    def _column(self, index: Index) -> Index:
        """Return the place in a row of all columns."""
        code, (strip, place, *others) = self._code, index
        for axis, own in zip(self._moments.space[1:], others, strict=True):
            place = code.op(e.ADD, code.op(e.MUL, place, axis.size), own)
        return strip, place
