"""An array that is read-only is never written, wherever in an argument it stands."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from scriptc import script

Array = npt.NDArray[np.float64]


def put(a: Array) -> float:
    a[0] = 5.0
    return a[1]


def put_in_a_tuple(pair: tuple[Array, int]) -> int:
    pair[0][0] = 5.0
    return pair[1]


def put_deep_in_a_tuple(pair: tuple[tuple[Array, int], int]) -> int:
    inner, number = pair
    values, _ = inner
    values[0] = 5.0
    return number


def put_in_a_list(arrays: list[Array]) -> int:
    arrays[0][0] = 5.0
    return len(arrays)


def read(pair: tuple[Array, int], arrays: list[Array]) -> float:
    return pair[0][0] + arrays[0][0]


WRITERS: list[tuple[Callable[..., object], Callable[[Array], object]]] = [
    (put, lambda a: a),
    (put_in_a_tuple, lambda a: (a, 1)),
    (put_deep_in_a_tuple, lambda a: ((a, 1), 2)),
    (put_in_a_list, lambda a: [a, a]),
]


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize(("function", "wrap"), WRITERS)
def test_it_is_refused_where_it_is_written(
    backend: str, function: Callable[..., object], wrap: Callable[[Array], object]
) -> None:
    scripted: Callable[..., object] = script(untyped(function), backend=backend)
    writable, fixed = np.zeros(3), np.zeros(3)
    fixed.flags.writeable = False
    scripted(wrap(writable))
    assert writable[0] == 5.0
    with pytest.raises(ValueError, match="read-only"):
        scripted(wrap(fixed))
    assert fixed[0] == 0.0


def test_it_is_taken_where_it_is_read() -> None:
    fixed = np.ones(3)
    fixed.flags.writeable = False
    assert script(untyped(read))((fixed, 1), [fixed]) == 2.0


def untyped(function: Callable[..., object]) -> Callable[..., object]:
    """Return the function without annotations: NDArray does not say how many axes there are."""
    function.__annotations__ = {}
    return function
