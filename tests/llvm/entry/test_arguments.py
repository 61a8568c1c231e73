"""Every kind of argument passes between Python and machine code, or goes to the slow path."""

import sys

import numpy as np
import pytest

from scriptc.backends.llvm.loading.heap_types import set_dealloc
from scriptc.classes.instances import make_instance_type
from scriptc_runtime.dims import UNKNOWN, Dim, symbol
from scriptc_runtime.errors import UnsupportedError
from scriptc_runtime.ir import ClassDecl, Function, Label, Loc, Value
from scriptc_runtime.ops import OPS, arrays, control, data, elementwise, list_items, low
from scriptc_runtime.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    ClassType,
    DType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
)
from tests.support.ir_programs import Body
from tests.support.llvm_calls import SlowPathTaken, live_blocks, loaded_support, native, natives

F64 = DType.F64
N, M = symbol("N"), symbol("M")


def identity(type_: Type, name: str = "same") -> Function:
    """Return the argument."""
    b, label, x = Body(), Label(), Value(type_, "x")
    b.open()
    b.effect(OPS["retain"], x)
    b.exit(label, x)
    return Function(name, (x,), type_, b.close(), label, Loc(1, 1), "arguments.py")


@pytest.mark.parametrize(
    ("type_", "values"),
    [
        (INT, [0, 1, -1, 2**30 - 1, 2**30, -(2**30), 2**62, 2**63 - 1, -(2**63)]),
        (FLOAT, [0.0, -0.0, 1.5, float("inf"), float("nan")]),
        (BOOL, [True, False]),
        (NONE, [None]),
        (STR, ["", "abc", "é" * 1000]),
        (DType.F64, [np.float64(1.5)]),
        (DType.F32, [np.float32(-0.1)]),
        (DType.I64, [np.int64(-(2**63))]),
        (DType.B1, [np.True_, np.False_]),
        (TupleType((INT, FLOAT)), [(1, 2.0)]),
        (TupleType(()), [()]),
        (TupleType((TupleType((STR,)), BOOL)), [(("a",), False)]),
        (OptionalType(INT), [None, 5, 2**40]),
        (OptionalType(TupleType((FLOAT, STR))), [None, (1.0, "x")]),
    ],
)
def test_a_value_comes_back_as_it_was(type_: Type, values: list[object]) -> None:
    call = native(identity(type_))
    for value in values:
        found = call(value)
        assert type(found) is type(value)
        assert repr(found) == repr(value)


@pytest.mark.parametrize(
    ("type_", "values"),
    [
        (INT, [2**63, -(2**63) - 1, 1.0, True, np.int64(1), "1", None]),
        (FLOAT, [1, np.float64(1.0), True, "1.0", None]),
        (BOOL, [1, 0, np.True_, None]),
        (NONE, [0, False]),
        (STR, [b"a", 1]),
        (F64, [1.0, np.float32(1.0), 1]),
        (TupleType((INT, FLOAT)), [(1,), (1, 2), (1, 2.0, 3), [1, 2.0]]),
        (OptionalType(INT), [1.0, "x"]),
        (ListType(INT), [(1, 2), None]),
    ],
)
def test_other_types_take_the_slow_path(type_: Type, values: list[object]) -> None:
    call = native(identity(type_))
    for value in values:
        with pytest.raises(SlowPathTaken):
            call(value)


def test_a_float_parameter_can_take_small_ints() -> None:
    call = native(identity(FLOAT), converts=True)
    assert [call(x) for x in (1.5, 3, -7, 0)] == [1.5, 3.0, -7.0, 0.0]
    assert type(call(3)) is float
    for refused in (2**62, True, "1", np.float64(1)):
        with pytest.raises(SlowPathTaken):
            call(refused)


def test_wrong_counts_and_keywords() -> None:
    call = native(identity(INT))
    assert call(x=3) == 3
    for arguments, keywords in [((), {}), ((1, 2), {}), ((), {"y": 1}), ((1,), {"x": 1})]:
        with pytest.raises(SlowPathTaken):
            call(*arguments, **keywords)


# Arrays.

MATRIX = TensorType(F64, (N, M))


