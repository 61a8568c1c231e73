"""Chains: loops whose iterations wait for one another, in a sum of floats that keeps its order.

    for i in range(n):
        s += x[i] * y[i]        an addition takes four cycles, and the next one waits for it

Whatever else a short iteration does is done meanwhile: neither vectors nor iterations side by side
make such a loop any quicker, wherever its elements lie. Inside another loop it is otherwise: the
fewer instructions an iteration has, the earlier a processor gets to the next sum.
"""

from collections.abc import Iterator

from scriptc.analysis.induction import is_next
from scriptc_runtime.ir import Block, Instr, Value
from scriptc_runtime.ops import arrays, control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.types import FLOAT, INT, DType

_LOOPS = (control.FOR, control.WHILE, low.LOOP, low.REDUCE)
# What a processor starts several of in a cycle.
_SHORT = frozenset({
    arrays.INDEX, arrays.DIM, low.LOAD, data.CONST, e.ADD, e.SUB, e.MUL, e.NEG, e.ABS,
    e.CAST, exact.EXACT_ADD, exact.EXACT_SUB,
})  # fmt: skip
_FLOATS = (FLOAT, DType.F64, DType.F32)
_WHOLE = (INT, DType.I64, DType.I32)
# Four cycles long, four instructions begin in each: some are left for the loop itself.
_MOST = 10


def is_lone_sum(loop: Instr, body: Block) -> bool:
    """Whether a loop, in no other loop of a function, waits for its own sum in each iteration."""
    return waits_for_sum(loop) and any(loop is other for other in _outermost_loops(body))


def _outermost_loops(block: Block) -> Iterator[Instr]:
    for instr in block.body:
        if instr.op in _LOOPS:
            yield instr
        else:
            for inner in instr.blocks:
                yield from _outermost_loops(inner)


def waits_for_sum(loop: Instr) -> bool:
    """Whether an innermost `for` does little more in an iteration than to add to one float."""
    if loop.op is not control.FOR:
        return False
    (block,) = loop.blocks
    *work, end = block.body
    if not is_next(end, loop) or len(work) > _MOST or not all(i.op in _SHORT for i in work):
        return False
    if any(r.type not in (*_FLOATS, *_WHOLE) for i in work for r in i.results):
        return False
    floats = [k for k, p in enumerate(block.params[1:]) if p.type in _FLOATS]
    return len(floats) == 1 and _is_sum(block, end.operands[floats[0]], block.params[1 + floats[0]])


def _is_sum(block: Block, value: Value, param: Value) -> bool:
    made = next((i for i in block.body if value in i.results), None)
    return made is not None and made.op in (e.ADD, e.SUB) and param in made.operands
