"""Which functions say that few of LLVM's passes are enough for them."""

from collections.abc import Callable
from typing import Any

from scriptc.backends.llvm.emit import emit_module
from scriptc.backends.llvm.emitter.effort import Effort, effort_of
from scriptc.check.roots import Root
from scriptc.driver import check_and_lower, to_low
from scriptc.options import Options
from scriptc_runtime.dims import symbol
from scriptc_runtime.types import INT, DType, TensorType

# Scripts without annotations.
# pyright: basic

VECTOR, MATRIX = (TensorType(DType.F64, tuple(map(symbol, names))) for names in ("N", "NN"))


def multiplied(matrix, vector, n):
    for _ in range(n):
        vector = matrix @ vector
    return vector


def looked_up(matrix, vector, n):
    for k in range(n):
        vector = matrix @ vector
        for i in range(n):
            if vector[i] < 0.0:
                return k
    return n


def effort(function: Callable[..., Any]) -> Effort:
    core = check_and_lower([Root(function, [MATRIX, VECTOR, INT])])
    text = emit_module(to_low(core.module, Options())).text
    name = f'@"{function.__name__}."('
    return effort_of(next(line for line in text.splitlines() if "define" in line and name in line))


def test_a_loop_over_products_is_worth_few_passes() -> None:
    assert effort(multiplied) is Effort.SIMPLE


def test_a_loop_over_elements_beside_products_is_worth_all() -> None:
    assert effort(looked_up) is Effort.FULL
