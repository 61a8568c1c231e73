"""How loops go on: their jumps, and by which constant a value steps from iteration to iteration."""

from collections.abc import Iterator, Mapping

from scriptc.analysis.ranges import ADDS, SUBS
from scriptc_runtime.ir import Block, Instr, Value, walk
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.values import length_of_range

# The comparison that says the same with its operands exchanged.
MIRRORED: Mapping[OpDef, OpDef] = {e.LT: e.GT, e.LE: e.GE, e.GT: e.LT, e.GE: e.LE}
_LOOPS = (control.FOR, control.WHILE, low.LOOP, low.REDUCE)
# Iterations of a nest that take as long as a launch, or the test whether arrays lie in rows.
_FEW = 256


def is_next(instr: Instr, loop: Instr) -> bool:
    """Whether an instruction goes to the next iteration of a loop."""
    target = instr.target
    return target is not None and target.label is loop.label and target.next


def leaves(instr: Instr, loop: Instr) -> bool:
    """Whether an instruction leaves a loop."""
    target = instr.target
    return target is not None and target.label is loop.label and not target.next


def carried_on(loop: Instr, place: int) -> Iterator[Value]:
    """Yield what the iterations of a loop hand on at a place."""
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


def has_known_step(loop: Instr, definitions: Mapping[Value, Instr]) -> bool:
    """Whether the step of a `for` is known, and not 0: of 0 it raises."""
    return bool(constant_int(loop.operands[2], definitions))


def are_few(loop: Instr, definitions: Mapping[Value, Instr]) -> bool:
    """Whether a nest is known to be done in less time than it takes to look for a better way."""
    return 0 <= _iterations(loop, definitions) <= _FEW


def _iterations(loop: Instr, definitions: Mapping[Value, Instr]) -> int:
    """Return how many iterations the loops of a nest have in all; -1 where one is not known."""
    bounds = [constant_int(v, definitions) for v in loop.operands[:3]]
    if loop.op is not control.FOR or None in bounds or bounds[2] == 0:
        return -1
    inner = [_iterations(i, definitions) for i in _loops_in(loop.blocks[0])]
    own = length_of_range(*[b for b in bounds if b is not None])
    return -1 if -1 in inner else own * max(inner, default=1)


def _loops_in(block: Block) -> Iterator[Instr]:
    """Yield the loops in a block that are in no other one of them."""
    for instr in block.body:
        if instr.op in _LOOPS:
            yield instr
        else:
            for inner in instr.blocks:
                yield from _loops_in(inner)


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
