"""Images: convolution as a product, edges, pyramids."""

# Half of the programs have no annotations: their types come from the call.
# pyright: basic

import numpy as np

from scriptc.types import M, N, f32
from tests.benchmarks.array_programs.program import Program


def convolution(image, kernels, bias):
    """The nine shifted images of each channel are the rows of a matrix (im2col)."""
    h, w = image.shape[1], image.shape[2]
    padded = np.pad(image, ((0, 0), (1, 1), (1, 1)))
    shifted = [padded[:, i : i + h, j : j + w] for i in range(3) for j in range(3)]
    columns = np.stack(shifted, axis=1).reshape(-1, h * w)
    out = kernels.reshape(len(kernels), -1) @ columns + bias[:, None]
    return np.maximum(out, 0.0).reshape(len(kernels), h, w)


def sobel(image: f32[N, M]):
    """The strength of edges, and where they are strong, as parts of the strongest."""
    p = np.pad(image, 1, mode="edge")
    rows = p[:-2] + 2.0 * p[1:-1] + p[2:]
    columns = p[:, :-2] + 2.0 * p[:, 1:-1] + p[:, 2:]
    across = rows[:, 2:] - rows[:, :-2]
    along = columns[2:] - columns[:-2]
    strength = np.sqrt(across**2 + along**2)
    return strength / np.max(strength), strength > 0.25 * np.max(strength)


def _blurred(image):
    p = np.pad(image, 2, mode="reflect")
    rows = (p[:-4] + 4.0 * p[1:-3] + 6.0 * p[2:-2] + 4.0 * p[3:-1] + p[4:]) / 16.0
    return (
        rows[:, :-4] + 4.0 * rows[:, 1:-3] + 6.0 * rows[:, 2:-2] + 4.0 * rows[:, 3:-1] + rows[:, 4:]
    ) / 16.0


def pyramid(image):
    """Three levels of a Laplacian pyramid: what each blur takes away, and what is left."""
    half = _blurred(image)[::2, ::2]
    quarter = _blurred(half)[::2, ::2]
    fine = image - np.repeat(np.repeat(half, 2, axis=0), 2, axis=1)
    coarse = half - np.repeat(np.repeat(quarter, 2, axis=0), 2, axis=1)
    return fine, coarse, quarter


def _channels(n, rng):
    image = rng.normal(0.0, 1.0, (4, n, n))
    return image, rng.normal(0.0, 0.2, (8, 4, 3, 3)), rng.normal(0.0, 0.1, 8)


def _photo(n, rng):
    return (rng.random((n, n + n // 2)).astype(np.float32),)


def _square(n, rng):
    return (rng.random((n, n)),)


PROGRAMS = [
    Program(convolution, _channels, small=36, large=200),
    Program(sobel, _photo, small=120, large=1_200),
    Program(pyramid, _square, small=128, large=1_024),
]
