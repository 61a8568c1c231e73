"""The whole pipeline, in order; what `api` asks for when the cache has nothing.

    source --check_program--> typed trees --lower_program--> core IR         `to_core`
    core IR --CLEAN--> core IR --FIRST, ...--> low IR                        `to_core`, `to_low`
    core IR --> interpreter, low IR --emit, LLVM--> machine code             `specialise`

The IR is verified after every pass that changes it, unless the options say no.
"""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import combinations

import numpy as np

from scriptc.analysis.effects import ModuleEffects
from scriptc.backends.llvm import backend, machine
from scriptc.backends.llvm.entry.entry import EntrySpec, ParameterSpec
from scriptc.backends.llvm.loading.sites import Site
from scriptc.cache.dependencies import Dependencies
from scriptc.cache.freshness import refuse_edited
from scriptc.cache.manifest import Manifest, ParameterText, SiteText, source_texts
from scriptc.cache.request import ExplicitType, Request, Run, Specialisation
from scriptc.cache.store import Store
from scriptc.check.checked import CheckedFunction, CheckedProgram
from scriptc.check.declared_types import declared_for
from scriptc.check.library.standard import is_library_file
from scriptc.check.program import Root, check_program
from scriptc.classes.instances import get_handle, set_handle
from scriptc.classes.scripted_class import ClassState, class_names, classes_of_fields, state_of
from scriptc.faults import Stage
from scriptc.inspection.timeline import PASS, made, stage, watcher
from scriptc.kernels.checked_reads import open_checked_reads
from scriptc.kernels.loops.fallback import not_fallback
from scriptc.kernels.loops.hoist_checked import hoist_checked
from scriptc.kernels.loops.inspect_ahead import inspect_ahead
from scriptc.kernels.loops.split_index_set import split_index_set
from scriptc.kernels.loops.version_bounds import version_bounds_apart
from scriptc.kernels.loops.version_overflow import version_overflow
from scriptc.kernels.loops.while_to_for import while_to_for
from scriptc.kernels.scalar_replacement import scalar_replacement
from scriptc.lower.program import lower_program
from scriptc.options import Options
from scriptc.passes import decompose as decomposition
from scriptc.passes.given import MOST_PAIRS, give
from scriptc.passes.inline import inline
from scriptc.passes.ownership import ownership
from scriptc.passes.pipeline import CLEAN, Pass
from scriptc.passes.plain import is_plain
from scriptc.passes.reach import reach, reach_library
from scriptc.passes.sizes import sizes
from scriptc.passes.unchecked import unchecked
from scriptc.specialise.parameter_types import (
    classes_given,
    declared_types,
    explicit_type,
    parameters_of,
)
from scriptc.specialise.patterned_types import SizePattern, axes_of_several, for_sizes
from scriptc.specialise.patterned_types import explicit_sizes as sizes_of_types
from scriptc.standard_library import StandardLibrary
from scriptc.values.adapt import adapt
from scriptc.values.kinds import Parameter, is_static, lie_plainly, plain_constant, without_static
from scriptc.values.size_patterns import ANY, Sizes
from scriptc_runtime.call_graph import callees
from scriptc_runtime.errors import Diagnostic, InternalError, Span, TypeCheckError
from scriptc_runtime.ir import ClassDecl, Function, Given, Module, Value, walk
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import FLOAT, NONE, ClassType, OptionalType, TensorType, Type, ir_text
from scriptc_runtime.verify.module import Known, verify


def decompose(module: Module) -> Module:
    """Open library ops with bodies of their own compilation."""
    return decomposition.decompose(module, StandardLibrary())


FIRST: Sequence[Pass] = (decompose, inline, scalar_replacement, reach_library, *CLEAN)
# What follows for a plain module; `kernels/pipeline.py` has what follows for others, and gives the
# same for a plain one.
PLAIN: Sequence[Pass] = (
    split_index_set, unchecked, while_to_for, version_bounds_apart,
    *map(not_fallback, (unchecked, hoist_checked, inspect_ahead, version_overflow)),
    open_checked_reads, *CLEAN, ownership,
)  # fmt: skip


@record
class Core:
    """Core IR, and the typed trees it came from."""

    program: CheckedProgram
    module: Module

    @property
    def root(self) -> CheckedFunction:
        """The function that was asked for."""
        return self.program.functions[self.program.roots[0]]


def check_and_lower(roots: Sequence[Root]) -> Core:
    """Check and lower functions with all they reach.  Raises ScriptError."""
    on = roots[0].function if roots else None  # a class without methods has fields alone
    with Stage("check", on):
        program = check_program(roots, fields_of)
    with Stage("lower", on):
        module = lower_program(program)
        _tell_ops(module)
    return Core(program, module)


