"""Scripted functions and classes as pickles.

What another process can import goes by name, as pickle does it. The rest, what stands in the main
script or inside of a function, goes by value: code, source text, and what its names stand for. The
other side makes it anew and specialises it there; machine code comes from the cache. A process that
has the same definition under the name, as one that has imported the main script, takes that.
"""

import builtins
import importlib
import marshal
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping
from enum import Enum
from functools import update_wrapper
from inspect import unwrap
from operator import getitem, is_
from types import CellType, CodeType, FunctionType, ModuleType, UnionType
from typing import Any, NamedTuple, cast, get_args, get_origin
from weakref import WeakKeyDictionary, ref

import numpy as np

from scriptc.cache.dependencies import find_dependencies, names_in_texts, names_outside
from scriptc.cache.request import Specialisation
from scriptc.classes.scripted_class import ClassState, line_of_states, state_of
from scriptc.options import Options, from_environment
from scriptc.saved.pickles.dataclass_specs import DataclassSpec, dataclass_spec, made_dataclass
from scriptc.saved.pickles.names import (
    Reduced,
    Stand,
    Texts,
    imported,
    in_files,
    is_importable,
    keep,
    named,
    register,
    texts_of,
)
from scriptc.scripted_function import ScriptFunction, make_scripted
from scriptc.values.dataclass_members import FIELDS, is_made_by_dataclasses
from scriptc.values.kinds import in_main, is_static

_UNFILLED = "__scriptc_unfilled__"  # an attribute of functions that know no names yet


# What is kept of options: the backend, the number of threads, and whether sizes are strict.
_Settings = tuple[str, int, bool, bool]


# ------------------------------------------------------------------------------ plain functions


class _Head(NamedTuple):
    """A function without what its names stand for; the code is marshalled.

    `names` stands for its globals: functions that share them do so again.
    """

    module: str
    name: str
    qualified: str
    code: bytes
    python: str  # whose code this is
    names: Any


class _Own(NamedTuple):
    """What a function was given when it was defined."""

    defaults: tuple[Any, ...] | None
    keyword_defaults: dict[str, Any] | None
    annotations: dict[str, Any]
    attributes: dict[str, Any]


class _Outside(NamedTuple):
    """What the names outside of a function stand for, and what its cells hold, if anything."""

    names: dict[str, object]
    cells: tuple[tuple[object, ...], ...]


def _head_of(function: FunctionType) -> _Head:
    module, names = in_main(function.__module__), function.__globals__
    kept = _NAMES.get(id(names))
    if kept is None:
        kept = keep(_NAMES, id(names), (names, Stand(_new_names, module)))
    code, tag = marshal.dumps(function.__code__), sys.implementation.cache_tag
    return _Head(module, function.__name__, function.__qualname__, code, tag, kept[1])


# By identity, the globals of functions, which therefore live, and what stands for them.
_NAMES: dict[int, tuple[dict[str, Any], Stand]] = {}


def _new_names(module: str) -> dict[str, Any]:
    return {"__name__": module, "__builtins__": builtins}


def _own_of(function: FunctionType) -> _Own:
    defaults, keyword_defaults = function.__defaults__, function.__kwdefaults__
    return _Own(
        None if defaults is None else tuple(map(_packed, defaults)),
        None if keyword_defaults is None else _all_packed(keyword_defaults),
        _all_packed(function.__annotations__),
        {n: v for n, v in vars(function).items() if n not in ("__wrapped__", "python")},
    )


def _all_packed(values: Mapping[str, object]) -> dict[str, Any]:
    return {name: _packed(value) for name, value in values.items()}


def _outside_of(function: FunctionType, written: type = object) -> _Outside:
    """Return what names stand for; those in annotations of a class do so in its `__init__`."""
    known, mentioned = function.__globals__, names_outside(function)
    if vars(written)["__init__"] is function:
        mentioned = [*mentioned, *names_in_texts(vars(written).get("__annotations__", {}))]
    names = {n: _packed(known[n]) for n in mentioned if n in known}
    cells = tuple(tuple(map(_packed, _content(cell))) for cell in function.__closure__ or ())
    return _Outside(names, cells)


def _content(cell: CellType) -> tuple[object, ...]:
    try:
        return (cell.cell_contents,)
    except ValueError:
        return ()  # the outer function has not bound it yet


