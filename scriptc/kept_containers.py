"""Calls that are made for what Python gives: containers that an object keeps, and names.

    scores = [90, 85]
    ann = Student("Ann", scores)        self.scores = scores
    scores.append(60)                   ann.average() sees it, as in Python

Compiled code has containers of its own. What is kept is given to it in an object, a *holder*, that
shares its container with whatever keeps it:

    def call(a0, a1): return target(a0, a1.held)

Arguments for `**options` are named there, too: a script knows the names where it calls.

As long as anybody else has the caller's container, calls bring both into step before and after: so
such calls go through Python (`ClassState.watch`). Most are displays, which nobody has when the call
has ended: the next call forgets these.
"""

import gc
import inspect
import linecache
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import Parameter as Named
from types import FunctionType
from typing import Any, NamedTuple, cast
from weakref import WeakSet

from scriptc.cache.dependencies import digest_of
from scriptc.cache.request import Request
from scriptc.check.borrowed_lists import BY_EXCEPTION
from scriptc.check.live_values import type_of
from scriptc.classes.declaring import Declared, declare_all
from scriptc.classes.held_containers import copied, same
from scriptc.classes.scripted_class import ClassState, state_of
from scriptc.saved.pickles.objects import access_of
from scriptc.scripted_function import make_scripted
from scriptc.specialise.arguments import argument_type
from scriptc.values.adapt import adapt
from scriptc.values.kinds import Parameter, classes_in, key_of
from scriptc_runtime.errors import Diagnostic, ScriptError, TypeCheckError
from scriptc_runtime.text.type_text import ir_text
from scriptc_runtime.tracebacks import without_files
from scriptc_runtime.types import OptionalType, Type, UnionType, all_parts, holds_list, parts_of
from scriptc_runtime.unions import member_of

_Fill = Callable[[object, object], object]

_KINDS = (list, dict, set)
_FILE = "<call that keeps "  # how the names of files begin that hold calls


class _Kept:
    """A container of the caller's, and what shares its content in compiled code."""

    __slots__ = ("fill", "given", "holder", "inside", "outside", "type")

    def __init__(self, given: Any, holder: object, type_: Type | None, fill: _Fill) -> None:
        self.given = given
        self.holder = holder  # None, as the type, where nothing says what it holds
        self.type = type_
        self.fill = fill
        # What either side had when they were in step.
        self.outside = copied(given)
        self.inside: object = None if type_ is None else _read(holder)

    @property
    def is_alone(self) -> bool:
        """Whether nobody else has the container."""
        return sys.getrefcount(self.given) <= _ALONE

    def take(self) -> None:
        """Let compiled code have what Python has put into the container."""
        if self.type is None:
            raise _refused(self.given, "held nothing when the object was made")
        if same(self.given, self.outside):
            return
        if any(map(holds_list, parts_of(self.type))):
            raise _refused(self.given, "holds others, and was changed by Python")
        named = Parameter(f"{type(self.given).__name__} that an object keeps", self.type)
        self.fill(self.holder, adapt("a call", [named], [self.given], "the")[0])
        self.outside, self.inside = copied(self.given), _read(self.holder)

    def give(self) -> None:
        """Let Python have what compiled code has put into it."""
        now = None if self.type is None else _read(self.holder)
        if now is None or same(now, self.inside):
            return
        if not same(self.given, self.outside):
            raise _refused(self.given, "was changed by a call twice, also in the object")
        if any(sys.getrefcount(part) > _IN_ONE for part in _containers_in(self.given)):
            raise _refused(self.given, "holds others that Python has, and was changed by a script")
        _put_back(self.given, now)
        self.outside, self.inside = copied(self.given), now


# By the identity of the caller's container.
KEPT: dict[int, _Kept] = {}
# The classes of objects that may keep some, and of those that may lead to such.
_WATCHED: dict[ClassState, None] = {}
# Functions that have kept some, which are not asked once more whether they take them as they are.
_KEEPING: WeakSet[Any] = WeakSet()
_RUNNING: list[None] = []


