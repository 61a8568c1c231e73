"""Ops on several elements at once: the vector code of what rows and columns of elements need."""

from collections.abc import Mapping, Sequence

from scriptc.backends.llvm.emitter.function import Emitter
from scriptc.backends.llvm.emitter.predicates import PREDICATES
from scriptc.backends.llvm.vectors import partial_stores
from scriptc.backends.llvm.vectors.reductions import TYPES, Kind
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.ops import low
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import BOOL, DType, Type

TRUTHS = (DType.B1, BOOL)
NUMBERS = (DType.F64, DType.F32, DType.I64, DType.I32)
_FLOATS = (DType.F64, DType.F32)
_LINE = 64  # bytes
_ARITHMETIC: Mapping[OpDef, tuple[str, str]] = {
    ops.ADD: ("fadd", "add"),
    ops.SUB: ("fsub", "sub"),
    ops.MUL: ("fmul", "mul"),
    ops.DIV: ("fdiv", ""),
    ops.NEG: ("fneg", ""),
}
_LOGIC: Mapping[OpDef, str] = {ops.AND: "and", ops.OR: "or", ops.XOR: "xor"}
_ENDS: Mapping[OpDef, Kind] = {ops.MAXIMUM: Kind.MAX, ops.MINIMUM: Kind.MIN}
_INTRINSICS: Mapping[OpDef, str] = {ops.SQRT: "@llvm.sqrt", ops.ABS: "@llvm.fabs"}


def element(type_: Type) -> str:
    """Return the LLVM type of one lane."""
    if type_ in TRUTHS:
        return "i1"
    assert isinstance(type_, DType)
    return TYPES[type_.value].llvm


def vector(lanes: int, type_: Type) -> str:
    """Return the LLVM type of some lanes."""
    return f"<{lanes} x {element(type_)}>"


def has_lanes(instr: Instr) -> bool:
    """Whether `write_lanes` knows the op for these types."""
    if instr.op is ops.CAST:
        return _conversion(instr) is not None
    types = [v.type for v in (*instr.operands, *instr.results)]
    if any(t not in NUMBERS and t not in TRUTHS for t in types):
        return False
    (result,) = instr.results
    floats = all(t in _FLOATS for t in types)
    if instr.op in _ARITHMETIC:
        return floats or (bool(_ARITHMETIC[instr.op][1]) and result.type in NUMBERS)
    if instr.op in PREDICATES:
        return instr.operands[0].type in NUMBERS
    if instr.op in _LOGIC or instr.op in (ops.INVERT, ops.NOT):
        return result.type in TRUTHS
    if instr.op in _ENDS:
        return result.type in NUMBERS
    return instr.op is low.SELECT or (instr.op in _INTRINSICS and floats)


def _conversion(instr: Instr) -> str | None:
    """Return the LLVM instruction that converts; "" for none, None where it is none of these."""
    source, target = instr.operands[0].type, instr.results[0].type
    if source is target or (source in TRUTHS and target in TRUTHS):
        return ""
    if target not in NUMBERS:
        return None
    if source in TRUTHS:
        return "uitofp" if target in _FLOATS else "zext"
    if target in _FLOATS and isinstance(source, DType) and source.kind in "iu":
        return "sitofp" if source.kind == "i" else "uitofp"
    if source not in NUMBERS:
        return None
    if source in _FLOATS:
        widens = {DType.F64: "fpext", DType.F32: "fptrunc"}
        return widens.get(target)
    return "sext" if target is DType.I64 else "trunc"


def write_lanes(e: Emitter, lanes: int, instr: Instr, values: Sequence[str]) -> str:
    """Write an op on vectors and return the name of the result."""
    op, kind = instr.op, instr.operands[-1].type
    v, operands = vector(lanes, kind), ", ".join(values)
    if op in _ARITHMETIC:
        return e.let(f"{_ARITHMETIC[op][kind not in _FLOATS]} {v} {operands}")
    if op in PREDICATES:
        name = f"fcmp {PREDICATES[op][2]}" if kind in _FLOATS else f"icmp {PREDICATES[op][0]}"
        return e.let(f"{name} {v} {operands}")
    if op in _LOGIC:
        return e.let(f"{_LOGIC[op]} {v} {operands}")
    if op in _ENDS:
        assert isinstance(kind, DType)
        for text in TYPES[kind.value].declarations(_ENDS[op], lanes):
            e.declare(text)
        return e.let(TYPES[kind.value].combine(_ENDS[op], values[0], values[1], lanes))
    if op is low.SELECT:
        condition, first, second = values
        return e.let(f"select <{lanes} x i1> {condition}, {v} {first}, {v} {second}")
    if op is ops.CAST:
        name = _conversion(instr)
        to = vector(lanes, instr.result.type)
        return e.let(f"{name} {v} {operands} to {to}") if name else values[0]
    if op in _INTRINSICS:
        assert isinstance(kind, DType)
        name = f"{_INTRINSICS[op]}.v{lanes}{kind.value}"
        e.declare(f"declare {v} {name}({v})")
        return e.let(f"call {v} {name}({v} {operands})")
    return e.let(f"xor <{lanes} x i1> {operands}, splat (i1 true)")


