"""Updates: threads share loops that write to elements which other iterations write, too.

    for i in range(n):               =>    for i in range(n) [grows=()]:       (of ints)
        h[k[i]] += 1                           atomic h, 1, k[i]

    for i in range(n):               =>    for i in range(n) [grows=()]:       (of floats)
        if w[i] > 0.0:                         places[i], values[i] = k[i], w[i]
            h[k[i]] += w[i]                combine h, places, values

    for i in range(n):               =>    for i in range(n) [grows=()]:
        h[k[i]] = w[i]                         atomic last, i + 1, k[i]        (the larger one)
                                           for i in range(n) [grows=()]:
                                               if last[k[i]] == i + 1:
                                                   h[k[i]] = w[i]

Ints are added in any order.  Floats are rounded at each step, so what an iteration adds, and where,
is written down, and `combine` adds it in the order of the iterations.  Of what is put to one
element the last one stays.

Where an iteration may raise or leave the loop, threads look for the first one that does, as in
`searches.py`; those before it are shared, and the loop itself runs from there on.

Needs: low IR, after `parallelise`.
Gives: the same, with the library op `combine`; loops to share are marked as those over `prange`.
Does not: take loops that carry values, or read elements that they write for something else.
Cases: tests/cases/device/share_updates.
"""

from collections.abc import Callable, Mapping, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import constant_int
from scriptc.kernels.builder import Code
from scriptc.kernels.device.host_loops import rebuild_host_loops
from scriptc.kernels.device.loop_ends import Act, Iteration, exact_of, leaves_loop
from scriptc.kernels.device.searches import first_leaving, from_there_on, is_search
from scriptc.kernels.device.updates import (
    PUT,
    SUB,
    Update,
    dtype_of,
    updates_of,
)
from scriptc.kernels.loops.chunks import Iterations, iterations_of
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, clone, copied
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ir import Block, Function, Instr, Label, Target, Value, walk
from scriptc_runtime.ops import control, device, low, picking
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT, DType, TensorType

I64 = DType.I64
_Act = Callable[[Code, Update], None]


@per_function
def share_updates(function: Function) -> Function:
    """Return `function` with loops shared that update elements, or put them."""
    definitions = definitions_of(function)

    def emit(code: Code, loop: Instr, host_knows: bool) -> Sequence[Value] | None:
        updates = updates_of(loop, definitions)
        if updates is None:
            return None
        bounds = [constant_int(v, definitions) for v in loop.operands[:3]]
        in_order = replace(loop, attrs={})  # what is left of it where others are shared
        shared = _Shared(code, in_order, {u.store: u for u in updates.all})
        asked = shared.asked() if shared.may_end() else None
        if asked is not None and not (host_knows and is_search(asked, definitions)):
            return None

        def side_by_side() -> Sequence[Value]:
            shared.emit_all(iterations_of(code, loop, bounds), asked)
            return ()

        def as_it_was() -> Sequence[Value]:
            return code.builder.append(copied(loop)).results

        conditions = [code.op(low.IS_SPREAD, a) for a in updates.spread]
        conditions += [code.op(e.NOT, code.op(low.MAY_OVERLAP, *p)) for p in updates.pairs]
        if conditions:
            return code.choose(code.both(conditions), side_by_side, as_it_was)
        return side_by_side()

    return rebuild_host_loops(function, emit)


