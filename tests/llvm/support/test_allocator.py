"""Counted blocks of memory: alignment, reuse, zeros, counts, and NumPy arrays that own them."""

import ctypes
import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from scriptc.backends.llvm import machine
from scriptc.backends.llvm.loading import callable as native
from scriptc.backends.llvm.loading import elfload, symbols
from scriptc.backends.llvm.loading.abi import (
    BLOCK_BYTES,
    BLOCK_COUNT,
    BLOCK_DELETER,
    BLOCK_HEADER,
    CONTEXT_SIZE,
    Context,
)
from scriptc.backends.llvm.loading.callable import CallableBody
from scriptc.backends.llvm.support import assemble

Compiled = native.make_callable_type("Compiled", CallableBody)
MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Memory:
    """The support code's functions as Python calls them."""

    alloc: Callable[[int], int | None]
    alloc_zero: Callable[[int], int | None]
    alloc_small: Callable[[int], int | None]
    retain: Callable[[int | None], None]
    release: Callable[[int | None], None]
    trim: Callable[[], None]
    capsule: Callable[[int], object]
    code: Mapping[str, int]
    own_pages: bool
    live: ctypes.c_int64
    total: ctypes.c_int64
    cached: ctypes.c_int64
    limit: ctypes.c_int64
    spare: ctypes.c_int64

    def bound(self, limit: int, spare: int) -> None:
        self.limit.value, self.spare.value = limit, spare

    def block(self, size: int, *, zero: bool = False) -> int:
        owner = self.alloc_zero(size) if zero else self.alloc(size)
        assert owner is not None
        return owner

    def small_block(self, size: int) -> int:
        owner = self.alloc_small(size)
        assert owner is not None
        return owner


@pytest.fixture(scope="module", params=["linux", "other systems"])
def loaded(request: pytest.FixtureRequest) -> Memory:
    if sys.platform != "linux" and request.param == "linux":
        pytest.skip("pages come from Linux calls")
    text = assemble.memory_text(request.param)
    code = elfload.load(machine.compile_to_object(text), symbols.resolve)
    pointer, integer = ctypes.c_void_p, ctypes.c_int64
    return Memory(
        alloc=ctypes.CFUNCTYPE(pointer, integer)(code["sc_alloc"]),
        alloc_zero=ctypes.CFUNCTYPE(pointer, integer)(code["sc_alloc_zero"]),
        alloc_small=ctypes.CFUNCTYPE(pointer, integer)(code["sc_alloc_small"]),
        retain=ctypes.CFUNCTYPE(None, pointer)(code["sc_retain"]),
        release=ctypes.CFUNCTYPE(None, pointer)(code["sc_release"]),
        trim=ctypes.CFUNCTYPE(None)(code["sc_trim"]),
        capsule=ctypes.PYFUNCTYPE(ctypes.py_object, pointer)(code["sc_capsule_new"]),
        code=code,
        own_pages=request.param == "linux",
        live=integer.from_address(code["sc_live_blocks"]),
        total=integer.from_address(code["sc_total_allocs"]),
        cached=integer.from_address(code["sc_cached_bytes"]),
        limit=integer.from_address(code["sc_cache_limit"]),
        spare=integer.from_address(code["sc_spare_limit"]),
    )


@pytest.fixture
def memory(loaded: Memory) -> Iterator[Memory]:
    """Start with an empty cache, and insist that the test frees what it takes."""
    loaded.trim()
    assert loaded.cached.value == 0
    limit = loaded.limit.value
    yield loaded
    assert loaded.live.value == 0
    loaded.bound(limit, 0)


SIZES = (0, 1, 63, 64, 65, 127, 128, 129, 255, 1000, 4096, 10**5, MEBIBYTE - 128, MEBIBYTE, 10**7)


