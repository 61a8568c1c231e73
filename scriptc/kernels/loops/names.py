"""What the names of functions begin with that loops become: kernels, and exact versions."""

KERNEL_PREFIX = "kernel."
EXACT_PREFIX = "exact."


def is_exact(name: str) -> bool:
    """Whether the function called so is the exact version of a loop."""
    return name.startswith(EXACT_PREFIX)
