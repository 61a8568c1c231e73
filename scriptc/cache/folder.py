"""The cache on disk: one file an entry, damaged or foreign ones are not there.

An entry is a line with a checksum, of its name and its bytes, and the bytes: what lies under the
name of another entry, as a backup or a synchronised folder may leave it, is none. It is written to
a temporary file that then takes the entry's name, so a reader sees all of it or nothing, however
many processes write and whenever they are killed. The folder holds machine code: it must belong to
this user alone, or it is not used.
"""

import math
import os
import stat
import time
import warnings
from _blake2 import blake2b
from _thread import get_ident

from scriptc_runtime.regular_files import open_file

_FORMAT = b"scriptc 2 "
_LARGEST = 2**30  # bytes of an entry: nothing that large was kept
_LEFT_OVER = 3600.0  # seconds after which a temporary file is nobody's


class Cache:
    """The entries of one folder; without a folder that can be trusted, always empty."""

    def __init__(self, folder: str) -> None:
        fault = _fault_now(folder) if folder else ""
        self._folder = "" if fault else folder
        self._is_told = False
        if fault:
            self._tell(folder, fault)

    def _tell(self, folder: str, fault: str) -> None:
        """Say once that code is not kept: every start then takes as long as the first one."""
        if not self._is_told:
            self._is_told = True
            message = f"scriptc keeps no compiled code in {folder}: {fault}"
            warnings.warn(message, RuntimeWarning, stacklevel=2)

    @property
    def is_empty(self) -> bool:
        """Whether it has no entry at all."""
        if not self._folder:
            return True
        with os.scandir(self._folder) as entries:
            return next(entries, None) is None

    def read(self, name: str) -> bytes | None:
        """Return an entry; None where there is none that is whole."""
        if not self._folder:
            return None
        try:
            with open(open_file(os.path.join(self._folder, name)), "rb") as file:
                # As much memory is taken as is asked for.
                size = os.fstat(file.fileno()).st_size
                data = file.read(size) if size <= _LARGEST else b""
        except OSError:
            return None
        head, _, content = data.partition(b"\n")
        return content if head == _head(name, content) else None

    def write(self, name: str, content: bytes) -> None:
        """Keep an entry; where the folder cannot be written to, say so once."""
        if not self._folder:
            return
        own = f".{name}.{os.getpid()}.{get_ident()}"
        temporary = os.path.join(self._folder, own)
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(handle, "wb") as file:
                file.write(_head(name, content) + b"\n" + content)
            os.replace(temporary, os.path.join(self._folder, name))
        except OSError as error:
            _remove(temporary)
            self._tell(self._folder, error.strerror or str(error))

    def tidy(self) -> None:
        """Remove what processes that were killed have left."""
        if not self._folder:
            return
        before = time.time() - _LEFT_OVER
        try:
            for entry in os.scandir(self._folder):
                if entry.name.startswith(".") and _written(entry) < before:
                    _remove(entry.path)
        except OSError:
            return  # the folder is gone


def _written(entry: "os.DirEntry[str]") -> float:
    """Return when a file was written; one that its writer has just renamed is new."""
    try:
        return entry.stat().st_mtime
    except OSError:
        return math.inf


def _head(name: str, content: bytes) -> bytes:
    checksum = blake2b(name.encode("utf-8", "surrogatepass") + b"\n", digest_size=20)
    checksum.update(content)
    return _FORMAT + checksum.hexdigest().encode()


def _fault_now(folder: str) -> str:
    """Return why a folder, made now if need be, is not used; nothing where it is."""
    try:
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        return fault_of(folder)
    except OSError as error:
        return error.strerror or str(error)


def fault_of(folder: str) -> str:
    """Return why a folder is not used as the cache, nothing where it is.  Raises OSError."""
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode):
        return "it is no folder"  # a link could be turned to a folder of somebody else
    if not hasattr(os, "getuid"):
        return ""  # Windows: the profile's folders are the user's
    if status.st_uid != os.getuid():
        return "it belongs to another user"
    return "it is open to other users: chmod 700" if status.st_mode & 0o077 else ""


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
