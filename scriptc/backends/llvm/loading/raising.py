"""The exceptions that calls of machine code end with, made of the sites that it returns."""

import ctypes
import sys
from collections.abc import Sequence

from scriptc.backends.llvm.loading.abi import KINDS, Context, Trace
from scriptc.backends.llvm.loading.sites import SiteTable
from scriptc_runtime.tracebacks import add_context, with_frames
from scriptc_runtime.values import EXCEPTIONS


def make_exception(context: int, sites: SiteTable) -> BaseException:
    """Return the exception that a call ended with, with its traceback and its contexts.

    `context` is the address of the call's context; the message object in it is taken over.
    """
    outer = sys.exception()
    exception = _with_traceback(context, sites)
    _drop_message(context)
    # The context of an exception lies in its trace, and has a trace of its own.
    trace = _i64(context + Context.TRACE)
    while trace and _i32(trace + Trace.HANDLED):
        handled = trace + Trace.CONTEXT
        add_context(exception, _with_traceback(handled, sites), outer)
        trace = _i64(handled + Context.TRACE)
    if outer is not None:
        add_context(exception, outer)
    return exception


def _with_traceback(address: int, sites: SiteTable) -> BaseException:
    exception = _exception(address, sites)
    frames = (frame for site in _passed(address) for frame in sites[site].frames)
    rows = ((frame.function, frame.file, frame.line) for frame in frames)
    exception.__traceback__ = with_frames(exception.__traceback__, rows)
    return exception


def _passed(address: int) -> Sequence[int]:
    """Return the sites in the trace of an exception, innermost first."""
    trace = _i64(address + Context.TRACE)
    if not trace:
        return (_i32(address + Context.SITE),)
    length = _i64(trace + Trace.LENGTH)
    return (ctypes.c_int32 * length).from_address(_i64(trace + Trace.SITES))[:]


def exception_text(context: int, sites: SiteTable) -> str:
    """Return str() of the exception whose components stand at `context`; they stay as they are."""
    return str(_exception(context, sites))


def _exception(context: int, sites: SiteTable) -> BaseException:
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
