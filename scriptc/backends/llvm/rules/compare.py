"""LLVM code for comparisons and choices between scalars."""

from collections.abc import Mapping

from scriptc.backends.llvm.emitter.function import SELDOM, Emitter, Rule, literal
from scriptc.backends.llvm.emitter.literals import float_constant
from scriptc.backends.llvm.emitter.predicates import PREDICATES
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.rules.scalars import EXACT_IN_FLOAT, llvm_type, refuse
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import FLOAT, INT, TEXTS, DType, Element, PyType

_WORD = 8
_SWAPPED: Mapping[OpDef, OpDef] = {
    ops.EQ: ops.EQ,
    ops.NE: ops.NE,
    ops.LT: ops.GT,
    ops.LE: ops.GE,
    ops.GT: ops.LT,
    ops.GE: ops.LE,
}


def _compare(e: Emitter, instr: Instr) -> None:
    lhs, rhs = instr.operands
    a, b = e.components(lhs), e.components(rhs)
    if lhs.type is INT and rhs.type is FLOAT:
        e.bind(instr, _compare_int_float(e, instr.op, a[0], b[0]))
    elif lhs.type is FLOAT and rhs.type is INT:
        e.bind(instr, _compare_int_float(e, _SWAPPED[instr.op], b[0], a[0]))
    elif lhs.type in TEXTS and rhs.type is lhs.type:
        e.bind(instr, _compare_known(e, instr) or _compare_str(e, instr.op, a[0], b[0]))
    elif lhs.type is DType.I64 and rhs.type is DType.U64:
        e.bind(instr, _compare_signs(e, instr.op, a[0], b[0]))
    elif lhs.type is DType.U64 and rhs.type is DType.I64:
        e.bind(instr, _compare_signs(e, _SWAPPED[instr.op], b[0], a[0]))
    elif lhs.type is rhs.type and isinstance(lhs.type, PyType | DType):
        e.bind(instr, _compare_same(e, instr, lhs.type, a[0], b[0]))
    else:
        raise refuse(e, instr)


def _compare_same(e: Emitter, instr: Instr, type_: Element, a: str, b: str) -> str:
    signed, unsigned, ordered = PREDICATES[instr.op]
    match type_:
        case PyType.INT:
            return e.let(f"icmp {signed} i64 {a}, {b}")
        case DType() if type_.kind in "iu":
            predicate = signed if type_.kind == "i" else unsigned
            return e.let(f"icmp {predicate} {llvm_type(type_)} {a}, {b}")
        case PyType.BOOL | DType.B1:
            return e.let(f"icmp {unsigned} i1 {a}, {b}")
        case PyType.FLOAT | DType.F64 | DType.F32 | DType.F16:
            return e.let(f"fcmp {ordered} {llvm_type(type_)} {a}, {b}")
        case _:
            raise refuse(e, instr)


def _compare_signs(e: Emitter, op: OpDef, a: str, b: str) -> str:
    """Compare an i64 with a u64 as numbers: a negative one is below every u64."""
    negative = e.let(f"icmp slt i64 {a}, 0")
    as_unsigned = e.let(f"icmp {PREDICATES[op][1]} i64 {a}, {b}")
    if op in (ops.NE, ops.LT, ops.LE):
        return e.let(f"or i1 {negative}, {as_unsigned}")
    return e.let(f"and i1 {e.let(f'xor i1 {negative}, true')}, {as_unsigned}")


def _compare_int_float(e: Emitter, op: OpDef, a: str, b: str) -> str:
    """Compare exactly: as floats where the int is known to be one, otherwise by the routine."""
    if (known := literal(a)) is not None and abs(known) <= EXACT_IN_FLOAT:
        return e.let(f"fcmp {PREDICATES[op][2]} double {float_constant(known)}, {b}")
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
            return e.let(f"icmp {PREDICATES[op][0]} i32 {order}, 0")


def _compare_known(e: Emitter, instr: Instr) -> str | None:
    """Compare a text with a short one of ASCII that the program has, by its words."""
    if instr.op not in (ops.EQ, ops.NE):
        return None
    for value, other in (instr.operands, reversed(instr.operands)):
        made = e.definitions.get(other)
        known = made.attrs["value"] if made is not None and made.op is data.CONST else None
        if isinstance(known, str) and known.isascii() and len(known) <= 2 * _WORD:
            equal = _is_known(e, e.one(value), known.encode())
            return equal if instr.op is ops.EQ else e.let(f"xor i1 {equal}, true")
    return None


def _is_known(e: Emitter, text: str, known: bytes) -> str:
    length, kind = _loaded(e, text, abi.TEXT_LENGTH), _loaded(e, text, abi.TEXT_KIND, "i32")
    same_length = e.let(f"icmp eq i64 {length}, {len(known)}")
    if not known:
        return same_length
    # A text has room for two words, whatever its length; of more than one, these overlap.
    unlike = _differing(e, text, 0, known[:_WORD])
    if len(known) > _WORD:
        behind = _differing(e, text, len(known) - _WORD, known[-_WORD:])
        unlike = e.let(f"or i64 {unlike}, {behind}")
    like = e.let(f"icmp eq i64 {unlike}, 0")
    is_ascii = e.let(f"icmp eq i32 {kind}, 0")
    return e.let(f"and i1 {e.let(f'and i1 {same_length}, {is_ascii}')}, {like}")


def _differing(e: Emitter, text: str, first: int, known: bytes) -> str:
    """Return the bits in which a word of a text differs from known bytes."""
    word = _loaded(e, text, abi.TEXT_DATA + first)
    differing = e.let(f"xor i64 {word}, {int.from_bytes(known, 'little')}")
    return e.let(f"and i64 {differing}, {(1 << 8 * len(known)) - 1}")


def _loaded(e: Emitter, text: str, offset: int, type_: str = "i64") -> str:
    at = e.let(f"getelementptr i8, ptr {text}, i64 {offset}")
    return e.let(f"load {type_}, ptr {at}, align 1")


def _compare_str(e: Emitter, op: OpDef, a: str, b: str) -> str:
    if op in (ops.EQ, ops.NE):
        e.state.routines.add("text_equal")
        equal = e.let(f"call i1 @sc.text_equal(ptr {a}, ptr {b})")
        return equal if op is ops.EQ else e.let(f"xor i1 {equal}, true")
    e.state.routines.add("text_compared")
    order = e.let(f"call i32 @sc.text_compared(ptr {a}, ptr {b})")
    return e.let(f"icmp {PREDICATES[op][0]} i32 {order}, 0")


def _select(e: Emitter, instr: Instr) -> None:
    condition, x, y = instr.operands
    llvm = llvm_type(x.type)
    if not instr.attrs.get("seldom"):
        chosen = f"select i1 {e.one(condition)}, {llvm} {e.one(x)}, {llvm} {e.one(y)}"
        e.bind(instr, e.let(chosen))
        return
    # A jump that is foreseen: what follows neither waits for the comparison nor repeats it.
    taken, done = e.label(), e.join((llvm,))
    done.incoming.append((e.block, (e.one(y),)))
    e.branch(e.one(condition), taken, done.name, SELDOM)
    e.start(taken)
    e.enter(done, (e.one(x),))
    e.bind(instr, *e.start_join(done))


RULES: Mapping[OpDef, Rule] = {
    **dict.fromkeys(PREDICATES, _compare),
    low.SELECT: _select,
}
