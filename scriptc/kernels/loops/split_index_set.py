"""Guards: a loop whose iterations compare their number with a bound becomes two without.

    for c in range(n):                          for c in range(min(w, n)):
        if c >= w and a[c - w] > b[c]:              ...
            b[c] = a[c - w]              =>     for c in range(min(w, n), n):
        ...                                         if a[c - w] > b[c]:
                                                        b[c] = a[c - w]
                                                    ...

The answer changes once, so each of the loops knows it. What the guard let through is in every
iteration of one of them: its indices can be tested before the first one, and vectors of them
loaded. This is index-set splitting (Wolfe, High Performance Compilers for Parallel Computing,
1996).

Needs: low IR, after `CLEAN`.
Gives: the same, clean; same results, same exceptions.
Does not: split loops around others, long iterations, iterations that a loop may end in, or for the
sake of what accesses no array.
Cases: tests/cases/loops/split_index_set.
"""

from collections.abc import Iterator, Mapping, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import MIRRORED, are_few, counts_by_one, leaves
from scriptc.analysis.remarks import Kind, Message, Topic, about, remark
from scriptc.kernels.builder import Code
from scriptc.passes.dce import dce
from scriptc.passes.fold import fold
from scriptc.passes.rebuild import Renaming, copied, map_blocks, rebuild_block
from scriptc.passes.simplify import simplify
from scriptc_runtime.ir import Block, Builder, Function, Instr, Module, Value, walk
from scriptc_runtime.ops import arrays, control, data
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Trait
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import INT

SPLIT = Message(
    "split_index_set",
    Topic.ORDER,
    Kind.DONE,
    "split in two loops: the test in line {line} has one answer in each",
)

_ACCESSES = (arrays.INDEX, arrays.SET_INDEX)
_MOST_INSTRUCTIONS = 80  # of an iteration: both loops get their versions


def split_index_set(module: Module) -> Module:
    """Return `module` with such loops in two."""
    found = {name: _function(f) for name, f in module.functions.items()}
    if all(found[name] is f for name, f in module.functions.items()):
        return module
    return dce(simplify(fold(module.with_functions(found))))


def _function(function: Function) -> Function:
    about(function)
    if not any(i.op is control.FOR for i in walk(function.body)):
        return function
    definitions = definitions_of(function)

    def rewrite(instr: Instr, builder: Builder) -> Sequence[Value] | None:
        guard = _guard(instr, definitions)
        if guard is not None:
            remark(SPLIT, instr.loc, line=guard.instr.loc)
        return None if guard is None else _split(Code(builder, instr.loc), instr, guard)

    body = rebuild_block(function.body, rewrite, Renaming())
    return function if body is function.body else replace(function, body=body)


@record
class _Guard:
    """A comparison of the number of an iteration with a bound that no iteration changes."""

    instr: Instr
    bound: Value
    holds_first: bool  # in the first iterations, or in the last ones
    holds_at_bound: bool


def _guard(loop: Instr, definitions: Mapping[Value, Instr]) -> _Guard | None:
    """Return what to split a loop at, if there is something that is worth it."""
    if loop.op is not control.FOR or loop.attrs or not counts_by_one(loop, definitions):
        return None
    inner = list(walk(loop.blocks[0]))
    regions = (i for i in inner if i.label is not None or Trait.REGION in i.op.traits)
    if (
        len(inner) > _MOST_INSTRUCTIONS
        or not all(i.op is control.IF for i in regions)
        or any(leaves(i, loop) for i in inner)
        or are_few(loop, definitions)
    ):
        return None
    inside = {r for i in inner for r in i.results}
    asked = {i.operands[0] for i in inner if i.op is control.IF and _accesses(i)}
    found = (_as_guard(i, loop) for i in inner if i.results and i.results[0] in asked)
    carried = loop.blocks[0].params
    return next((g for g in found if g and g.bound not in inside and g.bound not in carried), None)


def _accesses(choice: Instr) -> bool:
    return any(i.op in _ACCESSES for block in choice.blocks for i in walk(block))


def _as_guard(instr: Instr, loop: Instr) -> _Guard | None:
    number = loop.blocks[0].params[0]
    if instr.op not in MIRRORED or any(v.type is not INT for v in instr.operands):
        return None
    (first, second), op = instr.operands, instr.op
    if second is number:
        first, second, op = second, first, MIRRORED[op]
    if first is not number or second is number:
        return None
    return _Guard(instr, second, op in (e.LT, e.LE), op in (e.LE, e.GE))


def _split(code: Code, loop: Instr, guard: _Guard) -> Sequence[Value]:
    start, stop, step, *carried = loop.operands
    last, bound = code.to_i64(stop), code.to_i64(guard.bound)
    below = code.test(e.LT, bound, last)
    # The first iteration with the other answer.
    turn = bound
    if guard.holds_first is guard.holds_at_bound:
        turn = code.op(e.ADD, bound, code.number(1))
    turn = code.op(e.MAXIMUM, code.to_i64(start), code.select(below, turn, last))
    middle, values = code.to_int(turn), carried
    for bounds, holds in (
        ((start, middle), guard.holds_first),
        ((middle, stop), not guard.holds_first),
    ):
        answer = code.builder.emit(data.CONST, loc=loop.loc, value=holds)
        names = Renaming()
        names[guard.instr.result] = answer
        block = _without(loop.blocks[0], guard.instr, names)
        operands = (*bounds, step, *values)
        part = copied(replace(loop, operands=operands, blocks=(block,)))
        values = code.builder.append(part).results
    return values


def _without(block: Block, guard: Instr, names: Renaming) -> Block:
    def kept() -> Iterator[Instr]:
        for instr in block.body:
            if instr is not guard:
                yield map_blocks(names.instr(instr), lambda b: _without(b, guard, names))

    return Block(block.params, tuple(kept()))
