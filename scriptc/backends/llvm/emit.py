"""Low IR -> LLVM IR, as text.

    EmittedModule = text + tables of what the text names by number

Text is forty times cheaper to make than through llvmlite's builder, and it is what a reader of a
dump sees. Nothing here depends on values of this process: the text of equal modules is equal.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress

from scriptc.analysis.call_frequency import LOOPS, called_often, reached
from scriptc.analysis.remarks import about
from scriptc.analysis.rings import Rings
from scriptc.backends.llvm.elementary import functions as elementary_functions
from scriptc.backends.llvm.emitter.effort import MARKS, PART_OF_LOOP, Effort
from scriptc.backends.llvm.emitter.failures import failures, raise_first
from scriptc.backends.llvm.emitter.function import METADATA, Emitter, ModuleState
from scriptc.backends.llvm.emitter.kept_buffers import drop_buffers, open_buffers
from scriptc.backends.llvm.emitter.layout import Layout
from scriptc.backends.llvm.emitter.memory_kinds import NUMBER
from scriptc.backends.llvm.entry import lists
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.sites import FIRST_SITE, Site
from scriptc.backends.llvm.routine_table import routines as all_routines
from scriptc.backends.llvm.routines.small import with_callees
from scriptc.backends.llvm.rules import device as rules_device
from scriptc.backends.llvm.rules import launch
from scriptc.backends.llvm.rules.control import (
    enter_recursion,
    leave_recursion,
    outermost_call,
    share_returns,
    status_value,
)
from scriptc.backends.llvm.rules.table import RULES
from scriptc.backends.llvm.vectors import reductions
from scriptc.kernels.device.launch import DeviceKernel
from scriptc.kernels.loops import outline
from scriptc_runtime.call_graph import calls_of, groups, recursive_functions
from scriptc_runtime.ir import (
    UNFRAMED,
    Block,
    Extern,
    Function,
    Instr,
    Module,
    Role,
    Value,
    types_in,
    walk,
)
from scriptc_runtime.ops.control import BLOCK, CALL, FOR, WHILE
from scriptc_runtime.ops.low import LAUNCH, LOAD, NEW_ARRAY, RELEASE, SIZE, STORE
from scriptc_runtime.ops.products import BOTH_PRODUCTS, GEMM, MATVEC
from scriptc_runtime.record import record
from scriptc_runtime.types import Container, ListType, Type, holds_array, is_counted


@record
class EmittedModule:
    """LLVM IR, and what its numbers stand for."""

    text: str
    exports: tuple[str, ...]
    strings: tuple[str, ...]
    sites: tuple[Site, ...]
    objects: tuple[str, ...]
    texts: tuple[str, ...]


def new_state(
    module: Module,
    *,
    own_math: bool = True,
    masks: bool = True,
    threads: int = 0,
    device: Mapping[str, DeviceKernel] | None = None,
    exported: frozenset[str] = frozenset(),
) -> ModuleState:
    """Start the collection that the functions of one LLVM module share.

    `own_math` is whether the target is fit for the functions of `elementary/`, `masks` whether it
    stores some lanes of a vector as fast as all, `threads` how many threads may share a launch, 0
    for as many as the process may use; `device` has the kernels that a device runs. Other objects
    call the functions that are `exported`, and know the numbers of sites apart from their own.
    """
    recursive = recursive_functions(calls_of(module))
    telling, kernels = _telling(module, recursive), _launched(module)
    often = called_often(module, kernels)
    placed = _placed(module, kernels) if kernels else frozenset[str]()
    placed |= {name for name, kernel in (device or {}).items() if kernel.raised}
    efforts = _of_containers(module, all_of_them=bool(exported))
    return ModuleState(
        *(module, RULES, recursive, telling, often, kernels, placed),
        *(Rings(module.classes, known=not exported), own_math, masks),
        *(device, threads, exported, efforts),
        list_out=_list_out,
    )


def _placed(module: Module, kernels: Iterable[str]) -> frozenset[str]:
    """Return the kernels that raise at lines of their own."""
    return frozenset(name for name in kernels if outline.has_places(module.functions[name]))


def _list_out(state: ModuleState, layout: Layout, type_: ListType | Container) -> str:
    return lists.list_out(state, layout, type_)


def emit_module(module: Module, *, own_math: bool = True) -> EmittedModule:
    """Return the LLVM IR of all functions of a module.  Raises InvalidIRError."""
    state = new_state(module, own_math=own_math)
    texts = emit_functions(state)
    return finish(state, texts, ())


def emit_functions(state: ModuleState) -> list[str]:
    """Return the text of every function of the module."""
    functions = state.module.functions
    # Kernels first, and those of tasks behind them: who launches one has to know what it takes.
    order = sorted(functions, key=lambda name: _rank(state, functions[name]))
    texts = {name: emit_function(state, functions[name]) for name in order}
    return [texts[name] for name in functions]


def _rank(state: ModuleState, function: Function) -> int:
    """Return 0 for a kernel, 1 for one of tasks, which may launch such, and 2 for what is none."""
    if function.name not in state.kernels:
        return 2
    return int(_launches(function))


def finish(state: ModuleState, texts: Sequence[str], exports: Sequence[str]) -> EmittedModule:
    """Put the texts together with all that they refer to."""
    routines = with_callees(state.routines, all_routines())
    own = [routine for routine in routines if not routine.shared]
    functions, declared = _library_functions(state)
    externs = map(_declaration, state.module.externs.values())
    declarations = state.declarations.union(declared, externs, *(r.declarations for r in own))
    tables = (
        f"@sc_constants = global [{len(state.strings)} x ptr] zeroinitializer",
        f"@sc_texts = global [{len(state.texts)} x ptr] zeroinitializer",
        f"@sc_objects = global [{len(state.objects)} x ptr] zeroinitializer",
    )
    if state.sites:
        tables += (f"@{FIRST_SITE} = external global i8, {NUMBER}",)
    if state.device:
        tables += (
            f"@{rules_device.KERNELS} = global [{2 * len(state.device)} x ptr] zeroinitializer",
        )
        tables += (failures(state),)
    text = "\n".join(
        (
            *tables,
            *sorted(declarations),
            *(routine.head for routine in routines if routine.shared),
            *(routine.text for routine in own),
            functions,
            *state.helpers,
            *texts,
            METADATA,
            *state.metadata,
            "",
        )
    )
    return EmittedModule(
        text,
        tuple(exports),
        tuple(state.strings),
        tuple(state.sites),
        tuple(state.objects),
        tuple(state.texts),
    )


def _declaration(extern: Extern) -> str:
    types = [t for param in extern.params for t in abi.flatten(param.type)]
    parameters = ", ".join(("ptr", *types))
    return f"declare {abi.result_type(extern.result)} {abi.symbol(extern.name)}({parameters})"


def _library_functions(state: ModuleState) -> tuple[str, frozenset[str]]:
    """Return the elementary functions that are called, and what they and reductions declare."""
    if not state.functions and not state.reductions:
        return "", frozenset()
    text = elementary_functions.functions(state.functions)
    kinds = {(reductions.Kind(kind), type_) for kind, type_ in state.reductions}
    return text.definitions, text.declarations | reductions.declarations(kinds)


def emit_function(state: ModuleState, function: Function) -> str:
    """Return the LLVM IR of one function."""
    about(function)
    e = Emitter(state, function, function.file, local_arrays=_local_arrays(state.module, function))
    parameters = ["ptr noalias %ctx"]
    for param in function.params:
        types = abi.flatten(param.type)
        e.values[param] = tuple(e.fresh() for _ in types)
        parameters += [f"{t} {name}" for t, name in zip(types, e.values[param], strict=True)]
    name, is_recursive = abi.symbol(function.name), function.name in state.recursive
    if is_recursive:
        name = abi.inner_symbol(function.name)
        parameters.insert(1, "i64 %depth")
        # An instruction of no block: it stands for the function in the tables of places.
        enter_recursion(e, Instr(BLOCK, (), {}, (), function.loc))
        e.uncounted = next(_calls_outside_loops(function.body, state.recursive), None)
    open_buffers(e)
    if state.device and function.name in state.device:
        rules_device.emit_launcher(e, state.device[function.name], state.rules)
    else:
        e.run(function.body)
    share_returns(e)
    e.start("unwind")
    raise_first(e)
    drop_buffers(e)
    leave_recursion(e)
    result = abi.result_type(function.result)
    e.write(f"ret {result} {status_value(1, abi.flatten(function.result))}")
    body = "\n".join(("entry:", *e.allocas, *e.lines, *e.cold, "}"))
    if e.is_kernel:
        parameters = [parameters[0], *compress(parameters[1:], launch.take(e, body))]
    linkage = "" if function.name in state.exported else "internal "
    head = f"define {linkage}{result} {name}({', '.join(parameters)}) nounwind"
    if function.role is Role.FALLBACK:
        # With `optsize` alone strided loads became gathers, which take twice as long.
        head += f" cold noinline optsize minsize{MARKS[Effort.NONE]}{PART_OF_LOOP}"
    elif e.is_kernel or (function.role is Role.LOOP and not _launches(function)):
        effort = e.effort if e.is_kernel else Effort.FULL
        head += f" noinline{MARKS[effort]}{PART_OF_LOOP}"
    elif e.scopes or function.role in (Role.SHARED, Role.LOOP):
        # In a loop of the script, LLVM would copy the nests for each outcome of the tests there.
        head += " noinline"
    marks = ""
    if function.name in state.efforts:
        marks = MARKS[state.efforts[function.name]]
    elif not e.is_kernel and _only_launches(function.body):
        is_often = function.name in state.often or any(i.op in LOOPS for i in walk(function.body))
        marks = MARKS[Effort.SIMPLE if is_often else Effort.ONCE]
    around = outermost_call(function, marks) if is_recursive else ""
    return "\n".join((f"{head}{marks} {{", body, around))


# Instructions of a module from which on it matters how long LLVM takes.
_LARGE = 600


def _of_containers(module: Module, *, all_of_them: bool) -> Mapping[str, Effort]:
    """Return what functions on containers and objects are worth, of a large module without arrays.

    They leave most of LLVM's passes little to do, which take half of the time and gain 5 %; a tenth
    where functions call themselves.
    """
    functions = module.functions
    types: dict[str, set[Type]] = {}
    for name, function in functions.items():
        types[name] = types_in(function)
        if any(map(holds_array, types[name])):
            return {}
    if not all_of_them and sum(1 for f in functions.values() for _ in walk(f.body)) < _LARGE:
        return {}
    calls = calls_of(module)
    repeated = reached(calls, recursive_functions(calls))
    return {
        name: Effort.MOST if name in repeated else Effort.SIMPLE
        for name, found in types.items()
        if all_of_them or any(map(is_counted, found))
    }


_AT_WORK = frozenset({LAUNCH, GEMM, MATVEC, BOTH_PRODUCTS})


def _launches(function: Function) -> bool:
    return any(instr.op is LAUNCH for instr in walk(function.body))


def _only_launches(body: Block) -> bool:
    """Whether code launches kernels or multiplies matrices, and each of its loops has a way to."""
    instrs = list(walk(body))
    loops = (i.blocks[-1] for i in instrs if i.op in LOOPS)
    return _are_at_work(instrs) and all(_are_at_work(walk(block)) for block in loops)


def _are_at_work(instrs: Iterable[Instr]) -> bool:
    return any(i.op in _AT_WORK for i in instrs)


def _calls_outside_loops(block: Block, callees: frozenset[str]) -> Iterator[Instr]:
    for instr in block.body:
        if instr.op is CALL and instr.attrs["callee"] in callees:
            yield instr
        for inner in instr.blocks if instr.op not in (FOR, WHILE) else ():
            yield from _calls_outside_loops(inner, callees)


def _telling(module: Module, recursive: frozenset[str]) -> frozenset[str]:
    """Return the recursive functions that call others from which a recursion may start anew."""
    calls = calls_of(module)
    starting = set[str]()
    for name, *others in groups(calls):
        reaches = any(callee in recursive or callee in starting for callee in calls[name])
        if not others and name not in recursive and reaches:
            starting.add(name)
    return frozenset(
        name
        for name in recursive
        if not starting.isdisjoint(calls[name]) or _launches(module.functions[name])
    )


# What neither keeps an array nor hands it on.
_ONLY_USES = frozenset({LAUNCH, LOAD, STORE, SIZE, RELEASE})


def _local_arrays(module: Module, function: Function) -> frozenset[Value]:
    instrs = list(walk(function.body))
    made = {instr.result for instr in instrs if instr.op is NEW_ARRAY}
    for instr in instrs if made else ():
        if instr.op not in _ONLY_USES:
            made.difference_update(_handed_on(module, instr))
    return frozenset(made)


def _handed_on(module: Module, instr: Instr) -> Sequence[Value]:
    """Return the operands that an instruction may keep, or hand on."""
    callee = module.callee(instr) if instr.op is CALL else None
    if callee is None or isinstance(callee, Extern) or callee.role not in UNFRAMED:
        return instr.operands
    kept = {v for i in walk(callee.body) if i.op not in _ONLY_USES for v in i.operands}
    return [v for v, p in zip(instr.operands, callee.params, strict=True) if p in kept]


def _launched(module: Module) -> frozenset[str]:
    every = (instr for function in module.functions.values() for instr in walk(function.body))
    return frozenset(str(instr.attrs["callee"]) for instr in every if instr.op is LAUNCH)
