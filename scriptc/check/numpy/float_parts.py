"""NumPy's functions that take floats apart, or count the bits of integers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, as_numpy
from scriptc.check.numpy import array_parts, reductions, ufuncs
from scriptc_runtime.ops import arrays, data, elementwise
from scriptc_runtime.types import FROM_NUMPY, INT, DType, TensorType, TupleType, element_of


def _by_elements(call: LibraryCall, ufunc: np.ufunc, values: Sequence[Computation]) -> Computation:
    """Return what a function of `stdlib/float_parts.py` gives for each element."""
    operands, _ = ufuncs.promoted(call, ufunc, values)
    dtype = reductions.dtype_of(operands[0])
    operands = [call.as_array(v) for v in operands]
    if not any(reductions.rank_of(v) for v in operands):
        operands = [array_parts.view(call, v, "n") for v in operands]
    limits = np.finfo(str(dtype.numpy))
    return call.standard(
        "float_parts",
        f"{ufunc.__name__}_of_arrays",
        *operands,
        digits=int(limits.nmant) + 1,
        least=float(limits.smallest_subnormal),
        largest=float(limits.max),
        half=dtype is DType.F16,
    )


def _as_given(call: LibraryCall, values: Sequence[Computation], found: Computation) -> Computation:
    """Return the one element where no operand has axes, as NumPy does."""
    if any(isinstance(v.type, TensorType) and v.type.rank for v in values):
        return found
    return call.context.apply(call.node, arrays.INDEX, found, Literal(0, INT))


def _one_result(ufunc: np.ufunc) -> ufuncs.Meaning:
    def compute(call: LibraryCall, values: Sequence[Computation]) -> Computation:
        return _as_given(call, values, _by_elements(call, ufunc, values))

    return compute


def _frexp(call: LibraryCall) -> Typed:
    values = [call.numeric("x")]
    found = _by_elements(call, np.frexp, values)
    assert isinstance(found.type, TupleType)
    parts = [call.context.apply(call.node, data.ITEM, found, index=i) for i in range(2)]
    return call.apply(data.TUPLE, *(_as_given(call, values, part) for part in parts))


def _bitwise_count(call: LibraryCall, values: Sequence[Computation]) -> Computation:
    """Return how many bits of the size of an integer are set: sums of neighbours, side by side."""
    value = as_numpy(values[0])
    dtype = element_of(value.type)
    if not isinstance(dtype, DType) or dtype.kind not in "biu":
        call.refuse(f"{value.type} has no bits", instead="np.bitwise_count takes integers")
    apply, at = call.context.apply, call.node
    if dtype.kind == "i":
        # The size of the least integer fits into the dtype without signs alone.
        value = converted(
            apply(at, elementwise.ABS, value), FROM_NUMPY[np.dtype(f"u{dtype.itemsize}")]
        )
    bits = converted(value, DType.U64)

    def constant(number: int) -> Computation:
        return Literal(number, DType.U64)

    def fields(x: Computation, shift: int, mask: int) -> Computation:
        moved = apply(at, elementwise.SHR, x, constant(shift)) if shift else x
        return apply(at, elementwise.AND, moved, constant(mask))

    # The bits in two, four and eight; the product adds up the bytes in the first one.
    pairs, fours = 0x5555555555555555, 0x3333333333333333
    bits = apply(at, elementwise.SUB, bits, fields(bits, 1, pairs))
    bits = apply(at, elementwise.ADD, fields(bits, 0, fours), fields(bits, 2, fours))
    bits = apply(at, elementwise.ADD, bits, apply(at, elementwise.SHR, bits, constant(4)))
    bits = fields(bits, 0, 0x0F0F0F0F0F0F0F0F)
    bits = apply(at, elementwise.MUL, bits, constant(0x0101010101010101))
    return converted(apply(at, elementwise.SHR, bits, constant(56)), DType.U8)


def _checker(names: Sequence[str], compute: ufuncs.Meaning) -> Callable[[LibraryCall], Typed]:
    return lambda call: call.result(compute(call, [call.numeric(name) for name in names]))


def _library(ufunc: np.ufunc, check: Callable[[LibraryCall], Typed], *names: str) -> Library:
    return Library(f"np.{ufunc.__name__}", names, len(names), check, displays=True)


# What those of two operands compute.
MEANINGS: Mapping[np.ufunc, ufuncs.Meaning] = {
    ufunc: _one_result(ufunc) for ufunc in (np.nextafter, np.ldexp)
}
_PAIR = ("x1", "x2")
TABLE: Mapping[object, Library] = {
    np.frexp: _library(np.frexp, _frexp, "x"),
    np.spacing: _library(np.spacing, _checker(("x",), _one_result(np.spacing)), "x"),
    np.bitwise_count: _library(np.bitwise_count, _checker(("x",), _bitwise_count), "x"),
    **{
        ufunc: _library(ufunc, _checker(_PAIR, meaning), *_PAIR)
        for ufunc, meaning in MEANINGS.items()
    },
}
