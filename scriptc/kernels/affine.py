"""Linear forms of loop variables and of what a loop does not change, and their ranges.

    index = constant + sum(coefficient * value)

Loop variables are eliminated from the innermost outwards by the ends of their ranges, which are
linear forms themselves, so triangular loops need nothing special.
"""

from collections.abc import Mapping

from scriptc.passes.ranges import ADDS, MULS, SUBS
from scriptc_runtime.ir import Instr, Value, walk
from scriptc_runtime.ops import control, data
from scriptc_runtime.record import record
from scriptc_runtime.types import INT

MAX_COEFFICIENT = 1024
_LINEAR = (*ADDS, *SUBS, *MULS)


@record
class Affine:
    """`constant` + the sum of `coefficient * value`."""

    constant: int
    terms: tuple[tuple[Value, int], ...] = ()

    def plus(self, other: "Affine", factor: int = 1) -> "Affine":
        """Return `self + factor * other`."""
        terms = dict(self.terms)
        for value, coefficient in other.terms:
            terms[value] = terms.get(value, 0) + factor * coefficient
        kept = tuple((v, c) for v, c in terms.items() if c)
        return Affine(self.constant + factor * other.constant, kept)

    @property
    def is_small(self) -> bool:
        """Whether values held to 40 bits cannot make it overflow."""
        numbers = [self.constant, *(c for _, c in self.terms)]
        return all(abs(n) <= MAX_COEFFICIENT for n in numbers) and len(self.terms) <= 8


@record
class Range:
    """The least and the greatest value, both reached if there is a round at all."""

    low: Affine
    high: Affine


class LoopForms:
    """The linear forms inside one loop; `variables` are its own and inner loops' variables."""

    def __init__(self, loop: Instr, definitions: Mapping[Value, Instr]) -> None:
        self.loop = loop
        self.definitions = definitions
        self.inside: set[Value] = set()
        self.variables: dict[Value, Range] = {}
        for block in loop.blocks:
            self.inside.update(block.params)
            for instr in walk(block):
                self.inside.update(instr.results)
                for inner in instr.blocks:
                    self.inside.update(inner.params)
        self._add_variable(loop)
        for block in loop.blocks:
            for instr in walk(block):
                if instr.op is control.FOR:
                    self._add_variable(instr)

    def form(self, value: Value) -> Affine | None:
        """Return `value` as a linear form, None if it is none."""
        if value in self.variables:
            return Affine(0, ((value, 1),))
        definition = self.definitions.get(value)
        if definition is not None and definition.op is data.CONST and value.type is INT:
            constant = definition.attrs["value"]
            assert isinstance(constant, int)
            return Affine(constant)
        if value not in self.inside:
            return Affine(0, ((value, 1),)) if value.type is INT else None
        return self._computed(definition) if definition is not None else None

    def range(self, form: Affine) -> Range:
        """Return the range of a form over all rounds, in terms of what the loop does not change."""
        low = high = form
        for variable, ends in reversed(self.variables.items()):  # inner loops come last
            low = _eliminate(low, variable, ends.low, ends.high)
            high = _eliminate(high, variable, ends.high, ends.low)
        return Range(low, high)

    def _computed(self, definition: Instr) -> Affine | None:
        if definition.op not in _LINEAR or definition.results[0].type is not INT:
            return None
        first, second = (self.form(v) for v in definition.operands)
        if first is None or second is None:
            return None
        if definition.op in MULS:
            if first.terms and second.terms:
                return None
            scaled, factor = (second, first) if not first.terms else (first, second)
            form = Affine(0).plus(scaled, factor.constant)
        else:
            form = first.plus(second, 1 if definition.op in ADDS else -1)
        return form if form.is_small else None

    def _add_variable(self, loop: Instr) -> None:
        start, stop, step = loop.operands[:3]
        first, end = self.form(start), self.form(stop)
        stride = self.definitions.get(step)
        if first is None or end is None or stride is None or stride.op is not data.CONST:
            return
        by = stride.attrs["value"]
        if not isinstance(by, int) or by == 0:
            return
        variable = loop.blocks[0].params[0]
        if by > 0:
            self.variables[variable] = Range(first, end.plus(Affine(-1)))
        else:
            self.variables[variable] = Range(end.plus(Affine(1)), first)


def _eliminate(form: Affine, variable: Value, up: Affine, down: Affine) -> Affine:
    """Replace a loop variable by `up` where its coefficient is positive, by `down` if negative."""
    coefficient = dict(form.terms).get(variable, 0)
    if coefficient == 0:
        return form
    without = Affine(form.constant, tuple((v, c) for v, c in form.terms if v is not variable))
    return without.plus(up if coefficient > 0 else down, coefficient)
