"""LLVM code for the addresses of what NumPy's generator objects hold."""

from scriptc.backends.llvm.emitter.function import Emitter
from scriptc.backends.llvm.loading import random_layout


def field(e: Emitter, obj: str, place: int) -> str:
    """Return the address of a field of a generator object, by its place in the table of offsets.

    The table is found at load: where NumPy keeps a field is no part of machine code.
    """
    e.declare(f"@{random_layout.LAYOUT_SYMBOL} = external global i64")
    at = e.let(f"getelementptr i64, ptr @{random_layout.LAYOUT_SYMBOL}, i64 {place}")
    offset = e.let(f"load i64, ptr {at}, !invariant.load !2")
    return e.let(f"getelementptr i8, ptr {obj}, i64 {offset}")
