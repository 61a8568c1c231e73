"""Kernels from IR to CUDA C++: on the emulated device beside the interpreter, and through NVRTC.

The expected value is always what the reference interpreter makes of the core IR. Results are equal
bit for bit, but for transcendental functions and for sums that round.
"""

import math
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from scriptc.backends.cuda.backend import CudaProgram, compile_module, translate
from scriptc.backends.cuda.emulator import EmulatedDevice, Schedule
from scriptc.backends.cuda.nvrtc import compile_cubin
from scriptc.backends.cuda.rules import EXPRESSIONS, NO_RULE, STRUCTURE, literal
from scriptc.kernels.fuse import fuse
from scriptc.kernels.outline import KERNEL_PREFIX, outline
from scriptc.passes.pipeline import CLEAN
from scriptc_runtime.errors import UnsupportedError
from scriptc_runtime.interp import Interpreter
from scriptc_runtime.ir import Module, walk
from scriptc_runtime.ops import OPS
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.text_read import read_module
from scriptc_runtime.types import DType
from scriptc_runtime.values import EXCEPTIONS
from tests.outcomes import Outcome, freeze
from tests.programs_ir import Program, make_program

Array = NDArray[np.generic]

PROGRAMS = """\
func @softmax(%x: tensor<f32, [B, N]>) -> tensor<f32, [B, N]> file="softmax.py" loc(5:1) {
  %0 = max %x [axis=1, keepdims=true] : tensor<f32, [B, 1]> loc(7:20)
  %1 = sub %x, %0 : tensor<f32, [B, N]> loc(7:16)
  %2 = exp %1 : tensor<f32, [B, N]> loc(7:9)
  %3 = sum %2 [axis=1, keepdims=true] : tensor<f32, [B, 1]> loc(8:16)
  %4 = div %2, %3 : tensor<f32, [B, N]> loc(8:12)
  exit @return %4 loc(8:5)
}

func @chain(%x: tensor<f64, [N, M]>, %y: tensor<f64, [M]>, %s: f64) -> tensor<f64, [N, M]> {
  %0 = mul %x, %y : tensor<f64, [N, M]>
  %1 = add %0, %s : tensor<f64, [N, M]>
  %2 = sqrt %1 : tensor<f64, [N, M]>
  exit @return %2
}

func @stretched(%x: tensor<f32, [N, M]>, %y: tensor<f32, [?, ?]>) -> tensor<f32, [?, ?]> {
  %0 = mul %x, %y : tensor<f32, [?, ?]>
  %1 = add %0, %x : tensor<f32, [?, ?]>
  exit @return %1
}

func @spread(%x: tensor<f64, [N, M]>, %y: tensor<f64, [N, ?]>) -> tensor<f64, [N, ?]> {
  %0 = mul %x, %y : tensor<f64, [N, ?]>
  %1 = sqrt %0 : tensor<f64, [N, ?]>
  %2 = max %1 [axis=1, keepdims=true] : tensor<f64, [N, 1]>
  %3 = sub %1, %2 : tensor<f64, [N, ?]>
  exit @return %3
}

func @row_sums(%x: tensor<f32, [N, M]>) -> tensor<f32, [N]> {
  %0 = sum %x [axis=1, keepdims=false] : tensor<f32, [N]>
  exit @return %0
}

func @column_sums(%x: tensor<i64, [N, M]>) -> tensor<i64, [M]> {
  %0 = sum %x [axis=0, keepdims=false] : tensor<i64, [M]>
  exit @return %0
}

func @extremes(%x: tensor<f64, [A, B, C]>) -> tuple<tensor<f64, [A]>, tensor<f64, [A]>> {
  %0 = max %x [axis=(1, 2), keepdims=false] : tensor<f64, [A]>
  %1 = min %x [axis=(1, 2), keepdims=false] : tensor<f64, [A]>
  %2 = tuple %0, %1 : tuple<tensor<f64, [A]>, tensor<f64, [A]>>
  exit @return %2
}

func @any_all(%x: tensor<b1, [N, M]>) -> tuple<tensor<b1, [N]>, tensor<b1, [N]>> {
  %0 = max %x [axis=1, keepdims=false] : tensor<b1, [N]>
  %1 = min %x [axis=1, keepdims=false] : tensor<b1, [N]>
  %2 = tuple %0, %1 : tuple<tensor<b1, [N]>, tensor<b1, [N]>>
  exit @return %2
}

func @count(%x: tensor<b1, [N, M]>) -> tensor<i64, [N]> {
  %0 = sum %x [axis=1, keepdims=false] : tensor<i64, [N]>
  exit @return %0
}

func @product(%x: tensor<i64, [N, K]>, %y: tensor<i64, [K, M]>) -> tensor<i64, [N, M]> {
  %0 = matmul %x, %y : tensor<i64, [N, M]>
  exit @return %0
}

func @batch(%x: tensor<f64, [A, B, N]>) -> tensor<f64, [A, B, N]> {
  %0 = sum %x [axis=2, keepdims=true] : tensor<f64, [A, B, 1]>
  %1 = div %x, %0 : tensor<f64, [A, B, N]>
  exit @return %1
}

func @choose(%x: tensor<f64, [N]>, %y: tensor<f32, [N]>, %n: tensor<i64, [N]>) \
-> tensor<f64, [N]> {
  %0 = cast %y [to=f64] : tensor<f64, [N]>
  %1 = lt %x, %0 : tensor<b1, [N]>
  %2 = cast %n [to=f64] : tensor<f64, [N]>
  %3 = where %1, %x, %2 : tensor<f64, [N]>
  exit @return %3
}

func @write(%x: tensor<f64, [N]>, %y: tensor<f64, [N]>) -> None {
  %0 = neg %y : tensor<f64, [N]>
  assign %x, %0
  %1 = const [value=none] : None
  exit @return %1
}

func @power(%x: tensor<i64, [N]>, %y: tensor<i64, [N]>) -> tensor<i64, [N]> loc(1:1) {
  %0 = pow %x, %y : tensor<i64, [N]> loc(2:12)
  exit @return %0
}

func @smooth(%x: tensor<f64, [N]>, %y: tensor<f64, [N]>) \
-> tuple<tensor<f64, [N]>, tensor<f64, [N]>, tensor<f64, [N]>> {
  %0 = exp %x : tensor<f64, [N]>
  %1 = log %x : tensor<f64, [N]>
  %2 = pow %x, %y : tensor<f64, [N]>
  %3 = tuple %0, %1, %2 : tuple<tensor<f64, [N]>, tensor<f64, [N]>, tensor<f64, [N]>>
  exit @return %3
}

func @smooth32(%x: tensor<f32, [N]>, %y: tensor<f32, [N]>) \
-> tuple<tensor<f32, [N]>, tensor<f32, [N]>, tensor<f32, [N]>> {
  %0 = exp %x : tensor<f32, [N]>
  %1 = log %x : tensor<f32, [N]>
  %2 = pow %x, %y : tensor<f32, [N]>
  %3 = tuple %0, %1, %2 : tuple<tensor<f32, [N]>, tensor<f32, [N]>, tensor<f32, [N]>>
  exit @return %3
}
"""

