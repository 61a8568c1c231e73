"""Under `SCRIPTC_GUARD` code that leaves an array dies, and code that does not runs as ever."""

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scriptc.backends.llvm.loading import elfload, symbols
from scriptc.backends.llvm.loading.guarded_arrays import guarded_copy
from scriptc.backends.llvm.loading.machine_code import GUARDED, OF_MEMORY, SupportCode
from scriptc.cache.support_code import part_object, support_object
from scriptc.options import OptionError, from_environment, guard_of_process
from scriptc.scripted_function import store_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the guard is for Linux")

# Reads or writes near an array of 7 floats; a kernel's memory has as many bytes as it asks for.
PROGRAM = """
import ctypes
import sys
import numpy as np
from scriptc import script
from scriptc.scripted_function import store_of
from scriptc.backends.llvm.loading.guarded_arrays import guarded_copy
from scriptc.options import from_environment

@script
def doubled(x):
    return x * 2.0

support = store_of(from_environment().cache_dir).support
of, place, action = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if of == "result":
    array = doubled(np.arange(7.0))
    address = array.ctypes.data
elif of == "copy":
    array = guarded_copy(np.arange(7.0), support)
    address = array.ctypes.data
else:
    take = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    address = take(support["aligned_alloc"])(64, 64)
numbers = (ctypes.c_double * 8).from_address(address)
numbers[3] += 1.0
if action == "after":
    if of == "kernel":
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(support["free"])(address)
    array = None
print("so far", flush=True)
number = ctypes.c_double.from_address(address + 8 * place)
if action == "write":
    number.value = 1.0
else:
    number.value
print("survived")
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    return str(file)


def _run(mode: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"SCRIPTC_GUARD": mode},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("mode", "of", "place", "action"),
    [
        ("end", "result", 7, "read"),
        ("end", "result", 7, "write"),
        ("end", "copy", 7, "read"),
        ("end", "kernel", 8, "read"),
        ("end", "result", 3, "after"),
        ("end", "kernel", 3, "after"),
        ("1", "result", -9, "write"),
        ("1", "result", 512, "read"),
        ("1", "copy", -9, "read"),
        ("1", "copy", 3, "after"),
        ("1", "kernel", -9, "read"),
    ],
)
def test_who_leaves_an_array_dies(
    program: str, mode: str, of: str, place: int, action: str
) -> None:
    done = _run(mode, program, of, str(place), action)
    assert done.stdout == "so far\n", done.stderr
    assert done.returncode == -signal.SIGSEGV


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["0", "1", "end"])
@pytest.mark.parametrize("of", ["result", "copy", "kernel"])
def test_who_stays_inside_lives(program: str, mode: str, of: str) -> None:
    if (mode, of) == ("0", "kernel"):
        pytest.skip("the system's own aligned_alloc")
    assert _run(mode, program, of, "6", "write").stdout == "so far\nsurvived\n"


def test_the_allocator_has_the_symbols_of_the_other_and_two_more() -> None:
    exported = set(elfload.exported_symbols(part_object(GUARDED)))
    missing = {"sc_alloc_fresh", "sc_recycle", "sc_small_blocks"}  # of small blocks alone
    assert exported | missing == OF_MEMORY | {"sc_guard_ends", "sc_guard_give", "sc_guard_take"}


@pytest.mark.parametrize("guard", ["start", "end"])
def test_blocks_are_counted_and_what_waits_is_bounded(guard: str) -> None:
    core = elfload.load(support_object(), symbols.resolve)
    code = SupportCode(core, part_object, guard=guard)

    def number(name: str) -> ctypes.c_int64:
        return ctypes.c_int64.from_address(code[name])

    live, waiting = number("sc_live_blocks"), number("sc_cached_bytes")
    for size in [0, 1, 7, 64, 4096, 10**6] * 150:
        assert guarded_copy(np.ones(size, np.int8), code).sum() == size
    assert live.value == 0
    assert 0 < waiting.value <= number("sc_cache_limit").value
    many = [guarded_copy(np.arange(3.0), code) for _ in range(16_500)]
    assert live.value == 16_500
    assert sum(x[1] for x in many) == 16_500
    del many
    assert live.value == 0


@pytest.mark.parametrize(
    "array",
    [
        np.arange(12.0).reshape(3, 4)[::-1, ::2], np.zeros((0, 3)), np.array(5.0), np.arange(5)[4:],
        np.broadcast_to(np.float32(2.0), (3, 2)), np.asfortranarray(np.eye(3, dtype=np.complex64)),
        np.arange(6)[::-3], np.ones(3, np.bool_),
    ],
)  # fmt: skip
def test_a_copy_has_the_strides_of_the_array(array: NDArray[Any]) -> None:
    copy = guarded_copy(array, store_of(from_environment().cache_dir).support)
    assert (copy.shape, copy.strides, copy.dtype) == (array.shape, array.strides, array.dtype)
    assert copy.flags.writeable == array.flags.writeable
    assert np.array_equal(copy, array)


def test_other_words_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for word, guard in (("", ""), ("0", ""), ("1", "start"), ("end", "end")):
        monkeypatch.setenv("SCRIPTC_GUARD", word)
        assert guard_of_process() == guard
    monkeypatch.setenv("SCRIPTC_GUARD", "yes")
    with pytest.raises(OptionError, match="SCRIPTC_GUARD is 'yes': give 1, end or 0"):
        from_environment()


@pytest.mark.parametrize("mode", ["1", "end"])
def test_programs_run_between_unreadable_pages(mode: str, thorough: bool) -> None:
    modules = ["parts_of_rows", "masked_stores", "buffers"]
    given = modules if thorough else modules[:1]
    done = _run(mode, "-m", "tests.support.guard_programs", *given)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
