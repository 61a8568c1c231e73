"""The order in which a block is fused: what follows from a fold waits for the folds after it.

    %1 = sum %xx : f64                          %1 = sum %xx : f64
    %2 = sqrt %1 : f64               =>         %3 = sum %yy : f64
    %3 = sum %yy : f64                          %2 = sqrt %1 : f64

Then the folds wait together, and one nest computes them: in the order of the source each would be
computed alone, before the first scalar that follows from it.
"""

from collections.abc import Callable
from operator import itemgetter

from scriptc.analysis.instr_kinds import computes_only
from scriptc_runtime.ir import Block, Instr, Value, walk
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.types import DType, TensorType

_HELD = (e.ADD, e.SUB, e.MUL, e.DIV, e.NEG)


def folds_first(block: Block, is_node: Callable[[Instr], bool]) -> Block:
    """Return `block` with scalars that follow from folds as late as they are needed.

    They only compute, so they may stand anywhere before their uses. `is_node` says what waits.
    """
    folds = {i for i in block.body if is_node(i) and isinstance(i.result.type, DType)}
    if len(folds) < 2:
        return block
    order, waiting = _Order(), set[Value]()  # folds, and what waits for them
    *before, last = block.body
    for instr in before:
        if instr in folds:
            waiting.add(instr.result)
        elif not waiting.isdisjoint(instr.operands) and _is_scalar(instr):
            waiting.add(instr.result)
            order.wait(instr)
            continue
        order.place(instr)
    order.place(last)
    return Block(block.params, tuple(order.body))


def held_scalars(block: Block, is_node: Callable[[Instr], bool]) -> frozenset[Instr]:
    """Return scalars that follow from folds and may wait with them, as arrays are less by them.

    %1 = sum %x : f64
    %2 = div %1, %n : f64               waits
    %3 = sub %x, %2 : tensor<f64, [N]>

    Then a fold of what they are used for waits with the folds that they follow from.
    """
    follow: set[Value] = set()
    found: list[Instr] = []
    for instr in block.body:
        if is_node(instr):
            if isinstance(instr.result.type, DType):
                follow.add(instr.result)
        elif instr.op in _HELD and _is_scalar(instr) and not follow.isdisjoint(instr.operands):
            follow.add(instr.result)
            found.append(instr)
    if not found:
        return frozenset()
    subtracted = {v for i in block.body if i.op is e.SUB and is_node(i) for v in i.operands}
    held: set[Instr] = set()
    for instr in reversed(found):
        if instr.result in subtracted:
            held.add(instr)
            subtracted.update(instr.operands)
    return frozenset(held)


class _Order:
    """Instructions in a new order: those that wait stand before the first that needs them."""

    def __init__(self) -> None:
        self.body: list[Instr] = []
        self._late: dict[Value, tuple[int, Instr]] = {}  # with their numbers
        self._count = 0

    def wait(self, instr: Instr) -> None:
        self._count += 1
        self._late[instr.result] = self._count, instr

    def place(self, instr: Instr) -> None:
        todo = [v for i in (instr, *_inside(instr)) for v in i.operands] if self._late else []
        chosen: list[tuple[int, Instr]] = []
        while todo:
            found = self._late.pop(todo.pop(), None)
            if found is not None:
                chosen.append(found)
                todo += found[1].operands
        # In their old order.
        self.body += [late for _, late in sorted(chosen, key=itemgetter(0))]
        self.body.append(instr)


def _is_scalar(instr: Instr) -> bool:
    """Whether an instruction computes one scalar of scalars, and does nothing else."""
    values = (*instr.operands, *instr.results)
    return (
        len(instr.results) == 1
        and not any(isinstance(v.type, TensorType) for v in values)
        and computes_only(instr)
    )


def _inside(instr: Instr) -> list[Instr]:
    return [inner for block in instr.blocks for inner in walk(block)]
