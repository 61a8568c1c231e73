"""Specialisations in the cache: found by what their program depends on, run without compiling.

Two keys, as in ccache. The manifest's key is made of everything that the program says: code,
constants and annotations reached, kinds of arguments, options. The manifest names the machine code,
whose key is made of the program text that LLVM is given, so that a function that only moved within
its file finds it. That text holds no place in a file; it is used instead of the low IR it comes
from because the tables of the manifest come with it.
"""

import ctypes
from _thread import allocate_lock
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cached_property, partial
from typing import Any
from weakref import WeakSet

from scriptc.backends.llvm.loading import elfload, symbols
from scriptc.backends.llvm.loading.heap_types import set_dealloc
from scriptc.backends.llvm.loading.machine_code import SupportCode
from scriptc.cache.dependencies import Dependencies, digest_of, find_dependencies
from scriptc.cache.fingerprint import Sources, fingerprint
from scriptc.cache.folder import Cache
from scriptc.cache.instances import Instances, Shelf
from scriptc.cache.loader import NativeFunction, load_functions
from scriptc.cache.manifest import KernelTexts, Manifest, from_bytes, read_types, to_bytes
from scriptc.cache.request import Request, Specialisation
from scriptc.cache.support_parts import SupportParts
from scriptc.classes.instances import get_handle, set_handle
from scriptc.classes.scripted_class import (
    HEIRS,
    Access,
    ClassState,
    make_loaded_class,
    state_of,
)
from scriptc.options import guard_of_process, threads_of_process
from scriptc.values.kinds import Parameter, key_text
from scriptc.values.size_patterns import PATTERNS, fits
from scriptc_runtime.records import classes_held
from scriptc_runtime.types import Type, holds_list

# Takes a handle, the types and the values of the fields, and the lists that are known by address.
UnifyLists = Callable[[int, Sequence[Type], Sequence[object], dict[int, object]], list[object]]


class Toolchain:
    """What the store asks of the compiler, which each of these loads when it is called."""

    def __init__(
        self,
        llvm_version: Callable[[], str],
        support_object: Callable[[], bytes],
        part_object: Callable[[str], bytes],
        parts_for: Callable[[Iterable[str]], set[str]],
        parts_for_program: Callable[[str], set[str]],
        compile_accessors: "Callable[[Store, str, ClassState, bool], tuple[Manifest, bytes]]",
        unify_lists: UnifyLists,
        unite_lists: Callable[..., None],
        is_shared: Callable[[int], bool],
        belong_to: Callable[[int, int], None],
        device_tables: "Callable[[Store, KernelTexts], Mapping[str, Sequence[int]]]",
    ) -> None:
        self.llvm_version = llvm_version
        self.support_object = support_object
        self.part_object = part_object
        self.parts_for = parts_for
        self.parts_for_program = parts_for_program
        self.compile_accessors = compile_accessors
        self.unify_lists = unify_lists
        self.unite_lists = unite_lists
        self.is_shared = is_shared
        self.belong_to = belong_to
        self.device_tables = device_tables


