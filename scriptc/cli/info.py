"""`scriptc info`: what this machine compiles with, and what a saved file holds."""

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from scriptc import options
from scriptc.backends.cuda.device import MissingToolError
from scriptc.backends.cuda.driver import open_driver
from scriptc.backends.llvm.host import host
from scriptc.backends.llvm.loading import numpy_routines
from scriptc.cache.folder import fault_of
from scriptc.inspection.target import SAVED, Target, UsageError
from scriptc_runtime.saved.file import FORMAT, read_saved

Row = tuple[str, str]


def environment() -> str:
    """Return the versions, the processor, the libraries and the settings that matter here."""
    settings = options.from_environment()
    here = host()
    blas = numpy_routines.cblas("cblas_dgemm")
    own_loops = "NumPy has none to share: products are loops of our own"
    found = own_loops if blas is None else f"NumPy's, {64 if blas.wide else 32}-bit integers"
    return _table(
        [
            ("scriptc", version_of("scriptc")),
            ("Python", f"{platform.python_version()} ({platform.python_implementation()})"),
            ("NumPy", np.__version__),
            ("LLVM", f"{here.llvm_version} (llvmlite {version_of('llvmlite')})"),
            ("target", f"{here.triple}, {here.cpu}"),
            ("cores", f"{_usable_cores()} of {os.cpu_count()} usable"),
            ("BLAS", found),
            ("NVRTC", version_of("nvidia-cuda-nvrtc")),
            ("CuPy", version_of("cupy-cuda13x", "cupy-cuda12x", "cupy")),
            *_device(settings.cache_dir),
            ("backend", settings.backend),
            ("cache", described_cache(settings.cache_dir)),
            ("disabled", "yes, by SCRIPTC_DISABLE" if settings.disable else "no"),
        ]
    )


def _device(cache_folder: str) -> list[Row]:
    """Return the driver and the device that `backend="cuda"` would use, or why there is none."""
    if emulated := options.emulated_device():
        # Nothing is compiled, and no folder made, to tell of a device that is this processor.
        return [("CUDA", f"played by this processor, as SCRIPTC_EMULATE_CUDA={emulated} says")]
    try:
        driver = open_driver(cache_folder, "")
        with driver.entered():
            free, total = driver.memory
            what = f"{driver.name}, {driver.architecture}"
    except (MissingToolError, RuntimeError) as error:
        found = error.diagnostics[0].message if isinstance(error, MissingToolError) else str(error)
        return [("CUDA", f"none: {found}")]
    return [
        ("CUDA", f"driver {driver.version}"),
        ("device", f"{what}, {shown_size(total)} of memory, {shown_size(free)} free"),
    ]


def described_cache(folder: str) -> str:
    """Return where compiled code is kept; of a folder that is left unused, why it is."""
    try:
        fault = fault_of(folder) if folder else ""
    except OSError:
        fault = ""  # it is made when something is compiled
    return f"{folder} (not used: {fault})" if fault else folder or "none"


def saved_file(target: Target) -> str:
    """Return the entry points, the weights and the sizes of a saved file.  Raises LoadError."""
    if target.kind != SAVED:
        raise UsageError(
            f"{target.path}: info is about FILE{SAVED}, or without a file this machine"
        )
    saved = read_saved(target.path)
    size = target.path.stat().st_size
    lines = [f"{target.path}: format {FORMAT}, {shown_size(size)}"]
    for entry in saved.entry_points:
        lines += [f"  {entry.name}{signature}" for signature in entry.signatures]
        lines += [f"      {line}" for line in entry.doc.strip().splitlines()[:1]]
    if saved.weights:
        total = sum(array.nbytes for array in saved.weights.values())
        lines.append(f"weights, {shown_size(total)}")
        lines += [f"  {n}: {a.dtype} {list(a.shape)}" for n, a in saved.weights.items()]
    for title, names in (("source", saved.sources), ("extra", saved.extra)):
        if names:
            lines += [title, *(f"  {name}" for name in names)]
    return "\n".join(lines)


def shown_size(size: int) -> str:
    """Return a number of bytes in the unit that suits it."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"


def _table(rows: list[Row]) -> str:
    return "\n".join(_lines(rows))


def _lines(rows: list[Row]) -> Iterator[str]:
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        yield f"{name:<{width}}  {value}"


def _usable_cores() -> int:
    # Not on every system: where it is missing, a process may use all cores.
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def version_of(*names: str) -> str:
    """Return the version of the first of these distributions that is installed."""
    for name in names:
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return "not installed"
