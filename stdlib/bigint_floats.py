"""Ints of any size beside floats, in the script language."""

import math

from scriptc_runtime import unsafe


def order_beside(x, y: float, of_nan: int) -> int:
    """Return -1, 0 or 1: whether `x` is less than, equal to or more than `y`; `of_nan` for NaN."""
    if math.isnan(y):
        return of_nan
    if math.isinf(y):
        return -1 if y > 0.0 else 1
    whole = unsafe.bigint_of_float(y)
    if x != whole:
        return -1 if x < whole else 1
    rest = y - math.trunc(y) if abs(y) < 4503599627370496.0 else 0.0
    return int(rest < 0.0) - int(rest > 0.0)


def log(x) -> float:
    """Return the natural logarithm."""
    _require_positive(x)
    if x.bit_length() <= 1023:
        return math.log(float(x))
    return math.log(_first_bits(x)) + math.log(2.0) * x.bit_length()


def log2(x) -> float:
    """Return the logarithm to base 2."""
    _require_positive(x)
    if x.bit_length() <= 1023:
        return math.log2(float(x))
    return math.log2(_first_bits(x)) + x.bit_length()


def log10(x) -> float:
    """Return the logarithm to base 10."""
    _require_positive(x)
    if x.bit_length() <= 1023:
        return math.log10(float(x))
    return math.log10(_first_bits(x)) + math.log10(2.0) * x.bit_length()


def _require_positive(x) -> None:
    if x <= 0:
        raise ValueError("math domain error")


def _first_bits(x) -> float:
    """Return a number by the power of two above it, as CPython takes it apart."""
    below = x.bit_length() - 64
    head = x >> below
    if head << below != x:
        head |= 1  # below what is rounded off: it breaks a tie
    return float(head) / 18446744073709551616.0
