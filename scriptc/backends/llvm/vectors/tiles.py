"""Nests over arrays whose columns lie along memory, tile by tile: stored in rows all the same.

    loop %n [parallel=true] {(%i)              if the elements of %a along %i are neighbours,
      loop %m [parallel=true] {(%j)               and those of %c along %j, for each tile:
        %1 = load %a, %i, %j            =>        for each %j, and for each %i of the tile:
        %2 = mul %1, %s                              store %2 into a small buffer, columns in turn
        store %c, %2, %i, %j }}                   sc.part.turn_columns_64 of the buffer to %c
                                               else: as it was

So what is read of a column lies side by side, and is a vector, where row by row a line of memory
would be gone before its next element is read.  What does not change along the outer loop may be
read in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import partial
from typing import cast

from scriptc.backends.llvm.emitter.addresses import address, parts
from scriptc.backends.llvm.emitter.function import NOT_UNROLLED, Emitter, literal
from scriptc.backends.llvm.support import transpose
from scriptc.backends.llvm.vectors import lanes
from scriptc.backends.llvm.vectors import transpose as vectors_transpose
from scriptc.backends.llvm.vectors import writer as vectors_writer
from scriptc.kernels.builder import Code
from scriptc.kernels.loops.nest import Chain, chain_of, is_access
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ir import Builder, Instr, Value, make
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.ops import low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import field, record
from scriptc_runtime.types import DType, TensorType

# A tile has eight columns, as blocks have, and some lines of each: it stays in the first cache.
_ROWS = 128
_LINE = 64  # bytes
_NEAR = 1 << 20  # bytes of the second cache, about
_LEAST_ROWS = 64  # with fewer, what row by row is read again is in a cache
# Instructions of an element: what does more takes longer than its way through memory.
_MOST_BODY = 16


@record(frozen=False, eq=False)
class _Rows:
    """What a loop over the rows of a tile has in hand."""

    buffer: Value
    first: Value = field(default_factory=lambda: Value(DType.I64))
    height: Value = field(default_factory=lambda: Value(DType.I64))
    start: Value = field(default_factory=lambda: Value(DType.I64))  # of the column in the buffer
    large: str = "false"  # the name of a truth: memory is asked for ahead of time
    # For each load of neighbours an array of them, from the first row of the tile on.
    views: dict[Instr, Value] = field(default_factory=dict[Instr, Value])


@record(eq=False)
class _Way:
    """A loop of the nest that may go along memory, and the loop over rows that there is then."""

    level: int
    rows: _Rows
    loop: Instr
    writer: vectors_writer.Writer


@record(eq=False)
class TurnedNest:
    """A nest that stores one element in each iteration, and how arrays go with its loops."""

    chain: Chain
    store: Instr
    written: Sequence[vectors_transpose.Along]
    loads: Mapping[Instr, Mapping[int, vectors_transpose.Along]]
    ways: list[_Way] = field(default_factory=list[_Way])

    @property
    def target(self) -> Value:
        """The array that is written."""
        return self.store.operands[0]

    @property
    def code(self) -> Iterator[Instr]:
        """All that an iteration does but for the store, in order."""
        for each in self.chain.between:
            yield from each
        yield from self.chain.body[:-2]


def turned_nest(e: Emitter, loop: Instr, costly: Container[OpDef]) -> TurnedNest | None:
    """Return the nest that `loop` is, if its arrays may lie crosswise and no op in it is costly."""
    chain = chain_of(loop, loads_between=True) if loop.op is low.LOOP else None
    if chain is None or len(chain.loops) not in (2, 3) or not 1 < len(chain.body) <= _MOST_BODY:
        return None
    *inner, store = chain.body[:-1]
    if (
        store.op is not low.STORE
        or vectors_transpose.bits_of(store.operands[0]) not in transpose.WIDTHS
    ):
        return None
    if any(i.op is low.STORE or i.op in costly for i in inner):
        return None
    steps = vectors_transpose.steps_of(chain)
    written = vectors_transpose.along_loops(chain, steps, store.operands[2:])
    if written is None:
        return None
    code = TurnedNest(chain, store, written, {}).code
    loads = {i: vectors_transpose.moves_of(steps, i.operands[1:]) for i in code if i.op is low.LOAD}
    known = {i: moves for i, moves in loads.items() if moves is not None}
    arrays = [i.operands[0] for i in (store, *loads)]
    moves = [*written, *(along for each in known.values() for along in each.values())]
    times = [along.times for along in moves if along.times is not None]
    if len(known) < len(loads) or any(v not in e.values for v in (*arrays, *chain.counts, *times)):
        return None
    nest = TurnedNest(chain, store, written, known)
    for level in _levels(e, nest):
        way = _way(e, nest, level)
        if way is None:
            return None
        nest.ways.append(way)
    return nest if nest.ways else None


def emit_turned_nest(e: Emitter, nest: TurnedNest, plainly: Callable[[], None]) -> None:
    """Write the nest; `plainly` writes it for arrays that lie in any other way."""
    out = e.label()
    spread = make(low.IS_SPREAD, (nest.target,), {}, nest.store.loc)
    e.state.rules[low.IS_SPREAD](e, spread)
    ways = [(way, _may_turn(e, nest, way, e.one(spread.result))) for way in nest.ways]
    for way, holds in ways:
        crosswise, plain = e.label(), e.label()
        e.branch(holds, crosswise, plain)
        e.start(crosswise)
        others = [n for n in range(len(nest.written) - 1) if n != way.level]
        vectors_transpose.over_loops(e, nest.chain, others, partial(_in_tiles, e, nest, way))
        e.jump(out)
        e.start(plain)
    plainly()
    e.jump(out)
    e.start(out)


def _levels(e: Emitter, nest: TurnedNest) -> Sequence[int]:
    """Return the loops around the innermost one that may go along memory in what is read."""
    last = len(nest.written) - 1
    if literal(parts(e, nest.target).strides[nest.written[last].axis]) not in (None, 1):
        return ()
    return [level for level in range(last) if _may_lie_along(e, nest, level)]


def _may_lie_along(e: Emitter, nest: TurnedNest, level: int) -> bool:
    """Whether something may be read across rows, and nothing along them."""
    last, crosses = len(nest.written) - 1, False
    for load, moves in nest.loads.items():
        strides = parts(e, load.operands[0]).strides
        if level not in moves:
            continue
        along = moves[level]
        if literal(strides[along.axis]) not in (None, 1):
            return False
        if last in moves:
            if strides[moves[last].axis] == "1":
                return False
            crosses = True
    return crosses


def _way(e: Emitter, nest: TurnedNest, level: int) -> _Way | None:
    """Return how a loop goes along memory, if there is vector code for that."""
    rows = _Rows(_line(nest.target))
    loop = _column(nest, level, rows)
    for line in (rows.buffer, *rows.views.values()):
        e.values[line] = ("null", "null", "0", "1")
    writer = vectors_writer.independent_iterations(e, loop)
    return _Way(level, rows, loop, writer) if writer is not None else None


def _may_turn(e: Emitter, nest: TurnedNest, way: _Way, spread: str) -> str:
    """Test whether arrays lie crosswise, and tiles fit into this kernel's share."""
    level = way.level
    steps = [vectors_transpose.memory_step(e, nest.target, nest.written[-1])]
    for load, moves in nest.loads.items():
        if level in moves:
            steps.append(vectors_transpose.memory_step(e, load.operands[0], moves[level]))
    holds = spread
    for step in dict.fromkeys(steps):
        holds = e.let(f"and i1 {holds}, {e.let(f'icmp eq i64 {step}, 1')}")
    for count, least in (
        (nest.chain.counts[level], _LEAST_ROWS),
        (nest.chain.counts[-1], transpose.SIDE),
    ):
        fits = e.let(f"icmp sge i64 {e.one(count)}, {least}")
        holds = e.let(f"and i1 {holds}, {fits}")
    return holds


