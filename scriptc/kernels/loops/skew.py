"""Stagger: two rows of a sweep at once, the second a few columns behind the first.

    for i in range(1, n):                            for i in range(1, n - 1, 2):
        for j in range(1, m):                            row i for the first columns, s of them
            a[i, j] = (a[i - 1, j]          =>           for j in range(1 + s, m):
                       + a[i, j - 1]) / 3.0                  row i at j, row i + 1 at j - s
                                                         row i + 1 for the last columns

An iteration that needs the result of the iteration before waits for it: additions, a division. Two
rows keep the processor busy in the time that one takes. What an iteration hands to the next stays
in a register.

Several loops over the columns of a row, one after the other, become one: row i + 1 needs what the
last of them makes of row i. Their iterations are counted from zero; that there are as many in each
is tested, unless it is known, and that there are more than s.

It is legal where no two accesses to one element, one of them a store, change their order, which
`dependence` shows for accesses X, and Y that comes after it as the loops are written:

- X in an earlier loop of a row than Y: they never meet where the iteration of X is the later one;
- X in row i and Y in row i + 1: they never meet where X is more than s iterations further than Y.

A load of what the iteration before stored last is that value where no other store comes in between,
of the same row or of a neighbour. Elements meet the same values in the same order, so results stay
the same bit for bit. Nothing in such a sweep can raise.

Needs: low IR with what `assumptions` assumes of arrays.
Gives: low IR.
Does not: look at loops that carry values, or whose columns depend on the row.
Cases: tests/cases/loops/skew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scriptc.analysis import dependence
from scriptc.analysis.affine import Affine, LoopForms, Range
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import counts_by_one, is_next
from scriptc.analysis.remarks import Kind, Message, Topic, remark
from scriptc.kernels.builder import I64, Code, emit_form
from scriptc.kernels.loops.nest_parts import is_quiet
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, clone, rebuild_outermost
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Value, walk
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT, DType

# Columns that the second row may stay behind: as many iterations of each row stand apart from the
# loop.
_MOST_BEHIND = 3
# Cycles until a result of floats can be used; of what is not named here, and integers, one.
_LATENCY: Mapping[OpDef, int] = {
    **{op: 4 for op in (e.ADD, e.SUB, e.MUL, e.MAXIMUM, e.MINIMUM, e.CAST)},
    **{e.DIV: 13, e.SQRT: 18},
}
# Instructions that a processor does in a cycle.
_WIDTH = 4
# A row must wait so many times as long as it works for a second one to fit in.
_WORTH = 1.5


SKEWED = Message(
    "skew",
    Topic.ORDER,
    Kind.DONE,
    "skewed: two rows at a time, the second one {where} the first",
)


@per_function
def skew(function: Function) -> Function:
    """Return `function` with rows of sweeps in pairs."""
    if not any(i.op is low.ASSUME_DISTINCT for i in walk(function.body)):
        return function
    definitions = definitions_of(function)

    def staggered(instr: Instr, builder: Builder) -> bool:
        sweep = _sweep(instr, definitions)
        if sweep is not None:
            remark(SKEWED, instr.loc, where=_columns_behind(sweep.behind))
            _Emitter(sweep, builder).run()
        return sweep is not None

    body = rebuild_outermost(function.body, staggered)
    return function if body is function.body else replace(function, body=body)


def _columns_behind(number: int) -> str:
    if number == 0:
        return "in the same column as"
    return f"{number} column{'s' if number > 1 else ''} behind"


@record(eq=False)
class _Part:
    """A loop over the columns of a row: its variable, the range of that, and what it does."""

    variable: Value
    first: Affine
    stop: Affine
    iterations: Sequence[Instr]

    @property
    def count(self) -> Affine:
        """The number of iterations, if there are any."""
        return self.stop.plus(self.first, -1)


@record(eq=False)
class _Spot:
    """An access, its index by the number of the iteration, and which of the loops it stands in."""

    access: dependence.Access
    index: tuple[Affine, ...]
    part: int


@record(eq=False)
class _Sweep:
    """A loop over rows that may be staggered."""

    loop: Instr
    straight: Sequence[Instr]
    parts: Sequence[_Part]
    iteration: Value  # stands for the number of an iteration in the indices
    last: _Spot  # the store whose value goes to the next iteration
    taken: Mapping[Instr, _Spot]  # the loads that are of that value
    behind: int = 0


# What a loop consists of.


def _sweep(loop: Instr, definitions: Mapping[Value, Instr]) -> _Sweep | None:
    if loop.op is not control.FOR or loop.attrs or len(loop.operands) != 3:
        return None
    *body, last = loop.blocks[0].body
    inner = [i for i in body if i.blocks]
    straight = [i for i in body if not i.blocks]
    if not inner or not is_next(last, loop) or not all(map(is_quiet, straight)):
        return None
    if not all(_is_row(i, definitions) for i in inner) or not counts_by_one(loop, definitions):
        return None
    forms = LoopForms(loop, definitions)
    parts = [part for i in inner if (part := _part(i, forms)) is not None]
    if len(parts) != len(inner) or loop.blocks[0].params[0] not in forms.variables:
        return None
    return _Legality(loop, straight, parts, forms).sweep()


def _is_row(loop: Instr, definitions: Mapping[Value, Instr]) -> bool:
    """Whether a loop only computes, loads and stores in each iteration."""
    if loop.op is control.FOR:
        if loop.attrs or len(loop.operands) != 3 or not counts_by_one(loop, definitions):
            return False
    elif loop.op is not low.LOOP:
        return False
    *iterations, last = loop.blocks[0].body
    return is_next(last, loop) and all(map(is_quiet, iterations))


def _part(loop: Instr, forms: LoopForms) -> _Part | None:
    variable = loop.blocks[0].params[0]
    ends = forms.variables.get(variable)
    if ends is None:
        return None
    stop = ends.high.plus(Affine(1))
    if any(v in forms.inside for form in (ends.low, stop) for v, _ in form.terms):
        return None
    return _Part(variable, ends.low, stop, loop.blocks[0].body[:-1])


class _Legality:
    """Decides whether the rows of a loop may be staggered, and by how much."""

    def __init__(
        self, loop: Instr, straight: Sequence[Instr], parts: Sequence[_Part], forms: LoopForms
    ) -> None:
        self._loop = loop
        self._straight = straight
        self._parts = parts
        self._forms = forms
        self._row = loop.blocks[0].params[0]
        self._iteration = Value(I64, "iteration")
        self._other = Value(I64, "other")  # the iteration of another access
        self._every = Range(Affine(0), parts[0].count.plus(Affine(-1)))
        self._spots: list[_Spot] = []

    def sweep(self) -> _Sweep | None:
        """Return what may be staggered, if it may and pays."""
        if not self._find_spots() or not self._knows_arrays():
            return None
        stores = [s for s in self._spots if s.access.writes]
        if not stores:
            return None
        taken = {s.access.instr: s for s in self._spots if self._is_taken(s, stores)}
        if not taken or not self._pays(stores[-1], taken):
            return None
        sweep = _Sweep(self._loop, self._straight, self._parts, self._iteration, stores[-1], taken)
        conflicts = list(self._conflicts())
        if not all(self._may_join(first, second) for first, second in conflicts):
            return None
        for behind in range(_MOST_BEHIND + 1):
            if all(self._may_lag(first, second, behind) for first, second in conflicts):
                return replace(sweep, behind=behind)
        return None

    def _find_spots(self) -> bool:
        """Find the accesses of an iteration; False where one has no linear form."""
        for number, part in enumerate(self._parts):
            place = part.first.plus(Affine(0, ((self._iteration, 1),)))
            for instr in part.iterations:
                if instr.op not in (low.LOAD, low.STORE):
                    continue
                access = dependence.access_of(instr, self._forms)
                if access is None:
                    return False
                index = access.renamed({part.variable: place})
                self._spots.append(_Spot(access, index, number))
        return True

    def _knows_arrays(self) -> bool:
        """Whether arrays that may meet are one, in which no two indices lead to one element."""
        for load in self._straight:
            if load.op is low.STORE:
                return False
            written = [s for s in self._spots if s.access.writes]
            if load.op is low.LOAD and not all(
                dependence.is_distinct(load.operands[0], s.access.array, self._forms.definitions)
                for s in written
            ):
                return False
        return all(
            first.access.array is second.access.array
            and dependence.is_spread(first.access.array, self._forms.definitions)
            for first, second in self._conflicts()
        )

    def _conflicts(self) -> Iterator[tuple[_Spot, _Spot]]:
        """Yield all ordered pairs that may meet, of which one writes."""
        for first in self._spots:
            for second in self._spots:
                if not (first.access.writes or second.access.writes):
                    continue
                arrays = first.access.array, second.access.array
                if not dependence.is_distinct(*arrays, self._forms.definitions):
                    yield first, second

    # Whether accesses meet.

    def _is_taken(self, load: _Spot, stores: Sequence[_Spot]) -> bool:
        """Whether a load is of what the iteration before has stored last."""
        last = stores[-1]
        before = {self._iteration: Affine(-1, ((self._iteration, 1),))}
        if load.access.writes or load.access.array is not last.access.array:
            return False
        pairs = zip(load.index, last.index, strict=True)
        if not all(form.equals(dependence.replaced(stored, before)) for form, stored in pairs):
            return False
        place = self._spots.index(load)
        definitions = self._forms.definitions
        for store in stores:
            if dependence.is_distinct(load.access.array, store.access.array, definitions):
                continue
            if self._spots.index(store) < place and not self._apart(load, store, None):
                return False
            if not all(self._apart(load, store, self._every, row) for row in (-1, 1)):
                return False
        return True

    def _may_join(self, first: _Spot, second: _Spot) -> bool:
        """Whether the loops of two accesses may be one as far as these go."""
        return first.part >= second.part or self._may_pass(first, second, 1, 0)

    def _may_lag(self, first: _Spot, second: _Spot, behind: int) -> bool:
        """Whether the row of the second access may be so many iterations behind the first."""
        return self._may_pass(first, second, behind + 1, 1)

    def _may_pass(self, first: _Spot, second: _Spot, iterations: int, row: int) -> bool:
        """Whether accesses never meet where the first is so many iterations further, or more."""
        further = Range(Affine(iterations, ((self._other, 1),)), self._every.high)
        return self._apart(first, second, further, row)

    def _apart(self, first: _Spot, second: _Spot, own: Range | None, row: int = 0) -> bool:
        """Whether `first` never meets `second`, `row` rows on.

        `own` is the range of the iteration of `first`, which may speak of that of `second`; without
        it both stand in one iteration.
        """
        names = {self._row: Affine(row, ((self._row, 1),))}
        bounds: dependence.Bounds = [(self._iteration, self._every)]
        if own is not None:
            names[self._iteration] = Affine(0, ((self._other, 1),))
            bounds = [(self._iteration, own), (self._other, self._every)]
        index = tuple(dependence.replaced(form, names) for form in second.index)
        rows = (self._row, self._forms.variables[self._row])
        return dependence.lie_apart(first.index, index, [*bounds, rows])

    # Whether it pays.

    def _pays(self, last: _Spot, taken: Mapping[Instr, _Spot]) -> bool:
        """Whether an iteration waits for the one before much longer than it works."""
        waits: dict[Value, int] = {}
        stored: list[tuple[_Spot, int]] = []
        spots = {s.access.instr: s for s in self._spots}
        work = 0
        for instr in (i for part in self._parts for i in part.iterations):
            if instr.op is low.STORE:
                stored.append((spots[instr], waits.get(instr.operands[1], -1)))
                work += 1
                continue
            (result,) = instr.results
            waits[result] = max([waits.get(v, -1) for v in instr.operands], default=-1)
            if instr in taken:
                waits[result] = 0
            elif instr.op is low.LOAD:
                waits[result] = _forwarded(spots[instr], stored)
            elif waits[result] >= 0:
                waits[result] += _LATENCY.get(instr.op, 1) if _is_float(result) else 1
            work += instr.op is low.LOAD or result.type not in (INT, I64)
        return waits.get(last.access.instr.operands[1], -1) * _WIDTH >= _WORTH * work


def _is_float(value: Value) -> bool:
    return isinstance(value.type, DType) and value.type.kind == "f"


def _forwarded(load: _Spot, stored: Sequence[tuple[_Spot, int]]) -> int:
    """Return what a load waits for that is of what its own iteration has stored."""
    for store, wait in reversed(stored):
        same = store.access.array is load.access.array
        if same and all(a.equals(b) for a, b in zip(store.index, load.index, strict=True)):
            return wait
    return -1


# What stands for it.


class _Emitter:
    """Emits the loops that stand for a sweep."""

    def __init__(self, sweep: _Sweep, builder: Builder) -> None:
        self._sweep = sweep
        self._builder = builder
        self._code = Code(builder, sweep.loop.loc)
        self._row = sweep.loop.blocks[0].params[0]
        self._firsts: list[Value] = []

    def run(self) -> None:
        """Emit what stands for the loop."""
        self._code.choose(self._may_run(), self._pairs, self._as_written, "stagger")

    def _may_run(self) -> Value:
        """Emit the test that all loops of a row have as many iterations, and enough of them."""
        code, parts = self._code, self._sweep.parts
        self._firsts = [emit_form(code, part.first) for part in parts]
        stops = [emit_form(code, part.stop) for part in parts]
        counts = [code.iterations(*ends) for ends in zip(self._firsts, stops, strict=True)]
        self._count = counts[0]
        tests = [code.test(e.GT, counts[0], code.number(self._sweep.behind))]
        tests += [
            code.test(e.EQ, counts[0], count)
            for part, count in zip(parts, counts, strict=True)
            if not part.count.equals(parts[0].count)
        ]
        return code.both(tests)

    def _as_written(self) -> Sequence[Value]:
        self._builder.append(self._sweep.loop)
        return ()

    def _pairs(self) -> Sequence[Value]:
        """Emit the rows two by two, and one that is left."""
        code = self._code
        start, stop = (code.to_i64(v) for v in self._sweep.loop.operands[:2])
        rows = code.iterations(start, stop)
        pairs = code.op(e.FLOORDIV, rows, code.number(2))
        done = code.op(e.ADD, pairs, pairs)

        def pair(number: Value) -> None:
            first = code.op(e.ADD, start, code.op(e.ADD, number, number))
            self._pair(first, code.op(e.ADD, first, code.number(1)))

        code.loop(pairs, pair, parallel=False)
        left, place = code.op(e.SUB, rows, done), code.op(e.ADD, start, done)
        code.loop(left, lambda number: self._single(code.op(e.ADD, place, number)), parallel=False)
        return ()

    def _single(self, row: Value) -> None:
        names = self._named(row)
        body = Block((), self._sweep.loop.blocks[0].body[:-1])
        for instr in clone(body, names, {}, lambda loc: loc).body:
            self._builder.append(instr)

    def _named(self, row: Value) -> Renaming:
        names = Renaming()
        names[self._row] = self._code.to_int(row)
        return names

    def _pair(self, first: Value, second: Value) -> None:
        code, behind = self._code, self._sweep.behind
        rows: list[Renaming] = []
        for row in (first, second):
            rows.append(self._named(row))
            for instr in self._sweep.straight:
                self._copy(instr, rows[-1])
        ahead = self._load(first)
        for number in range(behind):
            ahead = self._iteration(rows[0], code.number(number), ahead)
        last = self._together(rows, ahead, self._load(second))
        for number in range(behind, 0, -1):
            place = code.op(e.SUB, self._count, code.number(number))
            last = self._iteration(rows[1], place, last)

    def _together(self, rows: Sequence[Renaming], ahead: Value, after: Value) -> Value:
        """Emit the loop over both rows, and return what the second one takes on."""
        code, builder, label = self._code, self._builder, Label("stagger")
        types = (ahead.type, after.type)
        first, last = (Value(t) for t in types)
        index, behind = Value(INT, "iteration"), self._sweep.behind
        builder.open(index, first, last)
        place = code.to_i64(index)
        nexts = [self._iteration(rows[0], place, first)]
        nexts.append(self._iteration(rows[1], code.op(e.SUB, place, code.number(behind)), last))
        builder.exit(label, *nexts, next=True, loc=code.loc)
        block = builder.close()
        start, step = (builder.emit(data.CONST, loc=code.loc, value=n) for n in (behind, 1))
        operands = (start, code.to_int(self._count), step, ahead, after)
        return builder.region(control.FOR, operands, (block,), label, types, code.loc)[1]

    def _load(self, row: Value) -> Value:
        """Emit the load of what the first iteration of a row takes."""
        spot = next(iter(self._sweep.taken.values()))
        names = {self._row: Affine(0, ((row, 1),)), self._sweep.iteration: Affine(0)}
        places = [emit_form(self._code, dependence.replaced(form, names)) for form in spot.index]
        return self._code.op(low.LOAD, spot.access.array, *places)

    def _iteration(self, row: Renaming, number: Value, taken: Value) -> Value:
        """Emit an iteration of all loops of a row, and return what the next one takes."""
        code = self._code
        names = Renaming()
        names.update(row)
        for part, first in zip(self._sweep.parts, self._firsts, strict=True):
            place = number if part.first == Affine(0) else code.op(e.ADD, first, number)
            names[part.variable] = place if part.variable.type is I64 else code.to_int(place)
            for instr in part.iterations:
                if instr in self._sweep.taken:
                    names[instr.result] = taken
                else:
                    self._copy(instr, names)
        return names[self._sweep.last.access.instr.operands[1]]

    def _copy(self, instr: Instr, names: Renaming) -> None:
        results = tuple(Value(r.type, r.name) for r in instr.results)
        operands = tuple(names[v] for v in instr.operands)
        self._builder.append(replace(instr, operands=operands, results=results))
        for old, new in zip(instr.results, results, strict=True):
            names[old] = new
