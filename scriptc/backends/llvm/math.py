"""Elementary functions as LLVM IR text: scalar, inlined, and made for loops that vectorise.

A call `call double @sc_exp_f64(double %x)` inside a loop becomes straight-line vector code: the
functions touch no memory and have no branches (but a call for far sin and cos). All roundings are
spelled out: fused multiply-adds are written as such, and no fast-math flag lets LLVM choose others,
so a result is the same in a vector body, in its scalar rest and on every target.

- exp, expm1, exp2: x = n ln2 + r with |r| <= ln2/2, a polynomial in r, and 2^n applied as two
  factors, so that subnormal results and the top binade come out right.
- log, log1p: x = 2^k m with m in [sqrt(1/2), sqrt(2)), then a polynomial for log(m).
- sin, cos: x = n pi/2 + r with pi/2 in three parts and r in two (Cody and Waite). Where n would
  not fit any more, libm is called.
- arctan, arctan2: the quotient of the lesser by the greater, brought to at most tan(pi/8), then a
  polynomial, and a multiple of pi/4 in two parts.
- tanh: expm1(2|x|) / (expm1(2|x|) + 2), with the sign of x.

NaN, infinities, signs of zeros, subnormals and the edges of overflow are those of NumPy.
"""

import json
import math
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from scriptc_runtime.record import field, record

# Largest error, in units in the last place of the exact result, that a function may show. For f32
# it was measured on every argument (`python -m tests.math_accuracy`), for f64 on millions.
ULP: Mapping[tuple[str, str], float] = {
    ("exp", "f64"): 1.2,
    ("exp", "f32"): 1.1,
    ("exp2", "f64"): 1.2,
    ("exp2", "f32"): 1.1,
    ("expm1", "f64"): 2.5,
    ("expm1", "f32"): 1.7,
    ("log", "f64"): 0.9,
    ("log", "f32"): 0.9,
    ("log1p", "f64"): 1.5,
    ("log1p", "f32"): 1.4,
    ("sin", "f64"): 0.9,
    ("sin", "f32"): 0.8,
    ("cos", "f64"): 0.9,
    ("cos", "f32"): 0.8,
    ("arctan", "f64"): 2.2,
    ("arctan", "f32"): 2.2,
    ("tanh", "f64"): 3.0,
    ("tanh", "f32"): 2.5,
}
# The same for functions of two arguments.
ULP_OF_TWO: Mapping[tuple[str, str], float] = {("arctan2", "f64"): 2.5, ("arctan2", "f32"): 2.5}

# Without a fused multiply-add instruction llvm.fma is a library call, thirty times slower than
# calling libm for the whole function. x86 has it from "+fma" on; every 64-bit Arm has it.
FMA_FEATURES = frozenset({"fma", "neon", "fp-armv8"})


@record
class Text:
    """Parts of a module: function definitions, and declarations to be merged with others."""

    definitions: str
    declarations: frozenset[str]


def functions(names: Iterable[tuple[str, str]]) -> Text:
    """Return the text of the asked (function, type) pairs, each once, in a fixed order."""
    emitters = [_emit_function(name, type_) for name, type_ in sorted(set(names))]
    declarations = (e.declarations for e in emitters)
    return Text("\n".join(e.text for e in emitters), frozenset[str]().union(*declarations))


def symbol(name: str, type_: str) -> str:
    """Return the global name of a function, as in `@sc_exp_f64`."""
    if (name, type_) not in {**ULP, **ULP_OF_TWO}:
        raise ValueError(f"no {type_} function {name}")
    return f"@sc_{name}_{type_}"


def available(features: str) -> bool:
    """Say whether a target with these LLVM features ("+fma,-avx512f,...") should use this module.

    The caller uses libm where it should not.
    """
    settings = {feature[1:]: feature[0] == "+" for feature in features.split(",") if feature}
    return any(settings.get(name, False) for name in FMA_FEATURES)


@record
class _Format:
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
    trig_high: float  # from here on, sin and cos go to libm
    libm_suffix: str

    @property
    def round_magic(self) -> float:
        """1.5 times the smallest number without fraction bits: adding it rounds to an integer."""
        return math.ldexp(1.5, self.mantissa)

    def encode(self, value: float) -> int:
        """Return the bits of a number in this format."""
        codes = ("<d", "<Q") if self.bits == 64 else ("<f", "<I")
        return struct.unpack(codes[1], struct.pack(codes[0], value))[0]


