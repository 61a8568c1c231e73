"""The functions of `math` that call the C library give CPython's results, to the bit."""

# The script has no annotations: its types come from the calls.
# pyright: basic

import math

import numpy as np

from scriptc import script


@script
def _of_any(x):
    return math.tan(x), math.asinh(x), math.cbrt(x), math.tan(math.sqrt(x * x))


@script
def _of_some(x):
    return math.asin(x), math.acos(x), math.atanh(x), math.sinh(x), math.cosh(x)


@script
def _of_positive(x):
    return math.log2(x), math.log10(x), math.acosh(1.0 + x), math.pow(x, 1.7), x**-0.3


@script
def _of_an_element(x):
    return math.tan(float(x[0]))


@script
def _of_a_constant():
    return math.tan(0.7), math.pow(1.3, 2.9), math.log10(3.0)


def test_floats_give_cpythons_bits() -> None:
    for x in np.random.default_rng(3).uniform(-1.0, 1.0, 300).tolist():
        assert _of_any(20.0 * x) == _of_any.python(20.0 * x)
        assert _of_some(x) == _of_some.python(x)
        size = math.exp(9.0 * x)
        assert _of_positive(size) == _of_positive.python(size)
        assert _of_an_element(np.array([x])) == math.tan(x)
    assert _of_a_constant() == _of_a_constant.python()
