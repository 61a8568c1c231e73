"""Calls that may nest deeper than Python's stack: each thread has a stack of its own.

    calls = DeepCalls()
    calls.call(function, argument)    inside of `function` as well

What a program nests is not bounded by the stack of who compiles it, and the limit of Python's
stack is the user's. The thread that calls waits, so there is never more than one at work.
"""

from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar

_Argument = TypeVar("_Argument")
_Result = TypeVar("_Result")

# How many calls one stack takes: a few hundred frames of Python's, which stops at a thousand. What
# expressions and statements nest takes the rest.
_A_STACK = 12


class DeepCalls:
    """The calls of one compilation."""

    def __init__(self) -> None:
        self._depth = 0
        self._is_interrupted = False

    def call(self, function: Callable[[_Argument], _Result], argument: _Argument) -> _Result:
        """Call a function, on a new stack where this one has many such calls.

        Raises what it raises; KeyboardInterrupt, too, where a thread that waits is interrupted.
        """
        if self._is_interrupted:
            raise KeyboardInterrupt
        self._depth += 1
        try:
            if self._depth % _A_STACK:
                return function(argument)
            return self._on_another_stack(function, argument)
        finally:
            self._depth -= 1

    def _on_another_stack(
        self, function: Callable[[_Argument], _Result], argument: _Argument
    ) -> _Result:
        # Inside a function: few programs nest so much.
        from concurrent.futures import ThreadPoolExecutor

        context = copy_context()
        with ThreadPoolExecutor(1) as other:
            try:
                return other.submit(context.run, function, argument).result()
            except KeyboardInterrupt:
                # Signals come to the main thread only: the one at work ends at its next call.
                self._is_interrupted = True
                raise
            finally:
                for variable, value in context.items():
                    variable.set(value)  # the stages of the timeline are such
