"""Quotients of vectors by a number that stays the same: every second one without a division.

    x / d  for many x               r = 1 / d            once
                            =>      q = x * r            within two units of the last place
                                    e = q * d - x        exact, as only one rounding is made
                                    x / d = q - e * r    rounded once: the quotient, bit for bit

(P. Markstein, Computation of elementary functions on the IBM RISC System/6000 processor, 1990;
N. Brisebarre, J.-M. Muller, S. K. Raina, Accelerating correctly rounded floating-point division
when the divisor is known in advance, 2004.)  It holds where no exponent comes near the end of its
range: d is a positive number between 2**-300 and 2**300, x is a zero or at least 2**-700 from it,
and q is finite.  What is not so is divided.

A processor divides beside its other work, a vector in the time of about ten instructions.  So a
loop that divides once is as fast with the division; one that divides several times waits for it,
and is balanced where half of its quotients are done by other units.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from scriptc.backends.llvm.emitter.function import SELDOM, Emitter
from scriptc.backends.llvm.vectors import lanes as vectors_lanes
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.types import DType

_LEAST = (1023 - 700) << 52  # 2**-700 as bits
_DIVISORS = ("0x2D30000000000000", "0x52B0000000000000")  # 2**-300, 2**300
_NAN = "0x7FF8000000000000"


def without_division(
    e: Emitter, body: Sequence[Instr], lanes: AbstractSet[Value]
) -> AbstractSet[Instr]:
    """Return the quotients of a loop to write as products; `lanes` are those of its values."""
    if not e.state.own_math:  # which needs the same instructions
        return frozenset()
    # What an iteration makes is none of it, though another version of the loop has made it before.
    made = {*lanes, *(value for instr in body for value in instr.results)}
    quotients = [instr for instr in body if _divides_by_one_number(e, instr, lanes, made)]
    return frozenset(quotients[1::2])


def _divides_by_one_number(
    e: Emitter, instr: Instr, lanes: AbstractSet[Value], made: AbstractSet[Value]
) -> bool:
    if instr.op is not ops.DIV or instr.result.type is not DType.F64:
        return False
    dividend, divisor = instr.operands
    return dividend in lanes and divisor not in made and divisor in e.values


class Divisor:
    """What a loop needs of a number that it divides by, written before the loop."""

    def __init__(self, e: Emitter, lanes: int, number: Value) -> None:
        self._e = e
        self._lanes = lanes
        d = e.one(number)
        large = e.let(f"fcmp oge double {d}, {_DIVISORS[0]}")
        small = e.let(f"fcmp ole double {d}, {_DIVISORS[1]}")
        fits = e.let(f"and i1 {large}, {small}")
        inverse = e.let(f"select i1 {fits}, double {e.let(f'fdiv double 1.0, {d}')}, double {_NAN}")
        self._number = vectors_lanes.splat(e, lanes, d, "double")
        self._inverse = vectors_lanes.splat(e, lanes, inverse, "double")

    def quotient(self, x: str) -> str:
        """Write the quotients of a vector."""
        e, n = self._e, self._lanes
        v, fma = f"<{n} x double>", f"@llvm.fma.v{n}f64"
        e.declare(f"declare {v} {fma}({v}, {v}, {v})")
        near = e.let(f"fmul {v} {x}, {self._inverse}")
        less = e.let(f"fneg {v} {x}")
        error = e.let(f"call {v} {fma}({v} {near}, {v} {self._number}, {v} {less})")
        back = e.let(f"fneg {v} {error}")
        exact = e.let(f"call {v} {fma}({v} {back}, {v} {self._inverse}, {v} {near})")
        strange = self._is_strange(x, exact)
        divide, done, before = e.label(), e.label(), e.block
        e.branch(strange, divide, done, SELDOM)
        e.start(divide)
        divided = e.let(f"fdiv {v} {x}, {self._number}")
        e.jump(done)
        e.start(done)
        return e.let(f"phi {v} [ {exact}, %{before} ], [ {divided}, %{divide} ]")

    def _is_strange(self, x: str, quotient: str) -> str:
        """Write whether any element is too small, or any quotient no number.

        That it is where x is large or no number, as q is infinite then, and where d does not fit.
        """
        e, n = self._e, self._lanes
        v, ints = f"<{n} x double>", f"<{n} x i64>"
        none = e.let(f"fcmp uno {v} {quotient}, zeroinitializer")
        bits = e.let(f"bitcast {v} {x} to {ints}")
        # Twice the bits have no sign; a zero, less one, is larger than anything.
        twice = e.let(f"add {ints} {bits}, {bits}")
        lowered = e.let(f"add {ints} {twice}, splat (i64 -1)")
        small = e.let(f"icmp ult {ints} {lowered}, splat (i64 {2 * _LEAST - 1})")
        either = e.let(f"or <{n} x i1> {none}, {small}")
        return e.let(f"icmp ne i{n} {e.let(f'bitcast <{n} x i1> {either} to i{n}')}, 0")