def splat(e: Emitter, lanes: int, scalar: str, type_: str) -> str:
    """Write a vector with one scalar in every lane."""
    v = f"<{lanes} x {type_}>"
    first = e.let(f"insertelement {v} poison, {type_} {scalar}, i64 0")
    return e.let(f"shufflevector {v} {first}, {v} poison, <{lanes} x i32> zeroinitializer")


def load_lanes(
    e: Emitter, lanes: int, dtype: DType, at: str, mask: str = "", facts: str = ""
) -> str:
    """Write the load of neighbours, of those alone that are under the mask if there is one.

    `facts` is metadata of the access.
    """
    truth = dtype is DType.B1
    name = "i8" if truth else TYPES[dtype.value].name
    width = "i8" if truth else element(dtype)
    v, bytes_ = f"<{lanes} x {width}>", dtype.itemsize
    if not mask:
        loaded = e.let(f"load {v}, ptr {at}, align {bytes_}{facts}")
    else:
        function, masks = f"@llvm.masked.load.v{lanes}{name}.p0", f"<{lanes} x i1>"
        e.declare(f"declare {v} {function}(ptr, {masks}, {v})")
        place = f"ptr align {bytes_} {at}, {masks} {mask}"
        loaded = e.let(f"call {v} {function}({place}, {v} zeroinitializer){facts}")
    return e.let(f"icmp ne {v} {loaded}, zeroinitializer") if truth else loaded


def fetch(
    e: Emitter, at: str, size: int = _LINE, *, to_write: bool = False, level: int = 1
) -> None:
    """Write code that asks for some bytes, which are read or written later, or never.

    They go to the cache of a level, and those behind it.
    """
    e.declare("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
    for line in range(0, size, _LINE):
        place = e.let(f"getelementptr i8, ptr {at}, i64 {line}") if line else at
        how = f"i32 {int(to_write)}, i32 {locality(level)}, i32 1"
        e.write(f"call void @llvm.prefetch.p0(ptr {place}, {how})")


def locality(level: int) -> int:
    """Return LLVM's number for the cache of a level: 3 for the first, 0 for what passes by all."""
    return 4 - level


def shift_in(
    e: Emitter, lanes: int, dtype: DType, at: str, beside: str, step: int, facts: str = ""
) -> str:
    """Write the vector that lies at `at`, one element behind the vector `beside`, or before it.

    The step is 1 or -1. All lanes but one are in `beside`: that one alone is loaded.
    """
    t, v = element(dtype), vector(lanes, dtype)
    if step > 0:
        at = e.let(f"getelementptr {t}, ptr {at}, i64 {lanes - 1}")
    new = splat(e, lanes, e.let(f"load {t}, ptr {at}, align {dtype.itemsize}{facts}"), t)
    first, second = (beside, new) if step > 0 else (new, beside)
    start = 1 if step > 0 else lanes - 1
    picked = ", ".join(f"i32 {start + lane}" for lane in range(lanes))
    return e.let(f"shufflevector {v} {first}, {v} {second}, <{lanes} x i32> <{picked}>")


def part_of_lanes(e: Emitter, lanes: int, element_: str, whole: str, start: int, size: int) -> str:
    """Write the choice of `size` lanes of a vector from `start` on, and return them."""
    if size == lanes:
        return whole
    v, places = f"<{lanes} x {element_}>", ", ".join(f"i32 {start + k}" for k in range(size))
    return e.let(f"shufflevector {v} {whole}, {v} poison, <{size} x i32> <{places}>")


def store_lanes(
    e: Emitter,
    lanes: int,
    dtype: DType,
    value: str,
    at: str,
    mask: str = "",
    facts: str = "",
    *,
    past_caches: bool = False,
) -> None:
    """Write the store of neighbours, as `load_lanes` loads them.

    A store past the caches is one of whole lines of them, aligned.
    """
    v, masks = vector(lanes, dtype), f"<{lanes} x i1>"
    if past_caches:
        hint = e.state.shared_node("!{i32 1}")
        size = lanes * dtype.itemsize
        e.write(f"store {v} {value}, ptr {at}, align {size}{facts}, !nontemporal {hint}")
        return
    if not mask:
        e.write(f"store {v} {value}, ptr {at}, align {dtype.itemsize}{facts}")
        return
    if not e.state.masks and dtype is not DType.B1:
        partial_stores.store_some(e, lanes, dtype, value, at, mask)
        return
    function = f"@llvm.masked.store.v{lanes}{TYPES[dtype.value].name}.p0"
    e.declare(f"declare void {function}({v}, ptr, {masks})")
    place = f"ptr align {dtype.itemsize} {at}, {masks} {mask}"
    e.write(f"call void {function}({v} {value}, {place}){facts}")
