"""From nested blocks to a flat list of steps, which the interpreter runs without recursion.

A step is a closure over its own positions: it reads and writes a frame's slots and returns the
number of the next step.  Leaving a region is a copy of values and a jump, however deep the exit
stands; an exception looks for the innermost handler whose range of steps it was raised in.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import cast

import numpy as np

from scriptc_runtime.ir import Block, Function, Instr, Label, Loc, Value
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record
from scriptc_runtime.types import DType, int_limits
from scriptc_runtime.values import EXCEPTIONS

Slots = list[object]
Step = Callable[[Slots], int]
# Gives what an instruction computes; the interpreter adds its memory budget there.
Evaluator = Callable[[Instr], Callable[..., object]]
# Runs the kernel of that name on arguments that end in begin and end.
Launch = Callable[[str, Sequence[object]], None]

# What a step returns that no step follows.
RETURN = -1  # the result is in slot 0
CALL = -2  # `calls` has the site


@record
class CallSite:
    """A call: the slots of its arguments and of its result."""

    callee: str
    arguments: tuple[int, ...]
    result: int


@record
class Handler:
    """Steps `start` to `end` (exclusive) raise to steps `end` to `leave`, which handle `slot`."""

    start: int
    end: int
    leave: int
    slot: int


@record(eq=False)
class FlatCode:
    """A function ready to run; `template` is a new frame with the constants in it."""

    function: Function
    template: Slots
    params: tuple[int, ...]
    steps: list[Step]
    locs: list[Loc]
    calls: dict[int, CallSite]  # by step
    handlers: list[Handler]  # inner ones first
    untraced: set[int]  # the steps that raise again without a line of their own

    def handler_of(self, step: int) -> Handler | None:
        """Return the innermost handler around `step`."""
        return next((h for h in self.handlers if h.start <= step < h.end), None)

    def left_by(self, step: int, caught: Handler | None) -> list[Handler]:
        """Return the handlers that `step` leaves, inner ones first, when `caught` catches it."""
        inside = (h for h in self.handlers if h.end <= step < h.leave)
        return [h for h in inside if caught is None or caught.start <= h.start < caught.end]


@record(frozen=False)
class _Place:
    """A step that jumps name before it is known."""

    step: int = RETURN


@record
class _Way:
    """Where an exit goes: the slots its values are copied to, and the step that follows."""

    slots: tuple[int, ...]
    place: _Place


def flatten(function: Function, evaluator: Evaluator, launch: Launch | None = None) -> FlatCode:
    """Return `function` as steps; without `launch`, kernels are called as functions."""
    return _Flattener(function, evaluator, launch).run()


class _Flattener:
    def __init__(self, function: Function, evaluator: Evaluator, launch: Launch | None) -> None:
        self._function = function
        self._evaluator = evaluator
        self._launcher = launch
        self._slots: dict[Value, int] = {}
        # Slot 0 is the function's result, slot 1 takes the results of ops that have none.
        self._template: Slots = [None, None]
        # Places are known at the end only, so steps are made then.
        self._makers: list[Callable[[], Step]] = []
        self._locs: list[Loc] = []
        self._calls: dict[int, CallSite] = {}
        self._handlers: list[Handler] = []
        self._untraced: set[int] = set()
        self._out: dict[Label, _Way] = {}
        self._next: dict[Label, _Way] = {}
        self._regions: Mapping[OpDef, Callable[[Instr], None]] = {
            control.IF: self._if,
            control.FOR: self._for,
            control.WHILE: self._while,
            control.BLOCK: self._block,
            control.TRY: self._try,
            low.LOOP: self._loop,
            low.REDUCE: self._reduce,
        }
        self._plain: Mapping[OpDef, Callable[[Instr], None]] = {
            control.EXIT: self._exit,
            control.CALL: self._call,
            low.LAUNCH: self._launch,
            control.RAISE: self._raise,
            control.RERAISE: self._reraise,
            data.CONST: self._const,
        }

    def run(self) -> FlatCode:
        function = self._function
        params = self._slots_of(function.params)
        self._out[function.label] = _Way((0,), _Place(RETURN))
        self._body(function.body)
        steps = [make() for make in self._makers]
        return FlatCode(
            function,
            self._template,
            params,
            steps,
            self._locs,
            self._calls,
            self._handlers,
            self._untraced,
        )

    def _slot(self, value: Value) -> int:
        if value not in self._slots:
            self._slots[value] = self._hidden()
        return self._slots[value]

    def _slots_of(self, values: Sequence[Value]) -> tuple[int, ...]:
        return tuple(map(self._slot, values))

    def _hidden(self, value: object = None) -> int:
        self._template.append(value)
        return len(self._template) - 1

    @property
    def _here(self) -> int:
        return len(self._makers)

    def _emit(self, maker: Callable[[], Step], instr: Instr) -> None:
        self._makers.append(maker)
        self._locs.append(instr.loc)

    def _body(self, block: Block) -> None:
        for instr in block.body:
            if region := self._regions.get(instr.op):
                assert instr.label is not None  # the verifier saw it
                end = _Place()
                self._out[instr.label] = _Way(self._slots_of(instr.results), end)
                region(instr)
                end.step = self._here
            else:
                self._plain.get(instr.op, self._compute)(instr)

    def _compute(self, instr: Instr) -> None:
        evaluate = self._evaluator(instr)
        if instr.attrs:
            evaluate = partial(evaluate, **instr.attrs)
        operands = self._slots_of(instr.operands)
        result = self._slot(instr.result) if instr.results else 1
        after = self._here + 1
        self._emit(lambda: compute_step(evaluate, operands, result, after), instr)

    def _const(self, instr: Instr) -> None:
        evaluate = instr.op.evaluate
        assert evaluate is not None  # an op without blocks
        self._template[self._slot(instr.result)] = evaluate(**instr.attrs)

    def _exit(self, instr: Instr) -> None:
        assert instr.target is not None  # the verifier saw it
        ways = self._next if instr.target.next else self._out
        way = ways[instr.target.label]
        self._move(self._slots_of(instr.operands), way, instr)

    def _move(self, sources: tuple[int, ...], way: _Way, instr: Instr) -> None:
        self._emit(lambda: move_step(sources, way.slots, way.place.step), instr)

    def _call(self, instr: Instr) -> None:
        self._site(instr, self._slots_of(instr.operands), self._slot(instr.result))

    def _launch(self, instr: Instr) -> None:
        count, *rest = self._slots_of(instr.operands)
        arguments = (*rest, self._hidden(np.int64(0)), count)
        launch, callee, after = self._launcher, str(instr.attrs["callee"]), self._here + 1
        if launch is None:
            self._site(instr, arguments, 1)
            return

        def run(*values: object) -> None:
            launch(callee, values)

        self._emit(lambda: compute_step(run, arguments, 1, after), instr)

    def _site(self, instr: Instr, arguments: tuple[int, ...], result: int) -> None:
        self._calls[self._here] = CallSite(str(instr.attrs["callee"]), arguments, result)
        self._emit(lambda: move_step((), (), CALL), instr)

    def _raise(self, instr: Instr) -> None:
        exception = EXCEPTIONS[str(instr.attrs["kind"])]
        operands = self._slots_of(instr.operands)

        def step(slots: Slots) -> int:
            raise exception(*[slots[s] for s in operands])

        self._emit(lambda: step, instr)

    def _reraise(self, instr: Instr) -> None:
        source = self._slot(instr.operands[0])
        if not instr.attrs["traced"]:
            self._untraced.add(self._here)

        def step(slots: Slots) -> int:
            exception = slots[source]
            assert isinstance(exception, BaseException)  # by its type
            raise exception

        self._emit(lambda: step, instr)

    def _block(self, instr: Instr) -> None:
        self._body(instr.blocks[0])

    def _if(self, instr: Instr) -> None:
        condition = self._slot(instr.operands[0])
        otherwise = _Place()
        then = self._here + 1

        def make() -> Step:
            other = otherwise.step
            return lambda slots: then if slots[condition] else other

        self._emit(make, instr)
        self._body(instr.blocks[0])
        otherwise.step = self._here
        self._body(instr.blocks[1])

    def _try(self, instr: Instr) -> None:
        start = self._here
        self._body(instr.blocks[0])
        end = self._here
        (exception,) = self._slots_of(instr.blocks[1].params)
        self._body(instr.blocks[1])
        self._handlers.append(Handler(start, end, self._here, exception))

    def _while(self, instr: Instr) -> None:
        params = self._slots_of(instr.blocks[0].params)
        assert instr.label is not None  # the verifier saw it
        head = _Way(params, _Place(self._here + 1))
        self._next[instr.label] = head
        self._move(self._slots_of(instr.operands), head, instr)
        self._body(instr.blocks[0])

    def _for(self, instr: Instr) -> None:
        start, stop, step, *carried = self._slots_of(instr.operands)
        index, *params = self._slots_of(instr.blocks[0].params)

        def begin(slots: Slots) -> object:
            return iter(range(_int(slots[start]), _int(slots[stop]), _int(slots[step])))

        iterations = self._iterations(instr, begin, tuple(carried), tuple(params))
        self._count(instr, iterations, index, tuple(params), int)
        self._body(instr.blocks[0])

    def _loop(self, instr: Instr) -> None:
        (count,) = self._slots_of(instr.operands)
        (index,) = self._slots_of(instr.blocks[0].params)
        iterations = self._iterations(instr, lambda slots: iter(range(_int(slots[count]))), (), ())
        self._count(instr, iterations, index, (), np.int64)
        self._body(instr.blocks[0])

    def _iterations(
        self,
        instr: Instr,
        begin: Callable[[Slots], object],
        carried: tuple[int, ...],
        params: tuple[int, ...],
    ) -> int:
        """Emit the start of a counting loop; return the slot of its iterator."""
        iterations = self._hidden()
        head = self._here + 1
        assert instr.label is not None  # the verifier saw it
        self._next[instr.label] = _Way(params, _Place(head))
        first = move_step(carried, params, head)

        def step(slots: Slots) -> int:
            slots[iterations] = begin(slots)
            return first(slots)

        self._emit(lambda: step, instr)
        return iterations

    def _count(
        self,
        instr: Instr,
        iterations: int,
        index: int,
        results: tuple[int, ...],
        convert: Callable[[int], object],
    ) -> None:
        """Emit the head of a counting loop: the next iteration, or the results and out."""
        assert instr.label is not None  # the verifier saw it
        out = self._out[instr.label]
        body = self._here + 1

        def make() -> Step:
            leave = move_step(results, out.slots, out.place.step)

            def step(slots: Slots) -> int:
                number: int | None = next(slots[iterations], None)  # pyright: ignore[reportArgumentType]
                if number is None:
                    return leave(slots)
                slots[index] = convert(number)
                return body

            return step

        self._emit(make, instr)

    def _reduce(self, instr: Instr) -> None:
        """Emit start, fold, head, body: it ends at the fold, which falls into the head."""
        (count,) = self._slots_of(instr.operands)
        (index,) = self._slots_of(instr.blocks[0].params)
        assert instr.label is not None
        fold, first = _FOLDS[str(instr.attrs["kind"])]
        iterations = self._hidden()
        totals = tuple(self._hidden() for _ in instr.results)
        values = tuple(self._hidden() for _ in instr.results)
        fold_step = self._here + 1

        def begin(slots: Slots) -> int:
            slots[iterations] = iter(range(_int(slots[count])))
            for total, result in zip(totals, instr.results, strict=True):
                assert isinstance(result.type, DType)  # the verifier saw it, and the label
                slots[total] = first(result.type)
            return fold_step + len(totals)

        self._emit(lambda: begin, instr)
        for at, pair in enumerate(zip(totals, values, strict=True), fold_step + 1):
            self._emit(partial(compute_step, fold, pair, pair[0], at), instr)
        self._next[instr.label] = _Way(values, _Place(fold_step))
        self._count(instr, iterations, index, totals, np.int64)
        self._body(instr.blocks[0])


def _int(value: object) -> int:
    return int(cast(int, value))


def _zero(dtype: DType) -> object:
    return dtype.numpy.type(0)


def _least(dtype: DType) -> object:
    return dtype.numpy.type(-np.inf if dtype.kind == "f" else _limits(dtype)[0])


def _greatest(dtype: DType) -> object:
    return dtype.numpy.type(np.inf if dtype.kind == "f" else _limits(dtype)[1])


def _limits(dtype: DType) -> tuple[int, int]:
    if dtype is DType.B1:
        return 0, 1
    return int_limits(dtype)


_FOLDS: Mapping[str, tuple[Callable[..., object], Callable[[DType], object]]] = {
    "sum": (np.add, _zero),
    "product": (np.multiply, lambda dtype: dtype.numpy.type(1)),
    "max": (np.maximum, _least),
    "min": (np.minimum, _greatest),
}


def move_step(sources: tuple[int, ...], targets: tuple[int, ...], after: int) -> Step:
    """Return the step that copies slots, all read before the first is written."""
    if not sources:
        return lambda slots: after
    if len(sources) == 1:
        (source,), (target,) = sources, targets

        def move_one(slots: Slots) -> int:
            slots[target] = slots[source]
            return after

        return move_one

    def move(slots: Slots) -> int:
        values = [slots[s] for s in sources]
        for target, value in zip(targets, values, strict=True):
            slots[target] = value
        return after

    return move


def compute_step(
    evaluate: Callable[..., object], operands: tuple[int, ...], result: int, after: int
) -> Step:
    """Return the step of an op; one and two operands are most of what runs, so they go fast."""
    if len(operands) == 1:
        (only,) = operands

        def unary(slots: Slots) -> int:
            slots[result] = evaluate(slots[only])
            return after

        return unary
    if len(operands) == 2:
        lhs, rhs = operands

        def binary(slots: Slots) -> int:
            slots[result] = evaluate(slots[lhs], slots[rhs])
            return after

        return binary

    def compute(slots: Slots) -> int:
        slots[result] = evaluate(*[slots[s] for s in operands])
        return after

    return compute
