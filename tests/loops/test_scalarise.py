"""Rows and columns in loops: opened as loops over elements, turned, pushed, or left as they are.

Sums of integers wrap, so that their order does not matter, and results are compared bit for bit; so
are floats as long as they are small whole numbers. Where something is divided, or grows, results
are compared up to rounding.
"""

# Without annotations the types come from the call.
# pyright: basic

from collections.abc import Callable
from functools import cache
from inspect import unwrap
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.check.roots import Root
from scriptc.driver import FIRST, check_and_lower
from scriptc.kernels.loops.interchange import interchange
from scriptc.kernels.pipeline import TO_LOW
from scriptc.types import N, f64
from scriptc_runtime.dims import symbol
from scriptc_runtime.ir import Module, walk
from scriptc_runtime.ops import control, low
from scriptc_runtime.types import DType, TensorType
from tests.support.outcomes import ending, outcome


def columns_below(a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1 :, i], b[i + 1 :, j])


def columns_above(a, b):
    # What is read was written by earlier rounds of the outer loop.
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] -= a[i, :i] @ b[:i, j]


def whole_columns(a, b):
    # The fold meets what is written: column j holds b[i, j].
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += a[i, :] @ b[:, j]


def parts_of_columns(a, b):
    rest = np.zeros(b.shape[1], b.dtype)
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            b[:i, j] += 2 * a[i, i] * a[i, :i]
            rest[j] = b[:i, j] @ a[i, :i]
        b[i, :] += 3 * b[i, :] + rest


def two_folds(a, b):
    for k in range(b.shape[1]):
        for j in range(k + 1, b.shape[1]):
            weight = np.dot(b[:, k], b[:, j])
            b[:, j] -= b[:, k] * weight


def earlier_results(a, b):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
        for j in range(i, a.shape[0]):
            a[i, j] -= a[i, :i] @ a[:i, j]


def results_from_one_on(a, b):
    for i in range(a.shape[0]):
        for j in range(1, i):
            a[i, j] += a[i, 1:j] @ a[1:j, j] + a[i, 0]


def results_by_two(a, b):
    for i in range(a.shape[0]):
        for j in range(2, i):
            a[i, j] += a[i, : j - 1] @ a[: j - 1, j]


def by_hand(a, b):
    for i in range(a.shape[0]):
        for j in range(i):
            total = a[j, j]
            for k in range(j):
                total += a[i, k] * a[k, j]
            a[i, j] = total


def rows_of_both(a, b):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
        a[i, i] += np.dot(a[i, :i], a[i, :i])


def turned_over(a, b):
    for k in range(1, a.shape[0]):
        weight = np.dot(np.flip(a[0, :k]), a[1, :k])
        a[2, :k] += weight * np.flip(a[2, :k])
        a[2, k] = weight - a[2, k - 1]


def shifted(a, b):
    for i in range(1, a.shape[0] - 1):
        a[i, 1:-1] += a[i - 1, :-2] + a[i, 2:] + a[i + 1, 1:-1]
        a[i, 1:-1] += 2 * a[i, :-2]
        for j in range(1, a.shape[1] - 1):
            a[i, j] += a[i, j - 1]


def from_behind(a, b):
    for i in range(a.shape[0] - 1, -1, -1):
        b[i, 0] = a[i, i] - a[i, i + 1 :] @ b[i + 1 :, 0]


def rows_with_rows(a, b):
    columns = min(b.shape[0], b.shape[1])
    for i in range(b.shape[0]):
        for j in range(columns):
            b[i, j] -= 2 * (a[i, :] - 1) @ a[j, :]


def rows_with_parts_of_rows(a, b):
    for i in range(a.shape[0]):
        for j in range(2, i):
            a[i, j] += np.dot(a[i, : j - 1], a[j, : j - 1]) + a[i, 0]


def rows_with_what_follows(a, b):
    # Each sum reads what the round before has written, beyond what sums side by side may share.
    for i in range(a.shape[0]):
        for j in range(1, a.shape[0] - 1):
            a[i, j] -= np.dot(a[i, : j + 1], a[j - 1, : j + 1])


def scaled_columns(a, b):
    for i in range(min(b.shape[0], b.shape[1])):
        b[i, :i] *= 2
        for k in range(a.shape[1]):
            b[i, :i] += 3 * a[i, k] * a[:i, k]


def both_scaled_columns(a, b):
    # What is packed is written: it stays where it is.
    for i in range(min(b.shape[0], b.shape[1])):
        for k in range(1, a.shape[1]):
            b[i, :i] += a[:i, k] * b[i, k] + b[:i, k] * a[i, k]


def clipped(a, b):
    # Slices go beyond the ends of their axes: they are shorter than they say.
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] += a[i, : j + 2] @ a[: j + 2, j]


