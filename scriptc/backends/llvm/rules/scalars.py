"""LLVM code for arithmetic on scalars: Python's, which is checked, and NumPy's, which wraps."""

from collections.abc import Mapping

from scriptc.backends.llvm.elementary import literal_powers
from scriptc.backends.llvm.emitter.function import MOSTLY, Emitter, Rule, literal
from scriptc.backends.llvm.emitter.literals import float_constant
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.rules import integers
from scriptc.backends.llvm.rules.integers import Scalar, Unary, binary_table, unary_table
from scriptc_runtime import refusals
from scriptc_runtime.errors import UnsupportedError
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.ops import exact
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import BOOL, FLOAT, INT, DType, Type

F32, F64, B1 = DType.F32, DType.F64, DType.B1
_FLOATS: tuple[Type, ...] = (FLOAT, F64, F32)
_BOOLS: tuple[Type, ...] = (BOOL, B1)
OVERFLOW = "integer result does not fit in 64 bits"
_INFINITY = "0x7FF0000000000000"
INT_MIN = str(-(2**63))
EXACT_IN_FLOAT = 2**53  # up to it, floats hold every int


def suffix(type_: Type) -> str:
    """Return how LLVM's intrinsics, and ours, name a float type."""
    return "f32" if type_ is F32 else "f64"


def llvm_type(type_: Type) -> str:
    """Return the LLVM type of a scalar."""
    (component,) = abi.flatten(type_)
    return component


def own_function(e: Emitter, name: str, type_: Type, *operands: str) -> str:
    """Call a function of `elementary/`."""
    e.state.functions.add((name, suffix(type_)))
    callee = f"@sc_{name}_{suffix(type_)}"
    return e.let(f"call {llvm_type(type_)} {callee}({', '.join(operands)})")


def refuse(e: Emitter, instr: Instr) -> UnsupportedError:
    """Return the error for operand types that a rule has no code for."""
    types = ", ".join(str(v.type) for v in instr.operands)
    result = instr.results[0].type if instr.results else "nothing"
    return refusals.refusal(e.function, instr.loc, f"{instr.op.name} of {types} to {result}")


def _binary(table: Mapping[Type, Scalar]) -> Rule:
    def rule(e: Emitter, instr: Instr) -> None:
        lhs, rhs = instr.operands
        scalar = table.get(lhs.type)
        if scalar is None or lhs.type is not rhs.type:
            raise refuse(e, instr)
        e.bind(instr, scalar(e, instr, e.one(lhs), e.one(rhs)))

    return rule


def _plain(text: str) -> Scalar:
    """Return the rule of one LLVM instruction, `add` or `fadd double`."""

    def scalar(e: Emitter, instr: Instr, a: str, b: str) -> str:
        return e.let(f"{text} {a}, {b}")

    return scalar


def _floats(name: str) -> Mapping[Type, Scalar]:
    return {t: _plain(f"{name} {llvm_type(t)}") for t in _FLOATS}


def _wraps(name: str) -> Mapping[Type, Scalar]:
    return binary_table(integers.plain(name))


def _checked(name: str) -> Scalar:
    def scalar(e: Emitter, instr: Instr, a: str, b: str) -> str:
        both = e.intrinsic("{ i64, i1 }", f"@llvm.{name}.with.overflow.i64", f"i64 {a}", f"i64 {b}")
        value = e.let(f"extractvalue {{ i64, i1 }} {both}, 0")
        over = e.let(f"extractvalue {{ i64, i1 }} {both}, 1")
        _refuse_overflow(e, instr, over)
        return value

    return scalar


def _refuse_overflow(e: Emitter, instr: Instr, over: str) -> None:
    if e.overflow:
        e.check_status(over, e.overflow)
    else:
        e.raise_if(over, "OverflowError", OVERFLOW, instr)


