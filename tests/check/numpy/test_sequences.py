"""Arrays of lists that turn out empty: NumPy gives float64, whatever might have been in them."""

# Without annotations the types come from the call, which is what this is about.
# pyright: basic

import numpy as np
import pytest

from scriptc import script


def _array(n):
    return np.array([i for i in range(n)])


def _rows(n):
    return np.asarray([[i > j for i in range(n)] for j in range(2)])


def _joined(n):
    return np.concatenate([[i for i in range(n)], np.ones(2, np.int64)])


def _floats(n):
    return np.array([i * 0.5 for i in range(n)]), np.array(
        [[0.5 for _ in range(n)] for _ in range(2)]
    )


def _with_dtype(n):
    numbers = [i for i in range(n)]
    return np.array(numbers, dtype=np.int32), np.asarray(numbers, np.int64), np.arange(5)[numbers]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize("function", [_array, _rows, _joined])
def test_an_array_of_an_empty_list_has_no_dtype(function, backend: str) -> None:
    compiled = script(function, backend=backend)
    np.testing.assert_array_equal(compiled(3), function(3), strict=True)
    with pytest.raises(ValueError, match=r"one of (int64|bool) here: give the dtype, np.array"):
        compiled(0)


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize("function", [_floats, _with_dtype])
def test_arrays_of_empty_lists_that_say_what_they_are_made(function, backend: str) -> None:
    compiled = script(function, backend=backend)
    for count in (0, 3):
        for found, wanted in zip(compiled(count), function(count), strict=True):
            np.testing.assert_array_equal(found, wanted, strict=True)