@record(eq=False)
class _Shared:
    """A loop that is to be shared, and its updates by their stores."""

    code: Code
    loop: Instr
    updates: Mapping[Instr, Update]

    def may_end(self) -> bool:
        """Whether an iteration may raise or leave the loop."""
        leaves = leaves_loop(self.loop)
        return any(leaves(i) or exact_of(i) is not None for i in walk(self.loop.blocks[0]))

    def asked(self) -> Instr:
        """Return the loop without its updates, where ints that may not fit end it."""
        block = Iteration(self.loop, None, self._acts(_nothing)).block(self.loop.blocks[0])
        return replace(self.loop, blocks=(block,))

    def emit_all(self, iterations: Iterations, asked: Instr | None) -> None:
        """Emit the loop; iterations of `asked` end it where they may."""
        if asked is None:
            self.emit(iterations)
            return
        first = first_leaving(self.code, asked, iterations)
        self.emit(replace(iterations, count=first))
        self.code.builder.append(from_there_on(self.code, self.loop, iterations, first))

    def emit(self, iterations: Iterations) -> None:
        """Emit the iterations, which neither raise nor leave the loop, side by side."""
        kept = {
            array: self._kept(array, iterations)
            for array in dict.fromkeys(u.array for u in self.updates.values())
        }
        if any(u.kind == PUT for u in self.updates.values()):
            self._each(iterations, lambda place: lambda code, u: kept[u.array].ask(code, u, place))
        self._each(iterations, lambda place: lambda code, u: kept[u.array].take(code, u, place))
        for array in kept.values():
            array.finish()

    def _kept(self, array: Value, iterations: Iterations) -> "_Kept":
        mine = [u for u in self.updates.values() if u.array is array]
        if mine[0].kind == PUT:
            return _Last(self.code, array, mine)
        if not mine[0].in_any_order:
            whole = self.loop.blocks[0].body
            always = all(u.store in whole for u in mine) and self._has_one_end()
            return _InOrder(self.code, array, mine, iterations.count, always)
        return _Sums(self.code, array, mine)

    def _has_one_end(self) -> bool:
        ends = [i for i in walk(self.loop.blocks[0]) if i.target and i.target.next]
        return sum(i.target is not None and i.target.label is self.loop.label for i in ends) == 1

    def _acts(self, act: _Act) -> Mapping[Instr, Act]:
        """Return what stands for the instructions of updates, each as `act` says."""
        acts: dict[Instr, Act] = {}
        for store, update in self.updates.items():
            acts.update((i, lambda code, instr: None) for i in update.dropped)
            acts[store] = lambda code, instr: act(code, self.updates[instr])
        return acts

    def _each(self, iterations: Iterations, act: Callable[[Value], _Act]) -> None:
        """Emit a loop that does for each update of an iteration what `act` says."""
        code, loop = self.code, self.loop
        number, label, names = Value(INT), Label("updates"), Renaming()
        bounds = [code.to_int(v) for v in (code.number(0), iterations.count, code.number(1))]
        code.builder.open(number)
        place = code.to_i64(number)
        step = code.op(e.MUL, place, iterations.step)
        names[loop.blocks[0].params[0]] = code.to_int(code.op(e.ADD, iterations.start, step))
        assert loop.label is not None
        on = Instr(control.EXIT, (), {}, (), loop.loc, (), None, Target(loop.label, next=True))
        acts = self._acts(act(place))
        old = Iteration(loop, on, acts).block(Block((), loop.blocks[0].body))
        for instr in clone(old, names, {loop.label: label}, lambda loc: loc).body:
            code.builder.append(instr)
        block = code.builder.close()
        code.builder.append(
            Instr(control.FOR, tuple(bounds), {"grows": ()}, (), loop.loc, (block,), label)
        )


def _nothing(code: Code, update: Update) -> None:
    """Emit nothing for an update."""


class _Kept:
    """What is kept of the updates of an array until all iterations are done."""

    def __init__(self, code: Code, array: Value, updates: Sequence[Update]) -> None:
        assert isinstance(array.type, TensorType)
        self._code = code
        self._array = array
        self._type = array.type
        self._updates = updates
        self._sizes = [code.size(array, axis) for axis in range(array.type.rank)]

    def ask(self, code: Code, update: Update, place: Value) -> None:
        """Emit what an iteration does beforehand."""

    def take(self, code: Code, update: Update, place: Value) -> None:
        """Emit what the iteration at a place does in the place of an update."""
        raise NotImplementedError

    def finish(self) -> None:
        """Emit what is done after all iterations."""

    def _zeros(self) -> Value:
        """Emit an array of zeros, i64, as large as this one."""
        zeros = self._code.new_array(TensorType(I64, self._type.dims), self._sizes)
        zero = self._code.number(0)
        self._for_each(
            lambda index: self._code.builder.effect(
                low.STORE, zeros, zero, *index, loc=self._code.loc
            )
        )
        return zeros

    def _for_each(self, body: Callable[[Sequence[Value]], None]) -> None:
        """Emit a nest over all elements."""

        def axis(index: tuple[Value, ...]) -> None:
            if len(index) == len(self._sizes):
                body(index)
                return
            count = self._sizes[len(index)]
            self._code.loop(count, lambda i: axis((*index, i)), parallel=True)

        axis(())


