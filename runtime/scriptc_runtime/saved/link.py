"""Binds the entry points of a saved module to an interpreter and to the state they share."""

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol

from scriptc_runtime.budget import Budget
from scriptc_runtime.given_generators import given_generator
from scriptc_runtime.interp.boundary import Capture, convert_arguments
from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.ir import names_of_line
from scriptc_runtime.named_classes import named_types
from scriptc_runtime.raised_objects import leaves, leaving, made, stand_in
from scriptc_runtime.record import replace
from scriptc_runtime.saved.fields import InstanceFields, Objects
from scriptc_runtime.saved.file import Parameter, SavedModule, Signature, write_saved
from scriptc_runtime.saved.loaded import Fields, LoadedEntry, LoadedModule
from scriptc_runtime.saved.snapshot import Held, Snapshot
from scriptc_runtime.saved.state import State, make_state
from scriptc_runtime.types import DType, OptionalType, Type, holds_class, holds_container
from scriptc_runtime.values import Instance


class Backend(Protocol):
    """What runs a module and keeps its objects."""

    def call(self, name: str, arguments: Sequence[object]) -> object:
        """Run a function; instances among the arguments are the interpreter's."""
        ...

    def object_of(self, instance: Instance) -> object:
        """Return what stands for an instance that the module came with."""
        ...

    def reader(self) -> Callable[[object], Held]:
        """Return what tells what an object holds now, for one snapshot."""
        ...

    def fields_of(self, instance: Instance) -> Fields:
        """Return the fields of an instance as users see them."""
        ...


class _Interpreted:
    """The interpreter, which keeps the instances themselves."""

    def __init__(self, saved: SavedModule, budget: Budget | None) -> None:
        module = self._module = saved.module
        signatures = [s for entry in saved.entry_points for s in entry.signatures]
        self._generators = [s.result for s in signatures if s.generator]
        self._objects = Objects(module)
        run = Interpreter(module, budget=budget).call
        self._run = leaving(run, self._exception, self._objects.to_user)
        self._functions = module.functions

    def call(self, name: str, arguments: Sequence[object]) -> object:
        result = self._run(name, arguments)
        type_ = self._functions[name].result
        # What holds no object is given as it is: a list may be the caller's own. Of a generator
        # Python sees nothing.
        is_given = not _converts(type_) or type_ in self._generators
        return result if is_given else self._objects.to_user(type_, result)

    def _exception(self, owner: Instance, base: BaseException) -> BaseException:
        """Return an exception of a class of the program, which is made here."""
        cls = stand_in(names_of_line(owner.class_name, self._module.classes), type(base))
        types = dict(self._module.classes[owner.class_name].fields)
        fields = {
            name: self._objects.to_user(types[name], value)
            for name, value in owner.fields.items()
            if leaves(name, types[name])
        }
        return made(cls, base, fields, self._objects.to_user)

    def object_of(self, instance: Instance) -> object:
        return instance

    def reader(self) -> Callable[[object], Held]:
        return self._held

    def _held(self, value: object) -> Held:
        assert isinstance(value, Instance)  # by the types of the fields
        types = self._objects.types_of(value)
        return Held(value.class_name, [(n, t, value.fields[n]) for n, t in types.items()])

    def fields_of(self, instance: Instance) -> Fields:
        return InstanceFields(instance, self._objects)


def link(
    saved: SavedModule, load: Callable[[str], LoadedModule], budget: Budget | None
) -> LoadedModule:
    """Return `saved` ready to call; it takes over the arrays, as scripts may write to them.

    `load` reads the file that it becomes where it is pickled.
    """
    return link_to(saved, _Interpreted(saved, budget), load)


def link_to(
    saved: SavedModule, backend: Backend, load: Callable[[str], LoadedModule]
) -> LoadedModule:
    """Return `saved` with a backend in the interpreter's place, which `load` gives its files."""
    linker = _Linker(saved, make_state(saved.module, saved.weights), backend, load)
    return LoadedModule(
        [
            LoadedEntry(e.name, e.doc, [linker.overload(e.name, s) for s in e.signatures])
            for e in saved.entry_points
        ],
        linker,
    )


