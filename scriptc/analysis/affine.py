"""Linear forms of loop variables and of what a loop does not change, and their ranges.

    index = constant + sum(coefficient * value)

Loop variables are eliminated from the innermost outwards by the ends of their ranges, which are
linear forms themselves, so triangular loops need nothing special.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.ranges import ADDS, MULS, SUBS
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import Instr, Value, walk
from scriptc_runtime.ops import arrays, control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record
from scriptc_runtime.types import INT, DType, TensorType

MAX_COEFFICIENT = 1024
_LINEAR = (*ADDS, *SUBS, *MULS)
_NUMBERS = (INT, DType.I64)
_COUNTED = (low.LOOP, low.REDUCE)


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

    def equals(self, other: "Affine") -> bool:
        """Whether both are one number whatever the values are."""
        return self.plus(other, -1) == Affine(0)

    @property
    def is_constant(self) -> bool:
        """Whether it is a number alone."""
        return not self.terms

    @property
    def is_small(self) -> bool:
        """Whether values held to 40 bits cannot make it overflow."""
        numbers = [self.constant, *(c for _, c in self.terms)]
        return all(abs(n) <= MAX_COEFFICIENT for n in numbers) and len(self.terms) <= 8


@record
class Range:
    """The least and the greatest value, both reached if there is an iteration at all."""

    low: Affine
    high: Affine


class LoopForms:
    """The linear forms inside one loop; `variables` are its own and inner loops' variables."""

    def __init__(self, loop: Instr, definitions: Mapping[Value, Instr]) -> None:
        self.loop = loop
        self.definitions = definitions
        self.inside: set[Value] = set()
        self.variables: dict[Value, Range] = {}
        self._sizes: dict[tuple[Value, int] | Dim, Value] = {}
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
                elif instr.op in _COUNTED:
                    self._add_counter(instr)

    def form(self, value: Value) -> Affine | None:
        """Return `value` as a linear form, None if it is none."""
        if value in self.variables:
            return Affine(0, ((value, 1),))
        if value.type not in _NUMBERS:
            return None
        definition = self.definitions.get(value)
        if definition is None:
            return None if value in self.inside else Affine(0, ((value, 1),))
        if definition.op is data.CONST:
            constant = definition.attrs["value"]
            assert isinstance(constant, int)
            return Affine(constant)
        if definition.op is e.CAST and definition.operands[0].type in _NUMBERS:
            return self.form(definition.operands[0])
        if value not in self.inside:
            return self._outside(value, definition)
        return self._computed(definition)

    def _outside(self, value: Value, definition: Instr) -> Affine:
        if definition.op is not arrays.DIM:
            return Affine(0, ((value, 1),))
        axis = definition.attrs["axis"]
        assert isinstance(axis, int)
        return self.size(definition.operands[0], axis, value)

    def size(self, array: Value, axis: int, value: Value) -> Affine:
        """Return the size of an axis; `value` is it, and stands for it if none did before."""
        assert isinstance(array.type, TensorType)
        dim = array.type.dims[axis]
        if dim.is_constant:
            return Affine(dim.constant)
        known = self._sizes.setdefault(dim if dim.known else (array, axis), value)
        return Affine(0, ((known, 1),))

    def range(self, form: Affine) -> Range:
        """Return the range of a form over all iterations, as forms of what is invariant."""
        low = high = form
        for variable, ends in reversed(self.variables.items()):  # inner loops come last
            low = eliminate(low, variable, ends.low, ends.high)
            high = eliminate(high, variable, ends.high, ends.low)
        return Range(low, high)

    def _computed(self, definition: Instr) -> Affine | None:
        if definition.op is not e.NEG and definition.op not in _LINEAR:
            return None
        forms = [self.form(v) for v in definition.operands]
        known = [form for form in forms if form is not None]
        return combined(definition.op, known) if len(known) == len(forms) else None

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

    def _add_counter(self, loop: Instr) -> None:
        end = self.form(self._count(loop.operands[0]))
        if end is not None:
            self.variables[loop.blocks[0].params[0]] = Range(Affine(0), end.plus(Affine(-1)))

    def _count(self, value: Value) -> Value:
        """Return the count of a loop."""
        return value


def combined(op: OpDef, forms: Sequence[Affine]) -> Affine | None:
    """Return what an op gives of operands of these forms, None if that is no small linear form."""
    if op is e.NEG:
        return Affine(0).plus(forms[0], -1)
    if op not in _LINEAR:
        return None
    first, second = forms
    if op in MULS:
        if first.terms and second.terms:
            return None
        scaled, factor = (second, first) if not first.terms else (first, second)
        form = Affine(0).plus(scaled, factor.constant)
    else:
        form = first.plus(second, 1 if op in ADDS else -1)
    return form if form.is_small else None


def eliminate(form: Affine, variable: Value, up: Affine, down: Affine) -> Affine:
    """Replace a variable by `up` where its coefficient is positive, by `down` if negative."""
    coefficient = dict(form.terms).get(variable, 0)
    if coefficient == 0:
        return form
    without = Affine(form.constant, tuple((v, c) for v, c in form.terms if v is not variable))
    return without.plus(up if coefficient > 0 else down, coefficient)