def _in_tiles(e: Emitter, nest: TurnedNest, way: _Way) -> None:
    """Write the loops over the tiles of a matrix; each has eight rows and columns at least."""
    level, rows, lanes = way.level, way.rows, max(way.writer.lanes, transpose.SIDE)
    counts, bits = nest.chain.counts, vectors_transpose.bits_of(nest.target)
    height, width = e.one(counts[level]), e.one(counts[-1])
    room = _ROWS * transpose.SIDE
    e.values[rows.buffer] = (e.alloca(f"[{room} x i{bits}], align 64"), "null", str(room), "1")
    rows.large = _is_large(e, nest, level)
    last_row, last_column = (
        e.let(f"sub i64 {height}, {lanes}"),
        e.let(f"sub i64 {width}, {transpose.SIDE}"),
    )

    # Heights are whole vectors. The last tiles begin one vector, or a block of columns, before the
    # end at least, and overlap those before them.
    def strip(number: str) -> str:
        first = _least(e, number, last_row)
        e.values[rows.first] = (first,)
        left = _least(e, e.let(f"sub i64 {height}, {first}"), str(_ROWS))
        whole = e.let(f"and i64 {left}, {-lanes}")
        e.values[rows.height] = (whole,)
        _counted(e, width, tile)
        return e.let(f"add i64 {first}, {whole}")

    def tile(number: str) -> str:
        column = _least(e, number, last_column)
        _tile(e, nest, way, column)
        first = e.one(rows.first)
        _indices(e, nest, {nest.chain.iterations[level]: first, nest.chain.iterations[-1]: column})
        symbol = transpose.turning(bits)
        e.declare(f"declare void @{symbol}(ptr, i64, ptr, i64, i64, i64)")
        at = address(e, nest.target, nest.store.operands[2:], inside=False)
        _ask_for_rows(e, nest, way, at)
        arguments = (
            f"ptr {at}",
            f"i64 {vectors_transpose.memory_step(e, nest.target, nest.written[level])}",
            f"ptr {parts(e, rows.buffer).data}",
            f"i64 {_ROWS}",
            f"i64 {e.one(rows.height)}",
            f"i64 {transpose.SIDE}",
        )
        e.write(f"call void @{symbol}({', '.join(arguments)})")
        return e.let(f"add nuw nsw i64 {number}, {transpose.SIDE}")

    _counted(e, height, strip)


