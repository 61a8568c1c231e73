"""LLVM code for the numbers that say how long folds are cut into chunks."""

from collections.abc import Mapping

from scriptc.backends.llvm.emitter.function import Emitter, Rule, literal
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import low
from scriptc_runtime.ops.opdef import OpDef


def _chunk(e: Emitter, instr: Instr) -> None:
    count, inner = e.operands(instr)
    up = e.let(f"add i64 {count}, {low.FOLD_CHUNKS - 1}")
    share = e.let(f"udiv i64 {up}, {low.FOLD_CHUNKS}")
    known = literal(inner)
    if known is None:
        some = e.intrinsic("i64", "@llvm.smax.i64", f"i64 {inner}", "i64 1")
        least = e.let(f"udiv i64 {low.FOLD_ELEMENTS}, {some}")
    else:
        least = str(low.FOLD_ELEMENTS // max(known, 1))
    most = e.intrinsic("i64", "@llvm.umax.i64", f"i64 {share}", f"i64 {least}")
    if known is None or known > 1:
        size = e.intrinsic("i64", "@llvm.umax.i64", f"i64 {most}", "i64 1")
        if known is not None:
            e.bind(instr, size)
            return
    else:
        size = most  # no less than `FOLD_ELEMENTS`
    digits = _digits_of(e, e.let(f"sub i64 {size}, 1"))
    rounded = e.let(f"shl i64 1, {digits}")
    if known is None:
        single = e.let(f"icmp sle i64 {inner}, 1")
        rounded = e.let(f"select i1 {single}, i64 {rounded}, i64 {size}")
    e.bind(instr, rounded)


def _digits(e: Emitter, instr: Instr) -> None:
    some = e.intrinsic("i64", "@llvm.smax.i64", f"i64 {e.one(instr.operands[0])}", "i64 0")
    e.bind(instr, _digits_of(e, some))


def _digits_of(e: Emitter, number: str) -> str:
    zeros = e.intrinsic("i64", "@llvm.ctlz.i64", f"i64 {number}", "i1 false")
    return e.let(f"sub i64 64, {zeros}")


def _chunks(e: Emitter, instr: Instr) -> None:
    count, size = e.operands(instr)
    more = e.let(f"add i64 {count}, {e.let(f'sub i64 {size}, 1')}")
    chunks = e.let(f"udiv i64 {more}, {size}")
    e.bind(instr, e.intrinsic("i64", "@llvm.umax.i64", f"i64 {chunks}", "i64 1"))


RULES: Mapping[OpDef, Rule] = {low.CHUNK: _chunk, low.CHUNKS: _chunks, low.DIGITS: _digits}
