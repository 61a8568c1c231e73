"""Numbers that a nest computes with, which one kernel for several nests takes as arguments.

    x += 1.5 * y          one kernel: x += k * y
    x += 2.5 * y

They only stand as operands beside elements, where no other code is made for one number than for
another: not as exponents, divisors, indices and counts.
"""

from collections.abc import Hashable, Mapping

from scriptc_runtime.ir import Instr, Value, walk
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType

# The operands that may be such numbers; None stands for all.
_PLACES: Mapping[OpDef, tuple[int, ...] | None] = {
    **dict.fromkeys((e.ADD, e.SUB, e.MUL, e.MAXIMUM, e.MINIMUM), None),
    **dict.fromkeys((e.EQ, e.NE, e.LT, e.LE, e.GT, e.GE), None),
    low.SELECT: (1, 2),
    low.STORE: (1,),
}


def plain_numbers(loop: Instr, definitions: Mapping[Value, Instr]) -> set[Value]:
    """Return the constants from outside of a loop that are such numbers."""
    found: set[Value] = set()
    others: set[Value] = set()
    elements: set[Value] = set()  # and what is computed from them
    for instr in walk(loop.blocks[0]):
        if instr.op is low.LOAD or not elements.isdisjoint(instr.operands):
            elements.update(instr.results)
        for place, value in enumerate(instr.operands):
            if not _is_number(definitions.get(value)):
                continue
            allowed = _PLACES.get(instr.op, ())
            here = allowed is None or place in allowed
            # What is whole may be an index.
            beside = value.type in (DType.F32, DType.F64) or any(
                v in elements for v in instr.operands if v is not value
            )
            (found if here and beside else others).add(value)
    return found - others


def _is_number(definition: Instr | None) -> bool:
    if definition is None or definition.op is not data.CONST:
        return False
    type_ = definition.result.type
    return isinstance(type_, DType) and type_.kind in "iuf"


def shape_of(loop: Instr) -> Hashable:
    """Return what nests that differ in numbers alone have in common, and few others have."""
    return tuple(
        (instr.op.name, *(str(r.type) for r in instr.results)) for instr in walk(loop.blocks[0])
    )
