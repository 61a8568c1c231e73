"""Chains: loops whose iterations wait for one another, in a sum of floats that keeps its order.

    for i in range(n):
        s += x[i] * y[i]        an addition takes four cycles, and the next one waits for it

Whatever else a short iteration does is done meanwhile: neither vectors nor iterations side by side
make such a loop any quicker, wherever its elements lie. Inside another loop it is otherwise: the
fewer instructions an iteration has, the earlier a processor gets to the next sum. Vectors whose
lanes are added one by one have no fewer, and of few iterations they leave most to a second loop.
"""

from collections.abc import Container, Iterator, Sequence

from scriptc.analysis.induction import is_next
from scriptc_runtime.ir import Block, Instr, Value
from scriptc_runtime.ops import arrays, control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import FLOAT, INT, DType

_LOOPS = (control.FOR, control.WHILE, low.LOOP, low.REDUCE)
# What a processor starts several of in a cycle.
_SHORT = frozenset({
    arrays.INDEX, arrays.DIM, low.LOAD, data.CONST, e.ADD, e.SUB, e.MUL, e.NEG, e.ABS,
    e.CAST, exact.EXACT_ADD, exact.EXACT_SUB,
})  # fmt: skip
_OF_COMPLEX = frozenset({e.REAL, e.IMAG})
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
    sums = _sums(loop, _SHORT, _MOST)
    results = [r.type for block in loop.blocks for i in block.body for r in i.results]
    return len(sums) == 1 and all(type_ in (*_FLOATS, *_WHOLE) for type_ in results)


def only_adds(loop: Instr) -> bool:
    """Whether an innermost `for` adds to floats what takes no longer to compute than to add."""
    return bool(_sums(loop, _SHORT | _OF_COMPLEX, 2 * _MOST))


def _sums(loop: Instr, ops: Container[OpDef], most: int) -> Sequence[Value]:
    """Return the floats that a `for` carries if it adds to each, by a few of these operations."""
    if loop.op is not control.FOR:
        return ()
    (block,) = loop.blocks
    *work, end = block.body
    if not is_next(end, loop) or len(work) > most or not all(i.op in ops for i in work):
        return ()
    carried = zip(block.params[1:], end.operands, strict=True)
    floats = [(param, after) for param, after in carried if param.type in _FLOATS]
    if not all(_is_sum(block, after, param) for param, after in floats):
        return ()
    return [param for param, _ in floats]


def _is_sum(block: Block, value: Value, param: Value) -> bool:
    made = next((i for i in block.body if value in i.results), None)
    return made is not None and made.op in (e.ADD, e.SUB) and param in made.operands
