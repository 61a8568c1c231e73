"""Functions of the standard library as live functions: what `stdlib/` says, ready to be checked.

The files are read as text and compiled like a user's functions.  Nothing in them is executed:
a function object is made from its code, with the globals that its file would have.
"""

import linecache
import math
from functools import cache, lru_cache
from types import CodeType, FunctionType

import numpy as np

from scriptc import resources
from scriptc.parallel import prange
from scriptc.syntax.functions import keep_text
from scriptc_runtime import unsafe
from scriptc_runtime.ops.opdef import Attr
from scriptc_runtime.record import record

_FILES = "<stdlib/"
# What is bound by name: a constant, or a function that the body calls.
Constant = Attr | np.ufunc
Constants = tuple[tuple[str, Constant], ...]


def is_library_file(file: str) -> bool:
    """Whether a place in this file is one of the standard library, which users do not see."""
    return file.startswith(_FILES)


def is_standard(function: FunctionType) -> bool:
    """Whether a live function is one of the standard library."""
    return is_library_file(function.__code__.co_filename)


@record(exact=True)
class _File:
    """A file of `stdlib/`, with constants of its module bound by name."""

    name: str
    constants: Constants


def standard_function(file: str, name: str, constants: Constants = ()) -> FunctionType:
    """Return a function of `stdlib/FILE.py` with constants of its module bound by name.

    It is one object for one request: functions are specialised by identity.
    """
    function = _namespace(_File(file, constants))[name]
    assert isinstance(function, FunctionType)
    return function


# One for all functions of a file, so that what two of them call is one function.
@lru_cache(maxsize=256)
def _namespace(asked: _File) -> dict[str, object]:
    file = asked.name
    path = f"{_FILES}{file}.py>"
    namespace: dict[str, object] = {
        "__name__": f"stdlib.{file}",
        "__builtins__": __builtins__,
        "math": math,
        "np": np,
        "prange": prange,
        "unsafe": unsafe,
        **dict(asked.constants),
    }
    codes, lines = _function_codes(file, path)
    for code in codes:
        namespace[code.co_name] = made = FunctionType(code, namespace)
        # What is in linecache may be cleared by others.
        keep_text(made, lines)
    return namespace


@cache
def _function_codes(name: str, file: str) -> tuple[tuple[CodeType, ...], list[str]]:
    text = resources.read_text("stdlib", f"{name}.py")
    lines = text.splitlines(keepends=True)
    # Where tracebacks look for the text of a file that is not on the disk.
    linecache.cache[file] = (len(text), None, lines, file)
    module = compile(text, file, "exec", dont_inherit=True)
    return tuple(c for c in module.co_consts if isinstance(c, CodeType)), lines
