"""LLVM code for complex numbers: two components in registers, side by side in memory.

NumPy's divide by Smith's method, as Python's do, which raise for a divisor of zero.
"""

from collections.abc import Callable, Mapping
from typing import cast

from scriptc.backends.llvm.emitter.addresses import address
from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.emitter.literals import float_constant
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.rules.convert import conversion
from scriptc.backends.llvm.rules.memory import facts
from scriptc.backends.llvm.rules.scalars import own_function, refuse
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import COMPLEX, COMPLEX_DTYPES, DType, Type, element_of, part_of

Pair = tuple[str, str]
_COMPLEX = (COMPLEX, *COMPLEX_DTYPES)


def _part_type(type_: Type) -> Type:
    element = element_of(type_)
    assert element is not None
    return part_of(element)


def _llvm(type_: Type) -> str:
    """Return the LLVM type of a part."""
    return abi.flatten(_part_type(type_))[0]


def _pair(e: Emitter, value: Value) -> Pair:
    real, imag = e.components(value)
    return real, imag


# Arithmetic. A rule takes the type of a part and the components of both operands.

_Arithmetic = Callable[[Emitter, str, Pair, Pair], Pair]


def _binary(compute: _Arithmetic) -> Rule:
    def rule(e: Emitter, instr: Instr) -> None:
        lhs, rhs = instr.operands
        if lhs.type is not rhs.type:
            raise refuse(e, instr)
        e.bind(instr, *compute(e, _llvm(lhs.type), _pair(e, lhs), _pair(e, rhs)))

    return rule


def _part_by_part(name: str) -> _Arithmetic:
    def compute(e: Emitter, t: str, a: Pair, b: Pair) -> Pair:
        return e.let(f"{name} {t} {a[0]}, {b[0]}"), e.let(f"{name} {t} {a[1]}, {b[1]}")

    return compute


def _product(e: Emitter, t: str, a: Pair, b: Pair) -> Pair:
    parts = [e.let(f"fmul {t} {x}, {y}") for x in a for y in b]
    real = e.let(f"fsub {t} {parts[0]}, {parts[3]}")
    return real, e.let(f"fadd {t} {parts[1]}, {parts[2]}")


def _divide(e: Emitter, instr: Instr) -> None:
    lhs, rhs = instr.operands
    if lhs.type is not rhs.type:
        raise refuse(e, instr)
    t, a, b = _llvm(lhs.type), _pair(e, lhs), _pair(e, rhs)
    if lhs.type is COMPLEX:
        zeros = [e.let(f"fcmp oeq {t} {x}, 0.0") for x in b]
        message = "complex division by zero"
        e.raise_if(e.let(f"and i1 {zeros[0]}, {zeros[1]}"), "ZeroDivisionError", message, instr)
        e.bind(instr, *_python_quotient(e, t, a, b))
    else:
        e.bind(instr, *_numpy_quotient(e, t, a, b))


def _sizes(e: Emitter, t: str, b: Pair) -> Pair:
    suffix = "f32" if t == "float" else "f64"
    real, imag = (e.intrinsic(t, f"@llvm.fabs.{suffix}", f"{t} {x}") for x in b)
    return real, imag


def _chosen(e: Emitter, condition: str, t: str, yes: str, no: str) -> str:
    return e.let(f"select i1 {condition}, {t} {yes}, {t} {no}")


def _smith(e: Emitter, t: str, a: Pair, b: Pair) -> tuple[str, str, str, str]:
    """Return whether the divisor's real part is the larger one, and both terms and the divisor.

    With the parts of the divisor ordered by size: numerators of the real and the imaginary part,
    and what both are divided by.
    """
    real, imag = _sizes(e, t, b)
    by_real = e.let(f"fcmp oge {t} {real}, {imag}")
    large = _chosen(e, by_real, t, b[0], b[1])
    small = _chosen(e, by_real, t, b[1], b[0])
    ratio = e.let(f"fdiv {t} {small}, {large}")
    divisor = e.let(f"fadd {t} {large}, {e.let(f'fmul {t} {small}, {ratio}')}")
    # By the real part: a.r + a.i * ratio and a.i - a.r * ratio; by the imaginary part
    # a.r * ratio + a.i and a.i * ratio - a.r.
    scaled_real = e.let(f"fmul {t} {a[0]}, {ratio}")
    scaled_imag = e.let(f"fmul {t} {a[1]}, {ratio}")
    first = e.let(f"fadd {t} {a[0]}, {scaled_imag}")
    other = e.let(f"fadd {t} {scaled_real}, {a[1]}")
    top = _chosen(e, by_real, t, first, other)
    down = e.let(f"fsub {t} {a[1]}, {scaled_real}")
    side = e.let(f"fsub {t} {scaled_imag}, {a[0]}")
    return by_real, top, _chosen(e, by_real, t, down, side), divisor


def _numpy_quotient(e: Emitter, t: str, a: Pair, b: Pair) -> Pair:
    _, top, bottom, divisor = _smith(e, t, a, b)
    scale = e.let(f"fdiv {t} 1.0, {divisor}")
    real, imag = (e.let(f"fmul {t} {x}, {scale}") for x in (top, bottom))
    # By zero every part is divided by zero, whatever its sign.
    size, other = _sizes(e, t, b)
    zeros = [e.let(f"fcmp oeq {t} {x}, 0.0") for x in (size, other)]
    by_zero = e.let(f"and i1 {zeros[0]}, {zeros[1]}")
    infinite = [e.let(f"fdiv {t} {x}, {size}") for x in a]
    return (
        _chosen(e, by_zero, t, infinite[0], real),
        _chosen(e, by_zero, t, infinite[1], imag),
    )


