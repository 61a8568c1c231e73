"""Guards: compiled code that looks, at each call, whether names outside still mean the same.

A function that captured a number, or calls another function, was compiled for what these names
stood for. `sc_guarded` stands before its specialisations: it compares the objects that the names
stand for now, at about 10 ns each, and calls the slow path where one is another.
"""

import ctypes
from collections.abc import Sequence
from typing import cast

from scriptc.backends.llvm.loading.callable import WORDS

# Two more words of a callable: the table of guards, and the first specialisation.
TABLE, FIRST = WORDS, WORDS + 1
GUARDED_WORDS = WORDS + 2
# What holds the name: a dict with its key, or a closure's cell and None; and the object expected.
# A dict and None: how many items it has, where a closure's cell has its object.
GuardRow = tuple[object, str | None, object]


def guard_table(rows: Sequence[GuardRow]) -> "ctypes.Array[ctypes.c_void_p]":
    """Return a table of guards; whoever uses it keeps it and the objects of its rows alive."""
    words = [len(rows)]
    for place, name, value in rows:
        is_size = isinstance(place, dict) and name is None
        expected = cast(int, value) if is_size else id(value)
        words += [id(cast(object, place)), 0 if name is None else id(name), expected]
    return (ctypes.c_void_p * len(words))(*words)
