"""Functions of the support code that are loaded when they are called."""

import ctypes
import threading
import time

import pytest

from scriptc.backends.llvm.loading import elfload, late_code, symbols
from scriptc.backends.llvm.loading.late_code import LATE, LOADER, LateCode
from scriptc.backends.llvm.loading.machine_code import SupportCode
from scriptc.backends.llvm.machine import compile_to_object
from scriptc.backends.llvm.support import assemble
from scriptc.backends.llvm.support.late import cell, late_text, with_late
from scriptc.cache.loader import leaf_type
from scriptc.cache.support_code import part_object

CALLER = f"""
{late_text(["seven"])}
define i64 @caller() {{
  late %seven = {cell("seven")}
  %result = call i64 %seven()
  ret i64 %result
}}
"""
SEVEN = "define i64 @seven() {\n  ret i64 7\n}\n"


class Code:
    """A caller of a function that is made when it is asked for."""

    def __init__(self, *errors: BaseException) -> None:
        self.asked: list[str] = []
        self.errors = list(errors)
        late = LateCode(self._find)
        loaded = elfload.load(
            compile_to_object(with_late(CALLER)),
            lambda name: late.address(name) if name.startswith(LATE) or name == LOADER else 0,
        )
        self.call = ctypes.PYFUNCTYPE(ctypes.c_int64)(loaded["caller"])
        self.call_without_gil = ctypes.CFUNCTYPE(ctypes.c_int64)(loaded["caller"])
        self._kept = late

    def _find(self, name: str) -> int:
        self.asked.append(name)
        if self.errors:
            raise self.errors.pop()
        return elfload.load(compile_to_object(SEVEN), symbols.resolve)["seven"]


def test_a_function_is_asked_for_at_its_first_call() -> None:
    code = Code()
    assert not code.asked
    assert [code.call(), code.call(), code.call_without_gil()] == [7, 7, 7]
    assert code.asked == ["seven"]


def test_threads_without_the_gil_may_call_first() -> None:
    code, found = Code(), list[int]()
    threads = [
        threading.Thread(target=lambda: found.append(code.call_without_gil())) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [7] * 4


@pytest.mark.parametrize("error", [KeyboardInterrupt, TimeoutError])
def test_what_a_signal_raises_meanwhile_comes_after_the_call(error: type[BaseException]) -> None:
    code = Code(error())

    def call_and_wait() -> None:
        assert code.call() == 7
        end = time.monotonic() + 10.0
        while time.monotonic() < end:
            pass

    with pytest.raises(error):
        call_and_wait()
    assert code.call() == 7
    assert len(code.asked) == 2


def test_the_process_ends_where_there_is_no_code(monkeypatch: pytest.MonkeyPatch) -> None:
    class EndedError(BaseException):
        pass

    def end(error: BaseException) -> None:
        raise EndedError from error

    monkeypatch.setattr(late_code, "_give_up", end)
    late = LateCode(dict[str, int]().__getitem__)
    with pytest.raises(EndedError):
        late._fill(late.address(f"{LATE}seven"))  # pyright: ignore[reportPrivateUsage]


def test_a_product_compiles_what_it_reads_its_matrix_with() -> None:
    made: list[str] = []

    def part(name: str) -> bytes:
        made.append(name)
        return part_object(name)

    core = elfload.load(assemble.support_object(leaf_type()), symbols.resolve)
    code = SupportCode(core, part)
    double = ctypes.c_double * 9
    out, matrix, vector = double(), double(*range(9)), double(1.0, 1.0, 1.0)
    arguments = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    arguments += [ctypes.c_int64] * 4 + [ctypes.c_void_p, ctypes.c_int64, ctypes.c_double]
    arguments += [ctypes.c_int32, ctypes.c_int64, ctypes.c_int64]
    matvec = ctypes.CFUNCTYPE(ctypes.c_int32, *arguments)(code["sc.part.matvec_f64"])
    assert [name for name in made if "1_" in name] == []
    assert matvec(None, out, None, matrix, 3, 3, 3, 1, vector, 1, 1.0, -1, 1, 0) == 0
    assert list(out)[:3] == [3.0, 12.0, 21.0]
    assert [name for name in made if "1_" in name] == ["dots4x1_f64"]
