"""Arguments of random programs: arrays of every layout, some of which share memory."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scriptc_runtime.ir import Module
from scriptc_runtime.types import DType


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument: how it lies in memory, and which other argument's memory it uses."""

    dtype: DType
    shape: tuple[int, ...]
    layout: str
    seed: int
    shared: int | None = None


@dataclass(frozen=True, slots=True)
class Program:
    """A module whose function `f` is called with `arguments`."""

    module: Module
    arguments: Sequence[Argument]

    def make_arguments(self) -> list[NDArray[np.generic]]:
        """Return new arrays; the same each time, shared memory included."""
        made: list[NDArray[np.generic]] = []
        for a in self.arguments:
            made.append(made[a.shared][...] if a.shared is not None else _array(a))
        return made


def _array(argument: Argument) -> NDArray[np.generic]:
    rng = np.random.default_rng(argument.seed)
    shape = argument.shape
    if argument.layout == "transposed":
        shape = shape[::-1]
    if argument.layout in ("strided", "reversed") and shape:
        shape = (*shape[:-1], 2 * shape[-1])
    if argument.dtype is DType.B1:
        values = rng.random(shape) < 0.5
    else:
        values = rng.integers(-12, 13, shape) / (4 if argument.dtype.kind == "f" else 1)
    whole = np.asarray(values).astype(argument.dtype.numpy)
    match argument.layout:
        case "transposed":
            return whole.T
        case "strided" if shape:
            return whole[..., ::2]
        case "reversed" if shape:
            return whole[..., ::-2]
        case _:
            return whole
