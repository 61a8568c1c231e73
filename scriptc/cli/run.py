"""`scriptc run`: call a function with arguments from the command line."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, cast

import numpy as np

from scriptc.api import load, script
from scriptc.inspection.target import PYTHON, SAVED, Target, UsageError, import_file, live_object
from scriptc.options import BACKENDS
from scriptc.scripted_function import ScriptFunction
from scriptc_runtime import saved
from scriptc_runtime.command_line import read_argument

# CPython itself is one more way to run a function, to compare with.
WAYS = (*BACKENDS, "python")
_ROUNDS = 7
TAKEN = (
    "a .npy file, which numpy.save writes, for an array; else a literal: 3, 0.5, True, None, "
    "'\"text\"', '[1.0, 2.0]', '(1, 2)'"
)
# What a call from Python is told to write for an array, and what the command line takes.
_CONVERSION, _FILE = "pass np.asarray(x)", "give a .npy file, which numpy.save writes"


def run(
    target: Target, arguments: Sequence[str], way: str | None, output: str | None, *, timed: bool
) -> None:
    """Print what a call gives, or write it to a `.npy` or `.npz` file; say how long it took."""
    if output is not None and not Path(output).parent.is_dir():
        raise UsageError(f"{output}: there is no such folder")
    function = _function(target, way)
    values = _values(arguments)
    begin = time.perf_counter()
    result = _call(function, values)
    first = time.perf_counter() - begin
    if output is None:
        print(result)
    else:
        _write(Path(output), result)
    if timed:
        print(_times(function, arguments, first))


def _call(function: Callable[..., object], values: Sequence[object]) -> object:
    try:
        return function(*values)
    except (TypeError, ValueError, OverflowError) as error:
        # Arguments are refused by no frame of the function's.
        if error.__traceback__ is None or error.__traceback__.tb_next is None:
            raise UsageError(str(error).replace(_CONVERSION, _FILE)) from None
        raise


def _function(target: Target, way: str | None) -> Callable[..., object]:
    if not target.name:
        raise UsageError(f"name what to call: {target.path}:NAME")
    match target.kind:
        case ".py":
            return _scripted(target, way)
        case ".scriptc":
            return _saved(target, way)
        case _:
            raise UsageError(f"{target.path}: IR has no entry point; run {PYTHON} or {SAVED} files")


def _scripted(target: Target, way: str | None) -> Callable[..., object]:
    value, owner = live_object(import_file(target.path), target.name)
    if owner is not None or isinstance(value, type):
        # An object is nothing to print.
        raise UsageError(
            f"{target.name} is {'a class' if owner is None else 'part of a class'}: run a function "
            f"that makes an object, or save one, save(object, 'FILE{SAVED}'), and run "
            f"FILE{SAVED}:METHOD"
        )
    if not callable(value):
        raise UsageError(f"{target.name} is {value!r}, which is no function")
    if isinstance(value, ScriptFunction):
        found = cast("ScriptFunction[..., Any]", value)
        if way is None:
            return found
        value = found.python
    return value if way == "python" else script(cast("Callable[..., Any]", value), backend=way)


def _saved(target: Target, way: str | None) -> Callable[..., object]:
    match way:
        case None | "llvm":
            module = load(target.path)
        case "interp":
            module = saved.load(target.path)
        case _:
            raise UsageError(f"a saved module runs by llvm or interp, not by {way}")
    entries = vars(module)
    if target.name not in entries:
        raise UsageError(f"{target.path} has no entry {target.name!r}; it has {', '.join(entries)}")
    return entries[target.name]


def _values(arguments: Sequence[str]) -> list[object]:
    return [_argument(number, text) for number, text in enumerate(arguments, 1)]


def _argument(number: int, text: str) -> object:
    try:
        return read_argument(text)
    except (ValueError, SyntaxError, TypeError, EOFError, OSError) as error:
        # What `ast` says of a word is for those who know its classes.
        why = f"cannot be read: {error}" if text.endswith(".npy") else "is no literal"
        raise UsageError(f"argument {number}, {text}, {why}; give {TAKEN}") from None


def _write(path: Path, result: object) -> None:
    match path.suffix, result:
        case ".npz", tuple():
            np.savez(path, *cast("tuple[Any, ...]", result))
        case ".npy", tuple():
            raise UsageError("a tuple is written to a .npz file")
        case ".npy", _:
            np.save(path, np.asarray(result), allow_pickle=False)
        case _:
            raise UsageError(f"{path}: results are written to .npy files, tuples to .npz")


def _times(function: Callable[..., object], arguments: Sequence[str], first: float) -> str:
    iterations: list[float] = []
    for _ in range(_ROUNDS):
        values = _values(arguments)  # the call before may have changed them
        begin = time.perf_counter()
        function(*values)
        iterations.append(time.perf_counter() - begin)
    return f"first call {_shown(first)}, then {_shown(median(iterations))} (median of {_ROUNDS})"


def _shown(seconds: float) -> str:
    for limit, factor, unit in ((1e-6, 1e9, "ns"), (1e-3, 1e6, "us"), (1.0, 1e3, "ms")):
        if seconds < limit:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"
