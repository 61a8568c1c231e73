"""Limits for running a module that may come from a stranger."""

from typing import NamedTuple


class Budget(NamedTuple):
    """The most steps (about one per instruction run) and bytes of arrays and text at one time."""

    steps: int
    bytes: int