_FORMATS: Mapping[str, _Format] = {
    "f64": _Format(
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
        tiny=2.0**-1022,
        lift=54,
        trig_high=2.0**45,
        libm_suffix="",
    ),
    "f32": _Format(
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
        tiny=2.0**-126,
        lift=25,
        trig_high=2.0**15,
        libm_suffix="f",
    ),
}


@cache
def _constants(type_: str) -> Mapping[str, Sequence[float]]:
    path = Path(__file__).with_name("math_tables.json")
    tables: Mapping[str, Mapping[str, Sequence[str]]] = json.loads(path.read_text("utf-8"))
    return {
        name: [float.fromhex(value) for value in values] for name, values in tables[type_].items()
    }


@record(frozen=False)
class _Emitter:
    """Writes one function, instruction by instruction.

    Operands are SSA names, or Python numbers for constants: floats and integers as the operation
    asks. Every method returns the name of its result.
    """

    type_: str
    lines: list[str] = field(default_factory=list[str])
    declarations: set[str] = field(default_factory=set[str])
    text: str = ""  # the finished definitions
    count: int = 0

    @property
    def format(self) -> _Format:
        return _FORMATS[self.type_]

    def table(self, name: str) -> Sequence[float]:
        return _constants(self.type_)[name]

    def emit(self, instruction: str) -> str:
        self.count += 1
        self.lines.append(f"  %t{self.count} = {instruction}")
        return f"%t{self.count}"

    def add(self, a: str | float, b: str | float) -> str:
        return self._binary("fadd", a, b)

    def sub(self, a: str | float, b: str | float) -> str:
        return self._binary("fsub", a, b)

    def mul(self, a: str | float, b: str | float) -> str:
        return self._binary("fmul", a, b)

    def div(self, a: str | float, b: str | float) -> str:
        return self._binary("fdiv", a, b)

    def fma(self, a: str | float, b: str | float, c: str | float) -> str:
        """Return a*b + c, rounded once."""
        return self._intrinsic("fma", a, b, c)

    def fabs(self, a: str) -> str:
        return self._intrinsic("fabs", a)

    def copysign(self, magnitude: str, sign: str) -> str:
        return self._intrinsic("copysign", magnitude, sign)

    def compare(self, predicate: str, a: str, b: str | float) -> str:
        return self.emit(f"fcmp {predicate} {self.format.llvm} {a}, {self.constant(b)}")

    def select(self, condition: str, a: str | float, b: str | float) -> str:
        t = self.format.llvm
        return self.emit(f"select i1 {condition}, {t} {self.constant(a)}, {t} {self.constant(b)}")

    def integer(self, op: str, a: str | int, b: str | int) -> str:
        """Apply an integer operation, wrapping, on values as wide as the float type."""
        return self.emit(f"{op} i{self.format.bits} {a}, {b}")

    def to_bits(self, a: str) -> str:
        return self.emit(f"bitcast {self.format.llvm} {a} to i{self.format.bits}")

    def from_bits(self, a: str) -> str:
        return self.emit(f"bitcast i{self.format.bits} {a} to {self.format.llvm}")

    def power_of_two(self, biased_exponent: str) -> str:
        return self.from_bits(self.integer("shl", biased_exponent, self.format.mantissa))

    def polynomial(self, name: str, x: str) -> str:
        *lower, last = self.table(name)
        result: str | float = last
        for coefficient in reversed(lower):
            result = self.fma(result, x, coefficient)
        return str(result)

    def clamp(self, x: str, low: float, high: float) -> str:
        """Limit x to [low, high]; NaN passes, because ordered comparisons with it are false."""
        x = self.select(self.compare("ogt", x, high), high, x)
        return self.select(self.compare("olt", x, low), low, x)

    def _binary(self, op: str, a: str | float, b: str | float) -> str:
        return self.emit(f"{op} {self.format.llvm} {self.constant(a)}, {self.constant(b)}")

    def _intrinsic(self, name: str, *arguments: str | float) -> str:
        t, callee = self.format.llvm, f"@llvm.{name}.{self.type_}"
        self.declarations.add(f"declare {t} {callee}({', '.join([t] * len(arguments))})")
        operands = ", ".join(f"{t} {self.constant(a)}" for a in arguments)
        return self.emit(f"call {t} {callee}({operands})")

    def constant(self, a: str | float) -> str:
        """Write an operand; LLVM spells float constants as the bits of the same double."""
        if isinstance(a, str):
            return a
        return f"0x{_FORMATS['f64'].encode(a):016X}"


