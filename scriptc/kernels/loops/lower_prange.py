"""Iterations: a `for` over `prange` becomes a parallel loop, for `outline` to make a kernel of.

    for %start, %stop, %step [grows=()] {(%k) ...}      =>      loop %count [parallel=true] {(%i)
                                                                  %k = %start + %i * %step ... }

What iterations change together is combined from chunks of iterations, as folds are in
`split_reductions`:

    %t = for ..., %s [grows=(sum)] {(%k, %s) ...}       =>      loop %chunks [parallel=true] {(%c)
                                                                  %p = for (chunk %c), -0.0 {...}
                                                                  store %partial, %p, %c }
                                                                %t = %s + partial[0] + ...

How many iterations a chunk has follows from the number of iterations alone, so the result has the
same bits for every number of threads. A minimum starts in each chunk from what it was before the
loop.

Threads run a kernel without the GIL, and count nothing. So iterations that hold more than numbers
and parts of arrays (text, lists, objects, exceptions that are caught, calls of functions that are
not inlined, products by BLAS) stay a loop that one thread runs.

Needs: low IR after `fuse`.
Gives: low IR; nothing is left of `grows`.
Does not: look whether iterations write what others read; whoever writes `prange` says that none
does.
Cases: tests/cases/loops/lower_prange.
"""

from collections.abc import Mapping, Sequence

from scriptc.analysis.induction import is_next
from scriptc.analysis.instr_kinds import is_for_kernels
from scriptc.analysis.remarks import Doing, Kind, Message, Reason, Topic, remark
from scriptc.kernels.builder import Code
from scriptc.kernels.loops.chunks import (
    COMPARED,
    MOST_CHUNKS,
    Growth,
    Iterations,
    iterations_of,
    share,
)
from scriptc.passes.per_function import per_function
from scriptc.passes.rebuild import Renaming, clone
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Value, walk
from scriptc_runtime.ops import control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Attrs, OpDef
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import is_complex

SHARED = Message(
    "lower_prange",
    Topic.PARALLEL,
    Kind.DONE,
    "parallel: threads share its iterations, if they are much work",
)
COMBINED = Message(
    "lower_prange",
    Topic.PARALLEL,
    Kind.NOTE,
    "{kinds} of iterations: chunks of them, {chunks} at most, are combined in order",
)
NOT_SHARED = Message("lower_prange", Topic.PARALLEL, Kind.MISSED, "one thread runs prange: {why}")
INNER = Message(
    "lower_prange",
    Topic.PARALLEL,
    Kind.NOTE,
    "a loop around this prange is parallel: each thread runs all of this one",
)

# What may stand between a value that grows and the end of the iteration.
_GROWING: Mapping[str, tuple[OpDef, ...]] = {
    "sum": (e.ADD, e.SUB, exact.EXACT_ADD, exact.EXACT_SUB),
    "prod": (e.MUL,),
    "and": (e.AND,),
    "or": (e.OR,),
    "xor": (e.XOR,),
    "min": (e.LT, low.SELECT, control.IF, e.CAST),
    "max": (e.GT, low.SELECT, control.IF, e.CAST),
}
_SUBS = (e.SUB, exact.EXACT_SUB)


@per_function
def lower_prange(function: Function) -> Function:
    """Return `function` with the iterations of `prange` in parallel loops."""
    if not any(i.op is control.FOR and i.attrs for i in walk(function.body)):
        return function
    constants = {i.result: i.attrs["value"] for i in walk(function.body) if i.op is data.CONST}
    return replace(function, body=_Sharer(constants).block(function.body, False))


@record(eq=False)
class _Sharer:
    constants: Mapping[Value, object]

    def block(self, block: Block, inside: bool) -> Block:
        """Return `block` with its outermost loops over `prange` shared, and the others plain."""
        builder = Builder()
        builder.open(*block.params)
        names = Renaming()
        for old in block.body:
            instr = names.instr(old)
            share = _is_of_iterations(instr) and _is_to_share(instr, inside)
            if instr.blocks:
                blocks = tuple(self.block(b, inside or share) for b in instr.blocks)
                attrs: Attrs = {} if instr.op is control.FOR else instr.attrs
                instr = replace(instr, blocks=blocks, attrs=attrs)
            if not share:
                builder.append(instr)
                continue
            results = _emit(builder, instr, _grows(old), self._numbers(instr))
            for result, value in zip(instr.results, results, strict=True):
                names[result] = value
        return builder.close()

    def _numbers(self, loop: Instr) -> Sequence[int | None]:
        known = [self.constants.get(v) for v in loop.operands[:3]]
        return [v if isinstance(v, int) else None for v in known]


def _is_of_iterations(instr: Instr) -> bool:
    return instr.op is control.FOR and "grows" in instr.attrs


