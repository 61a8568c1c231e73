"""The order of elements in memory that a call asks for: rows first, 'C', or columns first, 'F'.

An array in columns is the transposed view of one in rows.
"""

from collections.abc import Mapping

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.numpy import array_parts, reductions
from scriptc_runtime.ops import arrays

# What NumPy decides by the layout of the argument is in rows here.
KEPT = ("K", "A")


def columns_first(call: LibraryCall, *words: str) -> bool:
    """Return whether the order is 'F'; `words` are others that mean rows, the default first."""
    if not call.is_given("order"):
        return False
    return call.word("order", *words, "C", "F") == "F"


def transposed(call: LibraryCall, value: Computation) -> Computation:
    """Return an array with its axes in the opposite order."""
    order = tuple(range(reductions.rank_of(value)))[::-1]
    return call.context.apply(call.node, arrays.TRANSPOSE, value, order=order)


def in_order(call: LibraryCall, value: Computation, *words: str) -> Computation:
    """Return a new array in the order that is asked for."""
    return in_columns(call, value) if columns_first(call, *words) else value


def in_columns(call: LibraryCall, value: Computation) -> Computation:
    """Return an array if its columns lie one after the other, else a copy of which that is true."""
    return transposed(call, in_rows(call, transposed(call, value)))


def in_rows(call: LibraryCall, value: Computation) -> Computation:
    """Return an array if its rows lie one after the other, else a copy of which that is true."""
    return array_parts.reshaped(call, value, array_parts.sizes_of(call, value), dense=True)


def copied(call: LibraryCall, value: Computation, *words: str) -> Computation:
    """Return a copy in the order that is asked for."""
    if not columns_first(call, *words):
        return call.context.apply(call.node, arrays.COPY, value)
    rows = call.context.apply(call.node, arrays.COPY, transposed(call, value))
    return transposed(call, rows)


def _contiguous(call: LibraryCall) -> Typed:
    """Check np.ascontiguousarray: the array itself where it is contiguous, else a copy."""
    value = call.array("a")
    if reductions.rank_of(value) == 0:
        return call.result(array_parts.reshaped(call, value, [array_parts.number(1)], dense=True))
    return call.result(in_rows(call, value))


def _in_columns(call: LibraryCall) -> Typed:
    """Check np.asfortranarray: the array itself where its columns are contiguous, else a copy."""
    value = call.array("a")
    if reductions.rank_of(value) == 0:
        return call.result(array_parts.reshaped(call, value, [array_parts.number(1)], dense=True))
    return call.result(in_columns(call, value))


TABLE: Mapping[object, Library] = {
    np.ascontiguousarray: Library("np.ascontiguousarray", ("a",), 1, _contiguous, displays=True),
    np.asfortranarray: Library("np.asfortranarray", ("a",), 1, _in_columns, displays=True),
}
