"""Small arrays cost no array: what is stored into rows, and read by elements, are numbers.

That it is right is what `programs/few_elements.py` is compared for.
"""

# The programs have no annotations.
# pyright: basic

import numpy as np
import pytest

from scriptc import script
from scriptc.types import M, N, f64
from tests.programs import few_elements


@pytest.mark.parametrize("name", ["tuple_into_row", "list_into_row", "array_into_row"])
def test_a_row_of_numbers_is_stored_without_an_array(name: str) -> None:
    text = script(getattr(few_elements, name)).dump("low", f64[N, M], int, float, float)
    assert "new_array" not in text
    assert "list_alloc" not in text
    assert text.count("  store %") == 2


def test_what_is_computed_of_small_arrays_needs_none() -> None:
    text = script(few_elements.points).dump("low", f64[N, M], f64[N], int)
    assert "_array" not in text
    assert "launch" not in text


def test_a_sum_with_an_array_of_any_size_calls_no_kernel() -> None:
    text = script(few_elements.written_again).dump("low", f64[N, M], float, float)
    assert "launch" not in text


def test_rows_of_no_elements_are_no_straight_code() -> None:
    @script
    def filled(n: int):
        rows, planes = np.empty((n, 0)), np.zeros((n, 1, 0))
        rows[:] = 1.0
        planes += 1.0
        return rows, planes

    for n in (0, 1, 3):
        assert [a.shape for a in filled(n)] == [(n, 0), (n, 1, 0)]
