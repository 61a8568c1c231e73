"""What `@script` was given that it does not take, and what to write instead.

Most of it is what decorators of other compilers take.
"""

from collections.abc import Mapping, Sequence
from types import FunctionType

_NOT_NEEDED = "leave it out"
# By setting, what stands for it; those of numba.njit, numba.vectorize and jax.jit.
_INSTEAD: Mapping[str, str] = {
    "nopython": f"{_NOT_NEEDED}: nothing falls back to Python",
    "forceobj": f"{_NOT_NEEDED}: nothing falls back to Python",
    "looplift": f"{_NOT_NEEDED}: nothing falls back to Python",
    "cache": f"{_NOT_NEEDED}: compiled code is always kept on disk, in SCRIPTC_CACHE_DIR",
    "nogil": f"{_NOT_NEEDED}: work of 10 µs or more lets other threads run",
    "fastmath": f"{_NOT_NEEDED}: results are those of CPython and NumPy, and loops are vectorised",
    "boundscheck": f"{_NOT_NEEDED}: an index out of range always raises IndexError",
    "error_model": f"{_NOT_NEEDED}: 1 / 0 raises and np.float64(1) / 0 is inf, as in CPython",
    "inline": f"{_NOT_NEEDED}: small functions are inlined",
    "signature": "annotate the function, or leave the types to the call",
    "signature_or_function": "annotate the function, or leave the types to the call",
    "signatures": "annotate the function, or leave the types to the call",
    "locals": "annotate the variables: total: float = 0.0",
    "spec": "annotate the fields in the body of the class: total: float",
    "target": 'backend="llvm" or "cuda"; parallel=True, which is the default, uses threads',
    "device": 'backend="llvm" or "cuda"',
    "debug": "SCRIPTC_DISABLE=1 for a debugger, which then runs plain Python",
    "identity": "write the loop, or call a function of NumPy",
    "static_argnums": f"{_NOT_NEEDED}: an axis or a mode that decides on types is found",
    "static_argnames": f"{_NOT_NEEDED}: an axis or a mode that decides on types is found",
    "donate_argnums": f"{_NOT_NEEDED}: memory is used again where nothing else needs it",
    "donate_argnames": f"{_NOT_NEEDED}: memory is used again where nothing else needs it",
}


# By attribute, what a scripted function has for it; those of numba.njit, jax.jit and TorchScript.
_SEEN, _PLAIN, _IR = "f.seen", "f.python", "f.dump()"
_ATTRIBUTES: Mapping[str, str] = {
    "py_func": _PLAIN,
    "signatures": _SEEN,
    "nopython_signatures": _SEEN,
    "overloads": _SEEN,
    "inspect_llvm": 'f.dump("llvm")',
    "inspect_asm": 'f.dump("asm")',
    "inspect_types": 'f.dump("types")',
    "inspect_cfg": 'f.dump("low")',
    "inspect_disasm_cfg": 'f.dump("asm")',
    "inspect_ptx": 'f.dump("ptx")',
    "parallel_diagnostics": "f.explain(), which says why a loop is not parallel",
    "stats": "`scriptc cache`, which shows what is kept on disk",
    "targetoptions": "`scriptc info`, which shows the settings",
    "recompile": f"nothing: what changes is compiled anew, and {_SEEN} says for which types",
    "disable_compile": "nothing: what was not compiled before is compiled at its call",
    "lower": f"f.dump(stage), and {_SEEN} for its types",
    "trace": _IR,
    "eval_shape": f"{_IR}, which has the types of results",
    "clear_cache": "`scriptc cache clear`",
    "code": _IR,
    "graph": _IR,
    "inlined_graph": 'f.dump("opt")',
    "save": 'scriptc.save(f, "f.scriptc")',
}


def no_attribute(function: object, name: str) -> AttributeError:
    """Return the error for an attribute that a scripted function does not have."""
    kind, way = type(function).__name__, _ATTRIBUTES.get(name, "")
    instead = f"; write {way}" if way else ""
    return AttributeError(f"{kind!r} has no attribute {name!r}{instead}", name=name, obj=function)


def unknown_settings(given: Sequence[str]) -> TypeError:
    """Return the error for keyword arguments that `script` does not have."""
    lines = [f"script() has no {name!r}: {_INSTEAD.get(name, _OTHER)}" for name in given]
    return TypeError("\n".join(lines))


_OTHER = "its settings are backend, parallel, strict_sizes and bigint"


def not_a_target(target: object) -> TypeError:
    """Return the error for what is neither a function nor a class."""
    return TypeError(f"@script takes a function or a class, not {target!r}{_way_out(target)}")


def _way_out(target: object) -> str:
    """Say how what Numba or functools made of a function is scripted, and other things."""
    types = ": annotate the function, def f(x: float) -> float, or leave the types to the call"
    if isinstance(target, str | list | tuple):  # as numba.njit("f8(f8)") takes them
        return types
    module: object = getattr(target, "__module__", None) or type(target).__module__
    library = str(module).partition(".")[0]
    if library == "numpy":
        return ": write a function that calls it"
    for attribute in ("py_func", "__wrapped__", "__func__"):
        if isinstance(getattr(target, attribute, None), FunctionType):
            return f": put it next to the function, below other decorators, or give it .{attribute}"
    return types if type(target).__module__.partition(".")[0] == "numba" else ""
