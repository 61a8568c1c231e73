"""Linear forms of ints and sizes where a walk stands, and which of them are not below zero.

    p = np.empty(n + 2)         a size of the form n + 2, where n is a size
    p[1 : n + 1]                begins at 1 and ends at n + 1: within n + 2, whatever n is
    p[:-2]                      ends at n

An int op that would leave 64 bits raises, so what an int is computed of says what it is.
"""

from collections import ChainMap
from collections.abc import Sequence

from scriptc.analysis.affine import Affine, combined
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import data
from scriptc_runtime.record import field, record
from scriptc_runtime.types import INT

# What stands for a form, however its terms are ordered.
Key = tuple[int, frozenset[tuple[Value, int]]]


@record(eq=False)
class SizeForms:
    """The forms that a block knows: those of the block around it, and its own."""

    _forms: ChainMap[Value, Affine] = field(default_factory=ChainMap[Value, Affine])
    # What is not below zero, of the values that forms are made of.
    _natural: ChainMap[Value, None] = field(default_factory=ChainMap[Value, None])

    def inside(self) -> "SizeForms":
        """Return what a block inside this one knows."""
        return SizeForms(self._forms.new_child(), self._natural.new_child())

    def of(self, value: Value) -> Affine:
        """Return a number as a linear form: itself, where nothing more is known."""
        return self._forms.get(value) or Affine(0, ((value, 1),))

    def note(self, value: Value, form: Affine) -> None:
        """Take note that a number has this form."""
        if form.is_small and form != Affine(0, ((value, 1),)):
            self._forms[value] = form

    def note_int(self, instr: Instr, operands: Sequence[Value]) -> None:
        """Take note of what an instruction computes of `operands` if that is an int."""
        if len(instr.results) != 1 or instr.result.type is not INT:
            return
        if instr.op is data.CONST:
            value = instr.attrs["value"]
            assert isinstance(value, int)
            self.note(instr.result, Affine(value))
        elif operands and all(v.type is INT for v in operands):
            form = combined(instr.op, [self.of(v) for v in operands])
            if form is not None:
                self.note(instr.result, form)

    def note_natural(self, value: Value) -> None:
        """Take note that a number is not below zero."""
        match self.of(value):
            case Affine(0, ((base, 1),)):
                self._natural[base] = None
            case _:
                pass

    def is_natural(self, form: Affine) -> bool:
        """Whether a form is not below zero whatever its values are."""
        return form.constant >= 0 and all(c > 0 and v in self._natural for v, c in form.terms)

    @staticmethod
    def key(form: Affine) -> Key:
        """Return what is equal for equal forms."""
        return form.constant, frozenset(form.terms)
