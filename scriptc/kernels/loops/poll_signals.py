"""Polled: folds of more elements than memory may hold look for Ctrl-C on their way.

    reduce %n [kind="sum"] {(%i)               reduce %n [kind="sum", polls=true] {(%i)
      %1 = and %i, 3                     =>      %1 = and %i, 3
      ...                                        ...

What a fold reads is mostly a part of memory, which takes a moment.  What it computes, or reads
again and again as a view of stride 0 does, may take years.  So may loops around others whose
iterations come in their order: they fold into rows of an array.

Needs: low IR, where folds have their last form, before `outline`.
Gives: low IR, same results.
Does not: touch folds known to be short, or that read another element of an array that lies in one
piece in each iteration, those of the loops inside of them included.  Iterations of other loops are
free: who launches them looks between shares.
Cases: tests/cases/loops/poll_signals.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import constant_int
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import map_blocks
from scriptc_runtime.ir import Block, Function, Instr, Value, walk
from scriptc_runtime.ops import control, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.reshaping import RESHAPED
from scriptc_runtime.record import replace

_FOLDS = (low.LOOP, low.REDUCE)
_LOOPS = (*_FOLDS, control.FOR)


@per_function
def poll_signals(function: Function) -> Function:
    """Return `function` with such folds marked."""
    if not any(i.op in _FOLDS for i in walk(function.body)):
        return function
    made = definitions_of(function)
    body = _block(function.body, made)
    return function if body is function.body else replace(function, body=body)


def _block(block: Block, made: Mapping[Value, Instr], *, looks: bool = False) -> Block:
    """Return a block with such folds marked; `looks` says that a loop around it looks itself."""
    body: list[Instr] = []
    for instr in block.body:
        marks = _may_be_endless(instr, made) and not (looks and instr.op is low.LOOP)
        within = looks or (marks and instr.op is low.LOOP)
        inner = map_blocks(instr, lambda b, within=within: _block(b, made, looks=within))
        body.append(replace(inner, attrs={**inner.attrs, "polls": True}) if marks else inner)
    return block if tuple(body) == block.body else Block(block.params, tuple(body))


def _may_be_endless(instr: Instr, made: Mapping[Value, Instr]) -> bool:
    if instr.op not in _FOLDS or len(instr.results) > 1 or _is_short(instr, made):
        return False
    if instr.op is low.LOOP:
        return not instr.attrs["parallel"] and bool(_loops_in(instr, made))
    return not _reads_on(instr, (), made)


def _reads_on(loop: Instr, outer: Sequence[Value], made: Mapping[Value, Instr]) -> bool:
    """Whether an element is read in iterations of a loop that no other iteration reads."""
    (block,) = loop.blocks
    iterations = (*outer, block.params[0])
    inner = _loops_in(loop, made)
    if inner:
        return all(_reads_on(i, iterations, made) for i in inner)
    loads = [i for i in block.body if i.op is low.LOAD and _is_in_one_piece(i.operands[0], made)]
    return any(
        all(any(_follows(i, r, made) for i in load.operands[1:]) for r in iterations)
        for load in loads
    )


def _loops_in(loop: Instr, made: Mapping[Value, Instr]) -> Sequence[Instr]:
    """Return the loops of an iteration that may be long."""
    return [i for i in loop.blocks[0].body if i.op in _LOOPS and not _is_short(i, made)]


def _is_short(loop: Instr, made: Mapping[Value, Instr]) -> bool:
    return loop.op in _FOLDS and _is_small(loop.operands[0], made)


def _is_small(count: Value, made: Mapping[Value, Instr]) -> bool:
    """Whether a number of iterations is known to be small, whichever one it is."""
    known = constant_int(count, made)
    if known is not None:
        return known <= low.FOLD_ELEMENTS
    definition = made.get(count)
    if definition is None:
        return False
    if definition.op is e.MINIMUM:
        return any(_is_small(v, made) for v in definition.operands)
    if definition.op is low.SELECT:
        return all(_is_small(v, made) for v in definition.operands[1:])
    return False


def _follows(index: Value, iteration: Value, made: Mapping[Value, Instr]) -> bool:
    """Whether an index is as far on as an iteration."""
    if index is iteration:
        return True
    definition = made.get(index)
    if definition is None or definition.op not in (e.ADD, e.SUB, e.CAST):
        return False
    return any(_follows(v, iteration, made) for v in definition.operands)


def _is_in_one_piece(array: Value, made: Mapping[Value, Instr]) -> bool:
    definition = made.get(array)
    while definition is not None and definition.op is low.ASSUME_DISTINCT:
        definition = made.get(definition.operands[0])
    if definition is None:
        return False
    dense = definition.op is RESHAPED and bool(definition.attrs["dense"])
    return dense or definition.op in (low.NEW_ARRAY, low.ASSUME_CONTIGUOUS)
