"""Iterations of a loop without what ends it, for threads that know that nothing does.

for i in range(n):                      for i in range(n):
    if x[i] < 0.0:                          y[i] = sqrt x[i]
        break                   =>
    y[i] = sqrt x[i]
"""

from collections.abc import Callable, Mapping, Sequence

from scriptc.kernels.builder import Code
from scriptc.passes.rebuild import map_blocks
from scriptc_runtime.ir import Block, Builder, Instr, Label, Value, walk
from scriptc_runtime.ops import control, data, exact, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import replace
from scriptc_runtime.types import BOOL, FLOAT, INT

# Emits what stands for an instruction.
Act = Callable[[Code, Instr], None]
# Ops on ints that may overflow, what does the same unchecked, and up to where nothing overflows.
_LIMITS: Mapping[OpDef, tuple[OpDef, int]] = {
    e.ADD: (exact.EXACT_ADD, 2**62),
    e.SUB: (exact.EXACT_SUB, 2**62),
    e.MUL: (exact.EXACT_MUL, 2**31),
    exact.SCALE: (exact.EXACT_MUL, 2**31),
    e.CAST: (exact.EXACT_INT, 2**63),
}


class Iteration:
    """The body of a loop with something else in the place of some instructions.

    `on` goes to the next iteration, and stands for what leaves the loop where that never happens.
    Ints that may not fit are not checked: where there is no `on`, large ones end the loop.
    """

    def __init__(
        self,
        loop: Instr,
        on: Instr | None,
        acts: Mapping[Instr, Act] | None = None,
    ) -> None:
        self._on = on
        self._acts = acts or {}
        self._leaves = leaves_loop(loop)

    def block(self, block: Block) -> Block:
        """Return the block, or one inside of it, with all that replaced."""
        builder = Builder()
        builder.open(*block.params)
        for instr in block.body:
            if self._on and is_check(instr, self._leaves):
                continue
            if self._on and self._leaves(instr):
                builder.append(self._on)
                break
            if instr in self._acts:
                self._acts[instr](Code(builder, instr.loc), instr)
            elif (unchecked := exact_of(instr)) is not None:
                if self._on is None:
                    require_small(Code(builder, instr.loc), instr.operands, unchecked[1])
                builder.append(replace(instr, op=unchecked[0], attrs={}))
            else:
                builder.append(map_blocks(instr, self.block))
        return builder.close()


def require_small(code: Code, values: Sequence[Value], limit: int) -> None:
    """Emit a check that no value is as large as a limit."""
    for value in values:
        if value.type is FLOAT:
            number = code.builder.emit(data.CONST, loc=code.loc, value=float(limit))
            tests = [code.op(e.LT, code.op(e.ABS, value), number)]
        else:
            ends = [code.builder.emit(data.CONST, loc=code.loc, value=n) for n in (-limit, limit)]
            tests = [code.op(e.GT, value, ends[0]), code.op(e.LT, value, ends[1])]
        for test in tests:
            is_bool = test.type is BOOL
            is_small = test if is_bool else code.builder.emit(e.CAST, test, loc=code.loc, to=BOOL)
            code.require(is_small, "OverflowError", "it does not fit")


def exact_of(instr: Instr) -> tuple[OpDef, int] | None:
    """Return the op that computes the same unchecked, for operands below a limit."""
    if len(instr.results) != 1 or instr.result.type is not INT or instr.op not in _LIMITS:
        return None
    if instr.op is e.CAST and instr.operands[0].type is not FLOAT:
        return None
    return _LIMITS[instr.op]


def leaves_loop(loop: Instr) -> Callable[[Instr], bool]:
    """Return the test whether an instruction ends a loop: it raises, or goes to a place outside."""
    inside = {i.label for i in walk(loop.blocks[0]) if i.label is not None}

    def leaves(instr: Instr) -> bool:
        if instr.op is low.FAIL:
            return True
        target = instr.target
        if target is None or target.label in inside:
            return False
        return target.label is not loop.label or not target.next

    return leaves


def is_check(instr: Instr, leaves: Callable[[Instr], bool]) -> bool:
    """Whether an instruction only goes on, or ends the loop."""
    if instr.op is not control.IF or instr.results:
        return False
    return all(
        _goes_on(b, instr.label) or (leaves(b.body[-1]) and not any(i.blocks for i in b.body))
        for b in instr.blocks
    )


def _goes_on(block: Block, label: Label | None) -> bool:
    (*others, last) = block.body
    return not others and last.target is not None and last.target.label is label
