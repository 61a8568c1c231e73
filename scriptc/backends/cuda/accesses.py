"""Which elements a kernel's nest reaches: each access as a linear form of the nest's indices.

    loop i { loop j { ... load %x, %i, %j + 1 ... } }        %x: i on axis 0, j on axis 1, + 1

From these follows how far apart the elements of neighbouring points are, in terms of strides: one
axis, several, or none.
"""

import enum
from collections.abc import Sequence

from scriptc.analysis.affine import Affine, LoopForms
from scriptc.analysis.definitions import definitions_of
from scriptc.backends.cuda.schedule import Schedule, inside
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import control, low
from scriptc_runtime.record import record
from scriptc_runtime.types import TensorType


class Step(enum.Enum):
    """How far an access moves from one point of an axis of the space to the next."""

    NONE = "none"
    UNIT = "unit"  # one element of the array's last axis
    OTHER = "other"


@record(eq=False)
class Access:
    """One load or store; `forms` are its places, None for one that is no linear form."""

    instr: Instr
    forms: tuple[Affine | None, ...]

    @property
    def array(self) -> Value:
        """The array that it reaches into."""
        return self.instr.operands[0]

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        assert isinstance(self.array.type, TensorType)
        return self.array.type.dtype.itemsize

    def step(self, index: Value) -> Step:
        """Return how far it moves with an index."""
        by = [_coefficient(form, index) for form in self.forms]
        if all(c == 0 for c in by):
            return Step.NONE
        return Step.UNIT if by[-1] == 1 and not any(by[:-1]) else Step.OTHER

    def moves(self, axis: int, index: Value) -> bool:
        """Whether it moves along an axis of the array with an index."""
        return _coefficient(self.forms[axis], index) not in (0, None)

    def follows(self, indices: Sequence[Value]) -> bool:
        """Whether the last axes are the nest's, and no other axis moves."""
        rest = len(self.forms) - len(indices)
        if rest < 0:
            return False
        wanted = [*[None] * rest, *indices]
        return all(
            _coefficient(form, index) == (index is own)
            for form, own in zip(self.forms, wanted, strict=True)
            for index in indices
        )


def _coefficient(form: Affine | None, index: Value) -> int | None:
    return None if form is None else dict(form.terms).get(index, 0)


class _NestForms(LoopForms):
    def _add_variable(self, loop: Instr) -> None:
        if loop.op is control.FOR:
            super()._add_variable(loop)
        else:
            self._add_counter(loop)


def accesses_of(schedule: Schedule) -> list[Access]:
    """Return the loads and stores of a kernel's nest, in order."""
    forms = _NestForms(schedule.loop, definitions_of(schedule.function))
    found: list[Access] = []
    for instr in inside(schedule.nest.body):
        if instr.op in (low.LOAD, low.STORE):
            found.append(Access(instr, tuple(map(forms.form, places_of(instr)))))
    return found


def places_of(access: Instr) -> Sequence[Value]:
    """Return where in an array a load or a store is."""
    return access.operands[2 if access.op is low.STORE else 1 :]


def slice_of(body: Sequence[Instr], wanted: Sequence[Value]) -> list[Instr]:
    """Return the instructions that values are computed by, in order."""
    needed = set(wanted)
    found: list[Instr] = []
    for instr in reversed(body):
        if needed.intersection(instr.results):
            needed.update(instr.operands)
            found.append(instr)
    return found[::-1]
