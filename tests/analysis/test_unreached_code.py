"""Code behind an error that is certain: the analyses meet ranges there that hold no number."""

import numpy as np
import numpy.typing as npt
import pytest

from scriptc import script


def there_and_back(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.fft.irfft(np.fft.rfft(x))


def test_a_size_below_one_has_no_bounds() -> None:
    with pytest.raises(ValueError, match=r"Invalid number of FFT data points \(0\)"):
        script(there_and_back)(np.ones(1))