@pytest.mark.parametrize("size", SIZES)
def test_a_block_is_aligned_and_all_of_it_can_be_written(memory: Memory, size: int) -> None:
    owners = [memory.block(size) for _ in range(5)]
    assert len(set(owners)) == 5
    for value, owner in enumerate(owners):
        assert (owner + BLOCK_HEADER) % 64 == 0
        assert ctypes.c_int64.from_address(owner + BLOCK_COUNT).value == 1
        assert ctypes.c_void_p.from_address(owner + BLOCK_DELETER).value is None
        assert ctypes.c_int64.from_address(owner + BLOCK_BYTES).value == size
        ctypes.memset(owner + BLOCK_HEADER, value, size)
    for value, owner in enumerate(owners):
        assert ctypes.string_at(owner + BLOCK_HEADER, size) == bytes([value]) * size
        memory.release(owner)


def test_every_size_around_a_class_boundary_has_room(memory: Memory) -> None:
    for exponent in range(6, 24):
        for size in ((1 << exponent) + d for d in (-65, -64, -63, -1, 0, 1)):
            if size < 0:
                continue
            first, second = memory.block(size), memory.block(size)
            ctypes.memset(first + BLOCK_HEADER, 1, size)
            ctypes.memset(second + BLOCK_HEADER, 2, size)
            assert ctypes.string_at(first + BLOCK_HEADER, size).count(1) == size
            memory.release(first)
            memory.release(second)


@pytest.mark.parametrize("size", SIZES)
def test_a_freed_block_is_used_again(memory: Memory, size: int) -> None:
    first = memory.block(size)
    memory.release(first)
    assert memory.cached.value > size
    again = memory.block(size)
    assert again == first
    assert memory.cached.value == 0
    memory.release(again)


@pytest.mark.parametrize("size", SIZES)
def test_zeroed_memory_is_zero_even_when_used_before(memory: Memory, size: int) -> None:
    for _ in range(2):
        owner = memory.block(size, zero=True)
        assert ctypes.string_at(owner + BLOCK_HEADER, size).count(0) == size
        ctypes.memset(owner + BLOCK_HEADER, 255, size)
        memory.release(owner)
        dirty = memory.block(size)
        ctypes.memset(dirty + BLOCK_HEADER, 255, size)
        memory.release(dirty)


def test_a_block_lives_until_its_last_release(memory: Memory) -> None:
    owner, total = memory.block(100), memory.total.value
    memory.retain(owner)
    memory.release(owner)
    assert memory.live.value == 1
    memory.release(owner)
    assert (memory.live.value, memory.total.value) == (0, total)


def test_borrowed_memory_is_not_counted(memory: Memory) -> None:
    memory.retain(None)
    memory.release(None)


@pytest.mark.parametrize("size", [-1, -(2**63), 2**62, 2**63 - 1, 2**46 + 1, 2**46])
def test_an_impossible_size_gives_null(memory: Memory, size: int) -> None:
    assert memory.alloc(size) is None
    assert memory.alloc_zero(size) is None


def test_the_cache_is_bounded(memory: Memory) -> None:
    memory.bound(4 * MEBIBYTE, 4 * MEBIBYTE)
    owners = [memory.block(MEBIBYTE) for _ in range(8)]
    for owner in owners:
        memory.release(owner)
    assert 0 < memory.cached.value <= 4 * MEBIBYTE


def test_large_blocks_beyond_the_bound_wait_with_their_pages_on_offer(memory: Memory) -> None:
    size = 20 * MEBIBYTE - 4096
    memory.bound(4 * MEBIBYTE, 50 * MEBIBYTE)
    for owner in [memory.block(size) for _ in range(4)]:
        ctypes.memset(owner + BLOCK_HEADER, 1, size)
        memory.release(owner)
    kept = memory.cached.value // size
    assert kept == (2 if memory.own_pages else 0)
    owners = [memory.block(size, zero=True) for _ in range(3)]
    assert memory.cached.value == 0
    for value, owner in enumerate(owners):
        assert ctypes.string_at(owner + BLOCK_HEADER, size).count(0) == size
        ctypes.memset(owner + BLOCK_HEADER, value, size)
    for value, owner in enumerate(owners):
        assert ctypes.string_at(owner + BLOCK_HEADER, size).count(value) == size
        memory.release(owner)


