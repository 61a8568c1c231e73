"""Tracebacks of exceptions that scripts raise: an entry for each frame of a script, none of ours.

CPython makes an entry for every Python frame that an exception passes. Compiled and interpreted
scripts have none, so entries are made for them; those of the code that called or ran them go.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import CodeType, FunctionType, TracebackType

from scriptc_runtime.errors import ScriptError

# Of a script: function, file, line.
ScriptFrame = tuple[str, str, int]

_PACKAGES = ("scriptc", "scriptc_runtime")
# Modules that raise built-in exceptions about the arguments of a call.
REFUSING = {
    *("scriptc.scripted_function", "scriptc.values.adapt", "scriptc.options"),
    *("scriptc.inspection.dump", "scriptc.classes.scripted_class", "scriptc.classes.instances"),
    *("scriptc.classes.making", "scriptc.classes.held_containers"),
    *("scriptc.specialise.interpreted", "scriptc.cache.loader"),
    *("scriptc.misuse", "scriptc.saved.save", "scriptc.specialise.arguments"),
    *("scriptc_runtime.interp.boundary", "scriptc_runtime.saved.loaded"),
}
_REFUSALS = (TypeError, ValueError, OverflowError, AttributeError)
# The globals of frames made here, by which they are known.
_GLOBALS: dict[str, object] = {"__name__": "<script>"}


def _body() -> Iterator[None]:
    yield


def with_frames(
    traceback: TracebackType | None, frames: Iterable[ScriptFrame]
) -> TracebackType | None:
    """Return a traceback with frames of scripts around it; `frames` are innermost first."""
    for function, file, line in frames:
        # A generator that has not started has a frame, which refers to no caller. It stands at an
        # instruction that there is, the first: IPython looks for ever for one before the first.
        generator = FunctionType(_code(function, file, line), _GLOBALS)()
        traceback = TracebackType(traceback, generator.gi_frame, 0, line)
    return traceback


@lru_cache(maxsize=256)
def _code(function: str, file: str, line: int) -> CodeType:
    body = _body.__code__
    return body.replace(
        co_name=function,
        co_qualname=function,
        co_filename=file,
        co_firstlineno=line,
        co_linetable=_without_columns(len(body.co_code) // 2),
    )


def _without_columns(count: int) -> bytes:
    """Return the table of so many units of code, all on the first line, at no columns.

    An entry is for up to eight of them, and says by how many lines it is further than the one
    before; see Objects/locations.md of CPython.
    """
    sizes = [8] * (count // 8) + [count % 8] * (count % 8 > 0)
    return b"".join(bytes((0x80 | _NO_COLUMNS << 3 | size - 1, 0)) for size in sizes)


_NO_COLUMNS = 13


def without_own(traceback: TracebackType | None) -> TracebackType | None:
    """Return a traceback without those of its outermost entries that are scriptc's own."""
    while traceback is not None and _is_own(traceback):
        traceback = traceback.tb_next
    return traceback


def without_files(
    traceback: TracebackType | None, start: str, rest: TracebackType | None = None
) -> TracebackType | None:
    """Return a traceback without the entries of files that begin so; `rest` follows it."""
    if traceback is None:
        return rest
    below, frame = without_files(traceback.tb_next, start, rest), traceback.tb_frame
    if frame.f_code.co_filename.startswith(start):
        return below
    return TracebackType(below, frame, traceback.tb_lasti, traceback.tb_lineno)


class ForUsers:
    """Around what users call: an exception leaves with the traceback that they are to see.

    Our own frames go where the exception is the script's, or tells of a mistake in a script or a
    call. Otherwise the mistake is ours, and they tell where it is.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: object, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # CPython adds no entry for the frame whose `with` lets an exception pass.
        if error is None:
            return
        inner = without_own(error.__traceback__)
        is_of_script = inner is not None and inner.tb_frame.f_globals is _GLOBALS
        if is_of_script or isinstance(error, ScriptError) or _is_refusal(error):
            error.__traceback__ = inner


def _is_refusal(error: BaseException) -> bool:
    """Whether arguments were refused: by our frames alone, the last of which does just that."""
    entry, name = error.__traceback__, ""
    while entry is not None:
        name = entry.tb_frame.f_globals.get("__name__")
        entry = entry.tb_next
    return name in REFUSING and isinstance(error, _REFUSALS)


def _is_own(traceback: TracebackType) -> bool:
    name = traceback.tb_frame.f_globals.get("__name__")
    return isinstance(name, str) and name.partition(".")[0] in _PACKAGES


def add_context(
    error: BaseException, handled: BaseException, outer: BaseException | None = None
) -> None:
    """Note in `__context__` that `error` left a handler of `handled`.

    `outer` is what CPython itself handles: it ends the chains of both already.
    """
    if handled is error:
        return
    end = handled
    while (older := end.__context__) is not None and older is not outer:
        if older is error:
            # No rings: `error` was handled when `end` was raised, and is raised anew.
            end.__context__ = outer
            break
        end = older
    last = error
    while (older := last.__context__) is not None and older is not outer:
        last = older
    if last is not end:
        last.__context__ = handled


def shown_name(name: str) -> str:
    """Return a function's name as a traceback shows it: no class, no number of a specialisation."""
    parts = name.split(".")
    if len(parts) > 1 and parts[-1].isdigit():
        parts.pop()
    return parts[-1]
