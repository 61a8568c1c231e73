"""int() of a float that was computed from ints raises where no int of 64 bits holds it."""

from collections.abc import Callable

import numpy as np
import pytest

from scriptc import script
from tests.programs.bounded_floats import growing

# Scripts without annotations.
# pyright: basic


def squared(n: int):
    return int(float(n) * float(n))


def as_float(n: int):
    return int(float(n))


def quotient(n: int, k: int):
    return int(n / k)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (squared, (3037000500,)),
        (squared, (-(2**63),)),
        (as_float, (2**63 - 1,)),
        (quotient, (-(2**63), -1)),
        (quotient, (2**63 - 1, 1)),
        (growing, (33,)),
    ],
)
@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_what_does_not_fit_raises(
    function: Callable[..., int], arguments: tuple[int, ...], backend: str
) -> None:
    with pytest.raises(OverflowError):
        script(function, backend=backend)(*arguments)


def cast_of_large(a, i: int):
    if i < 0:
        return -1.0
    k = np.int64(np.float64(i) * 4.0)
    return float(a[k]) if k < len(a) else -2.0


def cast_of_root(y):
    for i in range(len(y)):
        y[i] = np.int64(np.sqrt(np.float64(i)) * 1e30) // 2
    return y.sum() < 0


@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
def test_numpys_casts_make_the_least_integer_of_what_does_not_fit(dtype: type) -> None:
    with np.errstate(all="ignore"):
        assert script(cast_of_root)(np.zeros(4, np.int64)) == cast_of_root(np.zeros(4, np.int64))
        a = np.arange(4).astype(dtype)
        assert script(cast_of_large)(a, 0) == 0.0
        for function in (cast_of_large, script(cast_of_large)):
            with pytest.raises(IndexError, match="index -9223372036854775808 is out of bounds"):
                function(a, 2**62)
