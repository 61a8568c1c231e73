"""CUDA kernels of every shape the backend emits: played on the CPU beside NumPy, and compiled.

The sources are written by hand, so these tests say what a device and the prelude promise to an
emitter of kernels. What happens when a kernel breaks the rules is in test_cuda_device_errors.py.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scriptc.backends.cuda.device import Argument, Buffer, Device, KernelLibrary, ScalarT
from scriptc.backends.cuda.emulator import EmulatedDevice, Schedule
from scriptc.backends.cuda.halves import HALVES
from scriptc.backends.cuda.nvrtc import CompiledCubin, compile_cubin
from scriptc.backends.cuda.prelude import PRELUDE, FailedCheck, failed_check
from scriptc.kernels.device.launch import ERROR_WORDS, NO_ERROR

SOURCE = (
    PRELUDE
    + HALVES
    + r"""
__device__ __forceinline__ float gelu(float v) {
  float u = 0.7978845608028654f * (v + 0.044715f * v * v * v);
  return 0.5f * v * (1.0f + tanhf(u));
}

// Whole vectors first, then the tail; `stride` threads share both.
extern "C" __global__ void __launch_bounds__(256)
elementwise(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ out,
            long long n) {
  const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  const long long stride = (long long)gridDim.x * blockDim.x;
  const long long vectors = n >> 2;
  for (long long i = first; i < vectors; i += stride) {
    const float4 a = reinterpret_cast<const float4*>(x)[i];
    const float4 b = reinterpret_cast<const float4*>(w)[i];
    reinterpret_cast<float4*>(out)[i] =
        make_float4(gelu(a.x * b.x), gelu(a.y * b.y), gelu(a.z * b.z), gelu(a.w * b.w));
  }
  for (long long i = (vectors << 2) + first; i < n; i += stride) out[i] = gelu(x[i] * w[i]);
}

extern "C" __global__ void __launch_bounds__(256)
softmax(const float* __restrict__ x, float* __restrict__ out, int rows, int columns) {
  __shared__ float scratch[32];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* from = x + (long long)row * columns;
    float* to = out + (long long)row * columns;
    float top = -SC_INF_F32;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) top = ScMax()(top, from[c]);
    top = sc_block_reduce(top, -SC_INF_F32, scratch, ScMax());
    float sum = 0.0f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += expf(from[c] - top);
    sum = sc_block_reduce(sum, -0.0f, scratch, ScSum());
    for (int c = threadIdx.x; c < columns; c += blockDim.x) to[c] = expf(from[c] - top) / sum;
  }
}

extern "C" __global__ void __launch_bounds__(256)
stencil(const float* __restrict__ a, float* __restrict__ out, int height, int width) {
  __shared__ float tile[10][34];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  auto at = [&](int row, int column) {
    row = min(max(row, 0), height - 1);
    column = min(max(column, 0), width - 1);
    return a[(long long)row * width + column];
  };
  tile[ty][tx] = at(y, x);
  if (threadIdx.x == 0) tile[ty][0] = at(y, x - 1);
  if (threadIdx.x == 31) tile[ty][33] = at(y, x + 1);
  if (threadIdx.y == 0) tile[0][tx] = at(y - 1, x);
  if (threadIdx.y == 7) tile[9][tx] = at(y + 1, x);
  __syncthreads();
  if (x < width && y < height)
    out[(long long)y * width + x] = 0.25f * (tile[ty][tx - 1] + tile[ty][tx + 1] +
                                             tile[ty - 1][tx] + tile[ty + 1][tx]) - tile[ty][tx];
}

extern "C" __global__ void __launch_bounds__(256)
sum_partials(const float* __restrict__ x, float* __restrict__ partials, long long n) {
  __shared__ float scratch[32];
  float sum = 0.0f;
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    sum += x[i];
  sum = sc_block_reduce(sum, -0.0f, scratch, ScSum());
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(256)
sum_of_partials(const float* __restrict__ partials, float* __restrict__ out, int count) {
  __shared__ float scratch[32];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < count; i += blockDim.x) sum += partials[i];
  sum = sc_block_reduce(sum, -0.0f, scratch, ScSum());
  if (threadIdx.x == 0) *out = sum;
}

