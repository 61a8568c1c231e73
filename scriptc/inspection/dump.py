"""What every stage makes of an input, as text.

source --tokens, ast--> text            without executing the file
source --types--> core IR --opt--> --low--> --llvm, asm, plan, cuda, ptx, sass, resources--> text
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import NamedTuple

from scriptc.backends.llvm import machine
from scriptc.backends.llvm.emit import emit_module
from scriptc.check.parsed_functions import refuse_foreign
from scriptc.check.program import check_program
from scriptc.check.roots import Root
from scriptc.device_pipeline import FOR_DEVICE
from scriptc.driver import FIRST, Core, fields_of, mismatches, says_sizes
from scriptc.inspection.device_stages import DEVICE_STAGES
from scriptc.inspection.pass_trace import Trace
from scriptc.inspection.target import Target, definition, read_source
from scriptc.inspection.typed_trees import show_types
from scriptc.kernels.pipeline import TO_LOW
from scriptc.lower.program import lower_program
from scriptc.passes.pipeline import OPTIMISE, Pass
from scriptc.syntax import nodes as n
from scriptc.syntax.functions import parse_function
from scriptc.syntax.lexer import tokenize
from scriptc.syntax.show import show_tokens, show_tree
from scriptc_runtime.errors import Diagnostic, Source
from scriptc_runtime.ir import Module
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.record import replace
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.verify.module import verify

Watch = Callable[[str, Module], None]

TEXT_STAGES = ("tokens", "ast")
STAGES = (*TEXT_STAGES, "types", "ir", "opt", "low", "llvm", "asm", *DEVICE_STAGES)


class Start(NamedTuple):
    """Where the stages begin: the first module, and whether it is low IR already."""

    module: Module
    is_low: bool = False


# ----------------------------------------------------------------------------- without executing


def text_stage(target: Target, stage: str) -> str:
    """Return the tokens or the tree of a file or of one definition in it.

    Raises ParseError, UsageError.
    """
    source = read_source(target.path)
    return _show(source, definition(target, source), stage)


def _show(source: Source, node: n.Node, stage: str) -> str:
    if stage == "ast":
        return show_tree(source, node)
    first = _first(node)
    tokens = (t for t in tokenize(source) if first <= t.lo < node.hi or isinstance(node, n.Module))
    return show_tokens(source, tokens)


def _first(node: n.Node) -> int:
    """Return where a definition begins, its decorators included."""
    decorated = isinstance(node, n.FunctionDef | n.ClassDef) and node.decorator_list
    return decorated[0].lo - 1 if decorated else node.lo


# ---------------------------------------------------------------------------------- from Python


def live_stage(root: Root, stage: str) -> str:
    """Return what a stage makes of a live function.  Raises ScriptError, and ValueError."""
    if stage not in STAGES:
        raise ValueError(f"there is no stage {stage!r}: choose one of {', '.join(STAGES)}")
    if stage in TEXT_STAGES:
        syntax = parse_function(root.function)
        return _show(syntax.source, syntax.node, stage)
    if stage == "types":
        return types_stage([root])
    return module_stage(first_module([root]), stage)


def types_stage(roots: Sequence[Root]) -> str:
    """Return functions, and all they call, with the types of their parts.  Raises ScriptError."""
    return show_types(list(check_program(roots, fields_of).functions.values()))


def check(root: Root) -> Sequence[Diagnostic]:
    """Type-check a function and all it calls, and return warnings.  Raises ScriptError."""
    program = check_program([root], fields_of)
    if not says_sizes(program, root):
        return ()
    return mismatches(Core(program, lower_program(program)), root)


def check_syntax(functions: Sequence[FunctionType]) -> None:
    """Refuse what the language does not have, whatever the types.  Raises ScriptError."""
    for function in functions:
        syntax = parse_function(function)
        if isinstance(syntax.node, n.FunctionDef):
            refuse_foreign(syntax.source, syntax.node)


def first_module(roots: Sequence[Root]) -> Start:
    """Return the IR of functions and all they call.  Raises ScriptError."""
    module = lower_program(check_program(roots, fields_of))
    functions = {f.name: replace(f, file=_short(f.file)) for f in module.functions.values()}
    return Start(module.with_functions(functions))


def _short(file: str) -> str:
    """Return a path as it is seen from the current folder, so that dumps are the same anywhere."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


# -------------------------------------------------------------------------------------- from IR


def module_stage(start: Start, stage: str) -> str:
    """Return what a stage from `ir` on makes of a module.  Raises ScriptError."""
    return _WRITERS[stage](_run(start, _steps(start, stage)))


def passes_stage(start: Start, stage: str) -> str:
    """Return the module, then what each pass up to a stage changed."""
    trace = Trace()
    _run(start, _steps(start, stage), trace)
    return trace.text


class _Step(NamedTuple):
    run: Pass
    level: Level


_TO_OPT = [_Step(run, Level.CORE) for run in OPTIMISE]
_TO_LOW = [*_TO_OPT, *(_Step(run, Level.LOW) for run in (*FIRST, *TO_LOW))]
# What frees memory is for machine code; the interpreter runs the host code of CUDA.
_FOR_DEVICE = [*_TO_OPT, *(_Step(run, Level.LOW) for run in FOR_DEVICE)]
_STEPS = {"opt": _TO_OPT, **dict.fromkeys(DEVICE_STAGES, _FOR_DEVICE)}


def _steps(start: Start, stage: str) -> Sequence[_Step]:
    if start.is_low or stage == "ir":
        return ()
    return _STEPS.get(stage, _TO_LOW)


def _run(start: Start, steps: Sequence[_Step], watch: Watch | None = None) -> Module:
    module = start.module
    if watch:
        watch("ir", module)
    for step in steps:
        module = step.run(module)
        verify(module, level=step.level)
        if watch:
            watch(step.run.__name__, module)
    return module


def _llvm(module: Module) -> str:
    return emit_module(module).text


def _assembly(module: Module) -> str:
    # Functions of a module are internal, and nothing but an entry from Python would use them.
    return machine.assembly(_llvm(module).replace("define internal {", "define {"))


_WRITERS: Mapping[str, Callable[[Module], str]] = {
    "ir": write_module,
    "opt": write_module,
    "low": write_module,
    "llvm": _llvm,
    "asm": _assembly,
    **DEVICE_STAGES,
}