BINARY = {
    DType.I64: ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor", "shl", "shr"),
    DType.F32: ("add", "sub", "mul", "div", "floordiv", "mod"),
    DType.F64: ("add", "sub", "mul", "div", "floordiv", "mod"),
    DType.B1: ("and", "or", "xor"),
}
COMPARED = ("eq", "ne", "lt", "le", "gt", "ge")
EITHER = ("maximum", "minimum")
UNARY = {
    DType.I64: ("neg", "abs", "invert"),
    DType.F32: ("neg", "abs", "sqrt"),
    DType.F64: ("neg", "abs", "sqrt"),
    DType.B1: ("invert", "not"),
}
DTYPES = tuple(BINARY)


def table_of(dtype: DType) -> str:
    """A function that applies every exact op of one dtype to x and y."""
    rows: list[tuple[str, DType]] = []
    rows += [(f"{op} %x, %y", dtype) for op in (*BINARY[dtype], *EITHER)]
    rows += [(f"{op} %x, %y", DType.B1) for op in COMPARED]
    rows += [(f"{op} %x", dtype) for op in UNARY[dtype]]
    rows += [(f"cast %x [to={to}]", to) for to in DTYPES]
    types = [f"tensor<{result}, [N]>" for _, result in rows]
    whole = f"tuple<{', '.join(types)}>"
    values = ", ".join(f"%{i}" for i in range(len(rows)))
    lines = [
        f"func @{dtype}(%x: tensor<{dtype}, [N]>, %y: tensor<{dtype}, [N]>) -> {whole} {{",
        *(f"  %{i} = {row} : {types[i]}" for i, (row, _) in enumerate(rows)),
        f"  %{len(rows)} = tuple {values} : {whole}",
        f"  exit @return %{len(rows)}",
        "}",
    ]
    return "\n".join(lines)


