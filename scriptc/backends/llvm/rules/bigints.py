"""LLVM code for ints of any size.

A small one is a pointer whose lowest bit is set: twice its value, and one. Another one is the list
of its limbs, with the next bit of the pointer set where it is below 0.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.emitter.function import Emitter, Rule
from scriptc.backends.llvm.rules.text import checked, drop, object_of, routine
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import bigints as ops
from scriptc_runtime.ops.opdef import OpDef

_SMALL, _NEGATIVE = 1, 2
_NO_BASE = "int() base must be >= 2 and <= 36, or 0"


def _word(e: Emitter, instr: Instr) -> str:
    return e.let(f"ptrtoint ptr {e.one(instr.operands[0])} to i64")


def _of_int(e: Emitter, instr: Instr) -> None:
    number = e.one(instr.operands[0])
    e.bind(instr, checked(e, instr, routine(e, "bigint_of", f"i64 {number}")))


def _of_text(e: Emitter, instr: Instr) -> None:
    text, base = e.operands(instr)
    beyond = e.let(f"icmp ugt i64 {base}, 36")
    unary = e.let(f"icmp eq i64 {base}, 1")
    e.raise_if(e.let(f"or i1 {beyond}, {unary}"), "ValueError", _NO_BASE, instr)
    obj = object_of(e, instr, text)
    wide = e.let(f"trunc i64 {base} to i32")
    made = e.intrinsic("ptr", "@PyLong_FromUnicodeObject", f"ptr {obj}", f"i32 {wide}")
    drop(e, obj)
    number = routine(e, "bigint_in", f"ptr {checked(e, instr, made)}")
    drop(e, made)
    e.bind(instr, checked(e, instr, number))


def _to_int(e: Emitter, instr: Instr) -> None:
    e.state.routines.add("bigint_int")
    at = e.alloca("i64")
    given = f"ptr {e.one(instr.operands[0])}, ptr {at}"
    fits = e.let(f"call i1 @sc.bigint_int({given})")
    e.raise_if(
        e.let(f"xor i1 {fits}, true"),
        "OverflowError",
        "integer result does not fit in 64 bits",
        instr,
    )
    e.bind(instr, e.let(f"load i64, ptr {at}"))


def _truth(e: Emitter, instr: Instr) -> None:
    e.bind(instr, e.let(f"icmp ne i64 {_word(e, instr)}, {_SMALL}"))


def _is_small(e: Emitter, instr: Instr) -> None:
    e.bind(instr, e.let(f"trunc i64 {_word(e, instr)} to i1"))


def _small(e: Emitter, instr: Instr) -> None:
    e.bind(instr, e.let(f"ashr i64 {_word(e, instr)}, 1"))


def _limbs(e: Emitter, instr: Instr) -> None:
    pointer = e.one(instr.operands[0])
    e.bind(instr, e.intrinsic("ptr", "@llvm.ptrmask.p0.i64", f"ptr {pointer}", "i64 -4"))


def _negative(e: Emitter, instr: Instr) -> None:
    bit = e.let(f"and i64 {_word(e, instr)}, {_NEGATIVE}")
    e.bind(instr, e.let(f"icmp ne i64 {bit}, 0"))


def _made(e: Emitter, instr: Instr) -> None:
    limbs, negative = e.operands(instr)
    step = e.let(f"select i1 {negative}, i64 {_NEGATIVE}, i64 0")
    e.bind(instr, e.let(f"getelementptr i8, ptr {limbs}, i64 {step}"))


def _high_product(e: Emitter, instr: Instr) -> None:
    one, other = (e.let(f"zext i64 {part} to i128") for part in e.operands(instr))
    whole = e.let(f"mul nuw i128 {one}, {other}")
    e.bind(instr, e.let(f"trunc i128 {e.let(f'lshr i128 {whole}, 64')} to i64"))


RULES: Mapping[OpDef, Rule] = {
    ops.BIGINT_OF: _of_int,
    ops.BIGINT_OF_TEXT: _of_text,
    ops.BIGINT_INT: _to_int,
    ops.BIGINT_TRUTH: _truth,
    ops.BIGINT_IS_SMALL: _is_small,
    ops.BIGINT_SMALL: _small,
    ops.BIGINT_LIMBS: _limbs,
    ops.BIGINT_NEGATIVE: _negative,
    ops.BIGINT_MADE: _made,
    ops.HIGH_PRODUCT: _high_product,
}
