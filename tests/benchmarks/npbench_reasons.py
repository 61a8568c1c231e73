"""Why a kernel of NPBench is slower under scriptc than under the best peer: a sentence for each.

The report prints them. A run fails where a kernel that is slower has none, and where one that is
clearly faster still has one.
"""

from collections.abc import Mapping

_BLAS = "NumPy's own BLAS takes nearly all of the time."
REASONS: Mapping[str, str] = {
    "azimint_hist": "Each of the two histograms looks for the bins of all values anew.",
    "channel_flow": "JAX's file leaves out the pressure solver, 10 of 12 sweeps of a step at M.",
    "compute": "Three arrays are read and one is written: all are as fast as memory.",
    "contour_integral": "LAPACK solves the systems under all; what is left is noise.",
    "covariance2": _BLAS,
    "crc16": "Three cycles a bit, as under the peers: the two are even.",
    "doitgen": "The product goes to new memory, and from there into the array it came from.",
    "go_fast": "Memory that is reused is written by the system's leave; DaCe gives one buffer out.",
    "heat_3d": "Both sweeps go to memory; XLA's code for the two of them touches it less.",
    "jacobi_1d": "Three loads an element, two of them not aligned; both sweeps could be one.",
    "k2mm": _BLAS,
    "k3mm": _BLAS,
    "nussinov": "A comparison and a choice after the other; Pythran's maximum is one of vectors.",
    "stockham_fft": "Complex matrices of few rows are multiplied as four products of parts.",
}