def _tile(e: Emitter, nest: TurnedNest, way: _Way, column: str) -> None:
    """Write the loops over the elements of a tile, column by column, into the buffer."""
    rows = way.rows
    end = e.state.loop_metadata([e.state.shared_node(NOT_UNROLLED)])

    def one(number: str) -> str:
        at = e.let(f"add nsw i64 {column}, {number}")
        e.values[rows.start] = (e.let(f"mul nuw nsw i64 {number}, {_ROWS}"),)
        _first_of_column(e, nest, way.level, e.one(rows.first), at)
        for load, view in rows.views.items():
            array, *index = load.operands
            at = address(e, array, index, inside=False)
            e.values[view] = (at, "null", str(_ROWS), "1")
            _ask_for_column(e, nest, way, load, at)
        way.writer.loop(way.loop, "0", e.one(rows.height), vectors_writer.Way(end=end))
        return e.let(f"add nuw nsw i64 {number}, 1")

    _counted(e, str(transpose.SIDE), one)


def _is_large(e: Emitter, nest: TurnedNest, level: int) -> str:
    """Test whether no near cache holds what is written."""
    step = vectors_transpose.memory_step(e, nest.target, nest.written[level])
    least = _NEAR // (vectors_transpose.bits_of(nest.target) // 8)
    return e.let(
        f"icmp sge i64 {e.let(f'mul i64 {step}, {e.one(nest.chain.counts[level])}')}, {least}"
    )


def _ask_for_column(e: Emitter, nest: TurnedNest, way: _Way, load: Instr, at: str) -> None:
    """Write a loop that asks for a column of the next tile, if what is loaded has other columns.

    A column is too short for a processor to see by itself that it goes on.
    """
    last, moves, array = len(nest.written) - 1, nest.loads[load], load.operands[0]
    if last not in moves or way.level not in moves:
        return
    bytes_ = cast(TensorType, array.type).dtype.itemsize
    step = vectors_transpose.memory_step(e, array, moves[last])
    next_ = e.let(
        f"getelementptr i8, ptr {at}, i64 {e.let(f'mul i64 {step}, {transpose.SIDE * bytes_}')}"
    )

    def line(number: str) -> str:
        lanes.fetch(e, e.let(f"getelementptr i8, ptr {next_}, i64 {number}"))
        return e.let(f"add nuw nsw i64 {number}, {_LINE}")

    size = e.let(f"mul i64 {e.one(way.rows.height)}, {bytes_}")
    _counted(e, e.let(f"select i1 {way.rows.large}, i64 {size}, i64 1"), line)


