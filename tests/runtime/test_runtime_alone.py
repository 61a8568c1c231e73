"""The runtime runs saved modules with NumPy and nothing else installed."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from scriptc_runtime.ir import Entry, Module
from scriptc_runtime.saved.file import EntryPoint, SavedModule, write_saved
from tests.support import ir_programs as programs

REPO = Path(__file__).parents[2]
PROGRAM = """
import sys
sys.path[:] = [p for p in sys.path if "site-packages" not in p and "dist-packages" not in p]
sys.path += {paths!r}
import numpy
import scriptc_runtime
module = scriptc_runtime.load({file!r})
print(module.softmax(numpy.array([0.0, 0.0])).tolist())
print(module.fib(10))
print(*sorted({{name.partition(".")[0] for name in sys.modules}} - sys.stdlib_module_names))
"""


def numpy_alone(folder: Path) -> str:
    """A folder of packages that holds NumPy and nothing else."""
    installed = Path(np.__file__).parent
    # Beside the package lie the libraries that its wheel brings, on some platforms.
    for place in (installed, installed.parent / "numpy.libs"):
        if place.exists():
            (folder / place.name).symlink_to(place, target_is_directory=True)
    return str(folder)


def test_a_saved_module_runs_on_numpy_alone(tmp_path: Path) -> None:
    functions = [programs.softmax(), programs.fibonacci()]
    points = tuple(EntryPoint(f.name, (programs.signature(f),)) for f in functions)
    entries = tuple(Entry(f.name, f.name) for f in functions)
    module = Module({f.name: f for f in functions}, entries=entries)
    write_saved(tmp_path / "m.scriptc", SavedModule(module, points))
    packages = tmp_path / "packages"
    packages.mkdir()
    paths = [str(REPO / "runtime"), numpy_alone(packages)]
    program = PROGRAM.format(paths=paths, file=str(tmp_path / "m.scriptc"))
    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False
    )
    assert result.stderr == ""
    first, second, roots = result.stdout.splitlines()
    assert (first, second) == ("[0.5, 0.5]", "55")
    # What NumPy or Python load besides themselves is theirs; none of ours may be among it.
    assert {"numpy", "scriptc_runtime"} <= set(roots.split())
    assert not {"scriptc", "lark", "llvmlite", "rich"} & set(roots.split())


def test_importing_the_runtime_reads_no_code_for_saved_files() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(REPO / 'runtime')!r}); import scriptc_runtime;"
        "print(*sys.modules)"
    )
    command = [sys.executable, "-c", program]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "scriptc_runtime.saved.loaded" in loaded
    assert not {"numpy", "zipfile", "scriptc_runtime.ir", "scriptc_runtime.ops"} & set(loaded)
