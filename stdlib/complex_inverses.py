"""Inverse functions of `cmath`, in the script language, by the formulas of CPython's cmathmodule.c.

They are those of Kahan, "Branch cuts for complex elementary functions" (1987). What `acos` and the
others make of infinities and NaN is C's Annex G, to which CPython's tables add no exception.
"""

import math

from scriptc_runtime import unsafe


def root(x: float, y: float) -> tuple[float, float]:
    """Return the parts of a square root, scaled so that nothing overflows or is denormal."""
    if x == 0.0 and y == 0.0:
        return 0.0, y
    ax, ay = abs(x), abs(y)
    if max(ax, ay) < 2.2250738585072014e-308:
        wide = ax * 2.0**53
        s = math.sqrt(wide + unsafe.c_hypot(wide, ay * 2.0**53)) * 2.0**-27
    else:
        s = 2.0 * math.sqrt(ax / 8.0 + unsafe.c_hypot(ax / 8.0, ay / 8.0))
    d = ay / (2.0 * s)
    if x >= 0.0:
        return s, math.copysign(d, y)
    return d, math.copysign(s, y)


def is_large(x: float, y: float) -> bool:
    """Whether a part is beyond a quarter of the largest float, so that sums could overflow."""
    return max(abs(x), abs(y)) > 4.49423283715579e307


def log_of_size(x: float, y: float) -> float:
    """Return the logarithm of twice the size of a large number."""
    return math.log(unsafe.c_hypot(x / 2.0, y / 2.0)) + 0.6931471805599453 * 2.0


def angle(y: float, x: float) -> float:
    """Return the angle of a number; NaN where a part is."""
    return math.nan if math.isnan(x) or math.isnan(y) else math.atan2(y, x)


def acos(x: float, y: float) -> complex:
    """Return the arc cosine; its cuts lie outside of -1 to 1."""
    if not (math.isfinite(x) and math.isfinite(y)):
        if math.isinf(x) or math.isinf(y):
            end = math.inf if math.isnan(y) else -math.copysign(math.inf, y)
            return complex(angle(abs(y), x), end)
        return complex(math.pi / 2 if x == 0.0 else math.nan, math.nan)
    if is_large(x, y):
        size = log_of_size(x, y)
        imag = -math.copysign(size, y) if x < 0.0 else math.copysign(size, -y)
        return complex(math.atan2(abs(y), x), imag)
    a, b = root(1.0 - x, -y)
    c, d = root(1.0 + x, y)
    return complex(2.0 * math.atan2(a, c), math.asinh(c * b - d * a))


def acosh(x: float, y: float) -> complex:
    """Return the inverse hyperbolic cosine; its cut lies below 1."""
    if not (math.isfinite(x) and math.isfinite(y)):
        if math.isinf(x) or math.isinf(y):
            return complex(math.inf, angle(y, x))
        return complex(math.nan, math.nan)
    if is_large(x, y):
        return complex(log_of_size(x, y), math.atan2(y, x))
    a, b = root(x - 1.0, y)
    c, d = root(x + 1.0, y)
    return complex(math.asinh(a * c + b * d), 2.0 * math.atan2(b, c))


def asin(x: float, y: float) -> complex:
    """Return the arc sine: that of i z, turned back."""
    found = asinh(-y, x)
    return complex(found.imag, -found.real)


def asinh(x: float, y: float) -> complex:
    """Return the inverse hyperbolic sine; its cuts lie outside of -i to i."""
    if not (math.isfinite(x) and math.isfinite(y)):
        if math.isinf(x) or math.isinf(y):
            end = math.inf if math.isnan(x) else math.copysign(math.inf, x)
            return complex(end, angle(y, abs(x)))
        return complex(math.nan, y if y == 0.0 else math.nan)
    if is_large(x, y):
        size = log_of_size(x, y)
        real = math.copysign(size, x) if y >= 0.0 else -math.copysign(size, -x)
        return complex(real, math.atan2(y, abs(x)))
    a, b = root(1.0 + y, -x)
    c, d = root(1.0 - y, x)
    return complex(math.asinh(a * d - c * b), math.atan2(y, a * c - b * d))


def atan(x: float, y: float) -> complex:
    """Return the arc tangent: that of i z, turned back."""
    found = atanh(-y, x)
    return complex(found.imag, -found.real)


def atanh(x: float, y: float) -> complex:
    """Return the inverse hyperbolic tangent; its cuts lie outside of -1 to 1, which are poles."""
    if not (math.isfinite(x) and math.isfinite(y)):
        real = 0.0 if math.isnan(x) else math.copysign(0.0, x)
        if math.isinf(y):
            return complex(real, math.copysign(math.pi / 2, y))
        if math.isinf(x):
            return complex(real, math.nan if math.isnan(y) else math.copysign(math.pi / 2, y))
        return complex(x if x == 0.0 else math.nan, math.nan)
    if math.copysign(1.0, x) < 0.0:
        found = positive_atanh(-x, -y)
        return complex(-found.real, -found.imag)
    return positive_atanh(x, y)


def positive_atanh(x: float, y: float) -> complex:
    """Return the inverse hyperbolic tangent of a number whose real part has no minus."""
    ay = abs(y)
    if max(x, ay) > 6.703903964971298e153:
        half = unsafe.c_hypot(x / 2.0, y / 2.0)
        return complex(x / 4.0 / half / half, -math.copysign(math.pi / 2.0, -y))
    if x == 1.0 and ay < 1.4916681462400413e-154:
        if ay == 0.0:
            raise ValueError("math domain error")
        real = -math.log(math.sqrt(ay) / math.sqrt(unsafe.c_hypot(ay, 2.0)))
        return complex(real, math.copysign(math.atan2(2.0, -ay) / 2.0, y))
    real = math.log1p(4.0 * x / ((1.0 - x) * (1.0 - x) + ay * ay)) / 4.0
    return complex(real, -math.atan2(-2.0 * y, (1.0 - x) * (1.0 + x) - ay * ay) / 2.0)


def isclose(a: complex, b: complex, rel_tol: float, abs_tol: float) -> bool:
    """Whether two numbers are near each other: by `rel_tol` times the larger one, or `abs_tol`."""
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    for part in (a.real, a.imag, b.real, b.imag):
        if math.isinf(part):
            return False
    distance = unsafe.c_hypot(a.real - b.real, a.imag - b.imag)
    sizes = max(unsafe.c_hypot(a.real, a.imag), unsafe.c_hypot(b.real, b.imag))
    return distance <= rel_tol * sizes or distance <= abs_tol
