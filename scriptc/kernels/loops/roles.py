"""Which functions loops become: exact versions by their names, kernels by what they raise."""

from scriptc_runtime.ir import Function, walk
from scriptc_runtime.reserved import EXACT_PREFIX


def is_exact(name: str) -> bool:
    """Whether the function called so is the exact version of a loop."""
    return name.startswith(EXACT_PREFIX)


def has_places(kernel: Function) -> bool:
    """Whether what a kernel raises is raised at lines of its own.

    Otherwise nothing ends it but memory that is missing, and Ctrl-C: then the place is the one that
    it is launched at, and nests of several lines may have a kernel in common.
    """
    instrs = walk(kernel.body)
    return any(i.op.effects([v.type for v in i.operands], i.attrs).raises for i in instrs)
