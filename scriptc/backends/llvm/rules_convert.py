"""LLVM code for comparisons, choices between scalars, and conversions."""

from collections.abc import Callable, Mapping

from scriptc.backends.llvm.emit_function import Emitter, Rule, literal
from scriptc.backends.llvm.rules_numbers import OVERFLOW, float_constant, llvm_type, refuse
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.ops import low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import BOOL, FLOAT, INT, STR, DType, Element, PyType, Type

I64, F32, F64, B1 = DType.I64, DType.F32, DType.F64, DType.B1

# LLVM's predicates: of signed and unsigned integers, and of floats, where only != holds of NaN.
_PREDICATES: Mapping[OpDef, tuple[str, str, str]] = {
    ops.EQ: ("eq", "eq", "oeq"),
    ops.NE: ("ne", "ne", "une"),
    ops.LT: ("slt", "ult", "olt"),
    ops.LE: ("sle", "ule", "ole"),
    ops.GT: ("sgt", "ugt", "ogt"),
    ops.GE: ("sge", "uge", "oge"),
}
_SWAPPED: Mapping[OpDef, OpDef] = {
    ops.EQ: ops.EQ,
    ops.NE: ops.NE,
    ops.LT: ops.GT,
    ops.LE: ops.GE,
    ops.GT: ops.LT,
    ops.GE: ops.LE,
}
_EXACT_IN_FLOAT = 2**53


def _compare(e: Emitter, instr: Instr) -> None:
    lhs, rhs = instr.operands
    a, b = e.components(lhs), e.components(rhs)
    if lhs.type is INT and rhs.type is FLOAT:
        e.bind(instr, _compare_int_float(e, instr.op, a[0], b[0]))
    elif lhs.type is FLOAT and rhs.type is INT:
        e.bind(instr, _compare_int_float(e, _SWAPPED[instr.op], b[0], a[0]))
    elif lhs.type is STR and rhs.type is STR:
        e.bind(instr, _compare_str(e, instr.op, a[0], b[0]))
    elif lhs.type is rhs.type and isinstance(lhs.type, PyType | DType):
        e.bind(instr, _compare_same(e, instr, lhs.type, a[0], b[0]))
    else:
        raise refuse(e, instr)


def _compare_same(e: Emitter, instr: Instr, type_: Element, a: str, b: str) -> str:
    signed, unsigned, ordered = _PREDICATES[instr.op]
    match type_:
        case PyType.INT | DType.I64:
            return e.let(f"icmp {signed} i64 {a}, {b}")
        case PyType.BOOL | DType.B1:
            return e.let(f"icmp {unsigned} i1 {a}, {b}")
        case PyType.FLOAT | DType.F64 | DType.F32:
            return e.let(f"fcmp {ordered} {llvm_type(type_)} {a}, {b}")
        case _:
            raise refuse(e, instr)


def _compare_int_float(e: Emitter, op: OpDef, a: str, b: str) -> str:
    """Compare exactly: as floats where the int is known to be one, otherwise by the routine."""
    if (known := literal(a)) is not None and abs(known) <= _EXACT_IN_FLOAT:
        return e.let(f"fcmp {_PREDICATES[op][2]} double {float_constant(known)}, {b}")
    e.state.routines.add("compare_int_float")
    order = e.let(f"call i32 @sc.compare_int_float(i64 {a}, double {b})")
    match op:
        case ops.LE:
            return e.let(f"icmp sle i32 {order}, 0")
        case ops.GT:
            return e.let(f"icmp eq i32 {order}, 1")
        case ops.GE:
            return e.let(f"icmp ult i32 {order}, 2")  # not 2, which stands for NaN
        case _:
            return e.let(f"icmp {_PREDICATES[op][0]} i32 {order}, 0")


def _compare_str(e: Emitter, op: OpDef, a: str, b: str) -> str:
    order = e.intrinsic("i32", "@PyUnicode_Compare", f"ptr {a}", f"ptr {b}")
    return e.let(f"icmp {_PREDICATES[op][0]} i32 {order}, 0")


def _select(e: Emitter, instr: Instr) -> None:
    condition, x, y = instr.operands
    llvm = llvm_type(x.type)
    chosen = f"select i1 {e.one(condition)}, {llvm} {e.one(x)}, {llvm} {e.one(y)}"
    e.bind(instr, e.let(chosen))


# Conversions.

_Conversion = Callable[[Emitter, Instr, str], str]


def _cast(e: Emitter, instr: Instr) -> None:
    (x,) = instr.operands
    conversion = _CONVERSIONS.get((x.type, instr.result.type))
    if conversion is None:
        raise refuse(e, instr)
    e.bind(instr, conversion(e, instr, e.one(x)))


def _same(e: Emitter, instr: Instr, x: str) -> str:
    return x


