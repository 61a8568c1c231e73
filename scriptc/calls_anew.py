"""Calls by Python that are made anew by a script, which takes what Python cannot give it.

    def call(a0, a1): return target(a0, a1.held)            a list that an object keeps
    def call(a0, a1): return target(a0, size=a1)            `**options`: their names are known here
    def call(a0, a1, a2): return target(range(a0, a1, a2))  what scripts make of ints

Such a function is compiled as any other is. What is refused otherwise, and is no better so, is told
as it was.
"""

import gc
import inspect
import keyword
import linecache
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import Parameter as Named
from types import FunctionType
from typing import Any, NamedTuple, cast
from weakref import WeakSet

from scriptc.cache.dependencies import digest_of
from scriptc.cache.request import Request
from scriptc.check.borrowed_lists import BY_EXCEPTION
from scriptc.check.live_values import type_of
from scriptc.classes.held_containers import same
from scriptc.classes.scripted_class import STORED, state_of
from scriptc.kept_containers import (
    ANEW,
    KEPT,
    KINDS,
    Kept,
    Step,
    container_type,
    fill_of,
    forget,
    held_by,
    not_filled,
    refused,
    states_of,
    watch,
)
from scriptc.scripted_function import make_scripted
from scriptc.specialise.arguments import argument_type
from scriptc_runtime.errors import Diagnostic, ScriptError, Span, UnsupportedError
from scriptc_runtime.tracebacks import without_files

_FILE = "<call by Python of "  # how the names of files begin that hold calls
# Functions that have kept containers, which are not asked once more whether they take them as they
# are, and those that have taken values made of ints.
_KEEPING: WeakSet[Any] = WeakSet()
_MAKING: WeakSet[Any] = WeakSet()


def in_step(function: Any, values: Sequence[object]) -> object:
    """Call a function while objects keep containers that Python may have, too."""
    if any(id(value) in KEPT for value in values) or _is_called_anew(function, values):
        return call_anew(function, values)
    with Step(function, values):
        return function._run_alone(values)


def concerns(function: Any, values: Sequence[object]) -> bool:
    """Whether objects keep something, or such a call of a function was made anew before."""
    return bool(KEPT or STORED) or _is_called_anew(function, values)


def _is_called_anew(function: Any, values: Sequence[object]) -> bool:
    return (function in _KEEPING and any(type(value) in KINDS for value in values)) or (
        function in _MAKING and any(map(_made_of, values))
    )


def call_anew(
    function: Any, values: Sequence[object], refusal: ScriptError | None = None
) -> object:
    """Call a function that may keep the caller's containers.

    Raises `refusal` where that is refused, too.
    """
    if refusal is not None:
        if BY_EXCEPTION in refusal.diagnostics[0].notes:
            raise refusal
        refusal.__traceback__ = None  # whose frames have the containers, too
    with Step(function, values):
        if _may_keep(function, values, refusal):
            return _anew(function, values, refusal, keeps=True)
        try:
            return _anew(function, values, refusal, keeps=False)
        except ScriptError as further:
            if further.diagnostics[0].code not in _OF_CONTAINERS:
                raise
            further.__traceback__ = None
        return _anew(function, values, refusal, keeps=True)


def _may_keep(function: Any, values: Sequence[object], refusal: ScriptError | None) -> bool:
    """Whether a function keeps containers: others are called anew for other values alone."""
    if refusal is not None and refusal.diagnostics[0].code in _OF_CONTAINERS:
        return True
    given = [argument.value for argument in _arguments(function, values)]
    if not any(type(value) in KINDS for value in given):
        return True
    return function in _KEEPING or any(id(value) in KEPT for value in given)


_OF_CONTAINERS = ("list-parameter", "empty-list")


