"""Saved modules, seen from the compiler: functions and objects into a file."""

import inspect
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, count, islice
from pathlib import PurePath
from typing import NamedTuple, cast

import numpy as np

from scriptc.backends.llvm.entry.unbox import require_checkable
from scriptc.cache.request import Request
from scriptc.check.checked import CheckedFunction, CheckedProgram, Specialisation
from scriptc.check.library.standard import is_library_file
from scriptc.classes.accessors import declaration
from scriptc.classes.scripted_class import ClassState, state_of
from scriptc.driver import check_and_lower
from scriptc.function_types import Signature, request_of, types_seen_by
from scriptc.options import from_environment
from scriptc.scripted_function import ScriptFunction
from scriptc.specialise.arguments import declared_types, explicit_arguments
from scriptc.specialise.given_generators import refuse_generators
from scriptc.specialise.specialise import root_of
from scriptc.values.kinds import Array
from scriptc_runtime.errors import Diagnostic, TypeCheckError, UnsupportedError
from scriptc_runtime.interp.boundary import ArgumentError, convert_argument
from scriptc_runtime.ir import ClassDecl, Constant, Entry, Function, Module
from scriptc_runtime.record import replace
from scriptc_runtime.saved import file
from scriptc_runtime.saved.snapshot import Held, Snapshot
from scriptc_runtime.types import ClassType, Container, ListType, Type, holds_source
from scriptc_runtime.wording import describe

_OBJECT = "self"


def held_by(instance: object, known: dict[int, object]) -> Held:
    """Return what an object of a scripted class holds; `known` has the lists of others."""
    state = state_of(type(instance))
    assert state is not None  # by the type of what holds it
    values = state.read_all(instance, known)
    fields = [(f.name, f.type, v) for f, v in zip(state.fields, values, strict=True)]
    for name, _, value in fields:
        if value is None and name in state.late:
            whose = f"the field {name!r} of class {state.live.__name__}"
            raise _not_held(
                whose, "class-field", "not set", f"set it in __init__: self.{name} = ..."
            )
    return Held(state.live.__name__, fields)


class _Point(NamedTuple):
    """An entry point to be: its name and what it calls, each with the types of its parameters."""

    name: str
    signatures: Sequence[Signature]


def save(what: object, path: str | os.PathLike[str]) -> None:
    """Save scripted functions by name, or an instance of a scripted class, to one file.

    Raises ScriptError for what cannot be saved, TypeError for what was never scripted, ValueError
    for no entries and for a name that none can have.
    """
    instance = state_of(type(what))
    points = _points(what) if instance is None else _methods(what)
    file.write_saved(path, _Saver(points, what, instance).run())


def _points(what: object) -> list[_Point]:
    if not isinstance(what, Mapping):
        raise TypeError(
            'save(what, path) takes a dict from names to functions, {"f": f}, or an object of a '
            f"@script class, not {describe(what)}{_where_nothing_is()}"
        )
    points = [
        _Point(_entry_name(name), _signatures(name, value))
        for name, value in cast("Mapping[str, object]", what).items()
    ]
    if not points:
        raise ValueError('the dict has no functions to save: name one at least, {"f": f}')
    return points


def _entry_name(name: object) -> str:
    if not isinstance(name, str) or not file.is_entry_name(name):
        raise ValueError(
            f"an entry of a saved module cannot be called {name!r}: give it a name like that of a "
            "variable, without two underscores in front, as it becomes an attribute of the module"
        )
    return name


def _signatures(name: str, value: object) -> list[Signature]:
    if isinstance(value, list | tuple) and not isinstance(value, Signature):
        return [s for item in cast("list[object]", value) for s in _signatures(name, item)]
    if isinstance(value, ScriptFunction):
        return [Signature(cast("ScriptFunction[..., object]", value), ())]
    if isinstance(value, Signature):
        return [value]
    owner: object = getattr(value, "__self__", value)
    if state_of(type(owner)) is not None:
        raise TypeError(f"{name!r} belongs to an object: save the object itself, not {value!r}")
    raise TypeError(
        f"{name!r} is no scripted function and no f.sig(...): {value!r}{_where_nothing_is()}"
    )


def _where_nothing_is() -> str:
    if not from_environment().disable:
        return ""
    return "; under SCRIPTC_DISABLE=1 nothing is scripted, so unset that to save"


