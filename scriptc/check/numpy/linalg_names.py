"""Functions of np.linalg that are those of np with other names for their parameters."""

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.definitions import Entry
from scriptc.check.numpy import reductions


def _renamed(row: Entry, name: str, names: Sequence[str], *ranks: int) -> Library:
    """Return a row with other names for the parameters, for arrays of so many axes."""
    assert isinstance(row, Library)

    def check(call: LibraryCall) -> Typed:
        for new, old in zip(names, row.names, strict=False):
            _rename(call, new, old)
        if ranks and reductions.rank_of(call.array(row.names[0])) not in ranks:
            axes = " or ".join(map(str, ranks))
            call.refuse(f"arrays with {axes} axes are built", call.nodes[row.names[0]])
        return row.check(call)

    return Library(f"np.linalg.{name}", tuple(names), row.required, check, displays=True)


def _rename(call: LibraryCall, new: str, old: str) -> None:
    for given in (call.values, call.nodes, call.displays):
        if new != old and new in given:
            given[old] = given.pop(new)  # pyright: ignore[reportArgumentType]


def table_of(rows: Mapping[object, Entry]) -> Mapping[object, Entry]:
    """Return the rows of np.linalg, made of those of np."""
    pair = ("x1", "x2")
    return {
        np.linalg.matmul: _renamed(rows[np.matmul], "matmul", pair),
        np.linalg.outer: _renamed(rows[np.outer], "outer", pair, 1),
        np.linalg.cross: _renamed(rows[np.cross], "cross", (*pair, "axis")),
        np.linalg.tensordot: _renamed(rows[np.tensordot], "tensordot", (*pair, "axes")),
        np.linalg.matrix_transpose: _renamed(rows[np.matrix_transpose], "matrix_transpose", ("x",)),
        np.linalg.diagonal: _renamed(rows[np.diagonal], "diagonal", ("x", "offset"), 2),
        np.linalg.trace: _renamed(rows[np.trace], "trace", ("x", "offset"), 2),
    }
