"""The words of messages about arguments: of live functions and of loaded ones alike."""

from collections.abc import Mapping
from typing import cast

import numpy as np

from scriptc_runtime.types import DType, PyType, TensorType, Type

_PLAIN: Mapping[type, str] = {
    int: "int",
    float: "float",
    bool: "bool",
    str: "str",
    bytes: "bytes",
    type(None): "None",
    **{d.numpy.type: d.value for d in DType},
}


def describe(value: object) -> str:
    """Return what kind of value it is, in the words of annotations."""
    plain = _PLAIN.get(type(value))
    if plain is not None:
        return plain
    kind = type(value)
    if issubclass(kind, np.ndarray):
        array = cast("np.ndarray[tuple[int, ...], np.dtype[np.generic]]", value)
        name = "" if kind is np.ndarray else f" ({kind.__name__})"
        return f"an array of {array.dtype} with {_axes(array.ndim)}{name}"
    return kind.__qualname__


def expected(type_: Type) -> str:
    """Return what a parameter of a type takes."""
    if isinstance(type_, TensorType):
        return f"an array of {type_.dtype.numpy} with {_axes(type_.rank)}"
    return _SOURCES.get(type_) or str(type_)


# Python's and NumPy's sources of random numbers, by their own names: none of a class of one's own.
_SOURCES: Mapping[Type, str] = {
    PyType.GENERATOR: "a np.random.Generator",
    PyType.RANDOM_STATE: "a np.random.RandomState",
    PyType.BIT_GENERATOR: "a np.random.BitGenerator",
    PyType.PYTHON_RANDOM: "a random.Random",
}


def other_axes(type_: TensorType, rank: int) -> str:
    """Say what `f64[...]` means where it was given an array with another number of axes.

    In NumPy's subscripts, and in jaxtyping, `...` stands for any number of them.
    """
    if type_.rank == rank or type_.rank != 1 or type_.dims[0].known:
        return ""
    written = f"{type_.dtype}[{', '.join(['...'] * rank) or '()'}]"
    return f"{type_} is one axis of any size: write {written}, or np.ndarray for any number of axes"


def _axes(rank: int) -> str:
    return "1 axis" if rank == 1 else f"{rank} axes"
