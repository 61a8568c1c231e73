"""Kernels that break the rules of CUDA are noticed, and missing tools are named."""

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from scriptc.backends.cuda.device import (
    Argument,
    Buffer,
    KernelCompileError,
    KernelLibrary,
    MissingToolError,
    check_geometry,
    pack_arguments,
)
from scriptc.backends.cuda.emulator import (
    EmulatedDevice,
    EmulationError,
    Schedule,
    check_host,
    find_compiler,
)
from scriptc.backends.cuda.nvrtc import compile_cubin, load_nvrtc
from scriptc.backends.cuda.prelude import PRELUDE

BARRIER = "__syncthreads();"

# Two reductions in a row over one scratch array: each barrier of the prelude is needed.
SUM_AND_MAX = """
extern "C" __global__ void without_barrier_NTH(const float* x, float* out) {
  __shared__ float scratch[32];
  const float x0 = x[threadIdx.x];
  const float sum = missing_NTH::sc_block_reduce(x0, -0.0f, scratch, missing_NTH::ScSum());
  out[2 * threadIdx.x] = sum;
  const float top = missing_NTH::sc_block_reduce(x0, -SC_INF_F32, scratch, missing_NTH::ScMax());
  out[2 * threadIdx.x + 1] = top;
}
"""


def barrier_missing(nth: int) -> str:
    """The kernel over a prelude without its `nth` barrier; with all, where it has none such."""
    parts = PRELUDE.split(BARRIER)
    broken = BARRIER.join(parts[: nth + 1])
    if nth + 1 < len(parts):
        broken += BARRIER.join(parts[nth + 1 :])
    return f"namespace missing_{nth} {{\n{broken}}}\n" + SUM_AND_MAX.replace("NTH", str(nth))


BARRIERS = PRELUDE.count(BARRIER)
MISSING = "".join(map(barrier_missing, range(BARRIERS + 1)))

