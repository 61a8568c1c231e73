"""LLVM itself: the only module that imports llvmlite.

Everything here takes LLVM IR as text and gives bytes or text back, so no LLVM object lives longer
than one call and the rest of the compiler never meets its API.
"""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from threading import Thread
from typing import Any, NamedTuple

from scriptc.backends.llvm.loading.elfload import join_objects
from scriptc.backends.llvm.split import split
from scriptc_runtime.errors import InvalidIRError

VECTOR_VARIANT = "_lanes"  # in the names of functions for the vectoriser that are to be inlined


# Without a fused multiply-add instruction llvm.fma is a library call, thirty times slower than
# calling libm for the whole function. x86 has it from "+fma" on; every 64-bit Arm has it.
_FMA_FEATURES = frozenset({"fma", "neon", "fp-armv8"})


class Host(NamedTuple):
    """The machine that code is compiled for, in LLVM's words."""

    triple: str
    cpu: str
    features: str
    llvm_version: str


@cache
def host() -> Host:
    """Return the machine this process runs on."""
    llvm = _llvm()
    triple = str(llvm.get_default_triple())
    # Mach-O and COFF objects would need two more readers in `elfload`; LLVM's linker takes ELF on
    # every system when the triple asks for it.
    if "linux" not in triple:
        triple += "-elf"
    return Host(
        triple=triple,
        cpu=str(llvm.get_host_cpu_name()),
        features=str(llvm.get_host_cpu_features().flatten()),
        llvm_version=".".join(str(part) for part in llvm.llvm_version_info),
    )


def has_fused_multiply_add(features: str) -> bool:
    """Say whether a target with these features ("+fma,-avx512f,...") has that instruction.

    Elementary functions of our own need it; without it they are libm's.
    """
    settings = {feature[1:]: feature[0] == "+" for feature in features.split(",") if feature}
    return any(settings.get(name, False) for name in _FMA_FEATURES)


def compile_to_object(llvm_text: str, *, optimise: int = 2, passes: bool = True) -> bytes:
    """Compile LLVM IR to an ELF object for this machine.

    `optimise` is LLVM's level, 0 to 3. The third copies loops for conditions that no round changes:
    half of the time again, and no program measured was quicker for it. Text that is in its final
    form already can do without LLVM's own `passes`, which take half of the time. The object refers
    to other symbols by their whole 64-bit address, so it may be loaded anywhere (`elfload.load`).
    Raises InvalidIRError for text that LLVM does not accept.
    """
    machine = _target_machine(optimise)
    module = _parsed(llvm_text, machine)
    if passes:
        _run_passes(module, machine, optimise)
    return _emitted(module, machine)


def compile_program(llvm_text: str) -> bytes:
    """Compile the LLVM IR of a program to machine code, with two threads where that pays.

    What comes is for `elfload.load`, as what `compile_to_object` returns.
    """
    first, *others = split(llvm_text)
    found: dict[int, bytes | InvalidIRError] = {}

    def compile_one(place: int, text: str) -> None:
        try:
            found[place] = compile_to_object(text)
        except InvalidIRError as error:
            found[place] = error

    threads = [Thread(target=compile_one, args=part) for part in enumerate(others, 1)]
    for thread in threads:
        thread.start()
    compile_one(0, first)
    for thread in threads:
        thread.join()
    return join_objects([_or_raise(found[place]) for place in sorted(found)])


def _or_raise(result: bytes | InvalidIRError) -> bytes:
    if isinstance(result, InvalidIRError):
        raise result
    return result


def optimised_text(llvm_text: str, *, optimise: int = 2) -> str:
    """Return LLVM IR after LLVM's own passes, as text."""
    machine = _target_machine(optimise)
    module = _parsed(llvm_text, machine)
    _run_passes(module, machine, optimise)
    return str(module)


def assembly(llvm_text: str, *, optimise: int = 2) -> str:
    """Return the assembly of LLVM IR for this machine."""
    machine = _target_machine(optimise)
    module = _parsed(llvm_text, machine)
    _run_passes(module, machine, optimise)
    return str(machine.emit_assembly(module))


def link_object(obj: bytes, symbols: Mapping[str, int], exports: Sequence[str]) -> dict[str, int]:
    """Load an object through LLVM's own linker: the way of machines `elfload` has no linker for.

    `symbols` gives the address of everything the object leaves undefined. Returns the address of
    each of `exports`.
    """
    llvm = _llvm()
    for name, address in symbols.items():
        llvm.add_symbol(name, address)
    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(obj))
    engine.finalize_object()
    return {name: int(engine.get_global_value_address(name)) for name in exports}


# llvmlite has no type information: `Any` below is its modules and objects, which stay in this file.


@cache
def _llvm() -> Any:
    # Inside a function: the library is 170 MB and takes 40 to 60 ms to load, and a process that
    # finds all its code in the cache never needs it.
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    return llvm


def _target_machine(optimise: int) -> Any:
    # Made anew for each compilation (0.2 ms): LLVM allows no two threads in one of them.
    target = _llvm().Target.from_triple(host().triple)
    return target.create_target_machine(
        cpu=host().cpu,
        features=host().features,
        opt=optimise,
        reloc="static",
        codemodel="large",
    )


def _parsed(llvm_text: str, machine: Any) -> Any:
    llvm = _llvm()
    try:
        # A context of its own: two threads may not work in one.
        module = llvm.parse_assembly(llvm_text, llvm.create_context())
        module.verify()
    except RuntimeError as error:
        raise InvalidIRError(f"LLVM refuses the code made for it: {error}") from error
    module.triple = host().triple
    module.data_layout = str(machine.target_data)
    return module


def _run_passes(module: Any, machine: Any, optimise: int) -> None:
    llvm = _llvm()
    tuning = llvm.create_pipeline_tuning_options(speed_level=optimise)
    tuning.loop_vectorization = optimise > 1
    tuning.slp_vectorization = optimise > 1
    builder = llvm.create_pass_builder(machine, tuning)
    _without_lock("RunNewModulePassManager")(builder.getModulePassManager(), module, builder)
    if any(VECTOR_VARIANT in f.name for f in module.functions):
        # The vectoriser has put calls of these where none was when functions were inlined.
        late = llvm.create_new_module_pass_manager()
        late.add_always_inliner_pass()
        late.run(module, builder)


def _emitted(module: Any, machine: Any) -> bytes:
    ffi = _llvm().ffi
    with ffi.OutputString() as message:
        emit = _without_lock("TargetMachineEmitToMemory")
        buffer = emit(machine, module, 1, message)
        if not buffer:
            raise InvalidIRError(f"LLVM makes no object: {message}")
    try:
        start, size = ffi.lib.LLVMPY_GetBufferStart(buffer), ffi.lib.LLVMPY_GetBufferSize(buffer)
        return ctypes.string_at(start, size)
    finally:
        ffi.lib.LLVMPY_DisposeMemoryBuffer(buffer)


def _without_lock(name: str) -> Callable[..., Any]:
    """Return a function of llvmlite's library that takes long.

    llvmlite has one lock for all of them. LLVM asks for no more than a context for each thread.
    """
    function = getattr(_llvm().ffi.lib, f"LLVMPY_{name}")
    return getattr(function, "_cfn", function)


@cache
def _engine() -> Any:
    # One engine holds every object (14 kB each against 61 kB with an engine of its own) and lives
    # as long as the process, as the code in it must.
    llvm = _llvm()
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target_machine(3))