def _bare(head: _Head, files: Mapping[str, str]) -> FunctionType:
    """Return a function that knows no names yet.  Raises TypeError for code of another Python."""
    if head.python != sys.implementation.cache_tag:
        raise TypeError(
            f"{head.qualified} was pickled by {head.python}, and this is "
            f"{sys.implementation.cache_tag}: put it into a module, or use the same Python"
        )
    code = in_files(cast(CodeType, marshal.loads(head.code)), files)
    cells = tuple(CellType() for _ in code.co_freevars)
    made = FunctionType(code, head.names, head.name, None, cells)
    made.__module__, made.__qualname__ = head.module, head.qualified
    made.__dict__[_UNFILLED] = True
    return made


def _give_own(function: FunctionType, own: _Own) -> None:
    function.__defaults__, function.__kwdefaults__ = own.defaults, own.keyword_defaults
    function.__annotations__ = own.annotations
    function.__dict__.update(own.attributes)


def _give_outside(function: FunctionType, outside: _Outside) -> None:
    function.__globals__.update(outside.names)
    for cell, content in zip(function.__closure__ or (), outside.cells, strict=True):
        if content:
            (cell.cell_contents,) = content
    function.__dict__.pop(_UNFILLED, None)


def _packed(value: object) -> object:
    """Return a value for a pickle: what stands for it where pickle itself cannot write it.

    That is also where others, as cloudpickle, write it without its source text.
    """
    if isinstance(value, ModuleType):
        return Stand(importlib.import_module, value.__name__)
    if isinstance(value, FunctionType):
        return _PLAIN.setdefault(value, _FunctionPickle(value))
    if isinstance(value, type):
        return value if state_of(value) is None else class_for_pickle(value)
    parts = get_args(value)
    inside = tuple(map(_packed, parts))
    if all(map(is_, inside, parts)):
        return value
    origin = get_origin(value)
    return Stand(_union, inside) if origin is UnionType else Stand(getitem, origin, inside)


def _union(members: tuple[Any, ...]) -> object:
    first, *others = members
    for other in others:
        first = first | other
    return first


class _FunctionPickle:
    """Stands in pickles for a function without @script: one for each, as it may call itself."""

    __slots__ = ("__weakref__", "_function")

    def __init__(self, function: FunctionType) -> None:
        self._function = ref(function)

    def __reduce__(self) -> Reduced:
        function = self._function()
        assert function is not None  # who mentions it has it
        if is_importable(function, function.__module__, function.__qualname__):
            return imported, (function.__module__, function.__qualname__)
        found = _definition(function)
        arguments = _head_of(function), found.texts, found.digest
        state = _own_of(function), _outside_of(function)
        return _plain_from, arguments, state, None, None, _fill_plain


_PLAIN: WeakKeyDictionary[FunctionType, _FunctionPickle] = WeakKeyDictionary()


def _plain_from(head: _Head, texts: Texts, digest: str) -> FunctionType:
    known = named(head.module, head.qualified)
    if isinstance(known, FunctionType) and _definition(known).digest == digest:
        return known
    return _bare(head, register(texts))


def _not_by_value(cls: type) -> TypeError:
    only = "" if len(line_of_states(cls)) > 1 else ", only its objects are"
    return TypeError(
        f"the class {cls.__qualname__} is not pickled by value{only}: "
        "put it into a module, which other processes import"
    )


def _fill_plain(made: FunctionType, state: tuple[_Own, _Outside]) -> None:
    if _UNFILLED in made.__dict__:
        _give_own(made, state[0])
        _give_outside(made, state[1])


# --------------------------------------------------------------------------- scripted functions


def reduce_function(
    function: "ScriptFunction[..., Any]", options: Options, owner: type | None
) -> str | Reduced:
    """Return what pickle makes of a scripted function, for its `__reduce__`."""
    python = cast(FunctionType, function.python)
    if owner is not None:
        names = [name for name, member in vars(owner).items() if member is function]
        if not names:
            # Its constructor: who pickles classes by their members cannot make a scripted one.
            raise _not_by_value(owner)
        return getattr, (class_for_pickle(owner), names[0])
    if is_importable(function, python.__module__, python.__qualname__):
        return python.__qualname__
    found = _definition(python)
    arguments = (_head_of(python), _settings(options), found.texts, found.digest, found.is_fixed)
    state = _own_of(python), _outside_of(python)
    return _function_from, arguments, state, None, None, _fill_function