class _Overload:
    """One signature, its function, and the arguments that the module itself gives."""

    def __init__(
        self,
        backend: Backend,
        signature: Signature,
        owner: Sequence[object],
        captures: Sequence[Capture],
    ) -> None:
        self.text = str(signature)
        self._function = signature.function
        self._call = backend.call
        self._uses = {use: partial(self._resumed, name) for use, name in signature.generator}
        self._owner = owner
        self._captures = captures
        self.signature = _binder(signature)
        self._names = [p.name for p in signature.params]
        self._types = [p.type for p in signature.params]

    def convert(self, args: Sequence[object], kwargs: Mapping[str, object]) -> list[object]:
        """Return the arguments in order, checked.  Raises TypeError or OverflowError."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = [bound.arguments[name] for name in self._names]
        return convert_arguments(self._names, self._types, given, self._captures)

    def run(self, values: Sequence[object]) -> object:
        """Return what the function gives for converted arguments."""
        arguments = [*self._owner, *values, *(c.value for c in self._captures)]
        result = self._call(self._function, arguments)
        return given_generator(self._function, self._uses, result) if self._uses else result

    def _resumed(self, function: str, *arguments: object) -> object:
        return self._call(function, arguments)


def _binder(signature: Signature) -> inspect.Signature:
    """Return Python's own binder of arguments to parameters, which `help` shows."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return inspect.Signature(
        [
            inspect.Parameter(
                p.name,
                kinds[p.keyword_only],
                default=_default(p),
                annotation=p.type,
            )
            for p in signature.params
        ],
        return_annotation=signature.result,
    )


def _default(parameter: Parameter) -> object:
    if not parameter.default:
        return inspect.Parameter.empty
    (value,) = parameter.default
    type_ = parameter.type.item if isinstance(parameter.type, OptionalType) else parameter.type
    # Files keep NumPy's scalars as Python's numbers.
    return type_.numpy.type(value) if isinstance(type_, DType) and value is not None else value


class _Linker:
    """Binds the signatures of one module to its arrays and objects."""

    def __init__(
        self,
        saved: SavedModule,
        state: State,
        backend: Backend,
        load: Callable[[str], LoadedModule],
    ) -> None:
        self.load = load
        self.is_fixed = not (saved.module.weights or saved.module.objects)
        self._saved = saved
        self._backend = backend
        self._state = state
        self._entries = {(e.name, e.function): e for e in saved.module.entries}

    def overload(self, name: str, signature: Signature) -> _Overload:
        entry = self._entries[name, signature.function]
        owner = [] if entry.object is None else [self._state.objects[entry.object]]
        params = self._saved.module.functions[signature.function].params
        last = params[len(params) - len(entry.captures) :]
        captures = [
            Capture(param.name, param.type, self._state.weights[weight])
            for param, weight in zip(last, entry.captures, strict=True)
        ]
        return _Overload(self._backend, signature, owner, captures)

    def _roots(self) -> Sequence[str]:
        """Return the objects whose methods the entries are; without any, the outermost one."""
        owners = [e.object for e in self._saved.module.entries if e.object is not None]
        return list(dict.fromkeys(owners)) or list(self._state.objects)[-1:]

    def fields(self) -> Fields | None:
        """Return the fields of the only object, None where there is none or several."""
        match self._roots():
            case [name]:
                return self._backend.fields_of(self._state.objects[name])
            case _:
                return None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the module with its arrays and objects as they are now."""
        module, snapshot = self._saved.module, Snapshot(self._backend.reader())
        entries = tuple(
            replace(e, captures=tuple(self._kept(name, snapshot) for name in e.captures))
            for e in module.entries
        )
        for name in self._roots():
            snapshot.add_object(name, self._backend.object_of(self._state.objects[name]))
        now = snapshot.finish()
        module = replace(module, weights=now.weights, objects=now.objects, entries=entries)
        write_saved(path, replace(self._saved, module=module, weights=now.arrays))

    def _kept(self, weight: str, snapshot: Snapshot) -> str:
        return snapshot.add_array(weight, self._state.weights[weight])


def _converts(type_: Type) -> bool:
    """Whether Python does not see values of a type as the interpreter has them."""
    return holds_class(type_) or holds_container(type_) or any(named_types(type_))
