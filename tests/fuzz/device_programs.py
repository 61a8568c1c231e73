"""Random array programs on an emulated device that is watched, beside NumPy: `make fuzz-device`.

    SCRIPTC_EMULATE_CUDA=shadow python -m tests.fuzz.device_programs 5000 [first seed]

They have all dtypes and layouts, and arguments that share memory.  A call gives the same bits, or
raises the same, as under NumPy, no access of a kernel breaks a rule, and afterwards the device has
no memory more than before.
"""

import gc
import os
import sys
import tempfile
import traceback
from collections import Counter
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from scriptc import script
from scriptc_runtime.errors import TypeCheckError, UnsupportedError
from tests.fuzz.test_array_programs import Way, differences, module_text, unannotated
from tests.support.array_programs import draw_program
from tests.support.device_calls import after_a_call, live_allocations
from tests.support.live_source import module_in

FIRST = 5_000_000
_BATCH = 20


class Report(NamedTuple):
    """What a program showed: what is wrong, and why it is refused; "" says it is not."""

    wrong: str
    refused: str


def check(seed: int, folder: Path) -> Report:
    """Compare one program on a device with NumPy."""
    program = draw_program(seed)
    python = vars(module_in(folder / f"p_{seed}.py", module_text([program])))[program.name]
    compiled = script(unannotated(python), backend="cuda")
    way = Way("cuda", SimpleNamespace(**{program.name: compiled}))
    held = after_a_call()
    try:
        found = [*differences(program, python, (way,))]
    except (UnsupportedError, TypeCheckError) as error:
        return Report("", error.diagnostics[0].message)
    gc.collect()
    if live_allocations() != held:
        found.append(f"seed {seed}: {live_allocations() - held} allocations are left")
    return Report("\n".join(found), "")


def _run(seed: int) -> Report:
    """Compare one program; an error that ends it is told as what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return check(seed, Path(folder))
        except Exception:
            return Report(f"seed {seed}\n{draw_program(seed).text}{traceback.format_exc()}", "")
        finally:
            _forget(Path(os.environ["SCRIPTC_CACHE_DIR"]))


def main(count: int, start: int) -> int:
    """Check that many programs, one after the other; return the exit status."""
    wrong, refused = 0, Counter[str]()
    with tempfile.TemporaryDirectory(prefix="scriptc-fuzz-") as folder:
        os.environ["SCRIPTC_CACHE_DIR"] = folder
        # One process, a new one now and then: it keeps the libraries of all its kernels.
        with get_context("spawn").Pool(1, maxtasksperchild=10 * _BATCH) as pool:
            for number, report in enumerate(pool.imap(_run, range(start, start + count)), 1):
                if report.wrong:
                    wrong += 1
                    print(report.wrong, end="\n\n", flush=True)
                refused.update([report.refused] if report.refused else [])
                if number % _BATCH == 0:
                    print(
                        f"{number} programs, {wrong} wrong, {refused.total()} refused", flush=True
                    )
    for reason, times in refused.most_common():
        print(f"{times:5} {reason}")
    return 1 if wrong else 0


def _forget(folder: Path) -> None:
    """Remove the libraries of kernels, which this process has loaded."""
    for path in (folder / "emulated").glob("*.so"):
        path.unlink()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else FIRST))
