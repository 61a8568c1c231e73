"""The whole pipeline, in order; what `specialise` asks for when the cache has nothing.

    source --check_program--> typed trees --lower_program--> core IR         `check_and_lower`
    core IR --INLINED, OPTIMISED--> core IR                                  `to_core`
    core IR --FIRST, then PLAIN or TO_LOW--> low IR                          `to_low`
    core IR --> interpreter, low IR --emit, LLVM--> machine code             `specialise/`

Core IR is verified when it is optimised and low IR when it is done, unless the options say no; the
tests verify after every pass that changes something.
"""

from collections.abc import Callable, Mapping, Sequence

from scriptc.analysis.effects import ModuleEffects
from scriptc.check.checked import CheckedFunction, CheckedProgram
from scriptc.check.program import check_program
from scriptc.check.roots import Root
from scriptc.check.size_names import size_names
from scriptc.classes.scripted_class import classes_of_fields, state_of
from scriptc.faults import Stage
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
from scriptc.pass_manager import run_passes, tell_ops
from scriptc.passes import decompose as decomposition
from scriptc.passes.inline import inline
from scriptc.passes.ownership import ownership
from scriptc.passes.pipeline import CLEAN, JOINED, WHOLE, Pass
from scriptc.passes.plain import is_plain
from scriptc.passes.reach import reach, reach_library
from scriptc.passes.separate import role_of
from scriptc.passes.unchecked import unchecked
from scriptc.standard_library import StandardLibrary
from scriptc_runtime.errors import Diagnostic
from scriptc_runtime.ir import Module
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.record import record, replace
from scriptc_runtime.types import TensorType, Type, parts_of


def decompose(module: Module) -> Module:
    """Open library ops with bodies of their own compilation."""
    return decomposition.decompose(module, StandardLibrary())


# What follows where library ops have been opened.
OPENED: Sequence[Pass] = (inline, scalar_replacement, reach_library, *CLEAN)
FIRST: Sequence[Pass] = (decompose, *OPENED)
# What follows for a plain module; `kernels/pipeline.py` has what follows for others, and gives the
# same for a plain one, but for tasks, which plain modules go without.
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
        tell_ops(module)
    return Core(program, module)


def fields_of(live: type) -> tuple[Mapping[str, Type], Sequence[type], Sequence[type]]:
    """Return what is known of the fields of a class from the objects that were made of it.

    That is their types, the classes they are of, and the classes with objects that inherit from it.
    """
    state = state_of(live)
    return state.known if state else {}, classes_of_fields(live), state.known_heirs if state else ()


def says_sizes(program: CheckedProgram, root: Root) -> bool:
    """Whether annotations say something of the sizes of arrays: most programs have none that do."""
    declared = (f.declared for f in program.functions.values() if not f.is_library)
    results = (t for type_ in declared if type_ is not None for t in (type_, *parts_of(type_)))
    return bool(_promised_sizes(program, root)) or any(
        isinstance(t, TensorType) and any(dim.known for dim in t.dims) for t in results
    )


def _promised_sizes(program: CheckedProgram, root: Root) -> frozenset[str]:
    """Return the names of sizes in the annotations of a root, or in the types it is given."""
    given = size_names(type_ for type_ in root.types if type_) if root.sized else frozenset[str]()
    return given | program.functions[program.roots[0]].size_names


def mismatches(core: Core, root: Root) -> Sequence[Diagnostic]:
    """Return a warning for each place where sizes meet that annotations give different names.

    `core` is the lowered program of one root, before any pass.
    """
    if not says_sizes(core.program, root):
        return ()
    # Inside a function, as most programs do not need it.
    from scriptc.size_mismatches import size_mismatches

    with Stage("sizes", root.function):
        return size_mismatches(core.program, core.module, _promised_sizes(core.program, root))


def to_core(roots: Sequence[Root], options: Options) -> Core:
    """Check, lower and optimise functions with all they reach.  Raises ScriptError."""
    return to_optimised(to_inlined(roots, options), options)


def to_inlined(roots: Sequence[Root], options: Options) -> Core:
    """Check, lower and inline functions with all they reach."""
    return inlined(check_and_lower(roots), options)


def inlined(core: Core, options: Options) -> Core:
    """Return core IR that was lowered with functions inlined: one that is everywhere goes.

    What it is optimised to is verified.
    """
    program, module = core.program, core.module

    def reached(module: Module) -> Module:
        return reach(module, [program.functions[key].name for key in program.entered])

    passes = inline, reached
    return Core(program, run_passes(passes, module, Level.CORE, options, verified_later=True))


def to_optimised(core: Core, options: Options) -> Core:
    """Return core IR that is inlined after the other passes over core IR."""
    passes = *JOINED, *CLEAN, *WHOLE
    return Core(core.program, run_passes(passes, core.module, Level.CORE, options))


def to_instances(module: Module, options: Options) -> Module:
    """Return low IR of instances of library functions, which are core IR that is inlined.

    They are cleaned up when their ops on lists are open: before, there is little to find.
    """
    passes = *JOINED, as_instances, *FIRST
    return run_passes(passes, module, Level.LOW, options, then=after_first)


def as_instances(module: Module) -> Module:
    """Say of all functions that they are compiled once for all programs."""
    effects = ModuleEffects(module)
    return module.with_functions(
        {n: replace(f, role=role_of(effects.summary(n))) for n, f in module.functions.items()}
    )


def to_low(
    module: Module, options: Options, check: Callable[[Module], None] | None = None
) -> Module:
    """Return low IR, as the LLVM and CUDA backends take it.

    `check` may refuse what a pass makes.
    """
    return run_passes(FIRST, module, Level.LOW, options, check, then=after_first)


def after_first(opened: Module) -> Sequence[Pass]:
    """Return the passes that follow where library ops have been opened."""
    if is_plain(opened):
        return PLAIN
    # Inside a function: plain modules need a few passes alone.
    from scriptc.kernels.pipeline import TO_LOW

    return TO_LOW
