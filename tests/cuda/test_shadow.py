"""Shadow mode of the emulated device: what it finds, what it lets pass, and what it counts."""

import re
from pathlib import Path

import numpy as np
import pytest

from scriptc.backends.cuda.device import Argument, Dim3, KernelLibrary
from scriptc.backends.cuda.emulator import EmulatedDevice, EmulationError, Schedule, Traffic
from scriptc.backends.cuda.prelude import PRELUDE
from scriptc.kernels.device.launch import ERROR_WORDS, NO_ERROR

WRONG = r"""
extern "C" __global__ void reads_behind(const float* x, float* out) {
  SC_ST(out, threadIdx.x, SC_LD(x, threadIdx.x + 1));
}
extern "C" __global__ void reads_before(const float* x, float* out) {
  const float* const second = x + 1;
  SC_ST(out, threadIdx.x, SC_LD(second, (int)threadIdx.x - 2));
}
extern "C" __global__ void writes_far_behind(const float* x, float* out) {
  SC_ST(out, threadIdx.x + 100000000, 1);
}
extern "C" __global__ void beyond_shared(const float* x, float* out) {
  __shared__ float first[32];
  __shared__ float second[64];
  if (threadIdx.x < 32) SC_ST(first, threadIdx.x, 0.0f);
  SC_ST(second, threadIdx.x, 0.0f);
  __syncthreads();
  SC_ST(out, threadIdx.x, SC_LD(first, threadIdx.x + 1));
}
extern "C" __global__ void unaligned(const float* x, float* out) {
  const float4 four = SC_LD((const float4*)(x + 1), threadIdx.x >> 3);
  SC_ST(out, threadIdx.x, four.x);
}
extern "C" __global__ void unwritten(const float* x, float* out) {
  SC_ST(out, threadIdx.x, SC_LD(out, threadIdx.x));
}
extern "C" __global__ void unwritten_shared(const float* x, float* out) {
  __shared__ float kept[32];
  if (threadIdx.x < 31) SC_ST(kept, threadIdx.x, 1.0f);
  __syncthreads();
  SC_ST(out, threadIdx.x, SC_LD(kept, threadIdx.x & 31));
}
extern "C" __global__ void threads_race(const float* x, float* out) {
  SC_ST(out, threadIdx.x, 0.0f);
  SC_ST(out, threadIdx.x ^ 1, 1.0f);
}
extern "C" __global__ void warps_race(const float* x, float* out) {
  SC_ST(out, threadIdx.x, 0.0f);
  __syncwarp();
  SC_ST(out, threadIdx.x, SC_LD(out, threadIdx.x ^ 32));
}
extern "C" __global__ void shuffles_order_nothing(const float* x, float* out) {
  SC_ST(out, threadIdx.x, 0.0f);
  __shfl_xor_sync(SC_ALL_LANES, 1, 1);
  SC_ST(out, threadIdx.x ^ 1, 1.0f);
}
extern "C" __global__ void readers_race(const float* x, float* out) {
  __shared__ float kept[64];
  SC_ST(kept, threadIdx.x, 0.0f);
  __syncthreads();
  SC_ST(out, threadIdx.x, SC_LD(kept, threadIdx.x ^ 33));
  SC_ST(kept, threadIdx.x, 2.0f);
}
extern "C" __global__ void blocks_race(const float* x, float* out) {
  if (threadIdx.x == 0) SC_ST(out, 7, 1.0f);
}
extern "C" __global__ void a_plain_write_races(const float* x, float* out) {
  SC_ST(out, threadIdx.x, 0.0f);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, 1.0f);
  if (threadIdx.x == 40) SC_ST(out, 0, 1.0f);
}
extern "C" __global__ void last_block_without_fence(const float* x, float* out) {
  if (threadIdx.x == 0) {
    SC_ST(out, 1 + blockIdx.x, 1.0f);
    const unsigned before = atomicAdd((unsigned*)(out + 60), 1u);
    if (before == gridDim.x - 1) SC_ST(out, 0, SC_LD(out, 1) + SC_LD(out, 2));
  }
}
"""
RIGHT = r"""
extern "C" __global__ void last_block(const float* x, float* out) {
  __shared__ bool is_last[1];
  if (threadIdx.x == 0) {
    SC_ST(out, 1 + blockIdx.x, 1.0f);
    __threadfence();
    SC_ST(is_last, 0, atomicAdd((unsigned*)(out + 60), 1u) == gridDim.x - 1);
  }
  __syncthreads();
  if (SC_LD(is_last, 0) && threadIdx.x == 9) SC_ST(out, 0, SC_LD(out, 1) + SC_LD(out, 2));
}
extern "C" __global__ void met_at_a_barrier(const float* x, float* out) {
  SC_ST(out, threadIdx.x + 64 * blockIdx.x, 0.0f);
  __syncthreads();
  SC_ST(out, (threadIdx.x ^ 33) + 64 * blockIdx.x, 1.0f);
}
extern "C" __global__ void met_in_a_warp(const float* x, float* out) {
  __shared__ float kept[64];
  SC_ST(kept, threadIdx.x, 0.0f);
  __syncwarp();
  SC_ST(kept, threadIdx.x ^ 5, 1.0f);
}
extern "C" __global__ void all_by_atomics(const float* x, float* out) {
  atomicAdd(out + 60, 1.0f);
  atomicMax((int*)(out + 60), 3);
}
extern "C" __global__ void bytes_beside_each_other(const float* x, float* out) {
  SC_ST((char*)out, threadIdx.x + 64 * blockIdx.x, 1);
}
extern "C" __global__ void failing(const float* x, unsigned long long* error) {
  if (threadIdx.x % 3 == 0) sc_fail(error, 1, threadIdx.x, 2, threadIdx.x);
}
"""
COUNTED = r"""
extern "C" __global__ void rows_of_floats(const float* x, float* out) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  SC_ST(out, i, SC_LD(x, i));
}
extern "C" __global__ void strided(const float* x, float* out) {
  SC_ST(out, threadIdx.x, SC_LD(x, threadIdx.x * 8));
}
extern "C" __global__ void wide(const float* x, float* out) {
  SC_ST((float4*)out, threadIdx.x, SC_LD((const float4*)x, threadIdx.x));
}
extern "C" __global__ void twice(const float* x, float* out) {
  SC_ST(out, threadIdx.x, SC_LD(x, threadIdx.x) + SC_LD(x, threadIdx.x));
}
#define COLUMNS(name, T, width)                              \
  extern "C" __global__ void name(const float* x, float* out) { \
    __shared__ T kept[64 * width];                           \
    SC_ST(kept, threadIdx.x * width, (T)1);                  \
  }
COLUMNS(columns, float, 32)
COLUMNS(padded_columns, float, 33)
COLUMNS(every_second, float, 2)
COLUMNS(doubles, double, 1)
"""
SOURCE = PRELUDE + WRONG + RIGHT + COUNTED


