"""Random array programs on a device, beside NumPy: the same bits, also for views of one memory."""

from pathlib import Path

import pytest

from tests.fuzz.device_programs import FIRST, check


@pytest.mark.sampled(12)
@pytest.mark.parametrize("seed", range(FIRST, FIRST + 240))
def test_an_array_program_does_what_numpy_does(seed: int, tmp_path: Path) -> None:
    report = check(seed, tmp_path)
    if report.refused:
        pytest.skip(f"refused: {report.refused}")
    assert not report.wrong, report.wrong
