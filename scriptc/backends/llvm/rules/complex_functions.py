"""LLVM code for powers and elementary functions of complex numbers.

The functions are those of `elementary/complexes.py`.  Single precision is computed in double
precision and rounded once.
"""

import math
from collections.abc import Callable, Mapping

from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.emitter.literals import float_constant
from scriptc.backends.llvm.rules.scalars import own_function, refuse
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import elementary
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import COMPLEX, DType

Pair = tuple[str, str]
_Function = Callable[[Emitter, str, str], Pair]

# C's names where they are not NumPy's with a `c` in front.
_C_NAMES: Mapping[OpDef, str] = {
    **{op: f"ca{op.name.removeprefix('arc')}" for op in elementary.INVERSES},
}
_C_FUNCTIONS = (
    *(ops.EXP, ops.LOG, ops.SQRT, elementary.SIN, elementary.COS, elementary.TAN),
    *(elementary.SINH, elementary.COSH, elementary.TANH, *elementary.INVERSES),
)
# Largest error of a part of exp in double precision, in units in its last place.
ULP_OF_EXP = 3.0
_PAIR = "{ double, double }"


def _on_doubles(name: str, of_c: _Function) -> Rule:
    """Return the rule of a function of NumPy's complex numbers, computed on doubles."""

    def function(e: Emitter, real: str, imag: str) -> Pair:
        if not e.state.own_math:
            return of_c(e, real, imag)
        given = f"double {real}", f"double {imag}"
        first, second = (
            own_function(e, f"complex_{name}_{part}", DType.F64, *given)
            for part in ("real", "imag")
        )
        return first, second

    def rule(e: Emitter, instr: Instr) -> None:
        (x,) = instr.operands
        if x.type not in (DType.C128, DType.C64):
            raise refuse(e, instr)
        real, imag = e.components(x)
        if x.type is DType.C128:
            e.bind(instr, *function(e, real, imag))
            return
        wide = [e.let(f"fpext float {part} to double") for part in (real, imag)]
        e.bind(instr, *(e.let(f"fptrunc double {part} to float") for part in function(e, *wide)))

    return rule


def _called(e: Emitter, name: str, *operands: str) -> Pair:
    both = e.intrinsic(_PAIR, f"@{name}", *(f"double {operand}" for operand in operands))
    return e.let(f"extractvalue {_PAIR} {both}, 0"), e.let(f"extractvalue {_PAIR} {both}, 1")


def _from_c(name: str) -> _Function:
    return lambda e, real, imag: _called(e, name, real, imag)


def _logarithm(base: float) -> _Function:
    """Return a logarithm to another base: NumPy scales both parts of the natural one."""

    def function(e: Emitter, real: str, imag: str) -> Pair:
        factor = float_constant(1.0 / math.log(base))
        first, second = _called(e, "clog", real, imag)
        return e.let(f"fmul double {first}, {factor}"), e.let(f"fmul double {second}, {factor}")

    return function


def _power(e: Emitter, instr: Instr) -> None:
    base, exponent = instr.operands
    if base.type is not exponent.type:
        raise refuse(e, instr)
    parts = (*e.components(base), *e.components(exponent))
    if base.type is COMPLEX:
        _python_power(e, instr, *parts)
        return
    t, name = ("float", "power_c64") if base.type is DType.C64 else ("double", "power_c128")
    real, imag, _ = _routine(e, t, name, parts)
    e.bind(instr, real, imag)


def _routine(e: Emitter, t: str, name: str, parts: tuple[str, ...]) -> list[str]:
    """Call a power; return both parts, and whether it divided by zero."""
    e.state.routines.add(name)
    type_ = f"{{ {t}, {t}, i1 }}"
    both = e.let(f"call {type_} @sc.{name}({', '.join(f'{t} {part}' for part in parts)})")
    return [e.let(f"extractvalue {type_} {both}, {i}") for i in range(3)]


def _python_power(e: Emitter, instr: Instr, ar: str, ai: str, br: str, bi: str) -> None:
    zeros = [e.let(f"fcmp oeq double {part}, 0.0") for part in (ar, ai)]
    zero = e.let(f"and i1 {zeros[0]}, {zeros[1]}")
    turned = e.let(f"fcmp une double {bi}, 0.0")
    outside = e.let(f"or i1 {turned}, {e.let(f'fcmp olt double {br}, 0.0')}")
    message = "0.0 to a negative or complex power"
    e.raise_if(e.let(f"and i1 {zero}, {outside}"), "ZeroDivisionError", message, instr)
    real, imag, by_zero = _routine(e, "double", "python_power", (ar, ai, br, bi))
    e.raise_if(by_zero, "ZeroDivisionError", message, instr)
    infinity = float_constant(math.inf)
    sizes = [e.intrinsic("double", "@llvm.fabs.f64", f"double {part}") for part in (real, imag)]
    over = [e.let(f"fcmp oeq double {size}, {infinity}") for size in sizes]
    either = e.let(f"or i1 {over[0]}, {over[1]}")
    e.raise_if(either, "OverflowError", "complex exponentiation", instr)
    e.bind(instr, real, imag)


RULES: Mapping[OpDef, Rule] = {
    ops.POW: _power,
    elementary.LOG2: _on_doubles("log2", _logarithm(2.0)),
    elementary.LOG10: _on_doubles("log10", _logarithm(10.0)),
    **{op: _on_doubles(op.name, _from_c(_C_NAMES.get(op, f"c{op.name}"))) for op in _C_FUNCTIONS},
}