class Store:
    """The cache of one folder, for this process."""

    def __init__(self, folder: str, toolchain: Toolchain) -> None:
        self._cache = Cache(folder)
        self._toolchain = toolchain
        self._compiled_support = b""
        self._parts = SupportParts(self._compiled_part, toolchain.parts_for)
        self._wait_for_support: Callable[[], None] = lambda: None
        self._sources = Sources(self._cache)
        # None: nothing is kept.
        self._unwritten: list[tuple[Callable[[], str], bytes]] | None = []
        self._writing = allocate_lock()
        self._wait_for_entries: Callable[[], None] | None = None
        self._instances = Instances(
            Shelf(
                self.key,
                lambda name: self._cache.read(name()) if self.is_known else None,
                self.read,
                self._write,
                lambda: _SUPPORT.get(""),
                lambda: self.support,
            )
        )

    @property
    def is_known(self) -> bool:
        """Whether the cache may have something: not before this scriptc has compiled something."""
        return self._sources.known is not None

    @cached_property
    def _fingerprint(self) -> str:
        if self._sources.known is None:
            self._learn()
        assert self._sources.known is not None
        return fingerprint(self._sources.known)

    def _learn(self) -> None:
        self._sources.learn(self._toolchain.llvm_version())

    def key(self, *parts: object) -> str:
        """Return the name of the manifest of what these parts describe."""
        return f"{digest_of(self._fingerprint, *parts)}.manifest"

    def find(
        self, request: Request, kinds: Hashable, dependencies: Dependencies, made: int = 0
    ) -> tuple[Specialisation | None, Callable[[], str] | None]:
        """Return what the cache has for a function, called with such arguments.

        With it, or in its place, comes what tells the name of its manifest: it is asked late where
        nothing is cached, as the fingerprint is not known at first. The code for patterns of sizes
        has numbers in the order in which it was made, and this process has `made` of it; where no
        number is left, there is no name. The code for any sizes has a number of its own.
        """
        options = request.options
        settings = (
            *(request.constructs, options.threads, options.strict_sizes),
            *(options.bigint, options.backend),
        )
        fields = tuple(fields_from_calls(dependencies))  # as they are now
        parts = ("function", dependencies.digest, key_text(kinds), *settings, *fields)

        def named(number: int) -> Callable[[], str]:
            return lambda: self.key(*parts, number)

        sizes = request.sizes
        free: Callable[[], str] | None = None
        for number in (PATTERNS,) if sizes is None else range(PATTERNS):
            name = named(number)
            found = self.read(name()) if self.is_known else None
            if found is not None and (sizes is None or fits(found[0].pattern, sizes)):
                return self.load(request.name, *found, dependencies), name
            # What this process has made may not be written yet.
            if found is None and number >= made and free is None:
                free = name
        return None, free

    def read(self, key: str) -> tuple[Manifest, bytes] | None:
        """Return a manifest and its machine code."""
        data = self._cache.read(key)
        if data is None:
            return None
        manifest = from_bytes(data)
        code = self._cache.read(self._code_name(manifest.code))
        there = (
            code is not None and manifest.holds and all(map(self.has_instance, manifest.instances))
        )
        return (manifest, code) if code is not None and there else None

    def keep(self, key: Callable[[], str], manifest: Manifest) -> None:
        """Keep a manifest under its key."""
        self._write(key, to_bytes(manifest))

    def machine_code(self, text: str, build: Callable[[], bytes]) -> tuple[str, bytes]:
        """Return the digest of a program and its machine code, made by `build` if need be."""
        digest = digest_of(text)
        code = self._cache.read(self._code_name(digest)) if self.is_known else None
        if code is None:
            code = build()
            self._write(lambda: self._code_name(digest), code)
            self._cache.tidy()
        return digest, code

    def known_part(self, key: str) -> bytes | None:
        """Return the machine code of a part of a program, if the cache has it."""
        return self._cache.read(self._part_name(key)) if self.is_known else None

    def keep_part(self, key: str, code: bytes) -> None:
        """Keep the machine code of a part of a program: others, or later versions, may have it."""
        self._write(lambda: self._part_name(key), code)

    def _part_name(self, key: str) -> str:
        return f"{digest_of(self._fingerprint, key)}.part"

    def has_instance(self, name: str) -> bool:
        """Whether an instance of a library function need not be compiled."""
        return self._instances.has(name)

    def make_instances(
        self, names: Sequence[str], manifest: Manifest, text: str, build: Callable[[], bytes]
    ) -> None:
        """Begin to make instances of library functions, of a text for LLVM, in a thread."""
        # Inside a function: a warm start starts no thread.
        from scriptc.forks import compilations

        self._toolchain.llvm_version()  # LLVM may be loaded by one thread alone
        made: list[tuple[str, bytes] | Exception] = []

        def work() -> None:
            try:
                made.append(self.machine_code(text, build))
            except Exception as error:
                made.append(error)

        wait = compilations().beside(work)

        def finish() -> None:
            wait()
            (result,) = made
            if isinstance(result, Exception):
                raise result
            manifest.code, code = result
            self._instances.keep(names, manifest, code)
            self.keep(lambda: self._instances.key_of_object(manifest.code), manifest)

        self._instances.expect(names, finish)

    def _code_name(self, digest: str) -> str:
        return f"{digest_of(self._fingerprint, digest)}.o"

    def _write(self, name: Callable[[], str], content: bytes) -> None:
        """Write an entry of the cache, or leave it to `settle` where its name is not known yet."""
        with self._writing:
            if not self.is_known:
                if self._unwritten is not None:
                    self._unwritten.append((name, content))
                return
        self._cache.write(name(), content)

    def settle(self) -> None:
        """Begin to write what is left, in a thread: the caller has what it waited for.

        Reading the sources for their digest takes as long as LLVM for a small program.
        """
        if self._unwritten and self._wait_for_entries is None:
            # Inside a function: a warm start starts no thread.
            from scriptc.forks import compilations

            self._wait_for_entries = compilations().beside(self._write_entries)

    def settled(self) -> None:
        """Wait until all that was compiled is in the cache, for tests that look there."""
        self.settle()
        if self._wait_for_entries is not None:
            self._wait_for_entries()

    def _write_entries(self) -> None:
        try:
            self._learn()
        except OSError:
            # Sources that cannot be read have no digest: as with a folder that cannot be written,
            # nothing is kept.
            self._unwritten = None
            return
        with self._writing:
            left, self._unwritten = self._unwritten or [], []
        for name, content in left:
            self._cache.write(name(), content)

    def load(
        self,
        name: str,
        manifest: Manifest,
        code: bytes,
        dependencies: Dependencies,
    ) -> Specialisation:
        """Return a specialisation ready to run."""
        tables = self.tables(manifest)
        self._instances.settle(manifest.instances)
        states = self._declare_classes(manifest, dependencies)
        named = manifest.named_classes(dependencies.classes)
        names = [name] * len(manifest.parameters)
        objects = {**objects_of(states, named), **exceptions_of(dependencies)}
        functions: dict[str, Callable[..., object]] = {}  # of a generator that is given
        if manifest.generator:
            # Inside a function: most programs give no generators.
            from scriptc.classes.generators import generator_objects

            class_name, given = manifest.generator[:2]
            objects |= generator_objects(class_name, given, NativeAccess(self), functions)
        native, *others = load_functions(names, manifest, code, self.support, objects, tables)
        if manifest.generator:
            entries = [other.entry for other in others]
            functions |= zip(manifest.generator[2], entries, strict=True)
            others = []
        parameters = manifest.parameters[0]
        own = parameters[: len(parameters) - len(manifest.captures)]
        types = tuple(text for _, text, _ in own)
        self.settle()
        return Specialisation(
            types, manifest.captures, native.run, native, manifest.constants, manifest.pattern,
            others[0] if others else None, manifest.watched,
        )  # fmt: skip

    def tables(self, manifest: Manifest) -> Mapping[str, Sequence[int]] | None:
        """Return what code of a device finds kernels by; None for other code."""
        kernels = manifest.kernels
        return self._toolchain.device_tables(self, kernels) if kernels else None

    @property
    def unify_lists(self) -> UnifyLists:
        """What finds out which lists of an object are one."""
        return self._toolchain.unify_lists

    def unite(self, instance: object, types: Sequence[Type], *values: Any) -> None:
        """Have one block in an object for each list that others have, too."""
        counts = tuple(
            ctypes.PYFUNCTYPE(None, ctypes.c_size_t)(self.support[name])
            for name in ("sc_retain", "sc_release")
        )
        self._toolchain.unite_lists(get_handle(instance), types, *values, counts)

    @property
    def is_shared(self) -> Callable[[int], bool]:
        """What finds out whether several have a block."""
        return self._toolchain.is_shared

    def move_block(self, made: object, instance: object) -> None:
        """Give the block of an object to one that has none."""
        set_handle(instance, get_handle(made))
        set_handle(made, 0)
        self._toolchain.belong_to(get_handle(instance), id(instance))

    @property
    def support(self) -> SupportCode:
        """The support code: one for the process, as its counters and free blocks are those of all.

        Raises nothing that compiling it does not.
        """
        if not _SUPPORT:
            _, code = self.machine_code("support", self._support_object)
            loaded = elfload.load(code, symbols.resolve)
            # Of two threads at once, one wins.
            _SUPPORT.setdefault(
                "", SupportCode(loaded, self._part, threads_of_process(), guard_of_process())
            )
        return _SUPPORT[""]

    def prepare(self, text: str) -> None:
        """Start to compile what a program needs of the support code, beside the program itself.

        Earlier, a thread would take turns with the front end, and with a thread of OpenBLAS's that
        keeps a processor busy for 30 ms after the import of NumPy.
        """
        if _SUPPORT and not self._missing_parts(text):
            return
        # Inside a function: a warm start starts no thread.
        from scriptc.forks import compilations

        self._toolchain.llvm_version()  # LLVM may be loaded by one thread alone
        # Who compiles meanwhile puts another one in its place, which waits for this one first.
        before = self._wait_for_support
        self._wait_for_support = compilations().beside(partial(self._prepare, text, before))

    def _prepare(self, text: str, before: Callable[[], None]) -> None:
        before()
        # What fails here fails once more for who needs it, and is told.
        with suppress(Exception):
            self._parts.ask(self._missing_parts(text))
            # Where nothing is known the cache has no support code either.
            if not (self.is_known or _SUPPORT or self._compiled_support):
                self._compiled_support = self._toolchain.support_object()
            self._parts.work(self._loaded_parts)

    def _missing_parts(self, text: str) -> set[str]:
        return self._toolchain.parts_for_program(text) - self._loaded_parts()

    def _loaded_parts(self) -> AbstractSet[str]:
        return _SUPPORT[""].parts if _SUPPORT else frozenset()

    def _part(self, name: str) -> bytes:
        """Return a part of the support code that not every function needs."""
        self._finish_support()
        return self._parts.part(name)

    def _compiled_part(self, name: str) -> bytes:
        return self.machine_code(f"part {name}", lambda: self._toolchain.part_object(name))[1]

    def _finish_support(self) -> None:
        """Wait for the other thread, and take some of its parts meanwhile."""
        self._parts.work(self._loaded_parts)
        self._wait_for_support()

    def _support_object(self) -> bytes:
        self._finish_support()
        return self._compiled_support or self._toolchain.support_object()

    def accessors(self, state: ClassState) -> Sequence[NativeFunction]:
        """Return a reader and a writer for each field of a class, in order."""
        live = state.live.__qualname__
        return self._of_class(state, [f"{live}.{f.name}" for f in state.fields for _ in range(2)])

    def maker(self, state: ClassState) -> NativeFunction:
        """Return what makes an object of the values of its fields."""
        (made,) = self._of_class(state, [state.live.__qualname__], makes=True)
        return made

    def _of_class(
        self, state: ClassState, names: Sequence[str], *, makes: bool = False
    ) -> Sequence[NativeFunction]:
        # Those of others say whether objects can be in a ring.
        fields = [
            f"{of.live.__qualname__}.{field.name}: {field.type}"
            for of in (state, *state.reached)
            for field in of.fields
        ]
        held = [field.type for of in (state, *state.reached) for field in of.fields]
        kind = "maker" if makes else "class"
        key = self.key(kind, find_dependencies((state.live,)).digest, *fields)
        found = self.read(key) or self._toolchain.compile_accessors(self, key, state, makes)
        named = (*state.named, *classes_held(held))
        return load_functions(names, *found, self.support, objects_of(state.reached, named))

    def _declare_classes(
        self, manifest: Manifest, dependencies: Dependencies
    ) -> Sequence[ClassState]:
        if not manifest.classes:
            return ()
        # Inside a function: most programs have no scripted classes.
        from scriptc.classes.declaring import Declared, declare_all

        states: list[ClassState] = []
        for number, _ in manifest.classes:
            state = state_of(dependencies.classes[number])
            assert state is not None  # the compiler took it for one
            states.append(state)
        declared: list[Declared] = []
        for state, (_, fields) in zip(states, manifest.classes, strict=True):
            types = read_types([text for _, text, _, _ in fields])
            named = [Parameter(f[0], t) for f, t in zip(fields, types, strict=True)]
            opened = {n: read_types([known])[0] for n, _, known, _ in fields if known}
            late = frozenset(n for n, _, _, is_late in fields if is_late)
            declared.append(Declared(state, tuple(named), opened, late))
        named = manifest.named_classes(dependencies.classes)
        for state in states:  # objects that get wider types are read and written with these
            state.named = list(dict.fromkeys((*state.named, *named)))
        declare_all(declared, NativeAccess(self), states)
        return states