def _python_quotient(e: Emitter, t: str, a: Pair, b: Pair) -> Pair:
    by_real, top, bottom, divisor = _smith(e, t, a, b)
    real, imag = (e.let(f"fdiv {t} {x}, {divisor}") for x in (top, bottom))
    size, other = _sizes(e, t, b)
    # Where a part of the divisor is NaN, both parts of the quotient are.
    ordered = e.let(f"or i1 {by_real}, {e.let(f'fcmp oge {t} {other}, {size}')}")
    nan = float_constant(float("nan"))
    return _chosen(e, ordered, t, real, nan), _chosen(e, ordered, t, imag, nan)


def _negative(e: Emitter, instr: Instr) -> None:
    (x,) = instr.operands
    t = _llvm(x.type)
    e.bind(instr, *(e.let(f"fneg {t} {part}") for part in _pair(e, x)))


def _absolute(e: Emitter, instr: Instr) -> None:
    (x,) = instr.operands
    parts = _pair(e, x)
    if x.type is not COMPLEX:
        part, llvm = DType.F32 if x.type is DType.C64 else DType.F64, _llvm(x.type)
        e.bind(instr, own_function(e, "modulus", part, *(f"{llvm} {p}" for p in parts)))
        return
    size = e.intrinsic("double", "@hypot", *(f"double {part}" for part in parts))
    infinity = float_constant(float("inf"))
    finite = [e.let(f"fcmp olt double {p}, {infinity}") for p in _sizes(e, "double", parts)]
    both = e.let(f"and i1 {finite[0]}, {finite[1]}")
    over = e.let(f"and i1 {both}, {e.let(f'fcmp oeq double {size}, {infinity}')}")
    e.raise_if(over, "OverflowError", "absolute value too large", instr)
    e.bind(instr, size)


def _equality(predicate: str, joined: str) -> Rule:
    def rule(e: Emitter, instr: Instr) -> None:
        lhs, rhs = instr.operands
        if lhs.type is not rhs.type:
            raise refuse(e, instr)
        t = _llvm(lhs.type)
        pairs = zip(_pair(e, lhs), _pair(e, rhs), strict=True)
        real, imag = (e.let(f"fcmp {predicate} {t} {a}, {b}") for a, b in pairs)
        e.bind(instr, e.let(f"{joined} i1 {real}, {imag}"))

    return rule


# Parts and conversions.


def _real(e: Emitter, instr: Instr) -> None:
    e.bind(instr, _pair(e, instr.operands[0])[0])


def _imag(e: Emitter, instr: Instr) -> None:
    e.bind(instr, _pair(e, instr.operands[0])[1])


def _complex_of(e: Emitter, instr: Instr) -> None:
    real, imag = instr.operands
    e.bind(instr, e.one(real), e.one(imag))


def _cast(e: Emitter, instr: Instr) -> None:
    (x,) = instr.operands
    target = instr.result.type
    if x.type not in _COMPLEX:
        part = _part_type(target)
        # As NumPy and Python do: the number becomes the real part, and no part is raised for.
        convert = conversion(x.type, part)
        if convert is None:
            raise refuse(e, instr)
        e.bind(instr, convert(e, instr, e.one(x)), "0.0")
        return
    real, imag = _pair(e, x)
    source = _part_type(x.type)
    convert = conversion(source, _part_type(target) if target in _COMPLEX else target)
    if convert is None:
        raise refuse(e, instr)
    parts = convert(e, instr, real), convert(e, instr, imag)
    if target in _COMPLEX:
        e.bind(instr, *parts)
    else:  # a truth value
        e.bind(instr, e.let(f"or i1 {parts[0]}, {parts[1]}"))


def _const(e: Emitter, instr: Instr) -> None:
    value = complex(cast(complex, instr.attrs["value"]))
    part = _part_type(instr.result.type)
    e.bind(instr, float_constant(value.real, part), float_constant(value.imag, part))


def _select(e: Emitter, instr: Instr) -> None:
    condition, x, y = instr.operands
    t, chosen = _llvm(x.type), e.one(condition)
    pairs = zip(_pair(e, x), _pair(e, y), strict=True)
    e.bind(instr, *(_chosen(e, chosen, t, a, b) for a, b in pairs))


# Memory.


def _places(e: Emitter, t: str, at: str) -> Pair:
    return at, e.let(f"getelementptr inbounds {t}, ptr {at}, i64 1")


def _load(e: Emitter, instr: Instr) -> None:
    array, *index = instr.operands
    t = _llvm(array.type)
    places = _places(e, t, address(e, array, index))
    e.bind(instr, *(e.let(f"load {t}, ptr {p}{facts(e, array)}") for p in places))


def _store(e: Emitter, instr: Instr) -> None:
    array, value, *index = instr.operands
    t = _llvm(array.type)
    places = _places(e, t, address(e, array, index))
    for part, place in zip(_pair(e, value), places, strict=True):
        e.write(f"store {t} {part}, ptr {place}{facts(e, array)}")


# Rules for the instructions that `concerns` names; for others the ops have rules elsewhere.
RULES: Mapping[OpDef, Rule] = {
    ops.ADD: _binary(_part_by_part("fadd")),
    ops.SUB: _binary(_part_by_part("fsub")),
    ops.MUL: _binary(_product),
    ops.DIV: _divide,
    ops.NEG: _negative,
    ops.ABS: _absolute,
    ops.EQ: _equality("oeq", "and"),
    ops.NE: _equality("une", "or"),
    ops.REAL: _real,
    ops.IMAG: _imag,
    ops.COMPLEX_OF: _complex_of,
    ops.CAST: _cast,
    data.CONST: _const,
    low.SELECT: _select,
    low.LOAD: _load,
    low.STORE: _store,
}