// The same in one launch: the block that is done last adds the partials up, in their order.
extern "C" __global__ void __launch_bounds__(256)
sum_by_last_block(const double* __restrict__ x, double* partials, unsigned* done, double* out,
                  long long n) {
  __shared__ double scratch[32];
  __shared__ bool last;
  double sum = 0.0;
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    sum += x[i];
  sum = sc_block_reduce(sum, -0.0, scratch, ScSum());
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    sum = 0.0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
      sum += *(volatile double*)&partials[i];
    sum = sc_block_reduce(sum, -0.0, scratch, ScSum());
    if (threadIdx.x == 0) *out = sum;
  }
}

#define EXTREMA(name, T, smallest, largest)                                              \
  extern "C" __global__ void __launch_bounds__(1024)                                     \
  name(const T* __restrict__ x, T* __restrict__ out, int n) {                            \
    __shared__ T scratch[32];                                                            \
    T sum = 0, low = largest, high = smallest;                                           \
    const int size = blockDim.x * blockDim.y * blockDim.z;                               \
    const int first = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; \
    for (int i = first; i < n; i += size) {                                              \
      sum += x[i];                                                                       \
      low = ScMin()(low, x[i]);                                                          \
      high = ScMax()(high, x[i]);                                                        \
    }                                                                                    \
    sum = sc_block_reduce(sum, (T)0, scratch, ScSum());                                  \
    low = sc_block_reduce(low, largest, scratch, ScMin());                               \
    high = sc_block_reduce(high, smallest, scratch, ScMax());                            \
    if (first == size - 1) out[0] = sum, out[1] = low, out[2] = high;                    \
  }
EXTREMA(extrema_f32, float, -SC_INF_F32, SC_INF_F32)
EXTREMA(extrema_f64, double, -SC_INF_F64, SC_INF_F64)
EXTREMA(extrema_i64, long long, SC_MIN_I64, SC_MAX_I64)

// table[indices[i]] / divisors[i], with a check of each
extern "C" __global__ void __launch_bounds__(128)
checked(const int* table, int length, const int* indices, const int* divisors, int* out, int n,
        unsigned long long* error) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int index = indices[i];
    if (index < 0 || index >= length) { sc_fail(error, 1, i, 7); continue; }
    if (divisors[i] == 0) { sc_fail(error, 1, i, 3); continue; }
    out[i] = table[index] / divisors[i];
  }
}

extern "C" __global__ void collectives(unsigned* out) {
  const unsigned lane = threadIdx.x & 31, mine = threadIdx.x * 10;
  unsigned* to = out + threadIdx.x * 8;
  to[0] = __shfl_sync(SC_ALL_LANES, mine, 5);
  to[1] = __shfl_xor_sync(SC_ALL_LANES, mine, 3);
  to[2] = __shfl_up_sync(SC_ALL_LANES, mine, 2);
  to[3] = __shfl_down_sync(SC_ALL_LANES, mine, 2);
  to[4] = __ballot_sync(SC_ALL_LANES, lane % 3 == 0);
  to[5] = __any_sync(SC_ALL_LANES, lane == 31) * 2 + __all_sync(SC_ALL_LANES, lane < 31);
  __syncwarp();
  to[6] = 0;
  if (lane < 16) to[6] = __ballot_sync(0x0000ffffu, 1);  // half a warp among itself
  to[7] = __popc(to[4]);
}

extern "C" __global__ void arguments(double* out, bool b, signed char i1, sc_half f2, int i4,
                                     float f4, double f8, unsigned long long u8, double2 c16) {
  out[0] = b, out[1] = i1, out[2] = (float)f2, out[3] = i4, out[4] = f4, out[5] = f8, out[6] = u8;
  out[7] = c16.x, out[8] = c16.y;
}

extern "C" __global__ void geometry(int* out) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] = block * 1000 + thread;
}

extern "C" __global__ void constants(float* f, double* d) {
  f[0] = SC_INF_F32, f[1] = -SC_INF_F32, f[2] = SC_NAN_F32;
  d[0] = SC_INF_F64, d[1] = -SC_INF_F64, d[2] = SC_NAN_F64;
}

