"""Calls of what scriptc does not know: why they are refused, and what to write instead."""

import builtins
import collections
import enum
import functools
import re
import struct
import sys
from collections.abc import Mapping, Sequence
from types import FunctionType, MethodType, ModuleType
from typing import NoReturn

import numpy as np

from scriptc.check.context import Context
from scriptc.check.scopes import plain_function
from scriptc.syntax import nodes as n
from scriptc_runtime.conversions import class_conversion
from scriptc_runtime.errors import Diagnostic, ScriptError, TypeCheckError

_OUTSIDE = "write it with loops, or call it outside and pass the result in"
_NUMPYS_WAYS: Sequence[tuple[object, str]] = (
    (np.nditer, "for v in x.flat, or np.ndindex and np.ndenumerate for the indices"),
    (np.piecewise, "np.where(x < 0, f(x), g(x)), or np.select"),
    (np.apply_along_axis, "a loop over the rows: for row in x"),
    (np.apply_over_axes, "the function itself, with several axes"),
    (np.fromfunction, "the function of np.indices: i, j = np.indices((n, m)); f(i, j)"),
    (np.histogramdd, "np.histogram or np.histogram2d, or np.digitize and np.add.at"),
    (np.linalg.tensorsolve, "np.linalg.solve of arrays that are reshaped to matrices"),
    (np.vectorize, "the function itself, or a loop"),
    (np.poly1d, "np.polyval(coefficients, x), and np.polyadd and its like"),
    (np.matrix, "a plain array with two axes, and @ for products"),
    (np.array_equiv, "np.array_equal, of arrays of one shape"),
    (np.isscalar, "np.ndim(x) == 0, of numbers and arrays"),
    (np.fromiter, "np.array of a list, as a comprehension makes"),
)

_PYTHONS_WAYS: Sequence[tuple[tuple[object, ...], str]] = (
    ((type,), "isinstance(x, float), which is known when the script is compiled, or x.dtype"),
    ((callable,), "f is None, of a name"),
    ((getattr, hasattr), "the attribute itself, x.name: objects of a class have the same"),
    ((issubclass,), "isinstance(x, T)"),
    ((setattr, delattr, vars, dir), "the fields themselves: x.name = value"),
    ((open, input), "read it outside and pass the numbers in; return what is to be written"),
    ((iter, next), "a `for` loop, which a `break` ends, or x[i]"),
    ((bytes, bytearray, memoryview), "numbers in an array, made outside"),
    ((id, hash), "a number of your own, kept in a field or an array"),
    ((eval, exec, compile), "the expression itself, or a function that is passed in"),
    ((globals, locals), "the variables themselves, or parameters"),
    ((super,), "super().method(...), in a method of a class"),
    ((collections.namedtuple,), "the class at the top of the module, and its name here"),
    ((collections.ChainMap,), "a dict of all, {**defaults, **own}, or a list of dicts to search"),
    ((collections.UserDict, collections.UserList), "a plain dict or list in a field of a class"),
    ((struct.Struct,), "a global struct.Struct, or struct.pack and unpack"),
    ((struct.iter_unpack, struct.pack_into), "struct.pack and unpack, with offsets"),
    ((object,), "an object() outside as a default, or None where there is nothing yet"),
)

# What a script has instead of whole modules.
_MODULES_WAYS: Mapping[str, str] = {
    "numba": "[] and {} for its lists and dicts, float(x) and the like for its types; what has no "
    "compiled form, as in objmode, is called outside",
    "re": "methods of str, as find, split and partition, or a loop over the characters; or call it "
    "outside and pass the parts in",
    "json": "json.loads(text) outside, and pass what it gives in: of a text nobody knows the types",
    "datetime": "date, datetime or timedelta; or numbers, days or seconds, that are made outside",
    "decimal": "ints that count the smallest unit, as cents, or floats",
    "weakref": "the object itself: rings are collected; or a field that is set to None in time",
}

