"""Runs every sample at a small size and tells what it needed and left behind.

    run_samples.py FOLDER cold|warm

Cold, the samples save their files to FOLDER/out, the text of all that LLVM is given goes to
FOLDER/text, and calls of their functions with what they gave to FOLDER/calls.npz. Warm, nothing is
saved. The answer is JSON on the last line.
"""

import ctypes
import gc
import json
import os
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from samples import digits, mandelbrot, nbody, photo
from scriptc.options import from_environment
from scriptc.scripted_function import store_of

COMPILER = ("llvmlite", "lark", "scriptc.syntax", "scriptc.driver", "scriptc.check.program")


def record_texts(folder: Path) -> None:
    """Write each text that is compiled from now on to a file."""
    # Inside a function: a warm start loads no compiler.
    from scriptc.backends.llvm import machine

    folder.mkdir()
    compile_to_object = machine.compile_to_object
    numbers = count()  # whose next one is one thread's alone

    def recorded(text: str, **settings: bool | int) -> bytes:
        (folder / f"{next(numbers)}.ll").write_text(text)
        return compile_to_object(text, **settings)  # pyright: ignore[reportArgumentType]

    machine.compile_to_object = recorded


def run_all(out: Path) -> dict[str, float]:
    """Run the samples and return their results."""
    for module in (digits, mandelbrot, nbody, photo):
        vars(module)["OUT"] = out
    return {
        "digits": digits.main(size=90, epochs=2),
        "mandelbrot": mandelbrot.main(24),
        "nbody": nbody.main(6, 5),
        "photo": photo.main(40),
    }


def run_all_and_record(out: Path, calls: Path) -> dict[str, float]:
    """Run the samples, and their functions once more with the network that was trained."""
    check_saved = digits.check_saved

    def checked(network: digits.Network, images: digits.Images, path: Path) -> None:
        record_calls(calls, network)
        check_saved(network, images, path)

    digits.check_saved = checked
    return run_all(out)


def record_calls(file: Path, network: digits.Network) -> None:
    """Call functions of every sample as machine code; keep arguments, results, what they wrote."""
    images, labels = digits.load_images(70)
    calls: dict[str, tuple[Callable[..., Any], list[Any]]] = {
        "digits.forward": (network.forward, [images]),
        "digits.predict": (network.predict, [images]),
        "digits.loss": (network.loss, [images, labels]),
        "mandelbrot.escape_times": (mandelbrot.escape_times, [12, 15, 60]),
        "nbody.energy": (nbody.energy, [*nbody.start(5)]),
        "nbody.advance": (nbody.advance, [*nbody.start(5), 1e-3, 7]),
        "photo.sharpen": (photo.sharpen, [photo.load_grey(30), 1.25]),
    }
    kept: dict[str, Any] = {}
    for name, (function, arguments) in calls.items():
        kept |= {f"{name} given {n}": np.array(a) for n, a in enumerate(arguments)}
        result = function(*arguments)
        kept |= {f"{name} left {n}": a for n, a in enumerate(arguments)}
        kept[f"{name} result"] = np.array(0.0 if result is None else result)
    np.savez(file, **kept)


def main(folder: Path, kind: str) -> None:
    """Run everything and print what came of it."""
    out = folder / "out"
    out.mkdir(exist_ok=True)
    if kind == "cold":
        record_texts(folder / "text")
        results = run_all_and_record(out, folder / "calls.npz")
    else:
        os.environ["SCRIPTC_DISABLE"] = "1"  # the samples ask it before they save
        results = run_all(out)
    gc.collect()
    support = store_of(from_environment().cache_dir).support
    live = ctypes.c_int64.from_address(support["sc_live_blocks"]).value
    loaded = [name for name in COMPILER if name in sys.modules]
    print(json.dumps({"results": results, "live": live, "loaded": loaded}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