def lowered(core: Module) -> Module:
    module = fuse(core)
    for step in CLEAN:
        module = step(module)
    return outline(module)


CORE = read_module(PROGRAMS + "\n" + "\n\n".join(map(table_of, DTYPES)) + "\n")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture(scope="module", params=Schedule, ids=lambda schedule: schedule.name.lower())
def device(request: pytest.FixtureRequest, cache: Path) -> EmulatedDevice:
    return EmulatedDevice(cache, schedule=request.param)


@pytest.fixture(scope="module")
def program(device: EmulatedDevice) -> CudaProgram:
    # So few blocks that each takes several rounds.
    return compile_module(lowered(CORE), device, max_blocks=3)


def both(program: CudaProgram, name: str, *args: object) -> tuple[object, object]:
    return program.call(name, args), Interpreter(CORE).call(name, args)


def agree(program: CudaProgram, name: str, *args: object) -> None:
    got, expected = both(program, name, *args)
    assert freeze(got) == freeze(expected)


def close(got: object, expected: object, ulps: int) -> None:
    found, wanted = cast(NDArray[np.float64], got), cast(NDArray[np.float64], expected)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_array_max_ulp(found, wanted, ulps)


def items(value: object) -> tuple[object, ...]:
    assert isinstance(value, tuple)
    return cast("tuple[object, ...]", value)


def normal(*shape: int) -> NDArray[np.float64]:
    return np.random.default_rng(7).standard_normal(shape)


def dyadic(*shape: int) -> NDArray[np.float64]:
    """Multiples of 1/4, whose sums are exact in any order."""
    return np.random.default_rng(8).integers(-40, 40, shape) / 4


# The two kernels that a backend is judged by


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (4, 1000), (0, 4)])
def test_softmax_of_rows(program: CudaProgram, shape: tuple[int, int]) -> None:
    x = normal(*shape).astype(np.float32)
    close(*both(program, "softmax", x), ulps=8)


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (33, 70), (0, 4), (4, 0)])
def test_chain_of_elementwise_ops(program: CudaProgram, shape: tuple[int, int]) -> None:
    agree(program, "chain", normal(*shape), normal(shape[1]), np.float64(1.5))


def test_maximum_of_empty_rows_raises_as_in_numpy(program: CudaProgram) -> None:
    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum"):
        program.call("softmax", [np.empty((3, 0), np.float32)])


# Layouts


def layouts(base: NDArray[np.float64]) -> Sequence[NDArray[np.float64]]:
    field = np.zeros(base.shape, np.dtype([("other", "i4"), ("value", "f8")]))["value"]
    field[...] = base
    return (
        base[::-1],
        base[:, ::-2],
        base[::2, 1::3],
        base[::-1, ::-1],
        base.T,
        np.asfortranarray(base)[1:],
        base[:, :1],
        np.broadcast_to(base[:1], (6, base.shape[1])),
        np.broadcast_to(base[0, 0], (5, 4)),
        field,
    )


@pytest.mark.parametrize("number", range(10))
def test_strides_of_every_kind(program: CudaProgram, number: int) -> None:
    x = layouts(normal(12, 11))[number]
    agree(program, "chain", x, x[0], np.float64(9))
    agree(program, "column_sums", (4 * x).astype(np.int64)[::-1])
    agree(program, "row_sums", layouts(dyadic(12, 11))[number].astype(np.float32, order="K"))


def test_a_write_into_a_view_leaves_the_rest_alone(program: CudaProgram) -> None:
    whole, copy = np.arange(20.0), np.arange(20.0)
    program.call("write", [whole[-2::-3], np.arange(7.0)])
    copy[-2::-3] = -np.arange(7.0)
    assert whole.tobytes() == copy.tobytes()


