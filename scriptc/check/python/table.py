"""The functions of Python and its modules, by the live objects."""

from collections.abc import Mapping

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

TABLE: Mapping[object, Entry] = {
    **builtin_functions.TABLE,
    **bigint_functions.TABLE,
    **math_functions.TABLE,
    **cmath_functions.TABLE,
    **unsafe_functions.TABLE,
    **fresh_values.TABLE,
    **heaps.TABLE,
    **operator_functions.TABLE,
    **outside_functions.TABLE,
    **strings.STATIC,
    **byte_strings.STATIC,
    **struct_formats.TABLE,
}
