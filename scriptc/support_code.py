"""The support code, which every object of machine code is bound to, as objects for the cache.

It needs little of the compiler, so where nothing is cached LLVM can begin with it, and work while
the rest of the compiler is loaded.
"""

from collections.abc import Callable
from functools import partial

from scriptc.backends.llvm import machine, support
from scriptc.backends.llvm.boundary.guard_text import guard_text
from scriptc.loader import leaf_type


def llvm_version() -> str:
    """Return the version of LLVM, which is asked."""
    return machine.host().llvm_version


def support_compiler() -> Callable[[], bytes]:
    """Return what compiles the support code, with what guards functions; its text is made now."""
    text = support.support_text(leaf_type()) + guard_text(leaf_type())
    # As LLVM's passes would leave it: see `support.support_object`.
    return partial(machine.compile_to_object, text, optimise=0, passes=False)


def part_object(name: str) -> bytes:
    """Compile a part of the support code that few functions need: products of arrays."""
    # Inside a function: few programs multiply matrices.
    from scriptc.backends.llvm.products import matrix_matrix, matrix_vector

    if name.startswith(matrix_matrix.PART):
        text = matrix_matrix.blas_text(name)
    else:
        text = matrix_vector.product_text(name, machine.host().features)
    # Written as vector code already.
    return machine.compile_to_object(text, optimise=1, passes=False)
