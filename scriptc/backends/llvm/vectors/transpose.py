"""Copies of arrays whose columns lie along memory: blocks of elements are turned in registers.

    loop %n [parallel=true] {(%i)              if the elements of %a along %i are neighbours,
      loop %m [parallel=true] {(%j)               and those of %c along %j:
        %x = load %a, %i, %j            =>        sc.part.turn_columns_64 of %n rows and %m columns
        store %c, %x, %i, %j }}                else: as it was

Any of the loops around the innermost one may be the one along memory.  Iterations are independent,
so their order is free, unless two indices of the array that is written lead to one element.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import cast

from scriptc.backends.llvm.emitter.addresses import address, parts, product
from scriptc.backends.llvm.emitter.function import Emitter, literal
from scriptc.backends.llvm.support import transpose
from scriptc.kernels.loops.nest import Chain, chain_of, is_access
from scriptc_runtime.ir import Instr, Value, make
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.record import record
from scriptc_runtime.types import DType, TensorType

# What may be computed where the loops have no iterations.
_HARMLESS = frozenset(
    {data.CONST, low.SELECT, *(ops.ADD, ops.SUB, ops.MUL, ops.CAST, ops.EQ, ops.MINIMUM)}
)
_ON_INDICES = frozenset({data.CONST, ops.ADD, ops.SUB, ops.MUL})
MOST_LOOPS = 3  # each of those around the innermost is one more way


@record(eq=False)
class Step:
    """How an index goes with a loop: `times` the number of the iteration, or once."""

    loop: int
    times: Value | None = None


@record(eq=False)
class Along:
    """The axis of an array that goes with a loop, and how many elements are a step along it."""

    axis: int
    times: Value | None


@record(eq=False)
class TurnedCopy:
    """A nest that copies: how each array goes with each loop."""

    chain: Chain
    load: Instr
    store: Instr
    read: Sequence[Along]
    written: Sequence[Along]

    @property
    def source(self) -> Value:
        """The array that is read."""
        return self.load.operands[0]

    @property
    def target(self) -> Value:
        """The array that is written."""
        return self.store.operands[0]


def turned_copy(e: Emitter, loop: Instr) -> TurnedCopy | None:
    """Return the copy that `loop` is, if it may be one between arrays that lie crosswise."""
    chain = chain_of(loop) if loop.op is low.LOOP else None
    if chain is None or len(chain.loops) > MOST_LOOPS:
        return None
    accesses = [i for i in chain.body if is_access(i)]
    if [i.op for i in accesses] != [low.LOAD, low.STORE]:
        return None
    load, store = accesses
    if store.operands[1] is not load.result or bits_of(load.operands[0]) not in transpose.WIDTHS:
        return None
    if any(i.op not in _HARMLESS for i in scalars_of(chain)):
        return None
    if any(v not in e.values for v in (load.operands[0], store.operands[0], *chain.counts)):
        return None
    steps = steps_of(chain)
    read = along_loops(chain, steps, load.operands[1:])
    written = along_loops(chain, steps, store.operands[2:])
    if read is None or written is None:
        return None
    copy = TurnedCopy(chain, load, store, read, written)
    return copy if _levels(e, copy) else None


def emit_turned_copy(e: Emitter, copy: TurnedCopy, plainly: Callable[[], None]) -> None:
    """Write the copy; `plainly` writes it for arrays that lie in any other way."""
    out = e.label()
    _index(e, copy, dict.fromkeys(copy.chain.iterations, "0"))
    spread = make(low.IS_SPREAD, (copy.target,), {}, copy.store.loc)
    e.state.rules[low.IS_SPREAD](e, spread)
    # All are tested before any is copied, as a copy binds the indices anew.
    ways = [(level, _may_turn(e, copy, level, spread.result)) for level in _levels(e, copy)]
    for level, holds in ways:
        crosswise, plain = e.label(), e.label()
        e.branch(holds, crosswise, plain)
        e.start(crosswise)
        others = [n for n in range(len(copy.read) - 1) if n != level]
        over_loops(e, copy.chain, others, partial(_turn, e, copy, level))
        e.jump(out)
        e.start(plain)
    plainly()
    e.jump(out)
    e.start(out)


def is_crosswise_copy(loop: Instr) -> bool:
    """Whether an innermost loop copies elements between lines that lie crosswise.

    Vectors would be put together from single elements, or taken apart.
    """
    (block,) = loop.blocks
    copies = [i for i in block.body if i.op in (low.LOAD, low.STORE)]
    others = [i for i in block.body[:-1] if i not in copies]
    if [i.op for i in copies] != [low.LOAD, low.STORE]:
        return False
    load, store = copies
    if store.operands[1] is not load.result or any(i.op not in _ON_INDICES for i in others):
        return False
    near, far = set(block.params), set[Value]()  # what grows by one each time, or by more
    for instr in others:
        grows = not near.isdisjoint(instr.operands)
        if not far.isdisjoint(instr.operands) or (grows and instr.op is ops.MUL):
            far.update(instr.results)
        elif grows:
            near.update(instr.results)
    indices = (load.operands[1:], store.operands[2:])
    return any(not far.isdisjoint(i) or not near.isdisjoint(i[:-1]) for i in indices)


def _may_turn(e: Emitter, copy: TurnedCopy, level: int, spread: Value) -> str:
    """Test whether arrays lie crosswise, and blocks fit into this kernel's share."""
    holds = e.one(spread)
    for step in (
        memory_step(e, copy.source, copy.read[level]),
        memory_step(e, copy.target, copy.written[-1]),
    ):
        holds = e.let(f"and i1 {holds}, {e.let(f'icmp eq i64 {step}, 1')}")
    for count in (copy.chain.counts[level], copy.chain.counts[-1]):
        fits = e.let(f"icmp sge i64 {e.one(count)}, {transpose.SIDE}")
        holds = e.let(f"and i1 {holds}, {fits}")
    return holds


