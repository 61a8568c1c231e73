"""What machine code in the cache depends on beside its program: compiler, machine, Python, NumPy.

Compiling asks LLVM for its version and reads all of scriptc's own files. Neither is done again as
long as none of the files changes: the answer is kept in the cache, under the names, sizes and times
of the files. The time of the last change of a file's record is among them, which cannot be set, so
a file with its old size and old time put back is noticed, too.
"""

import os
import sys
from _blake2 import blake2b
from collections.abc import Iterator, Sequence
from importlib.machinery import PathFinder
from operator import itemgetter

import numpy as np

import scriptc_runtime
from scriptc.backends.llvm.loading.host import host_fingerprint
from scriptc.cache.dependencies import digest_of
from scriptc.cache.folder import Cache

_TEXTS = ("grammar", "stdlib")
_SUFFIXES = (".py", ".json", ".lark", ".h")


# A path, and what the system says of the file.
_File = tuple[str, os.stat_result]


class Sources:
    """scriptc's own files, and what the cache knows of them."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        # None: these files have not been met before, as in an empty cache none have.
        self.known = None if cache.is_empty else cache.read(_stamp(_own_files()))

    def learn(self, llvm_version: str) -> None:
        """Find out what is to be known, from now on by the cache as well."""
        # The times first: a file that changes meanwhile is another one for the next process.
        files = _own_files()
        stamp = _stamp(files)
        own = blake2b(digest_size=20)
        for file in files:
            own.update(b"".join(_content(file)))
        self.known = f"{own.hexdigest()} {llvm_version}".encode()
        self._cache.write(stamp, self.known)


def _stamp(files: Sequence[_File]) -> str:
    """Return the name of the entry for these files of ours, as they are now."""
    records = [
        f"{path} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"
        for path, status in (*files, *_library_files("llvmlite"))
    ]
    return "stamp-" + digest_of("\n".join(records))


def fingerprint(known: bytes) -> str:
    """Return a digest that differs where the same program may compile to other code."""
    python = (sys.implementation.cache_tag, *sys.version_info[:2], sys.abiflags)
    # NumPy's whole version: layouts are part of its ABI, but not every dtype of every release.
    return digest_of(known, *python, np.__version__, host_fingerprint())


def _own_files() -> list[_File]:
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found: list[_File] = []
    _add_files(package, found)
    _add_files(os.path.dirname(os.path.abspath(scriptc_runtime.__file__)), found)
    for name in _TEXTS:
        # In a checkout they stand beside the package; in a wheel they are inside of it.
        beside = os.path.join(os.path.dirname(package), name)
        if not os.path.isdir(os.path.join(package, name)) and os.path.isdir(beside):
            _add_files(beside, found)
    # The system lists a folder in any order.
    return sorted(found, key=itemgetter(0))


def _add_files(folder: str, found: list[_File]) -> None:
    # Hundreds of files at each start: no generators, one question to the system for each.
    with os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if name.endswith(_SUFFIXES):
                found.append((entry.path, entry.stat()))
            elif name != "__pycache__" and entry.is_dir():
                _add_files(entry.path, found)


def _library_files(name: str) -> Iterator[_File]:
    """Yield the files that a new version of a library replaces, without importing it."""
    spec = PathFinder.find_spec(name)
    if spec is None or spec.origin is None:
        return
    folder = os.path.dirname(spec.origin)
    for path in (spec.origin, os.path.join(folder, "_version.py")):
        if os.path.exists(path):
            yield path, os.stat(path)


def _content(file: _File) -> tuple[bytes, ...]:
    """Return the name of a file, its length and what is in it."""
    path, status = file
    # Not by `open`, which takes three times as long for a small file; there are hundreds.
    handle = os.open(path, os.O_RDONLY)
    try:
        content = os.read(handle, status.st_size + 1)
    finally:
        os.close(handle)
    return f"{os.path.basename(path)} {len(content)}\n".encode(), content