def fields_of(live: type) -> tuple[Mapping[str, Type], Sequence[type]]:
    """Return what is known of the fields of a class from the objects that were made of it.

    That is their types, and the classes they are of.
    """
    state = state_of(live)
    known = {field.name: field.type for field in state.fields} if state else {}
    return known, classes_of_fields(live)


def to_core(roots: Sequence[Root], options: Options) -> Core:
    """Check, lower and optimise functions with all they reach.  Raises ScriptError."""
    return _optimised(_inlined(roots, options), options)


def _inlined(roots: Sequence[Root], options: Options) -> Core:
    lowered = check_and_lower(roots)
    program, module = lowered.program, lowered.module

    def reached(module: Module) -> Module:
        # What was inlined everywhere is not worth the work of the other passes.
        return reach(module, [program.functions[root].name for root in program.roots])

    return Core(program, _run((inline, reached), module, Level.CORE, options))


def _optimised(core: Core, options: Options) -> Core:
    return Core(core.program, _run((sizes, *CLEAN), core.module, Level.CORE, options))


def to_low(
    module: Module, options: Options, check: Callable[[Module], None] | None = None
) -> Module:
    """Return low IR, as the LLVM and CUDA backends take it.

    `check` may refuse what a pass makes.
    """
    opened = _run(FIRST, module, Level.LOW, options, check)
    if is_plain(opened):
        return _run(PLAIN, opened, Level.LOW, options, check)
    # Inside a function: plain modules need a few passes alone.
    from scriptc.kernels.pipeline import TO_LOW

    return _run(TO_LOW, opened, Level.LOW, options, check)


def _run(
    passes: Sequence[Pass],
    module: Module,
    level: Level,
    options: Options,
    check: Callable[[Module], None] | None = None,
) -> Module:
    """Run passes over a module, and verify what they end with.

    Where that fails, or a pass does, they run again and each is verified, so that the one whose
    fault it is gets the blame.
    """
    if not options.verify or options.verify_passes:
        return _run_each(passes, module, level, check, verified=options.verify)
    try:
        found = _run_each(passes, module, level, check)
        with Stage("verify", found):
            verify(found, level=level)
    except InternalError:
        _run_each(passes, module, level, check, verified=True)
        raise
    return found


def _run_each(
    passes: Sequence[Pass],
    module: Module,
    level: Level,
    check: Callable[[Module], None] | None,
    *,
    verified: bool = False,
) -> Module:
    known = Known()
    if verified:
        with Stage("verify", module):
            verify(module, level=level, known=known)
    for run in passes:
        before = module
        with Stage(PASS + run.__name__, module):
            module = run(module)
            _tell_ops(module)
            if check:
                check(module)
            if verified and not _is_same(before, module):
                with stage("verify"):
                    verify(module, level=level, known=known)
    return module


def _tell_ops(module: Module) -> None:
    if watcher():
        made(ops=sum(1 for f in module.functions.values() for _ in walk(f.body)))


def _is_same(before: Module, module: Module) -> bool:
    """Whether a pass has left everything as it was: a third of all runs of passes."""
    old, new = before.functions, module.functions
    same_names = before.classes is module.classes and list(old) == list(new)
    return same_names and all(map(operator.is_, old.values(), new.values()))


# ------------------------------------------------------------------------------- one function


def specialise(
    request: Request, dependencies: Dependencies, store: Store | None, key: Callable[[], str]
) -> Specialisation:
    """Compile a function for the arguments of a request.

    Machine code is kept in `store`, its description under what `key` tells. Raises ScriptError, and
    TypeError and the like for arguments that the function's parameters do not take.
    """
    given = parameters_of(request)
    if not any(isinstance(argument, ExplicitType) for argument in request.arguments):
        adapt(request.name, given, without_static(request.arguments))
    refuse_edited(dependencies.functions)
    # Explicit types without their names of sizes: these are a pattern, as the sizes of a call are.
    core = _inlined([_root(request, given)], request.options)
    _refuse_foreign_objects(core)
    if store is None:
        return _interpreted(request, _optimised(core, request.options), dependencies)
    module, sized = for_sizes(request, given, core.root, core.module)
    optimised = _optimised(Core(core.program, module), request.options)
    return _compiled(request, optimised, sized, dependencies, store, key)


