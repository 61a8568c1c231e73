"""Writes the LLVM IR of an elementary function, instruction by instruction.

The bodies of functions ask for operations by these methods alone, so that a subclass can write them
in another language; `backends/cuda/functions.py` does. All roundings are spelled out: fused
multiply-adds are written as such, and no fast-math flag lets LLVM choose others, so a result is the
same in a vector body, in its scalar rest and on every target.
"""

import json
import math
import os
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from scriptc.backends.llvm.elementary.far import far_definitions
from scriptc_runtime.record import field, record

# What a function returns for a number in two parts: the head is the sum rounded.
Parts = tuple[str, str]


@record
class Format:
    """A floating-point format and the limits the algorithms take from it."""

    llvm: str
    bits: int
    mantissa: int  # explicit bits
    bias: int
    exp_low: float  # below, exp is 0 ...
    exp_high: float  # ... and above, infinite
    exp2_low: float
    exp2_high: float
    expm1_low: float  # below, expm1 is -1
    tanh_high: float  # above, tanh is 1
    tiny: float  # smallest normal number
    lift: int  # 2**lift makes every subnormal number normal
    sinh_high: float  # above, sinh is infinite
    trig_high: float  # from here on, sin, cos and tan need more of pi
    square_high: float  # from here on, x^2 + 1 is x^2
    libm_suffix: str

    @property
    def round_magic(self) -> float:
        """1.5 times the smallest number without fraction bits: adding it rounds to an integer."""
        return math.ldexp(1.5, self.mantissa)

    def encode(self, value: float) -> int:
        """Return the bits of a number in this format."""
        codes = ("<d", "<Q") if self.bits == 64 else ("<f", "<I")
        return struct.unpack(codes[1], struct.pack(codes[0], value))[0]


FORMATS: Mapping[str, Format] = {
    "f64": Format(
        llvm="double",
        bits=64,
        mantissa=52,
        bias=1023,
        exp_low=-746.0,
        exp_high=710.0,
        exp2_low=-1076.0,
        exp2_high=1024.0,
        expm1_low=-40.0,
        tanh_high=20.0,
        sinh_high=711.0,
        tiny=2.0**-1022,
        lift=54,
        trig_high=2.0**45,
        square_high=2.0**30,
        libm_suffix="",
    ),
    "f32": Format(
        llvm="float",
        bits=32,
        mantissa=23,
        bias=127,
        exp_low=-104.0,
        exp_high=89.0,
        exp2_low=-151.0,
        exp2_high=128.0,
        expm1_low=-20.0,
        tanh_high=9.5,
        sinh_high=90.0,
        tiny=2.0**-126,
        lift=25,
        trig_high=2.0**15,
        square_high=2.0**14,
        libm_suffix="f",
    ),
}


@cache
def _constants(type_: str) -> Mapping[str, Sequence[float]]:
    # `pathlib` takes longer to import than all of this module.
    with open(os.path.join(os.path.dirname(__file__), "tables.json"), encoding="utf-8") as file:
        tables: Mapping[str, Mapping[str, Sequence[str]]] = json.load(file)
    return {
        name: [float.fromhex(value) for value in values] for name, values in tables[type_].items()
    }


