"""A compiler for a typed subset of Python with NumPy arrays."""

from scriptc.api import ScriptFunction, Signature, load, save, script
from scriptc.parallel import prange
from scriptc_runtime.errors import ScriptError

__all__ = ["ScriptError", "ScriptFunction", "Signature", "load", "prange", "save", "script"]