def of_unlike_lengths(a, b):
    # Raises in the middle of the work, unless both axes are equal.
    for i in range(b.shape[0]):
        b[i, 0] += 1
        for j in range(b.shape[1]):
            b[i, j] += a[i, :] @ b[i, :]


def out_of_range(a, b):
    for i in range(b.shape[0] + 1):
        for j in range(b.shape[1]):
            b[i, j] += a[i, :i] @ b[:i, j]


def kept_values(a, b):
    # The row is computed before it is overwritten, the view is looked at after.
    for i in range(1, a.shape[0]):
        row, view = a[i, :] * 2, a[i, :]
        a[i, :] = 1
        b[i, 0] = row @ view


def rows_of_rounds_before(a, b):
    # The row is computed once, before any round of the inner loop writes what it was made of.
    for i in range(1, a.shape[0]):
        row = a[i, :] * 2
        for j in range(a.shape[1]):
            a[i, j] -= row @ a[i - 1, :]
            b[i, 0] += row @ a[i, :]


PROGRAMS = (
    *(columns_below, columns_above, whole_columns, parts_of_columns, two_folds, earlier_results),
    *(results_from_one_on, results_by_two, by_hand, rows_of_both, turned_over, shifted),
    *(
        scaled_columns,
        both_scaled_columns,
        from_behind,
        clipped,
        of_unlike_lengths,
        out_of_range,
        kept_values,
    ),
    rows_of_rounds_before,
    *(rows_with_rows, rows_with_parts_of_rows, rows_with_what_follows),
)


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).integers(-3, 4, shape)


def fresh(n: int, m: int) -> tuple[np.ndarray, ...]:
    return numbers(n, n), numbers(n, m)


def transposed(n: int, m: int) -> tuple[np.ndarray, ...]:
    return numbers(n, n).T, numbers(m, n).T


def stepping(n: int, m: int) -> tuple[np.ndarray, ...]:
    return numbers(2 * n, n)[::-2], numbers(n, 2 * m)[:, ::2]


def overlapping(n: int, m: int) -> tuple[np.ndarray, ...]:
    whole = numbers(n + 1, max(n, m))
    return whole[:n, :n], whole[1 : n + 1, :m]


LAYOUTS = (fresh, transposed, stepping, overlapping)
SIZES = ((5, 5), (9, 6), (6, 9), (3, 1), (1, 1), (0, 0), (3, 0), (13, 33), (4, 70))

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@cache
def scripted(function: Callable[..., object]) -> Callable[..., object]:
    return script(function, backend="llvm")


def made(layout: Callable[..., tuple[np.ndarray, ...]], dtype: str, n: int, m: int) -> list[Any]:
    """Return arguments of another dtype, which share memory as before."""
    a, b = layout(n, m)
    if layout is not overlapping:
        return [a.astype(dtype, order="K"), b.astype(dtype, order="K")]
    whole = np.asarray(a.base).astype(dtype)
    return [whole[:n, :n], whole[1 : n + 1, :m]]


@pytest.mark.sampled(11)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_every_layout_gives_what_numpy_gives(
    function: Callable[..., object], layout: Callable[..., tuple[np.ndarray, ...]]
) -> None:
    for sizes in SIZES:
        expected = ending(function, layout(*sizes))
        assert ending(scripted(function), layout(*sizes)) == expected, sizes


@pytest.mark.sampled(19)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_floats(
    function: Callable[..., object], layout: Callable[..., tuple[np.ndarray, ...]]
) -> None:
    if function is parts_of_columns and layout is overlapping:
        pytest.skip("what meets itself there grows beyond what floats hold exactly")
    for sizes in ((3, 3), (3, 2), (2, 3)):
        for dtype in ("f8", "f4"):
            expected = ending(function, made(layout, dtype, *sizes))
            assert ending(scripted(function), made(layout, dtype, *sizes)) == expected, sizes


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u2"])
def test_long_rows_of_other_elements(dtype: str) -> None:
    for function in (columns_below, columns_above, rows_of_both):
        expected, found = ([np.triu(x).astype(dtype) for x in fresh(40, 70)] for _ in range(2))
        function(*expected)
        scripted(function)(*found)
        assert np.array_equal(expected[1], found[1])


@pytest.mark.parametrize("m", [3, 600])
def test_sums_side_by_side_are_for_rows_that_are_near(m: int) -> None:
    expected, found = (made(fresh, "f8", m, m) for _ in range(2))
    for arguments in (expected, found):
        arguments[1] = arguments[1][:2]
    wide_rows(*expected)
    scripted(wide_rows)(*found)
    assert np.array_equal(expected[1], found[1])


