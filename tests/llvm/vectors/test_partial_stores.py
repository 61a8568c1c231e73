"""Stores of the first lanes of a vector leave what lies behind them alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.backends.llvm.host import has_mask_registers
from scriptc.types import M, N, f32, f64


@script
def scaled(x: f64[N, M], y: f64[N, M]) -> None:
    y[:] = x * 2.0


@script
def scaled_singles(x: f32[N, M], y: f32[N, M]) -> None:
    y[:] = x + x


DOUBLED: tuple[tuple[Callable[..., None], Any], ...] = (
    (scaled, np.float64),
    (scaled_singles, np.float32),
)


@pytest.mark.parametrize("size", range(36))
def test_what_lies_behind_a_row_stays(size: int) -> None:
    for function, dtype in DOUBLED:
        x = np.arange(5 * size, dtype=dtype).reshape(5, size)
        around = np.full((5, size + 9), -1.0, dtype)
        for start in (0, 1, 3):
            around[:] = -1.0
            function(x, around[:, start : start + size])
            expected = np.full_like(around, -1.0)
            expected[:, start : start + size] = x * 2
            np.testing.assert_array_equal(around, expected)


def test_targets_are_told_apart_by_their_features() -> None:
    assert has_mask_registers("+avx2,+avx512f,+avx512vl")
    assert not has_mask_registers("+avx2,-avx512f,-avx512vl")
    assert has_mask_registers("+neon,+sve")
