"""Which functions of Python, NumPy and SciPy the language has, by the live object."""

import sys
from typing import cast

import numpy as np

from scriptc.check.library import scipy_functions
from scriptc.check.library.call import Library
from scriptc.check.library.definitions import Entry
from scriptc.check.library.unknown_callees import is_of_users
from scriptc.check.numpy import dtype_objects, functions, generators, table
from scriptc.check.python.table import TABLE as PYTHONS


def is_about_dtypes(value: object) -> bool:
    """Whether this makes a dtype object or asks for its kind, so no array is needed."""
    return value is np.issubdtype or any(value is maker for maker in dtype_objects.MAKERS)


def library_entry(value: object) -> Entry | None:
    """Return the entry of a function of Python, NumPy or SciPy that the language has."""
    try:
        entry = PYTHONS.get(value)
    except TypeError:  # an unhashable object is nothing of ours
        return None
    return entry or (None if is_of_users(value) else numpys_entry(value) or _scipys_entry(value))


def numpys_entry(value: object) -> Entry | None:
    """Return the entry of a function of NumPy."""
    if isinstance(value, type) and issubclass(cast("type[object]", value), np.generic):
        return functions.TABLE.get(cast("type[object]", value))
    return table.TABLE.get(value) or generators.find(value)


def _scipys_entry(value: object) -> Library | None:
    if "scipy" not in sys.modules:
        return None
    return scipy_functions.find(value)