extern "C" __global__ void unwritten(float* out) {
  __shared__ float never_written[32];
  out[threadIdx.x] = never_written[threadIdx.x];
}
"""
)
KERNELS = (
    *("elementwise", "softmax", "stencil"),
    *("sum_partials", "sum_of_partials", "sum_by_last_block"),
    *("extrema_f32", "extrema_f64", "extrema_i64"),
    *("checked", "collectives", "arguments", "geometry", "constants", "unwritten"),
)


class Machine:
    """One device with the kernels above compiled for it."""

    def __init__(self, device: Device, library: KernelLibrary) -> None:
        self.device = device
        self._library = library

    def run(
        self,
        kernel: str,
        grid: tuple[int, ...],
        block: tuple[int, ...],
        *args: Argument,
        synchronises: bool = True,
    ) -> None:
        (gx, gy, gz), (bx, by, bz) = (*grid, 1, 1)[:3], (*block, 1, 1)[:3]
        self.device.launch(
            self._library, kernel, (gx, gy, gz), (bx, by, bz), args, synchronises=synchronises
        )

    def put(self, array: NDArray[np.generic]) -> Buffer:
        return self.device.to_device(array)

    def get(self, buffer: Buffer, dtype: type[ScalarT], *shape: int) -> NDArray[ScalarT]:
        return self.device.from_device(buffer, shape, dtype)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("emulated")


@pytest.fixture(scope="module", params=Schedule, ids=lambda schedule: schedule.name.lower())
def machine(request: pytest.FixtureRequest, cache: Path) -> Machine:
    device = EmulatedDevice(cache, schedule=request.param, seed=20)
    return Machine(device, device.compile(SOURCE, KERNELS))


def normal(*shape: int) -> NDArray[np.float32]:
    return np.random.default_rng(sum(shape)).standard_normal(shape, np.float32)


@pytest.mark.parametrize("n", [1, 3, 4, 257, 4099])
@pytest.mark.parametrize("synchronises", [False, True])
def test_elementwise_with_vectors_and_a_tail(machine: Machine, n: int, synchronises: bool) -> None:
    x, w = normal(n), normal(n, 1)[:, 0]
    out = machine.device.empty(4 * n)
    machine.run(
        "elementwise",
        (3,),
        (256,),
        machine.put(x),
        machine.put(w),
        out,
        np.int64(n),
        synchronises=synchronises,
    )
    v = x.astype(np.float64) * w
    expected = 0.5 * v * (1 + np.tanh(0.7978845608028654 * (v + 0.044715 * v**3)))
    np.testing.assert_allclose(machine.get(out, np.float32, n), expected, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (5, 31), (7, 1001)])
def test_softmax_of_rows(machine: Machine, rows: int, columns: int) -> None:
    x = normal(rows, columns)
    out = machine.device.empty(x.nbytes)
    machine.run("softmax", (3,), (256,), machine.put(x), out, np.int32(rows), np.int32(columns))
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    expected = e / e.sum(1, keepdims=True)
    np.testing.assert_allclose(machine.get(out, np.float32, rows, columns), expected, rtol=2e-6)


def test_softmax_of_a_row_with_nan_is_nan(machine: Machine) -> None:
    x = normal(2, 300)
    x[1, 299] = np.nan
    out = machine.device.empty(x.nbytes)
    machine.run("softmax", (2,), (256,), machine.put(x), out, np.int32(2), np.int32(300))
    result = machine.get(out, np.float32, 2, 300)
    assert np.isfinite(result[0]).all()
    assert np.isnan(result[1]).all()


@pytest.mark.parametrize(("height", "width"), [(1, 1), (9, 33), (37, 70)])
def test_stencil_on_tiles_in_shared_memory(machine: Machine, height: int, width: int) -> None:
    a = normal(height, width)
    out = machine.device.empty(a.nbytes)
    grid = (-(-width // 32), -(-height // 8))
    machine.run("stencil", grid, (32, 8), machine.put(a), out, np.int32(height), np.int32(width))
    p = np.pad(a, 1, "edge")
    neighbours = p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1]
    expected = np.float32(0.25) * neighbours - a
    np.testing.assert_array_equal(machine.get(out, np.float32, height, width), expected)


def two_stage_sum(machine: Machine, x: NDArray[np.float32], blocks: int) -> NDArray[np.float32]:
    partials, out = machine.device.empty(4 * blocks), machine.device.empty(4)
    machine.run("sum_partials", (blocks,), (256,), machine.put(x), partials, np.int64(x.size))
    machine.run("sum_of_partials", (1,), (256,), partials, out, np.int32(blocks))
    return machine.get(out, np.float32)


@pytest.mark.parametrize("n", [1, 255, 10007])
def test_full_reduction_in_two_stages(machine: Machine, n: int) -> None:
    # Quarters of small integers: every order of summation is exact.
    x = np.random.default_rng(n).integers(-64, 64, n).astype(np.float32) * np.float32(0.25)
    assert two_stage_sum(machine, x, 5) == x.sum(dtype=np.float64)


def test_full_reduction_gives_the_same_bits_in_every_schedule(cache: Path) -> None:
    x = normal(5003)
    sums: set[bytes] = set()
    for schedule, seed in [(Schedule.FORWARD, 1), (Schedule.REVERSE, 1), (Schedule.SHUFFLED, 9)]:
        device = EmulatedDevice(cache, schedule=schedule, seed=seed)
        machine = Machine(device, device.compile(SOURCE, KERNELS))
        sums.add(two_stage_sum(machine, x, 7).tobytes())
    assert len(sums) == 1


@pytest.mark.parametrize("n", [1, 3001])
def test_full_reduction_by_the_last_block(machine: Machine, n: int) -> None:
    x = np.random.default_rng(n).integers(-64, 64, n) / 4
    done = machine.put(np.zeros(1, np.uint32))
    out = machine.device.empty(8)
    machine.run(
        "sum_by_last_block",
        (6,),
        (128,),
        machine.put(x),
        machine.device.empty(48),
        done,
        out,
        np.int64(n),
    )
    assert machine.get(out, np.float64) == x.sum()


EXTREMA: Mapping[type[np.number], str] = {
    np.float32: "extrema_f32",
    np.float64: "extrema_f64",
    np.int64: "extrema_i64",
}


@pytest.mark.parametrize("block", [(32,), (1024,), (8, 4, 6)])
@pytest.mark.parametrize("dtype", EXTREMA)
@pytest.mark.parametrize("n", [1, 777])
def test_block_sum_min_and_max(
    machine: Machine, dtype: type[np.number], block: tuple[int, ...], n: int
) -> None:
    x = np.random.default_rng(n).integers(-1000, 1000, n).astype(dtype)
    out = machine.device.empty(24)
    machine.run(EXTREMA[dtype], (1,), block, machine.put(x), out, np.int32(n))
    assert machine.get(out, dtype, 3).tolist() == [x.sum(), x.min(), x.max()]


def test_integer_sums_wrap_around(machine: Machine) -> None:
    x = np.full(3, np.iinfo(np.int64).max)
    out = machine.device.empty(24)
    machine.run("extrema_i64", (1,), (64,), machine.put(x), out, np.int32(3))
    assert machine.get(out, np.int64, 3)[0] == x.sum()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("where", [0, 31, 500])
def test_max_and_min_keep_nan_wherever_it_stands(
    machine: Machine, dtype: type[np.floating], where: int
) -> None:
    x = np.arange(501).astype(dtype)
    x[where] = np.nan
    out = machine.device.empty(24)
    machine.run(EXTREMA[dtype], (1,), (128,), machine.put(x), out, np.int32(501))
    assert np.isnan(machine.get(out, dtype, 3)).all()


def run_checked(machine: Machine, indices: NDArray[np.int32], divisors: NDArray[np.int32]) -> int:
    n = indices.size
    table = np.arange(10, dtype=np.int32)
    error = machine.put(np.array([NO_ERROR, *[0] * (ERROR_WORDS - 1)], np.uint64))
    out = machine.device.empty(4 * n)
    machine.run(
        "checked",
        (5,),
        (128,),
        machine.put(table),
        np.int32(10),
        machine.put(indices),
        machine.put(divisors),
        out,
        np.int32(n),
        error,
        synchronises=False,
    )
    return int(machine.get(error, np.uint64))


def test_error_word_is_untouched_where_every_check_holds(machine: Machine) -> None:
    ones = np.ones(3000, np.int32)
    assert failed_check(run_checked(machine, ones, ones)) is None


def test_error_word_names_the_lowest_failing_iteration(machine: Machine) -> None:
    indices, divisors = np.ones(3000, np.int32), np.ones(3000, np.int32)
    divisors[[2999, 1700, 641]] = 0
    indices[[2500, 640]] = 10
    assert failed_check(run_checked(machine, indices, divisors)) == FailedCheck(640, 7)


def test_error_word_names_the_check_that_the_iteration_met_first(machine: Machine) -> None:
    # Iteration 5 fails both checks; the loop body checks the index (site 7) first.
    indices, divisors = np.ones(64, np.int32), np.ones(64, np.int32)
    indices[5], divisors[5] = -1, 0
    assert failed_check(run_checked(machine, indices, divisors)) == FailedCheck(5, 7)


def test_shuffles_and_votes(machine: Machine) -> None:
    out = machine.device.empty(64 * 8 * 4)
    machine.run("collectives", (1,), (64,), out)
    thread = np.arange(64)
    lane, warp = thread % 32, thread // 32 * 32
    thirds = sum(1 << i for i in range(0, 32, 3))
    columns = (
        (warp + 5) * 10,
        (thread ^ 3) * 10,
        np.where(lane < 2, thread, thread - 2) * 10,
        np.where(lane >= 30, thread, thread + 2) * 10,
        np.full(64, thirds),
        np.full(64, 2),
        np.where(lane < 16, 0xFFFF, 0),
        np.full(64, 11),
    )
    np.testing.assert_array_equal(machine.get(out, np.uint32, 64, 8), np.stack(columns, 1))


def test_scalars_of_every_type_arrive(machine: Machine) -> None:
    out = machine.device.empty(72)
    scalars = (
        np.True_,
        np.int8(-3),
        np.float16(1.5),
        np.int32(-70000),
        np.float32(0.25),
        np.float64(-1e300),
        np.uint64(2**63),
        np.complex128(2 - 3j),
    )
    machine.run("arguments", (1,), (1,), out, *scalars, synchronises=False)
    expected = [1, -3, 1.5, -70000, 0.25, -1e300, 2.0**63, 2, -3]
    assert machine.get(out, np.float64, 9).tolist() == expected


@pytest.mark.parametrize("synchronises", [False, True])
def test_every_thread_of_every_block_runs_once(machine: Machine, synchronises: bool) -> None:
    out = machine.device.empty(24 * 40 * 4)
    machine.run("geometry", (2, 3, 4), (5, 4, 2), out, synchronises=synchronises)
    expected = np.arange(24)[:, None] * 1000 + np.arange(40)
    np.testing.assert_array_equal(machine.get(out, np.int32, 24, 40), expected)


def test_constants_of_the_prelude(machine: Machine) -> None:
    f, d = machine.device.empty(12), machine.device.empty(24)
    machine.run("constants", (1,), (1,), f, d, synchronises=False)
    for values in (machine.get(f, np.float32, 3), machine.get(d, np.float64, 3)):
        np.testing.assert_array_equal(values, [np.inf, -np.inf, np.nan])


def test_memory_that_nobody_wrote_reads_as_nan(machine: Machine) -> None:
    out = machine.device.empty(128)
    assert np.isnan(machine.get(out, np.float32, 32)).all()
    machine.run("unwritten", (1,), (32,), out)
    assert np.isnan(machine.get(out, np.float32, 32)).all()


def test_arrays_make_the_round_trip(machine: Machine) -> None:
    for array in (normal(3, 4).T, np.zeros((0, 2)), np.array(True), np.arange(6)[::2]):
        back = machine.device.from_device(machine.put(array), array.shape, array.dtype)
        np.testing.assert_array_equal(back, array, strict=True)


@pytest.fixture(scope="module", params=["sm_80", "sm_90", "sm_100"])
def compiled(request: pytest.FixtureRequest) -> CompiledCubin:
    return compile_cubin(SOURCE, request.param)


def test_nvrtc_compiles_every_kernel_without_spills(compiled: CompiledCubin) -> None:
    assert compiled.cubin.startswith(b"\x7fELF")
    assert set(compiled.resources) == set(KERNELS)
    for name, resources in compiled.resources.items():
        assert resources.spill_stores == resources.spill_loads == resources.stack == 0, name
        assert 0 < resources.registers <= 64, name


def test_nvrtc_reports_shared_memory(compiled: CompiledCubin) -> None:
    assert compiled.resources["stencil"].shared == 10 * 34 * 4
    assert compiled.resources["elementwise"].shared == 0


def test_nvrtc_rounds_as_numpy_unless_asked_to_be_fast() -> None:
    source = """
extern "C" __global__ void k(float* x, double* y) {
  *x = *x * x[1] + x[2] / sqrtf(x[3]);
  *y = *y * y[1] + y[2];
}
"""
    exact, fast = compile_cubin(source).ptx, compile_cubin(source, fast=True).ptx
    assert "div.rn.f32" in exact
    assert "sqrt.rn.f32" in exact
    assert not any(word in exact for word in ("fma.", ".ftz", ".approx"))
    assert "fma.rn.ftz.f32" in fast
    assert "fma.rn.f64" in fast
