"""Every function of NumPy that a script may call, by the object itself."""

from collections.abc import Mapping

import numpy as np

from scriptc.check.library.definitions import Entry
from scriptc.check.library.tables import real_only, with_out
from scriptc.check.numpy import creation as numpy_making
from scriptc.check.numpy import curves as numpy_curves
from scriptc.check.numpy import einsum as numpy_einsum
from scriptc.check.numpy import float_parts as numpy_float_parts
from scriptc.check.numpy import fourier as numpy_fourier
from scriptc.check.numpy import functions as numpy_functions
from scriptc.check.numpy import histograms as numpy_histograms
from scriptc.check.numpy import joining as numpy_joining
from scriptc.check.numpy import layouts as numpy_layouts
from scriptc.check.numpy import linalg as numpy_linalg
from scriptc.check.numpy import linalg_names
from scriptc.check.numpy import logic as numpy_logic
from scriptc.check.numpy import more_ufuncs as numpy_more_ufuncs
from scriptc.check.numpy import norms as numpy_norms
from scriptc.check.numpy import padding as numpy_padding
from scriptc.check.numpy import picking as numpy_picking
from scriptc.check.numpy import placing as numpy_placing
from scriptc.check.numpy import polynomials as numpy_polynomials
from scriptc.check.numpy import products as numpy_products
from scriptc.check.numpy import quantiles as numpy_statistics
from scriptc.check.numpy import reductions as numpy_reductions
from scriptc.check.numpy import scans as numpy_scans
from scriptc.check.numpy import sets as numpy_sets
from scriptc.check.numpy import shapes as numpy_shapes
from scriptc.check.numpy import sorting as numpy_sorting
from scriptc.check.numpy import splitting as numpy_splitting
from scriptc.check.numpy import ufunc_methods as numpy_ufunc_methods
from scriptc.check.numpy import ufuncs as numpy_ufuncs
from scriptc.check.numpy import windows as numpy_windows
from scriptc.check.python import complex_numbers

# What NumPy computes of complex arrays with their conjugates, or by parts.
_CONJUGATING = (np.correlate, np.interp)

_NUMPYS: Mapping[object, Entry] = {
    **with_out(numpy_functions.TABLE),
    **complex_numbers.NUMPY_TABLE,
    **numpy_reductions.TABLE,
    **numpy_scans.TABLE,
    **numpy_shapes.TABLE,
    **real_only(numpy_sorting.TABLE),
    **numpy_splitting.TABLE,
    **real_only(numpy_curves.TABLE, (np.isin, np.logspace)),
    **real_only(numpy_statistics.TABLE),
    **numpy_joining.TABLE,
    **numpy_padding.TABLE,
    **numpy_layouts.TABLE,
    **real_only(numpy_logic.TABLE, numpy_logic.REAL),
    **numpy_linalg.TABLE,
    **numpy_norms.TABLE,
    **numpy_fourier.TABLE,
    **numpy_making.TABLE,
    **with_out(numpy_ufuncs.TABLE),
    **numpy_picking.TABLE,
    **numpy_ufunc_methods.TABLE,
    **with_out(numpy_more_ufuncs.TABLE),
    **with_out(numpy_float_parts.TABLE),
    **numpy_windows.TABLE,
    **numpy_polynomials.TABLE,
    **numpy_placing.TABLE,
    **real_only(numpy_sets.TABLE, (np.partition, np.argpartition, np.lexsort)),
    **real_only(numpy_histograms.TABLE),
    **real_only(numpy_products.TABLE, _CONJUGATING),
    **numpy_einsum.TABLE,
}
# Those of np.linalg have other names for parameters, and some of np are theirs.
TABLE: Mapping[object, Entry] = {**_NUMPYS, **linalg_names.table_of(_NUMPYS)}
