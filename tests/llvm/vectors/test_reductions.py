"""Reductions in LLVM IR: NumPy's results, in an order that no machine and no thread changes."""

import ctypes
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from scriptc.backends.llvm.elementary import functions as llvm_math
from scriptc.backends.llvm.vectors import blocks, reductions
from scriptc.backends.llvm.vectors.reductions import Kind
from tests.support.math_jit import X86, Compiled, compile_text, host_features

Array = Any  # of any dtype
NUMPY: dict[Kind, Callable[..., Any]] = {
    Kind.SUM: np.sum,
    Kind.PRODUCT: np.prod,
    Kind.MAX: np.max,
    Kind.MIN: np.min,
}
LLVM_TYPES = {"f64": "double", "f32": "float", "i64": "i64", "i16": "i16", "u8": "i8"}
CTYPES: dict[str, Any] = {
    "f64": ctypes.c_double,
    "f32": ctypes.c_float,
    "i64": ctypes.c_int64,
    "i16": ctypes.c_int16,
    "u8": ctypes.c_uint8,
}
DTYPES = {"f64": "f8", "f32": "f4", "i64": "i8", "i16": "i2", "u8": "u1"}
SIZES = [*range(1, 70), 127, 128, 1000, 1023, 1024, 1025, 2048, 2049, 5000, 7 * 1024 + 13]
FLOATS = ("f64", "f32")


@dataclass(frozen=True, slots=True)
class Run:
    """A compiled reduction of an array, along its first axis."""

    compiled: Compiled
    type_: str

    def __call__(self, x: Array) -> Any:
        signature = ctypes.CFUNCTYPE(
            CTYPES[self.type_], ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
        )
        stride = x.strides[0] // x.itemsize
        return signature(self.compiled.address)(x.ctypes.data, x.size, stride)


@cache
def run(kind: Kind, type_: str, cpu: str = "") -> Run:
    t = LLVM_TYPES[type_]
    loop = reductions.emit_reduction_loop(kind, type_, "%n", strided_element(t), "run")
    module = f"""
{support_text([(kind, type_)])}
define {t} @run(ptr %data, i64 %n, i64 %stride) {{
entry:
{chr(10).join((*loop.entry, *loop.lines))}
  ret {t} {loop.result}
}}
"""
    return Run(compile_text(module, "run", cpu), type_)


def support_text(names: Sequence[tuple[Kind, str]]) -> str:
    """What stands around loops: declarations, or the functions of the support code."""
    in_blocks = [name for name in names if name[1] in FLOATS]
    declared = reductions.declarations([name for name in names if name not in in_blocks])
    return "\n".join((*sorted(declared), *(blocks.definitions(*name) for name in in_blocks)))


def strided_element(t: str) -> reductions.Element:
    def element(index: str) -> tuple[Sequence[str], str]:
        lines = [
            f"%place = mul nsw i64 {index}, %stride",
            f"%from = getelementptr inbounds {t}, ptr %data, i64 %place",
            f"%loaded = load {t}, ptr %from",
        ]
        return lines, "%loaded"

    return element


def loop_module(kind: Kind, type_: str, n: str, element: reductions.Element) -> str:
    """A module with `T @loop(ptr x, ptr y, i64 n)`, from the builder of fused reductions."""
    t = "i64" if type_ == "b1" else LLVM_TYPES[type_]
    support = support_text([] if type_ == "b1" else [(kind, type_)])
    functions = llvm_math.functions([("exp", "f64")])
    loop = reductions.emit_reduction_loop(kind, type_, n, element, "sum")
    lines = [
        support,
        *sorted(functions.declarations.difference(support.splitlines())),
        functions.definitions,
        f"define {t} @loop(ptr noalias %x, ptr noalias %y, i64 %n) {{",
        "entry:",
        *loop.entry,
        *loop.lines,
        f"  ret {t} {loop.result}",
        "}",
    ]
    return "\n".join(lines)


