"""The interpreter, for tests of passes: what is read or written unchecked has to be in its array.

The interpreter itself lets an index run on into the next rows, where rows adjoin, and so beside
the array where a pass has made a mistake; as machine code does, it then reads what stands there.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import low

_FIRST_INDEX = {low.LOAD: 1, low.STORE: 2}


class BoundedInterpreter(Interpreter):
    """Runs functions; an unchecked access outside of its array fails the test."""

    def _evaluator(self, instr: Instr) -> Callable[..., object]:
        evaluate = super()._evaluator(instr)
        first = _FIRST_INDEX.get(instr.op)
        if first is None:
            return evaluate

        def checked(*operands: object) -> object:
            index = cast("tuple[np.int64, ...]", operands[first:])
            _require_inside(cast("NDArray[Any]", operands[0]), index)
            return evaluate(*operands)

        return checked


def _require_inside(array: NDArray[Any], index: tuple[np.int64, ...]) -> None:
    if all(0 <= i < size for i, size in zip(index, array.shape, strict=True)):
        return
    begin, end = np.lib.array_utils.byte_bounds(array)
    steps = (int(i) * stride for i, stride in zip(index, array.strides, strict=True))
    place = array.ctypes.data + sum(steps)
    assert all(i >= 0 for i in index), f"{index} of an array {array.shape}"
    assert begin <= place < end, f"{index} of an array {array.shape}"
