"""What `@script` makes: functions compiled for the kinds of arguments they are called with.

The first call with arguments of a new kind finds a specialisation: in the cache on disk, or by
compiling one. Compiled by LLVM it is put in front of the object, and CPython calls it directly.
"""

import gc
import inspect
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import product
from types import FunctionType, ModuleType
from typing import Any, Generic, NoReturn, ParamSpec, TypeVar, cast

from scriptc.backends.llvm.loading.callable import (
    CallableBody,
    Word,
    binds_in_order,
    make_callable_type,
    set_word,
)
from scriptc.backends.llvm.loading.guards import GUARDED_WORDS
from scriptc.cache.dependencies import Dependencies, find_dependencies
from scriptc.cache.guards import giving_back
from scriptc.cache.loader import publish
from scriptc.cache.manifest import KernelTexts, Manifest, read_types
from scriptc.cache.request import (
    ExplicitType,
    Record,
    Request,
    Run,
    Specialisation,
    are_many,
    fitting,
    standing_alone,
)
from scriptc.cache.store import Store, Toolchain
from scriptc.classes.making import make_class
from scriptc.classes.scripted_class import ClassState, Pickling, calls_anew
from scriptc.compiling import call_all_old, compiling, shown, without_forks
from scriptc.function_types import Explanation, Signature
from scriptc.options import Options, emulated_device, for_device
from scriptc.values.kinds import (
    PLAIN,
    decided,
    for_layouts,
    is_on_device,
    is_static,
    key_of,
    keys_of_type,
    lie_plainly,
    live_in,
    without_static,
)
from scriptc.values.size_patterns import Sizes, fits, sizes_of
from scriptc_runtime.bits import same_bits
from scriptc_runtime.errors import ScriptError
from scriptc_runtime.records import fields_opened
from scriptc_runtime.tracebacks import ForUsers

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

# Refusals of arguments that a script may take where it calls the function itself.
_CALLED_ANEW = ("list-parameter", "empty-list", "variadic", "value", "class-base")
_FUNCTIONS_KEPT = 64  # that were given to a scripted function


