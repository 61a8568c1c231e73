"""Which branches LLVM is told to be choices that nobody can predict.

That they compute what CPython does is shown with `tests/programs/choices.py`.
"""

# The programs have no annotations.
# pyright: basic

from collections.abc import Callable

import numpy as np
import pytest

from scriptc import script
from scriptc.backends.llvm.backend import emit
from scriptc.check.roots import Root
from scriptc.driver import to_core, to_low
from scriptc.options import Options
from scriptc_runtime.dims import symbol
from scriptc_runtime.types import INT, DType, TensorType, Type
from tests.programs import choices, flow
from tests.support.llvm_calls import spec_of

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


def test_an_overflow_in_one_of_three_ways_is_told_where_it_happens() -> None:
    def walk(a, b, found):
        i = j = 0
        while i < len(a) and j < len(b):
            if a[i] == b[j]:
                found += 1
                i += 1
                j += 1
            elif a[i] < b[j]:
                i += 1
            else:
                j += 1
        return found

    a, b = np.array([1, 3, 5, 7, 9]), np.array([0, 3, 4, 7, 8])
    function = script(walk)
    assert function(a, b, 2**63 - 3) == 2**63 - 1
    with pytest.raises(OverflowError):
        function(a, b, 2**63 - 2)
    assert function(a, a, -5) == 0
