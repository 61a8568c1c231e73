"""Calls the saved samples with NumPy and `scriptc_runtime` alone.

    numpy_alone.py FOLDER

Arguments come from FOLDER/calls.npz, results go to FOLDER/found.npz. Printed is which parts of the
compiler could be imported: none should be.
"""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np

import scriptc_runtime

COMPILER = ("scriptc", "lark", "llvmlite", "rich", "sklearn")


def main(folder: Path) -> None:
    """Call every function that was called as machine code."""
    calls = np.load(folder / "calls.npz")
    modules = {f.stem: scriptc_runtime.load(f) for f in sorted((folder / "out").glob("*.scriptc"))}
    names = sorted({key.split()[0] for key in calls.files})
    found: dict[str, Any] = {}
    for name in names:
        sample, function = name.split(".")
        count = sum(key.startswith(f"{name} given") for key in calls.files)
        given = [calls[f"{name} given {n}"] for n in range(count)]
        arguments = [a if a.ndim else a.item() for a in given]
        result = getattr(modules[sample], function)(*arguments)
        found |= {f"{name} left {n}": a for n, a in enumerate(arguments)}
        found[f"{name} result"] = np.array(0.0 if result is None else result)
    np.savez(folder / "found.npz", **found)
    print(*(name for name in COMPILER if importlib.util.find_spec(name)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
