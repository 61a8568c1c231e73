"""Functions of SciPy that a script may call, where the program has imported SciPy.

SciPy is never imported here: what the program can name is in `sys.modules`.  The bodies are library
code, so a saved file needs no SciPy.
"""

import sys
from collections.abc import Mapping

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.numpy.reductions import rank_of
from scriptc_runtime.types import DType, TensorType, element_of, is_complex


def find(value: object) -> Library | None:
    """Return the entry of a function of SciPy; None for anything else."""
    module = sys.modules.get("scipy.linalg.lapack")
    found = (row for name, row in _LAPACK.items() if getattr(module, name, None) is value)
    return next(found, None) if module else None


def _gtsv(call: LibraryCall) -> Typed:
    """Check `dgtsv(dl, d, du, b)`, which solves a tridiagonal system."""
    values = [_real(call, name) for name in ("dl", "d", "du", "b")]
    *diagonals, right = values
    for name, value in zip(("dl", "d", "du"), diagonals, strict=True):
        if rank_of(value) != 1:
            call.refuse(f"{name} has one axis", call.nodes[name], "x.ravel()")
    if rank_of(right) not in (1, 2) or not isinstance(right.type, TensorType):
        call.refuse("b has one axis or two", call.nodes["b"], "x.reshape(n, -1)")
    body = "gtsv" if right.type.rank == 2 else "gtsv_of_one"
    return call.result(call.standard("tridiagonal", body, *values))


def _real(call: LibraryCall, name: str) -> Computation:
    """Return an argument as an array of float64."""
    value = call.array(name)
    if is_complex(element_of(value.type)):
        # SciPy drops the imaginary parts with a warning, which scripts do not issue.
        call.refuse(f"{name} is complex", call.nodes[name], "x.real, or np.linalg.solve")
    return converted(value, DType.F64)


_LAPACK: Mapping[str, Library] = {
    "dgtsv": Library("scipy.linalg.lapack.dgtsv", ("dl", "d", "du", "b"), 4, _gtsv),
}
