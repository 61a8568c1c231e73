"""Methods of arrays, of NumPy's numbers and of its generators."""

from collections.abc import Mapping

from scriptc.check.library.call import Library
from scriptc.check.library.definitions import Entry
from scriptc.check.numpy import creation as numpy_making
from scriptc.check.numpy import functions as numpy_functions
from scriptc.check.numpy import generators as numpy_random
from scriptc.check.numpy import joining as numpy_joining
from scriptc.check.numpy import picking as numpy_picking
from scriptc.check.numpy import placing as numpy_placing
from scriptc.check.numpy import products as numpy_products
from scriptc.check.numpy import reductions as numpy_reductions
from scriptc.check.numpy import scans as numpy_scans
from scriptc.check.numpy import sets as numpy_sets
from scriptc.check.numpy import shapes as numpy_shapes
from scriptc.check.numpy import sorting as numpy_sorting
from scriptc.check.numpy import ufunc_methods as numpy_ufunc_methods
from scriptc.check.numpy import ufuncs as numpy_ufuncs
from scriptc.check.python import complex_numbers, int_methods, math_functions
from scriptc_runtime.types import DType, TensorType, Type

ARRAY_METHODS: Mapping[str, Library] = {
    **numpy_functions.ARRAY_METHODS,
    **numpy_reductions.METHODS,
    **numpy_scans.METHODS,
    **numpy_ufunc_methods.METHODS,
    **numpy_shapes.METHODS,
    **numpy_joining.METHODS,
    **numpy_making.METHODS,
    **numpy_picking.METHODS,
    **numpy_placing.METHODS,
    **numpy_products.METHODS,
    **numpy_sets.METHODS,
    **numpy_sorting.METHODS,
    **numpy_ufuncs.METHODS,
}
# Methods of arrays that NumPy's numbers have, too, and that give the same as of an array of one.
_OF_BOTH = (
    *("item", "all", "any", "sum", "prod", "mean", "var", "std", "min", "max", "argmin", "argmax"),
    *("cumsum", "cumprod", "clip", "repeat", "take", "ravel", "flatten", "reshape"),
)
SCALAR_METHODS: Mapping[str, Entry] = {
    **complex_numbers.METHODS,
    **numpy_ufuncs.METHODS,
    **math_functions.OF_FLOATS,
    "bit_count": int_methods.METHODS["bit_count"],
    **{name: ARRAY_METHODS[name] for name in _OF_BOTH},
    "tolist": numpy_making.METHODS["item"],
}


def methods_of(type_: Type) -> Mapping[str, Entry]:
    """Return the methods of values of a type of NumPy's; of others there are none."""
    if isinstance(type_, TensorType):
        return ARRAY_METHODS
    return SCALAR_METHODS if isinstance(type_, DType) else numpy_random.METHODS.get(type_, {})
