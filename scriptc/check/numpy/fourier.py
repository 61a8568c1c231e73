"""np.fft: transforms along one axis or several, in the precision of their argument."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Literal
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, int_size
from scriptc.check.numpy import array_parts, reductions, ufuncs
from scriptc.check.numpy.joining import rolled
from scriptc_runtime.ops import elementwise, fourier
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import FLOAT, DType, TensorType, element_of


def _array(call: LibraryCall) -> Computation:
    value = call.array("a")
    if reductions.dtype_of(value) is DType.F16 or reductions.rank_of(value) == 0:
        call.refuse(f"transforms of {value.type} are not built", call.nodes["a"])
    return converted(value, DType.F64) if reductions.dtype_of(value).kind in "biu" else value


def _norm(call: LibraryCall) -> str:
    if not call.is_given("norm"):
        return "backward"
    known = call.typed("norm").known
    if known is None or known.value not in fourier.NORMS:
        call.refuse("norm must be 'backward', 'ortho' or 'forward'", call.nodes["norm"])
    call.drop("norm")
    return str(known.value)


def _along(
    call: LibraryCall, op: OpDef, value: Computation, axis: int, count: Computation, norm: str
) -> Computation:
    """Return the transform along one axis."""
    if op is fourier.RFFT and reductions.dtype_of(value).kind == "c":
        call.refuse("NumPy takes no complex array here", call.nodes["a"], "use np.fft.fft")
    rows = reductions.moved(call, value, axis, -1)
    found = call.context.apply(call.node, op, rows, count, norm=norm)
    return reductions.moved_back(call, found, -1, axis)


def _whole(call: LibraryCall, op: OpDef, value: Computation, axis: int) -> Computation:
    """Return how many elements a transform has that is not told."""
    size = array_parts.size_of(call, value, axis)
    if op is not fourier.IRFFT:
        return size
    return array_parts.times(
        call, array_parts.plus(call, size, array_parts.number(-1)), array_parts.number(2)
    )


def _one(op: OpDef) -> ufuncs.Checker:
    """Return the check of a transform along one axis."""

    def check(call: LibraryCall) -> Typed:
        value = _array(call)
        axis, count = _axis_and_count(call, op, value)
        return call.result(_along(call, op, value, axis, count, _norm(call)))

    return check


def _axis_and_count(call: LibraryCall, op: OpDef, value: Computation) -> tuple[int, Computation]:
    """Return the axis of a transform, and how many elements it has."""
    axis = reductions.one_axis(call, reductions.rank_of(value), -1)
    if axis is None:
        call.refuse("one axis is needed", call.nodes["axis"])
    axis %= reductions.rank_of(value)
    if call.is_given("n"):
        return axis, int_size(call, call.operand("n"), call.nodes["n"])
    return axis, _whole(call, op, value, axis)


# A Hermitian transform is one of real elements backwards, scaled at the other end.
_SWAPPED = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def _hermitian(*, inverse: bool) -> ufuncs.Checker:
    """Return the check of np.fft.hfft or ihfft."""

    def check(call: LibraryCall) -> Typed:
        op = fourier.RFFT if inverse else fourier.IRFFT
        value = _array(call)
        axis, count = _axis_and_count(call, op, value)
        given = value if inverse else _conjugate(call, value)
        found = _along(call, op, given, axis, count, _SWAPPED[_norm(call)])
        return call.result(_conjugate(call, found) if inverse else found)

    return check


def _conjugate(call: LibraryCall, value: Computation) -> Computation:
    if reductions.dtype_of(value).kind != "c":
        return value
    apply, at = call.context.apply, call.node
    real, imag = (apply(at, op, value) for op in (elementwise.REAL, elementwise.IMAG))
    return apply(at, elementwise.COMPLEX_OF, real, apply(at, elementwise.NEG, imag))


def _several(*, inverse: bool, real: bool, two: bool) -> ufuncs.Checker:
    """Return the check of a transform along several axes, the last two or all."""

    def check(call: LibraryCall) -> Typed:
        value = _array(call)
        rank = reductions.rank_of(value)
        sizes = array_parts.asked_sizes(call, "s") if call.is_given("s") else []
        axes = _axes(call, rank, two=two)
        if sizes and not (two or call.is_given("axes")):
            axes = axes[max(0, rank - len(sizes)) :]
        if sizes and len(sizes) != len(axes):
            call.refuse("Shape and axes have different lengths.", call.nodes["s"])
        counts = dict(zip(axes, sizes, strict=True)) if sizes else {}
        if two and rank < 2:
            call.refuse("an array with two axes is needed", call.nodes["a"])
        norm = _norm(call)
        plain = fourier.IFFT if inverse else fourier.FFT
        half = fourier.IRFFT if inverse else fourier.RFFT
        order = list(reversed(axes))
        ops = [half if real and axis == axes[-1] else plain for axis in order]
        if real and inverse:
            # NumPy takes the axes from the first on, and the real one last.
            order, ops = [*axes[:-1], axes[-1]], [*[plain] * (len(axes) - 1), half]
        for axis, op in zip(order, ops, strict=True):
            count = counts.get(axis) or _whole(call, op, value, axis)
            value = _along(call, op, value, axis, count, norm)
        return call.result(value)

    return check


def _axes(call: LibraryCall, rank: int, *, two: bool) -> Sequence[int]:
    if not call.is_given("axes"):
        return (rank - 2, rank - 1) if two else tuple(range(rank))
    found: list[int] = []
    for _, known in call.items("axes"):
        if known is None or not -rank <= known < rank:
            call.refuse("the axes must be constants", call.nodes["axes"])
        found.append(known % rank)
    call.drop("axes")
    if len(set(found)) != len(found) or not found:
        call.refuse("each axis is taken once", call.nodes["axes"])
    return found


def _shift(*, back: bool) -> ufuncs.Checker:
    """Return the check of np.fft.fftshift or ifftshift, which put zero in the middle or back."""

    def check(call: LibraryCall) -> Typed:
        value = call.array("x")
        for axis in _axes(call, reductions.rank_of(value), two=False):
            size = array_parts.size_of(call, value, axis)
            half = call.context.apply(call.node, elementwise.FLOORDIV, size, array_parts.number(2))
            value = rolled(
                call,
                value,
                axis,
                array_parts.times(call, half, array_parts.number(-1)) if back else half,
            )
        return call.result(value)

    return check


def _frequencies(name: str) -> ufuncs.Checker:
    def check(call: LibraryCall) -> Typed:
        count = int_size(call, call.operand("n"), call.nodes["n"])
        step = call.operand("d") if "d" in call.values else Literal(1.0, FLOAT)
        element = element_of(step.type)
        if isinstance(step.type, TensorType) or element is None:
            call.refuse(f"d must be a number, not {step.type}", call.nodes["d"])
        if element is not DType.F64:
            step = converted(step, FLOAT)
        return call.result(call.standard("fourier", name, count, step))

    return check


def _library(name: str, check: ufuncs.Checker, *names: str) -> Library:
    return Library(f"np.fft.{name}", names, 1, check, displays=True)


_ONE = ("a", "n", "axis", "norm")
_SEVERAL = ("a", "s", "axes", "norm")
TABLE: Mapping[object, Library] = {
    **{getattr(np.fft, op.name): _library(op.name, _one(op), *_ONE) for op in fourier.OPS},
    **{
        getattr(np.fft, name): _library(
            name,
            _several(inverse=name[0] == "i", real="rfft" in name, two=name[-1] == "2"),
            *_SEVERAL,
        )
        for name in ("fft2", "ifft2", "fftn", "ifftn", "rfft2", "irfft2", "rfftn", "irfftn")
    },
    np.fft.hfft: _library("hfft", _hermitian(inverse=False), *_ONE),
    np.fft.ihfft: _library("ihfft", _hermitian(inverse=True), *_ONE),
    np.fft.fftshift: _library("fftshift", _shift(back=False), "x", "axes"),
    np.fft.ifftshift: _library("ifftshift", _shift(back=True), "x", "axes"),
    np.fft.fftfreq: _library("fftfreq", _frequencies("fftfreq"), "n", "d"),
    np.fft.rfftfreq: _library("rfftfreq", _frequencies("rfftfreq"), "n", "d"),
}
