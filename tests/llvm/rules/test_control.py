"""Control flow, exceptions and recursion as machine code behave as in CPython."""

import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path

import pytest

from scriptc.backends.llvm.emit import emit_module
from scriptc_runtime.errors import InvalidIRError
from scriptc_runtime.ir import Function, Label, Loc, Module, Value
from scriptc_runtime.ops import OPS, control, data, elementwise, exceptions
from scriptc_runtime.types import (
    BOOL,
    EXCEPTION,
    FLOAT,
    INT,
    NONE,
    STR,
    OptionalType,
    TupleType,
    Type,
)
from scriptc_runtime.values import checked_int
from tests.support import ir_programs as programs
from tests.support.ir_programs import Body
from tests.support.llvm_calls import interpreted, live_blocks, native, natives, outcome

FILE = "control.py"


def function(name: str, params: list[Value], b: Body, label: Label, result: Type) -> Function:
    return Function(name, tuple(params), result, b.close(), label, Loc(1, 1), FILE)


def test_an_op_without_a_rule_is_named() -> None:
    with pytest.raises(InvalidIRError, match=r"RULES of LLVM has no op max"):
        emit_module(Module({"softmax": programs.softmax()}))


def sum_of_range(step: int | None) -> Function:
    """Sum of i * i for i in range(start, stop, step)."""
    b, label, loop = Body(), Label(), Label()
    start, stop, by = Value(INT, "start"), Value(INT, "stop"), Value(INT, "step")
    b.open()
    body, i, total = Body(), Value(INT), Value(INT)
    body.open(i, total)
    square = body.emit(elementwise.MUL, i, i, loc=Loc(3, 9))
    body.exit(loop, body.emit(elementwise.ADD, total, square, loc=Loc(3, 9)), next=True)
    used = by if step is None else b.int(step)
    (result,) = b.region(control.FOR, [start, stop, used, b.int(0)], [body.close()], loop, [INT])
    b.exit(label, result)
    return function(f"range_{step}".replace("-", "m"), [start, stop, by], b, label, INT)


def squares(start: int, stop: int, step: int) -> int:
    total = 0
    for i in range(start, stop, step):
        total = checked_int(total + checked_int(i * i))
    return total


@pytest.mark.parametrize("step", [None, 1, -1, 2, -3, 7])
def test_for_runs_over_the_range(step: int | None) -> None:
    f = sum_of_range(step)
    call = native(f)
    for start in (0, 1, -5, 10, 2**31 - 1):
        for distance in (0, 1, 2, 20, -7, -300, 70_000):
            args = (start, start + distance, step or (3 if distance > 0 else -2))
            assert outcome(call, *args) == outcome(squares, *args), args


def test_a_range_of_more_than_two_to_the_sixteen_rounds_is_run_in_chunks() -> None:
    f = sum_of_range(1)
    n = 200_001
    assert native(f)(0, n, 1) == sum(i * i for i in range(n))


def test_a_step_of_zero_raises() -> None:
    f = sum_of_range(None)
    assert outcome(native(f), 0, 5, 0) == outcome(lambda: range(0, 5, 0))


def test_ranges_at_the_ends_of_an_int_end() -> None:
    f = sum_of_range(None)
    top = 2**63 - 1
    assert outcome(native(f), top - 1, top, 2)[1] is OverflowError
    assert native(sum_of_range(7))(-(2**63), -(2**63), 7) == 0


def collatz() -> Function:
    """Number of steps until n is 1, by a while loop that is left by break."""
    b, label, loop, n = Body(), Label(), Label(), Value(INT, "n")
    b.open()
    body, x, steps = Body(), Value(INT), Value(INT)
    body.open(x, steps)
    one, two, three = body.int(1), body.int(2), body.int(3)
    done, stop, go = Label(), Body(), Body()
    stop.open()
    stop.exit(loop, x, steps)
    go.open()
    go.exit(done)
    body.region(
        control.IF, [body.emit(elementwise.EQ, x, one)], [stop.close(), go.close()], done, []
    )
    parity = body.emit(elementwise.MOD, x, two)
    even, odd, choice = Body(), Body(), Label()
    even.open()
    even.exit(choice, even.emit(elementwise.FLOORDIV, x, two))
    odd.open()
    odd.exit(choice, odd.emit(elementwise.ADD, odd.emit(elementwise.MUL, x, three), one))
    is_even = body.emit(elementwise.EQ, parity, body.int(0))
    (after,) = body.region(control.IF, [is_even], [even.close(), odd.close()], choice, [INT])
    body.exit(loop, after, body.emit(elementwise.ADD, steps, one), next=True)
    _, steps_taken = b.region(control.WHILE, [n, b.int(0)], [body.close()], loop, [INT, INT])
    b.exit(label, steps_taken)
    return function("collatz", [n], b, label, INT)


