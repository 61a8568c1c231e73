"""Limits for running a module that may come from a stranger."""

from scriptc_runtime.record import record


@record
class Budget:
    """The most steps (about one per instruction run) and bytes of arrays and text at one time."""

    steps: int
    bytes: int