def test_a_write_that_reads_its_own_target_goes_through_a_copy(program: CudaProgram) -> None:
    base, copy = np.arange(20.0), np.arange(20.0)
    program.call("write", [base[1:], base[:-1]])
    copy[1:] = -copy[:-1]
    assert base.tobytes() == copy.tobytes()


# Broadcasting that only the run knows


@pytest.mark.parametrize("shape", [(5, 9), (1, 9), (5, 1), (1, 1)])
def test_sizes_that_turn_out_to_be_one(program: CudaProgram, shape: tuple[int, int]) -> None:
    x = dyadic(5, 9).astype(np.float32)
    agree(program, "stretched", x, dyadic(*shape).astype(np.float32))
    agree(program, "stretched", x[:1], dyadic(*shape).astype(np.float32))
    agree(program, "spread", np.abs(dyadic(5, 9)), np.abs(dyadic(5, shape[1])))
    agree(program, "spread", np.abs(dyadic(5, 1)), np.abs(dyadic(5, 300)[:, : shape[1] * 30]))


def test_shapes_that_do_not_fit_raise_as_in_numpy(program: CudaProgram) -> None:
    with pytest.raises(ValueError, match="could not be broadcast together"):
        program.call("stretched", [np.ones((5, 9), np.float32), np.ones((5, 2), np.float32)])


# Reductions


@pytest.mark.parametrize("shape", [(3, 0), (0, 3), (1, 1), (4, 255), (5, 1031)])
def test_sums_of_rows(program: CudaProgram, shape: tuple[int, int]) -> None:
    agree(program, "row_sums", dyadic(*shape).astype(np.float32))
    agree(program, "count", dyadic(*shape) > 1)


def test_a_sum_is_exact_to_a_few_roundings_however_long_the_row(program: CudaProgram) -> None:
    x = np.random.default_rng(3).random((1, 300_000)).astype(np.float32)
    (total,) = cast(NDArray[np.float32], program.call("row_sums", [x]))
    exact = math.fsum(x[0].tolist())
    assert abs(float(total) - exact) <= 12 * float(np.finfo(np.float32).eps) * exact


@pytest.mark.parametrize("values", [[np.inf, 1], [np.inf, -np.inf], [np.nan, 1], [-0.0, -0.0]])
def test_sums_of_values_that_are_no_numbers(program: CudaProgram, values: list[float]) -> None:
    agree(program, "row_sums", np.array([values], np.float32))


def test_integer_sums_wrap(program: CudaProgram) -> None:
    agree(program, "column_sums", np.full((3, 2), 2**62))


def test_several_axes_are_reduced_at_once(program: CudaProgram) -> None:
    x = normal(4, 9, 40)
    x[1, 3, 7] = np.nan
    x[2] = -np.inf
    agree(program, "extremes", x)
    agree(program, "extremes", x.transpose(2, 0, 1)[::-1])


def test_bools_are_reduced(program: CudaProgram) -> None:
    for x in (np.zeros((3, 70), bool), np.ones((3, 70), bool), np.eye(3, 70, dtype=bool)):
        agree(program, "any_all", x)
        agree(program, "count", x[:, ::-1])


def test_outer_loops_are_one_space_of_rows(program: CudaProgram) -> None:
    agree(program, "batch", np.abs(dyadic(3, 5, 33)) + 0.25)


@pytest.mark.parametrize("sizes", [(1, 1, 1), (5, 7, 300), (3, 0, 4), (0, 2, 2)])
def test_products_of_matrices(program: CudaProgram, sizes: tuple[int, int, int]) -> None:
    n, k, m = sizes
    x, y = (4 * dyadic(n, k)).astype(np.int64), (4 * dyadic(k, m)).astype(np.int64)
    agree(program, "product", x, y)
    agree(program, "product", x[::-1], y[:, ::-1])


# Scalars

INTEGERS = (0, 1, -1, 2, -2, 3, 7, -7, 62, 63, 64, 65, -64, 2**40, -(2**40), 2**63 - 1, -(2**63))
FLOATS = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 7.0, 0.1, -0.3, 1e-30, -1e-30, 3e38, -3e38),
    *(2.0**24 + 2, 2.0**62, 2.0**63, -(2.0**63), 1e19, -1e19, 1e-42, math.inf, -math.inf, math.nan),
)
EDGES = {
    DType.I64: np.array(INTEGERS, np.int64),
    DType.F32: np.array(FLOATS, np.float32),
    DType.F64: np.array((*FLOATS, 1e300, -1e300, 5e-324), np.float64),
    DType.B1: np.array([False, True]),
}


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_exact_op_on_every_pair_of_edges(program: CudaProgram, dtype: DType) -> None:
    edges = EDGES[dtype]
    x, y = np.repeat(edges, len(edges)), np.tile(edges, len(edges))
    agree(program, str(dtype), x, y)
    agree(program, str(dtype), x[::-1], y[::-1])


