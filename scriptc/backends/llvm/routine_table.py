"""Every routine by name, and where it is compiled: with each module, or once, as support code.

What is called seldom, or is too large to be inlined, is compiled once: a module declares it, and
finds it in the support code when it is loaded. Almost every module raises and reports exceptions;
the routines for that are usual, and in the support code's core.
"""

from collections.abc import Mapping, Sequence
from functools import cache

from scriptc.backends.llvm.emitter.lazy_tables import TableInParts
from scriptc.backends.llvm.entry import list_routines, traces
from scriptc.backends.llvm.entry.functions import routines as boundary_routines
from scriptc.backends.llvm.generators import locks, ziggurat
from scriptc.backends.llvm.generators import routines as random_routines
from scriptc.backends.llvm.routines import (
    bigints,
    byte_objects,
    complex,
    decimal_texts,
    decimals,
    device,
    kernels,
    reshaping,
    scalars,
    text_contents,
    text_formats,
    text_numbers,
    text_objects,
    text_searches,
    texts,
)
from scriptc.backends.llvm.routines.small import ROUTINES, Routine
from scriptc.backends.llvm.rules import gufuncs

_USUAL_AT_BOUNDARY = ("report", "call_with_address")


@cache
def routines() -> Mapping[str, Routine]:
    """Return all routines, for this Python and NumPy."""
    return TableInParts(_usual(), _seldom)


@cache
def _usual() -> Mapping[str, Routine]:
    boundary = boundary_routines()
    return {
        **{name: traces.ROUTINES[name] for name in traces.USUAL},
        **{name: boundary[name] for name in _USUAL_AT_BOUNDARY},
    }


@cache
def _seldom() -> Mapping[str, Routine]:
    modules = (
        list_routines,
        reshaping,
        kernels,
        device,
        random_routines,
        locks,
        scalars,
        complex,
        texts,
        text_contents,
        text_formats,
        text_numbers,
        text_objects,
        text_searches,
        byte_objects,
        bigints,
        decimal_texts,
        decimals,
        gufuncs,
    )
    every = {
        **ROUTINES,
        **boundary_routines(),
        **traces.ROUTINES,
        **{name: routine for module in modules for name, routine in module.ROUTINES.items()},
        "normal": ziggurat.NORMAL,
    }
    return {name: routine for name, routine in every.items() if name not in _usual()}


def shared_routines(*, usual: bool) -> Sequence[Routine]:
    """Return the routines of the support code's core, or those of its rest."""
    return [r for r in (_usual() if usual else _seldom()).values() if r.shared]