def _emit_function(name: str, type_: str) -> _Emitter:
    emitter = _Emitter(type_)
    t = emitter.format.llvm
    if name in _BODIES_OF_TWO:
        parameters, result = f"{t} %x, {t} %y", _BODIES_OF_TWO[name](emitter, "%x", "%y")
    else:
        parameters, result = f"{t} %x", _BODIES[name](emitter, "%x")
    emitter.text += (
        f"define internal {t} {symbol(name, type_)}({parameters})"
        " alwaysinline nounwind willreturn memory(none) {\nentry:\n"
        + "\n".join(emitter.lines)
        + f"\n  ret {t} {result}\n}}\n"
    )
    return emitter


def _exp(e: _Emitter, x: str) -> str:
    x = e.clamp(x, e.format.exp_low, e.format.exp_high)
    remainder, magic = _reduce_exp(e, x)
    low, high = _halve_exponent(e, magic)
    return e.mul(e.fma(low, _exp_minus_one(e, remainder), low), high)


def _exp2(e: _Emitter, x: str) -> str:
    x = e.clamp(x, e.format.exp2_low, e.format.exp2_high)
    magic = e.add(x, e.format.round_magic)
    fraction = e.sub(x, e.sub(magic, e.format.round_magic))  # exact
    low, high = _halve_exponent(e, magic)
    head, tail = e.table("ln2")
    remainder = e.fma(fraction, head, e.mul(fraction, tail))
    return e.mul(e.fma(low, _exp_minus_one(e, remainder), low), high)


def _expm1(e: _Emitter, x: str) -> str:
    clamped = e.clamp(x, e.format.expm1_low, e.format.exp_high)
    return e.copysign(_expm1_clamped(e, clamped), x)  # keeps -0.0


def _expm1_clamped(e: _Emitter, x: str) -> str:
    """2^n (p + 1) - 1, with n split as in exp: 2^high (2^low p + (2^low - 2^-high))."""
    remainder, magic = _reduce_exp(e, x)
    low, high = _halve_exponent(e, magic)
    inverse_bits = e.integer("sub", 2 * e.format.bias << e.format.mantissa, e.to_bits(high))
    rest = e.sub(low, e.from_bits(inverse_bits))
    return e.mul(e.fma(low, _exp_minus_one(e, remainder), rest), high)


def _reduce_exp(e: _Emitter, x: str) -> tuple[str, str]:
    """Return r = x - n ln2, and a number whose low bits hold n = round(x / ln2)."""
    magic = e.fma(x, e.table("log2_e")[0], e.format.round_magic)
    n = e.sub(magic, e.format.round_magic)
    head, tail = e.table("ln2")
    return e.fma(n, -tail, e.fma(n, -head, x)), magic


def _exp_minus_one(e: _Emitter, r: str) -> str:
    return e.fma(e.mul(r, r), e.polynomial("exp", r), r)


def _halve_exponent(e: _Emitter, magic: str) -> tuple[str, str]:
    """Return two powers of two whose product is 2^n; both are normal numbers for every n."""
    shift = 2 * e.format.bias - e.format.encode(e.format.round_magic)
    both = e.integer("add", e.to_bits(magic), shift)  # n plus twice the bias
    low = e.integer("lshr", both, 1)
    high = e.integer("sub", both, low)
    return e.power_of_two(low), e.power_of_two(high)


def _log(e: _Emitter, x: str) -> str:
    lift = e.format.lift
    subnormal = e.compare("olt", x, e.format.tiny)
    lifted = e.select(subnormal, e.mul(x, 2.0**lift), x)
    k, m, _ = _split_exponent(e, lifted)
    k = e.sub(k, e.select(subnormal, float(lift), 0.0))
    return _fix_log(e, x, _log_of_parts(e, e.sub(m, 1.0), k), pole=0.0)


