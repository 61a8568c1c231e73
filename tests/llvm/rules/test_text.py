"""str, print, cells and exceptions' texts as machine code, with counts made by the pass."""

import gc
import signal
import sys

import numpy as np
import pytest

from scriptc.passes.ownership import ownership
from scriptc_runtime.ir import Function, Label, Loc, Module, Value
from scriptc_runtime.ops import control, data, elementwise, exceptions
from scriptc_runtime.types import BOOL, EXCEPTION, FLOAT, INT, NONE, STR, DType, OptionalType, Type
from tests.support.ir_programs import Body
from tests.support.llvm_calls import Native, interpreted, live_blocks, native, outcome


def counted(function: Function) -> Native:
    module = ownership(Module({function.name: function}))
    return native(module.functions[function.name])


def finished(name: str, params: list[Value], b: Body, label: Label, result: Type) -> Function:
    return Function(name, tuple(params), result, b.close(), label, Loc(1, 1), "text.py")


FORMATS = [
    (INT, [0, -5, 2**62], ["", "d", "08x", ",", "z"]),
    (FLOAT, [0.1, -0.0, 1e300, float("nan")], ["", ".3f", "e", ">12", "s"]),
    (BOOL, [True, False], ["", "d"]),
    (STR, ["", "é", "a'b"], ["", ">5", "d"]),
    (NONE, [None], [""]),
    (DType.F64, [np.float64(0.1)], ["", ".2f"]),
    (DType.F32, [np.float32(0.1)], ["", ".2f"]),
    (DType.I64, [np.int64(5)], ["", "x"]),
    (DType.B1, [np.True_], [""]),
]


@pytest.mark.parametrize(("type_", "values", "specs"), FORMATS)
@pytest.mark.parametrize("conversion", ["", "s", "r", "a"])
def test_formatting_is_that_of_cpython(
    type_: Type, values: list[object], specs: list[str], conversion: str
) -> None:
    for spec in specs:
        b, label, x = Body(), Label(), Value(type_, "x")
        b.open()
        text = b.emit(data.FORMAT, x, spec=spec, conversion=conversion, loc=Loc(2, 1))
        b.exit(label, text)
        f = finished("format", [x], b, label, STR)
        call = counted(f)
        for value in values:
            assert outcome(call, value) == outcome(interpreted, f, value), (value, spec)


@pytest.mark.parametrize("pieces", range(4))
def test_strings_are_joined(pieces: int) -> None:
    b, label, x = Body(), Label(), Value(STR, "x")
    b.open()
    dash = b.emit(data.CONST, value="-ü")
    b.exit(label, b.emit(data.CONCAT, *[x, dash, x][:pieces]))
    call = counted(finished("join", [x], b, label, STR))
    text = "some text" * 2
    before = sys.getrefcount(text)
    assert call(text) == "".join([text, "-ü", text][:pieces])
    assert sys.getrefcount(text) == before


def test_length_and_order_of_strings() -> None:
    b, label, x, y = Body(), Label(), Value(STR, "x"), Value(STR, "y")
    b.open()
    parts = [b.emit(op, x, y) for op in elementwise.COMPARISONS]
    result = b.emit(data.TUPLE, b.emit(data.STR_LEN, x), *parts)
    b.exit(label, result)
    call = counted(finished("compare", [x, y], b, label, result.type))
    for x_ in ("", "a", "b", "ab", "é", "\U0001f600"):
        for y_ in ("", "a", "ab", "é", "zz"):
            expected = (len(x_), x_ == y_, x_ != y_, x_ < y_, x_ <= y_, x_ > y_, x_ >= y_)
            assert call(x_, y_) == expected


def test_print_goes_to_the_users_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    b, label, x = Body(), Label(), Value(STR, "x")
    b.open()
    b.effect(data.PRINT, x, b.emit(data.CONST, value="and"), x)
    b.effect(data.PRINT)
    b.exit(label, b.none())
    counted(finished("show", [x], b, label, NONE))("this")
    assert capsys.readouterr().out == "this and this\n\n"


class BrokenStream:
    def write(self, text: str) -> int:
        raise OSError("the disk is full")


def test_an_exception_of_python_passes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    b, label, x = Body(), Label(), Value(STR, "x")
    b.open()
    b.effect(data.PRINT, x, loc=Loc(2, 5))
    b.exit(label, b.none())
    call = counted(finished("show", [x], b, label, NONE))
    monkeypatch.setattr(sys, "stdout", BrokenStream())
    with pytest.raises(OSError, match="the disk is full"):
        call("x")


