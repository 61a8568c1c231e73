"""A compiler for a typed subset of Python with NumPy arrays."""

from scriptc.api import ScriptFunction, Signature, load, save, script

__all__ = ["ScriptFunction", "Signature", "load", "save", "script"]
