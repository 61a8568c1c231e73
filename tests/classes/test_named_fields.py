"""Fields of scripted classes that hold named tuples, members and slices, read by other scripts.

The classes have no annotations: their objects say what their fields hold.
"""

# pyright: basic

from enum import Enum
from typing import NamedTuple

import numpy as np
import pytest

from scriptc import script


class Point(NamedTuple):
    x: int
    y: float


class Color(Enum):
    RED = "r"
    BLUE = "b"


@pytest.mark.parametrize("backend", ["llvm", "interp"])
@pytest.mark.parametrize("value", [Point(1, 2.5), Color.BLUE, slice(1, None), (Point(1, 0.5), 2)])
def test_functions_give_what_fields_hold(backend: str, value: object) -> None:
    @script(backend=backend)
    class Holder:
        def __init__(self, held):
            self.held = held

        def itself(self):
            return self.held

    @script(backend=backend)
    def of(holder):
        return holder.held

    holder = Holder(value)
    assert of(holder) == holder.itself() == holder.held == value


@pytest.mark.parametrize("backend", ["llvm", "interp"])
def test_slices_in_fields_are_indices(backend: str) -> None:
    @script(backend=backend)
    class Window:
        def __init__(self, part):
            self.part = part

        def of(self, x):
            return x[self.part]

    window = Window(slice(1, 3))
    assert window.of(np.arange(5)).tolist() == [1, 2]
    window.part = slice(None, None, -2)
    assert window.of(np.arange(5)).tolist() == [4, 2, 0]
    assert window.of([1, 2, 3]) == [3, 1]
