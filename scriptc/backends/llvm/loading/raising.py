"""The exceptions that calls of machine code end with, made of the sites that it returns."""

import ctypes
import sys
from collections.abc import Iterator, Sequence

from scriptc.backends.llvm.loading.abi import INSTANCE_OBJECT, KINDS, Caused, Context, Trace
from scriptc.backends.llvm.loading.held_blocks import HeldBlock
from scriptc.backends.llvm.loading.raised_classes import RaisedClass
from scriptc.backends.llvm.loading.sites import SiteTable
from scriptc_runtime.held_values import held_at, holds_any
from scriptc_runtime.ops.exceptions import OBJECT, TEXTS, argument, is_argument
from scriptc_runtime.raised_objects import as_given, given_arguments
from scriptc_runtime.raised_objects import made as object_made
from scriptc_runtime.tracebacks import add_context, with_frames
from scriptc_runtime.values import EXCEPTIONS, Instance


def make_exception(context: int, sites: SiteTable) -> BaseException:
    """Return the exception that a call ended with, with its traceback, causes and contexts.

    `context` is the address of the call's context; the message object in it is taken over.
    """
    exception = exception_object(context, sites)
    _drop_message(context)
    outer = sys.exception()
    if outer is not None:
        add_context(exception, outer)
    return exception


def exception_object(address: int, sites: SiteTable) -> BaseException:
    """Return the exception whose components stand at `address`; they stay as they are."""
    outer = sys.exception()
    # An exception is known by its trace: it may be the cause and the context of another one.
    made: dict[int, BaseException] = {}
    links: list[tuple[int, int, bool]] = []
    waiting = [address]
    for at in waiting:
        trace = _i64(at + Context.TRACE)
        if (trace or at) in made:
            continue
        exception = made[trace or at] = _with_traceback(at, sites)
        if not trace:
            continue
        for older, is_cause in _older(trace):
            waiting.append(older)
            links.append((trace, _i64(older + Context.TRACE) or older, is_cause))
        said = _i32(trace + Trace.CAUSED)
        if said in (Caused.BY_NONE, Caused.BY_ITSELF):
            exception.__cause__ = exception if said == Caused.BY_ITSELF else None
    for trace, older, is_cause in links:
        if is_cause:
            made[trace].__cause__ = made[older]
        else:
            add_context(made[trace], made[older], outer)
    return made[_i64(address + Context.TRACE) or address]


def _older(trace: int) -> Iterator[tuple[int, bool]]:
    """Yield where the cause and the context of an exception stand, as far as there are any."""
    if _i32(trace + Trace.CAUSED) == Caused.BY_OTHER:
        yield trace + Trace.CAUSE, True
    if _i32(trace + Trace.HANDLED):
        yield trace + Trace.CONTEXT, False


def _with_traceback(address: int, sites: SiteTable) -> BaseException:
    exception = _exception(address, sites)
    if instance := _i64(address + Context.INSTANCE):
        class_ = _class_of(instance)
        exception = object_made(class_.live(exception), exception, class_.fields_of(instance))
    else:
        exception = as_given(exception)
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


def answer(context: int, sites: SiteTable, question: str) -> object:
    """Return what code asks of the exception that stands at `context`: a text, or an object."""
    match question:
        case "exception_object":
            return exception_object(context, sites)
        case "exception_args":
            return _exception(context, sites).args
        case "given_args":
            return given_arguments(_exception(context, sites).args)
        case _:
            exception = _exception(context, sites)
            if instance := _i64(context + Context.INSTANCE):
                class_ = _class_of(instance)
                setattr(exception, OBJECT, Instance(class_.line[0], {}))
            return TEXTS[question](exception)


def _class_of(instance: int) -> RaisedClass:
    """Return what the block of an object says of its class."""
    found = _object(instance + INSTANCE_OBJECT)
    assert isinstance(found, RaisedClass)
    return found


def argument_of(args: tuple[object, ...], index: int, *, question: str) -> object:
    """Return an argument of an exception, or whether it is of a type, as the ops do."""
    kind, _, rest = question.partition(".")
    match kind:
        case "holds_any":
            return holds_any(args)
        case "held_block":
            found = held_at(args, index, rest)
            assert isinstance(found, HeldBlock)
            return found.block
        case "text":
            return str(args[index]) if rest == "str" else repr(args[index])
        case "is_held":
            return is_argument(args, index, type=rest, path=())
        case _:
            pass
    type_, *path = rest.split(".")
    asked = argument if kind == "read" else is_argument
    return asked(args, index, type=type_, path=tuple(map(int, path)))


def _exception(context: int, sites: SiteTable) -> BaseException:
    kind = EXCEPTIONS[KINDS[_i32(context + Context.KIND)]]
    message = _object(context + Context.MESSAGE)
    if isinstance(message, BaseException):
        return message  # CPython itself raised it, below compiled code
    if _i64(context + Context.MESSAGE):  # which may be None itself
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
    if _i64(context + Context.MESSAGE):
        message = _object(context + Context.MESSAGE)
        _DECREF(("Py_DecRef", ctypes.pythonapi))(message)


# A prototype of our own: the types set on the shared `ctypes.pythonapi` functions are global state.
_DECREF = ctypes.PYFUNCTYPE(None, ctypes.py_object)
