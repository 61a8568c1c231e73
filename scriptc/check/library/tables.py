"""Whole tables of library functions: what each entry takes besides, or refuses."""

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.library.call import Library, LibraryCall, refuse_complex
from scriptc.check.library.definitions import Definition, Entry
from scriptc_runtime.record import replace


def with_out(table: Mapping[object, Library]) -> Mapping[object, Library]:
    """Return a table in which ufuncs of one result can write it to `out`, `where` that is asked."""

    def entry(plain: Library) -> Library:
        def check(call: LibraryCall) -> Typed:
            return call.into_out(plain.check(call), masked=True)

        return replace(plain, names=(*plain.names, "out", "where"), check=check)

    return {
        key: entry(row) if isinstance(key, np.ufunc) and key.nout == 1 else row
        for key, row in table.items()
    }


def real_only(table: Mapping[object, Entry], only: Sequence[object] = ()) -> Mapping[object, Entry]:
    """Return a table whose functions, or those of `only`, refuse complex arrays."""

    def entry(plain: Entry) -> Entry:
        def check(call: LibraryCall) -> Typed:
            assert isinstance(plain, Library)
            refuse_complex(call)
            return plain.check(call)

        if isinstance(plain, Definition):
            return replace(plain, real=True)
        return replace(plain, check=check)

    return {key: entry(row) if key in (only or table) else row for key, row in table.items()}
