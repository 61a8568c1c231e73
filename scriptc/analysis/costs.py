"""What is worth to be kept rather than computed again."""

from scriptc_runtime.ops import elementary
from scriptc_runtime.ops import elementwise as e

# Functions that take longer than an element takes to come from memory.
LONG = frozenset({e.EXP, e.LOG, e.POW, *elementary.ROUNDED})
# Computing an element with one of these costs more than loading it from a cache.
COSTLY = LONG | {e.SQRT, e.DIV, e.FLOORDIV, e.MOD, elementary.FMOD}
