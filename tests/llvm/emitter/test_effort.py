"""Which functions say that few of LLVM's passes are enough for them."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from scriptc.backends.llvm import emit
from scriptc.backends.llvm.emit import emit_module
from scriptc.backends.llvm.emitter.effort import Effort, effort_of
from scriptc.check.roots import Root
from scriptc.driver import check_and_lower, to_low
from scriptc.options import Options
from scriptc_runtime.dims import symbol
from scriptc_runtime.types import INT, STR, DType, ListType, TensorType, Type

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


def efforts(function: Callable[..., Any], types: Sequence[Type]) -> Sequence[Effort]:
    core = check_and_lower([Root(function, types)])
    heads = [
        line
        for line in emit_module(to_low(core.module, Options())).text.splitlines()
        if "define" in line
    ]
    return [effort_of(head) for head in heads if f'@"{function.__name__}.' in head]


def effort(function: Callable[..., Any]) -> Effort:
    (found,) = efforts(function, [MATRIX, VECTOR, INT])
    return found


def test_a_loop_over_products_is_worth_few_passes() -> None:
    assert effort(multiplied) is Effort.SIMPLE


def test_a_loop_over_elements_beside_products_is_worth_all() -> None:
    assert effort(looked_up) is Effort.FULL


def nested(texts, n):
    if n > 0:
        nested(texts, n - 1)
    for text in texts:
        texts[n] = text + texts[n]


def test_what_calls_itself_is_worth_the_same_passes_where_others_call_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(emit, "_LARGE", 0)
    assert efforts(nested, [ListType(STR), INT]) == [Effort.MOST, Effort.MOST]
