"""The order of the passes over core IR."""

from collections.abc import Callable, Sequence

from scriptc.passes.characters import characters
from scriptc.passes.cse import cse
from scriptc.passes.dce import dce
from scriptc.passes.fields_apart import fields_apart
from scriptc.passes.fold import fold
from scriptc.passes.hoist import hoist
from scriptc.passes.hoist_arrays import hoist_arrays
from scriptc.passes.inline import inline
from scriptc.passes.simplify import simplify
from scriptc.passes.simplify_arrays import simplify_arrays
from scriptc.passes.sizes import sizes
from scriptc.passes.steady import steady
from scriptc.passes.unused import unused
from scriptc_runtime.ir import Module

Pass = Callable[[Module], Module]

CLEAN: Sequence[Pass] = (steady, fold, simplify, hoist, cse, unused, dce)
# What works on whole arrays: on values, before library ops are opened.
WHOLE: Sequence[Pass] = (fields_apart, hoist_arrays, simplify_arrays)
# What functions that were inlined in one another leave to do first.
JOINED: Sequence[Pass] = (sizes, characters)
OPTIMISE: Sequence[Pass] = (inline, *JOINED, *CLEAN, *WHOLE)