class NativeAccess(Access):
    """Fields in counted blocks; code that reads and writes them is found when it is needed."""

    def __init__(self, store: Store) -> None:
        _EVERY.add(self)
        self._store = store
        # By the class, and the classes that inherit by now from those that its fields are of.
        self._found: dict[tuple[type, *tuple[object, ...]], Sequence[NativeFunction]] = {}
        self._makers: dict[tuple[type, *tuple[object, ...]], NativeFunction] = {}
        self._of_nothing: ClassState | None = None  # a class without fields

    def read(self, field: Parameter, instance: object) -> object:
        """Return what Python sees of a field."""
        return self._accessor(field, instance, 0).run((instance,))

    def read_all(
        self, fields: Sequence[Parameter], instance: object, known: dict[int, object]
    ) -> list[object]:
        """Return the values of all fields, one list for each that there is."""
        values = [self.read(field, instance) for field in fields]
        types = [field.type for field in fields]
        if not any(map(holds_list, types)):
            return values
        return self._store.unify_lists(get_handle(instance), types, values, known)

    def write(self, field: Parameter, instance: object, value: object) -> None:
        """Store a value that fits the field's type."""
        self._accessor(field, instance, 1).run((instance, value))

    def make(self, fields: Sequence[Parameter], instance: object, values: Sequence[object]) -> None:
        """Give an object that has no fields yet those of its class, with values that fit."""
        live = type(instance)
        state = state_of(live)
        assert state is not None  # it has these fields
        key = _key_of(state)
        if key not in self._makers:
            self._makers[key] = self._store.maker(state)
        self._store.move_block(self._makers[key].run(values), instance)

    def is_shared(self, place: int) -> bool:
        """Whether something else has a container as well: its block has another count."""
        return self._store.is_shared(place)

    def stand_in(self, instance: object) -> object:
        """Return an object for the place of one that has no fields yet: nobody may look at it."""
        if self._of_nothing is None:
            self._of_nothing = make_loaded_class("object")
            self.adopt(self._of_nothing.live)
        holder: object = object.__new__(type(instance))
        self._store.move_block(self._store.maker(self._of_nothing).run(()), holder)
        return holder

    def part(self, instance: object) -> object:
        """Take the fields of an object, and return what holds them from now on."""
        holder: object = object.__new__(type(instance))
        self._store.move_block(instance, holder)
        return holder

    def join(self, holder: object, instance: object) -> None:
        """Give an object without fields those that were taken of it."""
        self._store.move_block(holder, instance)

    def renew(self, state: ClassState) -> None:
        """Read and write the fields of a class by the types that they have by now.

        With these, objects of other classes may be in rings that were in none.
        """
        for access in list(_EVERY):
            access._found, access._makers = {}, {}

    def unite(
        self,
        fields: Sequence[Parameter],
        instance: object,
        values: Sequence[object],
        seen: dict[int, Any],
    ) -> None:
        """Have what is one list in the values of several objects be one in these."""
        types = [field.type for field in fields]
        if any(map(holds_list, types)):
            self._store.unite(instance, types, values, seen)

    def adopt(self, live: type) -> None:
        """See to it that the objects of a class give up their handles at their end."""
        set_dealloc(live, self._store.support["sc.free_instance"])

    def _accessor(self, field: Parameter, instance: object, kind: int) -> NativeFunction:
        live = type(instance)
        state = state_of(live)
        assert state is not None  # it has this field
        key = _key_of(state)
        if key not in self._found:
            self._found[key] = self._store.accessors(state)
        return self._found[key][2 * state.fields.index(field) + kind]


