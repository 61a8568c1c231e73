"""`save` and `load`."""

import os
from collections.abc import Mapping


def save(what: Mapping[str, object] | object, path: str | os.PathLike[str]) -> None:
    """Save."""


def load(path: str | os.PathLike[str]) -> object:
    """Load."""