def _anew(
    function: Any, values: Sequence[object], refusal: ScriptError | None, *, keeps: bool
) -> object:
    if function._options.backend == "cuda":
        raise refusal or refused(values, "is passed to a function on a device")
    try:
        request, arguments = function._request(values), list(_arguments(function, values))
        new: dict[int, Kept] = {}
        found = [_kept(function, a, request, new) if keeps else None for a in arguments]
        call = _call_of(function, arguments, found)
        pairs = zip(arguments, found, strict=True)
        given = [value for argument, kept in pairs for value in _given(argument.value, kept)]
        made = len(call._older)
        result = _run(function, call, given, new)
        ANEW[function] = call
        states = states_of(call, given)
    except ScriptError as further:
        first = further.diagnostics[0]
        is_next = not keeps and first.code in _OF_CONTAINERS
        if refusal and not is_next and (_is_ours(first.span) or first.code in _NOT_TELLING):
            raise refusal from None
        raise
    except BaseException as raised:
        raised.__traceback__ = without_files(raised.__traceback__, _FILE)
        raise
    if any(_made_of(argument.value) for argument in arguments):
        _MAKING.add(function)
    own = [kept for kept in found if kept]
    if not own:
        return result
    _require_empty(result, own)
    if type(result) in KINDS and any(same(result, kept.given) for kept in own):
        raise refused(result, "is kept, and may be what the call returns")
    KEPT.update({id(kept.given): kept for kept in own})
    watch(states)
    if function not in _KEEPING or len(call._older) > made:
        _KEEPING.add(function)
        gc.collect()  # the compiler has left frames, each of which has those that called it
    return result


def _run(function: Any, call: Any, given: Sequence[object], new: Mapping[int, Kept]) -> object:
    """Make the call; what it puts into containers that may be kept now, Python has afterwards."""
    try:
        result = call._run_alone(given)
    except BaseException as raised:
        if isinstance(raised, ScriptError):
            forget(new)
            raise
        for kept in new.values():
            kept.give()
        if function._constructs:
            forget(new)  # there is no object
        else:
            KEPT.update(new)
            watch(states_of(call, given))
        raise
    for kept in new.values():
        kept.give()
    return result


def _require_empty(made: object, found: Sequence[Kept]) -> None:
    """Refuse an object that keeps a container of the caller's, and has put something into it.

    Of one of which nothing says what it holds it is not known which of its fields keeps it.
    """
    state = state_of(type(made))
    for kept in found:
        if kept.type is None and state is not None:
            values = state.read_all(made, {})
            if any(value and type(value) is type(kept.given) for value in values):
                raise refused(kept.given, "may be filled before anything says what it holds")


# What is said of the call made here, which the user has not written.
_NOT_TELLING = ("list-parameter", "variadic", "value")


def _is_ours(span: Span | None) -> bool:
    return span is not None and span.source.file.startswith(_FILE)


class _Argument(NamedTuple):
    """An argument of a call: what stands before it, and the parameter that takes it alone."""

    start: str
    value: object
    parameter: str = ""


def _arguments(function: Any, values: Sequence[object]) -> Iterator[_Argument]:
    """Yield the arguments that the values of the parameters were given by."""
    for parameter, value in zip(function._own_parameters, values, strict=True):
        if parameter.kind is Named.VAR_POSITIONAL:
            yield from (_Argument("", item) for item in cast("tuple[object, ...]", value))
        elif parameter.kind is Named.VAR_KEYWORD:
            given = cast("dict[str, object]", value).items()
            _require_names(function, cast("dict[str, object]", value))
            yield from (_Argument(f"{name}=", item) for name, item in given)
        else:
            start = f"{parameter.name}=" if parameter.kind is Named.KEYWORD_ONLY else ""
            yield _Argument(start, value, parameter.name)


def _require_names(function: Any, given: Iterable[str]) -> None:
    """Refuse keywords that no text of a call can have."""
    for name in given:
        plain = name.isidentifier() and unicodedata.normalize("NFKC", name) == name
        if not plain or keyword.iskeyword(name) or name == "__debug__":
            message = f"the keyword {name!r} is given to {function.__qualname__}()"
            raise UnsupportedError(
                Diagnostic(
                    "variadic",
                    message,
                    why="a script makes the call, in which it is no name",
                    instead="pass a dict",
                )
            )


