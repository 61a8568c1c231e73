"""The kernels of a module in low IR as CUDA C++, and what host code must know to launch them."""

import re
from collections.abc import Mapping, Sequence

from scriptc.analysis.definitions import definitions_of
from scriptc.analysis.induction import constant_int
from scriptc.backends.cuda.checks import may_fail
from scriptc.backends.cuda.kernel import Kernel
from scriptc.backends.cuda.nvrtc import compile_cubin
from scriptc.backends.cuda.prelude import PRELUDE
from scriptc.backends.cuda.rules import support_of
from scriptc.backends.cuda.schedule import Schedule, Spread, kept_elements, refuse_host_routines
from scriptc.backends.cuda.writers import emit_kernel
from scriptc.kernels.device.launch import Buffer, DeviceKernel
from scriptc_runtime.ir import Instr, Module, Role, Value, walk
from scriptc_runtime.ops import low
from scriptc_runtime.record import record
from scriptc_runtime.types import TensorType


@record
class Translation:
    """The kernels of a module, by their names in the IR, and the text that all of them need."""

    kernels: Mapping[str, Kernel]
    common: str

    @property
    def source(self) -> str:
        """All kernels as one source."""
        return "".join((self.common, *(f"\n{kernel.text}" for kernel in self.kernels.values())))

    def ptx(self, arch: str = "sm_90") -> str:
        """Return the assembly that NVRTC makes of the source.  Raises MissingToolError."""
        return compile_cubin(self.source, arch).ptx

    @property
    def texts(self) -> tuple[str, tuple[tuple[str, bool, str], ...]]:
        """The common text; of each kernel its name, whether its threads meet, and its own text."""
        kernels = self.kernels.values()
        meet = Spread.ROWS
        return self.common, tuple((k.name, k.schedule.spread is meet, k.text) for k in kernels)

    @property
    def launched(self) -> Mapping[str, DeviceKernel]:
        """What host code must know of the kernels, by their names in the IR."""
        return {n: _launched(k, i) for i, (n, k) in enumerate(self.kernels.items())}


def _launched(kernel: Kernel, number: int) -> DeviceKernel:
    schedule = kernel.schedule
    given = set(schedule.function.params)
    known = {*given, *(r for i in computed_before(schedule) for r in i.results)}
    is_shared = all(size in known for sizes in schedule.shared for size in sizes)
    buffers = [
        Buffer(_itemsize(b.result), kept_elements(schedule.buffers, b), b.operands)
        for b in schedule.buffers
    ]
    shared = schedule.shared if schedule.spread is Spread.ROWS and is_shared else ()
    needed = [*schedule.nest.counts, *(s for sizes in shared for s in sizes)]
    needed += [size for buffer in buffers for size in buffer.sizes]
    before = _slice(computed_before(schedule), needed)
    by_blocks = schedule.spread is Spread.ROWS
    return DeviceKernel(
        number, kernel.plan, before, schedule.nest.counts, by_blocks, shared, kernel.fields,
        buffers, kernel.raised, kernel.first_site, kernel.guarded,
    )  # fmt: skip


def _itemsize(array: Value) -> int:
    assert isinstance(array.type, TensorType)
    return array.type.dtype.itemsize


def _slice(instrs: Sequence[Instr], needed: Sequence[Value]) -> Sequence[Instr]:
    """Return those of some instructions that compute what is needed."""
    wanted, kept = set(needed), list[Instr]()
    for instr in reversed(instrs):
        if not wanted.isdisjoint(instr.results):
            wanted.update(instr.operands)
            kept.append(instr)
    return kept[::-1]


def computed_before(schedule: Schedule) -> Sequence[Instr]:
    """Return what of a kernel's prologue the host can compute: nothing that rests on elements."""
    known = set(schedule.function.params)
    found: list[Instr] = []
    for instr in schedule.prologue:
        if instr.op is not low.LOAD and known.issuperset(instr.operands):
            known.update(instr.results)
            found.append(instr)
    return found


def translate(module: Module) -> Translation:
    """Return a module's kernels in CUDA C++; needs no device.  Raises UnsupportedError."""
    names, single = set[str](), _launched_for_one(module)
    kernels: dict[str, Kernel] = {}
    sites = 0
    guarded = any(map(may_fail, module.functions.values()))
    for name, function in module.functions.items():
        if function.role is not Role.KERNEL:
            refuse_host_routines(function)
            continue
        first_site = sites if guarded else None
        c_name = _c_name(name, names)
        kernel = emit_kernel(function, c_name, first_site, is_single=name in single)
        kernels[name] = kernel
        sites += len(kernel.raised)
    support = support_of([kernel.text for kernel in kernels.values()])
    return Translation(kernels, PRELUDE + support)


def _launched_for_one(module: Module) -> set[str]:
    """Return the kernels whose launches are all of one iteration."""
    found: dict[str, bool] = {}
    for function in module.functions.values():
        for instr in walk(function.body):
            if instr.op is low.LAUNCH:
                name = str(instr.attrs["callee"])
                once = constant_int(instr.operands[0], definitions_of(function)) == 1
                found[name] = once and found.get(name, True)
    return {name for name, once in found.items() if once}


def _c_name(name: str, taken: set[str]) -> str:
    base = re.sub(r"\W", "_", name, flags=re.ASCII)
    found = next(
        n for n in (base, *(f"{base}_{i}" for i in range(len(taken) + 1))) if n not in taken
    )
    taken.add(found)
    return found