def test_a_quarter_of_the_memory_may_wait(memory: Memory) -> None:
    memory.release(memory.block(MEBIBYTE))
    if memory.own_pages:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        assert memory.spare.value == max(total // 4, memory.limit.value)


def test_a_cache_full_of_other_sizes_makes_room(memory: Memory) -> None:
    memory.bound(4 * MEBIBYTE, 4 * MEBIBYTE)
    for owner in [memory.block(1000) for _ in range(5000)]:
        memory.release(owner)
    assert memory.cached.value > 3 * MEBIBYTE
    memory.release(memory.block(2 * MEBIBYTE))
    assert 2 * MEBIBYTE < memory.cached.value < 3 * MEBIBYTE


def test_a_deleter_runs_before_its_block_is_freed(memory: Memory) -> None:
    inner, outer = memory.block(10), memory.block(8)
    ctypes.c_void_p.from_address(outer + BLOCK_HEADER).value = inner
    seen: list[int] = []

    def drop(owner: int) -> None:
        held = ctypes.c_void_p.from_address(owner + BLOCK_HEADER).value
        seen.append(owner)
        memory.release(held)

    deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(drop)
    address = ctypes.cast(deleter, ctypes.c_void_p).value
    ctypes.c_void_p.from_address(outer + BLOCK_DELETER).value = address
    memory.release(outer)
    assert seen == [outer]
    assert memory.live.value == 0
    again = memory.block(8)
    assert ctypes.c_void_p.from_address(again + BLOCK_DELETER).value is None
    memory.release(again)


SMALL_SIZES = (0, 1, 15, 16, 17, 24, 100, 479, 480, 481, 496)


@pytest.mark.parametrize("size", [*SMALL_SIZES, 497, 600])
def test_a_small_block_is_compact_and_is_used_again(memory: Memory, size: int) -> None:
    owners = [memory.small_block(size) for _ in range(200)]
    assert len(set(owners)) == 200
    for value, owner in enumerate(owners):
        assert owner % 16 == 0
        count = ctypes.c_uint64.from_address(owner + BLOCK_COUNT).value
        units = 1 + -(-size // 16) if size <= 496 else 0
        assert (count >> 56, count % 2**56) == (units, 1)
        ctypes.memset(owner + BLOCK_HEADER, value, size)
    for value, owner in enumerate(owners):
        assert ctypes.string_at(owner + BLOCK_HEADER, size) == bytes([value]) * size
        memory.retain(owner)
        memory.release(owner)
        assert memory.live.value == 200 - value
        memory.release(owner)
    assert memory.small_block(size) == owners[-1]
    memory.release(owners[-1])


def test_small_blocks_fill_pieces_of_memory(memory: Memory) -> None:
    count = 8000  # more than a mebibyte: the last ones lie in pages
    owners = sorted(memory.small_block(496) for _ in range(count))
    gaps = [after - before for before, after in pairwise(owners)]
    assert min(gaps) == 512
    assert gaps.count(512) > count - 100
    for owner in owners:
        memory.release(owner)


@pytest.mark.parametrize("kind", ["large", "small", "both"])
def test_a_long_chain_is_let_go_without_a_frame_for_each_block(memory: Memory, kind: str) -> None:
    makers = {"large": [memory.block], "small": [memory.small_block]}
    both = [memory.block, memory.small_block]
    blocks = [make(8) for _ in range(3) for make in makers.get(kind, both)]
    seen: list[int] = []
    running: list[int] = []

    def drop(owner: int) -> None:
        running.append(owner)
        assert running == [owner]
        seen.append(owner)
        memory.release(ctypes.c_void_p.from_address(owner + BLOCK_HEADER).value)
        running.pop()

    deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(drop)
    for block, held in zip(blocks, [*blocks[1:], None], strict=True):
        ctypes.c_void_p.from_address(block + BLOCK_HEADER).value = held
        ctypes.c_void_p.from_address(block + BLOCK_DELETER).value = ctypes.cast(
            deleter, ctypes.c_void_p
        ).value
    memory.release(blocks[0])
    assert (seen, running, memory.live.value) == (blocks, [], 0)


def test_large_blocks_lie_apart_in_the_cache_of_the_processor(memory: Memory) -> None:
    owners = [memory.block(MEBIBYTE) for _ in range(16)]
    # Where malloc places them, it says where.
    assert len({owner % 4096 for owner in owners}) == 16 or not memory.own_pages
    for owner in owners:
        memory.release(owner)


_new_array = ctypes.PYFUNCTYPE(
    ctypes.py_object,
    *(ctypes.py_object, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p),
    *(ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p),
)(symbols.resolve("PyArray_New"))
_set_base = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.py_object)(
    symbols.resolve("PyArray_SetBaseObject")
)


def _array_on(
    memory: Memory, owner: int, length: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """A float64 array over a block, as compiled code makes it."""
    shape = (ctypes.c_int64 * 1)(length)
    data, flags = owner + BLOCK_HEADER, 0x1 | 0x100 | 0x400
    array = _new_array(np.ndarray, 1, shape, 12, None, data, 0, flags, None)
    capsule = memory.capsule(owner)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(capsule))  # SetBaseObject takes this one over
    assert _set_base(array, capsule) == 0
    return array


def test_an_array_keeps_its_block_and_its_views_do_too(memory: Memory) -> None:
    array = _array_on(memory, memory.block(800, zero=True), 100)
    array[:] = np.arange(100)
    view = array[10:20]
    del array
    gc.collect()
    assert memory.live.value == 1
    np.testing.assert_array_equal(view, np.arange(10, 20))
    del view
    gc.collect()
    assert memory.live.value == 0


def test_code_and_arrays_share_a_block(memory: Memory) -> None:
    owner = memory.block(80)
    memory.retain(owner)
    array = _array_on(memory, owner, 10)
    del array
    assert memory.live.value == 1
    memory.release(owner)


def test_ten_thousand_arrays_leave_nothing_behind(memory: Memory) -> None:
    for _ in range(10_000):
        _array_on(memory, memory.block(800), 100)
    assert memory.live.value == 0
    assert memory.cached.value < 2000


INTERRUPTED = f"""
declare i32 @raise(i32)
declare i32 @sc_poll(ptr)
define void @interrupted(i32 %signal, ptr %statuses) {{
  %context = alloca [{CONTEXT_SIZE} x i8], align 8
  %job.at = getelementptr i8, ptr %context, i64 {Context.JOB}
  store ptr null, ptr %job.at
  %before = call i32 @sc_poll(ptr %context)
  store i32 %before, ptr %statuses
  %sent = call i32 @raise(i32 %signal)
  %after = call i32 @sc_poll(ptr %context)
  %after.at = getelementptr i32, ptr %statuses, i64 1
  store i32 %after, ptr %after.at
  ret void
}}
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_polling_lets_a_signal_through() -> None:
    code = elfload.load(assemble.support_object(Compiled), symbols.resolve)

    def resolve(name: str) -> int:
        return code[name] if name in code else symbols.resolve(name)

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    user = elfload.load(machine.compile_to_object(INTERRUPTED), resolve)
    run = ctypes.PYFUNCTYPE(None, ctypes.c_int32, ctypes.c_void_p)(user["interrupted"])
    statuses = (ctypes.c_int32 * 2)(7, 7)
    previous = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            run(signal.SIGUSR1, ctypes.addressof(statuses))
    finally:
        signal.signal(signal.SIGUSR1, previous)
    assert list(statuses) == [0, -1]


def test_the_support_object_is_the_same_every_time() -> None:
    assert assemble.support_object(Compiled) == assemble.support_object(Compiled)


def test_an_array_that_outlives_the_interpreter_frees_its_block_safely(tmp_path: Path) -> None:
    (tmp_path / "memory.o").write_bytes(assemble.compile_support(assemble.memory_text()))
    repo = Path(__file__).parents[3]
    program = f"""
import ctypes, sys
sys.path[:0] = {[str(repo), str(repo / "runtime")]!r}
from pathlib import Path
from scriptc.backends.llvm.loading import elfload, symbols
code = elfload.load(Path(sys.argv[1]).read_bytes(), symbols.resolve)
owner = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int64)(code["sc_alloc"])(1 << 22)
make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)(code["sc_capsule_new"])
sys.kept = make(owner)
print("done")
"""
    result = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "memory.o")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.stdout, result.stderr, result.returncode) == ("done\n", "", 0)
