"""Measures the error of the elementary functions in units in the last place.

`python -m tests.support.math_accuracy exp log` checks every one of the 2**32 float32 arguments,
which takes about two minutes for each function; without names it checks all functions.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import mpmath as untyped_mpmath
import numpy as np
import numpy.typing as npt

from scriptc.backends.llvm.elementary import functions as llvm_math
from tests.support.math_jit import Array, compile_map

mpmath: Any = untyped_mpmath

NAMES = sorted({name for name, _ in llvm_math.ULP})
CHUNK = 1 << 22
_MPMATH: Mapping[str, Callable[[Any], Any]] = {
    "arcsin": mpmath.asin,
    "arccos": mpmath.acos,
    "arctan": mpmath.atan,
    "arcsinh": mpmath.asinh,
    "arccosh": mpmath.acosh,
    "arctanh": mpmath.atanh,
    "exp2": lambda x: mpmath.power(2, x),
    "log2": lambda x: mpmath.log(x) / mpmath.log(2),
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
}


def float32_arguments(stride: int) -> Iterator[npt.NDArray[np.float32]]:
    """Yield every stride-th float32 by its bits: all signs, exponents, NaNs and infinities."""
    for start in range(0, 1 << 32, CHUNK * stride):
        bits = np.arange(start, min(start + CHUNK * stride, 1 << 32), stride, dtype=np.uint64)
        yield bits.astype(np.uint32).view(np.float32)


def worst_error_f32(name: str, x: npt.NDArray[np.float32], got: Array) -> tuple[float, float]:
    """Return the largest error and its argument; infinite where NaN, infinity or a sign is wrong.

    The reference is NumPy in float64, whose own error is 2**-29 of a float32 unit.
    """
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(x.astype(np.float64))
        nearest = exact.astype(np.float32)
        error = np.abs(got.astype(np.float64) - exact) / np.spacing(np.abs(nearest))
    error[~np.isfinite(nearest)] = 0.0
    is_nan = np.isnan(nearest)
    wrong = np.isnan(got) != is_nan
    wrong |= ~is_nan & (np.isinf(got) != np.isinf(nearest))
    wrong |= ~is_nan & (np.signbit(got) != np.signbit(nearest))
    error[wrong] = np.inf
    k = int(np.argmax(error))
    return float(error[k]), float(x[k])


def worst_error_f64(name: str, x: npt.NDArray[np.float64], got: Array) -> tuple[float, float]:
    """Return the largest error against mpmath, and its argument."""
    worst = (0.0, 0.0)
    with mpmath.workprec(200):
        function = _MPMATH.get(name) or getattr(mpmath, name)
        for argument, value in zip(x.tolist(), got.tolist(), strict=True):
            exact = function(mpmath.mpf(argument))
            unit = float(np.spacing(abs(float(exact))))
            worst = max(worst, (float(abs(value - exact) / unit), argument))
    return worst


def main(names: list[str]) -> None:
    for name in names or NAMES:
        function = compile_map(name, "f32")
        worst = max(worst_error_f32(name, x, function(x)) for x in float32_arguments(1))
        stated = llvm_math.ULP[name, "f32"]
        print(f"{name} f32: {worst[0]:.4f} ulp at {worst[1]!r}, stated {stated}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
