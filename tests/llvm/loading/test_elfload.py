"""Compiling LLVM IR to objects and loading them, with and without LLVM in the process."""

import ctypes
import gc
import random
import shutil
import struct
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from scriptc import script
from scriptc.backends.llvm import machine
from scriptc.backends.llvm.emitter.effort import Effort
from scriptc.backends.llvm.host import host
from scriptc.backends.llvm.llvm_linker import link_object
from scriptc.backends.llvm.loading import elfload, libraries, symbols
from scriptc.backends.llvm.loading.elfload import (
    ObjectError,
    exported_symbols,
    load,
    undefined_symbols,
)
from scriptc.backends.llvm.loading.host import host_fingerprint
from scriptc_runtime.errors import InvalidIRError
from tests.support.live_source import live_module

REPO = Path(__file__).parents[3]

# One of everything an object can hold: constants, a jump table, initialised and zeroed variables,
# a table of function addresses, calls inside and to the outside, a vector loop, 128-bit division.
ZOO = """
@constants = internal constant [4 x i64] [i64 10, i64 20, i64 30, i64 40]
@counter = global i64 5
@zeroed = internal global [100 x i64] zeroinitializer
@functions = internal constant [2 x ptr] [ptr @choose, ptr @increment]
declare double @fmod(double, double)
declare double @exp(double)

define i64 @choose(i64 %x) {
  switch i64 %x, label %other [i64 0, label %a  i64 1, label %b  i64 2, label %c
                               i64 3, label %d  i64 4, label %e  i64 5, label %f]
a:
  %a.r = call i64 @increment(i64 %x)
  ret i64 %a.r
b:
  %b.r = load i64, ptr @counter
  ret i64 %b.r
c:
  %c.r = mul i64 %x, 99
  ret i64 %c.r
d:
  ret i64 1000
e:
  %e.r = load i64, ptr getelementptr ([100 x i64], ptr @zeroed, i64 0, i64 99)
  ret i64 %e.r
f:
  %f.r = call i64 @increment(i64 7)
  ret i64 %f.r
other:
  %masked = and i64 %x, 3
  %at = getelementptr [4 x i64], ptr @constants, i64 0, i64 %masked
  %r = load i64, ptr %at
  ret i64 %r
}

define i64 @increment(i64 %x) noinline {
  %n = load i64, ptr @counter
  %more = add i64 %n, 1
  store i64 %more, ptr @counter
  store i64 %more, ptr getelementptr ([100 x i64], ptr @zeroed, i64 0, i64 99)
  ret i64 %more
}

define i64 @through_table(i64 %which, i64 %x) {
  %at = getelementptr [2 x ptr], ptr @functions, i64 0, i64 %which
  %function = load ptr, ptr %at
  %r = call i64 %function(i64 %x)
  ret i64 %r
}

define double @outside(double %x) {
  %e = call double @exp(double %x)
  %r = call double @fmod(double %e, double 0.7)
  ret double %r
}

define i64 @wide(i64 %high, i64 %low, i64 %divisor) {
  %h = zext i64 %high to i128
  %l = zext i64 %low to i128
  %d = zext i64 %divisor to i128
  %shifted = shl i128 %h, 64
  %n = or i128 %shifted, %l
  %q = udiv i128 %n, %d
  %r = trunc i128 %q to i64
  ret i64 %r
}

define void @axpy(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %loop, label %done
loop:
  %i = phi i64 [0, %entry], [%i.next, %loop]
  %x.at = getelementptr double, ptr %x, i64 %i
  %y.at = getelementptr double, ptr %y, i64 %i
  %x.v = load double, ptr %x.at
  %y.v = load double, ptr %y.at
  %scaled = fmul double %x.v, 3.25
  %index = sitofp i64 %i to double
  %sum = fadd double %scaled, %y.v
  %all = fadd double %sum, %index
  store double %all, ptr %y.at
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""

EXPORTS = ["axpy", "choose", "counter", "increment", "outside", "through_table", "wide"]
OWN_LINKER = pytest.mark.skipif(
    sys.platform != "linux" or not host().triple.startswith("x86_64"),
    reason="only x86-64 Linux has a linker of ours",
)


def _i64(address: int, *arguments: int) -> int:
    integers = [ctypes.c_int64] * len(arguments)
    return ctypes.CFUNCTYPE(ctypes.c_int64, *integers)(address)(*arguments)


@pytest.mark.parametrize("optimise", range(4))
@pytest.mark.parametrize("way", ["own", "llvm"])
def test_loaded_code_computes_what_its_text_says(optimise: int, way: str) -> None:
    obj = machine.compile_to_object(ZOO, optimise=optimise)
    if way == "own":
        code = load(obj, symbols.resolve)
    else:
        needed = {name: symbols.resolve(name) for name in undefined_symbols(obj)}
        code = link_object(obj, needed, exported_symbols(obj))
    assert sorted(code) == EXPORTS
    assert [_i64(code["choose"], x) for x in range(9)] == [6, 6, 198, 1000, 6, 7, 30, 40, 10]
    assert _i64(code["through_table"], 0, 3) == 1000
    assert _i64(code["through_table"], 1, 3) == 8
    assert ctypes.c_int64.from_address(code["counter"]).value == 8
    assert _i64(code["wide"], 3, 5, 7) == ((3 << 64) + 5) // 7
    outside = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(code["outside"])
    assert outside(1.25) == pytest.approx(np.fmod(np.exp(1.25), 0.7), rel=1e-14)
    x, y = np.linspace(0, 1, 37), np.linspace(5, 9, 37)
    expected = (x * 3.25 + y) + np.arange(37)
    _i64(code["axpy"], x.ctypes.data, y.ctypes.data, 37)
    np.testing.assert_allclose(y, expected, rtol=1e-15)


def test_an_object_says_what_it_needs_and_gives() -> None:
    obj = machine.compile_to_object(ZOO)
    assert {"exp", "fmod"} <= set(undefined_symbols(obj)) <= {"exp", "fmod", "__udivti3"}
    assert exported_symbols(obj) == EXPORTS


def test_two_loads_of_one_object_are_independent() -> None:
    obj = machine.compile_to_object(ZOO)
    first, second = load(obj, symbols.resolve), load(obj, symbols.resolve)
    assert [_i64(first["increment"], 0) for _ in range(3)] == [6, 7, 8]
    assert _i64(second["increment"], 0) == 6


def test_an_object_without_code_loads() -> None:
    assert load(machine.compile_to_object("declare void @nothing()"), symbols.resolve) == {}


@OWN_LINKER
def test_objects_load_and_run_without_llvmlite(tmp_path: Path) -> None:
    path = tmp_path / "zoo.o"
    path.write_bytes(machine.compile_to_object(ZOO))
    program = f"""
