"""LLVM itself, which no other module calls.

Everything here takes LLVM IR as text and gives bytes or text back, so no LLVM object lives longer
than one call and the rest of the compiler never meets its API.
"""

import ctypes
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager

from scriptc.backends.llvm.emitter.effort import Effort
from scriptc.backends.llvm.host import Host, host
from scriptc.backends.llvm.llvm_c_api import library
from scriptc.backends.llvm.loading.elfload import Names, join_objects, links_itself
from scriptc.backends.llvm.split import Part, split
from scriptc.forks import compilations
from scriptc.timeline import made, stage, watched_by, watcher
from scriptc_runtime.errors import InvalidIRError
from scriptc_runtime.record import record, replace

VECTOR_VARIANT = "_lanes"  # in the names of functions for the vectoriser that are to be inlined


def compile_to_object(llvm_text: str, *, optimise: int = 2, effort: Effort = Effort.FULL) -> bytes:
    """Compile LLVM IR to an ELF object for this machine.

    `optimise` is LLVM's level, 0 to 3. The third copies loops for conditions that no iteration
    changes: half of the time again, and no program measured was quicker for it. `effort` says which
    of LLVM's passes the text is worth: all of them take half of the time. The object may be loaded
    anywhere, however far from what it refers to (`elfload.load`).
    Raises InvalidIRError for text that LLVM does not accept.
    """
    with _module(llvm_text, optimise) as module:
        if effort > Effort.NONE:
            with stage("llvm optimise"):
                _run_passes(module, optimise, effort)
        with stage("llvm generate"):
            code = _emitted(module, _OBJECT)
            made(bytes=len(code))
            return code


# Gives the machine code of a part of a program that is known by its key, and keeps what is not.
KnownPart = Callable[[str], bytes | None]
KeepPart = Callable[[str, bytes], None]


def _nothing_known(key: str) -> bytes | None:
    del key


def _kept_nowhere(key: str, code: bytes) -> None:
    del key, code


def compile_program(
    llvm_text: str,
    *,
    alone: bool = False,
    known: KnownPart = _nothing_known,
    keep: KeepPart = _kept_nowhere,
) -> bytes:
    """Compile the LLVM IR of a program to machine code, with two threads where that pays.

    What comes is for `elfload.load`, as what `compile_to_object` returns. `alone` leaves the second
    processor to who is busy meanwhile. Parts that are `known` are not compiled again.
    """
    parts = split(llvm_text, threads=1 if alone else 2)
    if len(parts) == 1:
        return _compiled(parts[0])
    names: list[Names] = [{} for _ in parts]
    if links_itself():  # LLVM's own linker has one space of names for all objects
        # Inside a function: small programs are one part.
        from scriptc.backends.llvm.own_names import with_own_names

        named = [with_own_names(part.text) for part in parts]
        parts = [replace(part, text=own.text) for part, own in zip(parts, named, strict=True)]
        names = [own.names for own in named]
    codes = [known(part.key) for part in parts]
    new = [place for place, code in enumerate(codes) if code is None]
    for place, code in _compiled_by_two([parts[n] for n in new], alone=alone).items():
        codes[new[place]] = code
        keep(parts[new[place]].key, code)
    found = [(code, own) for code, own in zip(codes, names, strict=True) if code is not None]
    return join_objects(found)


def _compiled_by_two(parts: Sequence[Part], *, alone: bool) -> Mapping[int, bytes]:
    """Compile parts, by their places, in two threads if not `alone`."""
    found: dict[int, bytes | InvalidIRError] = {}
    # Taken from the end by whoever is free: what takes longest first.
    waiting = sorted(range(len(parts)), key=lambda place: parts[place].weight)
    told = watcher()

    def work() -> None:
        with watched_by(told):
            while waiting:
                try:
                    place = waiting.pop()
                except IndexError:
                    return  # the other thread was quicker
                try:
                    found[place] = _compiled(parts[place])
                except InvalidIRError as error:
                    found[place] = error

    wait = compilations().beside(work) if len(parts) > 1 and not alone else None
    work()
    with stage("wait for the other thread"):
        if wait is not None:
            wait()
    return {place: _or_raise(found[place]) for place in sorted(found)}


def _compiled(part: Part) -> bytes:
    optimise = 0 if part.effort is Effort.ONCE else 2
    return compile_to_object(part.text, optimise=optimise, effort=part.effort)


def _or_raise(result: bytes | InvalidIRError) -> bytes:
    if isinstance(result, InvalidIRError):
        raise result
    return result


def optimised_text(llvm_text: str, *, optimise: int = 2) -> str:
    """Return LLVM IR after LLVM's own passes, as text."""
    with _module(llvm_text, optimise) as module:
        _run_passes(module, optimise)
        return library().text("PrintModuleToString", module.address)


def say_of_loops(llvm_text: str, cpu: str) -> None:
    """Run LLVM's passes as `compile_program` does, and let it say what becomes of loops.

    It does so on the standard error of the process, from now on: this is for a process of its own.
    `cpu` is a processor of this kind of machine; empty, the one that is here.
    """
    for kind in ("", "-missed", "-analysis"):
        setting = f"-pass-remarks{kind}=loop-vectorize|loop-unroll"
        library().call("SetCommandLine", b"scriptc", setting.encode())
    target = replace(host(), cpu=cpu, features="") if cpu else host()
    for part in split(llvm_text):
        if part.effort > Effort.NONE:
            with _module(with_places(part.text), 2, target) as module:
                _run_passes(module, 2, part.effort)