class ScriptFunction(CallableBody, Generic[P, R]):
    """A function that is compiled for the kinds of arguments it is called with."""

    def __init__(
        self,
        function: Callable[P, R],
        options: Options,
        owner: type | None = None,
        constructs: bool = False,
        capturing: "dict[Hashable, list[Specialisation]] | None" = None,
    ) -> None:
        super().__init__(function, function)  # the slow path is `__call__`
        self.python = function
        self._options = options
        self._owner = owner
        self._constructs = constructs
        # Of arguments of one kind there may be several: each serves some patterns of sizes.
        self._records: dict[tuple[Hashable, ...], Sequence[Record]] = {}
        self._older: dict[Hashable, list[Specialisation]] = {}
        # Those that take captured arrays may serve others of one text: CPython calls none of these.
        self._capturing = self._older if capturing is None else capturing
        self._refused: dict[Hashable, Any] = {}  # see `specialise.refusals`
        self._deciding: tuple[int, ...] = ()  # places of arguments that types depend on, in order
        self._kept: object = None  # what machine code refers to
        self._told: Any = None  # who is told what calls on a device cost
        self._published = 0  # records for arrays of a device when CPython was last told of them

    # Narrower than the base promises: that one stands for functions of any parameters.
    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Call the function, compiling it first where that has not been done."""
        with ForUsers():
            try:
                return cast(R, self._call(*args, **kwargs))
            except ScriptError as refusal:
                if self._owner and getattr(refusal, "declines", False):
                    return cast(R, NotImplemented)  # Python asks the other operand
                raise

    def __reduce__(self) -> str | tuple[object, ...]:
        """Pickle by name, as functions do, or by value where another process has no such name."""
        # Inside a function: most programs pickle nothing.
        from scriptc.saved.pickles import definitions

        live = cast("ScriptFunction[..., Any]", self)
        return definitions.reduce_function(live, self._options, self._owner)

    def __copy__(self) -> "ScriptFunction[P, R]":
        return self

    def __deepcopy__(self, memo: object) -> "ScriptFunction[P, R]":
        return self

    def compile(self, *types: object) -> None:
        """Compile for arguments of these types: annotations, or examples of values.

        Without types, for those of the function's own annotations. What they say of sizes counts
        as the sizes of a call do: `f64[N], f64[N]` are arrays of equal sizes. Arrays are taken to
        lie in C order and to share no memory.
        """
        with ForUsers(), without_forks():
            self._compile(types)

    def _compile(self, types: Sequence[object]) -> None:
        # Inside a function: a warm start loads no compiler.
        from scriptc.specialise.arguments import choices_of
        from scriptc.specialise.patterned_types import explicit_sizes

        explicit = cast("Sequence[ExplicitType]", self._explicit(types).arguments)
        for chosen in product(*map(choices_of, explicit)):
            request = self._request(chosen, explicit_sizes(chosen))
            found: Specialisation | None = None
            for kinds in product(*(keys_of_type(a.type, a.classes) for a in chosen)):
                key = (*kinds, *self._layout(chosen))
                dependencies = self._dependencies(tuple(live_in(key)))
                if found is None:
                    found = self._specialise(request, key, dependencies)
                else:
                    self._older.setdefault(dependencies.name_for(key), []).append(found)

    def sig(self, *types: object) -> Signature:
        """Return the function with explicit types of its parameters, for `scriptc.save`."""
        return Signature(self, types)

    def dump(self, stage: str = "ir", *types: object) -> str:
        """Return what a stage of the compiler makes of the function.

        The types of parameters are given, or annotated, or those of the calls so far where these
        had one type each.
        """
        with ForUsers(), without_forks():
            # Inside a function: the writers of stages are the command line's.
            from scriptc.inspection import dump
            from scriptc.specialise.specialise import root_of

            request = self._explicit(types or self._called_with())
            return dump.live_stage(root_of(request), stage)

    def explain(self, *types: object) -> Explanation:
        """Return what became of each line of the function, as the passes of the compiler say it.

        It prints as text, a notebook shows it as HTML, and its `html` is a page. Types are given as
        for `dump`, or as for `compile`.
        """
        with ForUsers(), without_forks():
            # Inside a function: few programs ask, and a warm start loads no compiler.
            from scriptc.inspection.explain import explain

            return explain(self._explicit(types or self._called_with()))

    def _called_with(self) -> Sequence[object]:
        """Return the types of all calls so far, where annotations leave some open."""
        # Inside a function: a warm start loads no compiler.
        from scriptc.specialise.arguments import says_all_types

        seen = self._seen_types()
        if len(seen) != 1 or says_all_types(self._request(())):
            return ()
        return seen[0]

    def _explicit(self, types: Sequence[object]) -> Request:
        """Return a request for explicit types, or for those of the annotations."""
        # Inside a function: a warm start loads no compiler.
        from scriptc.specialise.arguments import explicit_arguments

        return self._request(explicit_arguments(self._request(()), types))

    @property
    def seen(self) -> Sequence[tuple[str, ...]]:
        """The types of parameters that the function was compiled for in this process."""
        return [tuple(map(str, types)) for types in self._seen_types()]

    def _seen_types(self) -> Sequence[Sequence[object]]:
        both = (*self._older.values(), *self._capturing.values())
        every = dict.fromkeys(found.types for known in both for found in known)
        return [read_types(types) for types in every]

    def _request(
        self, arguments: Sequence[object], sizes: Sizes | None = None, any_values: bool = False
    ) -> Request:
        """Return what the compiler is asked for arguments, or explicit types in their place."""
        function = cast(FunctionType, self.python)
        # Fields have no sizes, so an object's arrays would not know theirs.
        known = None if self._constructs or self._options.backend != "llvm" else sizes
        by = self._owner, self._constructs
        return Request(function, arguments, self._options, *by, known, any_values=any_values)

    @cached_property
    def _own_parameters(self) -> Sequence[inspect.Parameter]:
        """The parameters that a caller gives."""
        signature = inspect.signature(self.python, follow_wrapped=False)
        every = list(signature.parameters.values())
        return every[1:] if self._constructs else every

    @cached_property
    def _takes_positions(self) -> bool:
        return binds_in_order(self._own_parameters)

    def _call(self, /, *args: object, **kwargs: object) -> object:
        if self._owner is not None and isinstance(args[2:3] and args[2], BaseException):
            # Inside a function: few objects are left by an exception.
            from scriptc.exits import is_exit, left_by

            if is_exit(self, args):
                return left_by(self, make_scripted, self._options, args)
        values = fields_opened(self._bound(args, kwargs))
        held = sys.modules.get("scriptc.classes.held_containers")
        is_held = held is not None and any(map(held.is_held, values))
        return held.called_with(self._run, values) if held and is_held else self._run(values)

    def _run(self, values: Sequence[object]) -> object:
        anew = calls_anew()
        try:
            in_step = anew if anew is not None and anew.concerns(self, values) else None
            return in_step.in_step(self, values) if in_step else self._run_alone(values)
        except ScriptError as refusal:
            is_anew = refusal.diagnostics[0].code in _CALLED_ANEW
            if not (is_anew or self.python.__code__.co_flags & inspect.CO_VARKEYWORDS):
                raise  # of `**options` something else may be refused first, a field
            # Inside a function: few arguments are such that a script has to call the function.
            from scriptc.calls_anew import call_anew

            return call_anew(self, values, refusal)

    def _run_alone(self, values: Sequence[object]) -> object:
        if self._options.backend == "cuda" or any(map(is_on_device, values)):
            # Inside a function: only those who ask for CUDA pay for it.
            from scriptc.backends.cuda.calls import Caller, DeviceCall
            from scriptc.backends.cuda.driver import open_driver

            self._told, device = self._told or Caller(self.__qualname__), self._on_device
            driver = open_driver(self._options.cache_dir, emulated_device())
            with DeviceCall(values, driver) as call:
                found = device._found(call.values)
                self._publish_on_device()
                return call.run(*found, self._support, self._told)
        run, given = self._found(values)
        return run(given)

    @cached_property
    def _on_device(self) -> "ScriptFunction[P, R]":
        """The same function for arrays on a CUDA device.  Raises ValueError: another was named."""
        if self._options.backend == "cuda":
            return self
        return ScriptFunction(self.python, for_device(self._options), self._owner)

    def _found(self, values: Sequence[object]) -> tuple[Run, Sequence[object]]:
        """Return what runs a call, and what it is to be given."""
        key = self._key(values, self._deciding)
        record = fitting(self._records.get(key, ()), values)
        if record is None or not record.holds:
            record = self._find(key, values)
        captured = [guard.current for guard in record.captures]
        if record.has_static:
            values = without_static(values)
        return giving_back(record.specialisation.run, record.captures), [*values, *captured]

    def _key(self, values: Sequence[object], deciding: Sequence[int]) -> tuple[Hashable, ...]:
        """Return what tells calls apart.

        That is kinds, the values in places that types depend on, and whether arrays lie plainly.
        """
        kinds = tuple(map(key_of, values))
        return (*kinds, *decided(values, deciding), *self._layout(values))

    def _layout(self, values: Sequence[object]) -> tuple[Hashable, ...]:
        """Return what a key says of the layout of arrays, which machine code alone depends on."""
        return (PLAIN,) if self._options.backend == "llvm" and lie_plainly(values) else ()

    def _bound(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> Sequence[object]:
        """Return the value of every parameter, in order.  Raises TypeError as Python does."""
        own = self._own_parameters
        if not kwargs and self._takes_positions and len(args) == len(own):
            return args
        try:
            bound = inspect.Signature(own).bind(*args, **kwargs)
        except TypeError:
            # Inside a function: few calls do not fit.
            from scriptc.call_errors import call_error

            raise call_error(self.__qualname__, own, args, kwargs, self._constructs) from None
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def _find(self, key: tuple[Hashable, ...] | None, values: Sequence[object]) -> Record:
        """Return what takes arguments of this kind now, compiled if need be."""
        key = key or self._key(values, self._deciding)
        dependencies = self._dependencies(tuple(live_in(key)))
        sizes = sizes_of(values)
        known = self._known(dependencies.name_for(key))
        found = next((s for s in known if fits(s.pattern, sizes)), None)
        if found is None:
            kinds = key[: len(values)]
            every = (r for k, rs in self._records.items() if k[: len(values)] == kinds for r in rs)
            any_values = are_many(r.specialisation for r in every if r.holds)
            request = self._request(values, sizes, any_values)
            try:
                found = self._specialise(request, key, dependencies)
            except ScriptError as refusal:
                return self._of_empty(values, refusal)
            dependencies = dependencies.with_layouts()  # which the code may have changed
        if found.constants:
            # Another thread may be here, too: the key has all places that decided on this one.
            places = tuple(sorted({*self._deciding, *(p for p, _ in found.constants)}))
            self._deciding, key = places, self._key(values, places)
            if not all(same_bits(values[place], value) for place, value in found.constants):
                return self._find(key, values)  # the cache had it for other values
        # Arrays may be bound anew, so they are looked up where they were found.
        captures = tuple(dependencies.guards[number] for number in found.captures)
        record = Record(found, dependencies, captures, any(map(is_static, values)))
        self._records[key] = [*(r for r in self._records.get(key, ()) if r.holds), record]
        if record.has_static:
            self._forget_functions()
        elif found.native is not None and self._options.backend == "llvm":
            self._publish()
        return record

    def _of_empty(self, values: Sequence[object], refusal: ScriptError) -> Record:
        """Return what takes arguments that hold nothing, where that is all that was refused."""
        # Inside a function: few calls are given what is empty.
        from scriptc.specialise.empty_arguments import covers, first_found, is_for_items

        if not is_for_items(refusal):
            raise refusal
        key, record = self._key(values, self._deciding), None
        for other, records in [*self._records.items()]:
            live = [r for r in records if r.holds]
            record = record or (fitting(live, values) if covers(other, key) else None)
        if record is None and self._constructs:
            raise refusal  # the first object of a class says what its fields hold in all of them
        if record is None:
            request, functions = self._request(values), self._dependencies(()).functions
            record = first_found(partial(self._find, None), request, functions, refusal)
        key = self._key(values, self._deciding)
        others = [r for r in self._records.get(key, ()) if r.holds and r is not record]
        self._records[key] = [*others, record]
        return record

    def _forget_functions(self) -> None:
        """Keep few of the functions that were given: one that is made for a call comes once."""
        given = [key for key, records in self._records.items() if records[0].has_static]
        for key in given[:-_FUNCTIONS_KEPT]:
            self._records.pop(key, None)  # another thread may have been here first

    def _publish_on_device(self) -> None:
        """Let CPython call machine code itself with arrays of CuPy's, once there are any."""
        count = len(self._on_device._records)
        if self._published == count or "cupy" not in sys.modules:
            return
        # Inside a function: only those who have arrays of CuPy's pay for it.
        from scriptc.specialise.cupy_arrays import connect_cupy

        if connect_cupy(self._options.cache_dir, self._support):
            self._publish()
        self._published = count

    def _publish(self) -> None:
        """Let CPython call machine code itself, where nothing has to be looked up for it."""
        own = [] if self._options.backend == "cuda" else standing_alone(self._records)
        device = self.__dict__.get("_on_device", self if self._options.backend == "cuda" else None)
        theirs = [] if device is None else standing_alone(device._records)
        natives = [r.specialisation.native for r in own if r.specialisation.native is not None]
        natives += [r.specialisation.for_cupy for r in theirs if r.specialisation.for_cupy]
        every = [g for r in (*own, *theirs) for g in r.dependencies.guards]
        # What changes is read by none of these.
        guards = {(id(g.place), g.name): g for g in every if g.is_in_table}
        if natives:
            each, rows = list(dict.fromkeys(natives)), [guard.row for guard in guards.values()]
            self._kept = publish(self, each, rows, self._own_parameters, self._support)

    def _publish_anew(self) -> None:
        """Let CPython call no code that was made for objects as they were."""
        if not all(r.holds for known in self._records.values() for r in known):
            set_word(self, Word.VECTORCALL, 0)
            self._publish()

    @property
    def _support(self) -> Mapping[str, int]:
        return store_of(self._options.cache_dir).support

    def _dependencies(self, live: tuple[FunctionType | type, ...]) -> Dependencies:
        owner = () if self._owner is None else (self._owner,)
        return find_dependencies((cast(FunctionType, self.python), *owner), given=live)

    def _specialise(
        self, request: Request, key: Hashable, dependencies: Dependencies
    ) -> Specialisation:
        """Return the code for arguments of a kind: from the cache, or compiled.

        Python's collector of cycles is paused: it would walk over all that a compiler has loaded
        and is making, 12 ms each time, and free none of it.
        """
        paused = gc.isenabled()
        gc.disable()
        try:
            return self._found_or_compiled(request, key, dependencies)
        finally:
            if paused:
                call_all_old()
                gc.enable()

    def _known(self, name: Hashable) -> Sequence[Specialisation]:
        """Return what was made for arguments of one kind, each for some patterns of sizes."""
        if self._capturing is self._older:
            return self._older.get(name, ())
        return (*self._older.get(name, ()), *self._capturing.get(name, ()))

    def _found_or_compiled(
        self, request: Request, key: Hashable, dependencies: Dependencies
    ) -> Specialisation:
        served: Sequence[Hashable] = (key,)
        found: Specialisation | None = None
        store: Store | None = None
        name: Callable[[], str] | None = None
        if self._options.backend == "cuda":
            store = store_of(self._options.cache_dir)
            found, name = store.find(request, key, dependencies)
        elif self._options.backend == "llvm":
            store = store_of(self._options.cache_dir)
            layouts = for_layouts(key)
            known = {s for k in layouts for s in self._known(dependencies.name_for(k))}
            found, name = store.find(request, key, dependencies, len(known))
            if found is None and name is None:
                request, served = request.for_all_calls, layouts
                found, name = store.find(request, layouts[0], dependencies)
        if found is None or (request.any_values and found.constants):
            found = _specialised(self._refused, request, key, dependencies, store, name or str)
        made = self._capturing if found.captures else self._older
        for kinds in served:
            made.setdefault(dependencies.name_for(kinds), []).append(found)
        return found


