"""Kernels from IR to CUDA C++: on the emulated device beside the interpreter, and through NVRTC.

The expected value is always what the reference interpreter makes of the core IR. Results are equal
bit for bit, but for transcendental functions and for sums that round.
"""

import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from scriptc.backends.cuda.emulator import EmulatedDevice, Schedule
from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.ir import Module, walk
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.record import replace
from scriptc_runtime.text.reader import read_module
from scriptc_runtime.types import DType, int_limits
from scriptc_runtime.values import EXCEPTIONS
from tests.support.cuda_host import CudaProgram, compile_module
from tests.support.cuda_programs import CORE, DTYPES, HANDMADE, lowered, rows_of
from tests.support.outcomes import Outcome, freeze
from tests.support.programs_ir import Program, make_program

Array = NDArray[np.generic]


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
    x = np.random.default_rng(3).random((2, 300_000)).astype(np.float32)
    totals = cast(NDArray[np.float32], program.call("row_sums", [x]))
    for total, row in zip(totals, x, strict=True):
        exact = math.fsum(row.tolist())
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


def edges_of(dtype: DType) -> Array:
    least, greatest = int_limits(dtype)
    ends = (least, least + 1, greatest - 1, greatest)
    numbers = sorted({n for n in (*INTEGERS, *ends) if least <= n <= greatest})
    return np.array(numbers, dtype.numpy)


def pairs_of(floats: Sequence[float], dtype: DType) -> Array:
    """All pairs of some floats, whose products NumPy may fuse, and of zeros, infinities and NaN."""
    parts = np.array((*floats, 0.0, -0.0, math.inf, -math.inf, math.nan))
    whole = np.empty((len(parts), len(parts)), np.complex128)
    whole.real, whole.imag = parts, parts[:, None]
    return whole.ravel().astype(dtype.numpy)


def halves_of(floats: Sequence[float]) -> Array:
    ends = 65504.0, 6.104e-5, 6.0e-5, 5.96e-8, 2049.0
    with np.errstate(over="ignore"):
        return np.array((*floats, *ends), np.float16)


EDGES: dict[DType, Array] = {
    **{d: edges_of(d) for d in DTYPES if d.kind in "iu"},
    **{d: pairs_of(FLOATS[:9:2], d) for d in (DType.C64, DType.C128)},
    DType.F16: halves_of(FLOATS),
    DType.F32: np.array(FLOATS, np.float32),
    DType.F64: np.array((*FLOATS, 1e300, -1e300, 5e-324), np.float64),
    DType.B1: np.array([False, True]),
}


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_exact_op_on_every_pair_of_edges(program: CudaProgram, dtype: DType) -> None:
    edges = EDGES[dtype]
    x, y = np.repeat(edges, len(edges)), np.tile(edges, len(edges))
    for operands in ((x, y), (x[::-1], y[::-1])):
        found = zip(*map(items, both(program, str(dtype), *operands)), strict=True)
        rows = zip(rows_of(dtype), found, strict=True)
        wrong = [row for (row, _), pair in rows if _differ(row, operands[0], *pair)]
        assert not wrong, "EXPRESSIONS of CUDA give something else"


def _differ(row: str, x: Array, *found: object) -> bool:
    one, other = cast("tuple[NDArray[Any], NDArray[Any]]", found)
    if x.dtype.kind == "f" and row.endswith("[to=u32]"):
        # What NumPy gives for others depends on its loop: "Conversions" in docs/language.
        known = np.abs(x) < 2.0**63
        one, other = one[known], other[known]
    if x.dtype == np.float16 and row.startswith(("maximum", "minimum")):
        one, other = one + 0, other + 0  # "Signs of zeros" there
    if x.dtype.kind == "c" and one.dtype.kind in "cf":
        return not _are_like(one, other, ulps=2 if row == "abs %x" else 0)
    return freeze(one) != freeze(other)


def _are_like(one: Any, other: Any, ulps: int) -> bool:
    """Whether numbers are equal, whatever the bits of NaN, but for some units in last places."""
    if one.dtype != other.dtype:
        return False
    for a, b in ((one.real, other.real), (one.imag, other.imag)):
        with np.errstate(invalid="ignore"):
            near = np.abs(a - b) <= ulps * np.spacing(np.abs(b))
        same = (a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)
        if not np.all(same | (near & (ulps > 0))):
            return False
    return True


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


def test_elementary_functions_are_within_a_few_ulps(program: CudaProgram) -> None:
    x = np.concatenate([np.linspace(-20, 20, 301), [0.0, -0.0, math.inf, -math.inf, math.nan]])
    for dtype in (np.float64, np.float32):
        both_of = both(
            program, f"functions_f{np.dtype(dtype).itemsize * 8}", *2 * [x.astype(dtype)]
        )
        for one, other in zip(*map(items, both_of), strict=True):
            close(one, other, ulps=5)


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


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", RANDOM)
def test_random_programs_do_what_the_interpreter_does(
    random_program: CudaProgram, name: str
) -> None:
    source = RANDOM[name]
    expected = outcome(Interpreter(source.module), "f", source.make_arguments())
    assert outcome(random_program, name, source.make_arguments()) == expected


# Threads that read what others have written


def test_a_row_is_written_before_another_thread_reads_it(device: EmulatedDevice) -> None:
    program = compile_module(read_module(HANDMADE), device, max_blocks=2)
    x = np.arange(7 * 700).reshape(7, 700)
    assert cast(Array, program.call("f", [x])).tobytes() == x[:, ::-1].tobytes()
    assert program.source.count("__syncthreads();", program.source.index("kernel_f_0")) == 2


def test_a_module_without_kernels_runs(device: EmulatedDevice) -> None:
    text = "func @f(%x: i64) -> i64 {\n  %0 = mul %x, %x : i64\n  exit @return %0\n}\n"
    assert compile_module(read_module(text), device).call("f", [np.int64(7)]) == 49