def _log1p(e: _Emitter, x: str) -> str:
    """Take log of u = 1 + x, and give the rounding error of u back to the reduced argument."""
    u = e.add(x, 1.0)
    k, m, biased = _split_exponent(e, u)
    error_large = e.sub(1.0, e.sub(u, x))
    error_small = e.sub(x, e.sub(u, 1.0))
    error = e.select(e.compare("oge", x, 1.0), error_large, error_small)
    inverse = e.power_of_two(e.integer("sub", 2 * e.format.bias, biased))  # 2^-k, but for huge k
    inverse = e.select(e.compare("olt", x, math.ldexp(1.0, e.format.mantissa + 2)), inverse, 0.0)
    f = e.fma(error, inverse, e.sub(m, 1.0))
    result = _fix_log(e, x, _log_of_parts(e, f, k), pole=-1.0)
    return e.select(e.compare("oeq", x, 0.0), x, result)  # keeps -0.0


def _split_exponent(e: _Emitter, x: str) -> tuple[str, str, str]:
    """Split a positive normal x = 2^k m: k as a float, m, and k as a biased integer."""
    mantissa, bias = e.format.mantissa, e.format.bias
    bits = e.to_bits(x)
    offset = (bias << mantissa) - e.format.encode(e.table("sqrt_half")[0])
    biased = e.integer("lshr", e.integer("add", bits, offset), mantissa)
    # An integer becomes a float through the bits of 2^mantissa + k: AVX2 cannot convert i64.
    two = math.ldexp(1.0, mantissa)
    k = e.sub(e.from_bits(e.integer("or", biased, e.format.encode(two))), two + bias)
    m_bits = e.integer("sub", bits, e.integer("shl", biased, mantissa))
    return k, e.from_bits(e.integer("add", m_bits, bias << mantissa)), biased


def _log_of_parts(e: _Emitter, f: str, k: str) -> str:
    """Return log(1 + f) + k ln2."""
    head, tail = e.table("ln2_exact_head")
    low_part = e.mul(k, tail)
    match e.type_:
        case "f64":  # s = f/(2+f); log(1+f) = f - f^2/2 + s (f^2/2 + s^2 q(s^2))
            s = e.div(f, e.add(f, 2.0))
            s2 = e.mul(s, s)
            half_square = e.mul(e.mul(f, 0.5), f)
            inner = e.fma(s2, e.polynomial("log_ratio", s2), half_square)
            small = e.sub(e.fma(s, inner, low_part), half_square)
        case "f32":
            square = e.mul(f, f)
            cubic = e.fma(e.mul(f, square), e.polynomial("log_direct", f), low_part)
            small = e.fma(square, -0.5, cubic)
        case _:
            raise ValueError(f"no such type: {e.type_}")
    return e.fma(k, head, e.add(small, f))


def _fix_log(e: _Emitter, x: str, result: str, pole: float) -> str:
    result = e.select(e.compare("oeq", x, math.inf), x, result)
    result = e.select(e.compare("olt", x, pole), math.nan, result)
    result = e.select(e.compare("oeq", x, pole), -math.inf, result)
    return e.select(e.compare("uno", x, x), x, result)


def _sin(e: _Emitter, x: str) -> str:
    sine = _sine_of_quadrant(e, x, 0)
    sine = e.select(e.compare("oeq", x, 0.0), x, sine)  # keeps -0.0
    return _call_libm_beyond(e, "sin", x, sine)


def _cos(e: _Emitter, x: str) -> str:
    return _call_libm_beyond(e, "cos", x, _sine_of_quadrant(e, x, 1))


def _sine_of_quadrant(e: _Emitter, x: str, quadrants: int) -> str:
    """Return sin(x + quadrants pi/2)."""
    head, tail, magic = _reduce_trig(e, x)
    square = e.mul(head, head)
    sine, cosine = _sin_reduced(e, head, tail, square), _cos_reduced(e, head, tail, square)
    n = e.integer("add", e.to_bits(magic), quadrants)
    odd = e.emit(f"icmp ne i{e.format.bits} {e.integer('and', n, 1)}, 0")
    sign = e.integer("shl", e.integer("and", n, 2), e.format.bits - 2)
    return e.from_bits(e.integer("xor", e.to_bits(e.select(odd, cosine, sine)), sign))


