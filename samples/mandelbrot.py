"""Draw the Mandelbrot set: one scalar loop per pixel, left early where the value escapes."""

import argparse
import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from scriptc import save, script
from scriptc.types import H, W, i64

OUT = Path(__file__).parent / "out"
LIMIT = 200
INK = " .:-=+*#%@"


@script
def escape_times(height: int, width: int, limit: int) -> i64[H, W]:
    """Count for each point how many rounds of z*z + c it stays within 2, up to `limit`.

    The rows cover -1 to 1 of the imaginary axis, the columns -2 to 0.5 of the real one.
    """
    times = np.zeros((height, width), dtype=np.int64)
    for row in range(height):
        for column in range(width):
            c_real = 2.5 * column / width - 2.0
            c_imaginary = 2.0 * row / height - 1.0
            real, imaginary = 0.0, 0.0
            rounds = 0
            while rounds < limit and real * real + imaginary * imaginary <= 4.0:
                real, imaginary = (
                    real * real - imaginary * imaginary + c_real,
                    2.0 * real * imaginary + c_imaginary,
                )
                rounds += 1
            times[row, column] = rounds
    return times


def brightness(times: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return 0 for points of the set and up to 1 for those that nearly belong to it."""
    return np.where(times == LIMIT, 0.0, np.log1p(times) / np.log1p(LIMIT))


def print_text(times: npt.NDArray[np.int64], columns: int = 64) -> None:
    """Print the picture in letters, `columns` wide."""
    # A letter is about twice as high as it is wide.
    across = max(1, times.shape[1] // columns)
    for row in brightness(times[:: 2 * across, ::across]):
        print("".join(INK[int(value * (len(INK) - 1))] for value in row))


def main(size: int = 512) -> int:
    """Draw the set `size` pixels high; return how many of its points did not escape."""
    times = escape_times(size, size * 5 // 4, LIMIT)
    inside = int(np.sum(times == LIMIT))
    print_text(times)
    print(f"{inside} of {times.size} points stay within 2 for {LIMIT} rounds")

    OUT.mkdir(exist_ok=True)
    Image.fromarray((brightness(times) * 255.0).astype(np.uint8)).save(OUT / "mandelbrot.png")
    # As plain Python there is nothing compiled to save.
    if os.environ.get("SCRIPTC_DISABLE") != "1":
        save({"escape_times": escape_times}, OUT / "mandelbrot.scriptc")
    return inside


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=512, help="height of the picture in pixels")
    main(parser.parse_args().size)
