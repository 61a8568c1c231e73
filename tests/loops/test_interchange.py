"""Loops by hand over arrays: what is assumed of the arrays, and which nests are turned around.

Every float is rounded in the order in which Python computes it, so results are compared bit for
bit, on arrays of every layout and on arrays that share memory.
"""

# Without annotations the types come from the call.
# pyright: basic

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from scriptc import script
from scriptc.check.roots import Root
from scriptc.driver import FIRST, check_and_lower
from scriptc.kernels.pipeline import TO_LOW
from scriptc.types import K, M, N, f64
from scriptc_runtime.ir import Module, walk
from scriptc_runtime.ops import control
from tests.benchmarks import scalar_programs as programs
from tests.support.outcomes import ending


def scaled_product(a: f64[N, K], b: f64[K, M], c: f64[N, M]) -> None:
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = a[i, 0] * 0.5
            for k in range(a.shape[1]):
                total = total + a[i, k] * b[k, j]
            c[i, j] = 2.0 * total + b[0, j]


def column_by_column(a: f64[N, K], b: f64[K, M], c: f64[N, M]) -> None:
    for k in range(a.shape[1]):
        for i in range(a.shape[0]):
            for j in range(b.shape[1]):
                c[i, j] = c[i, j] - a[i, k] * b[k, j]


def meets_itself(a: f64[N, K], b: f64[K, M], c: f64[N, M]) -> None:
    # A row that is read is being written: elements of one column meet in the order of `k`.
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(c.shape[0]):
                c[i, j] += 0.5 * c[k, j]


def rows_by_rows(a: f64[N, K], b: f64[K, M], c: f64[N, M]) -> None:
    # The second row is packed; turned around, rounds would wait for each other.
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            for j in range(i):
                c[i, j] += 0.5 * a[i, k] * a[j, k]


def running_rows(a: f64[N, K], b: f64[K, M], c: f64[N, M]) -> None:
    for k in range(1, c.shape[0]):
        for j in range(c.shape[1]):
            c[0, j] += c[k, j] * c[k - 1, 0]


def backwards(a: f64[N, K], b: f64[K, M], c: f64[N, M]) -> None:
    for i in range(a.shape[0]):
        for j in range(b.shape[1] - 1, -1, -1):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def last_one_stays(a: f64[N, K], b: f64[K, M], c: f64[N, M]) -> None:
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] = a[i, k] * b[k, j]


def below_the_diagonal(a: f64[N, N], b: f64[N, N], c: f64[N, N]) -> None:
    n = a.shape[0]
    for i in range(n):
        for j in range(i, n):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]


def above_the_diagonal(a: f64[N, N], b: f64[N, N], c: f64[N, N]) -> None:
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]


def integers(a: f64[N, K], b: f64[K, M], c: f64[N, M]) -> int:
    count = 0
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            best = 0
            for k in range(a.shape[1]):
                if a[i, k] < b[k, j]:
                    best += 1
            count += best
    return count


def scattered(a: f64[N, K], b: f64[K, M], c: f64[N, M]) -> None:
    # The index of the store is no linear form: it stays checked, and may touch what is read.
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[(i * i + j * j) % c.shape[0], j] = float(i + j)
            for k in range(a.shape[1]):
                a[i, k] = a[i, k] + c[i, j]


PROGRAMS = (
    *(programs.matmul, programs.matmul_by_sums, scaled_product, column_by_column, meets_itself),
    *(rows_by_rows, running_rows, backwards, last_one_stays, integers, scattered),
)
SQUARE = (below_the_diagonal, above_the_diagonal, *PROGRAMS)
IN_PLACE = (programs.lu, programs.cholesky)


def numbers(*shape: int) -> np.ndarray:
    # Sums of these are rounded differently in each order.
    return np.random.default_rng(sum(shape)).normal(size=shape) * 10.0 ** (np.arange(shape[-1]) % 5)


def fresh(n: int, k: int, m: int) -> tuple[np.ndarray, ...]:
    return numbers(n, k), numbers(k, m), numbers(n, m)


def transposed(n: int, k: int, m: int) -> tuple[np.ndarray, ...]:
    return numbers(k, n).T, numbers(m, k).T, numbers(m, n).T


def stepping(n: int, k: int, m: int) -> tuple[np.ndarray, ...]:
    return numbers(n, 2 * k)[:, ::2], numbers(2 * k, m)[::-2], numbers(n, m)[:, ::-1]


def shared(n: int, k: int, m: int) -> tuple[np.ndarray, ...]:
    size = max(n, k, m)
    whole = numbers(size + 1, size)
    return whole[:n, :k], whole[:k, :m], whole[1 : n + 1, :m]


def one_and_the_same(n: int, k: int, m: int) -> tuple[np.ndarray, ...]:
    square = numbers(n, n)
    return square, square, square