_EVERY: WeakSet[NativeAccess] = WeakSet()


def _key_of(state: ClassState) -> tuple[type, *tuple[object, ...]]:
    return state.live, *[other.heirs[HEIRS] for other in state.others]


def fields_from_calls(dependencies: Dependencies) -> Iterator[str]:
    """Yield the fields, with their types, that the text of their class does not determine."""
    for number, cls in enumerate(dependencies.classes):
        state = state_of(cls)
        if state is not None and state.may_change:
            yield from (f"{number} {name}: {type_}" for name, type_ in state.known.items())


def objects_of(states: Sequence[ClassState], named: Sequence[type] = ()) -> dict[str, object]:
    """Return what machine code refers to by name."""
    found: dict[str, object] = {f"class {state.live.__name__}": state.live for state in states}
    if named:
        # Inside a function: most programs have no enumerations and no named tuples.
        from scriptc_runtime import named_classes

        for cls in named:
            found |= named_classes.objects_of(cls)
    return found


def exceptions_of(dependencies: Dependencies) -> dict[str, object]:
    """Return the classes of exceptions that machine code refers to by name."""
    classes = dependencies.classes
    return {f"class {c.__name__}": c for c in classes if issubclass(c, BaseException)}


_SUPPORT: dict[str, SupportCode] = {}
