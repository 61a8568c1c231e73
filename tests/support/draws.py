"""Calls of the ops of random numbers: generators that are made alike each time, and draws."""

import random
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from scriptc_runtime.distributions import BOUNDED, DISTRIBUTIONS
from scriptc_runtime.ops import generators, outside
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.types import (
    BIT_GENERATOR,
    GENERATOR,
    INT,
    PYTHON_RANDOM,
    RANDOM_STATE,
    DType,
    PyType,
    Type,
)

Make = Callable[[], object]
Call = tuple[OpDef, tuple[Make, ...], Mapping[str, Attr]]
TYPES: Mapping[type, Type] = {
    np.random.PCG64: BIT_GENERATOR,
    np.random.Generator: GENERATOR,
    np.random.RandomState: RANDOM_STATE,
    random.Random: PYTHON_RANDOM,
}
SOURCES: Mapping[PyType, Make] = {
    GENERATOR: lambda: np.random.Generator(np.random.PCG64(3)),
    RANDOM_STATE: lambda: np.random.RandomState(3),
}
ARRAYS: tuple[Make, ...] = (
    lambda: np.arange(6.0).reshape(2, 3),
    lambda: np.arange(12.0).reshape(4, 3)[::-2, ::-1],
    lambda: np.zeros((0, 3)),
    lambda: np.array([1.0, -0.0, np.nan]),
    lambda: np.array(2.5),
)


def calls() -> Iterator[Call]:
    """Yield ops with the makers of their operands and their attributes."""
    for maker in generators.MAKERS:
        for seed in ((), (7,), (-1,)):
            yield generators.NEW_RANDOM, tuple(map(_always, seed)), {"maker": maker}
        yield generators.NEW_RANDOM, (lambda: np.random.PCG64(3),), {"maker": maker}
    for method, *given in (("random",), ("getrandbits", -1), ("gauss", 0.0, 1.0)):
        operands = (lambda: random.Random(3), *map(_always, given))
        yield outside.ASK, operands, {"kind": f"Random.{method}"}
    for _ in range(2):
        yield generators.GLOBAL_RANDOM, (), {}
    for seed in ((), (5,), (-5,)):
        yield generators.SEED_RANDOM, (SOURCES[RANDOM_STATE], *map(_always, seed)), {}
    for type_, source in SOURCES.items():
        for array in ARRAYS:
            yield generators.SHUFFLE, (source, array), {}
        for last in (0, 5, 2**40):
            yield generators.DRAW_INDEX, (source, _always(last)), {}
        yield from _drawn(type_, source)


def _drawn(type_: PyType, source: Make) -> Iterator[Call]:
    for name, found in DISTRIBUTIONS[type_].items():
        own = DType.I64 if found.result is INT else DType.F64
        attrs: Mapping[str, Attr] = {"name": name, "dtype": own, "closed": False}
        for value in (1.0, 0.5, -1.0):
            numbers = [int(4 * value) if p.type is INT else value for p in found.parameters]
            operands = (source, *map(_always, numbers))
            yield generators.DRAW, operands, attrs
            # The last one is not what is declared.
            for size, dim in ((2, 2), (0, 0), (-1, None), (2, 3)):
                sizes = (_always(size), _always(3))
                yield generators.DRAW_ARRAY, (*operands, *sizes), {**attrs, "dims": (dim, None)}
            if numbers and name != BOUNDED:
                many = (source, *map(_repeated, numbers))
                sizes = (_always(2), _always(3))
                yield generators.DRAW_ARRAY, (*many, *sizes), {**attrs, "dims": (2, 3)}
                yield generators.FILL_RANDOM, (source, _zeros(own), *many[1:]), attrs
            array = _zeros(own)
            yield generators.FILL_RANDOM, (source, array, *operands[1:]), attrs


def _always(value: object) -> Make:
    return lambda: value


def _repeated(value: float) -> Make:
    return lambda: np.full((2, 3), value)


def _zeros(dtype: DType) -> Make:
    return lambda: np.zeros((2, 3), dtype.numpy)
