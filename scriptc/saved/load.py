"""Saved modules, compiled: `scriptc_runtime.load` with machine code in the interpreter's place."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import cast

from scriptc.backends.llvm import size_limits
from scriptc.backends.llvm.entry.entry import EntrySpec, ParameterSpec
from scriptc.backends.llvm.loading.guarded_arrays import guarded_copy
from scriptc.cache.loader import NativeFunction, load_functions
from scriptc.cache.manifest import Manifest
from scriptc.cache.store import NativeAccess, Store, objects_of
from scriptc.classes.accessors import maker
from scriptc.classes.generators import generator_class
from scriptc.classes.scripted_class import ClassState, class_names, make_loaded_class, state_of
from scriptc.driver import to_low
from scriptc.options import Options, emulated_device, guard_of_process
from scriptc.passes.zeros import zeros
from scriptc.saved.save import held_by
from scriptc.specialise.entries import must_be_writable
from scriptc.specialise.machine_code import machine_code
from scriptc.values.kinds import Parameter
from scriptc_runtime.containers import is_container, plain_of
from scriptc_runtime.errors import LoadError
from scriptc_runtime.ir import Function, Module, Role
from scriptc_runtime.named_classes import named_types, objects_of_loaded
from scriptc_runtime.record import replace
from scriptc_runtime.reserved import MAKER_PREFIX
from scriptc_runtime.saved.file import SavedModule, Signature, about_file, read_saved
from scriptc_runtime.saved.link import link_to
from scriptc_runtime.saved.loaded import Fields, LoadedModule
from scriptc_runtime.saved.snapshot import Held
from scriptc_runtime.text.tokens import TOO_LARGE
from scriptc_runtime.types import OF_EXCEPTIONS, ClassType, NamedType, Type, holds_list, parts_of
from scriptc_runtime.values import Instance

Loader = Callable[[str], LoadedModule]


def load(
    path: str | os.PathLike[str], options: Options, store_of: Callable[[str], Store], again: Loader
) -> LoadedModule:
    """Return the module saved in a file, compiled; `again` reads the file that it is pickled as.

    Raises LoadError, UnsupportedError for what the interpreter alone can run, or OSError.
    """
    try:
        # What is larger is not even read: that alone would take long.
        saved = read_saved(path, most=size_limits.MAX_IN_MODULE)
    except LoadError as error:
        if error.diagnostics[0].code != TOO_LARGE:
            raise
        large = size_limits.too_large("it has more instructions", size_limits.MAX_IN_MODULE)
        raise about_file(large, path) from None
    try:
        return _linked(saved, options, store_of, again)
    except LoadError as error:
        raise about_file(error, path) from None


def _linked(
    saved: SavedModule, options: Options, store_of: Callable[[str], Store], again: Loader
) -> LoadedModule:
    size_limits.admit(saved.module)
    store = store_of(options.cache_dir)
    if guard_of_process():
        copies = {name: guarded_copy(w, store.support) for name, w in saved.weights.items()}
        saved = replace(saved, weights=copies)
    return link_to(saved, _Native(saved, options, store), again)


def _signatures(saved: SavedModule) -> Iterator[Signature]:
    return (s for entry in saved.entry_points for s in entry.signatures)


class _Native:
    """The machine code of one saved module, and its objects."""

    def __init__(self, saved: SavedModule, options: Options, store: Store) -> None:
        self._states = _states(saved, store)
        self._objects: dict[int, object] = {}
        makers = [maker(c) for n, c in saved.module.classes.items() if n in self._states]
        functions = {**saved.module.functions, **{m.name: m for m in makers}}
        module = saved.module.with_functions(functions)
        names = [
            *dict.fromkeys(e.function for e in saved.module.entries),
            *(name for s in _signatures(saved) for _, name in s.generator),
            *(m.name for m in makers),
        ]
        specs = [_spec(module, functions[name]) for name in names]
        manifest, code = _compiled(zeros(module), specs, options, store)
        given = [generator_class(name, NativeAccess(store)) for name in _generators(saved)]
        objects = objects_of((*self._states.values(), *given))
        for type_ in _named_types(saved.module):
            objects |= objects_of_loaded(type_)
        shown = {e.function: e.name for e in saved.module.entries}
        loaded = load_functions(
            [shown.get(name, name) for name in names], manifest, code, store.support, objects,
            store.tables(manifest),
        )  # fmt: skip
        self._device = _Device(options, store) if options.backend == "cuda" else None
        store.settle()
        self._functions: dict[str, NativeFunction] = dict(zip(names, loaded, strict=True))

    def call(self, name: str, arguments: Sequence[object]) -> object:
        """Run a function; the interpreter's instances stand for objects made here."""
        # Users give no instances, so the only one is the object whose method this is.
        given = [self._native(v) if isinstance(v, Instance) else v for v in arguments]
        run = self._functions[name].run
        return run(given) if self._device is None else self._device.call(run, given)

    def object_of(self, instance: Instance) -> object:
        """Return what stands for an instance that the module came with."""
        return self._object(instance)

    def reader(self) -> Callable[[object], Held]:
        """Return what tells what an object holds now."""
        return partial(held_by, known={})

    def fields_of(self, instance: Instance) -> Fields:
        """Return the fields of an instance as users see them."""
        return _ObjectFields(self._object(instance))

    def _native(self, value: object) -> object:
        """Return a value with objects, and containers, for the interpreter's instances."""
        match value:
            case Instance() if is_container(value):
                return plain_of(value, self._native)
            case Instance():
                return self._object(value)
            case list() | tuple():
                items = map(self._native, cast("Sequence[object]", value))
                return list(items) if isinstance(value, list) else tuple(items)
            case _:
                return value

    def _object(self, instance: Instance) -> object:
        # The module keeps the instance alive, so nothing else gets its address.
        if id(instance) not in self._objects:
            fields = list(map(self._native, instance.fields.values()))
            made = self._functions[MAKER_PREFIX + instance.class_name].run(fields)
            self._objects[id(instance)] = made
        return self._objects[id(instance)]


