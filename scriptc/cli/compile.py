"""`scriptc compile`: compile one function into the cache; or anew, to see where the time goes."""

import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from scriptc.api import script
from scriptc.function_types import request_of
from scriptc.inspection.target import PYTHON, Target, UsageError, import_file, live_object
from scriptc.options import Options
from scriptc.scripted_function import ScriptFunction, store_of
from scriptc.timeline import PASS, Entry, Timeline, watched_by
from scriptc_runtime.types import Type

_SIZES = ("ops", "lines", "bytes")


def compile_function(target: Target, types: Sequence[Type] | None) -> str:
    """Compile a function for its annotations or these types, into the cache; say what it took."""
    function = scripted(target)
    begin = time.perf_counter()
    function.compile(*(types or ()))
    return _told(target, function, time.perf_counter() - begin)


def timed(
    target: Target, types: Sequence[Type] | None, *, passes: bool = False, as_json: bool = False
) -> str:
    """Compile a function as if it were the first time, and say what each stage took.

    All `passes` over the IR are one stage, or one each.
    """
    function = scripted(target)
    request = request_of(function, ())
    # So that what every program needs is there, and not counted.
    store_of(request.options.cache_dir).support  # noqa: B018 -- it is loaded when asked for
    timeline = Timeline()
    with tempfile.TemporaryDirectory() as folder:
        own = ScriptFunction(
            request.function, _kept_in(folder, request.options), request.owner, request.constructs
        )
        begin = time.perf_counter()
        with watched_by(timeline):
            own.compile(*(types or ()))
        seconds = time.perf_counter() - begin
        store_of(folder).settled()
    if as_json:
        return json.dumps(_record(target, seconds, timeline.entries), indent=1)
    rows = _rows(seconds, timeline.entries, passes=passes)
    return "\n".join((_told(target, own, seconds), *_aligned(rows)))


def _kept_in(folder: str, options: Options) -> Options:
    return Options(
        backend=options.backend,
        verify=options.verify,
        verify_passes=options.verify_passes,
        threads=options.threads,
        strict_sizes=options.strict_sizes,
        cache_dir=folder,
    )


def scripted(target: Target) -> ScriptFunction[..., Any]:
    """Return the function that is meant, scripted if it is plain.  Raises UsageError."""
    if target.kind != PYTHON or not target.name:
        raise UsageError(f"name a function of a Python file: FILE{PYTHON}:NAME, not {target.path}")
    value, _ = live_object(import_file(target.path), target.name)
    if isinstance(value, staticmethod):
        value = cast("staticmethod[..., object]", value).__func__
    if not callable(value) or isinstance(value, type):
        raise UsageError(f"{target.name} is {value!r}: name a function, or a method, Class.method")
    found: object = value
    if not isinstance(value, ScriptFunction):
        found = script(cast("Callable[..., Any]", value))
    if not isinstance(found, ScriptFunction):
        raise UsageError("nothing is compiled: SCRIPTC_DISABLE is 1")
    return cast("ScriptFunction[..., Any]", found)


def _told(target: Target, function: ScriptFunction[..., Any], seconds: float) -> str:
    kinds = "; ".join(f"({', '.join(types)})" for types in function.seen)
    return f"{target.name}{kinds}: {seconds:.3f} s"


def _record(target: Target, seconds: float, entries: Sequence[Entry]) -> Mapping[str, object]:
    threads = list(dict.fromkeys(entry.thread for entry in entries))
    stages = [
        {"name": e.name, "seconds": e.seconds, "thread": threads.index(e.thread), **e.made}
        for e in entries
    ]
    return {"function": target.name, "seconds": seconds, "stages": stages}


def _rows(seconds: float, entries: Sequence[Entry], *, passes: bool) -> list[Sequence[str]]:
    """Return a row of cells for each stage, in the order in which they first began."""
    stages: dict[str, list[Entry]] = {}
    for entry in entries:
        name = "passes" if entry.name.startswith(PASS) and not passes else entry.name
        stages.setdefault(name, []).append(entry)
    # What threads beside the first do is no part of the time that it takes.
    rest = seconds - sum(e.seconds for e in entries if e.thread == entries[0].thread)
    return [
        ("stage", "seconds", "share", "runs", *_SIZES),
        *(_row(name, seconds, runs) for name, runs in stages.items()),
        ("all else", *_times(rest, seconds), "", *("" for _ in _SIZES)),
    ]


def _row(name: str, seconds: float, runs: Sequence[Entry]) -> Sequence[str]:
    threads = len({entry.thread for entry in runs})
    shown = name if threads == 1 else f"{name} ({threads} threads)"
    # A pass gives the module anew each time; LLVM's modules are parts of one program.
    last = runs[-1:] if "ops" in runs[-1].made else runs
    sizes = [sum(run.made.get(size, 0) for run in last) for size in _SIZES]
    spent = sum(run.seconds for run in runs)
    return shown, *_times(spent, seconds), str(len(runs)), *(str(s) if s else "" for s in sizes)


def _times(spent: float, seconds: float) -> tuple[str, str]:
    return f"{spent:.4f}", f"{100 * spent / seconds:.0f} %"


def _aligned(rows: Sequence[Sequence[str]]) -> Sequence[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines: list[str] = []
    for name, *numbers in rows:
        cells = [n.rjust(width) for n, width in zip(numbers, widths[1:], strict=True)]
        lines.append("  ".join((name.ljust(widths[0]), *cells)).rstrip())
    return lines