class _Sums(_Kept):
    """Ints that are added: to an i64 at once, to others as what they come to in 64 bits."""

    def __init__(self, code: Code, array: Value, updates: Sequence[Update]) -> None:
        super().__init__(code, array, updates)
        self._sums = array if self._type.dtype is I64 else self._zeros()

    def take(self, code: Code, update: Update, place: Value) -> None:
        amount = code.to_i64(update.amount)
        if update.kind == SUB:
            amount = code.op(e.SUB, code.number(0), amount)
        code.builder.effect(
            device.ATOMIC, self._sums, amount, *update.index, loc=code.loc, kind="sum"
        )

    def finish(self) -> None:
        if self._sums is self._array:
            return
        code = self._code

        def add(index: Sequence[Value]) -> None:
            more = code.cast(code.op(low.LOAD, self._sums, *index), self._type.dtype)
            total = code.op(e.ADD, code.op(low.LOAD, self._array, *index), more)
            code.builder.effect(low.STORE, self._array, total, *index, loc=code.loc)

        self._for_each(add)


class _Last(_Kept):
    """Elements that are put: each has the number of the last iteration that does so."""

    def __init__(self, code: Code, array: Value, updates: Sequence[Update]) -> None:
        super().__init__(code, array, updates)
        self._last = self._zeros()

    def ask(self, code: Code, update: Update, place: Value) -> None:
        number = self._number(code, update, place)
        code.builder.effect(
            device.ATOMIC, self._last, number, *update.index, loc=code.loc, kind="max"
        )

    def take(self, code: Code, update: Update, place: Value) -> None:
        number = self._number(code, update, place)
        is_last = code.test(e.EQ, code.op(low.LOAD, self._last, *update.index), number)

        def put() -> Sequence[Value]:
            code.builder.append(update.store)
            return ()

        code.choose(is_last, put, lambda: ())

    def _number(self, code: Code, update: Update, place: Value) -> Value:
        each = code.op(e.MUL, place, code.number(len(self._updates)))
        return code.op(e.ADD, each, code.number(self._updates.index(update) + 1))


class _InOrder(_Kept):
    """What is combined in the order of the iterations: it is written down, and where it goes."""

    def __init__(
        self, code: Code, array: Value, updates: Sequence[Update], count: Value, always: bool
    ) -> None:
        super().__init__(code, array, updates)
        self._all = code.op(e.MUL, count, code.number(len(updates)))
        one_axis = (UNKNOWN,)
        self._places = code.new_array(TensorType(I64, one_axis), [self._all])
        self._values = code.new_array(TensorType(dtype_of(array), one_axis), [self._all])
        if not always:
            nowhere = code.number(-1)
            code.loop(self._all, lambda i: self._note(code, nowhere, i), parallel=True)

    def _note(self, code: Code, place: Value, at: Value) -> None:
        code.builder.effect(low.STORE, self._places, place, at, loc=code.loc)

    def take(self, code: Code, update: Update, place: Value) -> None:
        each = code.op(e.MUL, place, code.number(len(self._updates)))
        at = code.op(e.ADD, each, code.number(self._updates.index(update)))
        code.builder.effect(low.STORE, self._values, update.amount, at, loc=code.loc)
        flat, *others = update.index
        for size, index in zip(self._sizes[1:], others, strict=True):
            flat = code.op(e.ADD, code.op(e.MUL, flat, size), index)
        self._note(code, flat, at)

    def finish(self) -> None:
        kind = self._updates[0].kind
        operands = (self._array, self._places, self._values)
        self._code.builder.effect(picking.COMBINE, *operands, loc=self._code.loc, kind=kind)
