"""How LLVM calls comparisons: of signed ints, of unsigned ones, of floats."""

from collections.abc import Mapping

from scriptc_runtime.ops import elementwise as ops
from scriptc_runtime.ops.opdef import OpDef

# LLVM's predicates: of signed and unsigned integers, and of floats, where only != holds of NaN.
PREDICATES: Mapping[OpDef, tuple[str, str, str]] = {
    ops.EQ: ("eq", "eq", "oeq"),
    ops.NE: ("ne", "ne", "une"),
    ops.LT: ("slt", "ult", "olt"),
    ops.LE: ("sle", "ule", "ole"),
    ops.GT: ("sgt", "ugt", "ogt"),
    ops.GE: ("sge", "uge", "oge"),
}
