"""Every routine by name, and where it is compiled: with each module, or once, as support code.

What is called seldom, or is too large to be inlined, is compiled once: a module declares it, and
finds it in the support code when it is loaded.
"""

from collections.abc import Mapping
from functools import cache

from scriptc.backends.llvm.boundary.functions import routines as boundary_routines
from scriptc.backends.llvm.boundary.lists import ROUTINES as LIST_ROUTINES
from scriptc.backends.llvm.boundary.traces import ROUTINES as TRACE_ROUTINES
from scriptc.backends.llvm.random.locks import ROUTINES as LOCK_ROUTINES
from scriptc.backends.llvm.random.routines import ROUTINES as RANDOM_ROUTINES
from scriptc.backends.llvm.routines.kernels import ROUTINES as KERNEL_ROUTINES
from scriptc.backends.llvm.routines.reshaping import ROUTINES as RESHAPING_ROUTINES
from scriptc.backends.llvm.routines.small import ROUTINES, Routine
from scriptc.backends.llvm.tables import TableInParts


@cache
def routines() -> Mapping[str, Routine]:
    """Return all routines, for this Python and NumPy."""
    return TableInParts(_shared_and_small(), _seldom)


@cache
def _shared_and_small() -> Mapping[str, Routine]:
    return {
        **ROUTINES,
        **boundary_routines(),
        **LIST_ROUTINES,
        **TRACE_ROUTINES,
        **RESHAPING_ROUTINES,
        **KERNEL_ROUTINES,
        **RANDOM_ROUTINES,
        **LOCK_ROUTINES,
    }


def _seldom() -> Mapping[str, Routine]:
    # Inside a function: most programs need none of these. They are never shared.
    from scriptc.backends.llvm.random import ziggurat
    from scriptc.backends.llvm.routines import complex, numbers
    from scriptc.backends.llvm.rules import gufuncs

    tables = (numbers.ROUTINES, complex.ROUTINES, gufuncs.ROUTINES)
    return {"normal": ziggurat.NORMAL, **{k: r for table in tables for k, r in table.items()}}


def shared_text() -> str:
    """Return the definitions of the shared routines, without what they declare."""
    return "\n".join(r.shared_text for r in _shared_and_small().values() if r.shared)


def shared_declarations() -> frozenset[str]:
    """Return what the shared routines refer to outside the support code."""
    declared = frozenset[str]().union(
        *(r.declarations for r in _shared_and_small().values() if r.shared)
    )
    return frozenset(line for line in declared if " @sc_" not in line and line[:4] != "@sc_")
