"""What goes wrong inside of a stage: a refusal passes, a fault of the compiler's is told as one.

    with stage("check", function):
        program = check_program(...)

A `ScriptError` says what the user is to mend. Whatever else a stage raises is a mistake of ours: it
leaves as an `InternalError`, which names the stage and the place of the program that was worked on,
and has the exception itself as its `__cause__`. Nothing is caught to go on without it.
"""

import linecache
from collections.abc import Iterator
from types import FrameType, FunctionType, TracebackType

from scriptc.syntax.nodes import Node
from scriptc.timeline import PASS, stage
from scriptc_runtime.errors import (
    Diagnostic,
    InternalError,
    ScriptError,
    Source,
    Span,
    UnsupportedError,
)
from scriptc_runtime.ir import Function, Instr, Loc, Module

# Of the user, of the machine: these leave a stage as they are.
_PASSING = (ScriptError, InternalError, MemoryError, OSError, ImportError)


class Stage:
    """One stage at work on what it is given, as a context manager that tells the timeline.

    Raises InternalError for what the stage should not raise, and UnsupportedError where the program
    is nested deeper than Python's stack is.
    """

    def __init__(self, name: str, on: FunctionType | Module | None = None) -> None:
        self._name = name.removeprefix(PASS)
        self._on = on
        self._timed = stage(name)

    def __enter__(self) -> None:
        self._timed.__enter__()

    def __exit__(
        self, kind: object, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._timed.__exit__(None, None, None)
        if not isinstance(error, Exception) or isinstance(error, _PASSING):
            return
        if isinstance(error, RecursionError):
            raise UnsupportedError(self._too_deep(error)) from None
        raise InternalError(self._name, self._fault(error)) from error

    def _fault(self, error: Exception) -> Diagnostic:
        return Diagnostic(
            "internal",
            f"{self._name}: {type(error).__name__}: {error}",
            _worked_on(error) or _span_of(self._on),
            "this is a mistake in scriptc, not in the program",
            "report it with this message and the function; f.python runs it without scriptc",
        )

    def _too_deep(self, error: RecursionError) -> Diagnostic:
        return Diagnostic(
            "too-deep",
            "what the program nests here is too deep to be compiled",
            _span_of(self._on) or _worked_on(error),
            instead="give parts of it names, or make functions of them",
        )


def _worked_on(error: Exception) -> Span | None:
    """Return the place that the innermost function at work on one was at work on.

    Stages keep no note of it: they would pay for each node and instruction, for faults that never
    come. What they were working on is a variable of theirs.
    """
    found: Span | None = None
    function: Function | None = None
    for frame in _frames(error.__traceback__):
        values = list(frame.f_locals.values())
        function = next((v for v in values if isinstance(v, Function)), function)
        # Objects of the user's are not asked.
        own = [v for v in values if type(v).__module__.startswith("scriptc.")]
        sources = [s for v in own if isinstance(s := getattr(v, "source", None), Source)]
        for value in values:
            if isinstance(value, Node) and sources:
                found = Span(sources[0], value.lo, value.hi)
            elif isinstance(value, Instr) and function is not None:
                found = _span_at(value.loc.file or function.file, value.loc) or found
    return found or (function and _span_at(function.file, function.loc))


def _frames(traceback: TracebackType | None) -> Iterator[FrameType]:
    while traceback is not None:
        yield traceback.tb_frame
        traceback = traceback.tb_next


def _span_of(on: FunctionType | Module | None) -> Span | None:
    if isinstance(on, FunctionType):
        code = on.__code__
        return _span_at(code.co_filename, Loc(code.co_firstlineno, 1))
    functions = on.functions.values() if on is not None else ()
    return next(filter(None, (_span_at(f.file, f.loc) for f in functions)), None)


def _span_at(file: str, loc: Loc) -> Span | None:
    """Return a place with the text of its line; None where its file is not known."""
    lines = linecache.getlines(file)
    if not 0 < loc.line <= len(lines):
        return None
    start = sum(map(len, lines[: loc.line - 1]))
    end = start + len(lines[loc.line - 1].rstrip())
    return Span(Source(file, "".join(lines)), min(start + max(loc.column, 1) - 1, end), end)
