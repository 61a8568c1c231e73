"""What each scalar op of a kernel becomes in CUDA C++, with NumPy's meaning.

A rule takes the instruction and the C++ text of its operands, which are names or literals, halves
as floats, and returns an expression; None where the op has no code for those types. The functions
that rules call follow the prelude in every source, see `support_of`. Results equal those of machine
code bit for bit.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from scriptc.analysis.instr_kinds import VECTORISED
from scriptc.backends.cuda.comparisons import ORDERS, mixed
from scriptc.backends.cuda.complexes import COMPLEXES
from scriptc.backends.cuda.functions import C_NAMES, functions_of, symbol
from scriptc.backends.cuda.halves import HALVES
from scriptc.backends.cuda.number_types import (
    B1,
    BOOLS,
    C64,
    C128,
    C_TYPES,
    COMPLEX_TYPES,
    F16,
    F32,
    F64,
    FLOATS,
    I64,
    INTEGERS,
    NUMPY_INTEGERS,
    U32,
    U64,
    literal,
)
from scriptc.backends.cuda.sums import SUMS
from scriptc.backends.llvm.elementary import literal_powers
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import (
    arrays,
    bigints,
    buffers,
    byte_strings,
    classes,
    containers,
    control,
    data,
    device,
    elementary,
    exact,
    exceptions,
    fourier,
    generators,
    integers,
    joining,
    linalg,
    list_items,
    list_parts,
    low,
    named,
    outside,
    picking,
    products,
    reductions,
    reshaping,
    scans,
    sequences,
    sorting,
    texts,
    tuples,
    unions,
)
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import COMPLEX, FLOAT, INT, Type

Rule = Callable[[Instr, Sequence[str]], str | None]

_INTEGERS = r"""
// A division by zero gives 0, and the one quotient that does not fit wraps.
template <class T>
__device__ __forceinline__ T sc_floordiv(T a, T b) {
  if (b == 0) return 0;
  if (sc_is_minus_one(b)) return sc_neg(a);
  const T quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
template <class T>
__device__ __forceinline__ T sc_mod(T a, T b) {
  if (b == 0 || sc_is_minus_one(b)) return 0;
  const T rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
template <class T>
__device__ __forceinline__ T sc_fmod(T a, T b) {
  return b == 0 || sc_is_minus_one(b) ? 0 : a % b;
}

// By squaring; a negative exponent was reported by a check before, whatever comes out here.
template <class T>
__device__ __forceinline__ T sc_pow(T a, T b) {
  sc_u64 result = 1, square = (sc_u64)a;
  for (; b > 0; b >>= 1, square *= square)
    if (b & 1) result *= square;
  return (T)result;
}
template <class T>
__device__ __forceinline__ T sc_sign(T x) {
  return x > T(0) ? T(1) : x < T(0) ? T(-1) : x == T(0) ? T(0) : x;
}

// Shifts by the width or more, and by negative counts, shift everything out.
template <class T>
__device__ __forceinline__ T sc_shl(T a, T b) {
  return (sc_u64)b < 8 * sizeof(T) ? (T)((sc_u64)a << b) : 0;
}
template <class T>
__device__ __forceinline__ T sc_shr(T a, T b) {
  return (sc_u64)b < 8 * sizeof(T) ? a >> b : a < 0 ? -1 : 0;
}

__device__ __forceinline__ bool sc_shl_overflows(long long a, long long b) {
  return b > 63 ? a != 0 : sc_shr(sc_shl(a, b), b) != a;
}

__device__ __forceinline__ float sc_sqrt(float x) { return sqrtf(x); }
__device__ __forceinline__ double sc_sqrt(double x) { return sqrt(x); }
__device__ __forceinline__ float sc_abs(float x) { return fabsf(x); }
__device__ __forceinline__ double sc_abs(double x) { return fabs(x); }
__device__ __forceinline__ float sc_floor(float x) { return floorf(x); }
__device__ __forceinline__ double sc_floor(double x) { return floor(x); }
__device__ __forceinline__ float sc_copysign(float x, float y) { return copysignf(x, y); }
__device__ __forceinline__ double sc_copysign(double x, double y) { return copysign(x, y); }

// What x86 gives for NaN and for what does not fit, and so what NumPy gives there.
__device__ __forceinline__ long long sc_to_i64(double x) {
  return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (long long)x : SC_MIN_I64;
}
// Narrower types than u32 take its lowest bits.
__device__ __forceinline__ int sc_to_i32(double x) {
  return x > -2147483649.0 && x < 2147483648.0 ? (int)x : -2147483647 - 1;
}
__device__ __forceinline__ sc_u64 sc_to_u64(double x) {
  const bool large = x >= 9223372036854775808.0;
  const sc_u64 whole = (sc_u64)sc_to_i64(large ? x - 9223372036854775808.0 : x);
  return large ? whole ^ (sc_u64)SC_MIN_I64 : whole;
}

// The first largest or least element of a row; NaN is either, and the first one ends the search.
template <bool LARGEST, class T>
__device__ __forceinline__ long long sc_extreme_place(const T* row, long long size,
                                                      long long stride) {
  long long found = 0;
  for (long long k = 1; k < size; ++k) {
    const T best = SC_LD(row, found * stride), x = SC_LD(row, k * stride);
    if (best != best) break;
    if (x != x || (LARGEST ? x > best : x < best)) found = k;
  }
  return found;
}
"""


# Remainders of floats, and whole quotients: they call a function, so they are there on demand.
_FLOAT_REMAINDERS = r"""
__device__ __forceinline__ float sc_fmod(float x, float y) { return sc_fmod_f32(x, y); }
__device__ __forceinline__ double sc_fmod(double x, double y) { return sc_fmod_f64(x, y); }

// The remainder has the divisor's sign, a zero too; by zero it is NaN, as fmod's.
template <class T>
__device__ __forceinline__ T sc_float_mod(T a, T b) {
  const T rest = sc_fmod(a, b);
  if (b == T(0)) return rest;
  if (rest == T(0)) return sc_copysign(T(0), b);
  return (b < T(0)) != (rest < T(0)) ? rest + b : rest;
}

// From the exact remainder, so that rounding cannot lift the quotient over an integer.
template <class T>
__device__ __forceinline__ T sc_float_floordiv(T a, T b) {
  if (b == T(0)) return a / b;
  const T rest = sc_fmod(a, b);
  T quotient = (a - rest) / b;
  if (rest != T(0) && (b < T(0)) != (rest < T(0))) quotient -= T(1);
  if (quotient == T(0)) return sc_copysign(T(0), a / b);
  const T whole = sc_floor(quotient);
  return quotient - whole > T(0.5) ? whole + T(1) : whole;
}
__device__ __forceinline__ float sc_mod(float a, float b) { return sc_float_mod(a, b); }
__device__ __forceinline__ double sc_mod(double a, double b) { return sc_float_mod(a, b); }
__device__ __forceinline__ float sc_floordiv(float a, float b) { return sc_float_floordiv(a, b); }
__device__ __forceinline__ double sc_floordiv(double a, double b) {
  return sc_float_floordiv(a, b);
}

"""

# The device's functions of floats by C's names; those that the support text needs stand there.
_ROUNDINGS: Mapping[OpDef, str] = {
    elementary.CEIL: "ceil",
    elementary.TRUNC: "trunc",
    elementary.RINT: "rint",
}


def _device_functions(names: Iterable[str], parameters: str, arguments: str) -> str:
    """Return overloads of the device's functions, called alike for both types of floats."""
    return "".join(
        f"__device__ __forceinline__ {t} sc_{name}({parameters.replace('T', t)}) "
        f"{{ return {name}{suffix}({arguments}); }}\n"
        for name in names
        for t, suffix in (("float", "f"), ("double", ""))
    )


_SUPPORT = (
    HALVES
    + _INTEGERS
    + _device_functions(_ROUNDINGS.values(), "T x", "x")
    + COMPLEXES
    + ORDERS
    + SUMS
)
_REMAINDERS = re.compile(r"\bsc_(fmod|mod|floordiv)\(")


def support_of(kernels: Sequence[str]) -> str:
    """Return the functions that kernels call, in C++."""
    remainders = _FLOAT_REMAINDERS if any(map(_REMAINDERS.search, kernels)) else ""
    return f"{_SUPPORT}{functions_of((*kernels, remainders))}{remainders}"


def _one_type(instr: Instr, accepted: tuple[Type, ...]) -> bool:
    first = instr.operands[0].type
    return first in accepted and all(v.type is first for v in instr.operands)


def _infix(symbol: str, name: str) -> Rule:
    """Floats compute by `symbol`; others call a function: integers one that wraps."""

    def rule(instr: Instr, args: Sequence[str]) -> str | None:
        if _one_type(instr, (FLOAT, *FLOATS)):
            return f"{args[0]} {symbol} {args[1]}"
        called = (*INTEGERS, *COMPLEX_TYPES)
        return f"{name}({args[0]}, {args[1]})" if _one_type(instr, called) else None

    return rule


def _called(name: str, *accepted: Type) -> Rule:
    def rule(instr: Instr, args: Sequence[str]) -> str | None:
        return f"{name}({', '.join(args)})" if _one_type(instr, accepted) else None

    return rule


def _suffix(type_: Type) -> str:
    return "f64" if type_ in (FLOAT, F64) else "f32"


def _of_c(op: OpDef) -> Rule:
    """Return the rule of a function of C's library."""

    def rule(instr: Instr, args: Sequence[str]) -> str | None:
        if not _one_type(instr, (FLOAT, *FLOATS)):
            return None
        suffix = "" if instr.operands[0].type in (FLOAT, F64) else "f"
        return f"{C_NAMES.get(op, op.name)}{suffix}({', '.join(args)})"

    return rule


def _of_complex(op: OpDef, instr: Instr, args: Sequence[str]) -> str | None:
    """Return a function of complex numbers, which is computed on doubles."""
    type_, (x,) = instr.operands[0].type, args
    names = [f"complex_{op.name}_{part}" for part in ("real", "imag")]
    part, double = ("float", "(double)") if type_ is C64 else ("double", "")
    given = f"{double}{x}.re, {double}{x}.im"
    parts = [f"({part}){symbol(name, 'f64')}({given})" for name in names]
    return f"{C_TYPES[type_]}({', '.join(parts)})"


def _function(op: OpDef) -> Rule:
    """Return the rule of a function that machine code has, too; of Python's floats it is C's."""
    of_c = _of_c(op)

    def rule(instr: Instr, args: Sequence[str]) -> str | None:
        type_ = instr.operands[0].type
        if type_ in (C64, C128):
            return _of_complex(op, instr, args)
        if type_ is FLOAT or not _one_type(instr, FLOATS):
            return of_c(instr, args)
        return f"{symbol(op.name, _suffix(type_))}({', '.join(args)})"

    return rule


_ROOT = _called("sc_sqrt", *FLOATS)


def _root(instr: Instr, args: Sequence[str]) -> str | None:
    if instr.operands[0].type in (C64, C128):
        return _of_complex(e.SQRT, instr, args)
    return _ROOT(instr, args)


_INTEGER_POWER = _called("sc_pow", *NUMPY_INTEGERS)


def _power(instr: Instr, args: Sequence[str]) -> str | None:
    """Powers with some literal exponents have functions of their own, also of Python's floats."""
    if not _one_type(instr, (FLOAT, *FLOATS)):
        return _INTEGER_POWER(instr, args)
    type_, suffix = instr.operands[0].type, _suffix(instr.operands[0].type)
    for exponent, name in literal_powers.NAMES.items():
        if args[1] == literal(exponent, F64 if suffix == "f64" else F32):
            return f"{symbol(name, suffix)}({args[0]})"
    called = "pow" if type_ is FLOAT else symbol("pow", suffix)
    return f"{called}({args[0]}, {args[1]})"


_SIZE = _called("sc_abs", *INTEGERS, FLOAT, *FLOATS)


def _size(instr: Instr, args: Sequence[str]) -> str | None:
    if _one_type(instr, (COMPLEX,)):
        return f"hypot({args[0]}.re, {args[0]}.im)"
    if not _one_type(instr, (C64, C128)):
        return _SIZE(instr, args)
    name = symbol("modulus", "f32" if instr.operands[0].type is C64 else "f64")
    return f"{name}({args[0]}.re, {args[0]}.im)"


def _operator(symbol: str, *accepted: Type) -> Rule:
    def rule(instr: Instr, args: Sequence[str]) -> str | None:
        return f"{args[0]} {symbol} {args[1]}" if _one_type(instr, accepted) else None

    return rule


def _comparison(symbol: str) -> Rule:
    plain = _operator(symbol, *(t for t in C_TYPES if t not in COMPLEX_TYPES))

    def rule(instr: Instr, args: Sequence[str]) -> str | None:
        types = tuple(v.type for v in instr.operands)
        return mixed(symbol, types, *args) or plain(instr, args)

    return rule


def _equality(symbol: str, complex_: str) -> Rule:
    """Complex numbers are equal if both parts are."""
    plain = _comparison(symbol)

    def rule(instr: Instr, args: Sequence[str]) -> str | None:
        if _one_type(instr, COMPLEX_TYPES):
            return complex_.format(*args)
        return plain(instr, args)

    return rule


def _quotient(instr: Instr, args: Sequence[str]) -> str | None:
    if _one_type(instr, COMPLEX_TYPES):
        name = "sc_quotient" if instr.operands[0].type is COMPLEX else "sc_div"
        return f"{name}({args[0]}, {args[1]})"
    return f"{args[0]} / {args[1]}" if _one_type(instr, (FLOAT, *FLOATS)) else None


def _part(name: str) -> Rule:
    def rule(instr: Instr, args: Sequence[str]) -> str | None:
        return f"{args[0]}.{name}" if _one_type(instr, COMPLEX_TYPES) else None

    return rule


def _of_parts(instr: Instr, args: Sequence[str]) -> str | None:
    return f"{C_TYPES[instr.result.type]}({args[0]}, {args[1]})"


def _negative(instr: Instr, args: Sequence[str]) -> str | None:
    if _one_type(instr, (FLOAT, *FLOATS)):
        return f"-{args[0]}"
    return f"sc_neg({args[0]})" if _one_type(instr, (*INTEGERS, *COMPLEX_TYPES)) else None


def _invert(instr: Instr, args: Sequence[str]) -> str | None:
    if _one_type(instr, BOOLS):
        return f"!{args[0]}"
    return f"~{args[0]}" if _one_type(instr, INTEGERS) else None


def _not(instr: Instr, args: Sequence[str]) -> str | None:
    return f"!{args[0]}" if _one_type(instr, BOOLS) else None


def _select(instr: Instr, args: Sequence[str]) -> str | None:
    return f"{args[0]} ? {args[1]} : {args[2]}"


def _cast(instr: Instr, args: Sequence[str]) -> str | None:
    (operand,), source, target = args, instr.operands[0].type, instr.result.type
    if source is F16:
        source = F32  # its value, as operands of ops are
    if source not in C_TYPES or target not in C_TYPES:
        return None
    if C_TYPES[source] == C_TYPES[target]:
        return operand
    if source in COMPLEX_TYPES or target in COMPLEX_TYPES:
        return _to_or_from_complex(operand, source, target)
    if target in BOOLS:
        zero = literal(0, source)
        return f"{operand} != {zero}"
    if target is F16 and source not in (FLOAT, F64):
        # As NumPy makes one: by way of f32, of a Python int by way of f64.
        return f"sc_half({'(double)' if source is INT else '(float)'}{operand})"
    if target in INTEGERS and source not in BOOLS:
        return _to_integer(operand, source, target)
    if source is INT and target is F32:
        return f"(float)(double){operand}"  # as NumPy makes an f32 of a Python int
    return f"({C_TYPES[target]}){operand}"


def _to_or_from_complex(operand: str, source: Type, target: Type) -> str | None:
    if source not in COMPLEX_TYPES:
        # The number becomes the real part.
        part, of_int = ("float" if target is C64 else "double"), source is INT
        real = f"({part}){'(double)' if of_int else ''}{operand}"
        return f"{C_TYPES[target]}({real}, 0)"
    if target in BOOLS:
        return f"!sc_same({operand}, {literal(0, source)})"
    part = "float" if target is C64 else "double"
    if target not in COMPLEX_TYPES:
        return None
    return f"{C_TYPES[target]}(({part}){operand}.re, ({part}){operand}.im)"


def _to_integer(operand: str, source: Type, target: Type) -> str | None:
    if source is FLOAT and target is U64:
        return None
    # Python's own conversions were tested for what does not fit, and for NaN.
    if source is FLOAT or (target is INT and source in FLOATS):
        return f"({C_TYPES[target]})(long long){operand}"
    if source in INTEGERS:
        return f"({C_TYPES[target]}){operand}"
    if target in (I64, U32):
        whole = f"sc_to_i64({operand})"
    else:
        whole = f"sc_to_u64({operand})" if target is U64 else f"sc_to_i32({operand})"
    return f"({C_TYPES[target]}){whole}"


def _exact_int(instr: Instr, args: Sequence[str]) -> str | None:
    return f"(long long){args[0]}"


EXPRESSIONS: Mapping[OpDef, Rule] = {
    e.ADD: _infix("+", "sc_add"),
    e.SUB: _infix("-", "sc_sub"),
    e.MUL: _infix("*", "sc_mul"),
    e.DIV: _quotient,
    e.FLOORDIV: _called("sc_floordiv", *INTEGERS, FLOAT, *FLOATS),
    e.MOD: _called("sc_mod", *INTEGERS, FLOAT, *FLOATS),
    e.POW: _power,
    e.NEG: _negative,
    e.ABS: _size,
    e.AND: _operator("&", *BOOLS, *INTEGERS),
    e.OR: _operator("|", *BOOLS, *INTEGERS),
    e.XOR: _operator("^", *BOOLS, *INTEGERS),
    e.SHL: _called("sc_shl", *INTEGERS),
    e.SHR: _called("sc_shr", *INTEGERS),
    e.INVERT: _invert,
    e.NOT: _not,
    e.EQ: _equality("==", "sc_same({0}, {1})"),
    e.NE: _equality("!=", "!sc_same({0}, {1})"),
    e.REAL: _part("re"),
    e.IMAG: _part("im"),
    e.COMPLEX_OF: _of_parts,
    e.LT: _comparison("<"),
    e.LE: _comparison("<="),
    e.GT: _comparison(">"),
    e.GE: _comparison(">="),
    **{op: _function(op) for op in VECTORISED},
    **{op: _of_c(op) for op in elementary.SPECIAL},
    **{op: _function(op) for op in (elementary.ERF, elementary.ERFC)},
    e.SQRT: _root,
    **{op: _called(f"sc_{c}", *FLOATS) for op, c in _ROUNDINGS.items()},
    elementary.FLOOR: _called("sc_floor", *FLOATS),
    elementary.COPYSIGN: _called("sc_copysign", *FLOATS),
    elementary.FMOD: _called("sc_fmod", *NUMPY_INTEGERS, *FLOATS),
    elementary.SIGN: _called("sc_sign", *NUMPY_INTEGERS, *FLOATS),
    e.MAXIMUM: _called("ScMax()", B1, *NUMPY_INTEGERS, *FLOATS),
    e.MINIMUM: _called("ScMin()", B1, *NUMPY_INTEGERS, *FLOATS),
    e.CAST: _cast,
    exact.EXACT_ADD: _called("sc_add", INT, I64),
    exact.EXACT_SUB: _called("sc_sub", INT, I64),
    exact.EXACT_MUL: _called("sc_mul", INT, I64),
    exact.SCALE: _called("sc_mul", INT, I64),
    exact.EXACT_INT: _exact_int,
    exact.EXACT_FLOORDIV: _called("sc_floordiv", INT, I64),
    exact.EXACT_MOD: _called("sc_mod", INT, I64),
    low.SELECT: _select,
}

# What `emit` and `schedule` write themselves: memory, nests, constants.
STRUCTURE: frozenset[OpDef] = frozenset(
    {
        *(control.EXIT, control.BLOCK, control.IF, control.FOR, control.WHILE),
        data.CONST,
        *(low.ASSUME_CONTIGUOUS, low.ASSUME_DISTINCT),
        *(low.FAIL, low.LOAD, low.LOOP, low.MAY_OVERLAP, low.NEW_ARRAY),
        *(low.REDUCE, low.SIZE, low.STORE, low.SUBVIEW),
        device.ATOMIC,
        sorting.EXTREME_PLACE,
    }
)

_HOST = "it belongs to host code, which launches kernels"
_OBJECTS = "kernels have numbers and arrays, no objects"
_OPENED = "kernels work on elements; fusion opens ops on whole arrays before"
_CONTROL = "calls and exceptions inside of a kernel are not built"
_REASONS: Mapping[OpDef, str] = {
    **dict.fromkeys((*control.OPS, *integers.OPS, *sequences.OPS), _CONTROL),
    **dict.fromkeys(
        (
            *(*data.OPS, *classes.OPS, *containers.OPS, *exceptions.OPS, *named.OPS),
            *(*unions.OPS, *texts.OPS, *tuples.OPS, *byte_strings.OPS, *bigints.OPS, *outside.OPS),
            *list_parts.OPS,
        ),
        _OBJECTS,
    ),
    **dict.fromkeys((*arrays.OPS, *joining.OPS, *picking.OPS, *reshaping.CORE_OPS), _OPENED),
    **dict.fromkeys((*reductions.OPS, *scans.OPS, *sorting.LIBRARY_OPS), _OPENED),
    **dict.fromkeys((*linalg.LIBRARY_OPS, *fourier.OPS), _OPENED),
    **dict.fromkeys(
        (
            *(*low.OPS, *device.OPS, *list_items.OPS, *buffers.OPS, *products.OPS),
            *(*linalg.LOW_OPS, *sorting.LOW_OPS, *exact.OPS, *generators.OPS, *reshaping.LOW_OPS),
        ),
        _HOST,
    ),
    e.WHERE: "on elements it is select",
}
NO_RULE: Mapping[OpDef, str] = {
    op: why for op, why in _REASONS.items() if op not in EXPRESSIONS and op not in STRUCTURE
}
