"""A function compiled for the arguments of a request, as machine code or for the interpreter."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from scriptc.backends.llvm.entry.entry import EntrySpec
from scriptc.cache.dependencies import Dependencies
from scriptc.cache.freshness import refuse_edited
from scriptc.cache.manifest import FieldText, Manifest, source_texts
from scriptc.cache.request import MOST_VALUES, ExplicitType, Request, Run, Specialisation
from scriptc.cache.store import Store
from scriptc.check.checked import CheckedFunction, CheckedProgram, MadeOutside
from scriptc.check.generator_classes import RESUME
from scriptc.check.generics import origin_of
from scriptc.check.roots import Root
from scriptc.classes import declaring
from scriptc.classes.scripted_class import (
    ClassState,
    class_names,
    state_of,
)
from scriptc.driver import (
    Core,
    check_and_lower,
    inlined,
    mismatches,
    to_inlined,
    to_low,
    to_optimised,
)
from scriptc.faults import Stage
from scriptc.specialise.arguments import classes_given, parameters_of
from scriptc.specialise.entries import (
    entries_of_generators,
    entries_on_device,
    entry_of,
    parameter_texts,
    with_given,
)
from scriptc.specialise.given_generators import head_of, refuse_generators
from scriptc.specialise.library_instances import with_instances
from scriptc.specialise.machine_code import machine_code
from scriptc.specialise.outside_objects import refuse_foreign, refuse_two_types, watched
from scriptc.specialise.patterned_types import SizePattern, for_sizes
from scriptc.values.adapt import adapt
from scriptc.values.kinds import Parameter, is_static, plain_constant, without_static
from scriptc.values.outside_places import ObjectField, OutsidePlace
from scriptc.values.size_patterns import ANY
from scriptc_runtime.errors import Diagnostic, Note, TypeCheckError
from scriptc_runtime.ir import Module, walk
from scriptc_runtime.named_classes import labels_of
from scriptc_runtime.ops import exceptions
from scriptc_runtime.record import replace
from scriptc_runtime.records import is_records_class
from scriptc_runtime.text.type_text import ir_text
from scriptc_runtime.types import ClassType, Label, Type
from scriptc_runtime.values import EXCEPTION_FIELD


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
    root = _root(request, given)
    try:
        lowered = check_and_lower([root])
    except TypeCheckError as refusal:
        raise (_of_many_values(refusal) if request.any_values else refusal) from None
    _tell_mismatches(request, lowered, root)
    core = inlined(lowered, request.options)
    _refuse_foreign_objects(core)
    refuse_generators(core.program, request.options.backend)
    if store is None:
        return _interpreted(request, to_optimised(core, request.options), dependencies)
    if request.options.backend == "cuda":
        return _on_device(request, to_optimised(core, request.options), dependencies, store, key)
    module, sized = for_sizes(request, given, core.root, core.module)
    program, names = with_instances(module, store, request.options)
    optimised = to_optimised(Core(core.program, program), request.options)
    return _compiled(request, optimised, sized, dependencies, store, key, names)


def _of_many_values(refusal: TypeCheckError) -> TypeCheckError:
    """Return a refusal of what was compiled for some values, where there are too many of them."""
    first, *others = refusal.diagnostics
    note = Note(
        f"code was made for {MOST_VALUES} values of these arguments, each of which needs its own, "
        "and is made for no more"
    )
    ways = (first.instead, "write the values down in scripts that call this one")
    instead = ", or ".join(filter(None, ways))
    return TypeCheckError(replace(first, notes=(*first.notes, note), instead=instead), *others)


def _tell_mismatches(request: Request, core: Core, root: Root) -> None:
    """Warn of sizes that meet and have different names, or refuse them."""
    found = mismatches(core, root)
    if found:
        # Inside a function: most programs have none.
        from scriptc.size_mismatches import tell

        tell(request.function, found, strict=request.options.strict_sizes)


def low_for(request: Request) -> tuple[Module, EntrySpec]:
    """Return the low IR that is compiled for a request, and how Python enters it.

    Raises ScriptError.
    """
    given = parameters_of(request)
    core = to_inlined([_root(request, given)], request.options)
    module, sized = for_sizes(request, given, core.root, core.module)
    return _low(request, to_optimised(Core(core.program, module), request.options), sized)


def _low(request: Request, core: Core, sized: SizePattern | None) -> tuple[Module, EntrySpec]:
    unequal = () if sized is None else sized.unequal(core.module.functions[core.root.name])
    entry = replace(entry_of(request, core), unequal=unequal)
    return to_low(with_given(core.module, entry), request.options), entry


_FUNCTION = (
    "function",
    "it is compiled for the calls that the script has of it",
    "call it in the script, and return what it gives",
)
_GENERATOR = (
    "generator",
    "Python gets one alone, as the whole result",
    "return it alone, or list(...) of it",
)
# Objects of the library's own classes: what they are called, why they stay, and the way out.
_NOT_GIVEN = {
    "dict_keys": ("view of a dict", "", "list(...) of it"),
    "dict_values": ("view of a dict", "", "list(...) of it"),
    "dict_items": ("view of a dict", "", "list(...) of it"),
    "range": ("range", "", "list(...) of it, or its bounds"),
    "bytearray": ("bytearray", "", "bytes(...) of it"),
}


def _not_given(live: type) -> tuple[str, str, str]:
    """Return what objects of a class of the library are called, why they stay, and the way out."""
    return _NOT_GIVEN.get(origin_of(live).__name__, _FUNCTION)


def _refuse_foreign_objects(core: Core) -> None:
    """Refuse objects that Python would share with a script, of classes without @script."""
    for what, type_, name in _objects_passed(core):
        if state_of(core.program.classes[name].live) is not None:
            continue
        is_exception = EXCEPTION_FIELD in core.program.classes[name].fields
        if is_exception and what == f"the result of {core.root.name}()":
            continue
        if core.program.classes[name].is_function:
            is_generator = RESUME in vars(core.program.classes[name].live)
            kind = _GENERATOR if is_generator else _not_given(core.program.classes[name].live)
            made, why, instead = kind
            raise TypeCheckError(
                Diagnostic(
                    "not-a-value",
                    f"{what} {'is' if type_ == ClassType(name) else 'holds'} a "
                    f"{made}, which scripts do not give to Python",
                    head_of(core.root),
                    why=why,
                    instead=instead,
                )
            )
        way = (
            f"put @script on class {name}, above @dataclass where it is one, and make the objects "
            "anew"
        )
        if core.program.classes[name].live.__module__.startswith("scriptc.stand_ins."):
            way = "the numbers that it is made of, or its text"
        held = "an object" if type_ == ClassType(name) else f"{type_}, with objects"
        raise TypeCheckError(
            Diagnostic(
                "class",
                f"{what} is {held} of {name}, which is no @script class",
                head_of(core.root),
                why="compiled code and Python share fields of objects of @script classes alone; "
                "those of a plain class live in Python",
                instead=way,
            )
        )


def _objects_passed(core: Core) -> Iterator[tuple[str, Type, str]]:
    """Yield what has objects, its type and their class, of all that a call passes or gives."""
    for what, type_ in _passed(core):
        for name in class_names(type_):
            yield what, type_, name


def _passed(core: Core) -> Iterator[tuple[str, Type]]:
    """Yield what a call passes or gives, and the fields of its objects, each with its type."""
    root = core.root
    passed = [(f"parameter {p.name!r} of {root.name}()", p.type) for p in root.params]
    passed += [
        (f"{capture.name!r} outside", capture.type)
        for capture in root.captures
        if not isinstance(capture.value, MadeOutside)  # which is made anew, and stays in the call
    ]
    leaving = core.program.leaving
    if isinstance(root.result, ClassType) and root.result.name in leaving:
        passed.append((f"what {root.name}() gives", leaving[root.result.name].item))
    else:
        passed.append((f"the result of {root.name}()", root.result))
    return _with_fields(core.program, passed)


def _with_fields(
    program: CheckedProgram, passed: Sequence[tuple[str, Type]]
) -> Iterator[tuple[str, Type]]:
    """Yield what is passed, and every field of the objects that it holds, each with its type."""
    waiting, seen = list(passed), set[str]()
    heirs: dict[str, list[str]] = {}
    for name, checked in program.classes.items():
        if checked.base is not None:
            heirs.setdefault(checked.base, []).append(name)
    for what, type_ in waiting:
        yield what, type_
        names = list(class_names(type_))
        for name in names:
            if name not in seen:
                seen.add(name)
                fields = program.classes[name].fields.items()
                waiting += [(f"the field {f!r} of class {name}", t) for f, t in fields]
                names += heirs.get(name, ())


def root_of(request: Request) -> Root:
    """Return what the checker starts with, for explicit types; the names of sizes hold."""
    return _root(request, parameters_of(request), sized=True)


def _root(request: Request, parameters: Sequence[Parameter], *, sized: bool = False) -> Root:
    types = tuple(p.type for p in parameters)
    values = () if request.any_values else tuple(map(plain_constant, request.arguments))
    classes = classes_given(request, parameters)
    statics = {
        p.name: a for p, a in zip(parameters, request.arguments, strict=True) if is_static(a)
    }
    owner, constructs = request.owner, request.constructs
    function, bigint = request.function, request.options.bigint
    return Root(function, types, owner, constructs, sized, values, classes, statics, bigint)


def _compiled(
    request: Request,
    core: Core,
    sized: SizePattern | None,
    dependencies: Dependencies,
    store: Store,
    key: Callable[[], str],
    instances: Sequence[str],
) -> Specialisation:
    low, entry = _low(request, core, sized)
    entries = [entry, *entries_of_generators(core)]
    manifest, code = machine_code(low, entries, store, threads=request.options.threads)
    _describe(manifest, entries, core, dependencies)
    for class_name, given in core.program.leaving.items():
        manifest.generator = class_name, given.name, tuple(given.functions)
    manifest.instances = tuple(instances)
    manifest.pattern = ANY if sized is None else sized.pattern(entry.unequal)
    store.keep(key, manifest)
    with Stage("load", request.function):
        return store.load(request.name, manifest, code, dependencies)


def _describe(
    manifest: Manifest, entries: Sequence[EntrySpec], core: Core, dependencies: Dependencies
) -> None:
    """Say in a manifest what it is made of."""
    manifest.parameters = tuple(parameter_texts(entry, core) for entry in entries)
    manifest.captures = _captures(core, dependencies)
    manifest.watched = watched(core.root, dependencies, manifest.captures)
    manifest.constants = _constants(core)
    manifest.classes = tuple(
        (_index(dependencies.classes, state.live), _field_texts(core.program, name))
        for name, state in _scripted_classes(core.program).items()
    )
    manifest.named = tuple(_named(dependencies, live) for live in core.program.named.values())
    manifest.sources = source_texts(dependencies.functions)


def low_for_device(request: Request) -> tuple[Module, EntrySpec]:
    """Return the low IR that is compiled for a request on a device, and how Python enters it.

    Raises ScriptError.
    """
    core = to_inlined([_root(request, parameters_of(request))], request.options)
    return _low_on_device(request, to_optimised(core, request.options))


def _low_on_device(request: Request, core: Core) -> tuple[Module, EntrySpec]:
    # Inside a function: every other compilation would pay for the import.
    from scriptc.specialise.device_code import to_device_low

    entry = entry_of(request.for_all_calls, core)
    return to_device_low(core.module, request.options), entry


def _on_device(
    request: Request, core: Core, dependencies: Dependencies, store: Store, key: Callable[[], str]
) -> Specialisation:
    # Inside a function: every other compilation would pay for the import.
    from scriptc.specialise.device_code import device_code

    low, entry = _low_on_device(request, core)
    entries = entries_on_device(entry, core)
    manifest, code = device_code(low, entries, store, request.options)
    _describe(manifest, entries, core, dependencies)
    store.keep(key, manifest)
    with Stage("load", request.function):
        return store.load(request.name, manifest, code, dependencies)


def _interpreted(request: Request, core: Core, dependencies: Dependencies) -> Specialisation:
    # Inside a function: machine code needs no interpreter.
    from scriptc.backends.interp.backend import load_module
    from scriptc.classes.generators import generator_class
    from scriptc.specialise.interpreted import (
        InterpretedAccess,
        giving_generators,
        interpreted,
        with_own_exceptions,
    )

    states = _scripted_classes(core.program)
    named = core.program.named
    access = InterpretedAccess(states, named)
    classes = core.program.classes
    declared = [
        declaring.Declared(
            state, tuple(_fields(core.program, name)), classes[name].opened, classes[name].late
        )
        for name, state in states.items()
    ]
    for state in states.values():  # objects that get wider types are read with these
        state.named = tuple(dict.fromkeys((*state.named, *named.values())))
    declaring.declare_all(declared, access, tuple(states.values()))
    leaving = core.program.leaving
    known = {**states, **{name: generator_class(name, access) for name in leaving}}
    # Exceptions of classes of the program, and those that hold values, are others for Python.
    has_own = any(EXCEPTION_FIELD in c.fields for c in core.program.classes.values())
    has_own = has_own or any(
        instr.op is exceptions.HOLD
        for function in core.module.functions.values()
        for instr in walk(function.body)
    )

    def hosted(function: CheckedFunction) -> Run:
        every = (*function.params, *function.captures)
        parameters = [Parameter(p.name, p.type) for p in every]
        host = load_module(core.module, function.name)
        run = interpreted(request.name, host, parameters, function.result, known, named)
        return with_own_exceptions(run, core.program.classes, known, named) if has_own else run

    with Stage("interp", request.function):
        run = hosted(core.root)
        for given in leaving.values():
            called = {use: hosted(core.program.functions[k]) for use, k in given.functions.items()}
            run = giving_generators(run, given.name, called)
    types = tuple(ir_text(p.type) for p in core.root.params)
    captures = _captures(core, dependencies)
    seen = watched(core.root, dependencies, captures)
    return Specialisation(types, captures, run, constants=_constants(core), watched=seen)


def _captures(core: Core, dependencies: Dependencies) -> tuple[int, ...]:
    """Return the numbers of the guards that hold the captured arrays."""
    guarded = [guard.value for guard in dependencies.guards]
    refuse_foreign(core.root, dependencies)
    refuse_two_types(core.root)
    return tuple(_index(guarded, capture.value) for capture in core.root.captures)


def _named(dependencies: Dependencies, live: type) -> int | tuple[Label, ...]:
    """Return the number of a class; what tells one of structured arrays, which nothing may name."""
    return labels_of(live) if is_records_class(live) else _index(dependencies.classes, live)


def _constants(core: Core) -> tuple[tuple[int, object], ...]:
    """Return the places and values of the arguments that decide on types."""
    places = {parameter.name: place for place, parameter in enumerate(core.root.params)}
    return tuple((places[name], value) for name, value in core.root.key.constants)


def _index(values: Sequence[object], wanted: object) -> int:
    return next(index for index, value in enumerate(values) if _is_same(value, wanted))


def _is_same(value: object, wanted: object) -> bool:
    return value is wanted or (isinstance(wanted, OutsidePlace | ObjectField) and wanted == value)


def _scripted_classes(program: CheckedProgram) -> Mapping[str, ClassState]:
    """Return the scripted classes whose objects Python may get, and so has to know."""
    found = {name: state_of(checked.live) for name, checked in program.classes.items()}
    kept = _holding_functions(program)
    return {name: s for name, s in found.items() if s is not None and name not in kept}


def _holding_functions(program: CheckedProgram) -> AbstractSet[str]:
    """Return the classes whose objects stay in a call, as their fields lead to functions.

    The next program has other classes of functions.
    """
    functions = {name for name, checked in program.classes.items() if checked.is_function}
    if not functions:
        return functions
    holders: dict[str, set[str]] = {}
    for name, checked in program.classes.items():
        for type_ in checked.fields.values():
            for held in class_names(type_):
                holders.setdefault(held, set()).add(name)
    waiting = list(functions)
    while waiting:
        more = holders.get(waiting.pop(), set[str]()) - functions
        functions |= more
        waiting += more
    return functions


def _fields(program: CheckedProgram, name: str) -> list[Parameter]:
    return [Parameter(field, t) for field, t in program.classes[name].fields.items()]


def _field_texts(program: CheckedProgram, name: str) -> tuple[FieldText, ...]:
    checked = program.classes[name]
    opened = {field: ir_text(type_) for field, type_ in checked.opened.items()}
    fields = _fields(program, name)
    return tuple(
        (f.name, ir_text(f.type), opened.get(f.name, ""), f.name in checked.late) for f in fields
    )
