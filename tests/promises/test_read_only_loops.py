"""A read-only argument may be rebound to a copy in a loop, which is written then."""

from collections.abc import Callable

import numpy as np
import pytest

from scriptc import script

# The types come from the calls.
# pyright: basic


def copied_in_rounds(a, n):
    for i in range(n):
        a = a.copy()
        a[0] = i
    return a


def copied_at_last(a, n):
    i = 0
    while i < n:
        b = a if i < 2 else a[1:] + i
        i += 1
        a = b * 2
        a[:1] += 1
    return a


def copied_for_another(a, n):
    b = np.zeros(3)
    for i in range(n):
        b[i] = a[0]
        a, b = a + b, a * 2
    return a, b


def copied_once(a, n):
    for i in range(n):
        if i == 1:
            a = a.copy()
        a[0] = i
    return a


def put_in_turns(a, n):
    b = np.zeros(3)
    for i in range(n):
        b[0] = i
        a, b = b, a
    return a


def put_through_a_list(a, n):
    arrays = [np.zeros(3)]
    for i in range(n):
        first = arrays[0]
        first[0] = i
        arrays[0] = a
        a = a.copy()
    return arrays[0][0]


def put_in_a_kept_tuple(a, n):
    pair = (np.zeros(3), 0)
    for i in range(n):
        pair[0][0] = i
        pair = (a, i)
    return pair[1]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize("function", [copied_in_rounds, copied_at_last, copied_for_another])
def test_a_copy_of_it_is_written_in_a_loop(backend: str, function: Callable[..., object]) -> None:
    scripted: Callable[..., object] = script(function, backend=backend)
    for rounds in range(4):
        fixed = np.arange(3.0)
        fixed.flags.writeable = False
        np.testing.assert_array_equal(scripted(fixed, rounds), function(fixed, rounds))
        assert fixed.tolist() == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize(
    "function", [copied_once, put_in_turns, put_through_a_list, put_in_a_kept_tuple]
)
def test_what_may_be_it_is_not_written_in_a_loop(
    backend: str, function: Callable[..., object]
) -> None:
    scripted: Callable[..., object] = script(function, backend=backend)
    fixed = np.arange(3.0)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        scripted(fixed, 3)
    assert fixed.tolist() == [0.0, 1.0, 2.0]
