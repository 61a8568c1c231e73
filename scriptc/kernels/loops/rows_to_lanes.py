"""Rows to lanes: short rows that take costly functions are computed side by side.

    loop %n [parallel=true] {(%i)          if %m < 16 and %n >= 16: for each block of rows
      %t = reduce %m [kind="max"] ...        %b is the block, transposed: %b[k, r] = %a[i, k]
      %s = reduce %m [kind="sum"] {(%k)      loop %rows {(%r) %t[r] = reduce %m {(%k) %b[k, r]} }
        %1 = load %a, %i, %k          =>     loop %m {(%k) loop %rows {(%r)
        %2 = sub %1, %t                        %e[k, r] = exp(%b[k, r] - %t[r]) }}
        %3 = exp %2 }                        the sums of the rows of %e are stored
      store %c, %s, %i }                   else: as it was

A vector of exponentials takes as long as twenty of additions, and a row that is shorter than a few
vectors has one more for what is left of it.  With rows side by side all vectors are full, and folds
need not combine lanes.  A row is long enough by itself where it has several vectors.

Results are the same bit for bit: a sum of more elements than a few is added up pairwise, as that
of a row is, see `backends/llvm/vectors/reductions.py`.

Needs: low IR after `fuse` and `collapse`, before `outline`.
Gives: low IR, same results.
Does not: touch rows without a fold, of arrays of any layout, or with loops inside of their loops.
Cases: tests/cases/loops/rows_to_lanes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import constant_int
from scriptc.analysis.instr_kinds import VECTORISED, computes_only
from scriptc.analysis.remarks import Kind, Message, Topic, place_of, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.loops.nest import is_access
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, rebuild_outermost
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import Block, Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import field, record, replace
from scriptc_runtime.types import BOOL, DType, TensorType

SIDE_BY_SIDE = Message(
    "rows_to_lanes",
    Topic.VECTORS,
    Kind.DONE,
    "short rows side by side, by blocks: each lane of a vector has an element of another row",
)

# Elements of a row that is long enough by itself, and of a block of rows: a few buffers of these
# fit into the first cache.  Rows of a block are vectors.
_LONG, _BLOCK, _VECTOR = 16, 1024, 16
# Sums of more elements are added pairwise: halves of `_LONG`, as often as leaves two of them.
_FEW, _LEVELS = 4, 3
_COMBINED = {"sum": e.ADD, "product": e.MUL}
# Instructions of a row, those of its loops included.
_MOST_INSTRUCTIONS = 64
_LOOPS = (low.LOOP, low.REDUCE)
_NUMBERS = (DType.F64, DType.F32, DType.I64, DType.I32)
_TRUTHS = (DType.B1, BOOL)
_DENSE = (low.NEW_ARRAY, low.ASSUME_CONTIGUOUS)


@per_function
def rows_to_lanes(function: Function) -> Function:
    """Return `function` with such rows side by side."""
    if not any(i.op in VECTORISED for i in walk(function.body)):
        return function
    made = definitions_of(function)

    def emit(instr: Instr, builder: Builder) -> bool:
        nest = _nest(instr, made)
        return nest is not None and _emit_versions(Code(builder, instr.loc), instr, nest, made)

    body = rebuild_outermost(function.body, emit)
    return function if body is function.body else replace(function, body=body)


@record(eq=False)
class _Nest:
    """Parallel loops, each alone in the one before; the iterations of the last one are rows."""

    loops: Sequence[Instr]
    count: Value  # of the elements of a row

    @property
    def rows(self) -> Instr:
        """The loop over rows."""
        return self.loops[-1]


def _nest(loop: Instr, made: Mapping[Value, Instr]) -> _Nest | None:
    """Return the nest that `loop` begins, if it has rows of costly functions."""
    loops = list[Instr]()
    while loop.op is low.LOOP and loop.attrs["parallel"]:
        loops.append(loop)
        body = loop.blocks[0].body[:-1]
        inner = [i for i in body if i.blocks]
        if not inner or not all(i.op in _LOOPS for i in inner):
            return None
        if not any(i.blocks for region in inner for i in region.blocks[0].body):
            count = _count(loops, inner, made)
            return None if count is None else _Nest(loops, count)
        if len(inner) != 1 or not all(i in inner or _is_quiet(i) for i in body):
            return None
        (loop,) = inner
    return None


def _count(
    loops: Sequence[Instr], inner: Sequence[Instr], made: Mapping[Value, Instr]
) -> Value | None:
    """Return the number of elements of the rows, if they may be lanes."""
    counts = {i.operands[0] for i in inner}
    instrs = list(walk(loops[-1].blocks[0]))
    inside = {r for i in walk(loops[0].blocks[0]) for r in i.results}
    if len(counts) != 1 or not inside.isdisjoint(counts) or len(instrs) > _MOST_INSTRUCTIONS:
        return None
    (count,) = counts
    known = constant_int(count, made)
    # One that is selected is that of rows which `collapse` has joined.
    if (known is not None and known >= _LONG) or (count in made and made[count].op is low.SELECT):
        return None
    number = constant_int(loops[-1].operands[0], made)
    if number is not None and number < _VECTOR:
        return None
    if not any(i.op in VECTORISED for region in inner for i in region.blocks[0].body):
        return None
    if not any(i.op is low.REDUCE for i in inner):
        return None  # a version of what only maps rows takes LLVM longer than it ever saves
    arrays = {i.operands[0] for i in instrs if is_access(i)}
    if not all(a in made and made[a].op in _DENSE for a in arrays):
        return None
    simple = all(i.blocks or _is_quiet(i) or i.op is low.STORE or i.target for i in instrs)
    parallel = all(i.op is low.REDUCE or i.attrs["parallel"] for i in inner)
    return count if simple and parallel and _have_types(loops[-1].blocks[0]) else None


def _have_types(row: Block) -> bool:
    """Whether all that a row computes are numbers of the types that vectors are of, or truths."""
    values = [v for i in _all(row.body) for v in i.results if not isinstance(v.type, TensorType)]
    folds = [i for i in row.body if i.op is low.REDUCE]
    single = all(len(fold.results) == 1 and fold.results[0].type in _NUMBERS for fold in folds)
    return single and all(v.type in (*_NUMBERS, *_TRUTHS) for v in values)


def _is_quiet(instr: Instr) -> bool:
    return computes_only(instr) or instr.op is low.LOAD


def _emit_versions(code: Code, loop: Instr, nest: _Nest, made: Mapping[Value, Instr]) -> bool:
    """Emit the nest by blocks, and as it was for long rows; return whether it may be so."""
    facts = _Facts.of(nest)
    if facts is None:
        return False
    remark(SIDE_BY_SIDE, place_of(nest.rows))

    def blocks() -> Sequence[Value]:
        inner = Code(Builder(), code.loc)
        inner.builder.open()
        _emit_level(inner, nest, facts, _Buffers(code), Renaming(), 0)
        for instr in inner.builder.close().body:
            code.builder.append(instr)
        return ()

    def as_it_was() -> Sequence[Value]:
        code.builder.append(loop)
        return ()

    tests = list[Value]()
    if constant_int(nest.count, made) is None:
        tests.append(code.test(e.LT, nest.count, code.number(_LONG)))
    number = nest.rows.operands[0]
    inside = {r for i in walk(loop.blocks[0]) for r in i.results}
    if constant_int(number, made) is None and number not in inside:
        tests.append(code.test(e.GE, number, code.number(_VECTOR)))
    if tests:
        code.choose(code.both(tests), blocks, as_it_was)
    else:
        blocks()
    return True


@record(eq=False)
class _Facts:
    """What is known of the values and arrays of a row.

    `moving` are the numbers that differ from row to row by what is computed of the row's number,
    and `scratch` arrays are written anew for each row.
    """

    moving: AbstractSet[Value]
    scratch: AbstractSet[Value]
    definitions: Mapping[Value, Instr]  # of what a row computes apart from its elements

    @classmethod
    def of(cls, nest: _Nest) -> "_Facts | None":
        """Return the facts of a nest, None if its rows cannot be computed by blocks."""
        row = nest.rows.blocks[0]
        moving = {row.params[0]}
        stored, loaded, scratch = set[Value](), set[Value](), set[Value]()
        for instr in _all(row.body):
            if instr.op is low.LOAD:
                loaded.add(instr.operands[0])
            elif instr.op is low.STORE:
                anew = moving.isdisjoint(_index(instr))
                (scratch if anew else stored).add(instr.operands[0])
            elif not instr.blocks and not moving.isdisjoint(instr.operands):
                moving.update(instr.results)
        if not stored.isdisjoint(loaded | scratch) or not _are_lines(scratch, row):
            return None
        return cls(moving, scratch, {r: i for i in row.body for r in i.results})


def _are_lines(arrays: AbstractSet[Value], row: Block) -> bool:
    """Whether arrays are written and read element by element, in the loops of a row alone."""
    for instr in row.body:
        if is_access(instr) and instr.operands[0] in arrays:
            return False
        for block in instr.blocks:
            lines = (i for i in block.body if is_access(i) and i.operands[0] in arrays)
            if any(_index(i) != block.params for i in lines):
                return False
    return True


def _emit_level(
    code: Code, nest: _Nest, facts: _Facts, buffers: "_Buffers", names: Renaming, level: int
) -> None:
    """Emit the loops of a nest from a level on, the last one over blocks of rows."""
    loop = nest.loops[level]
    (block,), count = loop.blocks, names[loop.operands[0]]

    def iteration(index: Value) -> None:
        names[block.params[0]] = index
        code.again([i for i in block.body[:-1] if not i.blocks], names)
        _emit_level(code, nest, facts, buffers, names, level + 1)

    if loop is not nest.rows:
        code.loop(count, iteration, parallel=True)
        return
    one = code.number(1)
    length = code.op(e.MAXIMUM, nest.count, one)
    vectors = code.op(e.FLOORDIV, code.number(_BLOCK // _VECTOR), length)
    most = code.op(e.MUL, vectors, code.number(_VECTOR))
    up = code.op(e.ADD, count, code.op(e.SUB, most, one))

    def block_of_rows(number: Value) -> None:
        first = code.op(e.MUL, number, most)
        left = code.op(e.MINIMUM, most, code.op(e.SUB, count, first))
        _Block(code, nest, facts, names, buffers, first, left).emit()

    blocks = code.op(e.FLOORDIV, up, most)
    code.loop(blocks, block_of_rows, parallel=True)


@record(eq=False)
class _Buffers:
    """Makes arrays for the elements of a block, outside of all loops."""

    code: Code
    free: dict[DType, list[Value]] = field(default_factory=dict[DType, list[Value]])

    def take(self, dtype: DType) -> Value:
        """Return an array for a block."""
        if self.free.get(dtype):
            return self.free[dtype].pop()
        return self.code.new_array(TensorType(dtype, (Dim(_BLOCK),)), [self.code.number(_BLOCK)])

    def give_back(self, array: Value) -> None:
        """Take back an array that is not needed any more."""
        self.free.setdefault(_dtype(array), []).append(array)


@record(eq=False)
class _Block:
    """Emits the rows of one block; in buffers, element `k` of row `r` stands at `k * left + r`."""

    code: Code
    nest: _Nest
    facts: _Facts
    names: Renaming
    buffers: _Buffers
    first: Value
    left: Value
    # What rows have, by row: folds, and costly numbers.
    known: dict[Value, Value] = field(default_factory=dict[Value, Value])
    # Elements of arrays, by array and the index before the last, and those of scratch arrays.
    elements: dict[tuple[Value, ...], Value] = field(default_factory=dict[tuple[Value, ...], Value])

    @property
    def row(self) -> Value:
        """The number of a row."""
        return self.nest.rows.blocks[0].params[0]

    def emit(self) -> None:
        """Emit all that the rows do, in their order."""
        for instr in self.nest.rows.blocks[0].body[:-1]:
            if instr.blocks:
                self._turn(instr)
                self._region(instr)
            elif instr.op is low.STORE:
                self._each_row(lambda r, i=instr: self._again([i], r))
            elif instr.op in VECTORISED:
                self._keep(instr.result, lambda r, i=instr: self._again([i], r)[i.result])

    def _each_row(self, body: Callable[[Value], object]) -> None:
        def row(number: Value) -> None:
            body(number)

        self.code.loop(self.left, row, parallel=True)

    def _each_element(self, body: Callable[[Value, Value, Value], None]) -> None:
        """Emit loops over elements, where `body` gets `k`, the row, and the place in a buffer."""
        code = self.code

        def column(k: Value) -> None:
            begin = code.op(e.MUL, k, self.left)
            self._each_row(lambda r: body(k, r, code.op(e.ADD, begin, r)))

        code.loop(self.nest.count, column, parallel=True)

    def _keep(self, value: Value, compute: Callable[[Value], Value]) -> None:
        """Emit a loop that stores a number of each row."""
        kept = self.buffers.take(_number_type(value))
        self._each_row(lambda r: self._store(kept, compute(r), r))
        self.known[value] = kept

    def _store(self, array: Value, value: Value, *index: Value) -> None:
        self.code.builder.effect(low.STORE, array, value, *index, loc=self.code.loc)

    def _again(self, instrs: Iterable[Instr], row: Value) -> Renaming:
        """Emit instructions of a row and return what stands for their results."""
        instrs = list(instrs)
        names = self._names([v for i in instrs for v in i.operands], row)
        self.code.again(instrs, names)
        return names

    def _names(self, values: Iterable[Value], row: Value) -> Renaming:
        """Emit what a row has of `values`, and return what stands for what."""
        names, code, of_row = Renaming(), self.code, self.facts.definitions
        names.update(self.names)
        names[self.row] = code.op(e.ADD, self.first, row)
        needed, todo = set[Instr](), list(values)
        for value in todo:  # which grows
            if value in self.known:
                names[value] = code.op(low.LOAD, self.known[value], row)
            elif value in of_row:
                needed.add(of_row[value])
                todo += of_row[value].operands
        code.again([i for i in self.nest.rows.blocks[0].body if i in needed], names)
        return names

    def _turn(self, region: Instr) -> None:
        """Emit transposed copies of the rows that a loop reads."""
        (block,) = region.blocks
        for load in block.body:
            line = self._line(load, block)
            if load.op is low.LOAD and line is not None and line not in self.elements:
                self.elements[line] = self.buffers.take(_dtype(line[0]))
                self._copy(line, self.elements[line])

    def _copy(self, line: Sequence[Value], buffer: Value) -> None:
        array, *before = line

        def element(k: Value, row: Value, at: Value) -> None:
            names = self._names(before, row)
            index = [*(names[v] for v in before), k]
            self._store(buffer, self.code.op(low.LOAD, names[array], *index), at)

        self._each_element(element)

    def _copy_back(self, line: Sequence[Value], buffer: Value) -> None:
        array, *before = line

        def element(k: Value, row: Value, at: Value) -> None:
            names = self._names(before, row)
            index = [*(names[v] for v in before), k]
            self._store(names[array], self.code.op(low.LOAD, buffer, at), *index)

        self._each_element(element)

    def _line(self, access: Instr, block: Block) -> tuple[Value, ...] | None:
        """Return an array and its index but the last, if an access goes along a row of it."""
        if not is_access(access):
            return None
        array, (*before, last) = access.operands[0], _index(access) or (None,)
        if last is not block.params[0]:
            return None
        inside = {r for i in block.body for r in i.results}
        moves = not self.facts.moving.isdisjoint(before)
        along = moves and inside.isdisjoint(before)
        return (array, *before) if along or array in self.facts.scratch else None

    def _region(self, region: Instr) -> None:
        """Emit a loop over the elements of rows."""
        (block,) = region.blocks
        *body, last = block.body
        costly = any(i.op in (low.STORE, *VECTORISED) for i in body)
        if region.results and not costly and not self._is_pairwise(region):
            self._keep(region.result, lambda r: self._fold_of(region, r))
            return
        stored, written = self._targets(block)
        folded = None
        if region.results:
            folded = self.buffers.take(_number_type(last.operands[0]))

        def element(k: Value, row: Value, at: Value) -> None:
            names = self._names([v for i in block.body for v in i.operands], row)
            self._elements(block, names, k, at, stored)
            if folded is not None:
                self._store(folded, names[last.operands[0]], at)

        self._each_element(element)
        for line, buffer in written:
            self._copy_back(line, buffer)
            self.buffers.give_back(buffer)
        if folded is not None:
            self._fold(region, folded)
            self.buffers.give_back(folded)

    def _targets(
        self, block: Block
    ) -> tuple[Mapping[Instr, Value], Sequence[tuple[tuple[Value, ...], Value]]]:
        """Return the buffers of stores, and those of them that stand for rows of other arrays."""
        stored, written = dict[Instr, Value](), list[tuple[tuple[Value, ...], Value]]()
        for instr in block.body:
            line = self._line(instr, block)
            if instr.op is not low.STORE or line is None:
                continue
            buffer = self.elements.get(line) or self.buffers.take(_dtype(line[0]))
            stored[instr] = buffer
            if line[0] in self.facts.scratch:
                self.elements[line] = buffer
            else:
                written.append((line, buffer))
        return stored, written

    def _is_pairwise(self, fold: Instr) -> bool:
        """Whether the order of a fold matters."""
        type_ = fold.result.type
        return fold.attrs["kind"] in _COMBINED and type_ in (DType.F64, DType.F32)

    def _fold_of(self, fold: Instr, row: Value) -> Value:
        """Emit a fold whose order does not matter where it is needed, for a row."""
        code, (block,) = self.code, fold.blocks
        names = self._names([v for i in block.body for v in i.operands], row)

        def element(k: Value) -> Value:
            at = code.op(e.ADD, code.op(e.MUL, k, self.left), row)
            self._elements(block, names, k, at, {})
            return names[block.body[-1].operands[0]]

        return code.reduce(str(fold.attrs["kind"]), self._few(self.nest.count), element)

    def _few(self, count: Value) -> Value:
        """Return a number of elements, which whoever reads it sees to be small."""
        return self.code.op(e.MINIMUM, count, self.code.number(_LONG))

    def _elements(
        self, block: Block, names: Renaming, k: Value, at: Value, stored: Mapping[Instr, Value]
    ) -> None:
        """Emit an iteration of a loop over the elements of a row."""
        names[block.params[0]] = k
        for instr in block.body[:-1]:
            line = self._line(instr, block)
            if instr in stored:
                self._store(stored[instr], names[instr.operands[1]], at)
            elif line in self.elements:
                names[instr.result] = self.code.op(low.LOAD, self.elements[line], at)
            else:
                self.code.again([instr], names)

    def _fold(self, fold: Instr, folded: Value) -> None:
        """Emit the folds of rows whose elements are in a buffer, which is free then."""
        code, kind, count = self.code, str(fold.attrs["kind"]), self.nest.count
        if self._is_pairwise(fold):
            op = _COMBINED[kind]
            many = code.test(e.GT, count, code.number(_FEW))
            levels = code.select(many, code.number(_LEVELS), code.number(0))
            two = code.number(2)

            def level(_: Value, half: Value) -> Value:
                self._add_halves(folded, half, op)
                return code.op(e.FLOORDIV, half, two)

            code.scan(levels, code.number(_LONG // 2), level)
            count = code.select(many, two, count)

        def of_row(row: Value) -> Value:
            def element(k: Value) -> Value:
                at = code.op(e.ADD, code.op(e.MUL, k, self.left), row)
                return code.op(low.LOAD, folded, at)

            return code.reduce(kind, self._few(count), element)

        self._keep(fold.result, of_row)

    def _add_halves(self, folded: Value, half: Value, op: OpDef) -> None:
        """Emit the addition of the elements from `half` on, of twice as many, to those before."""
        code, left = self.code, self.left
        most = code.op(e.MINIMUM, self.nest.count, code.op(e.ADD, half, half))
        more = code.op(e.MAXIMUM, code.op(e.SUB, most, half), code.number(0))
        apart = code.op(e.MUL, half, left)

        def add(at: Value) -> None:
            later = code.op(low.LOAD, folded, code.op(e.ADD, at, apart))
            self._store(folded, code.op(op, code.op(low.LOAD, folded, at), later), at)

        code.loop(code.op(e.MUL, more, left), add, parallel=True)


def _all(body: Iterable[Instr]) -> Iterator[Instr]:
    """Yield instructions and those inside of them."""
    for instr in body:
        yield instr
        for block in instr.blocks:
            yield from block.body


def _index(access: Instr) -> tuple[Value, ...]:
    return tuple(access.operands[1 if access.op is low.LOAD else 2 :])


def _number_type(value: Value) -> DType:
    assert isinstance(value.type, DType)
    return value.type


def _dtype(array: Value) -> DType:
    assert isinstance(array.type, TensorType)
    return array.type.dtype
