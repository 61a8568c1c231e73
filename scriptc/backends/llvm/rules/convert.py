"""LLVM code for conversions between numbers.

Python's numbers raise where they do not fit; NumPy's wrap, and floats beyond an integer dtype give
what NumPy's code gives on x86-64.
"""

from collections.abc import Callable, Mapping
from functools import partial

from scriptc.backends.llvm.emitter.function import MOSTLY, Emitter, Rule, literal
from scriptc.backends.llvm.emitter.literals import float_constant
from scriptc.backends.llvm.rules.scalars import (
    EXACT_IN_FLOAT,
    INT_MIN,
    OVERFLOW,
    llvm_type,
    refuse,
)
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.ops import exact
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import BOOL, FLOAT, INT, DType, Type, int_limits

I64, U32, U64 = DType.I64, DType.U32, DType.U64
F16, F32, F64 = DType.F16, DType.F32, DType.F64

_Conversion = Callable[[Emitter, Instr, str], str]
_TOO_LARGE = "Python int too large to convert to C long"


def _cast(e: Emitter, instr: Instr) -> None:
    (x,) = instr.operands
    convert = conversion(x.type, instr.result.type)
    if convert is None:
        raise refuse(e, instr)
    e.bind(instr, convert(e, instr, e.one(x)))


def conversion(source: Type, target: Type) -> _Conversion | None:
    """Return what converts a `source` to a `target`, None where nothing does."""
    if source is target:
        return _same
    if F16 in (source, target) and F32 not in (source, target):
        return _half(source, target)
    maker = _MAKERS.get((_kind(source), _kind(target)))
    return maker(source, target) if maker else None


def _half(source: Type, target: Type) -> _Conversion | None:
    if source in (FLOAT, F64):
        return _double_to_half
    if source is INT:
        to_float = _python_int_to_float(INT, FLOAT)
        return lambda e, instr, x: _double_to_half(e, instr, to_float(e, instr, x))
    return _through_single(source, target)


def _double_to_half(e: Emitter, instr: Instr, x: str) -> str:
    e.state.routines.add("double_to_half")
    return e.let(f"call half @sc.double_to_half(double {x})")


def _kind(type_: Type) -> str:
    """Return which conversions a type takes part in; Python's numbers have some of their own."""
    if type_ is INT or type_ is FLOAT or type_ is BOOL:
        return str(type_)
    return type_.kind if isinstance(type_, DType) else ""


def _always_same(source: Type, target: Type) -> _Conversion:
    return _same


def _same(e: Emitter, instr: Instr, x: str) -> str:
    return x


def _instruction(name: str, source: Type, target: Type) -> _Conversion:
    text = f"{name} {llvm_type(source)} {{}} to {llvm_type(target)}"
    return lambda e, instr, x: e.let(text.format(x))


def _through_single(first: Type, second: Type) -> _Conversion:
    """Return the conversion from or to half precision that goes by single precision."""
    one, other = conversion(first, F32), conversion(F32, second)
    assert one is not None
    assert other is not None
    return partial(_in_turn, one, other)


def _in_turn(one: _Conversion, other: _Conversion, e: Emitter, instr: Instr, x: str) -> str:
    return other(e, instr, one(e, instr, x))


def _made_by(name: str) -> Callable[[Type, Type], _Conversion]:
    return lambda source, target: _instruction(name, source, target)


def _not_zero(source: Type, target: Type) -> _Conversion:
    llvm = llvm_type(source)
    zero = f"icmp ne {llvm} {{}}, 0" if llvm.startswith("i") else f"fcmp une {llvm} {{}}, 0.0"
    return lambda e, instr, x: e.let(zero.format(x))


# Integers.


def _resized(source: Type, target: Type) -> _Conversion:
    """Return the conversion of NumPy's integers, which wraps."""
    assert isinstance(source, DType)
    assert isinstance(target, DType)
    if source.itemsize == target.itemsize:
        return _same
    if source.itemsize > target.itemsize:
        return _instruction("trunc", source, target)
    return _instruction("sext" if source.kind == "i" else "zext", source, target)


def _to_int(source: Type, target: Type) -> _Conversion:
    assert isinstance(source, DType)
    if source is not U64:
        return _resized(source, I64)

    def convert(e: Emitter, instr: Instr, x: str) -> str:
        e.raise_if(e.let(f"icmp slt i64 {x}, 0"), "OverflowError", OVERFLOW, instr)
        return x

    return convert


