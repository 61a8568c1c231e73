"""NumPy's windows, and its functions of angles and signals."""

import math
from collections.abc import Mapping

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Literal
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.numpy import reductions
from scriptc.check.numpy.standard_calls import (
    array,
    axis_of,
    computed_by,
    floats,
    numbers,
    optional,
    real,
    table_row,
    whole,
)
from scriptc_runtime.types import FLOAT, DType

_ZERO = Literal(0.0, FLOAT)
_TURN = Literal(2 * math.pi, FLOAT)
_ANGLES = (array("p", kinds="f"), optional(real("discont"), _ZERO), axis_of("p", -1))


def _unwrap(call: LibraryCall) -> Typed:
    """Check np.unwrap of floats: a period beside integers would give integers."""
    value = call.array("p")
    if reductions.dtype_of(value) is not DType.F64 and call.is_given("period"):
        call.refuse("a period beside single precision is not built", call.nodes["period"])
    return computed_by("windows", "unwrap", *_ANGLES, optional(real("period"), _TURN))(call)


TABLE: Mapping[object, Library] = {
    **{
        getattr(np, name): table_row(name, "windows", name, whole("M"))
        for name in ("hanning", "hamming", "blackman", "bartlett")
    },
    np.kaiser: table_row("kaiser", "windows", "kaiser", whole("M"), real("beta")),
    np.i0: table_row("i0", "windows", "i0", floats("x")),
    np.sinc: table_row("sinc", "windows", "sinc", numbers("x")),
    np.unwrap: Library("np.unwrap", ("p", "discont", "axis", "period"), 1, _unwrap, displays=True),
}
