"""Chooses the plan of a kernel from its schedule and from what its nest reaches.

A kernel of straight lines whose neighbours along the last axis are neighbours in memory takes them
by vectors; what a thread or a block does alone is named with the reason.
"""

from collections.abc import Sequence

from scriptc.analysis.remarks import Kind, Message, Topic
from scriptc.backends.cuda.accesses import Access, Step, accesses_of, places_of, slice_of
from scriptc.backends.cuda.checks import checks_of
from scriptc.backends.cuda.schedule import REGIONS, Schedule, Spread, inside
from scriptc.backends.cuda.tiles import product_of
from scriptc.kernels.device.plan import VECTOR_BYTES, WIDE_BLOCKS, Plan, Shape
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import control, elementary, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import record
from scriptc_runtime.types import TensorType

CHOSEN = Message("plans", Topic.PARALLEL, Kind.NOTE, "on a device: {plan}")

# Bytes that a thread holds at a time, of one operand and of all, steps of a round, which is
# unrolled, and addresses.  With more, registers do not suffice.
_MOST_BYTES, _MOST_HELD, _MOST_STEPS = 64, 128, 512
_MOST_ADDRESSES = 8
_COSTLY = 24  # steps of an elementary function
_FUNCTIONS = (*elementary.ROUNDED, e.EXP, e.LOG, e.POW)
_IN_FLIGHT = 2  # vectors loaded before the first is used


@record(eq=False)
class Wide:
    """What a thread takes by vectors: loads before all else, stores after it.

    `leader` is aligned at each row's start by leaving out a few elements; `merged` are the accesses
    that let the whole space be one row, where the strides are as in C.
    """

    loads: Sequence[Access]
    stores: Sequence[Access]
    leader: Access
    merged: Sequence[Access] | None


def choose(schedule: Schedule, *, is_single: bool) -> Plan:
    """Return the plan of a kernel; `is_single` says that its space is one point."""
    if is_single:
        why = _why_alone(schedule)
        return Plan(Shape.ONE if schedule.spread is Spread.THREADS else Shape.BLOCK, why=why)
    if product_of(schedule) is not None:
        return Plan(Shape.TILE)
    if schedule.spread is Spread.ROWS:
        chunks = [i for i in inside(schedule.nest.body) if i.attrs.get("chunk")]
        return Plan(Shape.FOLD if chunks else Shape.ROWS)
    accesses = accesses_of(schedule)
    if why := _why_narrow(schedule, accesses):
        return Plan(Shape.POINTS, why=why)
    reached = _unit(schedule, accesses)
    sizes = [a.itemsize for a in reached]
    vector = max(1, min(VECTOR_BYTES // min(sizes), _MOST_BYTES // max(sizes)))
    steps = _steps(schedule.nest.body)

    def fits(points: int) -> bool:
        return points * sum(sizes) <= _MOST_HELD and points * steps <= _MOST_STEPS

    while vector > 1 and not fits(vector):
        vector //= 2
    if vector * max(sizes) < VECTOR_BYTES or len(reached) > _MOST_ADDRESSES:
        return Plan(Shape.POINTS, why="registers do not suffice for several elements")
    few = sum(a.instr.op is low.LOAD for a in reached) < _IN_FLIGHT and fits(2 * vector)
    items = _IN_FLIGHT if few else 1
    return Plan(Shape.POINTS, vector=vector, items=items, resident=WIDE_BLOCKS)


def wide(schedule: Schedule) -> Wide:
    """Return what a plan with vectors takes by them."""
    indices = schedule.nest.indices
    accesses = accesses_of(schedule)
    reached = _unit(schedule, accesses)
    loads = [a for a in reached if a.instr.op is low.LOAD]
    stores = [a for a in reached if a.instr.op is low.STORE]
    return Wide(loads, stores, (stores or loads)[0], _merged(schedule, accesses, indices))


def _why_alone(schedule: Schedule) -> str:
    for instr in inside(schedule.nest.body):
        in_order = instr.op is low.LOOP and not instr.attrs["parallel"]
        if in_order or instr.op in (control.FOR, control.WHILE):
            line = f" (line {instr.loc.line})" if instr.loc.line else ""
            return f"a loop runs in order{line}"
    return "a few elements"


def _why_narrow(schedule: Schedule, accesses: Sequence[Access]) -> str:
    """Return why each point is taken by itself, "" where it need not be."""
    body = schedule.nest.body
    if any(i.blocks or i.op in (*REGIONS, control.EXIT, low.FAIL) for i in body):
        return "its body has control flow"
    if any(checks_of(i, ["", ""]) for i in body):
        return "its body has checks"
    if schedule.own:
        return "an iteration makes arrays of its own"
    if any(i.op not in (low.LOAD, low.STORE) and _takes_array(i) for i in body):
        return "its body takes parts of arrays"
    last_load = max((n for n, i in enumerate(body) if i.op is low.LOAD), default=-1)
    if any(i.op is low.STORE for i in body[:last_load]):
        return "it loads after it has stored"
    if not _unit(schedule, accesses):
        return "no array's neighbours are neighbours of the space"
    return ""


def _takes_array(instr: Instr) -> bool:
    return instr.op is not low.SIZE and any(isinstance(v.type, TensorType) for v in instr.operands)


def _unit(schedule: Schedule, accesses: Sequence[Access]) -> list[Access]:
    """Return the accesses that vectors can make: their places follow from indices alone."""
    index = schedule.nest.indices[-1]
    return [a for a in accesses if a.step(index) is Step.UNIT and not _reads(schedule.nest.body, a)]


def _reads(body: Sequence[Instr], access: Access) -> bool:
    return any(i.op is low.LOAD for i in slice_of(body, places_of(access.instr)))


def _merged(
    schedule: Schedule, accesses: Sequence[Access], indices: Sequence[Value]
) -> Sequence[Access] | None:
    """Return what must lie as in C for the space to be one row; None where it never is."""
    if len(indices) == 1 or any(a.itemsize == 0 for a in accesses):
        return None
    moving = [a for a in accesses if any(a.step(i) is not Step.NONE for i in indices)]
    if not all(a.follows(indices) for a in moving):
        return None
    places = [v for a in accesses for v in places_of(a.instr)]
    reach = slice_of(schedule.nest.body, places)
    moves = set(indices)
    for instr in reach:
        if moves.intersection(instr.operands):
            moves.update(instr.results)
    known = {*reach, *(a.instr for a in accesses)}
    used = {v for i in schedule.nest.body if i not in known for v in i.operands}
    used |= {a.instr.operands[1] for a in accesses if a.instr.op is low.STORE}
    return None if used & moves else moving


def _steps(body: Sequence[Instr]) -> int:
    return sum(_COSTLY if i.op in _FUNCTIONS else 1 for i in body)
