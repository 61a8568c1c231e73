"""Turn: loops over neighbouring elements go inside, though other loops stand beside them.

    for j in range(m):                              t[:] = 0.0
        s = reduce n {(k) a[k] * b[k, j]}           for k in range(n):
        c[j] = c[j] + s                     =>          loop m {(j) t[j] += a[k] * b[k, j]}
        ...                                         loop m {(j) c[j] = c[j] + t[j]; ...}

The loop over j is distributed over the parts of its body: each inner loop is one, and so is what
stands between two of them. A fold becomes a row of running totals. What a part needs of earlier
scalars is computed again, loads included. Then j and the inner loop change places, and several
iterations of what is now the outer loop are taken at once, so that the totals are loaded and stored
once for them.

    for j in range(m):                              t[:] = 0.0
        s = reduce j {(k) x[k] * b[k, j]}           for j in range(m):
        x[j] = (x[j] - s) / d[j]            =>          x[j] = (x[j] - t[j]) / d[j]
                                                        loop from j + 1 {(l) t[l] += x[j] * b[j, l]}

A fold over results of earlier iterations cannot be distributed; it is pushed: each result is added
to all later totals once it is known.

It is done where the inner loops jump over memory and the outer one does not. It is legal where no
two accesses to one element, one of them a store, change their order; `dependence` knows them apart:

- a part at j and an earlier part at a later j are exchanged;
- in a turned loop, (j, k) and (j2, k2) with j < j2 and k > k2 are exchanged;
- a load that is done again stands behind what it stood before;
- pushed, what a fold reads at (j, k) is read before the results between k and j are written.

Elements meet the same values in the same order, so results stay the same bit for bit, but for folds
of products, which start from one accumulator now. Nothing in such a nest can raise.

Needs: low IR with what `assumptions` assumes of arrays.
Gives: low IR.
Does not: turn loops that carry values, or whose bounds depend on anything but linear forms.
Cases: tests/cases/loops/interchange.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from scriptc.analysis import dependence
from scriptc.analysis.affine import Affine, LoopForms, Range
from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import counts_by_one, is_next
from scriptc.analysis.remarks import (
    Kind,
    Message,
    Named,
    Reason,
    Topic,
    about,
    remark,
)
from scriptc.kernels.builder import Code, emit_form
from scriptc.kernels.loops import interchange_emitter
from scriptc.kernels.loops.nest_parts import (
    Element,
    Inner,
    Nest,
    Part,
    Spot,
    adds_products,
    bounds_of,
    is_quiet,
    needed,
    pays,
    pushed_by,
)
from scriptc.passes.rebuild import map_blocks, rebuild_outermost
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ir import Block, Builder, Function, Instr, Module, Value, walk
from scriptc_runtime.ops import control, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import replace
from scriptc_runtime.types import INT, DType, TensorType

TURNED = Message(
    "interchange",
    Topic.ORDER,
    Kind.DONE,
    "interchanged with loops inside, so that the innermost runs along memory",
)
NOT_TURNED = Message(
    "interchange",
    Topic.ORDER,
    Kind.MISSED,
    "not interchanged, though inner loops stride through memory: {why}",
)
JAMMED = Message(
    "interchange",
    Topic.ORDER,
    Kind.DONE,
    "several iterations at once: what they share is loaded once",
)


def interchange(module: Module) -> Module:
    """Return `module` with nests turned where that is legal and pays."""
    return module.with_functions({n: _function(f) for n, f in module.functions.items()})


def jam_loops(module: Module) -> Module:
    """Return `module` with several iterations of a loop at once where elements stay in registers.

        for k in range(n):                      for k in range(0, n, 4):
            loop m {(j)                  =>         loop m {(j)
              c[j] += a[k] * b[k, j]}                 c[j] += a[k] * b[k, j]; ... b[k + 3, j]}

    An element that all iterations over k meet is loaded and stored once for several of them, which
    are done one after the other, so results stay the same bit for bit. What is exchanged is as in a
    nest that is turned: (k, j) and (k2, j2) with k < k2 and j > j2.

    Sums of products along memory stay where they are; those of several iterations are added side by
    side, so that what they share is loaded once. That is legal where a sum could be pushed: what it
    reads at (j, k) is not written between the iterations that k and j stand for.

    Cases: tests/cases/loops/jam_loops.
    """
    return module.with_functions(
        {n: _function(f, rearrange=_Nests.jammed) for n, f in module.functions.items()}
    )


def _function(function: Function, rearrange: "_Rearrange | None" = None) -> Function:
    about(function)
    if not any(i.op is low.ASSUME_CONTIGUOUS for i in walk(function.body)):
        return function
    definitions = definitions_of(function)
    body = _outermost(function.body, definitions, rearrange or _Nests.turned)
    return function if body is function.body else replace(function, body=body)


def _outermost(block: Block, definitions: Mapping[Value, Instr], rearrange: "_Rearrange") -> Block:
    """Turn what stands in the outermost loops; rows of totals stand before these."""

    def turned(instr: Instr, builder: Builder) -> bool:
        if instr.op is not control.FOR or instr.attrs:
            return False
        for new in _Nests(instr, definitions, rearrange).run():
            builder.append(new)
        return True

    return rebuild_outermost(block, turned)


_Rearrange = Callable[["_Nests", Instr], list[Instr] | None]


class _Nests:
    """The walk over one outermost loop."""

    def __init__(
        self, loop: Instr, definitions: Mapping[Value, Instr], rearrange: "_Rearrange"
    ) -> None:
        self._loop = loop
        self._rearrange = rearrange
        self._definitions = definitions
        self._forms = LoopForms(loop, definitions)
        self._rows: list[tuple[Value, Affine]] = []

    def run(self) -> list[Instr]:
        body = self._instr(self._loop)
        builder = Builder()
        builder.open()
        code = Code(builder, self._loop.loc)
        for row, most in self._rows:
            size = code.op(e.MAXIMUM, emit_form(code, most), code.number(0))
            code.scratch(row, size)
        return [*builder.close().body, *body]

    def _instr(self, instr: Instr) -> list[Instr]:
        shared = instr.op is control.FOR and instr.attrs
        if instr.op is control.FOR and not shared:
            made = self._rearrange(self, instr)
            if made is not None:
                remark(JAMMED if self._rearrange is _Nests.jammed else TURNED, instr.loc)
                return made
        # Iterations that threads share have rows of totals of their own.
        known, how = self._definitions, self._rearrange
        return [
            map_blocks(instr, lambda b: _outermost(b, known, how) if shared else self._block(b))
        ]

    def _block(self, block: Block) -> Block:
        body = tuple(new for instr in block.body for new in self._instr(instr))
        return block if body == block.body else Block(block.params, body)

    def jammed(self, loop: Instr) -> list[Instr] | None:
        """Return what stands for a loop of which several iterations may be done at once."""
        nest = self._nest(loop)
        if nest is not None and len(nest.parts) == 2:
            return self._grouped(nest)
        if nest is None or len(nest.parts) != 1:
            return None
        inner = nest.parts[0].inner
        if inner is None or inner.is_total or bounds_of(inner, nest) != 0:
            return None
        kept = self._kept(nest, nest.variable)
        if not kept or not self._may_distribute(nest):
            return None
        return interchange_emitter.Emitter(replace(nest, kept=kept)).jammed()

    def _grouped(self, nest: Nest) -> list[Instr] | None:
        """Return a nest of sums along memory with several of them side by side, if they may be."""
        inner = nest.parts[0].inner
        if inner is None or not inner.is_fold or nest.parts[1].inner is not None:
            return None
        by = 0 if bounds_of(inner, nest) == 0 else pushed_by(nest)
        if by is None or pays(nest) or not adds_products(inner):
            return None
        return interchange_emitter.Emitter(nest).grouped(by) if self._may_push(nest) else None

    def turned(self, loop: Instr) -> list[Instr] | None:
        """Return what stands for a loop over neighbours that holds others, if it may be turned."""
        nest = self._nest(loop)
        if nest is None or not pays(nest):
            return None
        emitter = interchange_emitter.Emitter(nest)
        if self._may_distribute(nest):
            made = emitter.distributed
        elif pushed_by(nest) is not None and self._may_push(nest):
            made = emitter.pushed
        else:
            remark(NOT_TURNED, loop.loc, why=self._why_not(nest))
            return None
        most = self._forms.range(nest.ends.high.plus(nest.ends.low, -1).plus(Affine(1))).high
        if not most.is_small or any(v in self._forms.inside for v, _ in most.terms):
            return None
        self._rows += [(row, most) for row in nest.totals.values()]
        return made()

    # What a loop consists of.

    def _nest(self, loop: Instr) -> Nest | None:
        variable = loop.blocks[0].params[0]
        ends = self._forms.variables.get(variable)
        *body, last = loop.blocks[0].body
        if len(loop.operands) != 3 or ends is None or not is_next(last, loop):
            return None
        if not counts_by_one(loop, self._definitions) or not any(i.blocks for i in body):
            return None
        parts = self._parts(body)
        if parts is None:
            return None
        totals: dict[Value, Value] = {}
        for part in parts:
            for result in part.inner.instr.results if part.inner else ():
                assert isinstance(result.type, DType)
                totals[result] = Value(TensorType(result.type, (UNKNOWN,)), "totals")
        spots = self._spots(parts, {i: n for n, i in enumerate(body)})
        if spots is None:
            return None
        nest = Nest(loop, variable, ends, parts, spots, totals, {})
        return replace(nest, kept=self._kept(nest, None))

    def _parts(self, body: Sequence[Instr]) -> list[Part] | None:
        parts: list[Part] = []
        straight: list[Instr] = []
        for place, instr in enumerate(body):
            if not instr.blocks:
                if not is_quiet(instr):
                    return None
                straight.append(instr)
                continue
            inner = self._inner(instr)
            if inner is None:
                return None
            if any(i.op is low.STORE for i in straight):
                parts.append(Part(None, needed(body[:place], straight), straight, place))
                straight = []
            parts.append(Part(inner, needed(body[:place], inner.iterations, inner), (), place))
        if any(i.op is low.STORE for i in straight):
            kept = [i for i in straight]
            parts.append(Part(None, needed(body, kept), kept, len(body)))
        return parts

    def _inner(self, instr: Instr) -> Inner | None:
        *iterations, last = instr.blocks[0].body
        if not all(map(is_quiet, iterations)) or not is_next(last, instr):
            return None
        variable = instr.blocks[0].params[0]
        ends = self._forms.variables.get(variable)
        if ends is None:
            return None
        match instr.op:
            case low.LOOP if not instr.attrs["parallel"]:
                return Inner(instr, variable, ends, None, iterations, None)
            case low.REDUCE if instr.attrs["kind"] == "sum":
                if not isinstance(instr.result.type, DType) or instr.result.type is DType.F16:
                    return None
                return Inner(instr, variable, ends, None, iterations, last.operands[0])
            case control.FOR if counts_by_one(instr, self._definitions) and not instr.attrs:
                return self._counted(instr, ends, last)
            case _:
                return None

    def _counted(self, loop: Instr, ends: Range, last: Instr) -> Inner | None:
        """Return a counted loop that carries one number or nothing."""
        variable, (*iterations, _) = loop.blocks[0].params[0], loop.blocks[0].body
        match loop.operands[3:]:
            case []:
                return Inner(loop, variable, ends, None, iterations, None)
            case [start] if isinstance(start.type, DType):
                return Inner(loop, variable, ends, start, iterations, last.operands[0])
            case _:
                return None

    def _spots(self, parts: Sequence[Part], places: Mapping[Instr, int]) -> list[Spot] | None:
        spots: list[Spot] = []
        for number, part in enumerate(parts):
            inner = part.inner.iterations if part.inner else ()
            for instr in (*part.straight, *inner):
                if instr.op not in (low.LOAD, low.STORE):
                    continue
                access = dependence.access_of(instr, self._forms)
                if access is None:
                    return None
                spots.append(Spot(access, places.get(instr, part.place), number, instr in inner))
        return spots

    def _kept(self, nest: Nest, variable: Value | None) -> dict[Instr, Element]:
        """Return the accesses to elements that a register may hold over iterations of a loop.

        All iterations of `variable`, or else of the inner loop, share such an element, and no other
        access meets it.
        """
        kept: dict[Instr, Element] = {}
        for spot in nest.spots:
            inner = self._inner_of(nest, spot)
            if inner is None or not spot.access.writes:
                continue
            if any(dict(f.terms).get(variable or inner.variable) for f in spot.access.index):
                continue
            own = [s for s in nest.spots if s.part == spot.part]
            same = [s for s in own if s.inside and s.access.meets(spot.access)]
            how = "=" if variable is None else "inner"
            if all(s in same or self._never_meets(nest, spot, s, how) for s in own):
                kept |= {s.access.instr: (spot.access.array, spot.access.index) for s in same}
        return kept

    def _never_meets(self, nest: Nest, first: Spot, second: Spot, how: str) -> bool:
        """Whether two accesses in one iteration of the loop, or of the inner one, never meet."""
        if dependence.is_distinct(first.access.array, second.access.array, self._definitions):
            return True
        return self._is_one_array(first, second) and self._apart(nest, first, second, how)

    # Whether the order may change.

    def _conflicts(self, nest: Nest) -> Iterator[tuple[Spot, Spot]]:
        """Yield the pairs, in order of parts, that may meet and of which one writes."""
        for at, first in enumerate(nest.spots):
            for second in nest.spots[at:]:
                if not (first.access.writes or second.access.writes):
                    continue
                if not dependence.is_distinct(
                    first.access.array, second.access.array, self._definitions
                ):
                    yield first, second

    def _is_one_array(self, first: Spot, second: Spot) -> bool:
        """Whether both meet one array, in which no two indices lead to one element."""
        array = first.access.array
        return array is second.access.array and dependence.is_spread(array, self._definitions)

    def _may_distribute(self, nest: Nest) -> bool:
        for part in nest.parts:
            if part.inner is not None and bounds_of(part.inner, nest) is None:
                return False
        return self._kept_apart(nest) is None

    def _kept_apart(self, nest: Nest) -> tuple[Spot, Spot] | None:
        """Return two accesses whose order would change, if there are such."""
        conflicts = self._conflicts(nest)
        return next((pair for pair in conflicts if not self._keeps_order(nest, *pair)), None)

    def _why_not(self, nest: Nest) -> Reason:
        pair = self._kept_apart(nest)
        if pair is None:
            return Reason("their bounds depend on this loop")
        first, second = (Named(spot.access.array, self._definitions) for spot in pair)
        if str(first) != str(second):
            return Reason("{array} and {other} may share memory", array=first, other=second)
        return Reason("iterations in another order would read {array} too early", array=first)

    def _keeps_order(self, nest: Nest, first: Spot, second: Spot) -> bool:
        if not self._is_one_array(first, second):
            return False
        if first.part != second.part:
            earlier = self._apart(nest, second, first, "<")
            return earlier and (
                second.place >= first.place or self._apart(nest, second, first, "=")
            )
        if nest.parts[first.part].inner is None:
            return True
        if first.inside and second.inside:
            return self._apart(nest, first, second, "<>") and self._apart(nest, second, first, "<>")
        return all(
            self._apart(nest, a, b, how)
            for a, b, how in ((first, second, "<"), (second, first, "<"), (first, second, "="))
        )

    def _apart(self, nest: Nest, first: Spot, second: Spot, how: str) -> bool:
        """Whether two accesses never meet, the first of which stands in an earlier iteration.

        That is an earlier iteration of the loop ("<"), the same one ("="), or an earlier one of the
        loop and a later one of the inner loop ("<>"), or one iteration of the inner loop ("inner").
        """
        if how == "inner":
            return self._apart_inside(nest, first, second)
        mine, later = nest.variable, Value(INT)
        names = {mine: Affine(0, ((later if how != "=" else mine, 1),))}
        bounds: list[tuple[Value, Range]] = []
        own = self._inner_of(nest, first)
        if own is not None:
            bounds.append((own.variable, own.ends))
        other = self._inner_of(nest, second)
        if other is not None:
            k = Value(INT)
            names[other.variable] = Affine(0, ((k, 1),))
            ends = Range(
                dependence.replaced(other.ends.low, names),
                dependence.replaced(other.ends.high, names),
            )
            if how == "<>" and own is not None:
                after = Range(Affine(1, ((k, 1),)), own.ends.high)
                bounds = [(own.variable, after)]
            bounds.append((k, ends))
        if how != "=":
            bounds.append((later, Range(Affine(1, ((mine, 1),)), nest.ends.high)))
        bounds.append((mine, nest.ends))
        return dependence.lie_apart(first.access.index, second.access.renamed(names), bounds)

    def _apart_inside(self, nest: Nest, first: Spot, second: Spot) -> bool:
        """Whether two accesses of any iterations of the loop, but one of the inner, never meet."""
        other, inner = Value(INT), nest.parts[first.part].inner
        assert inner is not None
        bounds = [
            (inner.variable, inner.ends),
            (other, nest.ends),
            (nest.variable, nest.ends),
        ]
        names = {nest.variable: Affine(0, ((other, 1),))}
        return dependence.lie_apart(first.access.index, second.access.renamed(names), bounds)

    def _inner_of(self, nest: Nest, spot: Spot) -> Inner | None:
        return nest.parts[spot.part].inner if spot.inside else None

    def _may_push(self, nest: Nest) -> bool:
        if len(nest.parts) != 2:
            return False
        for first, second in self._conflicts(nest):
            if not self._is_one_array(first, second):
                return False
            if first.part == second.part == 1:
                continue
            if first.access.writes or not self._read_in_time(nest, first, second):
                return False
        return True

    def _read_in_time(self, nest: Nest, read: Spot, write: Spot) -> bool:
        """Whether no result between iterations k and j writes what the fold reads at (j, k)."""
        by = pushed_by(nest)
        inner, (mine, between) = nest.parts[0].inner, (nest.variable, Value(INT))
        assert inner is not None
        bounds: list[tuple[Value, Range]] = []
        if read.inside:
            last = inner.ends.high if by is None else Affine(by - 1, ((between, 1),))
            bounds.append((inner.variable, Range(inner.ends.low, last)))
        bounds.append((between, Range(nest.ends.low, Affine(-1, ((mine, 1),)))))
        bounds.append((mine, nest.ends))
        names = {mine: Affine(0, ((between, 1),))}
        return dependence.lie_apart(read.access.index, write.access.renamed(names), bounds)
