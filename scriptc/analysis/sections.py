"""Places: where a view of an array lies, as linear forms of loop variables.

    a[i + 1, :j]        on the first axis at i + 1, on the second from 0 on, j elements

What a view checks in each iteration, and what it clips, holds for all iterations at once where
linear forms are in order: those are the conditions, for a guard before the loop.
"""

from collections.abc import Callable, Mapping

from scriptc.analysis.affine import Affine, LoopForms
from scriptc_runtime.ir import Instr, Value, make
from scriptc_runtime.ops import arrays
from scriptc_runtime.record import record
from scriptc_runtime.types import NONE, TensorType

ZERO = Affine(0)
UP, DOWN = 1, -1


@record
class Place:
    """Where a view lies on one axis of its array: at `first`, or from there on in steps of one."""

    first: Affine
    count: Affine | None = None
    step: int = UP


@record(eq=False)
class Part:
    """A view of an array that the loop does not make."""

    array: Value
    places: tuple[Place, ...]

    @property
    def along(self) -> list[int]:
        """The axes of the array that the view still has."""
        return [i for i, place in enumerate(self.places) if place.count is not None]


class Unopened(Exception):
    """Something in the loop has no linear form."""


class Places:
    """The places of views in a loop, and what must hold for them in all of its iterations.

    `is_base` says which arrays may be parts by themselves.
    """

    def __init__(
        self, loop: Instr, definitions: Mapping[Value, Instr], is_base: Callable[[Value], bool]
    ) -> None:
        self._loop = loop
        self._is_base = is_base
        self.forms = LoopForms(loop, definitions)
        self.conditions: dict[Affine, None] = {}  # each at least 0
        self.sizes: list[Instr] = []  # to stand before the guard

    def whole(self, array: Value) -> Part:
        """Return all of an array as a part.  Raises Unopened."""
        if not self._is_base(array) or not isinstance(array.type, TensorType):
            raise Unopened
        sizes = self._sizes(array, array.type.rank)
        return Part(array, tuple([Place(ZERO, size) for size in sizes]))

    def view(self, instr: Instr, base: Part) -> Part:
        """Return what a view selects of a part.  Raises Unopened."""
        letters = instr.attrs["axes"]
        assert isinstance(letters, str)
        operands = iter(instr.operands[1:])
        places = list(base.places)
        for axis, letter in zip(base.along, letters, strict=False):
            place = places[axis]
            assert place.count is not None
            match letter:
                case "i":
                    at = _counted(self._form(next(operands)), place.count)
                    self._at_least_zero(at)
                    self._at_least_zero(place.count.plus(at, -1).plus(Affine(-1)))
                    places[axis] = Place(place.first.plus(at, place.step))
                case "s":
                    start, stop, step = (next(operands) for _ in range(3))
                    places[axis] = self._slice(place, start, stop, step)
                case _:
                    raise Unopened
        return Part(base.array, tuple(places))

    def same(self, first: Affine, second: Affine) -> None:
        """Have the guard prove that two forms are one number."""
        if not first.equals(second):
            self._at_least_zero(first.plus(second, -1))
            self._at_least_zero(second.plus(first, -1))

    def _slice(self, place: Place, start: Value, stop: Value, step: Value) -> Place:
        count = place.count
        assert count is not None
        if step.type is not NONE:
            by = self._form(step)
            if by == Affine(DOWN) and start.type is NONE and stop.type is NONE:
                last = place.first.plus(count.plus(Affine(-1)), place.step)
                return Place(last, count, -place.step)
            if by != Affine(UP):
                raise Unopened
        first = ZERO if start.type is NONE else _counted(self._form(start), count)
        end = count if stop.type is NONE else _counted(self._form(stop), count)
        self._at_least_zero(first)
        self._at_least_zero(end.plus(first, -1))
        self._at_least_zero(count.plus(end, -1))
        return Place(place.first.plus(first, place.step), end.plus(first, -1), place.step)

    def _sizes(self, array: Value, rank: int) -> list[Affine]:
        sizes: list[Affine] = []
        for axis in range(rank):
            new = make(arrays.DIM, (array,), {"axis": axis}, self._loop.loc)
            size = self.forms.size(array, axis, new.result)
            if size.terms and size.terms[0][0] is new.result:
                self.sizes.append(new)
            sizes.append(size)
        return sizes

    def _form(self, value: Value) -> Affine:
        form = self.forms.form(value)
        if form is None or not form.is_small:
            raise Unopened
        return form

    def _at_least_zero(self, form: Affine) -> None:
        least = self.forms.range(form).low
        if not least.is_small or (least.is_constant and least.constant < 0):
            raise Unopened
        if any(v in self.forms.inside for v, _ in least.terms):
            raise Unopened
        if not least.is_constant:
            self.conditions[least] = None


def _counted(form: Affine, size: Affine) -> Affine:
    """Return a bound counted from the start; one that may be negative is not opened."""
    return size.plus(form) if form.is_constant and form.constant < 0 else form
