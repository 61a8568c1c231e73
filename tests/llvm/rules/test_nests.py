"""Loops over arrays as machine code: right on every layout, vector code where they should be."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from scriptc.backends.llvm import machine
from scriptc.backends.llvm.backend import emit
from scriptc_runtime.dims import UNKNOWN, symbol
from scriptc_runtime.ir import Function, Instr, Label, Loc, Module, Value
from scriptc_runtime.ops import arrays, control, data, elementwise, low
from scriptc_runtime.types import BOOL, INT, NONE, DType, TensorType, Type
from tests.support.ir_programs import Body
from tests.support.llvm_calls import interpreted, live_blocks, native, natives, outcome, spec_of

F64, F32, I64, B1 = DType.F64, DType.F32, DType.I64, DType.B1
N, M = symbol("N"), symbol("M")


def loop(b: Body, count: Value, rounds: Callable[[Body, Value], None], parallel: bool) -> None:
    """for i in 0 .. count"""
    inner, i, label = Body(), Value(I64), Label()
    inner.open(i)
    rounds(inner, i)
    inner.exit(label, next=True)
    attrs = {"parallel": parallel}
    b.append(Instr(low.LOOP, (count,), attrs, (), blocks=(inner.close(),), label=label))


def reduce(
    b: Body, kind: str, count: Value, result: DType, element: Callable[[Body, Value], Value]
) -> Value:
    inner, i, label = Body(), Value(I64), Label()
    inner.open(i)
    inner.exit(label, element(inner, i), next=True)
    folded = Value(result)
    blocks = (inner.close(),)
    b.append(Instr(low.REDUCE, (count,), {"kind": kind}, (folded,), blocks=blocks, label=label))
    return folded


def finished(name: str, params: Sequence[Value], b: Body, label: Label, result: Type) -> Function:
    return Function(name, tuple(params), result, b.close(), label, Loc(1, 1), "loops.py")


def scaled_sum(*, contiguous: bool = False) -> Function:
    """out[i, j] = x[i, j] * y[j] + x[i, j]"""
    b, label = Body(), Label()
    matrix, vector = TensorType(F64, (N, M)), TensorType(F64, (M,))
    x, y, out = Value(matrix, "x"), Value(vector, "y"), Value(matrix, "out")
    b.open()
    xs, ys, outs = (
        (b.emit(low.ASSUME_CONTIGUOUS, v) for v in (x, y, out)) if contiguous else (x, y, out)
    )
    columns = b.emit(low.SIZE, xs, axis=1)

    def row(b: Body, i: Value) -> None:
        def element(b: Body, j: Value) -> None:
            a, c = b.emit(low.LOAD, xs, i, j), b.emit(low.LOAD, ys, j)
            total = b.emit(elementwise.ADD, b.emit(elementwise.MUL, a, c), a)
            b.effect(low.STORE, outs, total, i, j)

        loop(b, columns, element, True)

    loop(b, b.emit(low.SIZE, xs, axis=0), row, True)
    b.exit(label, b.none())
    return finished(f"scaled_{contiguous}", [x, y, out], b, label, NONE)


def test_a_nest_of_loops_on_every_layout() -> None:
    call = native(scaled_sum())
    base, y = np.arange(60.0).reshape(6, 10), np.linspace(-1, 1, 10)
    for x in (base, base[::-1], np.asfortranarray(base), base[:, ::-1], base[:0], base[1:2]):
        for out in (np.zeros(x.shape), np.zeros(x.shape[::-1]).T):
            call(x, y, out)
            assert np.array_equal(out, x * y + x)
    native(scaled_sum(contiguous=True))(base, y, out := np.zeros((6, 10)))
    assert np.array_equal(out, base * y + base)


def test_independent_rounds_become_vector_code_without_a_test_for_overlap() -> None:
    f = scaled_sum(contiguous=True)
    text = emit(Module({f.name: f}), [spec_of(f, ["out"])]).text
    optimised = machine.optimised_text(text)
    assert " x double> " in optimised
    assert "vector.memcheck" not in optimised


@pytest.mark.parametrize("kind", ["sum", "product", "max", "min"])
@pytest.mark.parametrize("dtype", [F64, F32, I64, B1])
def test_reductions_of_every_type(kind: str, dtype: DType) -> None:
    if dtype is B1 and kind == "product":
        return  # NumPy multiplies integers then
    b, label, x = Body(), Label(), Value(TensorType(dtype, (N,)), "x")
    b.open()
    result = I64 if dtype is B1 and kind == "sum" else dtype
    size = b.emit(low.SIZE, x, axis=0)

    def element(b: Body, i: Value) -> Value:
        loaded = b.emit(low.LOAD, x, i)
        return b.emit(elementwise.CAST, loaded, to=result) if result is not dtype else loaded

    folded = reduce(b, kind, size, result, element)
    b.exit(label, folded)
    call = native(finished("fold", [x], b, label, result))
    rng = np.random.default_rng(1)
    for n in (1, 2, 7, 100, 5000):
        values = rng.integers(-4, 5, n).astype(dtype.numpy)
        if kind == "product":  # of powers of two, exact in any order
            values = np.array([2, -1, 1, -1, 1] * 100).astype(dtype.numpy)[:n]
        for x_ in (values, values[::-1], np.repeat(values, 2)[::2]):
            expected = getattr(np, kind.replace("product", "prod"))(x_)
            assert outcome(call, x_) == outcome(lambda: expected)  # noqa: B023
    if dtype in (F64, F32) and kind != "sum":
        assert np.isnan(call(np.array([1.0, np.nan, 2.0], dtype.numpy)))


def test_a_reduction_inside_a_loop_with_a_choice() -> None:
    """out[i] = sum over j of max(x[i, j], 0), chosen with an if"""
    b, label = Body(), Label()
    x, out = Value(TensorType(F64, (N, M)), "x"), Value(TensorType(F64, (N,)), "out")
    b.open()
    columns = b.emit(low.SIZE, x, axis=1)

    def positive(b: Body, i: Value, j: Value) -> Value:
        a, zero = b.emit(low.LOAD, x, i, j), b.emit(data.CONST, value=0.0, dtype=F64)
        above = b.emit(elementwise.CAST, b.emit(elementwise.GT, a, zero), to=BOOL)
        yes, no, choice = Body(), Body(), Label()
        yes.open()
        yes.exit(choice, a)
        no.open()
        no.exit(choice, zero)
        (kept,) = b.region(control.IF, [above], [yes.close(), no.close()], choice, [F64])
        return kept

    def row(b: Body, i: Value) -> None:
        b.effect(low.STORE, out, reduce(b, "sum", columns, F64, lambda b, j: positive(b, i, j)), i)

    loop(b, b.emit(low.SIZE, x, axis=0), row, True)
    b.exit(label, b.none())
    call = native(finished("rows", [x, out], b, label, NONE))
    x_ = np.arange(-300.0, 300.0).reshape(4, 150)
    call(x_, result := np.zeros(4))
    assert np.array_equal(result, np.maximum(x_, 0).sum(axis=1))


def test_a_launched_kernel_reports_its_exception() -> None:
    """kernel: for k in begin .. end: if x[k] is negative, fail; out[k] = sqrt(x[k])"""
    vector = TensorType(F64, (N,))
    kernel, label = Body(), Label()
    x, out = Value(vector, "x"), Value(vector, "out")
    begin, end = Value(I64, "begin"), Value(I64, "end")
    kernel.open()

    def one(b: Body, k: Value) -> None:
        i = b.emit(elementwise.ADD, begin, k)
        a = b.emit(low.LOAD, x, i)
        zero = b.emit(data.CONST, value=0.0, dtype=F64)
        negative = b.emit(elementwise.CAST, b.emit(elementwise.LT, a, zero), to=BOOL)
        bad, good, choice = Body(), Body(), Label()
        bad.open()
        message = "element {} is negative"
        bad.terminate(low.FAIL, i, kind="ValueError", message=message, loc=Loc(4, 1))
        good.open()
        good.exit(choice)
        b.region(control.IF, [negative], [bad.close(), good.close()], choice, [])
        b.effect(low.STORE, out, b.emit(elementwise.SQRT, a), i)

    loop(kernel, kernel.emit(elementwise.SUB, end, begin), one, True)
    kernel.exit(label, kernel.none())
    inner = finished("kernel.roots", [x, out, begin, end], kernel, label, NONE)
    b, label = Body(), Label()
    x, out = Value(vector, "x"), Value(vector, "out")
    b.open()
    b.effect(low.LAUNCH, b.emit(low.SIZE, x, axis=0), x, out, callee="kernel.roots")
    b.exit(label, b.none())
    outer = finished("roots", [x, out], b, label, NONE)
    call = natives([inner, outer], check=False)["roots"]
    values = np.array([4.0, 9.0])
    call(values, out_ := np.zeros(2))
    assert out_.tolist() == [2.0, 3.0]
    with pytest.raises(ValueError, match="element 1 is negative"):
        call(np.array([4.0, -9.0]), out_)


def facts() -> Function:
    """(is_contiguous(x), may_overlap(x, y)): what is known of memory"""
    b, label = Body(), Label()
    x = Value(TensorType(F64, (UNKNOWN, UNKNOWN)), "x")
    y = Value(TensorType(F64, (UNKNOWN, UNKNOWN)), "y")
    b.open()
    both = b.emit(data.TUPLE, b.emit(low.IS_CONTIGUOUS, x), b.emit(low.MAY_OVERLAP, x, y))
    b.exit(label, both)
    return finished("facts", [x, y], b, label, both.type)


def test_contiguous_rows_and_overlap_are_those_of_numpy() -> None:
    call = native(facts())
    base = np.zeros((6, 8))
    parts = [base, base[:3], base[3:], base[:, 2:5], base[::-1], base[:1], base[:, :1], base[:0]]
    parts += [np.zeros((6, 8)), base.T, base[::2, ::3], np.zeros((0, 3)), base[:1, ::2]]
    for x in parts:
        for y in parts:
            rows = x.shape[1] < 2 or x.strides[1] == x.itemsize
            assert call(x, y) == (rows, np.may_share_memory(x, y)), (x.strides, y)


def sliced(given: str) -> Function:
    """x[start:stop:step], where `given` names the bounds that are there."""
    b, label, x = Body(), Label(), Value(TensorType(F64, (N, M)), "x")
    bounds = [Value(INT, name) for name in ("start", "stop", "step")]
    b.open()
    used = [v if v.name[2] in given else b.none() for v in bounds]
    view = b.emit(arrays.VIEW, x, *used, axes="s", loc=Loc(2, 1))
    b.effect(low.RETAIN, view)
    b.exit(label, view)
    return finished(f"slice_{given}", [x, *bounds], b, label, view.type)


@pytest.mark.parametrize("given", ["aoe", "ao", "ae", "oe", "a", "o", "e", ""])
def test_slices_are_those_of_numpy(given: str) -> None:
    call = native(sliced(given))
    x = np.arange(30.0).reshape(5, 6)
    for start in (0, 2, -2, 9, -9):
        for stop in (0, 3, -1, 9, -9):
            for step in (1, 2, -1, -3, 2**62, -(2**63)):
                bounds = (start, stop, step)
                kept = [v if c in given else None for v, c in zip(bounds, "aoe", strict=True)]
                expected = x[slice(*kept)]
                found = call(x, *bounds)
                assert found.shape == expected.shape, bounds
                assert np.array_equal(found, expected), bounds
    if "e" in given:
        assert outcome(call, x, 0, 1, 0) == ("raised", ValueError, "slice step cannot be zero")


def test_indexing_and_new_axes() -> None:
    b, label, x, i = Body(), Label(), Value(TensorType(F64, (N, M)), "x"), Value(INT, "i")
    b.open()
    view = b.emit(arrays.VIEW, x, i, axes="nin", loc=Loc(2, 1))
    b.effect(low.RETAIN, view)
    b.exit(label, view)
    f = finished("index", [x, i], b, label, view.type)
    call = native(f)
    array = np.arange(12.0).reshape(3, 4)
    for index in (0, 2, -1, -3):
        assert np.array_equal(call(array, index), array[None, index, None])
    for index in (3, -4, 2**63 - 1, -(2**63)):
        assert outcome(call, array, index)[1] is IndexError
    assert outcome(call, array, 3) == outcome(interpreted, f, array, 3)


def test_subviews_and_transposes() -> None:
    b, label, x = Body(), Label(), Value(TensorType(F64, (N, M)), "x")
    b.open()
    numbers = [b.emit(data.CONST, value=v, dtype=I64) for v in (3, 2, -1, 1)]
    type_ = TensorType(F64, (UNKNOWN,))
    part = b.emit(low.SUBVIEW, x, *numbers, axes="si", type=type_)
    turned = b.emit(arrays.TRANSPOSE, x, order=(1, 0))
    b.effect(low.RETAIN, part)
    b.effect(low.RETAIN, turned)
    both = b.emit(data.TUPLE, part, turned)
    b.exit(label, both)
    array = np.arange(20.0).reshape(4, 5).copy()
    found, other = native(finished("parts", [x], b, label, both.type))(array)
    assert np.array_equal(found, array[3:1:-1, 1])
    assert np.array_equal(other, array.T)
    assert other.base is array


def test_nothing_is_left_behind() -> None:
    assert live_blocks() == 0
