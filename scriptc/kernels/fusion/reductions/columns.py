"""Folds of a few rows to a row of results: a window of an image, a handful of samples.

    np.sum(x[:, i:i+k, j:j+k, :, None] * w, axis=(1, 2, 3))        for each n, a vector of columns:
                                                                     total = 0 in a register
                                                                     for each row of the window:
                                                                       total += x[n, ...] * w[...]
                                                                     store total

The back end makes vectors of the columns, whose accumulators stay in registers.  The rows of each
axis are folded in order, and what they give to the next axis outwards: an element of the sum takes
part in as many additions as the axes have rows together, less one for each.  Only where those are
few is it done like this, whatever the sizes of the program are: see `is_short`.
"""

from __future__ import annotations

from collections.abc import Mapping

from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import nests
from scriptc.kernels.fusion.nodes import Axis, Fold, Map, Pick, topological
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.types import DType

_LANES = frozenset(
    {
        *(e.ADD, e.SUB, e.MUL, e.DIV, e.NEG, e.ABS, e.SQRT, e.MAXIMUM, e.MINIMUM, e.WHERE, e.CAST),
        *(e.AND, e.OR, e.XOR, e.INVERT, e.NOT, *e.COMPARISONS),
        None,
    }
)
_DTYPES = frozenset({DType.F64, DType.F32, DType.I64, DType.I32, DType.B1})


def in_lanes(fold: Fold) -> bool:
    """Whether columns can be lanes: the last axis stays, and the elements are simple."""
    if len(fold.arg.axes) - 1 in fold.reduced or fold.dtype is DType.B1:
        return False
    nodes = topological([fold.arg])
    if any(isinstance(n, Pick) for n in nodes):
        return False
    return all(n.dtype in _DTYPES and (not isinstance(n, Map) or n.op in _LANES) for n in nodes)


def is_short(code: Code, fold: Fold, most: int) -> Value:
    """Return whether the folded axes have few rows: at most `most` additions for an element."""
    total = code.number(1 - len(fold.reduced))
    for axis in fold.reduced:
        total = code.op(e.ADD, total, fold.arg.axes[axis].size)
    return code.test(e.LE, total, code.number(most))


def over_columns(code: Code, emitter: nests.NestEmitter, fold: Fold, target: Value) -> None:
    """Emit `fold` into `target`, an accumulator for each result."""
    axes = fold.arg.axes
    kept = [a for a in range(len(axes)) if a not in fold.reduced]

    def around(number: int, index: Mapping[int, Value]) -> None:
        if number == len(kept):
            value = _folded(code, emitter, fold, 0, index)
            places = range(len(fold.axes)) if fold.kept else kept
            place = [index.get(a) or code.number(0) for a in places]
            code.builder.effect(low.STORE, target, value, *place, loc=code.loc)
            emitter.end_stage()
            return
        axis: Axis = axes[kept[number]]
        code.loop(
            axis.size,
            lambda i: around(number + 1, {**index, kept[number]: i}),
            parallel=True,
        )

    around(0, {})


def _folded(
    code: Code, emitter: nests.NestEmitter, fold: Fold, number: int, index: Mapping[int, Value]
) -> Value:
    axes = fold.arg.axes
    if number == len(fold.reduced):
        return emitter.element(fold.arg, tuple(index[a] for a in range(len(axes))))
    axis = fold.reduced[number]
    return code.reduce(
        fold.kind,
        axes[axis].size,
        lambda i: _folded(code, emitter, fold, number + 1, {**index, axis: i}),
    )