def test_where_and_casts_between_dtypes(program: CudaProgram) -> None:
    n = np.array([1, 2**53 + 1, -(2**63), 5])
    x = np.array([1.0, math.nan, -3.0, 1e300])
    agree(program, "choose", x, np.array([2, 0.1, math.nan, math.inf], np.float32), n)


def test_transcendental_functions_are_within_a_few_ulps(program: CudaProgram) -> None:
    x = np.concatenate([np.linspace(-20, 20, 301), [0.0, -0.0, math.inf, -math.inf, math.nan]])
    for name, dtype in (("smooth", np.float64), ("smooth32", np.float32)):
        got, expected = both(program, name, x.astype(dtype), np.abs(x[::-1]).astype(dtype) / 8)
        for one, other in zip(items(got), items(expected), strict=True):
            close(one, other, ulps=4)


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
        (True, DType.B1, "true"),
    ],
)
def test_a_constant_keeps_its_value(value: float, dtype: DType, text: str) -> None:
    assert literal(value, dtype) == text


# Checks


def test_integer_powers_wrap(program: CudaProgram) -> None:
    x = np.repeat(EDGES[DType.I64], 6)
    agree(program, "power", x, np.resize([0, 1, 2, 3, 63, 64], x.shape))


def test_a_negative_integer_power_raises_as_in_numpy(program: CudaProgram) -> None:
    args = [np.arange(600), np.where(np.arange(600) == 577, -1, 2)]
    with pytest.raises(ValueError, match="Integers to negative integer powers") as expected:
        Interpreter(CORE).call("power", args)
    with pytest.raises(ValueError, match="Integers to negative integer powers") as got:
        program.call("power", args)
    assert str(got.value) == str(expected.value)


# Random programs


def exact(made: Program) -> bool:
    """Whether the device's own functions, which round differently, are not called."""
    rounded = (e.EXP, e.LOG, e.POW)
    body = made.module.functions["f"].body
    return not any(i.op in rounded and i.operands[0].type is not DType.I64 for i in walk(body))


RANDOM = {
    f"f{seed}": made
    for seed in range(5000, 5040)
    if exact(made := make_program(random.Random(seed)))
}


@pytest.fixture(scope="module")
def random_program(device: EmulatedDevice) -> CudaProgram:
    named = {n: replace(p.module.functions["f"], name=n) for n, p in RANDOM.items()}
    return compile_module(lowered(Module(named)), device, max_blocks=2)


def outcome(
    runner: CudaProgram | Interpreter, name: str, arguments: Sequence[object]
) -> tuple[Outcome, object]:
    try:
        result = freeze(runner.call(name, arguments))
    except tuple(EXCEPTIONS.values()) as error:
        result = (type(error).__name__,)
    return (result,), [freeze(a) for a in arguments]


@pytest.mark.parametrize("name", RANDOM)
def test_random_programs_do_what_the_interpreter_does(
    random_program: CudaProgram, name: str
) -> None:
    source = RANDOM[name]
    expected = outcome(Interpreter(source.module), "f", source.make_arguments())
    assert outcome(random_program, name, source.make_arguments()) == expected


# Threads that read what others have written

