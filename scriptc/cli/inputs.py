"""Modules that are IR already: text, and the entries of saved files."""

from scriptc.inspection.dump import Start
from scriptc.inspection.target import Target, UsageError, read_source
from scriptc_runtime.errors import Diagnostic, InvalidIRError, LoadError
from scriptc_runtime.ir import Function, Module, walk
from scriptc_runtime.ops.control import CALL
from scriptc_runtime.ops.low import LAUNCH
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.saved.file import read_saved
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.verify.module import verify


def read_ir(target: Target) -> Start:
    """Return the module of a file of IR text.  Raises LoadError, UsageError."""
    module = read_module(read_source(target.path).text, str(target.path))
    ops = (instr.op for f in module.functions.values() for instr in walk(f.body))
    is_low = any(op.level is Level.LOW for op in ops)
    try:
        verify(module, level=Level.LOW if is_low else Level.CORE)
    except InvalidIRError as error:
        # From a compilation a mistake of ours, but this text somebody may have written.
        raise LoadError(Diagnostic("ir", str(error))) from error
    return Start(_reached(module, [target.name]) if target.name else module, is_low)


def read_entry(target: Target) -> Start:
    """Return what an entry of a saved file runs.  Raises LoadError, UsageError."""
    module = read_saved(target.path).module
    names = dict.fromkeys(entry.name for entry in module.entries)
    if target.name and target.name not in names:
        raise UsageError(f"{target.path} has no entry {target.name!r}; it has {', '.join(names)}")
    functions = [e.function for e in module.entries if target.name in ("", e.name)]
    return Start(_reached(module, functions))


def _reached(module: Module, roots: list[str]) -> Module:
    """Return the module with only the functions that `roots` call, in its order."""
    found: set[str] = set()
    pending = list(roots)
    while pending:
        name = pending.pop()
        if name not in module.functions:
            known = ", ".join(module.functions)
            raise UsageError(f"there is no function {name!r} in the module; it has {known}")
        if name not in found:
            found.add(name)
            pending += _callees(module.functions[name])
    kept = {n: f for n, f in module.functions.items() if n in found}
    return Module(kept, module.classes)


def _callees(function: Function) -> list[str]:
    calls = (instr for instr in walk(function.body) if instr.op in (CALL, LAUNCH))
    return [str(call.attrs["callee"]) for call in calls]
