"""Loops over the bits of a number, which end after 64 iterations.

    while x:                           while p > 0:
        x &= x - 1                         p >>= 1

Nobody needs to look for signals in them, and LLVM knows the first one as an instruction.
"""

from collections.abc import Mapping

from scriptc.analysis.induction import carried_on, constant_int, leaves, step_from
from scriptc.analysis.ranges import SUBS
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import control, exact
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.types import BOOL, INT, DType

BITS = 64
_NUMBERS = (INT, DType.I64, DType.U64)


def is_over_bits(loop: Instr, definitions: Mapping[Value, Instr]) -> bool:
    """Whether each iteration of a `while` takes a bit of a number, until none is left."""
    if loop.op is not control.WHILE:
        return False
    (block,) = loop.blocks
    test = next((i for i in block.body if i.blocks), None)
    if test is None or test.op is not control.IF or not _leaves_without(test, loop):
        return False
    found = _tested(test.operands[0], definitions)
    if found is None or found[0] not in block.params:
        return False
    number, positive = found
    place = block.params.index(number)
    return all(_has_fewer_bits(v, number, positive, definitions) for v in carried_on(loop, place))


def _leaves_without(test: Instr, loop: Instr) -> bool:
    return len(test.blocks) == 2 and leaves(test.blocks[1].body[-1], loop)


def _tested(condition: Value, definitions: Mapping[Value, Instr]) -> tuple[Value, bool] | None:
    """Return the number that is not zero where a condition holds, and whether it is above."""
    made = definitions.get(condition)
    if made is not None and made.op is e.CAST and made.operands[0].type is DType.B1:
        made = definitions.get(made.operands[0])
    if made is None:
        return None
    number = made.operands[0] if made.operands else None
    if number is None or number.type not in _NUMBERS:
        return None
    unsigned = number.type is DType.U64
    if made.op is e.CAST and made.result.type is BOOL:
        return number, unsigned
    if made.op in (e.NE, e.GT) and constant_int(made.operands[1], definitions) == 0:
        return number, unsigned or made.op is e.GT
    return None


def _has_fewer_bits(
    value: Value, number: Value, positive: bool, definitions: Mapping[Value, Instr]
) -> bool:
    made = definitions.get(value)
    if made is None or len(made.operands) != 2:
        return False
    first, second = made.operands
    if made.op is e.AND:
        return any(
            a is number and _is_one_less(b, number, definitions)
            for a, b in ((first, second), (second, first))
        )
    by = constant_int(second, definitions)
    if first is not number or by is None:
        return False
    if made.op is exact.EXACT_FLOORDIV:
        return by >= 2
    return positive and ((made.op is e.SHR and by >= 1) or (made.op is e.FLOORDIV and by >= 2))


def _is_one_less(value: Value, number: Value, definitions: Mapping[Value, Instr]) -> bool:
    made = definitions.get(value)
    is_difference = made is not None and made.op in SUBS
    return is_difference and step_from(number, value, definitions) == -1