def _ask_for_rows(e: Emitter, nest: TurnedNest, way: _Way, at: str) -> None:
    """Write a loop that asks for the lines which the next tile stores into."""
    bytes_ = vectors_transpose.bits_of(nest.target) // 8
    step = vectors_transpose.memory_step(e, nest.target, nest.written[way.level])
    size = e.let(f"mul i64 {step}, {bytes_}")
    next_ = e.let(f"getelementptr i8, ptr {at}, i64 {2 * transpose.SIDE * bytes_ - 1}")

    def row(number: str) -> str:
        far = e.let(f"mul i64 {number}, {size}")
        lanes.fetch(e, e.let(f"getelementptr i8, ptr {next_}, i64 {far}"), 1, to_write=True)
        return e.let(f"add nuw nsw i64 {number}, 1")

    _counted(e, e.let(f"select i1 {way.rows.large}, i64 {e.one(way.rows.height)}, i64 1"), row)


def _column(nest: TurnedNest, level: int, rows: _Rows) -> Instr:
    """Return the loop over the rows of a column, which fills the buffer."""
    instrs = _of_elements(nest, level)
    rows.views.update({i: _line(i.operands[0]) for i in instrs if i.op is low.LOAD})
    code = Code(Builder(), nest.store.loc)
    code.builder.open()

    def row(number: Value) -> None:
        found = code.computed(instrs, nest.chain.iterations[level], number, rows.views)
        place = code.op(ops.ADD, rows.start, number)
        code.builder.effect(low.STORE, rows.buffer, found[nest.store.operands[1]], place)

    code.loop(rows.height, row, parallel=True)
    (loop,) = code.builder.close().body
    return loop


def _line(array: Value) -> Value:
    """Return an array of one axis with elements as another has."""
    return Value(TensorType(cast(TensorType, array.type).dtype, (UNKNOWN,)))


def _of_elements(nest: TurnedNest, level: int) -> Sequence[Instr]:
    """Return what computes an element and differs along a loop, without indices."""
    moving, found = {nest.chain.iterations[level]}, list[Instr]()
    for instr in nest.code:
        if not moving.isdisjoint(instr.operands):
            moving.update(instr.results)
            found.append(instr)
    needed = {nest.store.operands[1]}
    for instr in reversed(found):
        if instr.op is not low.LOAD and not needed.isdisjoint(instr.results):
            needed.update(instr.operands)
    return [instr for instr in found if not needed.isdisjoint(instr.results)]


def _first_of_column(e: Emitter, nest: TurnedNest, level: int, row: str, column: str) -> None:
    """Write all that a column needs once: indices in the first row, and what does not differ."""
    numbers = nest.chain.iterations
    e.values.update({numbers[level]: (row,), numbers[-1]: (column,)})
    moving, loaded = {numbers[level]}, set[Value]()
    for instr in nest.code:
        if moving.isdisjoint(instr.operands):
            e.state.rules[instr.op](e, instr)
            continue
        moving.update(instr.results)
        if instr.op is low.LOAD or not loaded.isdisjoint(instr.operands):
            loaded.update(instr.results)
        else:
            e.state.rules[instr.op](e, instr)


def _indices(e: Emitter, nest: TurnedNest, numbers: Mapping[Value, str]) -> None:
    """Write what computes the indices of the store in some iterations of the loops."""
    e.values.update({number: (text,) for number, text in numbers.items()})
    loaded = {i.result for i in nest.code if is_access(i)}
    for instr in vectors_transpose.scalars_of(nest.chain):
        if loaded.isdisjoint(instr.operands):
            e.state.rules[instr.op](e, instr)
        else:
            loaded.update(instr.results)


def _least(e: Emitter, first: str, second: str) -> str:
    return e.intrinsic("i64", "@llvm.smin.i64", f"i64 {first}", f"i64 {second}")


def _counted(e: Emitter, stop: str, body: Callable[[str], str]) -> None:
    """Write a loop from 0 to below a number, which is not 0; `body` returns what follows."""
    inside, out, before = e.label(), e.label(), e.block
    e.jump(inside)
    e.start(inside)
    (index,), place = e.open_phis(("i64",))
    after = body(index)
    more = e.let(f"icmp slt i64 {after}, {stop}")
    end = e.state.loop_metadata([e.state.shared_node(NOT_UNROLLED)])
    e.write(f"br i1 {more}, label %{inside}, label %{out}{end}")
    e.lines[place] = f"  {index} = phi i64 [ 0, %{before} ], [ {after}, %{e.block} ]"
    e.start(out)
