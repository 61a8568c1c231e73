"""A compiler for a typed subset of Python with NumPy arrays."""

import gc

# Modules live on: Python's collector would walk over them, and free none, a millisecond long.
_collects = gc.isenabled()
gc.disable()
try:
    from scriptc.api import load, save, script, to_device
    from scriptc.compiling import call_all_old
    from scriptc.function_types import Signature
    from scriptc.parallel import prange
    from scriptc.scripted_function import ScriptFunction
    from scriptc_runtime.errors import CopyWarning, InternalError, ScriptError, SizeWarning
finally:
    if _collects:
        gc.enable()
call_all_old()

__version__ = "0.1.0"  # what the distribution has, too

__all__ = [
    "CopyWarning",
    "InternalError",
    "ScriptError",
    "ScriptFunction",
    "Signature",
    "SizeWarning",
    "load",
    "prange",
    "save",
    "script",
    "to_device",
]


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__", "types"])
