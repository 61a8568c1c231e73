"""Which arrays are values: nobody can tell one of them from another with the same elements.

An array is a place in memory: it can be written, and a caller who gets two of them expects that a
write to one leaves the other as it is.  An array that a function makes, and that nothing in it
writes, is a value there as a number is: it may be computed once instead of twice, or earlier.

    %1 = exp %x        a value: it is new, and only read
    %2 = exp %x        the same value, unless a write may touch %x in between
    exit @return %2    which is seen from outside: of equal values at most one may be

What a function returns, or puts into a list, an object or a cell, is seen from outside.
"""

from collections.abc import Set
from functools import cached_property

from scriptc.analysis.effects import FunctionEffects
from scriptc_runtime.ir import Function, Instr, Value, walk
from scriptc_runtime.types import TensorType, is_counted


class ArrayValues:
    """What is known of the arrays that one function makes."""

    def __init__(self, function: Function, effects: FunctionEffects) -> None:
        self._effects = effects
        self._function = function

    @cached_property
    def _seen(self) -> Set[Value]:
        effects, function = self._effects, self._function
        inner = [p for i in walk(function.body) for block in i.blocks for p in block.params]
        results = [r for i in walk(function.body) for r in i.results]
        held = [v for v in (*results, *inner) if _may_hold(v)]
        outside = [v for v in (*effects.returned, *function.params) if is_counted(v.type)]
        return {effects.group(v) for v in (*outside, *held)}

    @cached_property
    def _written(self) -> Set[Value]:
        effects = self._effects
        places = [(i, effects.own(i).writes) for i in walk(self._function.body)]
        written = {effects.memory(i.operands[place]) for i, found in places for place in found}
        return {memory for one in written for memory in effects.overlapping(one)}

    def is_value(self, instr: Instr) -> bool:
        """Whether the one result of an instruction is a new array that is only read."""
        return self.is_new(instr) and not self.is_written(instr.result)

    def is_new(self, instr: Instr) -> bool:
        """Whether the one result of an instruction is an array that only this result holds."""
        if len(instr.results) != 1 or not isinstance(instr.result.type, TensorType):
            return False
        if instr.blocks or instr.target is not None or self._effects.may_not_end(instr):
            return False
        own = self._effects.own(instr)
        return own.allocates and not (own.writes or own.io or own.aliases)

    def is_written(self, array: Value) -> bool:
        """Whether the function may write to the memory of an array, anywhere in it."""
        return self._effects.memory(array) in self._written

    def is_seen(self, array: Value) -> bool:
        """Whether the memory of an array can be met outside of the function, or in a container."""
        return self._effects.group(array) in self._seen


def _may_hold(value: Value) -> bool:
    """Whether a value may be something that holds arrays."""
    return is_counted(value.type) and not isinstance(value.type, TensorType)
