"""Which arrays are values: nobody can tell one of them from another with the same elements.

An array is a place in memory: it can be written, and a caller who gets two of them expects that a
write to one leaves the other as it is.  An array that a function makes, and that nothing in it
writes, is a value there as a number is: it may be computed once instead of twice, or earlier.

    %1 = exp %x        a value: it is new, and only read
    %2 = exp %x        the same value, unless a write may touch %x in between
    exit @return %2    which is seen from outside: of equal values at most one may be

What a function returns, or puts into a list, an object or a cell, is seen from outside.
"""

from scriptc.analysis.effects import FunctionEffects
from scriptc_runtime.ir import Function, Instr, Value, walk
from scriptc_runtime.types import TensorType, is_counted


class ArrayValues:
    """What is known of the arrays that one function makes."""

    def __init__(self, function: Function, effects: FunctionEffects) -> None:
        self._effects = effects
        written: set[Value] = set()
        outside = (*effects.returned, *function.params)
        seen = {effects.group(v) for v in outside if is_counted(v.type)}
        for instr in walk(function.body):
            written.update([effects.memory(instr.operands[i]) for i in effects.own(instr).writes])
            inner = [p for block in instr.blocks for p in block.params]
            seen.update([effects.group(v) for v in (*instr.results, *inner) if _may_hold(v)])
        self._seen = seen
        self._written = {m for w in written for m in effects.overlapping(w)}

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
