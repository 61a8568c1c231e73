"""Sharpen a photograph: blur it with a separable filter, then push it away from the blur.

The photograph comes with scikit-learn. It is turned into grey values between 0 and 1 outside;
the filter is written with slices, as NumPy users write it.
"""

import argparse
import os
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image
from sklearn.datasets import images

from scriptc import save, script
from scriptc.types import H, W, f32

OUT = Path(__file__).parent / "out"

Grey = npt.NDArray[np.float32]


@script
def blur(image: f32[H, W]) -> f32[H, W]:
    """Smooth with the weights 1 4 6 4 1 along each axis; a border of two pixels stays as it is."""
    across = image.copy()
    across[:, 2:-2] = (
        image[:, :-4]
        + 4.0 * image[:, 1:-3]
        + 6.0 * image[:, 2:-2]
        + 4.0 * image[:, 3:-1]
        + image[:, 4:]
    ) / 16.0
    result = across.copy()
    result[2:-2, :] = (
        across[:-4, :]
        + 4.0 * across[1:-3, :]
        + 6.0 * across[2:-2, :]
        + 4.0 * across[3:-1, :]
        + across[4:, :]
    ) / 16.0
    return result


@script
def sharpen(image: f32[H, W], amount: float = 1.5) -> f32[H, W]:
    """Add `amount` times what a blur takes away (an unsharp mask); results stay within 0 to 1."""
    sharp = image + amount * (image - blur(image))
    return np.minimum(np.maximum(sharp, 0.0), 1.0)


def load_grey(size: int) -> Grey:
    """Return at most `size` rows of the photograph as brightness between 0 and 1."""
    # Not `load_sample_image`: it has no types, and Pillow makes the grey values in one step.
    with resources.as_file(resources.files(images) / "china.jpg") as path:
        grey = Image.open(path).convert("L")
    grey = grey.crop((0, 0, min(size * 3 // 2, grey.width), min(size, grey.height)))
    return np.asarray(grey, dtype=np.float32) / np.float32(255.0)


def write_png(image: Grey, path: Path) -> None:
    """Write grey values between 0 and 1 as an image."""
    Image.fromarray(np.rint(image * 255.0).astype(np.uint8)).save(path)


def main(size: int = 427) -> float:
    """Write the photograph before and after, and return how much contrast was gained."""
    image = load_grey(size)
    sharp = sharpen(image)
    gain = float(np.std(sharp) / np.std(image))
    print(f"{image.shape[1]}x{image.shape[0]} pixels; contrast times {gain:.3f}")

    OUT.mkdir(exist_ok=True)
    write_png(np.concatenate([image, sharp], axis=1), OUT / "photo.png")
    # As plain Python there is nothing compiled to save.
    if os.environ.get("SCRIPTC_DISABLE") != "1":
        save({"blur": blur, "sharpen": sharpen}, OUT / "photo.scriptc")
    print(f"before and after: {OUT / 'photo.png'}")
    return gain


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=427, help="how many rows of the photograph")
    main(parser.parse_args().size)
