"""int() of a float that was computed from ints raises where no int of 64 bits holds it."""

from collections.abc import Callable

import pytest

from scriptc import script

# Scripts without annotations.
# pyright: basic


def squared(n: int):
    return int(float(n) * float(n))


def as_float(n: int):
    return int(float(n))


def quotient(n: int, k: int):
    return int(n / k)


def grown(n: int):
    x = 1.0
    total = 0
    for _ in range(n):
        total = int(x)
        x = x * 4.0
    return total


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (squared, (3037000500,)),
        (squared, (-(2**63),)),
        (as_float, (2**63 - 1,)),
        (quotient, (-(2**63), -1)),
        (quotient, (2**63 - 1, 1)),
        (grown, (33,)),
    ],
)
@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_what_does_not_fit_raises(
    function: Callable[..., int], arguments: tuple[int, ...], backend: str
) -> None:
    with pytest.raises(OverflowError):
        script(function, backend=backend)(*arguments)
