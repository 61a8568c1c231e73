"""What a loop over rows or columns consists of, for `interchange` to rearrange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scriptc.analysis import dependence
from scriptc.analysis.affine import Affine, Range
from scriptc.analysis.instr_kinds import computes_only
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record
from scriptc_runtime.types import DType, TensorType

Element = tuple[Value, tuple[Affine, ...]]  # an array and an index


@record(eq=False)
class Inner:
    """An inner loop: its variable, its ends, and the value that it carries, if any."""

    instr: Instr
    variable: Value
    ends: Range
    start: Value | None  # of a loop that carries a value; a fold starts at its identity
    iterations: Sequence[Instr]
    final: Value | None  # what an iteration carries on, or what a fold combines

    @property
    def is_fold(self) -> bool:
        """Whether it is a sum of what its iterations give."""
        return self.instr.op is low.REDUCE

    @property
    def is_total(self) -> bool:
        """Whether it has a result."""
        return self.final is not None


@record(eq=False)
class Part:
    """A part of a body: an inner loop, or what stands between two; with what is done again."""

    inner: Inner | None
    again: Sequence[Instr]
    own: Sequence[Instr]
    place: int  # in the body

    @property
    def straight(self) -> Sequence[Instr]:
        """What an iteration does outside the inner loop."""
        return (*self.again, *self.own)


@record(eq=False)
class Spot:
    """An access in a part: at which place of the body it stood, and whether in the inner loop."""

    access: dependence.Access
    place: int
    part: int
    inside: bool


@record(eq=False)
class Nest:
    """A loop over `variable` with its parts."""

    loop: Instr
    variable: Value
    ends: Range  # of the variable
    parts: Sequence[Part]
    spots: Sequence[Spot]
    totals: Mapping[Value, Value]  # the row of totals that stands for a result
    kept: Mapping[Instr, Element]  # accesses to what a register holds over the inner loop


def is_quiet(instr: Instr) -> bool:
    """Whether an instruction only computes, loads or stores, and never raises."""
    if instr.op in (low.LOAD, low.STORE):
        return True
    scalar = not any(isinstance(v.type, TensorType) for v in (*instr.operands, *instr.results))
    return scalar and bool(instr.results) and computes_only(instr)


def needed(
    before: Sequence[Instr], body: Sequence[Instr], inner: Inner | None = None
) -> list[Instr]:
    """Return the instructions before a part that compute what it uses, in order."""
    wanted = {v for i in body for v in i.operands}
    if inner is not None:
        wanted |= {*inner.instr.operands, *([inner.final] if inner.final else [])}
    own = set(body)
    needed: list[Instr] = []
    for instr in reversed(before):
        if instr in own or instr.blocks:
            continue
        if wanted.intersection(instr.results):
            needed.append(instr)
            wanted.update(instr.operands)
    return needed[::-1]


def pays(nest: Nest) -> bool:
    """Whether inner loops jump over memory, and would not with the outer variable inside."""
    jumps = False
    for spot in nest.spots:
        inner = nest.parts[spot.part].inner
        if not spot.inside or inner is None:
            continue
        if _jumps(spot.access, nest.variable) or _stays(spot.access, nest.variable):
            return False
        jumps = jumps or _jumps(spot.access, inner.variable)
    return jumps


def _stays(access: dependence.Access, variable: Value) -> bool:
    """Whether iterations of a variable write one element, one after the other."""
    return access.writes and not any(dict(form.terms).get(variable) for form in access.index)


def _jumps(access: dependence.Access, variable: Value) -> bool:
    """Whether iterations of a variable meet elements that are no neighbours."""
    steps = [dict(form.terms).get(variable, 0) for form in access.index]
    return bool(steps) and (any(steps[:-1]) or steps[-1] not in (0, 1))


def bounds_of(inner: Inner, nest: Nest) -> int | None:
    """Return 0 for an inner loop of one length, 1 for one that ends with the outer variable."""
    first, last = (
        dict(end.terms).get(nest.variable, 0) for end in (inner.ends.low, inner.ends.high)
    )
    return last if first == 0 and last in (0, 1) else None


_ROW = frozenset({low.LOAD, data.CONST, e.ADD, e.SUB, e.MUL, e.DIV, e.NEG})


def adds_products(inner: Inner) -> bool:
    """Whether a fold is one of simple elements: what the backend writes as vectors."""
    (result,) = inner.instr.results
    if result.type not in (DType.F64, DType.F32):
        return False
    types = (result.type, DType.I64)
    return all(i.op in _ROW and i.result.type in types for i in inner.iterations)


def pushed_by(nest: Nest) -> int | None:
    """Return c where iteration j folds over k below j + c, and starts below the first iteration.

    Iteration j then makes the last of what iteration j + 1 needs: k = j + c.
    """
    if len(nest.parts) != 2:
        return None
    inner = nest.parts[0].inner
    if inner is None or not inner.is_total or nest.parts[1].inner is not None:
        return None
    over = inner.ends.high.plus(Affine(1)).plus(Affine(0, ((nest.variable, 1),)), -1)
    ahead = nest.ends.low.plus(inner.ends.low, -1).plus(over)
    if not over.is_constant or not inner.ends.low.is_constant:
        return None
    return over.constant if ahead.is_constant and ahead.constant >= 0 else None