def with_places(llvm_text: str) -> str:
    """Return LLVM IR with what makes places of loops valid there, if it has some."""
    unit = re.search(r"(?m)^(!\d+) = distinct !DICompileUnit", llvm_text)
    if unit is None:
        return llvm_text
    last = 1 + max(map(int, re.findall(r"(?m)^!(\d+) = ", llvm_text)))
    flag = f'!{last} = !{{i32 2, !"Debug Info Version", i32 3}}'
    named = f"!llvm.module.flags = !{{!{last}}}", f"!llvm.dbg.cu = !{{{unit[1]}}}"
    return "\n".join((llvm_text, flag, *named, ""))


def assembly(llvm_text: str, *, optimise: int = 2) -> str:
    """Return the assembly of LLVM IR for this machine."""
    with _module(llvm_text, optimise) as module:
        _run_passes(module, optimise)
        return _emitted(module, _ASSEMBLY).decode()


# The kinds of code that LLVM emits.
_ASSEMBLY, _OBJECT = 0, 1


@record
class _Module:
    """A module in LLVM and the machine it is compiled for, by their addresses."""

    address: int
    machine: int
    has_variants: bool


@contextmanager
def _module(llvm_text: str, optimise: int, target: Host | None = None) -> Generator[_Module]:
    """Parse LLVM IR.  Raises InvalidIRError for text that LLVM does not accept."""
    llvm, here = library(), target or host()
    with _target_machine(optimise, here) as machine:
        context = llvm.call("ContextCreate")
        try:
            with stage("llvm read"):
                parsed = llvm.result_and_text("ParseAssembly", context, llvm_text.encode())
                made(lines=llvm_text.count("\n"))
            address, error = parsed
            if not address:
                raise InvalidIRError(f"LLVM refuses the code made for it: {error}")
            try:
                _prepare(address, machine, here)
                yield _Module(address, machine, VECTOR_VARIANT in llvm_text)
            finally:
                llvm.call("DisposeModule", address)
        finally:
            llvm.call("ContextDispose", context)


def _prepare(module: int, machine: int, here: Host) -> None:
    llvm = library()
    failed, error = llvm.result_and_text("VerifyModule", module)
    if failed:
        raise InvalidIRError(f"LLVM refuses the code made for it: {error}")
    layout = llvm.call("CreateTargetMachineData", machine)
    llvm.call("SetTarget", module, here.triple.encode())
    llvm.call("SetDataLayout", module, llvm.text("CopyStringRepOfTargetData", layout).encode())
    llvm.call("DisposeTargetData", layout)


@contextmanager
def _target_machine(optimise: int, here: Host) -> Generator[int]:
    # Made anew for each compilation (0.2 ms): LLVM allows no two threads in one of them.
    llvm = library()
    triple, processor = here.triple.encode(), (here.cpu.encode(), here.features.encode())
    target, error = llvm.result_and_text("GetTargetFromTriple", triple)
    if not target:
        raise RuntimeError(f"LLVM compiles for no {here.triple}: {error}")
    # What is linked here calls what is far away through a table: the code generator is made for
    # code whose parts are close to each other, and takes two thirds of the time for it at level 0.
    # The end: to print nothing, to compile as for a file, and the usual calling convention.
    model = (b"pic", b"small") if links_itself() else (b"static", b"large")
    settings = (optimise, *model, 0, 0, b"")
    machine = llvm.call("CreateTargetMachine", target, triple, *processor, *settings)
    if not machine:
        raise RuntimeError(f"LLVM compiles for no {here.triple} with {here.cpu}")
    try:
        yield machine
    finally:
        llvm.call("DisposeTargetMachine", machine)


# What simple code is worth: what is known beforehand is not computed. No pass looks at loops, and
# what is computed twice is left to the code generator. (LLVM's NewGVN takes longer than what it
# finds saves, and for some loops it ends the process.)
_SIMPLE = ("SimplifyCFG", "InstCombine", "SimplifyCFG")


def _run_passes(module: _Module, optimise: int, effort: Effort = Effort.FULL) -> None:
    llvm = library()
    tuning = llvm.call("CreatePipelineTuningOptions")
    # Code on containers has no loops that are worth it, and its functions are inlined already.
    level = 1 if effort is Effort.MOST else optimise
    for what in ("LoopVectorization", "SLPVectorization", "LoopUnrolling", "LoopInterleaving"):
        llvm.call(f"PTOSet{what}", tuning, level > 1)
    builder = llvm.call("CreatePassBuilder", module.machine, tuning)
    managers: list[int] = []
    if effort is Effort.SIMPLE:
        managers.append(_passes("AlwaysInliner", *_SIMPLE))
    else:
        managers.append(llvm.call("buildPerModuleDefaultPipeline", builder, level))
        if module.has_variants:
            # The vectoriser puts calls of these where none was when functions were inlined.
            managers.append(_passes("AlwaysInliner"))
    for manager in managers:
        llvm.call("RunNewModulePassManager", manager, module.address, builder)
        llvm.call("DisposeNewModulePassManger", manager)
    llvm.call("DisposePassBuilder", builder)
    llvm.call("DisposePipelineTuningOptions", tuning)


def _passes(*names: str) -> int:
    """Return the passes with these names, by their address."""
    manager = library().call("CreateNewModulePassManager")
    for name in names:
        library().call(f"module_Add{name}Pass", manager)
    return manager


def _emitted(module: _Module, kind: int) -> bytes:
    llvm = library()
    emit = ("TargetMachineEmitToMemory", module.machine, module.address, kind)
    buffer, error = llvm.result_and_text(*emit)
    if not buffer:
        raise InvalidIRError(f"LLVM makes no code: {error}")
    start, size = llvm.call("GetBufferStart", buffer), llvm.call("GetBufferSize", buffer)
    code = ctypes.string_at(start, size)
    llvm.call("DisposeMemoryBuffer", buffer)
    return code
