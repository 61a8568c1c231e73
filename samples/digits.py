"""Learn to read handwritten digits, save the network, and read them again with NumPy alone.

The data are the 1797 images of 8x8 pixels that come with scikit-learn. The network, its gradient
and its update are scripted; shuffling and choosing batches stay ordinary Python.
"""

import argparse
import os
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt
from sklearn.datasets import load_digits

import scriptc_runtime
from scriptc import save, script
from scriptc.types import D, H, K, N, f64, i64

OUT = Path(__file__).parent / "out"
HIDDEN = 32
BATCH = 50

Images = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]


@script
def softmax(scores: f64[N, K]) -> f64[N, K]:
    """Turn each row of scores into probabilities that sum to one."""
    # Without its largest element taken off, a row of big scores would overflow.
    powers = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    return powers / np.sum(powers, axis=1, keepdims=True)


@script
class Network:
    """One hidden layer of H rectified sums between D pixels and K classes."""

    w1: f64[D, H]
    b1: f64[H]
    w2: f64[H, K]
    b2: f64[K]
    rate: float
    steps: int

    def __init__(self, w1: f64[D, H], w2: f64[H, K], rate: float) -> None:
        self.w1 = w1
        self.b1 = np.zeros(w1.shape[1])
        self.w2 = w2
        self.b2 = np.zeros(w2.shape[1])
        self.rate = rate
        self.steps = 0

    def forward(self, images: f64[N, D]) -> f64[N, K]:
        """Return the probability of each class for each image."""
        hidden = np.maximum(images @ self.w1 + self.b1, 0.0)
        return softmax(hidden @ self.w2 + self.b2)

    def predict(self, images: f64[N, D]) -> i64[N]:
        """Return the most probable class of each image."""
        return np.argmax(self.forward(images), axis=1)

    def loss(self, images: f64[N, D], labels: i64[N]):
        """Return the mean negative logarithm of the probability given to the true class."""
        given = self.forward(images)
        total = 0.0
        for i in range(images.shape[0]):
            total -= np.log(given[i, labels[i]])
        return total / images.shape[0]

    def train_step(self, images: f64[N, D], labels: i64[N]) -> None:
        """Move every weight once against the gradient of `loss`."""
        count = images.shape[0]
        hidden = np.maximum(images @ self.w1 + self.b1, 0.0)
        # The gradient of the loss by the scores is the probabilities less the truth.
        error = softmax(hidden @ self.w2 + self.b2)
        for i in range(count):
            error[i, labels[i]] -= 1.0
        error /= count
        back = np.where(hidden > 0.0, error @ self.w2.T, 0.0)
        self.w2 -= self.rate * (hidden.T @ error)
        self.b2 -= self.rate * np.sum(error, axis=0)
        self.w1 -= self.rate * (images.T @ back)
        self.b1 -= self.rate * np.sum(back, axis=0)
        self.steps += 1


def load_images(size: int) -> tuple[Images, Labels]:
    """Return the first `size` images, a row of pixels between 0 and 1 each, and their digits."""
    # scikit-learn has no types that say what it returns when asked for a pair.
    pixels, digits = cast(tuple[Images, Labels], load_digits(return_X_y=True))
    return pixels[:size] / 16.0, digits[:size].astype(np.int64)


def new_network(pixels: int, classes: int, rate: float = 0.5) -> Network:
    """Return an untrained network; its weights are the same every time."""
    random = np.random.default_rng(1)
    w1 = random.normal(0.0, (2.0 / pixels) ** 0.5, (pixels, HIDDEN))
    w2 = random.normal(0.0, (2.0 / HIDDEN) ** 0.5, (HIDDEN, classes))
    return Network(w1, w2, rate)


def train(network: Network, images: Images, labels: Labels, epochs: int) -> None:
    """Show the network all images `epochs` times, in a new order each time."""
    random = np.random.default_rng(2)
    for _ in range(epochs):
        order = random.permutation(len(images))
        for start in range(0, len(images), BATCH):
            chosen = order[start : start + BATCH]
            network.train_step(images[chosen], labels[chosen])


def check_saved(network: Network, images: Images, path: Path) -> None:
    """Save the network; what the NumPy-only runtime loads must read every digit alike."""
    save(network, path)
    reloaded = scriptc_runtime.load(path)
    same = np.array_equal(reloaded.predict(images), network.predict(images))
    assert same, "the reloaded network reads some digits differently"
    print(f"saved to {path.name} and reloaded with NumPy alone: same predictions")


def main(size: int = 1797, epochs: int = 30) -> float:
    """Train on five sixths of `size` images and return the accuracy on the rest."""
    images, labels = load_images(size)
    seen = size * 5 // 6
    network = new_network(images.shape[1], int(np.max(labels)) + 1)
    print(f"loss before training  {network.loss(images[:seen], labels[:seen]):.4f}")
    train(network, images[:seen], labels[:seen], epochs)
    print(f"loss after {network.steps} steps  {network.loss(images[:seen], labels[:seen]):.4f}")

    right = network.predict(images[seen:]) == labels[seen:]
    accuracy = np.count_nonzero(right) / len(right)
    print(f"accuracy on {size - seen} images it has not seen: {accuracy:.1%}")

    # As plain Python there is nothing compiled to save.
    if os.environ.get("SCRIPTC_DISABLE") != "1":
        OUT.mkdir(exist_ok=True)
        check_saved(network, images[seen:], OUT / "digits.scriptc")
    return accuracy


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1797, help="how many of the images to use")
    parser.add_argument("--epochs", type=int, default=30, help="how often to show each image")
    arguments = parser.parse_args()
    main(arguments.size, arguments.epochs)