def call_loop(compiled: Compiled, result: Any, x: Array, y: Array) -> Any:
    signature = ctypes.CFUNCTYPE(result, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    return signature(compiled.address)(x.ctypes.data, y.ctypes.data, x.size)


def load(name: str, index: str) -> list[str]:
    return [
        f"%{name}.at = getelementptr inbounds double, ptr %{name}, i64 {index}",
        f"%{name}.value = load double, ptr %{name}.at",
    ]


def product_element(index: str) -> tuple[Sequence[str], str]:
    lines = [*load("x", index), *load("y", index), "%xy = fmul double %x.value, %y.value"]
    return lines, "%xy"


def exp_element(index: str) -> tuple[Sequence[str], str]:
    return [*load("x", index), "%e = call double @sc_exp_f64(double %x.value)"], "%e"


def positive_element(index: str) -> tuple[Sequence[str], str]:
    return [*load("x", index), "%positive = fcmp ogt double %x.value, 0.0"], "%positive"


def branching_element(index: str) -> tuple[Sequence[str], str]:
    lines = [
        *load("x", index),
        "%negative = fcmp olt double %x.value, 0.0",
        "br label %choose",
        "choose:",
        "br i1 %negative, label %flip, label %chosen",
        "flip:",
        "%flipped = fneg double %x.value",
        "br label %chosen",
        "chosen:",
        "%size = phi double [ %x.value, %choose ], [ %flipped, %flip ]",
    ]
    return lines, "%size"


def dyadic(n: int, type_: str) -> Array:
    """Numbers whose sums are exact in any order."""
    return np.random.default_rng(n).integers(-40, 40, n).astype(DTYPES[type_])


@pytest.mark.parametrize("type_", LLVM_TYPES)
@pytest.mark.parametrize("kind", [Kind.SUM, Kind.MAX, Kind.MIN])
def test_runs_of_every_length_give_what_numpy_gives(kind: Kind, type_: str) -> None:
    for n in SIZES:
        x = dyadic(n, type_)
        assert run(kind, type_)(x) == NUMPY[kind](x, **_same_type(kind, x)), n


@pytest.mark.parametrize("type_", LLVM_TYPES)
@pytest.mark.parametrize("kind", [Kind.SUM, Kind.MAX])
@pytest.mark.parametrize("step", [2, 3, -1])
def test_strided_runs_give_what_numpy_gives(kind: Kind, type_: str, step: int) -> None:
    for n in (1, 2, 63, 3000, 5000):
        x = dyadic(n, type_)[::step]
        assert run(kind, type_)(x) == NUMPY[kind](x, **_same_type(kind, x)), n


@pytest.mark.parametrize("type_", LLVM_TYPES)
def test_products_give_what_numpy_gives(type_: str) -> None:
    for n in (1, 31, 64, 1024, 1100, 5000):
        x = np.random.default_rng(n).choice([1, 1, 1, 2], n).astype(DTYPES[type_])
        x[60:] = 1  # no overflow
        assert run(Kind.PRODUCT, type_)(x) == np.prod(x, dtype=x.dtype)


@pytest.mark.parametrize("type_", LLVM_TYPES)
def test_no_elements_give_the_identity(type_: str) -> None:
    empty = np.zeros(0, DTYPES[type_])
    assert run(Kind.SUM, type_)(empty) == 0
    assert run(Kind.PRODUCT, type_)(empty) == 1


def test_integer_sums_wrap_around() -> None:
    x = np.full(1000, 2**62 + 12345)
    assert run(Kind.SUM, "i64")(x) == np.sum(x)


@pytest.mark.parametrize("type_", FLOATS)
@pytest.mark.parametrize("kind", [Kind.MAX, Kind.MIN])
def test_one_nan_anywhere_makes_the_extremum_nan(kind: Kind, type_: str) -> None:
    for n in (1, 30, 65, 1500, 4000):
        for at in {0, n // 2, n - 1}:
            x = np.linspace(-5, 5, n).astype(DTYPES[type_])
            x[at] = np.nan
            assert math.isnan(run(kind, type_)(x)), (n, at)


@pytest.mark.parametrize("type_", FLOATS)
def test_infinities_go_through(type_: str) -> None:
    for n in (1, 70, 1500):
        x = np.zeros(n, DTYPES[type_])
        x[n // 2] = -np.inf
        assert run(Kind.SUM, type_)(x) == -np.inf
        assert run(Kind.MIN, type_)(x) == -np.inf
        x[:] = -np.inf
        assert run(Kind.MAX, type_)(x) == -np.inf


@pytest.mark.parametrize("type_", FLOATS)
def test_the_sum_of_negative_zeros_has_the_sign_of_numpys(type_: str) -> None:
    for n in (0, 1, 64, 1500):
        x = np.full(n, -0.0, DTYPES[type_])
        assert math.copysign(1, run(Kind.SUM, type_)(x)) == np.copysign(1, np.sum(x))


@pytest.mark.parametrize("type_", FLOATS)
def test_the_error_of_a_sum_grows_with_the_logarithm(type_: str) -> None:
    eps = float(np.finfo(DTYPES[type_]).eps)
    for n in (10, 1000, 100_000, 3_000_000):
        x = (np.random.default_rng(n).random(n) - 0.3).astype(DTYPES[type_])
        error = abs(run(Kind.SUM, type_)(x) - math.fsum(x))
        assert error <= math.log2(n) * eps * float(np.sum(np.abs(x), dtype=np.float64))


@pytest.mark.skipif(not X86, reason="names processors of x86")
@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v3"])
@pytest.mark.parametrize("kind", [Kind.SUM, Kind.PRODUCT])
@pytest.mark.parametrize("type_", FLOATS)
def test_narrower_vectors_give_the_same_bits(type_: str, kind: Kind, cpu: str) -> None:
    if cpu == "x86-64-v3" and "+avx2" not in host_features():
        pytest.skip("this machine cannot run AVX2")
    for n in (5, 31, 64, 1000, 5000):
        x = np.random.default_rng(n).normal(1.0, 0.05, n).astype(DTYPES[type_])
        for y in (x, x[::3]):
            assert run(kind, type_)(y) == run(kind, type_, cpu)(y)


@pytest.mark.parametrize("type_", FLOATS)
def test_strided_and_contiguous_runs_give_the_same_bits(type_: str) -> None:
    x = np.random.default_rng(1).normal(size=(5000, 2)).astype(DTYPES[type_])
    assert run(Kind.SUM, type_)(x[:, 1]) == run(Kind.SUM, type_)(x[:, 1].copy())


def test_a_loop_reduces_any_element_expression() -> None:
    rng = np.random.default_rng(3)
    dot = compile_text(loop_module(Kind.SUM, "f64", "%n", product_element), "loop")
    exp = compile_text(loop_module(Kind.SUM, "f64", "%n", exp_element), "loop")
    largest = compile_text(loop_module(Kind.MAX, "f64", "%n", product_element), "loop")
    count = compile_text(loop_module(Kind.SUM, "b1", "%n", positive_element), "loop")
    sizes = compile_text(loop_module(Kind.SUM, "f64", "%n", branching_element), "loop")
    for n in (1, 7, 64, 1024, 1025, 10_000):
        x, y = rng.normal(size=n), rng.normal(size=n)
        double = ctypes.c_double
        assert call_loop(dot, double, x, y) == pytest.approx(np.dot(x, y), rel=1e-12, abs=1e-12)
        assert call_loop(exp, double, x, y) == pytest.approx(np.sum(np.exp(x)), rel=1e-14)
        assert call_loop(largest, double, x, y) == np.max(x * y)
        assert call_loop(count, ctypes.c_int64, x, y) == np.count_nonzero(x > 0)
        assert call_loop(sizes, double, x, y) == pytest.approx(np.sum(np.abs(x)), rel=1e-14)


def test_a_loop_over_no_elements_gives_the_identity() -> None:
    empty = np.zeros(0)
    dot = compile_text(loop_module(Kind.SUM, "f64", "%n", product_element), "loop")
    count = compile_text(loop_module(Kind.SUM, "b1", "%n", positive_element), "loop")
    assert call_loop(dot, ctypes.c_double, empty, empty) == 0.0
    assert call_loop(count, ctypes.c_int64, empty, empty) == 0


def test_a_loop_of_known_length_works() -> None:
    dot = compile_text(loop_module(Kind.SUM, "f64", "40", product_element), "loop")
    x = np.arange(40.0)
    assert call_loop(dot, ctypes.c_double, x, x) == np.dot(x, x)


def _same_type(kind: Kind, x: Array) -> dict[str, Any]:
    """Make np.sum wrap in the type of x, as the run does; it would widen small integers."""
    return {"dtype": x.dtype} if kind is Kind.SUM else {}
