"""Core IR as code for a CUDA device: kernels, and the machine code that launches them."""

from collections.abc import Sequence

from scriptc.backends.cuda.backend import translate
from scriptc.backends.llvm.entry.entry import EntrySpec
from scriptc.cache.manifest import Manifest
from scriptc.cache.store import Store
from scriptc.device_pipeline import FOR_DEVICE
from scriptc.faults import Stage
from scriptc.options import Options
from scriptc.pass_manager import run_passes
from scriptc.passes.ownership import ownership
from scriptc.specialise.machine_code import machine_code
from scriptc_runtime.ir import Module
from scriptc_runtime.ops.opdef import Level


def to_device_low(module: Module, options: Options) -> Module:
    """Return core IR as low IR whose loops over elements are kernels.  Raises UnsupportedError."""
    return run_passes(FOR_DEVICE, module, Level.LOW, options)


def device_code(
    low: Module, specs: Sequence[EntrySpec], store: Store, options: Options
) -> tuple[Manifest, bytes]:
    """Compile low IR with entries from Python; the manifest has the text of the kernels."""
    with Stage("emit cuda", low):
        kernels = translate(low)  # which count no references
    host = run_passes((ownership,), low, Level.LOW, options)
    manifest, code = machine_code(host, specs, store, device=kernels.launched)
    manifest.kernels = kernels.texts
    return manifest, code
