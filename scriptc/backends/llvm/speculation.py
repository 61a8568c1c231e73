"""Branches whose arms are cheap become selects, although their arithmetic may overflow.

    if n % 2 == 0:                     half = n >> 1
        n = n // 2              =>     odd, over = 3 * n + 1, checked
    else:                              if over: the branch as it stands, which raises or does not
        n = 3 * n + 1                  n = select even, half, odd

LLVM makes selects of arms that do nothing but compute. A check is more than that, so it would leave
a branch here, and pay dearly where nobody can predict it. An overflow is rare: where any arm has
one, needed or not, the branch runs as it is written.
"""

from scriptc.backends.llvm import abi
from scriptc.backends.llvm.choices import UNPREDICTABLE, is_unpredictable
from scriptc.backends.llvm.emit_function import Emitter
from scriptc_runtime.ir import Block, Instr
from scriptc_runtime.ops import data, exact, low
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.types import BOOL, FLOAT, INT, DType

_CHECKED = (ops.ADD, ops.SUB, ops.MUL, exact.SCALE)
_PLAIN = (
    *(exact.EXACT_ADD, exact.EXACT_SUB, exact.EXACT_MUL, exact.EXACT_FLOORDIV, exact.EXACT_MOD),
    *(low.SELECT, ops.AND, ops.OR, ops.XOR, ops.NOT),
)
_NUMBERS = (BOOL, INT, FLOAT, DType.B1, DType.I64, DType.F32, DType.F64)
# More than that in an arm costs more than a branch which is mostly predicted.
_MOST = 3


def is_cheap(instr: Instr) -> bool:
    """Whether an `if` is such a branch, and has a check that keeps LLVM from seeing it."""
    if not instr.results or any(r.type not in _NUMBERS for r in instr.results):
        return False
    if not all(_is_cheap_arm(block, instr) for block in instr.blocks):
        return False
    return any(_is_checked(i) for block in instr.blocks for i in block.body)


def _is_checked(instr: Instr) -> bool:
    return instr.op in _CHECKED and instr.result.type is INT


def _is_cheap_arm(block: Block, branch: Instr) -> bool:
    *body, last = block.body
    if last.target is None or last.target.label is not branch.label:
        return False
    costly = [i for i in body if i.op is not data.CONST]
    return len(costly) <= _MOST and all(map(_is_computed, costly))


def _is_computed(instr: Instr) -> bool:
    """Whether an instruction may run where its result is not needed, an overflow apart."""
    if instr.op in _PLAIN or instr.op in _CHECKED:
        return instr.result.type in _NUMBERS
    return instr.op is ops.CAST and {v.type for v in (*instr.operands, instr.result)} == {
        INT,
        DType.I64,
    }


def emit_select(e: Emitter, instr: Instr) -> None:
    """Compute both arms, hand the chosen values on, and begin the block where one overflowed."""
    assert instr.label is not None
    slow = e.label()
    outer, e.overflow = e.overflow, slow
    condition = e.one(instr.operands[0])
    ways: list[list[str]] = []
    for block in instr.blocks:
        *body, last = block.body
        for inner in body:
            e.state.rules[inner.op](e, inner)
        ways.append([c for value in last.operands for c in e.components(value)])
    e.overflow = outer
    types = [t for result in instr.results for t in abi.flatten(result.type)]
    hint = f", {UNPREDICTABLE}" if is_unpredictable(e, instr) else ""
    chosen = tuple(
        e.let(f"select i1 {condition}, {type_} {yes}, {type_} {no}{hint}")
        for type_, yes, no in zip(types, *ways, strict=True)
    )
    e.enter(e.regions[instr.label].out, chosen)
    e.start(slow)