def test_an_array_comes_back_as_the_same_object() -> None:
    call = native(identity(MATRIX))
    base = np.arange(24.0).reshape(4, 6)
    for array in (base, base[::2], base.T, base[:, 1:3], base[::-1, ::-2], np.zeros((0, 3))):
        before = sys.getrefcount(array)
        assert call(array) is array
        assert sys.getrefcount(array) == before


def test_arrays_of_another_kind_take_the_slow_path() -> None:
    call = native(identity(MATRIX), writes=["x"])
    base = np.zeros((4, 6))
    read_only = base.copy()
    read_only.flags.writeable = False
    storage = np.zeros(8 * 24 + 1, np.uint8)
    misaligned = storage[1:].view(F64.numpy).reshape(4, 6)
    packed = np.zeros((4, 6), [("a", np.int8), ("b", np.float64)])["b"]  # strides of 9 bytes
    refused = [
        base.astype(">f8"),
        base.astype(np.float32),
        base.astype(np.int64),
        base[0],
        base[None],
        read_only,
        misaligned,
        packed,
        np.asmatrix(base),
        base.tolist(),
        np.zeros((4, 6), complex),
    ]
    for array in refused:
        with pytest.raises(SlowPathTaken):
            call(array)
    assert call(base) is base
    assert native(identity(MATRIX))(read_only) is read_only


def test_complex_numbers_that_are_no_whole_elements_apart_take_the_slow_path() -> None:
    # They are aligned as their parts are.
    call = native(identity(TensorType(DType.C128, (N,))))
    apart = np.zeros(4, [("z", complex), ("x", float)])["z"]
    assert apart.flags.aligned
    with pytest.raises(SlowPathTaken):
        call(apart)
    even = np.zeros(4, [("z", complex), ("x", float, 2)])["z"]
    assert call(even) is even


def test_two_names_of_one_machine_type_are_one_type() -> None:
    call = native(identity(TensorType(DType.I64, (N,))))
    for name in ("long", "longlong", "<i8"):
        array = np.zeros(3, name)
        if array.dtype.itemsize == 8:
            assert call(array) is array


def test_an_array_without_axes() -> None:
    call = native(identity(TensorType(F64, ())))
    array = np.array(2.5)
    assert call(array) is array


def test_sizes_with_one_name_must_be_equal() -> None:
    b, label = Body(), Label()
    x = Value(TensorType(F64, (N, Dim(3))), "x")
    y = Value(TensorType(F64, (N, UNKNOWN)), "y")
    b.open()
    b.exit(label, b.emit(arrays.DIM, x, axis=0))
    f = Function("sizes", (x, y), INT, b.close(), label, Loc(1, 1), "f.py")
    call = native(f)
    assert call(np.zeros((4, 3)), np.zeros((4, 9))) == 4
    for first, second in [((4, 2), (4, 1)), ((4, 3), (5, 1))]:
        with pytest.raises(SlowPathTaken):
            call(np.zeros(first), np.zeros(second))


def test_sizes_inside_tuples_and_optionals_are_checked() -> None:
    vector = TensorType(F64, (N,))
    b, label = Body(), Label()
    x, y = Value(TupleType((vector, INT)), "x"), Value(OptionalType(vector), "y")
    b.open()
    b.exit(label, b.emit(data.HAS_VALUE, y))
    call = native(Function("sizes", (x, y), BOOL, b.close(), label, Loc(1, 1), "f.py"))
    assert call((np.zeros(3), 1), None) is False
    assert call((np.zeros(3), 1), np.zeros(3)) is True
    with pytest.raises(SlowPathTaken):
        call((np.zeros(3), 1), np.zeros(4))
    with pytest.raises(UnsupportedError, match=r"(?s)error.boundary.*leave them open"):
        native(identity(ListType(vector)))


def rows(start: int, step: int) -> Function:
    """x[start::step]"""
    b, label, x = Body(), Label(), Value(MATRIX, "x")
    b.open()
    view = b.emit(arrays.VIEW, x, b.int(start), b.none(), b.int(step), axes="s")
    b.effect(OPS["retain"], view)
    b.exit(label, view)
    return Function("rows", (x,), view.type, b.close(), label, Loc(1, 1), "f.py")


