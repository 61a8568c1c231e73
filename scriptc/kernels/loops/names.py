"""Which functions loops become, by what their names begin with."""

from scriptc_runtime.reserved import EXACT_PREFIX


def is_exact(name: str) -> bool:
    """Whether the function called so is the exact version of a loop."""
    return name.startswith(EXACT_PREFIX)
