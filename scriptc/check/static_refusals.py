"""Why a constant, as a class or a module, cannot stand where a value has to be."""

import numpy as np

from scriptc.check import builtin_methods
from scriptc.check.bindings import KeptIndex, KeptSlice, Static, Typed
from scriptc_runtime.dims import Dim
from scriptc_runtime.types import TensorType

_OF_ARRAYS = ("shape", "ndim", "size", "dtype", "nbytes", "itemsize", "T", "mT")


def is_sentinel(value: object) -> bool:
    """Whether a value is an `object()`, of which nobody asks more than whether it is that one."""
    return type(value) is object


def refusal_of(value: Static) -> tuple[str, str, str, str]:
    """Return the code of a refusal, what is wrong, why, and the way out."""
    if value.receiver is not None:
        return _member_refusal(value, value.receiver[1])
    if isinstance(value.value, KeptSlice | KeptIndex):
        return (
            "not-a-value",
            "a slice is no value of the language",
            "slices are constants: they get a name, are passed to functions or stand in an "
            "index, and are not computed with, stored or returned",
            "keep its bounds in variables: each may be None",
        )
    if isinstance(value.value, Dim):
        return (
            "not-a-value",
            f"'{value.value}' is the name of a size, which only annotations have",
            "",
            "len(x), or x.shape[0] of an array with this size",
        )
    if is_sentinel(value.value):
        return (
            "not-a-value",
            "an object() is no value of the language",
            "it stands for a parameter that is not given: `is` tells it from all values",
            "None, or an object of a class: class Missing: ...; MISSING = Missing()",
        )
    live = getattr(value.value, "function", value.value)
    name = getattr(live, "__name__", live)
    is_dtype = issubclass(type(live), np.dtype)
    return (
        "not-a-value",
        f"{name!r} is a {type(live).__name__}, which is no value of the language",
        "classes, modules and dtypes are constants: they get a name or are passed to"
        " functions, and are not computed with, stored or returned",
        "str(x.dtype) for its text; functions take it as it is"
        if is_dtype
        else "call it where it stands, or read a constant from it",
    )


def _member_refusal(value: Static, owner: Typed) -> tuple[str, str, str, str]:
    if value.value == "flat":
        return (
            "unknown-attribute",
            "'flat' of an array is read by a `for` or a subscript, and is nothing else in scripts",
            "",
            "x.put(i, value) or x[...] = value to write, x.ravel() for a name of its own",
        )
    if builtin_methods.has_method(owner, str(value.value)):
        return (
            "unknown-attribute",
            f"{value.value!r} is a method of {owner.type}, and is read here without a call",
            "what it is of may be something else by the time of a call",
            "call it where it stands, or in a function of its own",
        )
    has = f"arrays have {', '.join(_OF_ARRAYS)}, real and imag"
    instead = f"call it, if it is a method; {has}"
    if not isinstance(owner.type, TensorType):
        instead = "call it, if it is a method; numbers have real and imag"
        if value.value in _OF_ARRAYS:
            instead = "an array has it; numbers have real and imag"
    what = f"{owner.type} has no attribute {value.value!r} that can be read in scripts"
    return "unknown-attribute", what, "", instead
