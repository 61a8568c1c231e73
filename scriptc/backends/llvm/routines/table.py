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
from scriptc.backends.llvm.routines.complex import ROUTINES as COMPLEX_ROUTINES
from scriptc.backends.llvm.routines.kernels import ROUTINES as KERNEL_ROUTINES
from scriptc.backends.llvm.routines.numbers import ROUTINES as NUMBER_ROUTINES
from scriptc.backends.llvm.routines.reshaping import ROUTINES as RESHAPING_ROUTINES
from scriptc.backends.llvm.routines.small import ROUTINES, Routine
from scriptc.backends.llvm.rules.gufuncs import ROUTINES as GUFUNC_ROUTINES
from scriptc.backends.llvm.rules.random import ROUTINES as RANDOM_ROUTINES


@cache
def routines() -> Mapping[str, Routine]:
    """Return all routines, for this Python and NumPy."""
    return {
        **ROUTINES,
        **NUMBER_ROUTINES,
        **COMPLEX_ROUTINES,
        **boundary_routines(),
        **LIST_ROUTINES,
        **TRACE_ROUTINES,
        **RESHAPING_ROUTINES,
        **KERNEL_ROUTINES,
        **GUFUNC_ROUTINES,
        **RANDOM_ROUTINES,
        **LOCK_ROUTINES,
    }


def shared_text() -> str:
    """Return the definitions of the shared routines, without what they declare."""
    return "\n".join(r.shared_text for r in routines().values() if r.shared)


def shared_declarations() -> frozenset[str]:
    """Return what the shared routines refer to outside the support code."""
    declared = frozenset[str]().union(*(r.declarations for r in routines().values() if r.shared))
    return frozenset(line for line in declared if " @sc_" not in line and line[:4] != "@sc_")
