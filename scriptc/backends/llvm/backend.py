"""The CPU backend: low IR -> an object file with its tables; `load` makes it callable."""

from collections.abc import Mapping, Sequence

from scriptc.backends.llvm import machine
from scriptc.backends.llvm.emit import EmittedModule, emit_functions, finish, new_state
from scriptc.backends.llvm.entry.entry import EntrySpec, emit_entry
from scriptc.backends.llvm.host import has_fused_multiply_add, has_mask_registers, host
from scriptc.backends.llvm.loading.machine_code import CompiledObject, entry_symbol
from scriptc.kernels.device.launch import DeviceKernel
from scriptc_runtime.ir import INSTANCES, Module


def emit(
    module: Module,
    entries: Sequence[EntrySpec],
    *,
    threads: int = 0,
    device: Mapping[str, DeviceKernel] | None = None,
) -> EmittedModule:
    """Return the LLVM IR of a module with its entries; the rest as for `new_state`."""
    features = host().features
    own_math, masks = has_fused_multiply_add(features), has_mask_registers(features)
    state = new_state(module, own_math=own_math, masks=masks, threads=threads, device=device)
    texts = emit_functions(state)
    texts += [emit_entry(state, spec, index) for index, spec in enumerate(entries)]
    texts.append(f"@sc_words = global [{len(entries) + 1} x i64] zeroinitializer")
    exports = [entry_symbol(index) for index in range(len(entries))]
    if state.raised:
        # Inside a function: few programs have classes of exceptions.
        from scriptc.backends.llvm.entry.raised_objects import emit_fields

        fields = emit_fields(state)
        texts += fields.values()
        exports += fields
    if state.held:
        # Inside a function: few programs have exceptions that hold values.
        from scriptc.backends.llvm.entry.held_values import emit_held

        held = emit_held(state)
        texts += held.values()
        exports += held
    return finish(state, texts, exports)


def emit_instances(module: Module) -> EmittedModule:
    """Return the LLVM IR of functions that code of other objects calls."""
    features = host().features
    own_math, masks = has_fused_multiply_add(features), has_mask_registers(features)
    names = frozenset(n for n, f in module.functions.items() if f.role in INSTANCES)
    state = new_state(module, own_math=own_math, masks=masks, exported=names)
    return finish(state, emit_functions(state), [f"{name}." for name in names])


def compile_module(
    module: Module, entries: Sequence[EntrySpec], *, optimise: int = 2
) -> CompiledObject:
    """Compile a module of low IR.  Raises InvalidIRError, BoundaryError."""
    emitted = emit(module, entries)
    code = machine.compile_to_object(emitted.text, optimise=optimise)
    return CompiledObject(
        code, len(entries), emitted.strings, emitted.sites, emitted.objects, emitted.texts
    )
