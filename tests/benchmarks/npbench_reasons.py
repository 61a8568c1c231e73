"""Why a kernel of NPBench is slower under scriptc than under the best peer: a sentence for each.

The report prints them. A run fails where a kernel that is slower has none, and where one that is
clearly faster still has one.
"""

from collections.abc import Mapping

_BLAS = "NumPy's own BLAS takes nearly all of the time."
REASONS: Mapping[str, str] = {
    "azimint_hist": "Each of the two histograms looks for the bins of all values anew.",
    "channel_flow": "JAX's file leaves out the pressure solver, 10 of 12 sweeps of a step at M.",
    "covariance2": _BLAS,
    "crc16": "LLVM makes a branch of the choice in the inner loop, which random data mispredict.",
    "doitgen": "The product goes to new memory, and from there into the array it came from.",
    "go_fast": "The result is new memory at each call; DaCe gives the same buffer each time.",
    "heat_3d": "Both sweeps go to memory; XLA's code for the two of them touches it less.",
    "jacobi_1d": "Stores that are not aligned to vectors; both sweeps could be one.",
    "k2mm": _BLAS,
    "k3mm": _BLAS,
    "nbody": "Some thirty kernels a step over a few dozen bodies: their number is the time.",
    "nussinov": "Elements of the table go through memory where they could stay in registers.",
    "seidel_2d": "A chain of additions and a division; several rows of it in flight are not built.",
    "spmv": "Rows of two entries are gathered into memory before they are multiplied.",
    "stockham_fft": "Complex matrices of few rows are multiplied as four products of parts.",
    "trisolv": "The matrix comes from memory once, one row at a time.",
}
