"""Choices between integers that nobody can predict: moved on a condition, not branched on.

    if (crc ^ byte) & 1:            down = crc >> 1
        crc = crc >> 1 ^ poly       other = down ^ poly
    else:                     =>    crc = (crc ^ byte) & 1 ? other : down       one cmov
        crc = crc >> 1

LLVM makes selects of such arms by itself. Two of its later passes then spoil them for code of
scalars, where a choice waits for the one of the iteration before:

- It turns conditional moves back into branches where that shortens what an iteration waits for.
That is
  right where the branch goes the same way most times, and three times too slow where it does not:
  a wrong guess costs some twenty cycles, a move one or two. A choice between two new values, or of
  going a step further where the value itself says so, is called unpredictable, which keeps the
  move, if what decides is loaded or goes from iteration to iteration: tests of loop variables alone
  are guessed well. Where an arm keeps an old value (`if x < least: least = x`, a step of a binary
  search), LLVM decides: that is mostly a branch seldom taken, or one whose guess asks memory early.
- It takes `down ^ (condition ? poly : 0)` for simpler. But the step then waits for the condition,
  and no longer goes along with it. A `freeze`, which is the value itself, keeps the arms apart.
"""

from collections.abc import Mapping

from scriptc.analysis.remarks import is_versions, muted
from scriptc.backends.llvm.emitter.function import Emitter
from scriptc.backends.llvm.loading import abi
from scriptc_runtime.ir import Block, Instr, Value
from scriptc_runtime.ops import control, data, exact, low
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.record import replace
from scriptc_runtime.types import INT, DType

UNPREDICTABLE = "!unpredictable !2"
_INTEGERS = (INT, *(t for t in DType if t.kind in "iu"))
_STEPS = (ops.ADD, ops.SUB, exact.EXACT_ADD, exact.EXACT_SUB, ops.AND, ops.OR, ops.XOR)
_CHEAP = (*_STEPS, exact.EXACT_MUL, ops.CAST, ops.INVERT, ops.SHL, ops.SHR, ops.NEG)
_LOADS = (low.LOAD, control.CALL, data.FIELD)
# More than that in an arm costs more than some wrong guesses.
_MOST = 3
# How far a condition is followed to the values that it is computed from.
_FAR = 6


def is_unpredictable(e: Emitter, instr: Instr) -> bool:
    """Whether an `if` chooses between integers that are new in both arms, cheap to compute."""
    new = _chooses(instr) and all(_is_new(block) for block in instr.blocks)
    return new and _follows_data(e, instr.operands[0])


def takes_turns(e: Emitter, instr: Instr) -> bool:
    """Whether an `if` over data makes something new in either arm: which of two goes a step on."""
    made = (any(r in b.body[-1].operands for i in b.body for r in i.results) for b in instr.blocks)
    return all(made) and _follows_data(e, instr.operands[0])


def run_choice(e: Emitter, instr: Instr, yes: str, no: str) -> None:
    """Write an `if` as a branch to the blocks `yes` and `no`, and these."""
    stepped = _stepped(e, instr) if _chooses(instr) else None
    hint = UNPREDICTABLE if stepped or is_unpredictable(e, instr) else ""
    e.branch(e.one(instr.operands[0]), yes, no, hint)
    for label, block in zip((yes, no), instr.blocks, strict=True):
        e.start(label)
        if label is no and is_versions(instr):
            with muted():
                e.run(block)
        elif stepped in block.body[-1].operands:
            assert stepped is not None
            e.run(replace(block, body=block.body[:-1]))
            frozen = e.let(f"freeze {abi.flatten(stepped.type)[0]} {e.one(stepped)}")
            e.values[stepped] = (frozen,)
            e.run(replace(block, body=block.body[-1:]))
        else:
            e.run(block)


def _chooses(instr: Instr) -> bool:
    return (
        bool(instr.results)
        and all(r.type in _INTEGERS for r in instr.results)
        and all(_is_cheap_arm(block, instr) for block in instr.blocks)
    )


def _is_cheap_arm(block: Block, branch: Instr) -> bool:
    *body, last = block.body
    if last.target is None or last.target.label is not branch.label:
        return False
    costly = [i for i in body if i.op is not data.CONST]
    return len(costly) <= _MOST and all(i.op in _CHEAP for i in costly)


def _is_new(block: Block) -> bool:
    """Whether an arm computes all that it hands on."""
    *body, last = block.body
    made = {result for i in body for result in i.results}
    return all(value in made for value in last.operands)


def _follows_data(e: Emitter, condition: Value) -> bool:
    """Whether a condition follows from what is loaded, or goes from iteration to iteration."""
    todo = {condition}
    for _ in range(_FAR):
        computed: list[Instr] = []
        for value in todo.difference(e.function.params):
            made = e.definitions.get(value)
            if made is None or made.op in _LOADS or (made.blocks and value in made.results):
                return True
            computed += [] if made.blocks else [made]
        todo = {v for i in computed for v in i.operands}
    return bool(todo)


def _stepped(e: Emitter, instr: Instr) -> Value | None:
    """Return what goes a step further in an arm than in the other, if the condition tells by it."""
    first, second = (block.body[-1].operands for block in instr.blocks)
    for one, other in zip(first, second, strict=True):
        for longer, shorter in ((one, other), (other, one)):
            if _goes_on(e.definitions, longer, shorter, instr):
                return longer
    return None


def _goes_on(
    definitions: Mapping[Value, Instr], longer: Value, shorter: Value, instr: Instr
) -> bool:
    step, before = definitions.get(longer), definitions.get(shorter)
    if step is None or step.op not in _STEPS or not any(step in b.body for b in instr.blocks):
        return False
    if any(_is_constant(definitions, v) for v in step.operands):
        return False
    if not any(_is_same(definitions, v, shorter) for v in step.operands):
        return False
    roots = {shorter, *(before.operands if before else ())}
    roots = {v for v in roots if not _is_constant(definitions, v)}
    return _depends(definitions, instr.operands[0], roots)


def _is_constant(definitions: Mapping[Value, Instr], value: Value) -> bool:
    made = definitions.get(value)
    return made is not None and made.op is data.CONST


def _is_same(definitions: Mapping[Value, Instr], value: Value, other: Value) -> bool:
    """Whether two values are one, or the same computation of the same operands."""
    one, two = definitions.get(value), definitions.get(other)
    if value is other or one is None or two is None:
        return value is other
    return one.op in _CHEAP and (one.op, one.attrs, one.operands) == (
        two.op,
        two.attrs,
        two.operands,
    )


def _depends(definitions: Mapping[Value, Instr], value: Value, roots: set[Value]) -> bool:
    """Whether a value is computed, in few steps, from one of `roots`."""
    reached = {value}
    for _ in range(_FAR):
        if reached & roots:
            return True
        made = [definitions[v] for v in reached if v in definitions]
        reached = {v for i in made if not i.blocks for v in i.operands}
    return False
