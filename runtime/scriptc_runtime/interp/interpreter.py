"""The reference interpreter: what a module computes, on Python's and NumPy's own values."""

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import length_hint

import numpy as np

from scriptc_runtime.budget import Budget
from scriptc_runtime.errors import BudgetExceededError
from scriptc_runtime.interp.flatcode import RETURN, FlatCode, Launch, Slots, flatten
from scriptc_runtime.interp.memory import Memory
from scriptc_runtime.ir import Instr, Loc, Module, names_of_line
from scriptc_runtime.ops import unions
from scriptc_runtime.record import record
from scriptc_runtime.tracebacks import (
    ScriptFrame,
    add_context,
    shown_name,
    with_frames,
    without_own,
)
from scriptc_runtime.values import EXCEPTIONS

_CATCHABLE = tuple(EXCEPTIONS.values())
_LIBRARY = "<stdlib/"  # files whose functions users do not see in a traceback


@record(frozen=False, eq=False)
class _Frame:
    """A call in progress: `step` runs next, or has just raised or called."""

    code: FlatCode
    slots: Slots
    step: int = 0


class Interpreter:
    """Runs functions of a verified module; without a budget as long as they take.

    `launch` runs kernels elsewhere; without it they are functions like others.
    """

    def __init__(
        self, module: Module, *, budget: Budget | None = None, launch: Launch | None = None
    ) -> None:
        self._module = module
        self._launch = launch
        self._memory = Memory(budget.bytes) if budget else None
        self._steps = budget.steps if budget else sys.maxsize
        self._codes: dict[str, FlatCode] = {}

    def call(self, function_name: str, args: Sequence[object]) -> object:
        """Return what the function returns on `args`, which are of its parameters' types.

        Exceptions of the script propagate with an entry for each of its frames.
        """
        with np.errstate(all="ignore"):
            return self._run(self._enter(function_name, args))

    def _code(self, name: str) -> FlatCode:
        if name not in self._codes:
            self._codes[name] = flatten(self._module.functions[name], self._evaluator, self._launch)
        return self._codes[name]

    def _evaluator(self, instr: Instr) -> Callable[..., object]:
        evaluate = instr.op.evaluate
        assert evaluate is not None, f"{instr.op!r} has no meaning of its own"
        if instr.op in unions.OPS:
            evaluate = partial(evaluate, line_of=self._line_of)
        return self._memory.guarded(instr, evaluate) if self._memory else evaluate

    def _line_of(self, name: str) -> Sequence[str]:
        """Return the names of a class and of those that it inherits from."""
        classes = self._module.classes
        return names_of_line(name, classes) if name in classes else (name,)

    def _enter(self, name: str, args: Sequence[object]) -> _Frame:
        code = self._code(name)
        slots = code.template.copy()
        for slot, value in zip(code.params, args, strict=True):
            slots[slot] = value
        return _Frame(code, slots)

    def _run(self, frame: _Frame) -> object:
        callers: list[_Frame] = []
        outer = sys.exception()
        while True:
            try:
                asked = self._advance(frame)
                if asked != RETURN:
                    callers.append(frame)
                    frame = self._called(callers)
                    continue
            except BudgetExceededError:
                raise
            except _CATCHABLE as error:
                frame = _unwind(error, frame, callers, outer)
                continue
            value = frame.slots[0]
            if not callers:
                return value
            frame = callers.pop()
            frame.slots[frame.code.calls[frame.step].result] = value
            frame.step += 1

    def _advance(self, frame: _Frame) -> int:
        """Run steps of `frame` until it calls or returns; return which."""
        steps, slots, step = frame.code.steps, frame.slots, frame.step
        budget = iter(range(self._steps))
        try:
            for _ in budget:
                frame.step = step
                step = steps[step](slots)
                if step < 0:
                    return step
        finally:
            self._steps = length_hint(budget)
        raise BudgetExceededError("the steps of the budget are used up")

    def _called(self, callers: list[_Frame]) -> _Frame:
        """Return the frame of the call that the last of `callers` has come to."""
        if len(callers) >= sys.getrecursionlimit():
            callers.pop()
            raise RecursionError("maximum recursion depth exceeded")
        caller = callers[-1]
        site = caller.code.calls[caller.step]
        return self._enter(site.callee, [caller.slots[s] for s in site.arguments])


def _unwind(
    error: BaseException, frame: _Frame, callers: list[_Frame], outer: BaseException | None
) -> _Frame:
    """Return the frame that handles `error`, at its handler; raise it where none does.

    `outer` is the exception that the caller of the script handles.
    """
    error.__traceback__ = without_own(error.__traceback__)
    while True:
        code, step = frame.code, frame.step
        if step not in code.untraced:
            error.__traceback__ = with_frames(error.__traceback__, _frames(frame))
        handler = code.handler_of(step)
        for left in code.left_by(step, handler):
            handled = frame.slots[left.slot]
            assert isinstance(handled, BaseException)  # by its type
            add_context(error, handled, outer)
        if handler:
            frame.slots[handler.slot] = error
            frame.step = handler.end
            return frame
        if not callers:
            raise error
        frame = callers.pop()


def _frames(frame: _Frame) -> Iterator[ScriptFrame]:
    """Yield the scripted frames of one call, innermost first: inlining may have merged some."""
    function = frame.code.function
    loc: Loc | None = frame.code.locs[frame.step]
    while loc:
        name = loc.function or function.name
        file = loc.file or function.file or "?"
        if not file.startswith(_LIBRARY):
            yield shown_name(name), file, loc.line
        loc = loc.caller