def _of_int(source: Type, target: Type) -> _Conversion:
    """Return the conversion of Python's int, which raises where the dtype has no such value."""
    assert isinstance(target, DType)
    if target is I64:
        return _same
    least, greatest = int_limits(target)
    message = f"Python integer {{}} out of bounds for {target.numpy.name}"

    def convert(e: Emitter, instr: Instr, x: str) -> str:
        known = literal(x)
        if known is None or not least <= known <= greatest:
            if target is U64:
                outside = e.let(f"icmp slt i64 {x}, 0")
            else:
                moved = e.let(f"sub i64 {x}, {least}")
                outside = e.let(f"icmp ugt i64 {moved}, {greatest - least}")
            e.raise_if(outside, "OverflowError", message, instr, (x,))
        elif target.itemsize < 8:
            return x
        return x if target is U64 else e.let(f"trunc i64 {x} to {llvm_type(target)}")

    return convert


def _int_to_float(source: Type, target: Type) -> _Conversion:
    signed = source is INT or _kind(source) == "i"
    plain = _instruction("sitofp" if signed else "uitofp", source, target)

    def convert(e: Emitter, instr: Instr, x: str) -> str:
        known = literal(x)
        if known is not None and abs(known) <= EXACT_IN_FLOAT and target is not F32:
            return float_constant(known)
        return plain(e, instr, x)

    return convert


def _python_int_to_float(source: Type, target: Type) -> _Conversion:
    if target is not F32:
        return _int_to_float(source, target)

    def convert(e: Emitter, instr: Instr, x: str) -> str:
        # As NumPy makes an f32 of a Python int: rounded to a float before.
        return e.let(f"fptrunc double {e.let(f'sitofp i64 {x} to double')} to float")

    return convert


# Floats.


def _resized_float(source: Type, target: Type) -> _Conversion:
    if llvm_type(source) == llvm_type(target):
        return _same
    down = target is F16 or (target is F32 and source is not F16)
    return _instruction("fptrunc" if down else "fpext", source, target)


def _float_to_python_int(source: Type, target: Type) -> _Conversion:
    """Return int(x): NaN, infinities and what 64 bits do not hold raise."""
    return lambda e, instr, x: _checked_int(e, instr, llvm_type(source), x, OVERFLOW)


def _checked_int(e: Emitter, instr: Instr, llvm: str, x: str, overflow: str) -> str:
    """Convert what is near zero; what becomes of another, only that one asks."""
    limit, near, far = float_constant(2.0**63), e.label(), e.label()
    size = _magnitude(e, llvm, x)
    e.branch(e.let(f"fcmp olt {llvm} {size}, {limit}"), near, far, MOSTLY)
    e.start(far)
    nan = e.let(f"fcmp uno {llvm} {x}, 0.0")
    e.raise_if(nan, "ValueError", "cannot convert float NaN to integer", instr)
    infinite = e.let(f"fcmp oeq {llvm} {size}, 0x7FF0000000000000")
    e.raise_if(infinite, "OverflowError", "cannot convert float infinity to integer", instr)
    outside = e.let(f"fcmp une {llvm} {x}, {float_constant(-(2.0**63))}")
    e.raise_if(outside, "OverflowError", overflow, instr)
    e.jump(near)
    e.start(near)
    return e.let(f"fptosi {llvm} {x} to i64")


def _exact_int(e: Emitter, instr: Instr) -> None:
    e.bind(instr, e.let(f"fptosi double {e.one(instr.operands[0])} to i64"))


def _python_float_to_integer(source: Type, target: Type) -> _Conversion:
    """Return np.int64(x) and its like, which ask int() of a Python float, so they raise."""
    if target is U64:
        return _python_float_to_u64
    fit = _of_int(INT, target)
    return lambda e, instr, x: fit(e, instr, _checked_int(e, instr, "double", x, _TOO_LARGE))


def _python_float_to_u64(e: Emitter, instr: Instr, x: str) -> str:
    beyond_int = e.let(f"fcmp oge double {x}, {float_constant(2.0**63)}")
    below_end = e.let(f"fcmp olt double {x}, {float_constant(2.0**64)}")
    upper = e.let(f"and i1 {beyond_int}, {below_end}")
    # The upper half is no int of ours, so that a number which passes the checks stands for it.
    checked = e.let(f"select i1 {upper}, double 0.0, double {x}")
    whole = _checked_int(e, instr, "double", checked, _TOO_LARGE)
    _of_int(INT, U64)(e, instr, whole)
    return _to_u64(e, "double", x)