def _specialised(
    refused: Any, request: Request, key: Hashable, dependencies: Dependencies, *at: Any
) -> Specialisation:
    # Inside a function: a warm start loads no compiler.
    from scriptc.timeline import stage

    with compiling(), shown(request.name, request.options):
        # No fork may come meanwhile: a child could import nothing that was being imported.
        with stage("load compiler"):
            from scriptc.specialise.refusals import unless_refused
            from scriptc.specialise.specialise import specialise

        make = partial(specialise, request, dependencies, *at)
        return unless_refused(refused, request, key, dependencies, make)


@cache
def store_of(folder: str) -> Store:
    """Return the cache of a folder, for this process."""
    toolchain = Toolchain(
        lambda: _support_code().llvm_version(),
        lambda: _support_code().support_object(),
        lambda name: _support_code().part_object(name),
        lambda names: _support_code().parts_for(names),
        lambda text: _support_code().parts_for_program(text),
        _compile_accessors,
        lambda handle, types, values, known: _blocks().unify_lists(handle, types, values, known),
        lambda *united: _blocks().unite_lists(*united),
        lambda block: _blocks().is_shared(block),
        lambda handle, instance: _blocks().belong_to(handle, instance),
        lambda store, kernels: _device_tables(store, folder, kernels),
    )
    return Store(folder, toolchain)


