"""NumPy's type promotion: the dtype of a result of two operands."""

from functools import cache

import numpy as np

from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    DEFAULT_DTYPE,
    FLOAT,
    FROM_NUMPY,
    INT,
    DType,
    PyType,
)

_KIND_RANK = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
_PYTHON_RANK = {BOOL: 0, INT: 1, FLOAT: 2, COMPLEX: 3}


@cache
def promote(first: DType, second: DType) -> DType:
    """Return NumPy's result type of two strong operands."""
    return FROM_NUMPY[np.result_type(first.numpy, second.numpy)]


@cache
def promote_weak(strong: DType, weak: PyType) -> DType:
    """Return the dtype of a NumPy operand with a Python number: `f32` with `float` stays `f32`."""
    if _PYTHON_RANK[weak] <= _KIND_RANK[strong.kind]:
        return strong
    if weak is COMPLEX and strong.kind == "f":
        return DType.C64 if strong in (DType.F16, DType.F32) else DType.C128
    return DEFAULT_DTYPE[weak]
