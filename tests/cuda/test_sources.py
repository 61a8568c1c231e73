"""The CUDA C++ that kernels become: its text, what is refused, and what NVRTC makes of it."""

import math
import re

import pytest

from scriptc.backends.cuda.backend import translate
from scriptc.backends.cuda.number_types import literal
from scriptc.backends.cuda.nvrtc import compile_cubin, compile_without_spills
from scriptc_runtime.errors import UnsupportedError
from scriptc_runtime.ir import Module
from scriptc_runtime.record import replace
from scriptc_runtime.reserved import KERNEL_PREFIX
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.types import DType
from tests.support.cuda_programs import CORE, HANDMADE, lowered


def test_the_source_names_the_line_of_each_statement() -> None:
    source = translate(lowered(CORE)).source
    kernel = source[source.index("// kernel.softmax.0") :]
    assert kernel.startswith("// kernel.softmax.0, of softmax.py: rows threads=256\n")
    line = kernel.index("// softmax.py:7\n")
    assert line < kernel.index("// softmax.py:8\n") < kernel.index("// kernel.softmax.1")


def test_pointers_that_may_be_equal_are_not_restricted() -> None:
    # What one parameter reads another one may write: on a GPU it would be read from a stale cache.
    assert "__restrict__" not in translate(lowered(CORE)).source


def test_a_file_name_cannot_leave_its_comment() -> None:
    hostile = HANDMADE.replace("my model.py", r"a/model\n#error\\")
    text = translate(read_module(hostile)).source
    assert "\n#error" not in text
    assert not re.search(r"//.*\\$", text, re.MULTILINE)


def test_kernels_whose_names_become_one_are_kept_apart() -> None:
    first = read_module(HANDMADE).functions
    second = {
        n.replace("f.0", "f_0"): replace(f, name=n.replace("f.0", "f_0")) for n, f in first.items()
    }
    kernels = translate(Module({**first, **second})).kernels
    assert len({kernel.name for kernel in kernels.values()}) == 2


# What is refused


@pytest.mark.parametrize(
    ("old", "new", "what", "why"),
    [
        (
            "loop @L0 %3 [parallel=true]",
            "loop @L0 %3 [parallel=false]",
            "a loop whose iterations depend on each other",
            "cannot share",
        ),
        ("exit @L1.next", "exit @L1", "leaving a loop", "meet at barriers"),
        (
            "    %5 = add %begin, %4 : i64\n",
            "    %5 = add %begin, %4 : i64\n"
            "    %20 = new_array %p0 [type=tensor<i64, [?]>] : tensor<i64, [?]>\n",
            "an array made in an iteration",
            "cannot allocate",
        ),
        (
            "      %7 = load %p1, %5, %6 : i64\n",
            "      %7 = load %p1, %5, %6 : i64\n      %20 = cast %7 [to=float] : float\n"
            "      %21 = cast %20 [to=u64] : u64\n",
            "cast of float to u64",
            "numbers",
        ),
        (
            "      %7 = load %p1, %5, %6 : i64\n",
            "      %7 = load %p1, %5, %6 : i64\n      %20 = cast %7 [to=int] : int\n"
            "      %21 = pow %20, %20 : int\n",
            "pow of int, int to int",
            "numbers",
        ),
        (
            "      %7 = load %p1, %5, %6 : i64\n",
            "      %7 = load %p1, %5, %6 : i64\n      %20 = is_contiguous %p1 : bool\n",
            "is_contiguous inside a kernel",
            "host code",
        ),
        (
            "      %7 = load %p1, %5, %6 : i64\n",
            '      %7 = load %p1, %5, %6 : i64\n      %20 = const [value="x"] : str\n'
            "      print %20\n",
            "print inside a kernel",
            "no objects",
        ),
    ],
)
def test_what_threads_cannot_do_is_refused(old: str, new: str, what: str, why: str) -> None:
    text = HANDMADE.replace(old, new, 1)
    assert text != HANDMADE
    with pytest.raises(UnsupportedError, match=re.escape(f"does not support {what}")) as refused:
        translate(read_module(text))
    assert why in str(refused.value)
    assert "kernel.f.0" in str(refused.value)


# NVRTC


@pytest.mark.sampled(2)
@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
def test_nvrtc_compiles_every_kernel_without_spills(arch: str) -> None:
    module = lowered(CORE)
    resources = compile_cubin(translate(module).source, arch).resources
    assert len(resources) == sum(n.startswith(KERNEL_PREFIX) for n in module.functions)
    for name, kernel in resources.items():
        # The device's own sine keeps a few words aside while it reduces a huge argument, and the
        # tables of all ops write thirty arrays at once.
        is_table = re.fullmatch(r"kernel_[biuf]\d+_\d", name)
        allowed = 300 if is_table else 64 if "functions_f64" in name else 0
        # The compiler for sm_80 keeps three sizes aside, beside sums in order and a row in memory.
        allowed = 24 if "softmax" in name else allowed
        assert max(kernel.spill_stores, kernel.spill_loads) <= allowed, name
        # Of 65536 registers five blocks of 256 threads have enough for sums in order, and four
        # where threads take vectors.
        if "softmax" in name or "chain" in name:
            assert kernel.registers <= (64 if "chain" in name else 48), name


SPILLING = """
extern "C" __global__ void __launch_bounds__(256, 8)
kernel_many(double* x) {
  double v[40];
  for (int i = 0; i < 40; ++i) v[i] = x[i * 256 + threadIdx.x];
  __syncthreads();
  for (int i = 0; i < 40; ++i) x[i * 256 + threadIdx.x] = v[i] * v[39 - i] + v[(i * 7) % 40];
}
"""


def test_a_kernel_that_spills_is_compiled_for_fewer_blocks() -> None:
    first = compile_cubin(SPILLING).resources["kernel_many"]
    found = compile_without_spills(SPILLING, "sm_90").resources["kernel_many"]
    assert first.spill_stores > 0
    assert found.spill_stores == found.spill_loads == 0
    assert found.registers > first.registers


def test_nvrtc_compiles_a_kernel_without_the_others() -> None:
    common, kernels = translate(lowered(CORE)).texts
    name, _, text = kernels[-1]
    assert list(compile_cubin(f"{common}\n{text}").resources) == [name]


def test_the_assembly_can_be_read() -> None:
    ptx = translate(read_module(HANDMADE)).ptx("sm_90")
    assert ".target sm_90" in ptx
    assert "kernel_f_0" in ptx


@pytest.mark.parametrize(
    ("value", "dtype", "text"),
    [
        (0.1, DType.F32, "0.1f"),
        (1e20, DType.F32, "1e+20f"),
        (-0.0, DType.F64, "(-0.0)"),
        (1e300, DType.F64, "1e+300"),
        (-math.inf, DType.F32, "(-SC_INF_F32)"),
        (math.nan, DType.F64, "SC_NAN_F64"),
        (-5, DType.I64, "(-5LL)"),
        (-(2**63), DType.I64, "SC_MIN_I64"),
        (-128, DType.I8, "((signed char)-128)"),
        (2**64 - 1, DType.U64, "18446744073709551615ULL"),
        (True, DType.B1, "true"),
    ],
)
def test_a_constant_keeps_its_value(value: float, dtype: DType, text: str) -> None:
    assert literal(value, dtype) == text
