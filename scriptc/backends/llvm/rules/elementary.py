"""LLVM code for elementary functions and rounding.

The functions of `elementary/` are called by name and inlined into vector code; the others, and
those of Python's floats, are libm's.
"""

from collections.abc import Callable, Mapping

from scriptc.analysis.instr_kinds import VECTORISED
from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.rules import integers
from scriptc.backends.llvm.rules.scalars import (
    float_remainder,
    llvm_type,
    own_function,
    refuse,
    suffix,
)
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import elementary as ops
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import FLOAT, INTEGERS, UNSIGNED, DType, Type

_FLOATS: tuple[Type, ...] = (DType.F64, DType.F32)

# What C calls otherwise than NumPy.
_C_NAMES = {
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
}
# Functions of `math` that NumPy does not have: nobody has arrays of them.
LIBM: Mapping[OpDef, str] = {
    ops.C_POW: "pow",
    ops.GAMMA: "tgamma",
    ops.LGAMMA: "lgamma",
}
_INTRINSICS: Mapping[OpDef, str] = {
    ops.FLOOR: "floor",
    ops.CEIL: "ceil",
    ops.TRUNC: "trunc",
    ops.RINT: "rint",
    ops.COPYSIGN: "copysign",
}


def _on_floats(name: Callable[[Emitter, Type], str]) -> Rule:
    """Return the rule of a function of floats, called by the name it has for their type."""

    def rule(e: Emitter, instr: Instr) -> None:
        type_ = instr.operands[0].type
        if type_ not in (*_FLOATS, FLOAT):
            raise refuse(e, instr)
        llvm = llvm_type(type_)
        operands = [f"{llvm} {e.one(v)}" for v in instr.operands]
        e.bind(instr, e.intrinsic(llvm, name(e, type_), *operands))

    return rule


def _own(name: str) -> Rule:
    """Return the rule of a function of `elementary/`, and of libm for Python's floats."""

    def rule(e: Emitter, instr: Instr) -> None:
        type_ = instr.operands[0].type
        if type_ is FLOAT or not e.state.own_math:
            libm(e, instr)
            return
        if type_ not in _FLOATS:
            raise refuse(e, instr)
        operands = [f"{llvm_type(type_)} {e.one(v)}" for v in instr.operands]
        e.bind(instr, own_function(e, name, type_, *operands))

    libm = _libm(_C_NAMES.get(name, name))
    return rule


def _libm(name: str) -> Rule:
    return _on_floats(lambda e, type_: f"@{name}{'f' if type_ is DType.F32 else ''}")


def _intrinsic(name: str) -> Rule:
    return _on_floats(lambda e, type_: f"@llvm.{name}.{suffix(type_)}")


def _sign(e: Emitter, instr: Instr) -> None:
    (x,) = instr.operands
    if x.type not in (*_FLOATS, *INTEGERS):
        raise refuse(e, instr)
    llvm, value = llvm_type(x.type), e.one(x)
    if x.type in UNSIGNED:
        some = e.let(f"icmp ne {llvm} {value}, 0")
        e.bind(instr, e.let(f"zext i1 {some} to {llvm}"))
        return
    compare, zero, one, minus = "icmp s", "0", "1", "-1"
    if x.type in _FLOATS:
        compare, zero, one, minus = "fcmp o", "0.0", "1.0", "-1.0"
    above = e.let(f"{compare}gt {llvm} {value}, {zero}")
    below = e.let(f"{compare}lt {llvm} {value}, {zero}")
    rest = e.let(f"select i1 {below}, {llvm} {minus}, {llvm} {zero}")
    sign = e.let(f"select i1 {above}, {llvm} {one}, {llvm} {rest}")
    if x.type in _FLOATS:
        nan = e.let(f"fcmp uno {llvm} {value}, {value}")
        sign = e.let(f"select i1 {nan}, {llvm} {value}, {llvm} {sign}")
    e.bind(instr, sign)


def _fmod(e: Emitter, instr: Instr) -> None:
    lhs, rhs = instr.operands
    a, b = e.one(lhs), e.one(rhs)
    if lhs.type in _FLOATS:
        e.bind(instr, float_remainder(e, lhs.type, a, b))
        return
    if not isinstance(lhs.type, DType) or lhs.type not in INTEGERS:
        raise refuse(e, instr)
    e.bind(instr, integers.fmod(lhs.type)(e, instr, a, b))


RULES: Mapping[OpDef, Rule] = {
    **{op: _own(op.name) for op in (*VECTORISED, ops.ERF, ops.ERFC)},
    **{op: _libm(name) for op, name in LIBM.items()},
    **{op: _intrinsic(name) for op, name in _INTRINSICS.items()},
    ops.SIGN: _sign,
    ops.FMOD: _fmod,
}
