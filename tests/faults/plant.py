"""Whether the tests find faults, planted one at a time in a copy of the sources: `make faults`.

    python -m tests.faults.plant [--device] [NUMBER ...]

First the tests run without a fault, and have to pass.  A fault is found where one of its tests
fails; one that keeps tests from being collected, or from ending in time, is too crude to count.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.faults.device_table import DEVICE_FAULTS
from tests.faults.table import FAULTS, Fault

REPO = Path(__file__).parents[2]
_COPIED = ("scriptc", "runtime", "stdlib", "tests", "grammar", "samples", "docs")
_FILES = ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile")
_LONGEST = 600  # seconds
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", re.MULTILINE)
_FAILURE = 1  # what pytest returns where a test fails


def copy_sources(folder: Path) -> None:
    """Copy what tests need."""
    for name in _COPIED:
        shutil.copytree(REPO / name, folder / name, symlinks=True)
    for name in _FILES:
        shutil.copy2(REPO / name, folder / name)


def run(folder: Path, tests: Sequence[str]) -> tuple[int, str]:
    """Run tests of a copy up to the first that fails; return pytest's status and that test."""
    path = os.pathsep.join((str(folder), str(folder / "runtime")))
    command = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests)
    environment = {**os.environ, "PYTHONPATH": path}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=_LONGEST,
        )
    except subprocess.TimeoutExpired:
        return -1, "no end"
    found = _FAILED.search(done.stdout)
    return done.returncode, found[1] if found else done.stdout[-300:]


def is_found(folder: Path, number: int, fault: Fault) -> bool:
    """Plant a fault, run its tests, take it back, and say what came of it."""
    path = folder / fault.file
    text, begin = path.read_text(encoding="utf-8"), time.monotonic()
    path.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    # What was compiled of the file has its time, in seconds: no two are alike here.
    later = path.stat().st_mtime + 10 * (number + 1)
    os.utime(path, (later, later))
    status, test = run(folder, fault.tests)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (later + 5, later + 5))
    found = status == _FAILURE
    what = f"found by {test}" if found else f"NOT FOUND ({status}: {test})"
    print(f"{number:2} {fault.stage:15} {fault.breaks}", flush=True)
    print(f"   {what}, {time.monotonic() - begin:.0f} s", flush=True)
    return found


def main(faults: Sequence[Fault], numbers: Sequence[int]) -> int:
    """Plant faults one after the other; return the exit status."""
    chosen = {number: faults[number] for number in numbers or range(len(faults))}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "copy"
        folder.mkdir()
        copy_sources(folder)
        for tests in dict.fromkeys(fault.tests for fault in chosen.values()):
            status, test = run(folder, tests)
            if status:
                print(f"{' '.join(tests)} fails without a fault: {test}")
                return 1
        missed = [n for n, fault in chosen.items() if not is_found(folder, n, fault)]
    print(f"{len(chosen) - len(missed)} found, not found: {missed or 'none'}")
    return 1 if missed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", nargs="*", type=int)
    parser.add_argument("--device", action="store_true", help="those of the CUDA backend")
    given = parser.parse_args()
    sys.exit(main(DEVICE_FAULTS if given.device else FAULTS, given.numbers))