# Libraries whose Python code leads to compiled code, or to all of itself: to read it takes long.
_NOT_READ = frozenset(
    ("scipy", "sklearn", "pandas", "matplotlib", "torch", "tensorflow", "jax", "sympy", "xarray")
)

# Functions of SciPy that a script writes for each number, or with NumPy for whole arrays.
_SPECIALS: Mapping[str, str] = {
    **{name: f"math.{name}(v), for each v of an array" for name in ("erf", "erfc", "gamma")},
    "gammaln": "math.lgamma(v), for each v of an array",
    "cbrt": "np.cbrt(x)",
    "expit": "1.0 / (1.0 + np.exp(-x))",
    "logit": "np.log(x / (1.0 - x))",
    "expm1": "np.expm1(x)",
    "log1p": "np.log1p(x)",
    "xlogy": "np.where(x == 0.0, 0.0, x * np.log(y))",
    "factorial": "math.factorial(n)",
    "comb": "math.comb(n, k)",
}


def refuse_callee(context: Context, node: n.Call, value: object) -> NoReturn:
    """Refuse a call of what is not compiled, with what to write instead."""
    written = context.span(node.func)
    _refuse_wrapped(context, node, value)
    instead = numpys_way(value) or _pythons_way(value) or _scipys_way(value) or _OUTSIDE
    # Most functions of `random` are methods of an object that it made.
    owner: object = getattr(value, "__self__", None)
    value_name = _name_of(value)
    module = "re" if type(owner).__module__ == "re" else _root_of(value)
    if module in _MODULES_WAYS:
        instead = _MODULES_WAYS[module]
    if "random" in (getattr(value, "__module__", None), type(owner).__module__):
        instead = "np.random has others: np.random.default_rng(seed), and beta, gamma, normal of it"
    elif getattr(value, "__module__", None) == "time" and value_name != "struct_time":
        instead = "a number of seconds, time.time(), of which a date is made outside of the script"
    elif isinstance(owner, np.random.RandomState) and hasattr(np.random.Generator, value_name):
        instead = f"rng = np.random.default_rng(seed), and rng.{value_name}(...)"
    elif isinstance(node.func, n.Attribute) and node.func.attr == "__new__":
        instead = "a call of the class, or copy.copy(x), and fields that are set anew"
    elif isinstance(value, type):
        instead = _way_round_class(value) or instead
    elif isinstance(value, MethodType) and isinstance(owner, type) and is_of_users(owner):
        instead = "a function that stands beside the class: class methods are not in the language"
    context.fail(
        "unknown-function",
        f"{_shown(written.source.text[written.lo : written.hi], value)} is not built",
        node.func,
        why="only functions that scriptc knows, or can read the source of, are compiled",
        instead=instead,
    )


def _refuse_wrapped(context: Context, node: n.Call, value: object) -> None:
    """Refuse what Numba, JAX or a cache made of a function that could be compiled itself."""
    library = type(value).__module__.partition(".")[0]
    for attribute in ("py_func", "__wrapped__"):
        # Of NumPy's functions it is their own source.
        if isinstance(getattr(value, attribute, None), FunctionType) and library != "numpy":
            written = context.span(node.func)
            text = written.source.text[written.lo : written.hi]
            context.fail(
                "unknown-function",
                f"{text} is what {library} made of a function",
                node.func,
                why="only functions that scriptc knows, or can read the source of, are compiled",
                instead=f"call the function itself: {text}.{attribute}(...)",
            )


def _way_round_class(cls: type) -> str | None:
    """Return what to write instead of an object of a class that is not the language's."""
    ways: Sequence[tuple[type | tuple[type, ...], str]] = (
        ((map, filter), "a comprehension: [f(x) for x in xs if g(x)]"),
        (dict, "a plain dict, as a field where the class has fields of its own"),
        ((set, frozenset), "a plain set, as a field where the class has fields of its own"),
        (list, "a plain list, as a field: self.items = []"),
        (collections.deque, "a plain deque, as a field where the class has fields of its own"),
        (enum.Enum, "the int itself, which is compared with the members"),
        (tuple, "a dataclass, whose fields have names, or a plain tuple"),
    )
    conversion = class_conversion(cls)
    foreign = f"make it outside of the script, and pass {conversion}" if conversion else None
    return next((way for classes, way in ways if issubclass(cls, classes)), foreign)


