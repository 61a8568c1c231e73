"""Folds over axes that are not the last ones: rows are added to the result, row after row.

    np.sum(x, axis=0)       for j: result[j] = 0;  for i: for j: result[j] += x[i, j]

The inner loop runs along memory and is vectorised; the order of the additions is fixed.
"""

import math
from collections.abc import Mapping

from scriptc.kernels.code import Code
from scriptc.kernels.nests import Index, NestEmitter
from scriptc.kernels.nodes import Fold
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import data, low
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import DType

COMBINE: Mapping[str, OpDef] = {"sum": e.ADD, "max": e.MAXIMUM, "min": e.MINIMUM}
_INT_ENDS = {"max": -(2**63), "min": 2**63 - 1}
_FLOAT_ENDS = {"max": -math.inf, "min": math.inf}


def identity(code: Code, kind: str, dtype: DType) -> Value:
    """Return what a fold of no elements gives."""
    value: bool | int | float
    match dtype.kind:
        case "b":
            value = kind == "min"
        case "i":
            value = _INT_ENDS.get(kind, 0)
        case _:
            value = _FLOAT_ENDS.get(kind, 0.0)
    return code.builder.emit(data.CONST, loc=code.loc, value=value, dtype=dtype)


def accumulate(code: Code, emitter: NestEmitter, fold: Fold, target: Value) -> None:
    """Emit `fold`, whose argument holds no fold, into the array `target`."""
    axes = fold.arg.axes

    def place(index: Index) -> Index:
        if not fold.kept:
            return tuple(v for i, v in enumerate(index) if i not in fold.reduced)
        zero = code.number(0)
        return tuple(zero if i in fold.reduced else v for i, v in enumerate(index))

    def clear(index: Index, axis: int) -> None:
        if axis == len(axes):
            start = identity(code, fold.kind, fold.dtype)
            code.builder.effect(low.STORE, target, start, *place(index), loc=fold.loc)
        elif axis in fold.reduced:
            clear((*index, code.number(0)), axis + 1)
        else:
            code.loop(axes[axis].size, lambda i: clear((*index, i), axis + 1), parallel=True)

    def add(index: Index, axis: int) -> None:
        if axis < len(axes):
            parallel = axis not in fold.reduced
            code.loop(axes[axis].size, lambda i: add((*index, i), axis + 1), parallel=parallel)
            return
        value = emitter.element(fold.arg, index)
        where = place(index)
        total = code.op(low.LOAD, target, *where)
        total = code.op(COMBINE[fold.kind], total, value)
        code.builder.effect(low.STORE, target, total, *where, loc=fold.loc)

    def rows(index: Index) -> None:
        if len(index) < fold.depth:
            code.loop(axes[len(index)].size, lambda i: rows((*index, i)), parallel=True)
            return
        clear(index, len(index))
        add(index, len(index))

    rows(())
