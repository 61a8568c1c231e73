"""A mask without elements that does not fit its array is refused alike by all ways to run."""

from collections.abc import Callable

import numpy as np
import pytest

from scriptc import script
from scriptc.types import B, K, M, N, b1, f64

# Sizes that are not known to be equal are what this is about.
pytestmark = pytest.mark.filterwarnings("ignore::scriptc.SizeWarning")


def _picked(a: f64[N], m: b1[M]) -> f64[K]:
    return a[m]


def _folded(a: f64[N], m: b1[M]) -> float:
    return float(np.sum(a[m]))


def _put(a: f64[N, B], m: b1[M, K]) -> None:
    a[m] = 1.0


def _updated(a: f64[N, B], m: b1[M, K]) -> None:
    a[m] = a[m] * 2.0


_FUNCTIONS: list[Callable[..., object]] = [_picked, _folded, _put, _updated]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize("function", _FUNCTIONS, ids=lambda f: f.__name__)
def test_an_empty_mask_of_another_shape_is_refused(
    function: Callable[..., object], backend: str
) -> None:
    compiled = script(function, backend=backend)
    shapes, fitting = (((3,), (0,)),), (0,)
    if function in (_put, _updated):
        shapes, fitting = (((3, 3), (0, 3)), ((3, 3), (3, 0)), ((2, 3), (0, 0))), (0, 3)
    for shape, mask in shapes:
        with pytest.raises(IndexError, match="boolean index did not match"):
            compiled(np.ones(shape), np.zeros(mask, bool))
    compiled(np.ones(fitting), np.zeros(fitting, bool))