def _shown(written: str, value: object) -> str:
    """Return a name as it was written, with its module where that was not."""
    if re.fullmatch(r"\w+(\.\w+)+", written):
        return written
    module: object = getattr(value, "__module__", None)
    is_builtin = getattr(builtins, written, None) is value  # `open` says that it is of `io`
    if not isinstance(module, str) or is_builtin or module == "__main__" or not _has_name(value):
        return written
    library, dot, rest = module.partition(".")
    return f"{'np' if library == 'numpy' else library}{dot}{rest}.{_name_of(value)}"


def _root_of(value: object) -> str:
    """Return the package that a function comes from."""
    module: object = getattr(value, "__module__", None)
    return module.partition(".")[0] if isinstance(module, str) else ""


def _has_name(value: object) -> bool:
    return hasattr(value, "__name__") or hasattr(value, "__qualname__")


def _name_of(value: object) -> str:
    # `random.gauss` is a method of an object that its module made.
    is_method = not isinstance(getattr(value, "__self__", None), ModuleType | type | None)
    attributes = ("__name__",) if is_method else ("__qualname__", "__name__")
    names = (getattr(value, attribute, None) for attribute in attributes)
    return next((name for name in names if isinstance(name, str)), repr(value))


def told_at(
    context: Context, node: n.Call, function: FunctionType, error: ScriptError
) -> ScriptError:
    """Return a refusal; that of a function of Python's or NumPy's is told at its call.

    What their sources are made of is not the user's.
    """
    root = (function.__module__ or "").partition(".")[0]
    if root == "__main__" or (root != "numpy" and root not in sys.stdlib_module_names):
        return error
    written = context.span(node.func)
    shown = _shown(written.source.text[written.lo : written.hi], function)
    (problem, *_) = error.diagnostics
    instead = _pythons_way(function) or _MODULES_WAYS.get(root, _OUTSIDE)
    return TypeCheckError(
        Diagnostic(
            "unknown-function",
            f"{shown} is not built",
            written,
            f"scriptc does not know it, and cannot compile its source: {problem.message}",
            instead,
        )
    )


def has_way(value: object) -> bool:
    """Whether it is known what to write instead of a function or class of Python's."""
    return _pythons_way(value) is not None


def is_read(value: object) -> bool:
    """Whether the source of a function is compiled where a script calls it."""
    is_ours = getattr(value, "__module__", None) == "scriptc.classes.making"  # `cls.__new__`
    return numpys_way(value) is None and _root_of(value) not in _NOT_READ and not is_ours


def numpys_way(value: object) -> str | None:
    """Return what stands for a function of NumPy that is not built, where there is something."""
    return next((way for function, way in _NUMPYS_WAYS if value is function), None)


def _pythons_way(value: object) -> str | None:
    if issubclass(type(value), functools.partial):
        return "a function or lambda around it: lambda x: f(1.0, x)"
    return next((way for known, way in _PYTHONS_WAYS if any(value is k for k in known)), None)


def _scipys_way(value: object) -> str | None:
    """Return what stands for a function of scipy.special, most of which are ufuncs."""
    name = _name_of(value)
    if getattr(sys.modules.get("scipy.special"), name, None) is not value:
        return None
    return _SPECIALS.get(name)


def is_of_users(value: object) -> bool:
    """Whether a function or class is neither NumPy's nor something that is no Python code."""
    function = plain_function(value) or value
    of_python = isinstance(function, FunctionType | type)
    return of_python and (function.__module__ or "").partition(".")[0] != "numpy"
