"""Bounds of floats that are computed from integers: what division and int() need not test.

    i = 0 .. n - 1
    x = float(i)            0.0 <= x <= 2**63
    r = math.sqrt(x)        0.0 <= r <= 3037000499.97..., so no domain error
    k = int(r)              0 <= k <= 3037000500, so neither NaN nor infinite nor too large

Rounding keeps the order of numbers, so the results for the ends of the operands are the ends of the
result. A float without bounds may be anything; one that has bounds is finite and no NaN.
"""

import math
import operator
from collections.abc import Callable, Mapping

from scriptc.analysis.intervals import Fact
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import data, elementary
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import BOOL, FLOAT, INT, DType, Type

# The ends of integers are ints: a quotient of ints is rounded once.
Bounds = tuple[float, float]

_EXACT_IN_FLOATS = 1 << 53
_INT_END = 2.0**63
_DOUBLES = (FLOAT, DType.F64)
_BINARY: Mapping[OpDef, Callable[[float, float], float]] = {
    e.ADD: operator.add,
    e.SUB: operator.sub,
    e.MUL: operator.mul,
    e.DIV: lambda a, b: a / b,
}
_RISING: Mapping[OpDef, Callable[[float], float]] = {
    e.CAST: float,
    e.SQRT: math.sqrt,
    elementary.FLOOR: math.floor,
    elementary.CEIL: math.ceil,
    elementary.TRUNC: math.trunc,
}
_COMPARES: Mapping[OpDef, Callable[[float, float], bool]] = {
    e.LT: operator.lt,
    e.LE: operator.le,
    e.GT: operator.gt,
    e.GE: operator.ge,
}


def is_double(value: Value) -> bool:
    """Whether bounds are kept of a value."""
    return value.type in _DOUBLES


class FloatBounds:
    """The bounds in one function, learnt where an instruction is met; `fact` tells of integers."""

    def __init__(self, definitions: Mapping[Value, Instr], fact: Callable[[Value], Fact]) -> None:
        self.divides: set[Instr] = set()  # divisions of floats by what is not 0
        self.converts: set[Instr] = set()  # conversions to int that give one
        self._definitions = definitions
        self._fact = fact
        self._known: dict[Value, Bounds] = {}

    def learn(self, instr: Instr) -> None:
        """Note what is known of a result; what an earlier guess said of it is gone."""
        if instr.op is e.DIV and instr.result.type is FLOAT:
            _keep(self.divides, instr, self._is_plain_division(instr))
        if instr.op is e.CAST and instr.result.type is INT and is_double(instr.operands[0]):
            _keep(self.converts, instr, _fits(self.of(instr.operands[0])))
        if len(instr.results) == 1 and is_double(instr.results[0]):
            self._known.pop(instr.result, None)
            bounds = self._computed(instr)
            if bounds is not None and math.isfinite(bounds[0]) and math.isfinite(bounds[1]):
                self._known[instr.result] = bounds

    def of(self, value: Value) -> Bounds | None:
        """Return the bounds of a float or an integer."""
        if is_double(value):
            made = self._definitions.get(value)
            if made is None or made.op is not e.CAST or is_double(made.operands[0]):
                return self._known.get(value)
            # More may be known of the integer here than where it was converted.
            whole = self.of(made.operands[0])
            return (float(whole[0]), float(whole[1])) if whole else None
        if value.type is DType.U64:
            return 0, 2**64 - 1
        is_whole = isinstance(value.type, DType) and value.type.kind in "iub"
        if not is_whole and value.type not in (INT, BOOL):
            return None
        fact = self._fact(value)
        # Where no integer is left, the code is never reached, and nothing has to be known of it.
        return (fact.low, fact.high) if fact.low <= fact.high else None

    def whole(self, value: Value, integer: Type) -> Fact:
        """Return what is known of a float as an integer of some type.

        int() raises for what 64 bits do not hold; NumPy's casts make the least integer of it.
        """
        bounds = self.of(value)
        if bounds is None or not (integer is INT or _fits(bounds)):
            return Fact()
        return Fact(int(bounds[0]), int(bounds[1])).clamped()

    def outcome(self, test: Instr) -> bool | None:
        """Return how a comparison of floats comes out, if it has to."""
        first, second = map(self.of, test.operands)
        if first is None or second is None or test.op not in _COMPARES:
            return None
        outcomes = {_COMPARES[test.op](a, b) for a in first for b in second}
        return outcomes.pop() if len(outcomes) == 1 else None

    def _computed(self, instr: Instr) -> Bounds | None:
        if instr.op is data.CONST:
            value = instr.attrs["value"]
            return (value, value) if isinstance(value, float) and value == value else None
        bounds = [self.of(v) for v in instr.operands]
        given = [b for b in bounds if b is not None]
        if len(given) < len(bounds):
            return None
        if instr.op in _BINARY:
            first, second = given
            if instr.op is e.DIV and second[0] <= 0 <= second[1]:
                return None
            ends = [_BINARY[instr.op](a, b) for a in first for b in second]
            return min(ends), max(ends)
        if instr.op in _RISING and (instr.op is not e.SQRT or given[0][0] >= 0):
            low, high = (float(_RISING[instr.op](end)) for end in given[0])
            return low, high
        if instr.op is e.NEG:
            return -given[0][1], -given[0][0]
        if instr.op is e.ABS:
            low, high = given[0]
            return max(low, -high, 0.0), max(-low, high)
        return None

    def _is_plain_division(self, instr: Instr) -> bool:
        """Whether NumPy's division does it: not by 0, and of numbers that are floats exactly."""
        exact = all(is_double(v) or self._is_exact(v) for v in instr.operands)
        return exact and self._is_not_zero(instr.operands[1])

    def _is_exact(self, value: Value) -> bool:
        bounds = self.of(value)
        return bounds is not None and max(-bounds[0], bounds[1]) <= _EXACT_IN_FLOATS

    def _is_not_zero(self, divisor: Value) -> bool:
        made = self._definitions.get(divisor)
        if made is not None and made.op is data.CONST:
            return made.attrs["value"] != 0
        bounds = self.of(divisor)
        return bounds is not None and (bounds[0] > 0 or bounds[1] < 0)


def _fits(bounds: Bounds | None) -> bool:
    """Whether 64 bits hold an integer within these bounds."""
    return bounds is not None and bounds[0] >= -_INT_END and bounds[1] < _INT_END


def _keep(kept: set[Instr], instr: Instr, holds: bool) -> None:
    if holds:
        kept.add(instr)
    else:
        kept.discard(instr)
