"""Which branches LLVM is told to be choices that nobody can predict.

That they compute what CPython does is shown with `tests/programs/choices.py`.
"""

# The programs have no annotations.
# pyright: basic

from collections.abc import Callable

import pytest

from scriptc.backends.llvm.backend import emit
from scriptc.check.program import Root
from scriptc.driver import to_core, to_low
from scriptc.options import Options
from scriptc_runtime.dims import symbol
from scriptc_runtime.types import INT, DType, TensorType, Type
from tests.llvm_calls import spec_of
from tests.programs import choices, flow

ROW = TensorType(DType.I64, (symbol("N"),))
TEXTS = [
    (choices.crc, (ROW, INT), True, True),
    (choices.crc_step, (ROW, INT), True, True),
    (choices.two_new, (INT, INT), True, False),
    (choices.reduced, (ROW, INT), True, True),
    (choices.halves, (INT, INT), False, False),
    (choices.least, (ROW,), False, False),
    (choices.place, (ROW, DType.I64), False, False),
    (flow.gcd, (INT, INT), False, False),
]


@pytest.mark.parametrize(("function", "types", "hinted", "frozen"), TEXTS)
def test_choices_between_new_integers_are_unpredictable(
    function: Callable[..., object], types: tuple[Type, ...], hinted: bool, frozen: bool
) -> None:
    core = to_core([Root(function, types)], Options())
    low = to_low(core.module, Options())
    text = emit(low, [spec_of(low.functions[core.root.name])]).text
    assert ("!unpredictable" in text) is hinted
    assert ("freeze" in text) is frozen