def _convert(name: str, source: Type, target: Type) -> _Conversion:
    text = f"{name} {llvm_type(source)} {{}} to {llvm_type(target)}"
    return lambda e, instr, x: e.let(text.format(x))


def _int_to_float(source: Type, target: Type) -> _Conversion:
    convert = _convert("sitofp", source, target)

    def conversion(e: Emitter, instr: Instr, x: str) -> str:
        known = literal(x)
        if known is not None and abs(known) <= _EXACT_IN_FLOAT and target is not F32:
            return float_constant(known)
        return convert(e, instr, x)

    return conversion


def _int_to_f32(e: Emitter, instr: Instr, x: str) -> str:
    # As NumPy makes an f32 of a Python int: rounded to a float before.
    return e.let(f"fptrunc double {e.let(f'sitofp i64 {x} to double')} to float")


def _not_zero(source: Type) -> _Conversion:
    llvm = llvm_type(source)
    zero = "icmp ne i64 {}, 0" if llvm == "i64" else f"fcmp une {llvm} {{}}, 0.0"
    return lambda e, instr, x: e.let(zero.format(x))


def _float_to_int(source: Type, overflow: str = OVERFLOW) -> _Conversion:
    """Return int(x): NaN, infinities and what 64 bits do not hold raise."""
    llvm = llvm_type(source)

    def conversion(e: Emitter, instr: Instr, x: str) -> str:
        nan = e.let(f"fcmp uno {llvm} {x}, 0.0")
        e.raise_if(nan, "ValueError", "cannot convert float NaN to integer", instr)
        inside = _fits(e, llvm, x)
        outside = e.let(f"xor i1 {inside}, true")
        infinite = _is_infinite(e, llvm, x)
        e.raise_if(infinite, "OverflowError", "cannot convert float infinity to integer", instr)
        e.raise_if(outside, "OverflowError", overflow, instr)
        return e.let(f"fptosi {llvm} {x} to i64")

    return conversion


def _float_to_i64(source: Type) -> _Conversion:
    """Return what x86 gives: the least int for NaN and for all that does not fit."""
    llvm = llvm_type(source)

    def conversion(e: Emitter, instr: Instr, x: str) -> str:
        inside = _fits(e, llvm, x)
        # Outside, fptosi is poison, which the select does not take over.
        whole = e.let(f"fptosi {llvm} {x} to i64")
        return e.let(f"select i1 {inside}, i64 {whole}, i64 {-(2**63)}")

    return conversion


def _python_float_to_i64(e: Emitter, instr: Instr, x: str) -> str:
    """Return np.int64(x), which asks int() of a Python float, so it raises."""
    return _float_to_int(FLOAT, "Python int too large to convert to C long")(e, instr, x)


def _fits(e: Emitter, llvm: str, x: str) -> str:
    low = e.let(f"fcmp oge {llvm} {x}, {float_constant(-(2.0**63))}")
    high = e.let(f"fcmp olt {llvm} {x}, {float_constant(2.0**63)}")
    return e.let(f"and i1 {low}, {high}")


def _is_infinite(e: Emitter, llvm: str, x: str) -> str:
    size = e.intrinsic(llvm, f"@llvm.fabs.{'f32' if llvm == 'float' else 'f64'}", f"{llvm} {x}")
    return e.let(f"fcmp oeq {llvm} {size}, 0x7FF0000000000000")


_INTS: tuple[Element, ...] = (INT, I64)
_BOOLS: tuple[Element, ...] = (BOOL, B1)
_DOUBLES: tuple[Element, ...] = (FLOAT, F64)
_FLOATS: tuple[Element, ...] = (*_DOUBLES, F32)

_CONVERSIONS: Mapping[tuple[Type, Type], _Conversion] = {
    **{(a, b): _same for group in (_INTS, _BOOLS, _DOUBLES) for a in group for b in group},
    **{(a, b): _convert("zext", a, b) for a in _BOOLS for b in _INTS},
    **{(a, b): _convert("uitofp", a, b) for a in _BOOLS for b in _FLOATS},
    **{(a, b): _not_zero(a) for a in (*_INTS, *_FLOATS) for b in _BOOLS},
    **{(a, b): _int_to_float(a, b) for a in _INTS for b in _DOUBLES},
    (INT, F32): _int_to_f32,
    (I64, F32): _convert("sitofp", I64, F32),
    (F32, F32): _same,
    **{(a, F32): _convert("fptrunc", a, F32) for a in _DOUBLES},
    **{(F32, b): _convert("fpext", F32, b) for b in _DOUBLES},
    **{(a, INT): _float_to_int(a) for a in _FLOATS},
    **{(a, I64): _float_to_i64(a) for a in (F64, F32)},
    (FLOAT, I64): _python_float_to_i64,
}

RULES: Mapping[OpDef, Rule] = {
    **dict.fromkeys(_PREDICATES, _compare),
    low.SELECT: _select,
    ops.CAST: _cast,
}