class _Device:
    """The CUDA device that a module's functions run on."""

    def __init__(self, options: Options, store: Store) -> None:
        # Inside a function: only those who ask for CUDA pay for it.
        from scriptc.backends.cuda.calls import Caller

        self._options = options
        self._store = store
        self._caller = Caller("a loaded module's function")

    def call(self, run: Callable[[Sequence[object]], object], given: Sequence[object]) -> object:
        """Run machine code with arguments of which some may lie on the device."""
        # Inside a function: only those who ask for CUDA pay for it.
        from scriptc.backends.cuda.calls import DeviceCall
        from scriptc.backends.cuda.driver import open_driver

        driver = open_driver(self._options.cache_dir, emulated_device())
        with DeviceCall(given, driver) as call:
            return call.run(run, call.values, self._store.support, self._caller)


def _compiled(
    module: Module, specs: Sequence[EntrySpec], options: Options, store: Store
) -> tuple[Manifest, bytes]:
    if options.backend != "cuda":
        low = to_low(module, options, size_limits.check_low)
        return machine_code(low, specs, store, size_limits.check_text)
    # Inside a function: only those who ask for CUDA pay for it.
    from scriptc.specialise.device_code import device_code, to_device_low

    return device_code(to_device_low(module, options), specs, store, options)


class _ObjectFields:
    """The fields of an object made here: its class converts what is read and set."""

    def __init__(self, value: object) -> None:
        state = state_of(type(value))
        assert state is not None  # `_states` made its class
        self._value = value
        self.names = tuple(field.name for field in state.fields)

    def read(self, name: str) -> object:
        return getattr(self._value, name)

    def write(self, name: str, value: object) -> None:
        setattr(self._value, name, value)


def _named_types(module: Module) -> Iterator[NamedType]:
    """Yield the types of enumerations and named tuples that Python gives or gets."""
    for entry in module.entries:
        function = module.functions[entry.function]
        for type_ in (function.result, *(p.type for p in function.params)):
            yield from named_types(type_)
    for declared in module.classes.values():
        for _, type_ in declared.fields:
            yield from named_types(type_)


def _states(saved: SavedModule, store: Store) -> dict[str, ClassState]:
    """Make a Python class for each class of which Python may see objects."""
    module = saved.module
    hidden = _holding_exceptions(module) | _generators(saved)
    names = [name for name in _shown_classes(saved) if name not in hidden]
    states = {name: make_loaded_class(name) for name in names}
    access = NativeAccess(store)
    for name, state in states.items():
        fields = [Parameter(n, t) for n, t in module.classes[name].fields]
        state.begin(fields, {}, access, tuple(states.values()))
    return states


def _generators(saved: SavedModule) -> set[str]:
    """Return the classes of the generators that functions give: Python sees nothing of them."""
    results = [s.result for s in _signatures(saved) if s.generator]
    return {result.name for result in results if isinstance(result, ClassType)}


def _shown_classes(saved: SavedModule) -> Sequence[str]:
    """Return the classes of objects that come with the module, go in or come out, in order."""
    module = saved.module
    functions = {e.function: module.functions[e.function] for e in module.entries}
    resumed = [name for s in _signatures(saved) for _, name in s.generator]
    functions |= {name: module.functions[name] for name in resumed}
    types: list[Type] = [ClassType(o.class_name) for o in module.objects.values()]
    for function in functions.values():
        types += [function.result, *(p.type for p in function.params)]
    hidden, found = _generators(saved), set[str]()
    while types:
        for name in class_names(types.pop()):
            if name not in found | hidden:
                found.add(name)
                types += [type_ for _, type_ in module.classes[name].fields]
                types += [ClassType(c.name) for c in module.classes.values() if c.base == name]
    return [name for name in module.classes if name in found]


def _holding_exceptions(module: Module) -> set[str]:
    """Return the classes of exceptions, and those that hold some: Python has no objects of them."""
    found: set[str] = set()
    while True:
        more = {
            name
            for name, declared in module.classes.items()
            if name not in found and any(_is_among(t, found) for _, t in declared.fields)
        }
        if not more:
            return found
        found |= more


def _is_among(type_: Type, classes: set[str]) -> bool:
    if type_ in OF_EXCEPTIONS or (isinstance(type_, ClassType) and type_.name in classes):
        return True
    return any(_is_among(part, classes) for part in parts_of(type_))


def _spec(module: Module, function: Function) -> EntrySpec:
    writable, makes = must_be_writable(module, function), function.role is Role.MAKER
    return EntrySpec(
        function.name,
        tuple(
            # A list of an object is the copy that is made of it here.
            ParameterSpec(p.name, p.type, p in writable and not (makes and holds_list(p.type)))
            for p in function.params
        ),
    )