def test_a_view_has_the_argument_as_base() -> None:
    array = np.arange(24.0).reshape(4, 6).copy()  # no view itself
    before = sys.getrefcount(array)
    for start, step in [(1, 1), (0, 2), (-1, -1), (9, 1)]:
        view = native(rows(start, step))(array)
        assert view.base is array
        assert np.array_equal(view, array[start::step])
        assert view.strides == array[start::step].strides
        assert view.flags.writeable
        del view
    assert sys.getrefcount(array) == before
    array.flags.writeable = False
    assert not native(rows(1, 1))(array).flags.writeable


def test_a_new_array_owns_its_memory_until_it_is_dropped() -> None:
    b, label, n = Body(), Label(), Value(INT, "n")
    b.open()
    size = b.emit(elementwise.CAST, n, to=DType.I64)
    new = b.emit(low.NEW_ARRAY, size, size, type=TensorType(F64, (UNKNOWN, UNKNOWN)))
    b.exit(label, new)
    result = TensorType(F64, (UNKNOWN, UNKNOWN))
    call = native(Function("new", (n,), result, b.close(), label, Loc(1, 1), "f.py"))
    before = live_blocks()
    for n_ in (0, 1, 3, 600):
        array = call(n_)
        array[:] = 1.0
        assert array.shape == (n_, n_)
        assert array.flags.carray
        assert array.sum() == n_ * n_
        part = array[:1]
        del array
        assert live_blocks() == before + 1
        del part
        assert live_blocks() == before
    with pytest.raises(MemoryError):
        call(2**24)
    with pytest.raises(ValueError, match="array is too big"):
        call(2**33)


# Lists.


def appended(item: Type) -> Function:
    """Append y to x, and return x."""
    b, label = Body(), Label()
    x, y = Value(ListType(item), "x"), Value(item, "y")
    b.open()
    size = b.emit(list_items.LIST_SIZE, x)
    more = b.emit(elementwise.ADD, size, b.emit(data.CONST, value=1, dtype=DType.I64))
    b.effect(list_items.LIST_RESERVE, x, more)
    b.effect(low.RETAIN, y)
    b.effect(list_items.LIST_STORE, x, size, y)
    b.effect(list_items.LIST_SET_SIZE, x, more)
    b.effect(low.RETAIN, x)
    b.exit(label, x)
    return Function("append", (x, y), ListType(item), b.close(), label, Loc(1, 1), "f.py")


@pytest.mark.parametrize(
    ("item", "items", "new"),
    [
        (INT, [1, 2, 3], 4),
        (INT, [], 2**40),
        (STR, ["a", "b"], "c" * 50),
        (TupleType((INT, BOOL)), [(1, True)], (2, False)),
        (OptionalType(FLOAT), [None, 1.0], None),
        (TensorType(F64, (UNKNOWN,)), [np.zeros(3)], np.ones(2)),
    ],
)
def test_a_written_list_is_written_back(item: Type, items: list[object], new: object) -> None:
    call = native(appended(item), writes=["x"], check=False)
    before, count = live_blocks(), sys.getrefcount(new)
    mine = list(items)
    assert call(mine, new) is mine
    assert len(mine) == len(items) + 1
    assert all(a is b or a == b for a, b in zip(mine, [*items, new], strict=True))
    del mine
    assert live_blocks() == before
    assert new is None or sys.getrefcount(new) == count


def test_a_list_with_another_item_takes_the_slow_path_and_leaves_nothing() -> None:
    call = native(appended(STR), writes=["x"], check=False)
    before, text = live_blocks(), "text" * 3
    count = sys.getrefcount(text)
    with pytest.raises(SlowPathTaken):
        call([text, text, 5], text)
    assert live_blocks() == before
    assert sys.getrefcount(text) == count


