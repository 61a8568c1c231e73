"""What `scriptc.load` does not compile is refused by name: types, ops on them, sizes."""

from pathlib import Path

import numpy as np
import pytest

import scriptc
from scriptc.backends.llvm import size_limits
from scriptc.backends.llvm.rules import control as rules_control
from scriptc.backends.llvm.size_limits import MAX_DEPTH, MAX_IN_FUNCTION
from scriptc.driver import to_low
from scriptc.options import Options
from scriptc.passes import inline
from scriptc_runtime import load
from scriptc_runtime.dims import Dim
from scriptc_runtime.errors import LoadError, UnsupportedError
from scriptc_runtime.ir import Block, Entry, Function, Label, Loc, Module, Value
from scriptc_runtime.ops import arrays, control, data, elementwise
from scriptc_runtime.saved.file import EntryPoint, SavedModule, write_saved
from scriptc_runtime.types import INT, ListType, TensorType
from tests.support.ir_programs import F64, Body, signature

N = Dim(known=False)


def saved(path: Path, *functions: Function) -> Path:
    """Write functions to a file; all are entry points."""
    entries = tuple(Entry(f.name, f.name) for f in functions)
    points = tuple(EntryPoint(f.name, (signature(f),)) for f in functions)
    module = Module({f.name: f for f in functions}, entries=entries)
    write_saved(path, SavedModule(module, points))
    return path


def function(body: Body, result: Value, *params: Value, name: str = "f") -> Function:
    label = Label("return")
    body.exit(label, result)
    return Function(name, params, result.type, body.close(), label, Loc(1, 1), "user.py")


def opened() -> Body:
    body = Body()
    body.open()
    return body


def test_a_list_whose_sizes_cannot_be_checked_is_refused(tmp_path: Path) -> None:
    # The same sizes in every item: no script can say that.
    item = TensorType(F64, (Dim(2),))
    xs, x, body = Value(ListType(item), "xs"), Value(item, "x"), opened()
    body.effect(data.LIST_APPEND, xs, x, loc=Loc(3, 5))
    path = saved(tmp_path / "m", function(body, body.emit(data.CONST, value=None), xs, x))
    with pytest.raises(UnsupportedError, match=r"sizes in list\[f64.* cannot be checked"):
        scriptc.load(path)


def test_a_list_of_arrays_of_one_size_is_compiled(tmp_path: Path) -> None:
    item = TensorType(F64, (Dim(2),))
    x, body = Value(item, "x"), opened()
    xs = body.emit(data.LIST, item=item)
    body.effect(data.LIST_APPEND, xs, x, loc=Loc(3, 5))
    path = saved(tmp_path / "m", function(body, body.emit(data.LIST_LEN, xs), x))
    assert scriptc.load(path).f(np.zeros(2)) == load(path).f(np.zeros(2)) == 1


def adds(count: int, name: str = "f") -> Function:
    x, body = Value(INT, "x"), opened()
    total = x
    for _ in range(count):
        total = body.emit(elementwise.ADD, total, x)
    return function(body, total, x, name=name)


def test_a_function_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path / "m", adds(MAX_IN_FUNCTION))
    with pytest.raises(LoadError, match=r"too large to compile: @f has 5001 instructions"):
        scriptc.load(path)
    assert load(path).f(1) == MAX_IN_FUNCTION + 1


def test_a_module_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(size_limits, "MAX_IN_MODULE", 500)
    scriptc.load(saved(tmp_path / "m", adds(200, "f"), adds(200, "g")))
    path = saved(tmp_path / "m", *(adds(200, f"f{n}") for n in range(3)))
    with pytest.raises(LoadError, match="it has more instructions, the most is 500"):
        scriptc.load(path)


def nested(depth: int) -> Function:
    """A block in a block, and so on."""
    x, body = Value(INT, "x"), opened()

    def inner(left: int) -> None:
        label = Label(f"b{left}")
        body.open()
        if left:
            inner(left - 1)
        body.exit(label)
        block: Block = body.close()
        body.region(control.BLOCK, (), (block,), label, ())

    inner(depth - 2)
    return function(body, x, x)


def test_deep_blocks_are_refused(tmp_path: Path) -> None:
    assert scriptc.load(saved(tmp_path / "m", nested(MAX_DEPTH))).f(3) == 3
    with pytest.raises(LoadError, match=r"too large to compile: the blocks of @f are deeper"):
        scriptc.load(saved(tmp_path / "m", nested(MAX_DEPTH + 1)))


def assigned(count: int) -> Function:
    """Many sums of one array that are all stored in it: nests whose text grows as its square."""
    x, body = Value(TensorType(F64, (N,)), "x"), opened()
    for value in [body.emit(elementwise.ADD, x, x) for _ in range(count)]:
        body.effect(arrays.ASSIGN, x, value)
    return function(body, body.emit(data.CONST, value=None), x)


@pytest.mark.parametrize(("limit", "unit"), [("MAX_LOW", "instr"), ("MAX_TEXT", "characters")])
def test_code_that_becomes_too_large_is_refused(
    limit: str, unit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path / "m", assigned(20))
    scriptc.load(path)
    monkeypatch.setattr(size_limits, limit, 200)
    with pytest.raises(LoadError, match=rf"too large to compile: it becomes \d+ {unit}"):
        scriptc.load(path)


def chain(count: int) -> Function:
    x, body = Value(TensorType(F64, (N,)), "x"), opened()
    total = x
    for _ in range(count):
        total = body.emit(elementwise.ADD, total, x)
    return function(body, total, x)


def test_a_long_expression_of_arrays_is_compiled(tmp_path: Path) -> None:
    compiled = scriptc.load(saved(tmp_path / "m", chain(300)))
    np.testing.assert_array_equal(compiled.f(np.arange(3.0)), np.arange(3.0) * 301)


def list_gets(count: int) -> Function:
    xs, body = Value(ListType(INT), "xs"), opened()
    total = body.emit(data.CONST, value=0)
    for index in range(count):
        where = body.emit(data.CONST, value=index % 7 - 3)
        total = body.emit(elementwise.ADD, total, body.emit(data.LIST_GET, xs, where))
    return function(body, total, xs)


def test_the_bodies_of_library_ops_are_not_copied_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inline, "LARGE", 500)
    monkeypatch.setattr(rules_control, "LARGE", 500)
    few, many = (to_low(Module({"f": list_gets(n)}), Options()) for n in (100, 200))
    # A body has about 15 instructions, a call with its constant and the sum 3.
    size = inline.size_of
    assert size(many.functions["f"]) - size(few.functions["f"]) < 100 * 5
    compiled = scriptc.load(saved(tmp_path / "m", list_gets(200)))
    xs = [1, 2, 3, 4, 5]
    assert compiled.f(xs) == sum(xs[i % 7 - 3] for i in range(200))
    with pytest.raises(IndexError):
        compiled.f([1, 2])
