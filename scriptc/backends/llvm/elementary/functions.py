"""Elementary functions as LLVM IR text: scalar, inlined, and made for loops that vectorise.

A call `call double @sc_exp_f64(double %x)` inside a loop becomes straight-line vector code: the
functions touch no memory and have no branches (but a call for far sin, cos and tan, and fmod, of
functions that stand apart). The modules `exponentials`, `logarithms`, `trigonometry`, `powers` and
`remainders` say how.

NaN, infinities, signs of zeros, subnormals and the edges of overflow are those of NumPy.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from scriptc.backends.llvm.elementary import (
    complexes,
    errors,
    exponentials,
    logarithms,
    powers,
    remainders,
    trigonometry,
)
from scriptc.backends.llvm.elementary.emitter import Emitter
from scriptc.backends.llvm.elementary.far import PART, far_name, symbol_apart
from scriptc.backends.llvm.elementary.modulus import modulus
from scriptc_runtime.record import record

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
    ("log2", "f64"): 1.0,
    ("log2", "f32"): 1.0,
    ("log10", "f64"): 1.0,
    ("log10", "f32"): 1.0,
    ("sin", "f64"): 0.9,
    ("sin", "f32"): 0.8,
    ("cos", "f64"): 0.9,
    ("cos", "f32"): 0.8,
    ("tan", "f64"): 1.2,
    ("tan", "f32"): 1.3,
    ("arcsin", "f64"): 1.2,
    ("arcsin", "f32"): 1.2,
    ("arccos", "f64"): 1.2,
    ("arccos", "f32"): 1.2,
    ("arctan", "f64"): 2.2,
    ("arctan", "f32"): 2.2,
    ("sinh", "f64"): 2.4,
    ("sinh", "f32"): 2.0,
    ("cosh", "f64"): 1.8,
    ("cosh", "f32"): 1.9,
    ("tanh", "f64"): 3.0,
    ("tanh", "f32"): 2.5,
    ("arcsinh", "f64"): 2.0,
    ("arcsinh", "f32"): 2.0,
    ("arccosh", "f64"): 2.4,
    ("arccosh", "f32"): 2.4,
    ("arctanh", "f64"): 2.3,
    ("arctanh", "f32"): 2.5,
    ("cbrt", "f64"): 0.6,
    ("cbrt", "f32"): 0.6,
}
# The same for functions of two arguments.
ULP_OF_TWO: Mapping[tuple[str, str], float] = {
    ("arctan2", "f64"): 2.5,
    ("arctan2", "f32"): 2.5,
    ("hypot", "f64"): 0.6,
    ("hypot", "f32"): 0.6,
    ("pow", "f64"): 1.0,
    ("pow", "f32"): 0.6,
}
# The same for functions of `math` that NumPy does not have.
ULP_OF_SPECIAL: Mapping[tuple[str, str], float] = {
    ("erf", "f64"): 1.0,
    ("erf", "f32"): 0.6,
    ("erfc", "f64"): 4.0,
    ("erfc", "f32"): 0.6,
}
# What is no approximation: the result is exact.
EXACT = ("fmod",)
# What is the GNU C library's, to the bit.
AS_LIBM = ("modulus",)
# Powers with a literal exponent, which have functions of their own, keep within this.
ULP_OF_LITERAL_POWERS = 0.6


@record
class Text:
    """Parts of a module: function definitions, and declarations to be merged with others."""

    definitions: str
    declarations: frozenset[str]


def functions(names: Iterable[tuple[str, str]]) -> Text:
    """Return the text of the asked (function, type) pairs, each once, in a fixed order."""
    emitters = [_emit_function(name, type_) for name, type_ in sorted(set(names))]
    declarations = (e.declarations for e in emitters)
    return Text(
        "\n".join(dict.fromkeys(text for e in emitters for text in e.definitions)),
        frozenset[str]().union(*declarations),
    )


def symbol(name: str, type_: str) -> str:
    """Return the global name of a function, as in `@sc_exp_f64`."""
    exact = (*powers.LITERAL_POWERS, *EXACT, *AS_LIBM, *_PARTS)
    if (name, type_) not in {**ULP, **ULP_OF_TWO, **ULP_OF_SPECIAL} and name not in exact:
        raise ValueError(f"no {type_} function {name}")
    return f"@sc_{name}_{type_}"


def has_function(name: str) -> bool:
    """Whether there is a function of this name."""
    return name in _BODIES or name in _BODIES_OF_TWO


def parameters_of(name: str) -> Sequence[str]:
    """Return the names of a function's parameters."""
    return ("x", "y") if name in _BODIES_OF_TWO else ("x",)