def _refuse_foreign_objects(core: Core) -> None:
    """Refuse objects that Python would share with a script, of classes without @script."""
    root = core.root
    passed = [(f"parameter {p.name!r} of {root.name}()", p.type) for p in root.params]
    passed.append((f"the result of {root.name}()", root.result))
    for what, type_ in _with_fields(core.program, passed):
        for name in class_names(type_):
            if state_of(core.program.classes[name].live) is not None:
                continue
            held = "an object" if type_ == ClassType(name) else f"{type_}, with objects"
            raise TypeCheckError(
                Diagnostic(
                    "class",
                    f"{what} is {held} of {name}, which is no @script class",
                    Span(root.source, root.node.lo, root.node.lo + len(f"def {root.name}")),
                    why="objects of plain classes are known to compiled code alone",
                    instead=f"put @script on class {name}, and make the objects anew",
                )
            )


def _with_fields(
    program: CheckedProgram, passed: Sequence[tuple[str, Type]]
) -> Iterator[tuple[str, Type]]:
    """Yield what is passed, and every field of the objects that it holds, each with its type."""
    waiting, seen = list(passed), set[str]()
    for what, type_ in waiting:
        yield what, type_
        for name in class_names(type_):
            if name not in seen:
                seen.add(name)
                fields = program.classes[name].fields.items()
                waiting += [(f"the field {f!r} of class {name}", t) for f, t in fields]


def root_of(request: Request) -> Root:
    """Return what the checker starts with, for explicit types; the names of sizes hold."""
    return _root(request, parameters_of(request), sized=True)


def _root(request: Request, parameters: Sequence[Parameter], *, sized: bool = False) -> Root:
    types = tuple(p.type for p in parameters)
    values = tuple(map(plain_constant, request.arguments))
    classes = classes_given(request, parameters)
    statics = {
        p.name: a for p, a in zip(parameters, request.arguments, strict=True) if is_static(a)
    }
    owner, constructs = request.owner, request.constructs
    return Root(request.function, types, owner, constructs, sized, values, classes, statics)


def _interpreted(request: Request, core: Core, dependencies: Dependencies) -> Specialisation:
    # Inside a function: machine code needs no interpreter.
    from scriptc.specialise.interpreted import InterpretedAccess, interpreted

    states = _scripted_classes(core.program)
    access = InterpretedAccess(states)
    for name, state in states.items():
        state.declare(_fields(core.program, name), access, tuple(states.values()))
    every = (*core.root.params, *core.root.captures)
    parameters = [Parameter(p.name, p.type) for p in every]
    with Stage("interp", request.function):
        host = _host(core, request.options)
    with Stage("interp", request.function):
        run = interpreted(request.name, host, parameters, core.root.result, states)
    types = tuple(ir_text(p.type) for p in core.root.params)
    captures = _captures(core, dependencies)
    return Specialisation(types, captures, run, constants=_constants(core))


def _captures(core: Core, dependencies: Dependencies) -> tuple[int, ...]:
    """Return the numbers of the guards that hold the captured arrays."""
    guarded = [guard.value for guard in dependencies.guards]
    return tuple(_index(guarded, capture.value) for capture in core.root.captures)


def _constants(core: Core) -> tuple[tuple[int, object], ...]:
    """Return the places and values of the arguments that decide on types."""
    places = {parameter.name: place for place, parameter in enumerate(core.root.params)}
    return tuple((places[name], value) for name, value in core.root.key.constants)


def _host(core: Core, options: Options) -> Run:
    """Return what runs the root in the interpreter; for CUDA its kernels run on the device."""
    if options.backend != "cuda":
        # Inside a function: machine code needs no interpreter.
        from scriptc.backends.interp.backend import load_module

        return load_module(core.module, core.root.name)
    # Inside a function: every other compilation would pay for the import.
    from pathlib import Path

    from scriptc.backends.cuda.backend import compile_module
    from scriptc.backends.cuda.emulator import EmulatedDevice
    from scriptc.kernels.pipeline import TO_KERNELS

    device = EmulatedDevice(Path(options.cache_dir) / "emulated")
    low = _run((*FIRST, *TO_KERNELS), core.module, Level.LOW, options)
    return partial(compile_module(low, device).call, core.root.name)


def _scripted_classes(program: CheckedProgram) -> Mapping[str, ClassState]:
    found = {name: state_of(checked.live) for name, checked in program.classes.items()}
    return {name: state for name, state in found.items() if state is not None}


def _fields(program: CheckedProgram, name: str) -> list[Parameter]:
    return [Parameter(field, t) for field, t in program.classes[name].fields.items()]