BROKEN = r"""
extern "C" __global__ void barrier_some_skip(int* out) {
  if (threadIdx.x < 32)
    __syncthreads();  // here
  out[threadIdx.x] = 0;
}

extern "C" __global__ void barrier_after_return(int* out) {
  if (threadIdx.x > 60) return;
  __syncthreads();  // here
  out[threadIdx.x] = 0;
}

extern "C" __global__ void barriers_differ(int* out) {
  if (threadIdx.x < 32) {
    __syncthreads();  // here
    out[threadIdx.x] = 0;
  } else {
    __syncthreads();  // here
    out[threadIdx.x] = 1;
  }
}

extern "C" __global__ void shuffle_in_half_a_warp(int* out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_xor_sync(SC_ALL_LANES, 1, 1);  // here
}

extern "C" __global__ void shuffle_beside_barrier(int* out) {
  if (threadIdx.x % 32 == 0) __syncthreads();
  else out[threadIdx.x] = __shfl_xor_sync(SC_ALL_LANES, 1, 1);  // here
}

extern "C" __global__ void different_shuffles(int* out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_xor_sync(SC_ALL_LANES, 1, 1);  // here
  else
    out[threadIdx.x] = __shfl_xor_sync(SC_ALL_LANES, 1, 2);  // here
}

extern "C" __global__ void shuffle_from_outside(int* out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_sync(0x0000ffffu, 1, 20);  // here
}

extern "C" __global__ void lane_outside_its_mask(int* out) {
  out[threadIdx.x] = __ballot_sync(0x0000ffffu, 1);  // here
}

extern "C" __global__ void partial_warp(int* out) {
  out[threadIdx.x] = __ballot_sync(SC_ALL_LANES, 1);  // here
}

extern "C" __global__ void traps(int* out) {
  if (blockIdx.x == 1)
    __trap();  // here
  out[threadIdx.x] = 0;
}

__noinline__ __device__ int deep(int n) {
  char frame[8192];
  for (int i = 0; i < 8192; ++i) ((volatile char*)frame)[i] = n;
  return n == 0 ? 0 : deep(n - 1) + ((volatile char*)frame)[n];
}
extern "C" __global__ void stack_overflow(int* out) {
  if (threadIdx.x == 0) out[0] = deep(20);
}

extern "C" __global__ void one_too_far(int* out, int n) { out[n] = 0; }

extern "C" __global__ void wrong_tail(const float4* x, float* out) { out[0] = x[1].w; }
"""
KERNELS = [
    *re.findall(r"__global__ void (\w+)\(", BROKEN),
    *(f"without_barrier_{n}" for n in range(BARRIERS + 1)),
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("emulated")


@pytest.fixture(scope="module")
def device(cache: Path) -> EmulatedDevice:
    return EmulatedDevice(cache)


@pytest.fixture(scope="module")
def library(device: EmulatedDevice) -> KernelLibrary:
    return device.compile(PRELUDE + BROKEN + MISSING, KERNELS)


@pytest.mark.parametrize("schedule", Schedule)
@pytest.mark.parametrize("nth", range(BARRIERS + 1))
def test_a_removed_barrier_is_noticed(
    cache: Path, library: KernelLibrary, schedule: Schedule, nth: int
) -> None:
    device = EmulatedDevice(cache, schedule=schedule)
    x = np.arange(256, dtype=np.float32)
    out = device.empty(2 * x.nbytes)
    kernel = f"without_barrier_{nth}"
    device.launch(
        library, kernel, (1, 1, 1), (256, 1, 1), (device.to_device(x), out), synchronises=True
    )
    result = device.from_device(out, (256, 2), np.float32)
    right = np.array_equal(result, np.tile([x.sum(), x.max()], (256, 1)))
    assert right == (nth == BARRIERS)


@pytest.mark.parametrize(
    ("kernel", "block", "message"),
    [
        ("barrier_some_skip", 64, "divergent barrier: .* others have exited"),
        ("barrier_after_return", 64, "divergent barrier: .* others have exited"),
        ("barriers_differ", 64, "divergent barrier: .* different __syncthreads"),
        ("shuffle_in_half_a_warp", 32, "names a lane that has exited"),
        ("shuffle_beside_barrier", 64, "names a lane that waits at __syncthreads"),
        ("different_shuffles", 32, "deadlock"),
        ("shuffle_from_outside", 32, "reads a lane outside its mask"),
        ("lane_outside_its_mask", 32, "not in the mask of its own collective"),
        ("partial_warp", 48, "names a lane that the block lacks"),
        ("traps", 32, "trapped"),
    ],
)
@pytest.mark.parametrize("schedule", Schedule)
def test_a_broken_kernel_is_named_with_block_and_line(
    cache: Path, library: KernelLibrary, schedule: Schedule, kernel: str, block: int, message: str
) -> None:
    device = EmulatedDevice(cache, schedule=schedule)
    blocks = 2 if kernel == "traps" else 1
    with pytest.raises(EmulationError, match=message) as caught:
        device.launch(
            library,
            kernel,
            (blocks, 1, 1),
            (block, 1, 1),
            (device.empty(256),),
            synchronises=True,
        )
    assert f"kernel {kernel}" in str(caught.value)
    assert "// here" in str(caught.value)
    assert caught.value.kernel == kernel
    assert caught.value.block == (blocks - 1, 0, 0)
    assert library.source.splitlines()[caught.value.line - 1].endswith("// here")


def refused(
    device: EmulatedDevice,
    library: KernelLibrary,
    kernel: str,
    *args: Argument,
    synchronises: bool = True,
) -> str:
    with pytest.raises(EmulationError) as caught:
        device.launch(library, kernel, (1, 1, 1), (64, 1, 1), args, synchronises=synchronises)
    return str(caught.value)


def test_a_kernel_that_waits_against_its_word_is_noticed(
    device: EmulatedDevice, library: KernelLibrary
) -> None:
    message = refused(device, library, "partial_warp", device.empty(256), synchronises=False)
    assert "the launch said that this kernel never waits" in message


def test_a_stack_overflow_is_noticed(device: EmulatedDevice, library: KernelLibrary) -> None:
    assert "overflowed its stack" in refused(device, library, "stack_overflow", device.empty(4))


def test_a_write_behind_a_buffer_is_noticed(device: EmulatedDevice, library: KernelLibrary) -> None:
    for index in (np.int32(16), np.int32(-1)):
        message = refused(device, library, "one_too_far", device.empty(64), index)
        assert "outside the buffer of argument 0" in message


def test_a_read_behind_a_buffer_gives_nan(device: EmulatedDevice, library: KernelLibrary) -> None:
    x, out = device.to_device(np.ones(7, np.float32)), device.empty(4)
    device.launch(library, "wrong_tail", (1, 1, 1), (1, 1, 1), (x, out), synchronises=False)
    assert np.isnan(device.from_device(out, (), np.float32))


@pytest.mark.parametrize(
    "count", [np.int64(3), np.uint32(3), np.float32(3), np.bool_(True), None], ids=str
)
def test_arguments_that_do_not_fit_the_kernel_are_named(
    device: EmulatedDevice, library: KernelLibrary, count: np.generic | None
) -> None:
    args = (device.empty(64), *([] if count is None else [count]))
    assert re.search(
        r"the kernel takes \(p8,i4\), was given \(p8",
        refused(device, library, "one_too_far", *args),
    )


def test_a_launch_after_a_failed_one_is_not_affected(
    device: EmulatedDevice, library: KernelLibrary
) -> None:
    refused(device, library, "barriers_differ", device.empty(256))
    out = device.empty(64)
    args = (out, np.int32(3))
    device.launch(library, "one_too_far", (1, 1, 1), (1, 1, 1), args, synchronises=True)
    assert device.from_device(out, (4,), np.int32).tolist() == [-1, -1, -1, 0]


@pytest.mark.parametrize(
    "value", [3, 2.5, True, np.str_("x"), np.longdouble(1), np.datetime64(0, "s"), np.ones(1)]
)
def test_only_numpy_scalars_and_buffers_are_arguments(value: Argument) -> None:
    with pytest.raises(TypeError, match=r"argument 1 of a kernel .* such as np\.int64\(n\)"):
        pack_arguments([np.int32(1), value])


def test_arguments_are_packed_as_the_driver_takes_them() -> None:
    packed = pack_arguments([Buffer(0x1234, 8, None), np.int32(-2), np.float64(0.5)])
    assert packed.kinds == "p8,i4,f8"
    assert len(packed.pointers) == 3
    assert packed.storage.raw[:8] == (0x1234).to_bytes(8, "little")
    assert packed.storage.raw[16:20] == np.int32(-2).tobytes()


@pytest.mark.parametrize(
    ("grid", "block"),
    [
        ((0, 1, 1), (1, 1, 1)),
        ((1, 65536, 1), (1, 1, 1)),
        ((1, 1, 1), (1025, 1, 1)),
        ((1, 1, 1), (32, 32, 2)),
        ((1, 1, 1), (1, 1, 65)),
    ],
)
def test_geometry_that_no_driver_takes_is_refused(
    grid: tuple[int, int, int], block: tuple[int, int, int]
) -> None:
    with pytest.raises(ValueError, match=r"^(grid|block) \("):
        check_geometry(grid, block)


def test_a_buffer_of_another_device_is_refused(
    device: EmulatedDevice, library: KernelLibrary
) -> None:
    foreign = Buffer(device.empty(64).address, 64, None)
    with pytest.raises(TypeError, match="another device"):
        device.from_device(foreign, (4,), np.int32)
    with pytest.raises(TypeError, match="another device"):
        device.launch(
            library,
            "one_too_far",
            (1, 1, 1),
            (1, 1, 1),
            (foreign, np.int32(0)),
            synchronises=False,
        )


def test_more_than_a_buffer_holds_is_refused(device: EmulatedDevice) -> None:
    with pytest.raises(ValueError, match="16 bytes asked of a buffer of 15"):
        device.from_device(device.empty(15), (4,), np.int32)


def test_a_source_is_compiled_once(tmp_path: Path) -> None:
    cache = tmp_path / "new"
    source = 'extern "C" __global__ void k(int* x) { *x = 1; }'
    EmulatedDevice(cache).compile(source, ["k"])
    (first,) = cache.iterdir()
    written = first.stat().st_mtime_ns
    EmulatedDevice(cache).compile(source, ["k"])
    assert [path.stat().st_mtime_ns for path in cache.iterdir()] == [written]
    EmulatedDevice(cache).compile(source.replace("1", "2"), ["k"])
    assert len([*cache.iterdir()]) == 2
    assert cache.stat().st_mode & 0o777 == 0o700


def test_a_cache_that_others_may_write_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    source = 'extern "C" __global__ void k(int* x) { *x = 1; }'
    with pytest.raises(PermissionError, match="written by another user"):
        EmulatedDevice(tmp_path).compile(source, ["k"])


BAD_SOURCES = {
    "float maximum": "x[0] = max(x[0], x[1]);",
    "unknown name": "x[0] = nonsense;",
    "half a stack": "volatile float large[20000]; large[int(x[0])] = 1;",
}


@pytest.mark.parametrize("statement", BAD_SOURCES.values(), ids=BAD_SOURCES)
def test_a_source_that_does_not_compile_leaves_nothing_behind(
    tmp_path: Path, statement: str
) -> None:
    source = f'extern "C" __global__ void k(float* x) {{\n{statement}\n}}'
    cache = tmp_path / "new"
    with pytest.raises(KernelCompileError, match=r"kernels\.cu:[23]:.* error"):
        EmulatedDevice(cache).compile(source, ["k"])
    assert not [*cache.iterdir()]


def test_nvrtc_says_where_a_source_is_wrong() -> None:
    with pytest.raises(KernelCompileError, match=r"kernels\.cu\(2\): error: .*nonsense"):
        compile_cubin('extern "C" __global__ void k(float* x) {\nx[0] = nonsense;\n}')


def test_nvrtc_names_an_unknown_architecture() -> None:
    with pytest.raises(KernelCompileError, match="gpu-architecture"):
        compile_cubin("", "sm_1")


@pytest.mark.parametrize("candidates", [(), iter(())])
def test_missing_nvrtc_is_named_with_the_way_out(candidates: Iterable[str]) -> None:
    with pytest.raises(MissingToolError, match="pip install nvidia-cuda-nvrtc"):
        load_nvrtc(candidates)


def test_missing_compiler_is_named_with_who_needs_it() -> None:
    with pytest.raises(MissingToolError, match="only tests of the emulated CUDA device need"):
        find_compiler("no-such-compiler")


@pytest.mark.parametrize(("system", "machine"), [("Darwin", "arm64"), ("Linux", "aarch64")])
def test_other_hosts_are_refused(system: str, machine: str) -> None:
    with pytest.raises(MissingToolError, match=f"does not run on {system} {machine}"):
        check_host(system, machine)
