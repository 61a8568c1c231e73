"""Quotients and remainders of vectors of ints by each other, as those of floats.

    x // y      q = floor(float(x) / float(y))      where both lie between -2**51 and 2**51
    x % y       x - q * y

No processor divides vectors of ints. The quotient of two such floats is rounded to a whole number
only if it is one: one below q + 1 is so by 1 / y or more, which is more than half a unit in the
last place of what is at most 2**51 / y. What lies beyond is divided one element after the other.

A whole number is added to 1.5 * 2**52 as bits, whose last bit is a one: that is the float.
"""

from scriptc.backends.llvm.emitter.effort import AS_WRITTEN
from scriptc.backends.llvm.emitter.function import SELDOM, Emitter, literal
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.types import DType

_BITS = 51
_MAGIC = 3 << 51  # a float whose last bit is a one, and so are those near to it
_MAGIC_BITS = 0x4338000000000000


def divides_ints(e: Emitter, instr: Instr) -> bool:
    """Whether `write_int_quotients` knows the op for these operands.

    By constants LLVM divides vectors of 32 bits itself.
    """
    if instr.op not in (ops.FLOORDIV, ops.MOD) or not e.state.own_math:
        return False
    dtype, divisor = instr.result.type, instr.operands[1]
    if any(v.type is not dtype for v in instr.operands):
        return False
    known = literal(e.one(divisor)) if divisor in e.values else None
    return dtype is DType.I64 or (dtype is DType.I32 and known is None)


def write_int_quotients(e: Emitter, lanes: int, instr: Instr, x: str, y: str) -> str:
    """Write the quotients of two vectors, or the remainders, and return their name."""
    is_mod = instr.op is ops.MOD
    if instr.result.type is DType.I32:
        t = f"<{lanes} x i64>"
        wide = [e.let(f"sext <{lanes} x i32> {each} to {t}") for each in (x, y)]
        found = _by_floats(e, lanes, *wide, is_mod=is_mod)
        return e.let(f"trunc {t} {found} to <{lanes} x i32>")
    v = f"<{lanes} x i64>"
    far = [e.let(f"add {v} {each}, splat (i64 {1 << _BITS})") for each in (x, y)]
    farther = e.let(f"or {v} {far[0]}, {far[1]}")
    beyond = e.let(f"icmp ugt {v} {farther}, splat (i64 {(2 << _BITS) - 1})")
    some = e.let(f"icmp ne i{lanes} {e.let(f'bitcast <{lanes} x i1> {beyond} to i{lanes}')}, 0")
    each, near, done = e.label(), e.label(), e.label()
    e.branch(some, each, near, SELDOM)
    e.start(each)
    one_by_one = e.let(f"call {v} {_each(e, lanes, is_mod)}({v} {x}, {v} {y})")
    e.jump(done)
    e.start(near)
    found, last = _by_floats(e, lanes, x, y, is_mod=is_mod), e.block
    e.jump(done)
    e.start(done)
    return e.let(f"phi {v} [ {one_by_one}, %{each} ], [ {found}, %{last} ]")


def _by_floats(e: Emitter, lanes: int, x: str, y: str, *, is_mod: bool) -> str:
    v, floats, floor = f"<{lanes} x i64>", f"<{lanes} x double>", f"@llvm.floor.v{lanes}f64"
    e.declare(f"declare {floats} {floor}({floats})")
    zero = e.let(f"icmp eq {v} {y}, zeroinitializer")
    divisor = e.let(f"select <{lanes} x i1> {zero}, {v} splat (i64 1), {v} {y}")
    quotient = e.let(f"fdiv {floats} {_to_float(e, lanes, x)}, {_to_float(e, lanes, divisor)}")
    whole = e.let(f"call {floats} {floor}({floats} {quotient})")
    # Of 32 bits, also the least by -1: 2**31, which wraps.
    found = e.let(f"fadd {floats} {whole}, splat (double {float(_MAGIC)})")
    bits = e.let(f"bitcast {floats} {found} to {v}")
    value = e.let(f"sub {v} {bits}, splat (i64 {_MAGIC_BITS})")
    if is_mod:
        # By 1 in place of 0 the remainder is 0, as NumPy has it.
        value = e.let(f"sub {v} {x}, {e.let(f'mul {v} {value}, {divisor}')}")
        return value
    return e.let(f"select <{lanes} x i1> {zero}, {v} zeroinitializer, {v} {value}")


def _to_float(e: Emitter, lanes: int, x: str) -> str:
    v, floats = f"<{lanes} x i64>", f"<{lanes} x double>"
    bits = e.let(f"add {v} {x}, splat (i64 {_MAGIC_BITS})")
    return e.let(
        f"fsub {floats} {e.let(f'bitcast {v} {bits} to {floats}')}, splat (double {float(_MAGIC)})"
    )


def _each(e: Emitter, lanes: int, is_mod: bool) -> str:
    """Return the name of the function that divides one element after the other."""
    name = f"@{'mod' if is_mod else 'floordiv'}_each.v{lanes}i64"
    text = _EACH.format(
        name=name,
        v=f"<{lanes} x i64>",
        lanes=lanes,
        how=AS_WRITTEN,
        value=_REST if is_mod else _FLOOR,
    )
    if text not in e.state.helpers:
        e.state.helpers.append(text)
    return name


# As `rules/integers.py` has it: 0 by 0, and the least int by -1 is itself.
_EACH = """\
define internal {v} {name}({v} %all, {v} %others) {how} {{
entry:
  %xs = alloca {v}
  %ys = alloca {v}
  %values = alloca {v}
  store {v} %all, ptr %xs
  store {v} %others, ptr %ys
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %after, %lane ]
  %x.at = getelementptr i64, ptr %xs, i64 %i
  %y.at = getelementptr i64, ptr %ys, i64 %i
  %value.at = getelementptr i64, ptr %values, i64 %i
  %x = load i64, ptr %x.at
  %y = load i64, ptr %y.at
  %zero = icmp eq i64 %y, 0
  %minus = icmp eq i64 %y, -1
  %up = add i64 %y, 1
  %special = icmp ult i64 %up, 2
  %divisor = select i1 %special, i64 1, i64 %y
  %quotient = sdiv i64 %x, %divisor
  %rest = srem i64 %x, %divisor
  %some = icmp ne i64 %rest, 0
  %signs = xor i64 %rest, %divisor
  %apart = icmp slt i64 %signs, 0
  %adjust = and i1 %some, %apart
{value}
  store i64 %value, ptr %value.at
  %after = add i64 %i, 1
  %done = icmp eq i64 %after, {lanes}
  br i1 %done, label %out, label %lane
out:
  %found = load {v}, ptr %values
  ret {v} %found
}}"""
_REST = """\
  %shift = select i1 %adjust, i64 %divisor, i64 0
  %value = add i64 %rest, %shift"""
_FLOOR = """\
  %less = zext i1 %adjust to i64
  %floor = sub i64 %quotient, %less
  %negative = sub i64 0, %x
  %signed = select i1 %minus, i64 %negative, i64 %floor
  %value = select i1 %zero, i64 0, i64 %signed"""
