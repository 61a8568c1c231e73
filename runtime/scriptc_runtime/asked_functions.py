"""The functions of Python that the op `ask` calls, by its names for them."""

import random
import time
from collections.abc import Callable


def function_named(name: str) -> Callable[..., object]:
    """Return a function of `time`, or of the module `random`."""
    library, _, short = name.partition(".")
    if short == "seed_anew":
        return _seed_anew
    found: Callable[..., object] = getattr(random if library == "random" else time, short)
    return found


def _seed_anew() -> None:
    random.seed()
