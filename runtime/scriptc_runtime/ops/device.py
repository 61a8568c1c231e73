"""Low ops of host code whose arrays lie in the memory of a device, which it cannot read."""

import numpy as np

from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.ops.low import LOAD, low_op, reads


def _evaluate_fetch(base: Array, *index: np.int64, once: bool) -> object:
    return base[index]


FETCH = low_op(
    "fetch",
    "The element at `index`, when the kernels before have written it. Nobody writes to an `x` that "
    "was written `once` before.",
    ("x", "*index"),
    LOAD.infer,
    _evaluate_fetch,
    reads,
    ("once",),
)
OPS = (FETCH,)
