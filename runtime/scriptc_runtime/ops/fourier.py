"""Discrete Fourier transforms of the rows of arrays, along the last axis.

Each is the function of `np.fft` of its name; `norm` is NumPy's, too.  Their bodies in
`stdlib/fourier.py` call NumPy's own loops by `gufunc`.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.ops.arrays import tensor
from scriptc_runtime.ops.opdef import Attrs, Effects, Level, OpDef, OpTypeError, TypeRule
from scriptc_runtime.types import INT, DType, TensorType, Type

NORMS = ("backward", "ortho", "forward")
_COMPLEX = {DType.F32: DType.C64, DType.F64: DType.C128}
_TO_REAL = {**{wave: real for real, wave in _COMPLEX.items()}, **{real: real for real in _COMPLEX}}
_TO_COMPLEX = {dtype: _COMPLEX[real] for dtype, real in _TO_REAL.items()}


def _to(dtypes: dict[DType, DType]) -> TypeRule:
    """Return the type rule of a transform from and to these dtypes."""

    def infer(types: Sequence[Type], attrs: Attrs) -> tuple[Type, ...]:
        base = tensor(types[0])
        if base.dtype not in dtypes or base.rank == 0 or types[1] is not INT:
            raise OpTypeError(f"no transform of {base}")
        if attrs["norm"] not in NORMS:
            raise OpTypeError(f"no norm is called {attrs['norm']!r}")
        return (TensorType(dtypes[base.dtype], (UNKNOWN,) * base.rank),)

    return infer


def _effects(types: Sequence[Type], attrs: Attrs) -> Effects:
    return Effects(reads=frozenset({0}), raises=True, allocates=True)


def _transform(name: str, doc: str, dtypes: dict[DType, DType]) -> OpDef:
    def evaluate(x: Any, count: int, *, norm: Any) -> object:
        return cast(object, getattr(np.fft, name)(x, count, norm=norm))

    return OpDef(
        name=name,
        doc=doc,
        operands=("x", "count"),
        infer=_to(dtypes),
        evaluate=evaluate,
        attrs=("norm",),
        effects=_effects,
        level=Level.LIBRARY,
    )


FFT = _transform("fft", "The Fourier transform of `count` elements of each row.", _TO_COMPLEX)
IFFT = _transform("ifft", "The inverse transform of `count` elements of each row.", _TO_COMPLEX)
RFFT = _transform("rfft", "The first half of the transform of real rows.", _COMPLEX)
IRFFT = _transform("irfft", "The `count` real elements whose transform begins so.", _TO_REAL)

OPS = (FFT, IFFT, RFFT, IRFFT)