def in_step(function: Any, values: Sequence[object]) -> object:
    """Call a function while objects keep containers that Python may have, too."""
    if any(id(value) in KEPT for value in values) or keeps(function, values):
        return call_keeping(function, values)
    with _Step(function, values):
        return function._run_alone(values)


def keeps(function: Any, values: Sequence[object]) -> bool:
    """Whether a function has kept containers before, and is given some, also by names."""
    return function in _KEEPING and any(type(value) in _KINDS for value in values)


def call_keeping(
    function: Any, values: Sequence[object], refusal: ScriptError | None = None
) -> object:
    """Call a function that may keep the caller's containers.

    Raises `refusal` where that is refused, too.
    """
    if refusal is not None:
        if BY_EXCEPTION in refusal.diagnostics[0].notes:
            raise refusal
        refusal.__traceback__ = None  # whose frames have the containers, too
    with _Step(function, values):
        return _with_holders(function, values, refusal)


class _Step:
    """Around a call: before and after it compiled code and Python have the same."""

    def __init__(self, function: Any, values: Sequence[object]) -> None:
        _forget()
        # A call that is made for another one is in step already.
        self._is_needed = bool(KEPT) and not _RUNNING and _concerns(function, values)

    def __enter__(self) -> None:
        if self._is_needed:
            for kept in KEPT.values():
                kept.take()
            _RUNNING.append(None)

    def __exit__(self, *_: object) -> None:
        if self._is_needed:
            _RUNNING.pop()
            for kept in list(KEPT.values()):
                kept.give()


def _forget() -> None:
    """Forget the containers that nobody else has any more."""
    for key in [key for key, kept in KEPT.items() if kept.is_alone]:
        del KEPT[key]
    if not KEPT:
        for state in _WATCHED:
            state.unwatch()
        _WATCHED.clear()


def _concerns(function: Any, values: Sequence[object]) -> bool:
    """Whether a function may work on objects that keep something, or is given it."""
    states = _states_of(function, values)
    if _WATCHED.keys().isdisjoint(states) and not any(id(value) in KEPT for value in values):
        return False
    _watch(states)
    return True


def _states_of(function: Any, values: Sequence[object]) -> list[ClassState]:
    """Return the scripted classes that a call may lead to."""
    key = function._key(values, function._deciding)
    records = [record for record in function._records.get(key, ()) if record.holds]
    if records:
        return _scripted(records[0].dependencies.classes)
    return _scripted(function._dependencies(tuple(classes_in(key))).classes)


def _scripted(classes: Iterable[type]) -> list[ClassState]:
    return [state for state in map(state_of, classes) if state is not None]


def _watch(states: Iterable[ClassState]) -> None:
    for state in states:
        _WATCHED[state] = None
        state.watch()


def take_all() -> None:
    """Let compiled code have all that Python has put into containers that objects keep."""
    if not _RUNNING:
        _forget()
        for kept in KEPT.values():
            if kept.type is not None:
                kept.take()


def own(state: ClassState, instance: object, name: str) -> object:
    """Return the caller's container that a field keeps; None where it keeps none."""
    known: dict[int, object] = {}
    holders = [kept for kept in KEPT.values() if kept.type is not None]
    read = [_state(kept.holder).read_all(kept.holder, known)[0] for kept in holders]
    place = [field.name for field in state.fields].index(name)
    value = state.read_all(instance, known)[place]
    found = (kept for kept, same_one in zip(holders, read, strict=True) if same_one is value)
    return next((kept.given for kept in found), None)


def holders_read(known: dict[int, object]) -> Sequence[tuple[object, Sequence[object]]]:
    """Return what shares containers with objects, and what it holds.

    `known` has the lists that were read from objects, by identity.
    """
    holders = [kept.holder for kept in KEPT.values() if kept.type is not None]
    return [(holder, _state(holder).read_all(holder, known)) for holder in holders]