def _grows(loop: Instr) -> tuple[str, ...]:
    grows = loop.attrs["grows"]
    assert isinstance(grows, tuple)
    return tuple(map(str, grows))


def _is_to_share(loop: Instr, inside: bool) -> bool:
    if inside:
        remark(INNER, loop.loc)
        return False
    why = _why_not(loop)
    if why is not None:
        remark(NOT_SHARED, loop.loc, why=why)
    elif loop.results:
        remark(COMBINED, loop.loc, chunks=MOST_CHUNKS, kinds=_grows(loop))
    else:
        remark(SHARED, loop.loc)
    return why is None


def _why_not(loop: Instr) -> Reason | None:
    """Return why no kernel can run the iterations, or what carried value does more than grow."""
    body = list(walk(loop.blocks[0]))
    if not any(is_next(i, loop) for i in body):
        return Reason("every iteration raises")
    for instr in body:
        if not is_for_kernels(instr):
            return Reason("{what}, which takes Python's lock", what=Doing(instr))
    if any(is_complex(v.type) for v in loop.results):
        return Reason("complex numbers are not combined")
    params = loop.blocks[0].params[1:]
    for param, kind in zip(params, _grows(loop), strict=True):
        if not _only_grows(loop, param, kind):
            text = (
                "an iteration does more with {name} than one step of its {kind}; collect what an "
                "iteration has in a variable of its own, and take one step at its end"
            )
            return Reason(text, kind=kind, name=param)
    return None


def _only_grows(loop: Instr, param: Value, kind: str) -> bool:
    """Whether iterations do nothing with a carried value but let it grow.

    Nothing that was proven of indices can then rest on it.
    """
    allowed = _GROWING[kind]
    grown = {param}
    received = _received(loop)
    following = True
    while following:
        before = len(grown)
        for instr in walk(loop.blocks[0]):
            if instr.target is not None:
                pairs = zip(instr.operands, received.get(instr.target.label, ()), strict=False)
                grown.update(to for value, to in pairs if value in grown)
            elif instr.op in allowed and any(v in grown for v in instr.operands):
                grown.update(instr.results)
        following = len(grown) > before
    for instr in walk(loop.blocks[0]):
        uses = [v for v in instr.operands if v in grown]
        if not uses or instr.op is control.EXIT or instr.op in (control.FOR, control.WHILE):
            continue
        late = instr.op in _SUBS and instr.operands[1] in grown
        twice = kind not in COMPARED and len(uses) > 1
        if instr.op not in allowed or late or twice:
            return False
    return all(not is_next(i, loop) or _fits(i, loop, param, grown) for i in walk(loop.blocks[0]))


def _fits(end: Instr, loop: Instr, param: Value, grown: set[Value]) -> bool:
    at = loop.blocks[0].params.index(param) - 1
    return end.operands[at] in grown


def _received(loop: Instr) -> dict[Label, tuple[Value, ...]]:
    """Return what exits inside a loop give their values to, but for those of inner loops."""
    inner = [i for i in walk(loop.blocks[0]) if i.label is not None]
    return {i.label: i.results for i in inner if i.label is not None}


def _emit(
    builder: Builder, loop: Instr, grows: tuple[str, ...], numbers: Sequence[int | None]
) -> Sequence[Value]:
    code = Code(builder, loop.loc)
    iterations = iterations_of(code, loop, numbers)
    if not loop.results:
        code.loop(iterations.count, lambda i: _round(code, loop, iterations, i), parallel=True)
        return ()
    return share(code, loop, iterations, [Growth(kind) for kind in grows])


def _round(code: Code, loop: Instr, iterations: Iterations, index: Value) -> None:
    """Emit the body of a loop that carries nothing, as a block around the iteration."""
    number = code.to_int(code.op(e.ADD, iterations.start, code.op(e.MUL, index, iterations.step)))
    label, names = Label("iteration"), Renaming()
    names[loop.blocks[0].params[0]] = number
    assert loop.label is not None
    body = clone(Block((), loop.blocks[0].body), names, {loop.label: label}, lambda loc: loc)
    block = _leaving(body, label)
    code.builder.append(Instr(control.BLOCK, (), {}, (), loop.loc, (block,), label))


def _leaving(block: Block, label: Label) -> Block:
    """Return `block` with the exits to the next iteration of `label` as exits from it."""
    body: list[Instr] = []
    for instr in block.body:
        if instr.target is not None and instr.target.label is label:
            instr = replace(instr, target=replace(instr.target, next=False))
        if instr.blocks:
            instr = replace(instr, blocks=tuple(_leaving(b, label) for b in instr.blocks))
        body.append(instr)
    return Block(block.params, tuple(body))
