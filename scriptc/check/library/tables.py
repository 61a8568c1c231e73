"""Whole tables of library functions: what each entry takes besides, or refuses."""

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.library.call import Library, LibraryCall
from scriptc_runtime.record import replace
from scriptc_runtime.types import element_of, is_complex


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


def real_only(
    table: Mapping[object, Library], only: Sequence[object] = ()
) -> Mapping[object, Library]:
    """Return a table whose functions, or those of `only`, refuse complex arrays."""

    def entry(plain: Library) -> Library:
        def check(call: LibraryCall) -> Typed:
            for name, value in call.values.items():
                if isinstance(value, Typed) and is_complex(element_of(value.type)):
                    message = f"{value.type} is not built here"
                    call.refuse(message, call.nodes[name], "write it with x.real and x.imag")
            return plain.check(call)

        return replace(plain, check=check)

    return {key: entry(row) if key in (only or table) else row for key, row in table.items()}
