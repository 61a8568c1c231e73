"""Loops whose rounds multiply a row of their own by a matrix: many rounds are one product."""

# The programs have no annotations: their types come from the calls.
# pyright: basic

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from scriptc import script
from scriptc.check.roots import Root
from scriptc.driver import FIRST, check_and_lower
from scriptc.kernels.loops.gemv_to_gemm import gemv_to_gemm
from scriptc.kernels.pipeline import TO_LOW
from scriptc_runtime.dims import symbol
from scriptc_runtime.ir import walk
from scriptc_runtime.ops import control
from scriptc_runtime.types import INT, DType, TensorType


def behind(c, a, b, n):
    for i in range(n - 1):
        c[i + 1 : n, i] = c[i, i + 1 : n] = a[:, i] @ b[:, i + 1 : n]


def before(c, a, b, n):
    for i in range(2, n):
        c[i, : i - 1] = a[i - 2] @ b[:, 1:i] / 2.0


def rows(c, a, b, n):
    total = 0.0
    for i in range(n):
        c[i] = a[i] @ b
        total += c[i, 0]
    return total


def columns(c, a, b, n):
    for i in range(n):
        c[:, i] = b @ a[::-1, i]
        c[i] -= a[0, i]


def from_the_left(c, a, b, n):
    for i in range(n):
        c[i:, i] = a[i:] @ b[i]
        c[i, i:] = b[:, i:].T @ a[:, i] + c[i, i]


def with_state(c, a, b, n):
    state = 0.0 * a.sum(axis=0)
    found = []
    for i in range(n):
        step = a[i] @ b
        step += i
        state = np.rint(np.clip(state @ b - step, -2.0, 2.0))
        found.append(step)
        c[i] = state
    return found


def few_rows(c, a, b, n):
    # Stacks whose rows lie together, and such as have to be copied.
    stack = a.repeat(3, axis=0).reshape(a.shape[0], 3, a.shape[1])
    for i in range(n):
        c[i] = (stack[i] @ b)[1] - (stack[:, 1:][i] @ b).sum(axis=0)


def band(c, a, b, n):
    for i in range(n - 2):
        c[i, :3] = a[i] @ b[:, i : i + 3]


def changed(c, a, b, n):
    for i in range(n):
        c[i] = a[i] @ b
        b[i] = 1.0


def left_early(c, a, b, n):
    for i in range(n):
        c[i] = a[i] @ b
        if c[i, 0] > 3.0:
            break


def sometimes(c, a, b, n):
    for i in range(n):
        if c[i, 0] > 0.0:
            c[i] = a[i] @ b


BATCHED = (behind, before, rows, columns, from_the_left, few_rows, with_state)
PROGRAMS = (*BATCHED, band, changed, left_early, sometimes)
Program = Callable[..., Any]


@cache
def scripted(program: Program) -> Program:
    return script(program, backend="llvm")


def matrices(rows: int, columns: int, dtype: str) -> list[Any]:
    # Sums of products of such numbers are exact in any order.
    rng = np.random.default_rng(rows)
    return [(rng.integers(-4, 5, (rows, columns)) / 4.0).astype(dtype) for _ in range(3)]


def check(program: Program, arguments: list[Any]) -> None:
    """Compare results, exceptions and all that is written."""
    found, ends = [], []
    for run in (program, scripted(program)):
        own = [np.copy(x) if isinstance(x, np.ndarray) else x for x in arguments]
        try:
            ends.append(run(*own))
        except (IndexError, ValueError) as error:
            ends.append((type(error), str(error)))
        found.append(own)
    assert str(ends[0]) == str(ends[1])
    for mine, theirs in zip(*found, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_rounds_give_what_they_give_one_by_one(program: Program) -> None:
    for n in (0, 1, 5, 9, 270):
        check(program, [*matrices(n, n, "f8"), n])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_what_does_not_fit_is_as_in_numpy(program: Program) -> None:
    for shape in ((12, 12), (12, 9), (9, 12)):
        for n in (-3, 11, 12, 13):
            check(program, [*matrices(*shape, "f8"), n])


@pytest.mark.parametrize("program", BATCHED, ids=lambda p: p.__name__)
def test_factors_in_the_memory_that_is_written(program: Program) -> None:
    for factors in ((0, 1), (1, 0), (0, 0)):
        memory = [matrices(20, 20, "f8") for _ in range(2)]
        for run, (c, *others) in zip((program, scripted(program)), memory, strict=True):
            a, b = (c if factor else other for factor, other in zip(factors, others, strict=True))
            run(c, a, b, 20)
        np.testing.assert_array_equal(memory[0], memory[1])


def test_batches_are_short_where_results_are_large() -> None:
    for n in (7, 8, 9, 20):
        (a, *_), (b, *_) = matrices(n, 3, "f4"), matrices(3, 70_000, "f4")
        check(rows, [np.zeros((n, 70_000), "f4"), a, b, n])


def test_views_of_any_layout() -> None:
    for view in (lambda x: x[::-1, ::-1], lambda x: x.T, lambda x: x[::2, ::3]):
        c, a, b = (view(x) for x in matrices(150, 150, "f8"))
        n = min(c.shape)
        for program in (behind, rows, columns):
            check(program, [c[:n, :n], a[:n, :n], b[:n, :n], n])


SIZE = symbol("n")
MATRIX = TensorType(DType.F64, (SIZE, SIZE))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_what_is_done_in_batches(program: Program) -> None:
    core = check_and_lower([Root(program, [MATRIX, MATRIX, MATRIX, INT])])
    module, batches = core.module, 0
    for step in (*FIRST, *TO_LOW):
        before, module = module, step(module)
        if step is gemv_to_gemm:
            counts = [
                sum(i.op is control.FOR for f in m.functions.values() for i in walk(f.body))
                for m in (before, module)
            ]
            batches = counts[1] - counts[0]
    assert (batches > 0) == (program in BATCHED)
