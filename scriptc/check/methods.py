"""Methods of values, by their types."""

from collections.abc import Mapping

from scriptc.check.close_names import close_name
from scriptc.check.context import Context
from scriptc.check.library.definitions import Entry
from scriptc.check.numpy import methods as numpy_methods
from scriptc.check.python import (
    byte_strings,
    complex_numbers,
    int_methods,
    math_functions,
    outside_functions,
    strings,
)
from scriptc.check.python.byte_arrays import is_byte_array
from scriptc.check.python.deques import methods as deques_methods
from scriptc.check.python.dicts import collection_methods
from scriptc.check.python.hash_sets import methods as hash_sets_methods
from scriptc.check.python.lists import methods as list_methods
from scriptc.syntax import nodes as n
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    PYTHON_RANDOM,
    STR,
    DequeType,
    DictType,
    ListType,
    OptionalType,
    SetType,
    TensorType,
    TupleType,
    Type,
    is_number,
)


def _of_numbers(type_: Type) -> Mapping[str, Entry]:
    if type_ is BIGINT:
        return {**int_methods.METHODS, **byte_strings.OF_INT}
    of_all = complex_numbers.METHODS
    of_ints = {**int_methods.METHODS, **byte_strings.OF_INT}
    if type_ is FLOAT:
        return {**of_all, **math_functions.OF_FLOATS}
    return {**of_all, **of_ints} if type_ in (INT, BOOL) else of_all


def _of_others(type_: Type) -> Mapping[str, Entry]:
    if type_ is PYTHON_RANDOM:
        return outside_functions.METHODS
    return numpy_methods.methods_of(type_)


def find(context: Context, node: n.Call, type_: Type, name: str) -> Entry:
    """Return the method `name` of values of `type_`, or refuse."""
    methods: Mapping[str, Entry] = {}
    if isinstance(type_, ListType | TupleType):
        methods = list_methods.methods_of(type_)
    elif isinstance(type_, DictType):
        methods = collection_methods.methods_of(type_)
    elif isinstance(type_, DequeType):
        methods = deques_methods.METHODS
    elif isinstance(type_, SetType):
        methods = hash_sets_methods.methods_of(type_)
    elif type_ is STR:
        methods = {**strings.METHODS, **byte_strings.OF_STR}
    elif type_ is BYTES:
        methods = byte_strings.METHODS
    elif is_byte_array(type_):
        methods = byte_strings.OF_ARRAYS
    elif type_ in (INT, BIGINT, FLOAT, BOOL, COMPLEX):
        methods = _of_numbers(type_)
    else:
        methods = _of_others(type_)
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
    return f"it has {', '.join(methods)}" if methods else "write it with operators or loops"