def _multiply_ints(e: Emitter, instr: Instr, a: str, b: str) -> str:
    """Multiply by looking at the factor first where the other one is a small number.

    The product then waits for no flag, and LLVM makes shifts and sums of it.
    """
    factor, times = (b, literal(a)) if literal(a) is not None else (a, literal(b))
    if times is None or not 1 < times <= _SMALL_FACTOR or literal(factor) is not None:
        return _checked("smul")(e, instr, a, b)
    least, most = -(2**63 // times), (2**63 - 1) // times
    above = e.let(f"add i64 {factor}, {-least}")
    _refuse_overflow(e, instr, e.let(f"icmp ugt i64 {above}, {most - least}"))
    return _proven("mul")(e, instr, factor, str(times))


def _scale(e: Emitter, instr: Instr, a: str, b: str) -> str:
    times = literal(b)
    if times is None or times < 1:
        return _checked("smul")(e, instr, a, b)
    _refuse_overflow(e, instr, e.let(f"icmp ugt i64 {a}, {(2**63 - 1) // times}"))
    return _proven("mul")(e, instr, a, b)


_SMALL_FACTOR = 16


def _proven(name: str) -> Scalar:
    """Return the rule of an op that does not overflow where it is needed."""

    def scalar(e: Emitter, instr: Instr, a: str, b: str) -> str:
        return e.let(f"{name}{'' if e.overflow else ' nsw'} i64 {a}, {b}")

    return scalar


# Division.


def _refuse_zero(e: Emitter, instr: Instr, b: str, message: str) -> None:
    if (known := literal(b)) is None or known == 0:
        e.raise_if(e.let(f"icmp eq i64 {b}, 0"), "ZeroDivisionError", message, instr)


def _refuse_zero_float(e: Emitter, instr: Instr, b: str, message: str) -> None:
    e.raise_if(e.let(f"fcmp oeq double {b}, 0.0"), "ZeroDivisionError", message, instr)


def _divide_ints(e: Emitter, instr: Instr, a: str, b: str) -> str:
    _refuse_zero(e, instr, b, "division by zero")
    e.state.routines.add("divide_ints")
    return e.let(f"call double @sc.divide_ints(i64 {a}, i64 {b})")


def _divide_floats(e: Emitter, instr: Instr, a: str, b: str) -> str:
    _refuse_zero_float(e, instr, b, "float division by zero")
    return e.let(f"fdiv double {a}, {b}")


def _floordiv_ints(e: Emitter, instr: Instr, a: str, b: str) -> str:
    _refuse_zero(e, instr, b, "integer division or modulo by zero")
    if literal(b) in (None, -1):
        least = e.let(f"icmp eq i64 {a}, {INT_MIN}")
        minus = e.let(f"icmp eq i64 {b}, -1")
        e.raise_if(e.let(f"and i1 {least}, {minus}"), "OverflowError", OVERFLOW, instr)
    return integers.floor_quotient(e, a, b)


def _mod_ints(e: Emitter, instr: Instr, a: str, b: str) -> str:
    _refuse_zero(e, instr, b, "integer modulo by zero")
    return integers.floor_remainder(e, a, b)


def _float_routine(name: str, type_: Type) -> Scalar:
    llvm, routine = llvm_type(type_), f"{name}_{suffix(type_)}"

    def scalar(e: Emitter, instr: Instr, a: str, b: str) -> str:
        e.state.routines.add(routine)
        rest = float_remainder(e, type_, a, b)
        return e.let(f"call {llvm} @sc.{routine}({llvm} {a}, {llvm} {b}, {llvm} {rest})")

    return scalar


def float_remainder(e: Emitter, type_: Type, a: str, b: str) -> str:
    """Write C's fmod, which is exact: libm's for Python's floats, as other functions are."""
    llvm = llvm_type(type_)
    if type_ is FLOAT or not e.state.own_math:
        # LLVM makes a call of fmod of it.
        return e.let(f"frem {llvm} {a}, {b}")
    return own_function(e, "fmod", type_, f"{llvm} {a}", f"{llvm} {b}")


def _checked_float_routine(name: str, message: str) -> Scalar:
    scalar = _float_routine(name, FLOAT)

    def checked(e: Emitter, instr: Instr, a: str, b: str) -> str:
        _refuse_zero_float(e, instr, b, message)
        return scalar(e, instr, a, b)

    return checked


def _of_positive(name: str) -> Scalar:
    """Return the rule of a division that was proven to need no look at signs.

    What is moved out of a loop without iterations may still meet any divisor, which must not trap.
    """

    def scalar(e: Emitter, instr: Instr, a: str, b: str) -> str:
        if (known := literal(b)) is None or known == 0:
            b = e.intrinsic("i64", "@llvm.umax.i64", f"i64 {b}", "i64 1")
        return e.let(f"{name} i64 {a}, {b}")

    return scalar


# Powers and shifts.


def _power_ints(e: Emitter, instr: Instr, a: str, b: str) -> str:
    negative = e.let(f"icmp slt i64 {b}, 0")
    message = "a negative exponent that is not a literal: use float(x) ** y"
    e.raise_if(negative, "ValueError", message, instr)
    value, over = integers.power_parts(e, a, b)
    e.raise_if(over, "OverflowError", OVERFLOW, instr)
    return value


def _libm(name: str, type_: Type) -> Scalar:
    llvm, function = llvm_type(type_), f"@{name}{'f' if type_ is F32 else ''}"

    def scalar(e: Emitter, instr: Instr, a: str, b: str) -> str:
        return e.intrinsic(llvm, function, f"{llvm} {a}", f"{llvm} {b}")

    return scalar


_LITERAL_POWERS = {float_constant(power): name for power, name in literal_powers.NAMES.items()}


def _own_power(type_: Type) -> Scalar:
    llvm, libm = llvm_type(type_), _libm("pow", type_)

    def scalar(e: Emitter, instr: Instr, a: str, b: str) -> str:
        if not e.state.own_math:
            return libm(e, instr, a, b)
        if b in _LITERAL_POWERS:
            return own_function(e, _LITERAL_POWERS[b], type_, f"{llvm} {a}")
        return own_function(e, "pow", type_, f"{llvm} {a}", f"{llvm} {b}")

    return scalar


def _power_floats(e: Emitter, instr: Instr, a: str, b: str) -> str:
    """Return C's pow, whose special values are Python's, where Python does not raise.

    It raises only where pow gives an infinity or NaN, so only these are looked at closer.
    """
    if e.state.own_math and b in _LITERAL_POWERS:
        power = own_function(e, _LITERAL_POWERS[b], FLOAT, f"double {a}")
    else:
        power = e.intrinsic("double", "@pow", f"double {a}", f"double {b}")
    odd, good = e.label(), e.label()
    e.branch(_is_finite(e, power), good, odd, MOSTLY)
    e.start(odd)
    bases, exponents = _is_finite(e, a), _is_finite(e, b)
    zero = e.let(f"fcmp oeq double {a}, 0.0")
    pole = e.let(f"and i1 {zero}, {exponents}")
    message = "0.0 cannot be raised to a negative power"
    e.raise_if(pole, "ZeroDivisionError", message, instr)
    finite = e.let(f"and i1 {bases}, {exponents}")
    nan = e.let(f"fcmp uno double {power}, 0.0")
    fractional = e.let(f"and i1 {finite}, {nan}")
    base = e.intrinsic("double", "@llvm.fabs.f64", f"double {a}")
    modulus = _is_finite(e, e.intrinsic("double", "@pow", f"double {base}", f"double {b}"))
    beyond = e.let(f"select i1 {modulus}, i1 false, i1 {fractional}")
    e.raise_if(beyond, "OverflowError", "complex exponentiation", instr)
    message = "a negative number to a fractional power is complex"
    e.raise_if(fractional, "ValueError", message, instr)
    # str() of the OverflowError that CPython makes of C's ERANGE.
    message = "(34, 'Numerical result out of range')"
    e.raise_if(finite, "OverflowError", message, instr)
    e.jump(good)
    e.start(good)
    return power


def _is_finite(e: Emitter, x: str) -> str:
    size = e.intrinsic("double", "@llvm.fabs.f64", f"double {x}")
    return e.let(f"fcmp olt double {size}, {_INFINITY}")


def _shift_left(e: Emitter, instr: Instr, a: str, b: str) -> str:
    _refuse_negative_shift(e, instr, b)
    shift = e.intrinsic("i64", "@llvm.umin.i64", f"i64 {b}", "i64 63")
    shifted = e.let(f"shl i64 {a}, {shift}")
    back = e.let(f"ashr i64 {shifted}, {shift}")
    lost = e.let(f"icmp ne i64 {back}, {a}")
    far = e.let(f"icmp ugt i64 {b}, 63")
    some = e.let(f"icmp ne i64 {a}, 0")
    gone = e.let(f"and i1 {far}, {some}")
    e.raise_if(e.let(f"or i1 {lost}, {gone}"), "OverflowError", OVERFLOW, instr)
    return shifted


def _shift_right(e: Emitter, instr: Instr, a: str, b: str) -> str:
    _refuse_negative_shift(e, instr, b)
    shift = e.intrinsic("i64", "@llvm.umin.i64", f"i64 {b}", "i64 63")
    return e.let(f"ashr i64 {a}, {shift}")


def _refuse_negative_shift(e: Emitter, instr: Instr, b: str) -> None:
    if (known := literal(b)) is None or known < 0:
        negative = e.let(f"icmp slt i64 {b}, 0")
        e.raise_if(negative, "ValueError", "negative shift count", instr)


# One operand.


def _unary(table: Mapping[Type, Unary]) -> Rule:
    def rule(e: Emitter, instr: Instr) -> None:
        (x,) = instr.operands
        scalar = table.get(x.type)
        if scalar is None:
            raise refuse(e, instr)
        e.bind(instr, scalar(e, instr, e.one(x)))

    return rule


def _negative_int(e: Emitter, instr: Instr, x: str) -> str:
    if (known := literal(x)) is not None and known != -(2**63):
        return str(-known)
    return _checked("ssub")(e, instr, "0", x)


def _absolute_int(e: Emitter, instr: Instr, x: str) -> str:
    e.raise_if(e.let(f"icmp eq i64 {x}, {INT_MIN}"), "OverflowError", OVERFLOW, instr)
    return e.intrinsic("i64", "@llvm.abs.i64", f"i64 {x}", "i1 false")


def _float_intrinsic(name: str, type_: Type) -> Unary:
    llvm, intrinsic = llvm_type(type_), f"@llvm.{name}.{suffix(type_)}"
    return lambda e, instr, x: e.intrinsic(llvm, intrinsic, f"{llvm} {x}")


def _negative_float(type_: Type) -> Unary:
    return lambda e, instr, x: e.let(f"fneg {llvm_type(type_)} {x}")


def _complement(type_: str, ones: str) -> Unary:
    return lambda e, instr, x: e.let(f"xor {type_} {x}, {ones}")


def _extreme(name: str) -> Mapping[Type, Scalar]:
    return {t: _extreme_of(llvm_type(t), f"@llvm.{name}imum.{suffix(t)}") for t in _FLOATS}


def _extreme_of(llvm: str, intrinsic: str) -> Scalar:
    def scalar(e: Emitter, instr: Instr, a: str, b: str) -> str:
        e.declare(f"declare {llvm} {intrinsic}({llvm}, {llvm})")
        # Which zero is left open, as in folds: half of the instructions would look for it.
        return e.let(f"call nsz {llvm} {intrinsic}({llvm} {a}, {llvm} {b})")

    return scalar


_BITS: Mapping[OpDef, str] = {ops.AND: "and", ops.OR: "or", ops.XOR: "xor"}

# Integer ops whose checks a proof has made superfluous.
_EXACT: Mapping[OpDef, Scalar] = {
    exact.EXACT_ADD: _proven("add"),
    exact.EXACT_SUB: _proven("sub"),
    exact.EXACT_MUL: _proven("mul"),
    exact.SCALE: _scale,
    exact.EXACT_FLOORDIV: _of_positive("udiv"),
    exact.EXACT_MOD: _of_positive("urem"),
}

RULES: Mapping[OpDef, Rule] = {
    **{op: _binary({INT: rule, DType.I64: rule}) for op, rule in _EXACT.items()},
    ops.ADD: _binary({INT: _checked("sadd"), **_wraps("add"), **_floats("fadd")}),
    ops.SUB: _binary({INT: _checked("ssub"), **_wraps("sub"), **_floats("fsub")}),
    ops.MUL: _binary({INT: _multiply_ints, **_wraps("mul"), **_floats("fmul")}),
    ops.DIV: _binary({**_floats("fdiv"), INT: _divide_ints, FLOAT: _divide_floats}),
    ops.FLOORDIV: _binary(
        {
            INT: _floordiv_ints,
            **binary_table(integers.floordiv),
            FLOAT: _checked_float_routine("floordiv", "float floor division by zero"),
            F64: _float_routine("floordiv", F64),
            F32: _float_routine("floordiv", F32),
        }
    ),
    ops.MOD: _binary(
        {
            INT: _mod_ints,
            **binary_table(integers.mod),
            FLOAT: _checked_float_routine("mod", "float modulo"),
            F64: _float_routine("mod", F64),
            F32: _float_routine("mod", F32),
        }
    ),
    ops.POW: _binary(
        {
            INT: _power_ints,
            **binary_table(integers.power),
            FLOAT: _power_floats,
            F64: _own_power(F64),
            F32: _own_power(F32),
        }
    ),
    **{
        op: _binary(
            {
                INT: _plain(f"{name} i64"),
                **_wraps(name),
                **{t: _plain(f"{name} i1") for t in _BOOLS},
            }
        )
        for op, name in _BITS.items()
    },
    ops.SHL: _binary({INT: _shift_left, **binary_table(integers.shift_left)}),
    ops.SHR: _binary({INT: _shift_right, **binary_table(integers.shift_right)}),
    ops.NEG: _unary(
        {
            INT: _negative_int,
            **unary_table(integers.negative),
            **{t: _negative_float(t) for t in _FLOATS},
        }
    ),
    ops.ABS: _unary(
        {
            INT: _absolute_int,
            **unary_table(integers.absolute),
            **{t: _float_intrinsic("fabs", t) for t in _FLOATS},
        }
    ),
    ops.INVERT: _unary(
        {
            INT: _complement("i64", "-1"),
            B1: _complement("i1", "true"),
            **unary_table(integers.complement),
        }
    ),
    ops.NOT: _unary({t: _complement("i1", "true") for t in _BOOLS}),
    ops.SQRT: _unary({t: _float_intrinsic("sqrt", t) for t in (F64, F32)}),
    ops.MAXIMUM: _binary(
        {B1: _plain("or i1"), **binary_table(integers.extreme("max")), **_extreme("max")}
    ),
    ops.MINIMUM: _binary(
        {B1: _plain("and i1"), **binary_table(integers.extreme("min")), **_extreme("min")}
    ),
}
