"""What an entry of a loaded module accepts as an argument, and what it becomes."""

from pathlib import Path

import numpy as np
import pytest

from scriptc_runtime import LoadedModule, load
from scriptc_runtime.dims import Dim
from scriptc_runtime.ir import Entry, Module
from scriptc_runtime.saved.file import EntryPoint, SavedModule, write_saved
from scriptc_runtime.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    DictType,
    DType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
)
from tests.support.ir_programs import F64, VECTOR, call, identity, signature


def boundary(path: Path, *types: Type) -> LoadedModule:
    f = identity("f", *types)
    module = Module({"f": f}, entries=(Entry("f", "f"),))
    write_saved(path, SavedModule(module, (EntryPoint("f", (signature(f),)),)))
    return load(path)


ACCEPTED: list[tuple[Type, object, object]] = [
    (FLOAT, 2, 2.0),
    (FLOAT, np.float64(2.5), 2.5),
    (INT, np.uint8(7), 7),
    (BOOL, np.bool_(True), True),
    (F64, 2.5, np.float64(2.5)),
    (F64, 3, np.float64(3.0)),
    (DType.I64, 3, np.int64(3)),
    (DType.F32, np.float32(1.5), np.float32(1.5)),
    (DType.B1, False, np.bool_(False)),
    (OptionalType(INT), None, None),
    (OptionalType(FLOAT), 1, 1.0),
    (TupleType((INT, FLOAT)), (1, 2), (1, 2.0)),
    (ListType(TupleType((FLOAT, INT))), [(1.0, 2)], [(1.0, 2)]),
    (DictType(STR, FLOAT), {"b": 1, "a": 2.5}, {"b": 1.0, "a": 2.5}),
    (DictType(INT, ListType(INT)), {1: [2]}, {1: [2]}),
    (NONE, None, None),
    (STR, "é", "é"),
]


@pytest.mark.parametrize(("type_", "given", "taken"), ACCEPTED)
def test_an_argument_becomes_a_value_of_its_type(
    type_: Type, given: object, taken: object, tmp_path: Path
) -> None:
    result = call(boundary(tmp_path / "m", type_), "f", given)
    assert result == taken
    assert type(result) is type(taken)


@pytest.mark.parametrize(
    "types",
    [
        (VECTOR, OptionalType(VECTOR)),
        (OptionalType(VECTOR), VECTOR),
        (TupleType((VECTOR, OptionalType(VECTOR))), VECTOR),
    ],
)
def test_none_has_no_sizes(types: tuple[Type, Type], tmp_path: Path) -> None:
    def value(type_: Type, size: int | None) -> object:
        if isinstance(type_, TupleType):
            return tuple(value(item, size) for item in type_.items)
        if size is None and isinstance(type_, OptionalType):
            return None
        return np.zeros(3 if size is None else size)

    module = boundary(tmp_path / "m", *types)
    call(module, "f", *(value(t, None) for t in types))
    call(module, "f", *(value(t, 2) for t in types))
    with pytest.raises(ValueError, match="N is 2 and 4"):
        call(module, "f", value(types[0], 2), value(types[1], 4))


REFUSED: list[tuple[Type, object, type[Exception]]] = [
    (INT, 2**63, OverflowError),
    (FLOAT, 2**53 + 1, OverflowError),
    (FLOAT, 10**400, OverflowError),
    (DType.I64, 2**63, OverflowError),
    (FLOAT, np.float32(1.0), TypeError),
    (DType.F32, 1.0, TypeError),
    (BOOL, 1, TypeError),
    (STR, b"x", TypeError),
    (TupleType((INT,)), (1, 2), TypeError),
    (TupleType((INT,)), [1], TypeError),
    (ListType(FLOAT), [1.0, 2], TypeError),
    (ListType(TupleType((FLOAT, INT))), [(1.0, 2), (1, 2)], TypeError),
    (TensorType(F64, ()), 1.0, TypeError),
    (TensorType(F64, (Dim(3),)), np.zeros(4), ValueError),
    (VECTOR, np.zeros(3, ">f8"), TypeError),
    (VECTOR, np.ma.zeros(3), TypeError),
]


@pytest.mark.parametrize(("type_", "given", "error"), REFUSED)
def test_an_argument_that_no_value_equals_is_refused(
    type_: Type, given: object, error: type[Exception], tmp_path: Path
) -> None:
    with pytest.raises(error, match="'p0'"):
        call(boundary(tmp_path / "m", type_), "f", given)


def test_sizes_of_one_name_are_equal(tmp_path: Path) -> None:
    module = boundary(tmp_path / "m", VECTOR, VECTOR)
    call(module, "f", np.zeros(3), np.zeros(3))
    with pytest.raises(ValueError, match="'p1': N is 3 and 4"):
        call(module, "f", np.zeros(3), np.zeros(4))


def test_a_list_is_given_as_it_is(tmp_path: Path) -> None:
    items = [1.0]
    assert call(boundary(tmp_path / "m", ListType(FLOAT)), "f", items) is items
