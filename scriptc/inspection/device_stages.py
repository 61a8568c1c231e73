"""What becomes of the kernels of a module, as text.

cuda         C++
ptx, sass    assembly, and what a GPU runs
plan         how threads share each kernel, and how far apart what neighbours reach is
resources    registers, memory and spills of each kernel
"""

from collections.abc import Callable, Iterator, Mapping

from scriptc.backends.cuda.accesses import Access, accesses_of
from scriptc.backends.cuda.backend import translate
from scriptc.backends.cuda.disassembly import disassembled
from scriptc.backends.cuda.kernel import Kernel
from scriptc.backends.cuda.nvrtc import compile_without_spills
from scriptc.backends.cuda.schedule import roots
from scriptc_runtime.ir import Module, Value
from scriptc_runtime.ops import low
from scriptc_runtime.types import TensorType

_ARCHITECTURE = "sm_90"


def _cuda(module: Module) -> str:
    kernels = translate(module).kernels.values()
    return "\n".join(kernel.text for kernel in kernels) or "// no kernels\n"


def _ptx(module: Module) -> str:
    return translate(module).ptx(_ARCHITECTURE)


def _sass(module: Module) -> str:
    return disassembled(compile_without_spills(translate(module).source, _ARCHITECTURE).cubin)


def _plan(module: Module) -> str:
    kernels = translate(module).kernels
    return "\n".join(_planned(name, kernel) for name, kernel in kernels.items()) or "no kernels\n"


def _planned(name: str, kernel: Kernel) -> str:
    lines = dict.fromkeys(_reached(kernel))
    return "".join(f"{line}\n" for line in (f"{name}: {kernel.plan}", *lines))


def _reached(kernel: Kernel) -> Iterator[str]:
    """Yield for each access how far it moves with each index of the space."""
    schedule = kernel.schedule
    root = roots(schedule)
    numbers = {value: f"p{n}" for n, value in enumerate(schedule.function.params)}
    numbers |= {buffer.result: f"row{n}" for n, buffer in enumerate(schedule.buffers)}
    for access in accesses_of(schedule):
        yield _moved(access, numbers[root[access.array]], schedule.nest.indices)


def _moved(access: Access, name: str, indices: tuple[Value, ...]) -> str:
    what = "stores" if access.instr.op is low.STORE else "loads"
    assert isinstance(access.array.type, TensorType)
    steps = ", ".join(access.step(index).value for index in indices)
    return f"  {what} {name}: {access.array.type.dtype}, steps {steps}"


def _resources(module: Module) -> str:
    found = compile_without_spills(translate(module).source, _ARCHITECTURE).resources
    lines = [
        f"{name}: {r.registers} registers, {r.shared} bytes shared, {r.stack} bytes stack, "
        f"{r.spill_stores + r.spill_loads} bytes spilled\n"
        for name, r in found.items()
    ]
    return "".join(lines) or "no kernels\n"


DEVICE_STAGES: Mapping[str, Callable[[Module], str]] = {
    "plan": _plan,
    "cuda": _cuda,
    "ptx": _ptx,
    "sass": _sass,
    "resources": _resources,
}
