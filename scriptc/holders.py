"""Objects that share a container of the caller's with what keeps it, in compiled code.

    class Holder: held: list[int]

There is a small scripted class of these for each type that is held.
"""

from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any, cast

from scriptc.cache.dependencies import digest_of
from scriptc.classes.container_items import KINDS
from scriptc.classes.declaring import Declared, declare_all
from scriptc.classes.held_containers import container_kind, plain
from scriptc.classes.scripted_class import ClassState, class_names, line_of_states, state_of
from scriptc.saved.pickles.objects import access_of
from scriptc.scripted_function import make_scripted
from scriptc.values.adapt import adapt
from scriptc.values.kinds import Parameter, classes_in, key_of
from scriptc_runtime.named_classes import kind_of
from scriptc_runtime.text.type_text import ir_text
from scriptc_runtime.types import (
    NONE,
    DictType,
    ListType,
    NamedType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
    holds_list,
)
from scriptc_runtime.unions import member_of

_HOLDERS: dict[object, type] = {}
_FILLS: dict[object, Any] = {}


def held_by(
    function: Any, type_: Type, value: object, reached: Sequence[ClassState] = ()
) -> object:
    """Return an object that holds a value, for code of a function's module.

    `reached` has the classes of objects that may come into it later.
    """
    given = plain(value)
    live = list(classes_in(key_of(given)))
    lines = (of for state in (*scripted(live), *reached) for of in line_of_states(state.live))
    names = set(class_names(type_))
    classes = tuple(dict.fromkeys(state for state in lines if state.live.__name__ in names))
    text = ir_text(type_)
    key = text, classes, function.python.__module__, function._options
    if key not in _HOLDERS:
        made = _holder_class(text, function.python.__module__)
        _HOLDERS[key] = cast(type, make_scripted(function._options, made))
    state = state_of(_HOLDERS[key])
    assert state is not None  # it is scripted
    named = [cls for cls in live if kind_of(cls) is not None]
    state.named = list(dict.fromkeys((*state.named, *named)))
    held, states = Parameter("held", type_), (state, *classes)
    if state.access is None:
        declare_all([Declared(state, (held,), {})], access_of(states), states)
    assert state.access is not None
    holder = cast(object, object.__new__(state.live))
    state.access.make((held,), holder, adapt(function.__qualname__, [held], [given]))
    return holder


def is_of_holders(state: ClassState) -> bool:
    """Whether a class is one that is made here."""
    return state.live in _HOLDERS.values()


def scripted(classes: Sequence[type]) -> list[ClassState]:
    """Return the states of those classes that are scripted."""
    return [state for state in map(state_of, classes) if state is not None]


def _holder_class(text: str, home: str) -> type:
    class Holder:
        def __init__(self, held):  # pyright: ignore -- compiled
            self.held = held

    Holder.__name__ = Holder.__qualname__ = f"Holder_{digest_of(text)[:12]}"
    Holder.__module__ = home  # none of this package's, whose classes are not looked at
    return Holder


def state_of_object(instance: object) -> ClassState:
    """Return the state of the class of an object, which is scripted."""
    state = state_of(type(instance))
    assert state is not None
    return state


def fields_of(instance: object, known: dict[int, object]) -> list[object]:
    """Return what fields hold; `known` gets the containers, by their places in compiled code."""
    state = state_of_object(instance)
    assert state.access is not None  # it has its fields
    return state.access.read_all(state.fields, instance, known)


def unite(instance: object, values: Sequence[object], seen: dict[int, object]) -> None:
    """Have what is one container in the values of several objects be one in these.

    `values` are those of the fields: what is not in `seen` is just as it is in compiled code.
    """
    state = state_of_object(instance)
    assert state.access is not None
    state.access.unite(state.fields, instance, values, seen)


def refill(function: Any, kind: type, holder: object, other: object) -> None:
    """Let the container of a holder hold what that of another one does, and stay the one it is."""
    home, options = function.python.__module__, function._options
    python = _filling()[kind is not list]
    key = python.__qualname__, home, options
    if key not in _FILLS:
        python.__module__ = home
        _FILLS[key] = make_scripted(options, python)
    _FILLS[key]._run_alone((holder, other))


def _filling() -> tuple[FunctionType, FunctionType]:
    # Compiled: without annotations, as any program.
    def extend(holder, other):  # pyright: ignore
        holder.held.clear()  # pyright: ignore
        holder.held.extend(other.held)  # pyright: ignore

    def update(holder, other):  # pyright: ignore
        holder.held.clear()  # pyright: ignore
        holder.held.update(other.held)  # pyright: ignore

    return extend, update  # pyright: ignore


def container_type(type_: Type, value: object) -> Type:
    """Return which member of a type a value is of."""
    if isinstance(type_, OptionalType):
        return NONE if value is None else type_.item
    return (member_of(value, type_) or type_) if isinstance(type_, UnionType) else type_


def containers_in(type_: Type, value: object) -> Iterator[tuple[Type, object]]:
    """Yield the containers that a value holds, each once and with its type, the outer ones first.

    Only of those in lists, tuples and dicts it is known where they are in compiled code.
    """
    waiting, seen = list(_parts(type_, value)), {id(value)}
    for part_type, part in waiting:
        if id(part) in seen or not holds_list(part_type):
            continue
        if container_kind(part) in KINDS:
            seen.add(id(part))
            yield part_type, part
        waiting += _parts(part_type, part)


def _parts(type_: Type, value: object) -> Iterator[tuple[Type, object]]:
    parts: Sequence[tuple[Type, object]] = ()
    match type_:
        case OptionalType(item) if value is not None:
            parts = [(item, value)]
        case UnionType() if (member := member_of(plain(value), type_)) is not None:
            parts = [(member, value)]
        case NamedType(base=TupleType() as base):
            parts = [(base, tuple(cast("tuple[object, ...]", value)))]
        case TupleType(items):
            parts = list(zip(items, cast("tuple[object, ...]", value), strict=True))
        case ListType(item) if holds_list(item):
            parts = [(item, part) for part in cast("list[object]", value)]
        case DictType(value=item) if holds_list(item):
            parts = [(item, part) for part in cast("dict[object, object]", value).values()]
        case _:
            pass
    for part_type, part in parts:
        yield container_type(part_type, part), part


Given = Callable[[object], bool]


def any_container(value: object, found: Given) -> bool:
    """Whether a test holds for a list, dict or set in a value of the caller's, or for itself."""
    waiting, seen = [value], set[int]()
    for one in waiting:
        kind = container_kind(one)
        if kind in KINDS and found(one):
            return True
        if id(one) in seen:
            continue
        seen.add(id(one))
        if kind is dict:
            waiting += cast("dict[object, object]", one).values()
        elif kind is list or isinstance(one, tuple):
            waiting += cast("list[object]", one)
    return False