def refuse_wider(known: Iterable[tuple[ClassState, Sequence[Parameter]]]) -> None:
    """Refuse that fields have got other types which keep containers that Python has, too.

    `known` has the fields as they were.  Raises TypeCheckError.
    """
    kept_types = {kept.type for kept in KEPT.values()}
    for state, fields in known:
        types = {field.name: field.type for field in state.fields}
        for name, type_ in ((field.name, field.type) for field in fields):
            if type_ == types.get(name) or kept_types.isdisjoint(all_parts(type_)):
                continue
            what = f"the field {name!r} of class {state.live.__qualname__} keeps a list or the like"
            raise TypeCheckError(
                Diagnostic(
                    "class-field",
                    f"{what} that Python has, too, and gets another type",
                    why="it moves into other memory, and would be another one from then on",
                    instead="annotate the field in the class body, or give the object a copy",
                )
            )


# ------------------------------------------------------------------- calls with holders


def _with_holders(function: Any, values: Sequence[object], refusal: ScriptError | None) -> object:
    if function._options.backend == "cuda":
        raise refusal or _refused(values, "is passed to a function on a device")
    try:
        request, arguments = function._request(values), list(_arguments(function, values))
        found = [_kept(function, argument, request) for argument in arguments]
        call = _call_of(function, arguments, found)
        pairs = zip(arguments, found, strict=True)
        given = [kept.holder if kept else a.value for a, kept in pairs if not kept or kept.type]
        made = len(call._older)
        result = call._run_alone(given)
        states = _states_of(call, given)
    except ScriptError as further:
        is_same = further.diagnostics[0].code in ("list-parameter", "variadic")
        raise (refusal if refusal and is_same else further) from None
    except BaseException as raised:
        raised.__traceback__ = without_files(raised.__traceback__, _FILE)
        raise
    own = [kept for kept in found if kept]
    _require_empty(result, own)
    if type(result) in _KINDS and any(same(result, kept.given) for kept in own):
        raise _refused(result, "is kept, and may be what the call returns")
    KEPT.update({id(kept.given): kept for kept in own})
    _watch(states)
    if function not in _KEEPING or len(call._older) > made:
        _KEEPING.add(function)
        gc.collect()  # the compiler has left frames, each of which has those that called it
    return result


def _require_empty(made: object, found: Sequence[_Kept]) -> None:
    """Refuse an object that keeps a container of the caller's, and has put something into it.

    Of one of which nothing says what it holds it is not known which of its fields keeps it.
    """
    state = state_of(type(made))
    for kept in found:
        if kept.type is None and state is not None:
            values = state.read_all(made, {})
            if any(value and type(value) is type(kept.given) for value in values):
                raise _refused(kept.given, "may be filled before anything says what it holds")


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
            yield from (_Argument(f"{name}=", item) for name, item in given)
        else:
            start = f"{parameter.name}=" if parameter.kind is Named.KEYWORD_ONLY else ""
            yield _Argument(start, value, parameter.name)


def _kept(function: Any, argument: _Argument, request: Request) -> _Kept | None:
    """Return what is known of a container that is an argument, and of a new one; None for others.

    Raises ScriptError where its type is none of the language.
    """
    value = argument.value
    if type(value) not in _KINDS:
        return None
    if id(value) in KEPT:
        return KEPT[id(value)]
    try:
        name = argument.parameter
        type_ = argument_type(request, name, value) if name else type_of(value)
    except ScriptError:
        if value or not function._constructs:
            raise
        return _Kept(value, None, None, _not_filled)
    if isinstance(type_, OptionalType):
        type_ = type_.item
    if isinstance(type_, UnionType):
        type_ = member_of(value, type_) or type_
    holder = _holder(function, type_, value)
    return _Kept(value, holder, type_, _fill_of(function, type(value)))


def _holder(function: Any, type_: Type, value: object) -> object:
    """Return an object that holds a container."""
    classes = _scripted(classes_in(key_of(value)))
    text = ir_text(type_)
    key = text, tuple(classes), function.python.__module__, function._options
    if key not in _HOLDERS:
        made = _holder_class(text, function.python.__module__)
        _HOLDERS[key] = cast(type, make_scripted(function._options, made))
    state = state_of(_HOLDERS[key])
    assert state is not None  # it is scripted
    held, states = Parameter("held", type_), (state, *classes)
    if state.access is None:
        declare_all([Declared(state, (held,), {})], access_of(states), states)
    assert state.access is not None
    holder = cast(object, object.__new__(state.live))
    state.access.make((held,), holder, adapt(function.__qualname__, [held], [value]))
    return holder


