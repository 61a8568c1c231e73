"""The functions of Python and its modules, by the live objects."""

from collections.abc import Mapping, Sequence

from scriptc.check.library import unsafe_functions
from scriptc.check.library.definitions import Entry
from scriptc.check.python import (
    bigint_functions,
    builtin_functions,
    byte_strings,
    cmath_functions,
    fresh_values,
    math_functions,
    operator_functions,
    outside_functions,
    strings,
    struct_formats,
)
from scriptc.check.python.lists import heaps
from scriptc_runtime.later import Part, TableOfFamilies

# By the module that a function says it is of, or else the class that has the method.
_PARTS: Mapping[str, Sequence[Part[object, Entry]]] = {
    "": (lambda: strings.STATIC, lambda: byte_strings.STATIC, lambda: outside_functions.TABLE),
    "_bisect": (lambda: heaps.TABLE,),
    "_operator": (lambda: operator_functions.TABLE,),
    "_struct": (lambda: struct_formats.TABLE,),
    "builtins": (lambda: builtin_functions.TABLE, lambda: byte_strings.STATIC),
    "bytes": (lambda: byte_strings.STATIC,),
    "cmath": (lambda: cmath_functions.TABLE,),
    "heapq": (lambda: heaps.TABLE,),
    "int": (lambda: byte_strings.STATIC,),
    "math": (lambda: math_functions.TABLE,),
    "random": (lambda: outside_functions.TABLE,),
    "scriptc_runtime.any_size": (lambda: bigint_functions.TABLE,),
    "scriptc_runtime.unsafe": (
        *(lambda: unsafe_functions.TABLE, lambda: fresh_values.TABLE),
        lambda: outside_functions.TABLE,
    ),
    "str": (lambda: strings.STATIC,),
    "string": (lambda: outside_functions.TABLE,),
    "time": (lambda: outside_functions.TABLE,),
}


def _family_of(value: object) -> str:
    module = getattr(value, "__module__", None)
    if isinstance(module, str):
        return module
    owner = getattr(value, "__objclass__", None) or getattr(value, "__self__", None)
    return owner.__name__ if isinstance(owner, type) else ""


TABLE: Mapping[object, Entry] = TableOfFamilies({}, _family_of, _PARTS)
