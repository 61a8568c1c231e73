"""Whether two accesses of a nest can meet: what decides if loops may change places.

    a[i, j] = ...                  with j2 < j        j - j2 >= 1: never one element
              ... a[k, j2] ...     with k > i         k - i >= 1: never one element

An access is an array and linear forms of loop variables. Two of them are apart where, on some axis,
the difference of their indices has one sign for all iterations under consideration: its least value
is above zero, or its greatest below. Loop variables are eliminated one by one, by their ends, which
may speak of those that come later in the list.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.affine import Affine, LoopForms, Range, eliminate
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import low
from scriptc_runtime.record import record

Bounds = Sequence[tuple[Value, Range]]  # variables with their ends, to be eliminated in this order


@record(eq=False)
class Access:
    """A load or store with an index that is linear on every axis."""

    instr: Instr
    array: Value
    index: tuple[Affine, ...]

    @property
    def writes(self) -> bool:
        """Whether it is a store."""
        return self.instr.op is low.STORE

    def meets(self, other: "Access") -> bool:
        """Whether it always leads to the same element as `other` does."""
        return self.array is other.array and all(
            a.equals(b) for a, b in zip(self.index, other.index, strict=True)
        )

    def renamed(self, names: Mapping[Value, Affine]) -> tuple[Affine, ...]:
        """Return the index with variables replaced."""
        return tuple(replaced(form, names) for form in self.index)


def replaced(form: Affine, names: Mapping[Value, Affine]) -> Affine:
    """Return a form with variables replaced by other forms."""
    result = Affine(form.constant)
    for value, coefficient in form.terms:
        result = result.plus(names.get(value, Affine(0, ((value, 1),))), coefficient)
    return result


def access_of(instr: Instr, forms: LoopForms) -> Access | None:
    """Return what a load or store does; None where an index is no linear form."""
    index: list[Affine] = []
    for value in instr.operands[2 if instr.op is low.STORE else 1 :]:
        form = forms.form(value)
        if form is None:
            return None
        index.append(form)
    return Access(instr, instr.operands[0], tuple(index))


def lie_apart(first: Sequence[Affine], second: Sequence[Affine], bounds: Bounds) -> bool:
    """Whether two indices of one array never lead to one element."""
    return any(
        least(a.plus(b, -1), bounds) > 0 or least(b.plus(a, -1), bounds) > 0
        for a, b in zip(first, second, strict=True)
    )


def least(form: Affine, bounds: Bounds) -> int:
    """Return a number that a form is never below; 0 or less where none is known."""
    for variable, ends in bounds:
        form = eliminate(form, variable, ends.low, ends.high)
    return form.constant if form.is_constant else 0


def is_spread(array: Value, definitions: Mapping[Value, Instr]) -> bool:
    """Whether no two indices of an array lead to one element: a new one, or as a guard proved."""
    made = definitions.get(array)
    return made is not None and made.op in (low.ASSUME_DISTINCT, low.NEW_ARRAY)


def is_distinct(first: Value, second: Value, definitions: Mapping[Value, Instr]) -> bool:
    """Whether two arrays are known to share no memory: new ones, and those a guard compared."""
    if first is second:
        return False
    for array in (first, second):
        made = definitions.get(array)
        if made is not None and made.op is low.NEW_ARRAY:
            return True
    ends = definitions.get(first), definitions.get(second)
    if any(made is None or made.op is not low.ASSUME_DISTINCT for made in ends):
        return False
    a, b = (made for made in ends if made is not None)
    return any(
        (origin := definitions.get(one.operands[0])) is not None
        and origin.operands
        and origin.operands[0] in other.operands[1:]
        for one, other in ((a, b), (b, a))
    )