_Callable = make_callable_type("ScriptFunction", ScriptFunction, GUARDED_WORDS)


def _not_there(function: object, name: str) -> NoReturn:
    """Answer who asks for an attribute of a scripted function that it does not have."""
    if name.startswith("_"):  # Python itself, or scriptc
        raise AttributeError(name, name=name, obj=function)
    # Inside a function: few ask for what is not there.
    from scriptc.misuse import no_attribute

    raise no_attribute(function, name)


# Type checkers, which know what there is, would take any name for one.
setattr(_Callable, "__getattr__", _not_there)  # noqa: B010


def make_scripted(
    options: Options, target: object, capturing: dict[Hashable, list[Specialisation]] | None = None
) -> object:
    """Return what `script` makes of a function or class.

    `capturing` has specialisations of functions of the same text that take captured arrays.
    """
    if isinstance(target, ScriptFunction):
        target = cast("ScriptFunction[..., object]", target).python
    if not isinstance(target, type | FunctionType):
        # Inside a function: few give it what it does not take.
        from scriptc.misuse import not_a_target

        raise not_a_target(target)
    if options.disable:
        # So that code written with `f.python` runs, too.
        setattr(target, "python", target)  # noqa: B010 -- no attribute that type checkers know
        return target
    if isinstance(target, type):
        from scriptc_runtime.named_classes import kind_of  # most programs have no scripted classes

        if kind_of(target) is not None:
            return target  # an enumeration, or a class of named tuples, is what it was
        return make_class(target, partial(_method, options), _PICKLING, options)
    return _Callable(target, options, capturing=capturing)