def wide_rows(a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += a[i, :] @ a[j, :]


@pytest.mark.parametrize("function", [rows_of_both, rows_with_rows], ids=lambda f: f.__name__)
def test_the_interpreter_adds_sums_side_by_side(function: Callable[..., object]) -> None:
    module = check_and_lower([Root(function, TYPES)]).module
    for step in (*FIRST, *TO_LOW):
        module = step(module)
    assert any(len(i.results) > 1 for f in module.functions.values() for i in walk(f.body))
    name = function.__name__
    assert outcome(module, name, made(fresh, "f8", 5, 5)) == ending(
        function, made(fresh, "f8", 5, 5)
    )


def solve(a: f64[N, N], b: f64[N]) -> f64[N]:
    x, y = np.zeros_like(b), np.zeros_like(b)
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, a.shape[0]):
            a[i, j] -= a[i, :i] @ a[:i, j]
    for i in range(a.shape[0]):
        y[i] = b[i] - a[i, :i] @ y[:i]
    for i in range(a.shape[0] - 1, -1, -1):
        x[i] = (y[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x


def orthogonal(a: f64[N, N], b: f64[N]) -> f64[N, N]:
    q = np.zeros_like(a)
    for k in range(a.shape[1]):
        q[:, k] = a[:, k] / np.sqrt(np.dot(a[:, k], a[:, k]))
        for j in range(k + 1, a.shape[1]):
            b[j] = np.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * b[j]
    return q


@pytest.mark.parametrize("n", [0, 1, 2, 7, 40])
@pytest.mark.parametrize("function", [solve, orthogonal], ids=lambda f: f.__name__)
def test_factors_are_right_up_to_rounding(function: Callable[..., Any], n: int) -> None:
    a = np.random.default_rng(n).normal(size=(n, n)) + n * np.eye(n)
    b = np.linspace(1.0, 2.0, n)
    expected: list[Any] = [a.copy(), b.copy()]
    found: list[Any] = [a.copy(), b.copy()]
    expected.append(function(*expected))
    found.append(scripted(function)(*found))
    for one, other in zip(expected, found, strict=True):
        assert np.allclose(one, other, rtol=1e-11, atol=1e-11)


def test_nan_and_inf_reach_what_they_reach_in_numpy() -> None:
    for function in (columns_below, parts_of_columns, earlier_results):
        for bad in (np.nan, np.inf):
            pairs = [made(fresh, "f8", 9, 6) for _ in range(2)]
            for arguments in pairs:
                arguments[0][4, 2] = bad
            function(*pairs[0])
            scripted(function)(*pairs[1])
            for one, other in zip(*pairs, strict=True):
                assert np.array_equal(np.isnan(one), np.isnan(other))


ROWS, COLUMNS = symbol("n"), symbol("m")
TYPES = [TensorType(DType.F64, (ROWS, ROWS)), TensorType(DType.F64, (ROWS, COLUMNS))]


def _rows(module: Module) -> int:
    return sum(
        i.op is control.FOR and any(c.op is low.LOOP for c in i.blocks[0].body)
        for f in module.functions.values()
        for i in walk(f.body)
    )


def _opened(module: Module) -> bool:
    found = (low.LOOP, low.REDUCE)
    return any(i.op in found for f in module.functions.values() for i in walk(f.body))


# By hand there is nothing to open; the others hold slices that may be clipped or views of values.
LEFT = (by_hand, clipped, kept_values, rows_of_rounds_before)
TURNED = (
    *(columns_below, columns_above, whole_columns, two_folds, earlier_results, by_hand),
    *(parts_of_columns, results_from_one_on, results_by_two, out_of_range),
)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_what_is_opened_and_turned(function: Callable[..., object]) -> None:
    module = check_and_lower([Root(function, TYPES)]).module
    opened = turned = False
    for step in (*FIRST, *TO_LOW):
        before, module = module, step(module)
        if unwrap(step) is interchange:
            opened, turned = _opened(before), _rows(module) > _rows(before)
    assert (opened, turned) == (function not in LEFT, function in TURNED)


def outer_sums(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path, np.add.outer(path[:, k], path[k, :]))


def broadcast_rows(path):
    # The row and the column that are read are written, too, and so is the view of both.
    path[1:, 1:] += path[0, :-1] * path[:-1, 0][:, None]
    path[:, :] = path[::-1, 0] + path[-1:, :]
    path[...] = path[0] - path


@pytest.mark.sampled(7)
@pytest.mark.parametrize("n", [1, 2, 17, 40])
@pytest.mark.parametrize("dtype", ["i4", "f8", "u1"])
@pytest.mark.parametrize("function", [outer_sums, broadcast_rows], ids=lambda f: f.__name__)
def test_rows_and_columns_are_read_as_they_were(
    function: Callable[..., object], dtype: str, n: int
) -> None:
    for view in (lambda a: a, lambda a: a.T, lambda a: a[::-1, ::-1]):
        whole = np.random.default_rng(n).integers(0, 9, (n, n)).astype(dtype)
        expected, found = view(whole.copy()), view(whole.copy())
        function(expected)
        scripted(function)(found)
        assert np.array_equal(expected, found)
