"""The functions of Python that the op `ask` calls, by its names for them."""

import random
import time
from collections.abc import Callable, Mapping


def function_named(name: str) -> Callable[..., object]:
    """Return a function of `time`, of the module `random`, or of its generators."""
    library, _, short = name.partition(".")
    if name in _OTHERS:
        return _OTHERS[name]
    owner = {"random": random, "Random": random.Random, "time": time}[library]
    found: Callable[..., object] = getattr(owner, short)
    return found


def _seed_anew() -> None:
    random.seed()


def _seed_own_anew(source: random.Random) -> None:
    source.seed()


_OTHERS: Mapping[str, Callable[..., object]] = {
    "random.seed_anew": _seed_anew,
    "Random.seed_anew": _seed_own_anew,
    "random.Random_of_float": random.Random,
    "random.Random_anew": random.Random,
}