def cell_in_try() -> Function:
    """text = cell; try: text = x + x; y // 0 (if flag); except ZeroDivisionError as e: text + e"""
    b, label, outer = Body(), Label(), Label()
    x, y = Value(STR, "x"), Value(INT, "y")
    b.open()
    cell = b.emit(control.CELL_UNSET, item=STR)
    tried, handler, caught = Body(), Body(), Value(EXCEPTION)
    tried.open()
    tried.effect(control.CELL_SET, cell, tried.emit(data.CONCAT, x, x))
    tried.emit(elementwise.FLOORDIV, tried.int(1), y, loc=Loc(4, 1))
    tried.effect(control.CELL_SET, cell, tried.emit(data.CONCAT, x, x, x))
    tried.exit(outer, tried.emit(data.CONST, value="fine"))
    handler.open(caught)
    handler.exit(outer, handler.emit(exceptions.EXCEPTION_TEXT, caught, kind="str"))
    (said,) = b.region(control.TRY, [], [tried.close(), handler.close()], outer, [STR])
    held = b.emit(control.CELL_GET, cell, name="text", free=False, loc=Loc(9, 1))
    b.exit(label, b.emit(data.CONCAT, held, said))
    return finished("cells", [x, y], b, label, STR)


def test_cells_keep_what_was_stored_before_the_raise() -> None:
    call, text = counted(cell_in_try()), "ab" * 20
    before, blocks = sys.getrefcount(text), live_blocks()
    for y in (0, 1, 2):
        assert call(text, y) == interpreted(cell_in_try(), text, y)
    gc.collect()  # tracebacks of the interpreter hold what its frames held
    assert (sys.getrefcount(text), live_blocks()) == (before, blocks)


def test_an_unset_cell_raises_in_cpythons_words() -> None:
    b, label = Body(), Label()
    b.open()
    cell = b.emit(control.CELL_UNSET, item=INT)
    b.exit(label, b.emit(control.CELL_GET, cell, name="value", free=False, loc=Loc(2, 1)))
    f = finished("unset", [], b, label, INT)
    assert outcome(counted(f)) == outcome(interpreted, f)
    assert live_blocks() == 0


def text_of_raised() -> Function:
    """try: raise KeyError(x); except KeyError as e: return str(e)"""
    b, label, outer, x = Body(), Label(), Label(), Value(STR, "x")
    b.open()
    tried, handler, caught = Body(), Body(), Value(EXCEPTION)
    tried.open()
    tried.terminate(control.RAISE, x, kind="KeyError", loc=Loc(2, 1))
    handler.open(caught)
    handler.exit(outer, handler.emit(exceptions.EXCEPTION_TEXT, caught, kind="str"))
    (said,) = b.region(control.TRY, [], [tried.close(), handler.close()], outer, [STR])
    b.exit(label, said)
    return finished("raised", [x], b, label, STR)


def test_the_text_of_an_exception_is_that_of_cpython() -> None:
    call, text = counted(text_of_raised()), "no such key"
    before = sys.getrefcount(text)
    assert call(text) == str(KeyError(text))
    assert sys.getrefcount(text) == before


class Stopped(Exception):
    pass


def test_an_exception_of_a_signal_handler_releases_what_a_loop_carries() -> None:
    b, label, loop, x = Body(), Label(), Label(), Value(STR, "x")
    b.open()
    body, carried = Body(), Value(STR)
    body.open(carried)
    body.exit(loop, carried, next=True)
    b.region(control.WHILE, [x], [body.close()], loop, [])
    b.exit(label, x)
    call = counted(finished("forever", [x], b, label, STR))

    def stop(number: int, frame: object) -> None:
        raise Stopped

    text = "a text" * 2
    before = sys.getrefcount(text)
    old = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Stopped):
            call(text)
    finally:
        signal.signal(signal.SIGALRM, old)
    assert sys.getrefcount(text) == before


def test_an_absent_str_is_refused_where_no_test_stands_before() -> None:
    b, label = Body(), Label()
    x = Value(OptionalType(STR), "x")
    b.open()
    held = b.emit(data.UNWRAP, x, loc=Loc(3, 1))
    b.exit(label, b.emit(data.CONCAT, held, b.emit(data.CONST, value="!")))
    function = finished("unwrapped", [x], b, label, STR)
    call = native(function)
    assert call("a") == interpreted(function, "a") == "a!"
    assert outcome(call, None) == outcome(lambda: interpreted(function, None))
    with pytest.raises(TypeError, match="no value"):
        call(None)
