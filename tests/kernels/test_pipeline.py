"""Passes and kernels keep what a program computes, writes and raises: random programs say so.

Many more programs than a test run has time for: `python -m tests.kernels.test_pipeline 5000`.
"""

import random
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scriptc.kernels.fusion.fuse import fuse
from scriptc.kernels.loops.outline import outline
from scriptc.passes.pipeline import CLEAN
from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.ir import Module
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.text.writer import write_module
from scriptc_runtime.verify.module import verify
from tests.support.outcomes import first_difference
from tests.support.programs_ir import make_program


def check(rng: random.Random) -> None:
    program = make_program(rng)
    difference = first_difference(program.module, program.make_arguments)
    assert difference is None, f"{write_module(program.module)}\n{program.arguments}\n{difference}"


@pytest.mark.sampled(5)
@pytest.mark.parametrize("part", range(5))
@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=(HealthCheck.too_slow,),
)
@given(seed=st.integers(0, 2**63))
def test_every_stage_computes_what_core_ir_computes(seed: int, part: int) -> None:
    check(random.Random(f"{part} {seed}"))


def low(text: str) -> Module:
    module = read_module(text)
    verify(module)
    for step in (fuse, *CLEAN, outline):
        module = step(module)
        verify(module, level=Level.LOW)
    return module


LEADING_SUM = """
func @f(%x: tensor<{dtype}, [N, M, K]>) -> tensor<{dtype}, [{left}]> {{
  %0 = sum %x [axis=({axes},), keepdims=false] : tensor<{dtype}, [{left}]>
  exit @return %0
}}
"""


@pytest.mark.parametrize(
    ("axes", "left", "shape"),
    [("0", "M, K", (700, 2, 1)), ("0, 1", "K", (13, 50, 3)), ("0, 2", "M", (300, 2, 3))],
)
def test_a_sum_over_leading_axes_of_many_rows_is_exact_where_it_can_be(
    axes: str, left: str, shape: tuple[int, ...]
) -> None:
    module = low(LEADING_SUM.format(dtype="f64", axes=axes, left=left))
    x = np.arange(np.prod(shape)).reshape(shape) / 4
    found = Interpreter(module).call("f", [x])
    assert np.array_equal(np.asarray(found), np.sum(x, axis=tuple(map(int, axes.split(", ")))))


def test_blocks_of_columns_cover_every_column() -> None:
    module = low(LEADING_SUM.format(dtype="f64", axes="0", left="M, K"))
    x = np.arange(2 * 600.0).reshape(2, 1, 600)
    assert np.array_equal(np.asarray(Interpreter(module).call("f", [x])), x.sum(axis=0))


def test_the_error_of_a_sum_over_leading_axes_grows_with_the_logarithm() -> None:
    # Added one after the other, 0.1 in f32 is off by 5.3 here; in pairs it keeps its digits.
    module = low(LEADING_SUM.format(dtype="f32", axes="0", left="M, K"))
    rows = 20_000
    x = np.full((rows, 1, 1), 0.1, np.float32)
    found = float(np.asarray(Interpreter(module).call("f", [x])).item())
    exact = rows * float(np.float32(0.1))
    additions = 64 + np.log2(rows / 64)
    assert abs(found - exact) <= additions * np.finfo(np.float32).eps * exact


# Each was a wrong answer once, or would be one if a check of `fuse` were left out.
TRAPS = {
    "a value that waits does not see a write to the array it was computed from": """
  %1 = add %x, %x : tensor<f64, [N]>
  %2 = mul %1, %x : tensor<f64, [N]>
  assign %1, %x
  %4 = neg %2 : tensor<f64, [N]>
  %3 = tuple %1, %4 : tuple<tensor<f64, [N]>, tensor<f64, [N]>>
  exit @return %3
""",
    "a product that waits does not see a write to its factor": """
  %0 = transpose %m [order=(1, 0)] : tensor<f64, [N, N]>
  %1 = copy %0 : tensor<f64, [N, N]>
  %2 = matmul %m, %1 : tensor<f64, [N, N]>
  %5 = matmul %x, %1 : tensor<f64, [N]>
  assign %m, %x
  assign %x, %y
  %4 = neg %2 : tensor<f64, [N, N]>
  %6 = neg %5 : tensor<f64, [N]>
  %3 = tuple %4, %6 : tuple<tensor<f64, [N, N]>, tensor<f64, [N]>>
  exit @return %3
""",
    "a vector read across its rows is not overwritten while it is read": """
  %1 = add %m, %x : tensor<f64, [N, N]>
  %2 = sum %1 [axis=(1,), keepdims=false] : tensor<f64, [N]>
  assign %x, %2
  %none = const [value=none] : None
  %3 = tuple %none : tuple<None>
  exit @return %3
""",
    "sums of rows meet the columns that broadcasting says": """
  %1 = sum %m [axis=(1,), keepdims=false] : tensor<f64, [N]>
  %2 = sub %m, %1 : tensor<f64, [N, N]>
  %3 = tuple %2 : tuple<tensor<f64, [N, N]>>
  exit @return %3
""",
    "a row is divided by its own sum in place": """
  %1 = sum %m [axis=(1,), keepdims=true] : tensor<f64, [N, 1]>
  %2 = div %m, %1 : tensor<f64, [N, N]>
  assign %m, %2
  %3 = tuple %1 : tuple<tensor<f64, [N, 1]>>
  exit @return %3
""",
    "a power that raises comes before a later error": """
  %1 = cast %x [to=i64] : tensor<i64, [N]>
  %2 = neg %1 : tensor<i64, [N]>
  %3 = pow %1, %2 : tensor<i64, [N]>
  %4 = const [value=99] : int
  %5 = index %x, %4 : f64
  %6 = tuple %5 : tuple<f64>
  exit @return %6
""",
    "a power that raises is computed even if nobody uses it": """
  %1 = cast %x [to=i64] : tensor<i64, [N]>
  %2 = neg %1 : tensor<i64, [N]>
  %3 = pow %1, %2 : tensor<i64, [N]>
  %6 = tuple %x : tuple<tensor<f64, [N]>>
  exit @return %6
""",
    "a sum of nothing but a negative zero is zero": """
  %1 = neg %x : tensor<f64, [N]>
  %2 = mul %x, %1 : tensor<f64, [N]>
  %3 = sub %2, %2 : tensor<f64, [N]>
  %4 = neg %3 : tensor<f64, [N]>
  %5 = sum %4 [axis=(), keepdims=false] : tensor<f64, [N]>
  %6 = tuple %5, %4 : tuple<tensor<f64, [N]>, tensor<f64, [N]>>
  exit @return %6
""",
}


@pytest.mark.parametrize("claim", TRAPS)
@pytest.mark.parametrize("shared", [False, True])
def test_a_trap(claim: str, shared: bool) -> None:
    body = TRAPS[claim]
    result = body.split("tuple ")[1].split(" : ")[1].split("\n")[0]
    params = "%x: tensor<f64, [N]>, %y: tensor<f64, [N]>, %m: tensor<f64, [N, N]>"
    module = read_module(f"func @f({params}) -> {result} {{{body}}}\n")

    def make() -> list[object]:
        m = np.arange(1.0, 10.0).reshape(3, 3)
        return [m[1], m[2], m] if shared else [m[1].copy(), m[2].copy(), m]

    assert first_difference(module, make) is None


def main(count: int) -> None:
    """Check `count` programs, the same ones each time."""
    for seed in range(count):
        try:
            check(random.Random(seed))
        except Exception:
            print(f"program {seed}", file=sys.stderr)
            raise


if __name__ == "__main__":
    main(int(sys.argv[1]))