def _methods(instance: object) -> list[_Point]:
    """Return the methods of an object, without those that others alone use, and calls do not type.

    What uses them has them in its own code.
    """
    own = {
        name: cast("ScriptFunction[..., object]", member)
        for name, member in vars(type(instance)).items()
        if isinstance(member, ScriptFunction) and (name == "__call__" or not name.startswith("__"))
    }
    return [
        _Point(name, [Signature(method, ())])
        for name, method in own.items()
        if not (name.startswith("_") and name != "__call__" and _is_untyped(method))
    ]


def _is_untyped(method: "ScriptFunction[..., object]") -> bool:
    """Whether neither annotations nor calls say what a method takes."""
    try:
        explicit_arguments(request_of(method, ()), ())
    except TypeCheckError:
        return not method.seen
    return False


class _Saver:
    """Puts one file together."""

    def __init__(self, points: Sequence[_Point], what: object, state: ClassState | None) -> None:
        self._points = points
        self._what = what
        self._state = state
        self._snapshot = Snapshot(partial(held_by, known={}))
        self._captures: dict[str, str] = {}
        self._entries: list[Entry] = []

    def run(self) -> file.SavedModule:
        chosen = [s for point in self._points for s in point.signatures]
        requests = [request_of(s.function, _types(s)) for s in chosen]
        if len({request.options.bigint for request in requests}) > 1:
            raise ValueError(
                "some of these functions have bigint=True and some do not: save them in two files"
            )
        core = check_and_lower([root_of(request) for request in requests])
        program = core.program
        refuse_generators(program, "llvm")
        roots = iter(zip(chosen, program.roots, strict=True))
        for capture in program.captures:
            if holds_source(capture.type):
                way = "make it a parameter of the function"
                raise _captured(capture.name, "saved-generator", "a random generator", way)
            if isinstance(capture.type, ListType | Container):
                kind = "list" if isinstance(capture.type, ListType) else capture.type.name
                way = "make it a tuple or an array" if kind == "list" else "make it a parameter"
                raise _captured(capture.name, "saved-list", f"a {kind}", way)
            value = capture.value
            if not isinstance(value, np.ndarray):
                way = "make it a parameter of the function"
                raise _captured(capture.name, "saved-list", "an object, or a field of one", way)
            array = cast(Array, value)
            self._captures[capture.name] = self._snapshot.add_array(capture.name, array)
        points: list[file.EntryPoint] = []
        for point in self._points:
            found = [self._signature(point.name, next(roots), program) for _ in point.signatures]
            doc = inspect.getdoc(point.signatures[0].function.python) or ""
            points.append(file.EntryPoint(point.name, tuple(found), doc))
        if self._state:
            self._snapshot.add_object(_OBJECT, self._what)
        state = self._snapshot.finish()
        names = _short_names(core.module.functions.values())
        module = Module(
            {n: _renamed(f, names) for n, f in core.module.functions.items()},
            {**_classes(self._state), **core.module.classes},
            state.weights,
            state.objects,
            tuple(self._entries),
        )
        own = [f.source for f in program.functions.values() if not is_library_file(f.source.file)]
        sources = {names[source.file]: source.text for source in own}
        return file.SavedModule(module, tuple(points), state.arrays, sources)

    def _signature(
        self, name: str, root: tuple[Signature, Specialisation], program: CheckedProgram
    ) -> file.Signature:
        signature, key = root
        checked = program.functions[key]
        captures = tuple(self._captures[c.name] for c in checked.captures)
        owner = _OBJECT if self._state else None
        self._entries.append(Entry(name, checked.name, owner, captures))
        plain = inspect.signature(signature.function.python, follow_wrapped=False).parameters
        own = checked.params[1:] if self._state else checked.params
        for p in own:
            require_checkable(checked.name, p.name, p.type)
        parameters = _callable([_parameter(plain[p.name], p.type) for p in own])
        return file.Signature(checked.name, parameters, checked.result, _uses(checked, program))


def _uses(checked: CheckedFunction, program: CheckedProgram) -> tuple[tuple[str, str], ...]:
    """Return the functions that go on with a generator that a function gives, by their uses."""
    given = checked.result
    leaving = program.leaving.get(given.name) if isinstance(given, ClassType) else None
    if leaving is None:
        return ()
    return tuple((use, program.functions[key].name) for use, key in leaving.functions.items())


def _captured(name: str, code: str, what: str, instead: str) -> UnsupportedError:
    return _not_held(f"the global {name!r}", code, what, instead)


def _not_held(whose: str, code: str, what: str, instead: str) -> UnsupportedError:
    message = f"{whose} is {what}, which a file does not hold"
    return UnsupportedError(Diagnostic(code, message, instead=instead))