def test_while_and_break() -> None:
    call = native(collatz())
    for n in (1, 2, 27, 97, 871, 837_799):
        assert call(n) == interpreted(collatz(), n)


def divide_in_callee() -> list[Function]:
    """outer(x) calls inner(x), which divides by zero in line 3."""
    b, label, x = Body(), Label(), Value(FLOAT, "x")
    b.open()
    zero = b.emit(data.CONST, value=0.0)
    b.exit(label, b.emit(elementwise.DIV, x, zero, loc=Loc(3, 12)))
    inner = function("inner", [x], b, label, FLOAT)
    b, label, x = Body(), Label(), Value(FLOAT, "x")
    b.open()
    b.exit(label, b.emit(control.CALL, x, callee="inner", result=FLOAT, loc=Loc(7, 12)))
    return [inner, function("outer", [x], b, label, FLOAT)]


def test_a_traceback_has_a_line_for_every_scripted_frame() -> None:
    outer = natives(divide_in_callee())["outer"]
    with pytest.raises(ZeroDivisionError, match="float division by zero") as caught:
        outer(1.0)
    frames = [(f.name, f.filename, f.lineno) for f in traceback.extract_tb(caught.tb)[-2:]]
    assert frames == [("outer", FILE, 7), ("inner", FILE, 3)]


def test_inlined_frames_are_in_the_traceback() -> None:
    b, label, x = Body(), Label(), Value(INT, "x")
    b.open()
    place = Loc(3, 5, "Model.helper.2", Loc(9, 1))
    b.exit(label, b.emit(elementwise.FLOORDIV, x, b.int(0), loc=place))
    call = native(function("run", [x], b, label, INT))
    with pytest.raises(ZeroDivisionError) as caught:
        call(1)
    frames = [(f.name, f.lineno) for f in traceback.extract_tb(caught.tb)[-2:]]
    assert frames == [("run", 9), ("helper", 3)]


def caught_division() -> Function:
    """try: return x / y; except ZeroDivisionError: return -1.0"""
    b, label, outer = Body(), Label(), Label()
    x, y = Value(FLOAT, "x"), Value(FLOAT, "y")
    b.open()
    tried, handler, caught = Body(), Body(), Value(EXCEPTION)
    tried.open()
    tried.exit(outer, tried.emit(elementwise.POW, tried.emit(elementwise.DIV, x, y), y))
    handler.open(caught)
    matches = handler.emit(exceptions.IS_EXCEPTION, caught, kind="ArithmeticError")
    yes, no, choice = Body(), Body(), Label()
    yes.open()
    yes.effect(OPS["release"], caught)
    yes.exit(outer, yes.emit(data.CONST, value=-1.0))
    no.open()
    no.terminate(control.RERAISE, caught, traced=False)
    handler.region(control.IF, [matches], [yes.close(), no.close()], choice, [])
    handler.terminate(control.RERAISE, caught, traced=False)
    (result,) = b.region(control.TRY, [], [tried.close(), handler.close()], outer, [FLOAT])
    b.exit(label, result)
    return function("caught", [x, y], b, label, FLOAT)


def test_handlers_catch_what_they_name_and_raise_the_rest_again() -> None:
    call = native(caught_division())
    for x, y in [(1.0, 0.0), (6.0, 2.0), (-1.0, 0.5), (1e308, 1e-10)]:
        assert outcome(call, x, y) == outcome(interpreted, caught_division(), x, y)


