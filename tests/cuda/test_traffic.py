"""How much memory the launches of a call reach, over the fewest: inputs once and results once.

Counted in sectors of 32 bytes, each once a launch, by the emulated device in shadow mode.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scriptc import script
from scriptc.backends.cuda.emulator import Traffic
from tests.support.device_calls import OnDevice, driver

SECTOR = 32


def elementwise(x: Any, y: Any, a: Any) -> Any:
    return x * y + a * x


def scaled(x: Any, a: Any) -> Any:
    return x * a


def hypotenuse(x: Any, y: Any) -> Any:
    return np.sqrt(x * x + y * y)


def row_sums(x: Any) -> Any:
    return np.sum(x, axis=1)


def row_extremes(x: Any) -> Any:
    return np.max(x, axis=1)


def deviations(x: Any) -> Any:
    return x.std(axis=1)


def column_sums(x: Any) -> Any:
    return np.sum(x, axis=0)


def total(x: Any) -> Any:
    return np.sum(x)


def softmax(x: Any) -> Any:
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def jacobi(x: Any, out: Any) -> None:
    out[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])


def drawn(*shape: int, dtype: Any = np.float32) -> NDArray[Any]:
    return np.random.default_rng(1).random(shape).astype(dtype)


@pytest.fixture
def counted() -> Iterator[None]:
    driver().count_launches(wanted=True)
    yield
    driver().count_launches(wanted=False)


def launches(function: Callable[..., Any], arguments: Sequence[Any]) -> list[Traffic]:
    """Return what the launches of a call moved."""
    given = [OnDevice(a) if np.ndim(a) else a for a in arguments]
    script(function, backend="cuda")(*given)
    return [traffic for _, traffic in driver().launches()]


def share(traffics: Sequence[Traffic], nbytes: int) -> float:
    """Return the sectors that launches reached over those of so many bytes."""
    sectors = sum(t.read_sectors + t.written_sectors for t in traffics)
    return sectors * SECTOR / nbytes


PAIR = drawn(300, 700), drawn(300, 700)
F64 = {"dtype": np.float64}


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize(
    ("function", "arguments", "results", "most"),
    [
        (elementwise, (*PAIR, np.float32(2)), PAIR[0].nbytes, 1.05),
        (elementwise, (*drawn(2, 90_001), np.float32(2)), 90_001 * 4, 1.05),
        (hypotenuse, tuple(drawn(2, 50_000, **F64)), 50_000 * 8, 1.05),
        *((row_sums, (drawn(300, n),), 1200, 1.05) for n in (32, 100, 256, 1000, 1024)),
        *((row_extremes, (drawn(200, n, **F64),), 1600, 1.05) for n in (33, 1024)),
        *((deviations, (drawn(300, n),), 1200, 1.05) for n in (32, 1000)),
        *((column_sums, (drawn(300, n),), 4 * n, 1.05) for n in (32, 100, 1000, 1024)),
        (column_sums, (drawn(3000, 64),), 256, 1.05),
        *((total, (drawn(n),), 4, 1.05) for n in (1000, 100_000)),
        (total, (drawn(100_000, **F64),), 8, 1.05),
        *((jacobi, (drawn(*s), drawn(*s)), 0, 1.10) for s in ((128, 256), (300, 500))),
        # The rows that threads share go through memory: to be registers.
        *((softmax, (drawn(200, n),), 800 * n, 2.05) for n in (32, 1000)),
    ],
)  # fmt: skip
def test_few_more_sectors_are_reached_than_there_are(
    function: Callable[..., Any], arguments: Sequence[Any], results: int, most: float
) -> None:
    nbytes = results + sum(a.nbytes for a in arguments if np.ndim(a))
    traffics = launches(function, arguments)
    assert share(traffics, nbytes) <= most
    assert not sum(t.bank_conflicts for t in traffics)


@pytest.mark.usefixtures("counted")
def test_neighbouring_threads_access_neighbours() -> None:
    x = drawn(65536)
    (traffic,) = launches(scaled, (x, np.float32(2)))
    assert traffic.warp_sectors == traffic.read_sectors + traffic.written_sectors
    assert (traffic.read_bytes, traffic.written_bytes) == (x.nbytes, x.nbytes)
