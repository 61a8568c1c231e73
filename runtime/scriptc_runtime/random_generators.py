"""Random generators of NumPy and Python as values; nothing here makes NumPy load `numpy.random`."""

import sys
from typing import Any, cast

import numpy as np

from scriptc_runtime.types import GENERATOR, PYTHON_RANDOM, RANDOM_STATE, PyType


def source_type(kind: type) -> PyType | None:
    """Return the type of the values of a class that random numbers are drawn from, if it is one."""
    # A program without the module has no such values, and less to wait for.
    random = sys.modules.get("numpy.random")
    if random is not None and kind in (random.Generator, random.RandomState):
        return GENERATOR if kind is random.Generator else RANDOM_STATE
    random = sys.modules.get("random")
    return PYTHON_RANDOM if random is not None and kind is random.Random else None


def global_state() -> Any:
    """Return the RandomState that functions of np.random draw from."""
    return cast(Any, np.random.rand).__self__


def seed(state: Any, *seed: int) -> None:
    """Start a RandomState anew, from a seed or from entropy of the system."""
    if state is global_state():
        np.random.seed(*seed)  # which knows of other bit generators
    else:
        state.seed(*seed)


def draw_index(source: Any, last: int) -> int:
    """Return an int from 0 to `last`, as methods that shuffle draw it."""
    if isinstance(source, np.random.Generator):
        # The older class draws all integers in this way.
        source = np.random.RandomState(source.bit_generator)
    return int(source.randint(0, last + 1)) if last > 0 else 0