def _objects() -> ModuleType:
    # Inside a function: most programs pickle no objects.
    from scriptc.saved.pickles import objects

    return objects


def _take_value(state: ClassState, name: str, value: object) -> bool:
    # Inside a function: few fields are given what they do not hold.
    from scriptc.specialise.field_values import take_value

    return take_value(state, name, value)


def _of_objects(name: str) -> Callable[..., Any]:
    return lambda *given: getattr(_objects(), name)(*given)


_PICKLING = Pickling(
    *(_of_objects("reduce_object"), _of_objects("complete_object"), _of_objects("copy_object")),
    _take_value,
)


def _method(
    options: Options, function: FunctionType, owner: type | None, constructs: bool
) -> Callable[..., object]:
    return _Callable(function, options, owner, constructs)


def _compile_accessors(
    store: Store, key: str, state: ClassState, makes: bool
) -> tuple[Manifest, bytes]:
    with compiling():
        # Inside a function: most programs have no scripted classes.
        from scriptc.specialise.machine_code import compile_accessors

        return compile_accessors(store, key, state, makes=makes)


def _blocks() -> ModuleType:
    # Inside a function: most programs have no scripted classes.
    from scriptc.backends.llvm.entry import blocks

    return blocks


def _device_tables(store: Store, folder: str, kernels: KernelTexts) -> Mapping[str, Sequence[int]]:
    # Inside a function: only those who ask for CUDA pay for it.
    from scriptc.specialise.device_tables import device_tables

    return device_tables(store, folder, kernels)


def _support_code() -> ModuleType:
    # Inside a function: a warm start loads no compiler.
    from scriptc.cache import support_code

    return support_code
