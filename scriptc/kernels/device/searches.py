"""Searches: threads share the iterations of a loop that is left early, and say which one leaves it.

    for i in range(n):              =>    k = the least i with x[i] < 0.0, or n, by chunks
        if x[i] < 0.0:                    for i in range(k, n):
            break                             ...                         (as it was)

Iterations that carry nothing on do not know of each other.  So whether one would leave the loop,
or raise, is asked of all of them at once; then the loop runs from that one on, and ends there.  A
chunk ends where it finds one: no thread goes behind the end of an array.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from scriptc.analysis.induction import has_known_step, is_next
from scriptc.analysis.instr_kinds import computes, is_for_kernels, may_raise
from scriptc.kernels.builder import Code
from scriptc.kernels.loops.chunks import Growth, Iterations, iterations_of, share_among_many
from scriptc.passes.rebuild import Renaming, clone
from scriptc_runtime.ir import Block, Instr, Label, Target, Value, walk
from scriptc_runtime.ops import control, data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import replace
from scriptc_runtime.types import DType

# By these an index is as large as the number of its iteration, but for a constant.
_STEPS = (e.CAST, e.ADD, e.SUB, low.SELECT)


def is_search(loop: Instr, definitions: Mapping[Value, Instr], *, all_run: bool = False) -> bool:
    """Whether iterations of a loop read and compute, carry nothing on, and may leave it.

    If `all_run`, the loop that it stands for comes to all of them.
    """
    if not has_known_step(loop, definitions) or not (all_run or _reads_along(loop)):
        return False
    if not all(end.operands == loop.blocks[0].params[1:] for end in _ends(loop)):
        return False
    if not all_run and _has_inner_loops_of_any_length(loop):
        return False
    labels = _labels_in(loop)
    ending = {i for b in _blocks_in(loop) if _ends_it(b, labels, loop) for i in b.body}
    leaves = False
    for instr in walk(loop.blocks[0]):
        if instr.target is not None:
            leaves = leaves or not (is_next(instr, loop) or instr.target.label in labels)
        elif instr.op is low.FAIL:
            leaves = True
        elif instr not in ending and not (_is_plain(instr) and is_for_kernels(instr)):
            return False
    # What may raise in each iteration would be taken for its end.
    return leaves and not any(i.op is not low.FAIL and may_raise(i) for i in loop.blocks[0].body)


def _ends(loop: Instr) -> Iterator[Instr]:
    return (instr for instr in walk(loop.blocks[0]) if is_next(instr, loop))


def _has_inner_loops_of_any_length(loop: Instr) -> bool:
    """Whether an inner loop may have no end in an iteration behind the one that leaves."""
    varying = {v for i in walk(loop.blocks[0]) for v in i.results}
    varying.update(p for b in _blocks_in(loop) for p in b.params)
    inner = (i for i in walk(loop.blocks[0]) if i.op is control.FOR)
    return any(not varying.isdisjoint(i.operands[:3]) for i in inner)


def _blocks_in(instr: Instr) -> Iterator[Block]:
    for block in instr.blocks:
        yield block
        for inner in block.body:
            yield from _blocks_in(inner)


def _ends_it(block: Block, labels: AbstractSet[Label | None], loop: Instr) -> bool:
    """Whether a block computes at most, and leaves the loop or raises."""
    *others, last = block.body
    if any(i.blocks or not (computes(i) or i.op is data.TUPLE) for i in others):
        return False
    return last.op is low.FAIL or (
        last.target is not None and last.target.label not in labels and not is_next(last, loop)
    )


def _is_plain(instr: Instr) -> bool:
    return instr.op in (control.IF, control.FOR, low.LOAD, low.SIZE) or computes(instr)


def _reads_along(loop: Instr) -> bool:
    """Whether each iteration reads an element at its own number, so that no loop is endless."""
    along = {loop.blocks[0].params[0]}
    for instr in loop.blocks[0].body:
        if instr.op is low.LOAD and not along.isdisjoint(instr.operands[1:]):
            return True
        if instr.op in _STEPS and not along.isdisjoint(instr.operands):
            along.update(instr.results)
    return False


def _labels_in(loop: Instr) -> AbstractSet[Label | None]:
    return {i.label for i in walk(loop.blocks[0]) if i.label is not None}


def share_search(code: Code, loop: Instr, numbers: Sequence[int | None]) -> Instr:
    """Emit the search for the iteration that leaves a loop; return the loop from there on."""
    iterations = iterations_of(code, loop, numbers)
    first = first_leaving(code, loop, iterations)
    return from_there_on(code, loop, iterations, first)


def from_there_on(code: Code, loop: Instr, iterations: Iterations, first: Value) -> Instr:
    """Return a loop from one of its iterations on, which may be none of them."""
    place = code.op(e.ADD, iterations.start, code.op(e.MUL, first, iterations.step))
    is_found = code.test(e.LT, first, iterations.count)
    begin = code.select(is_found, place, code.to_i64(loop.operands[1]))
    return replace(loop, operands=(code.to_int(begin), *loop.operands[1:]))


def first_leaving(code: Code, loop: Instr, iterations: Iterations) -> Value:
    """Emit the number of the first iteration that leaves a loop; of all where none does."""
    each = Iterations(iterations.count, code.number(0), code.number(1))
    finding = _finding(code, loop, iterations)
    (first,) = share_among_many(code, finding, each, [Growth("min")])
    return first


def _finding(code: Code, loop: Instr, iterations: Iterations) -> Instr:
    """Return a loop whose result is the number of the first iteration that leaves `loop`."""
    number, none, label = Value(loop.blocks[0].params[0].type), Value(DType.I64), Label("search")
    bounds = [code.to_int(v) for v in (code.number(0), iterations.count, code.number(1))]
    code.builder.open(number, none)
    place = code.to_i64(number)
    step = code.op(e.MUL, place, iterations.step)
    names = Renaming()
    names[loop.blocks[0].params[0]] = code.to_int(code.op(e.ADD, iterations.start, step))
    for param, start in zip(loop.blocks[0].params[1:], loop.operands[3:], strict=True):
        names[param] = start
    assert loop.label is not None
    body = clone(Block((), loop.blocks[0].body), names, {loop.label: label}, lambda loc: loc)
    inside = {i.label for i in walk(body) if i.label is not None}
    for instr in _told(body, label, inside, place, none).body:
        code.builder.append(instr)
    block = code.builder.close()
    operands = (*bounds, iterations.count)
    return Instr(control.FOR, operands, {}, (Value(DType.I64),), loop.loc, (block,), label)


def _told(
    block: Block, label: Label, inside: AbstractSet[Label | None], place: Value, none: Value
) -> Block:
    """Return a block that leaves the loop of `label` by its number where it left another one."""
    body: list[Instr] = []
    straight = not any(i.blocks for i in block.body)
    last = block.body[-1].target
    ends = last is not None and last.label not in inside and not (last.label is label and last.next)
    # What is computed to leave with is not asked for.
    for instr in block.body[-1:] if straight and ends else block.body:
        to = instr.target
        if to is not None and to.label is label and to.next:
            body.append(replace(instr, operands=(none,)))
        elif (to is not None and to.label not in inside) or (not instr.blocks and may_raise(instr)):
            body.append(Instr(control.EXIT, (place,), {}, (), instr.loc, (), None, Target(label)))
            break
        else:
            blocks = tuple([_told(b, label, inside, place, none) for b in instr.blocks])
            body.append(replace(instr, blocks=blocks) if blocks else instr)
    return Block(block.params, tuple(body))