def sliding(n: int, k: int, m: int) -> tuple[np.ndarray, ...]:
    """Rows that overlap each other, as those of a window that slides over a series."""
    series = np.arange(1.0, n + m + 1.0)
    return numbers(n, k), numbers(k, m), as_strided(series, (n, m), (8, 8))


LAYOUTS = (fresh, transposed, stepping, shared, sliding)
SIZES = ((5, 7, 9), (16, 3, 33), (1, 1, 1), (0, 3, 2), (3, 0, 2), (3, 2, 0), (2, 70, 20))


pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@cache
def scripted(function: Callable[..., object]) -> Callable[..., object]:
    return script(function, backend="llvm")


def compare(
    function: Callable[..., object], make: Callable[..., tuple[np.ndarray, ...]], *sizes: int
) -> None:
    expected = ending(function, make(*sizes))
    assert ending(scripted(function), make(*sizes)) == expected


@pytest.mark.sampled(5)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_every_layout_gives_the_same_bits(
    function: Callable[..., object], layout: Callable[..., tuple[np.ndarray, ...]]
) -> None:
    for sizes in SIZES:
        compare(function, layout, *sizes)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("layout", [*LAYOUTS, one_and_the_same], ids=lambda f: f.__name__)
@pytest.mark.parametrize("function", SQUARE, ids=lambda f: f.__name__)
def test_square_arrays_may_be_one_array(
    function: Callable[..., object], layout: Callable[..., tuple[np.ndarray, ...]]
) -> None:
    for size in (6, 19, 0, 1):
        compare(function, layout, size, size, size)


@pytest.mark.parametrize("function", IN_PLACE, ids=lambda f: f.__name__)
def test_factors_are_computed_in_place(function: Callable[..., object]) -> None:
    for n in (0, 1, 2, 9, 40):
        for view in (lambda a: a, lambda a: a.T, lambda a: a[::-1, ::-1]):

            def make(n: int, turned: Callable[..., np.ndarray] = view) -> tuple[np.ndarray, ...]:
                a = np.random.default_rng(n).normal(size=(n, n))
                return (turned(a @ a.T + n * np.eye(n)),)

            compare(function, make, n)


# Loops over a range that no index speaks of.


def again_and_again(c, b, start, stop):
    for _ in range(start, stop):
        for j in range(len(c)):
            c[j] = c[j] * 0.5 + b[j, 0]


def row_by_row(c, b, start, stop):
    for i in range(len(c)):
        for _ in range(start, stop):
            for j in range(len(c)):
                c[j] += b[i, j]


def after_a_sweep(c, b, start, stop):
    for i in range(1, len(c)):
        for j in range(1, len(c)):
            b[i, j] = (b[i - 1, j] + b[i, j - 1]) / 3.0
        for _ in range(start, stop):
            c[i] = c[i] * 0.5 + 1.0


def one_sum(c, b, start, stop):
    row = b.reshape(-1)
    for _ in range(start, stop):
        c[0] = (row * row).sum()


@pytest.mark.parametrize("function", [again_and_again, row_by_row, after_a_sweep, one_sum])
@pytest.mark.parametrize(
    ("start", "stop"),
    [(0, 7), (-3, 4), (3, -9), (2**63 - 3, 3 - 2**63), (2**63 - 5, 2**63 - 1), (-(2**63), -20)],
)
def test_ranges_whose_length_does_not_fit_are_empty(
    function: Callable[..., object], start: int, stop: int
) -> None:
    stop = min(stop, start + 9)
    size = 100 if function is one_sum else 7
    expected, given = ((numbers(7) / 4, numbers(size, size) / 4) for _ in range(2))
    function(*expected, start, stop)
    script(function)(*given, start, stop)
    for own, right in zip(given, expected, strict=True):
        np.testing.assert_allclose(own, right, rtol=1e-14 if function is one_sum else 0.0)


def loops(function: Callable[..., object]) -> tuple[int, int]:
    """Return how many loops there are before and after nests are turned around."""
    module = check_and_lower([Root(function, [None] * function.__code__.co_argcount)]).module
    counts: list[int] = []
    for step in (*FIRST, *TO_LOW):
        before = module
        module = step(module)
        if step.__name__ == "interchange":
            counts = [_depths(before), _depths(module)]
    return counts[0], counts[1]


def _depths(module: Module) -> int:
    return sum(i.op is control.IF for f in module.functions.values() for i in walk(f.body))


TURNED = (
    *(programs.matmul, programs.matmul_by_sums, scaled_product, below_the_diagonal),
    *(meets_itself, last_one_stays),
)
LEFT = (column_by_column, backwards, above_the_diagonal, integers)


@pytest.mark.parametrize("function", [*TURNED, *LEFT], ids=lambda f: f.__name__)
def test_only_nests_that_allow_it_are_turned_around(function: Callable[..., object]) -> None:
    before, after = loops(function)
    assert (after > before) == (function in TURNED)