def bits_of(array: Value) -> int:
    """Return the width of elements that blocks may be made of, 0 for others."""
    dtype = cast(TensorType, array.type).dtype
    return 8 * dtype.itemsize if dtype.kind in "fiu" and dtype is not DType.F16 else 0


def steps_of(chain: Chain) -> dict[Value, Step | None]:
    """Return what moves with the loops, and how; None for what does so in any other way."""
    steps: dict[Value, Step | None] = {r: Step(n) for n, r in enumerate(chain.iterations)}
    for each in (*chain.between, chain.body[:-1]):
        for instr in each:
            moving = [v for v in instr.operands if v in steps]
            if moving and instr.results:
                # An element may be an index in turn, as in a[p[i]].
                step = None if is_access(instr) else _next_step(instr, steps[moving[0]], moving)
                steps[instr.result] = step
    return steps


def _next_step(instr: Instr, step: Step | None, moving: Sequence[Value]) -> Step | None:
    if step is None or len(moving) > 1:
        return None
    match instr.op:
        case ops.ADD:
            return step
        case ops.SUB if moving[0] is instr.operands[0]:
            return step
        case ops.MUL if step.times is None:
            (times,) = (v for v in instr.operands if v is not moving[0])
            return Step(step.loop, times)
        case _:
            return None


def along_loops(
    chain: Chain, steps: Mapping[Value, Step | None], index: Sequence[Value]
) -> Sequence[Along] | None:
    """Return how an array goes with each loop; None if one does with no axis, or several do."""
    found = moves_of(steps, index)
    if found is None or len(found) != len(chain.loops):
        return None
    return [found[n] for n in range(len(chain.loops))]


def moves_of(
    steps: Mapping[Value, Step | None], index: Sequence[Value]
) -> Mapping[int, Along] | None:
    """Return how an array goes with some of the loops; None if several axes go with one."""
    found: dict[int, Along] = {}
    for axis, at in enumerate(index):
        step = steps.get(at)
        if at in steps and (step is None or step.loop in found):
            return None
        if step is not None:
            found[step.loop] = Along(axis, step.times)
    return found


def scalars_of(chain: Chain) -> Iterator[Instr]:
    """Yield what computes indices."""
    for each in (*chain.between, chain.body[:-1]):
        yield from (i for i in each if not is_access(i))


def _levels(e: Emitter, copy: TurnedCopy) -> Sequence[int]:
    """Return the loops around the innermost one that may go along memory in what is read."""
    read, written = parts(e, copy.source).strides, parts(e, copy.target).strides
    if read[copy.read[-1].axis] == "1" or literal(written[copy.written[-1].axis]) not in (None, 1):
        return ()
    return [n for n, a in enumerate(copy.read[:-1]) if literal(read[a.axis]) in (None, 1)]


def memory_step(e: Emitter, array: Value, along: Along) -> str:
    """Return the elements of memory from one iteration to the next."""
    stride = parts(e, array).strides[along.axis]
    return stride if along.times is None else product(e, stride, e.one(along.times))


def _index(e: Emitter, copy: TurnedCopy, iterations: Mapping[Value, str]) -> None:
    """Write what computes the indices in some iterations of the loops."""
    e.values.update({number: (text,) for number, text in iterations.items()})
    for instr in scalars_of(copy.chain):
        e.state.rules[instr.op](e, instr)


def over_loops(
    e: Emitter, chain: Chain, loops: Sequence[int], inside_of_all: Callable[[], None]
) -> None:
    """Write loops of a chain, and something in them."""
    if not loops:
        inside_of_all()
        return
    first, *rest = loops
    head, inside, out, before = e.label(), e.label(), e.label(), e.block
    e.jump(head)
    e.start(head)
    (index,), place = e.open_phis(("i64",))
    e.values[chain.iterations[first]] = (index,)
    more = e.let(f"icmp slt i64 {index}, {e.one(chain.counts[first])}")
    e.branch(more, inside, out)
    e.start(inside)
    over_loops(e, chain, rest, inside_of_all)
    after = e.let(f"add nuw nsw i64 {index}, 1")
    e.lines[place] = f"  {index} = phi i64 [ 0, %{before} ], [ {after}, %{e.block} ]"
    e.jump(head)
    e.start(out)


def _turn(e: Emitter, copy: TurnedCopy, level: int) -> None:
    """Write the call that copies a matrix, between its first elements."""
    chain = copy.chain
    _index(e, copy, dict.fromkeys((chain.iterations[level], chain.iterations[-1]), "0"))
    symbol = transpose.turning(bits_of(copy.source))
    e.declare(f"declare void @{symbol}(ptr, i64, ptr, i64, i64, i64)")
    arguments = (
        f"ptr {address(e, copy.target, copy.store.operands[2:], inside=False)}",
        f"i64 {memory_step(e, copy.target, copy.written[level])}",
        f"ptr {address(e, copy.source, copy.load.operands[1:], inside=False)}",
        f"i64 {memory_step(e, copy.source, copy.read[-1])}",
        f"i64 {e.one(chain.counts[level])}",
        f"i64 {e.one(chain.counts[-1])}",
    )
    e.write(f"call void @{symbol}({', '.join(arguments)})")