def _function_from(
    head: _Head, settings: _Settings, texts: Texts, digest: str, is_fixed: bool
) -> object:
    """Return the function of this definition that is known here, or make it, to be filled."""
    known = named(head.module, head.qualified)
    if isinstance(known, ScriptFunction):
        live = cast("ScriptFunction[..., Any]", known)
        if _definition(cast(FunctionType, live.python)).digest == digest:
            return live
    if is_fixed and digest in _FUNCTIONS:
        return _FUNCTIONS[digest]
    python = _bare(head, register(texts))
    if is_fixed:
        return keep(_FUNCTIONS, digest, make_scripted(_options(settings), python))
    capturing = _CAPTURING.get(digest) or keep(_CAPTURING, digest, {})
    return make_scripted(_options(settings), python, capturing)


# What a worker has specialised for one task serves the next one. By digest: functions that code and
# constants alone decide on are one, however often they come; of others, their specialisations.
_FUNCTIONS: dict[str, object] = {}
_CAPTURING: dict[str, dict[Hashable, list[Specialisation]]] = {}


def _fill_function(made: object, state: tuple[_Own, _Outside]) -> None:
    python = cast(FunctionType, getattr(made, "python"))  # noqa: B009 -- plain ones have it, too
    _fill_plain(python, state)
    if made is not python:
        update_wrapper(cast("ScriptFunction[..., Any]", made), python)


# ----------------------------------------------------------------------------- scripted classes


class ClassPickle:
    """Stands in pickles for a scripted class: one for each, so that the class is written once."""

    __slots__ = ("__weakref__", "_cls")

    def __init__(self, cls: type) -> None:
        self._cls = ref(cls)

    @property
    def cls(self) -> type:
        """The class, which who mentions this has."""
        cls = self._cls()
        assert cls is not None
        return cls

    def __deepcopy__(self, memo: object) -> "ClassPickle":
        return self

    def __reduce__(self) -> Reduced:
        cls, state = self.cls, class_state(self.cls)
        if is_importable(cls, cls.__module__, cls.__qualname__):
            return imported, (cls.__module__, cls.__qualname__)
        if len(line_of_states(cls)) > 1:
            raise _not_by_value(cls)
        written = state.written
        found = _definition(written)
        parts = _ClassParts(
            in_main(cls.__module__),
            cls.__name__,
            cls.__qualname__,
            dict(_members_of(written)),
            dataclass_spec(written),
        )
        outside = {name: _outside_of(f, written) for name, f in _functions_of(written)}
        arguments = parts, _settings(state.options), found.texts, found.digest
        return _class_from, arguments, (found.digest, outside), None, None, _fill_class


def class_for_pickle(cls: type) -> ClassPickle:
    """Return what stands for a scripted class in pickles."""
    return _STANDS.setdefault(cls, ClassPickle(cls))


_STANDS: WeakKeyDictionary[type, ClassPickle] = WeakKeyDictionary()


class _Function(NamedTuple):
    """A function of a class, and which kind of member it is."""

    kind: str
    head: _Head
    own: _Own


class _ClassParts(NamedTuple):
    """A class as it was written, without what the names in its functions stand for."""

    module: str
    name: str
    qualified: str
    members: "dict[str, _Function | object]"  # in their order
    dataclass: DataclassSpec | None


def class_state(cls: type) -> ClassState:
    """Return the state of a class that is known to be scripted."""
    state = state_of(cls)
    assert state is not None  # only scripted classes come here
    return state


def _class_from(parts: _ClassParts, settings: _Settings, texts: Texts, digest: str) -> type[object]:
    """Return the class of this definition that is known here, or make it, to be filled."""
    known = named(parts.module, parts.qualified)
    state = state_of(known) if isinstance(known, type) else None
    if state is not None and _definition(state.written).digest == digest:
        return state.live
    if digest not in _CLASSES:
        written = _written(parts, register(texts))
        _CLASSES[digest] = written, cast(type, make_scripted(_options(settings), written))
    return _CLASSES[digest][1]


# By digest, a class as it was written and the scripted one: objects that come one after the other
# are of one class.
_CLASSES: dict[str, tuple[type, type[object]]] = {}