def _reduce_trig(e: _Emitter, x: str) -> tuple[str, str, str]:
    """Return x - n pi/2 as head + tail, and a number whose low bits hold n.

    Near multiples of pi/2 almost all bits cancel, so the second part of pi/2 is subtracted with
    its rounding errors kept: those of the product (fma) and of the difference (Knuth's TwoSum).
    """
    first, second, third = e.table("half_pi")
    magic = e.fma(x, e.table("two_over_pi")[0], e.format.round_magic)
    n = e.sub(magic, e.format.round_magic)
    r = e.fma(n, -first, x)  # exact
    product = e.mul(n, second)
    product_error = e.fma(n, -second, product)
    head = e.sub(r, product)
    part = e.sub(head, r)
    head_error = e.sub(e.sub(r, e.sub(head, part)), e.add(product, part))
    return head, e.fma(n, -third, e.add(head_error, product_error)), magic


def _sin_reduced(e: _Emitter, head: str, tail: str, square: str) -> str:
    """sin(head + tail) = head + (head^3 q + tail (1 - head^2/2))."""
    tail_part = e.fma(e.mul(square, -0.5), tail, tail)
    return e.add(head, e.fma(e.mul(head, square), e.polynomial("sin", square), tail_part))


def _cos_reduced(e: _Emitter, head: str, tail: str, square: str) -> str:
    """cos(head + tail) = w + ((1 - w - head^2/2) + head^4 q - head tail), w = 1 - head^2/2."""
    w = e.fma(square, -0.5, 1.0)
    w_error = e.fma(square, -0.5, e.sub(1.0, w))
    rest = e.sub(w_error, e.mul(head, tail))
    return e.add(w, e.fma(e.mul(square, square), e.polynomial("cos", square), rest))


