"""What machine code in the cache depends on beside its program: compiler, machine, Python, NumPy.

Compiling asks LLVM for its version and reads all of scriptc's own files. Neither is done again as
long as none of the files changes: the answer is kept in the cache, under the names, sizes and times
of the files. The time of the last change of a file's record is among them, which cannot be set, so
a file with its old size and old time put back is noticed, too.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scriptc import resources
from scriptc.backends.llvm.host import host_fingerprint
from scriptc.cache import Cache
from scriptc.dependencies import digest_of

_PACKAGES = ("scriptc", "scriptc_runtime")
_TEXTS = ("grammar", "stdlib")
_SUFFIXES = (".py", ".json", ".lark", ".h")


class _File(NamedTuple):
    path: str
    status: os.stat_result


def fingerprint(cache: Cache, llvm_version: Callable[[], str]) -> str:
    """Return a digest that differs where the same program may compile to other code.

    `llvm_version` is called only where it is not known from an earlier run.
    """
    files = [*_own_files(), *_library_files("llvmlite")]
    stamp = "stamp-" + digest_of(
        *(
            f"{f.path} {f.status.st_size} {f.status.st_mtime_ns} {f.status.st_ctime_ns}"
            for f in files
        )
    )
    known = cache.read(stamp)
    if known is None:
        own = digest_of(*(part for file in _own_files() for part in _content(file)))
        known = json.dumps([own, llvm_version()]).encode()
        cache.write(stamp, known)
    python = (sys.implementation.cache_tag, *sys.version_info[:2], sys.abiflags)
    # NumPy's whole version: layouts are part of its ABI, but not every dtype of every release.
    return digest_of(known, *python, np.__version__, host_fingerprint())


def _own_files() -> Iterator[_File]:
    roots = [Path(os.path.dirname(os.path.abspath(__file__))), _runtime_folder()]
    for root in (*roots, *map(resources.folder, _TEXTS)):
        yield from _files_below(str(root))


def _runtime_folder() -> Path:
    spec = find_spec("scriptc_runtime")
    assert spec is not None  # it is imported with this package
    assert spec.origin is not None
    return Path(spec.origin).parent


def _files_below(folder: str) -> Iterator[_File]:
    with os.scandir(folder) as entries:
        ordered = sorted(entries, key=lambda entry: entry.name)
    for entry in ordered:
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _files_below(entry.path)
        elif entry.name.endswith(_SUFFIXES):
            yield _File(entry.path, entry.stat())


def _library_files(name: str) -> Iterator[_File]:
    """Yield the files that a new version of a library replaces, without importing it."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return
    folder = os.path.dirname(spec.origin)
    for path in (spec.origin, os.path.join(folder, "_version.py")):
        if os.path.exists(path):
            yield _File(path, os.stat(path))


def _content(file: _File) -> tuple[str, bytes]:
    return os.path.basename(file.path), Path(file.path).read_bytes()
