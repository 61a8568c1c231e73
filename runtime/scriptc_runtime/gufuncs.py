"""NumPy's own loops of linear algebra and Fourier transforms: what they take, and how to call one.

`np.linalg` and `np.fft` are thin layers over generalised ufuncs, whose loops are C functions that
work on stacks of matrices, or of rows, of any strides.  Compiled code calls the same loops, so its
results have the same bits.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
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


# Earlier versions of NumPy have two gufuncs instead, with one loop, that differ in what `p` is.
_PAIRS: Mapping[str, tuple[str, str]] = {
    "lstsq": ("lstsq_m", "lstsq_n"),
    "qr_r_raw": ("qr_r_raw_m", "qr_r_raw_n"),
    "svd": ("svd_m", "svd_n"),
    "svd_f": ("svd_m_f", "svd_n_f"),
    "svd_s": ("svd_m_s", "svd_n_s"),
}


def loops_of(routine: str) -> Sequence[np.ufunc]:
    """Return the gufunc of this NumPy, those for few rows and for few columns, or none."""
    # Inside a function: NumPy itself loads it for those alone who transform.
    import numpy.fft._pocketfft_umath as umath_fft

    for names in ((routine,), _PAIRS.get(routine, ())):
        found = [getattr(umath_linalg, n, getattr(umath_fft, n, None)) for n in names]
        loops = tuple(f for f in found if isinstance(f, np.ufunc))
        if loops:
            return loops
    return ()


def run(routine: str, *operands: Any) -> bool:
    """Call a gufunc on arrays it reads and arrays it writes; return whether LAPACK failed."""
    loops = loops_of(routine)
    if not loops:
        raise NotImplementedError(f"this NumPy has no {routine}")
    rows, columns = operands[0].shape[-2:] if len(loops) > 1 else (0, 0)
    function = loops[0] if rows < columns else loops[-1]
    count = len(SIGNATURES[routine].inputs)
    failed: list[int] = []

    def note(error: str, flag: int) -> None:
        failed.append(flag)

    # As numpy.linalg learns of a failure: the loop raises the flag of an invalid operation.
    with np.errstate(call=note, all="ignore", invalid="call"):
        outputs = cast("Sequence[Any]", operands[count:])
        function(*operands[:count], out=tuple(outputs))
    return bool(failed)
