"""Iterations of a loop side by side: what each of them computes is a lane of a vector.

    loop %n [parallel=true] {(%j)                   for each vector of iterations, as far as they
    go:
      %1 = load %x, %j                                load a vector
      %2 = mul %1, %s                       =>        multiply it by a vector of copies of s
      store %y, %2, %j }                              store the vector
                                                    and what is left of them under a mask

LLVM's vectoriser makes the same of most loops, but has no way to say "whole vectors, then one under
a mask": it either masks every iteration, and computes a vector of truths in each, or leaves a loop
of single elements.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.induction import is_next
from scriptc.analysis.instr_kinds import effects_of
from scriptc.analysis.signals import SHORT_LOOP
from scriptc.backends.llvm.emitter.addresses import address, parts
from scriptc.backends.llvm.emitter.function import Emitter, literal
from scriptc.backends.llvm.emitter.polling import COUNTED_CHUNK, poll, poll_seldom
from scriptc.backends.llvm.emitter.regions import range_item, range_length
from scriptc.backends.llvm.vectors import apart, reductions
from scriptc.backends.llvm.vectors import lanes as vectors_lanes
from scriptc.backends.llvm.vectors.alignment import Ahead, asked_ahead, is_own, rows_behind
from scriptc.backends.llvm.vectors.constant_divisors import constant_divisor, write_division
from scriptc.backends.llvm.vectors.extremes import extremes, write_extreme
from scriptc.backends.llvm.vectors.int_quotients import divides_ints, write_int_quotients
from scriptc.backends.llvm.vectors.quotients import Divisor, without_division
from scriptc.backends.llvm.vectors.shifted_loads import Beside, neighbours
from scriptc_runtime.ir import Block, Instr, Value, walk
from scriptc_runtime.ops import control, exact, low
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.ops.opdef import Trait
from scriptc_runtime.record import record
from scriptc_runtime.types import DType, TensorType

VECTOR = 512  # bits
_ADDS, _SUBS = (ops.ADD, exact.EXACT_ADD), (ops.SUB, exact.EXACT_SUB)


class Shape:
    """What depends on the column: `moving` indices grow by one with it, `lanes` differ in it.

    Elements may be `apart` in memory, where it says so.
    """

    def __init__(self, e: Emitter, body: Block, *, apart: bool = False) -> None:
        self._e = e
        self._apart = apart
        self.moving: set[Value] = set(body.params)
        self.lanes: set[Value] = set()

    def fits(self, block: Block) -> bool:
        """Whether there is vector code for all that depends on the column."""
        return all(self._takes(instr) for instr in block.body[:-1])

    def _takes(self, instr: Instr) -> bool:
        if instr.op is low.REDUCE:
            return self._takes_fold(instr)
        if instr.op is control.FOR:
            return self._takes_for(instr)
        if instr.blocks or instr.target:
            return False
        if instr.op in (low.LOAD, low.STORE):
            return self._takes_access(instr)
        if any(v in self.lanes for v in instr.operands):
            self.lanes.update(instr.results)
            known = vectors_lanes.has_lanes(instr) or self._divides_ints(instr)
            return self.moving.isdisjoint(instr.operands) and known
        if not self.moving.isdisjoint(instr.operands):
            self.moving.update(instr.results)
            return self._counts(instr)
        own = effects_of(instr)
        arrays = any(isinstance(v.type, TensorType) for v in (*instr.operands, *instr.results))
        terminator = Trait.TERMINATOR in instr.op.traits
        return not (own.raises or own.writes or own.allocates or arrays or terminator)

    def _divides_ints(self, instr: Instr) -> bool:
        return constant_divisor(self._e, instr) is not None or divides_ints(self._e, instr)

    def _takes_fold(self, fold: Instr) -> bool:
        (count,) = fold.operands
        if (
            count in self.moving
            or count in self.lanes
            or fold.result.type not in vectors_lanes.NUMBERS
        ):
            return False
        (body,) = fold.blocks
        if not self.fits(body) or body.body[-1].operands[0].type is not fold.result.type:
            return False
        self.lanes.add(fold.result)
        return True

    def _takes_for(self, loop: Instr) -> bool:
        """Whether a loop has as many iterations for every column, and carries numbers alone."""
        bounds, carried = loop.operands[:3], loop.operands[3:]
        (body,) = loop.blocks
        *_, last = body.body
        if (
            loop.attrs
            or not is_next(last, loop)
            or any(v.type not in vectors_lanes.NUMBERS for v in carried)
        ):
            return False
        if not (self.moving | self.lanes).isdisjoint(bounds):
            return False
        self.lanes.update(body.params[1:])
        self.lanes.update(loop.results)
        return self.fits(body) and self.moving.isdisjoint((*carried, *last.operands))

    def _takes_access(self, instr: Instr) -> bool:
        store = instr.op is low.STORE
        array, *index = instr.operands
        if store:
            value, *index = index
            if value in self.moving:
                return False
        if array not in self._e.values or not isinstance(array.type, TensorType):
            return False
        dtype = array.type.dtype
        if dtype not in vectors_lanes.NUMBERS and (store or dtype is not DType.B1):
            return False
        if any(v in self.lanes for v in index) or any(v in self.moving for v in index[:-1]):
            return False
        if not index or index[-1] not in self.moving:
            return not store
        self.lanes.update(instr.results)
        if self._e.components(array)[-1] == "1":
            return True
        return self._apart and dtype in vectors_lanes.NUMBERS

    def _counts(self, instr: Instr) -> bool:
        if instr.op not in (*_ADDS, *_SUBS) or instr.result.type is not DType.I64:
            return False
        first, second = (v in self.moving for v in instr.operands)
        return first != second if instr.op in _ADDS else first and not second


def lanes_of(shape: Shape, body: Block) -> int:
    """Return how many iterations a vector holds of the widest elements that are computed."""
    computed = [v for i in walk(body) for v in i.results if v in shape.lanes]
    stored = [i.operands[1] for i in walk(body) if i.op is low.STORE]
    return VECTOR // max(map(_bits, [*computed, *stored]), default=8)


def _bits(value: Value) -> int:
    return 8 * value.type.itemsize if isinstance(value.type, DType) else 8


@record
class Way:
    """How iterations are written: whole vectors or masked ones.

    `end` is what the branch at the end of an iteration says of the loop. Past the caches stores are
    of whole vectors, the first of which is aligned to a line, and memory is asked for ahead of
    time; beside such vectors, masked ones ask for the lines of later rows that are stored in part.
    """

    masked: bool = False
    end: str = ""
    past_caches: bool = False


class Writer:
    """Writes the iterations of a loop a vector of them at a time."""

    def __init__(self, e: Emitter, shape: Shape, lanes: int) -> None:
        self._e = e
        self.shape = shape
        self.lanes = lanes
        self._mask = ""
        self._past_caches = False
        self._vectors: dict[Value, str] = {}
        self._divisors: dict[Instr, Divisor] = {}  # of quotients that are written without division
        self._beside: Mapping[Instr, Beside] = {}  # loads that lie one element apart
        self._extremes: Mapping[Instr, Sequence[Value]] = {}  # of several elements

    def loop(self, loop: Instr, first: str, stop: str, way: Way) -> None:
        """Write the iterations from `first` to below `stop`, as whole vectors or masked ones."""
        e, lanes = self._e, self.lanes
        body, out = e.label(), e.label()
        iterations = loop.blocks[0].body
        self._past_caches = way.past_caches
        self._divisors = {} if way.masked else self._divide_seldom(loop.blocks[0])
        ahead = asked_ahead(e, loop) if way.past_caches and not way.masked else ()
        for row in (row for row in ahead if row.ends):
            self._fetch(row, e.let(f"sub i64 {first}, {lanes}"))
            self._fetch(row, stop)
        self._beside = {} if way.masked else neighbours(e, iterations, self.shape.lanes)
        self._extremes = extremes(loop.blocks[0], self.shape.lanes)
        before = e.block
        e.branch(e.let(f"icmp slt i64 {first}, {stop}"), body, out)
        e.start(body)
        (index,), place = e.open_phis(("i64",))
        if way.masked:
            self._mask = self._inside(index, stop)
        e.values[loop.blocks[0].params[0]] = (index,)
        for row in ahead:
            self._fetch(row, index)
        self._vectors = {}
        self._block(iterations[:-1])
        after = e.let(f"add nsw i64 {index}, {lanes}")
        self._mask = ""
        more = e.let(f"icmp slt i64 {after}, {stop}")
        e.lines[place] = f"  {index} = phi i64 [ {first}, %{before} ], [ {after}, %{e.block} ]"
        e.write(f"br i1 {more}, label %{body}, label %{out}{way.end}")
        e.start(out)

    def _inside(self, first: str, stop: str) -> str:
        """Write which of the iterations from `first` on are none before 0, and below `stop`.

        They are counted in ints as wide as most elements are: the mask fits them as it is.
        """
        e, lanes = self._e, self.lanes
        t = "i64" if lanes <= 8 else "i32"
        v, places = f"<{lanes} x {t}>", ", ".join(f"{t} {lane}" for lane in range(lanes))
        if t == "i32":
            before = e.intrinsic("i64", "@llvm.smin.i64", f"i64 {first}", "i64 0")
            end = e.let(f"sub i64 {stop}, {first}")
            end = e.intrinsic("i64", "@llvm.smin.i64", f"i64 {end}", f"i64 {lanes}")
            stop = e.let(f"trunc i64 {e.let(f'add i64 {end}, {before}')} to i32")
            first = e.let(f"trunc i64 {before} to i32")
        # Unsigned, so that what is before 0 is large.
        iterations = e.let(f"add {v} {vectors_lanes.splat(e, lanes, first, t)}, <{places}>")
        return e.let(f"icmp ult {v} {iterations}, {vectors_lanes.splat(e, lanes, stop, t)}")

    def _fetch(self, row: Ahead, index: str) -> None:
        """Ask for what a row of memory holds ahead of an iteration."""
        e = self._e
        offset = e.let(f"mul i64 {index}, {row.size}")
        far = e.let(f"add i64 {e.let(f'add i64 {row.place}, {offset}')}, {row.distance}")
        vectors_lanes.fetch(e, e.let(f"inttoptr i64 {far} to ptr"), level=row.level)

    def _divide_seldom(self, body: Block) -> dict[Instr, Divisor]:
        """Write what quotients without division need before the loop."""
        chosen = without_division(self._e, body.body, self.shape.lanes)
        numbers = dict.fromkeys(instr.operands[1] for instr in body.body if instr in chosen)
        divisors = {number: Divisor(self._e, self.lanes, number) for number in numbers}
        return {instr: divisors[instr.operands[1]] for instr in body.body if instr in chosen}

    def _block(self, body: Sequence[Instr]) -> None:
        for instr in body:
            if instr.op is low.REDUCE:
                self._vectors[instr.result] = self._fold(instr)
            elif instr.op is control.FOR:
                self._for(instr)
            elif instr.op is low.STORE:
                self._store(instr)
            elif not any(r in self.shape.lanes for r in instr.results):
                self._e.state.rules[instr.op](self._e, instr)
            elif instr in self._beside:
                self._load_beside(instr)
            elif instr.op is low.LOAD:
                self._vectors[instr.result] = self._load(instr)
            elif instr in self._extremes:
                self._extreme(instr)
            elif instr in self._divisors:
                dividend = self._of(instr.operands[0])
                self._vectors[instr.result] = self._divisors[instr].quotient(dividend)
            else:
                self._vectors[instr.result] = self._computed(instr)

    def _computed(self, instr: Instr) -> str:
        divisor = constant_divisor(self._e, instr)
        if divisor is not None:
            dividend = self._of(instr.operands[0])
            return write_division(self._e, self.lanes, instr, dividend, divisor)
        values = [self._of(v) for v in instr.operands]
        if divides_ints(self._e, instr):
            return write_int_quotients(self._e, self.lanes, instr, *values)
        return vectors_lanes.write_lanes(self._e, self.lanes, instr, values)

    def _load(self, instr: Instr) -> str:
        array, *index = instr.operands
        dtype = instr.result.type
        assert isinstance(dtype, DType)
        at, facts = self._at(array, index), self._e.scopes.get(array, "")
        step = self._step(array)
        if step != "1":
            return apart.load(self._e, self.lanes, dtype, apart.Places(at, step), facts)
        return vectors_lanes.load_lanes(self._e, self.lanes, dtype, at, self._mask, facts)

    def _step(self, array: Value) -> str:
        """Return how many elements lie from one to the next; more than one under no mask."""
        step = parts(self._e, array).strides[-1]
        assert step == "1" or not self._mask
        return step

    def _at(self, array: Value, index: Sequence[Value]) -> str:
        return address(self._e, array, index, inside=not self._mask)

    def _load_beside(self, load: Instr) -> None:
        """Write a load and those beside it, where the first of them stands."""
        if load.result in self._vectors:
            return
        e, lanes, (loads, number) = self._e, self.lanes, self._beside[load]
        array, *index = load.operands
        dtype, here, facts = load.result.type, address(e, array, index), e.scopes.get(array, "")
        assert isinstance(dtype, DType)

        def at(places: int) -> str:
            step = places - number
            return e.let(f"getelementptr {vectors_lanes.element(dtype)}, ptr {here}, i64 {step}")

        middle = len(loads) // 2
        vectors = {middle: vectors_lanes.load_lanes(e, lanes, dtype, at(middle), facts=facts)}
        for places in range(middle - 1, -1, -1):
            vectors[places] = vectors_lanes.shift_in(
                e, lanes, dtype, at(places), vectors[places + 1], -1, facts
            )
        for places in range(middle + 1, len(loads)):
            vectors[places] = vectors_lanes.shift_in(
                e, lanes, dtype, at(places), vectors[places - 1], 1, facts
            )
        self._vectors |= {each.result: vectors[places] for places, each in enumerate(loads)}

    def _extreme(self, last: Instr) -> None:
        """Write the extreme that a chain gives, where its last instruction stands."""
        compared, dtype = [self._of(v) for v in self._extremes[last]], last.result.type
        assert isinstance(dtype, DType)
        if compared:
            value = write_extreme(self._e, self.lanes, last.op, dtype, compared)
            self._vectors[last.result] = value

    def _store(self, instr: Instr) -> None:
        array, value, *index = instr.operands
        dtype = value.type
        assert isinstance(dtype, DType)
        at, facts = self._at(array, index), self._e.scopes.get(array, "")
        if (step := self._step(array)) != "1":
            places = apart.Places(at, step)
            apart.store(self._e, self.lanes, dtype, self._of(value), places, facts)
            return
        vector_, past = self._of(value), self._past_caches and not is_own(self._e, array)
        if past and self._mask and (far := rows_behind(self._e, array, at)):
            vectors_lanes.fetch(self._e, far, to_write=True)
        whole = past and not self._mask
        vectors_lanes.store_lanes(
            self._e, self.lanes, dtype, vector_, at, self._mask, facts, past_caches=whole
        )

    def _of(self, value: Value) -> str:
        if value in self.shape.lanes:
            return self._vectors[value]
        return vectors_lanes.splat(
            self._e, self.lanes, self._e.one(value), vectors_lanes.element(value.type)
        )

    def _fold(self, fold: Instr) -> str:
        """Write a fold with the accumulators of all lanes in one vector."""
        e, (block,) = self._e, fold.blocks
        dtype, kind = fold.result.type, reductions.Kind(str(fold.attrs["kind"]))
        assert isinstance(dtype, DType)
        type_ = reductions.TYPES[dtype.value]
        for text in type_.declarations(kind, self.lanes):
            e.declare(text)
        v = vectors_lanes.vector(self.lanes, dtype)
        count = e.one(fold.operands[0])
        body, out, before = e.label(), e.label(), e.block
        start = f"splat ({type_.llvm} {type_.identities[kind]})"
        e.branch(e.let(f"icmp sgt i64 {count}, 0"), body, out)
        e.start(body)
        (index, total), place = e.open_phis(("i64", v))
        e.values[block.params[0]] = (index,)
        self._block(block.body[:-1])
        value = self._of(block.body[-1].operands[0])
        combined = e.let(type_.combine(kind, total, value, self.lanes))
        after = e.let(f"add nuw nsw i64 {index}, 1")
        if fold.attrs.get("polls"):
            poll_seldom(e, after, fold)
        done = e.let(f"icmp eq i64 {after}, {count}")
        latch = e.block
        e.lines[place] = f"  {index} = phi i64 [ 0, %{before} ], [ {after}, %{latch} ]"
        e.lines[place + 1] = f"  {total} = phi {v} [ {start}, %{before} ], [ {combined}, %{latch} ]"
        e.branch(done, out, body)
        e.start(out)
        return e.let(f"phi {v} [ {start}, %{before} ], [ {combined}, %{latch} ]")

    def _for(self, loop: Instr) -> None:
        """Write a loop that carries vectors on."""
        e, (block,) = self._e, loop.blocks
        start, _, step = ends = [e.one(v) for v in loop.operands[:3]]
        count = range_length(e, loop, *ends)
        given = [self._of(v) for v in loop.operands[3:]]
        types = [vectors_lanes.vector(self.lanes, v.type) for v in loop.operands[3:]]
        known = literal(count)
        if known is None or known > SHORT_LOOP:
            first = e.intrinsic("i64", "@llvm.umin.i64", f"i64 {count}", f"i64 {COUNTED_CHUNK}")
            poll(e, first, loop)
        body, out, before = e.label(), e.label(), e.block
        e.branch(e.let(f"icmp ne i64 {count}, 0"), body, out)
        e.start(body)
        (index, *carried), place = e.open_phis(("i64", *types))
        e.values[block.params[0]] = (range_item(e, index, start, step),)
        self._vectors |= dict(zip(block.params[1:], carried, strict=True))
        self._block(block.body[:-1])
        values = [self._of(v) for v in block.body[-1].operands]
        after = e.let(f"add nuw i64 {index}, 1")
        if known is None or known > COUNTED_CHUNK:
            poll_seldom(e, after, loop)
        done, latch = e.let(f"icmp eq i64 {after}, {count}"), e.block
        ways = [
            f"phi {type_} [ {first}, %{before} ], [ {later}, %{latch} ]"
            for type_, first, later in zip(types, given, values, strict=True)
        ]
        e.lines[place] = f"  {index} = phi i64 [ 0, %{before} ], [ {after}, %{latch} ]"
        for number, (name, way) in enumerate(zip(carried, ways, strict=True), place + 1):
            e.lines[number] = f"  {name} = {way}"
        e.branch(done, out, body)
        e.start(out)
        self._vectors |= {r: e.let(way) for r, way in zip(loop.results, ways, strict=True)}


def independent_iterations(
    e: Emitter, loop: Instr, *, elements_apart: bool = False
) -> Writer | None:
    """Return what writes the iterations of an innermost loop as vectors, if there is such code.

    Iterations whose elements lie apart in memory are written under no mask.
    """
    (body,) = loop.blocks
    if not loop.attrs["parallel"] or any(instr.op is low.REDUCE for instr in body.body):
        return None
    shape = Shape(e, body, apart=elements_apart)
    return Writer(e, shape, lanes_of(shape, body)) if shape.fits(body) else None