def named(text: str) -> list[str]:
    found = re.findall(r"__global__ void (\w+)\(", text)
    found += re.findall(r"^COLUMNS\((\w+)", text, re.MULTILINE)
    return [name for name in found if name != "name"]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shadow")


@pytest.fixture(scope="module", params=Schedule, ids=lambda schedule: schedule.name.lower())
def device(request: pytest.FixtureRequest, cache: Path) -> EmulatedDevice:
    return EmulatedDevice(cache, schedule=request.param, shadow=True)


@pytest.fixture(scope="module")
def library(device: EmulatedDevice) -> KernelLibrary:
    return device.compile(SOURCE, named(SOURCE))


BLOCK: Dim3 = (64, 1, 1)


def launch(
    device: EmulatedDevice, library: KernelLibrary, kernel: str, *args: Argument, blocks: int = 1
) -> Traffic:
    traffic = Traffic()
    grid: Dim3 = (blocks, 1, 1)
    device.launch(library, kernel, grid, BLOCK, args, synchronises=True, traffic=traffic)
    return traffic


@pytest.mark.parametrize(
    ("kernel", "blocks", "message"),
    [
        ("reads_behind", 1, r"thread 63 reads element 64 of x, .* has elements 0 to 63"),
        ("reads_before", 1, r"thread 0 reads element -2 of second, .* elements -1 to 62"),
        ("writes_far_behind", 1, r"writes element 1000000\d\d of out, .* 0 to 127"),
        ("beyond_shared", 1, r"reads element \d+ of first, .* elements 0 to 31"),
        ("unaligned", 1, r"element \d of \(const float4\*\)\(x \+ 1\), .* aligned to 16 bytes"),
        ("unwritten", 1, r"reads element \d+ of out, which nobody has written"),
        ("unwritten_shared", 1, r"reads element 31 of kept, which nobody has written"),
        ("threads_race", 1, r"thread \d+ writes element \d+ of out, which thread \d+ of block"),
        ("warps_race", 1, r"element \d+ of out, which (thread \d+ of block|nobody has written)"),
        ("shuffles_order_nothing", 1, r"writes element \d+ of out, which thread \d+ of block"),
        ("readers_race", 1, r"of kept, which thread \d+ of block number 0 has (read|written)"),
        ("blocks_race", 2, r"writes element 7 of out, which thread 0 of block number \d has writ"),
        ("a_plain_write_races", 1, r"of (out|the target of an atomic), which thread \d+ of"),
        ("last_block_without_fence", 2, r"reads element \d of out, which thread 0 of block numb"),
    ],
)
def test_what_a_gpu_lets_pass_is_found(
    device: EmulatedDevice, library: KernelLibrary, kernel: str, blocks: int, message: str
) -> None:
    x, out = device.to_device(np.ones(64, np.float32)), device.empty(512)
    if kernel.startswith("last_block"):
        out = device.to_device(np.zeros(128, np.float32))
    with pytest.raises(EmulationError, match=message) as caught:
        launch(device, library, kernel, x, out, blocks=blocks)
    assert caught.value.kernel == kernel
    assert re.search("SC_|atomic", library.source.splitlines()[caught.value.line - 1])


