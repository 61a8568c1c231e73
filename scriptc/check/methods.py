"""Methods of lists and arrays."""

from collections.abc import Mapping

from scriptc.check.context import Context
from scriptc.check.library.call import Library
from scriptc.check.library.definitions import Entry
from scriptc.check.names import close_name
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
from scriptc.check.python import complex_numbers, int_methods, str_format
from scriptc.check.python.lists import methods as list_methods
from scriptc.syntax import nodes as n
from scriptc_runtime.types import (
    BOOL,
    INT,
    STR,
    DictType,
    DType,
    ListType,
    OptionalType,
    TensorType,
    Type,
    is_number,
)

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
SCALAR_METHODS: Mapping[str, Library] = {
    **complex_numbers.METHODS,
    **numpy_ufuncs.METHODS,
    "bit_count": int_methods.METHODS["bit_count"],
    **{name: numpy_making.METHODS[name] for name in ("item",)},
}


def _of_numbers(type_: Type) -> Mapping[str, Library]:
    of_all = complex_numbers.METHODS
    return {**of_all, **int_methods.METHODS} if type_ in (INT, BOOL) else of_all


def find(context: Context, node: n.Call, type_: Type, name: str) -> Entry:
    """Return the method `name` of values of `type_`, or refuse."""
    methods: Mapping[str, Entry] = {}
    if isinstance(type_, ListType):
        methods = list_methods.METHODS
    elif isinstance(type_, DictType):
        # Inside a function: a program of loops has no dicts.
        from scriptc.check.python.dicts.methods import METHODS

        methods = METHODS
    elif isinstance(type_, TensorType):
        methods = ARRAY_METHODS
    elif type_ is STR:
        methods = str_format.METHODS
    elif isinstance(type_, DType):
        methods = SCALAR_METHODS
    elif type_ in numpy_random.METHODS:
        methods = numpy_random.METHODS[type_]
    elif is_number(type_):
        methods = _of_numbers(type_)
    if name in methods:
        return methods[name]
    instead = _way_out(type_, name, methods)
    context.fail(
        "unknown-method", f"{type_} has no method {name!r} in scripts", node.func, instead=instead
    )


def _way_out(type_: Type, name: str, methods: Mapping[str, Entry]) -> str:
    """Return what to write instead of a method that is not there."""
    if name == "view":
        return "x.astype(...) converts the numbers; x.view(...) outside, and pass that in"
    if name == "append" and isinstance(type_, TensorType):
        return "a list, which grows, and np.array(xs) of it; np.append(x, value) copies each time"
    if name == "astype" and is_number(type_):
        return "float(x), int(x) or np.float32(x)"
    if close := close_name(name, methods):
        return f"did you mean {close!r}?"
    if isinstance(type_, OptionalType):
        return "test `is not None` first"
    if type_ is STR:
        return (
            "call it outside, and pass in what comes of it; scripts join texts by + and f-strings"
        )
    return f"it has {', '.join(methods)}" if methods else "write it with operators or loops"
