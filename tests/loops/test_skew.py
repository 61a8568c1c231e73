"""Which sweeps are done two rows at a time, and how far the second row stays behind.

That they compute what CPython does is shown with `tests/programs/sweeps.py`.
"""

# The programs have no annotations.
# pyright: basic

from collections.abc import Callable

import pytest

from scriptc.check.roots import Root
from scriptc.driver import to_core, to_low
from scriptc.options import Options
from scriptc_runtime.dims import symbol
from scriptc_runtime.ir import walk
from scriptc_runtime.ops import control, data
from scriptc_runtime.types import INT, DType, TensorType, Type
from tests.benchmarks import scalar_programs
from tests.programs import sweeps

PLANE = TensorType(DType.F64, (symbol("N"), symbol("M")))
ROW = TensorType(DType.F64, (symbol("N"),))
LEFT: tuple[int, ...] = ()
SWEEPS = [
    (sweeps.smoothed, (PLANE,), (1,)),
    (sweeps.by_rows_and_elements, (PLANE, INT, INT), (1,)),
    (sweeps.running, (PLANE,), (0,)),
    (sweeps.leaning, (PLANE,), (2,)),
    (sweeps.too_far, (PLANE,), LEFT),
    (sweeps.whole_row, (PLANE,), LEFT),
    (sweeps.coefficients, (PLANE, PLANE, ROW), (0,)),
    (sweeps.two_loops, (PLANE, PLANE), (1,)),
    (sweeps.ahead_of_it, (PLANE, PLANE), LEFT),
    (sweeps.backwards, (PLANE,), (0,)),
    (sweeps.rows_of_many, (PLANE, PLANE), LEFT),
    (sweeps.triangle, (PLANE,), LEFT),
    (scalar_programs.seidel, (PLANE, INT), (1,)),
    (scalar_programs.jacobi, (PLANE, PLANE, INT), LEFT),
]


@pytest.mark.parametrize(
    ("function", "types", "behind"), SWEEPS, ids=[s[0].__name__ for s in SWEEPS]
)
def test_rows_are_paired_where_no_order_is_changed(
    function: Callable[..., object], types: tuple[Type, ...], behind: tuple[int, ...]
) -> None:
    core = to_core([Root(function, types)], Options())
    low = to_low(core.module, Options()).functions[core.root.name]
    numbers = {i.result: i.attrs["value"] for i in walk(low.body) if i.op is data.CONST}
    paired = [
        numbers[i.operands[0]]
        for i in walk(low.body)
        if i.op is control.FOR and i.label is not None and i.label.name == "stagger"
    ]
    assert tuple(paired) == behind