@pytest.mark.parametrize("kernel", [name for name in named(RIGHT) if name != "failing"])
def test_what_is_ordered_passes(
    device: EmulatedDevice, library: KernelLibrary, kernel: str
) -> None:
    x, out = device.to_device(np.ones(64, np.float32)), device.to_device(np.zeros(128, np.float32))
    launch(device, library, kernel, x, out, blocks=2)


def test_the_lock_of_the_error_word_orders(device: EmulatedDevice, library: KernelLibrary) -> None:
    x = device.to_device(np.ones(64, np.float32))
    error = device.to_device(np.array([NO_ERROR, *[0] * (ERROR_WORDS - 1)], np.uint64))
    launch(device, library, "failing", x, error, blocks=2)
    assert device.from_device(error, (3,), np.uint64).tolist() == [2, 0, 0]


@pytest.mark.parametrize(
    ("kernel", "blocks", "expected"),
    [
        # As in `Traffic`: bytes, sectors, sectors of warps, bank conflicts, the longest thread.
        ("rows_of_floats", 2, (512, 512, 16, 16, 32, 0, 2)),
        ("strided", 1, (256, 256, 64, 8, 64 + 8, 0, 2)),
        ("wide", 1, (1024, 1024, 32, 32, 64, 0, 2)),
        ("twice", 1, (512, 256, 8, 8, 3 * 8, 0, 3)),
        ("columns", 1, (0, 0, 0, 0, 0, 2 * 31, 1)),
        ("padded_columns", 1, (0, 0, 0, 0, 0, 0, 1)),
        ("every_second", 1, (0, 0, 0, 0, 0, 2, 1)),
        ("doubles", 1, (0, 0, 0, 0, 0, 0, 1)),
    ],
)
def test_traffic_is_counted(
    device: EmulatedDevice,
    library: KernelLibrary,
    kernel: str,
    blocks: int,
    expected: tuple[int, ...],
) -> None:
    x, out = device.to_device(np.ones(512, np.float32)), device.empty(2048)
    traffic = launch(device, library, kernel, x, out, blocks=blocks)
    found = tuple(getattr(traffic, name) for name, *_ in traffic._fields_)
    assert found == expected
