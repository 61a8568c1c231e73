"""Calls by Python that are made anew by a script, which takes what Python cannot give it.

    def call(a0, a1): return target(a0, a1.held)            a list that an object keeps
    def call(a0, a1): return target(a0, size=a1)            `**options`: their names are known here
    def call(a0, a1, a2): return target(range(a0, a1, a2))  what scripts make of ints

Such a function is compiled as any other is. What is refused otherwise, and is no better so, is told
as it was.
"""

import dis
import gc
import inspect
import keyword
import linecache
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import Parameter as Named
from types import CodeType, FunctionType
from typing import Any, NamedTuple, cast
from weakref import WeakKeyDictionary, WeakSet

from scriptc.cache.dependencies import digest_of
from scriptc.cache.request import Request
from scriptc.check.borrowed_lists import BY_EXCEPTION
from scriptc.check.live_values import type_of
from scriptc.check.wider_types import wider_type
from scriptc.classes.container_items import KINDS, put_back
from scriptc.classes.held_containers import container_kind, plain, same
from scriptc.classes.scripted_class import STORED, note, state_of
from scriptc.holders import any_container, container_type, held_by
from scriptc.kept_containers import (
    ANEW,
    KEPT,
    Kept,
    Step,
    forget,
    holds_kept,
    keep,
    keep_parts,
    refused,
    states_of,
    watch,
)
from scriptc.scripted_function import make_scripted
from scriptc.specialise.arguments import argument_type
from scriptc_runtime.errors import Diagnostic, ScriptError, Span, UnsupportedError
from scriptc_runtime.tracebacks import without_files
from scriptc_runtime.types import Type

_FILE = "<call by Python of "  # how the names of files begin that hold calls
# Functions that have kept containers, which are not asked once more whether they take them as they
# are, and those that have taken values made of ints.
_KEEPING: WeakSet[Any] = WeakSet()
_MAKING: WeakSet[Any] = WeakSet()
# What parameters of functions held that were called anew: what is empty does not say it.
_HELD: WeakKeyDictionary[Any, dict[str, Type]] = WeakKeyDictionary()


def in_step(function: Any, values: Sequence[object]) -> object:
    """Call a function while objects keep containers that Python may have, too."""
    if any(map(holds_kept, values)) or _is_called_anew(function, values):
        return call_anew(function, values)
    with Step(function, values):
        return function._run_alone(values)


def concerns(function: Any, values: Sequence[object]) -> bool:
    """Whether objects keep something, or such a call of a function was made anew before."""
    return bool(KEPT or STORED) or _is_called_anew(function, values)


def _is_called_anew(function: Any, values: Sequence[object]) -> bool:
    return (function in _KEEPING and any(map(_holds_container, values))) or (
        function in _MAKING and any(map(_made_of, values))
    )


def _holds_container(value: object) -> bool:
    return any_container(value, lambda _: True)


def call_anew(
    function: Any, values: Sequence[object], refusal: ScriptError | None = None
) -> object:
    """Call a function that may keep the caller's containers.

    Raises `refusal` where that is refused, too.
    """
    if refusal is not None:
        first = refusal.diagnostics[0]
        is_of_class = first.code == "class-base" and not any(map(_made_of, values))
        if is_of_class or BY_EXCEPTION in first.notes:
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
    if not any(map(_holds_container, given)):
        return True
    return function in _KEEPING or any(map(holds_kept, given))


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
    _settle_empty(function, result, list(zip(arguments, found, strict=True)))
    if type(result) in KINDS and any(same(result, kept.given) for kept in own):
        raise refused(result, "is kept, and may be what the call returns")
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
            watch(states_of(call, given))
        raise
    for kept in new.values():
        kept.give()
    return result


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
    if not _holds_container(value):
        return None
    if id(value) in KEPT or id(value) in new:
        return KEPT.get(id(value)) or new[id(value)]
    return _newly_kept(function, argument, request, new)


def _newly_kept(function: Any, argument: _Argument, request: Request, new: dict[int, Kept]) -> Kept:
    value, is_container = argument.value, container_kind(argument.value) in KINDS
    name, given = argument.parameter, plain(value)
    try:
        type_ = argument_type(request, name, given) if name else type_of(given)
    except ScriptError:
        if value or not is_container:
            raise
        earlier = _HELD.get(function, {}).get(name)
        if function._constructs:
            new[id(value)] = Kept(value)
            return new[id(value)]
        if earlier is None:
            raise
        type_ = earlier
    type_ = _with_earlier(function, name, container_type(type_, given))
    holder = held_by(function, type_, value)
    found = Kept(value, function, type_, holder)
    parts = keep_parts(function, type_, value, holder)
    new |= parts
    if is_container:  # a tuple is none itself
        new[id(value)] = found
        keep({id(value): found})
    return found


def _with_earlier(function: Any, name: str, type_: Type) -> Type:
    """Return a type for what a parameter holds, and for what it held in earlier calls.

    What keeps it has one type in all objects, so `V([1, 2])` and `V([0.5])` hold ints and floats.
    """
    held = _HELD.setdefault(function, {})
    if name in held and held[name] != type_:
        type_ = wider_type(held[name], type_, (), (), may_unite=True, stays=True) or type_
    held[name] = type_
    return type_


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


def _settle_empty(
    function: Any, made: object, given: Sequence[tuple[_Argument, Kept | None]]
) -> None:
    """Keep the containers of which nothing says what they hold, as the fields that have them do.

    Where it is not known which field does, an object that has put something into one is refused.
    """
    state = state_of(type(made))
    for argument, kept in given:
        if kept is None or kept.type is not None:
            continue
        name = _field_keeping(function.python.__code__, argument.parameter)
        fields = [] if state is None else [f for f in state.fields if f.name == name]
        values = [] if state is None else state.read_all(made, {})
        if state is not None and fields:
            value = values[state.fields.index(fields[0])]
            if type(value) is container_kind(kept.given):
                put_back(kept.given, value)
                note(state, made, fields[0], kept.given, is_read=True)
                continue
        if any(value and type(value) is container_kind(kept.given) for value in values):
            raise refused(kept.given, "may be filled before anything says what it holds")
        KEPT[id(kept.given)] = kept


def _field_keeping(code: CodeType, parameter: str) -> str:
    """Return the field that a function puts a parameter into, once and as it is; or ''."""
    steps = list(dis.get_instructions(code))
    stored = [step.argval for step in steps if step.opname == "STORE_ATTR"]
    is_other = any(s.opname == "STORE_FAST" and s.argval == parameter for s in steps)
    loaded = list[object]()
    for step in steps:
        if step.opname == "STORE_ATTR" and loaded[-2:] == [parameter, code.co_varnames[0]]:
            is_one = stored.count(step.argval) == 1 and not is_other
            return cast(str, step.argval) if is_one else ""
        if step.opname.startswith("LOAD_FAST"):  # one or, in later versions, two
            both = isinstance(step.argval, tuple)
            loaded += cast("tuple[object, ...]", step.argval) if both else (step.argval,)
        else:
            loaded.clear()
    return ""