HANDMADE = """\
func @f(%x: tensor<i64, [N, M]>) -> tensor<i64, [N, M]> {
  %0 = size %x [axis=0] : i64
  %1 = size %x [axis=1] : i64
  %2 = new_array %0, %1 [type=tensor<i64, [N, M]>] : tensor<i64, [N, M]>
  launch %0, %1, %x, %2 [callee="kernel.f.0"]
  exit @return %2
}

func @kernel.f.0(%p0: i64, %p1: tensor<i64, [N, M]>, %p2: tensor<i64, [N, M]>, %begin: i64, \
%end: i64) -> None file="my model.py" {
  %0 = new_array %p0 [type=tensor<i64, [M]>] : tensor<i64, [M]>
  %1 = const [value=1, dtype=i64] : i64
  %2 = sub %p0, %1 : i64
  %3 = sub %end, %begin : i64
  loop @L0 %3 [parallel=true] {(%4: i64)
    %5 = add %begin, %4 : i64
    loop @L1 %p0 [parallel=true] {(%6: i64)
      %7 = load %p1, %5, %6 : i64
      store %0, %7, %6 loc(4:3)
      exit @L1.next
    }
    loop @L2 %p0 [parallel=true] {(%8: i64)
      %9 = sub %2, %8 : i64
      %10 = load %0, %9 : i64
      store %p2, %10, %5, %8 loc(5:3)
      exit @L2.next
    }
    exit @L0.next
  }
  %11 = const [value=none] : None
  exit @return %11
}
"""


def test_a_row_is_written_before_another_thread_reads_it(device: EmulatedDevice) -> None:
    program = compile_module(read_module(HANDMADE), device, max_blocks=2)
    x = np.arange(7 * 700).reshape(7, 700)
    assert cast(Array, program.call("f", [x])).tobytes() == x[:, ::-1].tobytes()
    assert program.source.count("__syncthreads();", program.source.index("kernel_f_0")) == 2


def test_the_source_names_the_line_of_each_statement() -> None:
    source = translate(lowered(CORE)).source
    kernel = source[source.index("// kernel.softmax.0") :]
    assert kernel.startswith("// kernel.softmax.0, of softmax.py: one point of the space a block\n")
    line = kernel.index("// softmax.py:7\n")
    assert line < kernel.index("// softmax.py:8\n") < kernel.index("// kernel.softmax.1")


def test_a_file_name_cannot_leave_its_comment() -> None:
    hostile = HANDMADE.replace("my model.py", r"a/model\n#error\\")
    text = translate(read_module(hostile)).source
    assert "\n#error" not in text
    assert not re.search(r"//.*\\$", text, re.MULTILINE)


def test_a_module_without_kernels_runs(device: EmulatedDevice) -> None:
    text = "func @f(%x: i64) -> i64 {\n  %0 = mul %x, %x : i64\n  exit @return %0\n}\n"
    assert compile_module(read_module(text), device).call("f", [np.int64(7)]) == 49


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
            "a loop whose rounds depend on each other",
            "cannot share",
        ),
        ("exit @L1.next", "exit @L1", "leaving a loop", "meet at barriers"),
        (
            "    %5 = add %begin, %4 : i64\n",
            "    %5 = add %begin, %4 : i64\n"
            "    %20 = new_array %p0 [type=tensor<i64, [?]>] : tensor<i64, [?]>\n",
            "an array made in a round",
            "cannot allocate",
        ),
        (
            "      %7 = load %p1, %5, %6 : i64\n",
            "      %7 = load %p1, %5, %6 : i64\n      %20 = cast %7 [to=i32] : i32\n",
            "cast of i64 to i32",
            "float64",
        ),
        (
            "      %7 = load %p1, %5, %6 : i64\n",
            "      %7 = load %p1, %5, %6 : i64\n      %20 = cast %7 [to=int] : int\n"
            "      %21 = add %20, %20 : int\n",
            "add of int, int to int",
            "int64",
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


def test_every_op_has_a_rule_or_a_reason_for_none() -> None:
    tables = (EXPRESSIONS.keys(), STRUCTURE, NO_RULE.keys())
    assert set(OPS.values()) == {op for table in tables for op in table}
    assert sum(map(len, tables)) == len(OPS)


# NVRTC


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_nvrtc_compiles_every_kernel_without_spills(arch: str) -> None:
    module = lowered(CORE)
    resources = compile_cubin(translate(module).source, arch).resources
    assert len(resources) == sum(n.startswith(KERNEL_PREFIX) for n in module.functions)
    for name, kernel in resources.items():
        assert (kernel.spill_stores, kernel.spill_loads) == (0, 0), name
        # Eight blocks of 256 threads stay resident: 65536 registers / 2048 threads.
        if "softmax" in name or "chain" in name:
            assert kernel.registers <= 32, name


def test_the_assembly_can_be_read() -> None:
    ptx = translate(read_module(HANDMADE)).ptx("sm_90")
    assert ".target sm_90" in ptx
    assert "kernel_f_0" in ptx