def _call_libm_beyond(e: _Emitter, name: str, x: str, near: str) -> str:
    """Replace the result by libm's where the reduction does not reach.

    Written as a branch around a call, this would stop the vectoriser. So the test hides in a
    function with vector variants of our own, one of which it takes: they test all lanes at once,
    and go through them only if one is far.
    """
    t, far = e.format.llvm, f"sc_{name}_far_{e.type_}"
    lane_counts = [width // e.format.bits for width in _VECTOR_WIDTHS]
    fields = {
        "t": t,
        "type_": e.type_,
        "far": far,
        "libm": f"@{name}{e.format.libm_suffix}",
        "limit": e.constant(e.format.trig_high),
    }
    e.text += _FAR.format(**fields)
    e.text += "".join(_FAR_LANES.format(n=n, **fields) for n in lane_counts)
    e.declarations |= {
        f"declare {t} {fields['libm']}({t})",
        f"declare {t} @llvm.fabs.{e.type_}({t})",
        *(f"declare <{n} x {t}> @llvm.fabs.v{n}{e.type_}(<{n} x {t}>)" for n in lane_counts),
    }
    variants = ",".join(f"_ZGV_LLVM_N{n}vv_{far}({far}_lanes{n})" for n in lane_counts)
    call = f"call {t} @{far}({t} {x}, {t} {near})"
    return e.emit(f'{call} "vector-function-abi-variant"="{variants}"')


_VECTOR_WIDTHS = (128, 256, 512)  # bits

_FAR = """\
define internal {t} @{far}({t} %x, {t} %near) noinline nounwind willreturn memory(none) {{
entry:
  %size = call {t} @llvm.fabs.{type_}({t} %x)
  %beyond = fcmp oge {t} %size, {limit}
  br i1 %beyond, label %call, label %done
call:
  %y = call {t} {libm}({t} %x)
  br label %done
done:
  %result = phi {t} [ %near, %entry ], [ %y, %call ]
  ret {t} %result
}}
"""

# The linkage is weak, because nothing calls a variant until the vectoriser has run, and an internal
# function would be gone by then.  The test of all lanes is inlined behind the vectoriser, see
# `machine.py`: a call in every round would leave nothing in registers.  `minsize` keeps the loop
# over the lanes from being unrolled.
_FAR_LANES = """\
define weak_odr hidden <{n} x {t}> @{far}_lanes{n}(<{n} x {t}> %x, <{n} x {t}> %near)
  alwaysinline nounwind willreturn memory(none) {{
entry:
  %size = call <{n} x {t}> @llvm.fabs.v{n}{type_}(<{n} x {t}> %x)
  %beyond = fcmp oge <{n} x {t}> %size, splat ({t} {limit})
  %mask = bitcast <{n} x i1> %beyond to i{n}
  %all_near = icmp eq i{n} %mask, 0
  br i1 %all_near, label %done, label %some_far, !prof !{{!"branch_weights", i32 1048576, i32 1}}
some_far:
  %each = call <{n} x {t}> @{far}_each{n}(<{n} x {t}> %x, <{n} x {t}> %near)
  br label %done
done:
  %result = phi <{n} x {t}> [ %near, %entry ], [ %each, %some_far ]
  ret <{n} x {t}> %result
}}
define weak_odr hidden <{n} x {t}> @{far}_each{n}(<{n} x {t}> %x, <{n} x {t}> %near)
  noinline cold minsize optsize nounwind willreturn memory(none) {{
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %lane ]
  %before = phi <{n} x {t}> [ %near, %entry ], [ %after, %lane ]
  %x_i = extractelement <{n} x {t}> %x, i64 %i
  %near_i = extractelement <{n} x {t}> %near, i64 %i
  %y_i = call {t} @{far}({t} %x_i, {t} %near_i)
  %after = insertelement <{n} x {t}> %before, {t} %y_i, i64 %i
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, {n}
  br i1 %end, label %done, label %lane
done:
  ret <{n} x {t}> %after
}}
"""


def _arctan(e: _Emitter, x: str) -> str:
    magnitude = e.fabs(x)
    steep = e.compare("ogt", magnitude, 1.0)
    lesser, greater = e.select(steep, 1.0, magnitude), e.select(steep, magnitude, 1.0)
    return e.copysign(_angle(e, e.div(lesser, greater), [(steep, 2.0)]), x)


def _arctan2(e: _Emitter, y: str, x: str) -> str:
    rise, run = e.fabs(y), e.fabs(x)
    steep = e.compare("ogt", rise, run)
    lesser, greater = e.select(steep, run, rise), e.select(steep, rise, run)
    quotient = e.div(lesser, greater)
    # Where inf/inf and 0/0 are no numbers the angle still is one.
    quotient = e.select(e.compare("oeq", lesser, greater), 1.0, quotient)
    quotient = e.select(e.compare("oeq", e.add(rise, run), 0.0), 0.0, quotient)
    backward = e.emit(f"icmp slt i{e.format.bits} {e.to_bits(x)}, 0")  # -0.0 too
    return e.copysign(_angle(e, quotient, [(steep, 2.0), (backward, 4.0)]), y)


def _angle(e: _Emitter, tangent: str, mirrors: Sequence[tuple[str, float]]) -> str:
    """Return the angle of a tangent from 0 to 1, then m pi/4 less it where each mirror holds.

    The angle is k pi/4 + sign * p; the small parts are added first, so that one rounding counts.
    """
    high = e.compare("ogt", tangent, e.table("tan_eighth_pi")[0])
    turned = e.div(e.sub(tangent, 1.0), e.add(tangent, 1.0))
    u = e.select(high, turned, tangent)
    square = e.mul(u, u)
    part = e.fma(e.mul(u, square), e.polynomial("arctan", square), u)
    k: str = e.select(high, 1.0, 0.0)
    sign: str | float = 1.0
    for holds, m in mirrors:
        k = e.select(holds, e.sub(m, k), k)
        sign = e.select(holds, e.sub(0.0, sign), sign)
    head, tail = e.table("quarter_pi")
    base = e.mul(k, head)
    rest = e.fma(k, tail, e.fma(k, head, e.sub(0.0, base)))
    return e.add(base, e.fma(part, sign, rest))


def _tanh(e: _Emitter, x: str) -> str:
    magnitude = e.fabs(x)
    limit = e.format.tanh_high
    magnitude = e.select(e.compare("ogt", magnitude, limit), limit, magnitude)
    grown = _expm1_clamped(e, e.add(magnitude, magnitude))
    return e.copysign(e.div(grown, e.add(grown, 2.0)), x)


_BODIES: Mapping[str, Callable[[_Emitter, str], str]] = {
    "exp": _exp,
    "exp2": _exp2,
    "expm1": _expm1,
    "log": _log,
    "log1p": _log1p,
    "sin": _sin,
    "cos": _cos,
    "arctan": _arctan,
    "tanh": _tanh,
}

_BODIES_OF_TWO: Mapping[str, Callable[[_Emitter, str, str], str]] = {"arctan2": _arctan2}
