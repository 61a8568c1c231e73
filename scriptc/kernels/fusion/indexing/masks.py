"""Masks over an array: their sizes, and what may be computed where a mask is false, too."""

from scriptc.analysis.instr_kinds import raises_on_elements
from scriptc.kernels.builder import Code
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import arrays
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Trait
from scriptc_runtime.types import TensorType


def is_total(instr: Instr) -> bool:
    """Whether an op works on each element alone and never raises for one."""
    return Trait.ELEMENTWISE in instr.op.traits and not raises_on_elements(instr)


def require_sizes(code: Code, array: Value, mask: Value) -> None:
    """Check that a mask has the size of an array on every axis; what is proven is not compared."""
    assert isinstance(array.type, TensorType)
    assert isinstance(mask.type, TensorType)
    for axis, (own, other) in enumerate(zip(array.type.dims, mask.type.dims, strict=True)):
        if own.same(other):
            continue
        sizes = [code.builder.emit(arrays.DIM, v, loc=code.loc, axis=axis) for v in (array, mask)]
        equal = code.op(e.EQ, *sizes)
        code.require(equal, "IndexError", mask_mismatch(axis), *map(code.to_i64, sizes))


def mask_mismatch(axis: int) -> str:
    """Return what to say of a mask that does not have the size of what it is for."""
    return (
        f"boolean index did not match indexed array along axis {axis}; size of axis is {{}} "
        "but size of corresponding boolean axis is {}"
    )
