"""Whole rows: nested `for` over the axes of arrays become the loops whose axes `collapse` joins.

    for y in range(h):                           loop max(%h, 0) [parallel=true] {(%y)
        for x in range(w):                         loop max(%w, 0) [parallel=true] {(%x)
            for k in range(3):           =>          loop 3 [parallel=true] {(%k)
                b[y, x, k] = 255 - a[y, x, k]          load %a, %y, %x, %k
                                                       store %b, ..., %y, %x, %k }}}

Three colours do not fill a vector; where the rows lie one behind the other, one loop over all of
them does. A `for` says what its iterations do one after the other; here no iteration of any of the
loops has to do with another one, so they may run as one. Where the innermost loop has a constant
number of iterations, the arrays may well have longer rows: then the loops run as they were.

Needs: low IR with what `assumptions` assumes of arrays, before `collapse`.
Gives: low IR, same results.
Does not: touch loops that start elsewhere than at 0, or nests that `collapse` would leave alone.
Cases: tests/cases/loops/normalise.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import are_few, constant_int, counts_by_one
from scriptc.analysis.remarks import Kind, Message, Topic, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.loops import perfect_nest
from scriptc.kernels.loops.collapse import may_merge, rows_adjoin
from scriptc.kernels.loops.nest_parts import is_quiet
from scriptc.kernels.loops.parallelise import is_independent
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import rebuild_outermost
from scriptc_runtime.ir import Builder, Function, Instr, Value, walk
from scriptc_runtime.ops import control
from scriptc_runtime.record import replace

WHOLE = Message(
    "normalise",
    Topic.ORDER,
    Kind.DONE,
    "these {depth} loops are compiled as one statement on whole arrays: no iteration needs another",
)


@per_function
def normalise(function: Function) -> Function:
    """Return `function` with such loops as nests."""
    if not any(i.op is control.FOR for i in walk(function.body)):
        return function
    made = definitions_of(function)
    uses = Counter(v for i in walk(function.body) for v in i.operands)

    def emit(instr: Instr, builder: Builder) -> bool:
        loops = _chain(instr, made)
        if len(loops) < 2 or are_few(instr, made):
            return False
        if not all(is_independent(loop, made, uses) for loop in loops):
            return False
        nest = perfect_nest.IndexedNest(loops, made)
        known = {**made, **nest.made}
        if not may_merge(nest.loop, known):
            return False
        remark(WHOLE, instr.loc, depth=len(loops))
        for each in nest.counts:
            builder.append(each)
        if constant_int(loops[-1].operands[1], made) is None:
            builder.append(nest.loop)
        else:
            _choose(Code(builder, instr.loc), nest.loop, instr, known)
        return True

    body = rebuild_outermost(function.body, emit)
    return function if body is function.body else replace(function, body=body)


def _choose(code: Code, nest: Instr, loop: Instr, made: Mapping[Value, Instr]) -> None:
    def either(instr: Instr) -> Sequence[Value]:
        return code.builder.append(instr).results

    adjoin = rows_adjoin(code, nest, made)
    code.choose(adjoin, lambda: either(nest), lambda: either(loop), "rows")


def _chain(instr: Instr, made: Mapping[Value, Instr]) -> Sequence[Instr]:
    """Return the loops that `instr` begins, each alone in the one before, down to the innermost."""
    loops: list[Instr] = []
    inside: set[Value] = set()
    inner: Instr | None = instr
    while inner is not None:
        if not _counts_from_zero(inner, made) or inner.operands[1] in inside:
            return []
        loops.append(inner)
        *body, _ = inner.blocks[0].body
        inside.update(inner.blocks[0].params, *(i.results for i in body))
        inner = body.pop() if body and body[-1].op is control.FOR else None
        if not all(is_quiet(i) or perfect_nest.is_choice(i) for i in body):
            return []
    return loops


def _counts_from_zero(loop: Instr, made: Mapping[Value, Instr]) -> bool:
    """Whether it is a loop over `range(n)` that carries nothing."""
    plain = loop.op is control.FOR and not loop.attrs and len(loop.operands) == 3
    return plain and constant_int(loop.operands[0], made) == 0 and counts_by_one(loop, made)