import ctypes, sys
sys.path[:0] = {[str(REPO), str(REPO / "runtime")]!r}
from pathlib import Path
from scriptc.backends.llvm.loading import elfload, libraries, symbols
code = elfload.load(Path(sys.argv[1]).read_bytes(), symbols.resolve)
print(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(code["choose"])(2))
assert "llvmlite" not in sys.modules
"""
    result = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False
    )
    assert (result.stdout, result.stderr) == ("198\n", "")


def test_a_missing_symbol_is_named() -> None:
    obj = machine.compile_to_object(
        "declare void @no_such_function()\n"
        "define void @f() {\n call void @no_such_function()\n ret void\n}"
    )
    with pytest.raises(libraries.SymbolError, match="no_such_function"):
        load(obj, symbols.resolve)


def test_text_that_llvm_refuses_is_our_mistake() -> None:
    with pytest.raises(InvalidIRError, match="expected"):
        machine.compile_to_object("define i32 @f() { return 1 }")


def test_the_stages_of_llvm_can_be_looked_at() -> None:
    text = "define i64 @f(i64 %x) {\n %a = add i64 %x, 1\n %b = add i64 %a, 1\n ret i64 %b\n}"
    assert "add i64 %x, 2" in machine.optimised_text(text)
    assert "f:" in machine.assembly(text)


def test_text_without_passes_is_compiled_as_it_stands() -> None:
    obj = machine.compile_to_object(ZOO, optimise=1, effort=Effort.NONE)
    assert _i64(load(obj, symbols.resolve)["choose"], 2) == 198


# Damaged objects. Loading must end in ObjectError or in a load, never in a crash.


def _resolve_anything(name: str) -> int:
    return 0x1000


@pytest.fixture(scope="module")
def zoo() -> bytes:
    return machine.compile_to_object(ZOO)


@OWN_LINKER
@pytest.mark.parametrize("size", [0, 1, 5, 63, 64, 200, 1000, 2000])
def test_a_cut_object_is_refused(zoo: bytes, size: int) -> None:
    with pytest.raises(ObjectError):
        load(zoo[:size], _resolve_anything)


@OWN_LINKER
def test_damaged_bytes_never_crash_the_loader(zoo: bytes) -> None:
    chance = random.Random(7)
    refused = 0
    for _ in range(1500):
        damaged = bytearray(zoo)
        for _ in range(chance.randint(1, 4)):
            # The tables at the end steer the loader; the code before them is only copied.
            at = chance.randrange(64) if chance.random() < 0.3 else chance.randrange(len(zoo))
            damaged[at] = chance.choice((0, 1, 0x7F, 0xFF, chance.randrange(256)))
        try:
            load(bytes(damaged), _resolve_anything)
        except ObjectError:
            refused += 1
    assert 100 < refused < 1500


def _patched(obj: bytes, at: int, form: str, value: int) -> bytes:
    copy = bytearray(obj)
    struct.pack_into(form, copy, at, value)
    return bytes(copy)


def _first_row(obj: bytes) -> int:
    """The file offset of the first relocation of the first loaded section."""
    (start,) = struct.unpack_from("<Q", obj, 0x28)
    entry, count = struct.unpack_from("<HH", obj, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", obj, start + i * entry) for i in range(count)]
    return next(h[4] for h in headers if h[1] == 4 and headers[h[7]][2] & 2)


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "machine 40": lambda obj: _patched(obj, 18, "<H", 40),
    "another processor": lambda obj: _patched(obj, 18, "<H", 183),
    "not a relocatable": lambda obj: _patched(obj, 4, "<B", 1),
    "section headers": lambda obj: _patched(obj, 0x28, "<Q", 2**63),
    "at byte 18446744073709551615": lambda obj: _patched(obj, _first_row(obj), "<Q", 2**64 - 1),
    "type 99": lambda obj: _patched(obj, _first_row(obj) + 8, "<I", 99),
    "symbol 1000000": lambda obj: _patched(obj, _first_row(obj) + 12, "<I", 10**6),
    # The 32-bit form of an address: right in itself, but no mapping is that low.
    "out of reach": lambda obj: _patched(obj, _first_row(obj) + 8, "<I", 10),
}


@OWN_LINKER
@pytest.mark.parametrize(("message", "change"), DAMAGE.items(), ids=list(DAMAGE))
def test_what_is_wrong_with_an_object_is_said(
    zoo: bytes, message: str, change: Callable[[bytes], bytes]
) -> None:
    with pytest.raises(ObjectError, match=message):
        load(change(zoo), _resolve_anything)


def _compiled(tmp_path: Path, source: str, *flags: str) -> bytes:
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    (tmp_path / "f.c").write_text(source)
    command = [compiler, "-fPIC", *flags, "-c", str(tmp_path / "f.c"), "-o", str(tmp_path / "f.o")]
    subprocess.run(command, check=True)
    return (tmp_path / "f.o").read_bytes()


@OWN_LINKER
def test_an_unknown_relocation_is_refused_by_name(tmp_path: Path) -> None:
    source = "extern int there; int f(void) { return there; }"
    with pytest.raises(ObjectError, match=r"relocation type \d+, against '"):
        load(_compiled(tmp_path, source, "-mcmodel=large"), _resolve_anything)


@OWN_LINKER
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_code_finds_what_is_far_away_and_what_it_has_itself(tmp_path: Path, level: str) -> None:
    source = """
        extern int there; extern int away(int);
        int here = 5; int *place = &there; int nothing(void);
        int f(void) { return there + here + away(1) + (away == 0); }
        int g(void) { return *place + away(2); }
        int h(void) { int (*call)(int) = away; return call(3) + f(); }
    """
    there = ctypes.c_int32(1000)
    away = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32)((10).__mul__)
    places = {
        "there": ctypes.addressof(there),
        "away": ctypes.cast(away, ctypes.c_void_p).value or 0,
    }
    code = load(_compiled(tmp_path, source, level), lambda name: places.get(name, 0))
    calls = [ctypes.CFUNCTYPE(ctypes.c_int32)(code[name]) for name in "fgh"]
    assert [call() for call in calls] == [1015, 1020, 1045]


@OWN_LINKER
def test_code_pages_are_not_writable_and_variables_not_executable(zoo: bytes) -> None:
    code = load(zoo, symbols.resolve)
    maps = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]

    def rights(address: int) -> str:
        for span, mode, *_ in maps:
            low, high = (int(end, 16) for end in span.split("-"))
            if low <= address < high:
                return mode[:3]
        raise AssertionError(hex(address))

    assert rights(code["choose"]) == "r-x"
    assert rights(code["counter"]) == "rw-"


def test_the_fingerprint_of_a_host_is_stable_and_cheap_to_import() -> None:
    assert host_fingerprint() == host_fingerprint()
    program = (
        f"import sys; sys.path[:0] = {[str(REPO), str(REPO / 'runtime')]!r}\n"
        "from scriptc.backends.llvm.loading.host import host_fingerprint\n"
        "print(host_fingerprint(), 'llvmlite' in sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout == f"{host_fingerprint()} False\n"


def test_elfload_refuses_thread_local_variables() -> None:
    obj = machine.compile_to_object(
        "@t = thread_local global i32 5\ndefine i32 @f() {\n %v = load i32, ptr @t\n ret i32 %v\n}"
    )
    with pytest.raises(ObjectError, match="thread-local"):
        elfload.load(obj, _resolve_anything)


def test_code_stays_while_a_ring_that_nobody_finds_has_its_deleters() -> None:
    source = """
        class Held:
            def __init__(self, value):
                self.value = value

        class Found(Exception):
            def __init__(self, held):
                self.held = held

        def tied():
            held = Held(None)
            held.value = Found(held)
            return 1
    """
    module = live_module(textwrap.dedent(source))
    assert script(module.tied)() == 1
    del module
    for _ in range(3):
        gc.collect()  # asks the ring what it holds
        loaded = live_module("from scriptc import script\n\n@script\ndef two():\n    return 2\n")
        assert loaded.two() == 2
        del loaded
