"""What is worth to be kept rather than computed again."""

from scriptc_runtime.ops import elementary
from scriptc_runtime.ops import elementwise as e

# Computing an element with one of these costs more than loading it from a cache.
COSTLY = frozenset(
    {e.EXP, e.LOG, e.SQRT, e.POW, e.DIV, e.FLOORDIV, e.MOD, elementary.FMOD, *elementary.ROUNDED}
)
