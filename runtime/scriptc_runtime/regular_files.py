"""Files that are opened for reading only where they are files: no device, no pipe, no folder.

Reading a device may never end, and opening a pipe waits for a writer.
"""

import os
import stat


class NoFileError(OSError):
    """What has the name of a file is none."""


def open_file(path: str | os.PathLike[str]) -> int:
    """Return a handle of a regular file, which the caller closes.  Raises OSError."""
    # Before it is opened, as that alone does something to some devices.
    _require_file(os.stat(path), path)
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    try:
        # Another one may have its name by now.
        _require_file(os.fstat(handle), path)
    except OSError:
        os.close(handle)
        raise
    return handle


def _require_file(status: os.stat_result, path: str | os.PathLike[str]) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NoFileError(f"{os.fspath(path)} is no regular file")
