"""What kernels test before an op: Python's numbers raise where NumPy's wrap around."""

import re
from collections.abc import Mapping, Sequence

from scriptc.backends.cuda.number_types import FLOATS, INTEGERS, SIGNED, int_literal
from scriptc.backends.cuda.rules import EXPRESSIONS
from scriptc_runtime.ir import Function, Instr, Role, walk
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import exact, low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.record import record
from scriptc_runtime.types import COMPLEX, FLOAT, INT, DType, Type, int_limits

I64, U64 = DType.I64, DType.U64


@record
class Check:
    """When an op raises: `condition` is C++ over the operands' texts, {0} and {1}.

    The message has a {} for each number that it `says`, in C++, too.
    """

    condition: str
    kind: str
    message: str
    says: tuple[str, ...] = ()


_OVERFLOW = "OverflowError", "integer result does not fit in 64 bits"
_BY_ZERO = "integer division or modulo by zero"
_LEAST_BY_MINUS_ONE = Check("{0} == SC_MIN_I64 && {1} == -1", *_OVERFLOW)
_NEGATIVE_SHIFT = Check("{1} < 0", "ValueError", "negative shift count")
# Of Python's numbers; NumPy's wrap around, and divide by zero.
_OF_INT: Mapping[OpDef, Sequence[Check]] = {
    e.ADD: (Check("sc_add_overflows({0}, {1})", *_OVERFLOW),),
    e.SUB: (Check("sc_sub_overflows({0}, {1})", *_OVERFLOW),),
    e.MUL: (Check("sc_mul_overflows({0}, {1})", *_OVERFLOW),),
    exact.SCALE: (Check("sc_mul_overflows({0}, {1})", *_OVERFLOW),),
    e.NEG: (Check("{0} == SC_MIN_I64", *_OVERFLOW),),
    e.ABS: (Check("{0} == SC_MIN_I64", *_OVERFLOW),),
    e.FLOORDIV: (Check("{1} == 0", "ZeroDivisionError", _BY_ZERO), _LEAST_BY_MINUS_ONE),
    e.MOD: (Check("{1} == 0", "ZeroDivisionError", "integer modulo by zero"),),
    e.SHL: (_NEGATIVE_SHIFT, Check("sc_shl_overflows({0}, {1})", *_OVERFLOW)),
    e.SHR: (_NEGATIVE_SHIFT,),
}
_OF_COMPLEX: Mapping[OpDef, Sequence[Check]] = {
    e.DIV: (
        Check("{1}.re == 0.0 && {1}.im == 0.0", "ZeroDivisionError", "complex division by zero"),
    ),
    e.ABS: (
        Check(
            "sc_abs({0}.re) < SC_INF_F64 && sc_abs({0}.im) < SC_INF_F64"
            " && hypot({0}.re, {0}.im) == SC_INF_F64",
            "OverflowError",
            "absolute value too large",
        ),
    ),
}
_BY_ZERO_FLOAT: Mapping[OpDef, str] = {
    e.DIV: "float division by zero",
    e.FLOORDIV: "float floor division by zero",
    e.MOD: "float modulo",
}
_NEGATIVE_POWER = Check(
    "{1} < 0", "ValueError", "Integers to negative integer powers are not allowed."
)


_WHOLE = "(long long){0}"
_NO_NUMBER = Check("{0} != {0}", "ValueError", "cannot convert float NaN to integer")
_INFINITE = Check(
    "sc_abs((double){0}) == SC_INF_F64",
    "OverflowError",
    "cannot convert float infinity to integer",
)
_BEYOND = "!(-9223372036854775808.0 <= {0} && {0} < 9223372036854775808.0)"