def raise_text() -> Function:
    """raise ValueError(text)"""
    b, label, text = Body(), Label(), Value(STR, "text")
    b.open()
    b.effect(OPS["retain"], text)
    b.terminate(control.RAISE, text, kind="KeyError", loc=Loc(2, 1))
    return function("raise_text", [text], b, label, NONE)


def test_a_raised_str_is_the_message_and_is_counted_right() -> None:
    call = native(raise_text())
    text = "some text of its own: {}" + str(len("x"))
    before = sys.getrefcount(text)
    for _ in range(3):
        with pytest.raises(KeyError) as caught:
            call(text)
        assert caught.value.args == (text,)
        del caught
    assert sys.getrefcount(text) == before


def test_an_exception_without_message_has_no_arguments() -> None:
    b, label = Body(), Label()
    b.open()
    b.terminate(control.RAISE, kind="StopIteration")
    with pytest.raises(StopIteration) as caught:
        native(function("stop", [], b, label, NONE))()
    assert caught.value.args == ()


def test_recursion() -> None:
    call = native(programs.fibonacci())
    assert call(20) == 6765
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        call(10**6)
    assert call(10) == 55


def test_the_limit_of_recursion_is_that_of_cpython() -> None:
    call = native(programs.fibonacci())
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(100_000_000)
        with pytest.raises(RecursionError):
            call(10**9)  # the stack ends before the limit
    finally:
        sys.setrecursionlimit(limit)


def test_a_thread_has_a_stack_of_its_own() -> None:
    import threading

    call = native(programs.fibonacci())
    limit, seen = sys.getrecursionlimit(), list[object]()

    def run() -> None:
        seen.append(outcome(call, 10**9)[1])

    old = threading.stack_size(1 << 20)
    try:
        sys.setrecursionlimit(100_000_000)
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(old)
    assert seen == [RecursionError]


def optional_or_tuple() -> Function:
    """(x, None) if flag else (x, x)"""
    type_ = TupleType((INT, OptionalType(INT)))
    b, label, x, flag = Body(), Label(), Value(INT, "x"), Value(BOOL, "flag")
    b.open()
    yes, no, choice = Body(), Body(), Label()
    yes.open()
    yes.exit(choice, yes.emit(data.NOTHING, item=INT))
    no.open()
    no.exit(choice, no.emit(data.SOME, x))
    (maybe,) = b.region(control.IF, [flag], [yes.close(), no.close()], choice, [OptionalType(INT)])
    b.exit(label, b.emit(data.TUPLE, x, maybe))
    return function("pair", [x, flag], b, label, type_)


def test_tuples_and_optionals_come_back() -> None:
    call = native(optional_or_tuple())
    assert call(5, True) == (5, None)
    assert call(2**62, False) == (2**62, 2**62)


# A shell that starts the tests in the background has Ctrl-C ignored, and children inherit that.
SIGNALS = """
import signal
import sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path[:0] = [{root!r}, {runtime!r}]
from tests.support.llvm_calls import native
from tests.llvm.rules.test_control import endless
call = native(endless({leaf}))
print("ready", flush=True)
try:
    call(1)
except KeyboardInterrupt:
    sys.exit(0)
sys.exit(4)
"""


def endless(leaf: bool) -> Function:
    """while True, with or without a loop inside."""
    b, label, loop, x = Body(), Label(), Label(), Value(INT, "x")
    b.open()
    body, carried = Body(), Value(INT)
    body.open(carried)
    if not leaf:
        inner, i, again = Body(), Value(INT), Label()
        inner.open(i)
        inner.exit(again, next=True)
        limits = [body.int(0), body.int(3), body.int(1)]
        body.region(control.FOR, limits, [inner.close()], again, [])
    body.exit(loop, body.emit(elementwise.XOR, carried, body.int(5)), next=True)
    b.region(control.WHILE, [x], [body.close()], loop, [INT])
    b.exit(label, x)
    return function("endless", [x], b, label, INT)


@pytest.mark.parametrize("leaf", [True, False])
def test_control_c_ends_a_loop(leaf: bool) -> None:
    root = Path(__file__).parents[3]
    code = SIGNALS.format(root=str(root), runtime=str(root / "runtime"), leaf=leaf)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(timeout=10) == 0
        finally:
            process.kill()


def test_nothing_is_left_behind() -> None:
    assert live_blocks() == 0