def _float_to_integer(source: Type, target: Type) -> _Conversion:
    """Return the conversion by the instruction that NumPy's code uses, and the lowest bits of it.

    Its result for NaN and for all that does not fit is the least integer. It is that of i32 for
    dtypes of at most 32 bits, that of i64 for u32, and u64 takes it twice.
    """
    assert isinstance(target, DType)
    llvm = llvm_type(source)

    def convert(e: Emitter, instr: Instr, x: str) -> str:
        if target is U64:
            return _to_u64(e, llvm, x)
        if target is I64 or target is U32:
            whole, wide = _to_i64(e, llvm, x), "i64"
        else:
            whole, wide = _to_i32(e, llvm, x), "i32"
        narrow = llvm_type(target)
        return whole if narrow == wide else e.let(f"trunc {wide} {whole} to {narrow}")

    return convert


def _to_i64(e: Emitter, llvm: str, x: str) -> str:
    inside = _fits_i64(e, llvm, x)
    # Outside, fptosi is poison, which the select does not take over.
    whole = e.let(f"fptosi {llvm} {x} to i64")
    return e.let(f"select i1 {inside}, i64 {whole}, i64 {INT_MIN}")


def _to_i32(e: Emitter, llvm: str, x: str) -> str:
    # Fractions below the least integer are cut off; no f32 lies between it and the next one.
    below = f"ogt {llvm} {x}, {float_constant(-(2.0**31) - 1)}"
    if llvm != "double":
        below = f"oge {llvm} {x}, {float_constant(-(2.0**31))}"
    low = e.let(f"fcmp {below}")
    high = e.let(f"fcmp olt {llvm} {x}, {float_constant(2.0**31)}")
    whole = e.let(f"fptosi {llvm} {x} to i32")
    return e.let(f"select i1 {e.let(f'and i1 {low}, {high}')}, i32 {whole}, i32 {-(2**31)}")


def _to_u64(e: Emitter, llvm: str, x: str) -> str:
    half = float_constant(2.0**63)
    large = e.let(f"fcmp oge {llvm} {x}, {half}")
    less = e.let(f"fsub {llvm} {x}, {half}")
    whole = _to_i64(e, llvm, e.let(f"select i1 {large}, {llvm} {less}, {llvm} {x}"))
    return e.let(f"xor i64 {whole}, {e.let(f'select i1 {large}, i64 {INT_MIN}, i64 0')}")


def _fits_i64(e: Emitter, llvm: str, x: str) -> str:
    low = e.let(f"fcmp oge {llvm} {x}, {float_constant(-(2.0**63))}")
    high = e.let(f"fcmp olt {llvm} {x}, {float_constant(2.0**63)}")
    return e.let(f"and i1 {low}, {high}")


def _magnitude(e: Emitter, llvm: str, x: str) -> str:
    return e.intrinsic(llvm, f"@llvm.fabs.{'f32' if llvm == 'float' else 'f64'}", f"{llvm} {x}")


_BOOLS, _INTEGERS, _FLOATS = ("bool", "b"), ("i", "u"), ("float", "f")
_MAKERS: Mapping[tuple[str, str], Callable[[Type, Type], _Conversion]] = {
    **{(a, b): _always_same for a in _BOOLS for b in _BOOLS},
    **{(a, b): _made_by("zext") for a in _BOOLS for b in ("int", *_INTEGERS)},
    **{(a, b): _made_by("uitofp") for a in _BOOLS for b in _FLOATS},
    **{(a, b): _not_zero for a in ("int", *_INTEGERS, *_FLOATS) for b in _BOOLS},
    **{(a, b): _resized for a in _INTEGERS for b in _INTEGERS},
    **{(a, "int"): _to_int for a in _INTEGERS},
    **{("int", b): _of_int for b in _INTEGERS},
    **{(a, b): _int_to_float for a in _INTEGERS for b in _FLOATS},
    **{("int", b): _python_int_to_float for b in _FLOATS},
    **{(a, b): _resized_float for a in _FLOATS for b in _FLOATS},
    **{(a, "int"): _float_to_python_int for a in _FLOATS},
    **{("float", b): _python_float_to_integer for b in _INTEGERS},
    **{("f", b): _float_to_integer for b in _INTEGERS},
}

RULES: Mapping[OpDef, Rule] = {ops.CAST: _cast, exact.EXACT_INT: _exact_int}
