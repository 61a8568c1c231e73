"""Names in pickles: what another process can import, and files that it may not have."""

import importlib
import linecache
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from io import StringIO
from types import CodeType, FunctionType
from typing import TypeVar

from scriptc.cache.dependencies import digest_of, plain_function
from scriptc.syntax.notebooks import entered_text
from scriptc.values.kinds import in_main

K = TypeVar("K")
T = TypeVar("T")
_KEPT = 64
# What `__reduce__` returns: a callable, its arguments, and what to call with the state.
Reduced = tuple[object, ...]
# The compressed text of each file.
Texts = Mapping[str, bytes]


def keep(kept: dict[K, T], key: K, value: T) -> T:
    """Keep a value, and no more than some of them: the oldest goes."""
    for old in list(kept)[: len(kept) + 1 - _KEPT]:
        kept.pop(old, None)  # another thread may have been here first
    kept[key] = value
    return value


class Stand:
    """Stands in a pickle for what pickle cannot write; read back it is that itself."""

    __slots__ = ("_reduced",)

    def __init__(self, make: Callable[..., object], *arguments: object) -> None:
        self._reduced = make, arguments

    def __reduce__(self) -> Reduced:
        return self._reduced


def named(module: str, qualified: str) -> object:
    """Return what a module of this process has under a name, None where there is nothing."""
    value: object = sys.modules.get(module)
    for part in qualified.split("."):
        value = getattr(value, part, None)
    return value


def is_importable(value: object, module: str, qualified: str) -> bool:
    """Whether other processes find a function or class under its name.

    Each has a main script of its own.
    """
    return in_main(module) != "__main__" and named(module, qualified) is value


def imported(module: str, qualified: str) -> object:
    """Return what a module has under a name.  Raises ImportError or AttributeError."""
    return reduce(getattr, qualified.split("."), importlib.import_module(module))


def texts_of(functions: Sequence[FunctionType]) -> Texts:
    """Return the texts of the files of functions that other processes cannot import."""
    files: dict[str, FunctionType] = {}
    for function in functions:
        module = in_main(function.__module__)
        found = None if module == "__main__" else named(module, function.__qualname__)
        if plain_function(found) is not function:
            files.setdefault(function.__code__.co_filename, function)
    texts = ((file, _text(function)) for file, function in files.items())
    return {
        file: zlib.compress(text.encode("utf-8", "surrogatepass"), 1)
        for file, text in texts
        if text
    }


def _text(function: FunctionType) -> str:
    lines = linecache.getlines(function.__code__.co_filename, function.__globals__)
    entered = None if lines else entered_text(function.__code__)
    return entered.text if entered else "".join(lines)


def register(texts: Texts) -> Mapping[str, str]:
    """Let files have these texts in this process; return other names for those that have not."""
    return dict(_renamed_files(texts))


def _renamed_files(texts: Texts) -> Iterator[tuple[str, str]]:
    for file, compressed in texts.items():
        text = zlib.decompress(compressed).decode("utf-8", "surrogatepass")
        linecache.checkcache(file)
        here = "".join(linecache.getlines(file))
        if here == text:
            continue
        name = file
        # Names such as "<timed exec>" are those of many texts.
        if here or (file.startswith("<") and not file.startswith("<ipython-input")):
            name = f"{file} ({digest_of(text)[:8]})"
            yield file, name
        # Without a time, so that nobody looks for the file.
        linecache.cache[name] = len(text), None, StringIO(text).readlines(), name


def in_files(code: CodeType, names: Mapping[str, str]) -> CodeType:
    """Return code, and the code inside of it, with the new names of files."""
    if code.co_filename not in names:
        return code
    constants = [in_files(c, names) if isinstance(c, CodeType) else c for c in code.co_consts]
    return code.replace(co_filename=names[code.co_filename], co_consts=tuple(constants))