def _compiled(
    request: Request,
    core: Core,
    sized: SizePattern | None,
    dependencies: Dependencies,
    store: Store,
    key: Callable[[], str],
) -> Specialisation:
    unequal = () if sized is None else sized.unequal(core.module.functions[core.root.name])
    entry = replace(_entry(request, core), unequal=unequal)
    low = to_low(_with_given(core.module, entry), request.options)
    classes = tuple(
        (_index(dependencies.classes, state.live), _field_texts(_fields(core.program, name)))
        for name, state in _scripted_classes(core.program).items()
    )
    manifest, code = machine_code(low, [entry], store, threads=request.options.threads)
    manifest.parameters = (_parameter_texts(entry, core),)
    manifest.pattern = ANY if sized is None else sized.pattern(unequal)
    manifest.captures = _captures(core, dependencies)
    manifest.constants = _constants(core)
    manifest.classes = classes
    manifest.sources = source_texts(dependencies.functions)
    store.keep(key, manifest)
    with Stage("load", request.function):
        return store.load(request.name, manifest, code, dependencies)


def compile_accessors(
    store: Store, key: str, state: ClassState, *, makes: bool
) -> tuple[Manifest, bytes]:
    """Compile a reader and a writer for each field of a class, or what makes its instances."""
    # Inside a function: most programs have no scripted classes.
    from scriptc.classes.accessors import accessors, maker_of

    classes = [
        ClassDecl(s.live.__name__, tuple((f.name, f.type) for f in s.fields)) for s in state.others
    ]
    make = maker_of if makes else accessors
    module, specs = make(state.live.__name__, state.fields, classes)
    found = machine_code(to_low(module, Options()), specs, store)
    store.keep(lambda: key, found[0])
    return found


def unify_lists(
    handle: int, types: Sequence[Type], values: Sequence[object], known: dict[int, list[object]]
) -> list[object]:
    """Return the values of an object's fields with one list of Python's for each in its block."""
    # Inside a function: most programs have no scripted classes.
    from scriptc.backends.llvm.entry import blocks

    return blocks.unify_lists(handle, types, values, known)


def move_block(made: object, instance: object) -> None:
    """Give the block of an object to another one, which has none."""
    # Inside a function: most programs have no scripted classes.
    from scriptc.backends.llvm.entry import blocks

    set_handle(instance, get_handle(made))
    set_handle(made, 0)
    blocks.belong_to(get_handle(instance), id(instance))


def machine_code(
    low: Module,
    specs: Sequence[EntrySpec],
    store: Store,
    check: Callable[[str], None] | None = None,
    *,
    threads: int = 0,
) -> tuple[Manifest, bytes]:
    """Compile low IR with entries from Python; a manifest says what its tables hold.

    `check` may refuse the text that LLVM is to be given.
    """
    with Stage("emit llvm", low):
        reached = reach(low, [spec.function for spec in specs])
        emitted = backend.emit(reached, specs, threads=threads)
        made(lines=emitted.text.count("\n"))
    if check:
        check(emitted.text)

    def build() -> bytes:
        store.prepare(emitted.text)
        with Stage("llvm", low):
            return machine.compile_program(emitted.text)

    digest, code = store.machine_code(emitted.text, build)
    manifest = Manifest(
        digest,
        tuple(
            tuple((p.name, ir_text(p.type), p.writes) for p in spec.parameters) for spec in specs
        ),
        strings=emitted.strings,
        objects=emitted.objects,
        sites=tuple(map(_site_text, emitted.sites)),
    )
    return manifest, code


def _field_texts(fields: Sequence[Parameter]) -> tuple[tuple[str, str], ...]:
    return tuple((field.name, ir_text(field.type)) for field in fields)


def _entry(request: Request, core: Core) -> EntrySpec:
    function = core.module.functions[core.root.name]
    writable = must_be_writable(core.module, function)
    declared = dict(declared_types(request))
    every = (*core.root.params, *core.root.captures)
    dense = _dense_arguments(request, core)
    parameters = tuple(
        ParameterSpec(
            p.name,
            value.type,
            value in writable,
            declared.get(p.name) is FLOAT,
            p.name in dense,
        )
        for p, value in zip(every, function.params, strict=True)
    )
    return EntrySpec(function.name, parameters, apart=_apart(parameters))


def _dense_arguments(request: Request, core: Core) -> AbstractSet[str]:
    """Return the names of the parameters that are compiled for arrays in C order alone."""
    called = any(core.root.name in callees(f) for f in core.module.functions.values())
    if called or request.any_layout or not lie_plainly(request.arguments):
        return frozenset()
    return {
        p.name
        for p, argument in zip(core.root.params, request.arguments, strict=True)
        if isinstance(p.type, TensorType) and isinstance(argument, np.ndarray | ExplicitType)
    }


