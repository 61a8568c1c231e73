"""The interpreter gives what CPython and NumPy give, and keeps to its budget."""

import sys
import traceback

import numpy as np
import pytest

from scriptc_runtime.budget import Budget
from scriptc_runtime.dims import UNKNOWN
from scriptc_runtime.errors import BudgetExceededError
from scriptc_runtime.interp.interpreter import Interpreter
from scriptc_runtime.ir import Function, Label, Value
from scriptc_runtime.ops import arrays, control, data, elementwise, picking
from scriptc_runtime.ops.opdef import Level
from scriptc_runtime.types import INT, NONE, DType, ListType, TensorType
from scriptc_runtime.verify.module import verify
from tests.support import ir_programs as programs
from tests.support.ir_programs import Body, module_of


def run(function: Function, *args: object, budget: Budget | None = None) -> object:
    module = module_of(function)
    verify(module, level=Level.LOW)
    return Interpreter(module, budget=budget).call(function.name, args)


def test_softmax_is_that_of_numpy() -> None:
    x = np.array([1.0, -2.0, 30.0])
    e = np.exp(x - np.max(x))
    result = run(programs.softmax(), x)
    assert np.array_equal(np.asarray(result), e / np.sum(e))


def test_recursion_returns() -> None:
    assert run(programs.fibonacci(), 15) == 610


def test_recursion_without_end_raises_as_cpython_does() -> None:
    with pytest.raises(RecursionError):
        run(programs.fibonacci(), 10**6)


def test_recursion_goes_as_deep_as_the_limit_of_cpython() -> None:
    assert run(down(), sys.getrecursionlimit() - 10) == 0


def down() -> Function:
    b, n, label = Body(), Value(INT, "n"), Label()
    b.open()
    done, go, choice = Body(), Body(), Label()
    done.open()
    done.exit(label, n)
    go.open()
    less = go.emit(elementwise.SUB, n, go.int(1))
    go.exit(label, go.emit(control.CALL, less, callee="down", result=INT))
    more = b.emit(elementwise.LE, n, b.int(0))
    b.region(control.IF, [more], [done.close(), go.close()], choice, [])
    b.exit(label, n)
    return Function("down", (n,), INT, b.close(), label)


@pytest.mark.parametrize(("n", "factor"), [(15, 3), (49, 7), (7, 0), (2, 0), (-5, 0)])
def test_a_break_carries_its_value_and_a_range_that_ends_the_last(n: int, factor: int) -> None:
    assert run(programs.first_factor(), n) == factor


def test_the_next_round_reads_all_values_before_it_writes_one() -> None:
    assert run(programs.countdown(), 2) == -1 * 1000 + -1


def test_a_handler_takes_what_it_names() -> None:
    assert run(programs.guarded_division(), 7, 0) == -1
    assert run(programs.guarded_division(), 7, 2) == 3


def test_a_handler_passes_on_what_it_does_not_name() -> None:
    with pytest.raises(OverflowError, match="64 bits") as caught:
        run(programs.guarded_division(), -(2**63), -1)
    assert "guarded.py" in "".join(traceback.format_exception(caught.value))


def test_an_exception_names_the_scripts_lines() -> None:
    with pytest.raises(ValueError, match="no") as caught:
        run(programs.failing())
    last = traceback.extract_tb(caught.tb)[-1]
    assert (last.filename, last.lineno, last.name) == ("failing.py", 7, "failing")


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        ("sum", [1.5, 2.5], 4.0),
        ("sum", [], 0.0),
        ("max", [1.0, np.nan, 3.0], np.nan),
        ("min", [], np.inf),
        ("max", [], -np.inf),
    ],
)
def test_a_fold_starts_and_ends_as_its_op_says(
    kind: str, values: list[float], expected: float
) -> None:
    result = run(programs.low_sum(kind), np.array(values, np.float64))
    assert type(result) is np.float64
    assert np.array_equal(result, expected, equal_nan=True)


def test_an_integer_fold_of_nothing_is_the_least_integer() -> None:
    assert run(programs.low_sum("max", DType.I64), np.zeros(0, np.int64)) == -(2**63)


def test_a_launch_runs_its_kernel_over_all_of_the_count() -> None:
    module = module_of(*programs.doubling_kernel())
    verify(module, level=Level.LOW)
    x = np.arange(5.0)
    assert Interpreter(module).call("double", [x]) is None
    assert x.tolist() == [0.0, 2.0, 4.0, 6.0, 8.0]


def test_steps_are_limited() -> None:
    with pytest.raises(BudgetExceededError):
        run(programs.forever(), budget=Budget(10_000, 2**20))


def test_a_budget_that_suffices_is_not_felt() -> None:
    assert run(programs.fibonacci(), 10, budget=Budget(100_000, 2**20)) == 55


def large_array() -> Function:
    b, n, label = Body(), Value(INT, "n"), Label()
    b.open()
    one = b.emit(data.CONST, value=1.0, dtype=DType.F64)
    x = b.emit(arrays.FULL, one, n, dims=(None,))
    b.exit(label, b.emit(arrays.DIM, x, axis=0))
    return Function("large", (n,), INT, b.close(), label)


def test_memory_is_refused_before_it_is_taken() -> None:
    with pytest.raises(BudgetExceededError):
        run(large_array(), 2**50, budget=Budget(100, 2**20))


def put_at_places() -> Function:
    b, label = Body(), Label()
    x = Value(TensorType(DType.F64, (UNKNOWN, UNKNOWN)), "x")
    value = Value(DType.F64, "value")
    places = Value(TensorType(DType.I64, (UNKNOWN,)), "places")
    b.open()
    b.effect(picking.PUT_AT, x, value, places, axis=(0,), kind="add")
    b.exit(label, b.none())
    return Function("put", (x, value, places), NONE, b.close(), label)


def test_what_places_pick_many_times_is_refused_before_it_is_made() -> None:
    row, places = np.zeros((1, 10_000)), np.zeros(10_000, np.int64)
    with pytest.raises(BudgetExceededError):
        run(put_at_places(), row, np.float64(1.0), places, budget=Budget(100, 2**20))
    assert run(put_at_places(), row, np.float64(1.0), places[:3]) is None
    assert row[0, 0] == row[0, -1] == 3.0


def test_memory_that_was_freed_is_not_counted() -> None:
    interpreter = Interpreter(module_of(large_array()), budget=Budget(10_000, 2**20))
    for _ in range(20):
        assert interpreter.call("large", [100_000]) == 100_000


def test_a_list_is_shared_and_not_copied() -> None:
    b, label = Body(), Label()
    items = Value(ListType(INT), "items")
    b.open()
    b.effect(data.LIST_APPEND, items, b.int(4))
    b.exit(label, b.none())
    values = [1]
    assert run(Function("append", (items,), NONE, b.close(), label), values) is None
    assert values == [1, 4]


def test_floating_point_warnings_are_silent(recwarn: pytest.WarningsRecorder) -> None:
    result = run(programs.softmax(), np.array([np.inf, 1.0]))
    assert np.isnan(np.asarray(result)).any()
    assert not recwarn.list