def _kept(
    function: Any, argument: _Argument, request: Request, new: dict[int, Kept]
) -> Kept | None:
    """Return what is known of a container that is an argument; None for others.

    `new` has those of this call that were not known before.  Raises ScriptError where its type is
    none of the language.
    """
    value = argument.value
    if type(value) not in KINDS:
        return None
    if id(value) in KEPT or id(value) in new:
        return KEPT.get(id(value)) or new[id(value)]
    new[id(value)] = found = _newly_kept(function, argument, request)
    return found


def _newly_kept(function: Any, argument: _Argument, request: Request) -> Kept:
    value = argument.value
    try:
        name = argument.parameter
        type_ = argument_type(request, name, value) if name else type_of(value)
    except ScriptError:
        if value or not function._constructs:
            raise
        return Kept(value, None, None, not_filled)
    type_ = container_type(type_, value)
    holder = held_by(function, type_, value)
    return Kept(value, holder, type_, fill_of(function, type(value)))


def _given(value: object, kept: Kept | None) -> Sequence[object]:
    """Return what a call is given for an argument."""
    if kept is not None:
        return () if kept.type is None else (kept.holder,)
    return _made_of(value) or (value,)


def _made_of(value: object) -> tuple[int, ...]:
    """Return the ints of which a script makes a value that does not change; () for others."""
    if isinstance(value, range):
        return value.start, value.stop, value.step
    kind = type(value)
    if kind.__module__ not in ("datetime", "fractions") or getattr(value, "tzinfo", None):
        return ()
    if getattr(value, "fold", 0):
        return ()
    return tuple(getattr(value, name) for name in _PARTS.get(kind.__name__, ()))


_DATE = ("year", "month", "day")
_PARTS: Mapping[str, Sequence[str]] = {
    "date": _DATE,
    "datetime": (*_DATE, "hour", "minute", "second", "microsecond"),
    "timedelta": ("days", "seconds", "microseconds"),
    "Fraction": ("numerator", "denominator"),
}


def _call_of(function: Any, arguments: Sequence[_Argument], found: Sequence[Kept | None]) -> Any:
    """Return the function that calls another one with what holders hold."""
    names, parts = list[str](), list[str]()
    for number, (argument, kept) in enumerate(zip(arguments, found, strict=True)):
        if kept is not None and kept.type is None:
            parts.append(argument.start + repr(type(kept.given)()))
        elif made := _made_of(argument.value):
            own = [f"a{number}_{place}" for place in range(len(made))]
            names += own
            parts.append(f"{argument.start}{type(argument.value).__name__}({', '.join(own)})")
        else:
            names.append(f"a{number}")
            parts.append(f"{argument.start}a{number}" + (".held" if kept else ""))
    text = f"def call({', '.join(names)}):\n    {_statement(function, parts)}\n"
    key = text, function
    if key not in _CALLS:
        classes = {type(a.value).__name__: type(a.value) for a in arguments if _made_of(a.value)}
        _CALLS[key] = make_scripted(function._options, _compiled(function, text, classes))
    return _CALLS[key]


_CALLS: dict[object, Any] = {}


def _statement(function: Any, parts: Sequence[str]) -> str:
    """Return the statement that calls a function, of a module or of an object."""
    if function._owner is None or function._constructs:
        return f"return target({', '.join(parts)})"
    name = function.python.__name__
    me, *others = parts
    if isinstance(inspect.getattr_static(function._owner, name, None), property):
        return f"{me}.{name} = {others[0]}" if others else f"return {me}.{name}"
    return f"return {me}.{name}({', '.join(others)})"


def _compiled(function: Any, text: str, classes: Mapping[str, type]) -> FunctionType:
    python = cast(FunctionType, function.python)
    file = f"{_FILE}{python.__qualname__} {digest_of(text)[:12]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    target: object = function._owner if function._constructs else function
    names: dict[str, Any] = {**classes, "target": target, "__name__": python.__module__}
    exec(compile(text, file, "exec"), names)
    call = cast(FunctionType, names["call"])
    call.__qualname__ = python.__qualname__
    return call
