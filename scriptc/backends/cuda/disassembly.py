"""Machine code of a GPU as text, by NVIDIA's disassembler: needs neither GPU nor driver."""

import shutil
import subprocess
import tempfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from scriptc.backends.cuda.device import MissingToolError
from scriptc_runtime.errors import Diagnostic

_DISTRIBUTION = "nvidia-cuda-nvdisasm"
_NAMES = ("nvdisasm", "nvdisasm.exe")


def disassembled(cubin: bytes) -> str:
    """Return the instructions of machine code.  Raises MissingToolError."""
    program = _program()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernels.cubin"
        path.write_bytes(cubin)
        command = [program, "--print-code", str(path)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _program() -> str:
    """Return where the disassembler lies: in the wheel first, then on the path."""
    try:
        files = distribution(_DISTRIBUTION).files or ()
    except PackageNotFoundError:
        files = ()
    found = next((str(f.locate()) for f in files if f.name in _NAMES), None)
    if found := found or shutil.which(_NAMES[0]):
        return found
    raise MissingToolError(
        Diagnostic(
            code="cuda-no-disassembler",
            message="nvdisasm, NVIDIA's disassembler, was not found",
            why="the stage sass shows what it makes of machine code",
            instead=f"pip install {_DISTRIBUTION}, or look at the stage ptx",
        )
    )