def write_body(emitter: Emitter, name: str, operands: Sequence[str]) -> str:
    """Write what a function computes of operands, and return its result."""
    if name in _BODIES_OF_TWO:
        x, y = operands
        return _BODIES_OF_TWO[name](emitter, x, y)
    return _BODIES[name](emitter, operands[0])


def text_apart(part: str) -> str:
    """Return a part of the support code: a function that is not inlined, by the part's name."""
    name, _, type_ = part.removeprefix(PART).rpartition("_")
    emitter = _emit(name, type_, "define", f"@{symbol_apart(name, type_)}", "")
    return "\n".join((*sorted(emitter.declarations), *emitter.definitions))


def _emit_function(name: str, type_: str) -> Emitter:
    return _emit(name, type_, "define internal", symbol(name, type_), "alwaysinline ")


def _emit(name: str, type_: str, define: str, symbol: str, attributes: str) -> Emitter:
    emitter = Emitter(type_)
    t = emitter.format.llvm
    names = [f"%{parameter}" for parameter in parameters_of(name)]
    parameters, result = ", ".join(f"{t} {n}" for n in names), write_body(emitter, name, names)
    own = (
        f"{define} {t} {symbol}({parameters})"
        f" {attributes}nounwind willreturn memory(none) {{\nentry:\n"
        + "\n".join(emitter.lines)
        + f"\n  ret {t} {result}\n}}\n"
    )
    emitter.definitions.append(own)
    return emitter


_OfTwo = Callable[[Emitter, str, str], str]
_BODIES: Mapping[str, Callable[[Emitter, str], str]] = {
    "exp": exponentials.exp,
    "exp2": exponentials.exp2,
    "expm1": exponentials.expm1,
    "sinh": exponentials.sinh,
    "cosh": exponentials.cosh,
    "tanh": exponentials.tanh,
    "log": logarithms.log,
    "log2": logarithms.log2,
    "log10": logarithms.log10,
    "log1p": logarithms.log1p,
    "arcsinh": logarithms.arcsinh,
    "arccosh": logarithms.arccosh,
    "arctanh": logarithms.arctanh,
    "sin": trigonometry.sin,
    "cos": trigonometry.cos,
    "tan": trigonometry.tan,
    "arcsin": trigonometry.arcsin,
    "arccos": trigonometry.arccos,
    "arctan": trigonometry.arctan,
    "cbrt": powers.cbrt,
    **powers.LITERAL_POWERS,
    "erf": errors.erf,
    "erfc": errors.erfc,
    far_name("sin"): trigonometry.far_sin,
    far_name("cos"): trigonometry.far_cos,
    far_name("tan"): trigonometry.far_tan,
}


def _part_of(function: Callable[[Emitter, str, str], tuple[str, str]], part: int) -> _OfTwo:
    return lambda e, x, y: function(e, x, y)[part]


# The parts of functions of complex numbers, of f64 alone.
_PARTS: Mapping[str, _OfTwo] = {
    f"complex_{name}_{part}": _part_of(function, i)
    for name, function in complexes.FUNCTIONS.items()
    for i, part in enumerate(("real", "imag"))
}
_BODIES_OF_TWO: Mapping[str, _OfTwo] = {
    **_PARTS,
    "arctan2": trigonometry.arctan2,
    "fmod": remainders.fmod,
    far_name("fmod"): remainders.far_fmod,
    "hypot": powers.hypot,
    "modulus": modulus,
    "pow": powers.power,
}
