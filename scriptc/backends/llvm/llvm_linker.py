"""LLVM's own linker in memory: for machines that `elfload` has no linker for."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from scriptc.backends.llvm.host import host
from scriptc.backends.llvm.llvm_c_api import binding


def link_object(obj: bytes, symbols: Mapping[str, int], exports: Sequence[str]) -> dict[str, int]:
    """Load an object into this process.

    `symbols` gives the address of everything the object leaves undefined. Returns the address of
    each of `exports`.
    """
    llvm = binding()
    for name, address in symbols.items():
        llvm.add_symbol(name, address)
    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(obj))
    engine.finalize_object()
    return {name: int(engine.get_global_value_address(name)) for name in exports}


# `Any`: llvmlite has no type information.
@cache
def _engine() -> Any:
    # One engine holds every object (14 kB each against 61 kB with an engine of its own) and lives
    # as long as the process, as the code in it must.
    llvm = binding()
    target = llvm.Target.from_triple(host().triple)
    here = {"cpu": host().cpu, "features": host().features}
    machine = target.create_target_machine(**here, opt=3, reloc="static", codemodel="large")
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
