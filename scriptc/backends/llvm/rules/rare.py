"""The rules that most programs do not need, of ops that the others have none for."""

from collections.abc import Mapping

from scriptc.backends.llvm.emitter.function import Rule
from scriptc.backends.llvm.emitter.overlaps import may_overlap
from scriptc.backends.llvm.rules import (
    blas,
    complex,
    complex_functions,
    generators,
    gufuncs,
    launch,
    nests,
    reshaping,
    sorting,
    views,
)
from scriptc_runtime.ops import low
from scriptc_runtime.ops.opdef import OpDef

RULES: Mapping[OpDef, Rule] = {
    **complex.RULES,
    **complex_functions.RULES,
    **nests.RULES,
    **launch.RULES,
    **views.RULES,
    **reshaping.RULES,
    **blas.RULES,
    **gufuncs.RULES,
    **generators.RULES,
    **sorting.RULES,
    low.MAY_OVERLAP: may_overlap,
}
