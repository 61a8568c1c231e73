"""Ints and bools, and the parts of tuples and shapes, as they are known."""

from collections.abc import Sequence

from scriptc.analysis.size_promises.facts import Condition, Facts, compared, fixed
from scriptc.analysis.size_promises.forms import Form, constant
from scriptc.analysis.size_promises.values import Known, Shape, is_int
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import arrays, data
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import BOOL, DType

PARTS = (data.TUPLE, data.ITEM, data.SOME, data.UNWRAP, arrays.DIM)


def part_of(instr: Instr, operands: Sequence[Known]) -> Known:
    """Return a tuple, an item of one, the value of an optional, or the size of an axis."""
    if instr.op is data.TUPLE:
        return tuple(operands)
    (known,) = operands
    if instr.op in (data.SOME, data.UNWRAP):
        return known
    index = instr.attrs["index" if instr.op is data.ITEM else "axis"]
    assert isinstance(index, int)
    if isinstance(known, Shape):
        return known.sizes[index]
    return known[index] if isinstance(known, tuple) else None


def of_scalars(instr: Instr, operands: Sequence[Known], facts: Facts) -> Known:
    """Return a tuple, an int or a bool as it is known; None if it is not."""
    op = instr.op
    if op in PARTS:
        return part_of(instr, operands)
    if op is data.CONST:
        value = instr.attrs["value"]
        if isinstance(value, bool):
            return fixed(value)
        return constant(value) if isinstance(value, int) and is_int(instr.result.type) else None
    if op is e.CAST:
        (known,) = operands
        fits = isinstance(known, Form) and is_int(instr.result.type)
        truth = isinstance(known, Condition) and instr.result.type in (BOOL, DType.B1)
        return known if fits or truth else None
    match operands:
        case [Form() as first, Form() as second]:
            return _of_ints(op, first, second, facts)
        case [Form() as only] if op is e.NEG:
            return constant(0).minus(only)
        case [Condition() as first, Condition() as second] if op is e.AND:
            return first.both(second)
        case [Condition() as first, Condition() as second] if op is e.OR:
            return first.negated.both(second.negated).negated
        case [Condition() as only] if op in (e.NOT, e.INVERT):
            return only.negated
        case _:
            return None


def _of_ints(op: OpDef, first: Form, second: Form, facts: Facts) -> Known:
    match op:
        case e.ADD:
            return first.plus(second)
        case e.SUB:
            return first.minus(second)
        case e.MUL:
            return first.times(second)
        case e.FLOORDIV:
            return facts.quotient(facts.reduced(first), facts.reduced(second))
        case _:
            return compared(op, first, second, facts)