def _written(parts: _ClassParts, files: Mapping[str, str]) -> type:
    members: dict[str, Any] = {"__module__": parts.module, "__qualname__": parts.qualified}
    for name, member in parts.members.items():
        if isinstance(member, _Function):
            function = _bare(member.head, files)
            _give_own(function, member.own)
            members[name] = _KINDS[member.kind](function)
        else:
            members[name] = member
    if parts.dataclass is None:
        return type(parts.name, (), members)
    return made_dataclass(parts.name, members, parts.dataclass, _new_names(parts.module))


_KINDS: Mapping[str, Callable[[FunctionType], object]] = {
    "function": lambda function: function,
    "staticmethod": staticmethod,
    "property": property,
}


def _fill_class(made: type, state: tuple[str, dict[str, _Outside]]) -> None:
    digest, outside = state
    written, scripted = _CLASSES.get(digest, (None, None))
    if written is None or scripted is not made:
        return  # it was here already, and its names mean what they do in this process
    # Each time, as arrays that its methods read may be other ones now.
    for name, function in _functions_of(written):
        _give_outside(function, outside[name])


def _functions_of(written: type) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions of a class, also an `__init__` that `dataclasses` made.

    Of properties these are the getters.
    """
    for name, member in vars(written).items():
        function: object = getattr(member, _PARTS.get(type(member).__name__, ""), member)
        if isinstance(function, FunctionType) and (
            name == "__init__" or not is_made_by_dataclasses(written, name, unwrap(function))
        ):
            yield name, function


_PARTS: Mapping[str, str] = {"staticmethod": "__func__", "property": "fget"}
_PYTHONS_OWN = frozenset({"__dict__", "__weakref__", "__module__", "__qualname__", "__slots__"})
_MADE_BY_DATACLASSES = frozenset({FIELDS, "__dataclass_params__", "__match_args__", "__hash__"})


def _members_of(written: type) -> "Iterator[tuple[str, _Function | object]]":
    """Yield what is in the text of a class; what Python and `dataclasses` add is made anew."""
    functions, made = dict(_functions_of(written)), _PYTHONS_OWN
    if FIELDS in vars(written):
        made |= _MADE_BY_DATACLASSES
    for name, member in vars(written).items():
        if name in functions and not (FIELDS in vars(written) and name == "__init__"):
            own = _head_of(functions[name]), _own_of(functions[name])
            yield name, _Function(type(member).__name__, *own)
        elif name == "__annotations__":
            annotations = cast("dict[str, object]", member)
            yield name, _all_packed(annotations)
        elif not (name in made or isinstance(member, FunctionType) or _is_no_doc(name, member)):
            yield name, _packed(member)


def _is_no_doc(name: str, member: object) -> bool:
    return name == "__doc__" and member is None


# ------------------------------------------------------------------------ what both depend on


class _Definition:
    """What a function or class depends on, for as long as that holds."""

    __slots__ = ("dependencies", "digest", "is_fixed", "texts")

    def __init__(self, live: FunctionType | type) -> None:
        self.dependencies = find_dependencies((live,), as_written=True)
        self.digest = self.dependencies.digest
        self.texts = texts_of(self.dependencies.functions)
        # Whether the digest says all: it tells arrays and lists by their kinds alone.
        values: list[object] = [guard.value for guard in self.dependencies.guards]
        for function in self.dependencies.functions:
            values += [function.__defaults__, *(function.__kwdefaults__ or {}).values()]
        self.is_fixed = all(map(_is_fixed, values))


def _definition(live: FunctionType | type) -> _Definition:
    known = _DEFINITIONS.get(live)
    if known is None or not known.dependencies.hold:
        known = _DEFINITIONS[live] = _Definition(live)
    return known


_DEFINITIONS: WeakKeyDictionary[FunctionType | type, _Definition] = WeakKeyDictionary()


def _is_fixed(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_fixed, cast("tuple[object, ...]", value)))
    plain = (bool, int, float, complex, str, bytes, Enum, np.generic, np.dtype, ModuleType)
    return value is None or isinstance(value, plain) or is_static(value)


def _settings(options: Options) -> _Settings:
    return options.backend, options.threads, options.strict_sizes, options.bigint


def _options(settings: _Settings) -> Options:
    backend, threads, strict, bigint = settings
    parallel = True if threads == 0 else threads
    return from_environment(backend, parallel=parallel, strict_sizes=strict, bigint=bigint)