_HOLDERS: dict[object, type] = {}


def _holder_class(text: str, home: str) -> type:
    class Holder:
        def __init__(self, held):  # pyright: ignore -- compiled
            self.held = held

    Holder.__name__ = Holder.__qualname__ = f"Holder_{digest_of(text)[:12]}"
    Holder.__module__ = home  # none of this package's, whose classes are not looked at
    return Holder


def _call_of(function: Any, arguments: Sequence[_Argument], found: Sequence[_Kept | None]) -> Any:
    """Return the function that calls another one with what holders hold."""
    names, parts = list[str](), list[str]()
    for number, (argument, kept) in enumerate(zip(arguments, found, strict=True)):
        if kept is not None and kept.type is None:
            parts.append(argument.start + repr(type(kept.given)()))
            continue
        names.append(f"a{number}")
        parts.append(f"{argument.start}a{number}" + (".held" if kept else ""))
    text = f"def call({', '.join(names)}):\n    {_statement(function, parts)}\n"
    key = text, function
    if key not in _CALLS:
        _CALLS[key] = make_scripted(function._options, _compiled(function, text))
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


def _compiled(function: Any, text: str) -> FunctionType:
    python = cast(FunctionType, function.python)
    file = f"{_FILE}{python.__qualname__} {digest_of(text)[:12]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    target = function._owner if function._constructs else function
    names = {"target": target, "__name__": python.__module__, "__builtins__": __builtins__}
    exec(compile(text, file, "exec"), names)
    call = cast(FunctionType, names["call"])
    call.__qualname__ = python.__qualname__
    return call


# ------------------------------------------------------------------- what both sides hold


def _state(holder: object) -> ClassState:
    state = state_of(type(holder))
    assert state is not None  # it is one of ours
    return state


def _read(holder: object) -> object:
    state = _state(holder)
    assert state.access is not None  # it has its field
    return state.access.read(state.fields[0], holder)


def _fill_of(function: Any, kind: type) -> _Fill:
    """Return what fills the container of a holder anew."""
    home, options = function.python.__module__, function._options

    def scripted(python: FunctionType) -> Any:
        key = python.__qualname__, home, options
        if key not in _CALLS:
            python.__module__ = home
            _CALLS[key] = make_scripted(options, python)
        return _CALLS[key]

    empty, extend, update = map(scripted, _filling())

    def fill(holder: object, given: object) -> None:
        empty._run_alone((holder,))
        if given:
            (extend if kind is list else update)._run_alone((holder, given))

    return fill


def _filling() -> tuple[FunctionType, FunctionType, FunctionType]:
    # Compiled: without annotations, as any program.
    def empty(holder):  # pyright: ignore
        holder.held.clear()  # pyright: ignore

    def extend(holder, given):  # pyright: ignore
        holder.held.extend(given)  # pyright: ignore

    def update(holder, given):  # pyright: ignore
        holder.held.update(given)  # pyright: ignore

    return empty, extend, update  # pyright: ignore


def _not_filled(holder: object, given: object) -> None:
    """Do nothing for what has no holder."""


def _put_back(given: Any, now: Any) -> None:
    if isinstance(given, list):
        given[:] = now
    else:
        given.clear()
        given.update(now)


def _containers_in(given: object) -> Iterator[object]:
    parts = cast("dict[object, object]", given).values() if isinstance(given, dict) else given
    return (part for part in cast("Iterable[object]", parts) if type(part) in _KINDS)


def _refused(given: object, what: str) -> TypeError:
    kind = type(given).__name__
    return TypeError(
        f"a {kind} that an object of a @script class keeps {what}: give the object one of its own, "
        f"{kind}(...) of it"
    )


def _counts() -> tuple[int, int]:
    """Return the counts of what a record alone has, and of what one container alone has."""
    outer: list[object] = [[]]
    inner = max(sys.getrefcount(part) for part in _containers_in(outer))
    record = _Kept([], None, None, _not_filled)
    return sys.getrefcount(record.given), inner


_ALONE, _IN_ONE = _counts()
