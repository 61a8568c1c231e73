"""Branches whose arms are cheap become selects, although their arithmetic may overflow.

    if n % 2 == 0:                     half = n >> 1
        n = n // 2              =>     odd, over = 3 * n + 1, checked
    else:                              if over: the branch as it stands, which raises or does not
        n = 3 * n + 1                  n = select even, half, odd

LLVM makes selects of arms that do nothing but compute. A check is more than that, so it would leave
a branch here, and pay dearly where nobody can predict it. An overflow is rare: where any arm has
one, needed or not, the branch runs as it is written.
"""

from collections.abc import Collection

from scriptc.backends.llvm.emitter import branchless_select
from scriptc.backends.llvm.emitter.function import Emitter
from scriptc.backends.llvm.loading import abi
from scriptc_runtime.ir import Block, Instr, Value, walk
from scriptc_runtime.ops import control, data, exact, low
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
# How far a condition is followed to what it has loaded.
_FAR = 6
Access = tuple[Value, ...]  # the operands of a load


def is_cheap(e: Emitter, instr: Instr) -> bool:
    """Whether an `if` is such a branch, and has a check that keeps LLVM from seeing it."""
    if not _is_cheap_choice(e, instr, _loads(e, instr.operands[0])):
        return False
    return any(_is_checked(i) for block in instr.blocks for i in walk(block))


def _is_checked(instr: Instr) -> bool:
    return instr.op in _CHECKED and instr.result.type is INT


def _is_cheap_choice(e: Emitter, instr: Instr, loaded: Collection[Access]) -> bool:
    if not instr.results or any(r.type not in _NUMBERS for r in instr.results):
        return False
    return all(_is_cheap_arm(e, block, instr, loaded) for block in instr.blocks)


def _is_cheap_arm(e: Emitter, block: Block, branch: Instr, loaded: Collection[Access]) -> bool:
    *body, last = block.body
    if last.target is None or last.target.label is not branch.label:
        return False
    costly = [i for i in body if i.op is not data.CONST]
    inner = [i for i in costly if i.op is control.IF]
    if not inner:
        return len(costly) <= _MOST and all(map(_is_computed, costly))
    # A choice in an arm: of three ways, none of which can be predicted.
    others = [i for i in costly if i not in inner]
    takes = (
        len(inner) == 1
        and branchless_select.takes_turns(e, branch)
        and branchless_select.takes_turns(e, inner[0])
    )
    known = all(_is_computed(i) or _is_known(i, loaded) for i in others)
    return takes and known and _is_cheap_choice(e, inner[0], loaded)


def _is_known(instr: Instr, loaded: Collection[Access]) -> bool:
    """Whether it compares, or loads again what the condition has loaded."""
    if instr.op is low.LOAD:
        return instr.operands in loaded
    return instr.op in ops.COMPARISONS or (instr.op is ops.CAST and instr.result.type is BOOL)


def _loads(e: Emitter, condition: Value) -> Collection[Access]:
    """Return what a condition has loaded, as far as it is computed in few steps."""
    found: set[Access] = set()
    todo = {condition}
    for _ in range(_FAR):
        made = [e.definitions[v] for v in todo if v in e.definitions]
        found.update(i.operands for i in made if i.op is low.LOAD)
        todo = {v for i in made if not i.blocks and i.op is not low.LOAD for v in i.operands}
    return found


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
    chosen = _chosen(e, instr)
    e.overflow = outer
    e.enter(e.regions[instr.label].out, chosen)
    e.start(slow)


def _chosen(e: Emitter, instr: Instr) -> tuple[str, ...]:
    condition = e.one(instr.operands[0])
    ways: list[list[str]] = []
    for block in instr.blocks:
        *body, last = block.body
        for inner in body:
            if inner.op is control.IF:
                e.bind_results(inner, _chosen(e, inner))
            else:
                e.state.rules[inner.op](e, inner)
        ways.append([c for value in last.operands for c in e.components(value)])
    types = [t for result in instr.results for t in abi.flatten(result.type)]
    in_turn = any(i.op is control.IF for block in instr.blocks for i in block.body)
    sure = (
        not in_turn
        and not branchless_select.is_unpredictable(e, instr)
        and not branchless_select.takes_turns(e, instr)
    )
    hint = "" if sure else f", {branchless_select.UNPREDICTABLE}"
    return tuple(
        e.let(f"select i1 {condition}, {type_} {yes}, {type_} {no}{hint}")
        for type_, yes, no in zip(types, *ways, strict=True)
    )
