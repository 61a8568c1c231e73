"""NumPy's own loops of linear algebra and Fourier transforms: what they take, and how to call one.

`np.linalg` and `np.fft` are thin layers over generalised ufuncs, whose loops are C functions that
work on stacks of matrices, or of rows, of any strides.  Compiled code calls the same loops, so its
results have the same bits.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import numpy.fft._pocketfft_umath as umath_fft
import numpy.linalg._umath_linalg as umath_linalg

from scriptc_runtime.record import record


@record
class Signature:
    """The core axes of each array by letter, those that are written behind those that are read.

    `p` is the smaller of `m` and `n`.  A loop of np.fft takes a factor beside the rows.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    updated: bool = False  # the first array is read, and written as well

    @property
    def operands(self) -> tuple[str, ...]:
        """The core axes of all arrays."""
        return (*self.inputs, *self.outputs)

    @property
    def letters(self) -> tuple[str, ...]:
        """The sizes that a loop is given, in its order."""
        return tuple(dict.fromkeys("".join(self.operands)))


def _signature(text: str, *, updated: bool = False) -> Signature:
    before, _, after = text.partition("->")
    return Signature(tuple(before.split(",")), tuple(after.split(",")), updated)


SIGNATURES: Mapping[str, Signature] = {
    "cholesky_lo": _signature("mm->mm"),
    "cholesky_up": _signature("mm->mm"),
    "det": _signature("mm->"),
    "eig": _signature("mm->m,mm"),
    "eigvals": _signature("mm->m"),
    "eigh_lo": _signature("mm->m,mm"),
    "eigh_up": _signature("mm->m,mm"),
    "eigvalsh_lo": _signature("mm->m"),
    "eigvalsh_up": _signature("mm->m"),
    "inv": _signature("mm->mm"),
    "lstsq": _signature("mn,mr,->nr,r,,p"),
    "qr_complete": _signature("mn,n->mm"),
    "qr_r_raw": _signature("mn->p", updated=True),
    "qr_reduced": _signature("mn,k->mk"),
    "slogdet": _signature("mm->,"),
    "solve": _signature("mm,mn->mn"),
    "solve1": _signature("mm,m->m"),
    "svd": _signature("mn->p"),
    "svd_f": _signature("mn->mm,p,nn"),
    "svd_s": _signature("mn->mp,p,pn"),
    "fft": _signature("n,->m"),
    "ifft": _signature("n,->m"),
    "irfft": _signature("n,->m"),
    "rfft_n_even": _signature("n,->m"),
    "rfft_n_odd": _signature("n,->m"),
}


def loop_of(routine: str) -> np.ufunc | None:
    """Return the gufunc of this NumPy, None where it has none by that name."""
    found = getattr(umath_linalg, routine, getattr(umath_fft, routine, None))
    return found if isinstance(found, np.ufunc) else None


def run(routine: str, *operands: Any) -> bool:
    """Call a gufunc on arrays it reads and arrays it writes; return whether LAPACK failed."""
    function = loop_of(routine)
    if function is None:
        raise NotImplementedError(f"this NumPy has no {routine}")
    count = len(SIGNATURES[routine].inputs)
    failed: list[int] = []

    def note(error: str, flag: int) -> None:
        failed.append(flag)

    # As numpy.linalg learns of a failure: the loop raises the flag of an invalid operation.
    with np.errstate(call=note, all="ignore", invalid="call"):
        outputs = cast("Sequence[Any]", operands[count:])
        function(*operands[:count], out=tuple(outputs))
    return bool(failed)