def _classes(state: ClassState | None) -> dict[str, ClassDecl]:
    """Return the classes that objects of a class may hold: methods need not reach them."""
    found: Sequence[ClassState] = () if state is None else state.reached
    for s in found:
        for f in s.fields:
            if holds_source(f.type):
                whose = f"the field {f.name!r} of class {s.live.__name__}"
                way = "make it a parameter of the methods that draw"
                raise _not_held(whose, "saved-generator", "a random generator", way)
    return {s.live.__name__: declaration(s) for s in found}


def _types(signature: Signature) -> Sequence[object]:
    """Return the explicit types of a signature, or say which were seen so far.

    Those of a method that lacks annotations are the types of its calls, if these had the same.
    """
    function = signature.function
    request = request_of(function, ())
    try:
        return explicit_arguments(request, signature.types)
    except TypeCheckError as error:
        known_types = types_seen_by(function) if request.owner is not None else ()
        if len(known_types) == 1:
            return explicit_arguments(request, known_types[0][1:])  # the first is the object's
        seen = [f"({', '.join(types)})" for types in function.seen]
        (diagnostic, *_) = error.diagnostics
        known = f"it was called with {', '.join(seen)}" if seen else "it was not called yet"
        way = f"save {function.__qualname__}.sig(...) with the types of all parameters"
        if request.owner is not None:
            way = f"{_annotating(request)}, and make the object anew"
            way = way if seen or "*" in way else f"call it once before, or {way}"
        raise TypeCheckError(
            Diagnostic(
                diagnostic.code,
                diagnostic.message,
                diagnostic.span,
                f"a file says what it takes; {known}",
                way,
            )
        ) from None


def _annotating(request: Request) -> str:
    """Say how the parameters of a method get types: `sig` is for functions alone."""
    own = inspect.signature(request.function, follow_wrapped=False).parameters
    silent = [own[name] for name, type_ in declared_types(request) if type_ is None]
    starred = [p.name for p in silent if p.kind is p.VAR_POSITIONAL]
    plain = [repr(p.name) for p in silent if p.name not in starred]
    ways = [f"annotate {', '.join(plain)}"] if plain else []
    return " and ".join(
        ways + [f"take a tuple for *{name}: {name}: tuple[...]" for name in starred]
    )


def _short_names(functions: Iterable[Function]) -> dict[str, str]:
    """Return a name without folders for each source file: a saved file knows no machine."""
    names: dict[str, str] = {}
    for path in dict.fromkeys(function.file for function in functions):
        if is_library_file(path):
            names[path] = path
            continue
        plain = PurePath(path)
        taken = set(names.values())
        options = (f"{plain.stem}{number}{plain.suffix}" for number in count(2))
        free = (n for n in chain([plain.name], options) if n not in taken)
        # What is never one is refused by the writer.
        names[path] = next(filter(file.is_file_name, islice(free, 20)), plain.name)
    return names


def _renamed(function: Function, names: Mapping[str, str]) -> Function:
    return replace(function, file=names[function.file])


def _parameter(plain: inspect.Parameter, type_: Type) -> file.Parameter:
    if plain.kind is plain.VAR_POSITIONAL:
        raise UnsupportedError(
            Diagnostic(
                "signature",
                f"the entry takes *{plain.name}, as many values as a call gives",
                why="a file says what its entries take",
                instead=f"save a function that takes a tuple: {plain.name}: tuple[...]",
            )
        )
    known = () if plain.default is plain.empty else _kept_default(plain.default, type_)
    return file.Parameter(plain.name, type_, known, plain.kind is plain.KEYWORD_ONLY)


def _kept_default(default: object, type_: Type) -> tuple[Constant, ...]:
    """Return a default as the parameter's type holds it; nothing for what a file does not hold.

    A signature may give a type that the default is not of, as an array where that is None: then
    the entry has none.
    """
    try:
        value = convert_argument(default, type_)
    except (ArgumentError, OverflowError):
        return ()
    if isinstance(value, np.generic):
        value = cast(object, value.item())
    return (value,) if isinstance(value, Constant) else ()


def _callable(parameters: Sequence[file.Parameter]) -> tuple[file.Parameter, ...]:
    """Return the parameters, without the defaults of those that stand before one without."""
    kept: list[file.Parameter] = []
    needed = False
    for p in reversed(parameters):
        needed = needed or not (p.default or p.keyword_only)
        kept.append(replace(p, default=()) if needed and not p.keyword_only else p)
    return tuple(reversed(kept))
