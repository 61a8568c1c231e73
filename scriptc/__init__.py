"""A compiler for a typed subset of Python with NumPy arrays."""

from scriptc.api import ScriptFunction, Signature, script
from scriptc.saving import load, save

__all__ = ["ScriptFunction", "Signature", "load", "save", "script"]
