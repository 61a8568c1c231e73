"""What work is: what an element costs, and what is worth to be kept rather than computed again.

The unit of a cost is about an eighth of a nanosecond: an addition in vector code whose operands are
in the cache.
"""

from collections.abc import Mapping

from scriptc_runtime.ops import arrays, control, data, elementary, low, sorting
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef

# Functions that take longer than an element takes to come from memory.
LONG = frozenset({e.EXP, e.LOG, e.POW, *elementary.ROUNDED})
# Computing an element with one of these costs more than loading it from a cache.
COSTLY = LONG | {e.SQRT, e.DIV, e.FLOORDIV, e.MOD, elementary.FMOD}

_NOTHING = (data.CONST, low.SIZE, low.ASSUME_CONTIGUOUS, arrays.DIM, control.EXIT)
_CHEAP = (
    *(e.ADD, e.SUB, e.MUL, e.NEG, e.ABS, e.CAST),
    *(e.MAXIMUM, e.MINIMUM, low.SELECT),
    *e.BITWISE,
    *e.COMPARISONS,
)
COSTS: Mapping[OpDef, int] = {
    **dict.fromkeys(_NOTHING, 0),
    **dict.fromkeys(_CHEAP, 1),
    e.DIV: 4,
    **dict.fromkeys((e.FLOORDIV, e.MOD, elementary.FMOD), 8),
    e.SQRT: 4,
    e.EXP: 6,
    e.LOG: 8,
    e.POW: 100,
    low.LOAD: 1,
    low.STORE: 2,
}
# What takes rows whole, of an element.
OF_ROWS: Mapping[OpDef, int] = {
    sorting.EXTREME_PLACE: 1,
    sorting.SORT_ROW: 40,
    sorting.ORDER_ROW: 60,
}
SCALAR = 2  # scalar code takes so many times what vector code takes
OTHER = 20  # what some functions take in vector code, and none in scalar code


def scalar_cost(op: OpDef) -> int:
    """Return what an op costs in scalar code, where functions take as long as in vector code.

    Scalar code takes `SCALAR` times as long as the sum of these.
    """
    return OTHER if op in LONG else COSTS.get(op, 1)
