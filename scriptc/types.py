"""Annotations: `f64[N, M]` is an array of float64 with two axes whose sizes are called N and M.

For type checkers, types.pyi says that the same names are NumPy arrays and ints.
"""

from typing import cast

from scriptc_runtime.any_size import bigint
from scriptc_runtime.dims import UNKNOWN, Dim, symbol
from scriptc_runtime.errors import Diagnostic, TypeCheckError
from scriptc_runtime.types import SIGNED, UNSIGNED, DType, TensorType, union

__all__ = [
    "B", "C", "D", "E", "H", "K", "M", "N", "P", "Q", "R", "S", "T", "W",
    "b1", "bigint", "c64", "c128", "dim", "f16", "f32", "f64", "i8", "i16", "i32", "i64",
    "u8", "u16", "u32", "u64",
]  # fmt: skip


class ArrayAnnotation:
    """A dtype in an annotation: alone a NumPy scalar, with sizes in brackets an array."""

    __slots__ = ("scalar_type",)

    def __init__(self, dtype: DType) -> None:
        self.scalar_type = dtype

    def __getitem__(self, sizes: object) -> TensorType:
        """Return the array type with these sizes: dims, ints, or `...` for an unknown one."""
        items = cast("tuple[object, ...]", sizes) if isinstance(sizes, tuple) else (sizes,)
        return TensorType(self.scalar_type, tuple(_dim(item) for item in items))

    def __or__(self, other: object) -> object:
        """Return the annotation of a scalar that may be something else: `f64 | None`."""
        return union(self, other)

    def __ror__(self, other: object) -> object:
        return union(other, self)

    def __repr__(self) -> str:
        return str(self.scalar_type)

    def __reduce__(self) -> str:
        return str(self.scalar_type)  # the name that it has here


def dim(name: str) -> Dim:
    """Return a size with a name of your own: the same name means the same size."""
    if not name.isidentifier():
        raise TypeCheckError(
            Diagnostic("dims", f"{name!r} is no name", instead="name a size like a variable")
        )
    return symbol(name)


def _dim(size: object) -> Dim:
    match size:
        case Dim():
            return size
        case int() if size >= 0:
            return Dim(size)
        case str():
            return dim(size)
        case _ if size is ...:
            return UNKNOWN
        case slice():
            raise TypeCheckError(
                Diagnostic(
                    "dims",
                    "`:` is no size of an axis",
                    instead="write `...` for each axis of any size, f64[..., ...], or its name",
                )
            )
        case _:
            raise TypeCheckError(
                Diagnostic(
                    "dims",
                    f"{size!r} is no size of an axis",
                    instead="write a name from scriptc.types, a number, or ... for any size",
                )
            )


b1 = ArrayAnnotation(DType.B1)
i8, i16, i32, i64 = map(ArrayAnnotation, SIGNED)
u8, u16, u32, u64 = map(ArrayAnnotation, UNSIGNED)
f16, f32, f64 = map(ArrayAnnotation, (DType.F16, DType.F32, DType.F64))
c64, c128 = map(ArrayAnnotation, (DType.C64, DType.C128))

B, C, D, E, H, K, M = map(symbol, "BCDEHKM")
N, P, Q, R, S, T, W = map(symbol, "NPQRSTW")
