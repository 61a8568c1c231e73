"""The memory a run takes, counted and refused where it would pass a budget."""

import math
import re
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import cast

import numpy as np

from scriptc_runtime.errors import BudgetExceededError
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import arrays, buffers, data, generators, joining, low, picking, texts
from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.ops.opdef import OpDef, Trait
from scriptc_runtime.types import DType


class Memory:
    """Counts the bytes of the arrays that a run has alive, and refuses before making too large."""

    def __init__(self, limit: int) -> None:
        self._left = limit

    def guarded(self, instr: Instr, evaluate: Callable[..., object]) -> Callable[..., object]:
        """Return `evaluate` with the size of its result foreseen and counted."""
        foresee = _FORESEEN.get(instr.op)
        if foresee is None and Trait.ELEMENTWISE in instr.op.traits:
            foresee = _broadcast_bytes
        if instr.op is generators.DRAW_ARRAY:
            rank = len(cast("tuple[object, ...]", instr.attrs["dims"]))
            foresee = partial(_last_bytes, rank)
        dtype = instr.attrs.get("dtype")
        itemsize = dtype.itemsize if isinstance(dtype, DType) else 8

        def run(*operands: object, **attrs: object) -> object:
            if foresee:
                self._check(foresee(operands, itemsize))
            result = evaluate(*operands, **attrs)
            self._count(result)
            return result

        return run

    def _check(self, size: int) -> None:
        if size > self._left:
            raise BudgetExceededError(f"a result of {size} bytes is over the memory budget")

    def _count(self, result: object) -> None:
        if isinstance(result, np.ndarray):
            array = cast(Array, result)
            if array.base is None:
                self._left -= array.nbytes
                weakref.finalize(array, partial(self._free, array.nbytes)).atexit = False
        elif isinstance(result, str):
            # No one says when a text ends, so it stays counted.
            self._left -= 4 * len(result)
        self._check(0)

    def _free(self, size: int) -> None:
        self._left += size


def _product(sizes: Sequence[object]) -> int:
    # A negative size is the op's own error.
    return math.prod(max(int(cast(int, size)), 0) for size in sizes)


def _sized_bytes(operands: Sequence[object], itemsize: int) -> int:
    return _product(operands) * itemsize


def _last_bytes(rank: int, operands: Sequence[object], itemsize: int) -> int:
    return _product(operands[len(operands) - rank :]) * itemsize


def _full_bytes(operands: Sequence[object], itemsize: int) -> int:
    return _product(operands[1:]) * itemsize


def _arange_bytes(operands: Sequence[object], itemsize: int) -> int:
    start, stop, step = (float(cast(float, x)) for x in operands)
    count = (stop - start) / step if step else 0.0
    return int(count) * itemsize if 0 < count < math.inf else 0


def _broadcast_bytes(operands: Sequence[object], itemsize: int) -> int:
    shapes = [cast(Array, x).shape for x in operands if isinstance(x, np.ndarray)]
    try:
        return math.prod(np.broadcast_shapes(*shapes)) * itemsize
    except ValueError:
        return 0  # the op says it better


def _matmul_bytes(operands: Sequence[Array], itemsize: int) -> int:
    lhs, rhs = operands
    return math.prod((*lhs.shape[:-1], *rhs.shape[1:])) * itemsize


def _join_bytes(operands: Sequence[Array], itemsize: int) -> int:
    return sum(part.size for part in operands) * itemsize


def _take_bytes(operands: Sequence[Array], itemsize: int) -> int:
    base, first, *more = operands
    return first.size * math.prod(base.shape[1 + len(more) :]) * itemsize


def _outer_take_bytes(operands: Sequence[Array], itemsize: int) -> int:
    base, *places = operands
    count = math.prod(index.size for index in places)
    return count * math.prod(base.shape[len(places) :]) * itemsize


def _put_at_bytes(operands: Sequence[Array], itemsize: int) -> int:
    base, _, *places = operands
    return _take_bytes([base, *places], itemsize)


def _text_bytes(operands: Sequence[object], itemsize: int) -> int:
    return sum(len(part) for part in operands if isinstance(part, str | bytes)) * itemsize


def _joined_bytes(operands: Sequence[object], itemsize: int) -> int:
    between, parts = cast("tuple[str, list[str]]", operands)
    return (len(between) * len(parts) + sum(map(len, parts))) * itemsize


def _formatted_bytes(operands: Sequence[object], itemsize: int) -> int:
    # No text is longer than its width and precision say, but for what it shows itself.
    return sum(int(number[:18]) for number in re.findall("[0-9]+", str(operands[1]))) * itemsize


_FORESEEN: Mapping[OpDef, Callable[..., int]] = {
    arrays.EMPTY: _sized_bytes,
    arrays.FULL: _full_bytes,
    arrays.ARANGE: _arange_bytes,
    arrays.COPY: _broadcast_bytes,
    arrays.MATMUL: _matmul_bytes,
    joining.JOIN: _join_bytes,
    joining.ROLL: _broadcast_bytes,
    picking.TAKE: _take_bytes,
    picking.OUTER_TAKE: _outer_take_bytes,
    picking.PUT_AT: _put_at_bytes,
    data.CONCAT: _text_bytes,
    texts.STR_JOIN: _joined_bytes,
    texts.FORMAT_BY: _formatted_bytes,
    low.NEW_ARRAY: _sized_bytes,
    buffers.KEPT_ARRAY: _sized_bytes,
}
