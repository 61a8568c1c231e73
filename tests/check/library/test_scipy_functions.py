"""Functions of SciPy that scripts may call, beside SciPy's own."""

# The scripts have no annotations: their types come from the calls.
# pyright: basic

from typing import Any

import numpy as np
import pytest

from scriptc import ScriptError, script

lapack = pytest.importorskip("scipy.linalg.lapack")


def solved(dl, d, du, b):
    return lapack.dgtsv(dl, d, du, b)


def system(size: int, shape: tuple[int, ...], kind: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(size + kind)
    diagonals = [rng.standard_normal(size - abs(k)) for k in (-1, 0, 1)]
    diagonals[1] += 4.0 * (kind % 3)  # rows change places where this is small
    if kind == 3:
        diagonals[0][-1] = diagonals[1][-1] = 0.0  # the last pivot is zero
    if kind == 4:
        diagonals[0][0] = np.nan
    if kind == 5:
        diagonals[0][size // 2 - 1] = diagonals[1][: size // 2 + 1] = 0.0  # one in the midst
    return (*diagonals, rng.standard_normal(shape))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("backend", ["interp", "llvm"])
@pytest.mark.parametrize("kind", range(6))
@pytest.mark.parametrize("size", [2, 3, 4, 50])
def test_a_tridiagonal_system_is_solved_as_by_lapack(size: int, kind: int, backend: Any) -> None:
    for shape in ((size,), (size, 1), (size, 3)):
        arguments = system(size, shape, kind)
        before = [argument.copy() for argument in arguments]
        *expected, status = solved(*arguments)
        *found, info = script(solved, backend=backend)(*arguments)
        assert (info, type(info)) == (status, int)
        for one, other in zip(found, expected, strict=True):
            assert one.shape == other.shape
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
        for one, other in zip(arguments, before, strict=True):
            np.testing.assert_array_equal(one, other)


def test_other_numbers_are_converted() -> None:
    arguments = (np.array([1, 2]), np.array([4, 5, 6]), [1.0, 2.0], np.ones(3, np.float32))
    for one, other in zip(script(solved)(*arguments), solved(*arguments), strict=True):
        np.testing.assert_allclose(one, other)


@pytest.mark.parametrize("sizes", [(2, 2, 1, 2), (0, 1, 0, 1), (1, 2, 2, 2), (1, 2, 1, 3)])
def test_sizes_that_do_not_fit_raise(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="dgtsv"):
        script(solved)(*map(np.ones, sizes))


def test_complex_numbers_are_refused() -> None:
    with pytest.raises(ScriptError, match="d is complex"):
        script(solved)(np.ones(2), np.ones(3) + 1j, np.ones(2), np.ones(3))


def test_other_functions_of_scipy_are_refused_by_name() -> None:
    def with_others(d, e):
        return lapack.dpttrf(d, e)

    with pytest.raises(ScriptError, match=r"lapack\.dpttrf is not built"):
        script(with_others)(np.ones(3), np.ones(2))


@pytest.mark.parametrize(
    ("name", "way"), [("erf", r"math\.erf\(v\)"), ("expit", r"np\.exp\(-x\)"), ("j0", "with loops")]
)
def test_functions_of_one_number_are_told_by_what_they_are_written(name: str, way: str) -> None:
    function = getattr(pytest.importorskip("scipy.special"), name)
    with pytest.raises(ScriptError, match=f"is not built(.|\n)*{way}"):
        script(lambda x: function(x))(1.0)


def test_what_has_no_compiled_form_is_refused_by_name_at_once() -> None:
    integrate = pytest.importorskip("scipy.integrate")
    with pytest.raises(ScriptError, match="quad is not built"):
        script(lambda x: integrate.quad(np.exp, 0.0, x))(1.0)