def _checks_of_cast(instr: Instr, operand: str) -> Sequence[Check]:
    """Return what Python's numbers are tested for where they become integers."""
    source, target = instr.operands[0].type, instr.result.type
    if source is INT:
        fits = target is I64 or target not in INTEGERS or _fits(operand, target)
        return () if fits else (_outside("{0}", target),)
    if source is U64 and target is INT:
        return (Check("(long long){0} < 0", *_OVERFLOW),)
    if target is INT and source in (FLOAT, *FLOATS):
        return (_NO_NUMBER, _INFINITE, Check(_BEYOND, *_OVERFLOW))
    if source is FLOAT and target in INTEGERS:
        beyond = Check(_BEYOND, "OverflowError", "Python int too large to convert to C long")
        last = () if target is I64 else (_outside(_WHOLE, target),)
        return (_NO_NUMBER, _INFINITE, beyond, *last)
    return ()


def _checks_of_power(instr: Instr, args: Sequence[str]) -> Sequence[Check]:
    """Return when a power of Python's floats raises, where C's pow is infinite or no number."""
    power = EXPRESSIONS[e.POW](instr, args)
    assert power is not None
    finite = "sc_abs({0}) < SC_INF_F64 && sc_abs({1}) < SC_INF_F64"
    beyond = "(34, 'Numerical result out of range')"
    complex_ = f"{finite} && {power} != {power}"
    return (
        Check(
            "{0} == 0.0 && {1} < 0.0 && {1} > -SC_INF_F64",
            "ZeroDivisionError",
            "0.0 cannot be raised to a negative power",
        ),
        Check(
            f"{complex_} && !(pow(sc_abs({{0}}), {{1}}) < SC_INF_F64)",
            "OverflowError",
            "complex exponentiation",
        ),
        Check(complex_, "ValueError", "a negative number to a fractional power is complex"),
        Check(f"{finite} && !(sc_abs({power}) < SC_INF_F64)", "OverflowError", beyond),
    )


def _outside(number: str, target: Type) -> Check:
    assert isinstance(target, DType)
    least, greatest = (int_literal(n, INT) for n in _limits_as_ints(target))
    condition = f"{number} < {least} || {number} > {greatest}"
    message = f"Python integer {{}} out of bounds for {target.numpy.name}"
    return Check(condition, "OverflowError", message, (number,))


def _limits_as_ints(target: DType) -> tuple[int, int]:
    """Return the ends of a dtype, as far as an int goes."""
    least, greatest = int_limits(target)
    return least, min(greatest, 2**63 - 1)


def checks_of(instr: Instr, args: Sequence[str]) -> Sequence[Check]:
    """Return what must be tested before `instr`, in order; `args` are the operands' texts."""
    first = instr.operands[0].type if instr.operands else None
    if instr.op is e.CAST:
        return _checks_of_cast(instr, args[0])
    if first is INT:
        return _OF_INT.get(instr.op, ())
    if first is COMPLEX:
        return _OF_COMPLEX.get(instr.op, ())
    if first is FLOAT and instr.op in _BY_ZERO_FLOAT:
        return (Check("{1} == 0.0", "ZeroDivisionError", _BY_ZERO_FLOAT[instr.op]),)
    if first is FLOAT and instr.op is e.POW:
        return _checks_of_power(instr, args)
    if first is I64 and instr.op is exact.SCALE:
        return _OF_INT[instr.op]
    return (_NEGATIVE_POWER,) if instr.op is e.POW and first in SIGNED else ()


def may_fail(function: Function) -> bool:
    """Whether a function is a kernel with something to test, or that raises."""
    return function.role is Role.KERNEL and any(map(is_checked, walk(function.body)))


def is_checked(instr: Instr) -> bool:
    """Whether a thread tests something at an instruction, or raises."""
    operands = [f"{{{place}}}" for place in range(len(instr.operands))]
    return instr.op is low.FAIL or bool(checks_of(instr, operands))


def _fits(operand: str, target: Type) -> bool:
    """Whether a Python int is a literal that a dtype of NumPy's holds."""
    assert isinstance(target, DType)
    least, greatest = int_limits(target)
    found = re.fullmatch(r"\(?(-?\d+)LL\)?", operand)
    return found is not None and least <= int(found[1]) <= greatest