def test_one_list_in_two_parameters_is_one_list() -> None:
    b, label = Body(), Label()
    x, y = Value(ListType(INT), "x"), Value(ListType(INT), "y")
    b.open()
    index = b.emit(data.CONST, value=0, dtype=DType.I64)
    b.effect(list_items.LIST_STORE, x, index, b.int(99))
    b.exit(label, b.emit(list_items.LIST_LOAD, y, index))
    f = Function("shared", (x, y), INT, b.close(), label, Loc(1, 1), "f.py")
    call = native(f, writes=["x"])
    one = [1, 2]
    assert call(one, one) == 99
    assert one == [99, 2]
    assert call([1], [2]) == 2
    assert live_blocks() == 0


def test_lists_of_lists_keep_their_identity() -> None:
    inner = ListType(INT)
    b, label = Body(), Label()
    x = Value(ListType(inner), "x")
    b.open()
    zero = b.emit(data.CONST, value=0, dtype=DType.I64)
    one = b.emit(data.CONST, value=1, dtype=DType.I64)
    b.effect(list_items.LIST_STORE, b.emit(list_items.LIST_LOAD, x, zero), zero, b.int(7))
    b.exit(label, b.emit(list_items.LIST_LOAD, b.emit(list_items.LIST_LOAD, x, one), zero))
    f = Function("nested", (x,), INT, b.close(), label, Loc(1, 1), "f.py")
    call = native(f)
    row = [1]
    assert call([row, row]) == 7
    assert call([[1], [2]]) == 2
    assert live_blocks() == 0


# Instances.


def test_instances_go_in_and_out_as_their_handle() -> None:
    fields = (("flag", BOOL), ("x", FLOAT), ("name", STR), ("values", TensorType(F64, (N,))))
    declaration = ClassDecl("Point", fields)
    type_ = ClassType("Point")
    b, label = Body(), Label()
    params = tuple(Value(t, n) for n, t in fields)
    b.open()
    for value in params[2:]:
        b.effect(low.RETAIN, value)
    b.exit(label, b.emit(data.NEW, *params, cls="Point", fields=tuple(n for n, _ in fields)))
    make = Function("make", params, type_, b.close(), label, Loc(1, 1), "f.py")
    b, label, p = Body(), Label(), Value(type_, "p")
    b.open()
    b.effect(data.SET_FIELD, p, b.emit(data.CONST, value=2.5), name="x")
    name = b.emit(data.CONST, value="new name")
    b.effect(low.RETAIN, name)
    b.effect(data.SET_FIELD, p, name, name="name")
    parts = [b.emit(data.FIELD, p, name=n, type=t) for n, t in fields]
    for part in parts[2:]:
        b.effect(low.RETAIN, part)
    b.exit(label, b.emit(data.TUPLE, *parts))
    result = TupleType(tuple(t for _, t in fields))
    read = Function("read", (p,), result, b.close(), label, Loc(1, 1), "f.py")

    point = make_instance_type("tests", "Point")
    set_dealloc(point, loaded_support()["sc.free_instance"])
    objects = {"class Point": point}
    calls = natives([make, read], classes={"Point": declaration}, objects=objects, check=False)
    array = np.arange(3.0)
    count = sys.getrefcount(array)
    instance = calls["make"](True, 1.5, "old name" + str(1), array)
    assert type(instance) is point
    flag, x, text, values = calls["read"](instance)
    assert (flag, x, text) == (True, 2.5, "new name")
    assert values is array
    del values
    del instance
    assert sys.getrefcount(array) == count
    assert live_blocks() == 0
    with pytest.raises(SlowPathTaken):
        calls["read"](object.__new__(point))  # it has no handle
    with pytest.raises(SlowPathTaken):
        calls["read"](object())


def test_a_raise_leaves_lists_as_they_are() -> None:
    b, label, x = Body(), Label(), Value(ListType(INT), "x")
    b.open()
    index = b.emit(data.CONST, value=0, dtype=DType.I64)
    b.effect(list_items.LIST_STORE, x, index, b.int(5))
    b.terminate(control.RAISE, kind="ValueError")
    f = Function("fails", (x,), NONE, b.close(), label, Loc(1, 1), "f.py")
    mine = [1, 2]
    with pytest.raises(ValueError, match=r"^$"):
        native(f, writes=["x"])(mine)
    assert mine == [5, 2]  # what was done before the raise stays done
    assert live_blocks() == 0
