"""Empty: a loop whose iterations do nothing, as a loop in them has none, has none itself.

    loop %n {(%i)                              %none = %m == 0
      loop %m {(%j) store %c, ..., %i, %j}       =>    %k = %none ? 0 : %n
    }                                          loop %k {(%i) loop %m {(%j) ...}}

An array of shape (2**59, 0) takes no memory, and NumPy is done with it at once.  Each nest is asked
once, in front of it: inside it asks only what is known there alone.

Needs: low IR after all that compares how many iterations loops have, before `outline`.
Gives: low IR, same results.
Does not: touch loops whose iterations do anything else, such as to store what an empty row sums up
to: these have as many iterations as there are elements in memory.
Cases: tests/cases/loops/skip_empty.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import constant_int
from scriptc.analysis.instr_kinds import is_unnoticed
from scriptc.kernels.builder import Code
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import map_blocks
from scriptc_runtime.ir import Block, Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.record import replace

_NESTS = (low.LOOP, low.REDUCE)
# What is 0, or below, where an operand is 0: sizes are not negative.
_ZERO_WITH_ANY = (e.MUL, e.MINIMUM)
_FEW = 1 << 16  # iterations that take no time


@per_function
def skip_empty(function: Function) -> Function:
    """Return `function` with such loops skipped."""
    if not any(_holds_loop(instr) for instr in walk(function.body)):
        return function
    made = definitions_of(function)
    body = _block(function.body, made, ())
    return function if body is function.body else replace(function, body=body)


def _holds_loop(instr: Instr) -> bool:
    free = instr.op is low.REDUCE or (instr.op is low.LOOP and bool(instr.attrs["parallel"]))
    return free and any(i.op in _NESTS for i in instr.blocks[0].body)


def _are_many(loop: Instr, made: Mapping[Value, Instr]) -> bool:
    known = constant_int(loop.operands[0], made)
    return known is None or known > _FEW


def _block(block: Block, made: Mapping[Value, Instr], asked: Sequence[Value]) -> Block:
    """Return a block with its loops skipped where they are empty; `asked` are not 0 in it."""
    builder = Builder()
    builder.open(*block.params)
    for instr in block.body:
        sizes = _idle_sizes(instr, made) if _holds_loop(instr) and _are_many(instr, made) else ()
        sizes = [size for size in sizes if size not in (*asked, instr.operands[0])]
        within = (*asked, *sizes)
        inner = map_blocks(instr, lambda b, within=within: _block(b, made, within))
        builder.append(_skipped(Code(builder, instr.loc), inner, sizes, made) if sizes else inner)
    new = builder.close()
    return block if new.body == block.body else new


def _skipped(code: Code, loop: Instr, sizes: Sequence[Value], made: Mapping[Value, Instr]) -> Instr:
    """Return `loop` without iterations where one of `sizes` is 0, after code that asks for it."""
    iterations, *others = loop.operands
    for size in sizes:
        number = constant_int(size, made)
        if number is None:
            none = code.number(0)
            iterations = code.select(code.test(e.EQ, size, none), none, iterations)
        elif number == 0:
            iterations = size
    return loop if iterations is loop.operands[0] else replace(loop, operands=(iterations, *others))


def _idle_sizes(loop: Instr, made: Mapping[Value, Instr]) -> Sequence[Value]:
    """Return what is known before a loop and leaves it nothing to do where it is 0."""
    (block,) = loop.blocks
    inside = {r for i in walk(block) for r in i.results} | set(block.params)
    inside |= {p for i in walk(block) for b in i.blocks for p in b.params}
    return _idle(loop, made, inside)


def _idle(loop: Instr, made: Mapping[Value, Instr], inside: AbstractSet[Value]) -> Sequence[Value]:
    """Return what is not from `inside`, and leaves iterations nothing to do where it is 0."""
    *body, last = loop.blocks[0].body
    if not all(i.op in _NESTS or is_unnoticed(i) for i in body):
        return ()
    if loop.op is low.LOOP:
        inner = [i for i in body if i.op is low.LOOP]
    else:
        # The fold of nothing, which is what a fold of the same kind begins with.
        inner = [i for i in body if i.op is low.REDUCE and i.results == last.operands]
        if any(i.op is low.LOOP or i.attrs["kind"] != loop.attrs["kind"] for i in inner):
            return ()
    found = [[*_factors(i.operands[0], made, inside), *_idle(i, made, inside)] for i in inner]
    return [size for size in found[0] if all(size in each for each in found)] if found else ()


def _factors(
    count: Value, made: Mapping[Value, Instr], inside: AbstractSet[Value]
) -> Sequence[Value]:
    """Return a count, or what it is a product of, or the least of, that is not from `inside`."""
    if count not in inside:
        return (count,)
    definition = made.get(count)
    if definition is None or definition.op not in _ZERO_WITH_ANY:
        return ()
    return [f for operand in definition.operands for f in _factors(operand, made, inside)]
