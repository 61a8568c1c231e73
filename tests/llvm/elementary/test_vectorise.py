"""Loops with elementary functions and reductions become vector code, whatever LLVM version runs."""

import re

import pytest

from scriptc.backends.llvm import machine
from scriptc.backends.llvm.elementary import functions as llvm_math
from scriptc.backends.llvm.vectors.reductions import Kind
from tests.llvm.vectors.test_reductions import (
    exp_element,
    loop_module,
    positive_element,
    product_element,
)
from tests.support.math_jit import X86, compile_map, compile_text, host_features, map_text

FMA = X86 and "+fma" in host_features()
needs_fma = pytest.mark.skipif(not FMA, reason="the vector shapes asserted are those of x86")
VECTOR_FMA = re.compile(r"call <(4|8|16) x (double|float)> @llvm\.fma\.v")
PAIRS = sorted(llvm_math.ULP)


def body(optimised: str, name: str) -> str:
    """The text of one function."""
    return optimised[optimised.index(f"@{name}(") :].split("\n}", 1)[0]


@needs_fma
@pytest.mark.parametrize(("name", "type_"), PAIRS)
def test_a_loop_over_a_contiguous_array_is_vector_code(name: str, type_: str) -> None:
    loop = body(compile_map(name, type_).compiled.optimised, "map")
    assert VECTOR_FMA.search(loop)
    assert f"@{name}" not in loop, "libm is out of the loop"


@needs_fma
def test_a_chain_of_functions_stays_one_vector_loop() -> None:
    loop = body(machine.optimised_text(map_text(["sin", "exp", "log1p"], "f64")), "map")
    assert VECTOR_FMA.search(loop)
    assert "@sc_exp_f64" not in loop
    assert "@sc_log1p_f64" not in loop
    assert "@sc_sin_far_f64_lanes" not in loop, "all lanes are tested at once, here"
    assert "@sc_sin_far_f64_each" in loop, "one by one where a lane is far"


@needs_fma
def test_a_fused_sum_of_exp_is_vector_code() -> None:
    loop = body(
        compile_text(loop_module(Kind.SUM, "f64", "%n", exp_element), "loop").optimised, "loop"
    )
    assert VECTOR_FMA.search(loop)


@needs_fma
def test_a_fused_dot_product_is_vector_code() -> None:
    optimised = compile_text(loop_module(Kind.SUM, "f64", "%n", product_element), "loop").optimised
    assert re.search(r"fmul <(4|8) x double>", body(optimised, "loop"))
    assert "fadd <32 x double>" in body(optimised, "sc.part.block_blocks_sum_f64")


@needs_fma
def test_a_fused_count_is_vector_code() -> None:
    loop = body(
        compile_text(loop_module(Kind.SUM, "b1", "%n", positive_element), "loop").optimised, "loop"
    )
    assert re.search(r"fcmp ogt <(4|8) x double>", loop)


@needs_fma
@pytest.mark.parametrize("name", ["exp", "log", "sin"])
def test_a_sum_in_order_of_what_a_function_gives_is_vector_code_for_the_function(name: str) -> None:
    function, before = f"sc_{name}_f64", map_text([name], "f64")
    # The sum that a loop by hand writes: one float after the other.
    start = before.index("define void @map")
    text = (
        before[:start]
        + f"""
define double @total(ptr %x, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %value = load double, ptr %from
  %y = call double @{function}(double %value)
  %more = fadd double %sum, %y
  %next = add nuw nsw i64 %i, 1
  %end = icmp sge i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret double %more
}}
"""
    )
    loop = body(machine.optimised_text(text), "total")
    assert VECTOR_FMA.search(loop)
    assert not re.search(r"fadd reassoc|fadd fast", loop), "the sum stays in order"
