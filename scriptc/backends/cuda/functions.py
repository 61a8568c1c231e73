"""The elementary functions of machine code as CUDA C++: the same operations, so the same bits.

Their bodies in `backends/llvm/elementary` ask an emitter for one operation after the other; this
one writes C++. Each operation is rounded as IEEE says, on both sides: products and sums stay apart
(`--fmad=false`), fused ones are asked for. A source has the functions that its kernels call, by
`sc_exp_f64` and the like.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from scriptc.backends.llvm.elementary.emitter import Emitter
from scriptc.backends.llvm.elementary.far import far_name
from scriptc.backends.llvm.elementary.functions import has_function, parameters_of, write_body
from scriptc_runtime.ops import elementary
from scriptc_runtime.ops.opdef import OpDef

_FLOATS: Mapping[str, str] = {"f32": "float", "f64": "double"}
_INTEGERS: Mapping[str, str] = {"f32": "unsigned", "f64": "sc_u64"}
_SIGNED: Mapping[str, str] = {"f32": "int", "f64": "long long"}
_OPERATORS: Mapping[str, str] = {
    **{"fadd": "+", "fsub": "-", "fmul": "*", "fdiv": "/"},
    **{"add": "+", "sub": "-", "mul": "*", "shl": "<<", "lshr": ">>"},
    **{"and": "&", "or": "|", "xor": "^"},
}
_COMPARISONS: Mapping[str, str] = {
    **{"eq": "==", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<="},
}
# What holds also where an operand is no number is the opposite of an ordered comparison.
_OPPOSITES: Mapping[str, str] = {"gt": "<=", "ge": "<", "lt": ">=", "le": ">"}
# C's names of functions of floats where they are not NumPy's.
C_NAMES: Mapping[OpDef, str] = {
    elementary.ARCSIN: "asin",
    elementary.ARCCOS: "acos",
    elementary.ARCTAN: "atan",
    elementary.ARCTAN2: "atan2",
    elementary.ARCSINH: "asinh",
    elementary.ARCCOSH: "acosh",
    elementary.ARCTANH: "atanh",
    elementary.C_POW: "pow",
    elementary.GAMMA: "tgamma",
}


def symbol(name: str, type_: str) -> str:
    """Return what a function of floats is called in kernels."""
    return f"sc_{name}_{type_}"


def functions_of(texts: Iterable[str]) -> str:
    """Return the functions that C++ texts call, and those that these call, in C++."""
    left, made = _called(texts), dict[tuple[str, str], tuple[str, str]]()
    while left:
        call = left.pop()
        made[call] = _function(*call)
        left |= _called(made[call][1:]) - made.keys()
    functions = [made[call] for call in sorted(made)]
    return "".join([*(f"{head};\n" for head, _ in functions), *map("".join, functions)])


_CALL = re.compile(r"\bsc_(\w+)_(f32|f64)\(")


def _called(texts: Iterable[str]) -> set[tuple[str, str]]:
    found = (match.groups() for text in texts for match in _CALL.finditer(text))
    return {(name, type_) for name, type_ in found if has_function(name)}


def _function(name: str, type_: str) -> tuple[str, str]:
    """Return the head and the body of a function."""
    writer, parameters, t = _Writer(type_), parameters_of(name), _FLOATS[type_]
    result = write_body(writer, name, parameters)
    given = ", ".join(f"{t} {parameter}" for parameter in parameters)
    body = "\n".join((" {", *writer.lines, f"  return {result};", "}\n"))
    return f"static __device__ {t} {symbol(name, type_)}({given})", body


class _Writer(Emitter):
    """Writes operations as statements of C++, each to a variable of its own."""

    def neg(self, a: str) -> str:
        return self._float(f"-{a}")

    def compare(self, predicate: str, a: str, b: str | float) -> str:
        return self._condition(_comparison(predicate, a, self.constant(b)))

    def select(self, condition: str, a: str | float, b: str | float) -> str:
        return self._float(f"{condition} ? {self.constant(a)} : {self.constant(b)}")

    def either(self, a: str, b: str) -> str:
        return self._condition(f"{a} | {b}")

    def both(self, a: str, b: str) -> str:
        return self._condition(f"{a} & {b}")

    def opposite(self, a: str) -> str:
        return self._condition(f"!{a}")

    def different(self, a: str, b: str) -> str:
        return self._condition(f"{a} != {b}")

    def integer(self, op: str, a: str | int, b: str | int) -> str:
        return self._integer(f"{self._whole(a)} {_OPERATORS[op]} {self._whole(b)}")

    def multiply_high(self, a: str, b: str) -> str:
        return self._integer(f"__umul64hi({a}, {b})")

    def look_up(self, name: str, words: Sequence[int], place: str) -> str:
        table = f"table_{name}"
        head = f"  static const sc_u64 {table}[{len(words)}] = "
        if not any(line.startswith(head) for line in self.lines):
            self.lines.append(f"{head}{{{', '.join(map(self._whole, words))}}};")
        return self._integer(f"{table}[{place}]")

    def repeat_while(
        self, start: str, goes_on: Callable[[str], str], step: Callable[[str], str]
    ) -> str:
        x = f"t{len(self.lines)}"
        self.lines += [f"  {_FLOATS[self.type_]} {x} = {start};", "  for (;;) {"]
        condition = goes_on(x)
        self.lines.append(f"  if (!{condition}) break;")
        self.lines += [f"  {x} = {step(x)};", "  }"]
        return x

    def compare_integers(self, predicate: str, a: str, b: str | int) -> str:
        cast = f"({_SIGNED[self.type_]})" if predicate.startswith("s") else ""
        sign = _COMPARISONS[predicate.removeprefix("s").removeprefix("u")]
        return self._condition(f"{cast}{a} {sign} {cast}{self._whole(b)}")

    def select_integer(self, condition: str, a: str | int, b: str | int) -> str:
        return self._integer(f"{condition} ? {self._whole(a)} : {self._whole(b)}")

    def to_bits(self, a: str) -> str:
        called = "__float_as_int" if self.type_ == "f32" else "__double_as_longlong"
        return self._integer(f"({_INTEGERS[self.type_]}){called}({a})")

    def from_bits(self, a: str) -> str:
        called = "__int_as_float" if self.type_ == "f32" else "__longlong_as_double"
        return self._float(f"{called}(({_SIGNED[self.type_]}){a})")

    def widened(self) -> "_Writer":
        return _Writer("f64", self.lines)

    def widen(self, x: str) -> str:
        return self._let("double", f"(double){x}")

    def narrow(self, x: str) -> str:
        return self._let("float", f"(float){x}")

    def beyond(self, name: str, operands: Sequence[str], near: str, size: str, limit: float) -> str:
        far = f"{symbol(far_name(name), self.type_)}({', '.join(operands)})"
        return self._float(f"{self.fabs(size)} >= {self.constant(limit)} ? {far} : {near}")

    def constant(self, a: str | float) -> str:
        if isinstance(a, str):
            return a
        width = self.type_.upper()
        if math.isnan(a):
            return f"SC_NAN_{width}"
        size = f"SC_INF_{width}" if math.isinf(a) else abs(a).hex() + self.format.libm_suffix
        return f"(-{size})" if math.copysign(1.0, a) < 0 else size

    def _binary(self, op: str, a: str | float, b: str | float) -> str:
        return self._float(f"{self.constant(a)} {_OPERATORS[op]} {self.constant(b)}")

    def _intrinsic(self, name: str, *arguments: str | float) -> str:
        given = ", ".join(map(self.constant, arguments))
        return self._float(f"{name}{self.format.libm_suffix}({given})")

    def _whole(self, a: str | int) -> str:
        if isinstance(a, str):
            return a
        suffix = "ULL" if self.format.bits == 64 else "U"
        return f"0x{a & ((1 << self.format.bits) - 1):x}{suffix}"

    def _float(self, text: str) -> str:
        return self._let(_FLOATS[self.type_], text)

    def _integer(self, text: str) -> str:
        return self._let(_INTEGERS[self.type_], text)

    def _condition(self, text: str) -> str:
        return self._let("bool", text)

    def _let(self, type_: str, text: str) -> str:
        name = f"t{len(self.lines)}"
        self.lines.append(f"  const {type_} {name} = {text};")
        return name


def _comparison(predicate: str, a: str, b: str) -> str:
    """Return what LLVM's fcmp says of two numbers, in C++."""
    order, test = predicate[0], predicate[1:]
    if predicate in ("oeq", "une"):
        return f"{a} {_COMPARISONS[test]} {b}"
    if predicate in ("uno", "ord"):
        join, equal = ("|", "!=") if predicate == "uno" else ("&", "==")
        return f"({a} {equal} {a}) {join} ({b} {equal} {b})"
    if order == "u":
        return f"!({a} {_OPPOSITES[test]} {b})"
    return f"{a} {_COMPARISONS[test]} {b}"
