"""What type checkers see: an annotation `f64[N, M]` is a NumPy array with two axes."""

from typing import TypeAlias, TypeVarTuple

import numpy as np
from typing_extensions import TypeAliasType

from scriptc_runtime.dims import Dim

# NumPy bounds a shape by tuple[int, ...], which no tuple of type variables can promise.
_S = TypeVarTuple("_S")

b1 = TypeAliasType(
    "b1",
    np.ndarray[tuple[*_S], np.dtype[np.bool_]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)
c64 = TypeAliasType(
    "c64",
    np.ndarray[tuple[*_S], np.dtype[np.complex64]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)
c128 = TypeAliasType(
    "c128",
    np.ndarray[tuple[*_S], np.dtype[np.complex128]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)
f16 = TypeAliasType(
    "f16",
    np.ndarray[tuple[*_S], np.dtype[np.float16]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)
f32 = TypeAliasType(
    "f32",
    np.ndarray[tuple[*_S], np.dtype[np.float32]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)
f64 = TypeAliasType(
    "f64",
    np.ndarray[tuple[*_S], np.dtype[np.float64]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)
i8 = TypeAliasType(
    "i8",
    np.ndarray[tuple[*_S], np.dtype[np.int8]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)
i16 = TypeAliasType(
    "i16",
    np.ndarray[tuple[*_S], np.dtype[np.int16]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)
i32 = TypeAliasType(
    "i32",
    np.ndarray[tuple[*_S], np.dtype[np.int32]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)
i64 = TypeAliasType(
    "i64",
    np.ndarray[tuple[*_S], np.dtype[np.int64]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)
u8 = TypeAliasType(
    "u8",
    np.ndarray[tuple[*_S], np.dtype[np.uint8]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)
u16 = TypeAliasType(
    "u16",
    np.ndarray[tuple[*_S], np.dtype[np.uint16]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)
u32 = TypeAliasType(
    "u32",
    np.ndarray[tuple[*_S], np.dtype[np.uint32]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)
u64 = TypeAliasType(
    "u64",
    np.ndarray[tuple[*_S], np.dtype[np.uint64]],  # pyright: ignore[reportInvalidTypeArguments]
    type_params=(_S,),
)

bigint: TypeAlias = int
B: TypeAlias = int
C: TypeAlias = int
D: TypeAlias = int
E: TypeAlias = int
H: TypeAlias = int
K: TypeAlias = int
M: TypeAlias = int
N: TypeAlias = int
P: TypeAlias = int
Q: TypeAlias = int
R: TypeAlias = int
S: TypeAlias = int
T: TypeAlias = int
W: TypeAlias = int

def dim(name: str) -> Dim: ...
