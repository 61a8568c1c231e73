"""What ops are tried on: numbers at the ends of their types, arrays of every layout.

Arrays come from functions, so that every test has its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from scriptc_runtime.dims import Dim
from scriptc_runtime.ops.arrays import Array
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.types import (
    BOOL,
    BYTES,
    COMPLEX,
    COMPLEX_DTYPES,
    EXCEPTION,
    FLOAT,
    FROM_NUMPY,
    INT,
    NONE,
    STR,
    CellType,
    ClassType,
    DType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    holds_int,
    int_limits,
)
from scriptc_runtime.types import INTEGERS as NUMPY_INTEGERS
from scriptc_runtime.values import Cell, Instance
from tests.support import draws

I64, F32, F64, B1 = DType.I64, DType.F32, DType.F64, DType.B1
Make = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Sample:
    """One instruction to try: `make` gives fresh operands, of `types`."""

    op: OpDef
    makers: tuple[Make, ...]
    types: tuple[Type, ...]
    attrs: Mapping[str, Attr] = field(default_factory=dict[str, Attr])

    def operands(self) -> list[object]:
        """Return new operands."""
        return [make() for make in self.makers]


def type_of(value: object) -> Type:
    """Return the type of a value that tells it by itself."""
    if isinstance(value, np.ndarray):
        array = cast(Array, value)
        return TensorType(FROM_NUMPY[array.dtype], tuple(map(Dim, array.shape)))
    if isinstance(value, tuple):
        return TupleType(tuple(map(type_of, cast("tuple[object, ...]", value))))
    for dtype in DType:
        if type(value) is dtype.numpy.type:
            return dtype
    types: Mapping[type, Type] = {
        bool: BOOL,
        int: INT,
        float: FLOAT,
        complex: COMPLEX,
        str: STR,
        bytes: BYTES,
        type(None): NONE,
        **draws.TYPES,
    }
    return types[type(value)]


@dataclass(frozen=True, slots=True)
class Operand:
    """What gives an operand, and its type."""

    make: Make
    type: Type


def given(make: Make, type_: Type | None = None) -> Operand:
    """An operand made anew for each test."""
    return Operand(make, type_ or type_of(make()))


def constant(value: object) -> Make:
    """Return the maker of an immutable value."""
    return lambda: value


INTEGERS = (0, 1, -1, 2, -7, 64, 2**63 - 1, -(2**63))
COMPLEXES = (
    *(0j, 1 + 0j, -2.5 + 3j, complex(-0.0, 0.0), 1.5j, complex(0, float("inf"))),
    complex(float("nan"), 1),
)
FLOATS = (0.0, -0.0, 1.5, -2.5, 1e308, float("inf"), float("nan"))


def _held(dtype: DType) -> tuple[int, ...]:
    """Return what of the ints a dtype holds, and its ends."""
    held = [n for n in INTEGERS if holds_int(dtype, n)]
    return (*held, *(n for n in int_limits(dtype) if n not in held))


PYTHON: Mapping[Type, tuple[object, ...]] = {
    BOOL: (True, False),
    INT: INTEGERS,
    FLOAT: FLOATS,
    COMPLEX: COMPLEXES,
    STR: ("", "a", "é"),
    BYTES: (b"", b"a", b"\xe9"),
}
NUMPY: Mapping[DType, tuple[object, ...]] = {
    B1: (np.True_, np.False_),
    **{d: tuple(map(d.numpy.type, _held(d))) for d in NUMPY_INTEGERS},
    DType.F16: tuple(np.float16(x) for x in (*FLOATS[:4], 6e4, *FLOATS[5:])),
    F32: tuple(np.float32(x) for x in (*FLOATS[:4], 3e38, *FLOATS[5:])),
    F64: tuple(map(np.float64, FLOATS)),
    **{d: tuple(map(d.numpy.type, COMPLEXES)) for d in COMPLEX_DTYPES},
}


def array_makers(dtype: DType) -> list[Make]:
    """Arrays that broadcast with each other or not: empty, strided, of rank 0."""
    t = dtype.numpy
    return [
        lambda: np.array([[3, 0, 1], [2, 5, 1]], t),
        lambda: np.array([4, 1, 0], t),
        lambda: np.array([[2], [1]], t),
        lambda: np.array([6, 1, 0, 1, 5], t)[::-2],
        lambda: np.array([[1, 2], [0, 1], [4, 3]], t).T,
        lambda: np.zeros((2, 0), t),
        lambda: np.zeros((0, 3), t),
        lambda: np.array(1, t),
        lambda: np.array(NUMPY[dtype], t),
    ]


def sample(op: OpDef, *operands: object, **attrs: Attr) -> Sample:
    """A sample of operands, or of values that tell their type."""
    known = [x if isinstance(x, Operand) else given(constant(x)) for x in operands]
    return Sample(op, tuple(x.make for x in known), tuple(x.type for x in known), attrs)


MATRIX = given(lambda: np.arange(6.0).reshape(2, 3))
TURNED = given(lambda: np.arange(6.0).reshape(3, 2).T)
FLIPPED = given(lambda: np.arange(12.0).reshape(4, 3)[::-2, ::-1])
HOLLOW = given(lambda: np.zeros((0, 3)))
PERMUTED = given(lambda: np.arange(24.0).reshape(2, 3, 4).transpose(1, 0, 2))
WINDOWS = given(lambda: np.lib.stride_tricks.sliding_window_view(np.arange(6.0), 3))
VECTOR = given(lambda: np.array([1.0, -0.0, np.nan]))
WAVES = given(lambda: np.array([[1 + 2j, -0.5j], [3, 0j]])[::-1].T)
SCALAR = given(lambda: np.array(2.5))
NUMBERS = given(lambda: [3, 1, 2], ListType(INT))
NO_NUMBERS = given(lambda: [], ListType(INT))
ROWS = given(lambda: [np.zeros(2)], ListType(TensorType(F64, (Dim(2),))))
POINT = given(lambda: Instance("Point", {"x": 1.0, "w": np.zeros(2)}), ClassType("Point"))
ALONE = given(lambda: Instance("Empty", {}), ClassType("Empty"))
FULL_CELL = given(lambda: Cell(5), CellType(INT))
EMPTY_CELL = given(Cell, CellType(INT))
ERROR = given(lambda: ZeroDivisionError("by zero"), EXCEPTION)
MAYBE = given(lambda: 4, OptionalType(INT))
NOT = given(lambda: None, OptionalType(INT))
