"""Places in the source that machine code names by a number, and the exceptions made from them.

Code knows neither files nor lines: it returns a site, and the table beside the object says what
that is. An edit above a function then changes the table only, and the object is used again.
"""

import ctypes
from collections.abc import Sequence
from typing import cast

from scriptc.backends.llvm.abi import KINDS, Context
from scriptc_runtime.record import record
from scriptc_runtime.values import EXCEPTIONS


@record
class Frame:
    """One line of a traceback."""

    function: str
    file: str
    line: int


@record
class Site:
    """A place that can raise: its frames, innermost first, and the message of what it raises.

    There are several frames where calls were inlined. Each {} of the message stands for a number
    that code stores in the context.
    """

    frames: tuple[Frame, ...]
    message: str = ""


Raised = tuple[BaseException, tuple[tuple[str, str, int], ...]]


def make_exception(context: int, sites: Sequence[Site]) -> Raised:
    """Return the exception that a call ended with, and its frames, innermost first.

    `context` is the address of the call's context, where bytes with the sites passed have taken
    the place of their number. The message object in the context is taken over.
    """
    trace = cast(bytes, _object(context + Context.TRACE))
    passed = memoryview(trace).cast("i")
    # A site of other code, from an exception that was caught meanwhile, is left out.
    passed_frames = [f for site in passed if site < len(sites) for f in sites[site].frames]
    frames = tuple((f.function, _as_utf8(f.file), f.line) for f in passed_frames)
    exception = _exception(context, sites)
    _drop_message(context)
    return exception, frames


def _as_utf8(file: str) -> str:
    """Return a file's name as C strings can hold it: bytes that are no UTF-8 become `?`."""
    return file.encode("utf-8", "replace").decode("utf-8")


def exception_text(context: int, sites: Sequence[Site]) -> str:
    """Return str() of the exception whose components stand at `context`; they stay as they are."""
    return str(_exception(context, sites))


def _exception(context: int, sites: Sequence[Site]) -> BaseException:
    kind = EXCEPTIONS[KINDS[_i32(context + Context.KIND)]]
    message = _object(context + Context.MESSAGE)
    if isinstance(message, BaseException):
        return message  # CPython itself raised it, below compiled code
    if message is not None:
        return kind(message)
    template = sites[_i32(context + Context.SITE)].message
    if not template:
        return kind()
    values = (ctypes.c_int64 * 4).from_address(context + Context.ARGS)
    return kind(template.format(*values))


def _i32(address: int) -> int:
    return ctypes.c_int32.from_address(address).value


def _i64(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


def _object(address: int) -> object:
    """Return the object that is pointed to from `address`, or None for a null pointer."""
    return ctypes.py_object.from_address(address).value if _i64(address) else None


def _drop_message(context: int) -> None:
    if (message := _object(context + Context.MESSAGE)) is not None:
        _DECREF(("Py_DecRef", ctypes.pythonapi))(message)


# A prototype of our own: the types set on the shared `ctypes.pythonapi` functions are global state.
_DECREF = ctypes.PYFUNCTYPE(None, ctypes.py_object)
