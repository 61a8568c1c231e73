"""Scripts that raise in loops: kernels note what it was, with the ints of the message."""

# Results have no annotations.
# pyright: basic

import numpy as np
import pytest

from scriptc import prange, script
from tests.cuda.test_device_failures import assert_same, outcome
from tests.support.device_calls import calls_of


def plain(x):
    for i in range(len(x)):
        if x[i] < 0:
            raise ValueError("negative")
        x[i] = np.sqrt(x[i])


def asserted(x, k):
    for i in range(len(x)):
        assert x[i] >= k, f"{i}: below {k}"
        x[i] = x[i] / (i + 1)
    return x


def without_text(x):
    total = 0.0
    for value in x:
        if value < 0:
            raise KeyError
        total += value
    return total


def braces(x, k):
    for i in range(len(x)):
        if x[i] < 0:
            raise IndexError(f"{{{i}}} of {k} {{}}")
        x[i] += 1


def element(n):
    total = 0
    for i in range(len(n)):
        if n[i] < 0:
            raise ValueError(f"n[{i}] is {n[i]}")
        total += n[i]
    return total


def caught(x):
    count = 0
    for k in range(3):
        try:
            for i in range(len(x)):
                if x[i] == k:
                    raise ValueError(f"{i} has {k}")
                x[i] += 10
        except ValueError as error:
            count += len(str(error))
    return count


def with_float(x):
    for i in range(len(x)):
        if x[i] < 0:
            raise ValueError(f"{x[i]} is negative")
        x[i] += 1


def many(x, a, b, c):
    for i in range(len(x)):
        if x[i] < 0:
            raise ValueError(f"{i} {a} {b} {c} {a}")
        x[i] += 1


GOOD, BAD, EMPTY = np.arange(5.0), np.array([4.0, 1.0, -2.0, 3.0, -4.0]), np.zeros(0)
INTS = np.array([3, -1, 2])
PROGRAMS = [
    *((f, (x,)) for f in (plain, without_text, caught, with_float) for x in (GOOD, BAD, EMPTY)),
    *((braces, (x, 0)) for x in (GOOD, BAD, EMPTY, BAD[::-1])),
    *((element, (n,)) for n in (INTS, abs(INTS), INTS.astype("i4"))),
    *((many, (x, 1, 2, 3)) for x in (GOOD, BAD)),
]


@pytest.mark.parametrize(
    ("function", "args"), PROGRAMS, ids=[f"{i}-{f.__name__}" for i, (f, _) in enumerate(PROGRAMS)]
)
def test_loops_raise_as_cpython_does(function, args) -> None:
    assert_same(outcome(script(function, backend="cuda"), args), outcome(function, args))


def test_asserts_fail_with_their_texts() -> None:
    x = BAD.copy()
    with pytest.raises(AssertionError, match=r"^2: below 0$"):
        script(asserted, backend="cuda")(x, 0)
    np.testing.assert_array_equal(x, [4.0, 0.5, -2.0, 3.0, -4.0])


def test_the_first_iteration_that_raises_wins() -> None:
    @script(backend="cuda")
    def checked(x):
        for i in prange(len(x)):
            if x[i] < 0:
                raise ValueError(f"{i} is negative")
            x[i] += 1.0

    x = np.ones(5000)
    x[[4321, 17, 3000]] = -1.0
    with pytest.raises(ValueError, match="17 is negative"):
        checked(x)
    assert (x[:17] == 2.0).all()
    assert (x[[17, 3000, 4321]] == -1.0).all()


def test_a_loop_that_raises_is_one_launch() -> None:
    on = script(asserted, backend="cuda")
    on(np.ones(100), 0)
    with calls_of() as told:
        on(np.ones(100), 0)
    assert told["cuLaunchKernel"] == 1