@record(frozen=False)
class Emitter:
    """Writes one function, instruction by instruction.

    Operands are SSA names, or Python numbers for constants: floats and integers as the operation
    asks. Every method returns the name of its result.
    """

    type_: str
    lines: list[str] = field(default_factory=list[str])
    declarations: set[str] = field(default_factory=set[str])
    definitions: list[str] = field(default_factory=list[str])  # of what it calls

    @property
    def format(self) -> Format:
        """The format of the function."""
        return FORMATS[self.type_]

    def table(self, name: str) -> Sequence[float]:
        """Return constants by their name in the table."""
        return _constants(self.type_)[name]

    def _emit(self, instruction: str) -> str:
        """Write an instruction."""
        name = f"%t{len(self.lines)}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    def add(self, a: str | float, b: str | float) -> str:
        """Return a + b."""
        return self._binary("fadd", a, b)

    def sub(self, a: str | float, b: str | float) -> str:
        """Return a - b."""
        return self._binary("fsub", a, b)

    def mul(self, a: str | float, b: str | float) -> str:
        """Return a * b."""
        return self._binary("fmul", a, b)

    def div(self, a: str | float, b: str | float) -> str:
        """Return a / b."""
        return self._binary("fdiv", a, b)

    def neg(self, a: str) -> str:
        """Return -a."""
        return self._emit(f"fneg {self.format.llvm} {a}")

    def fma(self, a: str | float, b: str | float, c: str | float) -> str:
        """Return a*b + c, rounded once."""
        return self._intrinsic("fma", a, b, c)

    def sqrt(self, a: str) -> str:
        """Return the square root."""
        return self._intrinsic("sqrt", a)

    def trunc(self, a: str) -> str:
        """Return a without its fraction."""
        return self._intrinsic("trunc", a)

    def fabs(self, a: str) -> str:
        """Return the absolute value."""
        return self._intrinsic("fabs", a)

    def copysign(self, magnitude: str | float, sign: str) -> str:
        """Return a magnitude with a sign."""
        return self._intrinsic("copysign", magnitude, sign)

    def compare(self, predicate: str, a: str, b: str | float) -> str:
        """Return what LLVM's fcmp says of two numbers."""
        return self._emit(f"fcmp {predicate} {self.format.llvm} {a}, {self.constant(b)}")

    def select(self, condition: str, a: str | float, b: str | float) -> str:
        """Return a where the condition holds, else b."""
        t = self.format.llvm
        return self._emit(f"select i1 {condition}, {t} {self.constant(a)}, {t} {self.constant(b)}")

    def either(self, a: str, b: str) -> str:
        """Return whether one condition holds."""
        return self._emit(f"or i1 {a}, {b}")

    def both(self, a: str, b: str) -> str:
        """Return whether both conditions hold."""
        return self._emit(f"and i1 {a}, {b}")

    def opposite(self, a: str) -> str:
        """Return whether a condition does not hold."""
        return self._emit(f"xor i1 {a}, true")

    def different(self, a: str, b: str) -> str:
        """Return whether just one condition holds."""
        return self._emit(f"xor i1 {a}, {b}")

    def integer(self, op: str, a: str | int, b: str | int) -> str:
        """Apply an integer operation, wrapping, on values as wide as the float type."""
        return self._emit(f"{op} i{self.format.bits} {a}, {b}")

    def multiply_high(self, a: str, b: str) -> str:
        """Return the upper half of a product of unsigned integers; of f64 alone."""
        wide = [self._emit(f"zext i64 {x} to i128") for x in (a, b)]
        product = self._emit(f"mul i128 {wide[0]}, {wide[1]}")
        return self._emit(f"trunc i128 {self._emit(f'lshr i128 {product}, 64')} to i64")

    def look_up(self, name: str, words: Sequence[int], place: str) -> str:
        """Return the word at a place of a table of 64-bit integers; of f64 alone."""
        t, table = f"[{len(words)} x i64]", f"@sc.table_{name}"
        definition = f"{table} = private constant {t} [{', '.join(f'i64 {w}' for w in words)}]\n"
        if definition not in self.definitions:
            self.definitions.append(definition)
        at = self._emit(f"getelementptr inbounds {t}, ptr {table}, i64 0, i64 {place}")
        return self._emit(f"load i64, ptr {at}")

    def repeat_while(
        self, start: str, goes_on: Callable[[str], str], step: Callable[[str], str]
    ) -> str:
        """Return the first of the numbers x, step(x), ... from which it does not go on.

        Of functions that stand apart: in a loop over elements, this would stop the vectoriser.
        """
        number, before = len(self.lines), self._block()
        self.lines += [f"  br label %head{number}", f"head{number}:", ""]
        phi = len(self.lines) - 1
        x = f"%t{phi}"
        condition = goes_on(x)
        self.lines.append(f"  br i1 {condition}, label %step{number}, label %done{number}")
        self.lines.append(f"step{number}:")
        after = step(x)
        edges = f"[ {start}, %{before} ], [ {after}, %{self._block()} ]"
        self.lines += [f"  br label %head{number}", f"done{number}:"]
        self.lines[phi] = f"  {x} = phi {self.format.llvm} {edges}"
        return x

    def _block(self) -> str:
        labels = (line[:-1] for line in reversed(self.lines) if line.endswith(":"))
        return next(labels, "entry")

    def compare_integers(self, predicate: str, a: str, b: str | int) -> str:
        """Return what LLVM's icmp says of two integers as wide as the float type."""
        return self._emit(f"icmp {predicate} i{self.format.bits} {a}, {b}")

    def select_integer(self, condition: str, a: str | int, b: str | int) -> str:
        """Return an integer a where the condition holds, else b."""
        t = f"i{self.format.bits}"
        return self._emit(f"select i1 {condition}, {t} {a}, {t} {b}")

    def to_bits(self, a: str) -> str:
        """Return the bits of a number, as an integer."""
        return self._emit(f"bitcast {self.format.llvm} {a} to i{self.format.bits}")

    def from_bits(self, a: str) -> str:
        """Return the number with these bits."""
        return self._emit(f"bitcast i{self.format.bits} {a} to {self.format.llvm}")

    def power_of_two(self, biased_exponent: str) -> str:
        """Return the power of two with this biased exponent, an integer."""
        return self.from_bits(self.integer("shl", biased_exponent, self.format.mantissa))

    def power_of_rounded(self, magic: str, more: int = 0, *, inverse: bool = False) -> str:
        """Return 2^(more + n), or 2^(more - n), of an n that is in the low bits of a number."""
        n, zero = self.to_bits(magic), self.format.encode(self.format.round_magic)
        if inverse:
            return self.power_of_two(self.integer("sub", zero + self.format.bias + more, n))
        return self.power_of_two(self.integer("add", n, self.format.bias + more - zero))

    def halved_powers_of_two(self, magic: str) -> Parts:
        """Return two powers of two whose product is 2^n; both are normal for every n."""
        shift = 2 * self.format.bias - self.format.encode(self.format.round_magic)
        both = self.integer("add", self.to_bits(magic), shift)  # n plus twice the bias
        low = self.integer("lshr", both, 1)
        return self.power_of_two(low), self.power_of_two(self.integer("sub", both, low))

    def polynomial(self, name: str, x: str) -> str:
        """Return the value at x of a polynomial of the table.

        Terms of even and of odd degree are two chains side by side: a loop whose next iteration
        waits for the function waits half as long, and a vector has one more product.
        """
        terms = self.table(name)
        square = self.mul(x, x)
        even, odd = self._horner(terms[::2], square), self._horner(terms[1::2], square)
        return self.fma(odd, x, even)

    def _horner(self, terms: Sequence[float], x: str) -> str | float:
        *lower, last = terms
        result: str | float = last
        for coefficient in reversed(lower):
            result = self.fma(result, x, coefficient)
        return result

    def clamp(self, x: str, low: float, high: float) -> str:
        """Limit x to [low, high]; NaN passes, because ordered comparisons with it are false."""
        x = self.select(self.compare("ogt", x, high), high, x)
        return self.select(self.compare("olt", x, low), low, x)

    def add_exact(self, a: str | float, b: str) -> Parts:
        """Return a + b and its rounding error; |a| >= |b|, or a is 0 (Dekker)."""
        total = self.add(a, b)
        return total, self.add(self.sub(a, total), b)

    def mul_exact(self, a: str, b: str | float) -> Parts:
        """Return a * b and its rounding error."""
        product = self.mul(a, b)
        return product, self.fma(a, b, self.neg(product))

    def mul_parts(self, a: Parts, b: tuple[str | float, str | float]) -> Parts:
        """Return the product of two numbers in two parts, but for the product of their tails."""
        head, error = self.mul_exact(a[0], b[0])
        return head, self.fma(a[0], b[1], self.fma(a[1], b[0], error))

    def widened(self) -> "Emitter":
        """Return an emitter of f64 instructions into the same function."""
        return Emitter("f64", self.lines, self.declarations, self.definitions)

    def widen(self, x: str) -> str:
        """Return an f32 as f64."""
        return self._emit(f"fpext float {x} to double")

    def narrow(self, x: str) -> str:
        """Return an f64, rounded to f32."""
        return self._emit(f"fptrunc double {x} to float")

    def beyond(self, name: str, operands: Sequence[str], near: str, size: str, limit: float) -> str:
        """Return `near`, or what `far_NAME` makes of the operands where |size| reaches a limit."""
        t = self.format.llvm
        definitions, declarations, callee = far_definitions(
            name, self.type_, t, self.constant(limit), len(operands)
        )
        self.definitions.extend(definitions)
        self.declarations |= declarations
        given = ", ".join(f"{t} {value}" for value in (size, near, *operands))
        return self._emit(f"call {t} {callee.format(given)}")

    def _binary(self, op: str, a: str | float, b: str | float) -> str:
        return self._emit(f"{op} {self.format.llvm} {self.constant(a)}, {self.constant(b)}")

    def _intrinsic(self, name: str, *arguments: str | float) -> str:
        t, callee = self.format.llvm, f"@llvm.{name}.{self.type_}"
        self.declarations.add(f"declare {t} {callee}({', '.join([t] * len(arguments))})")
        operands = ", ".join(f"{t} {self.constant(a)}" for a in arguments)
        return self._emit(f"call {t} {callee}({operands})")

    def constant(self, a: str | float) -> str:
        """Write an operand; LLVM spells float constants as the bits of the same double."""
        if isinstance(a, str):
            return a
        return f"0x{FORMATS['f64'].encode(a):016X}"
