"""How loops go round: their jumps, and by which constant a value steps from round to round."""

from collections.abc import Iterator, Mapping

from scriptc.passes.ranges import ADDS, SUBS
from scriptc_runtime.ir import Instr, Value, walk
from scriptc_runtime.ops import data
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef

# The comparison that says the same with its operands exchanged.
MIRRORED: Mapping[OpDef, OpDef] = {e.LT: e.GT, e.LE: e.GE, e.GT: e.LT, e.GE: e.LE}


def is_next(instr: Instr, loop: Instr) -> bool:
    """Whether an instruction goes to the next round of a loop."""
    target = instr.target
    return target is not None and target.label is loop.label and target.next


def leaves(instr: Instr, loop: Instr) -> bool:
    """Whether an instruction leaves a loop."""
    target = instr.target
    return target is not None and target.label is loop.label and not target.next


def carried_on(loop: Instr, place: int) -> Iterator[Value]:
    """Yield what the rounds of a loop hand on at a place."""
    for instr in walk(loop.blocks[0]):
        if is_next(instr, loop):
            yield instr.operands[place]


def constant_int(value: Value, definitions: Mapping[Value, Instr]) -> int | None:
    """Return the int that a value is known to be."""
    made = definitions.get(value)
    if made is None or made.op is not data.CONST:
        return None
    number = made.attrs["value"]
    return number if isinstance(number, int) else None


def counts_by_one(loop: Instr, definitions: Mapping[Value, Instr]) -> bool:
    """Whether a `for` takes steps of one."""
    return constant_int(loop.operands[2], definitions) == 1


def step_from(param: Value, value: Value, definitions: Mapping[Value, Instr]) -> int:
    """Return by which constant `value` is above `param`; 0 where it is by none."""
    made = definitions.get(value)
    if made is None or made.op not in (*ADDS, *SUBS):
        return 0
    first, second = made.operands
    if made.op in ADDS and second is param:
        first, second = second, first
    by = constant_int(second, definitions)
    if first is not param or by is None:
        return 0
    return by if made.op in ADDS else -by