def _apart(parameters: Sequence[ParameterSpec]) -> tuple[tuple[int, int], ...]:
    """Return the pairs of dense parameters that must share no memory, as one of them is written."""
    dense = [place for place, p in enumerate(parameters) if p.dense]
    pairs = combinations(dense, 2)
    found = tuple(pair for pair in pairs if any(parameters[place].writes for place in pair))
    return found if len(found) <= MOST_PAIRS else ()


def _with_given(module: Module, entry: EntrySpec) -> Module:
    """Return a module whose root counts on what its entry takes."""
    function = module.functions[entry.function]
    params = function.params
    dense = tuple(v for v, p in zip(params, entry.parameters, strict=True) if p.dense)
    several = axes_of_several(function, entry.unequal)
    given = Given(dense, tuple((params[a], params[b]) for a, b in entry.apart), several)
    functions = {**module.functions, entry.function: replace(function, given=given)}
    return give(module.with_functions(functions), entry.function)


def _parameter_texts(entry: EntrySpec, core: Core) -> tuple[ParameterText, ...]:
    """Return the parameters of an entry with the types that are declared, for messages."""
    every = (*core.root.params, *core.root.captures)
    pairs = zip(every, entry.parameters, strict=True)
    return tuple((p.name, ir_text(p.type), spec.writes) for p, spec in pairs)


def must_be_writable(module: Module, function: Function) -> set[Value]:
    """Return the parameters whose arrays are written, or kept where a method may write them."""
    effects = ModuleEffects(module).function(function.name)
    written = effects.written()
    objects = [v for v in (*function.params, *effects.returned) if isinstance(v.type, ClassType)]
    return {
        param
        for param in function.params
        if param in written or any(effects.share_class(param, v) for v in objects if v is not param)
    }


def _index(values: Sequence[object], wanted: object) -> int:
    return next(index for index, value in enumerate(values) if value is wanted)


def _site_text(site: Site) -> SiteText:
    # A frame of the standard library is none of the user's: CPython has none for `xs.pop()` either.
    shown = [f for f in site.frames if not is_library_file(f.file)]
    return tuple((f.function, f.file, f.line) for f in shown), site.message


# ------------------------------------------------------------------------------ explicit types


def explicit_arguments(request: Request, types: Sequence[object]) -> tuple[ExplicitType, ...]:
    """Return what stands for arguments of which only types, or examples, are given.

    Without any, the annotations say.  Raises ScriptError where they do not.
    """
    declared = declared_types(request)
    if types and len(types) != len(declared):
        raise TypeError(f"{request.name}() has {len(declared)} parameters, not {len(types)}")
    if types:
        pairs = zip(declared, types, strict=True)
        return tuple(explicit_type(t, name) for (name, _), t in pairs)
    missing = [name for name, type_ in declared if type_ is None]
    if missing:
        raise _untyped(request, missing[0])
    return tuple(ExplicitType(type_) for _, type_ in declared if type_ is not None)


def says_all_types(request: Request) -> bool:
    """Whether annotations give the types of all parameters."""
    return all(type_ is not None for _, type_ in declared_types(request))


def explicit_sizes(arguments: Sequence[ExplicitType]) -> Sizes | None:
    """Return what stands for the sizes of such arguments, for their pattern."""
    return sizes_of_types(arguments)


def choices_of(explicit: ExplicitType) -> Sequence[ExplicitType]:
    """Return the types for which calls are compiled where an argument is of this one."""
    if not isinstance(explicit.type, OptionalType):
        return (explicit,)
    given = (NONE, explicit.type.item)
    types = dict.fromkeys(declared_for(explicit.type, type_) for type_ in given)
    return [ExplicitType(type_, explicit.classes) for type_ in types]


def _untyped(request: Request, name: str) -> TypeCheckError:
    """Return the refusal of a parameter whose type is not declared."""
    what, why = f"parameter {name!r} has no annotation", "without one its type comes from a call"
    if name in request.function.__annotations__:
        what = f"the annotation of parameter {name!r} leaves its type open"
        why = "what says less than a type of the language does is a hint; the type is a call's"
    way = "annotate it as f64[N] or the like, or give the types, as in f.compile(f64[N], int)"
    return TypeCheckError(Diagnostic("signature", f"{request.name}(): {what}", None, why, way))
