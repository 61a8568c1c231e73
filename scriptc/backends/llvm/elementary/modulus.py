"""The size of a complex number, as vector code: the GNU C library's `hypot` without branches.

The root of the sum of both squares loses up to an ulp; Borges (2019) corrects it by the rounding
errors of the root, which plain arithmetic gives exactly.  Where squares would overflow or vanish
both parts are scaled by a power of two first; a lesser part whose square vanishes beside that of
the greater one does not count.  In single precision squares are exact in double precision.
"""

import math

from scriptc.backends.llvm.emitter.function import Emitter
from scriptc.backends.llvm.emitter.literals import float_constant

Pair = tuple[str, str]

_HUGE, _TINY, _SCALE = 2.0**511, 2.0**-400, 2.0**600
_LEAST = 2.0**-1000  # less than twice the size of what is not 0


def modulus(e: Emitter, t: str, parts: Pair) -> str:
    """Return the size of a number whose parts have the LLVM type `t`."""
    suffix = "f32" if t == "float" else "f64"
    sizes = [e.intrinsic(t, f"@llvm.fabs.{suffix}", f"{t} {part}") for part in parts]
    infinity = float_constant(math.inf)
    endless = [e.let(f"fcmp oeq {t} {size}, {infinity}") for size in sizes]
    either = e.let(f"or i1 {endless[0]}, {endless[1]}")
    if t == "float":
        wide = [e.let(f"fpext float {size} to double") for size in sizes]
        squares = [e.let(f"fmul double {x}, {x}") for x in wide]
        root = _root(e, e.let(f"fadd double {squares[0]}, {squares[1]}"))
        size = e.let(f"fptrunc double {root} to float")
    else:
        size = _Doubles(e).size(sizes[0], sizes[1])
    return e.let(f"select i1 {either}, {t} {infinity}, {t} {size}")


def _root(e: Emitter, x: str) -> str:
    return e.intrinsic("double", "@llvm.sqrt.f64", f"double {x}")


class _Doubles:
    """Arithmetic on doubles, written as formulas are."""

    def __init__(self, e: Emitter) -> None:
        self._e = e

    def size(self, x: str, y: str) -> str:
        """Return the size of what has the parts x and y, which are not negative."""
        swapped = self._test("olt", x, y)
        greater, lesser = self._chosen(swapped, y, x), self._chosen(swapped, x, y)
        huge = self._test("ogt", greater, _HUGE)
        tiny = self._test("olt", greater, _TINY)
        scale = self._chosen(huge, 1.0 / _SCALE, self._chosen(tiny, _SCALE, 1.0))
        back = self._chosen(huge, _SCALE, self._chosen(tiny, 1.0 / _SCALE, 1.0))
        scaled = self._corrected(self._mul(greater, scale), self._mul(lesser, scale))
        return self._mul(scaled, back)

    def _corrected(self, x: str, y: str) -> str:
        h = _root(self._e, self._add(self._mul(x, x), self._mul(y, y)))
        twice = self._add(y, y)
        near = self._test("ole", h, twice)
        delta = self._sub(h, self._chosen(near, y, x))
        double = self._add(delta, delta)
        between = self._sub(x, y)
        near_first = self._mul(x, self._sub(double, x))
        near_second = self._mul(self._sub(delta, self._add(between, between)), delta)
        far_first = self._mul(double, self._sub(x, twice))
        lower = self._mul(self._sub(self._mul(delta, 4.0), y), y)
        far_second = self._add(lower, self._mul(delta, delta))
        first = self._chosen(near, near_first, far_first)
        second = self._chosen(near, near_second, far_second)
        both = self._add(h, h)
        divisor = self._chosen(self._test("olt", both, _LEAST), _LEAST, both)  # 0 / 0 is no error
        error = self._binary("fdiv", self._add(first, second), divisor)
        return self._sub(h, error)

    def _add(self, a: str, b: str) -> str:
        return self._binary("fadd", a, b)

    def _sub(self, a: str, b: str) -> str:
        return self._binary("fsub", a, b)

    def _mul(self, a: str, b: str | float) -> str:
        return self._binary("fmul", a, b)

    def _binary(self, op: str, a: str, b: str | float) -> str:
        return self._e.let(f"{op} double {a}, {_written(b)}")

    def _test(self, predicate: str, a: str, b: str | float) -> str:
        return self._e.let(f"fcmp {predicate} double {a}, {_written(b)}")

    def _chosen(self, condition: str, a: str | float, b: str | float) -> str:
        return self._e.let(f"select i1 {condition}, double {_written(a)}, double {_written(b)}")


def _written(x: str | float) -> str:
    return x if isinstance(x, str) else float_constant(x)
