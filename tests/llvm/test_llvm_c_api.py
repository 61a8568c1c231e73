"""LLVM's functions are bound as llvmlite itself binds them, whichever of the two comes first."""

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from scriptc.backends.llvm import llvm_c_api, machine

REPO = Path(__file__).parents[2]
ADD = "define i64 @add(i64 %x) {\n %y = add i64 %x, 1\n ret i64 %y\n}\n"


def test_every_prototype_is_that_of_llvmlite() -> None:
    # Raises where one differs.
    path = llvm_c_api.compared_library("of these tests")
    assert Path(path).exists()


@pytest.mark.parametrize(
    ("result", "arguments"),
    [
        (ctypes.c_int, (ctypes.c_void_p, ctypes.c_char_p)),
        (ctypes.c_void_p, (ctypes.c_void_p,)),
        (ctypes.c_size_t, ()),
        (ctypes.c_int, (ctypes.c_size_t,)),
    ],
)
def test_another_prototype_is_refused(
    monkeypatch: pytest.MonkeyPatch, result: type, arguments: tuple[type, ...]
) -> None:
    changed = {**llvm_c_api.PROTOTYPES, "DisposeModule": (result, arguments)}
    monkeypatch.setattr(llvm_c_api, "PROTOTYPES", changed)
    with pytest.raises(ImportError, match="DisposeModule not as scriptc calls it"):
        llvm_c_api.compared_library("of these tests")


def test_a_function_that_is_gone_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    prototypes = {**llvm_c_api.PROTOTYPES, "Gone": (ctypes.c_int, ())}
    monkeypatch.setattr(llvm_c_api, "PROTOTYPES", prototypes)
    with pytest.raises(ImportError, match="Gone not as scriptc calls it"):
        llvm_c_api.compared_library("of these tests")


def test_text_that_is_refused_leaves_llvm_usable() -> None:
    for broken in ("define", "define i64 @f() {\n %x = add i64 %y, 1\n ret i64 %x\n}"):
        with pytest.raises(machine.InvalidIRError, match="LLVM refuses"):
            machine.compile_to_object(broken)
    assert machine.compile_to_object(ADD)


COMPILE = f"""
from scriptc.backends.llvm import machine
code = machine.compile_to_object({ADD!r})
"""
CASES = {
    "alone": COMPILE + "import sys; assert 'llvmlite.binding' not in sys.modules",
    "llvmlite first": "import llvmlite.binding" + COMPILE,
    "llvmlite later": COMPILE
    + f"""
import llvmlite.binding as llvm
llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
assert llvm.parse_assembly({ADD!r}).get_function("add").name == "add"
""",
    "another version": "import llvmlite; llvmlite.__version__ = '0.99.1'"
    + COMPILE
    + "import sys; assert 'llvmlite.binding' in sys.modules",
}


@pytest.mark.parametrize("case", CASES)
def test_llvm_is_loaded_beside_llvmlite_or_without_it(case: str) -> None:
    program = f"{CASES[case]}\nprint(code.hex())"
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=REPO
    )
    assert bytes.fromhex(found.stdout) == machine.compile_to_object(ADD)
