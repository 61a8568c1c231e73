"""Where the elements of an array lie: sizes, strides and addresses by name."""

from collections.abc import Sequence
from typing import cast

from scriptc.backends.llvm.emitter.function import Emitter
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.abi import TensorParts, tensor_parts
from scriptc_runtime.ir import Value
from scriptc_runtime.types import TensorType


def parts(e: Emitter, value: Value) -> TensorParts:
    """Return the components of an array by name."""
    return tensor_parts(e.components(value))


def product(e: Emitter, a: str, b: str) -> str:
    """Return a * b of two sizes or indices, which does not overflow."""
    if a == "1" or b == "0":
        return b
    if b == "1" or a == "0":
        return a
    return e.let(f"mul nsw i64 {a}, {b}")


def total(e: Emitter, a: str, b: str) -> str:
    """Return a + b of two indices, which does not overflow."""
    if a == "0":
        return b
    return a if b == "0" else e.let(f"add nsw i64 {a}, {b}")


def address(e: Emitter, array: Value, index: Sequence[Value], *, inside: bool = True) -> str:
    """Return the address of an element, or of one that no access reaches if not `inside`."""
    described = parts(e, array)
    offset = "0"
    for position, stride in zip(index, described.strides, strict=True):
        offset = total(e, offset, product(e, e.one(position), stride))
    if offset == "0":
        return described.data
    element = abi.element(cast(TensorType, array.type).dtype)
    flag = " inbounds" if inside else ""
    return e.let(f"getelementptr{flag} {element}, ptr {described.data}, i64 {offset}")
